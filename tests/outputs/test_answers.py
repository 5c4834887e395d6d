"""Every answer: it pickles, prints, shows itself in notebooks, and is written in every format."""

import importlib
import json
import pickle
import pkgutil
from collections.abc import Callable
from pathlib import Path

import pytest

import interagree as ia
from interagree.results.answer import Answer
from interagree.results.document import SUFFIXES, Document
from interagree.tables import Table

from .test_hostile import unseen

LABELS = {
    "ann": ["cat", "dog", "dog", "cat", "eel"] * 4,
    "bo": ["cat", "dog", "cat", "cat", "eel"] * 4,
    "gpt": ["cat", "dog", "dog", "eel", "eel"] * 4,
}
MARKED = [("d1", who, [(0, 4, "x"), (6, 9 + place, "y")]) for place, who in enumerate("ab")] + [
    ("d2", who, [(1, 3, "x")]) for who in "ab"
]
NUMBERS = {"ann": [1.0, 2.5, 4.0, 3.0] * 3, "bo": [1.5, 2.0, 4.0, 3.5] * 3, "cy": [1.0, 2.0, 5.0, 3.0] * 3}
OF = {"ann": "f", "bo": "m", "gpt": "f"}


def spans() -> ia.Annotations:
    return ia.Annotations.of(MARKED, kind="spans", item=0, annotator=1, value=2)


def boxes() -> ia.Annotations:
    drawn = {"a": [(0, 0, 4, 4, "cat")], "b": [(0, 0, 4, 3, "dog"), (9, 9, 10, 10, "cat")]}
    return ia.Annotations.of([("x", who, tuple(shapes)) for who, shapes in drawn.items()], kind="boxes")


def standing() -> Answer:
    monitor = ia.Monitor()
    for item in range(6):
        for who in "ab":
            monitor.add(str(item), who, "yes" if item % 2 else who)
    return monitor.standing()


def preferences() -> Answer:
    rows = {
        "item": [1, 1, 2, 2, 3, 3, 4, 4],
        "annotator": ["h", "gpt"] * 4,
        "value": ["A", "A", "B", "A", "tie", "B", "A", "A"],
        "order": ["A", "B"] * 4,
    }
    return ia.judging.preferences(rows, item="item", annotator="annotator", value="value", attributes=["order"])


def classes(of: type[Answer] = Answer) -> set[type[Answer]]:
    """All classes of answers, whatever module they are in."""
    for module in pkgutil.walk_packages(ia.__path__, "interagree."):
        if module.name != "interagree.__main__":
            importlib.import_module(module.name)

    def below(parent: type[Answer]) -> set[type[Answer]]:
        return {parent}.union(*(below(child) for child in parent.__subclasses__()))

    return {kind for kind in below(of) if kind.__module__.startswith("interagree.")}


def examples() -> dict[str, Callable[[], Answer]]:
    """An example of each class of answers."""
    from interagree import reports
    from interagree.studies.explain import Explanations

    gold = dict(enumerate(LABELS["ann"]))
    return {
        "Agreement": lambda: ia.alpha(LABELS),
        "Report": lambda: ia.report(LABELS),
        "Coefficients": lambda: reports.coefficients(LABELS),
        "Check": lambda: reports.check(LABELS, at_least=0.5),
        "Catalogue": lambda: reports.catalogue("scales"),
        "Queue": lambda: ia.disagreements(LABELS),
        "SoftLabels": lambda: ia.crowd.soft_labels(LABELS),
        "People": lambda: ia.annotators(LABELS),
        "Wawa": lambda: ia.people.wawa(LABELS),
        "LabelConsensus": lambda: ia.crowd.majority_vote(LABELS),
        "Consensus": lambda: ia.crowd.medoid(LABELS, distance="nominal"),
        "Accuracy": lambda: ia.crowd.majority_vote(LABELS).score(gold),
        "Difference": lambda: ia.compare(LABELS, LABELS, measure="alpha"),
        "Plan": lambda: ia.plan(agreement=0.8, budget=500),
        "Judgement": lambda: ia.judge(LABELS, models=["gpt"]),
        "AltTest": lambda: ia.judging.alt_test(LABELS, model="gpt"),
        "Ceiling": lambda: ia.judging.noise_ceiling(LABELS),
        "Preferences": preferences,
        "SpanReport": lambda: ia.spans.span_report(spans()),
        "ObjectTypes": lambda: ia.studies.object_types(boxes()),
        "Typology": lambda: ia.spans.span_types(spans()),
        "Panel": lambda: ia.spans.span_panel(spans()),
        "PairwiseF1": lambda: ia.spans.pairwise_f1(spans()),
        "Timeline": lambda: ia.spans.timeline(spans()),
        "MarkedText": lambda: ia.spans.marked_text(spans(), "d1"),
        "Aligned": lambda: ia.spans.align(spans(), document="d1"),
        "Shuffled": lambda: ia.studies.shuffle(gold, magnitudes=[0, 1], repeats=1),
        "DistanceComparison": lambda: ia.studies.compare_distances(LABELS, ["nominal"], resamples=10),
        "Explanation": lambda: ia.explain("alpha", LABELS),
        "Examination": lambda: ia.doctor(Path(ia.__file__).with_name("examples") / "reviews.csv"),
        "NumberConsensus": lambda: ia.crowd.debiased_mean(NUMBERS),
        "Score": lambda: ia.crowd.medoid(NUMBERS).score(dict(enumerate(NUMBERS["ann"]))),
        "Differences": lambda: ia.studies.compare_groups(
            {
                "item": [1, 1, 2, 2],
                "annotator": ["a", "b"] * 2,
                "value": ["x", "x", "x", "y"],
                "g": ["d", "d", "f", "f"],
            },
            "g",
            measures=["percent"],
        ),
        "Explanations": lambda: Explanations({name: ia.explain("alpha", LABELS) for name in ("one", "two")}),
        "Standing": standing,
        "GroupsAgreement": lambda: ia.people.groups_agreement(LABELS, groups=OF),
        "CrossReliability": lambda: ia.people.xrr(LABELS, groups=OF),
    }


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_answer_does_all_that_answers_do(name, tmp_path):
    answer = EXAMPLES[name]()
    assert type(answer).__name__ == name
    assert isinstance(answer, Answer)
    tables = answer.tables()
    assert tables
    assert all(isinstance(table, Table) for table in tables.values())
    assert isinstance(answer.document(), Document)
    assert "<" in answer._repr_html_()
    for suffix in SUFFIXES:
        path = tmp_path / f"answer{suffix}"
        assert answer.write(path) == path
        assert path.read_bytes()
    json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    assert answer.to_dict()
    again = pickle.loads(pickle.dumps(answer))
    assert str(again) == str(answer)
    for text in (str(answer), repr(answer)):
        assert text
        assert " object at 0x" not in text
        assert not unseen(text)


def test_every_class_of_answers_has_an_example():
    concrete = {
        kind.__name__ for kind in classes() if not kind.__abstractmethods__ and not kind.__name__.startswith("_")
    }
    assert concrete - set(EXAMPLES) == set()
