"""One loop, two speeds: compiled where there is much to do and numba is installed, else as plain Python.

Loading the compiler takes half a second, and compiling a loop for the first time a few seconds more (the result is
kept on disk).  A small job is done by then, so it runs the very same function uncompiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

LITTLE = 1_000_000  # steps of an inner loop that plain Python does before the compiler is loaded


class Compiled:
    """A function of numbers and NumPy arrays, written as loops that numba understands.

    It must not call other compiled functions: what is called by name would be compiled anew in every process.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = function
        self._done = 0.0  # steps so far, of all calls together
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    @cached_property
    def fast(self) -> Callable[..., Any]:
        """The compiled function, or the plain one where numba is not installed."""
        try:
            from numba import njit
        except ImportError:
            return self.plain
        made: Callable[..., Any] = njit(cache=True, nogil=True)(self.plain)
        return made

    def __call__(self, *args: Any) -> Any:
        return self.fast(*args)

    def for_steps(self, steps: float) -> Callable[..., Any]:
        """The function to call for so many more steps of its inner loop: compiled once there have been many."""
        self._done += steps
        return self.plain if self._done < LITTLE and "fast" not in self.__dict__ else self.fast


def installed() -> bool:
    """Whether there is a compiler."""
    from importlib.util import find_spec

    return find_spec("numba") is not None


def compiled(function: Callable[..., Any]) -> Compiled:
    """Declare a loop to be compiled when it is first needed."""
    return Compiled(function)
