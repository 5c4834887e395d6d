"""RTTM, Rich Transcription Time Marked: who spoke when.

    SPEAKER recording 1 0.678 1.533 <NA> <NA> speaker2 <NA> <NA>

A file is one annotator, called as the file is, and the second field is the document; ``annotator="{recording}"`` with
``item="{file}"`` takes it the other way round.  The speaker is the category.

**Speakers** are taken as they are called: where annotators name the same voice differently, they disagree on every turn
of it.  ``speakers="map"`` maps those of each annotator one to one to those of the first one, or of ``reference=``, in
each recording, so that the time in which both speak is as long as possible, as the diarization error rate does.

**Scored regions.** A UEM file that is called as one of the files restricts turns to the stretches that it names, for
all annotators; ``uem=`` names one that is called otherwise.  Turns are cut where a stretch ends.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from interagree.data.files import Source, lines_of
from interagree.data.paths import Paths, files_in, pattern_words, places
from interagree.data.provenance import Step, counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, Hint, ReaderHint, listing
from interagree.gather import units
from interagree.gather.units import Unit
from interagree.readers._tiers import check_files
from interagree.readers.rttm.regions import Turn, scored_regions, within
from interagree.readers.rttm.speakers import mapped

FIELDS = 9  # the tenth, a lookahead, is often not there
MOST_FIELDS = 10
NONE = "<NA>"


@reader("RTTM", suffixes=(".rttm",), together=True)
def rttm(
    path: Paths,
    *,
    item: str = "{recording}",
    annotator: str = "{file}",
    speakers: Literal["keep", "map"] = "keep",
    reference: str | None = None,
    uem: str | Path | Sequence[str | Path] | None = None,
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    encoding: str = "utf-8-sig",
    **options: object,
) -> Study:
    """The SPEAKER lines of a file, of several, or of all files of a folder; times in seconds.

    Args:
        path: A file, a folder, or a list of them.
        item: What the document is: a pattern of "{recording}", "{channel}", "{file}" and "{folder}".
        annotator: Who annotated, likewise.
        speakers: "keep" the names of speakers, or "map" those of each annotator to those of the reference.
        reference: The annotator whose names of speakers count; the first one where none is named.
        uem: The file, or files, of the stretches that are scored; else those beside the files, of the same name.
        looked: "marked", "all", or the annotators who looked at every document.
        points: "drop" or "keep" turns without length.
        encoding: How the files are written.
        options: None; an unknown one is named.
    """
    known = ("item", "annotator", "speakers", "reference", "uem", "encoding")
    units.check_options("RTTM", options, known)
    units.check_different(item, annotator)
    sources = list(files_in(path, (".rttm",)))
    steps: list[Step] = []
    read = [(source, list(_turns(source, source.text(encoding), item, annotator, steps))) for source in sources]
    check_files([(source, [turn.unit for turn in turns]) for source, turns in read], places(path))
    turns = [turn for _, some in read for turn in some]
    scored = scored_regions(sources, uem, encoding, steps)
    if scored is not None:
        turns = list(within(turns, scored, steps))
    every = [turn.unit for turn in turns]
    if speakers == "map":
        every = mapped(every, reference, steps)
    else:
        mapping = ReaderHint("speakers", "map")
        sentence = Advice.of("a speaker who is called the same is the same (", mapping, " maps them by shared time)")
        steps.insert(0, Step("assumed", sentence))
    return units.study_of_units(sources, every, units.UnitOptions(looked, points), steps=steps)


def _turns(source: Source, text: str, item: str, annotator: str, steps: list[Step]) -> Iterator[Turn]:
    other = 0
    channels: dict[str, dict[str, None]] = {}
    for line, content in enumerate(lines_of(text), start=1):
        cells = content.split()
        if not cells or cells[0].startswith(";"):
            continue
        if cells[0] != "SPEAKER":
            other += 1
            continue
        if not FIELDS - 1 <= len(cells) <= MOST_FIELDS:
            raise FormatError(
                f"{source.name}, line {line}: expected 'SPEAKER recording channel start duration <NA> <NA> speaker', "
                f"at most {MOST_FIELDS} fields, found {len(cells)}: {content.strip()[:60]!r}; names have no "
                "spaces in them"
            )
        channels.setdefault(cells[1], {})[cells[2]] = None
        parts = {**pattern_words(source), "recording": cells[1], "channel": cells[2]}
        start = units.time(source.name, f"line {line}", cells[3])
        length = units.position(source.name, f"line {line}", cells[4])
        if length < 0:
            raise FormatError(f"{source.name}, line {line}: expected a duration from 0 up, found {cells[4]!r}")
        # 0.678 + 1.533 is not quite 2.211 in binary; what two annotators cut at one place should end at one place.
        end = round(start + length, 9)
        speaker = None if cells[7] == NONE else cells[7]
        unit = Unit(*units.filled_in(item, annotator, parts), start, end, speaker)
        yield Turn(cells[1], cells[2], unit)
    several = [recording for recording, told in channels.items() if len(told) > 1]
    if several and not any("{channel}" in pattern for pattern in (item, annotator)):
        by_channel = Hint("item", "{recording} {channel}")
        sentence = f"{source.name}: the channels of {listing(several, most=3)} are taken together; "
        steps.append(Step("noticed", Advice.of(sentence, by_channel, " keeps them apart"), len(several)))
    sentence = f"{source.name}: {counted(other, 'line')} of another type than SPEAKER left out"
    steps += noted("dropped", sentence, other)
