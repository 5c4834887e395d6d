"""How a kind is recognised from values, and values packed or read as a kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from interagree.data.values import plain
from interagree.errors import Advice, Hint, KindError, UnknownName, listing, suggestion
from interagree.kinds._kind import LOOKED_AT, NEARLY, Declared, Kind
from interagree.plugins import KINDS

ADVISED = (Hint("kind", "labels"), Hint("ordered", value=True), Hint("distance", "interval"))
# Kinds that need nothing loaded but themselves: the first three come before all others, and where the possible values
# were listed, no others are likely.  They only save time: their ranks decide, and a test compares the two.
FIRST = ("sets", "ordered", "numbers")
LAST = ("labels", "tuples", "objects")
# Kinds that no text is of; they, too, only save time, and a test holds them to it.
NOT_TEXT = (
    *("boxes", "clusters", "dependencies", "keypoints", "masks", "polygons", "rankings", "relations", "rotated"),
    *("segments", "series", "spans", "vectors"),
)
LEAST = 4  # distinct values from which on a few may be mistakes


class Recognised(NamedTuple):
    """What the values of a study are taken to be, and whether they may be meant otherwise."""

    kind: Kind
    doubt: Kind | None = None  # the other kind that nobody has ruled out; None where there is no doubt
    because: str = ""  # what they are seen to be: "whole numbers from 1 to 5"

    def sentence(self, count: int) -> Advice:
        """What to say about values that nobody stated the kind of; ``count`` of them are distinct."""
        sentence = self.kind.sentence if self.doubt is None else self.doubt.sentence_in_doubt
        text = sentence.format(name=self.kind, count=count, because=self.because)
        return Advice(text, [Hint("kind", str(self.kind)), *ADVISED])


@cache
def in_turn(*, without: Sequence[str] = ()) -> tuple[Kind, ...]:
    """All kinds in the order in which they are tried, or without some, which are then not loaded."""
    kinds = (KINDS[name] for name in KINDS if name not in without)
    return tuple(sorted(kinds, key=lambda kind: (kind.rank, kind.name)))


def _possible(values: Sequence[object]) -> tuple[Kind, ...]:
    """The kinds in turn that values can be of, as far as their types tell."""
    texts = all(isinstance(value, str) for value in islice(values, LOOKED_AT))
    return in_turn(without=NOT_TEXT) if texts else in_turn()


def recognised(values: Sequence[object], *, ordered: bool | None = None, stated: bool = False) -> Recognised:
    """What values are: the one decision that every measure, command and report asks for.

    Args:
        values: The distinct values, in order.
        ordered: Whether the order of the values means something; None where nobody said.
        stated: Whether somebody listed the possible values.
    """
    declared = Declared(ordered, stated)
    for kind in _lazily_in_turn(values, declared):
        evidence = kind.recognise(values, declared)
        if evidence is not None:
            doubt = None if evidence.doubt is None else KINDS[evidence.doubt]
            return Recognised(kind, doubt, evidence.because)
    raise KindError(f"no kind of value takes {listing(values, most=3)}")


def _lazily_in_turn(values: Sequence[object], declared: Declared) -> Iterator[Kind]:
    """The kinds in turn, those that are quickly loaded before any other is."""
    yield from (KINDS[name] for name in (*FIRST, *(LAST if declared.stated else ())))
    yield from (kind for kind in _possible(values) if kind.name not in FIRST)


def recognise(values: Sequence[object]) -> Kind | None:
    """The complex kind that values are likely to be of; None where they look simple."""
    return next((kind for kind in _possible(values) if kind.complex and kind.recognise(values, Declared())), None)


def strays(values: Sequence[object]) -> tuple[Kind, int, str] | None:
    """Where nearly all values are of one kind and a few are not: the kind, the place of the first, and the reason.

    Values that are plainly meant as a kind are not to be compared as mere labels because one of them is misspelt.
    """
    some = list(islice(values, LOOKED_AT))
    if len(some) < LEAST:
        return None
    for kind in _possible(values):
        if not kind.complex or kind.certainty in ("loose", "fallback"):
            continue
        reasons = [kind.why_not(value) for value in some]
        good = [value for value, reason in zip(some, reasons, strict=True) if reason is None]
        if NEARLY * len(some) <= len(good) < len(some) and kind.likely(good):
            return next((kind, place, reason) for place, reason in enumerate(reasons) if reason is not None)
    return None


def pack(values: Sequence[object], kinds: Iterable[str], *, who: str, given: str | None = None) -> Any:
    """Values packed as the kind they are, which must be one of some.

    Args:
        values: The distinct values of a study.
        kinds: The names of the kinds that will do.
        who: What needs them, for the message: "iou distance".
        given: The kind that the user stated.
    """
    names = tuple(kinds)
    if given in names:
        return KINDS[given].packed(values)
    if given is not None and given in KINDS and KINDS[given].complex:
        raise KindError(
            f"{who} compares {listing(names, quote=False)}, and the values were said to be {given}; take "
            f"another distance, such as {KINDS[given].distance}"
        )
    if len(names) == 1:
        return KINDS[names[0]].packed(values)  # which says what is wrong
    some = list(islice(values, 50))
    right = {name: sum(KINDS[name].why_not(value) is None for value in some) for name in names}
    fitting = [name for name in names if right[name] == len(some)]
    if len(fitting) > 1:
        likely = str(recognised(values).kind)
        return KINDS[likely if likely in fitting else fitting[0]].packed(values)
    nearest = max(names, key=lambda name: right[name])
    if some and not right[nearest]:
        raise KindError(
            f"{who} compares {listing(names, quote=False)}, and these are none of them, such as {str(some[0])[:80]}"
        )
    return KINDS[nearest].packed(values)  # which says what is wrong with the others


def spelled_out(values: Sequence[object]) -> str | None:
    """The name of the complex kind that cells of a text file spell as JSON; None where they do not."""
    some = list(islice(values, LOOKED_AT))
    cells = [cell for cell in some if isinstance(cell, str)]
    if not cells or sum(map(_looks_like_json, cells)) < NEARLY * len(some):
        return None
    from interagree.data.files import parse_json

    parsed, broken = [], []
    for cell in cells:
        try:
            parsed.append(plain(parse_json(cell)))
        except json.JSONDecodeError:
            broken.append(cell)
    if len(parsed) < NEARLY * len(some):
        return None
    kind = recognise(parsed)
    if kind is not None and broken:
        _from_json(broken[0], kind.name)
    return None if kind is None else kind.name


def _looks_like_json(cell: str) -> bool:
    return cell.lstrip()[:1] in ("[", "{")


def as_kind(values: Sequence[Any], name: str) -> list[Any] | None:
    """Values as the kind that somebody stated, checked; None where they stay as they are."""
    known = [kind.name for kind in in_turn() if kind.can_be_stated]
    if name not in known:
        raise UnknownName(
            f"no kind of value is called {name!r}.{suggestion(name, known)} (known: {listing(known, quote=False)})"
        )
    kind = KINDS[name]
    if not kind.structured and kind.as_stated is None:
        return None
    written = bool(values) and all(isinstance(value, str) for value in values)
    if written and kind.complex:  # a kind may be written as strings
        written = any(_looks_like_json(value) for value in values if kind.why_not(value) is not None)
    parts = [plain(_from_json(value, name)) for value in values] if written else list(values)
    made = [kind.as_stated(part) for part in parts] if kind.as_stated is not None else parts
    if kind.structured:
        kind.packed(made)
    return made if written or made != list(values) else None


def _from_json(cell: str, name: str) -> object:
    from interagree.data.files import parse_json

    try:
        return parse_json(cell)
    except json.JSONDecodeError:
        raise KindError(
            f"values of the kind {name} were expected, written as JSON in each cell, and {cell[:60]!r} is not JSON"
        ) from None
