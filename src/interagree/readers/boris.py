"""BORIS: behaviours coded in recordings, as aggregated or tabular events (CSV, TSV), or a project (``.boris``).

Each behaviour is a unit: a state from its start to its stop, a point without length.  The category is the behaviour;
``label="{subject}: {behavior}"`` says otherwise, and ``{category}`` and ``{modifiers}`` may stand in it too.

BORIS does not say who coded.  A file is one observer, called as it is, and the observation is the recording; where one
file holds the observations of several, ``annotator="{observation}"`` with ``item="{media}"`` takes the observations for
observers and the file of the recording for the document.  Points are left out, and counted, unless ``points="keep"``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any, NamedTuple, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, Hint, expected
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Span
from interagree.gather.tiers import Tier, TierPatterns, gatherer_of_recordings, study_of_tiers
from interagree.gather.units import UnitOptions, check_ends_after, time
from interagree.readers._options import Tiers
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, object_of, table_rows

SUFFIXES = (".csv", ".tsv", ".boris")
OBSERVATION, SUBJECT, BEHAVIOUR = "Observation id", "Subject", "Behavior"
KIND, OLD_KIND, START, STOP, TIME = "Behavior type", "Status", "Start (s)", "Stop (s)", "Time"
COLUMNS = (OBSERVATION, SUBJECT, BEHAVIOUR, "Behavioral category", "Modifiers")
WORDS = ("observation", "subject", "behavior", "category", "modifiers", "media")  # the columns, as patterns name them
MEDIA = ("Media file name", "Media file", "Source", "Media file path")


class BorisEvent(NamedTuple):
    """A row of a table: a state, a point, or one end of a state."""

    words: tuple[str, ...]  # what patterns are filled with, in the order of WORDS
    start: str
    stop: str | None  # None where the row is one end
    kind: str
    where: str


def recognised(path: Path) -> bool:
    """Whether a file can only be events of BORIS."""
    if path.suffix.lower() == ".boris":
        return {"observations", "behaviors_conf"} <= json_head(path).at()
    names = columns_of(path)
    return {OBSERVATION, SUBJECT, BEHAVIOUR} <= names and bool({START, TIME} & names)


@reader("BORIS", suffixes=SUFFIXES, sniff=recognised, together=True)
def boris(path: Paths, **options: Unpack[Tiers]) -> Study:
    """The behaviours of a file for each observer, or of all files of a folder; times in seconds.

    Args:
        path: A file, a folder of files, or a list of them.
    """
    gathered = gatherer_of_recordings("BORIS", path, SUFFIXES, UnitOptions(options["looked"], options["points"]))
    files = [(source, _tiers(source, gathered)) for source in gathered.sources]
    if options["annotator"] is None:
        hints = Hint("annotator", "{observation}"), Hint("item", "{media}")
        told = Advice.of("a file is one observer (", hints[0], " with ", hints[1], " takes observations for observers)")
        gathered.note("assumed", told)
    item, annotator = options["item"] or "{observation}", options["annotator"] or "{file}"
    label = "{behavior}" if options["label"] == "{text}" else options["label"]
    return study_of_tiers(gathered, path, files, TierPatterns(item, annotator, label, options["tiers"]))


def _tiers(source: Source, gathered: Gatherer) -> list[Tier]:
    """The units of each subject and behaviour of an observation, each as a tier."""
    units: dict[tuple[str, ...], list[Span]] = {}
    open_: dict[tuple[str, ...], BorisEvent] = {}
    for event in _of_project(source) if source.suffix == ".boris" else _of_table(source):
        ends = _ends(event, open_)
        if ends is not None:
            start, stop = (time(event.where, end) for end in ends)
            check_ends_after(event.where, start, stop)
            units.setdefault(event.words, []).append(Span(start, stop))
    gathered.left_out("state", "without a stop left out", len(open_))
    return [Tier(words[2], spans, words=dict(zip(WORDS, words, strict=True))) for words, spans in units.items()]


def _ends(event: BorisEvent, open_: dict[tuple[str, ...], BorisEvent]) -> tuple[str, str] | None:
    """The start and the end of a unit that an event completes."""
    if event.stop is not None:
        return event.start, event.stop
    if event.kind == "POINT":
        return event.start, event.start
    begun = open_.pop(event.words[:3], None)
    if begun is not None:
        return begun.start, event.start
    open_[event.words[:3]] = event
    return None


def _of_table(source: Source) -> Iterator[BorisEvent]:
    for row in table_rows(source, []):
        words = (*map(row.text, COLUMNS), _media(row.text(*MEDIA)))
        both = START in row.cells
        start, stop = row.text(START if both else TIME), row.text(STOP)
        stop = start if stop in {"", "NA"} else stop
        yield BorisEvent(words, start, stop if both else None, row.text(KIND, OLD_KIND).upper(), row.where)


def _media(file: str) -> str:
    """What the file of a recording is called."""
    return (PureWindowsPath(file) if "\\" in file else PurePath(file)).stem


def _of_project(source: Source) -> Iterator[BorisEvent]:
    """The events of a project: [time, subject, behaviour, modifiers, comment, …], and which behaviours are points."""
    content = object_of(source, "a project of BORIS")
    ethogram, observations = content.field("behaviors_conf", dict), content.inside("observations")
    known = [Row("", one) for one in ethogram.values() if isinstance(one, dict)]
    points = {one.text("code") for one in known if one.text("type").lower().startswith("point")}
    for name in observations.cells:
        observation = observations.inside(name)
        files = [
            one for played in observation.maybe("file", dict).values() if isinstance(played, list) for one in played
        ]
        media = _media(str(next(iter(files), "")))
        for at, event in enumerate(sorted(observation.field("events", list), key=_first)):
            where = observation.path("events", at)
            if not isinstance(event, list) or len(event) < 3:
                raise expected(where, "[time, subject, behaviour, …]", event)
            start, subject, code, modifiers = map(str, [*event, ""][:4])
            words = (str(name), subject, code, "", modifiers, media)
            yield BorisEvent(words, start, None, "POINT" if code in points else "", where)


def _first(event: Any) -> float:
    start = event[0] if isinstance(event, list) and event else None
    return start if isinstance(start, int | float) and math.isfinite(start) else 0.0
