"""The header of a grid of cells: where the data start, and what the columns are called.

People put titles and settings above a table, and merge cells of its header.  What is header and what is data is told by
contents: a name hardly ever recurs in its own column, and is rarely a number above numbers.  Where the first row could
be either, an error asks for ``header``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from interagree.data.provenance import Step, counted
from interagree.data.values import number
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.reading.cells import Cell, Row, extent, filled, is_empty

SAMPLE = 500  # rows from which the header is told
ENOUGH = 3  # rows below the header from which on their contents are evidence
FEW = 8  # words for each number below a number that names a column
RISING = 4  # numbers in order from which on they name columns, where no row below is in order
LEAST_SUMS = 5  # rows that must be exceeded before equal sums say something
LONG = 40  # characters from which on a cell is a text
SHORT_SCALE = 60  # distinct entries up to which a column of words repeats itself
IMPORT = '{"ImportId"'  # how Qualtrics begins the cells of a row for machines
NAMES = 3  # how many times as much must speak for names as for data, where both do
DATA = 2  # … and for data as for names: a name hardly ever recurs below

PARTS = re.compile(
    r"(items?|ids?|index|nr|no|num|text|sentence|tweet|post|doc(ument)?|task|unit|subject|case|sample|example|image|"
    r"url|file|question|annotators?|workers?|raters?|coders?|users?|judges?|labell?ers?|labels?|class|category|score|"
    r"answer|rating|value|gold|date|time|name|comment|notes?)([ _.-]?(ids?|nr|no|name|\d+))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class GridShape:
    """What the first rows say about a grid."""

    start: int  # the first row of data
    names: tuple[Hashable, ...]  # of the columns; "" where there is none
    steps: tuple[Step, ...] = ()
    header: tuple[Cell, ...] | None = None  # the row that names the columns, as it stands in the file


def shape_of(rows: Sequence[Row], lines: Sequence[int], *, name: str, header: bool | None = None) -> GridShape:
    """Where the data start and what the columns are called, from the first rows."""
    numbered = [(place, row) for place, row in enumerate(rows) if not all(map(is_empty, row))]
    if not numbered:
        raise FormatError(f"{name} is empty; expected a row that names the columns")
    if header is False:
        return GridShape(numbered[0][0], tuple(range(_width([row for _, row in numbered]))))
    if header:
        return _named(numbered, [])
    titles = _titles([row for _, row in numbered])
    steps = [_set_aside(numbered[:titles], "above the table", "title or settings")] if titles else []
    numbered = numbered[titles:]
    cells = [row for _, row in numbered]
    if len(cells) > 2 and _is_upper(cells[0], cells[1], cells[2:]):
        return _named(numbered[1:], steps, upper=cells[0])
    if _has_header(cells[0], cells[1:], name, lines[numbered[0][0]]):
        return _named(numbered, steps)
    width = _width(cells)
    sentence = Advice.of(
        f"no header: line {lines[numbered[0][0]]} holds data like the lines below it, so the columns are named "
        f"by position, 0 to {width - 1}; if it names them, pass ",
        ReaderHint("header", value=True),
    )
    steps.append(Step("assumed", sentence))
    return GridShape(numbered[0][0], tuple(range(width)), tuple(steps))


def _width(rows: Sequence[Row]) -> int:
    """How many columns rows have, of which the last may be empty so far where rows end at different places."""
    reached, sizes = {*map(extent, rows)}, {*map(len, rows)}
    return max(sizes) if len(sizes) == 1 < len(reached) else max(reached)


def _named(rows: Sequence[tuple[int, Row]], steps: list[Step], *, upper: Row = ()) -> GridShape:
    """The shape of a grid whose first row names the columns, below another one where cells were merged."""
    place, first = rows[0]
    names = [_name(cell) for cell in first]
    below = rows[1:]
    if upper:
        names = _joined(upper, names)
        shown = next((name for name in names if " / " in str(name)), names[0])
        steps = [*steps, Step("taken", f"names of the columns from two rows of header, as in {shown!r}")]
    explained = next((n for n, (_, row) in enumerate(below[:3], 1) if any(str(c).startswith(IMPORT) for c in row)), 0)
    if explained:  # Qualtrics explains each column below its name, as text and for machines
        steps = [*steps, _set_aside(below[:explained], "below the header", "explanations of the columns")]
    start = (below[explained - 1][0] if explained else place) + 1
    rest = [row for _, row in below[explained:]]
    if len(rest) >= ENOUGH and {extent(row) for row in rest} == {len(names) + 1}:
        # R writes the names of the rows before the cells and leaves them out of the header.
        names = ["", *names]
    return GridShape(start, tuple(names), tuple(steps), tuple(first))


def _name(cell: Cell) -> Hashable:
    if is_empty(cell):
        return ""
    if isinstance(cell, str):
        return unicodedata.normalize("NFC", cell.strip())
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _joined(upper: Row, lower: Sequence[Hashable]) -> list[Hashable]:
    """Names of two rows: a merged cell of the upper one holds for all columns up to the next."""
    names: list[Hashable] = []
    over: Hashable = ""
    for place in range(max(len(lower), extent(upper))):
        own = _name(upper[place]) if place < len(upper) else ""
        over = over if own == "" else own
        under = lower[place] if place < len(lower) else ""
        names.append(own if under == "" else under if over == "" else f"{over} / {under}")
    return names


def _set_aside(rows: Sequence[tuple[int, Row]], where: str, what: str) -> Step:
    shown = listing([str(row[filled(row)[0]])[:40] for _, row in rows], most=3)
    places = counted(len(rows), "line")
    return Step("dropped", f"{places} {where} set aside as {what}: {shown}", len(rows))


def _titles(rows: Sequence[Row]) -> int:
    """How many rows at the top are titles or settings: a cell or two, where the rows of the table have more."""
    usual = sorted(len(filled(row)) for row in rows)[len(rows) // 2]
    for titles, (row, after) in enumerate(pairwise(rows)):
        places = filled(row)
        alone = len(places) == 1 < usual and not _comes_again(row, rows[titles + 1 :])
        comment = re.match(r"#\W*\w", str(row[0])) and len(places) != usual
        setting = places == [0, 1] and _is_setting(row, after, usual)
        if not (alone or setting or comment):
            return titles
    return 0  # nothing but such rows, which are then the table


def _comes_again(row: Row, below: Sequence[Row]) -> bool:
    """Whether the one cell of a row stands in its column below as well, beside others, as data do."""
    (place,) = filled(row)
    again = (other[:1] if place == 0 else other for other in below if len(filled(other)) > 1)
    return any(row[place] in cells for cells in again)


def _is_setting(row: Row, after: Row, usual: int) -> bool:
    """Whether two cells are a name and what it is set to, as in 'Date: 2024-01-05'."""
    if str(row[0]).rstrip().endswith((":", "=")):
        return True
    # Rows of data are numbered alike.
    numbered = any(map(str.isdigit, str(row[0]))) and _form(str(row[0])) == _form(str(after[0]))
    return not numbered and not is_empty(after[0]) and (usual > 2 * 2 or (usual > 2 and _is_dated(row[1])))


def _is_dated(cell: Cell) -> bool:
    """Whether a cell is a number or a date, which no merged cell above names is."""
    return not isinstance(cell, str) or bool(re.fullmatch(r"\W*\d[\d\s./:,-]*", cell))


def _is_upper(first: Row, second: Row, below: Sequence[Row]) -> bool:
    """Whether the first row holds merged cells above names: sparse or repeated, where the second row is full."""
    places = filled(first)
    if len(places) < 2 or len(filled(second)) < 2:
        return False
    named = all(number(cell) is None for cell in second) and _recurs(first, second)
    if not named and any(_is_dated(first[place]) for place in places):
        return False
    gaps = any(
        place > places[0] and not is_empty(cell) and (place >= len(first) or is_empty(first[place]))
        for place, cell in enumerate(second)
    )
    # Some programs fill merged cells.
    repeats = any(a == b and not is_empty(a) and number(a) is None for a, b in pairwise(first))
    if not (gaps or repeats):
        return False
    if _recurs(first, second):
        return True
    own = _evidence(first, [second, *below])
    below_it = _evidence(second, below)
    return below_it.header > 0 and not below_it.data and not below_it.numbers and not own.data and not own.numbers


def _recurs(first: Row, second: Row) -> bool:
    """Whether the same cells stand below each merged one, as the annotators do below each question."""
    starts = filled(first)
    ends = [*starts[1:], starts[-1] + (starts[1] - starts[0])]
    blocks = [tuple(second[start:end]) for start, end in zip(starts, ends, strict=True)]
    return len(blocks[0]) > 1 and len({*blocks}) == 1 and len({*blocks[0]}) == len(blocks[0])


@dataclass(slots=True)
class HeaderEvidence:
    """What speaks for a row being a header, and what for its being data."""

    header: int = 0  # cells that are unlike what stands below them
    data: int = 0  # cells that recur below
    alike: int = 0  # cells of the same form as those below
    numbers: list[float] = field(default_factory=list)  # numbers above numbers
    words: list[Cell] = field(default_factory=list)  # cells above words


def _evidence(first: Row, below: Sequence[Row]) -> HeaderEvidence:
    evidence = HeaderEvidence()
    header = list(first)
    rows = [row for row in below if list(row) != header]  # the header may be there header
    for place, cell in enumerate(first):
        column = [row[place] for row in rows if place < len(row) and not is_empty(row[place])]
        if not column:
            continue
        if is_empty(cell):
            # A frame leaves the name of its first column empty, and numbers the rows.
            evidence.header += not place and len(set(map(str, column))) == len(column) == len(rows) >= ENOUGH
            continue
        _weigh(evidence, cell.strip() if isinstance(cell, str) else cell, column)
    return evidence


def _weigh(evidence: HeaderEvidence, cell: Cell, column: Sequence[Cell]) -> None:
    spelled = number(cell)
    entries = {entry.strip() if isinstance(entry, str) else entry for entry in column}
    numeric = sum(_is_number(entry) for entry in column)
    if numeric >= 0.8 * len(column):
        if spelled is not None:
            evidence.numbers.append(spelled)
        elif cell in entries:
            evidence.data += 1
        elif isinstance(cell, str) and any(map(str.isalpha, cell)):
            evidence.header += 1
        return
    evidence.words.append(cell)
    if cell in entries:
        evidence.data += 1
    elif spelled is not None and FEW * numeric <= len(column) >= ENOUGH:  # a total may stand below
        evidence.header += 1
    elif not isinstance(cell, str) or _is_formed_alike(cell, entries):
        evidence.alike += 1
    elif PARTS.fullmatch(cell) or (len(column) >= ENOUGH and len(entries) <= min(SHORT_SCALE, len(column) / 2)):
        evidence.header += 1


def _is_number(cell: Cell) -> bool:
    """Whether a cell is a number, with a point or a comma for decimals."""
    return number(cell.replace(",", ".") if isinstance(cell, str) else cell) is not None


def _is_formed_alike(cell: str, entries: Collection[Cell]) -> bool:
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
    if list(below[0]) == list(first) or _numbers_columns(first, below) or _adds_up_otherwise(first, below):
        return list(below[0]) != list(first) or _numbers_columns(first, below)  # a header is not there again at once
    evidence = _evidence(first, below)
    distinct = len(set(evidence.words))
    evidence.data += len(evidence.words) - distinct if 2 * distinct <= len(evidence.words) else 0
    places = len(set(evidence.numbers)) == len(evidence.numbers) and all(n.is_integer() for n in evidence.numbers)
    apart = _out_of_range(first, below)
    evidence.header += apart if apart > 1 and FEW * apart > len(evidence.numbers) * (FEW - 2) else 0
    against = evidence.data + evidence.alike + (not places)
    if evidence.header:
        if evidence.header >= NAMES * against:
            return True
        if against < DATA * evidence.header:
            raise _doubt(first, name, line)
        return False
    if against or not evidence.numbers:
        return not against
    steps = {b - a for a, b in pairwise(evidence.numbers)}
    if 1 < len(evidence.numbers) <= RISING and steps == {1}:  # 1, 2, 3 may be places, or three answers
        raise _doubt(first, name, line)
    if _are_names(first, below, evidence.numbers):
        return True
    if not is_empty(first[0]) and number(first[0]) is None and all(_is_number(row[0]) for row in below):
        raise _doubt(first, name, line)
    return len(evidence.numbers) < len(filled(first)) and is_empty(first[0])


def _adds_up_otherwise(first: Row, below: Sequence[Row]) -> bool:
    """Whether all rows below add up to the same, as counts of what annotators said do, and the first one does not."""
    if len({tuple(row) for row in below}) <= 2 or len(below) <= LEAST_SUMS:
        return False
    numbers = [place for place in filled(first) if number(first[place]) is not None]
    for places in (numbers, [place for place in numbers if place > 0]):  # the first may number the items
        sums = {sum(number(row[place]) or 0.0 for place in places if place < len(row)) for row in below if filled(row)}
        if len(places) > 1 and len(sums) == 1 and sum(number(first[place]) or 0.0 for place in places) not in sums:
            return True
    return False


def _are_names(first: Row, below: Sequence[Row], numbers: Sequence[float]) -> bool:
    """Whether numbers above numbers are names: rows are called so too, or they stand in order, or out of all ranges."""
    called = [str(row[0]) for row in below[: len(first) - 1]]
    return (
        called == [str(cell) for cell in first[1:]]
        or (len(numbers) >= RISING and _rises(first) and not any(map(_rises, below[:SAMPLE])))
        or (len(numbers) > 1 and _out_of_range(first, below) == len(numbers))
    )


def _out_of_range(first: Row, below: Sequence[Row]) -> int:
    """How many numbers of a row are larger than all below them, by more than these differ."""
    apart = 0
    for place, cell in enumerate(first):
        own = number(cell)
        column = [n for row in below if place < len(row) and (n := number(row[place])) is not None]
        enough = len(column) >= (RISING if len(first) < 2 * RISING else 2)
        apart += own is not None and enough and own > 2 * max(column) - min(column)
    return apart


def _numbers_columns(first: Row, below: Sequence[Row]) -> bool:
    """Whether a row is a word for items and then 1, 2, 3 … or 0, 1, 2 …, as over the columns of annotators."""
    cells = [first[place] for place in filled(first)]
    called = [number(cell) for cell in cells[1:]]
    return (
        len(called) > 1
        and isinstance(cells[0], str)
        and PARTS.fullmatch(cells[0].strip()) is not None
        and not any(cells[0] in row and list(row) != list(first) for row in below)  # 'rater1' in many rows is data
        and called in ([float(at) for at in range(len(called))], [float(at + 1) for at in range(len(called))])
    )


def _rises(row: Row) -> bool:
    """Whether each number of a row is larger than the one before it."""
    numbers = [n for cell in row if (n := number(cell)) is not None]
    return all(a < b for a, b in pairwise(numbers))


def _doubt(first: Row, name: str, line: int) -> FormatError:
    shown = listing([cell for cell in first if not is_empty(cell)], most=6)
    names, data, skip = hints = [
        ReaderHint("header", value=True),
        ReaderHint("header", value=False),
        ReaderHint("skip", 1),
    ]
    return FormatError(
        f"{name}, line {line}: {shown} may be the names of the columns or the first row of data; pass {names} if they "
        f"are names, {data} if they are data, or {skip} to leave the line out",
        hints=hints,
    )
