"""Killed, without room on the disk, cut off, and with its source rewritten under it, `watch` loses and doubles nothing.

What happens, and between which two calls of functions, is drawn at random from seeds; `faults` does it.
"""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia

pytest.importorskip("resource", reason="processes are forked and limited as on Unix")
from monitor import faults

KINDS = ("csv", "jsonl", "rewritten csv", "rewritten jsonl", "rotated csv", "rotated jsonl", "sqlite", "sqlite text")
HANG = 300  # seconds after which a process that does not answer hangs

Do = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def do() -> Iterator[Do]:
    """Have a job done by a process that forks."""
    process = subprocess.Popen(
        [sys.executable, faults.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )

    def call(**job: Any) -> dict[str, Any]:
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert "crashed" not in answer, answer["crashed"]
        return answer

    yield call
    process.stdin.close()
    process.wait(timeout=HANG)
    process.stdout.close()


def labels(state: Path) -> Counter[Any]:
    """The labels that a state holds."""
    return Counter(ia.Monitor.load(state).study().rows()) if state.exists() else Counter()


def check(folder: Path, writer: faults.Writer) -> None:
    """A state is whole at any moment, and holds nothing that was not written and nothing twice."""
    found = labels(folder / "state")
    known = Counter(faults.label(number) for number in range(writer._next()))
    assert found <= known


def in_the_end(do: Do, folder: Path, kind: str, writer: faults.Writer) -> None:
    """Without faults, everything that is in the source is counted, exactly."""
    writer.end_of_line()
    answer = do(kind=kind, folder=str(folder), seed=0, writes=[], looks=2, patient=False)
    assert "stopped" not in answer, answer
    assert labels(folder / "state") == Counter(writer.written())
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def moments(
    do: Do, folder: Path, kind: str, count: int, fault: Callable[[np.random.Generator, int], Any], *, seed: int = 0
) -> None:
    """Meet a fault so many times, and then none."""
    rng = np.random.default_rng([seed, count, *kind.encode()])
    writer = faults.Writer(kind, folder, rng)
    writer.begin()
    calls = 3000  # that a run takes, or so
    met = 0
    for number in range(count):
        writes = sorted(rng.integers(1, calls, rng.integers(0, 5)).tolist())
        job = fault(rng, calls)
        answer = do(kind=kind, folder=str(folder), seed=number, writes=writes, looks=3, patient=True, **job)
        assert answer["signal"] in {0, signal.SIGKILL}
        if "stopped" in answer:
            assert "cannot be written" in answer["stopped"] or "cannot be read: disk" in answer["stopped"], answer
        met += answer["signal"] == signal.SIGKILL or "stopped" in answer or bool(answer.get("said"))
        calls = max(calls // 2, answer.get("calls", calls))
        check(folder, writer)
        if number % 10 == 9:
            in_the_end(do, folder, kind, writer)
    in_the_end(do, folder, kind, writer)
    assert met


def killed(rng: np.random.Generator, calls: int) -> dict[str, Any]:
    return {"kill": [int(rng.integers(1, calls))]}


def no_room(rng: np.random.Generator, calls: int) -> dict[str, Any]:
    return {"full": int(rng.integers(1, 5))} if rng.random() < 0.5 else {"largest": int(2 ** rng.uniform(0, 13))}


def cut_off(rng: np.random.Generator, calls: int) -> dict[str, Any]:
    # The first answer must come, or there is nothing to wait for yet.
    return {"lost": rng.integers(3, 40, 4).tolist()}


@pytest.mark.parametrize("kind", KINDS)
def test_killed_at_any_moment_it_loses_and_doubles_nothing(do, tmp_path, kind):
    moments(do, tmp_path, kind, 12, killed)


@pytest.mark.parametrize("kind", ["csv", "sqlite text"])
def test_without_room_on_the_disk_the_state_of_before_stays(do, tmp_path, kind):
    moments(do, tmp_path, kind, 12, no_room)


@pytest.mark.parametrize("kind", ["sqlite", "sqlite text"])
def test_cut_off_from_a_database_it_goes_on_where_it_was(do, tmp_path, kind):
    moments(do, tmp_path, kind, 12, cut_off)


@pytest.mark.slow
@pytest.mark.parametrize("fault", [killed, no_room, cut_off], ids=["killed", "no room", "cut off"])
@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_moments_of_each_fault(do, tmp_path, kind, fault):
    if fault is cut_off and not kind.startswith("sqlite"):
        pytest.skip("a file cannot be cut off")
    for part in range(8):
        (tmp_path / f"{part}").mkdir()
        moments(do, tmp_path / f"{part}", kind, 25, fault, seed=part)
