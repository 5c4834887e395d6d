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
from interagree.data.paths import Paths, files_in, pattern_words
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, Hint, ReaderHint, listing
from interagree.gather import units
from interagree.gather.gatherer import SPANS, Gatherer
from interagree.gather.marks import Mark, Span
from interagree.readers._tiers import gatherer_of_recordings
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
    gathered = gatherer_of_recordings("RTTM", sources, path, units.UnitOptions(looked, points))
    turns = [turn for source in sources for turn in _turns(source, encoding, item, annotator, gathered)]
    scored = scored_regions(sources, uem, encoding, gathered)
    if scored is not None:
        turns = list(within(turns, scored, gathered))
    if speakers == "map":
        turns = mapped(turns, reference, gathered)
    else:
        mapping = ReaderHint("speakers", "map")
        sentence = Advice.of("a speaker who is called the same is the same (", mapping, " maps them by shared time)")
        gathered.note("assumed", sentence)
    for turn in turns:
        gathered.looked(turn.document, turn.annotator, units.QUESTION, turn.file, kind=SPANS)
        if not turn.only_looked:
            span = Span(turn.start, turn.end, turn.speaker)
            gathered.add(Mark(units.QUESTION, turn.document, turn.annotator, span, turn.file))
    return gathered.study()


def _turns(source: Source, encoding: str, item: str, annotator: str, gathered: Gatherer) -> Iterator[Turn]:
    channels: dict[str, dict[str, None]] = {}
    for line, content in enumerate(lines_of(source.text(encoding)), start=1):
        cells, where = content.split(), f"line {line}"
        if not cells or cells[0].startswith(";"):
            continue
        if cells[0] != "SPEAKER":
            gathered.left_out("line", "of another type than SPEAKER left out")
            continue
        if not FIELDS - 1 <= len(cells) <= MOST_FIELDS:
            raise FormatError(
                f"{source.name}, {where}: expected 'SPEAKER recording channel start duration <NA> <NA> speaker', "
                f"at most {MOST_FIELDS} fields, found {len(cells)}: {content.strip()[:60]!r}; names have no "
                "spaces in them"
            )
        channels.setdefault(cells[1], {})[cells[2]] = None
        parts = {**pattern_words(source), "recording": cells[1], "channel": cells[2]}
        start = units.time(source.name, where, cells[3])
        length = units.position(source.name, where, cells[4])
        if length < 0:
            raise FormatError(f"{source.name}, {where}: expected a duration from 0 up, found {cells[4]!r}")
        # 0.678 + 1.533 is not quite 2.211 in binary; what two annotators cut at one place should end at one place.
        end = round(start + length, 9)
        speaker = None if cells[7] == NONE else cells[7]
        yield Turn(cells[1], cells[2], *units.filled_in(item, annotator, parts), source.name, start, end, speaker)
    several = [recording for recording, told in channels.items() if len(told) > 1]
    if several and not any("{channel}" in pattern for pattern in (item, annotator)):
        by_channel = Hint("item", "{recording} {channel}")
        sentence = f"{source.name}: the channels of {listing(several, most=3)} are taken together; "
        gathered.note("noticed", Advice.of(sentence, by_channel, " keeps them apart"), len(several))
