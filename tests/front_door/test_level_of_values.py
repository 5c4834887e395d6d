"""One decision on the level of a question: the same coefficient through every door, and its name with the number."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.errors import KindError, RowsFetched
from interagree.reports import check

draw = random.Random(7)
LENGTHS = [draw.randint(20, 400) for _ in range(30)]
COUNTS = {who: [length + draw.randint(-6, 6) for length in LENGTHS] for who in ("ann", "bo", "cy")}
POINTS = [draw.randint(1, 5) for _ in range(60)]
SCORES = {
    who: [min(5, max(1, point + draw.choice((-1, 0, 0, 1)))) for point in POINTS] for who in ("ann", "bo", "cy", "gpt")
}


def reported(data: Any, **options: Any) -> float:
    (part,) = ia.report(data, measures=["alpha"], **options).parts
    return float(part.results[0].value)


def usual(data: Any, **options: Any) -> float:
    (part,) = ia.report(data, **options).parts
    return next(result.value for result in part.results if result.measure.name == "alpha")


def checked(data: Any, **options: Any) -> float:
    (verdict,) = check(data, at_least=0.5, **options).verdicts
    return verdict.result.value


def explained(data: Any, **options: Any) -> float:
    result = ia.explain("alpha", data, **options).result
    assert result is not None
    return result.value


def watched(data: dict[str, list[int]], **_: Any) -> float:
    monitor = ia.Monitor()
    rows = [(item, who, value) for who, values in data.items() for item, value in enumerate(values)]
    monitor.extend(*zip(*rows, strict=True))
    return monitor.measure("alpha").value


def scanned(data: dict[str, list[int]], **_: Any) -> float:
    polars = pytest.importorskip("polars")
    rows = [(item, who, value) for who, values in data.items() for item, value in enumerate(values)]
    frame = polars.DataFrame(rows, schema=["item", "annotator", "value"], orient="row")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RowsFetched)  # more than 64 values are
        return ia.alpha(ia.scan(frame.lazy())).value


DOORS: list[Callable[..., float]] = [reported, usual, checked, explained, watched, scanned]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_counts_are_numbers_through_every_door(door: Callable[..., float]) -> None:
    assert door(COUNTS) == pytest.approx(ia.alpha(COUNTS, distance="interval").value)
    assert door(COUNTS) == pytest.approx(ia.alpha(COUNTS).value)


@pytest.mark.parametrize("door", [reported, usual, checked, explained], ids=lambda door: door.__name__)
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio", "circular:period=5"])
def test_a_stated_level_is_the_distance_of_every_measure(door: Callable[..., float], level: str) -> None:
    expected = ia.alpha(SCORES, distance=level).value
    assert ia.alpha(SCORES, levels=level).value == pytest.approx(expected)
    assert door(SCORES, levels=level) == pytest.approx(expected)


def test_few_whole_numbers_are_labels_in_doubt_and_it_is_said() -> None:
    result = ia.alpha(SCORES)
    assert result == ia.alpha(SCORES, distance="nominal")
    assert (result.level, result.level.doubt) == ("nominal", "ordinal")
    assert f"as an ordered scale, α = {ia.alpha(SCORES, distance='ordinal').value:.3f}" in str(result)


def test_a_distance_wins_over_every_level() -> None:
    assert ia.alpha(SCORES, levels="ratio", distance="nominal") == ia.alpha(SCORES, distance="nominal")
    assert ia.alpha(SCORES, levels="ratio", distance="nominal").level is None


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (COUNTS, {}, "interval, from the cells"),
        (SCORES, {"levels": "ordinal"}, "ordinal, from the option"),
        (SCORES, {"ordered": True}, "ordinal, as declared"),
        (SCORES, {"codebook": {"value": "interval"}}, "interval, from the codebook"),
        (SCORES, {"kind": "labels"}, None),
    ],
)
def test_a_result_names_the_level_and_who_says_so(data: Any, options: Any, said: str | None) -> None:
    result = ia.alpha(data, **options)
    first = str(result).splitlines()[0]
    assert first.endswith(f"annotators; {said})" if said else "annotators)")
    assert json.loads(json.dumps(result.to_dict()))["level"]["name"] == (said or "nominal").partition(",")[0]


def test_coefficients_of_labels_stay_what_they_are_called() -> None:
    two = {who: SCORES[who] for who in ("ann", "bo")}
    for measure in (ia.cohen_kappa, ia.fleiss_kappa, ia.percent):
        assert measure(two, levels="interval") == measure(two)
        assert measure(two, levels="interval").level == "nominal"
    assert ia.ac1(two, levels="interval") == ia.ac1(two)


def test_a_judge_says_what_a_scale_gives_and_whether_the_verdict_is_another() -> None:
    as_labels = ia.judge(SCORES, models="gpt")
    ordinal = ia.judge(SCORES, models="gpt", levels="ordinal")
    kappa = ordinal.models_table["κx with people"][0]
    assert f"as an ordered scale, κx of gpt = {kappa:.3f}" in as_labels.as_scale
    assert not ordinal.as_scale
    assert ordinal.measured_at == "ordinal"
    assert as_labels.to_dict()["measured_at"]["doubt"] == "ordinal"  # type: ignore[index]  # a dict


def test_rounds_are_compared_at_one_level() -> None:
    first = {who: [value // 30 for value in values] for who, values in COUNTS.items()}
    assert ia.alpha(first).level == "nominal"
    difference = ia.compare(first, COUNTS, measure="alpha")
    assert difference.first.value == pytest.approx(ia.alpha(first, distance="interval").value)


def test_a_level_that_values_cannot_have_is_an_error() -> None:
    words = {"ann": ["rude", "kind", "fine"], "bo": ["rude", "fine", "fine"]}
    with pytest.raises(KindError, match="needs numbers"):
        ia.alpha(words, levels="interval")
    with pytest.raises(KindError, match="in which order"):
        ia.alpha(words, levels="ordinal")
    with pytest.raises(KindError, match="Did you mean"):
        ia.alpha(words, levels="ordnal")


def table(folder: Path) -> Path:
    path = folder / "scores.csv"
    rows = [
        "id,ann,bo,cy,dee",
        *(f"{item},{','.join(map(str, row))}" for item, row in enumerate(zip(*SCORES.values(), strict=True))),
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def printed(*words: str) -> Any:
    result = CliRunner().invoke(main, [*words, "--json"], catch_exceptions=False)
    return json.loads(result.stdout)


def test_the_command_line_takes_levels(tmp_path: Path) -> None:
    path = str(table(tmp_path))
    expected = ia.alpha(SCORES, distance="interval").value
    for words in (["--levels", "interval"], ["--level", "value=interval"], ["--level=interval", "--level", "0.9"]):
        (study,) = printed("measure", path, "-m", "alpha", *words)["studies"]
        assert study["results"][0]["value"] == pytest.approx(expected)
        assert study["level"] == {"name": "interval", "from": "option", "distance": "interval", "doubt": None}


def test_a_configuration_takes_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(tmp_path)
    (tmp_path / "interagree.toml").write_text('levels = {value = "interval"}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (study,) = printed("measure", str(path), "-m", "alpha")["studies"]
    assert study["level"]["from"] == "option"


def test_watching_says_that_numbers_may_be_a_scale_and_takes_a_level(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = [f"{item},{who},{value}" for who, values in SCORES.items() for item, value in enumerate(values)]
    path.write_text("\n".join(["item,annotator,value", *rows]) + "\n", encoding="utf-8")
    in_doubt = printed("watch", str(path), "--once")
    assert f"as an ordered scale, α = {ia.alpha(SCORES, distance='ordinal').value:.3f}" in in_doubt["remarks"][0]
    stated = printed("watch", str(path), "--once", "--level", "ordinal")
    assert stated["remarks"] == []
    by_title = {row["measure"]: row["value"] for row in stated["measures"]}
    assert by_title["Krippendorff's alpha, ordinal"] == pytest.approx(ia.alpha(SCORES, distance="ordinal").value)
