"""Langfuse: scores, as their table is exported (CSV, JSON, JSON lines) or as the programming interface gives them.

Every name of a score is a question.  Numeric scores are numbers, categories and truth values labels, scores in words
texts.

**Items** are what was scored: the observation where the score names one, else the trace, the session, or the run of an
experiment.  ``item="trace"`` takes the trace of an observation, too.  Version 3 of the programming interface names it
in ``subject``, which must be asked for, as must authors: ``fields="subject,annotation"``.

**Annotators.**  Scores with the source ANNOTATION are by the person whom the score names as its author; where no author
is named they are by one annotator called *ANNOTATION*, unless two such scores of one name meet in an item, which is an
error.  Scores with the sources EVAL and API are by evaluators and programs, called by these words.  All are read, and
how many there are of each is said; ``sources="ANNOTATION"`` takes those of people alone.

**Left out**, and counted: corrections of outputs, and scores without a value.  Of several scores of one annotator the
newest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from interagree.data.paths import Paths
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, expected
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._answers import NO, YES, Sources, add_answers, as_table
from interagree.readers._rows import Row, columns_of, keys_of, opened

SUFFIXES = (".csv", ".json", ".jsonl", ".ndjson")
NEEDED = frozenset({"name", "value", "datatype", "source"})
TELLING = ({"traceid"}, {"subject", "projectid"}, {"projectid", "environment", "timestamp"})  # one of them beside these
RUN = "datasetrunid"
SUBJECTS = {"trace": "traceid", "observation": "observationid", "session": "sessionid", "experiment": RUN}
FIELDS = "ask the programming interface for them, as in langfuse.api.scores.get_many(fields='subject,annotation')"
PEOPLE, SOURCES = "ANNOTATION", ("ANNOTATION", "EVAL", "API")
ITEMS = {"scored": ("observationid", "traceid", "sessionid", RUN), "trace": ("traceid", "sessionid", RUN)}
TIMES = ("updatedat", "timestamp", "createdat")
TRUTH = {"1": YES, "1.0": YES, YES: YES, "0": NO, "0.0": NO, NO: NO}


def recognised(path: Path) -> bool:
    """Whether a file can only hold scores of Langfuse."""
    plain = {_plain(name) for name in columns_of(path) or keys_of(path)}
    return plain >= NEEDED and any(plain >= further for further in TELLING)


@reader("Langfuse", suffixes=SUFFIXES, sniff=recognised, together=True)
def langfuse(
    path: Paths,
    *,
    item: str = "scored",
    sources: str | Sequence[str] = SOURCES,
    duplicates: str = "last",
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The scores of a project.

    Args:
        path: A file, a folder of files, or a list of them.
        item: "scored", what the score is about, or "trace", the trace that it belongs to.
        sources: Which scores to read: those of people ("ANNOTATION"), of evaluators ("EVAL"), of programs ("API").
        duplicates: Of several scores of one annotator take the "last" one by time, the "first", or stop with an
            "error".
        questions: The names of scores to read.
        options: What tables take; the file is then read as a table like any other.
    """
    if options or item not in ITEMS:
        table = {**options, "item": None if item in ITEMS else item, "value": questions}
        return as_table(path, table, by_suffix=True)
    gathered, rows = opened("Langfuse", path, SUFFIXES, duplicates, under="data")
    known = Sources(gathered, SOURCES, sources, "score", "EVAL and API are evaluators and programs, not people")
    scores = [score for score in map(_spelled, rows) if _counts(gathered, score, known)]
    known.say(map(_source, scores))
    add_answers(gathered, list(_judgements(gathered, scores, ITEMS[item])))
    return gathered.study(questions)


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()


def _spelled(row: Row) -> Row:
    """A score with names in one spelling, and with what was scored under its name."""
    cells = {_plain(name): None if cell == "" else cell for name, cell in row.cells.items()}
    if isinstance(subject := cells.get("subject"), dict):
        about = _spelled(Row(row.where, subject)).cells
        cells |= {SUBJECTS.get(str(about.get("kind")), "subjectid"): about.get("id")}
        cells |= {"traceid": about["traceid"]} if about.get("traceid") else {}
    return Row(row.where, cells)


def _counts(gathered: Gatherer, score: Row, known: Sources) -> bool:
    if score.text("datatype").upper() == "CORRECTION":
        gathered.left_out("correction", "of an output left out")
    elif not known.drops(known.checked(_source(score), score.where)):
        if any(score.cells.get(name) is not None for name in ("value", "stringvalue")):
            return True
        gathered.left_out("score", "without a value left out")
    return False


def _source(score: Row) -> str:
    return score.text("source").upper()


def _judgements(gathered: Gatherer, scores: Sequence[Row], keys: Sequence[str]) -> Iterator[Mark]:
    nameless: dict[tuple[str, str], str] = {}
    for score in scores:
        item, name, where = score.text(*keys), score.text("name"), score.where
        if not item or not name:
            lacking = "the name of a score" if item else "what was scored (a trace, an observation, a session or a run)"
            how = "" if item else f"; if scores lack their subjects, {FIELDS}"
            raise FormatError(f"{where}: expected {lacking}, found nothing{how}")
        by_people = _source(score) == PEOPLE
        author = score.text("authoruserid", "authorusername", "author")
        if by_people and not author and nameless.setdefault((item, name), where) != where:
            raise FormatError(
                f"{where}: {name!r} of {item!r:.60} was scored before, in {nameless[item, name]}, and neither says by "
                f"whom; export the scores with their authors (authorUserId): {FIELDS}"
            )
        who = author if by_people and author else _source(score)
        time = next(filter(None, map(score.cells.get, TIMES)), None)
        yield Mark(name, item, who, _value(score), where, time if isinstance(time, str) else None)
    if nameless:
        sentence = f"{counted(len(nameless), 'score')} of people without an author taken as those of one annotator"
        gathered.note("assumed", f"{sentence}, {PEOPLE!r}", len(nameless))


def _value(score: Row) -> Any:
    kind = score.text("datatype").upper()
    if kind == "BOOLEAN":
        truth = score.text("value", "stringvalue").lower()
        if truth not in TRUTH:
            raise FormatError(f"{score.where}: expected true or false, found {truth[:60]!r}")
        return TRUTH[truth]
    if kind in {"CATEGORICAL", "TEXT"}:
        return score.text("stringvalue", "value")
    value: Any = score.cells.get("value")
    try:
        number = float("nan" if isinstance(value, bool) else value)
    except (TypeError, ValueError):
        number = float("nan")
    if number != number:  # noqa: PLR0124 -- not a number
        raise expected(score.where, "a number in 'value'", value)
    if not isinstance(value, str):
        return value
    return int(number) if number.is_integer() else number
