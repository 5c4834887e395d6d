"""UEM files: the stretches of recordings that are scored.

    recording 1 0.000 300.000

A turn is cut where a stretch ends; what lies outside, and recordings of which no stretch is scored, is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from interagree.data.files import Source, lines_of
from interagree.data.provenance import counted
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather import units
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Number

SUFFIX = ".uem"
Stretches: TypeAlias = list[tuple[Number, Number]]


class Turn(NamedTuple):
    """A turn with the recording and the channel that it is in, whose it is, and of which file."""

    recording: str
    channel: str
    document: str
    annotator: str
    file: str
    start: Number
    end: Number
    speaker: str | None = None
    only_looked: bool = False  # nothing was heard in what is scored


class Scored(NamedTuple):
    """The scored stretches of recordings, by recording and channel."""

    sources: tuple[Source, ...]
    stretches: dict[tuple[str, str], Stretches]

    def of(self, recording: str, channel: str) -> Stretches:
        """The stretches of a recording; none where it is not scored."""
        if (recording, channel) in self.stretches:
            return self.stretches[recording, channel]
        others = [key for key in self.stretches if key[0] == recording]
        return self.stretches[others[0]] if len(others) == 1 else []


def scored_regions(
    sources: Sequence[Source], uem: str | Path | Sequence[str | Path] | None, encoding: str, gathered: Gatherer
) -> Scored | None:
    """What is scored by the files that are named, or that lie beside those of turns under the same name."""
    if uem is not None:
        files = [Source.of(path) for path in ([uem] if isinstance(uem, str | Path) else uem)]
    else:
        paths = dict.fromkeys(source.path.with_suffix(SUFFIX) for source in sources if source.path is not None)
        files = [Source.of(path) for path in paths if path.exists()]
        if not files:
            _notice(sources, gathered)
            return None
    stretches: dict[tuple[str, str], Stretches] = {}
    for file in files:
        for key, found in _read(file, file.text(encoding)).items():
            if stretches.setdefault(key, found) != found:
                raise FormatError(
                    f"{file.name}: the recording {key[0]!r} is scored from {found[0][0]} on in {len(found)} stretches "
                    f"here, and otherwise in another of {listing([one.name for one in files], quote=False)}; all "
                    "annotators of a recording are scored alike, so name one file with uem="
                )
    if not stretches:
        raise FormatError(f"{listing([file.name for file in files], quote=False)}: there is no stretch to score")
    return Scored(tuple(files), stretches)


def _notice(sources: Sequence[Source], gathered: Gatherer) -> None:
    """Say that a UEM file of another name lies beside."""
    folders = dict.fromkeys(source.path.parent for source in sources if source.path is not None)
    others = [file for folder in folders for file in sorted(folder.glob(f"*{SUFFIX}"))]
    if others:
        sentence = f"{listing([file.name for file in others], most=3)} lies beside and is not used ("
        hint = ReaderHint("uem", str(others[0]))
        gathered.note("noticed", Advice.of(sentence, hint, " restricts turns to what it scores)"), len(others))


def _read(source: Source, text: str) -> dict[tuple[str, str], Stretches]:
    by_key: dict[tuple[str, str], Stretches] = {}
    for line, content in enumerate(lines_of(text), start=1):
        cells = content.split()
        if not cells or cells[0].startswith((";", "#")):
            continue
        if len(cells) != 4:
            raise FormatError(
                f"{source.name}, line {line}: expected 'recording channel start end', found {content.strip()[:60]!r}"
            )
        start, end = (units.position(source.name, f"line {line}", cells[at]) for at in (2, 3))
        if not 0 <= start < end:
            raise FormatError(
                f"{source.name}, line {line}: expected a stretch that begins at 0 or later and ends after that, found "
                f"{cells[2]!r} to {cells[3]!r}"
            )
        by_key.setdefault((cells[0], cells[1]), []).append((start, end))
    return {key: merged(stretches) for key, stretches in by_key.items()}


def merged(stretches: Iterable[tuple[Number, Number]]) -> Stretches:
    """Stretches in order, those that overlap or touch as one."""
    made: Stretches = []
    for start, end in sorted(stretches):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made


def within(turns: Sequence[Turn], scored: Scored, gathered: Gatherer) -> Iterator[Turn]:
    """Turns cut to what is scored; who spoke outside of it alone has looked and marked nothing."""
    outside = cut = 0
    unscored = Counter[str]()
    for turn in turns:
        stretches = scored.of(turn.recording, turn.channel)
        if not stretches:
            unscored[turn.recording] += 1
            continue
        start, end = turn.start, turn.end
        pieces = [(max(start, low), min(end, high)) for low, high in stretches if low <= end and high >= start]
        pieces = [(low, high) for low, high in pieces if low < high or start == end]
        outside += not pieces
        cut += bool(pieces) and pieces != [(start, end)]
        yield turn._replace(only_looked=True)
        for low, high in pieces:
            yield turn._replace(start=low, end=high)
    names = listing([source.name for source in scored.sources], quote=False)
    sentence = f"turns restricted to what {names} scores"
    sentence += f", {counted(outside, 'turn')} outside left out" if outside else ""
    gathered.note("taken", sentence + (f", {cut:,} cut at its ends" if cut else ""), outside + cut)
    rest = f"of recordings that are not scored ({listing(unscored, most=3)}) left out"
    gathered.left_out("turn", rest, unscored.total())
