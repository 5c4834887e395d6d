"""One loop, two speeds: compiled where there is much to do and numba is installed, else as plain Python.

Loading the compiler takes half a second, and compiling a loop for the first time a few seconds more (the result is
kept on disk).  A small job is done by then, so it runs the very same function uncompiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

LITTLE = 1_000_000  # steps of an inner loop that plain Python does before the compiler is loaded


class Compiled(Generic[P, R]):
    """A function of numbers and NumPy arrays, written as loops that numba understands.

    It must not call other compiled functions: what is called by name would be compiled anew in every process.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self.plain = function
        self._done = 0.0  # steps so far, of all calls together
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    @cached_property
    def fast(self) -> Callable[P, R]:
        """The compiled function, kept on disk where that can be written to; the plain one without numba."""
        try:
            from numba import njit
        except ImportError:
            return self.plain
        made: Callable[P, R]
        try:
            made = njit(cache=True, nogil=True)(self.plain)
        except RuntimeError:  # no folder that can be written to: it is compiled anew in every process
            made = njit(nogil=True)(self.plain)
        return made

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.fast(*args, **kwargs)

    def for_steps(self, steps: float) -> Callable[P, R]:
        """The function to call for so many more steps of its inner loop: compiled once there have been many."""
        self._done += steps
        return self.plain if self._done < LITTLE and "fast" not in self.__dict__ else self.fast


def installed() -> bool:
    from importlib.util import find_spec

    return find_spec("numba") is not None


def compiled(function: Callable[P, R]) -> Compiled[P, R]:
    """Declare a loop to be compiled when it is first needed."""
    return Compiled(function)
