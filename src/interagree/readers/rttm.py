"""RTTM, Rich Transcription Time Marked: who spoke when.

    SPEAKER recording 1 0.678 1.533 <NA> <NA> speaker2 <NA> <NA>

A file is one annotator, called as the file is, and the second field is the document; ``annotator="{recording}"`` with
``item="{file}"`` takes it the other way round.  The speaker is the category.  Speakers are taken as they are called:
where annotators name the same voice differently, they disagree on every turn of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path

from interagree.data.files import Source, lines_of
from interagree.data.paths import files_in, pattern_words
from interagree.data.provenance import Step, counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents import units
from interagree.documents.units import Unit
from interagree.errors import Advice, FormatError, Hint, listing

FIELDS = 9  # the tenth, a lookahead, is often not there
MOST_FIELDS = 10
NONE = "<NA>"


@reader("RTTM", suffixes=(".rttm",))
def rttm(
    path: str | Path | Source,
    *,
    item: str = "{recording}",
    annotator: str = "{file}",
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    encoding: str = "utf-8-sig",
    **options: object,
) -> Study:
    """The SPEAKER lines of a file, or of all files of a folder; times in seconds."""
    units.check_options("RTTM", options, ("item", "annotator", "encoding"))
    units.check_different(item, annotator)
    sources = list(files_in(path, (".rttm",)))
    steps: list[Step] = [Step("assumed", "a speaker who is called the same is the same")]
    turns = [unit for source in sources for unit in _units(source, source.text(encoding), item, annotator, steps)]
    return units.study_of_units(sources, turns, units.UnitOptions(looked, points), steps=steps)


def _units(source: Source, text: str, item: str, annotator: str, steps: list[Step]) -> Iterator[Unit]:
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
        yield Unit(*units.filled_in(item, annotator, parts), start, end, speaker)
    several = [recording for recording, told in channels.items() if len(told) > 1]
    if several and not any("{channel}" in pattern for pattern in (item, annotator)):
        by_channel = Hint("item", "{recording} {channel}")
        sentence = f"{source.name}: the channels of {listing(several, most=3)} are taken together; "
        steps.append(Step("noticed", Advice.of(sentence, by_channel, " keeps them apart"), len(several)))
    sentence = f"{source.name}: {counted(other, 'line')} of another type than SPEAKER left out"
    steps += noted("dropped", sentence, other)
