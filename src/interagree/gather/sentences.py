"""Sentences of treebanks: which of those of several annotators are the same, and whether they have the same words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import counted
from interagree.errors import (
    Advice,
    DataError,
    DoubtfulReading,
    DuplicateAnnotation,
    FormatError,
    Hint,
    ReaderHint,
    ReadingAdvice,
    listing,
)
from interagree.gather.gatherer import Gatherer
from interagree.gather.whose import OwnedFile

BY_ORDER, BY_ID, BY_TEXT = "{document}:{number}", "{sent_id}", "{text}"
SAME_WORDS = ReadingAdvice("sentences of the same words are the same", options={"item": BY_TEXT})
MAJORITY, ERROR = "majority", "error"
Source: TypeAlias = str | list[str]  # what was read, as errors name it in a call


class Sentence(NamedTuple):
    """A sentence as one annotator has it."""

    file: OwnedFile
    number: int  # among those of the file, from 1 on
    line: int  # on which it begins
    words: tuple[str, ...]
    parse: Any  # what the annotator says of it, as the reader has it
    sent_id: str | None = None

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.file.source.name}, line {self.line}"


Aligned: TypeAlias = Mapping[str, Mapping[str, Sentence]]  # by item and annotator


def aligned(
    sentences: Sequence[Sentence], item: str | None, unequal: str, gathered: Gatherer, source: Source
) -> Aligned:
    """The sentences of each item by annotator, of which they have the same words.

    Args:
        sentences: Those of all annotators.
        item: A pattern for what is the same sentence, of {sent_id}, {document}, {number} and {text}.  Without, the ids
            tell where all sentences have one, else the order in their documents.
        unequal: What is done with a sentence of which annotators have different words: "drop" it, keep those of the
            "majority", or stop with an "error".
        gathered: Where it is said what was taken and left out.
        source: What was read.
    """
    if not sentences:
        raise FormatError(f"{gathered.files}: there is no sentence to read")
    pattern = item or _pattern(sentences, gathered, source)
    if pattern == BY_ORDER and not any(sentence.file.document for sentence in sentences):
        pattern = "{number}"
    elif pattern == BY_ORDER and all(sentence.number == 1 for sentence in sentences):
        pattern = "{document}"
    items: dict[str, dict[str, Sentence]] = {}
    times: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        file, number, _, words, _, sent_id = sentence
        known = {"document": file.document, "number": str(number), "sent_id": sent_id or "", "text": " ".join(words)}
        name, who = fill_pattern(pattern, {**pattern_words(file.source), **known}, option="item"), file.annotator
        times[name, who] += 1
        if times[name, who] > 1 and "{text}" not in pattern:
            raise DuplicateAnnotation(
                f"{sentence.where}: {who!r} has the sentence {name!r} a second time, first in {items[name][who].where}"
            )
        name += f" ({times[name, who]})" if times[name, who] > 1 else ""
        items.setdefault(name, {})[who] = sentence
    return _of_same_words(items, unequal, gathered)


# -- which sentences are the same ---------------------------------------------------------------------------


def _pattern(sentences: Sequence[Sentence], gathered: Gatherer, source: Source) -> str:
    """What tells sentences apart: their ids where all have one, else their order."""
    nameless = sum(sentence.sent_id is None for sentence in sentences)
    if nameless:
        why = "" if nameless == len(sentences) else f", since {counted(nameless, 'sentence')} have no sent_id"
        _check_numbers(sentences, source)
        gathered.note("taken", f"sentences by document and order{why}")
        return BY_ORDER
    own = Counter((sentence.file.annotator, sentence.sent_id) for sentence in sentences)
    pattern = BY_ID if max(own.values()) == 1 else "{document}:{sent_id}"
    keys = {
        (sentence.file.annotator, sentence.file.document if pattern != BY_ID else "", sentence.sent_id)
        for sentence in sentences
    }
    several = len({who for who, *_ in keys}) > 1
    if several and max(Counter(key[1:] for key in keys).values()) == 1:
        named = (f"{sentence.file.annotator}: {sentence.sent_id}" for sentence in sentences)
        raise DoubtfulReading(
            f"no two annotators have a sentence of one sent_id ({listing(named, quote=False, most=4)}), so what the "
            "same sentence is must be said",
            [
                ReadingAdvice("sentences of one place in their document are the same", options={"item": BY_ORDER}),
                SAME_WORDS,
            ],
            source=source,
        )
    gathered.note("taken", f"sentences by {pattern}")
    return pattern


def _check_numbers(sentences: Sequence[Sentence], source: Source) -> None:
    """An error where annotators have different numbers of sentences of one document."""
    sizes: dict[str, Counter[str]] = {}
    for sentence in sentences:
        sizes.setdefault(sentence.file.document, Counter())[sentence.file.annotator] += 1
    for document, size in sizes.items():
        if len(set(size.values())) > 1:
            what = f"document {document!r} has" if document else "there are"
            shown = ", ".join(f"{number} by {who!r}" for who, number in list(size.items())[:6])
            order = "the order is right, and the rest was not annotated"
            raise DoubtfulReading(
                f"{what} different numbers of sentences ({shown}), which are told apart by their order alone",
                [SAME_WORDS, ReadingAdvice(order, options={"item": BY_ORDER})],
                source=source,
            )


# -- whether they have the same words -----------------------------------------------------------------------


def _of_same_words(items: Aligned, unequal: str, gathered: Gatherer) -> Aligned:
    """The sentences of which annotators have the same words; what is done with the others is counted."""
    kept: dict[str, Mapping[str, Sentence]] = {}
    odd: dict[str, list[Sentence]] = {}  # two that differ
    apart = 0  # annotations left out
    for item, by_annotator in items.items():
        ways: dict[str, dict[str, Sentence]] = {}
        for who, sentence in by_annotator.items():
            # Letters that have several spellings in Unicode are the same letters.
            ways.setdefault(unicodedata.normalize("NFC", "\n".join(sentence.words)), {})[who] = sentence
        if len(ways) == 1:
            kept[item] = by_annotator
            continue
        odd[item] = [next(iter(same.values())) for same in list(ways.values())[:2]]
        if unequal == ERROR:
            raise DataError(_difference(item, *odd[item]))
        most = max(map(len, ways.values()))
        largest = [same for same in ways.values() if len(same) == most]
        if unequal == MAJORITY and len(largest) == 1 and most > 1:
            kept[item] = largest[0]
        apart += len(by_annotator) - len(kept.get(item, ()))
    shared = sum(len(by_annotator) > 1 for by_annotator in items.values())
    if shared and len(odd) == shared:
        item, first = next(iter(odd.items()))
        by_text = Hint("item", BY_TEXT)
        raise DataError(
            f"{_difference(item, *first)}, and so it is with all {counted(shared, 'sentence')} that several annotators "
            f"have: these are not the same sentences; {by_text} takes those of the same words",
            hints=[by_text],
        )
    if odd:
        what = f"{counted(len(odd), 'sentence')} with different words by different annotators ({listing(odd, most=3)})"
        parses, keep = counted(apart, "parse"), ReaderHint("unequal", MAJORITY)
        dropped = Advice.of(f"{what} left out for all ({parses}; ", keep, " keeps those of most)")
        most_count = f"{parses} left out of {what}: the words that most have count"
        gathered.note("dropped", most_count if unequal == MAJORITY else dropped, apart)
    return kept


def _difference(item: str, one: Sentence, two: Sentence) -> str:
    pairs = enumerate(zip(one.words, two.words, strict=False))
    at = next((k for k, (mine, theirs) in pairs if mine != theirs), min(len(one.words), len(two.words)))
    mine, theirs = (repr(words[at]) if at < len(words) else "none" for words in (one.words, two.words))
    return (
        f"{one.where} and {two.where}: the sentence {item!r:.60} has {len(one.words)} words by {one.file.annotator!r} "
        f"and {len(two.words)} by {two.file.annotator!r}, and word {at + 1} is {mine} and {theirs}"
    )
