"""When annotations were given: the order of each annotator's work, and how long one took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TypeAlias

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.data.values import is_missing
from interagree.errors import DataError
from interagree.findings.leave_one_out import by_name
from interagree.monitor.days import MILLISECONDS

# Names of columns that say when an annotation was given.
PLAINLY = (
    *("annotated_at", "labeled_at", "labelled_at", "submitted_at", "completed_at", "annotation_time"),
    *("annotation_date", "submit_time", "submission_time"),
)
# … of which these may be times of items, too
CALLED = (*PLAINLY, "timestamp", "time", "datetime", "date", "created_at", "updated_at")
ORDERS = ("annotation_order", "order", "sequence", "seq", "trial", "session", "day", "week")  # numbers in order
CLOCK = 1e8  # numbers below this are not seconds since 1970, but places in an order

Time: TypeAlias = datetime | date | np.datetime64 | str | float | None


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """The annotations that have a time, those of one annotator together and in order."""

    at: Floats  # the time of each annotation, nan for none
    order: Indices
    seconds: Floats | None  # the median time between two annotations; None where times are places
    notes: tuple[str, ...]

    def consecutive(self, who: Indices) -> tuple[Indices, Indices]:
        """Annotations and the next ones of the same annotator."""
        same = who[self.order[1:]] == who[self.order[:-1]]
        return self.order[:-1][same], self.order[1:][same]

    def of(self, study: Annotations, rows: Booleans) -> Times:
        """The times of a study of these annotations alone."""
        return ordered(study, self.at[rows])


def times_of(study: Annotations, column: Iterable[Time]) -> Times:
    """The times of a study: dates, datetimes, ISO text, seconds since 1970, or numbers that only give an order."""
    return ordered(study, seconds(column))


def annotation_times(study: Annotations) -> tuple[str, Floats] | None:
    """The column that says when annotations were given, and the times in seconds; None where none does so plainly."""
    for called, name, at, known in _numbers(study, CALLED):
        plain = called in PLAINLY or _of_annotations(study, at, known)
        if (np.abs(at[known]) >= CLOCK).all() and plain:
            return name, at
    return None


def annotation_order(study: Annotations) -> tuple[str, Floats] | None:
    """The column that orders each annotator's work, and its numbers: a time, one of the item, or a number in order."""
    timed = annotation_times(study)
    if timed is not None:
        return timed
    for called, name, at, known in _numbers(study, (*CALLED, *ORDERS)):
        if (np.abs(at[known]) >= CLOCK).all() or called in ORDERS or _counts(study, at, known):
            return name, at
    return None


def _numbers(study: Annotations, names: Iterable[str]) -> Iterator[tuple[str, str, Floats, Booleans]]:
    """Columns of these names that hold times or numbers for most annotations, and where they do."""
    columns = {str(column).lower(): column for column in study.attributes}
    for called in names:
        if called not in columns:
            continue
        try:
            at = seconds(study.attributes[columns[called]])
        except DataError:
            continue
        known = ~np.isnan(at)
        if known.mean() > 0.5:
            yield called, str(columns[called]), at, known


def _counts(study: Annotations, at: Floats, known: Booleans) -> bool:
    """Whether these are whole numbers, each once for an annotator: places in an order, and not seconds that it took."""
    number, who = at[known], study.annotator[known]
    return bool((number == np.round(number)).all() and len(np.unique(np.c_[who, number], axis=0)) == len(number))


def _of_annotations(study: Annotations, at: Floats, known: Booleans) -> bool:
    """Whether times differ between annotations of one item, so that they are not the time of the item."""
    low, high = np.full(len(study.items), np.inf), np.full(len(study.items), -np.inf)
    np.minimum.at(low, study.item[known], at[known])
    np.maximum.at(high, study.item[known], at[known])
    return bool((high > low).any())


def ordered(study: Annotations, at: Floats) -> Times:
    """The annotations of a study in the order of times in seconds."""
    there = np.flatnonzero(~np.isnan(at))
    rank = np.empty(max(len(study.items), 1))
    rank[by_name(study.items)] = np.arange(len(study.items))
    who = study.annotator.astype(np.intp, copy=False)
    # Items of one time stand in the order of their names, not in that of the rows.
    order = there[np.lexsort((rank[study.item[there]], at[there], who[there]))]
    notes = []
    if len(there) < len(at):
        notes.append(f"{counted(len(at) - len(there), 'annotation')} without a time left out of what depends on it")
    if len(there) and np.abs(at[there]).max() < CLOCK:
        notes.append("the times are small numbers and were taken as an order, so nothing is said about speed")
        return Times(at, order, None, tuple(notes))
    return Times(at, order, _medians(at[order], who[order], len(study.annotators)), tuple(notes))


def _medians(at: Floats, who: Indices, people: int) -> Floats:
    same = who[1:] == who[:-1]
    gaps, owner = np.diff(at)[same], who[1:][same]
    order = np.lexsort((gaps, owner))
    gaps, n = gaps[order], np.bincount(owner, minlength=people)
    start = np.cumsum(n) - n
    medians = np.full(people, np.nan)
    has = np.flatnonzero(n)
    low, high = start[has] + (n[has] - 1) // 2, start[has] + n[has] // 2
    medians[has] = (gaps[low] + gaps[high]) / 2
    return medians


def seconds(column: Iterable[Time]) -> Floats:
    """Times as seconds, nan for none."""
    if isinstance(column, np.ndarray):
        if column.dtype.kind == "M":
            since_1970 = column.astype("datetime64[us]").astype(np.int64) / 1e6
            return np.where(np.isnat(column), np.nan, since_1970)
        if column.dtype.kind in "iuf":
            number = column.astype(np.float64)
            return np.where(np.abs(number) > MILLISECONDS, number / 1000, number)
        column = column.tolist()
    return np.array([_second(at) for at in column], dtype=np.float64)


def _second(at: Time) -> float:
    if isinstance(at, np.datetime64):
        return float(seconds(np.array([at]))[0])
    if at is None or (isinstance(at, str) and not at.strip()) or is_missing(at):
        return np.nan
    try:
        if isinstance(at, str):
            text = at.strip()
            try:
                at = float(text)
            except ValueError:
                at = datetime.fromisoformat(text)
        if isinstance(at, date) and not isinstance(at, datetime):
            at = datetime.combine(at, time())
        if isinstance(at, datetime):
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
        number = float(at)
    except (TypeError, ValueError, OverflowError):
        raise DataError(
            f"{at!r} is not a time; give a date, a datetime, text such as '2026-03-31T09:30:00', seconds since 1970, "
            "or numbers in order"
        ) from None
    return number / 1000 if abs(number) > MILLISECONDS else number
