"""A codebook: what is known of the questions of a study beside the answers.

For each question it has a title, the level on which the answers are measured, the order of the values, what codes
stand for, and which codes mean that there is no answer.  Whatever it does not say is told from the answers.

| level | values | usual distance |
|---|---|---|
| nominal | the same or not | nominal |
| ordinal | in an order | ordinal |
| interval | numbers with equal steps | interval |
| ratio | numbers with equal steps and a true zero | ratio |
| circular | numbers that begin again, as hours do; written with the period: ``circular:period=24`` | circular |
| sets | sets of labels | masi |
| text | free text | that of texts |
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from interagree.data.values import number
from interagree.errors import KindError, listing, suggestion

LEVELS = {  # the kind of value and the usual distance of each level
    "nominal": ("labels", "nominal"),
    "ordinal": ("ordered", "ordinal"),
    "interval": ("numbers", "interval"),
    "ratio": ("numbers", "ratio"),
    "circular": ("numbers", "circular"),
    "sets": ("sets", "masi"),
    "text": ("text", ""),
}
OF_KIND = {"labels": "nominal", "ordered": "ordinal", "numbers": "interval"}  # where nobody stated a level

# How words for a level begin in the languages that codebooks are met in; the first that fits is meant.
BEGINNINGS = {
    "nominal": "nomin|categ|kateg|cualit|qualit|binar|binär|dichotom|dicotom|label|factor|faktor",
    "ordinal": "ordin|ordered|geordnet|likert|rank",
    "interval": "interv|scale$|skala$|metri|contin|kontinu|stetig|quantit|cuantit",
    "ratio": "ratio|verhältnis|verhaltnis|razon|rapport|raz[aã]o",
    "circular": "circul|zirkul|cycli|ciclic|cíclic|zykl|period",
    "sets": "set$|sets|multi|mehrfach|plusieurs|several|various",
    "text": "text|free|frei|string|open|offen|libre|libero",
}
MOST_WORDS = 12  # of the name of a column that are looked at
LONGEST = 40  # letters that a word for a level has at most


class Stated(NamedTuple):
    """A level that somebody stated."""

    name: str
    source: str  # "codebook", "option", or what else says so
    distance: str  # how far apart values are at this level, such as "circular:period=24"


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """On which level answers are measured, and who says so.  It is equal to its name: ``study.level == "ordinal"``."""

    name: str
    distance: str  # the usual one at this level
    source: str  # "cells", "codebook", "option", …
    because: str = ""  # what the values are seen to be, where their cells tell
    doubt: str | None = None  # the other level that they may be meant at, where nobody said

    def __str__(self) -> str:
        return f"{self.name}, from the {self.source}"

    def __eq__(self, other: object) -> bool:
        return self.name == (other.name if isinstance(other, Level) else other)

    def __hash__(self) -> int:
        return hash(self.name)

    def to_dict(self) -> dict[str, object]:
        """The level as plain data."""
        return {"name": self.name, "from": self.source, "distance": self.distance, "doubt": self.doubt}


def level_word(text: object) -> str | None:
    """The level that a word or two stand for, with its period where it is circular; None where they stand for none."""
    word = unicodedata.normalize("NFC", str(text)).strip().casefold()
    if not word or len(word) > LONGEST:
        return None
    for level, beginnings in BEGINNINGS.items():
        if re.match(rf"(?:{beginnings})", word) and (level == "circular" or not re.search(r"[,;|=/<>]", word)):
            period = re.search(r"\d+(?:\.\d+)?", word)
            return f"circular:period={float(period[0]):g}" if level == "circular" and period else level
    return None


def as_level(text: object) -> str:
    """The level that somebody stated, or an error that names those there are."""
    level = level_word(text)
    if level is None:
        raise KindError(
            f"no level is called {text!r}.{suggestion(str(text), LEVELS)} (known: {listing(LEVELS, quote=False)})"
        )
    return level


def distance_at(level: str) -> str:
    """The usual distance at a level."""
    name, _, parameters = level.partition(":")
    if name == "text":
        from interagree.plugins import KINDS

        return str(KINDS["text"].distance)
    return LEVELS[name][1] + (f":{parameters}" if parameters else "")


def spelled(value: object) -> str:
    """A value as a codebook writes it: 1, 1.0 and "1" are one code."""
    parsed = number(value)
    return str(value).strip() if parsed is None else f"{parsed:.15g}"


@dataclass(frozen=True, slots=True)
class Variable:
    """What a codebook says of one question; values are written as `spelled` writes them."""

    title: str = ""
    level: str | None = None
    values: tuple[str, ...] = ()  # all that can be given; at an ordinal level from lowest to highest
    labels: Mapping[str, str] = field(default_factory=dict)  # what values stand for
    missing: tuple[str, ...] = ()  # values that mean that there is no answer

    def over(self, other: Variable) -> Variable:
        """What this says, and what another says where this says nothing."""
        return Variable(
            self.title or other.title,
            self.level or other.level,
            self.values or other.values,
            self.labels or other.labels,
            self.missing or other.missing,
        )

    def in_order(self) -> tuple[str, ...]:
        """The values from lowest to highest: codes by size, whatever order they are listed in, and words as listed."""
        sizes = [number(value) for value in self.values]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            return self.values
        return tuple(value for _, value in sorted(zip(known, self.values, strict=True)))


@dataclass(frozen=True, slots=True)
class Codebook(Mapping[str, Variable]):
    """Questions by name, each with what is known of it, and where that comes from."""

    variables: Mapping[str, Variable] = field(default_factory=dict)
    source: str = "codebook"

    def __getitem__(self, question: str) -> Variable:
        return self.variables[question]

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __repr__(self) -> str:
        return f"<Codebook: {listing(self.variables)}>"

    def of(self, question: Hashable) -> Variable | None:
        """What is known of a question, called by its name or as near to it as spelling goes; None where nothing is."""
        if question in self.variables:
            return self.variables[str(question)]
        wanted = folded(question)
        return next((variable for name, variable in self.variables.items() if folded(name) == wanted), None)

    def rows(self) -> list[dict[str, str]]:
        """A row for each question, as a file holds them; `interagree.reading.codebook` reads them back."""
        return [
            {
                "question": name,
                "title": variable.title,
                "level": variable.level or "",
                "values": " | ".join(
                    f"{value} = {variable.labels[value]}" if value in variable.labels else value
                    for value in variable.values or variable.labels
                ),
                "missing": " | ".join(variable.missing),
            }
            for name, variable in self.variables.items()
        ]

    @classmethod
    def of_levels(cls, levels: Mapping[str, str]) -> Codebook:
        """A codebook that says nothing but levels."""
        made = {str(name): Variable(level=as_level(level)) for name, level in levels.items()}
        return cls(made, source="option")


def folded(name: object) -> str:
    """A name without regard to case and to what stands between its words."""
    return re.sub(r"[\W_]+", " ", str(name)).casefold().strip()


def named_in(names: Iterable[object], columns: Iterable[object]) -> set[str]:
    """Those of some names that are columns, or a part of the name of one: ``tone`` of ``tone_Marta``."""
    parts = set()
    for column in columns:
        words = folded(column).split()[:MOST_WORDS]
        parts |= {" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)}
    return {str(name) for name in names if folded(name) in parts}


def joined(parts: Sequence[Codebook]) -> Codebook:
    """Several codebooks as one; what an earlier one says goes before what a later one does."""
    made: dict[str, Variable] = {}
    for part in parts:
        for name, variable in part.items():
            made[name] = made[name].over(variable) if name in made else variable
    return Codebook(made, parts[0].source if parts else "codebook")
