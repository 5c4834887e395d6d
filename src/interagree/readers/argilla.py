"""Argilla: the records of a dataset, nested (``records.to_json``) or flat (``to_datasets``, ``to_pandas``).

Every question of the dataset is one of the study.  Labels are labels, and choices of several labels sets, in whichever
order they were clicked; ratings are numbers, rankings rankings, spans spans, and answers in words texts.

**Sorts of questions** are told by the settings where Argilla saved them beside the records (``.argilla/settings.json``,
as ``dataset.to_disk`` and ``to_hub`` do), and else by the answers.  A ranking and a choice of several labels are
written alike; where all answers have the same options in some order they are taken as rankings, and that is said.
``rankings``, ``multiple`` and ``texts`` name questions of which it is known.

**Who answered** is told by the ids of users; their names are only known to the server.

**Drafts and discarded answers** are left out, and counted (``drafts="keep"`` and ``discarded="keep"`` keep them).  The
nested form does not say which answers are: all of them count, and that is said; the flat form does.

**Suggestions** come from models and are left out, and counted; with ``predictions=True`` they are answers of an
annotator called after the agent.

**Forms.**  JSON and JSON lines, nested or flat; flat also Parquet and Arrow, as the ``datasets`` library writes them,
and CSV with lists as Python or JSON writes them.  Lists in a CSV file that NumPy wrote run into each other, and are
refused.  Records of Argilla 1.x, whose answers are lists of one object for each person, are read as well.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import (
    Advice,
    DoubtfulReading,
    FormatError,
    ReaderHint,
    ReadingAdvice,
    UnknownName,
    expected,
    listing,
    suggestion,
)
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.offsets import is_basic
from interagree.gather.units import check_ends_after
from interagree.readers._answers import are_texts, names_of, note_texts
from interagree.readers._options import MarkedAnswers, unit_options
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, keys_of, mentions, opened, record_at
from interagree.reading.cells import spelled

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".parquet", ".arrow")
USERS, STATUS, RESPONSES, SUGGESTION = ".responses.users", ".responses.status", ".responses", ".suggestion"
PARTS = (USERS, STATUS, RESPONSES, SUGGESTION, ".suggestion.score", ".suggestion.agent")
NESTED = {"fields", "responses", "suggestions"}
FIRST_VERSION = "-suggestion"  # how columns of suggestions end in files of Argilla 1.x
ABOUT = {"id", "status", "_server_id", "score", "external_id", "metadata", "vectors", "inserted_at", "updated_at"}
ANSWER = ("user_id", "value", "status")
DRAFT, DISCARDED = "draft", "discarded"
MODEL = "suggestion"  # what a model is called whose agent is not named
LABEL, SEVERAL, RATING, RANKING = "label_selection", "multi_label_selection", "rating", "ranking"
SPANS, TEXTS = "span", "text"
BEFORE = "dynamic_"  # what names of types begin with in Argilla 1.x
ENOUGH = 5  # answers with the same options in several orders that can only be rankings


class Given(NamedTuple):
    """One answer to one question."""

    question: str
    who: str
    value: Any
    status: str | None  # None where the file does not say
    where: str


@dataclass(slots=True)
class ArgillaRecord:
    """A record with what it shows, the answers to it, and what models suggested."""

    row: Row
    shows: Mapping[str, object] = field(default_factory=dict)  # by the name of the field
    responses: list[Given] = field(default_factory=list)
    suggestions: list[Given] = field(default_factory=list)

    def item(self, name: str) -> str | int:
        """What the record is called: its id, or what it shows or holds under another name."""
        cells = self.row.cells
        for called in (name, "_server_id", "external_id") if name == "id" else (name,):
            for entries in (cells, self.shows, self.row.maybe("metadata", dict)):
                if isinstance(entry := entries.get(called), str | int):
                    return entry
        known = list(dict.fromkeys((*cells, *self.shows)))
        raise UnknownName(
            f"{self.row.where}: there is no entry {name!r} to take the item from; there are {listing(known, most=8)}."
            + suggestion(name, known)
        )


def recognised(path: Path) -> bool:
    """Whether a file can only be records of Argilla."""
    if mentions(path, USERS.encode()) or _is_flat(columns_of(path) or keys_of(path)):
        return True
    head = json_head(path)
    levels = {keys[:-1] for keys in head.first if keys[-1] == "responses" and len(keys) <= 2}
    return any(
        head.has(*level, "fields", begins=b"{")
        and head.has(*level, "suggestions")
        and head.first[*level, "responses"][:1] in {b"{", b"[", b"n"}
        for level in levels
    )


def _is_flat(names: frozenset[str]) -> bool:
    if "external_id" in names and any(_of_first_version(name, names) for name in names):
        return True
    return any(name.endswith(USERS) and name.removesuffix(".users") in names for name in names)


def _of_first_version(name: str, names: Container[str]) -> bool:
    """Whether a column is a question of Argilla 1.x, which has the answers beside those of a model."""
    return f"{name}{FIRST_VERSION}" in names and f"{name}{FIRST_VERSION}-metadata" in names


@reader("Argilla", suffixes=SUFFIXES, sniff=recognised, together=True)
def argilla(
    path: Paths,
    *,
    item: str = "id",
    drafts: Literal["drop", "keep"] = "drop",
    discarded: Literal["drop", "keep"] = "drop",
    predictions: bool = False,
    multiple: str | Sequence[str] = (),
    rankings: str | Sequence[str] = (),
    texts: str | Sequence[str] = (),
    **options: Unpack[MarkedAnswers],
) -> Study:
    """The records of a dataset, or of several.

    Args:
        path: A file, a folder of files, or a list of them.
        item: "id", or the name of a field or of an entry of the metadata that tells records apart.
        drafts: "drop" or "keep" answers that were not submitted yet.
        discarded: "drop" or "keep" answers that were discarded.
        predictions: Whether models count as annotators, called by their agent.
        multiple: Questions that take several labels.
        rankings: Questions that take a ranking.
        texts: Questions that are answered in words.
    """
    gathered, rows = opened("Argilla", path, SUFFIXES, options["duplicates"], units=unit_options(options))
    records = list(_records(rows))
    stated, fields = _settings(gathered.sources)
    for names, kind in ((multiple, SEVERAL), (rankings, RANKING), (texts, TEXTS)):
        stated |= dict.fromkeys(names_of(names) or (), kind)
    answers: dict[str, list[tuple[ArgillaRecord, Given]]] = {}
    for record in records:
        counting = [given for given in record.responses if _counts(gathered, given, drafts, discarded)]
        for given in [*counting, *_suggested(gathered, record, predictions=predictions)]:
            answers.setdefault(given.question, []).append((record, given))
    kinds = {
        name: stated.get(name) or _type_of(name, [g for _, g in given], gathered) for name, given in answers.items()
    }
    if not answers:
        gathered.note("noticed", "there are no answers as Argilla writes them, such as 'mood.responses'")
        return gathered.study()
    _show(gathered, records, item, fields, [name for name, kind in kinds.items() if kind == SPANS])
    for name, pairs in answers.items():
        for record, given in pairs:
            _add(gathered, kinds[name], given, record.item(item))
    return gathered.study(options["questions"])


def _settings(sources: Sequence[Source]) -> tuple[dict[str, str], dict[str, str]]:
    """What the settings beside records (``.argilla/settings.json``) say: types of questions, fields of spans."""
    types: dict[str, str] = {}
    fields: dict[str, str] = {}
    folders = [source.path.resolve().parent for source in sources if source.path is not None]
    for folder in folders:
        beside = (place / ".argilla" / "settings.json" for place in (folder, folder.parent))
        file = next((file for file in beside if file.is_file()), None)
        content = {} if file is None else Source.of(file).json()
        stated = Row("", content if isinstance(content, dict) else {}).maybe("questions", list)
        for question in [Row("", one) for one in stated if isinstance(one, dict)]:
            settings = question.maybe("settings", dict) or question.cells
            kind = str(settings.get("type") or question.cells.get("type")).removeprefix(BEFORE)
            if isinstance(name := question.cells.get("name"), str):
                types |= {name: kind} if kind in {LABEL, SEVERAL, RATING, RANKING, SPANS, TEXTS} else {}
                fields |= {name: marked} if isinstance(marked := settings.get("field"), str) else {}
    return types, fields


def _counts(gathered: Gatherer, given: Given, drafts: str, discarded: str) -> bool:
    """Whether an answer of somebody is read."""
    if given.status == DRAFT:
        return not gathered.drops("draft", usual="drop", drafts=drafts)
    if given.status == DISCARDED:
        return not gathered.drops("discarded answer", usual="drop", discarded=discarded)
    if given.status is None and not any("drafts or discarded" in step.sentence for step in gathered.steps):
        sentence = "the file does not say which answers are drafts or discarded; all of them count. The flat form "
        gathered.note("noticed", f"{sentence}(records.to_datasets()) does")
    return True


def _suggested(gathered: Gatherer, record: ArgillaRecord, *, predictions: bool) -> Iterator[Given]:
    if predictions:
        yield from (given._replace(who=given.who or MODEL) for given in record.suggestions if given.value is not None)
    else:
        models = ReaderHint("predictions", value=True)
        said = Advice.of("of a model left out (", models, " takes models as annotators)")
        gathered.left_out("suggestion", said, len(record.suggestions))


def _show(
    gathered: Gatherer, records: Sequence[ArgillaRecord], item: str, fields: Mapping[str, str], spans: Sequence[str]
) -> None:
    """What records show: the field that spans are marked in, the only text, or all texts one below the other."""
    marked = {fields[name] for name in spans if name in fields}
    wide = 0
    for record in records:
        texts = {name: text for name, text in record.shows.items() if isinstance(text, str)}
        chosen = [texts[name] for name in marked if name in texts] if marked else list(texts.values())
        if chosen and (len(chosen) == 1 or not spans):
            text = "\n".join(chosen)
            gathered.show(record.item(item), text, record.row.where)
            wide += bool(spans) and not is_basic(text)
    if wide:
        sentence = (
            f"positions of spans taken as characters in {wide:,} texts with characters such as emoji, which some "
        )
        gathered.note("noticed", f"{sentence}versions of Argilla count as two", wide)


# -- records ----------------------------------------------------------------------------------------------------


def _records(rows: Iterable[Row]) -> Iterator[ArgillaRecord]:
    """The records of files."""
    for row in rows:
        inner = [row]
        if row.where.endswith("/") and "responses" not in row.cells:  # one record under each id
            named = ((name, record_at(row.path(name), record)) for name, record in row.cells.items())
            inner = [Row(one.where, {"id": name, **one.cells}) for name, one in named]
        for one in inner:
            yield _nested(one) if one.cells.keys() >= NESTED else _flat(one)


def _nested(row: Row) -> ArgillaRecord:
    made = ArgillaRecord(row, row.field("fields", dict))
    responses, suggestions = row.field("responses", (dict, list), {}), row.field("suggestions", (dict, list), {})
    if isinstance(responses, list):  # as the server and Argilla 1.x have them: all answers of one person together
        for response in row.each("responses"):
            for question, answer in response.field("values", dict, {}).items():
                value = answer.get("value") if isinstance(answer, dict) else answer
                made.responses.append(_given(question, response)._replace(value=value))
    else:
        inside = Row(row.path("responses"), responses)
        made.responses += (_given(question, answer) for question in responses for answer in inside.each(question, []))
    if isinstance(suggestions, list):
        suggestions = {one.text("question_name"): one.cells for one in row.each("suggestions")}
    inside = Row(row.path("suggestions"), suggestions)
    for question in suggestions:
        if question and suggestions[question] is not None:
            answer = inside.inside(question)
            given = Given(question, answer.text("agent"), answer.cells.get("value"), None, answer.where)
            made.suggestions.append(given)
    return made


def _flat(row: Row) -> ArgillaRecord:
    cells = row.cells
    made = ArgillaRecord(row)
    taken: set[str] = set()

    def suggest(question: str, column: str, agent: str, value: object) -> None:
        made.suggestions.append(Given(question, agent, value, None, f"{row.where}, {column}"))

    for name in cells:
        question = name.removesuffix(USERS).removesuffix(SUGGESTION)
        suggested = name.endswith(SUGGESTION) and f"{name}.agent" in cells
        if name.endswith(USERS) or suggested:
            taken |= {f"{question}{part}" for part in PARTS}
        if name.endswith(USERS):
            made.responses += _side_by_side(row, question)
        elif suggested and (value := _cell(row, name)) is not None and value != "":
            suggest(question, name, row.text(f"{name}.agent"), value)
    for question in [name for name in cells if _of_first_version(name, cells)]:
        column = f"{question}{FIRST_VERSION}"
        taken |= {name for name in cells if name == question or name.startswith(column)}
        made.responses += (_given(question, answer) for answer in _first_version(row, question))
        if cells[column] is not None:
            suggest(question, column, Row("", row.maybe(f"{column}-metadata", dict)).text("agent"), cells[column])
    made.shows = {name: cell for name, cell in cells.items() if name not in taken and name not in ABOUT}
    return made


def _side_by_side(row: Row, question: str) -> Iterator[Given]:
    """The answers to a question in lists of one length: users, values and states."""
    columns = [f"{question}{part}" for part in (USERS, RESPONSES, STATUS)]
    users, values, states = (Row(row.where, {name: _cell(row, name)}).field(name, list, []) for name in columns)
    where = f"{row.where}, {question}{RESPONSES}"
    states = states or [None] * len(users)
    if not len(values) == len(users) == len(states):
        raise FormatError(
            f"{where}: expected lists of one length, found {len(values)} responses, {len(users)} users and "
            f"{len(states)} states"
        )
    for answer in zip(users, values, states, strict=True):
        yield _given(question, Row(where, dict(zip(ANSWER, answer, strict=True))))


def _first_version(row: Row, question: str) -> Iterator[Row]:
    """The answers in a column of Argilla 1.x: a list of objects, or an object of lists."""
    answers = _cell(row, question)
    if isinstance(answers, dict):
        columns = [Row(row.path(question), answers).field(name, list, []) for name in ANSWER]
        if len({len(column) for column in columns}) != 1:
            raise expected(row.where, f"lists of one length in {question!r}", answers)
        answers = [dict(zip(ANSWER, cells, strict=True)) for cells in zip(*columns, strict=True)]
    return Row(row.where, {question: answers}).each(question, [])


def _given(question: str, answer: Row) -> Given:
    who, status = answer.field("user_id", (str, int)), answer.cells.get("status")
    if who == "":
        raise expected(answer.where, "the id of a user in 'user_id'", who)
    return Given(question, str(who), answer.cells.get("value"), None if status is None else str(status), answer.where)


def _cell(row: Row, name: str) -> Any:
    """A cell as it is, or the list that a text table writes into it."""
    cell = row.cells.get(name)
    if not isinstance(cell, str) or cell.strip()[:1] not in {"[", "{"}:
        return None if cell == "" else cell
    try:
        return spelled(cell)
    except ValueError:
        raise FormatError(
            f"{row.where}, {name}: expected a list as JSON or Python writes it, found {cell[:60]!r}; export the "
            "records as JSON (dataset.records.to_json) or as Parquet, which keep lists as they are"
        ) from None


# -- questions ------------------------------------------------------------------------------------------------


def _type_of(question: str, given: Sequence[Given], gathered: Gatherer) -> str:
    """What sort of question some answers are to; an error where it may be two."""
    full = [answer for answer in given if answer.value not in ([], "", None)]
    values = [answer.value for answer in full]
    if not full or all(isinstance(value, list) for value in values):
        return _type_of_lists(question, values, gathered) if full else SEVERAL
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return RATING
    odd = next((answer for answer in full if not isinstance(answer.value, str)), None)
    if odd is not None:
        kinds = listing(sorted({type(value).__name__ for value in values}), quote=False)
        raise FormatError(
            f"{odd.where}: expected answers of one sort to {question!r}, found values of types {kinds}, such as "
            f"{odd.value!r:.60}"
        )
    note_texts(gathered, [question] if are_texts(values) else [])
    return TEXTS if are_texts(values) else LABEL


def _type_of_lists(question: str, values: Sequence[Any], gathered: Gatherer) -> str:
    if all(isinstance(entry, dict) for value in values for entry in value):
        return SPANS if all("start" in entry for value in values for entry in value) else RANKING
    options = {frozenset(map(str, value)) for value in values}
    if len(options) > 1 or len({json.dumps(value) for value in values}) < 2 or len(next(iter(options))) < 2:
        return SEVERAL
    if len(values) >= ENOUGH:
        sentence = f"answers to {question!r} taken as rankings, because all have the same options in some order"
        gathered.note("assumed", sentence, len(values))
        return RANKING
    source = gathered.sources[0].name
    raise DoubtfulReading(
        f"{source}: {counted(len(values), 'answer')} to {question!r} name the same options in several orders; they are "
        "rankings, or choices of several options in the order of clicking. It may be",
        [
            ReadingAdvice("Rankings, the best first", options={"rankings": question}, of_reader=("rankings",)),
            ReadingAdvice("Choices of several options", options={"multiple": question}, of_reader=("multiple",)),
        ],
        source=source,
    )


def _add(gathered: Gatherer, kind: str, answer: Given, item: str | int) -> None:
    """Take up an answer as its question takes it."""
    value, where = answer.value, answer.where
    mark = Mark(answer.question, item, answer.who, value, where)
    if kind in {SPANS, SEVERAL, RANKING} and not isinstance(value, list | None):
        raise expected(where, f"a list as the answer to {answer.question!r}", value)
    if kind == SPANS:
        gathered.add(mark._replace(value=[_span(record_at(where, entry)) for entry in value or ()]), "spans")
    elif kind == SEVERAL:
        gathered.takes_several(answer.question)
        gathered.add(mark._replace(value=tuple(map(str, value or ()))), "choices")
    elif value is None or value == "":
        gathered.left_out("empty answer")
    elif kind == RANKING:
        if ranking := _ranking(value):
            gathered.add(mark._replace(value=ranking), "rankings")
        else:
            gathered.left_out("ranking", "with ties, or of fewer than two options, left out")
    elif kind == RATING and isinstance(value, int | float):
        gathered.add(mark)
    elif isinstance(value, str | int | float):
        gathered.add(mark._replace(value=str(value)), "text" if kind == TEXTS else "labels")
    else:
        raise expected(where, f"an answer to {answer.question!r} that is a {kind}", value)


def _span(entry: Row) -> Span:
    start, end = (entry.field(name, int) for name in ("start", "end"))
    if not 0 <= start <= 1 << 53 or end >= 1 << 53:
        raise expected(entry.where, "a span with 'start' and 'end'", entry.cells)
    check_ends_after(entry.where, start, end)
    label = entry.cells.get("label")
    return Span(start, end, None if label is None else str(label))


def _ranking(entries: list[Any]) -> tuple[str, ...]:
    """Options from the best to the worst; empty where some share a place, or there is nothing to rank."""
    if all(isinstance(entry, dict) for entry in entries):
        ranks = [entry.get("rank") for entry in entries]
        if all(isinstance(rank, int | float) for rank in ranks):
            if len({*ranks}) < len(ranks):
                return ()
            entries = sorted(entries, key=lambda entry: entry["rank"])
        entries = [entry.get("value") for entry in entries]
    names = tuple(map(str, entries))
    return names if len(names) > 1 and len({*names}) == len(names) else ()
