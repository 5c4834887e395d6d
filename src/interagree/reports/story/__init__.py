"""The story of a question: the verdict in one sentence, and what to do next, ranked by what it gains.

>>> import interagree
>>> from interagree.reports.parts import IntervalOptions, measured
>>> from interagree.reports.story import told
>>> study = interagree.Annotations.of({"ann": ["a", "b", "b", "a"] * 10, "bo": ["a", "b", "a", "a"] * 10})
>>> told(measured(study), IntervalOptions()).verdict.partition(":")[0]
'α 0.49 (0.20–0.70)'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interagree.data.provenance import counted
from interagree.errors import Advice
from interagree.findings.case import Case
from interagree.findings.finding import Finding
from interagree.findings.search import ORDER, SearchResult, found
from interagree.reports.parts import Part
from interagree.reports.story.verdict import plainly, verdict
from interagree.results.agreement import IntervalOptions
from interagree.results.document import AS_IT_STANDS, NEXT, VERDICT, Section
from interagree.results.scales import TENTATIVE, thresholds_fit
from interagree.tables import plain

__all__ = ["Finding", "Story", "in_short", "most_telling", "story_data", "told", "verdicts", "what_to_do"]

FIRST = 3  # findings that are told before anything else
FURTHER = "What else stands out"

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
    findings, notes = SearchResult() if case is None else found(case)
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
    """Where the questions stand in plain words; of a single one with its number, and what stands out most."""
    lines = plainly(parts, intervals)
    return Section(VERDICT, lines=lines + verdicts(parts, intervals) if len(parts) == 1 else lines)


def verdicts(parts: tuple[Part, ...], intervals: IntervalOptions) -> list[str]:
    """The verdict on each question."""
    told_of = ((part, told(part, intervals)) for part in parts)
    return [Advice.around(part.prefix + story.verdict, story.verdict) for part, story in told_of]


def of_question(part: Part, intervals: IntervalOptions) -> Section:
    """The verdict on one of several questions, and whether anything stands out."""
    story = told(part, intervals)
    quiet = [] if story.findings or story.undefined else [_nothing(part, intervals)]
    return Section(f"{part.prefix}{VERDICT}", lines=[story.verdict, *quiet])


Advised = tuple[Part, Finding]


def most_telling(parts: tuple[Part, ...], intervals: IntervalOptions) -> list[Advised]:
    """The findings of all questions, those that gain most first; each question keeps its order."""
    left = [(part, list(told(part, intervals).findings)) for part in parts]
    ranked: list[Advised] = []
    while waiting := [(part, findings) for part, findings in left if findings]:
        part, findings = min(waiting, key=lambda entry: (ORDER.get(entry[1][0].kind, 0), -entry[1][0].gain))
        ranked.append((part, findings.pop(0)))
    return ranked


def what_to_do(parts: tuple[Part, ...], intervals: IntervalOptions) -> list[Section]:
    """What to do next, numbered, with the command for each: the few that gain most, and behind them all others."""
    ranked = most_telling(parts, intervals)
    lines = _advised(ranked[:FIRST], 1 if len(ranked) > 1 else None)
    if not ranked:
        quiet = [part for part in parts if not told(part, intervals).undefined]
        said = dict.fromkeys(_nothing(part, intervals) for part in quiet)
        lines = [next(iter(said))] if len(said) == 1 else [part.prefix + _nothing(part, intervals) for part in quiet]
    notes = list(dict.fromkeys(note for part in parts for note in told(part, intervals).notes))
    first = Section(NEXT, lines=lines, foot=notes)
    more = _advised(ranked[FIRST:], FIRST + 1)
    return [first] * bool(lines) + [Section(FURTHER, lines=more, detail=True)] * bool(more)


def _advised(ranked: Sequence[Advised], number: int | None) -> list[str]:
    lines: list[str] = []
    for place, (part, finding) in enumerate(ranked):
        before = "" if number is None else f"{number + place}. "
        lines.append(Advice.around(f"{before}{part.prefix}{finding.sentence}", finding.sentence))
        if finding.command is not None:
            lines.append(Advice.of(AS_IT_STANDS, finding.command))
    return lines


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
    advice = [finding_data(finding) for finding in story.findings]
    return {"verdict": story.verdict, "advice": advice}


def finding_data(finding: Finding) -> dict[str, object]:
    """A finding as plain data for JSON."""
    return {
        "kind": finding.kind,
        "code": finding.code,
        "sentence": finding.sentence,
        "gain": finding.gain,
        "command": None if finding.command is None else Advice.of(finding.command),
        "about": plain(dict(finding.about)),
    }
