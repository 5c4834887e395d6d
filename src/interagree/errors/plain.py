"""What was given to an option, as the plain Python value that a function works with.

Numbers and words of NumPy, members of an enumeration that are words, and columns of pandas, Polars and Arrow are as
good as the numbers, words and lists that a signature names.  They are turned into these in one place, so that no
function has to think of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any


class Kept:
    """Marks sequences and mappings of this package that hold what their type says, in a form of their own.

    A study keeps the names of a million items in the array they came in, and columns beside the annotations as they
    are until somebody looks at them; options leave them so.
    """

    __slots__ = ()


def same(given: object) -> object:
    """What was given, as it is."""
    return given


def word(given: str) -> str:
    """A word of a class derived from str, such as NumPy's or that of an enumeration, as a str."""
    return given if type(given) is str else str.__str__(given)


def whole(given: Any) -> int:
    """A whole number of any library."""
    return int(given)


def number(given: Any) -> float:
    """A number of any library; whole numbers stay whole."""
    return int(given) if isinstance(given, Integral) else float(given)


def choice(given: str | Integral | None) -> object:
    """A word or a number that is one of a few."""
    if isinstance(given, bool | None):
        return given
    return word(given) if isinstance(given, str) else int(given)


def entries(given: Any) -> Any:
    """The entries of a column, an array, a set or the keys of a dict, as a list; a range or a generator stays one."""
    if isinstance(given, list | tuple | str | range | Kept) or not hasattr(given, "__len__"):
        return given
    if getattr(getattr(given, "dtype", None), "kind", "") in ("m", "M"):  # as a list, times of NumPy are numbers
        return given
    for method in ("tolist", "to_list"):
        if hasattr(given, method):
            return getattr(given, method)()
    return list(given)


def mapping(given: Any) -> Any:
    """A mapping; the index of a pandas Series maps to its values."""
    if not isinstance(given, Mapping) and hasattr(given, "index") and hasattr(given, "to_dict"):
        return given.to_dict() if getattr(given, "ndim", 0) == 1 else given
    return given
