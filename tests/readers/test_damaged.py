"""Files that are damaged, oversized, or not files at all: one sentence that names the file, nothing lost in silence."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import json
import lzma
import os
import re
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import need
from readers.mutating import mutant
from readers.samples import ROWS, sample, zstd

from interagree.data import apart, unpacking
from interagree.errors import DataError, FormatError, InteragreeError, KindError
from interagree.readers import read

TABLE = sample("csv", "a.csv")
PACKINGS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd}


def changed(book: bytes, part: str, change: Any) -> bytes:
    """A workbook with one of its parts changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return out.getvalue()


def rows(study: Any) -> dict[str, Any]:
    return {name: sorted(map(repr, question.rows())) for name, question in study.items()}


# -- packed files -------------------------------------------------------------------------------------------


def archive(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv.gz", gzip.compress(gzip.compress(TABLE))),
        ("a.jsonl.gz", gzip.compress(bz2.compress(TABLE))),
        ("a.csv.bz2", bz2.compress(lzma.compress(TABLE))),
        ("a.json.gz", gzip.compress(archive("a.csv", TABLE))),
        ("a.conll", archive("a.csv", TABLE)),
    ],
)
def test_what_is_packed_twice_or_an_archive_is_said_to_be(file: Any, name: str, content: bytes) -> None:
    """It was said to be text in an unknown encoding, and an option to name the encoding was advised."""
    with pytest.raises(FormatError, match="unpack it first, and read the files that come out") as caught:
        read(file(name, content))
    assert "encoding" not in str(caught.value)


def test_a_workbook_under_the_name_of_a_text_is_read_as_the_message_says(file: Any) -> None:
    path = file("a.csv", sample("excel", "a.xlsx"))
    with pytest.raises(FormatError, match="format='excel'"):
        read(path)
    assert len(read(path, format="excel").single()) == len(ROWS)


def test_a_part_of_a_workbook_that_is_larger_than_it_states_is_not_unpacked(file: Any) -> None:
    """A theme of 700 MB that states 1,000 bytes was unpacked whole before it was found out."""
    import tracemalloc

    large = changed(sample("excel", "a.xlsx"), "xl/workbook.xml", lambda part: part + b" " * (64 << 20))
    stated = bytearray(large)
    at = stated.rfind(b"xl/workbook.xml") - 46  # in the list of parts at the end
    stated[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    path = file("a.xlsx", bytes(stated))
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"a\.xlsx .* damaged"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("kind", "end"), [("rows", ".parquet"), ("cell", ".parquet"), ("cell", ".arrow")])
def test_a_table_in_columns_that_unpacks_without_bound_is_not_read(
    file: Any, kind: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Parquet file of 1.5 MB took 9 GB and 98 seconds, one of 34 kB with one cell 6 GB."""
    pa, arrow_parquet = need("pyarrow"), need("pyarrow.parquet")
    monkeypatch.setattr(unpacking, "ROOM", 1 << 20)
    rows = 2_000_000 if kind == "rows" else 1
    value = "x" if kind == "rows" else "x" * (8 << 20)
    columns = {"item": pa.array([1] * rows), "annotator": pa.array(["a"] * rows), "label": pa.array([value] * rows)}
    out = io.BytesIO()
    if end == ".parquet":
        arrow_parquet.write_table(pa.table(columns), out, compression="zstd")
    else:
        table = pa.table(columns)
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_file(out, table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=100_000)
    path = file(f"a{end}", out.getvalue())
    with pytest.raises(FormatError, match=r"has .* bytes and unpacks to more than .* save it as CSV and read that"):
        read(path)


@pytest.mark.parametrize("end", PACKINGS)
def test_a_packed_file_is_read_whole_or_refused(file: Any, end: str) -> None:
    pack = PACKINGS[end]
    whole = pack(TABLE)
    assert len(read(file(f"a.csv{end}", whole)).single()) == len(ROWS)
    several = pack(TABLE[:100]) + pack(TABLE[100:])
    assert len(read(file(f"b.csv{end}", several)).single()) == len(ROWS)
    for bad in (whole[:-3], whole[: len(whole) // 2], whole + b"?" + whole[1:]):
        with pytest.raises(FormatError, match=rf"c\.csv{end} is packed and cannot be unpacked, so it is damaged"):
            read(file(f"c.csv{end}", bad))
    with pytest.raises(FormatError, match=rf"d\.csv{end} ends in '{end}', and what it holds is neither packed"):
        read(file(f"d.csv{end}", b"\0" + whole[1:]))


def test_a_file_that_unpacks_to_far_more_than_a_table_is_refused_before_memory_goes(
    file: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(unpacking, "ROOM", 1 << 20)
    bomb = gzip.compress(TABLE + b"d1,ann,x\n" * 1_000_000)
    with pytest.raises(FormatError, match=r"unpacks to more than .* unpack it first and read the file that comes out"):
        read(file("a.csv.gz", bomb))
    book = changed(sample("excel", "a.xlsx"), "docProps/app.xml", lambda part: part + b" " * 3_000_000)
    with pytest.raises(FormatError, match=r"a\.xlsx has .* bytes and unpacks to more than .* save its tables as CSV"):
        read(file("a.xlsx", book))


# -- text ---------------------------------------------------------------------------------------------------

HEAD = "item,annotator,value\n"
LINES = [f"d{i},{who},{'xy'[i % 2]}" for i in range(30) for who in ("ann", "bo")]


@pytest.fixture(params=["by hand", "by Arrow"])
def table(request: Any, file: Any, monkeypatch: Any) -> Any:
    """Read a text table in both of the ways in which they are read, by size."""
    if request.param == "by Arrow":
        need("pyarrow")
        monkeypatch.setattr(importlib.import_module("interagree.readers.csv"), "LARGE", 0)
    return lambda content: read(file("a.csv", content))


def test_a_quotation_mark_that_is_never_closed_loses_no_row(table: Any) -> None:
    lines = [*LINES]
    lines[10] = 'd5,ann,"x'
    study = table(HEAD + "\n".join(lines) + "\n")
    assert len(study.single()) == len(LINES)
    assert "quotation marks taken as they are, because one in line 12 is never closed" in study.policy()
    lines[20] = '"d10","ann","x, y"'
    with pytest.raises(FormatError, match=r"a\.csv, line 32: a quotation mark opens a cell that is never closed"):
        table(HEAD + "\n".join([*lines[:10], *LINES[10:20], lines[20], *LINES[21:30], 'd99,ann,"x', *LINES[31:]]))


def test_rows_inside_a_cell_are_noticed(table: Any) -> None:
    lines = [*LINES]
    lines[10], lines[20] = 'd5,ann,"x', 'd10,ann,x"'
    assert (
        "1 cell in quotation marks with lines inside that look like rows of the table"
        in table(HEAD + "\n".join(lines)).policy()
    )
    quiet = table(HEAD + "\n".join([*LINES, 'd99,ann,"a poem\nof three\nlines\nor four"']))
    assert "quotation" not in quiet.policy()


def test_a_cell_may_be_of_any_size(table: Any) -> None:
    long = "x" * 200_000
    assert long in table(HEAD + "\n".join([*LINES, f"d99,ann,{long}"])).single().values


def test_lines_may_end_in_carriage_returns_alone(table: Any, file: Any) -> None:
    assert len(table((HEAD + "\n".join(LINES)).replace("\n", "\r")).single()) == len(LINES)
    for reader, name in (("jsonl", "a.jsonl"), ("rttm", "a.rttm"), ("units", "a.csv")):
        content = sample(reader, name)
        assert rows(read(file(name, content.replace(b"\n", b"\r")))) == rows(read(file(name, content)))


def test_zero_bytes_are_refused_with_their_line(table: Any, file: Any) -> None:
    with pytest.raises(FormatError, match=r"a\.csv, line 61: expected text, found a zero byte, which no text has"):
        table(HEAD + "\n".join(LINES) + "\0\0\n")
    with pytest.raises(FormatError, match=r"line 2: expected text, found a zero byte"):
        read(file("a.rttm", sample("rttm", "a.rttm").replace(b"SPEAKER", b"\nSPEAK\0R", 1)))


@pytest.mark.parametrize("encoding", ["foo", "base64", "undefined", "a\0b"])
def test_an_encoding_that_is_none_is_named(file: Any, encoding: str) -> None:
    for name in ("a.csv", "a.rttm"):
        with pytest.raises(KindError, match=r"encoding= takes the name of an encoding"):
            read(file(name, TABLE), encoding=encoding)


def test_names_of_columns_with_thousands_of_parts_are_read_in_time(file: Any) -> None:
    header = ",".join(f"q{n}" + '{"a":' * 900 for n in range(3)).replace('"', "'")
    with pytest.raises(InteragreeError):
        read(file("a.csv", f"id,{header}\n1,2,3,4\n2,3,4,5\n"))


# -- JSON ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_json_that_is_too_deep_or_too_long_for_a_number_is_refused(file: Any, name: str) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    with pytest.raises(FormatError, match=rf"{name}.* holds lists and objects that lie inside each other too deeply"):
        read(file(name, deep))
    inner = '{"a":' * 900 + "1" + "}" * 900
    record = f'{{"id": 1, "more": {inner}, "labels": [{inner}]}}'
    with pytest.raises(DataError, match=rf"{name}.* lie inside each other too deeply"):
        read(file(name, record if name == "a.jsonl" else f"[{record}]"))
    with pytest.raises(FormatError, match=rf"{name}.*: expected numbers with fewer digits"):
        read(file(name, '[{"item": 1, "annotator": "ann", "value": ' + "9" * 5000 + "}]"))


# -- workbooks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stale", ["A1", "A1:C10", "B2:C3", "A1:XFD1048576", "A100:C200"])
def test_a_sheet_is_read_whole_whatever_size_it_states(file: Any, stale: str) -> None:
    need("python_calamine")
    book = sample("excel", "a.xlsx")
    dimension = re.compile(rb'<dimension ref="[^"]*"')
    made = changed(
        book, "xl/worksheets/sheet1.xml", lambda part: dimension.sub(f'<dimension ref="{stale}"'.encode(), part)
    )
    assert rows(read(file("a.xlsx", made))) == rows(read(file("b.xlsx", book)))


def test_a_cell_far_away_from_all_others_is_refused_and_does_not_fill_the_memory(file: Any) -> None:
    need("python_calamine")
    far = changed(
        sample("excel", "a.xlsx"), "xl/worksheets/sheet1.xml", lambda part: part.replace(b'r="C37"', b'r="XFD1048576"')
    )
    with pytest.raises(FormatError, match=r"a\.xlsx.* far away from the table"):
        read(file("a.xlsx", far))


# Each way to write one cell at the far end of a sheet takes 550 GB.
FAR = {
    "another folder": lambda book: renamed(book, b"worksheets/sheet1.xml", b"pages/one.xml"),
    "capitals": lambda book: renamed(book, b"worksheets/sheet1.xml", b"worksheets/SHEET1.XML"),
    "single quotes": lambda book: placed(book, b"r='XFD1048576'"),
    "small letters": lambda book: placed(book, b'r="xfd1048576"'),
    "blanks": lambda book: placed(book, b'r = "XFD1048576"'),
}


def renamed(book: bytes, old: bytes, new: bytes) -> bytes:
    """A workbook with a far cell, whose sheet is another part of the file."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(placed(book, b'r="XFD1048576"'))) as parts, zipfile.ZipFile(out, "w") as made:
        for part in parts.namelist():
            made.writestr(part.replace(old.decode(), new.decode()), parts.read(part).replace(old, new))
    return out.getvalue()


def placed(book: bytes, place: bytes) -> bytes:
    return changed(book, "xl/worksheets/sheet1.xml", lambda part: part.replace(b'r="C37"', place))


@pytest.mark.parametrize("way", FAR)
def test_a_far_cell_is_refused_however_it_is_spelled_and_the_next_file_is_read(file: Any, way: str) -> None:
    need("python_calamine")
    book = sample("excel", "a.xlsx")
    with pytest.raises(FormatError, match=r"a\.xlsx.* far away from the table"):
        read(file("a.xlsx", FAR[way](book)))
    assert rows(read(file("b.xlsx", book)))


def test_a_worker_reads_all_files_that_it_survives(file: Any) -> None:
    need("python_calamine")
    read(file("a.xlsx", sample("excel", "a.xlsx")))
    worker = apart._Worker.now
    read(file("a.ods", sample("excel", "a.ods")))
    with pytest.raises(FormatError):
        read(file("b.ods", sample("excel", "a.ods")[:-300]))
    assert apart._Worker.now is worker
    read(file("a.xls", sample("excel", "a.xls")))
    assert apart._Worker.now is worker


def test_without_a_process_files_are_read_here(file: Any, monkeypatch: Any) -> None:
    need("python_calamine")
    there = rows(read(file("a.xlsx", sample("excel", "a.xlsx"))))
    monkeypatch.setattr(apart._Worker, "now", None)
    monkeypatch.setattr("sys.executable", "")
    assert rows(read(file("a.xlsx", sample("excel", "a.xlsx")))) == there
    with pytest.raises(FormatError, match="is not an Excel workbook"):
        read(file("b.xlsx", b"PK\x03\x04 and nothing else"))
    assert apart._Worker.now is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_by_fork_has_a_worker_of_its_own(file: Any) -> None:
    need("python_calamine")
    path = file("a.xlsx", sample("excel", "a.xlsx"))
    there = rows(read(path))
    code = (
        "import os, sys, interagree as ia\n"
        "first = len(ia.read(sys.argv[1]).single())\n"
        "child = os.fork()\n"
        "again = len(ia.read(sys.argv[1]).single())\n"
        "if child:\n"
        "    assert os.waitpid(child, 0)[1] == 0\n"
        "print(first == again)\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code, path], capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr, len(there) > 0) == (["True", "True"], "", True)


def test_a_workbook_that_would_end_the_process_ends_another_one(file: Any, monkeypatch: Any) -> None:
    need("python_calamine")
    monkeypatch.setattr(apart, "WORKER", "import os; os.abort()")
    monkeypatch.setattr(apart._Worker, "now", None)
    with pytest.raises(
        FormatError, match=r"a\.xls is damaged, .* takes more memory or time than any table of its size"
    ):
        read(file("a.xls", sample("excel", "a.xls")))


def test_merged_cells_outside_of_all_that_is_filled_do_not_matter(file: Any) -> None:
    openpyxl = need("openpyxl")
    need("python_calamine")
    book = openpyxl.Workbook()
    for row in (("item", "annotator", "value"), *ROWS):
        book.active.append(row)
    book.active.merge_cells("F1:G1")
    book.active.merge_cells("A90:B95")
    out = io.BytesIO()
    book.save(out)
    assert len(read(file("a.xlsx", out.getvalue())).single()) == len(ROWS)


# -- Arrow --------------------------------------------------------------------------------------------------


def test_arrow_files_with_offsets_that_lead_nowhere_are_refused(file: Any) -> None:
    pa = need("pyarrow")
    content = pa.table({"item": ["a", "a", "b"], "annotator": ["p", "q", "p"], "value": ["xx", "yy", "zz"]})
    out = io.BytesIO()
    with pa.ipc.new_stream(out, content.schema) as writer:
        writer.write_table(content)
    offsets = b"".join(place.to_bytes(4, "little") for place in (0, 2, 4, 6))
    assert out.getvalue().count(offsets) == 1
    broken = out.getvalue().replace(offsets, offsets[:12] + (1 << 30).to_bytes(4, "little"))
    with pytest.raises(FormatError, match=r"a\.arrow is not an Arrow file, or is damaged: "):
        read(file("a.arrow", broken))


@pytest.mark.parametrize("name", ["a.arrow", "a.parquet"])
def test_columns_of_one_name_are_refused(file: Any, name: str) -> None:
    pa, parquet = need("pyarrow"), need("pyarrow.parquet")
    content = pa.Table.from_arrays([pa.array(["a", "b"])] * 3, names=["item", "value", "value"])
    out = io.BytesIO()
    if name == "a.parquet":
        parquet.write_table(content, out)
    else:
        with pa.ipc.new_file(out, content.schema) as writer:
            writer.write_table(content)
    with pytest.raises(FormatError, match=r"a\.\w+: several columns are called 'value'; give each column its own name"):
        read(file(name, out.getvalue()))


# -- SPSS ---------------------------------------------------------------------------------------------------


def test_a_file_over_which_the_library_dies_is_refused(file: Any) -> None:
    need("pyreadstat")
    with pytest.raises(FormatError, match=r"a\.sav is damaged, or too large for a file of SPSS"):
        read(file("a.sav", mutant(sample("statistics", "a.sav"), 50_027)))


# -- ELAN ---------------------------------------------------------------------------------------------------


def test_references_of_elan_in_a_long_chain_are_followed_once(file: Any) -> None:
    refs = "".join(
        f'<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="r{n}" ANNOTATION_REF="r{n + 1}"><ANNOTATION_VALUE>x'
        "</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>"
        for n in range(20_000)
    )
    first = '<ALIGNABLE_ANNOTATION ANNOTATION_ID="r20000" TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2"/>'
    first = f"<ANNOTATION>{first}</ANNOTATION>"
    slots = '<TIME_SLOT TIME_SLOT_ID="t1" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="t2" TIME_VALUE="9"/>'
    tier = f'<TIER TIER_ID="a" ANNOTATOR="ann">{refs}{first}</TIER>'
    content = f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{tier}</ANNOTATION_DOCUMENT>"
    ((_, _, units),) = read(file("a.eaf", content), references=True).single().rows()
    assert len(units) in (2, 20_001)  # all lie in one place, so those that are called the same are one
    nested = f"{'<TIER>' * 20_000}{'</TIER>' * 20_000}"
    assert len(read(file("b.eaf", f"<ANNOTATION_DOCUMENT>{nested}</ANNOTATION_DOCUMENT>")).single()) == 1


# -- what is not a file -------------------------------------------------------------------------------------


def test_folders_and_names_that_no_file_has_are_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be read: Is a directory"):
        read(tmp_path, format="csv")
    with pytest.raises(DataError, match=r"folder without a file that can be read"):
        read(tmp_path)
    for name in ("a\0b.csv", "x" * 5000 + ".csv", "a.csv/b.csv"):
        with pytest.raises(DataError, match=r"cannot be read|there is no file"):
            read(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_said(file: Any) -> None:
    path = file("a.csv", TABLE)
    path.chmod(0)
    with pytest.raises(DataError, match=r"a\.csv cannot be read: Permission denied"):
        read(path)


@pytest.mark.parametrize(
    "name", ["a.csv", "a.json", "a.jsonl", "a.xlsx", "a.parquet", "a.arrow", "a.sav", "a.eaf", "a.TextGrid"]
)
def test_an_empty_file_is_said(file: Any, name: str) -> None:
    with pytest.raises(DataError, match=re.escape(name)):
        read(file(name, b""))


# -- pipes --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes by name here")
@pytest.mark.parametrize(
    ("reader", "name"),
    [
        ("csv", "a.csv"), ("csv", "a.csv.gz"), ("json", "nested.json"), ("jsonl", "a.jsonl"), ("prodigy", "a.jsonl"),
        ("label_studio", "a.json"), ("label_studio", "a.csv"), ("units", "a.csv"), ("conll", "a.conll"),
        ("elan", "a.eaf"), ("textgrid", "a.TextGrid"), ("rttm", "a.rttm"), ("excel", "a.xlsx"), ("excel", "a.ods"),
        ("parquet", "a.parquet"),
        ("arrow", "file.arrow"), ("arrow", "stream.ipc"), ("statistics", "a.sav"), ("statistics", "a.dta"),
    ],
)  # fmt: skip
def test_a_pipe_is_read_once_and_known_by_what_comes(tmp_path: Path, reader: str, name: str) -> None:
    content = sample(reader, name)
    (tmp_path / name).write_bytes(content)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    piped, whole = read(pipe), read(tmp_path / name)
    writer.join()
    assert {name: len(question) for name, question in piped.items()} == {
        name: len(question) for name, question in whole.items()
    }


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no names here")
@pytest.mark.parametrize("command", ["measure /dev/stdin", "measure -", "disagreements -", "disagreements /dev/stdin"])
def test_commands_read_what_is_piped_to_them_as_often_as_they_need(command: str) -> None:
    program = [sys.executable, "-c", "from interagree.cli import main; main()", *command.split()]
    done = subprocess.run(program, input=TABLE, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"12" in done.stdout
    damaged = subprocess.run(program, input=gzip.compress(TABLE)[:-4], capture_output=True, check=False)
    assert damaged.returncode == 2
    assert b"cannot be unpacked" in damaged.stderr


def test_what_came_is_kept_for_a_command_and_not_beyond(monkeypatch: Any) -> None:
    from interagree.data.files import Source, pipes_kept

    class Piped:
        buffer = io.BytesIO(TABLE)

    monkeypatch.setattr(sys, "stdin", Piped)
    with pipes_kept():
        assert Source.of("-").read() == Source.of("-").read() == TABLE
    assert json.dumps(Source.of("-").read().decode()) == '""'
