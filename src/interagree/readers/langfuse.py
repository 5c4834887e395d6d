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

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.units import check_word
from interagree.readers._columns import NO, YES, as_table
from interagree.readers._judges import add_judgements
from interagree.readers._rows import Row, columns_of, keys_of, records_of

SUFFIXES = (".csv", ".json", ".jsonl", ".ndjson")
NEEDED = frozenset({"name", "value", "datatype", "source"})
TELLING = ({"traceid"}, {"subject", "projectid"}, {"projectid", "environment", "timestamp"})  # one of them beside these
RUN = "datasetrunid"
SUBJECTS = {"trace": "traceid", "observation": "observationid", "session": "sessionid", "experiment": RUN}
FIELDS = "ask the programming interface for them, as in langfuse.api.scores.get_many(fields='subject,annotation')"
PEOPLE, SOURCES = "ANNOTATION", ("ANNOTATION", "EVAL", "API")
ITEMS = {"scored": ("observationid", "traceid", "sessionid", RUN), "trace": ("traceid", "sessionid", RUN)}


def recognised(path: Path) -> bool:
    """Whether a file can only hold scores of Langfuse."""
    if path.is_dir():
        return False
    names = columns_of(path) if Source.of(path).suffix == ".csv" else keys_of(path)
    plain = {_plain(name) for name in names}
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
    asked = questions
    if options or item not in ITEMS:
        table = {**options, "item": None if item in ITEMS else item, "value": asked}
        return as_table(path, table, by_suffix=True)
    wanted = (sources,) if isinstance(sources, str) else tuple(sources)
    for word in wanted:
        check_word("sources", word, SOURCES)
    files = list(files_in(path, SUFFIXES))
    gathered = Gatherer("Langfuse", files, duplicates=duplicates)
    gathered.steps += unread_files(path, files, deep=False)
    rows = [row for file in files for row in _scores(records_of(file, gathered.steps))]
    kept = [row for row in rows if _wanted(gathered, row, wanted)]
    _say(gathered, kept)
    add_judgements(gathered, list(_judgements(gathered, kept, ITEMS[item])))
    return gathered.study(asked)


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()


def _scores(rows: Sequence[Row]) -> Iterator[Row]:
    """The scores of a file with names in one spelling; the programming interface has them under 'data'."""
    for row in rows:
        inner = row.cells.get("data")
        if isinstance(inner, list) and "name" not in row.cells:
            for at, score in enumerate(inner):
                where = f"{row.where.rstrip('/')}/data/{at}"
                if not isinstance(score, dict):
                    raise FormatError(f"{where}: expected a score, found {score!r:.60}")
                yield Row(where, _spelled(score))
        else:
            yield Row(row.where, _spelled(row.cells))


def _spelled(cells: Mapping[str, object]) -> dict[str, object]:
    made = {_plain(name): None if cell == "" else cell for name, cell in cells.items()}
    subject = made.get("subject")
    if isinstance(subject, dict):
        about = _spelled(subject)
        made |= {SUBJECTS.get(str(about.get("kind")), "subjectid"): about.get("id")}
        made |= {"traceid": about["traceid"]} if about.get("traceid") else {}
    return made


def _wanted(gathered: Gatherer, row: Row, wanted: Sequence[str]) -> bool:
    kind, source = str(row.cells.get("datatype")).upper(), _source(row)
    if kind == "CORRECTION":
        gathered.left_out("correction", "of an output left out")
        return False
    if source not in wanted:
        gathered.left_out("score", f"of the source {source} left out")
        return False
    if row.cells.get("value") is None and row.cells.get("stringvalue") is None:
        gathered.left_out("score", "without a value left out")
        return False
    return True


def _source(row: Row) -> str:
    source = str(row.cells.get("source") or "").upper()
    if source not in SOURCES:
        raise FormatError(f"{row.where}: expected a source that is {listing(SOURCES)}, found {source[:60]!r}")
    return source


def _say(gathered: Gatherer, rows: Sequence[Row]) -> None:
    """How many scores there are of people, of evaluators and of programs."""
    often = Counter(map(_source, rows))
    if len(often) > 1:
        each = listing((f"{times:,} of {source}" for source, times in often.items()), quote=False)
        people = ReaderHint("sources", PEOPLE)
        sentence = f"{counted(len(rows), 'score')}: {each}; EVAL and API are evaluators and programs, not people ("
        gathered.note("noticed", Advice.of(sentence, people, " takes people alone)"), len(rows))


def _judgements(gathered: Gatherer, rows: Sequence[Row], keys: Sequence[str]) -> Iterator[Mark]:
    nameless: dict[tuple[str, str], str] = {}
    for row in rows:
        cells, where = row.cells, row.where
        item = next((str(cells[key]) for key in keys if cells.get(key) is not None), "")
        name = cells.get("name")
        if not item or not isinstance(name, str):
            lacking = "the name of a score" if item else "what was scored (a trace, an observation, a session or a run)"
            how = "" if item else f"; if scores lack their subjects, {FIELDS}"
            raise FormatError(f"{where}: expected {lacking}, found nothing{how}")
        source = _source(row)
        author = cells.get("authoruserid") or cells.get("authorusername") or cells.get("author")
        if source == PEOPLE and author is None:
            before = nameless.setdefault((item, name), where)
            if before != where:
                raise FormatError(
                    f"{where}: {name!r} of {item!r:.60} was scored before, in {before}, and neither says by whom; "
                    f"export the scores with their authors (authorUserId): {FIELDS}"
                )
        yield Mark(name, item, str(author) if source == PEOPLE and author else source, *_value(row), _time(row))
    if nameless:
        sentence = f"{counted(len(nameless), 'score')} of people without an author taken as those of one annotator"
        gathered.note("assumed", f"{sentence}, {PEOPLE!r}", len(nameless))


def _value(row: Row) -> tuple[Any, str]:
    """The value of a score, and its place."""
    kind, number, word = str(row.cells.get("datatype")).upper(), row.cells.get("value"), row.cells.get("stringvalue")
    if kind == "BOOLEAN":
        truth = str(number if number is not None else word).strip().lower()
        known = {"1": YES, "1.0": YES, YES: YES, "0": NO, "0.0": NO, NO: NO}
        if truth not in known:
            raise FormatError(f"{row.where}: expected true or false, found {truth[:60]!r}")
        return known[truth], row.where
    if kind in {"CATEGORICAL", "TEXT"}:
        return str(word if word is not None else number), row.where
    if isinstance(number, str):
        try:
            real = float(number)
        except ValueError:
            raise FormatError(f"{row.where}: expected a number in 'value', found {number[:60]!r}") from None
        number = int(real) if real.is_integer() else real
    if not isinstance(number, int | float) or isinstance(number, bool) or number != number:  # noqa: PLR0124 -- not a number
        raise FormatError(f"{row.where}: expected a number in 'value', found {number!r:.60}")
    return number, row.where


def _time(row: Row) -> str | None:
    time = row.cells.get("updatedat") or row.cells.get("timestamp") or row.cells.get("createdat")
    return time if isinstance(time, str) else None
