"""ELAN annotation documents (.eaf): tiers of annotations over a recording, times in milliseconds.

A file is a document.  The annotator is the attribute ANNOTATOR of a tier where all tiers with units have one, else the
tier; ``item=``, ``annotator=`` and ``label=`` say otherwise, with the words {file}, {folder}, {tier}, {annotator},
{participant} (who is heard, not who annotates) and {text}.  ``tiers=`` names those to read.

Annotations that refer to others have no time of their own: they are left out and counted, or with ``references=True``
take the times of what they refer to.  Times between two known ones are spread evenly.  A tier with nothing in it says
that the annotator looked and marked nothing; the empty tier 'default', which ELAN makes by itself, says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import files_in, fill_pattern, pattern_words
from interagree.data.provenance import Step, counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents import units
from interagree.documents.units import Number, Unit
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.readers._xml import parse_xml

SUFFIXES = (".eaf",)
AUTOMATIC = "default"
TIME_UNITS = "milliseconds"
Slots: TypeAlias = tuple[str, str]


class Mark(NamedTuple):
    """An annotation: between two time slots, or of another annotation."""

    name: str
    text: str
    slots: Slots | None
    parent: str | None


class Tier(NamedTuple):
    """A tier as it stands in a file."""

    name: str
    annotator: str
    participant: str
    marks: list[Mark]


@reader("ELAN", suffixes=SUFFIXES)
def elan(
    path: str | Path | Source,
    *,
    item: str = "{file}",
    annotator: str | None = None,
    label: str = "{text}",
    tiers: str | Sequence[str] | None = None,
    references: bool = False,
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    **options: object,
) -> Study:
    """The tiers of a file, or of all files of a folder; times in milliseconds."""
    units.check_options("ELAN", options, ("item", "annotator", "label", "tiers", "references"))
    units.check_different(item, annotator)
    sources = list(files_in(path, SUFFIXES))
    marked: list[Unit] = []
    steps: list[Step] = []
    for source in sources:
        root = _root(source)
        times = _times(source, root)
        try:
            every = [_tier(element) for element in root.iter("TIER")]
        except FormatError as error:
            raise error.at(source.name) from None
        chosen = [tier for tier in every if tier.marks or tier.name != AUTOMATIC]
        chosen = chosen if tiers is None else units.named_tiers(source, every, tiers)
        by_name = {mark.name: mark for tier in every for mark in tier.marks}
        told = all(tier.annotator for tier in chosen if tier.marks) and any(tier.marks for tier in chosen)
        who = annotator or ("{annotator}" if told else "{tier}")
        steps.append(Step("taken", f"document from {item}, annotator from {who}, category from {label}"))
        marked += _units(source, chosen, times, (item, who, label), steps, by_name=by_name, references=references)
    return units.study_of_units(sources, marked, units.UnitOptions(looked, points), steps=dict.fromkeys(steps))


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
    _check_names(
        source, "annotation", (element.get("ANNOTATION_ID", "") for element in root.iterfind(".//ANNOTATION/*"))
    )
    return root


def _check_names(source: Source, what: str, names: Iterable[str]) -> None:
    """An error where two elements have one name, since others refer to them by it."""
    twice = [name for name, times in Counter(names).items() if name and times > 1]
    if twice:
        raise FormatError(
            f"{source.name}: several {what}s are called {listing(twice, most=3)}, and nothing tells them apart; the "
            "file is damaged, or was put together from several"
        )


def _tier(element: Element) -> Tier:
    marks = []
    for annotation in element.iterfind("ANNOTATION/*"):
        name, text = annotation.get("ANNOTATION_ID", ""), annotation.findtext("ANNOTATION_VALUE") or ""
        if annotation.tag == "ALIGNABLE_ANNOTATION":
            slots = annotation.get("TIME_SLOT_REF1", ""), annotation.get("TIME_SLOT_REF2", "")
            marks.append(Mark(name, text, slots, None))
        elif annotation.tag == "REF_ANNOTATION":
            marks.append(Mark(name, text, None, annotation.get("ANNOTATION_REF", "")))
        else:
            raise FormatError(f"expected an annotation of ELAN, found {annotation.tag[:60]!r}, which would be left out")
    get = element.get
    return Tier(get("TIER_ID", ""), get("ANNOTATOR", ""), get("PARTICIPANT", ""), marks)


def _times(source: Source, root: Element) -> dict[str, Number]:
    """The time of each slot; slots without one that lie in a row between two known ones are spread evenly."""
    times: dict[str, Number] = {}
    for element in root.iter("TIME_SLOT"):
        name, value = element.get("TIME_SLOT_ID", ""), element.get("TIME_VALUE")
        if value is not None:
            time = units.time(source.name, f"time slot {name}", value)
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


def _units(
    source: Source,
    tiers: list[Tier],
    times: Mapping[str, Number],
    patterns: tuple[str, str, str],
    steps: list[Step],
    *,
    by_name: Mapping[str, Mark],
    references: bool,
) -> Iterator[Unit]:
    referring = untimed = 0
    known: dict[str, Slots | None] = {}
    for tier in tiers:
        if not references and tier.marks and all(mark.slots is None for mark in tier.marks):
            referring += len(tier.marks)
            continue
        words = {"tier": tier.name, "annotator": tier.annotator or tier.name, "participant": tier.participant}
        parts = {**pattern_words(source), **words}
        document, who = units.filled_in(patterns[0], patterns[1], parts)
        yield Unit(document, who)
        for mark in tier.marks:
            if mark.slots is None and not references:
                referring += 1
                continue
            slots = _slots(mark, by_name, known)
            if slots is None or slots[0] not in times or slots[1] not in times:
                untimed += 1
                continue
            start, end = times[slots[0]], times[slots[1]]
            units.check_ends_after(source.name, f"annotation {mark.name}", start, end)
            text = fill_pattern(patterns[2], {**parts, "text": mark.text}, option="label") or None
            yield Unit(document, who, start, end, text)
    sentence = f"{source.name}: {counted(referring, 'annotation')} without times of their own left out; "
    steps += noted("dropped", Advice.of(sentence, ReaderHint("references", value=True), " takes them"), referring)
    sentence = f"{counted(untimed, 'annotation')} whose time is not known left out"
    steps += noted("dropped", f"{source.name}: {sentence}", untimed)


def _slots(mark: Mark, by_name: Mapping[str, Mark], known: dict[str, Slots | None]) -> Slots | None:
    """The time slots of an annotation, or of the one that it refers to in the end; ``known`` is filled on the way."""
    seen: dict[str, None] = {}
    here: Mark | None = mark
    while here is not None and here.slots is None and here.name not in known and here.name not in seen:
        seen[here.name] = None
        here = by_name.get(here.parent or "")
    slots = None if here is None else here.slots if here.slots is not None else known.get(here.name)
    known.update(dict.fromkeys(seen, slots))
    return slots
