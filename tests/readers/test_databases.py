"""Databases: queries over SQLite and PostgreSQL, and the database of Prodigy."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from readers.sample_files.databases import PEOPLE, answers, database, labels, one_dataset, prodigy

import interagree as ia
from interagree.cli import main
from interagree.data.files import Source
from interagree.errors import DataError, DoubtfulReading, FormatError, OptionError, UnknownName, shell, without_password

TWO = ("CREATE TABLE answers (task TEXT, coder TEXT, label TEXT, round INTEGER)", 'CREATE TABLE "odd name" (x INTEGER)')
ROWS = {
    "answers": [(f"t{i}", who, "xy"[i * n % 2], i // 3) for i in range(6) for n, who in enumerate(PEOPLE)],
    '"odd name"': [(1,), (2,)],
}


@pytest.fixture(scope="module")
def labelled(server: str) -> str:
    """The address of a database with labels in it."""
    import pg8000.dbapi

    socket = server.partition("host=")[2]
    for name, statements in {
        "postgres": ["CREATE DATABASE readers"],
        "readers": ["CREATE TABLE labels (item TEXT, annotator TEXT, value TEXT)", "CREATE TABLE other (x INT)"],
    }.items():
        connection = pg8000.dbapi.connect(user="postgres", database=name, unix_sock=f"{socket}/.s.PGSQL.5432")
        connection.autocommit = True
        for statement in statements:
            connection.cursor().execute(statement)
        if name == "readers":
            for i in range(8):
                for n, who in enumerate(PEOPLE):
                    row = (f"d{i}", who, "xyz"[(i + n) % 3])
                    connection.cursor().execute("INSERT INTO labels VALUES (%s, %s, %s)", row)
        connection.close()
    return f"postgresql://postgres@/readers?host={socket}"


def told(*words: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it printed."""
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def two(file: Any) -> Any:
    return file("study.db", database(*TWO, rows=ROWS))


def test_the_only_table_of_a_database_is_read(file: Any) -> None:
    for name in ("labels.db", "labels.sqlite", "labels.sqlite3", "labels"):
        study = ia.read(file(name, labels()))
        assert (len(study.single()), len(study.single().items)) == (24, 8)
        assert "the table 'labels'" in study.policy()


def test_a_query_says_what_to_read(two: Any) -> None:
    query = "SELECT task AS item, coder AS annotator, label FROM answers WHERE round = 1"
    for place in (two, f"sqlite:///{two}"):
        assert len(ia.read(place, query=query).single().items) == 3
    assert len(ia.read(two, table="answers", item="task", annotator="coder", value="label").single().items) == 6
    assert len(ia.read(f"sqlite:///{two}?table=answers", item="task", annotator="coder", value="label").single()) == 18


def test_several_tables_are_listed_with_the_call_for_each(two: Any) -> None:
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(two)
    said = str(caught.value)
    assert "has the tables 'answers', 'odd name'" in said
    assert f"interagree.read({str(two)!r}, query='SELECT * FROM answers')" in said
    assert """query='SELECT * FROM "odd name"')""" in said
    assert "t0" in said  # the first rows
    code, _, error = told("measure", str(two))
    assert code == 2
    assert f"measure {two} -O 'query=SELECT * FROM answers'" in error


def test_a_doubt_about_columns_keeps_the_query(two: Any) -> None:
    query = "SELECT task, label, label AS again, round FROM answers"
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(two, query=query)
    assert all(reading.options["query"] == query for reading in caught.value.readings)
    code, _, error = told("measure", str(two), "-O", f"query={query}")
    assert code == 2
    commands = [line for line in error.splitlines() if "-O" in line]
    assert commands
    assert all(line.count("query=") == 1 for line in commands)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * FROM lables", r"cannot be run: no such table: lables"),
        ("SELECT missing FROM answers", r"cannot be run: no such column: missing"),
        ("DELETE FROM answers", r"cannot be run: not authorized"),
        ("ATTACH DATABASE 'other.db' AS other", r"cannot be run: not authorized"),
        ("PRAGMA writable_schema = 1", r"cannot be run: not authorized"),
        ("SELECT 1; SELECT 2", r"cannot be run: You can only execute one statement"),
        ("SELECT * FROM answers WHERE round > 9", r"gives no row"),
        ("SELECT task, coder AS task FROM answers", r"several columns called 'task'; name them with AS"),
    ],
)
def test_a_query_that_does_not_select_is_refused_and_nothing_is_written(two: Any, query: str, said: str) -> None:
    before = two.read_bytes()
    with pytest.raises(DataError, match=said):
        ia.read(two, query=query)
    assert two.read_bytes() == before
    assert [path.name for path in two.parent.iterdir()] == ["study.db"]


def test_what_is_not_a_database_is_told(file: Any, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is not a database of SQLite"):
        ia.read(file("a.db", b"text"))
    with pytest.raises(FormatError, match=r"malformed|not a database|cannot be run|cannot be read"):
        ia.read(file("b.db", labels()[:3000]))
    with pytest.raises(DataError, match="there is no file"):
        ia.read(f"sqlite:///{tmp_path}/nothing.db", query="SELECT 1")
    with pytest.raises(FormatError, match="has no table to read"):
        ia.read(file("c.db", database("CREATE TABLE x (y)", "DROP TABLE x")))
    with pytest.raises(OptionError, match=r"query=… and table=… both say what to read"):
        ia.read(file("d.db", labels()), query="SELECT 1", table="labels")
    with pytest.raises(DataError, match="is a database and not a file"):
        Source.of("sqlite:///x.db").text()


def test_passwords_are_shown_nowhere() -> None:
    address = "postgresql://ann:s3cret:x@y@localhost:1/db?password=s3cret&table=t"
    assert without_password(address) == "postgresql://ann@localhost:1/db?password=&table=t"
    assert "s3cret" not in shell(["interagree", "measure", address])
    assert "s3cret" not in repr(Source.of(address))
    with pytest.raises(DataError) as caught:
        ia.read("postgresql://ann:s3cret@localhost:1/db", query="SELECT 1")
    assert "localhost:1/db cannot be read" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_no_command_shows_a_password(labelled: str) -> None:
    address = labelled.replace("postgres@", "postgres:s3cret@")
    query = "query=SELECT item, annotator, value FROM labels"
    for command in (["doctor"], ["measure"], ["measure", "--json"], ["report"]):
        code, out, error = told(*command, address, "-O", query)
        assert (code, "s3cret" in out + error) == (0, False)
        assert out
    code, _, error = told("measure", address, "-O", "query=SELECT * FROM nowhere")
    assert code == 2
    assert "s3cret" not in error
    assert 'relation "nowhere" does not exist' in error


def test_queries_over_a_server(labelled: str) -> None:
    query = "SELECT item, annotator, value FROM labels"
    assert len(ia.read(labelled, query=query).single()) == 24
    assert len(ia.read(f"{labelled}&table=labels").single()) == 24
    with pytest.raises(DataError, match="cannot execute DELETE in a read-only transaction"):
        ia.read(labelled, query="DELETE FROM labels RETURNING *")
    with pytest.raises(DoubtfulReading, match=r"has the tables 'labels', 'other'"):
        ia.read(labelled)


# -- Prodigy ------------------------------------------------------------------------------------------------


def lines(records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def same(one: Any, two: Any) -> bool:
    return {name: sorted(one[name].rows()) for name in one} == {name: sorted(two[name].rows()) for name in two}


def test_the_database_is_read_as_the_lines_would_be(file: Any) -> None:
    study = ia.read(file("prodigy.db", one_dataset()))
    assert same(study, ia.read(file("mood.jsonl", lines(answers("mood")))))
    assert set(study["choice"].annotators) == {*PEOPLE}
    assert len(study["choice"].items) == 4


def test_datasets_are_asked_for_where_there_are_several(file: Any) -> None:
    by_person = {who: answers("", sessions=False)[n::3] for n, who in enumerate(PEOPLE)}
    path = file("prodigy.db", prodigy(by_person))
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(path)
    assert "has the datasets 'ann', 'bo', 'cy'; say which to read" in str(caught.value)
    assert "dataset=['ann', 'bo', 'cy'])" in str(caught.value)
    assert "-O dataset=ann,bo,cy" in caught.value.for_command_line()
    study = ia.read(path, dataset=["ann", "bo", "cy"])
    assert (set(study["choice"].annotators), len(study["choice"])) == ({*PEOPLE}, 12)
    assert [*ia.read(path, dataset="bo")["choice"].annotators] == ["bo"]
    with pytest.raises(UnknownName, match=r"has no dataset 'an' with answers; .* Did you mean 'ann'"):
        ia.read(path, dataset="an")


def test_an_answer_that_is_not_json_is_named(file: Any) -> None:
    content = one_dataset()
    path = file("prodigy.db", content)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE example SET content = ? WHERE id = 3", (b"{broken",))
    connection.commit()
    connection.close()
    with pytest.raises(FormatError, match=r"prodigy.db, dataset mood, example 3: expected JSON"):
        ia.read(path)


def test_structured_answers_of_later_versions(file: Any) -> None:
    records = answers("mood", sessions=False)
    people = [PEOPLE[n % 3] for n in range(len(records))]
    inputs = {
        record["_input_hash"]: {"text": record["text"], "_input_hash": record["_input_hash"]} for record in records
    }
    sessions = {who: k for k, who in enumerate(PEOPLE, start=2)}
    rest = [{key: record[key] for key in record if key not in ("text", "_input_hash")} for record in records]
    made = database(
        "CREATE TABLE dataset (id INTEGER PRIMARY KEY, name TEXT, created INTEGER, meta BLOB, session INTEGER)",
        "CREATE TABLE example (id INTEGER PRIMARY KEY, input_hash BIGINT, task_hash BIGINT, content BLOB)",
        "CREATE TABLE link (id INTEGER PRIMARY KEY, example_id INTEGER, dataset_id INTEGER)",
        "CREATE TABLE structured_input (id INTEGER PRIMARY KEY, content BLOB)",
        "CREATE TABLE structured_example (id INTEGER PRIMARY KEY, input_id INTEGER, content BLOB)",
        "CREATE TABLE structured_link (id INTEGER, example_id INTEGER, dataset_id INTEGER, session_id INTEGER)",
        rows={
            "dataset": [(1, "mood", 0, b"{}", 0), *((k, f"mood-{who}", 0, b"{}", 1) for who, k in sessions.items())],
            "structured_input": [(k + 1, json.dumps(given)) for k, given in inputs.items()],
            "structured_example": [
                (k, record["_input_hash"] + 1, json.dumps(part))
                for k, (record, part) in enumerate(zip(records, rest, strict=True), start=1)
            ],
            "structured_link": [(k, k, 1, sessions[who]) for k, who in enumerate(people, start=1)],
        },
    )  # fmt: skip
    assert same(ia.read(file("prodigy.db", made)), ia.read(file("mood.jsonl", lines(answers("mood")))))


def test_real_lines_in_a_database(shared: Path, file: Any) -> None:
    real = shared / "data/formats/prodigy/choice_single_3sessions.jsonl"
    records = [json.loads(line) for line in real.read_text(encoding="utf-8").splitlines() if line.strip()]
    study = ia.read(file("prodigy.db", prodigy({real.stem: records})))
    assert same(study, ia.read(real))
