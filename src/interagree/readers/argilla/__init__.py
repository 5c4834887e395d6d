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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, DoubtfulReading, FormatError, ReaderHint, ReadingAdvice, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.offsets import is_basic
from interagree.gather.units import check_ends_after
from interagree.readers._answers import are_texts, names_of, note_texts
from interagree.readers._options import MarkedAnswers, unit_options
from interagree.readers._rows import Row, opened, record_at
from interagree.readers.argilla.records import SUFFIXES, Given, Record, all_records, recognised

DRAFT, DISCARDED = "draft", "discarded"
MODEL = "suggestion"  # what a model is called whose agent is not named
LABEL, SEVERAL, RATING, RANKING = "label_selection", "multi_label_selection", "rating", "ranking"
SPANS, TEXTS = "span", "text"
BEFORE = "dynamic_"  # what names of types begin with in Argilla 1.x
ENOUGH = 5  # answers with the same options in several orders that can only be rankings


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
    records = list(all_records(rows))
    stated, fields = _settings(gathered.sources)
    for names, kind in ((multiple, SEVERAL), (rankings, RANKING), (texts, TEXTS)):
        stated |= dict.fromkeys(names_of(names) or (), kind)
    answers: dict[str, list[tuple[Record, Given]]] = {}
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
    for source in sources:
        folder = Path() if source.path is None else source.path.resolve().parent
        beside = (place / ".argilla" / "settings.json" for place in (folder, folder.parent))
        file = None if source.path is None else next((file for file in beside if file.is_file()), None)
        content = {} if file is None else Source.of(file).json()
        questions = content.get("questions") if isinstance(content, dict) else None
        for question in questions if isinstance(questions, list) else []:
            if not isinstance(question, dict) or not isinstance(name := question.get("name"), str):
                continue
            settings = question.get("settings")
            settings = settings if isinstance(settings, dict) else question
            kind = str(settings.get("type") or question.get("type")).removeprefix(BEFORE)
            if kind in {LABEL, SEVERAL, RATING, RANKING, SPANS, TEXTS}:
                types[name] = kind
            if isinstance(marked := settings.get("field"), str):
                fields[name] = marked
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


def _suggested(gathered: Gatherer, record: Record, *, predictions: bool) -> Iterator[Given]:
    if predictions:
        yield from (given._replace(who=given.who or MODEL) for given in record.suggestions if given.value is not None)
    else:
        models = ReaderHint("predictions", value=True)
        said = Advice.of("of a model left out (", models, " takes models as annotators)")
        gathered.left_out("suggestion", said, len(record.suggestions))


def _show(
    gathered: Gatherer, records: Sequence[Record], item: str, fields: Mapping[str, str], spans: Sequence[str]
) -> None:
    """What records show: the field that spans are marked in, the only text, or all texts one below the other."""
    marked = {fields[name] for name in spans if name in fields}
    wide = 0
    for record in records:
        texts = {name: text for name, text in record.shows.items() if isinstance(text, str)}
        chosen = [texts[name] for name in marked if name in texts] if marked else list(texts.values())
        if chosen and (len(chosen) == 1 or not spans):
            text = "\n".join(chosen)
            gathered.show(record.item(item), text, record.where)
            wide += bool(spans) and not is_basic(text)
    if wide:
        sentence = (
            f"positions of spans taken as characters in {wide:,} texts with characters such as emoji, which some "
        )
        gathered.note("noticed", f"{sentence}versions of Argilla count as two", wide)


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
        raise FormatError(f"{where}: expected a list as the answer to {answer.question!r}, found {value!r:.60}")
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
        raise FormatError(f"{where}: expected an answer to {answer.question!r} that is a {kind}, found {value!r:.60}")


def _span(entry: Row) -> Span:
    start, end = (entry.field(name, int) for name in ("start", "end"))
    if not 0 <= start <= 1 << 53 or end >= 1 << 53:
        raise FormatError(f"{entry.where}: expected a span with 'start' and 'end', found {entry.cells!r:.60}")
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
