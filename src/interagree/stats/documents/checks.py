"""Options of the measures of documents: what is wrong with them."""

from __future__ import annotations

import numpy as np

from interagree.errors import KindError, listing


def is_finite(given: object) -> bool:
    """Whether an option is a finite number."""
    # A whole number may be too large for NumPy, and nan is not below anything.
    return isinstance(given, int | float | np.floating | np.integer) and bool(-np.inf < given < np.inf)


def check_draws(precision: float, seed: int) -> None:
    """An error where chance cannot be drawn with such a precision and seed."""
    if not (is_finite(precision) and precision > 0):
        raise KindError(f"precision is a standard error above 0, got {precision!r}")
    if not (is_finite(seed) and seed == int(seed) and 0 <= seed < 2**63):
        raise KindError(f"seed is a whole number from 0 up to 2**63, got {seed!r}")


def check_choice(option: str, given: object, known: tuple[str, ...]) -> None:
    """An error where an option is not one of those there are."""
    if given not in known:
        raise KindError(f"{option} must be one of {listing(known)}; got {given!r}")
