"""Studies that are known, and tables before they are written."""

from __future__ import annotations

import tomllib
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORDS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))

Row = tuple[Hashable, Hashable, Any]  # item, annotator, value


@dataclass(frozen=True)
class Truth:
    """A study: for each question the value that each annotator gave each item."""

    items: list[str]
    people: list[str]
    questions: dict[str, dict[tuple[str, str], Any]]

    def rows(self, question: str) -> list[Row]:
        return [(item, who, value) for (item, who), value in self.questions[question].items()]

    def given(self, question: str, item: str) -> list[Any]:
        """The values that an item received, in the order of the annotators."""
        values = self.questions[question]
        return [values[item, who] for who in self.people if (item, who) in values]


@dataclass
class Expected:
    """What a right reading gives: annotations by question, none at all where the table must be refused."""

    questions: dict[str, list[Row]]
    may: dict[str, list[Row]] = field(default_factory=dict)  # models, which may be annotators
    ambiguous: bool = False  # nobody could know; refused is right
    missing: list[str] = field(default_factory=list)  # what stands where nothing was given
    anonymous: bool = False
    why: str = ""


@dataclass
class Column:
    """A column of a table; `part` says what it is, and is written nowhere."""

    name: str
    cells: list[Any]
    part: str


@dataclass
class Sheet:
    """A table before it is written: columns, and rows that stand above and below them."""

    columns: list[Column]
    above: list[list[str]] = field(default_factory=list)
    below: list[list[str]] = field(default_factory=list)
    header: bool = True
    records: list[dict[str, Any]] | None = None  # what JSON holds instead of rows

    def lines(self) -> list[list[Any]]:
        head = [[column.name for column in self.columns]] if self.header else []
        body = [list(row) for row in zip(*(column.cells for column in self.columns), strict=True)]
        return [*self.above, *head, *body, *self.below]
