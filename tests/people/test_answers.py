"""Every result of these rooms is an answer: tables, a document, plain data, files, and it can be pickled."""

import json
import pickle
import random

import pytest

import interagree as ia
from interagree.results.answer import Answer
from interagree.results.document import render
from interagree.tables import Table

rng = random.Random(0)
ITEMS = range(30)
PEOPLE = ("ann", "bo", "cy", "gpt")
TRUTH = {item: rng.choice("ab") for item in ITEMS}
ROWS = [
    {
        "item": item,
        "annotator": who,
        "value": TRUTH[item] if rng.random() < 0.8 else rng.choice("ab"),
        "order": rng.choice("ab"),
    }
    for item in ITEMS
    for who in PEOPLE
]
LABELS = [{name: row[name] for name in ("item", "annotator", "value")} for row in ROWS]
NUMBERS = [{**row, "value": rng.gauss(5, 1)} for row in LABELS]
ORDERED = [{**row, "value": rng.choice([1, 2, 3])} for row in LABELS]
TEAMS = {"ann": "one", "bo": "one", "cy": "two", "gpt": "two"}

ANSWERS = {
    "annotators": lambda: ia.annotators(LABELS),
    "disagreements": lambda: ia.disagreements(LABELS),
    "disagreements of ordered values": lambda: ia.disagreements(ORDERED, values=[1, 2, 3], ordered=True),
    "wawa": lambda: ia.people.wawa(LABELS),
    "soft labels": lambda: ia.crowd.soft_labels(LABELS),
    "judge": lambda: ia.judge(LABELS, models="gpt", groups=TEAMS),
    "judge of ordered values": lambda: ia.judge(ORDERED, models="gpt", values=[1, 2, 3], ordered=True),
    "judge of preferences": lambda: ia.judge(ROWS, models="gpt", order="order"),
    "alternative test": lambda: ia.judging.alt_test(LABELS, model="gpt"),
    "ceiling": lambda: ia.judging.noise_ceiling(LABELS, models="gpt"),
    "preferences": lambda: ia.judging.preferences(ROWS),
    "xrr": lambda: ia.people.xrr(LABELS, groups=TEAMS, resamples=20),
    "groups": lambda: ia.people.groups_agreement(LABELS, groups=TEAMS, resamples=20),
    "majority vote": lambda: ia.crowd.majority_vote(LABELS),
    "dawid and skene": lambda: ia.crowd.dawid_skene(LABELS),
    "medoid": lambda: ia.crowd.medoid(NUMBERS),
    "debiased mean": lambda: ia.crowd.debiased_mean(NUMBERS),
    "accuracy": lambda: ia.crowd.majority_vote(LABELS).score(TRUTH),
    "score": lambda: ia.crowd.medoid(NUMBERS).score(dict.fromkeys(ITEMS, 5.0)),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_have_all_forms(name, tmp_path):
    answer = ANSWERS[name]()
    assert isinstance(answer, Answer)
    assert answer.undefined is None
    tables = answer.tables()
    assert all(isinstance(table, Table) for table in tables.values())
    assert answer.table().columns == next(iter(tables.values())).columns
    json.dumps(answer.to_dict(), allow_nan=True, default=str)
    assert answer._repr_html_()
    for suffix in ("md", "json", "csv", "html", "txt"):
        answer.write(tmp_path / f"answer.{suffix}")
        assert (tmp_path / f"answer.{suffix}").read_text(encoding="utf-8").strip()
    again = pickle.loads(pickle.dumps(answer))
    assert str(again) == str(answer)
    assert render(again.document(), "text") == render(answer.document(), "text")


def test_a_judgement_holds_what_its_parts_say():
    found = ia.judge(ROWS, models="gpt", order="order", groups=TEAMS)
    assert found.preferences is not None
    assert found.groups_of_annotators is not None
    assert found.groups_of_annotators.p_value == ia.people.groups_agreement(LABELS, groups=TEAMS).p_value
    titles = [section.title for section in found.document().sections]
    assert {"Verdict", "Position", "Groups", "Every two annotators"} <= {*titles}
    assert "Every two annotators" not in [one.title for one in found.document(pairs=False).sections]


def test_a_consensus_is_shown_with_its_score():
    found = ia.crowd.majority_vote(LABELS).document(gold=TRUTH)
    assert found.data["score"]["accuracy"] == ia.crowd.majority_vote(LABELS).score(TRUTH).value
    assert "Against gold" in [section.title for section in found.sections]
