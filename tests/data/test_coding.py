"""Large Parquet files, whose texts an engine numbers, give what they give without one, to the byte."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import need

import interagree as ia
from interagree.cli import main
from interagree.data import coding
from interagree.errors import DuplicateAnnotation, FormatError, InteragreeError, TooLarge
from interagree.reading import columnar, scans

pytestmark = pytest.mark.engine
NEVER = 10**9


def table(rows: int = 400) -> Any:
    """A table with gaps in each column, further columns, and texts that only exact equality tells apart."""
    need("duckdb")
    pyarrow, draw = need("pyarrow"), np.random.default_rng(0)
    labels = ["yes", "Yes", " yes", "caf\u00e9", "cafe\u0301", "it's", 'a "quote"', "", "no"]
    return pyarrow.table(
        {
            "item": [None if n % 97 == 96 else f"text {n // 4:03d}%" for n in range(rows)],
            "annotator": [f"w;{n % 4}" for n in range(rows)],
            "label": [None if n % 31 == 0 or n % 97 == 96 else labels[draw.integers(9)] for n in range(rows)],
            "round": [n % 2 for n in range(rows)],
            "comment": [None if n % 3 else f"because {n}" for n in range(rows)],
            "score": [float("nan") if n % 5 == 0 else n / 7 for n in range(rows)],
        }
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "o'labels.parquet"
    need("pyarrow.parquet").write_table(table(), path, row_group_size=50)
    return path


def studies(path: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[Any]:
    made = []
    for rows in (NEVER, 1):
        monkeypatch.setattr(columnar, "ROWS", rows)
        made.append(ia.read(path, **options))
    return made


def test_rows_names_and_further_columns_are_those_of_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    coded: list[str] = []
    monkeypatch.setattr(columnar, "coded_parquet", lambda *given: coded.append("") or coding.coded_parquet(*given))
    plain, numbered = studies(file, monkeypatch, value="label")
    assert coded == [""]
    one, other = plain.single(), numbered.single()
    assert one.rows() == other.rows()
    names = [(list(study.items), list(study.annotators), study.values) for study in (one, other)]
    assert names[0] == names[1]
    assert [*one.attributes] == [*other.attributes]
    for name in one.attributes:
        assert list(map(str, one.attributes[name])) == list(map(str, other.attributes[name]))
    assert plain.provenance == numbered.provenance
    assert one.provenance == other.provenance


@pytest.mark.parametrize(
    "words",
    [
        "measure",
        "measure -m alpha -m ac1 --json",
        "annotators",
        "disagreements --top 5",
        "consensus",
        "report --full",
        "check --at-least 0.1",
    ],
)
def test_commands_write_the_same_bytes(file: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    said = []
    name, *others = words.split()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1763510400")
    for rows in (NEVER, 1):
        monkeypatch.setattr(columnar, "ROWS", rows)
        done = CliRunner().invoke(main, [name, str(file), "--value", "label", *others])
        assert done.exit_code in (0, 1), done.output
        said.append((done.exit_code, done.output))
    assert said[0] == said[1]


def test_without_the_engine_files_are_read_as_they_were(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "engine", lambda: None)
    plain, other = studies(file, monkeypatch, value="label")
    assert plain.single().rows() == other.single().rows()


@pytest.mark.parametrize("cut", [-200, -2000, 900])
def test_a_damaged_file_is_the_error_that_it_was(file: Path, monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    content = bytearray(file.read_bytes())
    content[cut] ^= 0xFF
    content[cut + 1] ^= 0xFF
    file.write_bytes(bytes(content))
    said = []
    for rows in (NEVER, 1):
        monkeypatch.setattr(columnar, "ROWS", rows)
        try:
            said.append(str(ia.read(file, value="label").single().rows()))
        except InteragreeError as error:
            said.append(str(error))
    assert said[0] == said[1]
    file.write_bytes(bytes(content)[:5000])
    with pytest.raises(FormatError):
        ia.read(file)


def test_what_the_codes_of_a_file_take_is_asked_for_first(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "ROWS", 1)
    monkeypatch.setattr(columnar, "PER_CODE", 1_000_000)
    with pytest.raises(TooLarge, match="holds 400 rows, would need about"), ia.memory_limit("1.5GB"):
        ia.read(file)


def test_the_folder_of_a_killed_process_is_cleared_and_an_own_one_ends_with_the_process(tmp_path: Path) -> None:
    need("duckdb")
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = tmp_path / f"{coding.SPILL}{ended.pid}-abc"
    kept = tmp_path / f"{coding.SPILL}{os.getpid()}-abc"
    for folder in (left, kept):
        folder.mkdir()
        (folder / "spilled").write_bytes(b"rows")
    code = (
        "from interagree.data.coding import connected\n"
        "found = connected().execute(\"SELECT current_setting('temp_directory')\")\n"
        "print(found.fetchall()[0][0])"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.startswith(str(tmp_path / coding.SPILL))
    assert [*tmp_path.iterdir()] == [kept]
    assert tempfile.gettempdir() != str(tmp_path)


# -- what is counted where it is -----------------------------------------------------------------------------------


@pytest.fixture
def votes(tmp_path: Path) -> dict[str, list[Any]]:
    """Votes as a file, as two files in a folder, and as tables of a file of DuckDB."""
    duckdb, pyarrow, parquet = need("duckdb"), need("pyarrow"), need("pyarrow.parquet")
    columns = {
        "item": [f"i{n // 3}" for n in range(90)],
        "annotator": [f"w{n % 3}" for n in range(90)],
        "value": ["ab"[n * n % 7 % 2] for n in range(90)],
    }
    whole = pyarrow.table(columns)
    (tmp_path / "parts").mkdir()
    parquet.write_table(whole, tmp_path / "votes.parquet")
    parquet.write_table(whole.slice(0, 30), tmp_path / "parts" / "one.parquet")
    parquet.write_table(whole.slice(30), tmp_path / "parts" / "two.parquet")
    with duckdb.connect(str(tmp_path / "votes.duckdb")) as connection:
        connection.register("whole", whole)
        connection.execute("CREATE TABLE votes AS SELECT * FROM whole")
        connection.execute("CREATE TABLE further AS SELECT 1 AS x")
    return columns


def test_files_and_connections_are_scanned_as_frames_are(votes: dict[str, list[Any]], tmp_path: Path) -> None:
    right = ia.alpha(votes).value
    for place in ("votes.parquet", "parts", "parts/*.parquet"):
        for path in (tmp_path / place, str(tmp_path / place)):
            there = ia.scan(path)
            assert ia.alpha(there).value == pytest.approx(right, abs=1e-12)
            assert there.engine == "counted in place by duckdb, 3 queries"
    for options in ({"table": "votes"}, {"query": "SELECT * FROM votes"}):
        assert ia.alpha(ia.scan(tmp_path / "votes.duckdb", **options)).value == pytest.approx(right, abs=1e-12)
        with need("duckdb").connect(str(tmp_path / "votes.duckdb")) as connection:
            assert ia.alpha(ia.scan(connection, **options)).value == pytest.approx(right, abs=1e-12)


def test_two_files_are_compared_item_by_item(votes: dict[str, list[Any]], tmp_path: Path) -> None:
    right = ia.compare(votes, votes)
    database = tmp_path / "votes.duckdb"
    for one, other in (
        (ia.scan(tmp_path / "votes.parquet"), ia.scan(tmp_path / "parts")),
        (ia.scan(database, table="votes"), ia.scan(str(database), query="SELECT * FROM votes")),
    ):
        found = ia.compare(one, other)
        assert (found.shared, found.value, found.error) == (right.shared, right.value, right.error)


def test_a_pair_that_occurs_twice_is_found_among_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = need("duckdb")
    connection = duckdb.connect()
    votes = "SELECT i // 5 AS item, i % 5 AS annotator, 'a' AS value FROM range(5000) r(i)"
    once, twice = connection.sql(votes), connection.sql(f"{votes} UNION ALL SELECT 700, 3, 'b'")
    assert ia.scan(once).n.annotations == 5000
    with pytest.raises(DuplicateAnnotation, match="annotator 3 annotated item 700 2 times"):
        ia.alpha(ia.scan(twice))
    monkeypatch.setattr(scans, "SHARE", 0)  # as where there is no room for the numbers of all pairs
    assert ia.scan(once).n.annotations == 5000
    with pytest.raises(DuplicateAnnotation, match="annotator 3 annotated item 700 2 times"):
        ia.alpha(ia.scan(twice))


@pytest.mark.parametrize(
    ("place", "options", "said"),
    [
        ("votes.duckdb", {}, "the tables 'further', 'votes'; say which one by table="),
        ("votes.duckdb", {"table": "nope"}, "Table with name nope does not exist"),
        ("votes.duckdb", {"query": "DROP TABLE votes"}, "takes one SELECT, which reads, and not 'DROP TABLE votes'"),
        ("votes.duckdb", {"query": "SELECT 1; SELECT 2"}, "takes one SELECT"),
        ("votes.duckdb", {"query": "SELEC"}, "syntax error"),
        ("votes.parquet", {"table": "votes"}, "is a table itself; leave table= out"),
        ("nothing.parquet", {}, "there is no Parquet file"),
        ("nothing.duckdb", {}, "there is no file"),
        ("votes.csv", {}, "cannot be counted where it is: .* read it with interagree.read"),
    ],
)
@pytest.mark.usefixtures("votes")
def test_what_cannot_be_scanned_says_why(tmp_path: Path, place: str, options: dict[str, str], said: str) -> None:
    with pytest.raises(InteragreeError, match=said):
        ia.scan(tmp_path / place, **options)


def test_files_of_one_folder_with_other_columns_are_an_error(votes: dict[str, list[Any]], tmp_path: Path) -> None:
    other = need("pyarrow").table({"item": votes["item"], "who": votes["annotator"], "value": votes["value"]})
    need("pyarrow.parquet").write_table(other, tmp_path / "parts" / "three.parquet")
    with pytest.raises(InteragreeError, match="duckdb did not answer"):
        ia.alpha(ia.scan(tmp_path / "parts"))


@pytest.mark.parametrize(
    "words", [["--from-table", "votes"], ["--query", "SELECT * FROM votes"], ["-O", "table=votes"]]
)
def test_a_command_reads_a_table_or_a_query_of_a_file_of_duckdb(
    votes: dict[str, list[Any]], tmp_path: Path, words: list[str]
) -> None:
    done = CliRunner().invoke(main, ["measure", str(tmp_path / "votes.duckdb"), "-m", "alpha", "--csv", *words])
    assert done.exit_code == 0, done.output
    assert f"{ia.alpha(votes).value!r}"[:10] in done.output


@pytest.mark.parametrize(
    "query", ["DROP TABLE votes", "SELECT * FROM read_text('/etc/hostname')", "COPY votes TO 'x.csv'"]
)
@pytest.mark.usefixtures("votes")
def test_a_query_of_a_file_of_duckdb_only_reads_what_it_holds(tmp_path: Path, query: str) -> None:
    done = CliRunner().invoke(main, ["measure", str(tmp_path / "votes.duckdb"), "--query", query])
    assert done.exit_code == 2
    assert "cannot be run" in done.output
    assert "Traceback" not in done.output
