"""Tags and spans: sequences of tags such as ``B-PER`` ``I-PER`` ``O`` as stretches of tokens, and back.

A tag is a letter and a label, ``B-PER``, a letter alone, or ``O`` outside of all spans.  Schemes differ in the letters:

- **IOB2** (BIO): a span begins with B, all its other tokens are I.
- **IOB1**: all tokens are I; B begins a span only right after another one of its label.
- **BIOES** (BILOU and BMEWO with other letters): as IOB2, the last token is E (L), a span of one token S (U, W).
- **IO**: all tokens are I; spans of one label that touch are one.

Decoding is lenient, as by the CoNLL evaluation script: every tag that cannot go on with the span before begins one, so
an I after O does.  Such spans break the rules of the scheme and are counted.  With ``strict`` they are left out
instead, as by seqeval's strict mode in IOB2, BIOES and BILOU.  In IOB1 a B that does not follow a span of its label
breaks the rules: its whole span is left out here, and its first token alone by seqeval 1.2.2.

Tjong Kim Sang, E. F. and Veenstra, J. (1999). Representing text chunks. EACL 1999.
Ratinov, L. and Roth, D. (2009). Design challenges and misconceptions in named entity recognition. CoNLL 2009.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, count
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from interagree.arrays import Booleans, Integers
from interagree.errors import DataError, FormatError, ReaderHint, UnknownName, listing, suggestion

OUTSIDE, BEGIN, INSIDE, LAST, SINGLE = range(5)
# The letters of each scheme for the first token of a span, those inside, the last one, and the only one.
LETTERS = {
    "iob2": {"B": BEGIN, "I": INSIDE},
    "iob1": {"B": BEGIN, "I": INSIDE},
    "io": {"I": INSIDE},
    "bioes": {"B": BEGIN, "I": INSIDE, "E": LAST, "S": SINGLE},
    "bilou": {"B": BEGIN, "I": INSIDE, "L": LAST, "U": SINGLE},
    "bmewo": {"B": BEGIN, "M": INSIDE, "E": LAST, "W": SINGLE},
}
SYNONYMS = {"bio": "iob2", "iob": "iob1", "iobes": "bioes", "bilou": "bilou", "bmeow": "bmewo"}
CLOSED = ("bioes", "bilou", "bmewo")  # the schemes that mark where a span ends
OUT = "O"
ANY_SCHEME = ReaderHint("scheme", "auto")
PREFIXES = frozenset(letter for letters in LETTERS.values() for letter in letters)


class CodedTags(NamedTuple):
    """The tags of many sentences that are not O: where each stands, all table end to end, and which one it is."""

    at: Integers
    codes: Integers  # places in names
    names: tuple[str, ...]


class TagSpans(NamedTuple):
    """Spans of tokens, in order of their sentences and their beginnings."""

    sentence: Integers
    begin: Integers  # counted from the first token of the sentence
    end: Integers
    label: Integers  # places in labels
    labels: tuple[str | None, ...]
    scheme: str
    repaired: int  # how many break the rules of the scheme; with strict they were left out


class TagLists(NamedTuple):
    """Tags of many sentences, end to end."""

    tags: list[str]
    starts: Integers  # where each sentence begins, and where the last one ends
    merged: int  # how many spans cannot be told from the one before them, which IO cannot help


def scheme_called(name: str) -> str:
    """The scheme that a name or a synonym stands for."""
    plain = name.lower().replace("-", "").replace("_", "")
    scheme = SYNONYMS.get(plain, plain)
    if scheme not in LETTERS:
        known = [*LETTERS, *SYNONYMS]
        raise UnknownName(
            f"no tag scheme is called {name!r}.{suggestion(plain, known)} (known: {listing(dict.fromkeys(known))})"
        )
    return scheme


def coded(sentences: Iterable[Sequence[str]]) -> CodedTags:
    """The tags of sentences as numbers."""
    sentences = list(sentences)
    place: defaultdict[str, int] = defaultdict(count(1).__next__, {OUT: 0})
    numbered = map(place.__getitem__, chain.from_iterable(sentences))
    try:
        codes: Integers = np.frombuffer(bytes(numbered), dtype=np.uint8)
    except ValueError:  # there are more tags than a byte has values
        codes = np.fromiter(map(place.__getitem__, chain.from_iterable(sentences)), dtype=np.int32)
    at = np.flatnonzero(codes)
    return CodedTags(at, codes[at].astype(np.int32) - 1, tuple(place)[1:])


def spans_of(
    tags: CodedTags | Iterable[str],
    starts: Sequence[int] | Integers,
    scheme: str = "auto",
    *,
    strict: bool = False,
    describe: Callable[[int], str] | None = None,
) -> TagSpans:
    """The spans that tags say.

    Args:
        tags: The tags of all sentences, end to end.
        starts: Where each sentence begins among them, and where the last one ends.
        scheme: How spans are written; "auto" finds it out.
        strict: Leave out spans that break the rules of the scheme.
        describe: What a sentence is called in errors; else by its number, from 1.
    """
    tags = tags if isinstance(tags, CodedTags) else coded([list(tags)])
    bounds = np.asarray(starts, dtype=np.int64)
    table = _TagTable(tags, bounds, describe or _by_number)
    letter, label_of, labels = _split(table)
    chosen = _fitting(letter) if scheme == "auto" else scheme_called(scheme)
    role, label = _roles(table, letter, chosen)[tags.codes], label_of[tags.codes]
    first, last, behind = _stretches(tags.at, role, label, bounds)
    if scheme == "auto" and set(letter) == {"B", "I"}:
        chosen = min(("iob2", "iob1"), key=lambda name: int((~_regular(name, role, first, last, behind)).sum()))
    regular = _regular(chosen, role, first, last, behind)
    repaired = int((~regular).sum())
    if strict and repaired:
        first, last = first[regular], last[regular]
    sentence = np.searchsorted(bounds, tags.at[first], side="right") - 1
    return TagSpans(
        sentence,
        tags.at[first] - bounds[sentence],
        tags.at[last] + 1 - bounds[sentence],
        label[first],
        labels,
        chosen,
        repaired,
    )


def _by_number(sentence: int) -> str:
    return f"sentence {sentence + 1}"


class _TagTable(NamedTuple):
    """Tags end to end, where the sentences begin, and what they are called."""

    tags: CodedTags
    bounds: Integers
    describe: Callable[[int], str]

    def where(self, place: int) -> str:
        """The first occurrence of a tag, in words."""
        at = int(self.tags.at[np.flatnonzero(self.tags.codes == place)[0]])
        sentence = int(np.searchsorted(self.bounds, at, side="right")) - 1
        return f"{self.describe(sentence)}, token {at - int(self.bounds[sentence]) + 1}"


def _split(table: _TagTable) -> tuple[list[str], Integers, tuple[str | None, ...]]:
    """The letter of each distinct tag, the place of its label, and the labels in order."""
    letters: list[str] = []
    named: list[str | None] = []
    for place, tag in enumerate(table.tags.names):
        letter, dash, label = str(tag).partition("-")
        if letter not in PREFIXES or bool(dash) != bool(label):
            raise FormatError(
                f"{table.where(place)}: {tag!r} is not a tag; expected 'O', or a letter and a label such as 'B-PER' or "
                "'I-PER'"
            )
        letters.append(letter)
        named.append(label or None)
    labels: tuple[str | None, ...] = tuple(sorted({label for label in named if label is not None}))
    labels += (None,) if None in named else ()
    where = {label: place for place, label in enumerate(labels)}
    return letters, np.array([where[label] for label in named], dtype=np.int32), labels


def _fitting(letters: Iterable[str]) -> str:
    """The first scheme that has all letters that were used."""
    used = set(letters)
    if used == {"I"}:
        return "io"
    for name in ("iob2", *CLOSED):
        if used <= set(LETTERS[name]):
            return name
    known = "; ".join(f"{name} ({listing(LETTERS[name], quote=False)})" for name in ("iob2", *CLOSED))
    raise FormatError(
        f"the tags have the letters {listing(sorted(used), quote=False)}, which no scheme has together; known are "
        f"{known}"
    )


def _roles(table: _TagTable, letter: Sequence[str], scheme: str) -> Integers:
    """What each distinct tag is in a span."""
    letters = LETTERS[scheme]
    for place, symbol in enumerate(letter):
        if symbol not in letters:
            raise FormatError(
                f"{table.where(place)}: {table.tags.names[place]!r} is not a tag of the scheme {scheme}, whose letters "
                f"are {listing(letters, quote=False)}; name another scheme, or {ANY_SCHEME}",
                hints=[ANY_SCHEME],
            )
    return np.array([letters[symbol] for symbol in letter], dtype=np.int8)


def _stretches(at: Integers, role: Integers, label: Integers, bounds: Integers) -> tuple[Integers, Integers, Integers]:
    """The first and the last tag of each span, leniently, and whether another one of its label ends right before."""
    opening = np.zeros(int(bounds[-1]) + 1, dtype=bool)
    opening[bounds] = True
    goes_on = np.zeros(len(at), dtype=bool)  # with the tag before: no O and no end of a sentence in between
    goes_on[1:] = (at[1:] == at[:-1] + 1) & (label[1:] == label[:-1])
    goes_on &= ~opening[at]
    inside = goes_on & ((role == INSIDE) | (role == LAST))
    inside[1:] &= (role[:-1] == BEGIN) | (role[:-1] == INSIDE)
    first = np.flatnonzero(~inside)
    last = np.append(first[1:], len(at)) - 1 if len(first) else first
    return first, last, goes_on[first]


def _regular(scheme: str, role: Integers, first: Integers, last: Integers, behind: Integers) -> Booleans:
    """Which spans keep to the rules of a scheme."""
    opens = role[first]
    if scheme == "io":
        return np.ones(len(first), dtype=bool)
    if scheme == "iob1":
        return np.asarray((opens == INSIDE) | behind)
    if scheme == "iob2":
        return np.asarray(opens == BEGIN)
    return np.asarray((opens == SINGLE) | ((opens == BEGIN) & (role[last] == LAST)))


# -- the way back --------------------------------------------------------------------------------------------


def tags_of(
    spans: TagSpans | tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike, Sequence[str | None]],
    lengths: Sequence[int] | Integers,
    scheme: str = "iob2",
    *,
    describe: Callable[[int], str] | None = None,
) -> TagLists:
    """The tags that say spans.

    Args:
        spans: Sentence, begin, end and label (a place in labels) of each span, and the labels.
        lengths: How many tokens each sentence has.
        scheme: How spans are to be written.
        describe: What a sentence is called in errors; else by its number, from 1.
    """
    chosen = scheme_called(scheme)
    sentence, begin, end, label = (np.asarray(part, dtype=np.int64) for part in spans[:4])
    labels = tuple(spans[4])
    starts = np.concatenate([[0], np.cumsum(np.asarray(lengths, dtype=np.int64))])
    order = np.lexsort((end, begin, sentence))
    sentence, begin, end, label = sentence[order], begin[order], end[order], label[order]
    _check_room(sentence, begin, end, label, labels, starts, describe or _by_number)
    first, after = starts[sentence] + begin, starts[sentence] + end
    size = end - begin
    shift = np.concatenate([[0], np.cumsum(size)])
    inside = np.repeat(first - shift[:-1], size) + np.arange(int(shift[-1]))
    role = np.full(int(starts[-1]), OUTSIDE, dtype=np.int64)
    of = np.zeros(int(starts[-1]), dtype=np.int64)
    role[inside] = INSIDE
    of[inside] = np.repeat(label, size)
    touching = np.zeros(len(first), dtype=bool)
    touching[1:] = (first[1:] == after[:-1]) & (sentence[1:] == sentence[:-1]) & (label[1:] == label[:-1])
    if chosen != "io":
        role[first[touching] if chosen == "iob1" else first] = BEGIN
    if chosen in CLOSED:
        role[after - 1] = LAST
        role[first[size == 1]] = SINGLE
    letter = {role: letter for letter, role in LETTERS[chosen].items()}
    names = np.array(
        [
            "O" if kind == OUTSIDE or kind not in letter else letter[kind] + ("" if name is None else f"-{name}")
            for name in labels or (None,)
            for kind in range(5)
        ],
        dtype=object,
    )
    merged = int(touching.sum()) if chosen == "io" else 0
    return TagLists(names[of * 5 + role].tolist(), starts, merged)


def _check_room(  # noqa: PLR0917 -- the columns of spans, and what an error has to name
    sentence: Integers,
    begin: Integers,
    end: Integers,
    label: Integers,
    labels: Sequence[str | None],
    starts: Integers,
    describe: Callable[[int], str],
) -> None:
    """An error for a span that leaves its sentence, and for two that overlap."""

    def shown(at: int) -> str:
        name = labels[int(label[at])]
        return f"[{begin[at]}, {end[at]})" + ("" if name is None else f" {name}")

    room = np.diff(starts)[sentence]
    outside = np.flatnonzero((begin < 0) | (end > room) | (begin >= end))
    if len(outside):
        at = int(outside[0])
        raise DataError(
            f"{describe(int(sentence[at]))} has {room[at]} tokens, and a span {shown(at)} does not lie among them"
        )
    over = np.flatnonzero((sentence[1:] == sentence[:-1]) & (begin[1:] < end[:-1]))
    if len(over):
        at = int(over[0])
        raise DataError(
            f"{describe(int(sentence[at]))}: the spans {shown(at)} and {shown(at + 1)} overlap, and a token has "
            f"one tag; keep one of them, or write the spans themselves ({len(over)} such in all)"
        )
