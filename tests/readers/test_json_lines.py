"""JSON lines read as a table of Arrow and line by line are the same study, or the same error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import need
from hypothesis import given, settings
from hypothesis import strategies as st

import interagree as ia
from interagree.errors import InteragreeError
from interagree.reading import columnar

PEOPLE = ("ann", "bo", "cy")


def rows(value: Any, **further: Any) -> list[dict[str, Any]]:
    return [
        {"item": f"t{n}", "annotator": who, "value": value(n, k), **{name: one(n, k) for name, one in further.items()}}
        for n in range(9)
        for k, who in enumerate(PEOPLE)
    ]


def written(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


LABELS = written(rows(lambda n, k: "xyz"[(n + k * k) % 3]))
CASES = {
    "labels": LABELS,
    "whole numbers": written(rows(lambda n, k: (n + k) % 4)),
    "reals": written(rows(lambda n, k: n + k / 4)),
    "whole and real": written(rows(lambda n, k: n if k else n + 0.5)),
    "true and false": written(rows(lambda n, k: (n + k) % 2 == 0)),
    "missing": written(rows(lambda n, k: None if n == k else "x" if n % 2 else "y")),
    "missing codes": written(rows(lambda n, k: ["NA", "x", "y", ""][(n + k) % 4])),
    "blanks": written(rows(lambda n, k: [" x", "x", "y "][(n + k) % 3])),
    "numbers as text": written(rows(lambda n, k: str((n + k) % 3))),
    "further columns": written(rows(lambda n, _k: "xy"[n % 2], text=lambda n, _: f"text {n}", sure=lambda _, k: k)),
    "dates": written(rows(lambda n, _k: "xy"[n % 2], when=lambda n, _: f"2024-01-{n + 1:02d}")),
    "long numbers": written(rows(lambda n, _k: "xy"[n % 2], id=lambda n, _k: 10**19 + n)),
    "lists": written(rows(lambda n, _k: ["x"] * (n % 3))),
    "objects": written(rows(lambda n, _k: "xy"[n % 2], meta=lambda n, _: {"a": n})),
    "mixed": written(rows(lambda n, k: n if k else "x")),
    "wide": "".join(json.dumps({"id": n, "ann": n % 2, "bo": n % 3 % 2, "cy": 1}) + "\n" for n in range(9)),
    "a column that comes late": LABELS + json.dumps({"item": "t9", "annotator": "ann", "value": "x", "new": 1}) + "\n",
    "blank lines": LABELS.replace("\n", "\n\n  \n"),
    "no end": LABELS.rstrip("\n"),
    "carriage returns": LABELS.replace("\n", "\r\n"),
    "carriage returns alone": LABELS.replace("\n", "\r"),
    "two in a line": LABELS.replace("}\n", "}", 1),
    "not a number": LABELS.replace('"x"', "NaN"),
    "a key twice": LABELS.replace('"value": "x"', '"value": "x", "value": "y"', 1),
    "half a character": LABELS.replace('"x"', '"\\ud800"', 1),
    "a zero": LABELS.replace('"x"', '"x\\u0000"', 1),
    "damaged": LABELS[:-20],
    "not JSON": LABELS + "value\n",
    "lists in lines": "".join(json.dumps([n, who, "x"]) + "\n" for n in range(4) for who in PEOPLE),
    "names with signs": LABELS.replace("annotator", "who?/a~b"),
    "Unicode": written(rows(lambda n, k: ["ä", "a\u0308", "東"][(n + k) % 3])),
}


def spelled(entry: Any) -> str:
    """An entry by its value: 0 and 0.0 are one number, and true is not 1."""
    return str(float(entry)) if isinstance(entry, int | float) and not isinstance(entry, bool) else repr(entry)


def outcome(path: Path, **options: Any) -> Any:
    try:
        study = ia.read(path, **options)
    except InteragreeError as error:
        return type(error).__name__, str(error)
    return {
        name: (
            question.rows(),
            question.kind.name,
            {column: [spelled(entry) for entry in entries.tolist()] for column, entries in question.attributes.items()},
            question.provenance,
        )
        for name, question in study.items()
    }


@pytest.mark.parametrize("name", CASES)
def test_both_ways_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("pyarrow")
    path = tmp_path / "a.jsonl"
    path.write_text(CASES[name], encoding="utf-8", newline="")
    slow = outcome(path)
    monkeypatch.setattr(columnar, "LARGE", 0)
    assert outcome(path) == slow


def test_the_fast_way_is_taken_where_it_is_sure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("pyarrow")
    monkeypatch.setattr(columnar, "LARGE", 0)
    taken = set()
    for name, content in CASES.items():
        path = tmp_path / "a.jsonl"
        path.write_text(content, encoding="utf-8", newline="")
        if columnar.flat_lines(columnar.Source.of(path)) is not None:
            taken.add(name)
    assert {"labels", "whole numbers", "reals", "true and false", "missing", "blank lines", "wide"} <= taken
    refused = {
        "dates",
        "long numbers",
        "lists",
        "objects",
        "mixed",
        "two in a line",
        "a key twice",
        "damaged",
        "not JSON",
    }
    assert not taken & refused


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**17), 10**17), st.text(max_size=4),
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    st.sampled_from(["x", "y", " x", "NA", "1", "1.0", "2020-01-01", "true"]),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(values=st.lists(st.tuples(CELLS, CELLS), min_size=3, max_size=12))
def test_whatever_cells_hold_both_ways_are_the_same(values: list[tuple[Any, Any]], tmp_path_factory: Any) -> None:
    need("pyarrow")
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    records = [{"item": n // 2, "annotator": "ab"[n % 2], "value": v, "note": w} for n, (v, w) in enumerate(values)]
    path.write_text(written(records), encoding="utf-8", newline="", errors="backslashreplace")
    stated = {"item": "item", "annotator": "annotator", "value": "value"}
    slow = outcome(path, **stated)
    before = columnar.LARGE
    columnar.LARGE = 0
    try:
        assert outcome(path, **stated) == slow
    finally:
        columnar.LARGE = before
