"""The code in README.md and docs/ runs and prints what the page says.

A ``python`` block is run, in one namespace for the whole page and in a folder with copies of docs/files.  A ``text``
block right after it is what it prints.  In a ``console`` block, lines that start with ``$`` are commands and the
lines after each are what it prints; a command that fails is followed by ``$ echo $?``.  A ``bash`` block is commands
alone.  A line ``...`` stands for any number of lines.  ``<!-- not run: reason -->`` before a block leaves it alone.
"""

import ast
import contextlib
import difflib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
MADE = "1763510400"  # the date of all reports on the pages
PAGES = sorted({*ROOT.glob("README.md"), *ROOT.glob("docs/**/*.md")})
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>```+) *(?P<language>[\w+-]*)(?P<more>.*)$")
VERSIONS = re.compile(r"\b(Python|NumPy|SciPy) \d[\w.]*")  # those of whoever runs the page
NOT_RUN = re.compile(r"<!-- not run:(?P<reason>.*)-->$")

SYNTAX = {"json": json.loads, "toml": tomllib.loads}
RUN = {"cat", "echo", "gzip", "head", "interagree", "ls", "printf", "python"}
NOT_OURS_TO_RUN = {"git", "pip"}
SAY_INSTEAD = {"": "text", "py": "python", "pycon": "python", "sh": "bash", "shell": "console"}


class Block(NamedTuple):
    """A fenced block: where it starts, what it holds, and the text between it and the block before."""

    line: int
    language: str
    text: str
    before: str


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, those in lists and tabs included."""
    between: list[str] = []
    lines = enumerate(page.splitlines(), start=1)
    for number, line in lines:
        opening = FENCE.match(line)
        if opening is None:
            between.append(line)
            continue
        indent, closing = len(opening["indent"]), opening["indent"] + opening["ticks"]
        inside = []
        for _, inner in lines:
            if inner.rstrip() == closing:
                break
            inside.append(inner[indent:])
        else:
            pytest.fail(f"line {number}: this block is never closed")
        yield Block(number, opening["language"], "\n".join(inside), "\n".join(between).strip())
        between = []


def check(page: str, name: str, folder: Path) -> None:
    """Run the blocks of a page in a folder, and fail at the first that does not do what the page says."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed: str | None = None  # by the python block just before, where there is one
    for block in blocks(page):
        where = f"{name}, line {block.line}"
        comment = NOT_RUN.search(block.before)
        if block.language in SAY_INSTEAD:
            pytest.fail(f"{where}: write ```{SAY_INSTEAD[block.language]}, not ```{block.language}")
        if comment:
            assert comment["reason"].strip(), f"{where}: say why this block is not run"
            printed = None
        elif block.language == "python":
            printed = run_python(block, name, namespace)
        elif block.language == "text":
            if printed is not None and not block.before:
                compare(printed, block.text, where)
            printed = None
        else:
            printed = None
            if block.language in {"console", "bash"}:
                run_commands(block, where, folder)
            elif block.language in SYNTAX:
                SYNTAX[block.language](block.text)


def run_python(block: Block, name: str, namespace: dict[str, Any]) -> str:
    """What a block prints."""
    tree = ast.increment_lineno(ast.parse(block.text, name), block.line)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(tree, name, "exec"), namespace)
    return out.getvalue()


def run_commands(block: Block, where: str, folder: Path) -> None:
    """Run the commands of a block one after the other; each sees in ``$?`` how the one before it ended."""
    steps = list(commands(block))
    status = 0
    for position, (command, shown) in enumerate(steps):
        first, *words = shlex.split(command, comments=True)
        if first == "make":
            unknown = {word for word in words if "=" not in word} - TARGETS
            assert not unknown, f"{where}: the Makefile has no target {', '.join(sorted(unknown))}"
        elif first not in NOT_OURS_TO_RUN:
            assert first in RUN, (
                f"{where}: {first} is not among the commands that are run; say why with <!-- not run: … -->"
            )
        printed, status = run_command(command, folder, status)
        if shown and printed is not None:
            compare(printed, shown, f"{where}: {command}")
        expected = [following for following, _ in steps[position + 1 : position + 2]] == ["echo $?"]
        assert status == 0 or expected, f"{where}: {command}\nended with {status} and printed\n{printed}"


def run_command(command: str, folder: Path, status: int) -> tuple[str | None, int]:
    """What a command prints and how it ends, after one that ended with ``status``; None where it is not ours to run."""
    if shlex.split(command, comments=True)[0] in {"make", *NOT_OURS_TO_RUN}:
        return None, status
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"(exit {status}); {command}"],
        cwd=folder,
        env=os.environ
        | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout, done.returncode


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a block with the output shown for it."""
    text = block.text.replace("\\\n", " ")
    if block.language == "bash":
        yield from ((line, "") for line in text.splitlines() if line.strip() and not line.startswith("#"))
        return
    before, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not before.strip(), f"line {block.line}: a console block starts with a command: $ …"
    for part in parts:
        command, _, shown = part.partition("\n")
        yield command.strip(), shown.strip("\n")


def compare(printed: str, shown: str, where: str) -> None:
    """Fail with the difference, unless what was printed is what the page shows."""
    got, wanted = (
        [VERSIONS.sub(r"\1 …", line.rstrip()) for line in text.strip("\n").splitlines()] for text in (printed, shown)
    )
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n" for line in wanted)
    if not re.fullmatch(pattern, "".join(line + "\n" for line in got)):
        difference = "\n".join(difflib.unified_diff(wanted, got, "the page", "printed", lineterm=""))
        pytest.fail(f"{where}: the page shows something else than was printed\n{difference}", pytrace=False)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_page_does_what_it_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (ROOT / "docs/files").is_dir():
        shutil.copytree(ROOT / "docs/files", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MADE)
    check(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)), tmp_path)


PYTHON = "```python\nx = 1 + 1\nprint(x)\n```\n"


@pytest.mark.parametrize(
    "page",
    [
        PYTHON + "```text\n2\n```",
        PYTHON + "And then:\n```text\nnot an output\n```",
        PYTHON + "```python\nprint(x + 1, 'and more  ')\n```\n\n```text\n3 and more\n```",
        "- in a list\n\n  ```python\n  print(*'abc', sep=chr(10))\n  ```\n  ```text\n  a\n  ...\n  ```",
        "```console\n$ echo one; \\\n  echo two\none\n...\n$ ls missing | head\n...\n$ echo $?\n2\n```",
        "```bash\n# here and there\nmake test\npip install interagree\necho 1\n```",
        "<!-- not run: needs a cluster -->\n```python\nraise SystemExit\n```",
        "```toml\na = 1\n```\n```yaml\na: 1\n```",
    ],
)
def test_a_right_page_passes(page: str, tmp_path: Path) -> None:
    check(page, "page", tmp_path)


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        (PYTHON + "```text\n3\n```", r"line 5: the page shows something else[^$]*-3\n\+2"),
        (PYTHON + "\n```text\n2\n2\n```", "shows something else"),
        ("```console\n$ echo one\ntwo\n```", "line 1: echo one: the page shows something else"),
        ("```console\n$ ls missing\n```", r"ls missing\n\s*ended with 2"),
        ("```console\n$ make tset\n```", "no target tset"),
        ("```console\n$ rm -r .\n```", "rm is not among the commands"),
        ("```console\nout\n$ echo out\n```", "starts with a command"),
        ("<!-- not run: -->\n```python\n1\n```", "say why"),
        ("```\n1\n```", "write ```text, not ```"),
        ("```python\n1\n", "never closed"),
    ],
)
def test_a_wrong_page_fails(page: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=complaint):
        check(page, "page", tmp_path)


@pytest.mark.parametrize("page", ["```python\n1 / 0\n```", "```json\n{a: 1}\n```", "```toml\na = \n```"])
def test_code_that_fails_makes_the_page_fail(page: str, tmp_path: Path) -> None:
    with pytest.raises((ZeroDivisionError, ValueError)):
        check(page, "page", tmp_path)
