"""RTTM, Rich Transcription Time Marked: who spoke when.

    SPEAKER recording 1 0.678 1.533 <NA> <NA> speaker2 <NA> <NA>

A file is one annotator, called as the file is, and the second field is the document; ``annotator="{recording}"`` with
``item="{file}"`` takes it the other way round.  The speaker is the category.

**Speakers** are taken as they are called: where annotators name the same voice differently, they disagree on every turn
of it.  ``speakers="map"`` maps those of each annotator one to one to those of the first one, or of ``reference=``, in
each recording, so that the time in which both speak is as long as possible, as the diarization error rate does.
Galibert, O. (2013). Methodologies for the evaluation of speaker diarization and automatic speech recognition in the
presence of overlapping speech. Interspeech, 1131-1134.

**Scored regions.** A UEM file that is called as one of the files restricts turns to the stretches that it names, for
all annotators; ``uem=`` names one that is called otherwise.  Its lines are ``recording 1 0.000 300.000``.  Turns are
cut where a stretch ends; what lies outside, and recordings of which no stretch is scored, is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data.files import Source, lines_of
from interagree.data.paths import Paths, pattern_words
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, Hint, ReaderHint, UnknownName, listing, suggestion
from interagree.gather import units
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Number, Span
from interagree.gather.tiers import Files, Tier, TierPatterns, gatherer_of_recordings, study_of_tiers
from interagree.readers._options import UnitReaderOptions

FIELDS = 9  # the tenth, a lookahead, is often not there
MOST_FIELDS = 10
NONE = "<NA>"
UEM = ".uem"
MAPPING = ReaderHint("speakers", "map")
Stretches: TypeAlias = list[tuple[Number, Number]]
Voices: TypeAlias = dict[str, Stretches]  # the turns of each speaker


class Scored(NamedTuple):
    """The scored stretches of recordings, by recording and channel, and the files that say so."""

    names: list[str]
    stretches: dict[tuple[str, str], Stretches]

    def of(self, recording: str, channel: str) -> Stretches:
        """The stretches of a recording; none where it is not scored."""
        others = [stretches for (name, _), stretches in self.stretches.items() if name == recording]
        return self.stretches.get((recording, channel), others[0] if len(others) == 1 else [])


@reader("RTTM", suffixes=(".rttm",), together=True)
def rttm(
    path: Paths,
    *,
    item: str = "{recording}",
    annotator: str = "{file}",
    speakers: Literal["keep", "map"] = "keep",
    reference: str | None = None,
    uem: str | Path | Sequence[str | Path] | None = None,
    encoding: str = "utf-8-sig",
    **options: Unpack[UnitReaderOptions],
) -> Study:
    """The SPEAKER lines of a file, of several, or of all files of a folder; times in seconds.

    Args:
        path: A file, a folder, or a list of them.
        item: What the document is: a pattern of "{recording}", "{channel}", "{file}" and "{folder}".
        annotator: Who annotated, likewise.
        speakers: "keep" the names of speakers, or "map" those of each annotator to those of the reference.
        reference: The annotator whose names of speakers count; the first one where none is named.
        uem: The file, or files, of the stretches that are scored; else those beside the files, of the same name.
        encoding: How the files are written.
    """
    how = units.UnitOptions(options["looked"], options["points"])
    gathered = gatherer_of_recordings("RTTM", path, (".rttm",), how)
    files: Files = [(source, _tiers(source, encoding, item, annotator, gathered)) for source in gathered.sources]
    scored = _scored(gathered.sources, uem, encoding, gathered)
    files = files if scored is None else _within(files, scored, gathered)
    if speakers == "map":
        files = _mapped(files, item, annotator, reference, gathered)
    else:
        sentence = Advice.of("a speaker who is called the same is the same (", MAPPING, " maps them by shared time)")
        gathered.note("assumed", sentence)
    return study_of_tiers(gathered, path, files, TierPatterns(item, annotator, "{speaker}"))


def _tiers(source: Source, encoding: str, item: str, annotator: str, gathered: Gatherer) -> list[Tier]:
    """The turns of each speaker in a channel of a recording, as a tier."""
    turns: dict[tuple[str, str, str], list[Span]] = {}
    for line, content in enumerate(lines_of(source.text(encoding)), start=1):
        cells, where = content.split(), f"{source.name}, line {line}"
        if not cells or cells[0].startswith(";"):
            continue
        if cells[0] != "SPEAKER":
            gathered.left_out("line", "of another type than SPEAKER left out")
            continue
        if not FIELDS - 1 <= len(cells) <= MOST_FIELDS:
            raise FormatError(
                f"{where}: expected 'SPEAKER recording channel start duration <NA> <NA> speaker', "
                f"at most {MOST_FIELDS} fields, found {len(cells)}: {content.strip()[:60]!r}; names have no "
                "spaces in them"
            )
        # Patterns may name these, and not the speaker.
        units.filled_in(item, annotator, {**pattern_words(source), "recording": cells[1], "channel": cells[2]})
        start = units.time(where, cells[3])
        length = units.position(where, cells[4])
        if length < 0:
            raise FormatError(f"{where}: expected a duration from 0 up, found {cells[4]!r}")
        # 0.678 + 1.533 is not quite 2.211 in binary; what two annotators cut at one place should end at one place.
        span = Span(start, round(start + length, 9))
        turns.setdefault((cells[1], cells[2], "" if cells[7] == NONE else cells[7]), []).append(span)
    channels = Counter(recording for recording, _ in dict.fromkeys(key[:2] for key in turns))
    several = [recording for recording, times in channels.items() if times > 1]
    if several and not any("{channel}" in pattern for pattern in (item, annotator)):
        apart = Hint("item", "{recording} {channel}")
        sentence = f"{source.name}: the channels of {listing(several, most=3)} are taken together; "
        gathered.note("noticed", Advice.of(sentence, apart, " keeps them apart"), len(several))
    return [
        Tier(speaker, spans, words={"recording": recording, "channel": channel, "speaker": speaker})
        for (recording, channel, speaker), spans in turns.items()
    ]


# -- scored regions ------------------------------------------------------------------------------------------


def _scored(
    sources: Sequence[Source], uem: str | Path | Sequence[str | Path] | None, encoding: str, gathered: Gatherer
) -> Scored | None:
    """What is scored by the files that are named, or that lie beside those of turns under the same name."""
    if uem is not None:
        files = [Source.of(path) for path in ([uem] if isinstance(uem, str | Path) else uem)]
    else:
        known = [source.path for source in sources if source.path is not None]
        files = [Source.of(path) for path in dict.fromkeys(p.with_suffix(UEM) for p in known) if path.exists()]
        others = [file for folder in dict.fromkeys(p.parent for p in known) for file in sorted(folder.glob(f"*{UEM}"))]
        if not files and others:
            sentence = f"{listing([file.name for file in others], most=3)} lies beside and is not used ("
            hint = ReaderHint("uem", str(others[0]))
            gathered.note("noticed", Advice.of(sentence, hint, " restricts turns to what it scores)"), len(others))
        if not files:
            return None
    names = [file.name for file in files]
    stretches: dict[tuple[str, str], Stretches] = {}
    for file in files:
        for key, found in _stretches(file, encoding).items():
            if stretches.setdefault(key, found) != found:
                raise FormatError(
                    f"{file.name}: the recording {key[0]!r} is scored from {found[0][0]} on in {len(found)} stretches "
                    f"here, and otherwise in another of {listing(names, quote=False)}; all annotators of a recording "
                    "are scored alike, so name one file with uem="
                )
    if not stretches:
        raise FormatError(f"{listing(names, quote=False)}: there is no stretch to score")
    return Scored(names, stretches)


def _stretches(source: Source, encoding: str) -> dict[tuple[str, str], Stretches]:
    by_key: dict[tuple[str, str], Stretches] = {}
    for line, content in enumerate(lines_of(source.text(encoding)), start=1):
        cells, where = content.split(), f"{source.name}, line {line}"
        if not cells or cells[0].startswith((";", "#")):
            continue
        if len(cells) != 4:
            raise FormatError(f"{where}: expected 'recording channel start end', found {content.strip()[:60]!r}")
        start, end = (units.position(where, cell) for cell in cells[2:])
        if not 0 <= start < end:
            raise FormatError(
                f"{where}: expected a stretch that begins at 0 or later and ends after that, found "
                f"{cells[2]!r} to {cells[3]!r}"
            )
        by_key.setdefault((cells[0], cells[1]), []).append((start, end))
    return {key: _merged(stretches) for key, stretches in by_key.items()}


def _merged(stretches: Iterable[tuple[Number, Number]]) -> Stretches:
    """Stretches in order, those that overlap or touch as one."""
    made: Stretches = []
    for start, end in sorted(stretches):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made


def _within(files: Files, scored: Scored, gathered: Gatherer) -> Files:
    """Turns cut to what is scored; who spoke outside of it alone has looked and marked nothing."""
    outside = cut = 0
    unscored = Counter[str]()
    kept: list[tuple[Source, list[Tier]]] = []
    for source, tiers in files:
        kept.append((source, []))
        for tier in tiers:
            stretches = scored.of(tier.words["recording"], tier.words["channel"])
            if not stretches:
                unscored[tier.words["recording"]] += len(tier.spans)
                continue
            spans: list[Span] = []
            for turn in tier.spans:
                start, end, *_ = turn
                pieces = [(max(start, low), min(end, high)) for low, high in stretches if low <= end and high >= start]
                pieces = [(low, high) for low, high in pieces if low < high or start == end]
                outside += not pieces
                cut += bool(pieces) and pieces != [(start, end)]
                spans += (Span(low, high) for low, high in pieces)
            kept[-1][1].append(tier._replace(spans=spans))
    sentence = f"turns restricted to what {listing(scored.names, quote=False)} scores"
    sentence += f", {counted(outside, 'turn')} outside left out" if outside else ""
    gathered.note("taken", sentence + (f", {cut:,} cut at its ends" if cut else ""), outside + cut)
    rest = f"of recordings that are not scored ({listing(unscored, most=3)}) left out"
    gathered.left_out("turn", rest, unscored.total())
    return kept


# -- speakers ------------------------------------------------------------------------------------------------


def _mapped(files: Files, item: str, annotator: str, reference: str | None, gathered: Gatherer) -> Files:
    """Turns whose speakers are called as those of the reference."""
    placed = [
        (source, tier, units.filled_in(item, annotator, {**pattern_words(source), **tier.words}))
        for source, tiers in files
        for tier in tiers
    ]
    people = list(dict.fromkeys(who for _, _, (_, who) in placed))
    if reference is not None and reference not in people:
        raise UnknownName(
            f"there is no annotator {reference!r} to map speakers to; there are {listing(people)}."
            + suggestion(reference, people)
        )
    order = sorted(people, key=lambda who: who != reference)
    voices: dict[tuple[str, str], Voices] = {}
    for _, tier, cell in placed:
        spoken = voices.setdefault(cell, {}).setdefault(tier.words["speaker"], [])
        spoken += [(span.start, span.end) for span in tier.spans]
    names: dict[tuple[str, str], dict[str, str]] = {}
    told: list[str] = []
    number = 0
    for document in dict.fromkeys(document for document, _ in voices):
        known = {
            who: {name: _merged(spoken) for name, spoken in voices[document, who].items() if name and spoken}
            for who in order
            if (document, who) in voices
        }
        (_, theirs), *others = known.items()
        for who, mine in others:
            pairs = _pairs(theirs, mine)
            # Who is nobody of the reference has a name that it does not use.
            names[document, who] = {name: f"{name} ({who})" for name in mine if name in theirs} | pairs
            number += len(pairs)
            shown = ", ".join(f"{voice} is {other}" for voice, other in pairs.items())
            told.append(f"{document}: {who}'s {shown}" if pairs else f"{document}: none of {who}'s")
    those = f"those of {order[0]!r}" if order else "the first"
    shares = f"by the time they share ({listing(told, quote=False, most=4)})"
    gathered.note("taken", f"{counted(number, 'speaker')} mapped to {those} {shares}", number)
    made: dict[Source, list[Tier]] = {source: [] for source, _ in files}
    for source, tier, cell in placed:
        speaker = tier.words["speaker"]
        renamed = {**tier.words, "speaker": names.get(cell, {}).get(speaker, speaker)}
        made[source].append(tier._replace(words=renamed))
    return [*made.items()]


def _pairs(reference: Voices, other: Voices) -> dict[str, str]:
    """The speakers of an annotator with those of the reference that they are, so that most time is shared."""
    from scipy.optimize import linear_sum_assignment

    if not reference or not other:
        return {}
    theirs, mine = sorted(reference), sorted(other)
    ends = np.array([stretch for name in theirs for stretch in reference[name]], dtype=float)
    first = np.cumsum([0, *(len(reference[name]) for name in theirs[:-1])])
    # How much of each voice is covered up to every end of theirs, and so between the two ends of a stretch.
    up_to = [np.interp(ends, *_covered(other[voice])) for voice in mine]
    shared = np.array([np.add.reduceat(covered[:, 1] - covered[:, 0], first) for covered in up_to])
    rows, columns = linear_sum_assignment(shared, maximize=True)
    return {mine[i]: theirs[j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if shared[i, j] > 0}


def _covered(stretches: Stretches) -> tuple[Floats, Floats]:
    """Moments, and how much is covered up to each."""
    ends = np.array(stretches, dtype=float)
    length = np.cumsum(ends[:, 1] - ends[:, 0])
    return ends.reshape(-1), np.stack([np.concatenate([[0.0], length[:-1]]), length], axis=1).reshape(-1)
