"""Facts come before sentences: no wording changes what is found, and there are words for every code."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from flawed_studies import MAKERS

import interagree as ia
from interagree.findings import Call, Finding
from interagree.findings.words.english import WORDS, names_of
from interagree.reports.parts import measured
from interagree.reports.story import told
from interagree.results.agreement import IntervalOptions

SOURCE = Path(ia.__file__).parent


def facts(flaw: str) -> list[tuple[object, ...]]:
    study = MAKERS[flaw](1)
    found = told(measured(study), IntervalOptions()).findings
    flags = ia.annotators(study).table()["flags"]
    return [
        *((one.code, one.subject, one.gain, one.about.keys(), one.advice) for one in found),
        ("flags", tuple(flags)),
    ]


@pytest.mark.parametrize("flaw", ["guesser", "merged label", "drift of ratings", "higher pair", "boundary habit"])
def test_other_words_change_nothing_that_is_found(flaw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_english = facts(flaw)
    for code in WORDS:
        monkeypatch.setitem(WORDS, code, lambda _finding: ("Etwas ist anders.", "etwas"))
    assert facts(flaw) == in_english


def test_every_code_that_is_found_has_words_and_every_word_is_for_a_code() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.joinpath("findings").glob("*.py"))
    made = {*re.findall(r'Finding\(\s*"([\w. ]+)"', source)}
    assert made
    assert made <= {*WORDS}


def test_who_is_higher_is_called_higher() -> None:
    reason = Finding("differs.shift", ("ann",), {"higher": 8.42, "steps": False, "p": 0.0001})
    about = {"annotators": ["ann"], "of": 3, "reasons": [reason], "better": False, "without": None, "if_a_scale": False}
    finding = Finding("annotator.shift", ("ann",), about)
    assert finding.short == "ann is systematically higher"
    assert finding.sentence.startswith("ann is 8.42 higher than others on these items (p < 0.001).")
    of_two = Finding("annotator.shift", ("ann",), {**about, "of": 2})
    assert of_two.sentence == (
        "ann is 8.42 higher than the other on these items (p < 0.001). Agree on how the scale is used."
    )


def test_annotators_who_are_numbers_are_told_from_amounts() -> None:
    assert names_of(["9", "25"]) == "'9' and '25'"
    assert names_of(["ann", "15965551"]) == "ann and 15965551"


def test_numbers_that_may_be_labels_are_higher_only_if_they_are_a_scale() -> None:
    rng = np.random.default_rng(3)
    level = rng.integers(1, 5, 120)
    rows = [(item, who, int(level[item]) + (who == "bo")) for item in range(120) for who in ("ann", "bo", "cy")]
    doubtful, stated = (ia.report(ia.Annotations.of(rows, ordered=ordered)).to_text() for ordered in (None, True))
    assert "If the values are a scale, bo is 1 higher than others" in " ".join(doubtful.split())
    assert "bo is systematically higher" not in doubtful
    assert "If the values are a scale" not in stated
    assert "bo is systematically higher" in " ".join(stated.split())


def test_a_call_is_spelled_for_both_front_ends() -> None:
    call = Call(
        "measure", {"measures": [("alpha", {"distance": "ordinal"})], "without": ["b c"]}, "tone", "x.csv -q tone"
    )
    assert call.wording().python == "interagree.alpha(study['tone'].without('b c'), distance='ordinal')"
    assert call.wording().command == "interagree measure x.csv -q tone -m alpha:distance=ordinal --without 'b c'"
