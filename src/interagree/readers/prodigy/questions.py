"""The questions that records answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.study import Study
from interagree.errors import Advice, DuplicateAnnotation, FormatError, Hint, ReaderHint, listing
from interagree.gather.units import DocumentTexts, Unit, UnitOptions, annotations_of_units
from interagree.plugins import KINDS
from interagree.readers.prodigy import records as recorded
from interagree.readers.prodigy.people import name_annotators
from interagree.readers.prodigy.records import ACCEPT, ANSWER, CHOICE, MARKS, RELATIONS, SOUNDS, SPANS, Record
from interagree.readers.prodigy.texts import texts_of

NEWEST = Hint("duplicates", "last")
TIMES = ("timestamp",)
Choice: TypeAlias = tuple[frozenset[str], bool]  # the options, and whether several could be chosen


class Response(NamedTuple):
    """The answer to a question."""

    record: Record
    item: Hashable
    value: Any


class Question(NamedTuple):
    """A question: what sort of answer it takes, and its name."""

    sort: str
    name: str


class QuestionBuilder:
    """A study in the making: what was found in files, and what was done to it."""

    def __init__(self, sources: Sequence[Source], duplicates: str, rejected: str, units: UnitOptions) -> None:
        self.sources, self.duplicates, self.rejected, self.units = sources, duplicates, rejected, units
        self.steps: list[Step] = []
        self.counts: Counter[str] = Counter()  # what is left out, by the words for it

    def study(self, records: Sequence[Record], annotator: str | None) -> Study:
        """All questions."""
        names = listing((source.name for source in self.sources), quote=False, most=4)
        if not records:
            raise FormatError(f"{names}: there is no record to read")
        self.steps += name_annotators(records, annotator)
        answered = [record for record in records if record.raw.get("answer", ACCEPT) != recorded.IGNORE]
        skipped = len(records) - len(answered)
        self.steps += noted("dropped", f"{counted(skipped, 'ignored record')} left out", skipped)
        texts = texts_of(answered, self.steps)
        rows: dict[Question, list[Response]] = {}
        marking = {key for record in answered for key in MARKS if recorded.marks(record.raw, key)}
        for record in answered:
            for question, item, value in self._said(record, marking):
                rows.setdefault(question, []).append(Response(record, item, value))
        rows = self._by_dataset(rows)
        for words, times in self.counts.items():
            noun = words if times != 1 else words.replace("s ", " ", 1)
            self.steps.append(Step("dropped", Advice.around(f"{times:,} {noun}", words), times))
        if not rows:
            raise FormatError(
                f"{names}: no record that was answered has spans with labels, options, a label or relations to read "
                f"({'; '.join(step.sentence for step in self.steps)})"
            )
        made: dict[str, Annotations] = {}
        for question, responses in rows.items():
            name = question.name if question.name not in made else f"{question.name} ({question.sort})"
            made[name] = self._question(question, self._once(responses), texts)
        return Study(made, Provenance(tuple(source.name for source in self.sources), tuple(self.steps)))

    def _by_dataset(self, rows: Mapping[Question, list[Response]]) -> dict[Question, list[Response]]:
        """A question for each dataset where their options differ; what else datasets share is said."""
        made: dict[Question, list[Response]] = {}
        for question, responses in rows.items():
            parts: dict[Choice | None, list[Response]] = {}
            kinds = _kinds_of_choice(responses) if question.sort == CHOICE else {}
            for response in responses:
                parts.setdefault(kinds.get(response.record.dataset), []).append(response)
            if len(parts) > 1:
                sentence = f"{question.name!r} is a question for each dataset, since their options differ"
                self.steps.append(Step("taken", sentence, len(parts)))
            for part in parts.values():
                datasets = list(
                    dict.fromkeys(response.record.dataset or response.record.source.stem for response in part)
                )
                name = question.name if len(parts) == 1 else f"{question.name} {datasets[0]}"
                made[question._replace(name=name)] = part
                if len({response.record.dataset for response in part}) > 1:
                    sentence = f"{name!r} of the datasets {listing(datasets)} taken as one question"
                    self.steps.append(Step("noticed", sentence, len(datasets)))
        return made

    # -- what a record says --------------------------------------------------------------------------------

    def _said(self, record: Record, marking: set[str]) -> Iterator[tuple[Question, Hashable, object]]:
        """The questions that a record answers, the items and the answers."""
        raw = record.raw
        accepted = raw.get("answer", ACCEPT) == ACCEPT
        verdict, label = ACCEPT if accepted else recorded.REJECT, raw.get("label")
        if "user_input" in raw:
            self.counts["typed texts (user_input) not read"] += 1
        choosing = isinstance(raw.get("options"), list)
        marked = [key for key in MARKS if key in marking and (recorded.marks(raw, key) or recorded.may_mark(raw, key))]
        if recorded.is_judged(raw):
            spans = [recorded.span_of(record, span) for span in recorded.listed(record, SPANS)]
            shown = "; ".join(f"{start}-{end} {label}" for start, end, label in spans)
            yield Question(ANSWER, ANSWER), f"{record.item} {shown}", verdict
        elif isinstance(label, str) and not choosing and not any(recorded.asks(raw, key) for key in MARKS):
            yield Question("label", label), record.item, verdict
        elif not choosing and not marked:
            self.counts["records without anything to read left out"] += 1
        elif not accepted and self.rejected == "drop":
            empty = ReaderHint("rejected", "empty")
            self.counts[Advice.of("rejected records left out (", empty, " takes them for nothing marked)")] += 1
        else:
            if choosing:
                yield Question(CHOICE, CHOICE), record.item, self._choice(record) if accepted else ()
            for key in marked:
                yield Question(key, key), record.item, self._marked(record, key) if accepted else []

    @staticmethod
    def _choice(record: Record) -> tuple[str | int, ...]:
        chosen = record.raw.get("accept") or []
        if not isinstance(chosen, list) or not all(isinstance(span, str | int) for span in chosen):
            raise FormatError(f"{record.where}: expected a list of chosen options in 'accept', found {chosen!r:.60}")
        return tuple(chosen)

    def _marked(self, record: Record, key: str) -> list[tuple[object, ...]]:
        spans = recorded.listed(record, key)
        if key == RELATIONS:
            return [recorded.relation_of(record, span) for span in spans]
        placed = [span for span in spans if "start" in span and "end" in span]
        if len(placed) < len(spans):
            self.counts["regions of pictures not read"] += len(spans) - len(placed)
        labelled = [span for span in placed if span.get("label") is not None]
        if len(labelled) < len(placed):
            self.counts["spans without a label left out, as found by patterns"] += len(placed) - len(labelled)
        return [recorded.span_of(record, span) for span in labelled]

    def _once(self, rows: list[Response]) -> list[Response]:
        """One answer of each annotator to each input."""
        cells: dict[tuple[Hashable, str], list[Response]] = {}
        for response in rows:
            cells.setdefault((response.item, response.record.annotator), []).append(response)
        extra = len(rows) - len(cells)
        if not extra:
            return rows
        if self.duplicates == "error":
            several = next(responses for responses in cells.values() if len(responses) > 1)
            record = several[1].record
            raise DuplicateAnnotation(
                f"{record.where}: {record.annotator!r} answered {several[1].item!r} {len(several)} times, and "
                f"{counted(extra, 'answer')} repeat another in all; pass {NEWEST} to take the newest",
                hints=[NEWEST],
            )
        word = "newest" if self.duplicates == "last" else "oldest"
        sentence = f"{counted(extra, 'repeated answer')} of an annotator to an input left out (the {word} counts)"
        self.steps.append(Step("dropped", sentence, extra))
        # Of two of the same time the one further down is the newer one; `sorted` keeps them in order.
        at = -1 if self.duplicates == "last" else 0
        return [sorted(responses, key=lambda response: response.record.time or 0)[at] for responses in cells.values()]

    # -- questions -----------------------------------------------------------------------------------------

    def _question(self, question: Question, rows: list[Response], texts: DocumentTexts) -> Annotations:
        if question.sort in {SPANS, SOUNDS}:
            known = texts if question.sort == SPANS else DocumentTexts(positions="seconds")
            how = self.units._replace(columns=TIMES)
            return annotations_of_units(self.sources, _units(rows), how, steps=self.steps, documents=known)
        if question.sort == RELATIONS:
            rows = [response._replace(value=sorted(set(response.value), key=str)) for response in rows]
            return self._column(rows, texts, RELATIONS if RELATIONS in KINDS else None)
        if question.sort == CHOICE:
            return self._chosen(rows, texts)
        return self._column(rows, texts, "labels")

    def _chosen(self, rows: list[Response], texts: DocumentTexts) -> Annotations:
        """Choices as sets where several could be chosen, else as labels; none chosen is an answer among sets only."""
        if any(len(response.value) > 1 or recorded.is_multiple(response.record.raw) for response in rows):
            return self._column(
                [response._replace(value=frozenset(response.value)) for response in rows], texts, "sets"
            )
        chosen = [response._replace(value=response.value[0]) for response in rows if response.value]
        empty = len(rows) - len(chosen)
        self.steps += noted("dropped", f"{counted(empty, 'answer')} without a chosen option left out", empty)
        if not chosen:
            raise FormatError(f"{rows[0].record.where}: no option was ever chosen; there is nothing to compare")
        return self._column(chosen, texts, "labels")

    def _column(self, rows: Sequence[Response], texts: DocumentTexts, kind: str | None) -> Annotations:
        attributes: dict[str, list[object]] = {"timestamp": [response.record.time for response in rows]}
        if texts.texts:
            attributes["text"] = [texts.texts.get(response.record.item) for response in rows]
        made = Annotations.from_columns(
            [response.item for response in rows],
            [response.record.annotator for response in rows],
            [response.value for response in rows],
            attributes=attributes,
            provenance=Provenance(tuple(source.name for source in self.sources)).then(*self.steps),
        )
        return replace(made, of_kind=kind)


def _kinds_of_choice(rows: Iterable[Response]) -> dict[str, Choice | None]:
    """By dataset what was to be chosen, and whether several could be; None where options change with the input."""
    choices: dict[str, set[Choice]] = {}
    for response in rows:
        options = response.record.raw.get("options")
        listed_options = options if isinstance(options, list) else []
        names = frozenset(str(option.get("id")) for option in listed_options if isinstance(option, dict))
        choices.setdefault(response.record.dataset, set()).add((names, recorded.is_multiple(response.record.raw)))
    return {dataset: kinds.pop() if len(kinds) == 1 else None for dataset, kinds in choices.items()}


def _units(rows: Iterable[Response]) -> Iterator[Unit]:
    for response in rows:
        further = (response.record.time,)
        yield Unit(response.item, response.record.annotator, further=further)
        for start, end, label in response.value:
            yield Unit(response.item, response.record.annotator, start, end, label, further)
