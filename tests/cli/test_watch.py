"""`interagree watch`: what it follows, what it says, and that nothing is lost or counted twice when it is killed."""

import contextlib
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia

ROWS = 10_000
LABELS = ("yes", "no", "maybe")
WATCH = [sys.executable, "-m", "interagree", "watch"]


def label(number: int) -> tuple[str, str, str]:
    """The label with a number; three for each item, seven in ten the same, and the same for every run."""
    item, who = divmod(number, 3)
    mixed = (number * 2654435761 >> 7) % 100
    return f"item {item}", f"ann {who}", LABELS[item % 3 if mixed < 70 else mixed % 3]


def batch_answer() -> dict[str, float]:
    """What the batch functions say of all labels."""
    study = ia.Annotations.of([label(number) for number in range(ROWS)])
    found = {f"SPA, {weigh}": ia.spa(study, weigh=weigh).value for weigh in ("flat", "annotations", "edges")}
    return found | {"Krippendorff's alpha": ia.alpha(study).value, "Gwet's AC1": ia.ac1(study).value}


# Each writes all labels in a process of its own, and stops in the middle of things until it is told to go on.
START = f"""
import json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_watch import ROWS, label
where = sys.argv[1]
go_on = sys.stdin.readline
"""
HANG = 300  # seconds after which a process that says nothing hangs
WRITERS = {
    "jsonl": """
with open(where, "ab", buffering=0) as file:
    for start in range(0, ROWS, 200):
        records = [dict(zip(("item", "annotator", "value"), label(n))) for n in range(start, start + 200)]
        whole = "".join(json.dumps(record) + "\\n" for record in records).encode()
        file.write(whole[:-9])  # a line without its end
        go_on()
        file.write(whole[-9:])
        go_on()
""",
    "csv": """
with open(where, "ab", buffering=0) as file:
    file.write(b"item,annotator,value\\r\\n")
    for start in range(0, ROWS, 200):
        text = "".join('"{}","{}",{}\\r\\n'.format(*label(n)) for n in range(start, start + 200))
        whole = text.encode()
        file.write(whole[:-3])
        go_on()
        file.write(whole[-3:])
        go_on()
""",
    "sqlite": """
import sqlite3
connection = sqlite3.connect(where, timeout=60)
for start in range(0, ROWS, 200):
    rows = [label(n) for n in range(start, start + 200)]
    connection.executemany("INSERT INTO labels (item, annotator, value) VALUES (?, ?, ?)", rows)
    go_on()
    connection.commit()
    go_on()
""",
    # Two connections: the first takes its numbers before the second and shows its rows long after it.
    "postgresql": """
import pg8000.dbapi
socket = where.partition("host=")[2].partition("&")[0]
def connect():
    return pg8000.dbapi.connect(user="postgres", database="postgres", unix_sock=socket + "/.s.PGSQL.5432")
def insert(connection, numbers):
    cursor = connection.cursor()
    rows = [label(n) for n in numbers]
    marks = ", ".join(["(%s, %s, %s)"] * len(rows))
    command = "INSERT INTO labels (item, annotator, value) VALUES " + marks
    cursor.execute(command, [cell for row in rows for cell in row])
slow, fast = connect(), connect()
for start in range(0, ROWS, 500):
    insert(slow, range(start, start + 100))
    for part in range(start + 100, start + 500, 100):
        insert(fast, range(part, part + 100))
        fast.commit()
        go_on()
    insert(fast, [0])  # a number that is never seen
    fast.rollback()
    slow.commit()
    go_on()
""",
}  # fmt: skip


def sql(address: str, *commands: str) -> None:
    """Run commands on the server."""
    import pg8000.dbapi

    socket = address.partition("host=")[2].partition("&")[0]
    connection = pg8000.dbapi.connect(user="postgres", database="postgres", unix_sock=f"{socket}/.s.PGSQL.5432")
    connection.autocommit = True
    try:
        for command in commands:
            connection.cursor().execute(command)
    finally:
        connection.close()


TABLE = "CREATE TABLE labels (id {}, item TEXT, annotator TEXT, value TEXT)"


@pytest.fixture
def place(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """Where labels are about to be written: the name of the kind of place is the parameter."""
    kind = request.param
    if kind == "postgresql":
        address = request.getfixturevalue("server")
        sql(address, "DROP TABLE IF EXISTS labels", TABLE.format("BIGSERIAL PRIMARY KEY"))
        yield f"{address}&table=labels"
        return
    path = folder / f"labels.{kind}"
    if kind == "sqlite":
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(TABLE.format("INTEGER PRIMARY KEY"))
        connection.commit()
        connection.close()
    else:
        path.touch()
    yield str(path)


@contextlib.contextmanager
def started(*words: str, **more: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that is talked to; it is ended where it hangs, so that whoever waits for it sees its end."""
    with subprocess.Popen([*words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **more) as process:
        limit = threading.Timer(HANG, process.kill)
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            process.kill()


def tell(writer: subprocess.Popen[str], times: int) -> None:
    """Let a writer go on."""
    writer.stdin.write("\n" * times)
    writer.stdin.flush()


@pytest.mark.xdist_group("watch")
@pytest.mark.parametrize(("place", "kind"), [(kind, kind) for kind in WRITERS], indirect=["place"], ids=list(WRITERS))
def test_killed_and_restarted_it_gives_the_batch_answer(kind, place, folder):
    command = [*WATCH, place, "--state", "state", "--every", "0.01"]
    counted = []  # labels in the state when it was killed
    with (folder / "said").open("w") as said, started(sys.executable, "-c", START + WRITERS[kind], place) as writer:
        for _ in range(3):
            with started(*command, stderr=said) as watcher:
                tell(writer, 9)
                assert "labels" in watcher.stdout.readline(), (folder / "said").read_text()
                tell(writer, 6)  # so that it has something to do
            assert watcher.returncode == -signal.SIGKILL
            counted.append(len(ia.Monitor.load(folder / "state")))
        writer.stdin.close()  # nothing holds it up any more
        assert writer.wait(timeout=HANG) == 0
    assert 0 < counted[0] <= counted[1] <= counted[2] < ROWS
    done = subprocess.run(
        [*WATCH, place, "--state", "state", "--once", "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["n"] == {"items": -(-ROWS // 3), "annotators": 3, "annotations": ROWS}
    assert {row["measure"]: row["value"] for row in found["measures"]}.items() >= {
        name: pytest.approx(value, abs=1e-12) for name, value in batch_answer().items()
    }.items()


def test_two_commands_on_one_state_exclude_each_other_until_one_is_killed(folder, run):
    words = ["watch", "mixed.csv", "--state", "s"]
    with started(*WATCH, *words[1:]) as watcher:
        assert "20 labels" in watcher.stdout.readline()
        error = " ".join(run(*words, "--once", code=2).stderr.split())
        assert f"s is in use by another watch (process {watcher.pid}); end that one, or give this one a state" in error
    assert watcher.returncode == -signal.SIGKILL
    assert once(run, *words[1:])["n"]["annotations"] == 20


def write(path: Path, text: str, mode: str = "a") -> None:
    with path.open(mode, encoding="utf-8", newline="") as file:
        file.write(text)


def once(run: Any, *words: Any, code: int = 0, **more: Any) -> dict[str, Any]:
    return json.loads(run("watch", *words, "--once", "--json", code=code, **more).stdout)


def test_a_state_goes_on_where_it_stopped(folder, run):
    path = folder / "labels.csv"
    write(path, "item,annotator,label\n1,a,x\n1,b,x\n2,a,x\n2,b,")
    assert once(run, path, "--state", "s")["n"]["annotations"] == 3
    assert once(run, path, "--state", "s")["n"]["annotations"] == 3
    write(path, 'y\n3,a,"two\nlines"\n3,b,"two\n')
    assert once(run, path, "--state", "s")["n"]["annotations"] == 5
    write(path, 'lines"\n')
    found = once(run, path, "--state", "s")
    assert found["n"]["annotations"] == 6
    assert found["measures"][0]["value"] == pytest.approx(2 / 3)


def test_the_last_line_waits_for_its_end_where_somebody_comes_back_for_it(folder, run):
    path = folder / "labels.jsonl"
    write(path, '["1", "a", "x"]\n["1", "b", "x"]')
    assert once(run, path)["n"]["annotations"] == 2
    assert once(run, path, "--state", "s")["n"]["annotations"] == 1
    assert "no end yet and waits" in run("watch", path, "--state", "s", "--once").stdout


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda path: write(path, "item,annotator,value\n9,a,x\n", "w"), "is shorter than what was read of it"),
        (lambda path: path.unlink() or write(path, f"item,value,annotator\n9,x,a\n8,{'x' * 99},b\n"), "was re"),
    ],
    ids=["truncated", "replaced"],
)
def test_a_file_that_is_not_the_same_any_more_stops_it_unless_told_what_to_do(folder, run, change, says):
    path = folder / "labels.csv"
    write(path, "item,annotator,value\n1,a,x\n1,b,x\n2,a,y\n2,b,y\n")
    once(run, path, "--state", "s")
    before = (folder / "s").read_bytes()
    change(path)
    there = len(path.read_text(encoding="utf-8").splitlines()) - 1
    error = " ".join(run("watch", path, "--state", "s", "--once", code=2).stderr.split())
    assert says in error
    assert "4 of the 4 labels that were counted are not in it" in error
    assert "--changed recount|add" in error
    assert (folder / "s").read_bytes() == before
    (folder / "t").write_bytes(before)
    assert once(run, path, "--state", "s", "--changed", "recount")["n"]["annotations"] == there
    assert once(run, path, "--state", "s")["n"]["annotations"] == there
    result = run("watch", path, "--state", "t", "--once", "--changed", "add")
    assert f"{4 + there} labels" in " ".join(result.stdout.split())
    assert says in " ".join(result.stdout.split())


def test_rotation_while_it_runs_loses_nothing(folder):
    path = folder / "labels.csv"
    write(path, "item,annotator,value\n1,a,x\n1,b,x\n")
    watcher = subprocess.Popen(
        [*WATCH, str(path), "--every", "0.05", "--state", "s"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert "2 labels" in watcher.stdout.readline()
        write(path, "2,a,y\n")
        path.rename(folder / "labels.1.csv")
        write(folder / "labels.1.csv", "2,b,y\n")
        write(path, "item,annotator,value\n3,a,x\n")
        while "5 labels" not in (line := watcher.stdout.readline()):
            assert line
    finally:
        watcher.send_signal(signal.SIGTERM)
        _, said = watcher.communicate(timeout=HANG)
    assert watcher.returncode == 0
    assert "was put aside and begun anew" in said
    assert "stopped after 5 labels; s holds all of it" in said
    assert len(ia.Monitor.load(folder / "s")) == 5


def test_ctrl_c_ends_it_with_the_state_saved(folder):
    path = folder / "mixed.csv"
    watcher = subprocess.Popen(
        [*WATCH, str(path), "--state", "s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    watcher.stdout.readline()
    watcher.send_signal(signal.SIGINT)
    _, said = watcher.communicate(timeout=HANG)
    assert watcher.returncode == 0
    assert said.startswith("stopped after 20 labels")
    assert len(ia.Monitor.load(folder / "s")) == 20


def test_standard_input_is_followed_to_its_end(run):
    lines = "".join(json.dumps({"item": i, "worker": w, "label": i % 2}) + "\n" for i in range(4) for w in "ab")
    shown = run("watch", "-", "--every", "0.01", stdin=lines).stdout
    assert "8 labels, 4 items, 2 annotators" in shown
    assert "SPA 1.000" in shown
    assert once(run, "-", stdin=lines.rstrip("\n"))["n"]["annotations"] == 8
    streamed = [
        json.loads(line) for line in run("watch", "-", "--json", "--every", "0.01", stdin=lines).stdout.splitlines()
    ]
    assert streamed[-1]["n"]["annotations"] == 8


def test_columns_batches_and_days_can_be_named(folder, run):
    path = folder / "labels.csv"
    rows = [
        f"{b * 100 + i},{w},{v},b{b},2026-03-0{b + 1}T10:00:00,N/A"
        for b in range(3)
        for i in range(40)
        for w, v in (("p", "x"), ("q", "x" if b < 2 or i % 4 == 0 else "y"))
    ]
    write(path, "thing,person,said,round,when,note\n" + "\n".join(rows) + "\n1,r,N/A,b0,,\n")
    words = [
        *("--item", "thing", "--annotator", "person", "--value", "said"),
        *("--batch", "round", "--at", "when", "--missing", "N/A"),
    ]
    found = once(run, path, *words, "--fail", code=1)
    assert found["skipped"] == 1
    assert [row["batch"] for row in found["charts"]["batch"]] == ["b0", "b1", "b2"]
    assert [row["out"] for row in found["charts"]["day"]] == ["above", "above", "below"]
    assert {alert["kind"]: alert["where"] for alert in found["alerts"]} == {"batch": "b2", "day": "2026-03-03"}
    assert found["exit_code"] == 1
    text = run("watch", path, *words, "--once").stdout
    assert "batch b2: agreement 0.250 on 40 items, below the" in " ".join(text.split())


def test_labels_that_a_chart_leaves_out_are_counted(folder, run):
    path = folder / "labels.csv"
    write(path, "item,annotator,value,batch\n1,a,x,p\n1,b,x,p\n1,c,x,\n2,a,x,q\n2,b,x,q\n3,a,x,q\n")
    text = " ".join(run("watch", path, "--once").stdout.split())
    assert "1 of 6 labels left out: 1 with no other label of the item to compare to" in text
    assert "4 of 6 labels left out: 3 with no earlier label of the item to compare to, 1 without a batch" in text


def test_too_little_agreement_is_an_alert_and_an_exit_code(run):
    assert once(run, "differ.csv", "--at-least", 0.6)["alerts"][0]["kind"] == "at_least"
    assert once(run, "differ.csv", "--at-least", 0.6, "--fail", code=1)["exit_code"] == 1
    assert once(run, "agree.csv", "--at-least", 0.6, "--fail")["alerts"] == []
    result = run("watch", "differ.csv", "--at-least", 0.6, "--fail", code=1)  # follows, and ends at the alert
    assert "alert: agreement is below 0.6: first two labels agree in 0.000 of 40 items" in result.stdout


def test_the_answer_can_be_written_and_drawn(run):
    run("watch", "mixed.csv", "--once", "-o", "out.md")
    assert "Krippendorff's alpha" in Path("out.md").read_text(encoding="utf-8")
    assert run("watch", "mixed.csv", "--once", "--csv").stdout.startswith("measure,value,low,high")


def test_a_terminal_gets_a_live_view(folder):
    parent, child = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "50"}
    env.pop("NO_COLOR", None)
    watcher = subprocess.Popen([*WATCH, "mixed.csv", "--every", "0.1"], stdout=child, stderr=child, env=env, cwd=folder)
    os.close(child)
    shown = ""
    while "alerts" not in shown:
        shown += os.read(parent, 65536).decode(errors="replace")
    watcher.send_signal(signal.SIGTERM)
    with contextlib.suppress(OSError):  # a terminal that nobody reads any more holds up who writes to it
        while os.read(parent, 65536):
            pass
    watcher.wait(timeout=HANG)
    os.close(parent)
    assert "Krippendorff's alpha" in shown
    assert "\x1b[" in shown


def make_table(path: Path, rows: list[tuple[Any, ...]], more: str = "") -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE IF NOT EXISTS labels (id INTEGER, item TEXT, annotator TEXT, value TEXT{more})")
    connection.executemany(f"INSERT INTO labels VALUES ({', '.join('?' * len(rows[0]))})", rows)
    connection.commit()
    connection.close()


def test_rows_that_show_themselves_late_are_counted_once(folder, run):
    path = folder / "labels.db"
    make_table(path, [(5, "1", "a", "x"), (8, "1", "b", "x")])
    assert once(run, path, "--state", "s")["n"]["annotations"] == 2
    make_table(path, [(6, "2", "a", "x"), (2, "2", "b", "x"), (9, "3", "a", "x")])
    assert once(run, f"sqlite:///{path}?table=labels", "--state", "other")["n"]["annotations"] == 5
    assert once(run, path, "--state", "s")["n"]["annotations"] == 5
    assert once(run, path, "--state", "s", "--table", "labels")["n"]["annotations"] == 5


def test_a_column_of_times_is_read_with_an_overlap(folder, run):
    path = folder / "labels.db"
    make_table(
        path, [(None, "1", "a", "x", "2026-03-01 10:00:00"), (None, "1", "b", "x", "2026-03-01 10:05:00")], ", t TEXT"
    )
    words = [path, "--state", "s", "--by", "t"]
    assert once(run, *words)["n"]["annotations"] == 2
    make_table(path, [(None, "2", "a", "x", "2026-03-01 10:02:00"), (None, "2", "b", "x", "2026-03-01 10:06:00")])
    assert once(run, *words)["n"]["annotations"] == 4
    assert once(run, *words)["n"]["annotations"] == 4


@pytest.mark.xdist_group("watch")
def test_times_on_a_server_are_read_with_an_overlap(server, run):
    sql(
        server,
        "DROP TABLE IF EXISTS timed",
        "CREATE TABLE timed (made TIMESTAMPTZ, item INT, annotator TEXT, value NUMERIC)",
        "INSERT INTO timed VALUES ('2026-03-01 10:00Z', 1, 'a', 1.5), ('2026-03-01 10:05Z', 1, 'b', 2)",
    )
    words = [server, "--table", "timed", "--state", "s", "--by", "made", "--at", "made"]
    assert once(run, *words)["n"]["annotations"] == 2
    sql(server, "INSERT INTO timed VALUES ('2026-03-01 10:04Z', 2, 'a', 2), ('2026-03-02 10:05Z', 2, 'b', 2)")
    found = once(run, *words)
    assert found["n"]["annotations"] == 4
    assert [row["day"] for row in found["charts"]["day"]] == ["2026-03-01", "2026-03-02"]


@pytest.mark.xdist_group("watch")
def test_rows_on_a_server_are_counted_whatever_their_key(server, run):
    sql(server, "DROP TABLE IF EXISTS keyed", TABLE.replace("labels", "keyed").format("TEXT"))
    words = [server, "--table", "keyed", "--state", "s"]
    for start in range(0, 60, 20):
        rows = ", ".join(
            f"({'NULL' if n % 7 == 0 else repr(str(n))}, 'item {n // 2}', '{'ab'[n % 2]}', 'x')"
            for n in range(start, start + 20)
        )
        sql(server, f"INSERT INTO keyed VALUES {rows}")
        assert once(run, *words)["n"]["annotations"] == start + 20
    sql(server, "UPDATE keyed SET value = 'y' WHERE id = '9'")
    error = " ".join(run("watch", *words, "--once", code=2).stderr.split())
    assert "1 of the 60 rows that were counted are no longer there as they were" in error
    assert once(run, *words, "--changed", "recount")["n"]["annotations"] == 60
    sql(server, "DROP TABLE keyed")
    assert "keyed" in run("watch", *words, "--once", code=2).stderr


@pytest.mark.xdist_group("watch")
def test_a_connection_that_breaks_is_made_again(server, folder):
    sql(
        server,
        "DROP TABLE IF EXISTS labels",
        TABLE.format("SERIAL"),
        "INSERT INTO labels (item, annotator, value) VALUES ('1', 'a', 'x'), ('1', 'b', 'x')",
    )
    watcher = subprocess.Popen(
        [*WATCH, f"{server}&table=labels", "--every", "0.05"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert "2 labels" in watcher.stdout.readline()
        sql(
            server,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
            "INSERT INTO labels (item, annotator, value) VALUES ('2', 'a', 'x')",
        )
        assert "3 labels" in watcher.stdout.readline()
    finally:
        watcher.send_signal(signal.SIGTERM)
        _, said = watcher.communicate(timeout=HANG)
    assert watcher.returncode == 0
    assert "cannot be read now" in said
    assert "nothing is lost, trying again in 0.05 s" in said
    assert "can be read again, after 1 failed attempt" in said


@pytest.mark.xdist_group("watch")
@pytest.mark.parametrize(
    ("words", "says"),
    [(["--table", "nothing"], "nothing"), (["--table", "timed", "--by", "maed"], "Did you mean 'made'?")],
)
def test_what_a_server_refuses_is_a_sentence(server, run, words, says):
    sql(server, "CREATE TABLE IF NOT EXISTS timed (made TIMESTAMPTZ, item INT, annotator TEXT, value NUMERIC)")
    assert says in run("watch", server, *words, "--once", code=2).stderr


def test_many_rows_come_in_blocks(folder, run, monkeypatch):
    from interagree.monitor import databases, files

    monkeypatch.setattr(databases, "BLOCK", 7)
    monkeypatch.setattr(files, "BLOCK", 40)
    path, text = folder / "labels.db", folder / "labels.csv"
    order = np.random.default_rng(0).permutation(60).tolist()
    write(text, "item,annotator,value\n" + "".join(",".join(label(number)) + "\n" for number in order))
    for start in range(0, 60, 20):
        make_table(path, [(number, *label(number)) for number in order[start : start + 20]])
        once(run, path, "--state", "s")
    study = ia.Annotations.of([label(number) for number in order])
    for found in (once(run, path, "--state", "s"), once(run, text)):
        assert found["n"]["annotations"] == 60
        assert found["measures"][0]["value"] == pytest.approx(ia.spa(study).value)


@pytest.mark.parametrize(
    ("words", "text", "says"),
    [
        (["nothing.csv"], None, "nothing.csv: No such file"),
        (["labels.csv", "--by", "id"], "item,annotator,value\n", "--by id is for tables"),
        (["labels.csv"], "item,annotator,value\n1,a,x,y\n", "line 2: expected 3 cells"),
        (
            ["labels.csv"],
            "item,ann,bob\n1,x,y\n",
            "one annotator, convert it first: interagree convert labels.csv long.csv",
        ),
        (["labels.csv"], "item,nobody,value\n1,a,x\n", "no column to take the annotator from"),
        (["labels.csv", "--item", "itm"], "item,annotator,value\n1,a,x\n", "Did you mean --item item?"),
        (["labels.csv", "--at", "value"], "item,annotator,value\n1,a,x\n", "'x' is not a time"),
        (["labels.csv"], "item,annotator,value\n1,a,x\n1,a,y\n", "--duplicates first"),
        (["labels.csv"], "{broken\n", "line 1: expected one JSON record"),
        (["labels.csv"], "[1, 2]\n", "line 1: expected an object"),
        (["labels.csv.gz"], None, "cannot be followed"),
        (["mysql://host/db"], None, "not in mysql://"),
        (["nothing.db"], None, "nothing.db: No such file"),
        (["."], None, "is a folder"),
        (["postgresql://host:many/db"], None, "the port of a server is a number"),
        (["mixed.csv", "--state", "agree.csv"], None, "not the state of a monitor"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_two(folder, run, words, text, says):
    if text is not None:
        (folder / "labels.csv").write_text(text, encoding="utf-8")
    assert says in " ".join(run("watch", *words, "--once", code=2).stderr.split())


def test_a_state_belongs_to_one_source_and_one_way_of_reading(folder, run):
    run("watch", "mixed.csv", "--once", "--state", "s")
    for words, says in (
        (["agree.csv"], "belongs to"),
        (["mixed.csv", "--values", "a,b,c"], "other values"),
        (["mixed.csv", "--item", "annotator"], "was started with the item from 'item'"),
    ):
        assert says in " ".join(run("watch", *words, "--once", "--state", "s", code=2).stderr.split())
    ia.Monitor().save("bare")
    assert "followed nothing" in run("watch", "mixed.csv", "--once", "--state", "bare", code=2).stderr
    assert "add --once" in run("watch", "mixed.csv", "--csv", code=2).stderr


def test_after_a_mistake_nothing_of_the_block_is_kept(folder, run):
    path = folder / "labels.csv"
    write(path, "item,annotator,value\n1,a,x\n")
    once(run, path, "--state", "s")
    write(path, "2,a,x\n1,a,y\n")
    run("watch", path, "--state", "s", "--once", code=2)
    assert len(ia.Monitor.load(folder / "s")) == 1
    assert once(run, path, "--state", "s", "--duplicates", "last")["n"]["annotations"] == 2


def test_a_table_must_be_plain_to_see(folder, run):
    path = folder / "labels.db"
    make_table(path, [(1, "1", "a", "x")])
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE others (t TEXT, item TEXT, annotator TEXT, value TEXT)")
    connection.commit()
    connection.close()
    assert "which table? Say so with --table; it has 'labels', 'others'" in run("watch", path, "--once", code=2).stderr
    assert once(run, path, "--table", "others")["n"]["annotations"] == 0
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE keyed (t TEXT PRIMARY KEY, item TEXT, annotator TEXT, value TEXT) WITHOUT ROWID")
    connection.close()
    assert "which column" in run("watch", path, "--table", "keyed", "--once", code=2).stderr
    assert once(run, path, "--table", "labels")["n"]["annotations"] == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--delimiter", "ab"], "--delimiter takes one character"),
        (["--annotator", "{file}"], "name the column that holds the annotator"),
        (["--by", ""], "--by takes a word"),
    ],
)
def test_an_option_that_makes_no_sense_is_wrong_use(run, given, said):
    assert said in run("watch", "mixed.csv", "--once", *given, code=2).stderr


def test_advice_on_columns_is_worded_for_the_command_line(folder, run):
    (folder / "my labels.csv").write_text("item,label\n1,x\n2,y\n")
    error = run("watch", "my labels.csv", "--once", code=2).stderr
    assert "--annotator label" in error
    assert "annotator=" not in error
    assert "interagree convert 'my labels.csv' long.csv" in error
