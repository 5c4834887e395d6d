"""Paste what the code on the pages prints into the pages: `python docs/paste.py [page …]`.

The blocks are run exactly as the tests run them, and an output that already matches, with its `...` for left-out
lines, is left alone.  So numbers on the pages are pasted, never typed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import pytest  # noqa: E402 -- the tests are not a package, so their folder is named first
from test_docs import MADE, NOT_RUN, PAGES, Block, blocks, commands, compare, run_command, run_python  # noqa: E402


def pasted(page: str, name: str, folder: Path) -> str:
    """The page with the outputs that its blocks have now."""
    lines = page.splitlines()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed: str | None = None
    changes: list[tuple[int, int, list[str]]] = []
    for block in blocks(page):
        end = block.line + len(block.text.splitlines()) if block.text else block.line
        fence = lines[block.line - 1]
        indent = fence[: len(fence) - len(fence.lstrip())]
        if NOT_RUN.search(block.before):
            printed = None
        elif block.language == "python":
            printed = run_python(block, name, namespace)
        elif block.language == "text" and printed is not None and not block.before:
            if not same(printed, block.text):
                changes.append((block.line, end, indented(printed.strip("\n").splitlines(), indent)))
            printed = None
        elif block.language == "console":
            printed = None
            found = session(block, folder)
            shown = [line.rstrip() for line in block.text.replace("\\\n", " ").splitlines()]
            if [line.rstrip() for line in found] != shown:
                changes.append((block.line, end, indented(found, indent)))
        else:
            printed = None
    for begin, end, new in reversed(changes):
        lines[begin:end] = new
    return "\n".join(lines) + "\n"


def session(block: Block, folder: Path) -> list[str]:
    """The commands of a console block, each with what it prints where the page shows that."""
    found, status = [], 0
    for command, shown in commands(block):
        out, status = run_command(command, folder, status)
        if out is not None and "Traceback (most recent call last)" in out:
            raise SystemExit(f"{command} crashes; nothing was pasted\n{out}")
        found.append(f"$ {command}")
        if out is not None and shown:
            found += (shown if same(out, shown) else out.strip("\n")).splitlines()
    return found


def indented(lines: list[str], indent: str) -> list[str]:
    """Lines as far to the right as their fence."""
    return [(indent + line).rstrip() for line in lines]


def same(printed: str, shown: str) -> bool:
    """Whether the page shows already what is printed."""
    try:
        compare(printed, shown, "")
    except pytest.fail.Exception:
        return False
    return True


def main() -> None:
    """Rewrite the pages that were named, or all."""
    os.environ |= {"MPLBACKEND": "Agg", "SOURCE_DATE_EPOCH": MADE}
    for path in [Path(one).resolve() for one in sys.argv[1:]] or PAGES:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "docs/files", folder, dirs_exist_ok=True)
            page = path.read_text(encoding="utf-8")
            with contextlib.chdir(folder):
                new = pasted(page, str(path.relative_to(ROOT)), Path(folder))
        if new != page:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)}: new outputs\n")


if __name__ == "__main__":
    main()
