"""The same rows through every door give the same study, the same numbers and the same policy line.

Small studies are made at random with what tables have: gaps, codes such as NA, blanks behind a label, one number
written as 1, 1.0 and 01, one letter in two Unicode forms, sets of labels.  Each is written as every door takes it.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.errors import DataError, DoubtfulReading, KindError
from interagree.monitor.watching import Watch, open_source

Row: TypeAlias = tuple[object, str, object]  # item, annotator, value; None: no annotation

PEOPLE = ("ann", "bo", "cy")
NAMES = ("item", "annotator", "label")


class Made(NamedTuple):
    """Rows, and what is said to every door that reads them."""

    name: str
    rows: list[Row]
    options: Mapping[str, Any] = {}
    numbers: bool = False


def draws(name: str, labels: Sequence[object], items: Sequence[object], odd: Callable[[Any, Any], object]) -> list[Row]:
    """Three annotators who mostly agree; ``odd`` says how a label is written."""
    draw = random.Random(name)
    rows: list[Row] = []
    for item in items:
        truth = draw.choice(labels)
        for who in PEOPLE:
            label = draw.choice(labels) if draw.random() < 0.35 else truth
            rows.append((item, who, odd(label, draw)))
    return rows


def some(*written: object, share: float = 0.2) -> Callable[[Any, Any], object]:
    """Now and then something else in place of a label; a text with {} has the label in it."""

    def odd(label: Any, draw: Any) -> object:
        other = draw.choice(written)
        if draw.random() >= share:
            return label
        return other.format(label) if isinstance(other, str) else other

    return odd


DOCS = [f"d{number:02d}" for number in range(1, 15)]
WORDS = ("yes", "no", "unsure about it")


def plain(label: Any, _: Any) -> object:
    return label


PLAIN = [
    Made("labels", draws("labels", WORDS, DOCS, plain)),
    Made("numbers", draws("numbers", (1, 2, 3, 4, 5), range(1, 15), plain), numbers=True),
    Made("reals", draws("reals", (0.5, 1.25, 2.0, 3.75), DOCS, plain), numbers=True),
    Made("gaps", draws("gaps", WORDS, DOCS, some(None))),
]
IN_TEXT = [
    Made("codes", draws("codes", WORDS, DOCS, some("NA", "n/a"))),
    Made("codes among numbers", draws("codes among numbers", ("1", "2", "3"), DOCS, some("NA", ".")), numbers=True),
    Made("a label NA", draws("a label NA", ("NA", "EU", "AS", "AF"), DOCS, plain)),
    Made("stated codes", draws("stated", ("1", "2", "3"), DOCS, some("99")), {"missing": ["99"]}, numbers=True),
    Made("blanks", draws("blanks", WORDS, DOCS, some("{} ", " {}", "{}\t"))),
    Made("blanks kept", draws("blanks kept", WORDS, DOCS, some("{} ")), {"trim": False}),
    Made("case", draws("case", ("yes", "no"), DOCS, some("YES", "No")), {"fold_case": True}),
    Made("spellings", draws("spellings", ("1", "2", "3"), DOCS, some("{}.0", "0{}")), numbers=True),
    Made("padded", draws("padded", ("01", "02", "10"), DOCS, plain)),
    Made("unicode", draws("unicode", ("caf\u00e9", "na\u00efve", "plain"), DOCS, some("cafe\u0301"))),
    Made("commas", draws("commas", ("a; b", "c, d", 'a "quote"', "two\nlines"), DOCS, plain)),
    Made("split", draws("split", ("a|b", "b|a", "c", "a"), DOCS, some("a | c")), {"split": "|"}),
]
SETS = Made("sets", draws("sets", (["a", "b"], ["b", "a"], ["c"], ["a", "b", "c"]), DOCS, plain))


# -- what a study holds -------------------------------------------------------------------------------------


class Held(NamedTuple):
    """What came through a door."""

    rows: dict[tuple[str, str], object]
    figures: list[float]
    policy: str

    @classmethod
    def of(cls, study: Any, made: Made) -> Held:
        """The annotations, whatever types a door gives them, figures of them, and what is said about reading them."""
        study = study.single() if isinstance(study, ia.Study) else study
        rows = (study.collect() if hasattr(study, "collect") else study).rows()
        told = {(str(item), str(who)): float(value) if made.numbers else as_text(value) for item, who, value in rows}
        figures = [ia.percent(study), ia.ac1(study), ia.alpha(study, distance="nominal")]
        figures += [ia.alpha(study, distance=distance) for distance in ("interval", "ordinal") if made.numbers]
        return cls(told, [round(figure.value, 9) for figure in figures], str(study.provenance.policy()))


def as_text(value: object) -> str:
    return "|".join(sorted(map(str, value))) if isinstance(value, frozenset) else str(value)


Door: TypeAlias = Callable[[Made, Path], Any]


# -- the doors of text --------------------------------------------------------------------------------------


def written(rows: Iterable[Sequence[object]], sign: str = ",", header: Sequence[str] = NAMES) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sign, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([["" if cell is None else cell for cell in row] for row in rows])
    return out.getvalue()


def text_file(name: str, sign: str = ",", header: Sequence[str] = NAMES) -> Door:
    def door(made: Made, folder: Path) -> Any:
        path = folder / name
        path.write_text(written(made.rows, sign, header), encoding="utf-8")
        return ia.read(path, **made.options)

    return door


def workbook(made: Made, folder: Path) -> Any:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [NAMES, *made.rows]:
        book.active.append(list(row))
    book.save(folder / "labels.xlsx")
    return ia.read(folder / "labels.xlsx", **made.options)


def open_document(made: Made, folder: Path) -> Any:
    """A sheet of OpenDocument, by hand."""
    from xml.sax.saxutils import escape
    from zipfile import ZipFile

    pytest.importorskip("python_calamine")

    def cell(entry: object) -> str:
        if entry is None:
            return "<table:table-cell/>"
        if isinstance(entry, int | float):
            return f'<table:table-cell office:value-type="float" office:value="{entry}"/>'
        text = "".join(f"<text:p>{escape(line)}</text:p>" for line in str(entry).split("\n"))
        return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'

    rows = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in [NAMES, *made.rows])
    names = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text")}
    spaces = " ".join(f'xmlns:{name}="{urn}"' for name, urn in names.items())
    body = f'<office:body><office:spreadsheet><table:table table:name="a">{rows}</table:table></office:spreadsheet>'
    with ZipFile(folder / "labels.ods", "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        content = f"<office:document-content {spaces}>{body}</office:body></office:document-content>"
        packed.writestr("content.xml", f'<?xml version="1.0" encoding="UTF-8"?>{content}')
        manifest = 'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
        packed.writestr("META-INF/manifest.xml", f"<manifest:manifest {manifest}/>")
    return ia.read(folder / "labels.ods", **made.options)


def standard_input(sign: str) -> Door:
    def door(made: Made, _: Path) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(written(made.rows, sign).encode()), "utf-8"))
            return ia.read("-", **made.options)

    return door


TEXT: dict[str, Door] = {
    "csv": text_file("labels.csv"),
    "tsv": text_file("labels.tsv", "\t"),
    "semicolons": text_file("labels.csv", ";"),
    "txt": text_file("labels.txt", "|"),
    "xlsx": workbook,
    "ods": open_document,
    "standard input": standard_input(","),
    "standard input with tabs": standard_input("\t"),
}


def words_of(policy: str) -> Counter[str]:
    """What is said, in whichever order: a database gives rows in any."""
    return Counter(re.findall(r"\w+", policy))


def same(doors: Mapping[str, Door], made: Made, folder: Path) -> Held:
    """What the first door gives, once the others were found to give the same."""
    through = {name: Held.of(door(made, folder), made) for name, door in doors.items()}
    first = next(iter(through.values()))
    assert len(first.rows) > 20
    for name, other in through.items():
        assert other.rows == first.rows, name
        assert other.figures == first.figures, name
        assert words_of(other.policy) == words_of(first.policy), name
    return first


@pytest.mark.parametrize("made", [*PLAIN, *IN_TEXT], ids=lambda made: made.name)
def test_text_tables_and_sheets_give_one_study(made: Made, tmp_path: Path) -> None:
    same(TEXT, made, tmp_path)


# -- the doors of typed data --------------------------------------------------------------------------------


def columns(made: Made) -> dict[str, list[Any]]:
    return {name: list(column) for name, column in zip(NAMES, zip(*made.rows, strict=True), strict=True)}


def records(made: Made) -> list[dict[str, Any]]:
    return [dict(zip(NAMES, row, strict=True)) for row in made.rows]


def json_file(name: str, content: Callable[[Made], str]) -> Door:
    def door(made: Made, folder: Path) -> Any:
        (folder / name).write_text(content(made), encoding="utf-8")
        return ia.read(folder / name, **made.options)

    return door


def parquet(made: Made, folder: Path) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(pyarrow.table(columns(made)), folder / "labels.parquet")
    return ia.read(folder / "labels.parquet", **made.options)


def arrow(made: Made, folder: Path) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns(made))
    with pyarrow.OSFile(str(folder / "labels.arrow"), "wb") as sink, pyarrow.ipc.new_file(sink, table.schema) as out:
        out.write_table(table)
    return ia.read(folder / "labels.arrow", **made.options)


def database(made: Made, folder: Path) -> Path:
    path = folder / "labels.db"
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE labels (item, annotator, label)")
        connection.executemany("INSERT INTO labels VALUES (?, ?, ?)", made.rows)
    connection.close()
    return path


def by_person(made: Made) -> dict[str, dict[object, object]]:
    people: dict[str, dict[object, object]] = {who: {} for who in PEOPLE}
    for item, who, value in made.rows:
        people[who][item] = value
    return people


def by_item(made: Made) -> dict[object, dict[str, object]]:
    items: dict[object, dict[str, object]] = {}
    for item, who, value in made.rows:
        items.setdefault(item, {})[who] = value
    return items


def frame(library: str, made: Made) -> Any:
    return pytest.importorskip(library).DataFrame(columns(made))


def scanned(made: Made, _: Path) -> Any:
    return ia.scan(pytest.importorskip("polars").LazyFrame(columns(made)), **made.options)


def queried(made: Made, folder: Path) -> Any:
    duckdb, pyarrow = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(pyarrow.table(columns(made)), folder / "scanned.parquet")
    return ia.scan(duckdb.read_parquet(str(folder / "scanned.parquet")), **made.options)


def of(made: Made, data: Any) -> Any:
    return ia.Annotations.of(data, **made.options)


FRAMES: dict[str, Door] = {
    "pandas": lambda made, _: of(made, frame("pandas", made)),
    "polars": lambda made, _: of(made, frame("polars", made)),
    "pyarrow": lambda made, _: of(made, pytest.importorskip("pyarrow").table(columns(made))),
    "dict of columns": lambda made, _: of(made, columns(made)),
    "rows of dicts": lambda made, _: of(made, records(made)),
    "json": json_file("labels.json", lambda made: json.dumps(records(made))),
    "json of columns": json_file("labels.json", lambda made: json.dumps(columns(made))),
    "jsonl": json_file("labels.jsonl", lambda made: "\n".join(map(json.dumps, records(made)))),
    "parquet": parquet,
    "arrow": arrow,
}
TABLES: dict[str, Door] = {
    "scan of polars": scanned,
    "scan of duckdb": queried,
    "sqlite": lambda made, folder: ia.read(database(made, folder), query="SELECT * FROM labels", **made.options),
}
ITEMS: dict[str, Door] = {
    "rows": lambda made, _: of(made, made.rows),
    "jsonl of rows": json_file("labels.jsonl", lambda made: "\n".join(map(json.dumps, made.rows))),
}


@pytest.mark.parametrize("made", [*PLAIN, *IN_TEXT], ids=lambda made: made.name)
def test_typed_tables_give_one_study(made: Made, tmp_path: Path) -> None:
    if made.numbers and not made.options and made in IN_TEXT and "codes" in made.name:
        made = made._replace(numbers=False)  # where cells have types, NA was meant as a value, and that is said
    doors = {**FRAMES, **TABLES} if "split" not in made.options else FRAMES
    first = same(doors, made, tmp_path)
    for door in ITEMS.values():
        other = Held.of(door(made, tmp_path), made)
        assert (other.rows, other.figures) == first[:2]
    if made in PLAIN:
        in_text = Held.of(TEXT["csv"](made, tmp_path), made)
        assert (in_text.rows, in_text.figures) == first[:2]


def test_lists_of_labels_are_sets_through_every_door(tmp_path: Path) -> None:
    nested = "json of columns"  # lists side by side, of which one names people, which is said
    first = same({name: door for name, door in FRAMES.items() if name != nested}, SETS, tmp_path)
    assert "lists of labels taken as sets" in first.policy
    others = ITEMS | {
        nested: FRAMES[nested],
        "dict of dicts": lambda made, _: of(made, by_item(made)),
        "json of dicts": json_file("labels.json", lambda made: json.dumps(by_item(made))),
        "dict of lists": lambda made, _: of(made, {who: [*said.values()] for who, said in by_person(made).items()}),
    }
    for name, door in others.items():
        assert Held.of(door(SETS, tmp_path), SETS).figures == first.figures, name
    ordered = SETS._replace(rows=[(item, who, tuple(value)) for item, who, value in SETS.rows])
    for name in ("rows of dicts", "dict of columns"):  # tuples are Python's own way to say that order counts
        assert Held.of(FRAMES[name](ordered, tmp_path), ordered).figures != first.figures
    with pytest.raises(KindError, match="holds lists"):
        scanned(SETS, tmp_path)


def test_a_server_gives_what_a_file_gives(server: str, tmp_path: Path) -> None:
    import pg8000.dbapi

    made = PLAIN[0]
    connection = pg8000.dbapi.connect(user="postgres", unix_sock=f"{server.partition('host=')[2]}/.s.PGSQL.5432")
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE doors (id SERIAL PRIMARY KEY, item TEXT, annotator TEXT, label TEXT)")
    for row in made.rows:
        cursor.execute("INSERT INTO doors (item, annotator, label) VALUES (%s, %s, %s)", row)
    connection.close()
    first = Held.of(TEXT["csv"](made, tmp_path), made)
    assert Held.of(ia.read(server, query="SELECT item, annotator, label FROM doors"), made) == first
    assert watched(f"{server}&table=doors", made)[:2] == first[:2]


# -- other layouts ------------------------------------------------------------------------------------------


def wide(made: Made) -> list[list[object]]:
    return [[item, *said.values()] for item, said in by_item(made).items()]


def in_folder(made: Made, folder: Path) -> Any:
    """One file for each person."""
    inside = folder / "coders"
    inside.mkdir()
    for who, said in by_person(made).items():
        (inside / f"{who}.csv").write_text(written(said.items(), header=("item", "label")), encoding="utf-8")
    return ia.read(inside, **made.options)


def in_sheets(made: Made, folder: Path) -> Any:
    """One sheet for each person."""
    book = pytest.importorskip("openpyxl").Workbook()
    book.remove(book.active)
    for who, said in by_person(made).items():
        sheet = book.create_sheet(who)
        for row in [("item", "label"), *said.items()]:
            sheet.append(row)
    book.save(folder / "sheets.xlsx")
    return ia.read(folder / "sheets.xlsx", **made.options)


def in_wide_file(made: Made, folder: Path) -> Any:
    (folder / "wide.csv").write_text(written(wide(made), header=("item", *PEOPLE)), encoding="utf-8")
    return ia.read(folder / "wide.csv", **made.options)


def in_wide_frame(made: Made, _: Path) -> Any:
    pandas = pytest.importorskip("pandas")
    return of(made, pandas.DataFrame(wide(made), columns=["item", *PEOPLE]).set_index("item"))


def counted(made: Made, folder: Path) -> Any:
    """How often each label was given to each item."""
    labels = sorted({value for *_, value in made.rows})
    rows = [[item, *([*said.values()].count(label) for label in labels)] for item, said in by_item(made).items()]
    (folder / "counts.csv").write_text(written(rows, header=("item", *labels)), encoding="utf-8")
    return ia.read(folder / "counts.csv", layout="counts")


LAYOUTS: dict[str, Door] = {
    "wide file": in_wide_file,
    "wide frame": in_wide_frame,
    "dict of dicts": lambda made, _: of(made, by_item(made)),
    "a file for each": in_folder,
    "a sheet for each": in_sheets,
}


@pytest.mark.parametrize("made", [*PLAIN, *IN_TEXT], ids=lambda made: made.name)
def test_layouts_give_one_study(made: Made, tmp_path: Path) -> None:
    """Where cells have types, what only people type into text stays as it is."""
    first = Held.of(TEXT["csv"](made, tmp_path), made)
    typed = ("wide frame", "dict of dicts") if made in IN_TEXT and first.policy.count(";") else ()
    for name, door in LAYOUTS.items():
        if name not in typed:
            assert Held.of(door(made, tmp_path), made)[:2] == first[:2], name


def test_counts_give_the_same_numbers(tmp_path: Path) -> None:
    made = PLAIN[0]
    study = counted(made, tmp_path)
    figures = [ia.percent(study), ia.ac1(study), ia.alpha(study, distance="nominal")]
    assert [round(figure.value, 9) for figure in figures] == Held.of(TEXT["csv"](made, tmp_path), made).figures


# -- watch --------------------------------------------------------------------------------------------------


def watched(source: Path | str, made: Made, state: Path | None = None) -> Held:
    watch = Watch(open_source(str(source)), cells=made.options, state=state, patient=False)
    try:
        watch.step(whole=state is None)
        watch.save()
        study = watch.monitor.study()
        return Held.of(study, made)._replace(policy=str(watch.policy()))
    finally:
        watch.close()


@pytest.mark.parametrize("made", [*PLAIN, *IN_TEXT], ids=lambda made: made.name)
def test_watching_gives_what_reading_gives(made: Made, tmp_path: Path) -> None:
    for name in ("csv", "semicolons", "tsv"):
        path = tmp_path / ("labels.tsv" if name == "tsv" else "labels.csv")
        assert Held.of(TEXT[name](made, tmp_path), made) == watched(path, made), name
    if made.name != "codes among numbers":
        assert Held.of(TABLES["sqlite"](made, tmp_path), made) == watched(tmp_path / "labels.db", made)


@pytest.mark.parametrize("made", [*PLAIN, *IN_TEXT], ids=lambda made: made.name)
def test_watching_row_by_row_gives_what_reading_gives(made: Made, tmp_path: Path) -> None:
    """What a value means may change with the values that follow; a restart in between changes nothing."""
    path, state = tmp_path / "labels.csv", tmp_path / "state"
    lines = written(made.rows).splitlines(keepends=True)
    for size in (1, 2, 3, 8, 9, 20, len(lines)):
        path.write_text("".join(lines[:size]), encoding="utf-8")
        last = watched(path, made._replace(numbers=False), state) if size > 3 else None
    first = Held.of(ia.read(path, **made.options), made._replace(numbers=False))
    assert last is not None
    assert last[:2] == first[:2]
    assert words_of(last.policy) == words_of(first.policy)


def test_the_same_table_is_found_in_a_file_that_grows(tmp_path: Path) -> None:
    made = PLAIN[0]
    text = written(made.rows)
    again = text.splitlines(keepends=True)
    header = "item;annotator;label;text, as it was shown, in part\n"
    rows = written([(*row, "a, b, c, d") for row in made.rows], ";").partition("\n")[2]
    forms = {
        "a title above": "Pilot study,,\n\n" + text,
        "the separator stated": "sep=;\n" + written(made.rows, ";"),
        "commas in the header": header + rows,
        "the header again": "".join([*again[:9], again[0], *again[9:]]),
        "empty rows": "".join([*again[:9], ",,\n", *again[9:]]),
        "formulas": text.replace("yes", "'=yes!"),
    }
    for name, form in forms.items():
        (tmp_path / "labels.csv").write_text(form, encoding="utf-8")
        first = Held.of(ia.read(tmp_path / "labels.csv"), made)
        assert len(first.rows) == len(made.rows), name
        told = watched(tmp_path / "labels.csv", made)
        assert told[:2] == first[:2], name
        assert words_of(told.policy) == words_of(first.policy), name


# -- commands -----------------------------------------------------------------------------------------------


def told(*words: str, stdin: bytes | None = None) -> dict[str, Any]:
    result = CliRunner().invoke(main, [*words, "--json"], input=stdin)
    assert result.exit_code in (0, 1), result.output
    return json.loads(result.stdout)


def alphas(answer: object) -> Iterator[float]:
    """Every value of Krippendorff's alpha in an answer."""
    if isinstance(answer, dict):
        named = [str(answer.get(name)) for name in ("measure", "name", "title")]
        if any(re.match(r"alpha\b|Krippendorff's alpha", name) for name in named) and "value" in answer:
            yield round(answer["value"], 9)
        if {"left out", "change"} <= answer.keys():  # of a table of annotators
            yield round(answer["left out"] - answer["change"], 9)
        for inner in answer.values():
            yield from alphas(inner)
    elif isinstance(answer, list):
        for inner in answer:
            yield from alphas(inner)


COMMANDS = (
    ("measure",),
    ("measure", "-m", "alpha"),
    ("report",),
    ("check", "--at-least", "0"),
    ("annotators",),
    ("watch", "--once"),
)


WITH_LEVELS = [(name, ()) for name in ("labels", "numbers", "counts of words", "blanks", "codes")] + [
    (name, ("--levels", level)) for name in ("numbers", "counts of words") for level in ("ordinal", "label=interval")
]


@pytest.mark.parametrize(("name", "options"), WITH_LEVELS)
def test_every_command_gives_one_alpha(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    words = Made("counts of words", [(d, w, 40 * n + 7 * k) for n, d in enumerate(DOCS) for k, w in enumerate(PEOPLE)])
    made = next(made for made in (*PLAIN, *IN_TEXT, words) if made.name == name)
    (tmp_path / "labels.csv").write_text(written(made.rows), encoding="utf-8")
    given = {"levels": options[1].rpartition("=")[2]} if options else {}
    alpha = round(ia.alpha(ia.read(tmp_path / "labels.csv", **given)).value, 9)
    for command, *more in COMMANDS:
        found = {*alphas(told(command, str(tmp_path / "labels.csv"), *more, *options))}
        assert any(alpha == pytest.approx(value, abs=1e-8) for value in found), (command, more, found)
        assert len({round(value, 7) for value in found}) == 1, (command, more, found)


CONTENTS: dict[str, tuple[Door, str]] = {
    "csv": (TEXT["csv"], "labels.csv"),
    "tsv": (TEXT["tsv"], "labels.tsv"),
    "xlsx": (workbook, "labels.xlsx"),
    "ods": (open_document, "labels.ods"),
    "json": (FRAMES["json"], "labels.json"),
    "jsonl": (FRAMES["jsonl"], "labels.jsonl"),
    "parquet": (parquet, "labels.parquet"),
    "arrow": (arrow, "labels.arrow"),
    "sqlite": (TABLES["sqlite"], "labels.db"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_standard_input_is_told_by_its_contents(name: str, tmp_path: Path) -> None:
    made = PLAIN[0]
    door, file = CONTENTS[name]
    door(made, tmp_path)
    (alpha,) = alphas(told("measure", "-", "-m", "alpha", stdin=(tmp_path / file).read_bytes()))
    assert alpha == Held.of(TEXT["csv"](made, tmp_path), made).figures[2]


# -- what must be asked about -------------------------------------------------------------------------------


def pictures(*fields: str) -> dict[str, dict[str, object]]:
    held = {"filename": "img{}.jpg".format, "size": lambda n: 1000 + n, "height": lambda n: 480 + n % 2, "width": int}
    return {f"img{n}.jpg": {field: held[field](n) for field in fields} for n in range(12)}


@pytest.mark.parametrize("fields", [("filename", "size"), ("size", "height", "width"), ("filename", "height", "width")])
def test_fields_of_records_are_not_taken_for_people(fields: Sequence[str], tmp_path: Path) -> None:
    data = pictures(*fields)
    with pytest.raises(DoubtfulReading, match="look like the fields of a record") as caught:
        ia.Annotations.of(data)
    assert [len(ia.Annotations.of(data, **reading.options).items) for reading in caught.value.readings] == [
        12,
        len(fields),
    ]
    path = tmp_path / "pictures.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DoubtfulReading, match="look like the fields of a record") as caught:
        ia.read(path)
    offered = [ia.read(path, **reading.options).single() for reading in caught.value.readings]
    assert [len(study.annotators) for study in offered] == [len(fields), 12]


@pytest.mark.parametrize("depth", [2, 3])
def test_rows_of_pixels_are_asked_about(depth: int) -> None:
    draw = random.Random(depth)

    def drawn(levels: int) -> object:
        return [drawn(levels - 1) for _ in range(4)] if levels else draw.randint(0, 1)

    rows = [{"item": n, "annotator": who, "value": drawn(depth)} for n in range(6) for who in PEOPLE]
    with pytest.raises(DataError, match="lists of lists of 0 and 1") as caught:
        ia.alpha(rows)
    offered = [hint.value for hint in caught.value.hints]
    assert ("masks" in offered) == (depth == 2)
    for kind in offered:
        assert len(ia.Annotations.of(rows, kind=kind)) == 18


def test_a_mask_of_pixels_is_the_mask_of_its_run_lengths() -> None:
    draw = random.Random(4)
    masks = [[[draw.randint(0, 1) for _ in range(5)] for _ in range(3)] for _ in range(12)]

    def runs(mask: list[list[int]]) -> dict[str, object]:
        """Run lengths column by column, as COCO has them."""
        pixels = [mask[row][column] for column in range(5) for row in range(3)]
        counts, last = [0], 0
        for pixel in pixels:
            if pixel != last:
                counts.append(0)
                last = pixel
            counts[-1] += 1
        return {"size": [3, 5], "counts": counts}

    def of_all(form: Callable[[Any], object]) -> float:
        rows = [(n // 2, "ab"[n % 2], form(mask)) for n, mask in enumerate(masks)]
        return ia.alpha(rows, kind="masks", item=0, annotator=1, value=2).value

    assert of_all(lambda mask: mask) == of_all(runs)


@pytest.mark.parametrize("start", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("name", ["deep.json", "deep.jsonl", "deep.txt"])
def test_deep_nesting_is_refused_at_once(start: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(start * 100_000, encoding="utf-8")
    begun = time.process_time()
    with pytest.raises(DataError):
        ia.read(path)
    assert time.process_time() - begun < 5


def test_a_row_of_many_empty_cells_takes_as_long_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(f"item,annotator{',' * 60_000}\na,b,c\n", encoding="utf-8")
    begun = time.process_time()
    assert len(ia.read(tmp_path / "labels.csv").single()) == 1
    assert time.process_time() - begun < 10
