"""How likely a reading of a table is beside others, for the order in which an error offers them.

The weights were fitted to the order alone (`bench/bench_tables.py --fit`: a conditional logit over all readings of
each real table whose truth is known, with an L2 penalty); nothing is read, or asked about, because of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import product

from interagree.reading import names
from interagree.reading.evidence import Entry, Profile, determines, folded
from interagree.reading.likeness import derived
from interagree.reading.readings import Reading
from interagree.reading.roles import GOLD, aside, head, is_id, item_score, named_aside, person_level

ROWS = 400  # that are looked at
DOUBTS = 2  # that count
SAMPLE = 60  # columns that are

WEIGHTS: Mapping[str, float] = {
    "agreement": 0.7,
    "annotators passed over": -2.6,
    "answered twice": 3.0,
    "answers differ": 1.3,
    "answers named": 0.9,
    "counts": -3.4,
    "derived among them": -5.9,
    "doubts": -2.1,
    "grid": -0.2,
    "item named": -0.2,
    "items called people": -1.1,
    "known of the people": 2.6,
    "left over": -1.7,
    "long": -2.8,
    "more people than items": -1.0,
    "named alike and left": -3.9,
    "odd answers": -1.0,
    "paired": 0.2,
    "people named": 1.5,
    "properties called people": -0.5,
    "repeated": 0.4,
    "results among them": -3.0,
    "score": 0.3,
    "transposed": -1.0,
}


def likelihood(reading: Reading, columns: Sequence[Profile]) -> float:
    """How likely a reading is, beside other readings of the same table."""
    return sum(WEIGHTS[name] * value for name, value in features(reading, columns).items())


def features(reading: Reading, columns: Sequence[Profile]) -> dict[str, float]:
    """What speaks for a reading and against it, as numbers of the size of 1."""
    by_name = {column.name: column for column in columns}
    said = {
        "counts": float(reading.layout == "counts"),
        "doubts": float(min(reading.doubt.count(";") + bool(reading.doubt), DOUBTS)),
        "grid": float(reading.pattern is not None),
        "items called people": float(reading.layout == "transposed" and reading.annotator is None),
        "known of the people": 0.0,
        "properties called people": 0.0,
        "long": float(reading.layout == "long"),
        "odd answers": float(any(name in reading.odd for name in reading.values)),
        "paired": float(reading.paired),
        "score": reading.score,
        "transposed": float(reading.layout == "transposed"),
    }
    item = [by_name[name] for name in reading.item if name in by_name]
    said["item named"] = sum(map(item_score, item)) / max(len(item), 1)
    used = {
        *reading.item,
        reading.annotator,
        *reading.values,
        *reading.columns,
        *(reading.crowd if reading.paired else ()),
    }
    able = [column for column in columns if column.repeats and not aside(column)]
    said["left over"] = sum(column.name not in used for column in able) / max(len(able), 1)
    asked = reading.values if reading.layout == "long" else (*reading.people, *reading.columns[:SAMPLE])
    said["answers named"] = sum(names.has(name, names.VALUE | names.ASKED) for name in asked) / max(len(asked), 1)
    stems = {*map(names.root, used)} - {""}
    kin = [column for column in columns if names.root(column.name) in stems]
    said["named alike and left"] = sum(column.name not in used for column in kin) / max(len(kin), 1)
    crowd = [by_name[name] for name in reading.columns if name in by_name] if reading.layout == "wide" else []
    said["derived among them"] = float(
        len(reading.people) == 1 and 2 < len(crowd) <= SAMPLE and derived(crowd) is not None
    )
    results = sum(named_aside(column) == GOLD for column in crowd)
    said["results among them"] = float(len(crowd) > 2 and 0 < results < len(crowd))
    told = [column for column in able if head(column) in names.ANNOTATOR and column.name != reading.annotator]
    said["annotators passed over"] = float(any(names.stem(column.name) is None for column in told))
    people, marks = _marks(reading, by_name)
    said["people named"] = max((person_level(who) for who in people), default=0) / 3
    if reading.annotator in by_name:
        who = by_name[reading.annotator]
        said["people named"] = float(head(who) in names.PERSON)
        named = bool(named_aside(who)) and not is_id(who)
        said["properties called people"] = float(named or names.has(who.name, names.VALUE | names.PERSONAL))
        facts = [column for column in columns if column is not who and names.has(column.name, names.PERSONAL)]
        said["known of the people"] = sum(determines([who], fact) for fact in facts) / max(len(facts), 1)
        said["items called people"] = float(item_score(who) >= 2 and head(who) not in names.PERSON)
    return said | _of_answers(marks, len(people))


def _marks(
    reading: Reading, columns: Mapping[Hashable, Profile]
) -> tuple[list[Hashable], list[tuple[Entry, Entry, Entry]]]:
    """The annotators, and the first annotations of the first question, as item, annotator and value."""
    size = range(min(ROWS, len(next(iter(columns.values())).cells)) if columns else 0)
    item: list[Entry] = [
        tuple(columns[name].cells[row] for name in reading.item if name in columns) or row for row in size
    ]
    if reading.layout == "long" and reading.annotator in columns:
        who = columns[reading.annotator].cells
        first = columns[reading.values[0]].cells if reading.values[0] in columns else who
        return [*dict.fromkeys(who)], [(item[row], who[row], first[row]) for row in size if first[row] is not None]
    asked = reading.people or {"value": {name: name for name in reading.values}}
    called = [*next(iter(asked.values())).items()][:SAMPLE]
    turned = reading.layout == "transposed"
    marks: list[tuple[Entry, Entry, Entry]] = []
    for row, (after, name) in product(size, called):
        value = columns[name].cells[row]
        if value is None:
            continue
        person = columns[after].cells[row] if reading.paired else after
        marks.append((after, row, value) if turned else (item[row], person, value))
    return [*size] if turned else [after for after, _ in called], marks


def _of_answers(marks: Sequence[tuple[Entry, Entry, Entry]], people: int) -> dict[str, float]:
    """How far annotators agree beyond chance, how many items have two answers, and the like."""
    by_item: defaultdict[Entry, list[Entry]] = defaultdict(list)
    for item, _, value in marks:
        by_item[item].append(folded(value))
    units = [values for values in by_item.values() if len(values) > 1]
    every = [value for values in by_item.values() for value in values]
    pairs = sum(len(values) * (len(values) - 1) for values in units)
    same = sum(values.count(value) - 1 for values in units for value in values)
    total = max(len(every), 1)
    by_chance = sum((every.count(value) / total) ** 2 for value in {*every})
    agreement = (same / pairs - by_chance) / (1 - by_chance) if pairs and by_chance < 1 else 0.0
    return {
        "agreement": agreement,
        "answered twice": len(units) / max(len(by_item), 1),
        "answers differ": len({*every}) / total,
        "more people than items": float(people > len(by_item)),
        "repeated": 1 - len({(item, who) for item, who, _ in marks}) / max(len(marks), 1),
    }
