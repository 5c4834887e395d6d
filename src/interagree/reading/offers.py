"""What a table that is not clear may be: readings that were tried, the likeliest first, and three questions.

Every reading that comes into question is enumerated, also those that nobody would take without asking: any column that
repeats as people do may be the annotator, rows may be people, columns may be counts.  Each that is offered was read
before, with the options that the error prints, so that none is refused when it is pasted; of those that give the same
annotations one is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import Any, cast

import numpy as np

from interagree.data.annotations import Annotations
from interagree.errors import Advice, DataError, DoubtfulReading, Hint, InteragreeError, ReadingAdvice, listing
from interagree.reading import families, long, names, numbered, paired, transposed, wide
from interagree.reading.choices import Choices, several
from interagree.reading.evidence import Profile, canonical, determines, fits, index_profile
from interagree.reading.likeness import derived
from interagree.reading.parts import FILE, ROLES, ROW
from interagree.reading.ranking import likelihood
from interagree.reading.readings import Doubt, Reading
from interagree.reading.roles import aside, is_id, named_aside, person_level
from interagree.reading.tables import NamedColumns
from interagree.tables import cell

SHOWN, FIRST = 4, 3  # readings that an error shows, and annotations of each
TRIED = 12  # readings that are tried for these
PART = 0.5  # by how much one question of a grid is less likely to help than all of them
FEW = 60  # values by which questions are told apart
CROWD = 12  # columns of one vocabulary that are offered as annotators whatever they are called
ANSWERS = 6  # columns that are each offered as the only answer
PEOPLE = 6  # columns that are tried as the annotator
REPEATED = 0.7  # different entries for each row, up to which a column may say who answered
CROWDED = 200  # annotators who may have given an item the same value
LOOKED_AT = 1_000  # annotations among which the first of a reading are found
WIDE = 300  # columns up to which a table is looked at for further readings
Read = Callable[[NamedColumns, Choices], Mapping[str, Annotations]]


def offered(doubt: Doubt, table: NamedColumns, c: Choices, read: Read) -> DataError:
    """The error for a table that is not clear, with the likeliest of the readings that can be taken."""
    small = table if table.peek is None else NamedColumns.of(table.peek(), index=table.index)
    found = every(doubt.columns, doubt.readings, table, c)
    ranked = _ranked(found, doubt.columns)
    advice = [*islice(_tried(ranked, doubt.columns, small, c, read), SHOWN)]
    if doubt.otherwise is not None and not advice:
        return doubt.otherwise
    return DoubtfulReading(str(doubt), advice, closing=questions(table.names))


def questions(columns: Sequence[Hashable]) -> Advice:
    """What to say where none of the readings is right: what a person who knows the table can answer."""
    return Advice.of(
        "None of these?  Say what one row is, where the person is and where the answer is "
        f"(the columns are {listing(columns, most=40)}):\n"
        "  one row for each annotation: ",
        *_listed([Hint("item", "…"), Hint("annotator", "…"), Hint("value", "…")]),
        ", or ",
        Hint("item", ROW),
        " where no column names the item\n  one row for each item, a column for each person: ",
        Hint("annotator", ["…", "…"]),
        "\n  … and the person named in a column beside each answer: ",
        *_listed([Hint("annotator", ["…", "…"]), Hint("value", ["…", "…"])]),
        "\n  one row for each person, a column for each item: ",
        *_listed([Hint("layout", "transposed"), Hint("annotator", "…"), Hint("value", ["…", "…"])]),
        "\n  one row for each item, a column for each value with how often it was given: ",
        *_listed([Hint("layout", "counts"), Hint("item", "…")]),
        "\n  the whole file is by one person: ",
        Hint("annotator", FILE),
        ", together with the others' files",
    )


def _listed(hints: Sequence[Hint]) -> Iterator[str | Hint]:
    for place, hint in enumerate(hints):
        if place:
            yield ", "
        yield hint


# -- which are tried --------------------------------------------------------------------------------------------------


def _ranked(found: Collection[Reading], columns: Sequence[Profile]) -> list[Reading]:
    """The readings that are tried, the likeliest first.

    All questions of a grid go before each of them, and where columns are offered as people of one question, those of a
    grid are offered as well; where rows may be people, columns may be people, too.
    """
    likely = [(reading, _kind(reading), likelihood(reading, columns)) for reading in found]
    best: dict[object, float] = {}
    for _, kind, value in likely:
        best[kind] = max(value, best.get(kind, value))
    plain = {
        frozenset(reading.columns): value
        for reading, _, value in likely
        if reading.layout == "wide" and not reading.pattern
    }
    whole = {kind for reading, kind, _ in likely if reading.pattern is not None and len(reading.people) > 1}

    def helps(reading: Reading, kind: object, value: float) -> float:
        if reading.pattern is None:
            return value if reading.layout == "long" else max(value, best[kind] - PART)
        if len(reading.people) > 1:
            return max(best[kind], plain.get(frozenset(reading.columns), best[kind]))
        return value - PART * (kind in whole)

    return [reading for reading, _, _ in sorted(likely, key=lambda one: -helps(*one))][:TRIED]


def _kind(reading: Reading) -> object:
    """What readings have in common that differ in the questions they take, or in whether rows or columns are people."""
    return (
        (reading.pattern, *reading.crowd)
        if reading.pattern is not None
        else frozenset(reading.columns or reading.values)
    )


def _tried(
    readings: Sequence[Reading], columns: Sequence[Profile], table: NamedColumns, c: Choices, read: Read
) -> Iterator[ReadingAdvice]:
    """The readings that can be taken as their options say, each that gives other annotations once."""
    by_name = {column.name: column for column in columns}
    seen: set[object] = set()
    for reading in readings:
        options = reading.options()
        try:
            made = read(table, replace(c, **cast("dict[str, Any]", options)))
        except InteragreeError:
            continue
        key = frozenset(
            (len(q.items), tuple(map(str, q.annotators)), str(q.values[:FEW]), q.value.tobytes()) for q in made.values()
        )
        if key not in seen:
            seen.add(key)
            yield reading.advice(*_first(reading, by_name, made))


def first_annotations(questions: Mapping[str, Annotations], most: int) -> tuple[tuple[str, ...], list[list[str]]]:
    """What stands above the first rows of what was read, and these rows: who said what, or how often it was said."""
    counts = any(study.anonymous for study in questions.values())
    heads = ("item", "value", "times") if counts else ("item", "annotator", "value")
    rows: list[list[str]] = []
    for name, study in questions.items():
        first = np.flatnonzero(study.item < most)
        first = first[np.argsort(study.item[first], kind="stable")][:LOOKED_AT]
        said = zip(study.item[first].tolist(), study.value[first].tolist(), strict=True)
        if counts:
            made = [
                [cell(study.items[item]), cell(study.values[value]), str(times)]
                for (item, value), times in Counter(said).items()
            ]
        else:
            who = [study.annotators[code] for code in study.annotator[first].tolist()]
            made = [
                [cell(study.items[item]), cell(annotator), cell(study.values[value])]
                for annotator, (item, value) in zip(who, said, strict=True)
            ]
        rows += [[name, *row] if len(questions) > 1 else row for row in made[: max(most // len(questions), 1)]]
    return ("question", *heads) if len(questions) > 1 else heads, rows[:most]


def _first(
    reading: Reading, columns: Mapping[Hashable, Profile], made: Mapping[str, Annotations]
) -> tuple[list[list[str]], tuple[str, ...]]:
    """The first annotations as a reading would take them, and what stands above them."""
    size = len(next(iter(columns.values())).raw) if columns else 0
    rows: list[list[str]] = []
    for row in range(min(size, 50)):
        item = " / ".join(str(columns[name].raw[row]) for name in reading.item if name in columns) or f"row {row + 1}"
        if reading.layout == "long" and reading.annotator in columns:
            cells = [(columns[reading.annotator].raw[row], columns[reading.values[0]].raw[row])]
        elif reading.layout == "wide":
            people = next(iter(reading.people.values()))
            cells = [
                (columns[who].raw[row] if reading.paired else who, columns[column].raw[row])
                for who, column in people.items()
            ]
        else:
            heads, first = first_annotations(dict([*made.items()][:1]), FIRST)
            return first, heads
        rows += [[item, str(who), str(cell)] for who, cell in cells if canonical(cell) is not None]
        if len(rows) >= FIRST:
            break
    return rows[:FIRST], ("item", "annotator", "value")


# -- all that a table may be ------------------------------------------------------------------------------------------


def every(
    columns: Sequence[Profile], readings: Sequence[Reading], table: NamedColumns, c: Choices
) -> Collection[Reading]:
    """All that comes into question: readings that were weighed, and further ones; of two with the same options one."""
    return {str(reading.options()): reading for reading in [*further(columns, table, c), *readings]}.values()


def further(columns: Sequence[Profile], table: NamedColumns, c: Choices) -> Iterator[Reading]:
    """Readings that are offered and never taken without asking, of whatever the caller left open."""
    if len(columns) > WIDE or any(part is not None for part in (c.columns, c.times, c.question)):
        return
    item, value, who = several(c.item), several(c.value), c.annotator
    kept = several(c.attributes) or []
    stated = {*(item or ()), *(value or ()), *kept}
    if c.layout in ("auto", "long") and not isinstance(who, list):
        named = [column for column in columns if column.name == who]
        for column in named if who is not None else _people(columns, stated):
            for reading in long.readings(columns, long.StatedColumns(item, column.name, value, None, kept)):
                yield from [reading] if value is not None else _of_other_answers(reading, columns)
    if c.layout == "long" or value is not None or who is not None:
        return
    index = index_profile(table)
    ids = tuple(item) if item is not None else wide.item_of(columns, {*kept})
    free = [column for column in columns if column.name not in {*ids, *kept} and column.filled]
    long_one = len({*ROLES} & {*table.names}) > 1  # whose third column is called otherwise, or missing
    if c.layout == "auto" and not long_one and max((len(column.cells) for column in columns), default=0) > 1:
        yield from transposed.readings(columns, kept=kept, index=index, unlikely=True)
        yield from numbered.readings(columns, item=item, kept=kept, index=index)
        yield from _counts(columns, free, ids)
        yield from paired.readings(columns, ids)
    why = {column.name: aside(column) for column in columns}
    for group in _groups(free):
        yield wide.judged(families.one_question(group), columns, why, ids, kept)
    numbered_labels = filter(None, map(families.lettered, families.clusters(free)))
    for family in [*families.grids(free), *numbered_labels]:
        for people in [family.people, *({q: some} for q, some in family.people.items() if len(family.people) > 1)]:
            yield wide.judged(replace(family, people=people), columns, why, ids, kept)


def _counts(columns: Sequence[Profile], free: Sequence[Profile], item: tuple[Hashable, ...]) -> Iterator[Reading]:
    """Columns of small whole numbers as numbers of annotators: all of them, and those that nothing speaks against."""
    small = [column for column in free if column.whole and min(column.numbers) >= 0 and max(column.numbers) <= CROWDED]
    whole = [column for column in small if not column.running]
    plain = [column for column in whole if not aside(column) and person_level(column.name) < 2]
    for able in [whole, *([plain] if plain != whole else [])]:
        if len(able) < 2 or len(able[0].cells) < 2:
            continue
        names_of = [column.name for column in able]
        yield Reading(
            layout="counts",
            item=item,
            values=tuple(names_of),
            aside={c.name: "not a count" for c in columns if c.name not in names_of and c.name not in item},
            doubt="nothing says that the numbers are counts",
            score=2.0,
        )


def _of_other_answers(reading: Reading, columns: Sequence[Profile]) -> Iterator[Reading]:
    """A long reading, and the same with other columns as the answers: each alone, and all that repeat as answers do."""
    yield reading
    able = [column.name for column in columns if column.name in reading.aside and column.repeats and not aside(column)]
    single = [*(reading.values if len(reading.values) > 1 else ()), *able][:ANSWERS]
    for values in [(*reading.values, *able)] * bool(able) + [(name,) for name in single]:
        rest = {name: "may be a further question" for name in reading.values if name not in values}
        others = {name: why for name, why in reading.aside.items() if name not in values}
        other = replace(reading, values=values, aside={**others, **rest}, score=reading.score - 1)
        yield other if other.doubt else replace(other, doubt="other columns may be the answers")


def _people(columns: Sequence[Profile], stated: set[Hashable]) -> list[Profile]:
    """Columns that repeat as people do, the likeliest first: by name, by what follows from them, such as an age."""
    able = [
        column
        for column in columns
        if column.name not in stated
        and 2 <= column.distinct <= REPEATED * len(column.filled)
        and column.share > 0.9
        and not (column.prose or column.dates or column.structured or (column.numeric and not column.whole))
    ]
    plain = {column.name for column in long.people(able)}
    words = [column for column in able if not column.numeric]
    alike = {c.name for c in words for other in words if other is not c and fits(c, [other]) >= families.SHARED}
    able = [column for column in able if column.name in plain or column.name not in alike]
    personal = [column for column in columns if column.distinct > 1 and names.has(column.name, names.PERSONAL)]
    told = {
        column.name
        for column in able
        if column not in personal and sum(determines([column], fact) for fact in personal) >= min(2, len(personal)) > 0
    }
    able.sort(key=lambda c: (c.name not in plain, c.name not in told, not is_id(c), c.numeric, c.distinct, c.place))
    return able[:PEOPLE]


def _groups(free: Sequence[Profile]) -> Iterator[Sequence[Profile]]:
    """Columns that may be annotators side by side: by their names, by what they hold, and those with all that fit."""
    able = [column for column in free if not aside(column) or aside(column) == named_aside(column)]
    alike: dict[str, list[Profile]] = {}
    for column in free:
        words = names.words(column.name)
        alike.setdefault(names.root(column.name), []).append(column)
        for place in (0, -1) if len(words) > 1 else ():
            if words[place] in names.VALUE | names.PERSON:
                alike.setdefault(f"{place} {words[place]}", []).append(column)
    groups = [group for stem, group in alike.items() if stem]
    groups += [[column for column in free if person_level(column.name) >= 2]]
    groups += [group for group in families.clusters(able) if len(group) <= CROWD]
    for group in filter(None, groups):
        fitting = [column for column in able if column not in group and fits(column, group) >= families.SHARED]
        made = derived(group)
        for some in (group, [*group, *fitting], [column for column in group if column is not made]):
            if len(some) >= 2:
                yield sorted(some, key=attrgetter("place"))
