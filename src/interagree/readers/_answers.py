"""Answers of any form, as platforms for crowds of workers and tools that watch over language models write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interagree.data.files import Source, parse_json
from interagree.data.paths import Paths, as_list
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.units import check_word

YES, NO = "true", "false"
WORDS = 4  # in an answer that looks like a text


def as_table(path: Paths, options: Mapping[str, object], *, by_suffix: bool = False) -> Study:
    """A file as any other table, where the caller says which column is what.

    Args:
        path: The file, or several.
        options: What the caller says.
        by_suffix: Whether the file may be JSON or Parquet as well as a text table.
    """
    from interagree.plugins import READERS
    from interagree.reading.several import TablePart, together

    given: dict[str, Any] = {name: option for name, option in options.items() if option is not None}
    places = [Source.of(place) for place in as_list(path)]
    ending = places[0].suffix if by_suffix else ""
    chosen = READERS[{".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}.get(ending, "csv")]
    if len(places) == 1:
        study: Study = chosen(places[0], **given)
        return study
    tables: list[TablePart] = []
    for place in places:
        chosen(place, collect=tables, **given)
    return together(tables, source=[place.name for place in places])


def names_of(questions: str | Sequence[str] | None, before: str = "") -> list[str] | None:
    """The questions that are asked for, without what the names of their columns begin with; None for all."""
    if questions is None:
        return None
    return [name.removeprefix(before) for name in ([questions] if isinstance(questions, str) else questions)]


def are_texts(values: Sequence[str]) -> bool:
    """Whether answers look like texts rather than labels: they are long, and hardly any occurs twice."""
    distinct = {*values}
    long = sum(len(value.split()) >= WORDS for value in distinct)
    return long > len(distinct) / 2 and len(distinct) > len(values) / 2


def add_answers(
    gathered: Gatherer, answers: Iterable[Mark], *, sign: str | None = None, sure: Mapping[str, str] | None = None
) -> None:
    """Take up answers: words and truth values as labels, numbers as numbers, lists as sets, long words as texts.

    Args:
        gathered: What is read.
        answers: The answers to all questions; those that are empty say that something was asked.
        sign: What may stand between the labels of an answer, where there are several.
        sure: What stands between the labels of answers to some questions, and for nothing else.
    """
    by_question: dict[str, list[Mark]] = {}
    for answer in answers:
        given = by_question.setdefault(answer.question, [])
        if answer.value is not None and answer.value != "":
            given.append(answer)
    texts = [name for name, given in by_question.items() if _add(gathered, given, sign, (sure or {}).get(name))]
    note_texts(gathered, texts)
    silent = [name for name, given in by_question.items() if not given]
    if silent:
        gathered.note("dropped", f"nobody answered {listing(silent, most=4)}", len(silent))


def _add(gathered: Gatherer, answers: Sequence[Mark], sign: str | None, sure: str | None) -> bool:
    """Take up the answers to a question; whether they are texts."""
    words = [answer.value for answer in answers if isinstance(answer.value, str)]
    parted = _parted(words, sign, sure) if len(words) == len(answers) else None
    text = bool(words) and parted is None and are_texts(words)
    for answer, value in zip(answers, parted or [answer.value for answer in answers], strict=True):
        if isinstance(value, list):
            gathered.takes_several(answer.question)
            gathered.add(answer._replace(value=tuple(map(str, value))), "choices")
        elif isinstance(value, bool):
            gathered.add(answer._replace(value=YES if value else NO), "labels")
        elif isinstance(value, int | float):
            gathered.add(answer)
        elif isinstance(value, str):
            gathered.add(answer, "text" if text else "labels")
        else:
            gathered.left_out("answer", "that is an object left out")
    return text


def _parted(words: Sequence[str], sign: str | None, sure: str | None) -> list[list[str]] | None:
    """The labels of each of some answers, where they are lists; None where they are single ones."""
    lists = [listed(word) for word in words]
    if lists and all(options is not None for options in lists):
        return [options or [] for options in lists]
    if sure is None and (sign is None or not any(sign in word for word in words) or are_texts(words)):
        return None
    return [[part.strip() for part in word.split(sure or sign) if part.strip()] for word in words]


def listed(entry: str) -> list[str] | None:
    """The options that a cell holds as a JSON list; None where it is not one."""
    if entry[:1] != "[":
        return None
    try:
        options = parse_json(entry)
    except ValueError:
        return None
    return [str(option) for option in options] if isinstance(options, list) else None


def note_texts(gathered: Gatherer, questions: Sequence[str]) -> None:
    """What to say of questions whose answers are compared as texts."""
    if questions:
        named = listing(questions, most=3)
        sentence = f"answers to {named} compared as texts, because they are long and hardly any occurs twice"
        gathered.note("assumed", sentence, len(questions))


class Sources:
    """People, models and programs, those among them whose judgements are read, and how many these are of each."""

    def __init__(
        self, gathered: Gatherer, known: Sequence[str], wanted: str | Sequence[str], noun: str, machines: str
    ) -> None:
        """Sources of judgements.

        Args:
            gathered: What is read.
            known: What a tool calls the sources, people first.
            wanted: Those to read.
            noun: What the tool calls a judgement.
            machines: What the others than people are, for the sentence that says how many there are of each.
        """
        self.gathered, self.known, self.noun, self.machines = gathered, known, noun, machines
        self.wanted = [wanted] if isinstance(wanted, str) else [*wanted]
        for word in self.wanted:
            check_word("sources", word, known)

    def checked(self, source: str, where: str) -> str:
        """A source, or an error where it is none."""
        if source not in self.known:
            raise FormatError(f"{where}: expected a source that is {listing(self.known)}, found {source[:60]!r}")
        return source

    def drops(self, source: str) -> bool:
        """Whether judgements of a source are not read, which is counted."""
        if source not in self.wanted:
            self.gathered.left_out(self.noun, f"of the source {source} left out")
        return source not in self.wanted

    def say(self, read: Iterable[str]) -> None:
        """How many judgements are read of each source."""
        often = Counter(read)
        if len(often) > 1:
            each = listing((f"{times:,} of {source}" for source, times in often.items()), quote=False)
            sentence = f"{counted(often.total(), self.noun)}: {each}; {self.machines} ("
            people = ReaderHint("sources", self.known[0])
            self.gathered.note("noticed", Advice.of(sentence, people, " takes people alone)"), often.total())
