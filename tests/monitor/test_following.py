"""What `watch` counted equals what is in its source, or it stops and says why."""

import contextlib
import gc
import os
import signal
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interagree.errors import DataError, FormatError
from interagree.monitor import databases, files, lines, live
from interagree.monitor.lines import RowStream
from interagree.monitor.watching import Watch, open_source

HEADER = "item,annotator,value\n"


@contextlib.contextmanager
def watching(path: Path | str, *, state: Path | None = None, **more: Any) -> Iterator[Watch]:
    """A watch on a source, which looks once; options of the source and of the watch together."""
    of_source = {name: more.pop(name) for name in ("table", "by", "overlap", "delimiter") if name in more}
    watch = Watch(open_source(str(path), **of_source), state=state, **{"patient": False, **more})
    try:
        watch.step(whole=state is None and not watch.source.patient)
        yield watch
        watch.save()
    finally:
        watch.close()


def counted(path: Path | str, **more: Any) -> int:
    with watching(path, **more) as watch:
        return len(watch.monitor)


def rows(numbers: range, value: str = "x") -> list[str]:
    return [f"{n // 2},{'ab'[n % 2]},{value}\n" for n in numbers]


def put(path: Path, text: str) -> None:
    """Write a file anew and move it into place."""
    beside = path.with_name("beside")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


# Tables


def fill(path: Path, kind: str, table: list[tuple[Any, ...]]) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE IF NOT EXISTS labels (id {kind}, item TEXT, annotator TEXT, value TEXT)")
    connection.executemany("INSERT INTO labels VALUES (?, ?, ?, ?)", table)
    connection.commit()
    connection.close()


def run(path: Path, *commands: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for command in commands:
        connection.execute(command)
    connection.close()


KEYS: dict[str, Callable[[int], Any]] = {
    "text, so that '10' comes before '9'": str,
    "text and numbers mixed": lambda n: n if n % 2 else str(n),
    "missing in part": lambda n: n if n % 3 else None,
    "missing": lambda _: None,
    "all the same": lambda _: 7,
    "falling": lambda n: -n,
    "mixed up": lambda n: n * 37 % 61,
}


@pytest.mark.parametrize("by", [None, "id"], ids=["by itself", "by id"])
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_every_row_of_a_table_is_counted_once_whatever_its_key(tmp_path, key, by, monkeypatch):
    monkeypatch.setattr(databases, "BLOCK", 8)
    monkeypatch.setattr(databases, "LATE", 3)
    path, state = tmp_path / "labels.db", tmp_path / "s"
    for start in range(0, 60, 12):
        fill(path, "", [(key(n), str(n // 2), "ab"[n % 2], "x") for n in range(start, start + 12)])
        assert counted(path, by=by, state=state) == start + 12
        assert counted(path, by=by, state=state) == start + 12
    assert counted(path, by=by) == 60


def test_the_first_two_labels_are_those_that_were_written_first(tmp_path):
    path = tmp_path / "labels.db"
    fill(path, "TEXT PRIMARY KEY", [("9", "1", "a", "x"), ("8", "1", "b", "x"), ("1", "1", "c", "y")])
    with watching(path) as watch:
        assert (watch.monitor.first_two().agree, watch.monitor.first_two().items) == (1, 1)


def test_equal_rows_of_a_table_are_as_many_as_there_are(tmp_path):
    path, state = tmp_path / "labels.db", tmp_path / "s"
    for total in range(3, 13, 3):
        fill(path, "INTEGER", [(1, "1", "a", "x")] * 3)
        assert counted(path, duplicates="keep", state=state, by="id") == total


@pytest.mark.parametrize("block", [4, 20_000])
def test_a_view_and_a_table_without_row_numbers_are_followed(tmp_path, block, monkeypatch):
    monkeypatch.setattr(databases, "BLOCK", block)
    path = tmp_path / "labels.db"
    run(
        path,
        "CREATE TABLE t (id TEXT PRIMARY KEY, item, annotator, value) WITHOUT ROWID",
        "CREATE VIEW v AS SELECT * FROM t",
    )
    for table in ("t", "v"):
        assert counted(path, table=table, state=tmp_path / table) == 0
    for start in (0, 9, 18):
        run(path, *(f"INSERT INTO t VALUES ('{n}', {n}, 'a', 'x')" for n in range(start, start + 9)))
        for table in ("t", "v"):
            assert counted(path, table=table, state=tmp_path / table) == start + 9


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE labels SET value = 'y' WHERE id = 4",
        "DELETE FROM labels WHERE id = 4",
        "DELETE FROM labels WHERE id = 20",
        "UPDATE labels SET annotator = 'c' WHERE id = 11",
    ],
)
def test_rows_that_are_changed_or_deleted_later_are_noticed(tmp_path, change):
    path, state = tmp_path / "labels.db", tmp_path / "s"
    table = [(n, str(n // 2), "ab"[n % 2], "x") for n in range(1, 21)]
    fill(path, "INTEGER PRIMARY KEY", table)
    assert counted(path, state=state) == 20
    before = state.read_bytes()
    run(path, change, "INSERT INTO labels VALUES (30, 'new', 'a', 'x')")
    for _ in range(2):
        with pytest.raises(DataError, match=r"1 of the 2[01] rows that were counted are no longer there as they were"):
            counted(path, state=state)
    there = 20 if change.startswith("DELETE") else 21
    other = tmp_path / "other"
    other.write_bytes(before)
    assert counted(path, state=state, changed="recount") == there
    assert counted(path, state=state) == there
    assert counted(path, state=other, changed="add", duplicates="last") == (22 if "'c'" in change else 21)


def test_a_changed_row_among_the_last_is_not_taken_for_a_repeated_label(tmp_path):
    path, state = tmp_path / "labels.db", tmp_path / "s"
    fill(path, "INTEGER PRIMARY KEY", [(n, str(n), "a", "x") for n in range(9)])
    for by in ("id", None):
        assert counted(path, state=state, by=by, changed="recount") == 9
        run(path, f"UPDATE labels SET value = '{by}' WHERE id = 8")
        with pytest.raises(DataError, match="1 of the 9 rows"):
            counted(path, state=state, by=by)


def test_while_it_runs_a_changed_row_is_noticed_too(tmp_path):
    path = tmp_path / "labels.db"
    fill(path, "INTEGER PRIMARY KEY", [(n, str(n), "a", "x") for n in range(9)])
    with watching(path, patient=True) as watch:
        run(path, "UPDATE labels SET value = 'y' WHERE id = 3")
        watch.source._compared.never = True  # comparing waits for its share of the time otherwise
        with pytest.raises(DataError, match="1 of the 9 rows"):
            watch.step()


def test_a_database_that_is_moved_into_place_is_the_one_that_is_read(tmp_path):
    path, other = tmp_path / "labels.db", tmp_path / "other.db"
    fill(path, "INTEGER PRIMARY KEY", [(n, str(n), "a", "x") for n in range(9)])
    fill(other, "INTEGER PRIMARY KEY", [(n, str(n), "a", "x") for n in range(12)])
    with watching(path, patient=True) as watch:
        other.replace(path)
        watch.step()
        assert len(watch.monitor) == 12


def test_numbers_that_are_given_out_anew_change_nothing(tmp_path):
    path, state = tmp_path / "labels.db", tmp_path / "s"
    run(path, "CREATE TABLE labels (item, annotator, value)", "CREATE TABLE junk (x)")
    run(path, *(f"INSERT INTO labels VALUES ({n}, 'a', 'x')" for n in range(30)))
    run(path, "DELETE FROM labels WHERE item < 20")
    assert counted(path, table="labels", state=state) == 10
    run(path, "VACUUM", *(f"INSERT INTO labels VALUES ({n}, 'b', 'x')" for n in range(5)))
    assert counted(path, table="labels", state=state) == 15


# CSV and JSON lines


@pytest.mark.parametrize("at", [1, 10, 997, 999])
@pytest.mark.parametrize("cell", ['"x', 'x"', 'a 5" pipe', '"', '"x"y'])
def test_a_literal_quote_swallows_nothing(tmp_path, cell, at):
    path = tmp_path / "labels.csv"
    path.write_text(HEADER + "".join([*rows(range(at)), f"q,a,{cell}\n", *rows(range(at, 999))]), encoding="utf-8")
    for state in (None, tmp_path / "s"):
        if cell in {'"x', '"'} and at == 999 and state is not None:  # the cell may go on, and somebody comes back
            with watching(path, state=state) as watch:
                assert len(watch.monitor) == 999
                said = live.data(watch, watch.monitor.standing(), 0)["policy"]
            assert "line 1,001: a quote opens a cell and is not closed yet" in said
        elif cell.startswith('"'):
            with pytest.raises(FormatError, match=f"line {at + 2:,}: .*quote"):
                counted(path, state=state)
        else:
            assert counted(path, state=state) == 1000


def test_two_literal_quotes_swallow_nothing_either(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(HEADER + 'q,a,"x\n' + "".join(rows(range(9))) + 'q,b,x"\n', encoding="utf-8")
    with pytest.raises(
        FormatError, match="line 2: a cell in quotes runs over 11 lines, and those in it look like rows"
    ):
        counted(path)
    path.write_text(HEADER + 'q,a,"x\n1,a,x\ny"\n', encoding="utf-8")  # may be what is meant, and is said
    with watching(path) as watch:
        assert len(watch.monitor) == 1
        assert any("those in it look like rows" in remark for remark in watch.source.remarks)


def test_a_quote_that_stays_open_stops_it_and_one_that_is_closed_does_not(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(HEADER + '1,a,x\n1,b,"two\n', encoding="utf-8")
    with watching(path, patient=True) as watch:
        assert len(watch.monitor) == 1
        assert "line 3: a quote opens a cell and is not closed yet and waits" in watch.source.waiting()
        append(path, 'lines"\n2,a,"and so\n3,b,z\n')
        watch.step()
        assert len(watch.monitor) == 2
        assert any("line 5" in remark and "1 lines" in remark for remark in watch.source.remarks)
        with pytest.raises(FormatError, match="line 5: a quote opens a cell and is not closed"):
            watch.step()
        append(path, 'on"\n')
        watch.step()
        assert len(watch.monitor) == 3


def test_an_open_quote_is_looked_for_once_however_long_the_file(monkeypatch):
    text = (HEADER + 'q,a,"x\n' + "".join(rows(range(40_000)))).encode()
    given = 0
    usual = lines.io.StringIO

    class Counting(usual):
        def __next__(self) -> str:
            nonlocal given
            line = super().__next__()
            given += len(line)
            return line

    monkeypatch.setattr(lines.io, "StringIO", Counting)
    with pytest.raises(FormatError, match="line 2: a cell has more than 131,072 characters in"):
        RowStream("labels.csv").take(text)
    assert given < 2 * lines.LONGEST


def test_lines_that_end_with_a_carriage_return_alone_are_rows(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_bytes((HEADER + "".join(rows(range(9)))).replace("\n", "\r").encode())
    assert counted(path) == 9
    assert counted(path, state=tmp_path / "s") == 9


@pytest.mark.parametrize("blank", ["\n", "\r\n\r\n", " \n"])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_blank_lines_are_passed_over(tmp_path, blank, form):
    path = tmp_path / f"labels.{form}"
    path.write_bytes(blank.encode())
    with watching(path, patient=True) as watch:
        assert watch.source.waiting() == ""
        append(path, (HEADER + blank + "1,a,x\n") if form == "csv" else f'["1", "a", "x"]\n{blank}')
        watch.step()
        assert len(watch.monitor) == 1


def test_a_pipe_with_a_name_is_followed_to_its_end(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text(HEADER + "".join(rows(range(9))), encoding="utf-8"))
    writer.start()
    with watching(path, patient=True) as watch:
        while not watch.source.ended:
            watch.step()
        assert len(watch.monitor) == 9
    writer.join()


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(DataError, match="is a folder; watch one file that grows"):
        counted(tmp_path)


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,value,value\n1,a,x,y\n", encoding="utf-8")
    with pytest.raises(DataError, match="several columns 'value'"):
        counted(path)


# Files that are rewritten, cut, rotated


def changes(rng: np.random.Generator, path: Path, text: list[str], new: list[str]) -> list[str]:
    """Do something to a file that keeps all its rows; what it holds then."""
    kind = rng.integers(5)
    if kind == 0:
        append(path, "".join(new))
        return [*text, *new]
    place = int(rng.integers(len(text) + 1))
    if kind == 1:
        place = len(text)
    held = [*text[:place], *new, *text[place:]]
    if kind == 4:
        rng.shuffle(held)
    if kind == 3:
        path.write_text(HEADER + "".join(held), encoding="utf-8")
    else:
        put(path, HEADER + "".join(held))
    return held


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_a_file_that_is_rewritten_with_all_its_rows_is_counted_exactly(tmp_path, seed, restarted):
    rng = np.random.default_rng(seed)
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    text = rows(range(60))
    path.write_text(HEADER + "".join(text), encoding="utf-8")
    watch = Watch(open_source(str(path)), state=state)
    for turn in range(12):
        watch.step()
        watch.save()
        assert len(watch.monitor) == len(text), turn
        text = changes(rng, path, text, rows(range(60 + turn * 10, 70 + turn * 10)))
        if restarted:
            watch.close()
            watch = Watch(open_source(str(path)), state=state)
        watch.source.patient = False  # so that each look compares
    watch.step()
    assert len(watch.monitor) == len(text)
    watch.close()


@pytest.mark.parametrize("how", ["in place", "by rename"])
@pytest.mark.parametrize("what", ["a value", "a row less", "another file with the same first lines"])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_was_counted_and_is_gone_stops_it(tmp_path, how, what, form):
    path, state = tmp_path / f"labels.{form}", tmp_path / "s"
    text = rows(range(700))
    if form == "jsonl":
        text = ['["{}", "{}", "{}"]\n'.format(*row.strip().split(",")) for row in text]
    header = HEADER if form == "csv" else ""
    path.write_text(header + "".join(text), encoding="utf-8")
    assert counted(path, state=state) == 700
    other = [*text]
    if what == "a value":
        other[400] = other[400].replace("x", "y")
    elif what == "a row less":
        del other[400]
    else:
        other[100:] = [row.replace("x", "z") for row in text[100:]]
    other += ["9999,a,x\n" if form == "csv" else '["9999", "a", "x"]\n'] * 1
    content = header + "".join(other)
    path.write_text(content, encoding="utf-8") if how == "in place" else put(path, content)
    gone = 600 if what.startswith("another") else 1
    with pytest.raises(DataError, match=f"{gone} of the 700 labels that were counted are not in it"):
        counted(path, state=state)
    assert counted(path, state=state, changed="recount") == len(other)
    assert counted(path, state=state) == len(other)


def test_a_file_that_is_just_being_rewritten_is_left_alone_for_a_moment(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(HEADER + "".join(rows(range(20))), encoding="utf-8")
    with watching(path, patient=True) as watch:
        path.write_text(HEADER + "0,a,", encoding="utf-8")
        assert watch.step() == 0
        assert len(watch.monitor) == 20
        path.write_text(HEADER + "".join(rows(range(30))), encoding="utf-8")
        watch.step()
        assert len(watch.monitor) == 30
        path.write_text(HEADER, encoding="utf-8")
        assert watch.step() == 0
        with pytest.raises(DataError, match="is shorter than what was read of it, and 30 of the 30"):
            watch.step()
        assert len(watch.monitor) == 30


@pytest.mark.parametrize("restarted", [False, True])
def test_a_rotated_file_is_read_to_its_end(tmp_path, restarted):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER + "".join(rows(range(10))), encoding="utf-8")
    watch = Watch(open_source(str(path)), state=state)
    watch.step()
    watch.save()
    append(path, "".join(rows(range(10, 15))))
    path.rename(tmp_path / "labels.1.csv")
    if not restarted:
        assert watch.step() == 0
        assert any("does not exist at the moment" in remark for remark in watch.source.remarks)
    append(tmp_path / "labels.1.csv", "".join(rows(range(15, 20))).rstrip("\n"))
    path.write_text(HEADER + "".join(rows(range(20, 30))), encoding="utf-8")
    if restarted:
        watch.close()
        watch = Watch(open_source(str(path)), state=state, patient=False)
    watch.step()
    assert len(watch.monitor) == 30
    watch.save()
    watch.close()
    assert counted(path, state=state) == 30


def test_a_file_that_was_rotated_after_its_header_was_read_is_read_to_its_end(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER, encoding="utf-8")
    assert counted(path, state=state) == 0
    append(path, "".join(rows(range(10))))
    path.rename(tmp_path / "labels.1.csv")
    path.write_text(HEADER + "".join(rows(range(10, 15))), encoding="utf-8")
    assert counted(path, state=state) == 15


def test_files_that_were_rotated_within_one_tick_of_the_clock_are_told_apart(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    for number in range(4):
        path.write_text(HEADER + "".join(rows(range(number * 10, number * 10 + 10))), encoding="utf-8")
        os.utime(path, (1e9, 1e9))
        assert counted(path, state=state) == 10 * number + 10
        path.rename(tmp_path / f"labels.{number}.csv")


def test_a_file_that_was_rotated_twice_unseen_stops_it(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER + "".join(rows(range(10))), encoding="utf-8")
    assert counted(path, state=state) == 10
    path.rename(tmp_path / "labels.2.csv")
    (tmp_path / "labels.1.csv").write_text(HEADER + "".join(rows(range(10, 20))), encoding="utf-8")
    path.write_text(HEADER + "".join(rows(range(20, 30))), encoding="utf-8")
    with pytest.raises(DataError, match="10 of the 10 labels that were counted are not in it"):
        counted(path, state=state)


def test_a_backup_of_a_file_that_was_edited_is_not_a_rotation(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER + "".join(rows(range(10))), encoding="utf-8")
    assert counted(path, state=state, duplicates="keep") == 10
    path.rename(tmp_path / "labels.csv~")
    path.write_text(HEADER + "".join([*rows(range(8)), "9,z,x\n"]), encoding="utf-8")
    with pytest.raises(DataError, match="2 of the 10 labels"):
        counted(path, state=state, duplicates="keep")


def test_a_change_within_the_resolution_of_the_clock_is_noticed(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(HEADER + "".join(rows(range(10))), encoding="utf-8")
    with watching(path) as watch:
        when = path.stat().st_mtime_ns
        path.write_text(HEADER + "".join(rows(range(10), "y")), encoding="utf-8")
        os.utime(path, ns=(when, when))
        with pytest.raises(DataError, match="10 of the 10 labels"):
            watch.step()


def test_comparing_takes_a_small_part_of_the_time(tmp_path, monkeypatch):
    path = tmp_path / "labels.csv"
    path.write_text(HEADER, encoding="utf-8")
    now, compared = 0.0, 0

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now

    usual = files.File._begins

    def begins(self: files.File, stream: Any) -> bool:
        nonlocal now, compared
        compared += 1
        now += 1.0  # a second each
        return usual(self, stream)

    for module in (files, databases):
        monkeypatch.setattr(module.time, "monotonic", Clock.monotonic)
    monkeypatch.setattr(files.File, "_begins", begins)
    with watching(path, patient=True) as watch:
        for number in range(100):
            append(path, f"{number},a,x\n")
            watch.step()
            now += 1.0
        assert len(watch.monitor) == 100
    assert 4 <= compared <= 6


def test_a_state_of_an_earlier_version_is_counted_anew(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER + "".join(rows(range(10))), encoding="utf-8")
    with watching(path, state=state) as watch:
        place = watch.source.place()
        place["head"] = [1, "x"]
        del place["mark"], place["file"]
        watch.source.place = lambda: place
        watch._unsaved = True
        watch.save()
    append(path, "".join(rows(range(10, 15))))
    with watching(path, state=state) as watch:
        assert len(watch.monitor) == 15
        assert any("earlier version" in remark for remark in watch.source.remarks)


# States


def test_two_watches_on_one_state_exclude_each_other(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER + "1,a,x\n", encoding="utf-8")
    (tmp_path / "link").symlink_to(state)
    with watching(path, state=state):
        for name in ("s", "link"):
            with pytest.raises(DataError, match=rf"in use by another watch \(process {os.getpid()}\)"):
                Watch(open_source(str(path)), state=tmp_path / name)
    assert counted(path, state=tmp_path / "link") == 1
    assert (tmp_path / "link").is_symlink()
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_after_an_error_the_state_is_free_again(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER + "1,a,x\n", encoding="utf-8")
    state.write_bytes(b"nothing")
    for _ in range(2):
        with pytest.raises(FormatError, match="not the state of a monitor"):
            Watch(open_source(str(path)), state=state)
    gc.collect()


def test_a_step_that_failed_is_not_saved_as_if_it_had_not(tmp_path):
    path, state = tmp_path / "labels.csv", tmp_path / "s"
    path.write_text(HEADER + "1,a,x\n", encoding="utf-8")
    watch = Watch(open_source(str(path)), state=state)
    watch.step()
    append(path, "2,a,x\n1,a,y\n")
    with pytest.raises(DataError, match="labelled item"):
        watch.step()
    watch.save()
    watch.close()
    assert counted(path, state=state, duplicates="last") == 2


# What is shown


@pytest.mark.parametrize("label", ["[/x]", "[bold]", "[red]no[/red]", "\x1b[2J", "a\nb", "\x9b31m", "\r", "\u202e"])
def test_labels_are_shown_literally_while_it_runs(tmp_path, label):
    from rich.console import Console

    path = tmp_path / "labels.jsonl"
    named = [[str(n), who, "x", label] for n in range(40) for who in (label, "b")]
    path.write_text("".join(files_json(row) for row in named), encoding="utf-8")
    with watching(path) as watch:
        console = Console(width=200, force_terminal=True, color_system=None, legacy_windows=False)
        with console.capture() as captured:
            console.print(live.drawn(watch, watch.monitor.standing()))
    text = captured.get()
    spelled = label if label.isprintable() else label.encode("unicode_escape").decode()
    assert spelled in text
    if not label.isprintable():
        assert label not in text or label == "\n"


def files_json(row: list[str]) -> str:
    import json

    return json.dumps(dict(zip(("item", "annotator", "value", "batch"), row, strict=True))) + "\n"


def test_a_row_is_known_by_all_of_its_cells():
    known = np.sort(np.array([3, 3, 5, 9], dtype=np.uint64))
    found = np.array([5, 3, 3, 3, 7], dtype=np.uint64)
    is_new, left = databases._matched(found, known)
    assert Counter(found[is_new].tolist()) == Counter([3, 7])
    assert left.tolist() == [9]


def test_a_signal_that_comes_while_it_waits_for_one_stops_it() -> None:
    """With an event of threading, a handler that runs inside the wait itself waited for ever."""
    stop = live.Stop()
    before = signal.signal(signal.SIGALRM, lambda *_: stop.set())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        stop.wait(60)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert stop.is_set()
    stop.wait(60)  # at once
