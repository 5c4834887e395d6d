"""Praat TextGrids: tiers of intervals and points over a recording, in the long or the short text form.

A file is a document.  Tiers are annotators where their labels overlap, or where they are called so (``coder 1``); where
they may as well be layers, such as sounds and words, the error asks.  ``item=``, ``annotator=`` and ``label=`` say what
is what, with the words {file}, {folder}, {tier} and {text}: ``annotator="{folder}"`` for a folder for each annotator,
``annotator="{file}"`` for a file for each annotator of one recording (the document is then the folder), and
``label="{tier}"`` where the tier says what was found.  ``tiers=`` names those to read.

Intervals without a label are the gaps between units and are left out.  A tier with nothing in it says that the
annotator looked and marked nothing.  Tiers of one name are told apart by a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, fill_pattern, pattern_words, places
from interagree.data.provenance import Step, counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, listing
from interagree.gather import units
from interagree.gather.marks import Number
from interagree.gather.units import Unit
from interagree.readers._options import Tiers
from interagree.readers._tiers import TierLabels, check_files, check_people, named_tiers, numbered

SUFFIXES = (".textgrid",)
# A text, a flag, or a number that stands free; all else, as 'xmin =' and 'intervals [1]:', is for human readers.
TOKENS = re.compile(
    r'"(?P<text>(?:[^"]|"")*)"|<(?P<flag>\w+)>|(?P<comment>(?<!\S)![^\n]*)'
    r"|(?<!\S)(?P<number>[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?)(?!\S)"
)
INTERVALS, POINTS = "IntervalTier", "TextTier"
BINARY = b"ooBinaryFile"


class Tier(NamedTuple):
    """A tier as it stands in a file."""

    name: str
    marks: list[tuple[Number, Number, str]]  # start, end and text
    points: bool


class Tokens:
    """The texts, flags and numbers of a file, one after the other."""

    def __init__(self, source: Source, text: str) -> None:
        self.source, self.text, self.at = source.name, text, 0
        self.begins: Number = 0  # when the recording does
        self.tokens = [match for match in TOKENS.finditer(text) if match["comment"] is None]

    @property
    def where(self) -> str:
        """The line of the next token."""
        end = self.tokens[self.at].start() if self.at < len(self.tokens) else len(self.text)
        return f"line {self.text.count(chr(10), 0, end) + 1}"

    def next(self, kind: str, wanted: str) -> str:
        """The next token, which must be of a kind."""
        if self.at >= len(self.tokens):
            raise FormatError(f"{self.source} ends too early: expected {wanted}")
        match = self.tokens[self.at]
        if match[kind] is None:
            raise FormatError(f"{self.source}, {self.where}: expected {wanted}, found {match[0][:60]!r}")
        self.at += 1
        return match[kind].replace('""', '"') if kind == "text" else match[kind]

    def number(self, wanted: str) -> Number:
        """The next token as a number."""
        where = self.where
        return units.position(self.source, where, self.next("number", wanted))

    def time(self, wanted: str) -> Number:
        """The next token as a time within the recording."""
        where = self.where
        return units.time(self.source, where, self.next("number", wanted), begins=self.begins)

    def count(self, wanted: str) -> int:
        """The next token as a number of things."""
        where, number = self.where, self.number(wanted)
        if number < 0 or number != int(number):
            raise FormatError(f"{self.source}, {where}: expected a whole number for {wanted}, found {number!r}")
        return int(number)

    @property
    def done(self) -> bool:
        """Whether all tokens were read."""
        return self.at >= len(self.tokens)


@reader("Praat TextGrid", suffixes=SUFFIXES, together=True)
def textgrid(path: Paths, *, encoding: str | None = None, **options: Unpack[Tiers]) -> Study:
    """The tiers of a file, of several, or of all files of a folder; times in seconds.

    Args:
        path: A file, a folder, or a list of them.
        encoding: How the files are written; recognised by default.
    """
    annotator, label, tiers = options["annotator"], options["label"], options["tiers"]
    who = annotator or "{tier}"
    item = options["item"] or ("{folder}" if "{file}" in who else "{file}")
    units.check_different(item, who)
    sources = list(files_in(path, SUFFIXES))
    steps: list[Step] = [Step("taken", f"document from {item}, annotator from {who}, category from {label}")]
    read = [(source, _tiers(source, _text(source, encoding, steps), steps)) for source in sources]
    if tiers is not None:
        read = list(zip(sources, named_tiers(read, tiers), strict=True))
    if annotator is None and (tiers is None or isinstance(tiers, str)):
        steps += check_people([(source, [_labels(tier) for tier in chosen]) for source, chosen in read], places(path))
    marked = [(source, list(_units(source, chosen, (item, who, label), steps))) for source, chosen in read]
    check_files(marked, places(path))
    every_unit = [unit for _, found in marked for unit in found]
    return units.study_of_units(
        sources, every_unit, units.UnitOptions(options["looked"], options["points"]), steps=steps
    )


def _labels(tier: Tier) -> TierLabels:
    return TierLabels(tier.name, frozenset(text.strip() for _, _, text in tier.marks if text.strip()))


def _text(source: Source, encoding: str | None, steps: list[Step]) -> str:
    with source.open() as stream:
        if stream.read(len(BINARY)) == BINARY:
            raise FormatError(f"{source.name}: a TextGrid in binary form; save it in Praat as a text file")
    text, assumed = source.decoded(encoding)
    if assumed is not None:
        steps.append(Step("assumed", f"{source.name}: text in {assumed}"))
    return text


def _tiers(source: Source, text: str, steps: list[Step]) -> list[Tier]:
    tokens = Tokens(source, text)
    kinds = [tokens.next("text", "a TextGrid") for _ in range(2)]
    if not kinds[0].startswith("ooTextFile") or kinds[1] != "TextGrid":
        raise FormatError(f"{source.name}: expected a TextGrid in a text form, found {listing(kinds)}; save it as text")
    tokens.begins = tokens.number("the start of the recording")
    tokens.number("its end")
    if tokens.next("flag", "<exists>") != "exists":
        return []
    tiers = [_tier(tokens) for _ in range(tokens.count("the number of tiers"))]
    if not tokens.done:
        more = "and it goes on behind the last one, so tiers would be lost; correct the number"
        raise FormatError(f"{source.name}, {tokens.where}: the file states {counted(len(tiers), 'tier')}, {more}")
    return numbered(source, tiers, steps)


def _tier(tokens: Tokens) -> Tier:
    where = tokens.where
    kind = tokens.next("text", "the class of a tier")
    if kind not in {INTERVALS, POINTS}:
        raise FormatError(f"{tokens.source}, {where}: expected {INTERVALS!r} or {POINTS!r}, found {kind!r}")
    name = tokens.next("text", "the name of a tier")
    for wanted in ("the start of a tier", "its end"):
        tokens.number(wanted)
    marks = []
    for _ in range(tokens.count("the number of intervals or points")):
        where = tokens.where
        start = tokens.time("the time of a mark")
        end = tokens.number("the end of an interval") if kind == INTERVALS else start
        units.check_ends_after(tokens.source, where, start, end)
        marks.append((start, end, tokens.next("text", "the label of a mark")))
    return Tier(name, marks, kind == POINTS)


def _units(source: Source, tiers: list[Tier], patterns: tuple[str, str, str], steps: list[Step]) -> Iterator[Unit]:
    gaps = 0
    for tier in tiers:
        parts = {**pattern_words(source), "tier": tier.name}
        document, who = units.filled_in(patterns[0], patterns[1], parts)
        yield Unit(document, who)
        for start, end, text in tier.marks:
            if not text.strip():
                gaps += 1
                continue
            made = fill_pattern(patterns[2], {**parts, "text": text}, option="label")
            yield Unit(document, who, start, end, made)
    steps += noted("dropped", f"{source.name}: {counted(gaps, 'interval')} without a label left out, as gaps", gaps)
