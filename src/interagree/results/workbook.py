"""Workbooks: sheets of cells as the bytes of an .xlsx file.

Text stays text, also where it begins as a formula does.  What XML cannot hold is spelled as workbooks spell it,
``_x000D_`` for a carriage return, which spreadsheet programs and `interagree.read` turn back.  Numbers keep all their
digits; whole numbers of 16 digits or more, of which spreadsheet programs keep 15, are text.  What a sheet cannot hold
(more rows than it has, a cell of more than 32,767 letters) is an error, never cut.
"""

from __future__ import annotations

import datetime as dt
import gc
import io
import math
import re
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from interagree.errors import DataError, extra, visible

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

# Letters that XML has no place for or changes, and text that looks like the spelling of one.
SPELLED = re.compile("[\x00-\x08\x0b-\x1f]|_(?=x[0-9A-Fa-f]{4}_)")
NO_LETTER = re.compile("[\ud800-\udfff\ufffe\uffff]")
ROWS, COLUMNS, LETTERS = 1_048_576, 16_384, 32_767  # what a sheet and a cell hold; letters as UTF-16 counts them
DIGITS = 10**15  # whole numbers from here on are text
NAME = 31  # letters of the name of a sheet
NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\]")
LISTED = "options"  # the hidden sheet that holds what may be chosen
NARROW, WIDE, LOOKED_AT = 8, 60, 200  # letters of a column, and rows that its width is taken from
DATES = {dt.datetime: "yyyy-mm-dd hh:mm:ss", dt.date: "yyyy-mm-dd", dt.time: "hh:mm:ss"}
CREATED = dt.datetime(1980, 1, 1)  # noqa: DTZ001 -- the same answer is the same file, whenever it is written
ORANGE = "#F4B183"  # of a cell that stands out; not mistaken for blue by anybody


class Dropdown(NamedTuple):
    """A column whose cells are chosen from a list."""

    column: int  # from 0
    options: Sequence[str | float]
    against: range = range(0)  # columns whose cells stand out where they differ from what was chosen


class RowSheet(NamedTuple):
    """A sheet of rows."""

    name: str
    rows: Sequence[Sequence[object]]  # text, numbers, dates or None; heads first
    widths: Sequence[float] = ()  # of columns, in letters; by default as their contents need
    choice: Dropdown | None = None  # its options are on a hidden sheet
    about: Sequence[str] = ()  # sentences for whoever opens it
    rounded: frozenset[int] = frozenset()  # columns of numbers that are shown with three digits
    hidden: frozenset[int] = frozenset()  # columns for programs


def workbook(sheet: RowSheet) -> bytes:
    """A workbook of one sheet as the bytes of a file."""
    checked(sheet)
    with Book() as book:
        book.write(sheet)
    return book.content


def checked(sheet: RowSheet) -> RowSheet:
    """A sheet that a workbook can hold, refused before a temporary file is begun where it cannot."""
    columns = max(map(len, sheet.rows), default=0)
    for count, most, what in ((len(sheet.rows), ROWS, "rows"), (columns, COLUMNS, "columns")):
        if count > most:
            raise DataError(
                f"the table has {count:,} {what}, and a sheet of a workbook holds {most:,}; write .csv or .jsonl"
            )
    options = sheet.choice.options if sheet.choice is not None else ()
    for entry in (entry for row in (*sheet.rows, options) for entry in row):
        if isinstance(entry, str):
            _check(entry)
        elif isinstance(entry, float) and math.isinf(entry):
            raise DataError(f"{entry} is among the numbers, and a workbook cannot hold it; write .jsonl instead")
    return sheet


def units(text: str) -> int:
    """How long a text is, as UTF-16 and spreadsheet programs count."""
    return len(text) + sum(letter > "\uffff" for letter in text) if not text.isascii() else len(text)


def _check(text: str) -> None:
    if broken := NO_LETTER.search(text):
        what = "half of a character" if broken[0] < "\ufffe" else f"U+{ord(broken[0]):04X}, which is not a character"
        raise DataError(f"{text!r:.80} has {what}; a workbook cannot hold it, so write JSON instead")
    if len(text) * 2 > LETTERS and units(text) > LETTERS:
        raise DataError(
            f"{text!r:.40}… has {units(text):,} letters, and a cell of a workbook holds {LETTERS:,}; write .csv or "
            ".jsonl instead"
        )


class _Kept(io.BytesIO):
    """Bytes that stay open: an archive that could not be finished closes itself whenever it is thrown away."""

    def close(self) -> None:
        pass


class Book:
    """A workbook while it is written.  Sheets pass through temporary files, so a full disk is an OSError."""

    def __init__(self) -> None:
        try:
            from xlsxwriter import Workbook
            from xlsxwriter.worksheet import Worksheet
        except ImportError:
            raise extra("XlsxWriter", "excel", purpose="writing Excel") from None

        class Page(Worksheet):  # type: ignore[misc]
            """A sheet that keeps what XlsxWriter changes: the 17th digit, and spellings that share an underscore."""

            @staticmethod
            def _escape_control_characters(text: str) -> str:
                return SPELLED.sub(lambda sign: f"_x{ord(sign[0]):04X}_", text)

            def _xml_number_element(self, number: float, attributes: Iterable[tuple[str, object]] = ()) -> None:
                stated = "".join(f' {name}="{entry}"' for name, entry in attributes)
                exact = number if type(number) is int else float(number)
                self.fh.write(f"<c{stated}><v>{exact!r}</v></c>")

        self._page = Page
        self._folder = tempfile.TemporaryDirectory(prefix="interagree-")
        self._out = _Kept()
        options = {"constant_memory": True, "tmpdir": self._folder.name, "use_zip64": True}
        self.inner: Workbook = Workbook(self._out, options)
        self.inner.set_properties({"created": CREATED})
        self._formats: dict[tuple[tuple[str, object], ...], Format] = {}
        self._names: set[str] = set()
        self.content = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        from xlsxwriter.exceptions import FileCreateError

        full: OSError | None = None
        try:
            if error is None:
                self.inner.close()
                self.content = self._out.getvalue()
        except FileCreateError as failed:
            full = failed.args[0].with_traceback(None)
            full.__context__ = None  # whose frames hold open files
        finally:
            self._close()
        if full is not None:
            raise full

    def _close(self) -> None:
        """Close all files, also those that the library leaves open where the disk is full, and remove them."""
        pages, self.inner.fileclosed = self.inner.worksheets(), True
        for stream in (stream for page in pages for stream in (page.row_data_fh, page.fh) if stream is not None):
            with suppress(OSError):  # the disk is full, which was said
                stream.close()
        if not self.content:
            del pages, self.inner
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                gc.collect()
        self._folder.cleanup()

    def style(self, **properties: object) -> Format:
        """A format of cells, made once."""
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            self._formats[key] = self.inner.add_format(properties)
        return self._formats[key]

    def name(self, wanted: str) -> str:
        """A name that a sheet may have and none has yet, however often it is asked for."""
        plain = NOT_IN_NAMES.sub("-", visible(wanted)).strip().strip("'") or "Sheet"
        plain = "History-" if plain.lower() == "history" else plain  # the name is kept for spreadsheet programs
        number, end = 1, ""
        while (name := _cut(plain, NAME - len(end)) + end).lower() in self._names:
            number += 1
            end = f" ({number})"
        self._names.add(name.lower())
        return name

    def page(self, name: str) -> Worksheet:
        """A new sheet, under a name that `name` gave."""
        return self.inner.add_worksheet(name, worksheet_class=self._page)

    def write(self, sheet: RowSheet, name: str | None = None) -> Worksheet:
        """A sheet of rows with its heads in sight, filters, and a list to choose from where there is one."""
        page = self.page(self.name(sheet.name) if name is None else name)
        last = len(sheet.rows) - 1
        for number, width in enumerate(sheet.widths or widths(sheet.rows)):
            look = {"num_format": "0.000"} if number in sheet.rounded else {"text_wrap": True} if width >= WIDE else {}
            style = self.style(valign="top", **look) if sheet.widths else None
            page.set_column(number, number, width, style, {"hidden": number in sheet.hidden})
        page.freeze_panes(1, 0)
        printed(page)
        for place, row in enumerate(sheet.rows):
            self.row(page, place, row, {} if place else {"bold": True})
        if last > 0:
            page.autofilter(0, 0, last, max(len(sheet.rows[0]) - 1, 0))
        if sheet.choice is not None:
            self._choose(page, sheet.choice, max(last, 1))
        return page

    def row(self, page: Worksheet, place: int, entries: Sequence[object], properties: Mapping[str, object]) -> None:
        """The cells of a row, after those of all rows above it."""
        style = self.style(**properties) if properties else None
        for column, entry in enumerate(map(scalar, entries)):
            if entry is None or entry != entry:  # noqa: PLR0124 -- only NaN differs from itself
                continue
            if isinstance(entry, bool):
                page.write_boolean(place, column, entry, style)
            elif isinstance(entry, float) or (isinstance(entry, int) and abs(entry) < DIGITS):
                page.write_number(place, column, entry, style)
            elif isinstance(entry, tuple(DATES)) and getattr(entry, "tzinfo", None) is None:
                shape = next(shape for kind, shape in DATES.items() if isinstance(entry, kind))
                page.write_datetime(place, column, entry, self.style(num_format=shape, **properties))
            else:
                page.write_string(place, column, str(entry), style)

    def _choose(self, page: Worksheet, choice: Dropdown, last: int) -> None:
        listed = self.name(LISTED)
        options = self.page(listed)
        options.hide()
        for place, option in enumerate(choice.options):
            self.row(options, place, [option], {})
        source = f"='{listed}'!$A$1:$A${max(len(choice.options), 1)}"
        page.data_validation(1, choice.column, last, choice.column, {"validate": "list", "source": source})
        if choice.against:
            first, other = _place(choice.against[0]), _place(choice.column)
            rule = f'=AND({first}2<>"",${other}2<>"",{first}2<>${other}2)'  # of the first cell; it moves along
            shaded = {"type": "formula", "criteria": rule, "format": self.style(bg_color=ORANGE)}
            page.conditional_format(1, choice.against[0], last, choice.against[-1], shaded)


def printed(page: Worksheet) -> None:
    """Print a table as wide as the paper, its heads on every page."""
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)


def scalar(entry: object) -> object:
    """An entry, or the plain number of one that NumPy holds."""
    plain = getattr(entry, "item", None) if hasattr(entry, "dtype") and not getattr(entry, "ndim", 1) else None
    return entry if plain is None else plain()


def _place(column: int) -> str:
    from xlsxwriter.utility import xl_col_to_name

    name: str = xl_col_to_name(column)
    return name


def _cut(text: str, most: int) -> str:
    while units(text) > most:
        text = text[:-1]
    return text.rstrip().rstrip("'")


def widths(rows: Sequence[Sequence[object]]) -> list[float]:
    """How wide columns must be for most of what they hold."""
    longest: dict[int, int] = {}
    for row in rows[:LOOKED_AT]:
        for column, entry in enumerate(row):
            if entry is not None:
                letters = 6 if isinstance(entry, float) else len(str(entry)[:WIDE])
                longest[column] = max(longest.get(column, 0), letters)
    return [min(max(longest.get(column, 0) + 2, NARROW), WIDE) for column in range(max(longest, default=-1) + 1)]
