"""The lines of a standoff file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from interagree.data.files import Source, lines_of
from interagree.data.provenance import Step, counted
from interagree.errors import Advice, FormatError, ReaderHint
from interagree.gather.marks import SpanValue
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
    """What one file says: first as it stands there, then its ids resolved and its offsets those of the text."""

    source: Source
    annotator: str
    document: str
    raw: str | None  # the text beside it as it is
    spans: dict[str, StandoffSpan] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)  # all but spans
    ids: set[str] = field(default_factory=set)
    relations: list[SpanValue] = field(default_factory=list)
    coreference: list[SpanValue] = field(default_factory=list)

    def where(self, line: int) -> str:
        return f"{self.source.name}, line {line}"


@dataclass
class Counts:
    """What was counted on the way."""

    counts: dict[str, int] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def count(self, what: str, times: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + times

    def as_steps(self) -> list[Step]:
        sentences = {
            "looked": ("assumed", "empty .ann file", "{} taken as looked at, nothing to mark ({}: as not)"),
            "unseen": ("dropped", "empty .ann file", "{} left out as never looked at"),
            "notes": ("dropped", "note", "{} left out"),
            "events": ("taken", "event", "the arguments of {} taken as relations from their triggers, Type:Role"),
            "of relations": ("dropped", "attribute", "{} of relations left out"),
            "others": ("dropped", "'*' line", "{} of another type than Equiv left out"),
            "utf16": ("taken", ".ann file", "{} counted in UTF-16 units, brought to characters"),
            "mixed": ("taken", ".ann file", "{} partly counted in UTF-16 units, each span taken as its text shows"),
            "changed": ("taken", ".ann file", "{} fitted to the text with other line ends or byte order mark"),
        }  # fmt: skip
        return [
            *(
                Step(
                    what,
                    Advice(sentence.format(counted(self.counts[name], thing), UNSEEN), [UNSEEN]),
                    self.counts[name],
                )
                for name, (what, thing, sentence) in sentences.items()
                if name in self.counts
            ),
            *self.steps,
        ]


def read_standoff(file: OwnedFile, empty: str, encoding: str, counts: Counts) -> Standoff | None:
    content = file.source.text(encoding).removeprefix("\ufeff")
    if not content.strip():
        counts.count(empty)
        if empty == "unseen":
            return None
    standoff = Standoff(file.source, file.annotator, file.document, _raw_text(file.source, encoding))
    for number, line in enumerate(lines_of(content), start=1):
        _take(standoff, number, line, counts)
    return standoff


def _raw_text(source: Source, encoding: str) -> str | None:
    beside = None if source.path is None else source.path.with_suffix(".txt")
    return None if beside is None or not beside.exists() else Source(str(beside), beside).text(encoding)


def _take(file: Standoff, number: int, line: str, counts: Counts) -> None:
    """Keep what a line says."""
    if not line.strip():
        return
    if line.startswith("#"):
        counts.count("notes")
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
