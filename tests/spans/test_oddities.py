"""What is told of spans before they are measured."""

import numpy as np
import pytest

import interagree as ia
from interagree.errors import KindError
from interagree.spans.oddities import SpanSurvey, misspelt

TEXT = "Mrs. Adler met Dr. Osei in Bremen, and went home."


def marked(rows, **further):
    columns = {
        "item": [item for item, _, _ in rows],
        "annotator": [who for _, who, _ in rows],
        "value": [value for _, _, value in rows],
    }
    return SpanSurvey.of(
        ia.Annotations.of({**columns, **{name: [one] * len(rows) for name, one in further.items()}}, kind="spans")
    )


def said(rows, **further):
    return " ".join(f"{what}; {advice}." for what, advice in marked(rows, **further).odd())


def one(*spans):
    return [("d", "ann", list(spans)), ("d", "bo", [[0, 1, "PER"]])]


@pytest.mark.parametrize(
    ("rows", "further", "says"),
    [
        (one([0, 10, "per"]), {}, "'PER', 'per' differ only in case or spaces"),
        (one(*[[k, k + 1, "PER"] for k in range(5)], [9, 10, "PERS"]), {}, "'PERS' was given once and looks like"),
        (one([0, 10]), {}, "1 span without a label"),
        (one([-2, 10, "PER"]), {}, "1 span begins before 0, such as -2–10 PER in 'd' by 'ann'"),
        (one([5, 99, "PER"]), {"text": TEXT}, "1 span ends after the end of the text, such as 5–99 PER"),
        (one([0, 5, "PER"]), {"text": TEXT}, "1 of 2 spans (50%) begins or ends with whitespace, such as 0–5 PER"),
        (one([27, 34, "LOC"]), {"text": TEXT}, "1 of 2 spans (50%) ends with one of .,;:!?, such as 27–34 LOC"),
        (one([0, 5, "PER"], [0, 5, "PER"]), {}, "1 span occurs twice in one list"),
        (one([0, 9, "PER"], [2, 5, "PER"]), {}, "1 span overlaps another of the same annotator (1 nested), by ann 1"),
        (one([0, 9, "PER"], [5, 12, "PER"]), {}, "(1 crossing)"),
        (one({"fragments": [[0, 2], [5, 7]], "label": "PER"}), {}, "1 span is in several pieces"),
        ([*one([0, 1, "PER"]), ("e", "ann", []), ("e", "bo", [])], {}, "nobody marked anything in 1 document: 'e'"),
        ([("e", "ann", []), ("e", "bo", [])], {}, "nobody marked anything"),
        (one([0, 1, "PER"]), {"positions": "miles"}, "got 'miles'"),
    ],
)  # fmt: skip
def test_what_is_odd_is_said(rows, further, says):
    assert says in said(rows, **further)


def test_what_is_in_order_is_not_odd():
    rows = [("d", "ann", [[0, 10, "PER"], [27, 33, "LOC"]]), ("d", "bo", [[5, 10, "PER"], [27, 33, "LOC"]])]
    assert marked(rows, text=TEXT).odd() == []


def test_a_span_in_the_gap_of_another_meets_nothing():
    rows = one({"fragments": [[0, 2], [5, 7]], "label": "PER"}, [2, 5, "PER"])
    assert "meets" not in said(rows)
    assert "1 nested" in said(one({"fragments": [[0, 2], [5, 9]], "label": "PER"}, [6, 8, "PER"]))


@pytest.mark.parametrize("seed", range(20))
def test_spans_that_meet_are_those_that_meet_one_by_one(seed):
    draw = np.random.default_rng(seed)
    rows = []
    for item in range(4):
        for who in ("ann", "bo"):
            starts = draw.integers(0, 30, draw.integers(0, 7)).tolist()
            spans = {(at, at + int(draw.integers(1, 9))) for at in starts}
            rows.append((item, who, [[low, high, "x"] for low, high in sorted(spans, reverse=bool(seed % 2))]))
    found = marked(rows)
    nested, crossing = found._meeting(np.ones(len(found.row), dtype=bool))
    for item in np.unique(found.row).tolist():
        mine = np.flatnonzero(found.row == item).tolist()
        spans = [(found.begin[k], found.end[k]) for k in mine]
        for k, (low, high) in zip(mine, spans, strict=True):
            others = [one for one in spans if one != (low, high)]
            inside = any(a <= low and high <= b for a, b in others)
            cut = any(a < low < b < high for a, b in others)
            assert nested[k] == inside
            assert crossing[k] == (cut and not inside)


def test_positions_that_are_no_whole_numbers_are_no_error():
    rows = [("d", "ann", [[0.5, 2.5, "x"]]), ("d", "bo", [[0.5, 3, "x"]])]
    assert marked(rows, text=TEXT).odd() == []
    assert marked(rows, positions="seconds").positions() == "positions count seconds; no text is known"


def test_documents_that_contradict_themselves_are_told():
    rows = {"item": ["d", "d"], "annotator": ["ann", "bo"], "value": [[[0, 5, "x"]]] * 2, "text": ["one text", "two"]}
    found = SpanSurvey.of(ia.Annotations.of(rows, kind="spans"))
    assert "two different entries of 'text'" in found.odd()[0][0]
    assert found.positions().startswith("the texts of the documents cannot be used")


def test_tables_say_who_marked_what():
    rows = [("d", "ann", [[0, 4, "PER"], [5, 7, "LOC"]]), ("d", "spans", [[0, 4, "PER"]]), ("e", "ann", [])]
    found = marked(rows)
    assert found.sentence() == "3 spans in 3 annotations; 2 labels: 'PER' (2), 'LOC' (1)"
    assert found.by_label().rows()[0] == {"label": "PER", "spans": 2, "ann": 1, "by spans": 1}
    assert found.by_annotator().rows()[0] == {
        "annotator": "ann", "annotations": 2, "nothing marked": 1, "spans": 2, "spans each": 1.0, "median length": 3.0,
    }  # fmt: skip
    assert "1.0 to 1.0 spans" in found.summary()[0]


def test_a_label_is_misspelt_only_beside_a_common_one():
    assert misspelt("PERS", 1, {"PER": 9, "PERS": 1}) == "PER"
    assert misspelt("PERS", 3, {"PER": 9, "PERS": 3}) is None
    assert misspelt("GPE", 1, {"PER": 9, "GPE": 1}) is None


def test_values_that_are_no_spans_are_an_error():
    with pytest.raises(KindError):
        SpanSurvey.of(ia.Annotations.of([("d", "ann", "x"), ("d", "bo", "y")]))
