"""What complex values are: one module per kind, named as it is called.

A kind knows how a value of it is written, packs many values into arrays once, so that distances are arithmetic, and
says what is wrong with a value that is none.  Which kind a study holds is recognised from its values and said, or
given by the user (``kind="boxes"``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.plugins import KINDS

LOOKED_AT = 2_000  # distinct values by which a kind is recognised
LEAST = 4  # distinct values of which
LOOSE = ("rankings", "series", "text")  # kinds that other values look like, such as lists of labels
PLAIN = ("spans", "relations", "boxes", "trees", "masks")  # kinds that nothing else is written like
NEARLY = 0.75  # so many are of one kind, so that the others are taken to be mistakes

# The order in which kinds are tried: the most particular first.  A kind of a plug-in comes before all of them.
ORDER = (
    "trees",
    "masks",
    "relations",
    "segments",
    "spans",
    "boxes",
    "rotated",
    "keypoints",
    "polygons",
    "rankings",
    "vectors",
    "series",
    "text",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of complex value.

    ``wrong`` says what is the matter with one value, or None where it is well formed; ``pack`` takes values that
    are, and gives arrays.  ``fits`` says of well-formed values whether they are likely to be meant as this kind.
    """

    name: str
    title: str  # in words, plural: "boxes in an image"
    form: str  # how a value is written, after "expected": "a list of [x0, y0, x1, y1]"
    wrong: Callable[[Any], str | None]
    pack: Callable[[Sequence[Any]], Any]
    fits: Callable[[Sequence[Any]], bool]
    distance: str  # the usual one
    distances: tuple[str, ...]  # those worth comparing, the coarsest first
    quick: Callable[[Sequence[Any]], Any] | None = (
        None  # packs at once what is plainly right, else gives None
    )
    measures: tuple[
        str, ...
    ] = ()  # the usual ones, as they are named; those of any distance where there are none

    def packed(self, values: Sequence[Any]) -> Any:
        """Values as arrays, or an error that names the first value that is none of this kind."""
        at_once = None if self.quick is None else self.quick(values)
        if at_once is not None:
            return at_once
        for value in values:
            found = self.wrong(value)
            if found is not None:
                shown = repr(value)
                text = isinstance(value, str) and value.lstrip()[:1] in ("[", "{")
                raise KindError(
                    f"{self.title} were expected, each {self.form}; {found} in "
                    f"{shown if len(shown) <= 120 else shown[:117] + '…'}"
                    + (", which is text and not JSON (names stand in double quotes there)" if text else "")
                )
        return self.pack(values)


def recognise(values: Sequence[Any]) -> str | None:
    """The name of the kind that values are likely to be of; None where they look simple."""
    some = list(islice(iter(values), LOOKED_AT))
    if not some:
        return None
    further = [name for name in KINDS if name not in ORDER and KINDS.origin(name) != "interagree"]
    for name in (*further, *(name for name in ORDER if name in KINDS)):
        kind: Kind = KINDS[name]
        if all(kind.wrong(value) is None for value in some) and kind.fits(some):
            return name
    return None


def strays(values: Sequence[Any]) -> tuple[str, int, str] | None:
    """Where nearly all values are of one kind and a few are not: the kind, the place of the first, what is wrong.

    Values that are plainly meant as a kind are not to be compared as mere labels because one of them is misspelt.
    """
    some = list(islice(iter(values), LOOKED_AT))
    if len(some) < LEAST:
        return None
    for name in (name for name in ORDER if name in KINDS and name not in LOOSE):
        kind: Kind = KINDS[name]
        said = [kind.wrong(value) for value in some]
        right = [value for value, wrong in zip(some, said, strict=True) if wrong is None]
        if NEARLY * len(some) <= len(right) < len(some) and kind.fits(right):
            place, wrong = next((k, wrong) for k, wrong in enumerate(said) if wrong is not None)
            return name, place, str(wrong)
    return None


def pack(values: Sequence[Any], kinds: Iterable[str], *, who: str, given: str | None = None) -> Any:
    """Values packed as the kind they are, which must be one of some.

    Args:
        values: The distinct values of a study.
        kinds: The kinds that will do.
        who: What needs them, for the message: "iou distance".
        given: The kind that the user stated.
    """
    names = tuple(kinds)
    if given in names:
        found: Any = KINDS[given].packed(values)
        return found
    if given is not None and given in KINDS:
        raise KindError(
            f"{who} compares {listing(names, quote=False)}, and the values were said to be {given}; take "
            f"another distance, such as {KINDS[given].distance}"
        )
    likely = recognise(values) if len(names) > 1 else None
    for name in (likely, *names):
        if name in names and all(KINDS[name].wrong(value) is None for value in islice(iter(values), 50)):
            return KINDS[name].packed(values)
    if len(names) == 1:
        return KINDS[names[0]].packed(values)  # which says what is wrong
    some = list(islice(iter(values), 50))
    right = {name: sum(KINDS[name].wrong(value) is None for value in some) for name in names}
    nearest = max(names, key=lambda name: right[name])
    if right[nearest]:
        return KINDS[nearest].packed(values)  # which says what is wrong with the others
    raise KindError(
        f"{who} compares {listing(names, quote=False)}, and these are none of them, such as {str(some[0])[:80]}"
    )


def spelled_out(values: Sequence[Any]) -> str | None:
    """The kind that cells of a text file spell as JSON; None where they do not."""
    some = list(islice(iter(values), LOOKED_AT))
    looking = sum(isinstance(one, str) and one.lstrip()[:1] in ("[", "{") for one in some)
    if not looking or looking < NEARLY * len(some):
        return None
    import json

    from interagree.data.values import plain

    read = []
    for one in some:
        try:
            read.append(plain(json.loads(one)))
        except json.JSONDecodeError:
            continue
    found = recognise(read) if len(read) >= NEARLY * len(some) else None
    if found is not None and len(read) < len(some):
        _from_json(next(one for one in some if not _is_json(one)), found)
    return found


def _is_json(cell: str) -> bool:
    import json

    try:
        json.loads(cell)
    except json.JSONDecodeError:
        return False
    return True


SIMPLE = ("labels", "numbers", "sets")  # kinds that are no complex ones, and may be stated all the same


def as_kind(values: Sequence[Any], name: str) -> list[Any] | None:
    """Values as the kind that somebody stated, checked; None where they stay as they are."""
    from interagree.data.values import plain

    if name in ("labels", "numbers"):
        return None
    if name not in SIMPLE and name not in KINDS:
        known = (*SIMPLE, *KINDS)
        raise UnknownName(
            f"no kind of value is called {name!r}.{suggestion(name, known)} (known: {listing(known, quote=False)})"
        )
    written = bool(values) and all(isinstance(one, str) for one in values)
    if written and name in KINDS:  # a kind may be written as strings
        odd = [one for one in values if KINDS[name].wrong(one) is not None]
        written = any(one.lstrip()[:1] in ("[", "{") for one in odd)
    parts = [plain(_from_json(one, name)) for one in values] if written else list(values)
    if name == "sets":
        return [frozenset(one) if isinstance(one, tuple) else one for one in parts]
    KINDS[name].packed(parts)
    return parts if written else None


def _from_json(cell: str, name: str) -> Any:
    import json

    try:
        return json.loads(cell)
    except json.JSONDecodeError:
        raise KindError(
            f"values of the kind {name} were expected, written as JSON in each cell, and {cell[:60]!r} is not JSON"
        ) from None
