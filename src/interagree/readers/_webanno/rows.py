"""The lines of a table: its columns, its text, and what its cells say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from interagree.data.files import Source, lines_of
from interagree.data.provenance import Step, counted, noted
from interagree.errors import FormatError
from interagree.gather.offsets import whole
from interagree.readers._layers import Annotated
from interagree.readers._webanno.cells import Cells, unescape
from interagree.readers._webanno.columns import columns_of

FORMAT = re.compile(rb"#FORMAT=WebAnno TSV (\d+)(?:\.\d+)?\s")
OLDER = re.compile(rb"\s?#\s?[\w$]+(?:\.[\w$]+)+ *\|")  # 2: layers in one line
OLDEST = re.compile(rb"#id=\d+\s+#text=")  # 1
PLACE = re.compile(r"(\d+)-(\d+)")
UNIT = re.compile(r"\d+-\d+(?:\.\d+)?")


def is_three(head: bytes) -> bool:
    """Whether a file begins as one of version 3 does."""
    told = FORMAT.match(_start(head))
    return told is not None and told[1] == b"3"


def is_older(head: bytes) -> bool:
    """Whether a file begins as one of version 1 or 2 does."""
    start = _start(head)
    return bool(OLDER.match(start) or OLDEST.match(start))


def _start(head: bytes) -> bytes:
    return head.removeprefix(b"\xef\xbb\xbf")


class Row(NamedTuple):
    """A token or a part of one."""

    line: int
    unit: str
    start: int
    end: int
    token: str
    cells: list[str]


@dataclass
class Sentence:
    """A sentence: its text as written, and its rows."""

    lines: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


@dataclass
class Fitting:
    """How tokens fit the texts that they lie in."""

    plain: int = 0  # files whose offsets count characters
    wrong: int = 0  # tokens that are not what the text has there
    place: str = ""

    def steps(self) -> list[Step]:
        """What there is to say about it."""
        plain = f"offsets of {counted(self.plain, 'file')} count characters and not UTF-16 units, as the tokens show"
        wrong = f"{counted(self.wrong, 'token')} unlike the text at its place, as in {self.place}"
        return [*noted("taken", plain, self.plain), *noted("noticed", wrong, self.wrong)]


def read_table(source: Source, fitting: Fitting) -> Annotated:
    """A document as one annotator has it."""
    lines = lines_of(source.text())
    first = lines[0].encode() + b"\n"
    if not is_three(first):
        if is_older("\n".join(lines[:2]).encode()):
            raise FormatError(
                f"{source.name} is in version 1 or 2 of WebAnno's TSV, which does not say where tokens are in the "
                "text; export the document as WebAnno TSV v3.x, as XMI, or with the whole project"
            )
        raise FormatError(f"{source.name}, line 1: expected '#FORMAT=WebAnno TSV 3.3', found {lines[0]!r:.60}")
    columns, body = columns_of(source, lines)
    sentences = list(_sentences(source, lines, body, len(columns)))
    text, wide = _best(source, sentences, fitting)
    document = Annotated("", "", source.name, text)
    points = _points(text) if wide else list(range(len(text) + 1))
    cells = Cells(source, columns, document)
    for sentence in sentences:
        for row in sentence.rows:
            if not row.start <= row.end < len(points):
                raise FormatError(
                    f"{source.name}, line {row.line}: a token from {row.start} to {row.end} does not lie in the text, "
                    f"which ends at {len(points) - 1}"
                )
            cells.take(row.line, row.unit, (points[row.start], points[row.end]), row.cells)
    cells.resolve()
    return document


def _sentences(source: Source, lines: Sequence[str], body: int, columns: int) -> Iterator[Sentence]:
    here = Sentence()
    for number, line in enumerate(lines[body:], start=body + 1):
        if not line or line.isspace():
            continue
        if line.startswith("#"):
            if here.rows:
                yield here
                here = Sentence()
            if line.startswith("#Text="):
                here.lines.append(line.removeprefix("#Text="))
            continue
        here.rows.append(_row(source, number, line, columns))
    if here.rows or here.lines:
        yield here


def _row(source: Source, number: int, line: str, columns: int) -> Row:
    where = f"{source.name}, line {number}"
    unit, *rest = line.split("\t")
    place = PLACE.fullmatch(rest[0]) if rest else None
    if place is None or not UNIT.fullmatch(unit) or len(rest) < 2:
        raise FormatError(f"{where}: expected a token as '1-1<tab>0-4<tab>This', found {line!r:.60}")
    cells = rest[2:]
    if len(cells) < columns or any(cells[columns:]):
        raise FormatError(
            f"{where}: expected {counted(columns, 'column')} of layers, as the first lines say, found "
            f"{len([cell for cell in cells if cell])}"
        )
    return Row(number, unit, whole(place[1], where), whole(place[2], where), rest[1], cells[:columns])


# -- the text ----------------------------------------------------------------------------------------------------


def _best(source: Source, sentences: Sequence[Sentence], fitting: Fitting) -> tuple[str, bool]:
    """The text in which tokens are where they should be, and whether offsets count UTF-16 units."""
    rows = [row for sentence in sentences for row in sentence.rows]
    best: tuple[int, str, bool] | None = None
    problem: FormatError | None = None
    odd = any("\\" in line for sentence in sentences for line in sentence.lines)
    astral = any(ord(sign) > 0xFFFF for sentence in sentences for line in sentence.lines for sign in line)
    for wide in (True, False) if astral else (True,):
        for escapes in (True, False) if odd else (True,):
            try:
                text = _text(source, sentences, wide=wide, escapes=escapes)
            except FormatError as error:
                problem = problem or error
                continue
            points = _points(text) if wide else range(len(text) + 1)
            wrong = [row for row in rows if not _fits(text, points, row)]
            if best is None or len(wrong) < best[0]:
                best = len(wrong), text, wide
                example = wrong[0] if wrong else None
            if not wrong:
                break
        if best is not None and not best[0]:
            break
    if best is None:
        raise problem or FormatError(f"{source.name}: there is no text in it")
    if best[0]:
        fitting.wrong += best[0]
        fitting.place = fitting.place or f"{source.name}, line {example.line if example else 1}"
    fitting.plain += astral and not best[2]
    return best[1], best[2]


def _fits(text: str, points: Sequence[int], row: Row) -> bool:
    if not row.start <= row.end < len(points):
        return False
    there = text[points[row.start] : points[row.end]]
    return there in (row.token, unescape(row.token))


def _text(source: Source, sentences: Sequence[Sentence], *, wide: bool, escapes: bool) -> str:
    """The text of a document: sentences, with blanks between them as the offsets of their tokens say."""
    parts: list[str] = []
    size = 0
    for sentence in sentences:
        lines = [unescape(line) if escapes else line for line in sentence.lines]
        start = sentence.rows[0].start if sentence.rows else size
        if size == start + 1 and parts and parts[-1].endswith("\n"):
            parts[-1] = parts[-1][:-1]
            size -= 1
        if size > start:
            raise FormatError(
                f"{source.name}, line {sentence.rows[0].line}: a sentence starts at {start}, where the one before it "
                f"goes on to {size}; offsets must count from the start of the document"
            )
        if start - size > 10_000_000:
            raise FormatError(
                f"{source.name}, line {sentence.rows[0].line}: a sentence starts at {start}, far behind the text"
            )
        here = "".join(f"{line}\n" for line in lines)
        parts += [" " * (start - size), here]
        size = start + (_units(here) if wide else len(here))
    return "".join(parts)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _points(text: str) -> Sequence[int]:
    from interagree.gather.offsets import is_basic, utf16_to_points

    return range(len(text) + 1) if is_basic(text) else utf16_to_points(text).tolist()
