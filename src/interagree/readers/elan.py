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
from typing import NamedTuple, TypeAlias, Unpack
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, fill_pattern, pattern_words, places
from interagree.data.provenance import Step, counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather import units
from interagree.gather.marks import Number
from interagree.gather.units import Unit
from interagree.readers._options import Tiers
from interagree.readers._tiers import TierLabels, check_files, check_people, named_tiers
from interagree.readers._xml import parse_xml

SUFFIXES = (".eaf",)
AUTOMATIC = "default"
TIME_UNITS = "milliseconds"
Slots: TypeAlias = tuple[str, str]


class TierEntry(NamedTuple):
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
    marks: list[TierEntry]


class Document(NamedTuple):
    """What is read of a file."""

    source: Source
    tiers: list[Tier]
    times: dict[str, Number]
    by_name: dict[str, TierEntry]
    every: list[Tier]


@reader("ELAN", suffixes=SUFFIXES, together=True)
def elan(path: Paths, *, references: bool = False, **options: Unpack[Tiers]) -> Study:
    """The tiers of a file, of several, or of all files of a folder; times in milliseconds.

    Args:
        path: A file, a folder, or a list of them.
        references: Whether annotations that refer to others take the times of these; else they are left out.
    """
    annotator, label, tiers = options["annotator"], options["label"], options["tiers"]
    item = options["item"] or ("{folder}" if annotator is not None and "{file}" in annotator else "{file}")
    units.check_different(item, annotator)
    sources = list(files_in(path, SUFFIXES))
    steps: list[Step] = []
    documents = [_document(source) for source in sources]
    if tiers is not None:
        chosen = named_tiers([(document.source, document.every) for document in documents], tiers)
        documents = [document._replace(tiers=some) for document, some in zip(documents, chosen, strict=True)]
    read = [[tier for tier in document.tiers if references or _is_timed(tier)] for document in documents]
    told = all(tier.annotator for some in read for tier in some if tier.marks)
    told = told and any(tier.marks for some in read for tier in some)
    who = annotator or ("{annotator}" if told else "{tier}")
    steps.append(Step("taken", f"document from {item}, annotator from {who}, category from {label}"))
    if annotator is None and not told and (tiers is None or isinstance(tiers, str)):
        steps += check_people(
            [(d.source, [*map(_labels, some)]) for d, some in zip(documents, read, strict=True)], places(path)
        )
    patterns = (item, who, label)
    marked = [(d.source, list(_units(d, patterns, steps, references=references))) for d in documents]
    check_files(marked, places(path))
    every = [unit for _, some in marked for unit in some]
    return units.study_of_units(
        sources, every, units.UnitOptions(options["looked"], options["points"]), steps=dict.fromkeys(steps)
    )


def _document(source: Source) -> Document:
    root = _root(source)
    try:
        every = [_tier(element) for element in root.iter("TIER")]
    except FormatError as error:
        raise error.at(source.name) from None
    chosen = [tier for tier in every if tier.marks or tier.name != AUTOMATIC]
    by_name = {mark.name: mark for tier in every for mark in tier.marks}
    return Document(source, chosen, _times(source, root), by_name, every)


def _is_timed(tier: Tier) -> bool:
    """Whether a tier has annotations with times of their own, or none at all."""
    return not tier.marks or any(mark.slots is not None for mark in tier.marks)


def _labels(tier: Tier) -> TierLabels:
    return TierLabels(tier.name, frozenset(mark.text.strip() for mark in tier.marks if mark.text.strip()))


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
            marks.append(TierEntry(name, text, slots, None))
        elif annotation.tag == "REF_ANNOTATION":
            marks.append(TierEntry(name, text, None, annotation.get("ANNOTATION_REF", "")))
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
    document_: Document, patterns: tuple[str, str, str], steps: list[Step], *, references: bool
) -> Iterator[Unit]:
    source, tiers, times, by_name, _ = document_
    referring = untimed = 0
    known: dict[str, Slots | None] = {}
    for tier in tiers:
        if not references and not _is_timed(tier):
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


def _slots(mark: TierEntry, by_name: Mapping[str, TierEntry], known: dict[str, Slots | None]) -> Slots | None:
    """The time slots of an annotation, or of the one that it refers to in the end; ``known`` is filled on the way."""
    seen: dict[str, None] = {}
    here: TierEntry | None = mark
    while here is not None and here.slots is None and here.name not in known and here.name not in seen:
        seen[here.name] = None
        here = by_name.get(here.parent or "")
    slots = None if here is None else here.slots if here.slots is not None else known.get(here.name)
    known.update(dict.fromkeys(seen, slots))
    return slots
