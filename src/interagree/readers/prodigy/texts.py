"""The texts and tokens of inputs, and offsets corrected by them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from interagree.data.provenance import Step, counted, noted
from interagree.gather import offsets
from interagree.gather.marks import Number
from interagree.gather.offsets import UTF16, Fit
from interagree.gather.units import DocumentTexts
from interagree.readers.prodigy.records import Record, covered_by, ends_of, ends_of_relations, listed, placed_in


def texts_of(records: Sequence[Record], steps: list[Step]) -> DocumentTexts:
    """The texts and tokens of inputs; offsets that count UTF-16 units are put right, record by record."""
    fits = Fit()
    wide = []
    beyond = 0
    for record in records:
        text = record.raw.get("text")
        if isinstance(text, str):
            placed = placed_in(record)
            beyond += offsets.beyond(text, (ends_of(record, span)[1] for span in placed))
            covered = [known for span in placed if (known := covered_by(span)) is not None]
            fits = fits.plus(offsets.fit(text, covered))
            if not offsets.is_basic(text):
                wide.append((record, text, _ways(text, [*placed, *ends_of_relations(record)])))
    usual = offsets.mostly(way for *_, ways in wide for way in ways)
    moved = sum(_put_right(record, text, offsets.settled(ways, usual)) for record, text, ways in wide)
    sentence = f"offsets of {moved:,} tokens and spans in UTF-16 units, as their text shows; made characters"
    wrong = f"{fits.mismatches:,} of {fits.spans:,} tokens and spans do not cover the text that they state; kept"
    steps += [*noted("taken", sentence, moved), *noted("noticed", wrong, fits.mismatches)]
    steps += noted("noticed", f"{counted(beyond, 'token or span end')} behind the end of the text kept", beyond)
    return DocumentTexts(*_known(records, steps), "characters")


def _known(
    records: Sequence[Record], steps: list[Step]
) -> tuple[dict[Hashable, str], dict[Hashable, tuple[tuple[Number, Number], ...]]]:
    texts: dict[Hashable, str] = {}
    tokens: dict[Hashable, tuple[tuple[Number, Number], ...]] = {}
    differing = set()
    for record in records:
        text = record.raw.get("text")
        if not isinstance(text, str):
            continue
        texts.setdefault(record.item, text)
        here = tuple(ends_of(record, token) for token in listed(record, "tokens"))
        if here and tokens.setdefault(record.item, here) != here:
            differing.add(record.item)
    sentence = f"{counted(len(differing), 'input')} cut into tokens in several ways; the first one is kept"
    steps += noted("noticed", sentence, len(differing))
    return texts, tokens


def _ways(text: str, placed: Iterable[Mapping[str, object]]) -> list[str | None]:
    """What the offsets of tokens, spans and ends of relations count, where their text tells."""
    return offsets.ways_told(text, [covered_by(span) or (0, 0, None) for span in placed])


def _put_right(record: Record, text: str, ways: Sequence[str]) -> int:
    """Make offsets of a record that count UTF-16 units characters; how many there were."""
    if UTF16 not in ways:
        return 0
    points = offsets.utf16_to_points(text)
    for span, way in zip([*placed_in(record), *ends_of_relations(record)], ways, strict=True):
        start, end = ends_of(record, span)
        if way == UTF16:
            span["start"], span["end"] = offsets.in_points(points, start, end, where=record.where)
    return sum(way == UTF16 for way in ways)
