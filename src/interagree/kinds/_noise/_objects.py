"""Objects in lists, such as spans and boxes: their numbers, their label, and how they were written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.random import Generator

from interagree.data.types import Value
from interagree.kinds._noise._mistakes import Mistakes
from interagree.kinds._parts import fields, is_number


class WrittenObject(NamedTuple):
    """An object as it was written: [3, 8, "PER"] or {"start": 3, "end": 8, "label": "PER"}."""

    numbers: tuple[float, ...]
    rest: tuple[Any, ...]  # what follows the numbers: the label first; or pairs of name and entry
    names: tuple[str, ...] = ()  # what the numbers are called; nothing for a plain list

    @classmethod
    def of(cls, value: tuple[Any, ...], names: Sequence[str]) -> WrittenObject:
        """The object in a value; ``names`` are what its numbers are called where they have names."""
        named = fields(value)
        if named is None:
            return cls(tuple(value[: len(names)]), tuple(value[len(names) :]))
        rest = tuple((name, entry) for name, entry in named.items() if name not in names)
        return cls(tuple(named[name] for name in names), rest, tuple(names))

    def with_numbers(self, *numbers: float) -> tuple[object, ...]:
        """The object with other numbers, written as it was."""
        if not self.names:
            return (*numbers, *self.rest)
        return tuple(sorted((*zip(self.names, numbers, strict=True), *self.rest)))


def listed(value: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """A list of objects; one object alone is a list of one."""
    alone = bool(value) and (is_number(value[0]) or fields(value) is not None)
    return (value,) if alone else tuple(value)


def label_of(written: WrittenObject) -> Value:
    """The label of an object; None where it has none."""
    if written.names:
        return dict(written.rest).get("label")
    return written.rest[0] if written.rest else None


def with_label(written: WrittenObject, label: Value) -> WrittenObject:
    """The object with another label, where it has one."""
    if label_of(written) is None:
        return written
    if written.names:
        return written._replace(rest=tuple({**dict(written.rest), "label": label}.items()))
    return written._replace(rest=(label, *written.rest[1:]))


def relabelled(
    lists: Sequence[Sequence[WrittenObject]], m: float, rng: Generator, mistakes: Mistakes
) -> list[list[WrittenObject]]:
    """Lists of objects, with the labels of some objects mistaken."""
    labels = [label_of(thing) for some in lists for thing in some if label_of(thing) is not None]
    new = iter(mistakes.usual(labels, m, rng))
    return [[thing if label_of(thing) is None else with_label(thing, next(new)) for thing in some] for some in lists]
