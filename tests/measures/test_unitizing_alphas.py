"""Unitizing alphas: published values, the same place by place, what does not matter, and what is refused."""

from __future__ import annotations

import json
import math
import random
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree import reference
from interagree.errors import DataError, KindError, UnknownName
from interagree.measures.alpha_u_1995 import alpha_u_1995
from interagree.measures.u_alpha import u_alpha
from interagree.reference.rows import cells_of
from interagree.reference.spans import positions_of
from interagree.stats.documents import coverage as covered
from interagree.stats.documents import unitized
from interagree.stats.engine import compress

Row = tuple[Any, str, Any]
CASES = tomllib.loads((Path(__file__).parents[1] / "published" / "unitizing.toml").read_text(encoding="utf-8"))["case"]
CALLS: list[Any] = [
    pytest.param(u_alpha, {}, id="u"),
    pytest.param(u_alpha, {"variant": "bu"}, id="bu"),
    pytest.param(u_alpha, {"variant": "cu"}, id="cu"),
    pytest.param(u_alpha, {"variant": "ku", "category": "x"}, id="ku"),
    pytest.param(alpha_u_1995, {}, id="1995"),
]
every = pytest.mark.parametrize(("measure", "options"), CALLS)


def study(rows: list[Row], **more: Any) -> ia.Annotations:
    return ia.Annotations.of(rows, kind="spans", **more)


def one_document(case: dict[str, Any], scale: int = 1) -> list[Row]:
    return [
        ("text", f"annotator {who}", [[scale * b, scale * e, label] for b, e, by, label in case["units"] if by == who])
        for who in range(case["annotators"])
    ]


def number(printed: Any) -> float:
    return float(Fraction(printed)) if isinstance(printed, str) else printed


def marked(rng: np.random.Generator, length: int, labels: str = "xyz") -> list[list[Any]]:
    """Stretches that do not overlap; some touch."""
    cuts = np.sort(rng.choice(length + 1, size=min(length, int(rng.integers(2, 7))), replace=False))
    return [[int(b), int(e), str(rng.choice(list(labels)))] for b, e in pairwise(cuts) if rng.random() < 0.6]


def drawn(seed: int, documents: int = 4, annotators: int = 3, length: int = 9, gaps: float = 0.2) -> list[Row]:
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(documents):
        long = int(rng.integers(3, length + 1))
        truth = marked(rng, long)
        rows += [
            (f"d{d}", who, truth if rng.random() < 0.4 else marked(rng, long))
            for who in "abcdef"[:annotators]
            if rng.random() >= gaps
        ]
    return rows


# -- published ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [c for c in CASES if "u" in c], ids=lambda case: case["name"])
def test_the_family_of_2016_as_worked_out_with_fractions(case: dict[str, Any]) -> None:
    rows = study(one_document(case))
    length = case["length"]
    for variant in ("u", "bu", "cu"):
        found = u_alpha(rows, variant=variant, length=length)
        if variant in case:
            assert found.value == pytest.approx(number(case[variant]), rel=1e-13, abs=1e-15)
            assert found.details[variant] == found.value
        else:
            assert found.undefined is not None
    details = u_alpha(rows, length=length).details
    assert details["coverage"] == pytest.approx(number(case["coverage"]), rel=1e-13)
    for category, (value, coverage) in case.get("ku", {}).items():
        found = u_alpha(rows, variant="ku", category=category, length=length)
        assert found.value == details["ku"][category]["agreement"] == pytest.approx(number(value))
        assert details["ku"][category]["coverage"] == pytest.approx(number(coverage), rel=1e-13)


@pytest.mark.parametrize(
    ("case", "key", "scale"),
    [
        pytest.param(case, key, scale, id=f"{case['name']}, {scale}")
        for case in CASES
        for key, scale in (("alpha_u_1995", 1), ("alpha_u_1995_in_50000ths", 50_000))
        if key in case
    ],
)
def test_alpha_u_as_dkpro_computes_it(case: dict[str, Any], key: str, scale: int) -> None:
    found = alpha_u_1995(study(one_document(case, scale)), length=case["length"] * scale)
    printed = case[key]
    assert found.value == pytest.approx(number(printed["value"]), rel=1e-13, abs=1e-15)
    assert found.disagreement.observed == pytest.approx(number(printed["observed"]), rel=1e-13)
    assert found.disagreement.expected == pytest.approx(number(printed["expected"]), rel=1e-13)
    for category, value in printed["by_category"].items():
        assert found.details["categories"][category]["agreement"] == pytest.approx(number(value), rel=1e-12, abs=1e-15)


def test_the_files_that_were_handed_over_say_the_same(shared: Path) -> None:
    folder = shared / "published" / "spans"
    names = (
        "dkpro_dkpro_createExample",
        "dkpro_single_unit_3raters",
        "dkpro_krippendorff1995_x1",
        "dkpro_krippendorff1995_x50000",
    )
    for name in names:
        told = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        given = told["input"]
        units = [[b, b + size, by, label] for b, size, by, label in given["units(offset,length,rater,category)"]]
        rows = study(one_document({"annotators": given["raters"], "units": units}))
        found = alpha_u_1995(rows, length=given["length"])
        assert found.value == pytest.approx(told["expected"]["alpha_U"], rel=1e-13, abs=1e-15)
        if isinstance(told["expected"]["family_2016"], dict):
            value = told["expected"]["family_2016"]["u"]["float"]
            assert u_alpha(rows, length=given["length"]).value == pytest.approx(value, abs=1e-15)


def test_overlapping_categories_have_no_family_of_2016() -> None:
    case = next(c for c in CASES if c.get("overlapping"))
    with pytest.raises(DataError, match=r"overlap: \[.*take gamma"):
        u_alpha(study(one_document(case)), length=case["length"])


def test_alpha_u_of_1995_scores_a_worse_annotation_better() -> None:
    five = [[10 * k + 5, 10 * k + 8, "x"] for k in range(5)]
    exact = study([("d", "a", five), ("d", "b", [[5, 8, "x"]])])
    longer = study([("d", "a", five), ("d", "b", [[5, 9, "x"]])])
    assert [round(alpha_u_1995(s, length=100).value, 3) for s in (exact, longer)] == [0.227, 0.288]
    assert [round(u_alpha(s, length=100).value, 3) for s in (exact, longer)] == [0.272, 0.249]
    assert any("worse annotation better than" in note for note in alpha_u_1995(exact).notes)


# -- place by place -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_sums_of_lengths_are_sums_over_places(seed: int) -> None:
    rows = drawn(seed, documents=3, annotators=2 + seed % 3, length=7)
    data = study(rows)
    categories = {label for _, _, spans in rows for _, _, label in spans}
    for how in (
        *({"variant": variant} for variant in ("u", "bu", "cu")),
        *({"variant": "ku", "category": c} for c in categories),
    ):
        same_or_undefined(u_alpha(data, **how), reference.u_alpha(rows, **how))


def same_or_undefined(found: ia.Agreement, exact: Fraction | None) -> None:
    if exact is None:
        assert found.undefined is not None
        assert math.isnan(found.value)
    else:
        assert found.value == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


def test_length_counts_as_agreement_on_nothing() -> None:
    rows = [("d", "a", [[0, 2, "x"], [3, 5, "y"]]), ("d", "b", [[0, 3, "x"]])]
    for length in (5, 8, 20):
        exact = reference.u_alpha(rows, length=length)
        assert u_alpha(study(rows), length=length).value == pytest.approx(float(exact))
    values = [u_alpha(study(rows), length=length).value for length in (5, 8, 20, 1000)]
    assert values == sorted(values)


def test_two_other_programs_have_the_same_categories_for_two_annotators_and_none_for_more() -> None:
    """What chance must not draw: each stretch's overlap squared, where the programs sum or unite annotators."""
    for seed in range(10):
        by = positions_of(cells_of(drawn(seed, documents=1, annotators=2, gaps=0.0, length=20)), None)
        if not by:
            continue
        (a, b) = by[0]
        both = [[(g, c) for (g, c), (_, k) in zip(p, q, strict=True) if c and k] for p, q in ((a, b), (b, a))]
        entries = both[0] + both[1]
        total = len(entries)
        counts = {c: sum(k == c for _, k in entries) for _, c in entries}
        if len(counts) < 2:
            continue
        squares = sum(sum(h == g for h, _ in entries) ** 2 for g in {g for g, _ in entries})
        observed = sum(c != k for (_, c), (_, k) in zip(*both, strict=True)) / len(both[0])
        expected = (total**2 - sum(n * n for n in counts.values())) / (total**2 - squares)
        rows = drawn(seed, documents=1, annotators=2, gaps=0.0, length=20)
        assert u_alpha(study(rows), variant="cu").value == pytest.approx(1 - observed / expected)
    # Three annotators, two of whom mark one place, differently: the sums of both programs leave chance nothing to draw.
    rows = [("d", "a", [[0, 4, "x"]]), ("d", "b", [[0, 4, "y"]]), ("d", "c", [])]
    met, by_others, united = 4.0, 2 * 4.0**2 / 2, 2 * 4.0**2
    assert met**2 - by_others == 0
    assert met**2 - united < 0
    assert u_alpha(study(rows), variant="cu").value == pytest.approx(0)


def _with_squares_of_each(rows: list[Row], only: str | None = None) -> Fraction | None:
    """cu, or ku of a category, with the squares of each annotator; None where chance has nothing to draw."""
    met: dict[str, Fraction] = {}
    squares: dict[str, Fraction] = {}
    same: dict[str, Fraction] = {}
    for document in {item for item, *_ in rows}:
        here = [(who, spans) for item, who, spans in rows if item == document]
        for who, spans in here:
            for begin, end, label in spans:
                for other, theirs in here:
                    if other == who:
                        continue
                    common = [(max(0, min(end, e) - max(begin, b)), c) for b, e, c in theirs]
                    whole = sum(size for size, _ in common)
                    part = Fraction(1, len(here) - 1)
                    met[label] = met.get(label, Fraction(0)) + part * whole
                    squares[label] = squares.get(label, Fraction(0)) + part * whole**2
                    alike = sum(size for size, c in common if c == label)
                    same[label] = same.get(label, Fraction(0)) + part * alike
    all_met = sum(met.values())
    if only is None:
        left = all_met**2 - sum(squares.values())
        if left <= 0:
            return None
        expected = (all_met**2 - sum(one**2 for one in met.values())) / left
        return 1 - (1 - Fraction(sum(same.values())) / all_met) / expected
    left = met[only] * all_met - squares[only]
    if left <= 0:
        return None
    return 1 - (1 - same[only] / met[only]) / (met[only] * (all_met - met[only]) / left)


THREE: list[Row] = [
    ("d", "a", [[0, 6, "x"], [8, 12, "y"]]),
    ("d", "b", [[0, 5, "x"], [7, 9, "x"], [9, 12, "y"]]),
    ("d", "c", [[1, 3, "x"], [3, 6, "y"], [8, 11, "y"]]),
    ("e", "a", [[0, 4, "y"], [5, 9, "x"]]),
    ("e", "b", [[1, 6, "y"], [6, 9, "x"]]),
    ("e", "c", []),
]


def test_the_squares_of_each_annotator_are_the_other_reading_of_cu_and_ku() -> None:
    data = study(THREE)
    for variant, category in (("cu", None), ("ku", "x"), ("ku", "y")):
        one, other = (
            u_alpha(data, variant=variant, category=category, squares=squares) for squares in ("mean", "each")
        )
        exact = _with_squares_of_each(THREE, category)
        assert exact is not None
        assert other.value == pytest.approx(float(exact))
        assert other.value > one.value
        for found, this in ((one, "mean"), (other, "each")):
            note = next(note for note in found.notes if "sources differ" in note)
            assert f"{one.value:.3f} with squares='mean'" in note
            assert f"{other.value:.3f} with squares='each'" in note
            assert f"squares='{this}' (this one)" in note
        assert other.interval() is not None
    assert u_alpha(data, variant="cu", squares="each").details["cu"] == pytest.approx(
        float(_with_squares_of_each(THREE) or 0)
    )


@pytest.mark.parametrize("seed", range(15))
def test_the_squares_of_each_annotator_by_hand(seed: int) -> None:
    rows = drawn(seed, documents=2, annotators=3, gaps=0.0, length=12)
    found = u_alpha(study(rows), variant="cu", squares="each")
    if found.undefined is None:
        assert found.value == pytest.approx(float(_with_squares_of_each(rows) or math.nan))


def test_two_annotators_have_one_cu_whatever_is_squared_and_no_note() -> None:
    data = study([row for row in THREE if row[1] != "c"])
    one, other = (u_alpha(data, variant="cu", squares=squares) for squares in ("mean", "each"))
    assert one.value == pytest.approx(other.value)
    assert not any("sources differ" in note for note in one.notes)
    assert not any("sources differ" in note for note in u_alpha(study(THREE)).notes)


def test_squares_that_leave_chance_nothing_to_draw_leave_cu_undefined() -> None:
    rows = [("d", "a", [[0, 4, "x"]]), ("d", "b", [[0, 4, "y"]]), ("d", "c", [])]
    found = u_alpha(study(rows), variant="cu", squares="each")
    assert "nothing to draw" in str(found.undefined)
    assert any("undefined with squares='each'" in note for note in u_alpha(study(rows), variant="cu").notes)
    with pytest.raises(KindError, match="'mean', 'each', not 'all'"):
        u_alpha(study(rows), variant="cu", squares="all")


# -- alpha_U, by its definition ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_alpha_u_is_its_definition(seed: int) -> None:
    rows = drawn(seed, documents=3, annotators=2 + seed % 3, length=14)
    same_or_undefined(alpha_u_1995(study(rows)), reference.alpha_u_1995(rows))


def test_alpha_u_lays_documents_end_to_end() -> None:
    apart = [
        ("d", "a", [[0, 4, "x"], [6, 10, "x"]]),
        ("d", "b", [[0, 2, "x"], [7, 10, "x"]]),
        ("e", "a", [[0, 3, "x"], [4, 5, "x"]]),
        ("e", "b", [[0, 1, "x"], [2, 5, "x"]]),
    ]
    joined = [
        ("d", who, [[b + 10 * (i == "e"), e + 10 * (i == "e"), c] for i, w, v in apart if w == who for b, e, c in v])
        for who in "ab"
    ]
    assert alpha_u_1995(study(apart)).value == pytest.approx(alpha_u_1995(study(joined)).value)


# -- what does not matter, and what the number means ----------------------------------------------------------


@every
@pytest.mark.parametrize("seed", range(4))
def test_order_and_names_do_not_matter(measure: Any, options: dict[str, Any], seed: int) -> None:
    rows = drawn(seed, documents=6)
    first = measure(study(rows), **options)
    rng = random.Random(seed)
    mixed = [(("document", i), f"~{a}", rng.sample(v, len(v))) for i, a, v in rng.sample(rows, len(rows))]
    second = measure(study(mixed), **options)
    swapped = [(i, {"a": "b", "b": "c", "c": "a"}[a], v) for i, a, v in rows]
    third = measure(study(swapped), **options)
    assert first.value == pytest.approx(second.value, nan_ok=True) == pytest.approx(third.value, nan_ok=True)
    assert first.standard_error() == pytest.approx(second.standard_error(), nan_ok=True)
    other = {"x": "u", "y": "v", "z": "w"}
    named = [(i, a, [[b, e, other[c]] for b, e, c in v]) for i, a, v in rows]
    renamed = measure(study(named), **{**options, **({"category": "u"} if "category" in options else {})})
    assert renamed.value == pytest.approx(first.value, nan_ok=True)


@every
def test_the_same_by_all_is_one(measure: Any, options: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    truth = {f"d{d}": [[0, 2, "x"], [3, 5, "y"], *([] if rng.random() < 0.5 else [[5, 8, "z"]])] for d in range(5)}
    found = measure(study([(d, who, v) for d, v in truth.items() for who in "abc"]), **options)
    assert found.value == 1
    assert found.disagreement.observed == 0


@every
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kept", [0, 4_000_000])
def test_leaving_a_document_out_is_measuring_the_others(
    measure: Any, options: dict[str, Any], seed: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unitized, "SMALL", kept)
    rows = drawn(seed + 40, documents=7)
    found = measure(study(rows), **options)
    items = [found.engine.source.items[i] for i in found.engine.statistic.documents.item]
    left = dict(zip(items, found.engine.left_out(), strict=True))
    for item, value in left.items():
        again = measure(study([row for row in rows if row[0] != item]), **options)
        assert value == pytest.approx(again.value, nan_ok=True), item


@every
@pytest.mark.parametrize("kept", [0, 4_000_000])
def test_groups_of_documents_may_be_what_is_sampled(
    measure: Any, options: dict[str, Any], kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unitized, "SMALL", kept)
    rows = drawn(5, documents=9, gaps=0.0)
    kept = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"}
    book = {item: f"book {int(item[1]) % 3}" for item in kept}
    data = ia.Annotations.of(
        {
            "item": [i for i, *_ in rows],
            "annotator": [a for _, a, _ in rows],
            "value": [v for *_, v in rows],
            "book": [book[i] for i, *_ in rows],
        },
        kind="spans",
    )
    found = measure(data, **options)
    left = found.engine.in_groups("book").left_out()
    for place, name in enumerate(sorted(set(book.values()))):
        again = measure(study([row for row in rows if book[row[0]] != name]), **options)
        assert left[place] == pytest.approx(again.value)
    assert found.interval(cluster="book").low <= found.value


@every
def test_intervals_are_in_order_and_tables_can_be_made(measure: Any, options: dict[str, Any]) -> None:
    rows = drawn(8, documents=12)
    data = study(rows)
    found = measure(data, **options)
    for method in ("auto", "jackknife", "bootstrap", "bca"):
        interval = found.interval(method=method, resamples=200)
        assert -math.inf < interval.low <= interval.high <= 1
    for row in found.by_pair():
        assert row["agreement"] == pytest.approx(
            measure(data.only(annotators=[row["first"], row["second"]]), **options).value, nan_ok=True
        )
    for row in found.by_annotator():
        assert row["left out"] == pytest.approx(measure(data.without(row["annotator"]), **options).value)
    for row in found.by_item():
        alone = measure(data.only(items=[row["item"]]), **options)
        assert row["agreement"] == pytest.approx(alone.value, nan_ok=True)
    json.dumps(found.to_dict(), allow_nan=False)
    with pytest.raises(KindError, match="by value"):
        found.by_value()


@pytest.mark.parametrize("variant", ["u", "bu", "cu"])
@pytest.mark.parametrize("seed", range(5))
def test_several_documents_are_one_with_borders(variant: str, seed: int) -> None:
    rows = drawn(seed, documents=5, gaps=0.0, length=9)
    joined = []
    for who in "abc":
        spans = [[b + 9 * int(i[1]), e + 9 * int(i[1]), c] for i, w, v in rows if w == who for b, e, c in v]
        joined.append(("all", who, spans))
    apart = u_alpha(study(rows), variant=variant, length=9)
    assert apart.value == pytest.approx(u_alpha(study(joined), variant=variant, length=45).value)


@pytest.mark.parametrize("seed", range(40))
def test_a_worse_boundary_never_scores_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.choice(np.arange(2, 60), size=10, replace=False)).tolist()
    truth = [[b, e, str(rng.choice(list("xy")))] for b, e in zip(cuts[::2], cuts[1::2], strict=True)]
    which = int(rng.integers(5))
    room = (truth[which + 1][0] if which < 4 else 64) - truth[which][1]
    for variant in ("u", "bu"):
        values = []
        for step in range(room + 1):
            worse = [list(span) for span in truth]
            worse[which][1] += step
            rows = [("d", "a", truth), ("d", "b", worse)]
            values.append(u_alpha(study(rows), variant=variant, length=64).value)
        assert values[0] == 1
        assert values == sorted(values, reverse=True)


def test_a_unit_that_is_too_long_scores_better_mostly_in_1995_and_never_in_2016() -> None:
    rng, better = random.Random(0), {u_alpha: 0, alpha_u_1995: 0}
    tried = 0
    while tried < 150:
        long = rng.randint(10, 60)
        ours, theirs = (
            [[b, e, "x"] for b, e in zip(cuts[::2], cuts[1::2], strict=True)]
            for cuts in (sorted(rng.sample(range(long + 1), 2 * rng.randint(1, 5))) for _ in range(2))
        )
        begin, end, _ = ours[rng.randrange(len(ours))]
        rest = [[b, e, x] for b, e, x in theirs if e <= begin or b > end]
        if end + 1 > long or any(b == end for b, *_ in ours):
            continue
        tried += 1
        for measure in better:
            exact, worse = (
                measure(study([("d", "a", ours), ("d", "b", [*rest, [begin, stop, "x"]])]), length=long).value
                for stop in (end, end + 1)
            )
            better[measure] += worse > exact + 1e-12
    assert better[u_alpha] == 0
    assert better[alpha_u_1995] > 75


def test_many_documents_are_resampled_to_first_order(monkeypatch: pytest.MonkeyPatch) -> None:
    data = study(drawn(1, documents=80, length=30))
    exact = alpha_u_1995(data)
    monkeypatch.setattr(unitized, "SMALL", 0)
    near = alpha_u_1995(data)
    assert near.value == pytest.approx(exact.value, rel=1e-12)
    assert near.standard_error() == pytest.approx(exact.standard_error(), rel=1e-9)
    assert near.by_item()["agreement"] == pytest.approx(exact.by_item()["agreement"], nan_ok=True)
    for a, b in zip(near.interval(method="bootstrap")[:2], exact.interval(method="bootstrap")[:2], strict=True):
        assert a == pytest.approx(b, abs=0.01)


def test_blocks_and_sparse_tables_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = drawn(2, documents=9, annotators=4)
    usual = [(measure, options, measure(study(rows), **options)) for measure, options in (c.values for c in CALLS)]
    monkeypatch.setattr(covered, "BLOCK", 3)
    monkeypatch.setattr(compress, "SMALL", 0)
    for measure, options, before in usual:
        again = measure(study(rows), **options)
        assert again.value == pytest.approx(before.value, rel=1e-14)
        for method in ("auto", "jackknife", "bootstrap"):
            assert again.interval(method=method, resamples=50) == pytest.approx(
                before.interval(method=method, resamples=50), nan_ok=True
            )
        assert again.by_item()["agreement"] == pytest.approx(before.by_item()["agreement"], nan_ok=True)


def test_positions_between_whole_numbers() -> None:
    rows = [("d", "a", [[0.5, 2.5, "x"], [3.25, 5, "y"]]), ("d", "b", [[0.25, 2.5, "x"], [3.5, 5, "y"]])]
    found = u_alpha(study(rows), length=6)
    finer = [(i, a, [[4 * b, 4 * e, c] for b, e, c in v]) for i, a, v in rows]
    assert found.disagreement.observed == pytest.approx(u_alpha(study(finer), length=24).disagreement.observed)
    assert found.value == pytest.approx(u_alpha(study(finer), length=24).value, abs=0.02)
    assert any("not whole numbers" in note for note in found.notes)
    with pytest.raises(DataError, match=r"whole numbers.*milliseconds"):
        alpha_u_1995(study(rows), length=6)


# -- documents, and how long they are ------------------------------------------------------------------------


def with_attributes(rows: list[Row], **more: Any) -> ia.Annotations:
    columns = {"item": [i for i, *_ in rows], "annotator": [a for _, a, _ in rows], "value": [v for *_, v in rows]}
    return ia.Annotations.of({**columns, **more}, kind="spans")


ROWS: list[Row] = [("d", "a", [[0, 2, "x"]]), ("d", "b", [[0, 3, "x"]]), ("e", "a", []), ("e", "b", [])]


def test_documents_are_as_long_as_their_texts_or_tokens() -> None:
    texts = ["a text of 20 letters"] * 2 + ["nine here"] * 2
    long = [20, 20, 9, 9]
    told = u_alpha(with_attributes(ROWS, long=long), length="long")
    assert not told.notes
    assert told.n.items == 2
    by_text = u_alpha(with_attributes(ROWS, text=texts, positions=["characters"] * 4))
    assert by_text.value == told.value
    assert not by_text.notes
    tokens = [((0, 1), (2, 6), (7, 9), (10, 12), (13, 20))] * 2 + [((0, 4), (5, 9))] * 2
    by_tokens = u_alpha(with_attributes(ROWS, text=texts, tokens=tokens, positions=["tokens"] * 4))
    assert by_tokens.value == u_alpha(with_attributes(ROWS, n=[5, 5, 2, 2]), length="n").value
    unsaid = u_alpha(with_attributes(ROWS, text=texts))
    assert unsaid.value == by_text.value  # a text without a word about positions has spans of characters
    unsaid = u_alpha(study(ROWS))
    assert unsaid.value == u_alpha(study(ROWS[:2]), length=3).value
    assert unsaid.n.items == 1
    assert any("furthest end" in note for note in unsaid.notes)
    assert any("1 document of unknown length" in note for note in unsaid.notes)


def test_lengths_that_cannot_be_are_refused() -> None:
    with pytest.raises(DataError, match=r"'d' is 2 long.*marked up to 3"):
        u_alpha(study(ROWS), length=2)
    with pytest.raises(KindError, match="a number from 0"):
        u_alpha(study(ROWS), length=-1)
    with pytest.raises(UnknownName, match="no attribute 'long'"):
        u_alpha(study(ROWS), length="long")
    with pytest.raises(DataError, match="are numbers"):
        u_alpha(with_attributes(ROWS, long=["x"] * 4), length="long")
    with pytest.raises(DataError, match=r"'b' in document 'd' begin before 0, at -2"):
        u_alpha(study([("d", "a", [[0, 2, "x"]]), ("d", "b", [[-2, 2, "x"]])]))


def test_who_did_not_look_does_not_count() -> None:
    rows = [*ROWS[:2], ("f", "a", [[4, 9, "y"]]), ("g", "c", [[0, 1, "y"]])]
    found = u_alpha(study(rows))
    assert found.value == u_alpha(study(ROWS[:2])).value
    assert "2 items with one annotation were left out" in found.notes
    looked = u_alpha(study([*ROWS[:2], ("d", "c", [])]))
    assert looked.value < found.value


def test_pieces_of_a_discontinuous_span_are_stretches() -> None:
    def piecewise(label: str, *pieces: list[int]) -> dict[str, Any]:
        return {"start": pieces[0][0], "end": pieces[-1][1], "label": label, "fragments": list(pieces)}

    broken = [
        ("d", "a", [piecewise("x", [0, 2], [5, 8]), {"start": 2, "end": 4, "label": "y"}]),
        ("d", "b", [{"start": 0, "end": 2, "label": "x"}]),
    ]
    whole = [("d", "a", [[0, 2, "x"], [5, 8, "x"], [2, 4, "y"]]), ("d", "b", [[0, 2, "x"]])]
    for measure, options in (c.values for c in CALLS):
        expected = measure(study(whole), **options)
        assert measure(study(broken), **options).value == pytest.approx(expected.value, nan_ok=True)


def test_overlap_is_an_error_that_says_where_and_what_to_do() -> None:
    nested = [("text 7", "ann", [[0, 9, "x"], [2, 4, "y"]]), ("text 7", "bob", [[0, 9, "x"]])]
    said = r"annotator 'ann' in document 'text 7' overlap: \[0, 9, 'x'\] and \[2, 4, 'y'\].*gamma.*one label at a time"
    with pytest.raises(DataError, match=said):
        u_alpha(study(nested))
    assert not math.isnan(alpha_u_1995(study(nested)).value)
    # DKPro Statistics gives 1.0 here.
    twice = [("d", "a", [[0, 5, "x"], [2, 8, "x"]]), ("d", "b", [[0, 5, "x"]])]
    with pytest.raises(DataError, match=r"\[0, 5, 'x'\] and \[2, 8, 'x'\].*gamma"):
        alpha_u_1995(study(twice))
    touching = [("d", "a", [[0, 5, "x"], [5, 8, "x"]]), ("d", "b", [[0, 5, "x"]])]
    assert u_alpha(study(touching)).undefined is None


def test_spans_without_labels() -> None:
    rows = [("d", "a", [[0, 2], [4, 6]]), ("d", "b", [[0, 3]])]
    named = [("d", "a", [[0, 2, "x"], [4, 6, "x"]]), ("d", "b", [[0, 3, "x"]])]
    for measure in (u_alpha, alpha_u_1995):
        assert measure(study(rows)).value == measure(study(named)).value
    assert "one category" in str(u_alpha(study(rows), variant="cu").undefined)
    json.dumps(u_alpha(study(rows)).to_dict())


# -- what there is no number for ------------------------------------------------------------------------------


def undefined() -> Iterator[Any]:
    silent = [("d", "a", []), ("d", "b", [])]
    full = [("d", "a", [[0, 4, "x"]]), ("d", "b", [[0, 4, "x"]])]
    two = [("d", "a", [[0, 2, "x"], [2, 4, "y"]]), ("d", "b", [[0, 4, "x"]])]
    apart = [("d", "a", [[0, 2, "x"]]), ("d", "b", [[3, 4, "y"]])]
    mixed = [("d", "a", [[0, 2, "x"], [4, 6, "z"]]), ("d", "b", [[0, 2, "y"]])]
    yield "u", silent, {}, "nobody marked anything"
    yield "u", silent, {"length": 7}, "nobody marked anything"
    yield "u", full, {}, "every place the same category"
    yield "bu", two, {}, "every annotator marked every place"
    yield "cu", apart, {}, "no two annotators marked the same place"
    yield "cu", [*full, ("e", "a", [[0, 1, "y"]]), ("e", "b", [])], {}, "has one category"
    yield "ku", mixed, {"category": "z"}, "nothing that two annotators marked is 'z'"
    yield "u", [("d", "a", [[0, 2, "x"]])], {}, "only one annotator"
    yield "u", [("d", "a", [[0, 2, "x"]]), ("e", "b", [])], {}, "no item has annotations by two"
    yield "u", [], {}, "no annotations"


@pytest.mark.parametrize(("variant", "rows", "options", "why"), list(undefined()))
def test_what_cannot_be_measured_says_why(variant: str, rows: list[Row], options: dict[str, Any], why: str) -> None:
    found = u_alpha(study(rows), variant=variant, **options)
    assert math.isnan(found.value)
    assert why in str(found.undefined)
    assert found.interval() is None
    json.dumps(found.to_dict(), allow_nan=False)


def test_alpha_u_of_nothing() -> None:
    for length in (None, 9):
        found = alpha_u_1995(study([("d", "a", []), ("d", "b", [])]), length=length)
        assert "nobody marked anything" in str(found.undefined)
    assert "no annotations" in str(alpha_u_1995(study([])).undefined)


def test_options_that_do_not_go_together() -> None:
    data = study(ROWS)
    with pytest.raises(KindError, match="'u', 'bu', 'cu', 'ku', not 'v'"):
        u_alpha(data, variant="v")  # type: ignore[arg-type]
    with pytest.raises(KindError, match="belongs to variant='ku'"):
        u_alpha(data, category="x")
    with pytest.raises(KindError, match="name it with category=, one of 'x'"):
        u_alpha(data, variant="ku")
    with pytest.raises(UnknownName, match="nobody marked a category 'X'"):
        u_alpha(data, variant="ku", category="X")
    with pytest.raises(KindError, match="who gave which value"):
        u_alpha(ia.Annotations.from_counts([[1, 1], [2, 0]], values=[1, 2]))


def test_more_than_two_annotators_are_warned_of() -> None:
    two, three = study(ROWS[:2]), study([*ROWS[:2], ("d", "c", [])])
    assert not any("more than two" in note for note in alpha_u_1995(two).notes)
    assert any("more than two" in note for note in alpha_u_1995(three).notes)
    assert any("what two annotators marked is" in note for note in u_alpha(three, variant="cu").notes)
