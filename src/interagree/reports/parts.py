"""The measured question: a study, the coefficients taken of it, and their rows in a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from interagree.data import Annotations
from interagree.errors import KindError
from interagree.reports.choose import Choice, IntoChoice, as_scale, chosen, defaults, remark_on_kind
from interagree.results.agreement import Agreement, Interval, Method, Random
from interagree.results.document import Section, one_per_line
from interagree.tables import Table


@dataclass(frozen=True, slots=True)
class How:
    """How intervals are made; the arguments of `Agreement.interval`."""

    level: float = 0.95
    method: Method = "auto"
    random: Random = "items"
    cluster: str | None = None
    resamples: int = 2000
    seed: int = 0

    def interval(self, result: Agreement) -> Interval | None:
        """The interval of a coefficient."""
        return result.interval(
            self.level,
            method=self.method,
            random=self.random,
            cluster=self.cluster,
            resamples=self.resamples,
            seed=self.seed,
        )

    def to_dict(self, result: Agreement) -> dict[str, Any]:
        """The coefficient as plain data, with the error, the interval and the p-value found this way."""
        found = result.to_dict()
        if self == How():
            return found
        interval = self.interval(result)
        given = {"random": self.random, "cluster": self.cluster}
        resampled = self.method in ("bootstrap", "bca")
        error = result.standard_error(method=self.method, random=self.random, cluster=self.cluster)
        if resampled and interval is not None:
            error = interval.error
        found["standard_error"] = error
        found["interval"] = (
            None
            if interval is None
            else {
                "low": interval.low,
                "high": interval.high,
                "level": interval.level,
                "method": interval.method,
                "df": interval.df,
                "seed": interval.seed,
                "resamples": interval.resamples,
            }
        )
        if not resampled:
            found["p_value"] = result.p_value(method=self.method, random=self.random, cluster=self.cluster)
        return {**found, "interval_over": given}

    def sentence(self, results: Iterable[Agreement]) -> str:
        """How the intervals of some coefficients were found."""
        found = [interval for result in results if (interval := self.interval(result)) is not None]
        if not found:
            return ""
        methods = " or ".join(dict.fromkeys(interval.method for interval in found))
        over = {"items": "items", "annotators": "annotators", "both": "items and annotators"}[self.random]
        group = f" in groups by {self.cluster!r}" if self.cluster else ""
        drawn = f", {found[0].resamples} resamples, seed {found[0].seed}" if found[0].resamples else ""
        return f"low, high: {self.level:.0%} interval for other {over}{group} ({methods}{drawn})"


@dataclass(frozen=True, slots=True)
class Part:
    """One question of one study, measured."""

    name: str
    study: Annotations
    remark: str  # on the kind of value
    choices: tuple[Choice, ...]
    results: tuple[Agreement, ...]
    refused: tuple[str, ...] = ()  # what could not be measured, and why
    policy: str = ""

    @property
    def lead(self) -> Agreement | None:
        """The coefficient that drill-down follows: the first that is corrected for chance."""
        corrected = [result for result in self.results if result.measure.chance != "none"]
        return next(iter([*corrected, *self.results]), None)

    @property
    def titles(self) -> list[str]:
        """The names of the rows."""
        return [one.title for one in self.choices]


def measured(
    study: Annotations,
    *,
    name: str = "",
    measures: Sequence[IntoChoice] = (),
    distance: Any = None,
    weights: Any = None,
    lenient: bool = False,
    policy: str | None = None,
) -> Part:
    """The named coefficients of a study, or the usual ones for its kind of value.

    With ``lenient`` a coefficient that the study does not suit is left out and said, as it is with those that nobody
    named.
    """
    if distance is not None and weights is not None:
        raise KindError(
            "distance= and weights= are two ways to say how far apart values are; give one of them"
        )
    named = chosen(measures, distance=distance, weights=weights)
    asked = bool(named) or distance is not None or weights is not None
    choices = named or defaults(study, distance=distance, weights=weights)
    taken, results, refused = [], [], []
    for one in choices:
        try:
            results.append(one.of(study))
            taken.append(one)
        except KindError as error:
            if asked and not lenient:
                raise
            refused.append(f"{one.title} was left out: {error}")
    said = study.provenance.policy() if policy is None else policy
    remark = "" if asked else remark_on_kind(study)
    scale = as_scale(study)
    if not asked and scale is not None and results:
        other = scale.of(study)
        number = "undefined" if other.undefined else f"{other.value:.3f}"
        as_labels, _, advice = remark.partition("; ")
        remark = f"{as_labels}; as an ordered scale, {other.measure.symbol} = {number}; {advice}"
    return Part(name, study, remark, tuple(taken), tuple(results), tuple(refused), said)


# -- tables and sentences -------------------------------------------------------------------------------------


def coefficients(part: Part, how: How) -> Table:
    """One row for each coefficient: the number, how sure it is, what it is made of, and from how much."""
    rows = []
    for one, result in zip(part.choices, part.results, strict=True):
        interval = how.interval(result)
        rows.append(
            {
                "measure": one.title,
                "value": result.value,
                "low": math.nan if interval is None else interval.low,
                "high": math.nan if interval is None else interval.high,
                "observed": result.disagreement.observed,
                "expected": result.disagreement.expected,
                "items": result.n.items,
                "annotators": result.n.annotators,
            }
        )
    names = ("measure", "value", "low", "high", "observed", "expected", "items", "annotators")
    return Table.of(rows, names=names)


def tidy(parts: Iterable[Part], how: How) -> Table:
    """All coefficients of all parts, one row each, with everything a spreadsheet may want."""
    rows = []
    for part in parts:
        for one, result in zip(part.choices, part.results, strict=True):
            interval = how.interval(result)
            whole = how.to_dict(result)
            rows.append(
                {
                    "study": part.name,
                    "measure": one.facts.name,
                    "title": one.title,
                    "value": result.value,
                    "low": None if interval is None else interval.low,
                    "high": None if interval is None else interval.high,
                    "level": how.level,
                    "method": None if interval is None else interval.method,
                    "standard_error": whole["standard_error"],
                    "p_value": whole["p_value"],
                    "observed": result.disagreement.observed,
                    "expected": result.disagreement.expected,
                    "items": result.n.items,
                    "annotators": result.n.annotators,
                    "annotations": result.n.annotations,
                    "undefined": result.undefined,
                }
            )
    names = (
        *(
            "study",
            "measure",
            "title",
            "value",
            "low",
            "high",
            "level",
            "method",
            "standard_error",
            "p_value",
        ),
        *("observed", "expected", "items", "annotators", "annotations", "undefined"),
    )
    return Table.of(rows, names=names)


def remarks(part: Part, how: How) -> tuple[str, ...]:
    """What must be said below the coefficients: what is undefined, what was left out, what was assumed."""
    undefined = [
        f"{title} is undefined: {result.undefined}"
        for title, result in zip(part.titles, part.results, strict=True)
        if result.undefined
    ]
    noted: dict[str, list[str]] = {}
    taken = part.remark.partition(";")[
        0
    ]  # what is said of the whole part need not be said of each coefficient
    for title, result in zip(part.titles, part.results, strict=True):
        interval = how.interval(result)
        for note in (*result.notes, *([interval.note] if interval is not None and interval.note else [])):
            if not taken or not note.startswith(taken):
                noted.setdefault(note, []).append(title)
    notes = [
        note if len(titles) == len(part.results) else f"{'; '.join(titles)}: {note}"
        for note, titles in noted.items()
    ]
    return one_per_line((*undefined, *notes, *part.refused, part.remark))


def policy_line(part: Part) -> str:
    """The line that every table ends with: how much there is, and what was dropped, merged or assumed."""
    study = part.study
    who = "annotators unknown" if study.anonymous else plural(len(study.annotators), "annotator")
    sizes = f"{plural(len(study.items), 'item')}, {who}, {plural(len(study), 'annotation')}"
    return f"Policy: {sizes}; {part.policy or 'nothing was dropped, merged or assumed'}."


def plural(count: int, word: str) -> str:
    """A number and its word."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def titles(part: Part, result: Agreement) -> str:
    """The name of a result within its part."""
    return next(title for title, one in zip(part.titles, part.results, strict=True) if one is result)


def against_chance(table: Table, result: Agreement) -> Table:
    """Distances without an upper end in units of the expected disagreement: 1 is what chance would give."""
    expected = result.disagreement.expected
    if result.observed_agreement is not None or not expected:
        return table
    renamed = {
        "disagreement": "disagreement / chance",
        "distance from the rest": "distance from the rest / chance",
    }
    columns = {
        renamed.get(name, name): [one / expected for one in column] if name in renamed else column
        for name, column in table.columns.items()
    }
    return Table(columns, table.title, table.foot)


SAID_IN_FULL = ("spa",)  # measures whose symbol says little to those who have not met it


def explained(part: Part) -> tuple[str, ...]:
    """What little-known coefficients of a part are, in the words of their own help."""
    shown = {one.facts.name: one.facts for one in part.choices if one.facts.name in SAID_IN_FULL}
    return tuple(f"{facts.symbol}: {in_plain_words(name)}" for name, facts in shown.items())


def in_plain_words(measure: str) -> str:
    """The first sentence of a measure's help, to stand after a colon."""
    from interagree.plugins import MEASURES

    sentence = (MEASURES[measure].__doc__ or "").strip().partition("\n")[0].removesuffix(".")
    return f"{sentence[:1].lower()}{sentence[1:]}"


MEANING = "observed, expected: disagreement; value = 1 - observed / expected"


def meaning(part: Part) -> str:
    """What the two columns of disagreements are, where they are that."""
    plain = all(
        result.undefined
        or result.disagreement.expected is None
        or math.isclose(
            result.value, 1 - result.disagreement.observed / result.disagreement.expected, abs_tol=1e-9
        )
        for result in part.results
    )
    if all(result.disagreement.expected is None for result in part.results):
        plainly = all(
            result.undefined or math.isclose(result.value, 1 - result.disagreement.observed, abs_tol=1e-9)
            for result in part.results
        )
        return "observed: disagreement" + ("; value = 1 - observed" if plainly else "")
    return MEANING if plain else "observed, expected: disagreement"


def section(part: Part, how: How) -> Section:
    """The coefficients of a part as a section that ends with the policy line."""
    return Section(
        part.name,
        table=coefficients(part, how),
        foot=one_per_line(
            (
                *remarks(part, how),
                meaning(part),
                *explained(part),
                how.sentence(part.results),
                policy_line(part),
            )
        ),
        forest=True,
    )


def part_data(part: Part, how: How) -> dict[str, Any]:
    """A part as plain data for JSON."""
    study = part.study
    return {
        "study": part.name,
        "kind": part.study.kind.name,
        "n": {
            "items": len(study.items),
            "annotators": None if study.anonymous else len(study.annotators),
            "annotations": len(study),
            "values": len(study.values),
        },
        "results": [
            {**how.to_dict(result), "title": title}
            for title, result in zip(part.titles, part.results, strict=True)
        ],
        "remarks": list(remarks(part, how)),
        "policy": part.policy,
    }
