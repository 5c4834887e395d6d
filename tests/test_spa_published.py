"""The sparse probability of agreement against numbers worked in exact fractions.

The tables in ``tests/published/spa_*.toml`` are measured by ``test_published.py`` as all others are; here are the
variances, and the larger collection where it is at hand.
"""

from __future__ import annotations

import csv
import gzip
import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.stats.labels.item_agreement import SCHEMES, lean

VARIANCES = tomllib.loads((Path(__file__).parent / "published" / "spa_variance.toml").read_text(encoding="utf-8"))[
    "variance"
]
PAPERS = SCHEMES[:6]  # the weighings of the paper


def close(found: float, exact: Any) -> bool:
    return found == pytest.approx(float(Fraction(exact)), rel=0, abs=1e-12)


@pytest.mark.parametrize("case", VARIANCES, ids=lambda case: f"{'+'.join(case['p'])} n={case['n']}")
def test_the_variance_of_an_item_is_the_exact_one(case: dict[str, Any]) -> None:
    p = [float(Fraction(share)) for share in case["p"]]
    found = ia.studies.variance_of_item_agreement(case["n"], p)
    assert close(found, case["variance"])
    assert not any(close(found, wrong) for wrong in case.get("never", ()))
    if "r" in case:
        assert close(lean(np.array(p)), case["r"])


def collection(shared: Path, name: str) -> Any:
    return json.loads((shared / "published" / "spa" / f"{name}.json").read_text(encoding="utf-8"))


def test_the_worked_tables_come_out_under_every_weighing(shared: Path) -> None:
    cases = collection(shared, "cases")
    assert len(cases) == 8
    for case in cases:
        study = ia.Annotations.from_counts(case["counts"])
        for scheme in PAPERS:
            found, exact = ia.spa(study, weigh=scheme), case["spa"][scheme]
            if exact is None:
                assert found.undefined
                continue
            assert close(found.value, exact["frac"]), (case["name"], scheme)
            if scheme in case.get("item_se", {}):
                assert found.standard_error() == pytest.approx(case["item_se"][scheme]["se"], abs=1e-12)
        between = case.get("chance", {}).get("kappa_flat_between")
        if between:
            assert close(ia.spa(study, corrected=True).value, between["frac"])
        moments = ia.studies.item_moments(study)
        for name, exact in case.get("moments_flat", {}).items():
            assert exact is None or close(getattr(moments, name), exact["frac"]), (case["name"], name)


def test_every_variance_of_the_collection_is_met(shared: Path) -> None:
    found = collection(shared, "variance")
    cases = [([f"1/{case['C']}"] * case["C"], case) for case in found["uniform"]]
    cases += [(case["p"], case) for case in found["class_dist"] + found["brute_force_check"]]
    assert len(cases) > 100
    for p, case in cases:
        shares = [float(Fraction(share)) for share in p]
        assert close(ia.studies.variance_of_item_agreement(case["n"], shares), case["var"]["frac"]), case


def test_taking_an_annotation_away_at_random_changes_nothing_on_average(shared: Path) -> None:
    for case in collection(shared, "removal_unbiased"):
        counts, n = case["counts"], sum(case["counts"])
        fewer = [(counts[c], [m - (c == d) for d, m in enumerate(counts)]) for c in range(len(counts)) if counts[c]]
        mean = sum(often * ia.spa(ia.Annotations.from_counts([rest])).value / n for often, rest in fewer)
        assert close(mean, case["mean_after_random_removal"]["frac"])
        assert close(mean, case["P"]["frac"])


def test_it_follows_a_table_that_grows(shared: Path) -> None:
    for step in collection(shared, "online_sequence"):
        study = ia.Annotations.from_counts(list(step["counts"].values()))
        for scheme, exact in step["spa"].items():
            found = ia.spa(study, weigh=scheme)
            assert found.undefined if exact is None else close(found.value, exact["frac"]), (step, scheme)


def test_thirty_data_sets_come_out_to_twelve_digits(shared: Path) -> None:
    sets = collection(shared, "datasets")
    assert len(sets) == 30
    met = 0
    for case in sets:
        path = shared / "data" / "labels" / f"{case['dataset']}.csv.gz"
        if not path.exists():
            continue
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            study = ia.Annotations.of(list(csv.DictReader(file)), duplicates="keep")
        for scheme, value in case["spa"].items():
            assert ia.spa(study, weigh=scheme).value == pytest.approx(value, abs=1e-12), (case, scheme)
        assert ia.alpha(study).value == pytest.approx(case["alpha_nominal"], abs=1e-12)
        met += 1
    assert met >= 25
