"""Codes for "no annotation" that stand among values and were not stated.

Some signs are never labels: ".", "-", "#N/A", "NaN", "n/a".  They are *certain* where the other values are numbers or
words unlike them: "-" is a label beside "+", "NA" may be one beside "EU" and "AS", and one value alone is not enough to
tell.  Others are *doubtful* ("?", "unknown", 99 or −1 beside a scale from 1 to 5) and stay values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from interagree.data.types import Value
from interagree.data.values import is_missing, number
from interagree.errors import Hint

SIGNS = frozenset({".", "..", "...", "…", "-", "--", "---", "–", "—"})
ERRORS = frozenset({"#n/a", "#n/a n/a", "#na", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"})
WORDS = frozenset({"na", "n/a", "n.a.", "n. a.", "nan", "<na>", "null", "\\n", "k.a.", "k. a.", "k.a"})
UNSURE = frozenset({"?", "??", "???", "*", "/", "unknown", "missing", "undefined", "nil"}) | {
    *("not available", "no answer", "keine angabe")
}
CODES = frozenset({-1, -2, -7, -8, -9, -77, -88, -99, -999, -9999, 77, 88, 97, 98, 99, 777, 888, 999, 9999})
SCALE = 20  # how far apart the ends of a scale of whole numbers are at most
MANY = 60  # distinct words from which on values are free text
TAGS = 6  # upper-case words from which on a sign may be one of a set of tags


@dataclass(frozen=True, slots=True)
class MissingCodes:
    """Values that may mean "no annotation", each with a sentence."""

    certain: dict[Value, str] = field(default_factory=dict)  # taken as missing
    doubtful: dict[Value, str] = field(default_factory=dict)  # kept as values


def missing_codes(counts: Mapping[Value, int], *, text: bool = True, labels: Collection[Value] = ()) -> MissingCodes:
    """The values that may mean "no annotation", told from how they stand among the others.

    Args:
        counts: How often each value was given.
        text: Whether the values come from a text file or a sheet, which have no null of their own; elsewhere a word
            such as "NA" was meant as a value, and is doubtful.
        labels: Those of the values that were declared, and so mean what they say.
    """
    values = [value for value in counts if not is_missing(value) and value != ""]
    likely = {value: kind for value in values if value not in labels and (kind := _kind(value)) is not None}
    rest = [value for value in values if value not in likely]
    codes = MissingCodes()
    numbers = bool(rest) and all(number(value) is not None for value in rest)
    enough = len(rest) > 1 and len(likely) <= max(2, len(rest))  # other values to compare with, and more than codes
    for value, kind in likely.items():
        if kind == "unsure":
            if _spoken(value) not in ("None", "none") or numbers or _is_odd_none(value, rest):
                codes.doubtful[value] = doubt(value, counts[value])
        elif not numbers and kind == "sign" and _is_like(value, kind, rest):
            continue  # a label among others of its form
        elif (kind == "sign" or text) and enough and (numbers or not _is_like(value, kind, rest)):
            codes.certain[value] = f"{_cells(counts[value], value)} taken as no annotation"
        else:
            codes.doubtful[value] = doubt(value, counts[value])
    if numbers:
        codes.doubtful.update({code: said for code, said in _outside(rest, counts).items() if code not in labels})
    return codes


def is_code(value: object) -> bool:
    """Whether a value by itself may mean "no annotation"."""
    return _kind(value) is not None


def doubt(value: Value, times: int) -> str:
    """The sentence about a value that may mean "no annotation"."""
    return f"{_cells(times, value)} may mean that there is no annotation"


def advice(codes: Iterable[Value]) -> Hint:
    """The option that leaves codes out."""
    return Hint("missing", [*map(str, codes)])


def _spoken(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _kind(value: object) -> str | None:
    word = _spoken(value)
    if word in SIGNS or word.casefold() in ERRORS:
        return "sign"
    if word.casefold() in WORDS:
        return "word"
    return "unsure" if word.casefold() in UNSURE or word in ("None", "none") else None


def _cells(times: int, value: Value) -> str:
    return f"{times:,} {'cell' if times == 1 else 'cells'} {value!r}"


def _is_like(value: Value, kind: str, rest: Sequence[Value]) -> bool:
    """Whether a value could be a label among the others."""
    words = [_spoken(other) for other in rest]
    if kind == "sign" and _spoken(value).casefold() in ERRORS:
        return False
    if len(rest) > MANY:
        return True  # free text, in which anything may stand
    if kind == "sign":
        bare = any(word and not any(map(str.isalnum, word)) for word in words)
        return bare or (len(words) >= TAGS and all(word.isupper() for word in words))
    word = _spoken(value)
    if not word.isalpha():
        return False
    same = [other for other in words if other.isalpha() and len(other) <= 3 and other.isupper() == word.isupper()]
    return 2 * len(same) >= len(words)


def _is_odd_none(value: Value, rest: Sequence[Value]) -> bool:
    """Whether "None" is spelled as Python does, where the other values are written in lower case."""
    return bool(_spoken(value) == "None" and rest) and all(_spoken(other).islower() for other in rest)


def _outside(rest: Sequence[Value], counts: Mapping[Value, int]) -> dict[Value, str]:
    """Whole numbers that are usual codes and lie apart from a short scale of whole numbers."""
    places = {value: n for value in rest if (n := number(value)) is not None}
    codes = {value: n for value, n in places.items() if n in CODES}
    scale = sorted(n for value, n in places.items() if value not in codes)
    if len(scale) < 2 or not all(n.is_integer() for n in scale) or scale[-1] - scale[0] > SCALE or scale[0] < 0:
        return {}
    outside = {}
    for value, n in codes.items():
        beside = n in (-1, -2) and scale[0] == 0 and scale[-1] == -n  # −1, 0, 1 is a scale
        if (n < 0 and not beside) or n > scale[-1] + 1:
            outside[value] = (
                f"{_cells(counts[value], value)}, outside the scale from {scale[0]:g} to {scale[-1]:g}, may mean that "
                "there is no annotation"
            )
    return outside
