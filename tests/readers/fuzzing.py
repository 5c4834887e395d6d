"""Readers on damaged files, in a process of their own: an answer or an error of ours, and nothing else.

`outcomes` starts a child, which reads one mutant after the other and says of each how it went.  A child that is killed
(by a segmentation fault, or for memory) or takes too long is noticed by what it had begun, and another one goes on
behind that mutant.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from readers.mutating import mutant
from readers.samples import OPTIONS, sample

MEMORY = 4 << 30  # bytes that a child may have
SECONDS = 10  # of processor time that one file may take


class Mutant(NamedTuple):
    """A damaged sample: of a reader, by the name of the file and the seed of the damage.

    A seed below zero cuts the file off after so many thousandths of it; zero leaves it as it is.
    """

    reader: str
    name: str
    seed: int


class Outcome(NamedTuple):
    """How reading went: "read", "refused", "foreign" or "died", with what was read or the message."""

    mutant: Mutant
    how: str
    message: str


def outcomes(mutants: Iterable[Mutant]) -> Iterator[Outcome]:
    """How each mutant was read."""
    waiting = list(mutants)
    while waiting:
        done = 0
        for outcome in _batch(waiting):
            yield outcome
            done += 1
        waiting = waiting[done:]


def _batch(mutants: list[Mutant]) -> Iterator[Outcome]:
    """The outcomes of one child, up to the mutant that it died of."""
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryDirectory() as folder:
        plan = Path(folder, "mutants.json")
        plan.write_text(json.dumps(mutants))
        child = subprocess.Popen(
            [sys.executable, "-m", "readers.fuzzing", str(plan)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "error"},
        )
        assert child.stdout is not None
        at = 0
        with child.stdout:
            for line in child.stdout:
                how, message = json.loads(line)
                yield Outcome(mutants[at], how, message)
                at += 1
        if child.wait() != 0 or at < len(mutants):
            errors.seek(0)
            last = errors.read()[-3000:].decode("utf-8", "replace")
            yield Outcome(mutants[at], "died", f"exit code {child.returncode}: {last}")


def _damaged(content: bytes, seed: int) -> bytes:
    if seed <= 0:
        return content[: len(content) * -seed // 1000] if seed else content
    return mutant(content, seed)


def main(plan: Path) -> None:
    """Read the mutants of a plan, and print a line for each."""
    from interagree.plugins import READERS

    faulthandler.enable()
    for name in READERS:
        READERS[name]  # imported now, so that no file is charged for it
    with tempfile.TemporaryDirectory() as folder:
        for reader, name, seed in json.loads(plan.read_text()):
            path = Path(folder, name)
            path.write_bytes(_damaged(sample(reader, name), seed))
            sys.stdout.write(json.dumps(_outcome(path, OPTIONS.get(reader, {}).get(name, {}))) + "\n")
            sys.stdout.flush()


def _outcome(path: Path, options: dict[str, str]) -> tuple[str, str]:
    from interagree import read
    from interagree.errors import InteragreeError

    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime) + SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
    try:
        study = read(path, **options)
        content = {name: sorted(map(repr, question.rows())) for name, question in study.items()}
        study.policy()
    except InteragreeError as error:
        return "refused", str(error)
    except BaseException as error:  # noqa: BLE001 -- panics of Rust are not exceptions
        return "foreign", f"{type(error).__name__}: {error}\n{''.join(traceback.format_tb(error.__traceback__)[-4:])}"
    return "read", hashlib.sha256(repr(sorted(content.items())).encode("utf-8", "surrogatepass")).hexdigest()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    main(Path(sys.argv[1]))
