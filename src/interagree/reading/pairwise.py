"""Comparisons: each row sets two systems against each other, and a judge says which is better.

    question_id,model_a,model_b,judge,winner         question_id,chosen,rejected,annotator
    81,claude,vicuna,expert 1,model_a                q1,a long answer,another one,ann

The two systems are what is judged and never annotators, however alike their columns look.  Cells tell such a table: the
two are different in every row, and a third column names one of them in each, by its place or by its own name, or a tie.
The judge is the annotator; the question and both systems are the item.

A pair that was shown in both orders is one item: rows in the other order are turned, unless a judge saw both orders,
which are then two items.  Where more than two systems are compared, their names become places, since the labels that
could have been given would else be all systems and chance agreement far too low.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from interagree.arrays import Array
from interagree.data.codes import Coded
from interagree.data.columns import coded
from interagree.data.provenance import Step, counted
from interagree.data.types import Json
from interagree.errors import ColumnNotFound, Hint, listing
from interagree.reading import names
from interagree.reading.cells import Column, Columns
from interagree.reading.choices import Choices, several, single
from interagree.reading.evidence import Entry, Profile, determines, folded, is_key, sample, shared
from interagree.reading.families import one_question, without_results
from interagree.reading.long import people
from interagree.reading.parts import FILE
from interagree.reading.readings import Reading
from interagree.reading.records import fields_of
from interagree.reading.roles import aside, head, holds_people, item_score
from interagree.reading.tables import NamedColumns

PLACES = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"))
OUTCOMES = (
    *(("chosen", "rejected"), ("preferred", "rejected"), ("preferred", "dispreferred"), ("accepted", "rejected")),
    *(("winner", "loser"), ("won", "lost"), ("better", "worse")),
)
TIE = names.lexicon("tie tied ties draw both neither equal equally same none bothbad c unclear")
BESIDE = names.lexicon("the is was better wins winner side option choice") | names.MODEL | names.VALUE | names.TEXT
PREFERRED = names.lexicon(
    "winner win won preferred preference prefer choice chosen better best vote voted verdict favorite favourite "
    "selected selection pick picked decision"
)
COMPARED = names.MODEL | names.TEXT | names.lexicon("candidate response answer option output translation")
ASPECTS = names.QUESTION - names.ITEM  # of which each is a question
FURTHER = ASPECTS | names.lexicon("turn round category language")
MOSTLY = 0.95  # share of cells that name one of the two, or a tie
ALIKE = 0.5  # share of cells whose entry the other of two columns of systems has as well
LEAST = 12  # rows from which on cells tell two systems whatever their columns are called
ROWS = 500  # that are looked at
FAMILY = 8  # columns of few words, above which they are questions or people and not two systems
ORDER = "order"  # the column that says which of the two was shown first
RARELY = 0.05  # share of verdicts for one side below which the columns are hardly systems, where no name says so
MOST = 60  # columns among which pairs are looked for


class Comparison(NamedTuple):
    """Two columns of systems, and those that say which is better; the first itself where its name says that it is."""

    first: Hashable
    second: Hashable
    winners: tuple[Hashable, ...]


def reading(columns: Sequence[Profile], c: Choices) -> Reading | None:
    """How a table of comparisons is read; None of any other table, an error where nobody is named as the judge."""
    if c.layout not in ("auto", "long") or c.columns is not None or c.times is not None or c.item is not None:
        return None
    found = comparison(columns)
    asked = several(c.value)
    if found is None or isinstance(c.annotator, list) or not {*(asked or ())} <= {*found.winners}:
        return None
    used = {found.first, found.second, *found.winners}
    by_name = {column.name: column for column in columns}
    systems = by_name[found.first].vocabulary | by_name[found.second].vocabulary
    judges = [column for column in people(columns) if column.name not in used and not column.vocabulary <= systems]
    judges.sort(key=lambda column: head(column) not in {"judge", "annotator", "rater"})
    who = single(c.annotator) if c.annotator is not None else judges[0].name if judges else None
    free = [column for column in columns if column.name not in {*used, who} and column.filled]
    pair = [column for column in columns if column.name in {found.first, found.second} - {*found.winners}]
    if who in by_name and (
        _known_of([by_name[who]], pair) or any(_of_a_person(by_name[name]) for name in found.winners)
    ):
        return None
    if who is None:
        return _judges_side_by_side(found, by_name, _item(pair, free, [])[0])
    item, question = _item(pair, free, [by_name[who]] if who in by_name else [])
    why = {column.name: aside(column) or "not a judgement" for column in free if column.name not in (*item, question)}
    return Reading(
        layout="long",
        item=item,
        annotator=who,
        values=tuple(asked or found.winners),
        question=question if c.question is None else c.question,
        aside=why,
        because=f"each row compares {found.first!r} with {found.second!r}",
    )


def _judges_side_by_side(found: Comparison, columns: dict[Hashable, Profile], item: tuple[Hashable, ...]) -> Reading:
    """Columns of several judges; an error where there is one column of verdicts and nobody has given them."""
    different: dict[tuple[Entry | None, ...], Hashable] = {}
    for name in found.winners:
        different.setdefault(tuple(columns[name].cells), name)
    if len(different) > 1:
        judges = without_results(one_question([columns[name] for name in different.values()]))
        people = {judge: column.name for judge, column in judges.people["value"].items()}
        set_aside = dict.fromkeys(judges.results, "what most of the others say")
        return Reading(layout="wide", item=item, people={"value": people}, aside=set_aside)
    hints = [Hint("annotator", "…"), Hint("annotator", FILE)]
    raise ColumnNotFound(
        f"each row compares {found.first!r} with {found.second!r} and says in {found.winners[0]!r} which is better, "
        f"and no column says who judged.  If one does, name it, as in {hints[0]}; if a file holds the verdicts of one "
        f"judge, read it together with the others' and {hints[1]}",
        hints=hints,
    )


def _item(
    pair: Sequence[Profile], free: Sequence[Profile], who: Sequence[Profile]
) -> tuple[tuple[Hashable, ...], Hashable]:
    """The columns of what was asked, of the two systems and of what else tells verdicts apart; that of the question."""
    ids = [column for column in free if (item_score(column) >= 1 or column.prose) and head(column) not in FURTHER]
    ids.sort(key=lambda column: (column.unique, -item_score(column)))  # one that is unique may only number the rows
    chosen = [*ids[:1], *pair]
    question: Hashable = None
    if not is_key([*chosen, *who]):
        able = [column for column in free if column not in chosen and not column.unique and not column.dates]
        able.sort(key=lambda column: head(column) not in FURTHER)
        more = [column for column in able if is_key([*chosen, column, *who])][:1]
        question = next((column.name for column in more if head(column) in ASPECTS), None)
        chosen += [column for column in more if question is None]
    return tuple(column.name for column in chosen), question


# -- which columns are compared ---------------------------------------------------------------------------------------


def comparison(columns: Sequence[Profile]) -> Comparison | None:
    """The columns of a comparison, by their cells and, where these hold places such as 'A', by their names."""
    able = [column for column in columns if column.share >= MOSTLY and not column.dates][:MOST]
    for first, second in _pairs(able):
        if _better(first.name, second.name):
            return Comparison(first.name, second.name, (first.name,))
        winners = [column for column in columns if column not in (first, second) and _decides(column, first, second)]
        places = _places(first.name, second.name)
        clear = places is not None and (not places[0].isdigit() or {*names.words(first.name)} & COMPARED)
        if not clear and any(_differ(one, other) for one, other in combinations(winners, 2)):
            return None  # any two of them may be what is compared
        if winners:
            return Comparison(first.name, second.name, tuple(column.name for column in winners))
    return None


def _pairs(columns: Sequence[Profile]) -> Iterator[tuple[Profile, Profile]]:
    """Columns that differ in every row: those that are named as a pair first, then those of few systems."""
    alike = Counter(re.sub(r"\d+", "#", str(column.name)) for column in columns)
    columns = [c for c in columns if alike[re.sub(r"\d+", "#", str(c.name))] <= len(PLACES[0])]  # not item1 … item9
    two = [*permutations([column for column in columns if not column.numeric], 2)]
    named = [(a, b) for a, b in two if _places(a.name, b.name) or _better(a.name, b.name)]
    few = [column for column in columns if column.repeats and not column.numeric]
    # Of a few answers to many questions some two differ in every row by chance.
    other = ((a, b) for a, b in combinations(few, 2) if len(few) <= FAMILY and shared([a, b]) >= ALIKE)
    for first, second in dict.fromkeys((*named, *other)):
        people_named = any(_of_a_person(column) or holds_people(column) for column in (first, second))
        if not people_named and _differ(first, second):
            yield first, second


def _differ(one: Profile, other: Profile) -> bool:
    """Whether two columns hold different entries in every row."""
    return all(a != b for a, b in zip(one.cells[:ROWS], other.cells[:ROWS], strict=True))


def _known_of(who: Sequence[Profile], pair: Sequence[Profile]) -> bool:
    """Whether two columns say something of the judge, such as an age, and not what was compared."""
    return max((column.distinct for column in pair), default=0) > 1 and all(determines(who, column) for column in pair)


def _of_a_person(column: Profile) -> bool:
    """Whether a column is named after a person, perhaps behind a question: 'tone - Anna Ito', 'reviewer1_tone'."""
    people = names.PERSON | names.given_names()
    return head(column) in names.PERSON or any(
        word in people and word not in COMPARED | BESIDE | PREFERRED for word in names.words(column.name)
    )


def _decides(column: Profile, first: Profile, second: Profile) -> bool:
    """Whether a column names one of two in each row, each of them somewhere, or says that there is a tie."""
    if not column.filled or column.distinct > first.distinct + second.distinct + len(TIE):
        return False
    words = _sides(first.name, second.name, numbers=head(column) in PREFERRED)
    places = [words.get(_tokens(cell)) for cell in column.counts]
    rows = list(zip(column.cells, first.cells, second.cells, strict=True))[:ROWS]
    said = [row for row in rows if row[0] is not None]
    own = [0 if folded(w) == folded(a) else 1 if folded(w) == folded(b) else None for w, a, b in said]
    by_place = [words.get(_tokens(w)) for w, _, _ in said]
    ties = sum(_is_tie(w) for w, _, _ in said)
    named = head(column) in PREFERRED or all({*names.words(one.name)} & COMPARED for one in (first, second))
    if {0, 1} <= {*places} and (named or (len(said) >= LEAST and shared([first, second]) >= ALIKE)):
        return sum(side is not None for side in by_place) + ties >= MOSTLY * len(said)
    if len(said) < LEAST or len(first.vocabulary | second.vocabulary) < 3:  # what may be so by chance
        systems = all({*names.words(column.name)} & COMPARED for column in (first, second))
        if not systems or len(said) <= 2:
            return False
    elif min(own.count(0), own.count(1)) < RARELY * len(said) and not _places(first.name, second.name):
        return False
    return {0, 1} <= {*own} and sum(side is not None for side in own) + ties >= MOSTLY * len(said)


def _is_tie(cell: object) -> bool:
    return not TIE.isdisjoint(_tokens(cell))


@cache
def _tokens(name: Hashable) -> tuple[str, ...]:
    """The words and numbers of a name: 'modelA', 'model_a' and 'Model A' alike."""
    number = f"{name:g}" if isinstance(name, float) else str(name)[:80]
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", number)
    return tuple(re.findall(r"[^\W\d_]+|\d+", apart.lower()))


def _places(first: Hashable, second: Hashable) -> tuple[str, str] | None:
    """What tells the names of two columns apart where it is their place: 'a' and 'b'."""
    ours, theirs = _tokens(first), _tokens(second)
    different = [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b]
    return different[0] if len(ours) == len(theirs) and len(different) == 1 and different[0] in PLACES else None


def _better(first: Hashable, second: Hashable) -> bool:
    """Whether the names of two columns say that the first holds the better ones: 'chosen' beside 'rejected'."""
    ours, theirs = _tokens(first), _tokens(second)
    return any(good in ours and theirs == tuple(bad if w == good else w for w in ours) for good, bad in OUTCOMES)


def _sides(first: Hashable, second: Hashable, *, numbers: bool) -> dict[tuple[str, ...], int]:
    """The words for the first and the second of two: the names of their columns, 'A', 'response A', 'left'."""
    words = {_tokens(first): 0, _tokens(second): 1}
    if _places(first, second) is None:
        return words
    for places in PLACES:
        for side, word in enumerate(places):
            if numbers or not word.isdigit():
                words[word,] = side
            words.update(dict.fromkeys([pair for near in BESIDE for pair in ((near, word), (word, near))], side))
    return words


# -- pairs that were shown in both orders -----------------------------------------------------------------------------


def aligned(table: NamedColumns, reading: Reading, c: Choices) -> NamedColumns:
    """A table of comparisons with both orders of a pair as one, and verdicts as places; any other table as it is."""
    found = _stated(table, reading)
    if found is None:
        return table
    outcome = found.winners == (found.first,)
    given = table.fetch([*dict.fromkeys([*reading.item, found.first, found.second, *found.winners])])
    codes = {name: coded(column) for name, column in given.items()}
    first, second = codes[found.first], codes[found.second]
    systems = {name: code for code, name in enumerate(sorted({*map(str, first.names), *map(str, second.names)}))}
    a, b = (_renumbered(column, systems) for column in (first, second))
    group = both = np.minimum(a, b) * len(systems) + np.maximum(a, b)
    for name in {*reading.item} - {found.first, found.second}:
        group = np.unique(np.stack([group, codes[name].codes]), axis=1, return_inverse=True)[1].reshape(-1)
    turned, steps = a > b, list[Step]()
    if not outcome:
        _, at, place = np.unique(group, return_index=True, return_inverse=True)
        turned = a != a[at][place.reshape(-1)]
        who = [coded(table.fetch([who])[who]).codes for who in [reading.annotator] if who in table.names]
        cells, orders = np.stack([group, *who]), np.stack([group, *who, a])
        again = c.duplicates == "error" and np.unique(cells, axis=1).shape[1] < np.unique(orders, axis=1).shape[1]
        if turned.any() and again:
            steps.append(Step("noticed", "some judged a pair in both orders; each order is an item of its own"))
            turned = np.zeros_like(turned)
        elif turned.any():
            sentence = f"{counted(int(turned.sum()), 'row')} turned: a pair shown in both orders is one item"
            steps.append(Step("taken", sentence, int(turned.sum())))
    columns: dict[Hashable, Column] = {}
    if outcome:  # the better ones are the values, so the other column holds the pair
        known, [*texts] = np.unique(both), systems
        pairs = [(texts[pair // len(texts)], texts[pair % len(texts)]) for pair in known.tolist()]
        columns[found.second] = Coded(np.searchsorted(known, both).astype(np.int32), pairs)
    elif turned.any():
        columns[found.first], columns[found.second] = _either(first, second, turned), _either(second, first, turned)
        columns[ORDER] = Coded(turned.astype(np.int32), ["AB", "BA"])
    for name in found.winners:
        columns[name], step = _verdicts(codes[name], (a, b), systems, turned, found)
        steps += step

    def fetch(wanted: Sequence[Hashable]) -> Columns:
        rest = table.fetch([name for name in wanted if name not in columns])
        return {name: columns[name] if name in columns else rest[name] for name in wanted}

    return replace(
        table, names=[*dict.fromkeys([*table.names, *columns])], fetch=fetch, peek=None, steps=(*table.steps, *steps)
    )


def _stated(table: NamedColumns, reading: Reading) -> Comparison | None:
    """The comparison that a reading of a table takes up."""
    said = [*dict.fromkeys([*reading.item, *reading.values])]
    if table.lazy or len(said) < 2 or not {*said} <= {*table.names}:
        return None
    if len(reading.item) < 2 and not any(_better(value, item) for value in reading.values for item in reading.item):
        return None
    given = table.fetch(said).items()
    some = [Profile(name, sample(column, range(min(ROWS, len(column)))), 0) for name, column in given]
    found = comparison(some)
    if found is None or not {found.first, found.second} - {*found.winners} <= {*reading.item}:
        return None
    winners = tuple(name for name in found.winners if name in reading.values)
    return found._replace(winners=winners) if winners else None


def _renumbered(column: Coded, codes: dict[str, int]) -> Array:
    """The codes of a column under other numbers; -1 for what has none."""
    new = np.array([*(codes.get(str(name), -1) for name in column.names), -1], dtype=np.int64)
    return new[column.codes]


def _either(column: Coded, other: Coded, turned: Array) -> Coded:
    """A column with the cells of another one in the rows that are turned."""
    known = [*column.names, *other.names]
    codes = np.where(turned, np.where(other.codes < 0, -1, other.codes + len(column.names)), column.codes)
    return Coded(codes.astype(np.int32), known, column.gaps or other.gaps).renamed(known)


def _verdicts(
    column: Coded, compared: tuple[Array, Array], systems: dict[str, int], turned: Array, found: Comparison
) -> tuple[Coded, list[Step]]:
    """Verdicts by the place of what they name, in rows that are turned by the other place."""
    words = _sides(found.first, found.second, numbers=True)
    said = [words.get(_tokens(name), -1) for name in column.names]
    side = np.array([*said, -1])[column.codes]
    names_ = [str(name) for name in column.names]
    steps: list[Step] = []
    labels = [str(found.first), str(found.second)]
    if {0, 1} <= {*said}:
        often = np.bincount(np.maximum(column.codes, 0), minlength=len(names_))
        labels = [max((often[k], name) for k, name in enumerate(names_) if said[k] == s)[1] for s in (0, 1)]
    else:
        best = _renumbered(column, systems)
        side = np.where((best >= 0) & (best == compared[0]), 0, np.where((best >= 0) & (best == compared[1]), 1, -1))
        if len(systems) == 2 and found.winners != (found.first,):
            return column, []  # names of two systems are the same two labels for all items
        labels = ["A", "B"] if found.winners == (found.first,) else labels
        sentence = f"verdicts in {listing(found.winners)} compared by the place of what they name, {listing(labels)}"
        steps.append(Step("noticed", f"{sentence}, since each item has its own two answers"))
    known = [*names_, *labels]
    codes = np.where(side < 0, column.codes, len(names_) + np.where(turned, 1 - side, side))
    return Coded(codes.astype(np.int32), known, column.gaps).renamed(known).compact(), steps


# -- records that hold what was compared ------------------------------------------------------------------------------


def without_conversations(data: Json) -> Json:
    """Records of comparisons with each list of messages in them as one text; anything else as it is."""
    records = [record for record in data if isinstance(record, dict)] if isinstance(data, list) else []
    flat: Json = [{field: _as_text(cell) for field, cell in record.items()} for record in records]
    if flat == data or not isinstance(data, list) or len(records) < len(data):
        return data
    some = [{field: _as_text(cell) for field, cell in record.items()} for record in records[:ROWS]]
    cells = {field: [record.get(field) for record in some] for field in fields_of(some)}
    return data if comparison([Profile(field, given, 0) for field, given in cells.items()]) is None else flat


def _as_text(cell: Json) -> Json:
    """Messages, or the name of a model and that of its prompt, as one text."""
    if not isinstance(cell, list) or not cell:
        return cell
    parts = [part.get("content") if isinstance(part, dict) else part for part in cell]
    sign = "\n" if isinstance(cell[0], dict) else " "
    return sign.join(map(str, parts)) if all(isinstance(part, str) for part in parts) else cell
