"""The picture of one document: lanes, letters, numbers of clusters, and lines between aligned units."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.errors import DataError, KindError, UnknownName
from interagree.spans.timeline import documents, timeline
from interagree.stats.documents.alignment import Alignment

ROWS = [
    ("letter", "bo", [[0, 10, "a"], [20, 30, "b"], [25, 40, "a"]]),
    ("letter", "ann", [[1, 10, "a"], [21, 30, "c"]]),
    ("letter", "cy", []),
    ("other", "bo", [[100, 110, "x"]]),
    ("other", "ann", [[100, 104, "x"], [104, 110, "y"]]),
    ("alone", "ann", [[0, 1, "x"]]),
]


@pytest.fixture
def study() -> ia.Annotations:
    return ia.Annotations.of(ROWS, kind="spans")


def test_lanes_stand_in_the_order_of_the_study_and_tell_category_and_cluster(study: Any) -> None:
    drawn = timeline(study).text(45).split("\n")  # one column for each position
    assert drawn == [
        "bo   a1███████▌          b2███████▌",
        "                              a█████████████▌",
        "ann   a1██████▌           c2██████▌",
        "cy   (nothing marked)",
        "     ┬──────────────────────────────────────┬",
        "     0                                     40",
        "a  a",
        "b  b",
        "c  c",
    ]


def test_the_clusters_sum_up_to_the_cost(study: Any) -> None:
    for document in documents(study):
        one = timeline(study, document, alpha=2, beta=0.5, empty=0.8)
        table = one.clusters()
        assert sum(table["disorder"]) == pytest.approx(one.alignment.cost)
        assert one.alignment.cost / one.continuum.mean_units == pytest.approx(one.alignment.disorder)
    first = timeline(study).clusters()
    assert first.rows()[0] == {
        "cluster": 1,
        "bo": "0–10 a",
        "ann": "1–10 a",
        "cy": None,
        "disorder": pytest.approx((2 + (1 / 19) ** 2) / 3),
    }
    assert first.rows()[2]["disorder"] == pytest.approx(1)  # a unit alone costs as much as an empty one


def test_an_alignment_can_be_given_in_the_places_of_the_units(study: Any) -> None:
    from interagree.stats.documents.unit_documents import UnitDocuments

    document = UnitDocuments.of(study).documents[0]
    apart = tuple((unit,) for unit in range(len(document.continuum)))
    one = timeline(study, align=Alignment(apart, 5.0, 3.0))
    assert len(one.clusters()) == 5
    assert sum(one.clusters()["disorder"]) == pytest.approx(5)
    pair = [int(np.flatnonzero(document.continuum.begin == start)[0]) for start in (0, 1)]
    rest = tuple((unit,) for unit in range(len(document.continuum)) if unit not in pair)
    joined = timeline(study, align=Alignment((tuple(pair), *rest), 4.0, 2.4))
    assert joined.clusters().rows()[0]["ann"] == "1–10 a"
    with pytest.raises(KindError, match="of another document"):
        timeline(study, align=Alignment(((9,),), 1.0, 1.0))
    assert len(timeline(study, align=False).clusters()) == 0


def test_a_document_is_chosen_by_name(study: Any) -> None:
    assert documents(study) == ["letter", "other"]
    assert timeline(study).name == "letter"
    assert timeline(study, "other").first == 100
    numbered = ia.Annotations.of([(7, who, spans) for item, who, spans in ROWS if item == "letter"], kind="spans")
    assert timeline(numbered, "7").name == 7
    with pytest.raises(UnknownName, match="Did you mean 'letter'"):
        timeline(study, "lettre")
    with pytest.raises(DataError, match="fewer than two annotators"):
        timeline(study, "alone")
    with pytest.raises(DataError, match="nothing to draw"):
        timeline([("d", "ann", [[0, 1, "x"]])])


@pytest.mark.parametrize("width", [10, 40, 97, 500])
def test_every_unit_is_drawn_at_any_width(width: int) -> None:
    rng = np.random.default_rng(width)
    rows = []
    for who in ("a", "b", "c with a very long name indeed, longer than there is room"):
        starts = np.sort(rng.integers(0, 1000, 30))
        rows.append(("d", who, [[int(s), int(s + rng.integers(1, 90)), str(rng.integers(0, 70))] for s in starts]))
    one = timeline(rows, align=False)
    lines = one.lines(width)
    assert sum(piece.category is not None for line in lines for piece in line) == 90
    assert all(len("".join(piece.text for piece in line)) <= min(max(width, 40), 240) for line in lines)
    assert one.letter(60) == "*"


def test_a_picture_shows_bars_and_lines(study: Any, tmp_path: Path, need: Any) -> None:
    need("matplotlib")
    one = timeline(study)
    axes = one.plot()
    assert len(axes.collections) == 5
    assert len(axes.lines) == 2
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bo", "ann", "cy"]
    for suffix in ("svg", "png"):
        path = timeline(study, "other", path=tmp_path / f"one.{suffix}")
        assert path.stat().st_size > 1000
    assert "<svg" in (tmp_path / "one.svg").read_text(encoding="utf-8")


def test_units_without_a_category_need_no_key(need: Any) -> None:
    need("matplotlib")
    one = timeline(ia.Annotations.of([("d", "a", [[0, 4]]), ("d", "b", [[1, 5]])], kind="spans"))
    assert one.categories == ("no category",)
    assert not one.plot().figure.legends


def test_colours_in_a_terminal(study: Any) -> None:
    text = timeline(study).rich(60)
    assert text.plain.startswith("bo   a1")
    assert {str(span.style) for span in text.spans if span.style} == {
        "#0072B2 reverse",
        "#D55E00 reverse",
        "#009E73 reverse",
    }


# -- the command --------------------------------------------------------------------------------------------

TABLE = "doc,annotator,start,end,category\n" + "".join(
    f"{item},{who},{start},{end},{label}\n" for item, who, spans in ROWS for start, end, label in spans
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    from interagree.cli.timeline import command

    monkeypatch.chdir(tmp_path)
    (tmp_path / "units.csv").write_text(TABLE, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(command, ["units.csv", *arguments], catch_exceptions=False)


def test_the_command_draws_and_lists_clusters(run: Any) -> None:
    made = run("--document", "letter")
    assert made.exit_code == 0
    assert "bo   a1█" in made.stdout
    assert "Observed disorder" in made.stdout
    assert "20–30 b" in made.stdout
    assert "Policy: columns taken" in made.stdout
    assert "the first of 2 documents" in run().stderr


def test_the_command_writes_pictures_and_data(run: Any, tmp_path: Path, need: Any) -> None:
    need("matplotlib")
    assert run("-o", "one.svg").exit_code == 0
    assert (tmp_path / "one.svg").stat().st_size > 1000
    found = json.loads(run("--document", "other", "--json").stdout)
    assert found["document"] == "other"
    assert found["disorder"] == pytest.approx(timeline(ROWS, "other").alignment.disorder)
    assert run("--csv").stdout.startswith("cluster,bo,ann")
    assert "Clusters" not in run("--no-align").stdout


def test_the_command_colours_lanes_for_a_person(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    drawn = run().stdout
    assert "\x1b[" in drawn
    assert drawn.count("Observed disorder") == 1


def test_real_examples_have_the_disorder_of_other_programs(shared: Path) -> None:
    for path in sorted((shared / "published" / "gamma").glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        how = case["params"]
        if how.get("categorical") != "absolute" or len(case["units"]) > 100:
            continue
        spans: dict[str, list[Any]] = {name: [] for name in how.get("annotators_without_units") or []}
        for who, start, end, label in case["units"]:
            spans.setdefault(who, []).append([start, end, label])
        rows = [(path.stem, who, value) for who, value in spans.items()]
        study = ia.Annotations.of(rows, kind="spans")
        one = timeline(study, alpha=how["alpha"], beta=how["beta"], empty=how["delta_empty"])
        wanted = case["expected"]["observed_disorder"]
        assert one.alignment.disorder == pytest.approx(wanted, abs=1e-6), path.stem
        assert sum(one.clusters()["disorder"]) == pytest.approx(one.alignment.cost)


def written(text: str) -> ia.Annotations:
    units = {"ann": [[0, 12, "PER"], [17, 30, "PER"]], "bo": [[0, 6, "PER"], [17, 30, "ORG"]]}
    rows = [{"item": "d", "annotator": who, "value": marked, "text": text} for who, marked in units.items()]
    return ia.Annotations.of(rows, kind="spans")


def test_the_text_of_the_document_is_shown(need: Any) -> None:
    one = timeline(written("Barack Obama met Angela Merkel in Berlin."))
    assert one.clusters()["ann"][0] == "0–12 PER “Barack Obama”"
    lines = one.text(80).splitlines()
    below = next(line for line in lines if "Barack" in line)
    assert "Obama" in below
    assert below.index("Barack") == lines[0].index("b1")  # where the first unit begins
    need("matplotlib")
    axes = one.plot()
    shown = [text.get_text() for text in axes.texts]
    assert {"Barack", "Obama", "met", "Angela", "Merkel"} <= set(shown)
    assert any("Angela Merkel" in text for text in shown)


def test_a_long_text_and_wide_letters_leave_the_lanes_alone() -> None:
    assert "lorem" not in timeline(written("lorem ipsum dolor " * 9)).text(40).splitlines()[-1]
    wide = timeline(written("日本語の文章がここにあります、そしてまだ続いて、終わります。これで")).text(80)
    assert not any(line.strip().startswith("日") for line in wide.splitlines())
    hostile = timeline(written("a\x1b[31m b\u202e c\nd e f g h i j k l m n")).text(80)
    assert "\x1b" not in hostile
    assert "\u202e" not in hostile


def test_a_text_that_is_too_short_for_its_units_is_not_quoted() -> None:
    assert timeline(written("short")).clusters()["ann"][0] == "0–12 PER"
