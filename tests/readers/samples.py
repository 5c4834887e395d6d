"""One small valid file for every ending that a reader takes, made here, to be damaged by the fuzzing tests.

A reader that is added without a sample fails `test_every_ending_of_every_reader_has_a_sample`.
"""

from __future__ import annotations

import base64
import bz2
import ctypes
import gzip
import importlib
import io
import json
import lzma
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from conftest import need

ITEMS, PEOPLE = 12, ("ann", "bo", "cy")
ROWS = [(f"d{i}", who, "xyz"[(i * (n + 2) + i // 3) % 3]) for i in range(ITEMS) for n, who in enumerate(PEOPLE)]
TEXT = "Anna Lee saw Paris in May"
COLUMNS = ("item", "annotator", "value")

# Three columns, four rows, as Excel 97 keeps them.
XLS = (
    "c-rk)O=uHA6#iy6o1fCAX-$PzD4}50+Dq{wLc1zxPnN0&MFicn3znvdgedAkt2IYK@T7Pt^x~!J#UJ#bHxEKZ4}u^jdhAJ1@X%&`^LDmPG"
    "=~PX_%mOaH*em|x9?@<&Fs&sg|^b{{jM^8zz|GSycoh&HbEs8G!meG&y#9UN2z!ke-&a;TF9`4CoL}{at-Brmto*u=s8K?BbDPgjgef|O|"
    "2vLatw};F$|IvxJ{NgIytI#mSZe8u)ND7pR(M|mTN2rX>3Ux!-751w^L>DQKN_Z;*i&U$eed<89)bK$Sl5eUHD@y?8#3!nLo3mJJgIh(7F"
    "w~SvT)wN=VWI&f%+<0=@)0^;t^W*VisU_HVWJNFDnPBLqytJIM)Nq=fun`kV0ZDc3CwEMXU#)WJ$4CkpNqoxe^tn=3elT;2lCI+-&rC52<"
    "MopLyxqh^}QImz_5ccNx{w{Y4wlN?7Y>usF;3G%aa=kx0W=~4RxTc+8wfADXXvBJY;$slr^dqON_(0$C<&hiRhbrb7dER&S7RQHZ{C}sZ)"
    "kGaadz2s*H<Bh$gO5aL)aq-}z?&2qV8|m}I<qOIAxArW0=teY7eEFL}zvvgYZc041gIcIV;yugGpAL+ukx;RF>h9KxWu9%&d`S2$IXhydW"
    "vIE5Y*B|Tm~E=@g4uG8E*i2W*<r;t>adL(w!bo#VjIj}G<~*Nhix)Dtk~v?Z@(qkG6jZ=c07=d=$KqZ6Erk5G&D3cG&KGT2!5#bAK~T0qN"
    "QFEBI>)&GL?${O!Cj-5OVY@(2MClWU0>Md_(!O5taz9CDzCZz86XyA@6xiBF%A3Hk`lok|(PF&zgyeU$=!C^<QZu&fo0+JJ@8>r2"
)


def table(sign: str = ",") -> bytes:
    return "".join(sign.join(row) + "\n" for row in (COLUMNS, *ROWS)).encode()


def records() -> list[dict[str, Any]]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]


def lines(made: list[Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in made)


def frame() -> Any:
    pa = need("pyarrow")
    columns: dict[str, Any] = {name: [row[place] for row in ROWS] for place, name in enumerate(COLUMNS)}
    columns["annotator"] = pa.array(columns["annotator"]).dictionary_encode()
    columns["score"] = pa.array([None if n % 5 == 0 else n / 2 for n in range(len(ROWS))])
    columns["tags"] = pa.array([["p"] * (n % 3) for n in range(len(ROWS))])
    return pa.table(columns)


def arrow(kind: str, compression: str | None = None) -> bytes:
    pa, out = need("pyarrow"), io.BytesIO()
    if kind == "feather":
        need("pyarrow.feather").write_feather(frame(), out, compression=compression or "uncompressed")
        return out.getvalue()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    opening = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
    with opening(out, frame().schema, options=options) as writer:
        writer.write_table(frame(), max_chunksize=20)
    return out.getvalue()


def parquet(**options: Any) -> bytes:
    out = io.BytesIO()
    need("pyarrow.parquet").write_table(frame(), out, **options)
    return out.getvalue()


def workbook() -> bytes:
    book = need("openpyxl").Workbook()
    for row in (COLUMNS, *ROWS):
        book.active.append([*row, 1.5])
    book.active.merge_cells("F1:G1")
    other = book.create_sheet("notes")
    other["A1"] = "a note"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in members.items():
            book.writestr(name, content)
    return out.getvalue()


def spreadsheet() -> bytes:
    """An OpenDocument spreadsheet."""
    spaces = {
        name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text", "manifest")
    }
    named = " ".join(f'xmlns:{name}="{place}"' for name, place in spaces.items())
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    number = '<table:table-cell office:value-type="float" office:value="1.5" table:number-columns-repeated="2"/>'
    rows = "".join(
        f"<table:table-row>{''.join(map(cell.format, row))}{number}</table:table-row>" for row in (COLUMNS, *ROWS)
    )
    sheet = f'<table:table table:name="Sheet1">{rows}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
    return zipped(
        {
            "mimetype": kind,
            "META-INF/manifest.xml": f"<manifest:manifest {named}>{entry}</manifest:manifest>",
            "content.xml": f'<?xml version="1.0"?><office:document-content {named}>{body}</office:document-content>',
        }
    )


def binary_workbook() -> bytes:
    """An .xlsb workbook: the parts of an .xlsx workbook as records of a number, a length and bytes."""

    def record(kind: int, content: bytes = b"") -> bytes:
        number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
        size, length = len(content), b""
        while size >= 0x80:
            length, size = length + bytes([size & 0x7F | 0x80]), size >> 7
        return number + length + bytes([size]) + content

    def wide(text: str) -> bytes:
        return struct.pack("<I", len(text)) + text.encode("utf-16-le")

    rows = b""
    for at, row in enumerate((COLUMNS, *ROWS)):
        rows += record(0, struct.pack("<IIHHBI", at, 0, 300, 0, 0, 0))
        for place, cell in enumerate(row):
            rows += record(6, struct.pack("<II", place, 0) + wide(cell))  # a text in the cell itself
        rows += record(5, struct.pack("<IId", 3, 0, 1.5))
    size = struct.pack("<IIII", 0, len(ROWS), 0, 3)
    sheet = record(0x81) + record(0x94, size) + record(0x91) + rows + record(0x92) + record(0x82)
    named = record(0x9C, struct.pack("<II", 0, 1) + wide("rId1") + wide("Sheet1"))
    book = record(0x83) + record(0x8F) + named + record(0x90) + record(0x84)
    space = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    link = '<Relationship Id="rId1" Type="{}/{}" Target="{}"/>'
    relations = f'<?xml version="1.0"?><Relationships xmlns="{space}/relationships">{{}}</Relationships>'
    kind = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
    default = f'<Default Extension="bin" ContentType="{kind}"/>'
    return zipped(
        {
            "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{space}/content-types">{default}</Types>',
            "_rels/.rels": relations.format(link.format(office, "officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": relations.format(link.format(office, "worksheet", "worksheets/sheet1.bin")),
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


def statistics(suffix: str) -> bytes:
    pyreadstat, pandas = need("pyreadstat"), need("pandas")
    frame = pandas.DataFrame([(*row, float("xyz".index(row[2]))) for row in ROWS], columns=[*COLUMNS, "code"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.sav")
        if suffix == ".sas7bdat":
            return _sas()
        if suffix in (".sav", ".zsav"):
            labels = {"code": {0.0: "low", 1.0: "mid", 2.0: "high"}}
            missing = {"code": [{"lo": 9, "hi": 99}]}
            more = {"variable_value_labels": labels, "missing_ranges": missing, "variable_measure": {"code": "ordinal"}}
            pyreadstat.write_sav(frame, path, row_compress=suffix == ".zsav", **more)
        else:
            writing = {".por": "write_por", ".dta": "write_dta", ".xpt": "write_xport"}[suffix]
            frame = frame.rename(columns={"annotator": "rater"})  # names have eight letters at most
            getattr(pyreadstat, writing)(frame, path)
        return path.read_bytes()


def _sas() -> bytes:
    """A file of SAS, which pyreadstat only reads: by the C library inside it, which also writes."""
    library = ctypes.CDLL(need("pyreadstat._readstat_writer").__file__)
    place, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double
    out = bytearray()

    @ctypes.CFUNCTYPE(ctypes.c_ssize_t, place, ctypes.c_size_t, place)
    def write(content: int, size: int, _context: object) -> int:
        out.extend(ctypes.string_at(content, size))
        return size

    for name in ("readstat_writer_init", "readstat_add_variable"):
        getattr(library, name).restype = place
    writer = place(library.readstat_writer_init())
    library.readstat_set_data_writer(writer, write)
    made = []
    for name, kind, width in (*((name, 0, 8) for name in COLUMNS), ("code", 5, 8)):
        added = library.readstat_add_variable(writer, text(name.encode()), kind, ctypes.c_size_t(width))
        made.append(place(added))
    assert library.readstat_begin_writing_sas7bdat(writer, None, ctypes.c_long(len(ROWS))) == 0
    for row in ROWS:
        library.readstat_begin_row(writer)
        for variable, cell in zip(made, row, strict=False):
            library.readstat_insert_string_value(writer, variable, text(cell.encode()))
        library.readstat_insert_double_value(writer, made[3], number(1.5))
        library.readstat_end_row(writer)
    assert library.readstat_end_writing(writer) == 0
    return bytes(out)


def zstd(content: bytes) -> bytes:
    return bytes(need("backports.zstd").compress(content))


# -- tools --------------------------------------------------------------------------------------------------


def label_studio() -> list[dict[str, Any]]:
    def result(name: str, kind: str, value: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"id": f"{name}1", "from_name": name, "to_name": "text", "type": kind, "value": value, **more}

    def results(n: int) -> list[dict[str, Any]]:
        size = {"original_width": 200, "original_height": 50, "image_rotation": 0}
        area = {"x": 10 + n, "y": 5, "width": 20, "height": 30, "rotation": 0, "rectanglelabels": ["car"]}
        corners = {"points": [[1, 2], [30, 4], [20, 40 + n]], "polygonlabels": ["road"], "closed": True}
        return [
            result("label", "labels", {"start": 0, "end": 4 + 4 * (n % 2), "text": TEXT[:8], "labels": ["PER"]}),
            result("mood", "choices", {"choices": ["pro" if n % 2 else "con"]}),
            result("stars", "rating", {"rating": n % 5 + 1}),
            result("topic", "taxonomy", {"taxonomy": [["a", "b"], ["a", "c"]]}),
            result("note", "textarea", {"text": ["fine"]}),
            result("box", "rectanglelabels", area, **size),
            result("shape", "polygonlabels", corners, **size),
        ]

    return [
        {
            "id": number,
            "data": {"text": TEXT, "source": "x"},
            "predictions": [],
            "annotations": [
                {"id": 10 * number + n, "completed_by": {"id": n, "email": f"{who}@example.org"}, "lead_time": 2.5}
                | {"result": results(number + n), "was_cancelled": False, "created_at": "2024-03-01T10:00:00.5Z"}
                for n, who in enumerate(PEOPLE)
            ],
        }
        for number in range(3)
    ]


def label_studio_rows(sign: str) -> bytes:
    rows = [("annotation_id", "annotator", "created_at", "id", "lead_time", "mood", "text")]
    rows += [
        (str(10 * i + n), str(n), "2024-03-01T10:00:00Z", str(i), "2.5", "pro" if n % 2 else "con", "a text")
        for i in range(4)
        for n in range(3)
    ]
    return "".join(sign.join(row) + "\n" for row in rows).encode()


def prodigy() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for i in range(3):
        for n, who in enumerate(PEOPLE):
            about = {"text": TEXT, "_input_hash": i, "_task_hash": -i, "answer": "accept", "_session_id": f"set-{who}"}
            spans = [{"start": 0, "end": 4 + 4 * (n % 2), "label": "PER"}, {"start": 13, "end": 18, "label": "LOC"}]
            joined = {"head": 0, "child": 1, "label": "in", "head_span": spans[0], "child_span": spans[1]}
            made.append(
                {**about, "_timestamp": 1700000000, "_view_id": "relations", "spans": spans, "relations": [joined]}
            )
            options = [{"id": name, "text": name} for name in "abc"]
            choice = {"options": options, "accept": ["abc"[(i + n) % 3]], "_view_id": "choice"}
            made.append({**about, "_input_hash": 100 + i, "_timestamp": 1700000001 + n, **choice})
    return made


BRAT = """T1\tPER 0 8\tAnna Lee
T2\tLOC 13 18\tParis
T3\tPER 0 4;13 18\tAnna Paris
T4\tSee 9 12\tsaw
R1\tIn Arg1:T1 Arg2:T2
E1\tSee:T4 Agent:T1 Theme:T2
A1\tSure T1
*\tEquiv T1 T3
#1\tAnnotatorNotes T1\tnice
"""
CONLL = "Anna NNP B-PER B-PER\nLee NNP I-PER O\nsaw VBD O O\n\nParis NNP B-LOC B-LOC\nin IN O O\nMay NNP O O\n"
UNITS = "doc,annotator,start,end,category\n" + "".join(
    f"d{i},{who},{start + n},{start + 5},{label}\n"
    for i in range(3)
    for n, who in enumerate(PEOPLE)
    for start, label in ((0, "a"), (10, "b"), (30, "a"))
)
RTTM = "".join(
    f"SPEAKER rec{i} 1 {4 * n + i / 4:.2f} 2.50 <NA> <NA> {'ab'[n % 2]} <NA> <NA>\n" for i in range(2) for n in range(5)
)
ELAN = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-03-01T10:00:00+00:00" FORMAT="3.0" VERSION="3.0">
<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
<TIME_ORDER><TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="ts2"/>
<TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="900"/><TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="1500"/></TIME_ORDER>
<TIER LINGUISTIC_TYPE_REF="t" TIER_ID="gestures" ANNOTATOR="ann" PARTICIPANT="p">
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
<ANNOTATION_VALUE>wave</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
<ANNOTATION_VALUE>nod</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<TIER LINGUISTIC_TYPE_REF="t" TIER_ID="gestures bo" ANNOTATOR="bo" PARTICIPANT="p">
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="b1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts3">
<ANNOTATION_VALUE>wave</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="b2" ANNOTATION_REF="b1">
<ANNOTATION_VALUE>big</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION></TIER>
</ANNOTATION_DOCUMENT>
"""


def textgrid(*, short: bool) -> str:
    head = ["ooTextFile", "TextGrid"]
    marks = [(0, 1.5, "wave"), (1.5, 2, ""), (2, 3.25, "nod")]
    parts = [f'File type = "{head[0]}"', f'Object class = "{head[1]}"', "", "xmin = 0", "xmax = 3.25"]
    parts += ["tiers? <exists>", "size = 2", "item []:"]
    for number, who in enumerate(PEOPLE[:2], start=1):
        parts += [f"item [{number}]:", 'class = "IntervalTier"', f'name = "{who}"', "xmin = 0", "xmax = 3.25"]
        parts.append(f"intervals: size = {len(marks)}")
        for place, (start, end, text) in enumerate(marks, start=1):
            parts += [f"intervals [{place}]:", f"xmin = {start}", f"xmax = {end}", f'text = "{text}"']
    if short:
        parts = [part.rpartition(" = ")[2].removeprefix("tiers? ") for part in parts if not part.endswith("]:")]
    return "\n".join(parts) + "\n"


# -- by reader ----------------------------------------------------------------------------------------------

Made = Callable[[], bytes]


def text(content: str) -> Made:
    return content.encode


def answers(item: int) -> list[dict[str, str]]:
    return [{"worker": who, "response": "yes" if item % (n + 1) else "no"} for n, who in enumerate(PEOPLE)]


NESTED = [{"id": i, "text": TEXT, "responses": answers(i)} for i in range(6)]
WIDE = "".join(f"d{i},{i % 3},{i % 2},{(i + 1) % 3}\n" for i in range(8))

SAMPLES: dict[str, dict[str, Made]] = {
    "arrow": {
        "file.arrow": lambda: arrow("file"),
        "packed.arrow": lambda: arrow("file", "lz4"),
        "stream.ipc": lambda: arrow("stream"),
        "a.feather": lambda: arrow("feather"),
    },
    "brat": {"a.ann": text(BRAT)},
    "conll": {f"a{end}": text(CONLL) for end in (".conll", ".conll03", ".conll2003", ".iob", ".iob2", ".bio", ".tsv")},
    "csv": {
        "a.csv": table,
        "a.tsv": lambda: table("\t"),
        "a.tab": lambda: table("\t"),
        "wide.csv": text(f"id,ann,bo,cy\n{WIDE}"),
        "quoted.csv": text('id;ann;bo\r\n"a ""b""\r\nc";1,5;2\r\n2;2,5;2\r\n3;1;2\r\n4;1;1\r\n'),
        "a.csv.gz": lambda: gzip.compress(table(), mtime=0),
        "a.csv.bz2": lambda: bz2.compress(table()),
        "a.csv.xz": lambda: lzma.compress(table()),
        "a.csv.zst": lambda: zstd(table()),
        "nothing": table,
    },
    "elan": {"a.eaf": text(ELAN)},
    "excel": {
        "a.xlsx": workbook,
        "a.xlsm": workbook,
        "a.xlsb": binary_workbook,
        "a.xls": lambda: zlib.decompress(base64.b85decode(XLS)),
        "a.ods": spreadsheet,
    },
    "json": {
        "a.json": lambda: json.dumps(records()).encode(),
        "nested.json": lambda: json.dumps(NESTED, indent=1).encode(),
        "columns.json": lambda: json.dumps({name: [row[n] for row in ROWS] for n, name in enumerate(COLUMNS)}).encode(),
    },
    "jsonl": {"a.jsonl": lambda: lines(records()), "nested.ndjson": lambda: lines(NESTED)},
    "label_studio": {
        "a.json": lambda: json.dumps(label_studio()).encode(),
        "a.csv": lambda: label_studio_rows(","),
        "a.tsv": lambda: label_studio_rows("\t"),
    },
    "parquet": {
        "a.parquet": lambda: parquet(compression="snappy"),
        "plain.parquet": lambda: parquet(compression="none", use_dictionary=False),
        "a.pq": lambda: parquet(compression="zstd", data_page_version="2.0"),
    },
    "prodigy": {"a.jsonl": lambda: lines(prodigy()), "a.ndjson": lambda: lines(prodigy())},
    "rttm": {"a.rttm": text(RTTM)},
    "statistics": {
        f"a{end}": lambda end=end: statistics(end) for end in (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt")
    },
    "textgrid": {"a.TextGrid": text(textgrid(short=False)), "short.TextGrid": text(textgrid(short=True))},
    "units": {
        "a.csv": text(UNITS),
        "a.tsv": text(UNITS.replace(",", "\t")),
        "bare.tab": text("ann\ta\t0\t5\nann\tb\t10\t14\nbo\ta\t0\t6\n"),
    },
}  # fmt: skip


# Readers of tools keep theirs in tests/readers/sample_files, a module for each family, as SAMPLES; and as OPTIONS what
# a file cannot say by itself, such as who annotated where that is told by folders.
OPTIONS: dict[str, dict[str, dict[str, str]]] = {}
for _found in sorted((Path(__file__).parent / "sample_files").glob("[a-z]*.py")):
    _family = importlib.import_module(f"readers.sample_files.{_found.stem}")
    OPTIONS |= getattr(_family, "OPTIONS", {})
    for _reader, _files in _family.SAMPLES.items():
        SAMPLES[_reader] = {**SAMPLES.get(_reader, {}), **_files}


@cache
def sample(reader: str, name: str) -> bytes:
    """The bytes of a valid file."""
    return SAMPLES[reader][name]()
