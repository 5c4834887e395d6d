"""Values that are lists: sets of labels whichever door they came through, and what must be asked about.

Lists of labels are sets whatever the order of clicking.  Lists that are all of one length may be rankings, or answers
in parts, and those with an entry twice are none.  Lists within lists that no kind of value takes, such as the rows of
pixels of a mask, are not compared as equal or not before somebody says so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from interagree.data.annotations import Annotations
from interagree.data.codes import encode
from interagree.data.provenance import Step
from interagree.data.types import Value
from interagree.errors import DataError, Hint, listing

SAID = (
    "lists of labels taken as sets: the order in a list does not count (where it does, write each list as one text, "
    "such as 'first > second')"
)
LOOKED_AT = 200  # values by which it is told what is in lists
SHOWN = 60  # characters of a value in an error


def lists_as_sets(values: Sequence[Value | None]) -> tuple[list[Value], Step] | None:
    """Lists of labels as sets, and what to say about it; None where the values are something else."""
    lists = [value for value in values if isinstance(value, tuple)]
    if len(lists) < len(values) or len({len(value) for value in lists}) < 2:
        return None
    if any(len({*value}) < len(value) or not all(isinstance(part, str) for part in value) for value in lists):
        return None
    return [frozenset(value) for value in lists], Step("taken", SAID)


def with_sets(made: Annotations) -> Annotations:
    """A study with lists of labels as sets."""
    sets = lists_as_sets(made.values)
    if sets is None:
        return made
    codes, distinct = encode(sets[0])
    return replace(made, value=codes[made.value], values=tuple(distinct)).with_steps(sets[1])


def check_known(made: Annotations) -> Annotations:
    """The study, unless its values are lists within lists that may be of several kinds, or of none."""
    some = [value for value in islice(made.values, LOOKED_AT) if isinstance(value, tuple) and value]
    if not some or not all(isinstance(part, tuple) for value in some for part in value):
        return made
    from interagree.plugins import KINDS

    bits = all(leaf in (0, 1) for value in some for leaf in _leaves(value))
    if not bits and made.kind not in ("tuples", "objects"):
        return made
    fitting = [name for name in KINDS if _takes(name, some)]
    first = f"{_listed(some[0])!r}"
    shown = first if len(first) <= SHOWN else f"{first[: SHOWN - 1]}…"
    offers = [Hint("kind", name) for name in [*fitting, "labels"]]
    what = "lists of lists of 0 and 1, such as the pixels of masks" if bits else "lists within lists"
    raise DataError(
        f"the values are {what} ({shown}), and nothing says what they are. Say so: {listing(offers, quote=False)} "
        "(labels compares them as wholes, the same or not)",
        hints=offers,
    )


def _takes(name: str, values: Sequence[Value]) -> bool:
    """Whether a kind that can be stated takes such values, as they are or once they were made into its own form."""
    from interagree.plugins import KINDS

    kind = KINDS[name]
    if not kind.complex or not kind.can_be_stated or kind.certainty == "fallback":
        return False
    made = values if kind.as_stated is None else [kind.as_stated(value) for value in values]
    return all(kind.why_not(value) is None for value in made)


def _leaves(value: Hashable) -> Iterator[object]:
    if isinstance(value, tuple):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _listed(value: object) -> object:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value
