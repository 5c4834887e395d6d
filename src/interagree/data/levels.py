"""The level on which answers are measured: what may be said of two values besides that they are the same or not.

| level | values | usual distance |
|---|---|---|
| nominal | the same or not | nominal |
| ordinal | in an order | ordinal |
| interval | numbers with equal steps | interval |
| ratio | numbers with equal steps and a true zero | ratio |
| circular | numbers that begin again, as hours do; written with the period: ``circular:period=24`` | circular |
| sets | sets of labels | masi |
| text | free text | that of texts |

Somebody states it (an option, a codebook, the file itself), or the values tell it: words are nominal, and so are whole
numbers of which there are few, in doubt, since they may be the steps of a scale; numbers of which there are many, or
that are not whole, are on an interval scale.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from interagree.errors import KindError, listing, suggestion

if TYPE_CHECKING:
    from interagree.kinds import Recognised

MOST_LETTERS = 40  # of a word for a level
LEVELS = {  # the kind of value and the usual distance of each level
    "nominal": ("labels", "nominal"),
    "ordinal": ("ordered", "ordinal"),
    "interval": ("numbers", "interval"),
    "ratio": ("numbers", "ratio"),
    "circular": ("numbers", "circular"),
    "sets": ("sets", "masi"),
    "text": ("text", ""),
}
AS_NUMBERS = ("ordinal", "interval", "ratio", "circular")  # at which the size of a difference counts
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

    @classmethod
    def of(cls, recognised: Recognised, source: str) -> Level:
        """The level of values of a kind that nobody stated one of."""
        kind, doubt, because = recognised
        other = None if doubt is None else OF_KIND.get(doubt.name, doubt.name)
        return cls(OF_KIND.get(kind.name, kind.name), kind.distance, source, because, other)

    @property
    def plain(self) -> bool:
        """Whether it goes without saying: nobody stated it, and values are as words and sets are."""
        return self.name not in AS_NUMBERS and self.source not in ("option", "codebook", "file")

    def __str__(self) -> str:
        return f"{self.name}, as declared" if self.source == "declaration" else f"{self.name}, from the {self.source}"

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
    if not word or len(word) > MOST_LETTERS:
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
