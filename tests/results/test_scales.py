"""Words for numbers: the bands of each scale, and how sure to be of one."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest
from random_studies import study_for

import interagree as ia
from interagree.errors import KindError, UnknownName
from interagree.results.scales import SCALES, band

each = pytest.mark.parametrize("scale", sorted(SCALES))


@each
def test_bands_rise_to_one_and_cover_every_number(scale: str) -> None:
    ends = [end for end, _ in SCALES[scale].bands]
    assert ends == sorted(set(ends))
    assert ends[-1] == 1
    words = [word for _, word in SCALES[scale].bands]
    assert len(set(words)) == len(words)
    assert band(-5, scale) == words[0]
    assert band(1, scale) == words[-1]
    for (low, word), (high, above) in pairwise(SCALES[scale].bands):
        assert band(low - 1e-9, scale) == word
        assert band((low + high) / 2, scale) == above
        assert band(low, scale) == (word if SCALES[scale].upper and low > 0 else above)


@each
def test_the_probabilities_of_the_bands_are_those_of_the_normal(scale: str) -> None:
    result = ia.fleiss_kappa(study_for("fleiss_kappa", np.random.default_rng(0), items=30))
    table = ia.interpret(result, scale=scale)
    assert sum(table["probability"]) == pytest.approx(1)
    normal = NormalDist(result.value, result.standard_error())
    whole = normal.cdf(1) - normal.cdf(-1)
    ends = [-1, *(end for end, _ in SCALES[scale].bands)]
    for row, (low, high) in zip(reversed(table.rows()), pairwise(ends), strict=True):
        assert row["probability"] == pytest.approx((normal.cdf(high) - normal.cdf(low)) / whole)
        assert row["to"] == high
    assert table["band"][-1] == SCALES[scale].bands[0][1]
    assert list(table["at least"]) == sorted(table["at least"])
    assert table["at least"][-1] == pytest.approx(1)


def test_the_band_that_is_named_is_the_highest_that_is_sure() -> None:
    result = ia.fleiss_kappa(study_for("fleiss_kappa", np.random.default_rng(0), items=30))
    for certainty in (0.5, 0.9, 0.95, 0.999):
        table = ia.interpret(result, scale="landis_koch", certainty=certainty)
        sure = [row["band"] for row in table if row["at least"] >= certainty]
        assert f"{certainty:.0%} certainty it is at least {sure[0]!r}" in table.foot
        assert repr(band(result.value)) in table.foot


def test_no_error_is_one_band_for_sure() -> None:
    result = ia.alpha([(i, who, i % 2) for i in range(6) for who in "ab"])
    assert ia.interpret(result, scale="krippendorff")["probability"] == [1, 0, 0]


def test_an_undefined_coefficient_has_no_band() -> None:
    table = ia.interpret(ia.alpha([(1, "a", "x"), (1, "b", "x")]), scale="green")
    assert all(map(math.isnan, table["probability"]))
    assert "undefined" in table.foot


def test_a_value_far_below_the_scale_is_in_its_lowest_band() -> None:
    rows = [
        ("a", "a", 1),
        ("a", "b", 2),
        ("b", "a", 1),
        ("b", "b", 2),
        *((f"s{i}", "ab"[i % 2], 3) for i in range(400)),
    ]
    result = ia.fleiss_kappa(rows)
    assert result.value < -50
    table = ia.interpret(result, scale="altman")
    assert table["probability"][-1] == pytest.approx(1, abs=0.01)
    assert sum(table["probability"]) == pytest.approx(1)


def test_a_scale_that_is_not_there_is_named_with_a_similar_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'landis_koch'"):
        band(0.5, "landis-koch")


@pytest.mark.parametrize("name", ["percent", "auc", "f_score", "spa"])
def test_a_scale_grades_only_coefficients_that_are_corrected_for_chance(name: str) -> None:
    measure = getattr(ia.measures, name)
    result = measure([(i, who, "xy"[(i + (who == "b") * (i == 3)) % 2]) for i in range(8) for who in "ab"])
    with pytest.raises(KindError, match=f"is for coefficients that are 0 where .* {result.measure.title} is not"):
        ia.interpret(result, scale="landis_koch")
