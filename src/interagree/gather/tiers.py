"""Tiers of recordings as studies: whose they are, of what, and which are read.

Tiers are annotators, or layers such as words and sounds, or speakers.  They are taken as annotators where names say so
(``coder 1``), or where the labels in them overlap and no name is that of a layer; else the error asks, with the call
for each way to read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, fill_pattern, pattern_words, places
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.errors import Advice, DoubtfulReading, Hint, ReadingAdvice, UnknownName, listing, suggestion
from interagree.gather.gatherer import SPANS, Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.units import QUESTION, UnitOptions, check_different, filled_in

MANY = 200  # tiers that are compared with each other
OVERLAPPING = 0.5  # the share of the labels of the tier with fewer of them that two annotators have in common
PEOPLE = re.compile(r"(?i)annotator|coder|rater|labell?er|transcriber|^ann[ _-]?\d+$|^a\d+$")
LAYERS = re.compile(
    r"(?i)(?<![a-z])(?:audio|clause|comment|event|f0|formant|gloss|glosses|intensity|intonation|ipa|lemma|letter|mora|"
    r"morph|morpheme|note|orthography|phone|phoneme|phonetic|phrase|pitch|pos|ref|segment|sentence|syllable|text|tone|"
    r"translation|transcription|utterance|word)s?(?![a-z])"
)


class Tier(NamedTuple):
    """A tier as it stands in a file, or what else has its marks in a row: the turns of a speaker.

    Attributes:
        name: What it is called.
        spans: What is marked in it, with the texts as labels.
        annotator: Who annotated, where that is said.
        words: What else patterns may name.
        left: What is not read of it, as a noun, the rest of a sentence, and how often.
        is_read: Whether it says that somebody looked.
    """

    name: str
    spans: Sequence[Span]
    annotator: str = ""
    words: Mapping[str, str] = {}
    left: Sequence[tuple[str, str, int]] = ()
    is_read: bool = True

    @property
    def labels(self) -> frozenset[str]:
        """The labels in it."""
        return frozenset(span.label.strip() for span in self.spans if span.label and span.label.strip())


Files: TypeAlias = Sequence[tuple[Source, Sequence[Tier]]]


def gatherer_of_recordings(tool: str, path: Paths, suffixes: Sequence[str], units: UnitOptions) -> Gatherer:
    """A gatherer of files that asks whose they are where two would be one annotator's of one recording."""

    def doubt(first: Mark, second: Mark) -> DoubtfulReading:
        return DoubtfulReading(
            f"{first.where} and {second.where} would both be what {first.annotator!r} marked in {first.item!r}; say "
            "whose they are, or of what",
            [
                ReadingAdvice("every folder is an annotator", options={"annotator": "{folder}"}),
                ReadingAdvice("every file is another document", options={"item": "{folder}/{file}"}),
            ],
            source=places(path),
        )

    sources = list(files_in(path, suffixes))
    return Gatherer(tool, sources, duplicates="error", units=units, positions=None, doubt=doubt)


class TierPatterns(NamedTuple):
    """What a caller says of tiers.

    Attributes:
        item: What the document is: a pattern; "{file}" by default.
        annotator: A pattern for who annotated; None to be told by the tiers, or asked.
        label: A pattern for the category of a unit.
        tiers: The names of the tiers to read.
    """

    item: str | None
    annotator: str | None
    label: str
    tiers: str | Sequence[str] | None = None


def study_of_tiers(gathered: Gatherer, path: Paths, files: Files, given: TierPatterns) -> Study:
    """The study that files with tiers are.

    Args:
        gathered: Where they are put.
        path: What the caller named.
        files: The files with all their tiers.
        given: What the caller said of tiers.
    """
    _, annotator, label, wanted = given
    item = given.item or ("{folder}" if annotator is not None and "{file}" in annotator else "{file}")
    check_different(item, annotator)
    chosen = _named(files, wanted)
    for noun, rest, times in (left for _, tiers in chosen for tier in tiers for left in tier.left):
        gathered.left_out(noun, rest, times)
    read = [(source, [tier for tier in tiers if tier.is_read]) for source, tiers in chosen]
    told = {bool(tier.annotator) for _, tiers in read for tier in tiers if tier.spans} == {True}
    who = annotator or ("{annotator}" if told else "{tier}")
    gathered.note("taken", f"document from {item}, annotator from {who}, category from {label}")
    if annotator is None and not told and (wanted is None or isinstance(wanted, str)):
        gathered.steps += _check_people(read, places(path))
    for source, tiers in read:
        for tier in tiers:
            words = {**pattern_words(source), "tier": tier.name, **tier.words}
            document, person = filled_in(item, who, words)
            gathered.looked(document, person, QUESTION, source.name, kind=SPANS)
            for span in tier.spans:
                made = fill_pattern(label, {**words, "text": span.label or ""}, option="label") or None
                gathered.add(Mark(QUESTION, document, person, span._replace(label=made), source.name))
    return gathered.study()


def _named(files: Files, names: str | Sequence[str] | None) -> Files:
    """The tiers of some names in each file; an error for a name that no tier of any file has."""
    if names is None:
        return files
    known = list(dict.fromkeys(tier.name for _, tiers in files for tier in tiers))
    wanted = [names] if isinstance(names, str) else names
    for name in wanted:
        if name not in known:
            place = listing([source.name for source, _ in files], quote=False, most=3)
            raise UnknownName(f"{place} has no tier {name!r}; it has {listing(known)}.{suggestion(name, known)}")
    return [(source, [tier for tier in tiers if tier.name in wanted]) for source, tiers in files]


def _check_people(files: Files, place: str | list[str]) -> list[Step]:
    """An error that asks what tiers are, unless their names or labels tell that they are annotators."""
    labels: dict[str, set[str]] = {}
    for _, tiers in files:
        for tier in tiers:
            labels.setdefault(tier.name, set()).update(tier.labels)
    marked = {name: given for name, given in labels.items() if given}
    if len(labels) < 2:
        return _single(files, labels)
    if all(PEOPLE.search(name) for name in marked):
        return []
    groups = _groups(marked) if len(marked) <= MANY else []
    layers = [name for name in marked if LAYERS.search(name)]
    if len(groups) == 1 and not layers and len(marked) > 1:
        return []
    raise DoubtfulReading(
        f"{_shown(place)}: tiers may be annotators or layers; there are {_described(labels)}, {_why(layers, marked)}; "
        "say what they are",
        _readings(labels, groups, several=len(files) > 1),
        source=place,
    )


def _single(files: Files, labels: Mapping[str, object]) -> list[Step]:
    """What to say of one tier: it cannot be compared, unless files are annotators."""
    if len(files) < 2 or not labels:
        return []
    name = next(iter(labels))
    by_file = Hint("annotator", "{file}")
    sentence = Advice.of(f"the tier {name!r} taken as one annotator (", by_file, " takes each file as one)")
    return [Step("assumed", sentence, len(files))]


def _groups(marked: Mapping[str, set[str]]) -> list[list[str]]:
    """Tiers in groups whose labels overlap, the largest first."""
    groups: list[list[str]] = []
    for name, labels in marked.items():
        near = [group for group in groups if any(_overlap(labels, marked[other]) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), name])
    order = {name: place for place, name in enumerate(marked)}
    return sorted((sorted(group, key=order.__getitem__) for group in groups), key=len, reverse=True)


def _overlap(one: set[str], two: set[str]) -> bool:
    return len(one & two) >= OVERLAPPING * min(len(one), len(two))


def _shown(place: str | list[str]) -> str:
    return place if isinstance(place, str) else listing(place, quote=False, most=3)


def _described(labels: Mapping[str, Iterable[str]]) -> str:
    parts = [f"{name!r} ({listing(sorted(given), most=3) or 'empty'})" for name, given in labels.items()]
    return listing(parts, quote=False, most=6)


def _why(layers: Sequence[str], marked: Mapping[str, object]) -> str:
    if layers:
        return f"and {listing(layers, most=3)} {'sounds' if len(layers) == 1 else 'sound'} like layers"
    return "whose labels are not the same" if len(marked) > 1 else "and only one of them has a label"


def _readings(
    labels: Mapping[str, Iterable[str]], groups: Sequence[Sequence[str]], *, several: bool
) -> list[ReadingAdvice]:
    readings = []
    for group in groups[:2]:
        if 1 < len(group) < len(labels):
            sentence = f"the tiers {listing(group, most=4)} are annotators"
            readings.append(ReadingAdvice(sentence, options={"tiers": [*group], "annotator": "{tier}"}))
    readings.append(ReadingAdvice("every tier is an annotator", options={"annotator": "{tier}"}))
    for name in [name for name, given in labels.items() if given][:3]:
        more = "" if several else ", once there are files of others"
        sentence = f"every file is an annotator, who is compared on the tier {name!r}{more}"
        readings.append(ReadingAdvice(sentence, options={"tiers": [name], "annotator": "{file}"}))
    return readings
