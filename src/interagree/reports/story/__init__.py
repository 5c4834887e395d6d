"""The story of a question: the verdict in one sentence, and what to do next, ranked by what it gains.

>>> import interagree
>>> from interagree.reports.parts import IntervalOptions, measured
>>> from interagree.reports.story import told
>>> study = interagree.Annotations.of({"ann": ["a", "b", "b", "a"] * 10, "bo": ["a", "b", "a", "a"] * 10})
>>> told(measured(study), IntervalOptions()).verdict.partition(":")[0]
'α 0.49 (0.20–0.70)'
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from interagree.data.provenance import counted
from interagree.errors import Advice
from interagree.findings.case import Case
from interagree.findings.finding import Finding
from interagree.findings.search import Found, found
from interagree.reports.parts import IntervalOptions, Part
from interagree.reports.story.verdict import verdict
from interagree.results.document import AS_IT_STANDS, Section
from interagree.results.scales import TENTATIVE, thresholds_fit
from interagree.tables import plain

__all__ = ["Finding", "Story", "in_short", "story_data", "told", "what_to_do"]

NOTHING = "Nothing stands out: no {what} differs more than chance explains."
BELOW = "They agree less than chance would have it: look whether labels were swapped, or items put together wrongly."
LOW = "Agreement is low throughout: go through the guidelines with everybody before more is annotated."
PAIRS = 3  # annotators above whom pairs of them are tested
FEW = 20  # items to compare, below which that says little


@dataclass(frozen=True, slots=True)
class Story:
    """What is to be said of one question before anything else."""

    verdict: str
    findings: tuple[Finding, ...] = ()  # those that gain most first
    notes: tuple[str, ...] = ()  # what was not looked at, and why
    undefined: bool = False


def told(part: Part, intervals: IntervalOptions) -> Story:
    """The story of a measured question; told once for each study."""
    key = ("story", part.name, part.again, tuple(part.titles), intervals)
    made: Story = part.study.cached(key, lambda: _told(part, intervals))
    return made


def _told(part: Part, intervals: IntervalOptions) -> Story:
    case = case_of(part, intervals)
    findings, notes = Found() if case is None else found(case)
    undefined = case is None or case.lead.undefined is not None
    return Story(verdict(part, intervals, findings), findings, notes, undefined)


def case_of(part: Part, intervals: IntervalOptions) -> Case | None:
    """A measured question as findings are looked for; None where nothing was measured."""
    if part.lead is None:
        return None
    return Case(
        part.study,
        part.choices[part.results.index(part.lead)],
        part.lead,
        None if part.lead.undefined else intervals.interval(part.lead),
        intervals.level,
        intervals.random == "items" and intervals.cluster is None,
        intervals.seed,
        part.name,
        part.again,
        bool(part.remark),
    )


def in_short(parts: tuple[Part, ...], intervals: IntervalOptions) -> Section:
    """The verdict on each question."""
    lines = [
        Advice.around(part.prefix + story.verdict, story.verdict) for part in parts for story in [told(part, intervals)]
    ]
    return Section("In short", lines=lines)


def what_to_do(parts: tuple[Part, ...], intervals: IntervalOptions) -> Section | None:
    """What to do next, numbered, with the command for each; None where nothing could be measured."""
    lines: list[str] = []
    foot: list[str] = []
    places = count(1)
    several = sum(len(told(part, intervals).findings) for part in parts) > 1
    for part in parts:
        story = told(part, intervals)
        if story.undefined and not story.findings:
            continue
        if not story.findings:
            lines.append(part.prefix + _nothing(part, intervals))
        for finding in story.findings:
            number = f"{next(places)}. " if several else ""
            lines.append(Advice.around(f"{number}{part.prefix}{finding.sentence}", finding.sentence))
            if finding.command is not None:
                lines.append(Advice.of(AS_IT_STANDS, finding.command))
        foot += story.notes
    return Section("What to do next", lines=lines, foot=list(dict.fromkeys(foot))) if lines else None


def _nothing(part: Part, intervals: IntervalOptions) -> str:
    compared = int((part.study.sizes() > 1).sum())
    lead = part.lead
    interval = None if lead is None else intervals.interval(lead)
    fits = lead is not None and interval is not None and thresholds_fit(lead)
    if fits and interval is not None and interval.high < 0:
        return BELOW
    if compared >= FEW:
        people = 0 if part.study.anonymous else len(part.study.annotators)
        what = "label or item" if not people else "annotator, label or item"
        nothing = NOTHING.format(what=f"{what[:-8]}, item or pair of annotators" if people > PAIRS else what)
        low = fits and interval is not None and interval.high < TENTATIVE
        return f"{nothing} {LOW}" if low else nothing
    return f"Nothing stands out, but {counted(compared, 'item')} to compare would hardly show it."


def story_data(part: Part, intervals: IntervalOptions) -> dict[str, object]:
    """The story as plain data for JSON."""
    story = told(part, intervals)
    advice = [
        {
            "kind": finding.kind,
            "code": finding.code,
            "sentence": finding.sentence,
            "gain": finding.gain,
            "command": None if finding.command is None else Advice.of(finding.command),
            "about": plain(dict(finding.about)),
        }
        for finding in story.findings
    ]
    return {"verdict": story.verdict, "advice": advice}
