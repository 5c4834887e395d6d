"""MLflow: traces with their assessments, as JSON (``Trace.to_dict``), or the table of ``search_traces`` as JSON or CSV.

Every name of an assessment is a question.  Truth values and words are labels, numbers numbers, lists sets of labels,
long words texts.

**Items** are traces; where one source assessed several spans of a trace under one name, spans are the items.

**Annotators** are sources: people (HUMAN), judges (LLM_JUDGE) and programs (CODE), by their ids, or by these words
where the id says nothing.  All are read, and how many there are of each is said; ``sources="HUMAN"`` takes people
alone.

**Left out**, and counted: assessments that ended with an error, those that were overridden by later ones, and
expectations, which are known answers (``gold="keep"`` takes them as answers of whoever gave them).  Of several
assessments of one source the newest counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source, parse_json
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Time
from interagree.gather.units import check_options, check_word
from interagree.readers._judges import add_judgements
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, records_of, rows_of_columns

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv")
PEOPLE, SOURCES = "HUMAN", ("HUMAN", "LLM_JUDGE", "CODE")
OTHER = {"AI_JUDGE": "LLM_JUDGE"}  # as earlier versions call it
SILENT = {"", "default", "unknown"}
KEPT = Advice.of("(known answers) left out (", ReaderHint("gold", "keep"), " keeps them)")


class Assessment(NamedTuple):
    """An assessment with the trace that it is about."""

    where: str
    trace: str
    raw: Mapping[str, Any]


def recognised(path: Path) -> bool:
    """Whether a file can only hold traces or assessments of MLflow."""
    if not path.is_dir() and Source.of(path).suffix == ".csv":
        names = columns_of(path)
        return "assessments" in names and bool(names & {"trace_id", "request_id"})
    head = None if path.is_dir() else json_head(path)
    if head is None:
        return False
    if head.has("info", "assessments") and (head.has("info", "trace_id") or head.has("info", "request_id")):
        return True
    if head.has("assessments") and (head.has("trace_id") or head.has("request_id")):
        return True
    return head.has("assessment_name") and head.has("source", "source_type")


@reader("MLflow", suffixes=SUFFIXES, sniff=recognised, together=True)
def mlflow(
    path: Paths,
    *,
    sources: str | Sequence[str] = SOURCES,
    gold: str = "drop",
    duplicates: str = "last",
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The assessments of traces.

    Args:
        path: A file, a folder of files, or a list of them.
        sources: Which assessments to read: those of people ("HUMAN"), of judges ("LLM_JUDGE"), of programs ("CODE").
        gold: "drop" or "keep" expectations.
        duplicates: Of several assessments of one source take the "last" one by time, the "first", or stop with an
            "error".
        questions: The names of assessments to read.
        options: None further.
    """
    check_options("MLflow", options, ("sources", "gold", "questions"), of_units=False)
    check_word("gold", gold, ("drop", "keep"))
    wanted = (sources,) if isinstance(sources, str) else tuple(sources)
    for word in wanted:
        check_word("sources", word, SOURCES)
    files = list(files_in(path, SUFFIXES))
    gathered = Gatherer("MLflow", files, duplicates=duplicates)
    gathered.steps += unread_files(path, files, deep=False)
    rows = [row for file in files for row in _by_row(records_of(file, gathered.steps))]
    every = [assessment for row in rows for assessment in _assessments(gathered, row)]
    kept = [one for one in every if _counts(gathered, one, wanted, gold=gold == "keep")]
    _say(gathered, kept)
    several = _with_spans(kept)
    add_judgements(gathered, [_judgement(one, several) for one in kept])
    return gathered.study(questions)


# -- traces ---------------------------------------------------------------------------------------------------


def _by_row(rows: Sequence[Row]) -> Iterator[Row]:
    """Traces one by one, also from a table that was saved by columns, and from answers of the interface."""
    for row in rows:
        inner = row.cells.get("traces")
        if {"trace_id", "request_id"} & {name for name, cell in row.cells.items() if isinstance(cell, dict)}:
            yield from rows_of_columns(row, "assessments")
        elif isinstance(inner, list):
            for at, trace in enumerate(inner):
                if not isinstance(trace, dict):
                    raise FormatError(f"{row.where}traces/{at}: expected a trace, found {trace!r:.60}")
                yield Row(f"{row.where}traces/{at}", trace)
        else:
            yield row


def _assessments(gathered: Gatherer, row: Row) -> Iterator[Assessment]:
    cells, where = row.cells, row.where
    if "assessment_name" in cells:
        yield Assessment(where, _trace(cells, where), cells)
        return
    info = cells.get("info")
    about: Mapping[str, Any] = info if isinstance(info, dict) else cells
    listed = about.get("assessments")
    if isinstance(listed, str):  # as a table holds it
        listed = _written(listed, cells, where)
    if listed is None:
        listed = []
    if not isinstance(listed, list):
        raise FormatError(f"{where}: expected a list of assessments, found {listed!r:.60}")
    trace = _trace(about, where)
    shown = about.get("request_preview") or cells.get("request")
    if isinstance(shown, str) and listed:
        gathered.show(trace, shown, where)
    for at, one in enumerate(listed):
        place = f"{where}/assessments/{at}"
        if not isinstance(one, dict):
            raise FormatError(f"{place}: expected an assessment, found {one!r:.60}")
        yield Assessment(place, trace, one)


def _written(listed: str, cells: Mapping[str, Any], where: str) -> Any:
    """Assessments in a cell, which pandas writes as Python does; the trace beside them is JSON, and has them, too."""
    for cell, keys in ((listed or "null", ()), (cells.get("trace"), ("info", "assessments"))):
        try:
            content = parse_json(cell) if isinstance(cell, str) else cell
        except ValueError:
            continue
        for key in keys:
            content = content.get(key) if isinstance(content, dict) else None
        if content is not None or not listed:
            return content
    raise FormatError(
        f"{where}: expected assessments as JSON, found {listed[:60]!r}; save the table as JSON, as in "
        "mlflow.search_traces().to_json('traces.json', orient='records')"
    )


def _trace(about: Mapping[str, Any], where: str) -> str:
    trace = about.get("trace_id") or about.get("request_id")
    if not isinstance(trace, str):
        raise FormatError(f"{where}: expected the id of a trace in 'trace_id', found {trace!r:.60}")
    return trace


# -- assessments ----------------------------------------------------------------------------------------------


def _source(one: Assessment) -> tuple[str, str]:
    """What sort of source an assessment has, and what it is called."""
    source = one.raw.get("source")
    kind = str(source.get("source_type") or "").upper() if isinstance(source, dict) else ""
    kind = OTHER.get(kind, kind)
    if not isinstance(source, dict) or kind not in SOURCES:
        raise FormatError(f"{one.where}: expected a source that is {listing(SOURCES)}, found {source!r:.60}")
    called = str(source.get("source_id") or "")
    return kind, kind if called.lower() in SILENT else called


def _name(one: Assessment) -> str:
    name = one.raw.get("assessment_name") or one.raw.get("name")
    if not isinstance(name, str):
        raise FormatError(f"{one.where}: expected the name of an assessment, found {name!r:.60}")
    return name


def _value(one: Assessment) -> Any:
    for part in ("feedback", "expectation"):
        inner = one.raw.get(part)
        if isinstance(inner, dict):
            return inner.get("value")
    return one.raw.get("value")


def _counts(gathered: Gatherer, one: Assessment, wanted: Sequence[str], *, gold: bool) -> bool:
    """Whether an assessment is read."""
    feedback = one.raw.get("feedback")
    if one.raw.get("error") or (isinstance(feedback, dict) and feedback.get("error")):
        gathered.left_out("assessment", "that ended with an error left out")
    elif one.raw.get("valid") is False:
        gathered.left_out("assessment", "that a later one overrides left out")
    elif not gold and isinstance(one.raw.get("expectation"), dict):
        gathered.left_out("expectation", KEPT)
    elif _source(one)[0] not in wanted:
        gathered.left_out("assessment", f"of the source {_source(one)[0]} left out")
    elif _value(one) is None:
        gathered.left_out("assessment", "without a value left out")
    else:
        return True
    return False


def _say(gathered: Gatherer, kept: Sequence[Assessment]) -> None:
    often = Counter(_source(one)[0] for one in kept)
    if len(often) > 1:
        each = listing((f"{times:,} of {kind}" for kind, times in often.items()), quote=False)
        people = ReaderHint("sources", PEOPLE)
        sentence = f"{counted(len(kept), 'assessment')}: {each}; LLM_JUDGE and CODE are models and programs ("
        gathered.note("noticed", Advice.of(sentence, people, " takes people alone)"), len(kept))


def _with_spans(kept: Sequence[Assessment]) -> set[str]:
    """The questions that one source answered for several spans of a trace."""
    spans: dict[tuple[str, str, str], set[object]] = {}
    for one in kept:
        spans.setdefault((_name(one), one.trace, _source(one)[1]), set()).add(one.raw.get("span_id"))
    return {name for (name, _, _), found in spans.items() if len(found) > 1}


def _judgement(one: Assessment, several: set[str]) -> Mark:
    name, span = _name(one), one.raw.get("span_id")
    item = f"{one.trace}/{span}" if name in several and span else one.trace
    return Mark(name, item, _source(one)[1], _value(one), one.where, _time(one.raw))


def _time(raw: Mapping[str, Any]) -> Time:
    for name in ("last_update_time", "last_update_time_ms", "create_time", "create_time_ms"):
        if isinstance(time := raw.get(name), str | int | float) and not isinstance(time, bool):
            return time
    return None
