"""Every command on every label set: defined or explained, and no warning from NumPy (warnings are errors here)."""

import json
import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("INTERAGREE_SHARED", Path(__file__).parents[3] / "shared")) / "data/labels"
NAMES = sorted(path.name.removesuffix(".csv.gz") for path in FOLDER.glob("*.csv.gz")) or ["none"]
SETS = [name for name in NAMES if not name.endswith(".gold")]
REPEATED = {"dawid_skene_anesthesia"}


def options(name):
    return (["--duplicates", "keep"] if name in REPEATED else []) + (
        ["--split", "|"] if name == "lewidi3_varierr" else []
    )


@pytest.fixture
def labels(shared):
    return shared / "data/labels"


@pytest.mark.parametrize("name", SETS)
def test_measure_gives_a_number_for_every_set(name, labels, run):
    found = json.loads(run("measure", labels / f"{name}.csv.gz", *options(name), "--json").stdout)
    for result in found["studies"][0]["results"]:
        assert result["undefined"] or -1 <= result["value"] <= 1
        assert result["undefined"] or result["interval"]


@pytest.mark.parametrize("name", NAMES)
def test_doctor_says_something_on_every_file(name, labels, run):
    path = labels / f"{name}.csv.gz"
    gold = name.endswith(".gold")
    found = json.loads(run("doctor", path, "--json", code=3 if gold else 0).stdout)
    (question,) = found["questions"].values()
    oddities = " ".join(question["oddities"])
    assert question["items"] > 0
    if gold:
        assert "gold" in oddities
    if name in REPEATED:
        assert "times" in oddities
    if name == "lewidi3_varierr":
        assert "--split" in oddities
    if name in {"web", "lewidi3_csc", "snow_wordsim", "lewidi_convabuse"}:
        assert "scale" in oddities
    if name == "weather_cf":
        assert "test questions" in oddities
    assert found["next"]


@pytest.mark.parametrize("name", ["bluebird", "lewidi3_varierr", "snow_anger", "lewidi3_csc", "dawid_skene_anesthesia"])
def test_reports_of_every_kind(name, labels, run, folder):
    for suffix in ("md", "tex", "json", "txt"):
        run("report", labels / f"{name}.csv.gz", *options(name), "-o", folder / f"r.{suffix}")
    for measure in ("alpha", "percent", "ac1"):
        run("explain", measure, labels / f"{name}.csv.gz", *options(name))
