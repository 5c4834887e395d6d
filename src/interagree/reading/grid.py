"""Cells as they stand in a sheet or a text file become a table of named columns.

People put titles and settings above a table, merge cells of its header, leave rows and columns empty, and write totals
and legends below it.  What is header and what is data is told by contents: a name hardly ever recurs in its own
column, and is rarely a number above numbers.  Where the first row could be either, an error asks for ``header``.
Whatever was set aside or assumed is a step of the table.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise
from operator import itemgetter
from typing import Any

from interagree.data.provenance import Step, counted
from interagree.data.values import number
from interagree.errors import FormatError, listing
from interagree.reading.tables import Table

Row = Sequence[Any]

SAMPLE = 500  # rows from which the header is told
BOTTOM = 12  # last rows among which totals and legends are looked for
ENOUGH = 3  # rows below the header from which on their contents are evidence
NAMING = ("item", "annotator", "value", "attributes", "times", "question")  # options that name columns
RISING = 4  # numbers in order from which on they name columns, where no row below is in order
LONG = 40  # characters from which on a cell is a text
SHORT_SCALE = 60  # distinct entries up to which a column of words repeats itself
IMPORT = '{"ImportId"'  # how Qualtrics begins the cells of a row for machines
NAMES = 3  # how many times as much must speak for names as for data, where both do
DATA = 2  # … and for data as for names: a name hardly ever recurs below

TOTALS = re.compile(
    r"(grand )?(totals?|sums?|means?|averages?|avg\.?|medians?|std\.?( ?dev\.?)?|sd|st\.? ?dev\.?|count|"
    r"summen?|gesamt|insgesamt|mittelwert|mittel|durchschnitt|total(es)?|moyenne|somme|media|promedio|totale|suma|"
    r"n|anzahl|(percent )?agreement|übereinstimmung|accord|acuerdo|accordo|"
    r"((cohen|fleiss|scott|krippendorff|gwet)('?s|')? ?)?(kappa|alpha|pi|ac1|icc)|[κα])"
    r"( \w+)?[:.]?",
    re.IGNORECASE,
)
PARTS = re.compile(
    r"(items?|ids?|index|nr|no|num|text|sentence|tweet|post|doc(ument)?|task|unit|subject|case|sample|example|image|"
    r"url|file|question|annotators?|workers?|raters?|coders?|users?|judges?|labell?ers?|labels?|class|category|score|"
    r"answer|rating|value|gold|date|time|name|comment|notes?)([ _.-]?(ids?|nr|no|name|\d+))?",
    re.IGNORECASE,
)


def table_from_grid(
    rows: Sequence[Row], *, name: str, lines: Sequence[int] | None = None, header: bool | None = None
) -> Table:
    """A table from raw cells, None or "" where a cell is empty.

    Args:
        rows: The cells, row by row; rows may be of different length.
        name: What errors call the table.
        lines: The line or row of the file in which each row stands.
        header: Whether the first row that is not empty names the columns; told by contents where it is not said.
    """
    where = range(1, len(rows) + 1) if lines is None else lines
    shape = shape_of(rows[:SAMPLE], where[:SAMPLE], name=name, header=header)
    body = Body(shape, name)
    body.extend(rows[shape.start :], where[shape.start :])
    return finish(body.columns, shape, steps=body.steps(), lines=body.lines)


def by_place(table: Table, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that name columns, with "1" taken as the place 1 where columns have no names."""
    if not all(isinstance(name, int) for name in table.names):
        return dict(options)
    return {name: _placed(entry) if name in NAMING else entry for name, entry in options.items()}


def _placed(entry: Any) -> Any:
    if isinstance(entry, list | tuple):
        return [_placed(one) for one in entry]
    return int(entry) if isinstance(entry, str) and entry.isdecimal() else entry


# -- what the first rows tell -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """What the first rows say about a grid."""

    start: int  # the first row of data
    names: tuple[Hashable, ...]  # of the columns; "" where there is none
    steps: tuple[Step, ...] = ()
    header: tuple[Any, ...] | None = None  # the row that names the columns, as it stands in the file


def is_empty(cell: Any) -> bool:
    """Whether a cell holds nothing."""
    return cell is None or (isinstance(cell, str) and (not cell or cell.isspace()))


def shape_of(rows: Sequence[Row], lines: Sequence[int], *, name: str, header: bool | None = None) -> Shape:
    """Where the data start and what the columns are called, from the first rows."""
    some = [(place, row) for place, row in enumerate(rows) if not all(map(is_empty, row))]
    if not some:
        raise FormatError(f"{name} is empty; expected a row that names the columns")
    if header is False:
        return Shape(some[0][0], tuple(range(max(_extent(row) for _, row in some))))
    if header:
        return _named(some, [])
    titles = _titles([row for _, row in some])
    steps = [_set_aside(some[:titles], "above the table", "title or settings")] if titles else []
    some = some[titles:]
    cells = [row for _, row in some]
    if len(cells) > 2 and _is_upper(cells[0], cells[1], cells[2:]):
        return _named(some[1:], steps, upper=cells[0])
    if _has_header(cells[0], cells[1:], name, lines[some[0][0]]):
        return _named(some, steps)
    width = max(map(_extent, cells))
    steps.append(
        Step(
            "assumed",
            f"no header: line {lines[some[0][0]]} holds data like the lines below it, so the columns are called by "
            f"their place, 0 to {width - 1}; if it names them, pass header=True",
        )
    )
    return Shape(some[0][0], tuple(range(width)), tuple(steps))


def _named(some: Sequence[tuple[int, Row]], steps: list[Step], *, upper: Row = ()) -> Shape:
    """The shape of a grid whose first row names the columns, below another one where cells were merged."""
    place, first = some[0]
    names = [_name(cell) for cell in first]
    below = some[1:]
    if upper:
        names = _joined(upper, names)
        shown = next((one for one in names if " / " in str(one)), names[0])
        steps = [*steps, Step("taken", f"names of the columns from two rows of header, as in {shown!r}")]
    explained = next(
        (n for n, (_, row) in enumerate(below[:3], 1) if any(str(c).startswith(IMPORT) for c in row)), 0
    )
    if explained:  # Qualtrics explains each column below its name, as text and for machines
        steps = [
            *steps,
            _set_aside(below[:explained], "below the header", "explanations of the columns"),
        ]
    start = (below[explained - 1][0] if explained else place) + 1
    rest = [row for _, row in below[explained:]]
    if len(rest) >= ENOUGH and {_extent(row) for row in rest} == {len(names) + 1}:
        # R writes the names of the rows before the cells and leaves them out of the header.
        names = ["", *names]
    return Shape(start, tuple(names), tuple(steps), tuple(first))


def _name(cell: Any) -> Hashable:
    if is_empty(cell):
        return ""
    if isinstance(cell, str):
        return unicodedata.normalize("NFC", cell.strip())
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _joined(upper: Row, lower: Sequence[Hashable]) -> list[Hashable]:
    """Names of two rows: a merged cell of the upper one holds for all columns up to the next."""
    names: list[Hashable] = []
    over: Hashable = ""
    for place in range(max(len(lower), _extent(upper))):
        own = _name(upper[place]) if place < len(upper) else ""
        over = over if own == "" else own
        under = lower[place] if place < len(lower) else ""
        names.append(own if under == "" else under if over == "" else f"{over} / {under}")
    return names


def _extent(row: Row) -> int:
    """How many cells a row has up to its last one that is not empty."""
    return next((place + 1 for place in range(len(row) - 1, -1, -1) if not is_empty(row[place])), 0)


def _filled(row: Row) -> list[int]:
    return [place for place, cell in enumerate(row) if not is_empty(cell)]


def _set_aside(rows: Sequence[tuple[int, Row]], where: str, what: str) -> Step:
    shown = listing([str(row[_filled(row)[0]])[:40] for _, row in rows], most=3)
    places = counted(len(rows), "line")
    return Step("dropped", f"{places} {where} set aside as {what}: {shown}", len(rows))


def _titles(rows: Sequence[Row]) -> int:
    """How many rows at the top are titles or settings: a cell or two, where the rows of the table have more."""
    usual = sorted(len(_filled(row)) for row in rows)[len(rows) // 2]
    for titles, (row, after) in enumerate(pairwise(rows)):
        places = _filled(row)
        alone = len(places) == 1 < usual
        comment = re.match(r"#\W*\w", str(row[0])) and len(places) != usual
        setting = places == [0, 1] and _is_setting(row, after, usual)
        if not (alone or setting or comment):
            return titles
    return 0  # nothing but such rows, which are then the table


def _is_setting(row: Row, after: Row, usual: int) -> bool:
    """Whether two cells are a name and what it is set to, as in 'Date: 2024-01-05'."""
    if str(row[0]).rstrip().endswith((":", "=")):
        return True
    numbered = any(map(str.isdigit, str(row[0]))) and _form(str(row[0])) == _form(
        str(after[0])
    )  # rows of data
    return not numbered and not is_empty(after[0]) and (usual > 2 * 2 or (usual > 2 and _is_dated(row[1])))


def _is_dated(cell: Any) -> bool:
    """Whether a cell is a number or a date, which no merged cell above names is."""
    return not isinstance(cell, str) or bool(re.fullmatch(r"\W*\d[\d\s./:,-]*", cell))


def _is_upper(first: Row, second: Row, below: Sequence[Row]) -> bool:
    """Whether the first row holds merged cells above names: sparse or repeated, where the second row is full."""
    places = _filled(first)
    if len(places) < 2 or len(_filled(second)) < 2 or any(_is_dated(first[place]) for place in places):
        return False
    gaps = any(
        place > places[0] and not is_empty(cell) and (place >= len(first) or is_empty(first[place]))
        for place, cell in enumerate(second)
    )
    repeats = any(
        a == b and not is_empty(a) and number(a) is None for a, b in pairwise(first)
    )  # merged cells that were filled
    if not (gaps or repeats):
        return False
    own = _evidence(first, [second, *below])
    found = _evidence(second, below)
    return found.header > 0 and not found.data and not found.numbers and not own.data and not own.numbers


@dataclass(slots=True)
class Evidence:
    """What speaks for a row that names the columns, and what for one that holds data."""

    header: int = 0  # cells that are unlike what stands below them
    data: int = 0  # cells that recur below
    alike: int = 0  # cells of the same form as those below
    numbers: list[float] = field(default_factory=list)  # numbers above numbers
    words: list[Any] = field(default_factory=list)  # cells above words


def _evidence(first: Row, below: Sequence[Row]) -> Evidence:
    found = Evidence()
    again = list(first)
    rows = [row for row in below if list(row) != again]  # the header may be there again
    for place, cell in enumerate(first):
        column = [row[place] for row in rows if place < len(row) and not is_empty(row[place])]
        if not column:
            continue
        if is_empty(cell):
            # A frame leaves the name of its first column empty, and numbers the rows.
            found.header += not place and len(set(map(str, column))) == len(column) == len(rows) >= ENOUGH
            continue
        _weigh(found, cell.strip() if isinstance(cell, str) else cell, column)
    return found


def _weigh(found: Evidence, cell: Any, column: Sequence[Any]) -> None:
    spelled = number(cell)
    entries = {entry.strip() if isinstance(entry, str) else entry for entry in column}
    numeric = sum(_is_number(entry) for entry in column)
    if numeric >= 0.8 * len(column):
        if spelled is not None:
            found.numbers.append(spelled)
        elif cell in entries:
            found.data += 1
        elif isinstance(cell, str) and any(map(str.isalpha, cell)):
            found.header += 1
        return
    found.words.append(cell)
    if cell in entries:
        found.data += 1
    elif spelled is not None and not numeric and len(column) >= ENOUGH:
        found.header += 1
    elif not isinstance(cell, str) or _is_formed_alike(cell, entries):
        found.alike += 1
    elif PARTS.fullmatch(cell) or (
        len(column) >= ENOUGH and len(entries) <= min(SHORT_SCALE, len(column) / 2)
    ):
        found.header += 1


def _is_number(cell: Any) -> bool:
    """Whether a cell is a number, with a point or a comma for decimals."""
    return number(cell.replace(",", ".") if isinstance(cell, str) else cell) is not None


def _is_formed_alike(cell: str, entries: Collection[Any]) -> bool:
    """Whether a cell is a number or a text as entries are, or has a number where they do: 'tweet1' above 'tweet2'."""
    if len(cell) > LONG:
        return sum(len(str(entry)) > LONG for entry in entries) > len(entries) / 2
    return number(cell) is not None or (
        any(map(str.isdigit, cell)) and _form(cell) in {_form(str(entry)) for entry in entries}
    )


def _form(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def _has_header(first: Row, below: Sequence[Row], name: str, line: int) -> bool:
    """Whether a row names the columns below it; an error where that cannot be told."""
    if not below:
        return True
    if list(below[0]) == list(first) or _numbers_columns(first):
        return _numbers_columns(first)  # a header may be there again, but not at once
    found = _evidence(first, below)
    distinct = len(set(found.words))
    found.data += len(found.words) - distinct if 2 * distinct <= len(found.words) else 0
    places = len(set(found.numbers)) == len(found.numbers) and all(n.is_integer() for n in found.numbers)
    against = found.data + found.alike + (not places)
    if found.header:
        if found.header >= NAMES * against:
            return True
        if against < DATA * found.header:
            raise _doubt(first, name, line)
        return False
    if against or not found.numbers:
        return not against
    steps = {b - a for a, b in pairwise(found.numbers)}
    if len(found.numbers) > 1 and steps == {1}:  # 1, 2, 3 may be places, or three answers
        raise _doubt(first, name, line)
    if _are_names(first, below, found.numbers):
        return True
    if not is_empty(first[0]) and number(first[0]) is None and all(_is_number(row[0]) for row in below):
        raise _doubt(first, name, line)
    return len(found.numbers) < len(_filled(first)) and is_empty(first[0])


def _are_names(first: Row, below: Sequence[Row], numbers: Sequence[float]) -> bool:
    """Whether numbers above numbers are names: rows are called so too, or they stand in order, or out of all ranges."""
    called = [str(row[0]) for row in below[: len(first) - 1]]
    return (
        called == [str(cell) for cell in first[1:]]
        or (len(numbers) >= RISING and _rises(first) and not any(map(_rises, below[:SAMPLE])))
        or (len(numbers) > 1 and len(below) >= RISING and _out_of_range(first, below))
    )


def _out_of_range(first: Row, below: Sequence[Row]) -> bool:
    """Whether every number of a row is larger than all below it, by more than they differ."""
    for place, cell in enumerate(first):
        own = number(cell)
        column = [n for row in below if place < len(row) and (n := number(row[place])) is not None]
        if own is not None and column and own <= 2 * max(column) - min(column):
            return False
    return True


def _numbers_columns(first: Row) -> bool:
    """Whether a row is a word for items and then 1, 2, 3 … or 0, 1, 2 …, as over the columns of annotators."""
    cells = [first[place] for place in _filled(first)]
    called = [number(cell) for cell in cells[1:]]
    return (
        len(called) > 1
        and isinstance(cells[0], str)
        and PARTS.fullmatch(cells[0].strip()) is not None
        and called in ([float(at) for at in range(len(called))], [float(at + 1) for at in range(len(called))])
    )


def _rises(row: Row) -> bool:
    """Whether each number of a row is larger than the one before it."""
    found = [n for cell in row if (n := number(cell)) is not None]
    return all(a < b for a, b in pairwise(found))


def _doubt(first: Row, name: str, line: int) -> FormatError:
    shown = listing([cell for cell in first if not is_empty(cell)], most=6)
    return FormatError(
        f"{name}, line {line}: {shown} may be the names of the columns or the first row of data; pass header=True if "
        "they are names, header=False if they are data, or skip=1 to leave the line out"
    )


# -- rows below one another ---------------------------------------------------------------------------------


class Body:
    """The rows below the header, taken in some at a time, as columns."""

    def __init__(self, shape: Shape, name: str) -> None:
        self.name = name
        self.names = shape.names
        self.header = None if shape.header is None else list(shape.header)
        self.columns: list[list[Any]] = [[] for _ in shape.names]
        self.lines: list[int] = []
        self.short: list[tuple[int, Row]] = []  # rows that end early, with their place among the rows
        self.blank = 0
        self.again = 0

    def extend(self, rows: Sequence[Row], lines: Sequence[int]) -> None:
        """Take in some rows."""
        width = len(self.names)
        plain = set(map(len, rows)) == {width} and all(map(_FIRST, rows)) and self.header not in rows
        if not plain:
            kept = [
                (even, line)
                for row, line in zip(rows, lines, strict=True)
                if (even := self._even(row, line)) is not None
            ]
            if not kept:
                return
            rows, lines = zip(*kept, strict=True)
        self.lines.extend(lines)
        for column, cells in zip(self.columns, zip(*rows, strict=True), strict=True):
            column.extend(cells)

    def _even(self, row: Row, line: int) -> Row | None:
        """A row of the right length; None where it is empty or the header again."""
        width = len(self.names)
        extent = _extent(row)
        if not extent:
            self.blank += bool(row)
            return None
        if self.header is not None and list(row) == self.header:
            self.again += 1
            return None
        if extent > width:
            raise self._uneven(row[:extent], line)
        if len(row) < width:
            self.short.append((line, row))
            return [*row, *[""] * (width - len(row))]
        return row[:width]

    def _uneven(self, row: Row, line: int) -> FormatError:
        return FormatError(
            f"{self.name}, line {line}: expected {len(self.names)} cells ({listing(self.names, most=6)}), found "
            f"{len(row)}: {listing(row, most=6)}"
        )

    def _check_short(self) -> None:
        """An error where a row has lost a cell before its end, so that its cells stand in wrong columns."""
        usual = [
            Counter(map(str, column[:SAMPLE]))
            - Counter(str(row[place]) for _, row in self.short if place < len(row))
            for place, column in enumerate(self.columns)
        ]
        numeric = [
            bool(entries) and sum(number(entry) is not None for entry in entries) >= 0.8 * len(entries)
            for entries in usual
        ]
        for line, row in self.short:
            for place, cell in enumerate(row):
                if number(cell) is not None or is_empty(cell) or str(cell) in usual[place]:
                    continue
                if numeric[place] or (place + 1 < len(usual) and str(cell) in usual[place + 1]):
                    raise self._uneven(row, line)

    def steps(self) -> list[Step]:
        """What was done to the rows; an error where a row that ends early has lost a cell before its end."""
        steps = []
        if self.short:
            self._check_short()
            steps.append(
                Step(
                    "assumed",
                    f"{counted(len(self.short), 'row')} shorter than the header, the first being line "
                    f"{self.short[0][0]}: the cells at the end are taken as empty",
                    len(self.short),
                )
            )
        if self.again:
            steps.append(
                Step(
                    "dropped",
                    f"the header, {counted(self.again, 'time')} more among the rows, left out",
                    self.again,
                )
            )
        if self.blank:
            steps.append(Step("dropped", f"{counted(self.blank, 'empty row')} left out", self.blank))
        return steps


_FIRST = itemgetter(0)


# -- the table ----------------------------------------------------------------------------------------------


def finish(
    columns: Sequence[Any], shape: Shape, *, steps: Iterable[Step] = (), lines: Sequence[int] | None = None
) -> Table:
    """The table of columns, lists or Arrow's, without rows and columns that hold no data, under distinct names."""
    said = [*shape.steps, *steps]
    cut = _bottom(columns, shape.names)
    if cut:
        size = len(columns[0]) - cut
        shown = [next(str(cell) for cell in row if not is_empty(cell)) for row in _last(columns, cut)]
        columns = [column[:size] for column in columns]
        lines = None if lines is None else lines[:size]
        said.append(
            Step(
                "dropped",
                f"{counted(cut, 'row')} at the bottom left out as totals or notes: {listing(shown, most=3)}",
                cut,
            )
        )
    kept = [place for place, name in enumerate(shape.names) if name != "" or not _is_blank(columns[place])]
    inside = sum(place not in kept for place in range(max(kept, default=0)))
    if inside:
        said.append(Step("dropped", f"{counted(inside, 'empty column')} left out", inside))
    index = None
    if kept and shape.names[kept[0]] == "":
        index = columns[kept.pop(0)]
    named: dict[Hashable, Any] = {}
    twice: list[Hashable] = []
    for place in kept:
        name = shape.names[place]
        own = _own(name if name != "" else f"column {place + 1}", named)
        if name not in (own, ""):
            twice.append(own)
        named[own] = columns[place]
    if twice:
        said.append(
            Step(
                "assumed",
                f"columns of the same name told apart by a number: {listing(twice, most=6)}",
                len(twice),
            )
        )
    return Table.of(named, index=index, lines=lines, steps=tuple(said))


def _own(name: Hashable, taken: Container[Hashable]) -> Hashable:
    """A name that no column has yet."""
    if name not in taken:
        return name
    return next(own for n in count(2) if (own := f"{name} ({n})") not in taken)


def _is_blank(column: Any) -> bool:
    return all(map(is_empty, column.unique().to_pylist() if hasattr(column, "unique") else column))


def _cells(column: Any) -> list[Any]:
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column)


def _last(columns: Sequence[Any], size: int) -> list[Row]:
    """The last rows of a table, which has at least so many."""
    return list(zip(*(_cells(column[len(column) - size :]) for column in columns), strict=True))


def _bottom(columns: Sequence[Any], names: Sequence[Hashable]) -> int:
    """How many rows at the bottom are totals, means or notes."""
    rows = len(columns[0]) if columns else 0
    some = min(BOTTOM, rows - ENOUGH)
    if some < 1 or len(columns) < 2:
        return 0
    sample = [_cells(column[: min(SAMPLE, rows - some)]) for column in columns]
    below = 0
    for row in reversed(_last(columns, some)):
        last = rows - below - 1
        if not (
            _is_total(row, sample)
            or _is_figure(row, sample)
            or _is_note(row, sample)
            or _adds_up(row, columns, last)
        ):
            break
        below += 1
    margins = (
        cut for cut in range(below) if _has_margins([column[: rows - cut] for column in columns], names)
    )
    return next(margins, below)


def _is_total(row: Row, sample: Sequence[Sequence[Any]]) -> bool:
    """Whether a row says in words that it holds totals or means, and holds numbers."""
    place, *others = _filled(row)
    cell = row[place]
    return (
        isinstance(cell, str)
        and bool(others)
        and bool(TOTALS.fullmatch(cell.strip()))
        and not any(isinstance(entry, str) and TOTALS.fullmatch(entry.strip()) for entry in sample[place])
        and all(number(str(row[other]).strip().rstrip("%").replace(",", ".")) is not None for other in others)
    )


def _is_figure(row: Row, sample: Sequence[Sequence[Any]]) -> bool:
    """Whether a row holds a word and then only numbers, in columns that hold words and no numbers."""
    place, *others = _filled(row)
    if not others or number(row[place]) is not None or any(number(row[other]) is None for other in others):
        return False
    above = [cell for other in others for cell in sample[other] if not is_empty(cell)]
    return (
        len(above) >= ENOUGH
        and all(number(cell) is None for cell in above)
        and row[place] not in sample[place]
    )


def _is_note(row: Row, sample: Sequence[Sequence[Any]]) -> bool:
    """Whether a row is a sentence in its first cell alone, where the column holds none."""
    places = _filled(row)
    if places != [0] or len(row) < ENOUGH or not isinstance(row[0], str):
        return False
    text = row[0].strip()
    longest = max((len(str(entry)) for entry in sample[0]), default=0)
    return bool(re.search(r"\s|[:=]", text)) and len(text) > 2 * longest


def _adds_up(row: Row, columns: Sequence[Any], rows: int) -> bool:
    """Whether a row without a name holds the sums or the means of the columns above it."""
    places = _filled(row)
    if not is_empty(row[0]) or not places or any(number(row[place]) is None for place in places):
        return False
    if any(map(is_empty, _cells(columns[0][:SAMPLE])[: rows - 1])):
        return False
    new = False
    for place in places:
        above = [n for cell in _cells(columns[place][:rows]) if (n := number(cell)) is not None]
        total, mine = sum(above), number(row[place]) or 0.0
        if len(above) < 2 or not any(abs(mine - one) < 0.01 for one in (total, total / len(above))):
            return False
        new = new or mine not in above
    return new  # and not just one more row


def _has_margins(columns: Sequence[Any], names: Sequence[Hashable]) -> bool:
    """Whether the last column holds the sums of the rows: the totals of a contingency table belong to its reader."""
    if not TOTALS.fullmatch(str(names[-1])) or len(columns) < ENOUGH:
        return False
    body = [[number(cell) for cell in _cells(column[:SAMPLE])] for column in columns[1:]]
    return all(
        None not in row and sum(n or 0.0 for n in row[:-1]) == row[-1] for row in zip(*body, strict=True)
    )
