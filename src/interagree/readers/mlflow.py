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

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, Unpack

from interagree.data.files import parse_json
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Time
from interagree.readers._answers import Sources, add_answers
from interagree.readers._options import Answers
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, opened

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv")
SOURCES = ("HUMAN", "LLM_JUDGE", "CODE")
OTHER = {"AI_JUDGE": "LLM_JUDGE"}  # as earlier versions call it
SILENT = {"", "default", "unknown"}
IDS, TIMES = ("trace_id", "request_id"), ("last_update_time", "last_update_time_ms", "create_time", "create_time_ms")


class Assessment(NamedTuple):
    """An assessment with the trace that it is about, its name, what sort of source it has and who that is."""

    row: Row
    trace: str
    name: str
    source: str
    annotator: str

    @property
    def value(self) -> Any:
        """What was said of the trace."""
        told = (self.row.cells.get(part) for part in ("feedback", "expectation"))
        return next((part.get("value") for part in told if isinstance(part, dict)), self.row.cells.get("value"))

    @property
    def time(self) -> Time:
        """When it was said."""
        times = (self.row.cells.get(name) for name in TIMES)
        return next((t for t in times if isinstance(t, str | int | float) and not isinstance(t, bool)), None)


def recognised(path: Path) -> bool:
    """Whether a file can only hold traces or assessments of MLflow."""
    head, names = json_head(path), columns_of(path)
    if "assessments" in names and not names.isdisjoint(IDS):
        return True
    if any(head.has(*place, "assessments") and head.has(*place, name) for place in ((), ("info",)) for name in IDS):
        return True
    return head.has("assessment_name") and head.has("source", "source_type")


@reader("MLflow", suffixes=SUFFIXES, sniff=recognised, together=True)
def mlflow(
    path: Paths,
    *,
    sources: str | Sequence[str] = SOURCES,
    gold: Literal["drop", "keep"] = "drop",
    **options: Unpack[Answers],
) -> Study:
    """The assessments of traces.

    Args:
        path: A file, a folder of files, or a list of them.
        sources: Which assessments to read: those of people ("HUMAN"), of judges ("LLM_JUDGE"), of programs ("CODE").
        gold: "drop" or "keep" expectations.
    """
    gathered, rows = opened("MLflow", path, SUFFIXES, options["duplicates"], under="traces")
    known = Sources(gathered, SOURCES, sources, "assessment", "LLM_JUDGE and CODE are models and programs")
    given = [(trace, one) for row in rows for trace, one in _of_trace(gathered, row)]
    kept = [made for trace, one in given if (made := _assessment(gathered, one, trace, known, gold)) is not None]
    known.say(made.source for made in kept)
    spans: dict[tuple[str, str, str], set[object]] = {}
    for made in kept:
        spans.setdefault((made.name, made.trace, made.annotator), set()).add(made.row.cells.get("span_id"))
    several = {name for (name, *_), found in spans.items() if len(found) > 1}
    marks = []
    for made in kept:
        span = made.row.cells.get("span_id") if made.name in several else None
        item = f"{made.trace}/{span}" if span else made.trace
        marks.append(Mark(made.name, item, made.annotator, made.value, made.row.where, made.time))
    add_answers(gathered, marks)
    return gathered.study(options["questions"])


def _of_trace(gathered: Gatherer, row: Row) -> Iterator[tuple[str, Row]]:
    """The assessments of a trace, or one that stands alone, with the id of the trace."""
    if "assessment_name" in row.cells:
        yield _id(row), row
        return
    about = row.inside("info") if isinstance(row.cells.get("info"), dict) else row
    listed = about.cells.get("assessments")
    if isinstance(listed, str):  # as a table holds it
        listed = _written(listed, row)
    trace, shown = _id(about._replace(where=row.where)), about.text("request_preview") or row.text("request")
    given = list(Row(row.where, {"assessments": listed}).each("assessments", []))
    if shown and given:
        gathered.show(trace, shown, row.where)
    yield from ((trace, one) for one in given)


def _written(listed: str, row: Row) -> Any:
    """Assessments in a cell, which pandas writes as Python does; the trace beside them is JSON, and has them, too."""
    if not listed:
        return None
    with suppress(ValueError):
        if (content := parse_json(listed)) is not None:
            return content
    with suppress(FormatError):
        trace = row.cells.get("trace")
        trace = trace if isinstance(trace, dict) else row.json("trace", dict)
        if (content := Row("", Row("", trace).maybe("info", dict)).cells.get("assessments")) is not None:
            return content
    raise FormatError(
        f"{row.where}: expected assessments as JSON, found {listed[:60]!r}; save the table as JSON, as in "
        "mlflow.search_traces().to_json('traces.json', orient='records')"
    )


def _id(about: Row) -> str:
    name = next((name for name in IDS if about.cells.get(name)), IDS[0])
    return str(about.field(name, str))


def _assessment(gathered: Gatherer, row: Row, trace: str, known: Sources, gold: str) -> Assessment | None:
    """An assessment; None where it is not read, which is counted."""
    feedback, expected = row.cells.get("feedback"), isinstance(row.cells.get("expectation"), dict)
    if row.cells.get("error") or (isinstance(feedback, dict) and feedback.get("error")):
        gathered.left_out("assessment", "that ended with an error left out")
        return None
    if row.cells.get("valid") is False:
        gathered.left_out("assessment", "that a later one overrides left out")
        return None
    if expected and gathered.drops("expectation", "(known answers)", usual="drop", gold=gold):
        return None
    source = row.inside("source")
    kind = source.text("source_type").upper()
    kind = known.checked(OTHER.get(kind, kind), row.where)
    if known.drops(kind):
        return None
    name = row.field("assessment_name" if row.cells.get("assessment_name") else "name", str)
    who = source.text("source_id")
    made = Assessment(row, trace, name, kind, kind if who.lower() in SILENT else who)
    gathered.left_out("assessment", "without a value left out", made.value is None)
    return None if made.value is None else made
