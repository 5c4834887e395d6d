"""How it was done, ready for a paper: the methods in a paragraph, what to cite, and with what it was computed."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from interagree import __version__
from interagree.choose import Choice
from interagree.data.provenance import counted
from interagree.references import REFERENCES, Reference
from interagree.reports.parts import Part
from interagree.results.agreement import IntervalOptions
from interagree.results.document import Section

# How intervals are found, in the words of a methods section.
INTERVALS = {
    "adjusted": "linearisation on an unbounded scale (the method 'adjusted')",
    "analytic": "analytic formulas",
    "jackknife": "the jackknife",
    "bootstrap": "the percentile bootstrap",
    "bca": "the bias-corrected and accelerated bootstrap",
    "table": "Gwet's closed form for two annotators",
    "null": "the distribution without agreement",
}
OVER = {"items": "items", "annotators": "annotators", "both": "items and annotators", "labels": "labels"}


def methods(parts: Sequence[Part], intervals: IntervalOptions) -> tuple[str, ...]:
    """The methods as a paragraph for each set of coefficients that were taken."""
    by_choice: dict[tuple[str, ...], list[Part]] = {}
    for part in parts:
        if any(not result.undefined for result in part.results):
            by_choice.setdefault(tuple(part.titles), []).append(part)
    return tuple(_paragraph(some, intervals) for some in by_choice.values())


def _paragraph(parts: Sequence[Part], intervals: IntervalOptions) -> str:
    return " ".join([_taken(parts), *_interval(parts, intervals), _computed()])


def _taken(parts: Sequence[Part]) -> str:
    """What was measured, of questions that have the same coefficients."""
    taken = _enumerated([_cited(choice) for choice in parts[0].choices])
    names = [part.name for part in parts if part.name]
    of = f" on {_enumerated(names)}" if names else ""
    on = f", on {_sizes(parts[0])}" if len(parts) == 1 else ""
    return f"Agreement{of} was measured by {taken}{on}."


def _computed() -> str:
    others = [f"{name} {number}" for name, number in versions().items() if name != "interagree"]
    return f"All numbers were computed with interagree {__version__} ({', '.join(others)})."


def briefly(parts: Sequence[Part], intervals: IntervalOptions) -> str:
    """How the leading coefficients were taken, in one paragraph for all questions."""
    leads = [part.leading() for part in parts if part.lead is not None and not part.lead.undefined]
    by_choice: dict[tuple[str, ...], list[Part]] = {}
    for part in leads:
        by_choice.setdefault(tuple(part.titles), []).append(part)
    taken = [_taken(some) for some in by_choice.values()]
    found = [sentence for some in by_choice.values() for sentence in _interval(some, intervals)]
    return " ".join([*taken, *dict.fromkeys(found), _computed()]) if taken else ""


def _enumerated(words: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def _cited(choice: Choice) -> str:
    """A measure with its options and the publication behind it."""
    title, options = choice.facts.title, choice.title.removeprefix(choice.facts.title).removeprefix(", ")
    if options == choice.title:  # the options name it, as ICC(2,1)
        title, options = f"{choice.facts.title} {options}", ""
    word = title.partition(" ")[0]
    if word.lower() in choice.facts.name:  # a word, and not somebody's name
        title = f"{title[0].lower()}{title[1:]}"
    within = [options, _in_brackets(REFERENCES[choice.facts.reference])]
    return f"{title} ({'; '.join(part for part in within if part)})"


def _in_brackets(reference: Reference) -> str:
    """The authors and the year as they are cited in a text."""
    names = [name.partition(",")[0].strip() for name in reference.author.replace("&", ";").split(";") if name.strip()]
    who = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
    return f"{who}, {reference.year}"


def _sizes(part: Part) -> str:
    study = part.study
    if study.anonymous:
        return f"{counted(len(study.items), 'item')} with {counted(len(study), 'annotation')} by unnamed annotators"
    who = counted(len(study.annotators), "annotator")
    return f"{counted(len(study.items), 'item')} by {who} ({counted(len(study), 'annotation')})"


def _interval(parts: Sequence[Part], intervals: IntervalOptions) -> list[str]:
    known = [
        interval for part in parts for result in part.results if (interval := intervals.interval(result)) is not None
    ]
    if not known:
        return []
    ways = dict.fromkeys(INTERVALS.get(interval.method, interval.method) for interval in known)
    drawn = next((interval for interval in known if interval.resamples), None)
    resamples = "" if drawn is None else f" ({drawn.resamples:,} resamples, seed {drawn.seed})"
    group = f" in groups by {intervals.cluster!r}" if intervals.cluster else ""
    over = f"{OVER[intervals.random]}{group} as drawn at random"
    return [f"{intervals.level:.0%} confidence intervals take {over} and are found by {' or '.join(ways)}{resamples}."]


def versions() -> dict[str, str]:
    """What the numbers were computed with."""
    known = {"interagree": __version__, "Python": platform.python_version()}
    for name, package in (("NumPy", "numpy"), ("SciPy", "scipy")):
        try:
            known[name] = version(package)
        except PackageNotFoundError:  # a bundle without metadata
            continue
    return known


def section(parts: Sequence[Part], intervals: IntervalOptions) -> Section | None:
    """The methods as a section."""
    paragraphs = methods(parts, intervals)
    return Section("Methods", lines=paragraphs, detail=True) if paragraphs else None


def to_cite(parts: Sequence[Part], intervals: IntervalOptions) -> Section:
    """The publications behind the measures, and what the numbers were computed with."""
    titles: dict[str, list[str]] = {}
    for part in parts:
        for choice in part.choices:
            titles.setdefault(REFERENCES[choice.facts.reference].text(), []).append(choice.facts.title)
    lines = [f"{', '.join(dict.fromkeys(names))}: {text}" for text, names in titles.items()]
    return Section("How to cite", lines=[*lines, f"Computed with interagree {__version__}; seed {intervals.seed}."])
