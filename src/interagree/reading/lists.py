"""Values that are lists: sets of labels whichever door they came through, and what must be asked about.

Lists of labels are sets whatever the order of clicking; the order of tuples, which only Python has, counts.  Lists that
are all of one length may be rankings, or answers in parts, and those with an entry twice are none.  Rows of 0 and 1,
such as the pixels of a mask, are not compared as equal or not before somebody says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, ValuesView
from dataclasses import replace
from itertools import chain, islice

from interagree.data.annotations import Annotations
from interagree.data.codes import encode
from interagree.data.provenance import Step
from interagree.data.types import Value
from interagree.errors import DataError, Hint, listing
from interagree.reading.cells import listed_words
from interagree.reading.tables import NamedColumns

SAID = (
    "lists of labels taken as sets: the order in a list does not count (where it does, write each list as one text, "
    "such as 'first > second')"
)
LOOKED_AT = 200  # values by which it is told what is in lists
ROWS, COLUMNS = 2, 3  # of the least table of 0 and 1 that is asked about; pairs may be edges or stretches
SHOWN = 60  # characters of a value in an error


def lists_as_sets(values: Sequence[Value | None]) -> tuple[list[Value], Step] | None:
    """Lists of labels as sets, and what to say about it; None where the values are something else."""
    lists = [value for value in values if isinstance(value, tuple)]
    if len(lists) < len(values) or len({len(value) for value in lists}) < 2:
        return None
    if any(len({*value}) < len(value) or not all(isinstance(part, str) for part in value) for value in lists):
        return None
    return [frozenset(value) for value in lists], Step("taken", SAID)


def has_tuples(data: object) -> bool:
    """Whether cells of Python's own data are tuples, as values are whose order counts."""
    columns: Iterable[object] = ()
    if isinstance(data, NamedColumns):
        columns = data.fetch(data.names).values() if data.array else ()
    elif isinstance(data, Mapping):
        columns = data.values()
    elif isinstance(data, list | tuple):
        columns = data
    cells = (column.values() if isinstance(column, Mapping) else column for column in columns)
    parts = (part for part in cells if isinstance(part, list | tuple | ValuesView))
    return any(type(cell) is tuple for cell in islice(chain.from_iterable(parts), LOOKED_AT))


def with_sets(made: Annotations) -> Annotations:
    """A study with lists of labels as sets."""
    sets = lists_as_sets(made.values)
    if sets is None:
        return made
    codes, distinct = encode(sets[0])
    return replace(made, value=codes[made.value], values=tuple(distinct)).with_steps(sets[1])


def with_lists(made: Annotations) -> Annotations:
    """A study with lists of words that cells spell, as in "['a', 'b']", as lists; those of one word each as words.

    Other lists that are all of one length may be rankings, or answers in parts, and stay as they are.  So do lists of
    one word or none, which are labels and not sets: that nothing fits is one more answer.
    """
    spelled = [listed_words(value) if isinstance(value, str) else None for value in made.values]
    lists = [words for words in spelled if words is not None]
    sizes = set(map(len, lists))
    alone = sizes == {1} and all(str(value).lstrip("[{ ")[0] in "'\"" for value in made.values)
    if len(lists) < len(spelled) or (not alone and (len(sizes) < 2 or max(sizes) < 2)):
        return made
    codes, distinct = encode(words[0] if alone else words for words in lists)
    return replace(made, value=codes[made.value], values=tuple(distinct))


def check_known(made: Annotations) -> Annotations:
    """The study, unless its values are rows of 0 and 1, which may be pixels."""
    some = [value for value in islice(made.values, LOOKED_AT) if isinstance(value, tuple) and value]
    if not some or not all(map(_are_bits, some)):
        return made
    from interagree.plugins import KINDS

    fitting = [name for name in KINDS if _takes(name, some)]
    first = f"{_listed(some[0])!r}"
    shown = first if len(first) <= SHOWN else f"{first[: SHOWN - 1]}…"
    offers = [Hint("kind", name) for name in [*fitting, "labels"]]
    raise DataError(
        f"the values are lists of lists of 0 and 1 ({shown}), such as the pixels of masks, and nothing says what they "
        f"are. Say so: {listing(offers, quote=False)} (labels compares them as wholes, the same or not)",
        hints=offers,
    )


def _are_bits(value: tuple[object, ...]) -> bool:
    """Whether a value is a table of 0 and 1, or several on one another."""
    rows = [row for row in value if isinstance(row, tuple)]
    if len(rows) < len(value) or len(rows) < ROWS or len({len(row) for row in rows}) > 1 or len(rows[0]) < COLUMNS:
        return False
    return all(cell in (0, 1) for row in rows for cell in row) or all(map(_are_bits, rows))


def _takes(name: str, values: Sequence[Value]) -> bool:
    """Whether a kind that can be stated takes such values, as they are or once they were made into its own form."""
    from interagree.plugins import KINDS

    kind = KINDS[name]
    if not kind.complex or not kind.can_be_stated or kind.certainty == "fallback":
        return False
    made = values if kind.as_stated is None else [kind.as_stated(value) for value in values]
    return all(kind.why_not(value) is None for value in made)


def _listed(value: object) -> object:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value
