"""Tables in files: types, dialects, and what stands between the rows."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reading import doubtful, exports  # noqa: F401 -- they enter their layouts
from reading.layouts import LAYOUTS, WEIGHTS
from reading.maker import Maker
from reading.sheets import Column, Expected, Sheet, Truth

KINDS = ("csv", "xlsx", "parquet", "json", "jsonl")


@dataclass
class Variant:
    """A table in a file, and what it holds."""

    path: Path
    layout: str
    kind: str
    expected: Expected
    made_of: list[str]
    sheets: dict[str, Sheet]


def written(maker: Maker, sheets: dict[str, Sheet], folder: Path, layout: str, kind: str) -> Path:
    """The table in a file, or in a folder of files where there is one for each annotator."""
    if layout == "one sheet per annotator":
        return workbook(sheets, folder / f"{maker.word('files', 'stems')}.xlsx", streamed=False)
    if layout == "one file per annotator":
        place = folder / maker.word("files", "stems")
        place.mkdir()
        writer = WRITERS[kind](maker)
        for name, sheet in sheets.items():
            writer(sheet, place / f"{name}.{kind}")
        return place
    (sheet,) = sheets.values()
    return WRITERS[kind](maker)(sheet, folder / f"{maker.word('files', 'stems')}.{kind}")


@dataclass
class Dialect:
    """How a text file is written."""

    delimiter: str
    encoding: str
    end: str
    quoting: Literal[0, 1]  # csv.QUOTE_MINIMAL, csv.QUOTE_ALL
    decimal_comma: bool = False
    told: bool = False  # a first line sep=;
    trailing: bool = False  # empty columns behind
    ragged: bool = False  # rows end with their last cell that is not empty
    floats: bool = False  # whole numbers of columns with gaps as 1.0, as pandas writes them
    packed: bool = False  # compressed

    @classmethod
    def drawn(cls, maker: Maker) -> Dialect:
        (delimiter,) = maker.random.choices([",", ";", "\t"], [8, 4, 2])
        encodings = {"utf-8": 14, "utf-8-sig": 4, "cp1252": 2, "utf-16": 0.6}
        (encoding,) = maker.random.choices(list(encodings), list(encodings.values()))
        (end,) = maker.random.choices(["\n", "\r\n", "\r"], [10, 5, 0.5])
        return cls(
            delimiter,
            encoding,
            end,
            1 if maker.chance(0.15) else 0,
            decimal_comma=delimiter == ";" and maker.chance(0.4),
            told=delimiter == ";" and maker.chance(0.1),
            trailing=maker.chance(0.04),
            ragged=maker.chance(0.03),
            floats=maker.chance(0.15),
            packed=maker.chance(0.02),
        )

    def traits(self) -> list[str]:
        names = ("decimal_comma", "told", "trailing", "ragged", "floats", "packed")
        flags = [name.replace("_", " ") for name in names if getattr(self, name)]
        return [f"delimiter {self.delimiter!r}", self.encoding, f"ends {self.end!r}", *flags]

    def shown(self, column: Column) -> list[str]:
        """The cells of a column as they stand in the file."""
        gaps = self.floats and None in column.cells
        sign = "," if self.decimal_comma else "."
        cells = []
        for cell in column.cells:
            number = float(cell) if gaps and type(cell) is int else cell
            text = "" if number is None else str(number)
            cells.append(text.replace(".", sign) if isinstance(number, float) else text)
        return cells

    def text(self, sheet: Sheet) -> str:
        head = [[column.name for column in sheet.columns]] if sheet.header else []
        body = [list(row) for row in zip(*map(self.shown, sheet.columns), strict=True)]
        lines = [*sheet.above, *head, *body, *([str(cell) for cell in line] for line in sheet.below)]
        if self.trailing:
            lines = [[*line, "", ""] for line in lines]
        if self.ragged:
            lines = [line[: max((i + 1 for i, cell in enumerate(line) if cell), default=1)] for line in lines]
        file = io.StringIO()
        file.write(f"sep={self.delimiter}{self.end}" if self.told else "")
        writer = csv.writer(file, delimiter=self.delimiter, lineterminator=self.end, quoting=self.quoting)
        writer.writerows(lines)
        return file.getvalue()


def csv_writer(maker: Maker) -> Callable[[Sheet, Path], Path]:
    """A writer of one dialect."""
    dialect = Dialect.drawn(maker)
    suffix = maker.random.choice([".tsv", ".tsv", ".txt", ".csv"]) if dialect.delimiter == "\t" else ".csv"
    maker.made_of += dialect.traits()

    def write(sheet: Sheet, path: Path) -> Path:
        text = dialect.text(sheet)
        try:
            data = text.encode(dialect.encoding)
        except UnicodeEncodeError:
            data = text.encode("utf-8")
        name = path.name.removesuffix(".csv") + suffix
        path = path.with_name(f"{name}.gz" if dialect.packed else name)
        path.write_bytes(gzip.compress(data, mtime=0) if dialect.packed else data)
        return path

    return write


def workbook(sheets: Mapping[str, Sheet], path: Path, *, streamed: bool) -> Path:
    """Sheets of a workbook; one that was streamed does not say how large its sheets are."""
    import openpyxl

    book = openpyxl.Workbook(write_only=streamed)
    if not streamed:
        book.remove(book.active)
    for name, sheet in sheets.items():
        page = book.create_sheet(name[:28].replace("/", "-").replace("[", "(").replace(":", ""))
        for line in sheet.lines():
            page.append([None if cell == "" else cell for cell in line])
    book.save(path)
    return path


def xlsx_writer(maker: Maker) -> Callable[[Sheet, Path], Path]:
    streamed, legend = maker.chance(0.1), maker.chance(0.08)
    maker.made_of += [name for name, there in (("streamed", streamed), ("second sheet", legend)) if there]
    second = {maker.word("files", "other_sheets"): Sheet([Column("Legend", [maker.sentence()], "text")])}
    return lambda sheet, path: workbook({"Sheet1": sheet, **(second if legend else {})}, path, streamed=streamed)


def typed(column: Column) -> list[Any]:
    """Cells of one type, as columns of Parquet must be."""
    kinds = {type(cell) for cell in column.cells if cell is not None}
    return (
        column.cells
        if len(kinds) < 2 or kinds <= {int, float}
        else [None if c is None else str(c) for c in column.cells]
    )


def parquet_writer(_: Maker) -> Callable[[Sheet, Path], Path]:
    def write(sheet: Sheet, path: Path) -> Path:
        import pyarrow as pa
        from pyarrow import parquet

        named = {column.name or "__index_level_0__": typed(column) for column in sheet.columns}
        parquet.write_table(pa.table(named), path)
        return path

    return write


def records(sheet: Sheet, *, nulls: bool) -> list[dict[str, Any]]:
    if sheet.records is not None:
        return sheet.records
    names = [column.name or "index" for column in sheet.columns]
    rows = zip(*(column.cells for column in sheet.columns), strict=True)
    return [{n: c for n, c in zip(names, row, strict=True) if nulls or c is not None} for row in rows]


def json_writer(maker: Maker) -> Callable[[Sheet, Path], Path]:
    nulls, ascii_only, indent = maker.chance(0.7), maker.chance(0.5), maker.random.choice([None, 2])
    by_column = maker.chance(0.1)

    def write(sheet: Sheet, path: Path) -> Path:
        found: Any = records(sheet, nulls=nulls)
        if by_column and path.suffix == ".json" and sheet.records is None:  # as pandas writes a frame
            maker.made_of.append("by column")
            found = {
                column.name or "index": {str(row): cell for row, cell in enumerate(column.cells)}
                for column in sheet.columns
            }
        text = (
            "\n".join(json.dumps(one, ensure_ascii=ascii_only) for one in found) + "\n"
            if path.suffix == ".jsonl"
            else json.dumps(found, ensure_ascii=False, indent=indent)
        )
        path.write_text(text, encoding="utf-8")
        return path

    return write


WRITERS: dict[str, Callable[[Maker], Callable[[Sheet, Path], Path]]] = {
    "csv": csv_writer,
    "xlsx": xlsx_writer,
    "parquet": parquet_writer,
    "json": json_writer,
    "jsonl": json_writer,
}


def clutter(maker: Maker, sheets: dict[str, Sheet], expected: Expected, kind: str, layout: str) -> None:
    """Rows above the header and between the others, codes where nothing was given, blanks in names."""
    values = [c for s in sheets.values() for c in s.columns if c.part in ("annotator", "value")]
    cells = [cell for column in values for cell in column.cells]
    code = maker.word("missing", "codes")
    if layout.startswith("wide") and None in cells and code not in cells and maker.chance(0.2):
        maker.made_of.append(f"missing: {code}")
        expected.missing.append(code)
        for column in values:
            column.cells = [code if cell is None else cell for cell in column.cells]
    if len(sheets) == 1:
        (sheet,) = sheets.values()
        if kind in ("csv", "xlsx"):  # only these can hold lines that are not rows of the table
            odd_lines(maker, sheet)
        if maker.chance(0.05):
            chosen = maker.random.choice(sheet.columns)
            chosen.name = chosen.name and maker.random.choice([f" {chosen.name}", f"{chosen.name} "])
        beside = [column for column in sheet.columns if column.part in ("metadata", "comment")]
        if kind in ("csv", "xlsx") and len(beside) > 1 and maker.chance(0.04):
            maker.made_of.append("two columns of one name")
            beside[0].name = beside[1].name


def odd_lines(maker: Maker, sheet: Sheet) -> None:
    """A title, an empty row above the header, an empty row between the others."""
    width = len(sheet.columns)
    if sheet.header and not sheet.above:
        if maker.chance(0.05):
            maker.made_of.append("title row")
            sheet.above.append([maker.word("titles", "rows")] + [""] * (width - 1))
            sheet.above += [[""] * width] if maker.chance(0.5) else []
        elif maker.chance(0.02):
            maker.made_of.append("blank row above")
            sheet.above.append([""] * width)
    if maker.chance(0.03) and sheet.header and width > 2:
        maker.made_of.append("summary below")
        name = maker.random.choice(["Cohen's kappa", "kappa", "Agreement", "Krippendorff's alpha", "Übereinstimmung"])
        sheet.below += [[""] * width, [name, round(maker.random.random(), 2), *[""] * (width - 2)]]
    if maker.chance(0.03):
        maker.made_of.append("merged cells")
        merged(sheet)
    if maker.chance(0.05):
        maker.made_of.append("blank rows")
        place = maker.random.randint(1, len(sheet.columns[0].cells))
        for column in sheet.columns:
            column.cells = [*column.cells[:place], None, *column.cells[place:]]


def merged(sheet: Sheet) -> None:
    """The ids of a long table only in the first row of each, as where cells were merged."""
    for column in sheet.columns:
        if column.part == "item" and len(set(column.cells)) < len(column.cells):
            cells = column.cells
            column.cells = [c if i == 0 or c != cells[i - 1] else None for i, c in enumerate(cells)]


def make(
    source: random.Random,
    folder: Path,
    *,
    layout: str | None = None,
    kind: str | None = None,
    truth: Callable[[Maker, str], Truth | None] | None = None,
    after: Callable[[Maker, dict[str, Sheet]], None] | None = None,
) -> Variant:
    """A table in a file under ``folder``, and what it holds.

    Args:
        source: Where everything random comes from.
        folder: An empty folder.
        layout: One of `LAYOUTS`; drawn if not given.
        kind: One of `KINDS`; drawn if not given.
        truth: Gives the study that is to be written in a layout, or None for a random one.
        after: Called with the finished sheets before they are written, to add columns.
    """
    maker = Maker(source)
    layout = layout or source.choices(list(LAYOUTS), list(WEIGHTS.values()))[0]
    kind = kind or source.choices(KINDS, [10, 3, 1, 1, 1])[0]
    sheets, expected = LAYOUTS[layout](maker, truth(maker, layout) if truth else None)
    needs_lines = layout == "no header" or any(sheet.above or sheet.below for sheet in sheets.values())
    if needs_lines and kind not in ("csv", "xlsx"):
        kind = "csv"
    if layout == "one sheet per annotator":
        kind = "xlsx"
    if layout == "nested records" and kind not in ("json", "jsonl"):
        kind = source.choice(["json", "jsonl"])
    if after:
        after(maker, sheets)
    clutter(maker, sheets, expected, kind, layout)
    path = written(maker, sheets, folder, layout, kind)
    return Variant(path, layout, kind, expected, maker.made_of, sheets)
