"""Files of columns: whether they hold dependency trees, or tags."""

from __future__ import annotations

import re
from pathlib import Path

from interagree.readers._peek import beginning

TOKEN = re.compile(r"\d+(?:[-.]\d+)?")  # the number of a token, of several that are written as one, or of an empty node
FEWEST, HEAD = 8, 6  # columns of a tree, and the one of the head, from 0
START = 65_536  # bytes that are looked at


def holds_trees(path: Path) -> bool:
    """Whether lines begin with the number of a token and hold that of its head, as in CoNLL-U and CoNLL-X."""
    start = beginning(path)
    if b"\0" in start:
        return False
    lines = start.decode("utf-8-sig", "ignore").splitlines()
    if len(start) >= START:
        lines = lines[:-1]
    rows = [cells_of(line) for line in lines if line.strip() and not line.startswith("#")]
    trees = [row for row in rows if len(row) >= FEWEST and TOKEN.fullmatch(row[0])]
    heads = [row[HEAD] for row in trees if len(row) <= 10]
    if not trees or len(trees) * 10 < len(rows) * 9:
        return False
    if not heads:  # more columns, as in CoNLL-2009: tokens are counted from 1 on
        return rows[0][0] == "1"
    return any(head.isdigit() for head in heads) and all(head.isdigit() or head == "_" for head in heads)


def cells_of(line: str) -> list[str]:
    """The cells of a line: between tabs, or where there are none between blanks."""
    return line.split("\t") if "\t" in line else line.split()
