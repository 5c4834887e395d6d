"""Tables of units: a row for each stretch that an annotator marked, with its start, its end and its category.

    document,annotator,start,end,category
    letter 1,ann,0,12,claim

Columns are known by these names, by synonyms, or told with ``item=``, ``annotator=``, ``start=``, ``end=`` and
``label=``.  Without a column of documents a file is one document, called as the file is.  Tables without a line of
names are read where they have four columns (annotator, category, start, end) or six (an id, annotator, category,
nothing, start, end); for others the places of the columns are given, from 0.  The files of a folder are read together
with ``format="units"``.

A row with a document and an annotator and nothing else says that they looked and marked nothing.

**Boxes**: a row for each box in an image, with its corners in four columns such as x_min, y_min, x_max and y_max, gives
the question ``boxes``.  A row without corners says that somebody looked and marked nothing, whatever its category.

A column called text, sentence or the like holds the text of the document, if it is the same in all rows of it and units
begin and end in it where words do.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Unpack

from interagree.data.files import Source
from interagree.data.paths import files_in, pattern_words
from interagree.data.privacy import CALLED
from interagree.data.provenance import noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, ColumnNotFound, DataError, FormatError, Hint, KindError, listing
from interagree.gather.gatherer import SPANS, Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.shapes import box_about_centre
from interagree.gather.units import QUESTION, UnitOptions, check_ends_after, filled_in, position
from interagree.readers._images import number
from interagree.readers._options import UnitReaderOptions
from interagree.readers._peek import HEAD, beginning
from interagree.readers._rows import Row, table_rows
from interagree.reading.delimited import first_rows, table_in
from interagree.reading.parts import SYNONYMS, check, fitting
from interagree.reading.roles import person_level

SUFFIXES = (".csv", ".tsv", ".tab")
OF_UNITS = {"unit", "unit_id", "id"}  # in a table of units these are called after the unit, not after the document
NAMES: dict[str, tuple[str, ...]] = {
    "item": ("document", "file", "filename", "text", *(name for name in SYNONYMS["item"] if name not in OF_UNITS)),
    "annotator": SYNONYMS["annotator"],
    "start": ("start", "begin", "from", "onset", "start_offset", "begin_offset", "start_time", "start_char", "xmin"),
    "end": ("end", "stop", "to", "end_offset", "stop_offset", "end_time", "end_char", "xmax"),
    "label": ("label", "category", "class", "tag", "type", "code", "value"),
}  # fmt: skip
BY_WIDTH = {
    4: {"annotator": "0", "label": "1", "start": "2", "end": "3"},
    6: {"annotator": "1", "label": "2", "start": "4", "end": "5"},
}
CORNERS = (
    ("x_min", "y_min", "x_max", "y_max"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("x1", "y1", "x2", "y2"),
    ("x0", "y0", "x1", "y1"),
    ("left", "top", "right", "bottom"),
)  # of boxes: two opposite ones
IMAGES = {
    **NAMES,
    "item": ("image", "image_name", "picture", "file_name", *NAMES["item"]),
    "label": ("class_name", "category_name", *NAMES["label"]),
}
TOLD = {"item": "document", "label": "category"}  # in the step that says which columns were taken
PATTERNS = {"item": "{file}", "annotator": ""}  # where no column has them
AT_WORDS = 0.9  # of the units of a text, how many begin and end where words do


def recognised(path: Path) -> bool:
    """Whether a text table can only be one of units.

    It is where it has starts and ends, and read as a table of annotations it would lack documents or repeat itself.
    """
    text = beginning(path).decode("utf-8-sig", errors="ignore")
    kept = text.rpartition("\n")[0] if "\n" in text and len(text) >= HEAD else text
    try:
        rows = first_rows(table_in(kept, suffix=path.suffix))
    except DataError:
        return False
    return bool(rows) and (_repeating(rows) if _has_names(rows[0]) else _bare(rows))


def _bare(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows without names are of a known width, with a start and an end in each, and could be nothing else."""
    where = {role: int(place) for role, place in BY_WIDTH.get(len(rows[0]), {}).items()}
    if not where or any(len(row) != len(rows[0]) for row in rows):
        return False
    pairs = [(_float(row[where["start"]]), _float(row[where["end"]])) for row in rows]
    who = [row[where["annotator"]] for row in rows]
    telling = len(set(who)) < len(who) if len(rows[0]) == 4 else not any(row[3] for row in rows)
    return telling and all(start <= end for start, end in pairs) and any(math.isnan(_float(text)) for text in who)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _repeating(rows: Sequence[Sequence[str]]) -> bool:
    """Whether named columns are those of units, and there is no document, or somebody marked two units in one."""
    names = rows[0]
    if (corners := _corners(names)) is not None:
        return _are_boxes(rows, corners)
    item, who, *ends = (fitting(role, names, NAMES) for role in ("item", "annotator", "start", "end"))
    if any(len(columns) != 1 for columns in (who, *ends)):
        return False
    numbered = any(name.strip().lower() in {"id", "unit", "unit_id"} for name in names)
    wanted = [names.index(str(column)) for column in (*item[:1], *who)]
    cells = [tuple(row[at] for at in wanted) for row in rows[1:] if len(row) == len(names)]
    return (not item and not numbered) or len(set(cells)) < len(cells)


def _corners(names: Sequence[str]) -> tuple[str, ...] | None:
    """The columns of the corners of boxes; None where there are none."""
    called = {name.strip().lower(): name for name in names}
    return next((tuple(called[name] for name in known) for known in CORNERS if {*known} <= {*called}), None)


def _are_boxes(rows: Sequence[Sequence[str]], corners: Sequence[str]) -> bool:
    """Whether a table with corners has a row for each box: of images that come again, marked by one person a row."""
    names = rows[0]
    item, who = (fitting(role, names, IMAGES) for role in ("item", "annotator"))
    if (
        len(item) != 1
        or len(who) > 1
        or sum(person_level(name) >= 2 for name in names if name not in {*who, *corners}) > 1
    ):
        return False
    cells = [dict(zip(names, row, strict=True)) for row in rows[1:] if len(row) == len(names)]
    drawn = [row for row in cells if any(row[name].strip() for name in corners)]
    marked = [tuple(row[str(name)] for name in (*item, *who)) for row in drawn]
    places = [_float(row[name]) for row in drawn for name in corners]
    return len({*marked}) < len(marked) and not any(map(math.isnan, places))


def _has_names(first: Sequence[str]) -> bool:
    """Whether the first line names columns: a start and an end, or it has no number in it."""
    named = fitting("start", first, NAMES) and fitting("end", first, NAMES)
    return bool(named) or all(math.isnan(_float(text)) for text in first)


@reader("Tables of units", suffixes=SUFFIXES, sniff=recognised)
def units(
    path: str | Path | Source,
    *,
    item: Hashable | None = None,
    annotator: Hashable | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    label: Hashable | None = None,
    value: Hashable | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    **options: Unpack[UnitReaderOptions],
) -> Study:
    """A row for each unit; what ``looked`` and ``points`` say is told in `interagree.gather.units`.

    Args:
        path: A file, or a folder of files.
        item: The column of the document; "{file}" (the default where there is none) and "{folder}" take a name.
        annotator: The column of the annotator, or "{file}" or "{folder}".
        start: The column of the start.
        end: The column of the end.
        label: The column of the category.
        value: Another word for ``label``.
        delimiter: What separates the cells; told from the first lines by default.
        encoding: How the text is written; told from the bytes by default.
        header: Whether the first line names the columns; looked up where it is not said.
    """
    label = value if label is None else label
    given = {"item": item, "annotator": annotator, "start": start, "end": end, "label": label}
    looked = options["looked"]
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("Units", sources, units=UnitOptions(looked, options["points"]), positions=None)
    boxes = False
    for source in sources:
        has_names = _has_names if header is None else lambda _: bool(header)
        rows = table_rows(source, gathered.steps, encoding=encoding, sign=delimiter, has_names=has_names)
        corners = _corners([*rows[0].cells]) if rows and start is None and end is None else None
        if corners is not None:
            _add_boxes(gathered, source, rows, given, corners)
            boxes = True
        elif rows:
            _add(gathered, source, rows, given)
    if boxes and looked != "marked":
        gathered.take_looked(looked if isinstance(looked, str) else [*map(str, looked)])
    elif boxes:
        everybody = Hint("looked", "all")
        sentence = Advice.of("who has no row for an image did not look at it (", everybody, " takes the opposite)")
        gathered.note("assumed", sentence)
    gathered.steps = [*dict.fromkeys(gathered.steps)]
    return gathered.study()


def _add(gathered: Gatherer, source: Source, rows: Sequence[Row], given: Mapping[str, Hashable]) -> None:
    """The units of a file, or that somebody looked, with what further columns say."""
    names = [*rows[0].cells]
    columns = {role: _column(source, role, column, names) for role, column in given.items()}
    taken = ", ".join(f"{TOLD.get(role, role)} from {_shown(role, names, columns)}" for role in columns)
    gathered.note("taken", f"columns taken: {taken}")
    document, who, *_, label = columns.values()
    first, last = str(columns["start"]), str(columns["end"])  # which every table has
    further = [name for name in names if name not in columns.values() and not _is_bare(names)]
    shown = next((name for name in further if document is not None and _holds_text(name, rows, columns)), None)
    if shown is not None:
        further.remove(shown)
        gathered.positions = "characters"
    by_file = _by_file(source, given, alone=document is None and who is None)
    hints = Hint("start"), Hint("end")
    for where, cells in rows:
        of = by_file[0] if document is None else cells[document], by_file[1] if who is None else cells[who]
        if not of[0].strip() or not of[1].strip():
            raise FormatError(f"{where}: the cell of the annotator or the document is empty")
        low, high = cells[first].strip(), cells[last].strip()
        category = cells[label] or None if label else None
        if shown is not None:
            gathered.show(of[0], cells[shown], where)
        about = {name: cells[name] for name in further}
        if low and high:
            ends = position(where, low), position(where, high)
            check_ends_after(where, *ends, *hints)
            gathered.add(Mark(QUESTION, *of, Span(*ends, category), about=about), SPANS)
        elif low or high or category:
            gathered.left_out("row", "without a start or an end left out")
        else:
            gathered.looked(*of, QUESTION, kind=SPANS, about=about)


def _add_boxes(
    gathered: Gatherer, source: Source, rows: Sequence[Row], given: Mapping[str, Hashable], corners: Sequence[str]
) -> None:
    """The boxes of a file, and that somebody looked at an image."""
    names = [*rows[0].cells]
    columns = {role: _column(source, role, given[role], names, IMAGES) for role in ("item", "label")}
    if given["annotator"] is None and not fitting("annotator", names, IMAGES):
        left = [name for name in names if name not in {*columns.values(), *corners}]
        raise _missing(source, "annotator", names, likely=_untold(left, columns["label"], rows), of="boxes")
    who = _column(source, "annotator", given["annotator"], names, IMAGES)
    columns = {"item": columns["item"], "annotator": who, "label": columns["label"]}
    image, grader, category = (_shown(role, names, columns) for role in columns)
    found = f"image from {image}, annotator from {grader}, category from {category}, corners from {listing(corners)}"
    gathered.note("taken", f"a row for each box: {found}")
    rest = [name for name in names if name not in {*columns.values(), *corners}]
    gathered.steps += noted("set aside", f"columns set aside: {listing(rest)}", len(rest))
    document, label = columns["item"], columns["label"]
    by_file = _by_file(source, given, alone=document is None and who is None)
    for where, cells in rows:
        item, annotator = cells[document] if document else by_file[0], cells[who] if who else by_file[1]
        if not item.strip() or not annotator.strip():
            raise FormatError(f"{where}: the cell of the annotator or the image is empty")
        gathered.looked(item, annotator)
        if any(cells[name].strip() for name in corners):
            box = box_about_centre(*(number(cells[name].strip(), where, "a corner") for name in corners))
            gathered.add(Mark("", item, annotator, box.called(cells[label] if label else None)))
        elif label and cells[label].strip():
            gathered.count("taken", "row", "without corners taken as looked and marked nothing")


def _by_file(source: Source, given: Mapping[str, Hashable], *, alone: bool) -> tuple[str, str]:
    """The document and the annotator by the name of the file; an error where it alone would be both."""
    item, annotator = (str(given[role]) if _is_pattern(given[role]) else usual for role, usual in PATTERNS.items())
    by_file = filled_in(item, annotator, pattern_words(source))
    if alone and by_file[0] == by_file[1]:
        folder = Hint("item", "{folder}")
        raise KindError(
            f"{source.name}: the table has no column of documents, and {given['annotator']!r} cannot be both the "
            f"annotator and the document; say where the document is, as in {folder}",
            hints=[folder],
        )
    return by_file


def _untold(names: Sequence[str], label: str | None, rows: Sequence[Row]) -> list[str]:
    """The columns that say something else than the category does, as the number of a category does not."""
    said = {name: {(cells[label] if label else "", cells[name]) for _, cells in rows} for name in names}
    return [name for name, pairs in said.items() if len(pairs) > len({category for category, _ in pairs})]


def _holds_text(name: str, rows: Sequence[Row], columns: Mapping[str, str | None]) -> bool:
    """Whether a column is the text of the documents: one for each of them, in which units are words."""
    if not CALLED.search(name):
        return False
    texts: dict[str, str] = {}
    at_words: list[bool] = []
    for _, cells in rows:
        text = cells[name]
        if texts.setdefault(cells[str(columns["item"])], text) != text:
            return False
        start, end = cells[str(columns["start"])].strip(), cells[str(columns["end"])].strip()
        if start or end:
            at_words.append(start.isdecimal() and end.isdecimal() and _between_words(text, int(start), int(end)))
    return bool(at_words) and sum(at_words) >= AT_WORDS * len(at_words)


def _between_words(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text begins and ends where words do."""
    if not start < end <= len(text):
        return False
    before, after = text[:start][-1:], text[end : end + 1]
    cut = (before.isalnum() and text[start].isalnum()) or (after.isalnum() and text[end - 1].isalnum())
    return not (cut or text[start].isspace() or text[end - 1].isspace())


def _is_bare(names: Sequence[str]) -> bool:
    """Whether columns are called by their places."""
    return [*names] == [str(at) for at in range(len(names))]


def _is_pattern(column: object) -> bool:
    return isinstance(column, str) and "{" in column


def _shown(role: str, names: Sequence[str], columns: Mapping[str, str | None]) -> str:
    """A column as the step names it that says which were taken."""
    column = columns[role]
    if column is None:
        return "its file" if role == "item" else "no column"
    return f"column {column}" if _is_bare(names) else repr(column)


def _column(
    source: Source, role: str, column: Hashable, names: Sequence[str], known: Mapping[str, Sequence[str]] = NAMES
) -> str | None:
    """The column that plays a part, as the caller says or by its name; None where there is none, or a pattern says."""
    if _is_pattern(column) and role in PATTERNS:
        return None
    bare, usual = _is_bare(names), BY_WIDTH.get(len(names), {})
    if column is not None and not _is_pattern(column):
        try:
            check(role, str(column), names)
        except ColumnNotFound as error:
            raise error.at(source.name) from None
        return str(column)
    fits = [usual[role]] if bare and role in usual else [] if bare else [*map(str, fitting(role, names, known))]
    if role == "item" and len(fits) > 1:
        fits = [name for name in fits if name.strip().lower() != "text"]  # which tells documents apart by itself alone
    if len(fits) > 1:
        example = Hint(role, fits[0])
        raise ColumnNotFound(
            f"{source.name}: {listing(fits)} could all be the {role}; say which, as in {example}", hints=[example]
        )
    if not fits and role in {"start", "end", "annotator"}:
        raise _missing(source, role, names)
    return fits[0] if fits else None


def _missing(
    source: Source, role: str, names: Sequence[str], *, likely: Sequence[str] = (), of: str = "units"
) -> ColumnNotFound:
    """The error where no column plays a part; the likeliest is offered."""
    if _is_bare(names):
        hints = [Hint("annotator", 0), Hint("start", 1), Hint("end", 2)]
        return ColumnNotFound(
            f"{source.name}: the first line names no columns, and a table of units without names has 4 columns "
            f"(annotator, category, start, end) or 6 (id, annotator, category, nothing, start, end); this has "
            f"{len(names)}. Put a line of names on top, or give the places of the columns from 0, as in "
            f"{', '.join(map(str, hints))}",
            hints=hints,
        )
    hints = [Hint(role, (*likely, *names)[0]), Hint("annotator", "{file}")]
    return ColumnNotFound(
        f"{source.name}: there is no column to take the {role} of {of} from; the table has {listing(names)}. Name "
        f"it, as in {hints[0]}" + (f"; for a file by one annotator pass {hints[1]}" if role == "annotator" else ""),
        hints=hints,
    )
