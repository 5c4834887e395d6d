"""What a caller may say about data."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

from interagree.data.repeated import Duplicates
from interagree.data.types import Value
from interagree.errors import UnknownName, listing, suggestion
from interagree.errors.options import Signature, Wanted, refused
from interagree.gather.rules import Rules

Named: TypeAlias = Hashable | list[Hashable]
"""A column, or a list of several; None where the caller does not say."""

IntoCodebook: TypeAlias = Any
"""A codebook, the path of one, a frame, or a dict from each question to what is known of it."""

Layout: TypeAlias = Literal["auto", "long", "wide", "transposed", "counts", "contingency"]


class _ReadingOptions(TypedDict, total=False):
    item: Hashable | Sequence[Hashable] | None
    value: Hashable | Sequence[Hashable] | None
    columns: str | None
    values: Sequence[Value] | None
    ordered: bool | None
    duplicates: Duplicates
    layout: Layout
    split: str | None
    trim: bool | None
    fold_case: bool
    attributes: Sequence[Hashable] | None
    times: Hashable | None
    at: str | None
    levels: str | Mapping[str, str] | None
    codebook: IntoCodebook | None


class WithoutMissing(_ReadingOptions, total=False):
    """`ReadingOptions` of a function that has a ``missing`` of its own."""

    annotator: Hashable | Sequence[Hashable] | None
    kind: str | None


class WithoutAnnotator(_ReadingOptions, total=False):
    """`ReadingOptions` of a function that has an ``annotator`` of its own."""

    missing: Sequence[Value]
    kind: str | None


class WithoutKind(_ReadingOptions, total=False):
    """`ReadingOptions` of a function that has a ``kind`` of its own."""

    annotator: Hashable | Sequence[Hashable] | None
    missing: Sequence[Value]


class ReadingOptions(WithoutKind, total=False):
    """The keywords by which every function that takes data is told how to read them; `Annotations.of` explains each."""

    kind: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(Rules):
    """What a caller may say about data; `Annotations.of` explains each."""

    item: Named = None
    annotator: Named = None
    value: Named = None
    question: Hashable = None
    columns: str | None = None
    layout: Layout = "auto"
    attributes: Named = None
    times: Hashable = None
    at: str | None = None
    levels: str | Mapping[str, str] | None = None
    codebook: IntoCodebook | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Choices:
        """Options by name, checked."""
        for name in options:
            if name not in cls.__dataclass_fields__:
                known = [name for name in cls.__dataclass_fields__ if name not in OF_THE_SOURCE]
                raise UnknownName(f"there is no option {name!r}.{suggestion(name, known)} (known: {listing(known)})")
        given = dict(options)
        if isinstance(given.get("missing"), int | float):  # one code, which need not be a list
            given["missing"] = [given["missing"]]
        given = TAKEN.check(given)
        for name in ("item", "annotator", "value"):
            if name in given and isinstance(given[name], list) and not given[name]:
                raise refused(name, given[name], Wanted(bool, "a column or a list of columns"))
        return cls(**given)


TAKEN = Signature(Choices)
OF_THE_SOURCE = ("from_text", "provenance")  # what readers say, and callers do not


def single(columns: Named) -> Hashable | None:
    """The one column that the caller named; None where they named several or none."""
    return None if isinstance(columns, list) else columns


def several(columns: Named) -> list[Hashable] | None:
    """The columns that a caller named; None where they did not say."""
    return None if columns is None else list(columns) if isinstance(columns, list) else [columns]
