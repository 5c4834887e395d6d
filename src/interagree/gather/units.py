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
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.paths import fill_pattern
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.types import Annotator, Item
from interagree.data.values import spelled_in_ways
from interagree.errors import Advice, FormatError, Hint, KindError, ReaderHint, listing
from interagree.gather.marks import Number, Span, SpanValue
from interagree.gather.offsets import FARTHEST

QUESTION = "units"
LOOKED = ("marked", "all")
KEPT = ReaderHint("points", "keep")
Cell: TypeAlias = tuple[Item, Annotator]

_Rank: TypeAlias = tuple[Number, Number, bool, str, str]


class DocumentTexts(NamedTuple):
    """What is known of the documents themselves."""

    texts: Mapping[Hashable, str] = {}
    tokens: Mapping[Hashable, tuple[tuple[Number, Number], ...]] = {}  # character offsets of the tokens
    positions: str | None = None  # what positions count: "characters", "tokens" or "seconds"


class UnitOptions(NamedTuple):
    """What a caller said about units."""

    looked: str | Sequence[Hashable] = "marked"
    points: str = "drop"
    columns: tuple[str, ...] = ()  # the names of further columns
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


def annotations_of_spans(
    sources: Sequence[Source],
    marked: Mapping[Cell, Sequence[Span]],
    silent: AbstractSet[Cell],
    further: Mapping[Cell, Sequence[tuple[Hashable, ...]]],
    options: UnitOptions,
    *,
    steps: Iterable[Step] = (),
    documents: DocumentTexts | None = None,
) -> Annotations:
    """The annotations that the spans of each document and annotator are.

    Args:
        sources: The files that they come from.
        marked: The spans of each document and annotator.
        silent: The documents and annotators of which it is stated that they looked.
        further: Entries of further columns, of each of their spans or records.
        options: What the caller said about units.
        steps: What was done to them before.
        documents: The texts and tokens of documents, kept as their attributes.
    """
    check_word("points", options.points, ("drop", "keep"))
    if not marked:
        raise FormatError(f"{listing((source.name for source in sources), quote=False)}: found no unit to read")
    values: dict[Cell, list[SpanValue]] = {}
    labels: dict[str | None, None] = {}
    short = early = twice = nothing = 0
    for cell, spans in marked.items():
        kept = spans if options.points == "keep" else [span for span in spans if span.start != span.end]
        short += len(spans) - len(kept)
        nothing += not spans and cell in silent
        early += sum(span.start < 0 for span in kept)
        labels |= dict.fromkeys(span.label for span in kept)
        given = [span.value() for span in sorted(kept, key=_rank)]
        alone = [value for at, value in enumerate(given) if not at or value != given[at - 1]]
        twice += len(given) - len(alone)
        values[cell] = alone if options.once else given
    doubles = spelled_in_ways(label for label in labels if label is not None)
    shown = "; ".join(listing(same, most=3) for same in doubles[:3])
    all_steps = [
        *steps,
        *noted(
            "set aside", Advice.of(f"{counted(short, 'unit')} without length left out (", KEPT, " keeps them)"), short
        ),
        *noted("noticed", f"{counted(early, 'unit')} with a start below 0, kept as they are", early),
        *identical_units(twice, once=options.once),
        *noted("noticed", f"labels that differ only in case or spaces, kept apart: {shown}", len(doubles)),
        *assumed(sources, options, nothing),
    ]
    _add_those_who_looked(values, options.looked)
    cells = list(values)
    made = Annotations.from_columns(
        [document for document, _ in cells],
        [annotator for _, annotator in cells],
        list(values.values()),
        attributes={**_attributes(cells, further, options.columns), **_known(cells, documents or DocumentTexts())},
        provenance=Provenance(tuple(source.name for source in sources)).then(*all_steps),
    )
    # The values are spans by the way they were made, so they are not looked at once more.
    return replace(made, of_kind="spans")


def _known(cells: Sequence[Cell], documents: DocumentTexts) -> dict[str, list[object]]:
    """What is known of documents, as attributes: a cell for each row."""
    known = (("text", documents.texts), ("tokens", documents.tokens))
    kept: dict[str, list[object]] = {name: [of.get(document) for document, _ in cells] for name, of in known if of}
    return kept if documents.positions is None else {**kept, "positions": [documents.positions] * len(cells)}


def _rank(span: Span) -> _Rank:
    start, end, label, fragments, features, _ = span
    more = str((fragments, features)) if fragments or features else PLAIN
    return (start, end, label is not None, label or "", more)


def _add_those_who_looked(values: dict[Cell, list[SpanValue]], looked: str | Sequence[Hashable]) -> None:
    if looked == "marked":
        return
    if isinstance(looked, str) and looked != "all":
        raise KindError(f"looked must be {listing(LOOKED)}, or a list of annotators, got {looked!r}")
    everybody = [who for _, who in values] if looked == "all" else list(looked)
    for document in dict.fromkeys(document for document, _ in values):
        for who in dict.fromkeys(everybody):
            values.setdefault((document, who), [])


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


def _attributes(
    cells: Sequence[Cell], further: Mapping[Cell, Sequence[tuple[Hashable, ...]]], columns: Sequence[str]
) -> dict[str, list[Hashable]]:
    """Further columns that say one thing of all units of a document and annotator, or of the annotator's others."""
    kept = {}
    for at, name in enumerate(columns):
        entries = {cell: {row[at] for row in rows} for cell, rows in further.items()}
        if all(len(entry) == 1 for entry in entries.values()):
            by_annotator: dict[Annotator, set[Hashable]] = {}
            for (_, who), entry in entries.items():
                by_annotator.setdefault(who, set()).update(entry)
            usual = {who: next(iter(entry)) if len(entry) == 1 else "" for who, entry in by_annotator.items()}
            kept[name] = [next(iter(entries[cell] if cell in entries else [usual.get(cell[1], "")])) for cell in cells]
    return kept
