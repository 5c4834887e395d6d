"""Tiers of recordings: whether they are annotators.

Tiers are annotators, or layers such as words and sounds, or speakers.  They are taken as annotators where names say so
(``coder 1``), or where the labels in them overlap and no name is that of a layer; else the error asks, with the call
for each way to read them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

from interagree.data.files import Source
from interagree.data.provenance import Step
from interagree.errors import Advice, DoubtfulReading, Hint, ReadingAdvice, UnknownName, listing, suggestion
from interagree.gather.units import Unit

OVERLAPPING = 0.5  # the share of the labels of the tier with fewer of them that two annotators have in common
PEOPLE = re.compile(r"(?i)annotator|coder|rater|labell?er|transcriber|^ann[ _-]?\d+$|^a\d+$")
LAYERS = re.compile(
    r"(?i)(?<![a-z])(?:audio|clause|comment|event|f0|formant|gloss|glosses|intensity|intonation|ipa|lemma|letter|mora|"
    r"morph|morpheme|note|orthography|phone|phoneme|phonetic|phrase|pitch|pos|ref|segment|sentence|syllable|text|tone|"
    r"translation|transcription|utterance|word)s?(?![a-z])"
)
Files = Sequence[tuple[Source, Sequence["TierLabels"]]]


class TierLabels(NamedTuple):
    """What a tier is called, and the labels in it."""

    name: str
    labels: frozenset[str]


class Renamed(Protocol):
    """A tier that can be called otherwise."""

    @property
    def name(self) -> str:
        """What it is called."""

    def _replace(self, *, name: str) -> Self:
        """The same under another name."""


T = TypeVar("T", bound=Renamed)


def named_tiers(files: Sequence[tuple[Source, list[T]]], names: str | Sequence[str]) -> list[list[T]]:
    """The tiers of some names in each file; an error for a name that no tier of any file has."""
    known = list(dict.fromkeys(tier.name for _, tiers in files for tier in tiers))
    wanted = [names] if isinstance(names, str) else names
    for name in wanted:
        if name not in known:
            place = listing([source.name for source, _ in files], quote=False, most=3)
            raise UnknownName(f"{place} has no tier {name!r}; it has {listing(known)}.{suggestion(name, known)}")
    return [[tier for tier in tiers if tier.name in wanted] for _, tiers in files]


def numbered(source: Source, tiers: list[T], steps: list[Step]) -> list[T]:
    """Tiers of one name told apart by a number."""
    twice = [name for name, times in Counter(tier.name for tier in tiers).items() if name and times > 1]
    if not twice:
        return tiers
    steps.append(Step("noticed", f"{source.name}: several tiers are called {listing(twice)}; numbered", len(twice)))
    seen: Counter[str] = Counter()
    made = []
    for tier in tiers:
        seen[tier.name] += 1
        again = tier.name and seen[tier.name] > 1
        made.append(tier._replace(name=f"{tier.name} ({seen[tier.name]})") if again else tier)
    return made


def check_people(files: Files, place: str | list[str]) -> list[Step]:
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
    groups = _groups(marked)
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


def check_files(marked: Iterable[tuple[Source, Sequence[Unit]]], place: str | list[str]) -> None:
    """An error where two files would be one annotator's of one document."""
    owner: dict[tuple[object, object], Source] = {}
    for source, units in marked:
        for cell in dict.fromkeys((unit.document, unit.annotator) for unit in units):
            other = owner.setdefault(cell, source)
            if other is not source:
                raise DoubtfulReading(
                    f"{other.name} and {source.name} would both be what {cell[1]!r} marked in {cell[0]!r}; say whose "
                    "they are, or of what",
                    [
                        ReadingAdvice("every folder is an annotator", options={"annotator": "{folder}"}),
                        ReadingAdvice("every file is another document", options={"item": "{folder}/{file}"}),
                    ],
                    source=place,
                )
