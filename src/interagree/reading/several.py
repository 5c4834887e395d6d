"""Several tables as one study: one file, or one sheet, for each annotator, or parts of one table.

Tables that can each be read alone are put together.  Tables in which nobody is named are those of one annotator each
where they have the same items: matched by a column that is different in every row, or by the row where other columns
are the same row by row.  Common columns that differ between the tables are then the answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import PurePath
from typing import Any, NamedTuple, cast

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.codes import Coded
from interagree.data.joining import concat
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.errors import (
    ColumnNotFound,
    DataError,
    DoubtfulReading,
    FormatError,
    InteragreeError,
    ReadingAdvice,
    listing,
)
from interagree.reading import long, names
from interagree.reading.cells import Column, Columns
from interagree.reading.choices import Choices, several
from interagree.reading.door import read_table
from interagree.reading.evidence import Profile, folded, index_profile, pooled, profiles, same_scale, shared
from interagree.reading.families import ALIKE
from interagree.reading.layouts import taken
from interagree.reading.likeness import counts_up
from interagree.reading.parts import FILE, ROW, check
from interagree.reading.readings import Reading
from interagree.reading.roles import aside, item_score, person_level
from interagree.reading.tables import NamedColumns

MOST_OFFERS = 4  # of which column holds the answers, or all do
DEFAULT = re.compile(r"(sheet|tabelle|feuil|hoja|foglio|planilha|blad|лист|シート|시트)\s?\d*", re.IGNORECASE)
LABELS = 3  # rows called like columns from which on a sheet sets labels against labels


class TablePart(NamedTuple):
    """One table of several."""

    name: str  # of the file or the sheet
    table: NamedColumns
    source: str
    choices: Choices


def together(parts: Sequence[TablePart], *, what: str = "file", source: str | Sequence[str] | None = None) -> Study:
    """Several tables as one study, or an error that says why they are not.

    Args:
        parts: The tables.
        what: What each of them is: a file or a sheet.
        source: What was asked to be read, for the calls that an error advises; by default the first file.
    """
    provenance = Provenance(tuple(dict.fromkeys(part.source for part in parts)))
    c = parts[0].choices
    if what == "sheet" and c.layout == "auto" and (matrices := [part for part in parts if _is_matrix(part)]):
        raise _matrices(matrices)
    if c.annotator != FILE:
        alone = [_alone(part) for part in parts]
        read = [made for made in alone if not isinstance(made, DataError)]
        if len(read) == 1 and what == "sheet":
            (place,) = (place for place, made in enumerate(alone) if made is read[0])
            others = [part for part in parts if part is not parts[place]]
            if not any({*part.table.names} & {*parts[place].table.names} for part in others):
                return _joined(read, c, provenance).with_steps(_aside(others, "no table of annotations"))
        if len(read) == len(parts) and what == "sheet":
            raise _which_sheet(parts)
        if len(read) == len(parts):
            return _joined(read, c, provenance)
        if c.annotator is not None or c.layout not in ("auto", "long"):
            raise next(made for made in alone if isinstance(made, DataError))
    parts, strange = _alike(parts) if what == "sheet" else (_named_apart(parts), [])
    reading, who, why = _one_each(parts, c)
    if what == "sheet" and c.annotator != FILE and all(DEFAULT.fullmatch(part.name) for part in parts):
        reading, why = None, f"nothing says whether {listing([part.name for part in parts], most=4)} are annotators"
    if reading is None:
        raise DoubtfulReading(
            f"the {counted(len(parts), what)} cannot be combined into one study: {why}",
            _tried(parts, what) if c.annotator != FILE else [],
            source=parts[0].source if source is None else source,
        )
    made = [
        taken(replace(reading, aside={}), with_made(part.table, name), part.choices)
        for part, name in zip(parts, who, strict=True)
    ]
    item = listing(reading.item) if reading.item != (ROW,) else "the row"
    step = Step(
        "taken",
        f"one {what} for each of {counted(len(parts), 'annotator')} ({listing(who, most=6)}), items matched by {item}, "
        f"value from {listing(reading.values, most=6)}",
    )
    study = _joined(made, c, provenance)
    steps = [step, *([_aside(strange, "no column in common with the others")] if strange else []), *reading.steps()]
    return Study(
        {name: question.with_steps(*steps) for name, question in study.items()}, study.provenance, reading.options()
    )


def _named_apart(parts: Sequence[TablePart]) -> Sequence[TablePart]:
    """Tables by names that tell them apart: by their folders, where all files are called the same."""
    if len({part.name for part in parts}) == len(parts):
        return parts
    folders = [PurePath(part.source).parent.name for part in parts]
    if len({part.name for part in parts}) == 1 and len(set(folders)) == len(parts) and all(folders):
        return [part._replace(name=folder) for part, folder in zip(parts, folders, strict=True)]
    twice = next(name for name, times in Counter(part.name for part in parts).items() if times > 1)
    lying = listing([part.source for part in parts if part.name == twice], most=3)
    raise DataError(
        f"{len(parts)} files cannot be combined into one study: several are called {twice!r} ({lying}), so that names "
        "tell neither who annotated nor what; give them names of their own, or read one folder at a time"
    )


def _tried(parts: Sequence[TablePart], what: str) -> list[ReadingAdvice]:
    """The offers that can be taken as they say."""
    good = []
    for offer in _offers(parts, what):
        try:
            together(
                [
                    part._replace(choices=replace(part.choices, **cast("dict[str, Any]", offer.options)))
                    for part in parts
                ],
                what=what,
            )
        except InteragreeError:
            continue
        good.append(offer)
    return good


def _offers(parts: Sequence[TablePart], what: str) -> list[ReadingAdvice]:
    """The ways in which tables of one annotator each may be meant to be matched."""
    columns_of = [{column.name: column for column in profiles(part.table)} for part in parts]
    sets = {
        name: [others[name] for others in columns_of]
        for name in columns_of[0]
        if all(name in others for others in columns_of)
    }
    values = [name for name, columns in sets.items() if _may_answer(name, columns)]
    keys = [
        name
        for name, columns in sets.items()
        if name not in values and all(column.unique and column.share == 1 for column in columns)
    ]
    sizes = {len(column.cells) for columns in sets.values() for column in columns}
    items = [*keys[:1], *([ROW] if len(sizes) == 1 else [])] if values else []
    return [
        ReadingAdvice(
            f"One {what} for each annotator, the items "
            + ("being the rows, which then stand in one order" if item == ROW else f"named by {item!r}")
            + (f", the answers in {listing(some, most=4)}" if len(values) > 1 else ""),
            options={"annotator": FILE, "item": item, "value": some[0] if len(some) == 1 else some},
        )
        for item in items
        for some in ([*([value] for value in reversed(values)), values] if len(values) > 1 else [values])
    ][:MOST_OFFERS]


def _which_sheet(parts: Sequence[TablePart]) -> DoubtfulReading:
    """The error for sheets each of which is a study of its own."""
    return DoubtfulReading(
        f"{len(parts)} sheets hold a study each ({listing([part.name for part in parts], most=6)}), and nothing says "
        "whether they belong together. It may be",
        [*(ReadingAdvice(f"The sheet {part.name!r} alone", options={"sheet": part.name}) for part in parts[:3])],
        source=parts[0].source,
    )


def _alone(part: TablePart) -> dict[str, Annotations] | DataError:
    """A table read alone, or why it cannot be."""
    try:
        return read_table(part.table, replace(part.choices, provenance=Provenance((part.source,))))[1]
    except DoubtfulReading as error:
        error.source = part.source
        return error
    except ColumnNotFound as error:
        return error


def _alike(parts: Sequence[TablePart]) -> tuple[Sequence[TablePart], Sequence[TablePart]]:
    """The sheets that have columns in common, where there are two or more, and those that share none with them."""
    often = Counter(name for part in parts for name in {*part.table.names})
    alike = [part for part in parts if any(often[name] > 1 for name in part.table.names)]
    common = [part for part in alike if any(often[name] == len(alike) for name in part.table.names)]
    if len(common) < 2 or len(common) < len(alike):
        return parts, []
    return common, [part for part in parts if part not in common]


def _aside(parts: Sequence[TablePart], why: str) -> Step:
    return Step("set aside", f"{counted(len(parts), 'sheet')} set aside: {listing([p.name for p in parts])} ({why})")


def _is_matrix(part: TablePart) -> bool:
    """Whether the cells of a sheet are those of a table of two annotators: rows are called as the columns are."""
    columns = profiles(part.table)
    index = index_profile(part.table)
    called = {column.name for column in columns}
    first = index if index is not None else columns[0] if columns else None
    if first is None:
        return False
    rows = [cell for cell in first.filled if cell in called]
    inside = [column for column in columns if column.name in rows]
    return len({*rows}) >= LABELS and all(
        sum(isinstance(c, float) for c in column.cells) >= LABELS for column in inside
    )


def _matrices(parts: Sequence[TablePart]) -> DoubtfulReading:
    """The error for sheets that set two annotators against each other instead of holding what each of them said."""
    choices = {"layout": "contingency"}
    offers = []
    for part in parts:
        try:
            read_table(part.table, replace(part.choices, layout="contingency"))
        except DataError:
            continue
        sentence = f"The sheet {part.name!r} alone: a contingency table of two annotators"
        offers.append(ReadingAdvice(sentence, options={"sheet": part.name, **choices}))
    called = listing([part.name for part in parts], most=6)
    what = "is a contingency table" if len(parts) == 1 else "are contingency tables"
    one = "a study of its own" if offers else "not a plain one, with totals, results or a second one beside it"
    return DoubtfulReading(
        f"{called} {what} of two annotators, whose rows and columns are labels: each is {one}.  Leave everything but "
        "one such table in a sheet" + (", or choose one. It may be" if offers else ""),
        offers[:3],
        source=parts[0].source,
    )


def _joined(made: Sequence[Mapping[str, Annotations]], c: Choices, provenance: Provenance) -> Study:
    asked = dict.fromkeys(name for questions in made for name in questions)
    parts = {name: [some[name] for some in made if name in some] for name in asked}
    return Study({name: concat(some, duplicates=c.duplicates) for name, some in parts.items()}, provenance)


# -- one table for each annotator -----------------------------------------------------------------------------------


def _one_each(parts: Sequence[TablePart], c: Choices) -> tuple[Reading | None, list[str], str]:
    columns_of = [{column.name: column for column in profiles(part.table)} for part in parts]
    common = [name for name in columns_of[0] if all(name in others for others in columns_of[1:])]
    who = own_names([part.name for part in parts])
    if not common:
        called = "; ".join(f"{part.name}: {listing(part.table.names, most=6)}" for part in parts[:3])
        return None, who, f"they have no column in common ({called})"
    sets = {name: [others[name] for others in columns_of] for name in common}
    value = several(c.value)
    _check_stated(parts, c)
    item = _item(sets, c, value or (), [part.name for part in parts])
    if item is None:
        why = "no column names the same items in all of them, and their rows are not the same items in one order"
        return None, who, why
    apart = _other_entries(sets, item)
    same = (
        []
        if value
        else [name for name in sets if name not in apart and name not in item and _settled(sets, name, item)]
    )
    texts = {name for name in same if all(counts_up(c) or (c.worded or c.unique) > c.numeric for c in sets[name])}
    if sets.keys() - apart - {*item} - texts:  # else they are all the answers there are
        apart |= texts
    reading = _of_stacked(sets, apart, who, item, value)
    if reading is not None:  # what is the same in all of them came with the items
        differing = [name for name in reading.values if name not in same]
        came = [n for n in same if not any(same_scale(sets[n][0], sets[other][0]) for other in differing)]
        reading = _of_stacked(sets, {*apart, *came}, who, item, value) or reading
    doubt = "" if reading is None or value else _known_or_answered(reading, sets, apart, same)
    if doubt:
        return None, who, doubt
    if reading is None:
        return None, who, f"no column of answers is in all of them; they have {listing(common)}"
    lone = {name: "not in all of them" for others in columns_of for name in others if name not in sets}
    lone |= {name: aside(sets[name][0]) or "other entries in each of them" for name in sets if name in apart}
    lone |= {name: aside(sets[name][0]) or "the same in all of them" for name in same if name not in reading.values}
    return replace(reading, aside={**reading.aside, **lone}), who, ""


def _other_entries(sets: Mapping[Hashable, Sequence[Profile]], item: Sequence[Hashable]) -> set[Hashable]:
    """Columns that hold other entries in each table, but for those that are numbered as others are."""
    apart = {name for name, columns in sets.items() if name not in item and shared(columns) < ALIKE}
    alike = {names.root(name) for name in sets if name not in {*apart, *item}} - {""}
    return apart - {name for name in apart if names.root(name) in alike and pooled(sets[name]) >= ALIKE}


def _known_or_answered(
    reading: Reading, sets: Mapping[Hashable, Sequence[Profile]], apart: AbstractSet[Hashable], same: Sequence[Hashable]
) -> str:
    """What speaks against answers that are the same in all tables: they may be known of the items."""
    if not {*reading.values} <= {*same}:
        return ""
    called = listing(reading.values, most=4)
    shown = [next(filter(None, map(aside, sets[name])), "") for name in reading.values]
    if all(shown):
        return f"{called} say the same in all of them and are {shown[0]}"
    others = [n for n, cells in sets.items() if n in apart and not next(filter(None, map(aside, cells)), "")]
    if others:
        return f"{called} say the same in all of them, and {listing(others, most=4)} other things in each"
    first, *more = (sets[name][0] for name in reading.values)
    if all(same_scale(first, column) for column in more):
        return ""
    return f"{called} are each the same in all of them: answers on which all agree, or known of the items"


def _check_stated(parts: Sequence[TablePart], c: Choices) -> None:
    """An error where a column that was asked for is not in all tables."""
    if FILE in (*(several(c.item) or ()), *(several(c.value) or ())):
        raise DataError(
            f"each table is taken for the answers of one annotator, so that {FILE!r} is the annotator, and neither the "
            "item nor the answer; name the columns that hold these"
        )
    for part in parts:
        for role in ("item", "value", "question", "attributes", "times"):
            for name in several(getattr(c, role)) or ():
                try:
                    check(role, name, part.table.names)
                except ColumnNotFound as error:
                    raise error.at(part.source) from None


def _of_stacked(
    sets: Mapping[Hashable, Sequence[Profile]],
    apart: AbstractSet[Hashable],
    who: Sequence[str],
    item: Sequence[Hashable],
    value: Sequence[Hashable] | None,
) -> Reading | None:
    """The reading of tables below each other, without some of their columns."""
    if not {*sets} - {*apart, *item}:
        return None
    stacked = _stacked({name: columns for name, columns in sets.items() if name not in apart}, who, item)
    return next(long.readings(stacked, long.StatedColumns(item, FILE, value, None, ())), None)


def _settled(sets: Mapping[Hashable, Sequence[Profile]], name: Hashable, item: Sequence[Hashable]) -> bool:
    """Whether a column says the same of each item in all tables that have it."""
    known: dict[tuple[object, ...], object] = {}
    again = False
    for place, column in enumerate(sets[name]):
        keys = zip(*(sets[part][place].cells for part in item), strict=True) if ROW not in item else None
        for at, cell in enumerate(column.cells):
            key = (at,) if keys is None else next(keys)
            again = again or key in known
            if known.setdefault(key, cell) != cell:
                return False
    return again  # tables of other items have nothing to be the same in


def _stacked(sets: Mapping[Hashable, Sequence[Profile]], who: Sequence[str], item: Sequence[Hashable]) -> list[Profile]:
    """The columns of several tables below each other, with one that says whose table each row is of."""
    stacked = [
        Profile(name, [cell for column in columns for cell in column.raw], columns[0].place)
        for name, columns in sets.items()
    ]
    sizes = [len(column.cells) for column in next(iter(sets.values()))]
    made: dict[Hashable, list[object]] = {
        FILE: [name for name, size in zip(who, sizes, strict=True) for _ in range(size)]
    }
    if ROW in item:
        made[ROW] = [row for size in sizes for row in range(size)]
    return [*stacked, *(Profile(name, cells, -1) for name, cells in made.items())]


def _item(
    sets: Mapping[Hashable, Sequence[Profile]], c: Choices, value: Sequence[Hashable], who: Sequence[str]
) -> tuple[Hashable, ...] | None:
    """The column that names the items, or the row."""
    if c.item is not None:
        return tuple(several(c.item) or ())
    able = {
        name: columns
        for name, columns in sets.items()
        if name not in value
        and all(column.filled and column.share > 0.98 and column.unique and not column.dates for column in columns)
        and not (columns[0].numeric and not columns[0].whole)
    }
    best = [name for name, columns in able.items() if _same_entries(columns) and not _only_numbers(columns)]
    best.sort(key=lambda name: -item_score(sets[name][0]))
    if best:
        return (best[0],)
    sizes = {len(column.cells) for columns in sets.values() for column in columns}
    if len(sizes) == 1 and any(_same_rows(columns) and _tells(columns[0]) for columns in sets.values()):
        return (ROW,)
    own = [name for name, columns in able.items() if item_score(columns[0]) >= 2.5 and not columns[0].running]
    if own or len(sizes) > 1 or not all(person_level(name) >= 2 for name in who):
        return (own[0],) if own else None
    return (ROW,)  # sheets are called after people and have the same columns and rows


def _only_numbers(columns: Sequence[Profile]) -> bool:
    """Whether a column only numbers the rows of each table, which says nothing about their contents."""
    return all(column.running for column in columns) and item_score(columns[0]) < 1.5


def _same_entries(columns: Sequence[Profile]) -> bool:
    """Whether tables have items in common: half of those of the smallest in the first one."""
    first = {folded(cell) for cell in columns[0].filled}
    others = [{folded(cell) for cell in column.filled} for column in columns[1:]]
    return all(len(first & other) >= 0.5 * min(len(first), len(other)) for other in others)


def _same_rows(columns: Sequence[Profile]) -> bool:
    """Whether tables hold the same in each row."""
    cells = [column.cells for column in columns]
    if len({len(some) for some in cells}) != 1 or not columns[0].filled:
        return False
    rows = list(zip(*cells, strict=True))
    return sum(len(set(row)) == 1 for row in rows) >= 0.98 * len(rows)


def _tells(column: Profile) -> bool:
    """Whether a column that is the same in all tables shows that the rows are the same items."""
    return column.distinct >= max(3, 0.3 * len(column.filled)) or column.prose


def _may_answer(name: Hashable, columns: Sequence[Profile]) -> bool:
    """Whether a column may hold answers, by its name and its cells."""
    there = [column for column in columns if column.filled]
    if len(there) < 2 or shared(there) < 0.5:
        return False
    reason = next(filter(None, map(aside, there)), "")
    return not reason or (reason.startswith("named") and names.has(name, names.VALUE))


def own_names(stems: Sequence[str]) -> list[str]:
    """The part of each name that others do not have: 'Grossu' of 'annotations_Grossu' beside 'annotations_Laurits'."""
    pieces = [re.findall(r"[^\W_]+|[\W_]+", stem) for stem in stems]
    front = back = 0
    shortest = min(map(len, pieces))
    while front < shortest - 1 and len({tuple(parts[: front + 1]) for parts in pieces}) == 1:
        front += 1
    while back < shortest - 1 - front and len({tuple(parts[len(parts) - back - 1 :]) for parts in pieces}) == 1:
        back += 1
    cut = ["".join(parts[front : len(parts) - back]).strip(" _-.") for parts in pieces]
    good = all(cut) and len(set(cut)) == len(cut) and not all(part.isdigit() for part in cut)
    return cut if good else list(stems)


def with_made(table: NamedColumns, name: str) -> NamedColumns:
    """A table that also has the columns '{file}', which holds a name, and '{row}', though it does not list them."""
    size = len(table.fetch(table.names[:1])[table.names[0]]) if table.names else 0
    lines = table.lines if table.lines is not None and len(table.lines) == size else range(size)
    # A row that was left out, as it was empty, is a row of the others.
    apart = size and lines[-1] - lines[0] != size - 1
    rows = [line - lines[0] for line in lines] if apart else range(size)
    made: dict[Hashable, Column] = {FILE: Coded(np.zeros(size, dtype=np.int32), [name]), ROW: rows}

    def fetch(wanted: Sequence[Hashable]) -> Columns:
        there = table.fetch([name for name in wanted if name not in made])
        return {name: made[name] if name in made else there[name] for name in wanted}

    return replace(table, fetch=fetch, peek=None)


def check_shared_questions(files: Iterable[str], questions: Callable[[str], Sequence[str]]) -> None:
    """An error where files that are taken as one have no question in common: their columns are called differently."""
    try:
        asked = {file: questions(file) for file in files}
    except (FormatError, ColumnNotFound, DoubtfulReading):  # files that tell annotators apart only beside each other
        return
    times = Counter(name for called in asked.values() for name in called)
    if max(times.values()) > 1:
        return
    columns = "; ".join(f"{file}: {listing(called)}" for file, called in asked.items())
    raise DataError(
        f"the files have no column of values in common ({columns}), so they cannot be combined into one study; give "
        "the columns one name, or leave --together out"
    )
