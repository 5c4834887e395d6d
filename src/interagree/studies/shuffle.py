r"""Shuffling: a reference made worse by known amounts, and what measures make of it.

Annotators are simulated by putting errors of a magnitude $m$ into a reference: at $m = 0$ each repeats the reference,
at $m = 1$ errors are as bad as they get.  A measure should be 1 at 0, and fall as $m$ grows; one that falls to about 0
knows what chance is, one that hardly falls does not see this kind of error, and one that rises should not be trusted
with it.  Drawn for several distances, the curves say which distance sees which error.

Mathet, Y., Widlöcher, A., Fort, K., François, C., Galibert, O., Grouin, C., Kahn, J., Rosset, S., & Zweigenbaum, P.
(2012). Manual corpus annotation: giving meaning to the evaluation metrics. COLING 2012: Posters, 809-818.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

import numpy as np

from interagree.choose import Choice, IntoChoice, choice, chosen, keywords, natural
from interagree.data import Annotations, IntoAnnotations, Study, as_annotations
from interagree.data.types import Annotator, Item, Value
from interagree.distances import IntoDistance, each
from interagree.errors import Advice, DataError, Hint, KindError, listing, only
from interagree.errors.options import checks_options
from interagree.errors.plain import mapping
from interagree.kinds import Kind
from interagree.kinds._noise import checked
from interagree.plugins import KINDS
from interagree.progress import steps
from interagree.reading.choices import WithoutKind
from interagree.studies.corpora import Confusion, Corpora
from interagree.studies.shuffled import Curve, Shuffled

MAGNITUDES = tuple(tenth / 10 for tenth in range(11))


@checks_options
def shuffle(
    reference: Mapping[Item, Value] | IntoAnnotations,
    *,
    noise: Iterable[str] | str | None = None,
    apart: bool = False,
    magnitudes: Iterable[float] = MAGNITUDES,
    annotators: int = 3,
    measures: Iterable[IntoChoice] | IntoChoice = ("alpha",),
    distances: Iterable[IntoDistance] | IntoDistance | None = None,
    repeats: int = 5,
    seed: int = 0,
    kind: str | None = None,
    confusion: Confusion | None = None,
    **reading: Unpack[WithoutKind],  # the kind also chooses the noise
) -> Shuffled:
    """Put growing errors into a reference and see how measures and distances respond.

    Args:
        reference: One value for each item: ``{item: value}``, or a study with one annotation for each item.
        noise: Names of errors: for spans "shift", "label", "split", "merge", "delete", "insert"; for labels "uniform",
            "prevalence", "neighbour", "confusion"; by default those that make sense together.
        apart: Whether each error gets curves of its own; else all are applied, one after the other.
        magnitudes: How bad errors are, from 0 to 1.
        annotators: How many annotators are simulated, each with errors of their own.
        measures: Measures by name, maybe with options, such as "alpha:distance=nominal".
        distances: Distances for the measures that take one; "all" for those worth comparing; the usual one by default.
        repeats: How many corpora are made for each magnitude.
        seed: Where random numbers start.
        kind: What the values are, where that is not plain from them: "spans", "text", "numbers", …
        confusion: How likely labels are mistaken for others: ``{"PER": {"ORG": 3, "LOC": 1}}``.
        reading: How the reference is read: ``item``, ``annotator``, ``value`` and the other options of
            `Annotations.of`.

    Returns:
        A `Shuffled`: curves, the verdict on each measure, and the noisy corpora themselves.

    Examples:
        >>> import interagree as ia
        >>> gold = {number: "abc"[number % 3] for number in range(30)}
        >>> result = ia.studies.shuffle(gold, magnitudes=[0, 0.5, 1], repeats=2)
        >>> [round(mean, 1) for mean in result.table()["alpha"]]
        [1.0, 0.2, -0.1]
    """
    study, word = _reference(reference, kind, reading)
    at = _magnitudes(magnitudes)
    _at_least(2, annotators=annotators)
    _at_least(1, repeats=repeats)
    corpora = Corpora(study, word, annotators, seed, confusion)
    names = corpora.noise.chosen(corpora.known, noise, separately=apart)
    sets = tuple((name,) for name in names) if apart else (names,)
    choices = _choices(measures, distances, study, word)
    values = np.full((len(sets), len(choices), len(at), repeats), np.nan)
    failed: dict[tuple[int, int], list[tuple[float, str]]] = {}
    refused: dict[tuple[int, int], KindError] = {}
    cells = [(s, i, r) for s in range(len(sets)) for i in range(len(at)) for r in range(repeats)]
    for s, i, r in steps(cells, "noisy corpora"):
        noisy = corpora.study(sets[s], at[i], r)
        for c, measured in enumerate(choices):
            # Errors may make values that a distance cannot take, such as empty lists; the rest is still worth having.
            try:
                result = measured.of(noisy)
                values[s, c, i, r], why = result.value, result.undefined
            except KindError as error:
                refused[s, c], why = error, str(error)
            if why:
                failed.setdefault((s, c), []).append((at[i], why))
    for (s, c), refusal in refused.items():
        if not (isinstance(distances, str) and distances == "all") and np.isnan(values[s, c]).all():
            raise refusal
    curves = _named(
        Curve("", _called(measured), _distance(measured), names, values[s, c])
        for s, names in enumerate(sets)
        for c, measured in enumerate(choices)
    )
    notes = tuple(_note(curves[s * len(choices) + c], where) for (s, c), where in sorted(failed.items()))
    return Shuffled(corpora, sets, at, repeats, curves, notes)


def _named(curves: Iterable[Curve]) -> tuple[Curve, ...]:
    """Curves named by what tells them apart, or by the measure where there is one alone."""
    made = list(curves)
    parts = [(curve.measure, curve.distance, "+".join(curve.noise)) for curve in made]
    differ = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    return tuple(
        curve._replace(
            name=" ".join(part for part, tells in zip(three, differ, strict=True) if tells and part) or three[0]
        )
        for curve, three in zip(made, parts, strict=True)
    )


def _note(curve: Curve, failed: Sequence[tuple[float, str]]) -> str:
    where = ", ".join(f"{magnitude:g}" for magnitude in dict.fromkeys(magnitude for magnitude, _ in failed))
    often = f"{len(failed)} {'corpus' if len(failed) == 1 else 'corpora'} of magnitude {where}"
    return f"{curve.name} is undefined for {often}: {failed[0][1]}"


def corpus(
    reference: Mapping[Item, Value] | IntoAnnotations,
    magnitude: float,
    *,
    noise: Iterable[str] | str | None = None,
    annotators: int = 3,
    seed: int = 0,
    kind: str | None = None,
    confusion: Confusion | None = None,
) -> Annotations:
    """One corpus with errors of a magnitude, the first that `shuffle` would measure."""
    study, word = _reference(reference, kind, {})
    _at_least(2, annotators=annotators)
    corpora = Corpora(study, word, annotators, seed, confusion)
    return corpora.study(corpora.noise.chosen(corpora.known, noise), checked(magnitude), 0)


def reference_of(study: Annotations, name: Annotator | None, where: str) -> Annotations:
    """The annotations of the annotator who is the reference, or all where no item has several.

    Args:
        study: Annotations.
        name: The annotator; needed where items have several annotations.
        where: What to call the study in an error.
    """
    if name is not None:
        return study.only(annotators=[name])
    if len(study.annotators) > 1 and int(study.sizes().max(initial=0)) > 1:
        hint = Hint("reference", study.annotators[0])
        raise DataError(
            f"a reference has one value for each item, and {where} has several by "
            f"{listing(study.annotators, most=5)}; choose one with {hint}",
            hints=[hint],
        )
    return study


def _reference(
    data: Mapping[Item, Value] | IntoAnnotations, kind: str | None, reading: WithoutKind
) -> tuple[Annotations, Kind]:
    """The reference as a study with one annotation for each item, and the kind by which noise is chosen."""
    data = mapping(data)
    if isinstance(data, Mapping) and not isinstance(data, Study):
        data = Annotations.from_columns([*data], ["reference"] * len(data), [*data.values()])
    study = as_annotations(data, **reading)
    sizes = study.sizes()
    if not len(study):
        raise DataError("the reference is empty; give one value for each item")
    if len(sizes) and int(sizes.max()) > 1:
        crowded = study.items[int(np.argmax(sizes))]
        if len(study.annotators) > 1:
            raise DataError(
                Advice.of(
                    f"a reference has one value for each item, and item {crowded!r} has {int(sizes.max())}, by "
                    f"{listing(study.annotators, most=5)}; choose one of them, as in ",
                    only(study.annotators[0]),
                )
            )
        raise DataError(f"a reference has one value for each item, and item {crowded!r} has {int(sizes.max())}")
    if kind is not None:
        study = study.taken_as(kind)
    return study, study.kind


def _magnitudes(given: Iterable[float]) -> tuple[float, ...]:
    magnitudes = tuple(dict.fromkeys(map(checked, given)))
    if not magnitudes:
        raise KindError("no magnitude was given; give some from 0 to 1, such as [0, 0.25, 0.5, 0.75, 1]")
    return magnitudes


def _at_least(least: int, **counts: int) -> None:
    for name, count in counts.items():
        if count != int(count) or count < least:
            raise KindError(f"{name}={count!r} must be a whole number of {least} or more")


def _choices(
    measures: Iterable[IntoChoice] | IntoChoice,
    distances: Iterable[IntoDistance] | IntoDistance | None,
    study: Annotations,
    kind: Kind,
) -> tuple[Choice, ...]:
    measures = [measures] if isinstance(measures, str | Choice) or callable(measures) else [*measures]
    if not measures:
        raise KindError("no measure was named; take alpha")
    if distances is None:
        return _once(_usual(choice(named), study, kind) for named in measures)
    wanted = each(distances)
    if wanted == ["all"]:
        wanted = [*(KINDS["ordered"] if kind == "labels" and study.in_order else kind).distances]
    return _once([wanted_measure for distance in wanted for wanted_measure in chosen(measures, distance=distance)])


def _once(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple({named.title: named for named in choices}.values())


def _usual(chosen_measure: Choice, study: Annotations, kind: Kind) -> Choice:
    """A measure with the distance that suits the kind, where it takes one and none was given."""
    if not kind.complex:
        return natural(chosen_measure, study)
    takes = "distance" in keywords(chosen_measure.measure) and chosen_measure.facts.chance != "none"
    if not takes or {"distance", "weights"} & chosen_measure.options.keys():
        return chosen_measure
    return Choice(chosen_measure.measure, {**chosen_measure.options, "distance": kind.distance})


def _distance(chosen_measure: Choice) -> str:
    given = chosen_measure.options.get("distance")
    return "" if given is None else str(getattr(given, "__name__", given))


def _called(chosen_measure: Choice) -> str:
    further = {
        name: option for name, option in chosen_measure.options.items() if name != "distance" and option is not None
    }
    return " ".join([chosen_measure.facts.name, *(f"{name}={option}" for name, option in further.items())])
