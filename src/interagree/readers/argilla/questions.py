"""The questions of a dataset of Argilla: what sort each is, by its settings or by the answers to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.data.provenance import counted
from interagree.errors import DoubtfulReading, FormatError, ReadingAdvice, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.units import check_ends_after
from interagree.readers._answers import are_texts, note_texts
from interagree.readers.argilla.records import Given

LABEL, SEVERAL, RATING, RANKING = "label_selection", "multi_label_selection", "rating", "ranking"
SPANS, TEXTS = "span", "text"
TYPES = {
    LABEL: LABEL,
    SEVERAL: SEVERAL,
    RATING: RATING,
    RANKING: RANKING,
    SPANS: SPANS,
    TEXTS: TEXTS,
    # as Argilla 1.x and the classes of the Python library call them
    "dynamic_label_selection": LABEL,
    "dynamic_multi_label_selection": SEVERAL,
}
ENOUGH = 5  # answers with the same options in several orders that can only be rankings


class Stated(NamedTuple):
    """What is known of questions: their types, and the field in which spans are marked."""

    types: Mapping[str, str] = {}
    fields: Mapping[str, str] = {}


def settings_beside(source: Source) -> Stated:
    """What the settings say that Argilla saves beside the records (``.argilla/settings.json``)."""
    if source.path is None:
        return Stated()
    place = Path(source.path).resolve().parent
    for folder in (place, place.parent):
        file = folder / ".argilla" / "settings.json"
        if file.is_file():
            content = Source.of(file).json()
            questions = content.get("questions") if isinstance(content, dict) else None
            return _stated(questions if isinstance(questions, list) else [])
    return Stated()


def _stated(questions: Iterable[Any]) -> Stated:
    types: dict[str, str] = {}
    fields: dict[str, str] = {}
    for question in questions:
        if not isinstance(question, dict) or not isinstance(question.get("name"), str):
            continue
        name, settings = question["name"], question.get("settings")
        settings = settings if isinstance(settings, dict) else question
        kind = TYPES.get(str(settings.get("type") or question.get("type")))
        if kind is not None:
            types[name] = kind
        if isinstance(settings.get("field"), str):
            fields[name] = settings["field"]
    return Stated(types, fields)


def type_of(question: str, given: Sequence[Given], source: str, gathered: Gatherer) -> str:
    """What sort of question some answers are to; an error where it may be two."""
    values = [answer.value for answer in given]
    full = [value for value in values if value not in ([], "", None)]
    if full and all(isinstance(value, list) for value in full):
        return _type_of_lists(question, full, source, gathered)
    if not full:
        return SEVERAL
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in full):
        return RATING
    if not all(isinstance(value, str) for value in full):
        odd = next(answer for answer in given if answer.value in full and not isinstance(answer.value, str))
        kinds = listing(sorted({type(value).__name__ for value in full}), quote=False)
        raise FormatError(
            f"{odd.where}: expected answers of one sort to {question!r}, found values of types {kinds}, such as "
            f"{odd.value!r:.60}"
        )
    if are_texts(full):
        note_texts(gathered, [question])
        return TEXTS
    return LABEL


def _type_of_lists(question: str, values: Sequence[Any], source: str, gathered: Gatherer) -> str:
    if all(isinstance(entry, dict) for value in values for entry in value):
        return SPANS if all("start" in entry for value in values for entry in value) else RANKING
    options = {frozenset(map(str, value)) for value in values}
    orders = {json.dumps(value) for value in values}
    if len(options) > 1 or len(orders) < 2 or len(next(iter(options))) < 2:
        return SEVERAL
    if len(values) >= ENOUGH:
        sentence = f"answers to {question!r} taken as rankings, because all have the same options in some order"
        gathered.note("assumed", sentence, len(values))
        return RANKING
    raise DoubtfulReading(
        f"{source}: {counted(len(values), 'answer')} to {question!r} name the same options in several orders; they are "
        "rankings, or choices of several options in the order of clicking. It may be",
        [
            ReadingAdvice("Rankings, the best first", options={"rankings": question}, of_reader=("rankings",)),
            ReadingAdvice("Choices of several options", options={"multiple": question}, of_reader=("multiple",)),
        ],
        source=source,
    )


def add(gathered: Gatherer, kind: str, answer: Given, item: str | int) -> None:
    """Take up an answer as its question takes it."""
    value, name, where = answer.value, answer.question, answer.where
    if kind == SPANS:
        spans = [_span(entry, where) for entry in _listed(value, name, where)]
        gathered.add(Mark(name, item, answer.who, spans, where), "spans")
        return
    if kind == SEVERAL:
        gathered.takes_several(name)
        chosen = tuple(str(option) for option in _listed(value, name, where))
        gathered.add(Mark(name, item, answer.who, chosen, where), "choices")
    elif value is None or value == "":
        gathered.left_out("empty answer")
    elif kind == RANKING:
        ranking = _ranking(_listed(value, name, where))
        if ranking is None:
            gathered.left_out("ranking", "with ties, or of fewer than two options, left out")
        else:
            gathered.add(Mark(name, item, answer.who, ranking, where), "rankings")
    elif kind == RATING and isinstance(value, int | float):
        gathered.add(Mark(name, item, answer.who, value, where))
    elif isinstance(value, str | int | float):
        word = "text" if kind == TEXTS else "labels"
        gathered.add(Mark(name, item, answer.who, str(value), where), word)
    else:
        raise FormatError(f"{where}: expected an answer to {name!r} that is a {kind}, found {value!r:.60}")


def _listed(value: object, name: str, where: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise FormatError(f"{where}: expected a list as the answer to {name!r}, found {value!r:.60}")
    return value


def _span(entry: Any, where: str) -> Span:
    start, end = (entry.get(name) if isinstance(entry, dict) else None for name in ("start", "end"))
    if type(start) is not int or type(end) is not int or start < 0 or end >= 2**53:
        raise FormatError(f"{where}: expected a span with 'start' and 'end', found {entry!r:.60}")
    check_ends_after(f"{where}, a span", start, end)
    label = entry.get("label")
    return Span(start, end, None if label is None else str(label))


def _ranking(entries: list[Any]) -> tuple[str, ...] | None:
    """Options from the best to the worst; None where some share a place, or there is nothing to rank."""
    if all(isinstance(entry, dict) for entry in entries):
        ranks = [entry.get("rank") for entry in entries]
        if all(isinstance(rank, int | float) for rank in ranks):
            if len({*ranks}) < len(ranks):
                return None
            entries = sorted(entries, key=lambda entry: entry["rank"])
        entries = [entry.get("value") for entry in entries]
    names = tuple(map(str, entries))
    return names if len(names) > 1 and len({*names}) == len(names) else None
