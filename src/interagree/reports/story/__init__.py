"""The story of a question: the verdict in one sentence, and what to do next, ranked by what it gains.

Five tests look for a flaw, together at 5 %, with p-values adjusted for everything that each looks at, so that a study
without one is accused of none at least 95 times in 100: `annotators` (who differs from the others on the same items),
`labels` (which two are confused), `items` (whether few hold most of the disagreement), `boundaries` (who marks longer
or shorter spans) and `pairs` (which two annotators agree more or less than each does with the rest).  `amounts` says
how many more items would decide what is open, and `undefined` what is missing where there is no coefficient; they test
nothing and accuse nobody.

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
from itertools import count

from interagree.data.provenance import counted
from interagree.data.types import Annotator
from interagree.errors import Advice
from interagree.people.leave_one_out import LeaveOneOut
from interagree.reports.parts import IntervalOptions, Part
from interagree.reports.story import amounts, annotators, items, labels, pairs, undefined
from interagree.reports.story.case import Case, Finding
from interagree.reports.story.verdict import TENTATIVE, thresholds_fit, verdict
from interagree.results.document import AS_IT_STANDS, Section
from interagree.tables import plain

__all__ = ["Finding", "Story", "in_short", "story_data", "told", "what_to_do"]

ORDER = {"reading": -2, "overlap": -1, "amount": 1}  # first what makes all else idle, last what only needs patience
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
    lead = part.lead
    if lead is None or lead.undefined:
        missing = [] if lead is None else undefined.findings(Case(part, intervals, lead))
        return Story(verdict(part, intervals, None, ()), tuple(missing), undefined=True)
    case = Case(part, intervals, lead)
    found, notes = _findings(case)
    ranked = tuple(
        sorted(found, key=lambda finding: (ORDER.get(finding.kind, 0) if finding.short else 1, -finding.gain))
    )
    return Story(verdict(part, intervals, case, ranked), ranked, tuple(note for note in notes if note))


def _findings(case: Case) -> tuple[list[Finding], list[str]]:
    notes = [case.cut]
    if case.study.anonymous:
        return [*labels.findings(case, None), *items.findings(case), *amounts.findings(case)], notes
    standing = pairs.standing_out(case)
    people = annotators.flagged(case, case.beside_others)
    # Two who share a habit agree more with each other, and so do those who do not have it: that is not told twice.
    if any(pair.closer for pair in standing):
        people = annotators.with_shared(people, pairs.sharing(case.beside_others, standing))
        standing = pairs.beyond_habits(case, standing, people)
    # Who copies makes others look odd, and who is odd makes labels look confused: each is left out of what follows.
    rest = _without(case.beside_others, [pair.second for pair in standing if pair.closer], least=3)
    if rest is not case.beside_others:
        people = annotators.flagged(case, rest)
    odd = [person.name for person in people]
    rest = _without(rest, odd, least=2)
    # Who is odd differs from many; that need not be said of each.
    standing = [pair for pair in standing if pair.closer or not {pair.first, pair.second} & {*odd}]
    found = [
        *annotators.findings(case, people),
        *pairs.findings(case, standing),
        *labels.findings(case, rest),
        *items.findings(case),
    ]
    notes.append(pairs.too_many(case.beside_others))
    if case.study.kind == "spans":
        from interagree.reports.story import boundaries

        guessing = [person.name for person in people if person.habit == "guess"]
        of_spans, left_out = boundaries.findings(case, guessing)
        found, notes = [*found, *of_spans], [*notes, *left_out]
    return [*found, *amounts.findings(case)], notes


def _without(rest: LeaveOneOut, names: Sequence[Annotator], *, least: int) -> LeaveOneOut:
    """The same without some annotators, where at least so many are left."""
    if not names or rest.people - len(names) < least:
        return rest
    return LeaveOneOut(rest.study.without(*names), rest.distance)


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
            "sentence": finding.sentence,
            "gain": finding.gain,
            "command": None if finding.command is None else Advice.of(finding.command),
            "about": plain(dict(finding.about)),
        }
        for finding in story.findings
    ]
    return {"verdict": story.verdict, "advice": advice}
