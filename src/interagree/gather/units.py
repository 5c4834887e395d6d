"""Spans, gathered into what each annotator marked in each document.

Files of units have a row or an element for each unit; a study has a value for each document and annotator, the list of
``[start, end, label]``.  Units are put in order, so that the order of clicking means nothing.

**Who looked?** A table of units cannot say that somebody looked at a document and marked nothing.  So a document counts
as looked at by those who marked something in it (``looked="marked"``), by all annotators of the file (``looked="all"``;
of all files of a folder that is read at once by ``format=``), or by those who are named in a list.  The provenance
says what was assumed.

**Units without length** are left out and counted, unless ``points="keep"``.

**Identical units** that one annotator marked in one document, the same in position, label and features, count once; the
provenance says how many were left out.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from interagree.data.files import Source
from interagree.data.paths import fill_pattern
from interagree.data.provenance import Step, counted, noted
from interagree.data.values import spelled_in_ways
from interagree.errors import Advice, FormatError, Hint, KindError, ReaderHint, listing
from interagree.gather.marks import Number, Span, SpanValue
from interagree.gather.offsets import FARTHEST

QUESTION = "units"
LOOKED = ("marked", "all")
KEPT = ReaderHint("points", "keep")
_Rank: TypeAlias = tuple[Number, Number, bool, str, str]


class UnitOptions(NamedTuple):
    """What a caller said about units."""

    looked: str | Sequence[Hashable] = "marked"
    points: str = "drop"
    once: bool = False  # whether identical units of one annotator count once: a tool may save a click twice
    stated: bool = True  # whether files state who looked and marked nothing, and it is not only taken so


PLAIN = str(((), ()))  # what else there is to say of most spans


def position(where: str, text: str) -> Number:
    """A position, or an error that names the place in the file."""
    number: Number
    try:
        number = int(text)
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
    if not abs(number) <= FARTHEST:
        raise FormatError(f"{where}: expected a number for the position of a unit, found {text[:60]!r}")
    return number


def time(where: str, text: str, *, begins: Number = 0) -> Number:
    """A position in a recording, or an error where it lies before the recording begins."""
    number = position(where, text)
    if number < min(begins, 0):
        raise FormatError(
            f"{where}: expected a time from {min(begins, 0)} up, found {text.strip()!r}, which lies before "
            "the recording begins; correct it, or move all times of all annotators by as much"
        )
    return number


def check_ends_after(where: str, start: Number, end: Number, *hints: Hint) -> None:
    """An error where a unit ends before it starts; the hints name the columns, where these may be mistaken."""
    if end < start:
        columns = f"; correct the row, or say which column is which with {hints[0]} and {hints[1]}" if hints else ""
        raise FormatError(
            f"{where}: a unit starts at {start} and ends at {end}, before it starts{columns}", hints=hints
        )


def check_word(option: str, given: object, known: Sequence[str]) -> None:
    """An error where an option is none of the words that it takes."""
    if given not in known:
        raise KindError(f"{option} must be {listing(known)}, got {given!r}")


def check_different(item: str, annotator: str | None) -> None:
    """An error where documents and annotators would be called the same."""
    if item == annotator:
        raise KindError(
            Advice.of(
                Hint("item", item),
                " and ",
                Hint("annotator", annotator),
                " are the same; documents have several annotators",
            )
        )


def filled_in(item: str, annotator: str, words: Mapping[str, str]) -> tuple[str, str]:
    """The document and the annotator that patterns name."""
    return fill_pattern(item, words, option="item"), fill_pattern(annotator, words, option="annotator")


def values_of_spans(marked: Iterable[Sequence[Span]], options: UnitOptions) -> tuple[list[list[SpanValue]], list[Step]]:
    """The values that the spans of documents and annotators are, and what there is to say of them."""
    check_word("points", options.points, ("drop", "keep"))
    values: list[list[SpanValue]] = []
    labels: dict[str | None, None] = {}
    short = early = twice = 0
    for spans in marked:
        kept = spans if options.points == "keep" else [span for span in spans if span.start != span.end]
        short += len(spans) - len(kept)
        early += sum(span.start < 0 for span in kept)
        labels |= dict.fromkeys(span.label for span in kept)
        given = [span.value() for span in sorted(kept, key=_rank)]
        alone = [value for at, value in enumerate(given) if not at or value != given[at - 1]]
        twice += len(given) - len(alone)
        values.append(alone if options.once else given)
    doubles = spelled_in_ways(label for label in labels if label is not None)
    shown = "; ".join(listing(same, most=3) for same in doubles[:3])
    without = Advice.of(f"{counted(short, 'unit')} without length left out (", KEPT, " keeps them)")
    return values, [
        *noted("set aside", without, short),
        *noted("noticed", f"{counted(early, 'unit')} with a start below 0, kept as they are", early),
        *identical_units(twice, once=options.once),
        *noted("noticed", f"labels that differ only in case or spaces, kept apart: {shown}", len(doubles)),
    ]


def _rank(span: Span) -> _Rank:
    start, end, label, fragments, features, _ = span
    more = str((fragments, features)) if fragments or features else PLAIN
    return (start, end, label is not None, label or "", more)


def identical_units(twice: int, *, once: bool) -> list[Step]:
    """What to say of units that one annotator marked twice."""
    what, done = ("merged", "left out") if once else ("noticed", "kept: each counts")
    return noted(what, f"{counted(twice, 'identical unit')} that somebody marked twice {done}", twice)


def assumed(sources: Sequence[Source], options: UnitOptions, nothing: int = 0) -> list[Step]:
    """What is taken for granted about who looked."""
    if options.looked == "all":
        where = f"of {sources[0].name} " if len(sources) == 1 else ""
        return [Step("assumed", f"everybody {where}looked at every document, even where they marked nothing")]
    if options.looked != "marked":
        return [Step("assumed", f"{listing(options.looked)} looked at every document, even where they marked nothing")]
    everybody = Hint("looked", "all")
    sentence = Advice.of("who has no row for a document did not look at it (", everybody, " takes the opposite)")
    step = Step("assumed", sentence)
    stated = ", as the file says" if options.stated else ""
    return [step, *noted("taken", f"{counted(nothing, 'time')} somebody looked and marked nothing{stated}", nothing)]
