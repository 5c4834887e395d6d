"""Tables of WebAnno, version 3, as they stand in files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, product
from typing import NamedTuple

from interagree.data.files import Source, lines_of
from interagree.data.provenance import counted
from interagree.errors import FormatError, expected
from interagree.gather.gatherer import Gatherer
from interagree.gather.layers import DEPENDENCY, TOKENS, Annotated, Arc, Chain, LayerSpan
from interagree.gather.offsets import is_basic, utf16_to_points, whole

FORMAT = re.compile(rb"(?:\xef\xbb\xbf)?#FORMAT=WebAnno TSV (\d+)(?:\.\d+)?\s")
OLDER = re.compile(rb"(?:\xef\xbb\xbf)?\s?#\s?[\w$]+(?:\.[\w$]+)+ *\|")  # 2: layers in one line
OLDEST = re.compile(rb"(?:\xef\xbb\xbf)?#id=\d+\s+#text=")  # 1
PLACE = re.compile(r"(\d+)-(\d+)")
UNIT = re.compile(r"\d+-\d+(?:\.\d+)?")
SPAN, RELATION, CHAIN = "#T_SP=", "#T_RL=", "#T_CH="
# What a column holds.
BARE, FEATURE, ROLE, TARGET, BASE, TYPE, LINK = "bare", "feature", "role", "target", "base", "type", "link"
NOTHING, NO_VALUE = "_", "*"
NUMBERED = re.compile(r"(.*)\[(\d+(?:_\d+)?)\]", re.DOTALL)
LINKED = re.compile(r"(.*)->(\d{1,9})-(\d{1,9})", re.DOTALL)
ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
FARTHEST = 10_000_000  # blanks between two sentences
LETTERS = {"t": "\t", "n": "\n", "r": "\r"}


# -- the lines of a table -----------------------------------------------------------------------------------


def is_three(head: bytes) -> bool:
    """Whether a file begins as one of version 3 does."""
    told = FORMAT.match(head)
    return told is not None and told[1] == b"3"


def is_older(head: bytes) -> bool:
    """Whether a file begins as one of version 1 or 2 does."""
    return bool(OLDER.match(head) or OLDEST.match(head))


class TokenRow(NamedTuple):
    """A token or a part of one."""

    line: int
    unit: str
    start: int
    end: int
    token: str
    cells: list[str]


class WebannoSentence(NamedTuple):
    """A sentence: its text as written, and its rows."""

    lines: list[str]
    rows: list[TokenRow]


def read_table(source: Source, gathered: Gatherer) -> Annotated:
    """A document as one annotator has it."""
    lines = lines_of(source.text())
    first = lines[0].encode() + b"\n"
    if not is_three(first):
        if is_older("\n".join(lines[:2]).encode()):
            raise FormatError(
                f"{source.name} is in version 1 or 2 of WebAnno's TSV, which does not say where tokens are in the "
                "text; export the document as WebAnno TSV v3.x, as XMI, or with the whole project"
            )
        raise expected(f"{source.name}, line 1", "'#FORMAT=WebAnno TSV 3.3'", lines[0])
    columns, body = columns_of(source, lines)
    sentences = list(_sentences(source, lines, body, len(columns)))
    text, points = _best(source, sentences, gathered)
    document = Annotated("", "", source.name, text)
    cells = TableMarks(source, columns, document)
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


def _sentences(source: Source, lines: Sequence[str], body: int, columns: int) -> Iterator[WebannoSentence]:
    here = WebannoSentence([], [])
    for number, line in enumerate(lines[body:], start=body + 1):
        if not line or line.isspace():
            continue
        if line.startswith("#"):
            if here.rows:
                yield here
                here = WebannoSentence([], [])
            if line.startswith("#Text="):
                here.lines.append(line.removeprefix("#Text="))
            continue
        here.rows.append(_row(source, number, line, columns))
    if here.rows or here.lines:
        yield here


def _row(source: Source, number: int, line: str, columns: int) -> TokenRow:
    where = f"{source.name}, line {number}"
    unit, *rest = line.split("\t")
    place = PLACE.fullmatch(rest[0]) if rest else None
    if place is None or not UNIT.fullmatch(unit) or len(rest) < 2:
        raise expected(where, "a token as '1-1<tab>0-4<tab>This'", line)
    cells = rest[2:]
    if len(cells) < columns or any(cells[columns:]):
        raise FormatError(
            f"{where}: expected {counted(columns, 'column')} of layers, as the first lines say, found "
            f"{len([cell for cell in cells if cell])}"
        )
    return TokenRow(number, unit, whole(place[1], where), whole(place[2], where), rest[1], cells[:columns])


# -- the text -----------------------------------------------------------------------------------------------


def _best(source: Source, sentences: Sequence[WebannoSentence], gathered: Gatherer) -> tuple[str, Sequence[int]]:
    """The text in which tokens are where they should be, and the place in it of each offset, which counts UTF-16 units.

    Files of other programs count characters, or write lines of text as they are.
    """
    lines = [line for sentence in sentences for line in sentence.lines]
    astral, escaped = not all(map(is_basic, lines)), any("\\" in line for line in lines)
    tried: list[tuple[str, Sequence[int], bool, list[TokenRow]]] = []
    problems: list[FormatError] = []
    for wide, escapes in product((True, False) if astral else (True,), (True, False) if escaped else (True,)):
        try:
            text = _text(source, sentences, wide=wide, escapes=escapes)
        except FormatError as error:
            problems.append(error)
            continue
        points = range(len(text) + 1) if not wide or is_basic(text) else utf16_to_points(text).tolist()
        wrong = [row for sentence in sentences for row in sentence.rows if not _fits(text, points, row)]
        tried.append((text, points, wide, wrong))
        if not wrong:
            break
    if not tried:
        raise problems[0]
    text, points, wide, wrong = min(tried, key=lambda one: len(one[-1]))
    if wrong:
        tokens, where = counted(len(wrong), "token"), f"{source.name}, line {wrong[0].line}"
        gathered.note("noticed", f"{tokens} unlike the text at its place, as in {where}", len(wrong))
    characters = "whose offsets count characters and not UTF-16 units, as the tokens show"
    gathered.count("taken", "file", characters, astral and not wide)
    return text, points


def _fits(text: str, points: Sequence[int], row: TokenRow) -> bool:
    if not row.start <= row.end < len(points):
        return False
    there = text[points[row.start] : points[row.end]]
    return there in (row.token, unescape(row.token))


def _text(source: Source, sentences: Sequence[WebannoSentence], *, wide: bool, escapes: bool) -> str:
    """The text of a document: sentences, with blanks between them as the offsets of their tokens say."""
    parts: list[str] = []
    size = 0
    for sentence in sentences:
        lines = [unescape(line) if escapes else line for line in sentence.lines]
        start = sentence.rows[0].start if sentence.rows else size
        if size == start + 1 and parts and parts[-1].endswith("\n"):
            parts[-1] = parts[-1][:-1]
            size -= 1
        if not 0 <= start - size <= FARTHEST:
            wrong = f"where the one before it goes on to {size}; offsets must count from the start of the document"
            wrong = wrong if size > start else "far behind the text"
            raise FormatError(f"{source.name}, line {sentence.rows[0].line}: a sentence starts at {start}, {wrong}")
        here = "".join(f"{line}\n" for line in lines)
        parts += [" " * (start - size), here]
        size = start + (len(here.encode("utf-16-le", "surrogatepass")) // 2 if wide else len(here))
    return "".join(parts)


# -- the columns of a table, as its first lines declare them ------------------------------------------------


class Column(NamedTuple):
    """A column: the layer that it belongs to, and what it holds of it."""

    declared: str
    layer: str
    holds: str
    name: str  # of the feature, or of the layer that it refers to


def columns_of(source: Source, lines: Sequence[str]) -> tuple[list[Column], int]:
    """The columns of a table, and the line after those that declare them."""
    columns: list[Column] = []
    for number, line in enumerate(lines[1:], start=1):
        declared = next((prefix for prefix in (SPAN, RELATION, CHAIN) if line.startswith(prefix)), None)
        if declared is None:
            return columns, number
        layer, *names = line.removeprefix(declared).strip().split("|")
        if not layer:
            raise expected(f"{source.name}, line {number + 1}", "the name of a layer", line)
        names = [name for name in names if name]
        before = ""
        for name in names:
            columns.append(_column(declared, layer, name, before))
            before = columns[-1].holds
        if not names:
            columns.append(Column(declared, layer, BARE, ""))
    return columns, len(lines)


def _column(declared: str, layer: str, name: str, before: str) -> Column:
    if declared == RELATION:
        if name.startswith("BT_"):
            return Column(declared, layer, BASE, name.removeprefix("BT_"))
        return Column(declared, layer, FEATURE, name)
    if declared == CHAIN:
        return Column(declared, layer, {"referenceType": TYPE, "referenceRelation": LINK}.get(name, FEATURE), name)
    if name.startswith("ROLE_"):
        feature = name.removeprefix("ROLE_").partition(":")[2].rpartition("_")[0]
        return Column(declared, layer, ROLE, feature or name)
    if before == ROLE:
        return Column(declared, layer, TARGET, name)
    return Column(declared, layer, FEATURE, name)


# -- what cells say -----------------------------------------------------------------------------------------


class PendingLink(NamedTuple):
    """A relation or a slot whose ends are not known until all rows are read."""

    line: int
    arc: Arc
    head: tuple[str, str, int]  # the row, the layer and the number of an annotation
    tail: tuple[str, str, int]


class TableMarks:
    """The annotations of a table in the making."""

    def __init__(self, source: Source, columns: Sequence[Column], document: Annotated) -> None:
        self.source, self.document = source, document
        self.layers = [list(group) for _, group in groupby(enumerate(columns), key=lambda at: at[1][:2])]
        self.units: dict[str, tuple[int, int]] = {}
        self.at: dict[tuple[str, str], list[LayerSpan]] = {}  # by row and layer
        self.numbered: dict[int, LayerSpan] = {}
        self.chained: dict[tuple[str, int, int], LayerSpan] = {}
        self.references: list[PendingLink] = []

    def take(self, line: int, unit: str, place: tuple[int, int], cells: Sequence[str]) -> None:
        """Keep what a row says."""
        if unit in self.units:
            raise FormatError(f"{self._where(line)}: the token {unit} stands in an earlier line, too")
        self.units[unit] = place
        if "." not in unit:
            self.document.tokens.append(place)
        for layer in self.layers:
            keep = {RELATION: self._relation, CHAIN: self._member}.get(layer[0][1].declared, self._span)
            stacks = [split(cells[at], "|") if cells[at] != NOTHING else [] for at, _ in layer]
            for depth in range(max(map(len, stacks))):
                pairs = zip(layer, stacks, strict=True)
                keep(line, unit, [(column, stack[depth]) for (_, column), stack in pairs if depth < len(stack)])

    def _span(self, line: int, unit: str, given: Sequence[tuple[Column, str]]) -> None:
        layer = given[0][0].layer
        parts = [
            (column, *numbered(value)) if column.holds != TARGET else (column, value, 0) for column, value in given
        ]
        number = next((number for *_, number in parts if number), 0)
        mark = self.numbered.get(number)
        fresh = mark is None or mark.layer != layer
        if mark is None or fresh:
            mark = LayerSpan(layer, *self.units[unit])
            self.document.marks.append(mark)
            if number:
                self.numbered[number] = mark
        else:
            mark.start, mark.end = min(mark.start, self.units[unit][0]), max(mark.end, self.units[unit][1])
        self.at.setdefault((unit, layer), []).append(mark)
        for column, value, _ in parts:
            if column.holds == FEATURE:
                self._feature(line, mark.features, column, value)
        if fresh:
            self._slots(line, mark, [(column, value) for column, value, _ in parts])

    def _feature(self, line: int, features: dict[str, str], column: Column, value: str) -> None:
        if value == NO_VALUE:
            return
        plain = unescape(value)
        if features.setdefault(column.name, plain) != plain:
            raise FormatError(
                f"{self._where(line)}: an annotation of {column.layer!r} has {column.name} {plain!r:.40} here and "
                f"{features[column.name]!r:.40} in a line before"
            )

    def _slots(self, line: int, mark: LayerSpan, parts: Sequence[tuple[Column, str]]) -> None:
        roles: list[str] = []
        name = ""
        for column, value in parts:
            if column.holds == ROLE:
                roles, name = split(value, ";"), column.name
            elif column.holds == TARGET:
                for at, target in enumerate(split(value, ";")):
                    if target in {NO_VALUE, NOTHING}:
                        continue
                    place, number = numbered(target)
                    role = roles[at] if at < len(roles) else NO_VALUE
                    arc = Arc(mark.layer, mark, mark, {} if role == NO_VALUE else {"role": unescape(role)}, name)
                    self.references.append(PendingLink(line, arc, ("", "", 0), (place, column.name, number)))
                roles = []

    def _relation(self, line: int, unit: str, given: Sequence[tuple[Column, str]]) -> None:
        column = given[0][0]
        features: dict[str, str] = {}
        here = LayerSpan("", *self.units[unit])
        for part, value in given:
            if part.holds == FEATURE:
                self._feature(line, features, part, numbered(value)[0])
            elif part.holds == BASE:
                match = NUMBERED.fullmatch(value)
                place, ids = (match[1], match[2]) if match else (value, "0_0")
                head, tail = (int(id_[:9]) for id_ in (f"{ids}_0").split("_")[:2])
                base = TOKENS if column.layer == DEPENDENCY else part.name
                self.references.append(
                    PendingLink(line, Arc(column.layer, here, here, features), (place, base, head), (unit, base, tail))
                )

    def _member(self, line: int, unit: str, given: Sequence[tuple[Column, str]]) -> None:
        layer = given[0][0].layer
        link = next((LINKED.fullmatch(value) for column, value in given if column.holds == LINK), None)
        if link is None:
            raise FormatError(f"{self._where(line)}: expected a link of a chain as '*->1-1', found {given[0][1]!r:.40}")
        key = (layer, int(link[2]), int(link[3]))
        start, end = self.units[unit]
        mark = self.chained.setdefault(key, LayerSpan(layer, start, end))
        mark.start, mark.end = min(mark.start, start), max(mark.end, end)
        for column, value in given:
            if column.holds in {TYPE, FEATURE}:
                self._feature(line, mark.features, column, numbered(value)[0])
            elif column.holds == LINK and link[1] != NO_VALUE:
                self._feature(line, mark.features, column, link[1])

    def resolve(self) -> None:
        """Find what relations and slots refer to, and put chains together."""
        for line, arc, head, tail in self.references:
            if head[0]:
                arc.head = self._target(line, *head)
            arc.tail = self._target(line, *tail)
            self.document.arcs.append(arc)
        chains: dict[tuple[str, int], list[LayerSpan]] = {}
        for (layer, chain, _), mark in sorted(self.chained.items(), key=lambda entry: entry[0]):
            chains.setdefault((layer, chain), []).append(mark)
        self.document.chains += [Chain(layer, marks) for (layer, _), marks in chains.items()]
        self.document.marks += [mark for mark in self.chained.values() if mark.features]

    def _target(self, line: int, unit: str, layer: str, number: int) -> LayerSpan:
        """The annotation of a layer on a row; the row itself where it is of none."""
        if unit not in self.units:
            raise FormatError(f"{self._where(line)}: there is no token {unit!r:.40} to refer to")
        if number and number in self.numbered:
            return self.numbered[number]
        marks = self.at.get((unit, layer), [])
        return marks[0] if marks else LayerSpan(layer, *self.units[unit])

    def _where(self, line: int) -> str:
        return f"{self.source.name}, line {line}"


def split(text: str, sign: str) -> list[str]:
    """A cell cut at a sign that no backslash stands before."""
    cuts = re.compile(rf"\\.|{re.escape(sign)}", re.DOTALL)
    return cuts.sub(lambda met: "\0" if met[0] == sign else met[0], text).split("\0")  # no text has a zero in it


def numbered(value: str) -> tuple[str, int]:
    """A value without the number in brackets that tells its annotation apart, and the number."""
    match = NUMBERED.fullmatch(value)
    if match is None or value.endswith("\\]") or len(match[2]) > 9 or "_" in match[2]:
        return value, 0
    return match[1], int(match[2])


def unescape(value: str) -> str:
    """A value without the backslashes before signs that mean something in a table."""
    return ESCAPED.sub(lambda sign: LETTERS.get(sign[1], sign[1]), value) if "\\" in value else value
