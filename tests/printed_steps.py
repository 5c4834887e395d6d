"""Commands as they are printed: taken out of an output, and run as a person would paste them."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

from click.testing import CliRunner

from interagree.cli import main

ON_A_LINE = re.compile(r"^\s*(?:\d+\.\s+|\$\s+)?(interagree [a-z]+(?: .*)?)$", re.MULTILINE)
IN_A_SENTENCE = re.compile(r"(?:run|as in|with):? (interagree [a-z]+ [^`\n]*)|`(interagree [a-z]+ [^`\n]*)`")
ABOUT_A_TERMINAL = {"watch", "completion"}  # commands that do not end, or are for a shell


class Step(NamedTuple):
    """A command that was run, what it printed and what was printed with which it came."""

    line: str
    code: int
    output: str
    error: str
    parent: str | None


def printed(text: str) -> list[str]:
    """The commands that an output holds."""
    lines = [*ON_A_LINE.findall(text), *("".join(found) for found in IN_A_SENTENCE.findall(text))]
    return [line.strip().rstrip(".") for line in dict.fromkeys(lines)]


def run(line: str, parent: str | None = None) -> Step:
    """Run a command of this folder in this process."""
    words = shlex.split(line)
    result = CliRunner().invoke(main, words[1:], env={"COLUMNS": "100"})
    crashed = result.exception is not None and not isinstance(result.exception, SystemExit)
    return Step(
        line, 70 if crashed else result.exit_code, result.stdout, result.stderr or repr(result.exception), parent
    )


def walk(first: str, depth: int = 2, most: int = 12) -> list[Step]:
    """A command, the commands that it prints, and those that these print."""
    waiting: list[tuple[str, str | None, int]] = [(first, None, 0)]
    done: dict[str, Step] = {}
    while waiting and len(done) < most:
        line, parent, level = waiting.pop(0)
        if line in done or line.split()[1] in ABOUT_A_TERMINAL:
            continue
        step = done[line] = run(line, parent)
        if level < depth:
            waiting += [(other, line, level + 1) for other in printed(f"{step.output}\n{step.error}")]
    return [*done.values()]
