"""Whatever a study is asked answers in the same ways: tables, documents, plain data, pages, and pickles."""

import json
import pickle
from pathlib import Path

import pytest

import interagree as ia
from interagree.results.answer import Answer
from interagree.results.document import FORMATS, render
from interagree.spans.report import text_report
from interagree.tables import plain

LABELS = {"ann": ["a", "b", "a", "b", "c", "a"], "bo": ["a", "b", "b", "b", "c", "c"], "cy": list("abacca")}
GROUPED = {
    "item": [1, 1, 2, 2, 3, 3, 4, 4],
    "annotator": ["ann", "bo"] * 4,
    "value": list("aababbab"),
    "language": ["de"] * 4 + ["fr"] * 4,
}
SPANS = ia.Annotations.of(
    [
        ("d1", "ann", ((0, 3, "PER"), (8, 10, "PER"), (14, 18, "LOC"))),
        ("d1", "bo", ((0, 3, "PER"), (8, 10, "ORG"))),
        ("d2", "ann", ((0, 3, "PER"),)),
        ("d2", "bo", ((0, 4, "PER"),)),
    ],
    kind="spans",
)


def standing() -> Answer:
    monitor = ia.Monitor()
    monitor.extend([1, 1, 2, 2, 3, 3], ["ann", "bo"] * 3, list("aababb"), batch=[1, 1, 1, 2, 2, 2])
    return monitor.standing()


ANSWERS = {
    "difference": lambda: ia.compare(ia.alpha(LABELS), ia.ac1(LABELS)),
    "groups": lambda: ia.studies.compare_groups(GROUPED, "language", measures=["percent", "ac1"]),
    "plan": lambda: ia.plan(LABELS, half_width=0.05),
    "distances": lambda: ia.studies.compare_distances({"x": [1, 2, 4, 4, 5], "y": [1, 3, 4, 5, 5]}, resamples=20),
    "shuffle": lambda: ia.studies.shuffle(dict(enumerate("abcabcabc")), magnitudes=[0, 1], repeats=2),
    "explain": lambda: ia.explain("alpha", LABELS),
    "about": lambda: ia.explain("alpha"),
    "doctor": lambda: ia.doctor(Path(ia.__file__).with_name("examples") / "reviews.csv"),
    "panel": lambda: ia.spans.span_panel(SPANS),
    "types": lambda: ia.spans.span_types(SPANS),
    "pairs": lambda: ia.spans.pairwise_f1(SPANS),
    "report": lambda: ia.spans.span_report(SPANS, tokens="alpha", feature="label"),
    "text": lambda: ia.spans.marked_text(SPANS, "d1"),
    "typed text": lambda: text_report(SPANS, "d1"),
    "timeline": lambda: ia.spans.timeline(SPANS, "d1"),
    "alignment": lambda: ia.spans.align(SPANS, "d1"),
    "standing": standing,
}


@pytest.fixture(scope="module", params=ANSWERS)
def answer(request):
    return ANSWERS[request.param]()


def test_it_is_an_answer_with_tables(answer):
    assert isinstance(answer, Answer)
    tables = answer.tables()
    assert tables
    assert all(isinstance(table, ia.Table) for table in tables.values())
    assert list(answer.table().columns)
    assert answer.undefined is None


def test_its_document_takes_every_form(answer):
    document = answer.document()
    for form in FORMATS:
        assert isinstance(render(document, form), str)
    assert str(answer).strip()
    assert "<" in answer._repr_html_()


def test_its_data_are_plain(answer):
    assert json.dumps(plain(answer.to_dict()), allow_nan=False)


def test_it_pickles(answer):
    again = pickle.loads(pickle.dumps(answer))
    assert str(again) == str(answer)


def test_it_is_written_as_its_suffix_says(answer, tmp_path):
    for suffix in (".html", ".md", ".json"):
        answer.write(tmp_path / f"answer{suffix}")
        assert (tmp_path / f"answer{suffix}").read_text(encoding="utf-8").strip()
