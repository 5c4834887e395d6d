"""Sets of labels: each value is a set, or a list that was stated to be one; the order of its labels means nothing."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from interagree.data.values import in_order
from interagree.kinds._kind import Declared, Evidence, Kind, ListValues, stored_noise, told_by, written


def _why_not(value: object) -> str | None:
    return None if isinstance(value, AbstractSet) else f"{value!r} is not a set"


def _likely(values: Sequence[object]) -> bool:
    return bool(len(values)) and all(isinstance(value, AbstractSet) for value in values)


def _evidence(values: Sequence[object], _: Declared) -> Evidence | None:
    return Evidence("sets") if _likely(values) else None


def _suspected(lists: ListValues) -> bool:
    if lists.nested or lists.taken_as == "rankings":
        return False
    labels = all(isinstance(part, str) for value in lists.values for part in value)
    return labels and all(len(set(value)) == len(value) for value in lists.values)


sets = Kind(
    **written("sets", "a set of labels", title="sets of labels"),
    **told_by(_why_not, _likely, rank=10),
    evidence=_evidence,
    as_stated=lambda value: frozenset(value) if isinstance(value, tuple) else value,
    suspected=_suspected,
    suspicion="sets of labels",
    distance="masi",
    distances=("nominal", "jaccard", "masi"),
    measures=("percent", "alpha:distance=masi"),
    structured=False,
    noise=stored_noise("sets"),
    view="sets",
    empty=frozenset(),
    drawn=lambda value, page: [page.label(label) for label in in_order([*value])],
    sentence="",
    group="Labels, numbers and sets",
    examples=(frozenset("a"), frozenset("ab"), frozenset("bc"), frozenset()),
)
