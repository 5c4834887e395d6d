"""Files in which something would be lost without a word, or that no reader can use: each is said in one sentence."""

from __future__ import annotations

import contextlib
import io
import json
import os
import struct
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from readers.samples import binary_workbook

import interagree as ia
from interagree.data import files
from interagree.errors import DataError, FormatError, InteragreeError, TooLarge

ROWS = [{"item": item, "annotator": who, "value": item % 3} for item in range(6) for who in "ab"]
HUGE = 10**400  # a whole number that is not a float


# -- JSON ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_a_key_with_two_values_is_not_decided_silently(tmp_path: Path, suffix: str) -> None:
    records = [json.dumps(row) for row in ROWS]
    records[0] = records[0].replace('"value": 0', '"value": 0, "value": 1')
    path = tmp_path / f"a.{suffix}"
    path.write_text("\n".join(records) if suffix == "jsonl" else f"[{','.join(records)}]")
    with pytest.raises(FormatError, match="the key 'value' occurs twice in one object, first with 0 and then with 1"):
        ia.read(path)


def test_a_key_that_says_the_same_twice_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(ROWS).replace('"value": 0', '"value": 0, "value": 0'))
    assert len(ia.read(path).single().rows()) == len(ROWS)


def test_an_item_that_is_there_twice_in_an_object_of_items_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"i": {"a": 1, "b": 2}, "i": {"a": 1, "b": 1}, "j": {"a": 1, "b": 1}}')
    with pytest.raises(FormatError, match="the key 'i' occurs twice"):
        ia.read(path)


@pytest.mark.parametrize("field", ["item", "annotator", "value"])
def test_numbers_of_hundreds_of_digits_are_names_and_labels(tmp_path: Path, field: str) -> None:
    rows: list[dict[str, Any]] = [{**row} for row in ROWS]
    for row in rows:
        row[field] = HUGE + row["item"] if field != "annotator" else HUGE + ord(row["annotator"])
    path = tmp_path / "a.json"
    path.write_text(json.dumps(rows))
    assert len(ia.read(path).single().rows()) == len(ROWS)


@pytest.mark.parametrize("kind", ["numbers", "boxes", "spans", "vectors", "segments"])
@pytest.mark.parametrize("value", [HUGE, [[HUGE, 2, 3, 4]], [HUGE, 1], {"9" * 5000: [1]}, {"--5": [1]}])
def test_numbers_of_hundreds_of_digits_are_refused_where_a_number_is_needed(kind: str, value: object) -> None:
    rows = [(item, who, value if item else 1) for item in range(4) for who in "ab"]
    with contextlib.suppress(InteragreeError):  # and no other
        ia.alpha(rows, kind=kind)


def test_a_place_of_hundreds_of_digits_in_a_wide_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"item": k, "anna": HUGE if k == 3 else 1, "ben": k % 2} for k in range(6)]))
    assert len(ia.read(path).single().rows()) == 12


# -- tables of counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda: ia.Annotations.from_contingency([[10**14, 1], [1, 2]]),
        lambda: ia.Annotations.from_counts([[10**14, 1], [1, 2]]),
        lambda: ia.Annotations.from_patterns([["a", "b"]], [10**14], values=["a", "b"]),
    ],
)
def test_counts_beyond_memory_are_refused_before_they_are_laid_out(make: Callable[[], object]) -> None:
    with pytest.raises(TooLarge, match="100,000,000,000,00"):
        make()


def test_a_count_that_no_whole_number_holds_is_refused() -> None:
    with pytest.raises(DataError, match="whole numbers"):
        ia.Annotations.from_counts([[1e300, 1], [1, 2]])


# -- workbooks ----------------------------------------------------------------------------------------------


def changed(workbook: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """A workbook with one of its parts changed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return packed.getvalue()


def row_record(number: int) -> bytes:
    return b"\x00\x11" + struct.pack("<IIHHBI", number, 0, 300, 0, 0, 0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda sheet: sheet.replace(row_record(3), row_record(1 << 21)), "a row has the number 2,097,153"),
        (lambda sheet: sheet.replace(row_record(3), row_record(2)), "two cells are at the place row 3, column 1"),
        (lambda sheet: sheet.replace(row_record(3), b"\x92\x01\x00" + row_record(3)), "cells follow after the end"),
    ],
)
def test_rows_of_a_binary_workbook_do_not_vanish(tmp_path: Path, change: Callable[[bytes], bytes], words: str) -> None:
    pytest.importorskip("python_calamine")
    path = tmp_path / "a.xlsb"
    path.write_bytes(changed(binary_workbook(), "xl/worksheets/sheet1.bin", change))
    with pytest.raises(FormatError, match=words):
        ia.read(path)


def test_two_cells_at_one_place_of_a_workbook_are_not_one(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    path = tmp_path / "a.xlsx"
    ia.write(ia.Annotations.of(ROWS), path)
    path.write_bytes(
        changed(path.read_bytes(), "xl/worksheets/sheet1.xml", lambda sheet: sheet.replace(b'r="C5"', b'r="C4"'))
    )
    with pytest.raises(FormatError, match="two cells are at the place C4"):
        ia.read(path)


# -- units and spans ----------------------------------------------------------------------------------------

GRID = """File type = "ooTextFile"
Object class = "TextGrid"

0 10
<exists>
{}
"IntervalTier" "ann" 0 10 1 0 5 "x"
"IntervalTier" "bo" 0 10 1 0 5 "x"
"""


def test_tiers_beyond_the_stated_number_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.TextGrid"
    path.write_text(GRID.format(2))
    assert len(ia.read(path).single().rows()) == 2
    for number, words in (("1", "states 1 tier"), ("2.5", "whole number"), ("-2", "whole number"), ("0", "0 tiers")):
        path.write_text(GRID.format(number))
        with pytest.raises(FormatError, match=words):
            ia.read(path)


def prodigy(start: float, end: float) -> str:
    text = "The quick brown fox"
    spans = [{"start": start, "end": end, "label": "X"}]
    return "\n".join(
        json.dumps({"text": text, "_input_hash": 1, "_task_hash": 2, "_annotator_id": who, "spans": spans})
        for who in ("ann", "bo")
    )


def label_studio(start: float, end: float) -> str:
    value = {"start": start, "end": end, "labels": ["X"]}
    result = [{"type": "labels", "from_name": "label", "to_name": "text", "value": value}]
    annotations = [{"id": who, "completed_by": who, "result": result} for who in (1, 2)]
    return json.dumps([{"id": 1, "data": {"text": "The quick brown fox"}, "annotations": annotations}])


@pytest.mark.parametrize(("make", "suffix"), [(prodigy, "jsonl"), (label_studio, "json")])
def test_spans_outside_of_their_text_are_said(tmp_path: Path, make: Callable[[float, float], str], suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    for start, end in ((-3, 4), (float("nan"), 4), (1, HUGE)):
        path.write_text(make(start, end))
        with pytest.raises(FormatError):
            ia.read(path)
    path.write_text(make(4, 400))
    assert "2" in (told := ia.read(path).single().provenance.policy())
    assert "behind the end of the text kept" in told


def test_a_time_slot_with_two_times_is_an_error(tmp_path: Path) -> None:
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="t{k}" TIME_VALUE="{at}"/>' for k, at in ((1, 0), (2, 500), (2, 900)))
    marked = (
        '<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a_{who}" TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2">'
        "<ANNOTATION_VALUE>x</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
    )
    tiers = "".join(f'<TIER TIER_ID="{who}">{marked.format(who=who)}</TIER>' for who in ("ann", "bo"))
    path = tmp_path / "a.eaf"
    path.write_text(f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{tiers}</ANNOTATION_DOCUMENT>")
    with pytest.raises(FormatError, match="t2"):
        ia.read(path)


# -- input without an end -----------------------------------------------------------------------------------


def test_a_device_that_gives_zeros_without_end_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is no /dev/zero here")
    with pytest.raises(FormatError, match="zero bytes"):
        ia.read("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIPED", 1 << 10)
    monkeypatch.setattr(files, "MOST", 1 << 14)
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)

    def write() -> None:
        try:
            with path.open("wb") as stream:
                while True:
                    stream.write(b"1,a,x\n" * 1000)
        except BrokenPipeError:
            return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with pytest.raises(FormatError, match="there is no end to it"):
            ia.read(path)
    finally:
        writer.join()


# -- texts --------------------------------------------------------------------------------------------------

STANDOFF = "T1\tPER 0 3\tAnn\nT2\tLOC 8 12\tRome\n"
GATE = {
    "text": "Ann saw Rome",
    "annotation_sets": {
        name: {"annotations": [{"type": "PER", "start": 0, "end": 3, "features": {"kinds": ["a", "b"], "sure": True}}]}
        for name in ("ann", "bo")
    },
}
CAS: list[dict[str, Any]] = [
    {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "Ann saw Rome"},
    {"%ID": 2, "%TYPE": "my.Person", "@sofa": 1, "begin": 0, "end": 3, "weights": [0.5, 0.5]},
    {"%ID": 3, "%TYPE": "my.Place", "@sofa": 1, "begin": 8, "end": 12, "@seen_by": 2},
]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "a.ann",
            f"{STANDOFF}R1\tsaw Arg1:T1 Arg2:T2\nR2\tsaw Arg1:T1 Arg2:T2\n",
            "1 identical relation that somebody",
        ),
        ("a.ann", f"{STANDOFF}R1\tsaw Arg1:T1 Arg2:T2\nN1\tReference R1 Wiki:1\tx\n", "1 attribute of relations left"),
        ("a.bdocjs", json.dumps(GATE), "2 features with a value that is neither text nor number left out"),
        ("a.json", json.dumps({"%FEATURE_STRUCTURES": CAS}), "1 feature with a value that is neither text nor number"),
        ("a.json", json.dumps({"%FEATURE_STRUCTURES": CAS}), "1 reference from one annotation to another left out"),
        ("a.mrg", ";; by hand\n(S (NP (PRP It)) (VP (VBZ rains)))\n", "1 comment left out"),
        ("a.mrg", "(S (VB Stay))\n( (-NONE- *) (-NONE- *))\n", "1 tree with nothing but empty elements left out"),
    ],
)
def test_what_is_left_out_of_texts_is_counted(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    path.with_suffix(".txt").write_text("Ann saw Rome")
    options = {"traces": "drop"} if name == "a.mrg" else {}
    assert said in ia.read(path, **options).policy()


def test_an_attribute_that_is_given_twice_keeps_both_values(tmp_path: Path) -> None:
    (tmp_path / "a.ann").write_text(f"{STANDOFF}A1\tSure T1 yes\nA2\tSure T1 no\nA3\tSure T2 yes\nA4\tSure T2 yes\n")
    spans = ia.read(tmp_path / "a.ann")["spans"].rows()[0][2]
    assert [dict(span)["features"] for span in spans] == [(("Sure", "yes no"),), (("Sure", "yes"),)]
