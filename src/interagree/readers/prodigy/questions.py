"""The questions that records answer."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.readers.prodigy import records as recorded
from interagree.readers.prodigy.records import ACCEPT, ANSWER, CHOICE, MARKS, RELATIONS, SOUNDS, SPANS, Record

LABEL = "label"
KINDS_OF_ANSWERS = {SPANS: "spans", SOUNDS: "spans", RELATIONS: "relations", CHOICE: "choices"}  # the others are labels
Choice: TypeAlias = tuple[frozenset[str], bool]  # the options, and whether several could be chosen


class Response(NamedTuple):
    """The answer of a record to a question: what sort of answer it takes, and its name."""

    sort: str
    name: str
    record: Record
    item: Hashable
    value: Any


def gather(gathered: Gatherer, records: Sequence[Record], rejected: str) -> None:
    """Put what records answer into the questions of a study."""
    answered = [record for record in records if record.raw.get("answer", ACCEPT) != recorded.IGNORE]
    gathered.left_out("ignored record", times=len(records) - len(answered))
    for record in answered:
        if isinstance(text := record.raw.get("text"), str):
            tokens = [recorded.span_of(record, token) for token in recorded.listed(record, "tokens")]
            gathered.show(record.item, text, record.where, tokens)
    marking = {key for record in answered for key in MARKS if recorded.marks(record.raw, key)}
    by_question: dict[tuple[str, str], list[Response]] = {}
    for record in answered:
        for response in _said(gathered, record, marking, rejected):
            by_question.setdefault((response.sort, response.name), []).append(response)
    gathered.positions_of[SOUNDS] = "seconds"
    others = {name for sort, name in by_question if sort != LABEL}
    for (sort, name), responses in by_question.items():
        _add(gathered, sort, f"{name} (label)" if sort == LABEL and name in others else name, responses)


def _add(gathered: Gatherer, sort: str, question: str, responses: Sequence[Response]) -> None:
    """A question, or one for each dataset where their options differ; what else datasets share is said."""
    kinds = _kinds_of_choice(responses) if sort == CHOICE else {}
    parts: dict[Choice | None, list[Response]] = {}
    for response in responses:
        parts.setdefault(kinds.get(response.record.dataset), []).append(response)
    if len(parts) > 1:
        sentence = f"{question!r} is a question for each dataset, since their options differ"
        gathered.note("taken", sentence, len(parts))
    for part in parts.values():
        datasets = list(dict.fromkeys(response.record.dataset or response.record.source.stem for response in part))
        name = question if len(parts) == 1 else f"{question} {datasets[0]}"
        if len({response.record.dataset for response in part}) > 1:
            gathered.note(
                "noticed", f"{name!r} of the datasets {listing(datasets)} taken as one question", len(datasets)
            )
        for _, _, record, item, value in part:
            if sort == CHOICE and recorded.is_multiple(record.raw):
                gathered.takes_several(name)
            mark = Mark(name, item, record.annotator, value, record.where, record.time)
            gathered.add(mark, KINDS_OF_ANSWERS.get(sort, "labels"))


def _kinds_of_choice(responses: Sequence[Response]) -> dict[str, Choice | None]:
    """By dataset what was to be chosen, and whether several could be; None where options change with the input."""
    choices: dict[str, set[Choice]] = {}
    for response in responses:
        options = response.record.raw.get("options")
        listed = options if isinstance(options, list) else []
        names = frozenset(str(option.get("id")) for option in listed if isinstance(option, dict))
        choices.setdefault(response.record.dataset, set()).add((names, recorded.is_multiple(response.record.raw)))
    return {dataset: kinds.pop() if len(kinds) == 1 else None for dataset, kinds in choices.items()}


def _said(gathered: Gatherer, record: Record, marking: set[str], rejected: str) -> Iterator[Response]:
    """The questions that a record answers, the items and the answers."""
    raw = record.raw
    accepted = raw.get("answer", ACCEPT) == ACCEPT
    verdict, label = ACCEPT if accepted else recorded.REJECT, raw.get("label")
    gathered.left_out("typed text", "(user_input) not read", "user_input" in raw)
    choosing = isinstance(raw.get("options"), list)
    marked = [key for key in MARKS if key in marking and (recorded.marks(raw, key) or recorded.may_mark(raw, key))]
    if recorded.is_judged(raw):
        spans = [recorded.span_of(record, span) for span in recorded.listed(record, SPANS)]
        shown = "; ".join(f"{span.start}-{span.end} {span.label}" for span in spans)
        yield Response(ANSWER, ANSWER, record, f"{record.item} {shown}", verdict)
    elif isinstance(label, str) and not choosing and not any(recorded.asks(raw, key) for key in MARKS):
        yield Response(LABEL, label, record, record.item, verdict)
    elif not choosing and not marked:
        gathered.left_out("record", "without anything to read left out")
    elif not accepted and rejected == "drop":
        empty = ReaderHint("rejected", "empty")
        gathered.left_out("rejected record", Advice.of("left out (", empty, " takes them for nothing marked)"))
    else:
        if choosing:
            yield Response(CHOICE, CHOICE, record, record.item, _choice(record) if accepted else ())
        for key in marked:
            yield Response(key, key, record, record.item, _marked(gathered, record, key) if accepted else [])


def _choice(record: Record) -> tuple[str | int, ...]:
    chosen = record.raw.get("accept") or []
    if not isinstance(chosen, list) or not all(isinstance(option, str | int) for option in chosen):
        raise FormatError(f"{record.where}: expected a list of chosen options in 'accept', found {chosen!r:.60}")
    return tuple(chosen)


def _marked(gathered: Gatherer, record: Record, key: str) -> list[Span] | list[Link]:
    entries = recorded.listed(record, key)
    if key == RELATIONS:
        return [recorded.relation_of(record, entry) for entry in entries]
    placed = [entry for entry in entries if "start" in entry and "end" in entry]
    labelled = [entry for entry in placed if entry.get("label") is not None]
    gathered.left_out("region", "of pictures not read", len(entries) - len(placed))
    gathered.left_out("span", "without a label left out, as found by patterns", len(placed) - len(labelled))
    return [recorded.span_of(record, entry) for entry in labelled]
