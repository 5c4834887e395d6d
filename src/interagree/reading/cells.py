"""The cells, rows and columns of tables, as types, and which cells hold something."""

from __future__ import annotations

import datetime as dt
import io
import re
import tokenize
import warnings
from ast import literal_eval
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

from interagree.arrays import Array, Indices
from interagree.data.arrow import entries
from interagree.data.codes import Coded
from interagree.data.files import parse_json

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Cell: TypeAlias = str | float | dt.date | dt.time | dt.timedelta | None
"""What a cell of a file holds: text, a number, true or false, a date or a time, or nothing."""

Row: TypeAlias = Sequence[Cell]
LONGEST_LIST = 10_000  # letters of a cell that may be a list of words
# A word of such a list, in quotation marks or beginning with a letter, and the comma behind it.
WORD = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*+)"|'((?:[^'\\]|\\.)*+)'|([^\W\d][^,'"\[\](){}:]*+))\s*(?:,|$)""")


class ArrowColumn(Protocol):
    """A column of an Arrow table; Arrow itself comes without types."""

    def __len__(self) -> int: ...
    def __getitem__(self, rows: slice, /) -> Self: ...
    def take(self, rows: Indices, /) -> Self:
        """Some rows."""

    def to_pylist(self) -> list[Cell]:
        """The cells as Python has them."""

    def unique(self) -> Self:
        """The different entries."""


FileColumn: TypeAlias = Sequence[Cell] | ArrowColumn
"""A column of a file."""

Column: TypeAlias = Coded | Array | Sequence[object] | ArrowColumn
"""A column of anything that can be read: a file, a frame, an array or a list."""

Columns: TypeAlias = Mapping[Hashable, Column]


def is_arrow(column: object) -> TypeIs[ArrowColumn]:
    """Whether a column is one of Arrow; to ask for its class would take longer than to read a short one."""
    return hasattr(column, "to_pylist")


def listed(column: FileColumn) -> list[Cell]:
    """The cells of a column as a list."""
    return entries(column) if is_arrow(column) else list(column)


def listed_words(cell: str) -> tuple[str, ...] | None:
    """The words of a list that a cell spells, as Python, JSON or R print it; None of another cell."""
    text = cell.strip()
    if len(text) < 2 or text[0] + text[-1] not in ("[]", "{}") or len(text) > LONGEST_LIST:
        return None
    inner, words, at = text[1:-1].strip(), [], 0
    while at < len(inner):
        word = WORD.match(inner, at)
        if word is None:
            return None
        quoted = word[1] if word[1] is not None else word[2]
        words.append(word[3].strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        at = word.end()
    return tuple(words) if all(words) else None


def spelled(text: str) -> object:
    """What a cell spells as JSON or Python writes it; ValueError where it spells nothing.

    Nor does it where texts follow each other without a comma, as NumPy writes lists: Python would join them.
    """
    try:
        return parse_json(text)
    except ValueError:
        text = text.strip()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            value: object = literal_eval(text)
            kinds = [token.type for token in tokenize.generate_tokens(io.StringIO(text).readline)]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError) as error:
        raise ValueError(str(error)) from None
    if (tokenize.STRING, tokenize.STRING) in pairwise(kinds):
        raise ValueError("there is no comma between two texts")
    return value


def is_empty(cell: object) -> bool:
    """Whether a cell holds nothing."""
    return cell is None or (isinstance(cell, str) and (not cell or cell.isspace()))


def extent(row: Row) -> int:
    """How many cells a row has up to its last one that is not empty."""
    return next((place + 1 for place in range(len(row) - 1, -1, -1) if not is_empty(row[place])), 0)


def filled(row: Row) -> list[int]:
    """The places of the cells that are not empty."""
    return [place for place, cell in enumerate(row) if not is_empty(cell)]
