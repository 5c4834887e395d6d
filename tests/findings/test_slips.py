"""Slips of annotators that can be undone: each is named for what it is, and undone right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from flawed_studies import CLEAN, SLIPS, designed

import interagree as ia
from interagree._names import MODULES
from interagree.findings import Finding
from interagree.findings.spelling import one_letter_apart, plain
from interagree.reports.parts import measured
from interagree.reports.story import told
from interagree.results.agreement import IntervalOptions

ACCUSING = ("annotator", "labels", "items", "boundaries", "ends", "pair", "spelling", "batch", "tired", "equal")


def findings(study: ia.Annotations) -> list[Finding]:
    return [one for one in told(measured(study), IntervalOptions()).findings if one.kind in ACCUSING]


def right(flaw: str, seed: int) -> bool:
    """Whether the flaw is named, with those who have it, and nothing else."""
    study, guilty, code = designed(flaw, seed)
    found = findings(study)
    return [one.code for one in found] == [code] and {*found[0].who} == guilty


@pytest.mark.parametrize("flaw", SLIPS)
def test_a_slip_is_named_and_nothing_else(flaw: str) -> None:
    assert sum(right(flaw, seed) for seed in range(6)) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("flaw", SLIPS)
def test_a_slip_is_named_90_times_in_100(flaw: str) -> None:
    assert sum(right(flaw, seed) for seed in range(100)) >= 90


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLEAN)
def test_of_clean_designs_95_in_100_are_accused_of_nothing(kind: str) -> None:
    assert sum(not findings(designed(kind, seed)[0]) for seed in range(100)) >= 95


def one_of(code: str, study: ia.Annotations) -> Finding:
    return next(one for one in findings(study) if one.code == code)


def test_a_reversed_scale_turned_round_gives_the_coefficient_that_is_promised() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 200)
    data = {f"a{k}": np.clip(truth + rng.integers(-1, 2, 200), 1, 5).tolist() for k in range(4)}
    turned = {**data, "cleo": np.clip(truth + rng.integers(-1, 2, 200), 1, 5).tolist()}
    study = ia.Annotations.of(
        {**turned, "cleo": [6 - answer for answer in turned["cleo"]]}, values=[1, 2, 3, 4, 5], ordered=True
    )
    finding = one_of("annotator.reversed", study)
    assert finding.who == ("cleo",)
    assert finding.about["mended"] == pytest.approx(ia.alpha(turned, values=[1, 2, 3, 4, 5], ordered=True).value)
    assert "guess" not in finding.sentence
    example = finding.about["example"]
    own = dict(zip(range(200), study.only(annotators=["cleo"]).rows(), strict=True))
    assert (example["item"], "cleo", example["own"]) in own.values()


@pytest.mark.parametrize("by", [1, -1, 2])
def test_rows_are_moved_back_by_as_many_as_they_were_moved(by: int) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, 150)
    data = {f"a{k}": np.where(rng.random(150) < 0.9, truth, rng.integers(0, 4, 150)) for k in range(3)}
    data["a2"] = np.r_[data["a2"][:60], np.roll(data["a2"][60:], by)]
    study = ia.Annotations.of({name: np.array(list("pqrs"))[column].tolist() for name, column in data.items()})
    finding = one_of("annotator.rows", study)
    assert (finding.who, finding.about["rows"]) == (("a2",), by)
    assert 50 <= int(str(finding.about["first"])) <= 70
    assert f"{abs(by)} row{'s' * (abs(by) > 1)} too {'low' if by > 0 else 'high'} from item" in finding.sentence


def test_a_private_name_for_a_label_is_told() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 120)
    data = {
        f"a{k}": np.array(["p", "q", "r"])[np.where(rng.random(120) < 0.9, truth, rng.integers(0, 3, 120))].tolist()
        for k in range(4)
    }
    data["a3"] = ["other" if label == "r" else label for label in data["a3"]]
    finding = one_of("annotator.recoded", ia.Annotations.of(data))
    assert finding.about["taken"] == [("other", "r")]
    assert finding.short.startswith("a3 gives 'other' for 'r'")


def test_of_two_annotators_it_may_be_either() -> None:
    rng = np.random.default_rng(4)
    truth = rng.normal(0, 1, 80)
    study = ia.Annotations.of({"ann": (truth + rng.normal(0, 0.4, 80)).tolist(), "bo": (-truth).tolist()})
    finding = one_of("annotator.reversed", study)
    assert "of two annotators, it may be the other" in finding.sentence


# -- spellings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two"), [("Cat", "cat"), ("not sure", "not_sure."), ("café", "CAFE"), ("'yes'", "yes"), ("a-b", "A b")]
)
def test_spellings_of_one_label_are_alike(one: str, two: str) -> None:
    assert plain(one) == plain(two)


@pytest.mark.parametrize(("one", "two"), [("C", "C++"), ("+", "-"), ("A1", "A2"), ("", "-")])
def test_labels_that_differ_in_more_are_not_alike(one: str, two: str) -> None:
    assert plain(one) != plain(two)


@pytest.mark.parametrize("rare", ["nuetral", "nutral", "neuttral", "neutrel", "neutral"[:-1]])
def test_a_letter_that_is_wrong_is_a_misspelling(rare: str) -> None:
    assert one_letter_apart("neutral", rare)


@pytest.mark.parametrize(
    ("usual", "rare"),
    [
        ("typical", "atypical"),
        ("mild", "wild"),
        ("no", "on"),
        ("grade1", "grade2"),
        ("like", "dislike"),
        ("cat", "car"),
    ],
)
def test_labels_that_are_other_words_are_not_misspelt(usual: str, rare: str) -> None:
    assert not one_letter_apart(usual, rare)


@pytest.mark.parametrize("rare", ["nutral", "neutrals"])
def test_a_misspelt_label_is_told_and_not_called_a_habit(rare: str) -> None:
    rng = np.random.default_rng(9)
    truth = rng.choice(["neutral", "positive", "negative"], 200, p=[0.4, 0.3, 0.3])
    rows = []
    for item, label in enumerate(truth):
        for who in range(6):
            given = label if rng.random() < 0.85 else rng.choice(["neutral", "positive", "negative"])
            rows.append((item, f"w{who}", rare if given == "neutral" and who == 5 and rng.random() < 0.8 else given))
    found = findings(ia.Annotations.of(rows))
    assert [one.code for one in found] == ["spelling"]
    assert found[0].about["labels"] == [["neutral", rare]]
    apart = [
        (item, who, "mile" if label == "neutral" else "male" if who == "w5" else label) for item, who, label in rows
    ]
    assert "spelling" not in [one.code for one in findings(ia.Annotations.of(apart))]


def test_labels_that_annotators_tell_apart_are_not_one() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 150)
    data = {
        f"p{k}": np.array(["A", "a", "b"])[np.where(rng.random(150) < 0.9, truth, rng.integers(0, 3, 150))].tolist()
        for k in range(3)
    }
    assert findings(ia.Annotations.of(data)) == []


def test_spellings_are_merged_as_the_call_says() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(["cat", "dog", "bird"], 100)
    data = {f"a{k}": np.where(rng.random(100) < 0.9, truth, "bird").tolist() for k in range(3)}
    study = ia.Annotations.of({**data, "a2": [label.capitalize() for label in data["a2"]]})
    finding = one_of("spelling", study)
    assert {frozenset(group) for group in finding.about["labels"]} == {
        frozenset({label, label.capitalize()}) for label in ("cat", "dog", "bird")
    }
    assert finding.who == ("a2",)
    assert finding.about["merged"] == pytest.approx(ia.alpha(data).value)
    assert finding.command is not None
    assert eval(finding.command.python, {"interagree": ia, "study": study}).value == pytest.approx(ia.alpha(data).value)
    assert finding.command.command.count("--merge-labels") == 3


def test_every_module_of_a_cause_is_listed_and_has_a_cause() -> None:
    folder = Path(ia.__file__).parent / "findings" / "causes"
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == {*MODULES["findings.causes"]}
