"""Everything that can go wrong, drawn as a tree.

    InteragreeError
    ├── DataError (ValueError)              the data cannot be used as they are
    │   ├── ColumnNotFound (KeyError)       a column that was asked for is not there
    │   ├── DuplicateAnnotation             one annotator, one item, two values
    │   └── FormatError                     a file is not what its name says
    ├── KindError (TypeError)               the values are of a kind that was not expected
    ├── UnknownName (KeyError)              no measure, distance, reader or scale has this name
    └── MissingExtra (ImportError)          an optional library is needed and not installed

Every message says what was found, what was wanted, and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InteragreeError(Exception):
    """The root of all errors raised on purpose by interagree."""

    def __str__(self) -> str:
        # KeyError prints the repr of its argument; a sentence should be printed as a sentence.
        return str(self.args[0]) if self.args else ""


class DataError(InteragreeError, ValueError):
    """The data cannot be used as they are."""


class ColumnNotFound(DataError, KeyError):
    """A column that was asked for is not in the table."""


class DuplicateAnnotation(DataError):
    """One annotator gave one item more than one value."""


class FormatError(DataError):
    """A file is not in the format it was read as."""


class KindError(InteragreeError, TypeError):
    """The values are of a kind that the measure or the distance cannot take."""


class UnknownName(InteragreeError, KeyError):
    """Nothing in the registry has this name."""


class MissingExtra(InteragreeError, ImportError):
    """An optional library is needed for what was asked."""


def listing(names: Iterable[object], *, most: int = 12, quote: bool = True) -> str:
    """Names as a readable list, cut when there are too many to read."""
    shown = [repr(name) if quote else str(name) for name in names]
    return ", ".join(shown) if len(shown) <= most else ", ".join([*shown[:most], f"… ({len(shown)} in all)"])


def suggestion(name: str, known: Iterable[str], *, form: str = "{!r}") -> str:
    """A ' Did you mean …?' when one of the known names is close, else nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" Did you mean {form.format(close[0])}?" if close else ""


def extra(library: str, name: str, *, purpose: str) -> MissingExtra:
    """The error for an optional library that is not installed."""
    return MissingExtra(
        f"{purpose} needs {library}, which is not installed; install it with: pip install 'interagree[{name}]'"
    )
