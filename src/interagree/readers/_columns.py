"""Answers in the columns of a table, as platforms for crowds of workers write them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interagree.data.files import Source, parse_json
from interagree.data.paths import Paths, as_list
from interagree.data.study import Study
from interagree.errors import listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark

YES, NO = "true", "false"
WORDS = 4  # in an answer that looks like a text
SPREAD = re.compile(r"(.+)\.([^.]+)")


def as_table(path: Paths, options: Mapping[str, object], *, by_suffix: bool = False) -> Study:
    """A file as any other table, where the caller says which column is what.

    Args:
        path: The file, or several.
        options: What the caller says.
        by_suffix: Whether the file may be JSON or Parquet as well as a text table.
    """
    from interagree.plugins import READERS
    from interagree.reading.several import Part, together

    given: dict[str, Any] = {name: option for name, option in options.items() if option is not None}
    places = [Source.of(place) for place in as_list(path)]
    ending = places[0].suffix if by_suffix else ""
    chosen = READERS[{".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}.get(ending, "csv")]
    if len(places) == 1:
        study: Study = chosen(places[0], **given)
        return study
    tables: list[Part] = []
    for place in places:
        chosen(place, collect=tables, **given)
    return together(tables, source=[place.name for place in places])


def are_texts(values: Sequence[str]) -> bool:
    """Whether answers look like texts rather than labels: they are long, and hardly any occurs twice."""
    distinct = {*values}
    long = sum(len(value.split()) >= WORDS for value in distinct)
    return long > len(distinct) / 2 and len(distinct) > len(values) / 2


def spread_over(columns: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Questions whose options have a column each with true or false in it: the options by the name of the question.

    Args:
        columns: The entries of columns by their names, 'mood.good' beside 'mood.bad'.
    """
    options: dict[str, list[str]] = {}
    for name in columns:
        if parts := SPREAD.fullmatch(name):
            options.setdefault(parts[1], []).append(parts[2])
    return {
        question: names
        for question, names in options.items()
        if len(names) > 1 and question not in columns
        if {entry.lower() for name in names for entry in columns[f"{question}.{name}"]} <= {YES, NO, ""}
    }


def listed(entry: str) -> list[str] | None:
    """The options that a cell holds as a JSON list; None where it is not one."""
    if entry[:1] != "[":
        return None
    try:
        options = parse_json(entry)
    except ValueError:
        return None
    return [str(option) for option in options] if isinstance(options, list) else None


def add_entries(
    gathered: Gatherer, question: str, answers: Sequence[Mark], *, sign: str | None = None, sure: bool = False
) -> bool:
    """Take up the cells of a column, as texts, as sets of labels, or as labels; whether they are texts.

    Args:
        gathered: What is read.
        question: What was asked.
        answers: The cells, none of them empty.
        sign: What stands between the labels of a cell, where there are several.
        sure: Whether the sign stands for nothing else.
    """
    entries = [answer.value for answer in answers]
    lists = [listed(entry) for entry in entries]
    if all(options is not None for options in lists):
        chosen = [tuple(options or ()) for options in lists]
    elif sign is not None and (sure or (any(sign in entry for entry in entries) and not are_texts(entries))):
        chosen = [tuple(part.strip() for part in entry.split(sign) if part.strip()) for entry in entries]
    else:
        text = are_texts(entries)
        for answer in answers:
            gathered.add(answer, "text" if text else "labels")
        return text
    gathered.takes_several(question)
    for answer, options in zip(answers, chosen, strict=True):
        gathered.add(answer._replace(value=options), "choices")
    return False


def note_texts(gathered: Gatherer, questions: Sequence[str]) -> None:
    """What to say of questions whose answers are compared as texts."""
    if questions:
        named = listing(questions, most=3)
        sentence = f"answers to {named} compared as texts, because they are long and hardly any occurs twice"
        gathered.note("assumed", sentence, len(questions))
