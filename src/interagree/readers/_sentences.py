"""Sentences of treebanks: which of those of several annotators are the same, and whether they have the same words."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import Step, counted
from interagree.errors import (
    Advice,
    DataError,
    DoubtfulReading,
    DuplicateAnnotation,
    Hint,
    ReaderHint,
    ReadingAdvice,
    listing,
)
from interagree.gather.whose import OwnedFile

BY_ORDER, BY_ID, BY_TEXT = "{document}:{number}", "{sent_id}", "{text}"
DROP, MAJORITY, ERROR = "drop", "majority", "error"


@dataclass(slots=True)
class Sentence(ABC):
    """A sentence as one annotator has it."""

    file: OwnedFile
    number: int  # among those of the file, from 1 on
    sent_id: str | None = None
    lines: list[int] = field(default_factory=list)  # of the words, or of the tree

    @property
    def where(self) -> str:
        """The file and the first line."""
        return f"{self.file.source.name}, line {self.lines[0]}"

    @abstractmethod
    def forms(self) -> tuple[str, ...]:
        """The words."""


S = TypeVar("S", bound=Sentence)


def paired(
    sentences: Sequence[S], pattern: str | None, source: str | list[str]
) -> tuple[dict[str, dict[str, S]], list[Step]]:
    """The sentences of each item by annotator, and how they were found."""
    steps: list[Step] = []
    pattern = pattern or _pattern(sentences, source, steps)
    if pattern == BY_ORDER and all(not sentence.file.document for sentence in sentences):
        pattern = "{number}"
    elif pattern == BY_ORDER and max(sentence.number for sentence in sentences) == 1:
        pattern = "{document}"
    items: dict[str, dict[str, S]] = {}
    times: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        words = {
            **pattern_words(sentence.file.source),
            "document": sentence.file.document,
            "number": str(sentence.number),
            "sent_id": sentence.sent_id or "",
            "text": " ".join(sentence.forms()),
        }
        item, who = fill_pattern(pattern, words, option="item"), sentence.file.annotator
        times[item, who] += 1
        if times[item, who] > 1:
            if "{text}" not in pattern:
                first = items[item][who]
                raise DuplicateAnnotation(
                    f"{sentence.where}: {who!r} has the sentence {item!r} a second time, first in {first.where}"
                )
            item = f"{item} ({times[item, who]})"
        items.setdefault(item, {})[who] = sentence
    return items, steps


def _pattern(sentences: Sequence[Sentence], source: str | list[str], steps: list[Step]) -> str:
    """What tells sentences apart: their ids where all have one, else their order."""
    named = sum(sentence.sent_id is not None for sentence in sentences)
    several = len({sentence.file.annotator for sentence in sentences}) > 1
    if named < len(sentences):
        why = "" if not named else f", since {counted(len(sentences) - named, 'sentence')} have no sent_id"
        _check_numbers(sentences, source)
        steps.append(Step("taken", f"sentences by document and order{why}"))
        return BY_ORDER
    own = Counter((sentence.file.annotator, sentence.sent_id) for sentence in sentences)
    pattern = BY_ID if max(own.values()) == 1 else "{document}:{sent_id}"
    keys = {
        (sentence.file.annotator, sentence.file.document if pattern != BY_ID else "", sentence.sent_id)
        for sentence in sentences
    }
    shared = Counter(key[1:] for key in keys)
    if several and max(shared.values()) == 1:
        shown = listing(
            [f"{sentence.file.annotator}: {sentence.sent_id}" for sentence in sentences], quote=False, most=4
        )
        raise DoubtfulReading(
            f"no two annotators have a sentence of one sent_id ({shown}), so what the same sentence is must be said",
            [
                ReadingAdvice("sentences of one place in their document are the same", options={"item": BY_ORDER}),
                ReadingAdvice("sentences of the same words are the same", options={"item": BY_TEXT}),
            ],
            source=source,
        )
    steps.append(Step("taken", f"sentences by {pattern}"))
    return pattern


def by_document(sentences: Sequence[Sentence]) -> Iterator[tuple[str, dict[str, int]]]:
    """For each document how many sentences each annotator has."""
    sizes: dict[str, Counter[str]] = {}
    for sentence in sentences:
        sizes.setdefault(sentence.file.document, Counter())[sentence.file.annotator] += 1
    for document, size in sizes.items():
        yield document, dict(size)


def _check_numbers(sentences: Sequence[Sentence], source: str | list[str]) -> None:
    """An error where annotators have different numbers of sentences of one document."""
    for document, sizes in by_document(sentences):
        if len(set(sizes.values())) > 1:
            what = f"document {document!r} has" if document else "there are"
            shown = ", ".join(f"{number} by {who!r}" for who, number in list(sizes.items())[:6])
            raise DoubtfulReading(
                f"{what} different numbers of sentences ({shown}), which are told apart by their order alone",
                [
                    ReadingAdvice("sentences of the same words are the same", options={"item": BY_TEXT}),
                    ReadingAdvice("the order is right, and the rest was not annotated", options={"item": BY_ORDER}),
                ],
                source=source,
            )


def same_words(items: dict[str, dict[str, S]], unequal: str) -> tuple[dict[str, dict[str, S]], list[Step]]:
    """The sentences of which annotators have the same words; what is done with the others is counted."""
    kept: dict[str, dict[str, S]] = {}
    odd: list[str] = []
    apart = 0  # annotations left out
    for item, by_annotator in items.items():
        ways: dict[tuple[str, ...], list[str]] = {}
        for who, sentence in by_annotator.items():
            ways.setdefault(sentence.forms(), []).append(who)
        if len(ways) > 1:
            ways = _normalised(ways)
        if len(ways) == 1:
            kept[item] = by_annotator
            continue
        if unequal == ERROR:
            one, two = list(ways)[:2]
            raise DataError(_difference(item, by_annotator[ways[one][0]], by_annotator[ways[two][0]]))
        odd.append(item)
        most = max(map(len, ways.values()))
        largest = [people for people in ways.values() if len(people) == most]
        stay = largest[0] if unequal == MAJORITY and len(largest) == 1 and most > 1 else []
        apart += len(by_annotator) - len(stay)
        if stay:
            kept[item] = {who: by_annotator[who] for who in stay}
    shared = sum(len(by_annotator) > 1 for by_annotator in items.values())
    if shared and len(odd) == shared:
        first = list(items[odd[0]].values())
        other = next(sentence for sentence in first[1:] if sentence.forms() != first[0].forms())
        by_text = Hint("item", BY_TEXT)
        raise DataError(
            f"{_difference(odd[0], first[0], other)}, and so it is with all {counted(shared, 'sentence')} that several "
            f"annotators have: these are not the same sentences; {by_text} takes those of the same words",
            hints=[by_text],
        )
    return kept, _steps(odd, apart, unequal)


def _steps(odd: Sequence[str], apart: int, unequal: str) -> list[Step]:
    if not odd:
        return []
    what = f"{counted(len(odd), 'sentence')} with different words by different annotators ({listing(odd, most=3)})"
    if unequal == MAJORITY:
        rest = f"{counted(apart, 'parse')} left out of {what}: the words that most have count"
        return [Step("dropped", rest, apart)]
    hint = ReaderHint("unequal", MAJORITY)
    sentence = Advice.of(f"{what} left out for all ({counted(apart, 'parse')}; ", hint, " keeps those of most)")
    return [Step("dropped", sentence, apart)]


def _normalised(ways: Mapping[tuple[str, ...], list[str]]) -> dict[tuple[str, ...], list[str]]:
    """The same with one spelling of letters that have several in Unicode."""
    merged: dict[tuple[str, ...], list[str]] = {}
    for words, people in ways.items():
        merged.setdefault(tuple(unicodedata.normalize("NFC", word) for word in words), []).extend(people)
    return merged


def _difference(item: str, one: Sentence, two: Sentence) -> str:
    mine, theirs = one.forms(), two.forms()
    at = next(
        (k for k, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), min(len(mine), len(theirs))
    )
    return (
        f"{one.where} and {two.where}: the sentence {item!r:.60} has {len(mine)} words by {one.file.annotator!r} and "
        f"{len(theirs)} by {two.file.annotator!r}, and word {at + 1} is {_word(mine, at)} and {_word(theirs, at)}"
    )


def _word(words: Sequence[str], at: int) -> str:
    return repr(words[at]) if at < len(words) else "none"
