"""Text that a spreadsheet program would take for a formula, and how files keep it from being one.

An apostrophe goes in front where such text is written to a file of cells, and is taken away where one is read.
"""

from __future__ import annotations

import re

# Signs that begin a formula, with something to compute behind them; apostrophes before them are from writing, or they
# would be taken away in reading.
FORMULA = re.compile(r"'*[=+\-@\t\r\n].*[^=+\-@ \t\r\n]", re.DOTALL)
NUMBER = re.compile(r"[+-]?[0-9.,]+(?:[eE][+-]?[0-9]+)?%?")
DEFUSED = re.compile("'" + FORMULA.pattern, re.DOTALL)
ANYWHERE = re.compile(r"'[=+\-@\t\r\n]")  # what a text must hold for one of its cells to be defused


def defused(text: str) -> str:
    """Text as a cell that no program computes."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def restored(text: str) -> str:
    """The text of a cell that may have been defused."""
    found = DEFUSED.match(text)
    return text[1:] if found and not NUMBER.fullmatch(text[1:]) else text
