"""A bound on memory, from Python, the environment, an option or a file: what would go over it is refused first."""

from __future__ import annotations

import contextlib
import gzip
import math
import re
import sqlite3
import tracemalloc

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import need

import interagree as ia
from interagree.cli import main
from interagree.cli.registry import commands
from interagree.data import memory
from interagree.errors import FormatError, OptionError, TooLarge

NO_READING = {"completion", "list"}


@pytest.fixture(autouse=True)
def no_bound(monkeypatch):
    monkeypatch.delenv(memory.VARIABLE, raising=False)


def wide_values(count: int) -> ia.Annotations:
    code = np.arange(count, dtype=np.int32)
    item, annotator = np.divmod(np.arange(2 * count, dtype=np.int32), 2)
    names = [f"v{number}" for number in range(count)]
    return ia.Annotations.from_codes(item, annotator, np.repeat(code, 2), range(count), ("a", "b"), names)


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A folder with a table of some megabytes, plain and packed."""
    monkeypatch.chdir(tmp_path)
    text = "item,annotator,value\n" + "".join(f"{i},{a},{'xyz'[i % 3]}\n" for i in range(100_000) for a in "ab")
    (tmp_path / "large.csv").write_text(text)
    (tmp_path / "large.csv.gz").write_bytes(gzip.compress(text.encode() * 9, 1))
    (tmp_path / "small.csv").write_text(text[:200].rpartition("\n")[0])
    return tmp_path


@pytest.mark.parametrize(
    ("size", "bytes_"),
    [
        ("500MB", 500e6),
        ("4GB", 4e9),
        ("4 gb", 4e9),
        ("4G", 4e9),
        ("2GiB", 2 * 2**30),
        ("1.5GB", 1.5e9),
        ("1TB", 1e12),
        ("2000000", 2e6),
        (3_000_000, 3e6),
        (4e9, 4e9),
    ],
)
def test_sizes_are_written_as_people_write_them(size, bytes_):
    assert memory.in_bytes(size) == bytes_


@pytest.mark.parametrize(
    "size", ["", "4", "GB", "4XB", "-4GB", "4GB of it", "nan", 0, -1, math.nan, math.inf, True, 10**400]
)
def test_another_size_is_refused_when_it_is_said(size):
    with pytest.raises(
        OptionError, match=r"size= takes a size of memory from 1MB up, such as '500MB', '4GB' or '2GiB', not"
    ):
        ia.memory_limit(size)


def test_what_is_over_the_bound_is_refused_and_the_advice_runs():
    study = wide_values(2000)
    held = memory._held_now()  # the bound is on the whole process
    with ia.memory_limit(held + 100e6), pytest.raises(TooLarge) as caught:
        ia.confusion(study)
    said = str(caught.value)
    assert re.search(
        r"a table of 2,000 × 2,000 values would need about 240 MB of memory, and [\d.]+ MB are left of the ", said
    )
    more = re.search(r"; or allow more: memory_limit\('([\d.]+GB)'\)$", said)
    with ia.memory_limit(more[1]):
        assert len(ia.confusion(study)) >= 2000
    assert memory.allowed() is None


def test_a_bound_in_the_environment_holds_unless_another_is_given(monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "1MB")
    with pytest.raises(TooLarge, match="that INTERAGREE_MEMORY=1MB allows"):
        ia.confusion(wide_values(500))
    with ia.memory_limit("100GB"):
        assert len(ia.confusion(wide_values(500))) >= 500
    monkeypatch.setenv(memory.VARIABLE, "lots")
    with pytest.raises(OptionError, match=r"INTERAGREE_MEMORY takes a size of memory .* not 'lots'"):
        ia.confusion(wide_values(500))


@pytest.mark.parametrize("file", ["large.csv", "large.csv.gz"])
def test_a_table_over_the_bound_is_not_read(large, file):
    bound = memory._held_now() + 10e6
    with ia.memory_limit(bound), pytest.raises(TooLarge, match=rf"reading .*{file}, which holds .* would need about "):
        ia.read(large / file)


def run(*words: str, **variables: str):
    return CliRunner().invoke(main, words, env={memory.VARIABLE: None, **variables})


def test_every_command_that_reads_or_computes_takes_the_bound():
    for name in commands():
        taken = {param.name for param in main.get_command(None, name).params}
        assert ("memory" in taken) == (name not in NO_READING), name


@pytest.mark.parametrize("place", ["option", "variable", "file"])
def test_the_command_line_takes_it_from_an_option_a_variable_or_a_file(large, place):
    words, variables = ["measure", "large.csv"], {}
    if place == "option":
        words += ["--memory", "2MB"]
    elif place == "variable":
        variables = {memory.VARIABLE: "2MB"}
    else:
        (large / "interagree.toml").write_text('memory = "2MB"\n')
    result = run(*words, **variables)
    assert result.exit_code == 71, result.output
    assert "reading large.csv, which holds " in result.output
    assert "of the 2 MB that --memory 2MB allows" in result.output
    assert re.search(r"or allow more: --memory [\d.]+GB", result.output)
    assert run("measure", "large.csv", "--memory", "100GB").exit_code == 0
    assert memory.allowed() is None


def test_a_wrong_size_is_wrong_use_and_says_where_it_comes_from(large):
    result = run("measure", "small.csv", "--memory", "4")
    assert result.exit_code == 2
    assert "'--memory': it takes a size of memory from 1MB up" in result.output
    (large / "interagree.toml").write_text("memory = 4\n")
    result = run("measure", "small.csv")
    assert result.exit_code == 2
    assert "not '4'. It comes from interagree.toml." in result.output


def one_item(people: int) -> ia.Annotations:
    code = np.arange(people, dtype=np.int32)
    who = [f"w{number}" for number in range(people)]
    return ia.Annotations.from_codes(np.zeros(people, dtype=np.int32), code, code % 3, ["post"], who, "xyz")


@pytest.mark.parametrize("call", [ia.annotators, ia.report, ia.disagreements, ia.consensus])
def test_many_annotators_of_one_item_are_counted_and_not_paired(call):
    study = one_item(20_000)  # 200 million pairs
    str(call(one_item(50)))  # what is loaded for it
    tracemalloc.start()
    try:
        assert str(call(study))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100e6


@pytest.mark.parametrize(
    ("call", "values"),
    [
        (lambda study: ia.alpha(study).by_pair(), 3),
        (lambda study: ia.alpha(study, distance="text_dice"), 20_000),
        (ia.measures.auc, 3),
        (ia.conger_kappa, 20_000),
        (ia.measures.light_kappa, 3),
    ],
)
def test_what_needs_every_pair_of_annotators_is_refused_first(call, values):
    study = one_item(20_000)
    labels = [f"label {number}" for number in range(values)]
    study = ia.Annotations.from_codes(
        study.item, study.annotator, study.annotator % values, ["p"], study.annotators, labels
    )
    with pytest.raises(TooLarge, match="would need about"), ia.memory_limit(memory._held_now() + 200e6):
        call(study)


ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS item, 'a' AS annotator, {} AS label"
)


@pytest.mark.parametrize("cell", ["i % 3", "hex(zeroblob(2000000))", "hex(zeroblob(200000000))"])
def test_a_query_without_an_end_is_ended(cell, tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "labels.db")) as connection:
        connection.execute("CREATE TABLE labels (item, annotator, label)")
    before = memory._held_now()
    with pytest.raises((TooLarge, FormatError), match=r"labels\.db"), ia.memory_limit(before + 100e6):
        ia.read(tmp_path / "labels.db", query=f"{ENDLESS.format(cell)} FROM n")
    assert memory._held_now() - before < 300e6


def test_rows_of_a_database_are_counted_before_they_are_fetched():
    pl = need("polars")
    frame = pl.LazyFrame({"item": np.arange(400_000) // 2, "annotator": ["a", "b"] * 200_000, "value": ["x"] * 400_000})
    scan = ia.scan(frame)
    assert ia.alpha(scan).n.items == 200_000
    words = r"400,000 rows of polars would need about 100 MB .*; take a sample of the items"
    with pytest.raises(TooLarge, match=words), ia.memory_limit(memory._held_now() + 20e6):
        scan.collect()


@pytest.mark.parametrize("call", [ia.annotators, ia.disagreements, ia.measures.ks, ia.crowd.majority_vote])
def test_what_fetches_rows_asks_for_the_memory_that_working_on_them_takes(call):
    pl = need("polars")
    frame = pl.LazyFrame({"item": np.arange(400_000) // 2, "annotator": ["a", "b"] * 200_000, "value": ["x"] * 400_000})
    scan = ia.scan(frame)
    words = r"400,000 rows of polars would need about 220 MB .*counted in place, such as alpha"
    with pytest.raises(TooLarge, match=words), ia.memory_limit(memory._held_now() + 100e6):
        call(scan)
    assert scan.fetched is None


@pytest.mark.parametrize(
    ("call", "size"), [(ia.annotators, "70 MB"), (ia.disagreements, "40 MB"), (ia.people.wawa, "40 MB")]
)
def test_comparing_all_annotations_with_each_other_asks_for_memory_first(call, size):
    study = ia.Annotations.from_codes(
        np.arange(200_000) // 4, np.arange(200_000) % 4, np.arange(200_000) % 3, range(50_000), "abcd", "xyz"
    )
    words = f"of 200,000 annotations would need about {size}"
    with pytest.raises(TooLarge, match=words), ia.memory_limit(memory._held_now() + 20e6):
        call(study)


def test_patterns_that_do_not_fit_are_counted_before_they_are_fetched():
    pl, draw = need("polars"), np.random.default_rng(0)
    size = 400_000
    frame = pl.LazyFrame(
        {"item": np.arange(size) // 20, "annotator": np.arange(size) % 20, "value": draw.integers(0, 40, size)}
    )
    with (
        pytest.raises(TooLarge, match="20,000 different items with 40 values"),
        ia.memory_limit(memory._held_now() + 2e6),
    ):
        ia.alpha(ia.scan(frame))


@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({"memory.max": "1000", "memory.current": "900", "memory.stat": "anon 500\ninactive_file 300\n"}, 400),
        ({"memory.max": "max", "memory.current": "900", "memory.stat": "inactive_file 300\n"}, math.inf),
        (
            {
                "memory/memory.limit_in_bytes": "2000",
                "memory/memory.usage_in_bytes": "1500",
                "memory/memory.stat": "inactive_file 100\ntotal_inactive_file 100\n",
            },
            600,
        ),
        ({}, math.inf),
    ],
)
def test_containers_of_both_sorts_say_what_is_left(files, left, tmp_path):
    (tmp_path / "memory").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    assert memory._of_container(tmp_path) == left


def test_memory_is_known_where_there_is_no_proc(monkeypatch):
    told = {
        "vm_stat": "Mach Virtual Memory Statistics: (page size of 16384 bytes)\nPages free:      100.\n"
        "Pages active:    900.\nPages inactive:   50.\nPages speculative:  7.\n",
        "ps": "  2048\n",
    }
    monkeypatch.setattr(memory, "_said", lambda command, *_: told[command])
    monkeypatch.setattr(memory, "Path", lambda *_: Nowhere())
    assert memory._of_machine() == 16384 * 157
    assert memory._held_now() == 2048 * 1024
    told.update(vm_stat="", ps="")
    assert (memory._of_machine(), memory._held_now()) == (math.inf, 0.0)


def test_what_a_worker_reads_asks_for_memory_too(tmp_path):
    need("python_calamine")
    need("xlsxwriter")
    study = ia.Annotations.of([(f"a long name of item {n}", who, "xy"[n % 2]) for n in range(30_000) for who in "ab"])
    ia.write(study, tmp_path / "labels.xlsx")
    with ia.memory_limit(memory._held_now() + 400e6):
        assert len(ia.read(tmp_path / "labels.xlsx").single()) == 60_000
    with pytest.raises(TooLarge, match="would need about"), ia.memory_limit(memory._held_now() + 2e6):
        ia.read(tmp_path / "labels.xlsx")


class Nowhere:
    def read_text(self, **_):
        raise FileNotFoundError


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_a_system_without_its_programs_has_no_bound(system, monkeypatch):
    monkeypatch.setattr(memory, "Path", lambda *_: Nowhere())
    monkeypatch.setattr(memory.sys, "platform", system)
    monkeypatch.setenv("PATH", "")
    memory._said_then.cache_clear()
    assert (memory._of_machine(), memory._held_now()) == (math.inf, 0.0)
    memory._said_then.cache_clear()
