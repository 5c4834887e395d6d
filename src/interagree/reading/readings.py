"""A reading of a table: which column plays which part, what was set aside, and because of what.

A reading is a value: it is made by one function for all doors, it can say itself in a sentence, and it gives the
options that choose it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from interagree.data.provenance import Step, counted
from interagree.errors import ReadingAdvice, listing
from interagree.reading.choices import Layout
from interagree.reading.parts import ROW


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The part of each column of a table."""

    layout: Layout
    item: tuple[Hashable, ...] = ()  # the columns that name an item; none where each row is one
    annotator: Hashable | None = None  # the column that names them, of a long or a transposed table
    values: tuple[Hashable, ...] = ()  # of a long table, one for each question; else columns of numbers or items
    question: Hashable | None = None  # the column that names the question, where questions stand in rows
    people: Mapping[str, Mapping[Hashable, Hashable]] = field(default_factory=dict)  # question → annotator → column
    pattern: str | None = None  # how the columns of a wide table are called: "{question}_{annotator}"
    aside: Mapping[Hashable, str] = field(default_factory=dict)  # columns that play no part, and why
    because: str = ""  # what speaks for this reading
    doubt: str = ""  # what speaks against it; empty where it is clear
    score: float = 0.0  # how likely it is beside others

    @property
    def clear(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.doubt

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
            if self.question is not None:
                options["question"] = self.question
        elif self.layout == "wide" and self.pattern is not None:
            options["columns"] = self.pattern
            options["annotator"] = list(dict.fromkeys(who for people in self.people.values() for who in people))
        elif self.layout == "wide":
            options["annotator"] = [column for people in self.people.values() for column in people.values()]
        else:
            options["layout"] = self.layout
            if self.layout == "transposed":
                options["annotator"] = self.annotator
            if self.layout in ("counts", "transposed") and self.aside:
                options["attributes"] = [name for name in self.aside if name not in self.item]
        return {name: entry for name, entry in options.items() if entry not in (None, [])}

    def sentence(self) -> str:
        """What the table is by this reading."""
        if self.layout == "long":
            item = listing(self.item, quote=True) if self.item else "the row"
            asked = f", question from {self.question!r}" if self.question is not None else ""
            return (
                f"one row for each annotation: item from {item}, annotator from {self.annotator!r}, value from "
                f"{listing(self.values, most=6)}{asked}"
            )
        if self.layout == "wide":
            first = next(iter(self.people.values()), {})
            several = f" for each of {counted(len(self.people), 'question')}" if len(self.people) > 1 else ""
            item = f" ({listing(self.item)})" if self.item else ""
            return (
                f"one row for each item{item}, one column for each of {counted(len(first), 'annotator')}{several}: "
                f"{listing([name for people in self.people.values() for name in people.values()], most=6)}"
            )
        if self.layout == "transposed":
            who = f" ({self.annotator!r})" if self.annotator is not None else ""
            items = f": {listing(self.values, most=6)}" if self.values else ""
            return f"one row for each annotator{who}, one column for each item{items}"
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

    def advice(self, rows: Sequence[Sequence[str]] = ()) -> ReadingAdvice:
        """How an error shows this reading."""
        sentence = self.sentence()
        return ReadingAdvice(
            sentence[:1].upper() + sentence[1:],
            rows,
            ("item", "annotator", "value") if rows else (),
            self.options(),
            ("columns", "question"),
        )
