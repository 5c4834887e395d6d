"""ELAN annotation documents (.eaf): tiers of annotations over a recording, times in milliseconds.

A file is a document.  The annotator is the attribute ANNOTATOR of a tier where all tiers with units have one.  Else
tiers are annotators where their labels overlap, or where they are called so (``coder 1``); where they may as well be
layers, such as words and gestures, the error asks.  ``item=``, ``annotator=`` and ``label=`` say what is what, with the
words {file}, {folder}, {tier}, {annotator}, {participant} (who is heard, not who annotates) and {text}.  ``tiers=``
names those to read.

Annotations that refer to others have no time of their own: they are left out and counted, or with ``references=True``
take the times of what they refer to.  Times between two known ones are spread evenly.  A tier with nothing in it says
that the annotator looked and marked nothing; the empty tier 'default', which ELAN makes by itself, says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, Unpack
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather import units
from interagree.gather.marks import Number, Span
from interagree.gather.tiers import Tier, TierPatterns, gatherer_of_recordings, study_of_tiers
from interagree.gather.units import UnitOptions
from interagree.readers._options import Tiers
from interagree.readers._xml import parse_xml

SUFFIXES = (".eaf",)
AUTOMATIC = "default"
TIME_UNITS = "milliseconds"
ALIGNED, REFERRING = "ALIGNABLE_ANNOTATION", "REF_ANNOTATION"
UNTIMED = Advice.of("without times of their own left out; ", ReaderHint("references", value=True), " takes them")
Slots: TypeAlias = tuple[str, str]


@reader("ELAN", suffixes=SUFFIXES, together=True)
def elan(path: Paths, *, references: bool = False, **options: Unpack[Tiers]) -> Study:
    """The tiers of a file, of several, or of all files of a folder; times in milliseconds.

    Args:
        path: A file, a folder, or a list of them.
        references: Whether annotations that refer to others take the times of these; else they are left out.
    """
    gathered = gatherer_of_recordings("ELAN", path, SUFFIXES, UnitOptions(options["looked"], options["points"]))
    files = [(source, [*_tiers(source, references=references)]) for source in gathered.sources]
    if options["tiers"] is None:
        files = [(source, [t for t in tiers if t.name != AUTOMATIC or t.spans or t.left]) for source, tiers in files]
    return study_of_tiers(
        gathered, path, files, TierPatterns(options["item"], options["annotator"], options["label"], options["tiers"])
    )


def _tiers(source: Source, *, references: bool) -> Iterator[Tier]:
    root = _root(source)
    times = _times(source, root)
    by_name = {element.get("ANNOTATION_ID", ""): element for element in root.iterfind(".//TIER/ANNOTATION/*")}
    known: dict[str, Slots | None] = {}
    for element in root.iter("TIER"):
        every = element.findall("ANNOTATION/*")
        wanted = every if references else [annotation for annotation in every if annotation.tag == ALIGNED]
        spans = []
        for annotation in wanted:
            start, end = (times.get(slot) for slot in _slots(annotation, by_name, known) or ("", ""))
            if start is not None and end is not None:
                where = f"{source.name}, annotation {annotation.get('ANNOTATION_ID', '')}"
                units.check_ends_after(where, start, end)
                spans.append(Span(start, end, annotation.findtext("ANNOTATION_VALUE") or ""))
        name, annotator = element.get("TIER_ID", ""), element.get("ANNOTATOR", "")
        words = {"annotator": annotator or name, "participant": element.get("PARTICIPANT", "")}
        left = [
            ("annotation", UNTIMED, len(every) - len(wanted)),
            ("annotation", "whose time is not known left out", len(wanted) - len(spans)),
        ]
        yield Tier(name, spans, annotator, words, left if every else (), is_read=bool(wanted) or not every)


def _root(source: Source) -> Element:
    root = parse_xml(source, root="ANNOTATION_DOCUMENT", tool="an ELAN file")
    header = root.find("HEADER")
    counted_in = TIME_UNITS if header is None else header.get("TIME_UNITS", TIME_UNITS)
    if counted_in != TIME_UNITS:
        raise FormatError(
            f"{source.name}: expected times in {TIME_UNITS}, found TIME_UNITS={counted_in!r}; convert the times of all "
            "files to milliseconds"
        )
    _check_names(source, "tier", (element.get("TIER_ID", "") for element in root.iter("TIER")))
    annotations = root.findall(".//TIER/ANNOTATION/*")
    _check_names(source, "annotation", (element.get("ANNOTATION_ID", "") for element in annotations))
    for element in annotations:
        if element.tag not in {ALIGNED, REFERRING}:
            found = f"{element.tag[:60]!r}, which would be left out"
            raise FormatError(f"{source.name}: expected an annotation of ELAN, found {found}")
    return root


def _check_names(source: Source, what: str, names: Iterable[str]) -> None:
    """An error where two elements have one name, since others refer to them by it."""
    twice = [name for name, times in Counter(names).items() if name and times > 1]
    if twice:
        raise FormatError(
            f"{source.name}: several {what}s are called {listing(twice, most=3)}, and nothing tells them apart; the "
            "file is damaged, or was put together from several"
        )


def _times(source: Source, root: Element) -> dict[str, Number]:
    """The time of each slot; slots without one that lie in a row between two known ones are spread evenly."""
    times: dict[str, Number] = {}
    for element in root.iter("TIME_SLOT"):
        name, value = element.get("TIME_SLOT_ID", ""), element.get("TIME_VALUE")
        if value is not None:
            time = units.time(f"{source.name}, time slot {name}", value)
            if times.setdefault(name, time) != time:
                raise FormatError(f"{source.name}: the time slot {name!r} has two times, {times[name]} and {time}")
    for tier in root.iter("TIER"):
        following = {
            annotation.get("TIME_SLOT_REF1", ""): annotation.get("TIME_SLOT_REF2", "")
            for annotation in tier.iterfind("ANNOTATION/ALIGNABLE_ANNOTATION")
        }
        open_: set[str] = set()  # slots from which no known time is reached
        for first in [slot for slot in following if slot in times]:
            chain = [first]
            while (
                chain[-1] in following and (len(chain) == 1 or chain[-1] not in times) and len(chain) <= len(following)
            ):
                chain.append(following[chain[-1]])
                if chain[-1] in open_:
                    break
            if len(chain) > 2 and chain[-1] in times:
                step = (times[chain[-1]] - times[first]) / (len(chain) - 1)
                for at, slot in enumerate(chain[1:-1], start=1):
                    times[slot] = times[first] + at * step
            else:
                open_.update(slot for slot in chain if slot not in times)
    return times


def _slots(element: Element, by_name: Mapping[str, Element], known: dict[str, Slots | None]) -> Slots | None:
    """The time slots of an annotation, or of the one that it refers to in the end; ``known`` is filled on the way."""
    seen: dict[str, None] = {}
    here: Element | None = element
    while here is not None and here.tag == REFERRING:
        name = here.get("ANNOTATION_ID", "")
        if name in known or name in seen:
            break
        seen[name] = None
        here = by_name.get(here.get("ANNOTATION_REF", ""))
    slots = None
    if here is not None and here.tag == ALIGNED:
        slots = here.get("TIME_SLOT_REF1", ""), here.get("TIME_SLOT_REF2", "")
    elif here is not None:
        slots = known.get(here.get("ANNOTATION_ID", ""))
    known.update(dict.fromkeys(seen, slots))
    return slots
