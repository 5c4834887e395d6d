"""Independent annotators get what every measure says they get: 0, or what its page says.

For every measure in the registry that is corrected for chance, those of plug-ins included, and for every kind of value
that it takes, studies are simulated in which nobody looks at the items.  The mean of the coefficient must be the
declared value (`Facts.under_chance`) within four Monte-Carlo standard errors, the declared margin, and the bias that
theory gives where annotations are missing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from independent import DESIGNS, LEFT, MARKED, MARKINGS, RIGHT, Design, Make, Marking, corrected, drawn, labels, stock

import interagree as ia
from interagree.declare.under_chance import ZERO
from interagree.plugins import KINDS, MEASURES
from interagree.stats.documents import span_chance, unit_chance

ERRORS = 4.0  # Monte-Carlo standard errors
OF_LABELS = [name for name in corrected() if MEASURES[name].facts.values in ("any", "numbers")]
OF_ANYTHING = [name for name in corrected() if MEASURES[name].facts.values == "any"]
OF_DOCUMENTS = [name for name in corrected() if MEASURES[name].facts.values in MARKED]
OTHERS = sorted({*corrected()} - {*OF_LABELS} - {*OF_DOCUMENTS})
DRAWN = ("gamma", "gamma_cat")  # they align many draws of chance, and are simulated less often
ALIKE = [name for name, design in DESIGNS.items() if design.alike]
OWN = [name for name, design in DESIGNS.items() if not design.alike]
SCALES: list[tuple[str, dict[str, Any]]] = [
    *(("alpha", {"distance": distance}) for distance in ("interval", "ordinal", "ratio")),
    *((name, {"weights": "quadratic"}) for name in ("cohen_kappa", "conger_kappa", "fleiss_kappa", "light_kappa")),
    *((name, {"weights": "linear"}) for name in ("scott_pi", "bennett_s", "van_oest", "ac2")),
    ("fleiss_kappa", {"distance": "ordinal"}),
    ("cohen_kappa", {"missing": "category"}),
    *(("icc", {"form": form}) for form in ("ICC(1,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")),
]


@pytest.fixture(autouse=True)
def fewer_draws() -> Iterator[None]:
    """Fewer draws of chance: what is measured is a mean, and each study draws anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unit_chance, "MOST", 30)
        patch.setattr(unit_chance, "TRIALS", 100)
        patch.setattr(span_chance, "MOST", 60)
        yield


def simulated(name: str, make: Make, studies: int, *, own: bool = False, **options: Any) -> tuple[float, float, float]:
    """The mean of a coefficient, by how much it differs from the declared value, and the error of that."""
    declared = MEASURES[name].facts.under_chance
    seed = [ord(letter) for letter in name]
    values, wanted = [], []
    for number in range(studies):
        result = MEASURES[name](make(np.random.default_rng([number, *seed])), **options)
        if result.undefined:
            continue
        values.append(result.value)
        wanted.append(declared.of(result) if own else declared.alike(result))
    assert len(values) > 0.5 * studies, "too many are undefined to say anything"
    off = np.subtract(values, wanted)
    assert np.isfinite(off).all()
    error = float(np.std(off, ddof=1)) / math.sqrt(len(off))
    return float(np.mean(values)), float(np.mean(off)), error


def check(name: str, make: Make, studies: int, *, own: bool = False, bias: float = 0.0, **options: Any) -> None:
    """Fail where the mean is not the declared one."""
    declared = MEASURES[name].facts.under_chance
    mean, off, error = simulated(name, make, studies, own=own, **options)
    allowed = ERRORS * error + declared.margin + bias + 1e-12
    said = f"{name}: {mean:.4f} on average, {off:+.4f} from the declared value, error {error:.4f}"
    if own and declared.habits == "less":
        assert off <= allowed, said
    else:
        assert abs(off) <= allowed, said


def make_labels(name: str, design: Design, scale: list[Any] | None = None) -> tuple[Make, Design]:
    """A maker of studies for a measure, and the design as it takes it."""
    if MEASURES[name].facts.annotators == "two":
        design = design.of(2)
    values = scale or ([1, 2, 4, 7, 8] if MEASURES[name].facts.values == "numbers" else list("vwxyz"))
    values = values[: len(design.shares[0])]
    return lambda rng: labels(design, values, rng), design


def bias_of(name: str, design: Design, form: str = "") -> float:
    """What theory leaves beyond the declared value.

    An intraclass correlation divides by something that moves with what is above it, which costs two parts in the square
    of the number of items; where incomplete items are left out, few may be left.  The forms of the mean of annotators
    are those of normal numbers.
    """
    if name != "icc":
        return design.bias
    left = design.items * (1 - design.missing) ** len(design.shares)
    return 2 / left**2 + (4 / left if form.endswith("k)") else 0.0)


# Labels and numbers


def of_labels(name: str, which: str, studies: int, **options: Any) -> None:
    make, design = make_labels(name, DESIGNS[which])
    check(name, make, studies, own=not design.alike, bias=bias_of(name, design), **options)


@pytest.mark.parametrize("name", OF_LABELS)
@pytest.mark.parametrize("which", ["few items", "own habits, three"])
def test_labels_given_blindly(name: str, which: str) -> None:
    of_labels(name, which, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_LABELS)
@pytest.mark.parametrize("which", DESIGNS)
def test_labels_given_blindly_in_many_studies(name: str, which: str) -> None:
    of_labels(name, which, 60 if name == "ks" else 600)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), SCALES, ids=str)
@pytest.mark.parametrize("which", ["few items", "rare value", "gaps", "own habits, three"])
def test_scales_given_blindly_in_many_studies(name: str, options: dict[str, Any], which: str) -> None:
    make, design = make_labels(name, DESIGNS[which], [1, 2, 4, 7, 8])
    if "k)" in options.get("form", "") and design.missing:
        pytest.skip("a handful of complete items has no mean to speak of: 1/F needs more than five")
    if options.get("form", "").startswith("ICC(1") and not design.alike:
        pytest.skip("the one-way forms take the annotators of each item as drawn anew")
    bias = bias_of(name, design, options.get("form", ""))
    own = not design.alike or "missing" in options  # who annotated what belongs to the study
    check(name, make, 600, own=own, bias=bias, **options)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in OF_LABELS if name not in {"ks", "sigma"}])
@pytest.mark.parametrize("items", [12, 100])
def test_numbers_that_are_all_different(name: str, items: int) -> None:
    def make(rng: np.random.Generator) -> ia.Annotations:
        numbers = np.round(rng.normal(size=(items, 2)) * [1, 2] + [0, 1], 6)
        return ia.Annotations.of([(i, who, float(numbers[i, who])) for i in range(items) for who in (0, 1)])

    options = {"distance": "interval"} if name in {"alpha", "auc"} else {}
    if "distance" not in options and MEASURES[name].facts.values == "any":
        pytest.skip("numbers that are all different are not labels")
    if name == "alpha":
        mean, _, error = simulated(name, make, 300, **options)
        assert mean < ERRORS * error  # one urn: the second annotator's numbers lie elsewhere
        return
    check(name, make, 300, own=True, bias=2 / items**2, **options)


# Every kind of value


@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_value_drawn_blindly(kind: str) -> None:
    values = stock(kind, np.random.default_rng(5), most=8)
    check("alpha", lambda rng: drawn(kind, values, rng, items=8), 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_ANYTHING)
@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_value_drawn_blindly_in_many_studies(name: str, kind: str) -> None:
    values = stock(kind, np.random.default_rng(6))
    annotators = 2 if MEASURES[name].facts.annotators == "two" else 3
    check(name, lambda rng: drawn(kind, values, rng, annotators=annotators), 40 if name == "ks" else 120)


# Documents, and measures of a kind of value of their own


def of_documents(name: str, which: str, studies: int, **options: Any) -> None:
    check(name, getattr(MARKINGS[which], MEASURES[name].facts.values), studies, **options)


@pytest.mark.parametrize("name", OF_DOCUMENTS)
def test_documents_marked_blindly(name: str) -> None:
    of_documents(name, "short documents", 4 if name in DRAWN else 16)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_DOCUMENTS)
@pytest.mark.parametrize("which", MARKINGS)
def test_documents_marked_blindly_in_many_studies(name: str, which: str) -> None:
    of_documents(name, which, 40 if name in DRAWN else 150)


@pytest.mark.parametrize("variant", ["u", "bu", "cu", "ku"])
def test_places_marked_at_unequal_rates(variant: str) -> None:
    def make(rng: np.random.Generator) -> ia.Annotations:
        marks = [Marking(4, 1, units, 200).spans(rng) for units in ((3, 5), (16, 20), (16, 20))]
        rows: list[dict[str, Any]] = []
        for who, study in enumerate(marks):
            for item, _, value in study.rows():  # the last annotator has one label
                own = [(begin, end, "A" if who == 2 else label) for begin, end, label in value]
                rows.append({"item": item, "annotator": who, "value": own, "text": "x" * 200})
        return ia.Annotations.of(rows, kind="spans", attributes=["text"])

    options = {"variant": variant} | ({"category": "A"} if variant == "ku" else {})
    mean, off, error = simulated("u_alpha", make, 60, own=True, **options)
    assert mean < -0.03
    assert abs(off) < ERRORS * error + 0.005


OWN_URNS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in ("cohen_kappa", "conger_kappa", "hubert_kappa")),
    *((name, {"weights": "quadratic"}) for name in ("conger_kappa", "hubert_kappa")),
    ("cohen_kappa", {"missing": "category"}),
]


@pytest.mark.parametrize(("name", "options"), OWN_URNS, ids=str)
def test_what_independent_annotators_get_keeps_who_annotated_what(name: str, options: dict[str, Any]) -> None:
    make, _ = make_labels(name, Design(20, (LEFT, RIGHT) * 2, 0.5), [1, 2, 4])
    study = make(np.random.default_rng(3))
    result = MEASURES[name](study, **options)
    rng, dealt = np.random.default_rng(4), []
    counted = np.isin(study.item, np.flatnonzero(study.sizes() >= (1 if "missing" in options else 2)))
    for _ in range(300):
        value = study.value.copy()
        for who in range(len(study.annotators)):
            mine = np.flatnonzero((study.annotator == who) & counted)
            value[mine] = rng.permutation(value[mine])
        dealt.append(MEASURES[name](replace(study, value=value), **options).value)
    error = float(np.nanstd(dealt)) / math.sqrt(300)
    assert result.measure.under_chance.of(result) == pytest.approx(np.nanmean(dealt), abs=4 * error + 0.002)


@pytest.mark.slow
@pytest.mark.parametrize("match", ["overlap", "jaccard", "within:1"])
@pytest.mark.parametrize("which", MARKINGS)
def test_spans_matched_otherwise_and_marked_blindly(match: str, which: str) -> None:
    of_documents("corrected_span_f1", which, 60, match=match)


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("which", MARKINGS)
def test_units_placed_by_uniform_chance(name: str, which: str) -> None:
    of_documents(name, which, 40, sampler="uniform")


@pytest.mark.parametrize("name", OTHERS)
def test_values_of_any_other_kind_drawn_blindly(name: str) -> None:
    facts = MEASURES[name].facts
    kind = {"pairs": "tuples"}.get(facts.values, facts.values)
    values = list(KINDS[kind].examples)
    check(name, lambda rng: drawn(kind, values, rng, annotators=2 if facts.annotators == "two" else 3), 200)


# That the check can fail, and that pages say what it checks


def test_a_measure_that_promises_zero_and_does_not_keep_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    make, _ = make_labels("ac1", DESIGNS["rare value"])
    monkeypatch.setattr(MEASURES["ac1"], "facts", replace(MEASURES["ac1"].facts, under_chance=ZERO))
    with pytest.raises(AssertionError, match=r"ac1: 0\.8"):
        check("ac1", make, 40)


def test_fleiss_kappa_lies_below_zero_by_one_part_in_the_annotations() -> None:
    study = labels(DESIGNS["few items"], "xyz", np.random.default_rng(0))
    counts = np.zeros((20, 3), dtype=int)
    np.add.at(counts, (study.item, study.value), 1)
    anonymous = ia.fleiss_kappa(ia.Annotations.from_counts(counts, values=list("xyz")))
    assert anonymous.measure.under_chance.of(anonymous) == pytest.approx(-1 / 59)


URNS = ("alpha", "fleiss_kappa", "scott_pi", "cohen_kappa", "conger_kappa", "bennett_s", "ac1", "van_oest")


@pytest.mark.parametrize("name", URNS)
def test_what_independent_annotators_get_is_the_mean_over_all_deals(name: str) -> None:
    first, second = list("xxyzz"), list("xyyyz")

    def result(second: list[str]) -> ia.Agreement:
        rows = [(i, who, given[i]) for who, given in (("a", first), ("b", second)) for i in range(5)]
        return MEASURES[name](ia.Annotations.of(rows, values=list("xyz")))

    dealt = [result([second[k] for k in deal]).value for deal in itertools.permutations(range(5))]
    assert np.mean(dealt) == pytest.approx(MEASURES[name].facts.under_chance.of(result(second)), abs=1e-12)


def test_the_table_of_chance_says_what_independent_annotators_would_get() -> None:
    study = ia.Annotations.from_contingency([[118, 5], [2, 0]], values=["no", "yes"])
    told = ia.chance(study).to_dict("if independent")
    assert told["cohen_kappa"] == pytest.approx(0, abs=1e-12)
    assert told["percent"] == pytest.approx((123 * 120 + 2 * 5) / 125**2)
    assert told["ac1"] == pytest.approx(0.942, abs=5e-4)
    assert told["ac1"] > ia.ac1(study).value  # these two agree no better than independent annotators would


@pytest.mark.parametrize("name", corrected())
def test_explanations_say_what_independent_annotators_get(name: str) -> None:
    words = MEASURES[name].facts.under_chance.words
    assert f"get on average {words}." in " ".join(str(ia.explain(name)).split())
