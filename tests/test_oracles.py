"""What other packages say about the same data.

The answers lie in ``tests/oracles/*.json`` with the versions that gave them; ``tests/oracles/make.py`` asks
for them again.  Where a peer is wrong or means something else, ``known_differences.json`` says so and holds
what the definition gives by brute force: there we must not agree with the peer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree import reference
from interagree.errors import DuplicateAnnotation

FOLDER = Path(__file__).parent / "oracles"
PEERS = sorted(
    path
    for path in FOLDER.glob("*.json")
    if path.stem != "known_differences" and not path.stem.startswith("complex_")  # of distances, tested there
)
OF_NUMBERS = {"icc", "f_score", "kendall_w", "lin_ccc"}  # declared values are nothing to these
ORDERED = {"ordinal", "interval", "ratio"}
Facts = Mapping[str, Any]
Triple = tuple[int, str, Any]


def _answers() -> Iterator[Any]:
    for path in PEERS:
        for study in json.loads(path.read_text(encoding="utf-8"))["studies"]:
            for number, answer in enumerate(study["answers"], start=1):
                options = "-".join(str(option) for option in answer["options"].values())
                name = "-".join(filter(None, [path.stem, study["name"], answer["measure"], options, str(number)]))
                yield pytest.param(study, answer, id=name)


ANSWERS = list(_answers())
OLD = [param for param in ANSWERS if "old_formula" in param.values[1]]
KNOWN = json.loads((FOLDER / "known_differences.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("study", "answer"), ANSWERS)
def test_gives_what_the_peer_gives(study: Facts, answer: Facts) -> None:
    result = _result(study, answer)
    assert result.undefined is None
    assert result.value == _near(answer["value"])
    if "observed" in answer:  # two wrong parts can make a right ratio
        assert result.disagreement.observed == _near(answer["observed"])
        assert result.disagreement.expected == _near(answer["expected"])
    for part in answer.keys() & {"precision", "recall"}:
        assert result.details[part] == _near(answer[part])
    if "f_test" in answer:
        assert [result.details[part] for part in ("F", "df1", "df2")] == _near(answer["f_test"])
    _compare(result, answer, "analytic")
    _compare(result, answer.get("divided_by_n", {}), "table")
    _compare(result, answer.get("under_no_agreement", {}), "null")
    if "p_value_one_sided" in answer:
        assert result.p_value(method="analytic") == _near(2 * answer["p_value_one_sided"])


@pytest.mark.parametrize("peer", PEERS, ids=lambda path: path.stem)
def test_the_definitions_give_what_the_peer_gives(peer: Path) -> None:
    for study in json.loads(peer.read_text(encoding="utf-8"))["studies"]:
        rows, values = list(_triples(study)), [_value(value) for value in study["values"]]
        for answer in study["answers"]:
            definition = getattr(reference, answer["measure"])
            declared = {} if answer["measure"] in OF_NUMBERS else {"values": values}
            assert float(definition(rows, **answer["options"], **declared)) == _near(answer["value"])


@pytest.mark.parametrize(("study", "answer"), OLD)
def test_the_error_of_alpha_is_the_corrected_one(study: Facts, answer: Facts) -> None:
    result = _result(study, answer)
    _compare(result, answer["right"], "analytic")
    if not math.isclose(answer["old_formula"]["standard_error"], answer["right"]["standard_error"], rel_tol=1e-8):
        assert result.standard_error(method="analytic") != _near(answer["old_formula"]["standard_error"])


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["case"])
def test_gives_what_the_definition_gives_where_a_peer_does_not(known: Facts) -> None:
    if known["outcome"] == "error":
        triples = list(_triples(known["study"]))
        with pytest.raises(DuplicateAnnotation):
            ia.Annotations.of([*triples, triples[0]])
        return
    result = _result(known["study"], known)
    ours = _part(result, known["part"])
    if known["outcome"] == "undefined":
        assert ours is None or math.isnan(ours)
        assert known["part"] != "value" or result.undefined
        return
    assert ours == _near(known["right"])
    if not isinstance(known["peer_says"], str):  # a peer that refuses says why
        assert ours != _near(known["peer_says"])


def test_every_peer_was_asked_with_its_version_written_down() -> None:
    told = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in PEERS}
    assert set(told) == {"definition", "irrcac", "krippendorff", "nltk", "pingouin", "sklearn", "statsmodels"}
    for stem, one in told.items():
        assert one["version"]
        assert one["python"]
        assert stem == "definition" or one["made_with"][one["peer"]] == one["version"]


def _result(study: Facts, question: Facts) -> Any:
    """Our answer to what the peer was asked."""
    return getattr(ia.measures, question["measure"])(_data(json.dumps(study)), **question["options"])


@cache
def _data(study: str) -> Any:
    facts = json.loads(study)
    values = [_value(value) for value in facts["values"]]
    return ia.Annotations.of(list(_triples(facts)), values=values, ordered=facts["scale"] in ORDERED)


def _triples(study: Facts) -> Iterator[Triple]:
    for item, row in enumerate(study["rows"]):
        for annotator, code in zip("ABCDEF", row, strict=False):
            if code is not None:
                yield item, annotator, _value(study["values"][code])


def _value(value: Any) -> Any:
    return frozenset(value) if isinstance(value, list) else value


def _compare(result: Any, said: Facts, method: str) -> None:
    """Hold the error, interval and test of a result to what is said of them."""
    if "standard_error" in said:
        assert result.standard_error(method=method) == _near(said["standard_error"])
    if "interval" in said:
        found = result.interval(level=0.95, method=method)
        low, high = said["interval"]
        # No peer stops at -1, below which no coefficient of agreement has a meaning.
        low = low if result.measure.name == "icc" else max(low, -1.0)
        # The t quantiles of SciPy 1.12, which irrCAC pins, have eight digits: 2.022690912 for 2.022690920.
        assert [found.low, found.high] == pytest.approx([low, high], rel=1e-9, abs=5e-9)
    if "p_value" in said:
        assert result.p_value(method=method) == _near(said["p_value"])


def _part(result: Any, part: str) -> Any:
    if part == "interval":
        found = result.interval(level=0.95, method="analytic")
        return [found.low, found.high]
    if part == "standard_error":
        return result.standard_error(method="analytic")
    return result.p_value(method="analytic") if part == "p_value" else result.value


def _near(said: Any) -> Any:
    # A p-value formed as one minus a distribution function has 16 digits after the point and no more.
    return pytest.approx(said, rel=1e-9, abs=1e-12)
