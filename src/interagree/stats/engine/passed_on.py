"""A property that is the same property of something inside: ``n = PassedOn[Sizes]("counts")`` is ``self.counts.n``."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class PassedOn(Generic[T]):
    """The property of a part, under its own name or another."""

    def __init__(self, part: str, name: str = "") -> None:
        self.part = part
        self.name = name

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    def __get__(self, instance: object, owner: type) -> T:
        if instance is None:  # asked of the class, which has it
            return self  # type: ignore[return-value]
        part: Any = getattr(instance, self.part)
        value: T = getattr(part, self.name)
        return value
