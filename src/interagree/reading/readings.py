"""A reading of a table: which column plays which part, what was set aside, and because of what.

A reading is a value: it is made by one function for all doors, it can say itself in a sentence, and it gives the
options that choose it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from interagree.data.provenance import Step, counted
from interagree.errors import DataError, ReadingAdvice, listing
from interagree.reading.choices import Layout
from interagree.reading.evidence import Profile
from interagree.reading.parts import ROW
from interagree.reading.patterns import cut

Grid: TypeAlias = Mapping[str, Mapping[Hashable, Hashable]]
"""For each question the columns of its answers, by what each is called after: the annotator, or the item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The part of each column of a table."""

    layout: Layout
    paired: bool = False  # whether the people of a wide table are columns that name who gave the answer beside them
    item: tuple[Hashable, ...] = ()  # the columns that name an item; none where each row is one
    annotator: Hashable | None = None  # the column that names them, of a long or a transposed table
    values: tuple[Hashable, ...] = ()  # of a long table, one for each question; else columns of numbers or items
    question: Hashable | None = None  # the column that names the question, where questions stand in rows
    people: Grid = field(default_factory=dict)  # question → annotator, or item of a transposed table → column
    pattern: str | None = None  # how the columns of a wide table are called: "{question}_{annotator}"
    aside: Mapping[Hashable, str] = field(default_factory=dict)  # columns that play no part, and why
    because: str = ""  # what speaks for this reading
    doubt: str = ""  # what speaks against it; empty where it is clear
    odd: tuple[Hashable, ...] = ()  # columns of answers that may be something else
    score: float = 0.0  # how likely it is beside others

    @property
    def clear(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.doubt

    @property
    def crowd(self) -> list[Hashable]:
        """The annotators of a wide table, or the columns that name them; the items of a transposed one."""
        return list(dict.fromkeys(who for people in self.people.values() for who in people))

    @property
    def columns(self) -> list[Hashable]:
        """The columns of answers of a wide or a transposed table."""
        return [column for people in self.people.values() for column in people.values()]

    def options(self) -> dict[str, Hashable | list[Hashable]]:
        """The options that choose this reading."""
        options: dict[str, Hashable | list[Hashable]] = {}
        if self.item:
            options["item"] = self.item[0] if len(self.item) == 1 else list(self.item)
        elif self.layout == "long":
            options["item"] = ROW
        if self.layout == "long":
            options["annotator"] = self.annotator
            options["value"] = self.values[0] if len(self.values) == 1 else list(self.values)
            options["question"] = self.question
        elif self.layout == "wide":
            options["columns"] = self.pattern
            options["annotator"] = self.crowd if self.paired or self.pattern is not None else self.columns
            options["value"] = self.columns if self.paired else self._asked()
        else:
            options["layout"] = self.layout
            options["columns"] = self.pattern
            options["annotator"] = self.annotator
            options["value"] = self._asked()
            if self.layout in ("counts", "transposed") and self.pattern is None:
                options["attributes"] = [name for name in self.aside if name not in self.item]
        return {name: entry for name, entry in options.items() if entry not in (None, [])}

    def _asked(self) -> list[Hashable]:
        """The questions of columns named by a pattern, where others fit it as well or some are not by all."""
        if self.pattern is None:
            return []
        whole = len(self.people) > 1 and all(list(people) == self.crowd for people in self.people.values())
        return [] if whole and not cut(self.pattern, self.aside) else list(self.people)

    def sentence(self) -> str:
        """What the table is by this reading."""
        several = f" for each of {counted(len(self.people), 'question')}" if len(self.people) > 1 else ""
        if self.layout == "long":
            item = listing(self.item, quote=True) if self.item else "the row"
            asked = f", question from {self.question!r}" if self.question is not None else ""
            return (
                f"one row for each annotation: item from {item}, annotator from {self.annotator!r}, value from "
                f"{listing(self.values, most=6)}{asked}"
            )
        if self.layout == "wide":
            item = f" ({listing(self.item)})" if self.item else ""
            shown = listing(self.columns, most=6)
            if self.paired:
                return f"one row for each item{item}, answers in {shown}, and who gave each in {listing(self.crowd)}"
            crowd = counted(len(self.crowd), "annotator")
            return f"one row for each item{item}, one column for each of {crowd}{several}: {shown}"
        if self.layout == "transposed":
            who = f" ({self.annotator!r})" if self.annotator is not None else ""
            shown = listing(self.values or self.columns, most=6)
            return f"one row for each annotator{who}, one column for each item{several}{shown and ': '}{shown}"
        if self.layout == "counts":
            return f"one row for each item, counting how often {listing(self.values, most=6)} was given"
        return "a contingency table of two annotators"

    def steps(self) -> tuple[Step, ...]:
        """What to say of the columns that play no part."""
        if not self.aside:
            return ()
        groups: dict[str, list[Hashable]] = {}
        for name, why in self.aside.items():
            groups.setdefault(why, []).append(name)
        columns = "; ".join(f"{listing(names, most=40)} ({why})" for why, names in groups.items())
        return (Step("set aside", f"columns set aside: {columns}", len(self.aside)),)

    def advice(self, rows: Sequence[Sequence[str]] = (), heads: Sequence[str] = ()) -> ReadingAdvice:
        """How an error shows this reading, with its first rows and what stands above them."""
        sentence = self.sentence()
        return ReadingAdvice(
            sentence[:1].upper() + sentence[1:], rows, heads if rows else (), self.options(), ("columns", "question")
        )


class Doubt(DataError):
    """Why a table is not read without being told how.

    Args:
        message: What is in doubt.
        readings: The readings that come into question.
        columns: What is known of its columns.
        otherwise: The error where no reading can be offered.
    """

    def __init__(
        self, message: str, readings: Sequence[Reading], columns: Sequence[Profile], otherwise: DataError | None = None
    ) -> None:
        super().__init__(message)
        self.readings = readings
        self.columns = columns
        self.otherwise = otherwise
