"""Days: when a label was given, in whatever form, as the number of the day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from interagree.arrays import Int32s
from interagree.data.values import is_missing
from interagree.errors import DataError
from interagree.errors.options import shown

EPOCH = date(1970, 1, 1).toordinal()
MILLISECONDS = 1e11  # seconds since 1970 would be the year 5138; a larger number counts thousandths


def day(at: Any) -> int:
    """The number of a day, 0 for none: the date as written, or, of seconds since 1970, the date in Greenwich."""
    if isinstance(at, date):  # a datetime is one too
        return at.toordinal()
    if isinstance(at, np.datetime64):
        return EPOCH + int(at.astype("datetime64[D]").astype(np.int64))
    if isinstance(at, str) and not at.strip():
        return 0
    if is_missing(at):
        return 0
    try:
        if isinstance(at, str) and not at.replace(".", "", 1).isdigit():
            return date.fromisoformat(at.strip()[:10]).toordinal()
        seconds = float(at)
        return datetime.fromtimestamp(seconds / (1000 if seconds > MILLISECONDS else 1), UTC).toordinal()
    except (TypeError, ValueError, OverflowError, OSError):
        raise DataError(
            f"{shown(at)} is not a time; give a date, a datetime, text such as '2026-03-31' or '2026-03-31T09:30:00', "
            "or seconds since 1970"
        ) from None


def many(column: Iterable[object]) -> Int32s:
    """The numbers of many days."""
    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        numbered = column.astype("datetime64[D]").astype(np.int64)
        made: Int32s = np.where(np.isnat(column), 0, numbered + EPOCH).astype(np.int32)
        return made
    known: dict[object, int] = {}
    numbers = []
    for at in column:
        short = at[:10] if isinstance(at, str) and len(at) > 10 and at[4:5] == "-" else at
        if isinstance(short, list | dict | set):
            day(short)  # an error that says what a time is
        if short not in known:
            known[short] = day(short)
        numbers.append(known[short])
    return np.array(numbers, dtype=np.int32)


def name(number: int) -> str | None:
    """A day as it is written."""
    return date.fromordinal(number).isoformat() if number else None
