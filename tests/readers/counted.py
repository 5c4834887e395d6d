"""Files of which it is known how many annotations they hold, written in all the ways that programs write them.

`file_of(seed)` draws a study and writes it; whatever the way, each annotation is in the file once.  `verdict` reads it
and compares: an annotation that is neither read nor spoken of is lost in silence.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import sqlite3
import unicodedata
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import interagree as ia
from interagree.errors import InteragreeError

Row = tuple[str, str, str]  # item, annotator, label

LABELS = (
    ("yes", "no"), ("a", "b", "c"), ("1", "2", "3", "4"), ("0.5", "1.25", "-3"), ("a,b", "c;d", "e\tf", "g|h"),
    ('say "no"', "it's", '"'), ("two\nlines", "one line"), ("Käse", "naïve", "œuvre"), ("日本", "中国"),
    ("=1+1", "+x", "@y"), ("#1", "# 2", "//"), ("True", "False"), ("x" * 3000, "y"), ("2024-01-02", "2024-02-03"),
    ("1,5", "2,25"), ("-", "--"), ("😀", "👩‍👩‍👧"), ("é", "e\u0301"), ("001", "01", "1"),
    ("1e5", "100000"), ("{}", "[]", "[a]"),
)  # fmt: skip
ITEMS: tuple[Callable[[int], str], ...] = (
    lambda n: f"i{n}",
    str,
    lambda n: f"doc {n}.txt",
    lambda n: f"{n:05d}",
    lambda n: f"a/b/{n}",
    lambda n: f"item,{n}",
    lambda n: f"{10**17 + n}",
    lambda n: f"Satz {n} – „so“",
)
PEOPLE = (
    ("ann", "bo", "cy"),
    ("1", "2", "3"),
    ("A", "B"),
    ("ann@a.org", "bo@b.org"),
    ("Zoë", "Øle", "Łu"),
    ("x y", "z"),
)
HEADERS = (("item", "annotator", "label"), ("doc_id", "worker", "answer"), ("text_id", "user", "rating"))


class Made(NamedTuple):
    """A file, how it is to be read, and what is in it."""

    path: Path
    options: dict[str, Any]
    rows: list[Row]
    how: str


def study_of(rng: Random) -> list[Row]:
    """Annotations, some of them missing."""
    name, people, labels = rng.choice(ITEMS), rng.choice(PEOPLE), rng.choice(LABELS)
    gaps = rng.choice((0.0, 0.0, 0.2, 0.6))
    rows = [
        (name(n), who, rng.choice(labels))
        for n in range(rng.choice((3, 12, 60)))
        for who in people
        if rng.random() >= gaps
    ]
    return rows or [(name(0), people[0], labels[0])]


def made_file(folder: Path, seed: int) -> Made:
    """A file in one of the ways."""
    rng = Random(seed)
    rows = study_of(rng)
    way = rng.choice((_long_csv, _long_csv, _wide_csv, _json_lines, _json, _sqlite, _frame))
    path, options, how = way(folder, rows, rng)
    packing = rng.choice(("", "", "", ".gz", ".bz2", ".xz", ".zip"))
    if packing and path.suffix in {".csv", ".tsv", ".jsonl", ".json", ".txt"}:
        path = _packed(path, packing)
        how = f"{how}, {packing}"
    return Made(path, options, rows, f"{seed}: {how}")


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]], rng: Random) -> tuple[str, str]:
    sign = rng.choice((",", ",", ";", "\t", "|"))
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    end = rng.choice(("\n", "\r\n"))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sign, quoting=quoting, lineterminator=end)
    writer.writerow(header)
    for number, row in enumerate(rows):
        writer.writerow(row)
        if rng.random() < 0.02:
            out.write(end)  # a blank line
        if number and number % 20 == 0 and rng.random() < 0.3:
            writer.writerow(header)
    text = out.getvalue()
    return (text[: -len(end)] if rng.random() < 0.3 else text), f"{sign!r} {quoting} {end!r}"


def _written(path: Path, text: str, rng: Random) -> str:
    encoding = rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16"))
    path.write_bytes(text.encode(encoding))
    return encoding


def _long_csv(folder: Path, rows: list[Row], rng: Random) -> tuple[Path, dict[str, Any], str]:
    header = rng.choice(HEADERS)
    order = rng.sample(range(3), 3)
    more = rng.choice(((), ("time",), ("comment", "page")))
    cells = [tuple(row[place] for place in order) + tuple(f"{name} {rng.random()}" for name in more) for row in rows]
    if rng.random() < 0.5:
        rng.shuffle(cells)
    text, how = _table((*(header[place] for place in order), *more), cells, rng)
    path = folder / rng.choice(("labels.csv", "labels.tsv", "labels.txt"))
    options = dict(zip(("item", "annotator", "value"), header, strict=True)) if rng.random() < 0.7 else {}
    return path, options, f"long {how} {_written(path, text, rng)} {header} {order} {more}"


def _wide_csv(folder: Path, rows: list[Row], rng: Random) -> tuple[Path, dict[str, Any], str]:
    people = [*dict.fromkeys(who for _, who, _ in rows)]
    cells: dict[str, dict[str, str]] = {}
    for item, who, label in rows:
        cells.setdefault(item, {})[who] = label
    text, how = _table(("item", *people), [(i, *(c.get(who, "") for who in people)) for i, c in cells.items()], rng)
    path = folder / "labels.csv"
    return path, {"layout": "wide", "item": "item"}, f"wide {how} {_written(path, text, rng)}"


def _records(rows: list[Row], rng: Random) -> tuple[list[dict[str, str | None]], dict[str, Any]]:
    header = rng.choice(HEADERS)
    records: list[dict[str, str | None]] = [dict(zip(header, row, strict=True)) for row in rows]
    for record in records:
        if rng.random() < 0.3:
            record[rng.choice(("note", "time"))] = rng.choice((None, "n"))
    return records, dict(zip(("item", "annotator", "value"), header, strict=True))


def _json_lines(folder: Path, rows: list[Row], rng: Random) -> tuple[Path, dict[str, Any], str]:
    records, options = _records(rows, rng)
    end = rng.choice(("\n", "\r\n", "\n\n"))
    ascii_only = rng.random() < 0.5
    path = folder / "labels.jsonl"
    text = end.join(json.dumps(record, ensure_ascii=ascii_only) for record in records)
    path.write_bytes((text + rng.choice(("", end))).encode(rng.choice(("utf-8", "utf-8-sig"))))
    return path, options, f"lines {end!r}"


def _json(folder: Path, rows: list[Row], rng: Random) -> tuple[Path, dict[str, Any], str]:
    records, options = _records(rows, rng)
    path = folder / "labels.json"
    path.write_text(json.dumps(records, indent=rng.choice((None, 2)), ensure_ascii=False), encoding="utf-8")
    return path, options, "list"


def _sqlite(folder: Path, rows: list[Row], _rng: Random) -> tuple[Path, dict[str, Any], str]:
    path = folder / "labels.db"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE labels (item TEXT, annotator TEXT, label TEXT)")
        connection.executemany("INSERT INTO labels VALUES (?, ?, ?)", rows)
        connection.commit()
    return path, {"item": "item", "annotator": "annotator", "value": "label"}, "database"


def _frame(folder: Path, rows: list[Row], rng: Random) -> tuple[Path, dict[str, Any], str]:
    suffix = rng.choice((".parquet", ".arrow", ".xlsx"))
    path, (item, who, label) = folder / f"labels{suffix}", zip(*rows, strict=True)
    if suffix == ".xlsx":
        import xlsxwriter

        with xlsxwriter.Workbook(path, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
            sheet = book.add_worksheet()
            for at, row in enumerate([("item", "annotator", "label"), *rows]):
                for place, cell in enumerate(row):
                    sheet.write_string(at, place, cell)
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({"item": item, "annotator": who, "label": pa.array(label).dictionary_encode()})
        if suffix == ".parquet":
            pq.write_table(table, path, row_group_size=rng.choice((1, 7, 1000)))
        else:
            with pa.OSFile(str(path), "wb") as out, pa.ipc.new_file(out, table.schema) as writer:
                writer.write_table(table, max_chunksize=rng.choice((1, 7, 1000)))
    return path, {"item": "item", "annotator": "annotator", "value": "label"}, suffix


def _packed(path: Path, packing: str) -> Path:
    content = path.read_bytes()
    packed = path.with_name(path.name + packing)
    if packing == ".zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(path.name, content)
        return packed
    pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}[packing]
    half = len(content) // 2  # two streams behind each other are one file
    packed.write_bytes(pack(content[:half]) + pack(content[half:]))
    return packed


def verdict(made: Made) -> str:
    """Whether a file was "read", "refused", or read in part and "said" so; otherwise what is wrong."""
    try:
        study = ia.read(made.path, **made.options)
        policy = str(study.policy())
    except InteragreeError:
        return "refused"
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is not one of ours
        return f"{made.how}: {type(error).__name__}: {error}"
    read = sum(map(len, study.values()))
    told = sum(int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", policy))
    if read == len(made.rows):
        if len(study) == 1:
            question = study.single()
            expected = {(item.strip(), who.strip()) for item, who, _ in made.rows}
            there = {(str(item), str(who)) for item, who, _ in question.rows()}
            if len(expected) != len(there):
                return f"{made.how}: {len(expected)} items and annotators became {len(there)}: {policy[:300]}"
            labels = {unicodedata.normalize("NFC", label).strip() for _, _, label in made.rows}
            values = {question.values[code] for code in question.value.tolist()}
            if len(labels) != len(values) and len({*map(_number, labels)}) != len(values):
                some = sorted(map(str, values))[:9]
                return f"{made.how}: {len(labels)} labels became {len(values)}, as {some}: {policy[:300]}"
        return "read"
    if told == 0 or read > len(made.rows) * 3:
        return f"{made.how}: {read} annotations of {len(made.rows)}, and nothing is said: {policy[:300]}"
    return "said"


def _number(label: str) -> object:
    """A label as a number, where it is one: 01 and 1 are."""
    try:
        return float(label)
    except ValueError:
        return label
