"""The lines of a standoff file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from interagree.data.files import Source, lines_of
from interagree.errors import Advice, FormatError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.gather.whose import OwnedFile

FORMS = {
    "T": "'T1<tab>Label start end<tab>text'",
    "R": "'R1<tab>Type Arg1:T1 Arg2:T2'",
    "E": "'E1<tab>Type:T1 Role:T2 …'",
    "A": "'A1<tab>Name T1' or 'A1<tab>Name T1 value'",
    "M": "'M1<tab>Name T1'",
    "N": "'N1<tab>Reference T1 resource:id<tab>text'",
    "*": "'*<tab>Equiv T1 T2 …'",
}
UNSEEN = ReaderHint("empty", "unseen")
PLAIN = re.compile(r"T[^\t]*\t([^ \t]+) ([0-9]{1,15}) ([0-9]{1,15})\t(.*)", re.DOTALL)  # a span in one piece


class StandoffSpan(NamedTuple):
    line: int
    label: str
    pieces: tuple[tuple[int, int], ...]
    covered: str


class Line(NamedTuple):
    number: int
    id: str
    words: list[str]


@dataclass
class Standoff:
    """What one file says, as it stands there."""

    source: Source
    annotator: str
    document: str
    raw: str | None  # the text beside it as it is
    spans: dict[str, StandoffSpan] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)  # all but spans
    ids: set[str] = field(default_factory=set)

    def where(self, line: int) -> str:
        return f"{self.source.name}, line {line}"


def read_standoff(file: OwnedFile, empty: str, encoding: str, gathered: Gatherer) -> Standoff | None:
    content = file.source.text(encoding).removeprefix("\ufeff")
    if not content.strip() and empty == "unseen":
        gathered.left_out("empty .ann file", "left out as never looked at")
        return None
    if not content.strip():
        looked = Advice.of("taken as looked at, nothing to mark (", UNSEEN, ": as not)")
        gathered.count("assumed", "empty .ann file", looked)
    standoff = Standoff(file.source, file.annotator, file.document, _raw_text(file.source, encoding))
    for number, line in enumerate(lines_of(content), start=1):
        _take(standoff, number, line, gathered)
    return standoff


def _raw_text(source: Source, encoding: str) -> str | None:
    beside = None if source.path is None else source.path.with_suffix(".txt")
    return None if beside is None or not beside.exists() else Source(str(beside), beside).text(encoding)


def _take(file: Standoff, number: int, line: str, gathered: Gatherer) -> None:
    """Keep what a line says."""
    if not line.strip():
        return
    if line.startswith("#"):
        gathered.left_out("note")
        return
    id_, _, rest = line.partition("\t")
    kind = id_[:1]
    if kind not in FORMS or not rest:
        expected = FORMS.get(kind, "a line that begins with T, R, E, A, M, N, * or #")
        raise FormatError(f"{file.where(number)}: expected {expected}, found {line[:60]!r}")
    if id_ in file.ids:
        raise FormatError(f"{file.where(number)}: {id_} is already used; every id must be unique")
    file.ids |= set() if kind == "*" else {id_}
    if kind == "T":
        file.spans[id_] = _span(file, number, line)
    else:
        file.lines.append(Line(number, id_, rest.split("\t")[0].split()))


def _span(file: Standoff, number: int, line: str) -> StandoffSpan:
    plain = PLAIN.fullmatch(line)
    if plain is not None and int(plain[2]) <= int(plain[3]):
        return StandoffSpan(number, plain[1], ((int(plain[2]), int(plain[3])),), plain[4])
    try:
        _, where, *covered = line.split("\t", 2)
        label, offsets = where.split(" ", 1)
        pieces = [piece.split() for piece in offsets.split(";")]
        laid = tuple((int(start), int(end)) for start, end in pieces)
    except ValueError:
        raise FormatError(f"{file.where(number)}: expected {FORMS['T']}, found {line[:60]!r}") from None
    if any(start < 0 or end < start for start, end in laid):
        raise FormatError(f"{file.where(number)}: a span ends before it starts, or starts before the text: {where!r}")
    return StandoffSpan(number, label, laid, covered[0] if covered else "")
