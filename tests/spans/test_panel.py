"""The boundary-sensitivity panel: its rows by definition, and the figures of a real export."""

from __future__ import annotations

import pytest

import interagree as ia

TEXT = "Ann Lee , a nurse, met Bo."


def study(**marks):
    columns = {
        "item": ["d"] * len(marks),
        "annotator": list(marks),
        "value": list(marks.values()),
        "text": [TEXT] * len(marks),
    }
    return ia.Annotations.of(columns, kind="spans")


def rows_of(data):
    return {row["matching"]: row for row in ia.spans.span_panel(data).table()}


def test_each_row_forgives_what_it_says():
    exact = [[0, 7, "PER"], [23, 25, "PER"]]
    cases = {
        "exact": exact,
        "whitespace trimmed": [[0, 8, "PER"], [22, 25, "PER"]],
        "punctuation trimmed": [[0, 7, "PER"], [23, 26, "PER"]],
        "one token off": [[0, 7, "PER"], [19, 25, "PER"]],
        "overlap": [[0, 7, "PER"], [12, 25, "PER"]],
        "label only": [[0, 7, "PER"], [10, 11, "PER"]],
    }
    names = list(cases)
    for place, (name, other) in enumerate(cases.items()):
        found = rows_of(study(a=exact, b=other))
        assert list(found) == names
        for row in names[place:]:
            if row == "one token off" and name == "punctuation trimmed":
                assert found[row]["F1"] == 1  # the full stop is a token of its own
            assert found[row]["F1"] == 1, (name, row)
        if place:
            assert found["exact"]["F1"] < 1
            assert found[name]["gain"] == pytest.approx(1 - found["exact"]["F1"])


def test_without_texts_positions_count_and_that_is_said():
    rows = [("d", "a", [[0, 2, "X"]]), ("d", "b", [[0, 3, "X"]])]
    panel = ia.spans.span_panel(rows)
    assert panel.levels == ("exact", "one position off", "overlap", "label only")
    assert [one.value for one in panel.pooled] == [0, 1, 1, 1]
    assert "not known" in str(panel)
    tokens = ia.spans.from_tags({"a": [["B-X", "O"]], "b": [["B-X", "I-X"]]})
    assert "one token off" in ia.spans.span_panel(tokens).levels
    assert "nothing to trim" in str(ia.spans.span_panel(tokens))


def test_the_panel_as_plain_numbers():
    found = ia.spans.span_panel(study(a=[[0, 7, "PER"]], b=[[0, 8, "PER"]])).to_dict()
    assert found["exact"]["pooled"]["value"] == 0
    assert found["whitespace trimmed"]["documents"]["value"] == 1


def test_the_figures_of_a_real_export(shared):
    data = ia.read(shared / "data/formats/label_studio/leoka_team3_full.json")
    spans = next(one for one in data.values() if one.kind == "spans")
    found = rows_of(spans)
    wanted = {"exact": 0.487, "whitespace trimmed": 0.665, "punctuation trimmed": 0.777, "overlap": 0.908}
    assert {name: round(found[name]["F1"], 3) for name in wanted} == wanted
    pooled = {"exact": 0.484, "whitespace trimmed": 0.663, "punctuation trimmed": 0.771, "overlap": 0.907}
    assert {name: round(found[name]["pooled"], 3) for name in pooled} == pooled
    assert found["one token off"]["F1"] == pytest.approx(0.837, abs=5e-4)


def test_against_a_gold_standard_all_rows_are():
    data = study(gold=[[0, 7, "PER"]], a=[[0, 7, "PER"]], b=[[0, 8, "PER"]], c=[[0, 8, "PER"]])
    found = ia.spans.span_panel(data, gold="gold")
    assert found.pooled[0].value == pytest.approx(1 / 3)
    assert ia.spans.span_panel(data).pooled[0].value == pytest.approx(2 / 6)
    assert found.pooled[1].value == 1


def test_spans_beyond_the_text_and_odd_positions_are_said():
    beyond = study(a=[[0, 7, "PER"], [20, 999, "LOC"]], b=[[0, 7, "PER"]])
    assert "1 spans reach beyond" in str(ia.spans.span_panel(beyond)) or "1 span" in str(ia.spans.span_panel(beyond))
    odd = study(a=[[-2, 7, "PER"]], b=[[0.5, 7, "PER"]])
    assert "texts were not used" in str(ia.spans.span_panel(odd))


def test_notes_below_the_table_of_tokens_are_one_line() -> None:
    rows = [("d", "ann", ((0, 5, "A"), (3, 8, "B"))), ("d", "bo", ((0, 5, "A"),)), ("e", "ann", ()), ("e", "bo", ())]
    text = str(ia.spans.span_report(ia.Annotations.of(rows, kind="spans"), tokens="alpha"))
    assert "bio and io tag every token once" in text
    assert "not independent" in text
    assert "\\n" not in text
