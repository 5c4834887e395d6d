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
from collections import Counter
from typing import Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, listing
from interagree.gather import units
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Number, Span
from interagree.gather.tiers import Tier, TierPatterns, gatherer_of_recordings, study_of_tiers
from interagree.readers._options import Tiers

SUFFIXES = (".textgrid",)
# A text, a flag, or a number that stands free; all else, as 'xmin =' and 'intervals [1]:', is for human readers.
TOKENS = re.compile(
    r'"(?P<text>(?:[^"]|"")*)"|<(?P<flag>\w+)>|(?P<comment>(?<!\S)![^\n]*)'
    r"|(?<!\S)(?P<number>[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?)(?!\S)"
)
INTERVALS, POINTS = "IntervalTier", "TextTier"
BINARY = b"ooBinaryFile"


class Tokens:
    """The texts, flags and numbers of a file, one after the other."""

    def __init__(self, source: Source, text: str) -> None:
        self.source, self.text, self.at = source.name, text, 0
        self.line, self.counted = 1, 0
        self.tokens = [match for match in TOKENS.finditer(text) if match["comment"] is None]

    @property
    def where(self) -> str:
        """The line of the next token, in its file."""
        end = self.tokens[self.at].start() if self.at < len(self.tokens) else len(self.text)
        self.line += self.text.count("\n", self.counted, end)  # from where it was counted to before
        self.counted = end
        return f"{self.source}, line {self.line}"

    def next(self, kind: str, wanted: str) -> str:
        """The next token, which must be of a kind."""
        if self.at >= len(self.tokens):
            raise FormatError(f"{self.source} ends too early: expected {wanted}")
        match = self.tokens[self.at]
        if match[kind] is None:
            raise FormatError(f"{self.where}: expected {wanted}, found {match[0][:60]!r}")
        self.at += 1
        return match[kind].replace('""', '"') if kind == "text" else match[kind]

    def number(self, wanted: str) -> Number:
        """The next token as a number."""
        where = self.where
        return units.position(where, self.next("number", wanted))

    def times(self, wanted: str) -> range:
        """The next token as a number of things, which follow."""
        where, number = self.where, self.number(wanted)
        if number < 0 or number != int(number):
            raise FormatError(f"{where}: expected a whole number for {wanted}, found {number!r}")
        return range(int(number))


@reader("Praat TextGrid", suffixes=SUFFIXES, together=True)
def textgrid(path: Paths, *, encoding: str | None = None, **options: Unpack[Tiers]) -> Study:
    """The tiers of a file, of several, or of all files of a folder; times in seconds.

    Args:
        path: A file, a folder, or a list of them.
        encoding: How the files are written; recognised by default.
    """
    how = units.UnitOptions(options["looked"], options["points"])
    gathered = gatherer_of_recordings("Praat TextGrid", path, SUFFIXES, how)
    texts = ((source, _text(source, encoding, gathered)) for source in gathered.sources)
    files = [(source, _tiers(Tokens(source, text), gathered)) for source, text in texts]
    given = TierPatterns(options["item"], options["annotator"], options["label"], options["tiers"])
    return study_of_tiers(gathered, path, files, given)


def _text(source: Source, encoding: str | None, gathered: Gatherer) -> str:
    with source.open() as stream:
        if stream.read(len(BINARY)) == BINARY:
            raise FormatError(f"{source.name}: a TextGrid in binary form; save it in Praat as a text file")
    text, assumed = source.decoded(encoding)
    if assumed is not None:
        gathered.note("assumed", f"{source.name}: text in {assumed}")
    return text


def _tiers(tokens: Tokens, gathered: Gatherer) -> list[Tier]:
    kinds = [tokens.next("text", "a TextGrid") for _ in range(2)]
    if not kinds[0].startswith("ooTextFile") or kinds[1] != "TextGrid":
        raise FormatError(
            f"{tokens.source}: expected a TextGrid in a text form, found {listing(kinds)}; save it as text"
        )
    begins = tokens.number("the start of the recording")
    tokens.number("its end")
    if tokens.next("flag", "<exists>") != "exists":
        return []
    tiers = [_tier(tokens, begins) for _ in tokens.times("the number of tiers")]
    if tokens.at < len(tokens.tokens):
        more = "and it goes on behind the last one, so tiers would be lost; correct the number"
        raise FormatError(f"{tokens.where}: the file states {counted(len(tiers), 'tier')}, {more}")
    seen: Counter[str] = Counter()
    for at, tier in enumerate(tiers):  # those of one name are told apart by a number
        seen[tier.name] += 1
        if tier.name and seen[tier.name] > 1:
            tiers[at] = tier._replace(name=f"{tier.name} ({seen[tier.name]})")
    if twice := [name for name, times in seen.items() if name and times > 1]:
        sentence = f"{tokens.source}: several tiers are called {listing(twice)}; numbered"
        gathered.note("noticed", sentence, len(twice))
    return tiers


def _tier(tokens: Tokens, begins: Number) -> Tier:
    where = tokens.where
    kind = tokens.next("text", "the class of a tier")
    if kind not in {INTERVALS, POINTS}:
        raise FormatError(f"{where}: expected {INTERVALS!r} or {POINTS!r}, found {kind!r}")
    name = tokens.next("text", "the name of a tier")
    for wanted in ("the start of a tier", "its end"):
        tokens.number(wanted)
    spans = []
    for _ in tokens.times("the number of intervals or points"):
        where = tokens.where
        start = units.time(where, tokens.next("number", "the time of a mark"), begins=begins)
        end = tokens.number("the end of an interval") if kind == INTERVALS else start
        units.check_ends_after(where, start, end)
        spans.append(Span(start, end, tokens.next("text", "the label of a mark")))
    marked = [span for span in spans if span.label and span.label.strip()]
    return Tier(name, marked, left=[("interval", "without a label left out, as gaps", len(spans) - len(marked))])
