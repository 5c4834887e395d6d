"""The questions that records answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers.prodigy.records import (
    ACCEPT,
    ANSWER,
    CHOICE,
    IGNORE,
    MARKS,
    REJECT,
    RELATIONS,
    SOUNDS,
    SPANS,
    Record,
)

LABEL = "label"
KINDS_OF_ANSWERS = {SPANS: "spans", SOUNDS: "spans", RELATIONS: "relations", CHOICE: "choices"}  # the others are labels
Options: TypeAlias = tuple[frozenset[str], bool]  # those of a choice, and whether several could be chosen
Response: TypeAlias = tuple[Record, Mark]


def gather(gathered: Gatherer, records: Sequence[Record], rejected: str) -> None:
    """Put what records answer into the questions of a study."""
    answered = [record for record in records if record.raw.get("answer", ACCEPT) != IGNORE]
    gathered.left_out("ignored record", times=len(records) - len(answered))
    for record in answered:
        if isinstance(text := record.raw.get("text"), str):
            gathered.show(record.item, text, record.where, [record.span(token) for token in record.listed("tokens")])
    marking = {key for record in answered for key in MARKS if record.has_marks(key)}
    responses: dict[tuple[str, str], list[Response]] = {}  # by the sort of answer that a question takes, and its name
    for record in answered:
        for sort, name, item, value in _said(gathered, record, marking, rejected):
            mark = Mark(name, item, record.annotator, value, record.where, record.time)
            responses.setdefault((sort, name), []).append((record, mark))
    gathered.positions_of[SOUNDS] = "seconds"
    others = {name for sort, name in responses if sort != LABEL}
    for (sort, name), given in responses.items():
        _add(gathered, sort, f"{name} (label)" if sort == LABEL and name in others else name, given)


def _add(gathered: Gatherer, sort: str, question: str, responses: Sequence[Response]) -> None:
    """A question, or one for each dataset where their options differ; what else datasets share is said."""
    options = _options(responses) if sort == CHOICE else {}
    parts: dict[Options | None, list[Response]] = {}
    for record, mark in responses:
        parts.setdefault(options.get(record.dataset), []).append((record, mark))
    if len(parts) > 1:
        sentence = f"{question!r} is a question for each dataset, since their options differ"
        gathered.note("taken", sentence, len(parts))
    for part in parts.values():
        datasets = [*dict.fromkeys(record.dataset or record.source.stem for record, _ in part)]
        name = question if len(parts) == 1 else f"{question} {datasets[0]}"
        if len({record.dataset for record, _ in part}) > 1:
            sentence = f"{name!r} of the datasets {listing(datasets)} taken as one question"
            gathered.note("noticed", sentence, len(datasets))
        for record, mark in part:
            if sort == CHOICE and record.is_multiple:
                gathered.takes_several(name)
            gathered.add(mark._replace(question=name), KINDS_OF_ANSWERS.get(sort, "labels"))


def _options(responses: Sequence[Response]) -> dict[str, Options | None]:
    """By dataset what was to be chosen, and whether several could be; None where options change with the input."""
    known: dict[str, set[Options]] = {}
    for record, _ in responses:
        names = frozenset(str(option.get("id")) for option in record.raw["options"] if isinstance(option, dict))
        known.setdefault(record.dataset, set()).add((names, record.is_multiple))
    return {dataset: options.pop() if len(options) == 1 else None for dataset, options in known.items()}


def _said(gathered: Gatherer, record: Record, marking: set[str], rejected: str) -> Iterator[tuple[str, str, Any, Any]]:
    """The questions that a record answers: the sort of answer and the name of each, the item and the answer."""
    raw, item = record.raw, record.item
    accepted, label = raw.get("answer", ACCEPT) == ACCEPT, raw.get("label")
    verdict = ACCEPT if accepted else REJECT
    gathered.left_out("typed text", "(user_input) not read", "user_input" in raw)
    choosing = isinstance(raw.get("options"), list)
    marked = [key for key in MARKS if key in marking and (record.has_marks(key) or record.may_have_marks(key))]
    if record.is_judged:
        spans = [record.span(span) for span in record.listed(SPANS)]
        shown = "; ".join(f"{span.start}-{span.end} {span.label}" for span in spans)
        yield ANSWER, ANSWER, f"{item} {shown}", verdict
    elif isinstance(label, str) and not choosing and not any(map(record.asks, MARKS)):
        yield LABEL, label, item, verdict
    elif not choosing and not marked:
        gathered.left_out("record", "without anything to read left out")
    elif not accepted and rejected == "drop":
        empty = ReaderHint("rejected", "empty")
        gathered.left_out("rejected record", Advice.of("left out (", empty, " takes them for nothing marked)"))
    else:
        if choosing:
            yield CHOICE, CHOICE, item, _choice(record) if accepted else ()
        for key in marked:
            yield key, key, item, _marks(gathered, record, key) if accepted else []


def _choice(record: Record) -> tuple[str | int, ...]:
    chosen = record.raw.get("accept") or []
    if not isinstance(chosen, list) or not all(isinstance(option, str | int) for option in chosen):
        raise FormatError(f"{record.where}: expected a list of chosen options in 'accept', found {chosen!r:.60}")
    return tuple(chosen)


def _marks(gathered: Gatherer, record: Record, key: str) -> list[Any]:
    entries = record.listed(key)
    if key == RELATIONS:
        return [record.link(entry) for entry in entries]
    placed = [entry for entry in entries if "start" in entry and "end" in entry]
    labelled = [entry for entry in placed if entry.get("label") is not None]
    gathered.left_out("region", "of pictures not read", len(entries) - len(placed))
    gathered.left_out("span", "without a label left out, as found by patterns", len(placed) - len(labelled))
    return [record.span(entry) for entry in labelled]
