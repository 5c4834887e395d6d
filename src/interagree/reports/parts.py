"""The measured question: a study, the coefficients taken of it, and their rows in a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interagree.choose import (
    Choice,
    IntoChoice,
    SeemingScale,
    as_scale,
    choice,
    chosen,
    defaults,
    natural,
    remark_on_kind,
)
from interagree.data import Annotations
from interagree.data.provenance import Provenance, counted
from interagree.distances import IntoDistance
from interagree.errors import Advice, KindError
from interagree.reports.unseen import if_all_had_looked
from interagree.results.agreement import Agreement, Interval, IntervalOptions
from interagree.results.charts import DrawnEstimate, Forest, ThresholdLine
from interagree.results.document import Section, one_per_line, policy_sentence
from interagree.results.scales import THRESHOLDS, on_a_level
from interagree.results.sentences import paper_sentence
from interagree.tables import Table


@dataclass(frozen=True, slots=True)
class Part:
    """One question of one study, measured."""

    name: str
    study: Annotations
    remark: str  # on the kind of value
    choices: tuple[Choice, ...]
    results: tuple[Agreement, ...]
    refused: tuple[str, ...] = ()  # what could not be measured, and why
    provenance: Provenance = field(default_factory=Provenance)  # of the file and of the question
    source: Mapping[str, str] = field(default_factory=dict)  # the file and the question, where it was read from one
    again: str = ""  # the file and how it is read, as words of a further command

    @property
    def policy(self) -> str:
        """What was dropped, merged or assumed."""
        return self.provenance.policy()

    @property
    def prefix(self) -> str:
        """What a title or a sentence begins with where there are several parts."""
        return f"{self.name}: " if self.name else ""

    def prefixed(self, sentence: str) -> str:
        """A sentence, after the name of the part where there are several."""
        return Advice.around(self.prefix + sentence, sentence)

    @property
    def lead(self) -> Agreement | None:
        """The coefficient that drill-down follows: the first that is corrected for chance."""
        corrected = [result for result in self.results if result.measure.chance != "none"]
        return next(iter([*corrected, *self.results]), None)

    def leading(self) -> Part:
        """The same with its leading coefficient alone."""
        kept = [pair for pair in zip(self.choices, self.results, strict=True) if pair[1] is self.lead]
        return replace(self, choices=tuple(choice for choice, _ in kept), results=tuple(result for _, result in kept))

    def unseen(self) -> str:
        """What the leading coefficient would be if everybody had looked at everything."""
        if self.lead is None:
            return ""
        return if_all_had_looked(self.study, self.choices[self.results.index(self.lead)], self.lead)

    @property
    def titles(self) -> list[str]:
        """The names of the rows."""
        return [choice.title for choice in self.choices]

    def titled(self) -> list[tuple[str, Agreement]]:
        """The coefficients with their names."""
        return list(zip(self.titles, self.results, strict=True))

    def title_of(self, result: Agreement) -> str:
        """The name of one of the coefficients."""
        return next(title for title, other in self.titled() if other is result)

    def of_lead(self, what: str) -> str:
        """A heading for a table that follows the leading coefficient."""
        return what if self.lead is None else f"{what} ({self.title_of(self.lead)})"


def measured(
    study: Annotations,
    *,
    name: str = "",
    measures: Sequence[IntoChoice] = (),
    distance: IntoDistance | None = None,
    weights: object = None,
    lenient: bool = False,
    provenance: Provenance | None = None,
    source: Mapping[str, str] | None = None,
    again: str = "",
    fallback: str | None = None,
) -> Part:
    """The named coefficients of a study, or the usual ones for its kind of value.

    With ``lenient`` a coefficient that does not suit the study is left out with a remark, as are those that nobody
    named.  With ``fallback`` that measure, with the usual distance for the values, is taken where none is named.
    """
    if distance is not None and weights is not None:
        raise KindError("distance and weights are two ways to say how far apart values are; give one of them")
    if fallback is not None and not measures:
        plain = distance is None and weights is None
        measures = (natural(choice(fallback), study) if plain else fallback,)
    named = chosen(measures, distance=distance, weights=weights)
    asked = bool(named) or distance is not None or weights is not None
    choices = named or defaults(study, distance=distance, weights=weights)
    taken, results, refused = [], [], []
    for wanted in choices:
        try:
            results.append(wanted.of(study))
            taken.append(wanted if study.level.plain else natural(wanted, study))
        except KindError as error:
            if asked and not lenient:
                raise
            refused.append(Advice(f"{wanted.title} was left out: {error}", error.hints))
    remark = "" if asked else remark_on_kind(study)
    scale = as_scale(study)
    if not asked and scale is not None and results:
        other = scale.of(study)
        number = "undefined" if other.undefined else f"{other.value:.3f}"
        as_labels, _, advice = remark.partition("; ")
        in_order = f"as an ordered scale, {other.measure.symbol} = {number}"
        remark = Advice.around(f"{as_labels}; {in_order}; {advice}", remark)
    words = None if asked or not results else SeemingScale.of(study)
    if words is not None:
        other = words.measured()
        remark = words.remark(f"{other.measure.symbol} = {'undefined' if other.undefined else f'{other.value:.3f}'}")
    read = study.provenance if provenance is None else provenance
    return Part(name, study, remark, tuple(taken), tuple(results), tuple(refused), read, source or {}, again)


HEADS = ("measure", "value", "low", "high", "observed", "expected", "items", "annotators")
REACHED = "Krippendorff"  # the head of the column of thresholds


def coefficient_table(part: Part, intervals: IntervalOptions, *, thresholds: bool = False) -> Table:
    """One row for each coefficient: the number, how sure it is, what it is made of, and from how much.

    Disagreements whose distance has no upper end are divided by the expected one, as all that people are shown
    (`interagree.results.chance`); where that leaves nothing to tell, the two columns are left out.
    """
    rows = []
    for title, result in part.titled():
        interval = intervals.interval(result)
        observed, expected = _shown_disagreement(result)
        rows.append(
            {
                "measure": title,
                "value": result.value,
                "low": math.nan if interval is None else interval.low,
                "high": math.nan if interval is None else interval.high,
                "observed": observed,
                "expected": expected,
                "items": result.n.items,
                "annotators": result.n.annotators,
                REACHED: reached(result, interval),
            }
        )
    table = Table.of(rows, names=(*HEADS, REACHED))
    if part.results and not any(result.engine.bounded for result in part.results):
        table = table.without("observed", "expected")
    return table if thresholds and any(table[REACHED]) else table.without(REACHED)


def _shown_disagreement(result: Agreement) -> tuple[float | None, float | None]:
    """The observed and the expected disagreement, in units of the latter where distances have no upper end."""
    observed, expected, _ = result.disagreement
    if result.engine.bounded:
        return observed, expected
    return (observed / expected, 1.0) if expected and math.isfinite(expected) else (None, None)


def reached(result: Agreement, interval: Interval | None) -> str:
    """Which of Krippendorff's thresholds the whole interval of a coefficient reaches; empty where they are not meant.

    He calls conclusions tentative from 0.667 and draws others from 0.800 up.
    """
    if result.undefined or interval is None or not on_a_level(result):
        return ""
    tentative, firm = THRESHOLDS
    if interval.low >= tentative:
        return f"at least {firm if interval.low >= firm else tentative:.3f}"
    return f"below {tentative:.3f}" if interval.high < tentative else f"{tentative:.3f} is open"


TIDY = (
    *("study", "measure", "title", "value", "low", "high", "level", "method", "standard_error", "p_value"),
    *("observed", "expected", "items", "annotators", "annotations", "undefined"),
)


def tidy(parts: Iterable[Part], intervals: IntervalOptions) -> Table:
    """All coefficients of all parts, one row each, with everything a spreadsheet may want."""
    rows = []
    for part in parts:
        for chosen_measure, result in zip(part.choices, part.results, strict=True):
            interval = intervals.interval(result)
            data = intervals.to_dict(result)
            rows.append(
                {
                    "study": part.name,
                    "measure": chosen_measure.facts.name,
                    "title": chosen_measure.title,
                    "value": result.value,
                    "low": None if interval is None else interval.low,
                    "high": None if interval is None else interval.high,
                    "level": intervals.level,
                    "method": None if interval is None else interval.method,
                    "standard_error": data["standard_error"],
                    "p_value": data["p_value"],
                    "observed": result.disagreement.observed,
                    "expected": result.disagreement.expected,
                    **result.n._asdict(),
                    "undefined": result.undefined,
                }
            )
    return Table.of(rows, names=TIDY)


def remarks(part: Part, intervals: IntervalOptions) -> tuple[str, ...]:
    """What must be said below the coefficients: what is undefined, what was left out, what was assumed."""
    undefined = [f"{title} is undefined: {result.undefined}" for title, result in part.titled() if result.undefined]
    noted: dict[str, list[str]] = {}
    taken = part.remark.partition(";")[0]  # what is said of the whole part need not be said of each coefficient
    for title, result in part.titled():
        interval = intervals.interval(result)
        for note in (*result.notes, *([interval.note] if interval is not None and interval.note else [])):
            if not taken or not note.startswith(taken):
                noted.setdefault(note, []).append(title)
    notes = [
        note if len(titles) == len(part.results) else Advice.around(f"{'; '.join(titles)}: {note}", note)
        for note, titles in noted.items()
    ]
    return one_per_line((*undefined, *notes, *part.refused, part.unseen(), part.remark))


def policy_line(part: Part) -> str:
    """The line that every table ends with: how much there is, and what was dropped, merged or assumed."""
    study = part.study
    who = "annotators unknown" if study.anonymous else counted(len(study.annotators), "annotator")
    counts = f"{counted(len(study.items), 'item')}, {who}, {counted(len(study), 'annotation')}"
    return policy_sentence(part.policy, counts)


def paper_sentence_of(part: Part, intervals: IntervalOptions) -> str:
    """The leading coefficient as a sentence for a paper."""
    lead = part.lead
    if lead is None:
        return "Nothing was measured."
    interval = intervals.interval(lead)
    title = part.title_of(lead)
    return paper_sentence(lead, interval, title=title, random=intervals.random, cluster=intervals.cluster)


SPELLED_OUT = ("spa",)  # measures whose symbol says little to those who have not met it


def explained(part: Part) -> tuple[str, ...]:
    """What little-known coefficients of a part are, in the words of their own help."""
    shown = {choice.facts.name: choice.facts for choice in part.choices if choice.facts.name in SPELLED_OUT}
    return tuple(f"{facts.symbol}: {in_plain_words(name)}" for name, facts in shown.items())


def in_plain_words(measure: str) -> str:
    """The first sentence of a measure's help, to stand after a colon."""
    from interagree.plugins import MEASURES

    sentence = (MEASURES[measure].__doc__ or "").strip().partition("\n")[0].removesuffix(".")
    return f"{sentence[:1].lower()}{sentence[1:]}"


MEANING = "observed, expected: disagreement, at most 1"


def meaning(part: Part) -> str:
    """What the two columns of disagreements are, where they are that."""
    shown = [(title, result) for title, result in part.titled() if not result.undefined]
    bounded = [result for _, result in shown if result.engine.bounded]
    if not bounded:
        return ""
    corrected = [result for result in bounded if result.disagreement.expected is not None]
    words = MEANING if corrected else MEANING.replace(", expected", "")
    ratio = [1 - result.disagreement.observed / (result.disagreement.expected or 1) for result in corrected or bounded]
    values = [result.value for result in corrected or bounded]
    if all(math.isclose(*both, abs_tol=1e-9) for both in zip(values, ratio, strict=True)):
        words += "; value = 1 - observed / expected" if corrected else "; value = 1 - observed"
    others = [title for title, result in shown if not result.engine.bounded]
    return words + (f"; of {', '.join(others)} divided by the expected one" if others else "")


def coefficients_section(
    part: Part, intervals: IntervalOptions, title: str, *more: str, thresholds: bool = False
) -> Section:
    """The coefficients of a part as a section, with what must be said below them."""
    table = coefficient_table(part, intervals, thresholds=thresholds)
    notes = (*remarks(part, intervals), meaning(part), *explained(part), intervals.sentence(part.results))
    held = f"{REACHED}: {KRIPPENDORFF}" if REACHED in table.columns else ""
    foot = one_per_line((*notes, held, *more))
    return Section(title, table=table, foot=foot, forest=True, spare=REACHED, chart=forest_chart([part], intervals))


KRIPPENDORFF = "which of his thresholds the whole interval reaches; 0.667 for tentative conclusions, 0.800 for others"


def forest_chart(parts: Sequence[Part], intervals: IntervalOptions) -> Forest | None:
    """The coefficients of some parts with their intervals; None where none is defined."""
    rows, words = [], []
    for part in parts:
        for title, result in part.titled():
            if result.undefined:
                continue
            interval = intervals.interval(result)
            low, high = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
            rows.append(DrawnEstimate(title, result.value, low, high, part.name))
            ends = "" if interval is None else f" ({low:.2f} to {high:.2f})"
            words.append(f"{part.prefix}{title} {result.value:.2f}{ends}")
    if not rows:
        return None
    marked = any(on_a_level(result) for part in parts for result in part.results)
    marks = [ThresholdLine(at, f"{at:.3f}") for at in THRESHOLDS] if marked else []
    axis = f"coefficient and {intervals.level:.0%} interval"
    return Forest(rows, axis, f"Coefficients with their intervals: {'; '.join(words)}.", marks)


def part_data(part: Part, intervals: IntervalOptions) -> dict[str, object]:
    """A part as plain data for JSON."""
    study = part.study
    return {
        "study": part.name,
        "kind": part.study.kind.name,
        "level": part.study.level.to_dict(),
        "n": {
            "items": len(study.items),
            "annotators": None if study.anonymous else len(study.annotators),
            "annotations": len(study),
            "values": len(study.values),
        },
        "results": [{**intervals.to_dict(result), "title": title} for title, result in part.titled()],
        "remarks": list(remarks(part, intervals)),
        "policy": part.policy,
    }
