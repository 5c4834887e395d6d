"""Exports of annotation tools that are known by their fields, and what can be done with each.

Some have a row for each annotation under names of their own, and are read by these names.  Others hold regions, or
leave open whose the annotations are; reading their fields as annotators would give a number that means nothing, so
there is an error that names the tool.  To add one, say by which fields it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from interagree.data.columns import coded
from interagree.data.files import Source
from interagree.data.provenance import Step
from interagree.data.types import Json
from interagree.errors import DoubtfulReading, FormatError, Hint, ReadingAdvice, listing
from interagree.reading.cells import Column
from interagree.reading.levels import is_person
from interagree.reading.records import Record
from interagree.reading.tables import Table

AS_SPANS, AS_BOXES = Hint("kind", "spans"), Hint("kind", "boxes")
AS_CAS, AS_DOCCANO, AS_WEBANNO = (Hint("format", name) for name in ("uima_cas", "doccano", "webanno_tsv"))
ARGILLA = Hint("format", "argilla")
SPANS = (
    "put what all annotators marked into one table with the columns item, annotator and value, the spans of a document "
    f"""in one cell as JSON, such as [[0, 2, "ORG"], [11, 17, "MISC"]], and read it with {AS_SPANS}"""
)
BOXES = (
    "put what all annotators drew into one table with the columns item, annotator and value, the boxes of an image in "
    f"one cell as JSON, such as [[10, 20, 60, 90]] (left, top, right, bottom), and read it with {AS_BOXES}"
)


def refuse_foreign(name: str, data: Json) -> None:
    """An error where parsed JSON is the export of a tool that the shape of its records would be misread in."""
    for advice in JSON_TOOLS:
        message = advice(data)
        if message is not None:
            hints = [AS_SPANS, AS_BOXES, AS_CAS, AS_DOCCANO, ARGILLA]
            raise FormatError(f"{name} looks like {message}", hints=hints)
    record = _first(data)
    _refuse_scores(name, list(_first(record["data"]) if isinstance(record.get("data"), list) else record))


def remarks(data: Json) -> tuple[Step, ...]:
    """What is to be said about an export that is read although it leaves something out."""
    if {"fields", "responses", "suggestions"} <= _first(data).keys():
        sentence = (
            "records of Argilla do not say which responses were drafts or discarded; all of them count. The flat form "
            "(records.to_datasets()) does"
        )
        return (Step("noticed", sentence),)
    return ()


def by_tool(source: Source, table: Table, options: Mapping[str, object]) -> tuple[Table, dict[str, object]]:
    """A table with the parts that a tool's names of columns tell; an error where they leave something open.

    Nothing happens where the caller said which column is what.
    """
    options = dict(options)
    if is_stated(options):
        return table, options
    _refuse_webanno(source)
    for tool in TABLE_TOOLS:
        by_tool = tool(source.name, table)
        if by_tool is not None:
            tool_name, parts = by_tool
            columns = ", ".join(f"{part} from {column!r}" for part, column in parts.items())
            step = Step("taken", f"{tool_name}: {columns}")
            return replace(table, steps=(*table.steps, step)), {**options, **parts}
    _refuse_scores(source.name, table.names)
    return table, options


def is_stated(options: Mapping[str, object]) -> bool:
    """Whether the caller said which column is what."""
    parts = any(options.get(part) is not None for part in ("item", "annotator", "value"))
    return parts or options.get("layout") not in (None, "auto")


# -- JSON ---------------------------------------------------------------------------------------------------


def _first(data: Json) -> Record:
    """The first record of a list, or the object itself."""
    first = data[0] if isinstance(data, list) and data else data
    return first if isinstance(first, dict) else {}


def _records(data: Json) -> list[dict[str, Json]]:
    """The first records of a list."""
    return [record for record in data[:50] if isinstance(record, dict)] if isinstance(data, list) else []


def _by_fields(data: Json) -> str | None:
    """Tools that are known by the fields of the file, or of its first record."""
    record = _first(data)
    fields, first = (data.keys() if isinstance(data, dict) else set()), record.keys()
    regions = record.get("annotations")
    if {"images", "annotations"} <= fields and isinstance(regions, list) and all(map(_of_image, regions[:5])):
        nobody = "which holds the regions of images and does not say who drew them"
        return f"a COCO file, {nobody}. To compare annotators, {BOXES}"
    if "categories" in fields and fields <= {"categories", "info"}:
        return "a list of categories beside an export, such as notes.json of Label Studio, and it holds no annotations"
    if {"shapes", "imagePath"} <= fields:
        nobody = "which holds the shapes on one image and does not say who drew them"
        return f"a LabelMe file, {nobody}. To compare annotators, {BOXES}"
    if any(field.startswith("%") for field in fields):
        tool = "a UIMA CAS, as INCEpTION and DKPro write it, which holds one document by one annotator"
        return f"{tool}. Read it together with those of the others, and with {AS_CAS}"
    if "instance_id_to_label_to_value" in first:
        tool = "the state of one annotator in Potato (user_state.json). Potato also writes one table for all annotators"
        return f"{tool} (annotated_instances.tsv or .csv): read that"
    if {"tasks", "solutions", "user_id"} <= first:
        tool = "assignments of Toloka as its programming interface gives them. Download the results as TSV"
        return f"{tool}, whose columns are called INPUT:…, OUTPUT:… and ASSIGNMENT:…, and read those"
    return None


def _of_image(region: Json) -> bool:
    return isinstance(region, dict) and "image_id" in region


def _argilla(data: Json) -> str | None:
    """Drafts and discarded responses, which the flat form of Argilla tells apart and its nested form does not."""
    if not isinstance(data, list):
        return None
    states = {
        state
        for record in data
        if isinstance(record, dict)
        for field, cell in record.items()
        if field.endswith(".responses.status") and isinstance(cell, list)
        for state in cell
        if isinstance(state, str) and state != "submitted"
    }
    if not states:
        return None
    return (
        f"records of Argilla, and some of the responses are {listing(sorted(states))}, not submitted. Read it as such: "
        f"{ARGILLA}"
    )


def _spans_of_one(data: Json) -> str | None:
    """Doccano's and spaCy's records: a text with the spans in it, by nobody in particular."""
    records = _records(data)
    if not records or not any(field in records[0] for field in ("text", "filename")):
        return None
    if any(is_person(field) for record in records for field in record):
        return None
    for field in records[0]:
        lists = [cell for record in records if isinstance(cell := record.get(field), list)]
        marked = list(chain.from_iterable(lists))
        if marked and (all(map(_is_span, marked)) or all(map(_is_region, marked))):
            break
    else:
        return None
    return (
        f"an export of doccano or spaCy: {field!r} holds regions of a text or an image, and nothing says who marked "
        f"them. If each annotator has a file called after them, read these files with {AS_DOCCANO}; else {SPANS}"
    )


def _tags_of_one(data: Json) -> str | None:
    """Tokens beside their tags, as datasets for tagging have them."""
    records = _records(data)
    fields = list(records[0]) if records else []
    tokens = next((field for field in fields if field in ("tokens", "words", "tokenized_text")), None)
    if tokens is None or any(is_person(field) for record in records for field in record):
        return None
    for field in fields:
        pairs = [(record.get(tokens), record.get(field)) for record in records]
        if field != tokens and all(isinstance(a, list) and isinstance(b, list) and len(a) == len(b) for a, b in pairs):
            return (
                f"a tagged text: {field!r} holds a tag for each of the {tokens!r}, and nothing says who gave it. Write "
                f"CoNLL files, one folder for each annotator, or {SPANS}"
            )
    return None


def _is_span(node: Json) -> bool:
    if not isinstance(node, list) or len(node) != 3:
        return False
    start, end, label = node
    return type(start) is int and type(end) is int and type(label) is str and start <= end


REGIONS = (
    {"start_offset", "end_offset", "label"},
    {"start", "end", "label"},
    {"x", "y", "width", "height", "label"},
    {"points", "label"},
)


def _is_region(node: Json) -> bool:
    return isinstance(node, dict) and any(fields <= node.keys() for fields in REGIONS)


JSON_TOOLS: tuple[Callable[[Json], str | None], ...] = (_by_fields, _argilla, _spans_of_one, _tags_of_one)


# -- tables -------------------------------------------------------------------------------------------------

ByTool: TypeAlias = tuple[str, Mapping[str, Hashable]]  # what the tool is called, and the parts of its columns


def _doubtful(source: str, message: str, **columns: str) -> DoubtfulReading:
    """The error for a table that a tool's names of columns leave open, with the call that reads it."""
    reading = ReadingAdvice("One row for each annotation", options=columns, of_reader=("question",))
    return DoubtfulReading(message, [reading], source=source)


def _mturk(name: str, table: Table) -> ByTool | None:
    """Results of a batch of Mechanical Turk."""
    if not {"HITId", "AssignmentId", "WorkerId"} <= set(table.names):
        return None
    answers = [str(column) for column in table.names if str(column).startswith("Answer.")]
    rejected = _entries(table, "AssignmentStatus") & {"Rejected"}
    if len(answers) == 1 and not rejected:
        return "results of Mechanical Turk", {"item": "HITId", "annotator": "WorkerId", "value": answers[0]}
    if not answers:
        raise FormatError(
            f"{name} looks like results of Mechanical Turk, and there is no column Answer.…; nobody has answered yet"
        )
    why = (
        "some assignments were rejected: leave their rows out, or read all of them"
        if rejected
        else f"there are {len(answers)} answers, {listing(answers, most=4)}: say which are questions"
    )
    message = f"{name} looks like results of Mechanical Turk, and {why}. It may be"
    raise _doubtful(name, message, item="HITId", annotator="WorkerId", value=answers[0])


def _appen(name: str, table: Table) -> ByTool | None:
    """The full report of Appen, formerly CrowdFlower and Figure Eight."""
    if not {"_unit_id", "_worker_id"} <= set(table.names):
        return None
    unit = coded(table.fetch(["_unit_id"])["_unit_id"]).codes.tolist()
    free = [column for column in table.names if not str(column).startswith("_")]
    cells = table.fetch(free)
    answers = [column for column in free if _varies(unit, cells[column])]
    marked = [flag for flag in ("_golden", "_tainted") if {"true", "TRUE", True} & _entries(table, flag)]
    tool = "the full report of Appen"
    if marked:
        tool += f", with the rows that {listing(marked)} marks"
    if len(answers) == 1:
        return tool, {"item": "_unit_id", "annotator": "_worker_id", "value": answers[0]}
    differing = f"{listing(answers, most=6)} differ" if answers else "no column differs"
    message = f"{name} looks like {tool}, and {differing} between the workers of a unit. It may be"
    value = str((answers or free or ["value"])[0])
    raise _doubtful(name, message, item="_unit_id", annotator="_worker_id", value=value)


def _toloka_table(name: str, table: Table) -> ByTool | None:
    """Results of Toloka as TSV."""
    names = [str(column) for column in table.names]
    if "ASSIGNMENT:worker_id" not in names:
        return None
    inputs, outputs = ([name for name in names if name.startswith(start)] for start in ("INPUT:", "OUTPUT:"))
    golden = [name for name in names if name.startswith("GOLDEN:") and _entries(table, name) - {"", None}]
    states = _entries(table, "ASSIGNMENT:status") - {"APPROVED", "SUBMITTED", "", None}
    parts = {"item": (inputs or names)[0], "annotator": "ASSIGNMENT:worker_id", "value": (outputs or names)[0]}
    if len(inputs) == len(outputs) == 1 and not golden and not states:
        return "results of Toloka", parts
    why = []
    if len(inputs) != 1 or len(outputs) != 1:
        why.append(f"say which of {listing([*inputs, *outputs], most=6)} are the item and the value")
    if golden:
        why.append(f"rows with {listing(golden)} are tasks with a known answer: leave them out first")
    if states:
        why.append(f"some assignments are {listing(sorted(map(str, states)))}: leave them out first")
    raise _doubtful(name, f"{name} looks like results of Toloka; {'; '.join(why)}. Then it may be", **parts)


def _refuse_scores(name: str, names: Sequence[Hashable]) -> None:
    """An error that says how to read the scores of Langfuse, by the names that this export gives them."""
    called = {str(column).replace("_", "").lower(): str(column) for column in names}
    if not {"traceid", "name", "value", "datatype", "source"} <= called.keys():
        return
    author = called.get("authoruserid", called["source"])
    raise _doubtful(
        name,
        f"{name} looks like scores of Langfuse. Scores by people have the source ANNOTATION and a user in {author!r}; "
        "keep these rows. Scores that are words are in the column of strings, not in the value. Then it may be",
        item=called["traceid"],
        annotator=author,
        value=called["value"],
        question=called["name"],
    )


def _refuse_webanno(source: Source) -> None:
    """WebAnno's lines of settings look like a title above a table, so they are looked for in the file itself."""
    with source.open() as stream:
        start = stream.read(200)
    if start.startswith(b"#FORMAT=WebAnno") or b"de.tudarmstadt.ukp" in start:
        raise FormatError(
            f"{source.name} looks like a WebAnno TSV file, which holds one document by one annotator. Read it together "
            f"with those of the others, and with {AS_WEBANNO}",
            hints=[AS_WEBANNO],
        )


TABLE_TOOLS: tuple[Callable[[str, Table], ByTool | None], ...] = (_mturk, _appen, _toloka_table)


def _entries(table: Table, column: str) -> set[Hashable]:
    return set(coded(table.fetch([column])[column]).names) if column in table.names else set()


def _varies(unit: Sequence[int], column: Column) -> bool:
    """Whether a column differs between rows of one unit; what is asked is the same for all, what is answered is not."""
    answers: dict[int, int] = {}
    return any(
        answers.setdefault(number, code) != code
        for number, code in zip(unit, coded(column).codes.tolist(), strict=True)
    )
