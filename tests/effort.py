"""How much work a call is, as a number that is the same on every machine and under any load."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def effort(call: Callable[[], object]) -> int:
    """How many lines of Python interagree runs in a call; what NumPy and compiled loops do inside is not in it."""
    lines = 0

    def line(frame: FrameType, event: str, argument: object) -> object:
        nonlocal lines
        lines += event == "line"
        return line

    def entered(frame: FrameType, event: str, argument: object) -> object:
        return line if "interagree" in str(frame.f_globals.get("__name__")) else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines
