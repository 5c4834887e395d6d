"""Exports of annotation tools that are known by their fields, and what can be done with each.

Some have a row for each annotation under names of their own, and are read by these names.  Others hold regions, or
leave open whose the annotations are; reading their fields as annotators would give a number that means nothing, so
there is an error that names the tool.  One entry for each tool: to add one, write a function and put it on the list
below it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from interagree.data.columns import coded
from interagree.data.files import Source
from interagree.data.provenance import Step
from interagree.errors import FormatError, listing
from interagree.reading.levels import is_person
from interagree.reading.tables import Table

SPANS = (
    "put what all annotators marked into one table with the columns item, annotator and value, the spans of a document "
    """in one cell as JSON, such as [[0, 2, "ORG"], [11, 17, "MISC"]], and read it with kind='spans'"""
)
BOXES = (
    "put what all annotators drew into one table with the columns item, annotator and value, the boxes of an image in "
    "one cell as JSON, such as [[10, 20, 60, 90]] (left, top, right, bottom), and read it with kind='boxes'"
)


def refuse_foreign(name: str, data: Any) -> None:
    """An error where parsed JSON is the export of a tool that the shape of its records would be misread in."""
    for advice in JSON_TOOLS:
        message = advice(data)
        if message is not None:
            raise FormatError(f"{name} looks like {message}")
    record = _first(data)
    scores = _scores(name, list(_first(record["data"]) if isinstance(record.get("data"), list) else record))
    if scores is not None:
        raise FormatError(scores)


def remarks(data: Any) -> tuple[Step, ...]:
    """What is to be said about an export that is read although it leaves something out."""
    if {"fields", "responses", "suggestions"} <= _first(data).keys():
        return (
            Step(
                "noticed",
                "records of Argilla do not say which responses were drafts or discarded; all of them count. The flat "
                "form (records.to_datasets()) does",
            ),
        )
    return ()


def by_tool(source: Source, table: Table, options: Mapping[str, Any]) -> tuple[Table, dict[str, Any]]:
    """A table with the parts that a tool's names of columns tell; an error where they leave something open.

    Nothing happens where the caller said which column is what.
    """
    options = dict(options)
    if is_stated(options):
        return table, options
    _refuse_webanno(source)
    for tool in TABLE_TOOLS:
        found = tool(source.name, table)
        if found is not None:
            tool_name, parts = found
            told = ", ".join(f"{part} from {column!r}" for part, column in parts.items())
            step = Step("taken", f"{tool_name}: {told}")
            return replace(table, steps=(*table.steps, step)), {**options, **parts}
    return table, options


def is_stated(options: Mapping[str, Any]) -> bool:
    """Whether the caller said which column is what."""
    parts = any(options.get(part) is not None for part in ("item", "annotator", "value"))
    return parts or options.get("layout") not in (None, "auto")


# -- JSON ---------------------------------------------------------------------------------------------------


def _first(data: Any) -> Mapping[str, Any]:
    """The first record of a list, or the object itself."""
    one = data[0] if isinstance(data, list) and data else data
    return one if isinstance(one, dict) else {}


def _coco(data: Any) -> str | None:
    if not isinstance(data, dict) or not {"images", "annotations"} <= data.keys():
        return None
    held = data["annotations"]
    if not isinstance(held, list) or any(
        not isinstance(one, dict) or "image_id" not in one for one in held[:5]
    ):
        return None
    return (
        "a COCO file, which holds the regions of images and does not say who drew them. To compare annotators, "
        f"{BOXES}"
    )


def _categories(data: Any) -> str | None:
    if isinstance(data, dict) and set(data) <= {"categories", "info"} and "categories" in data:
        return "a list of categories beside an export, such as notes.json of Label Studio, and it holds no annotations"
    return None


def _labelme(data: Any) -> str | None:
    if not isinstance(data, dict) or not {"shapes", "imagePath"} <= data.keys():
        return None
    return (
        "a LabelMe file, which holds the shapes on one image and does not say who drew them. To compare annotators, "
        f"{BOXES}"
    )


def _uima(data: Any) -> str | None:
    if not isinstance(data, dict) or not any(str(key).startswith("%") for key in data):
        return None
    return (
        "a UIMA CAS, as INCEpTION and DKPro write it, which holds one document by one annotator. Export the documents "
        f"as CoNLL files, one folder for each annotator, or {SPANS}"
    )


def _potato(data: Any) -> str | None:
    if "instance_id_to_label_to_value" not in _first(data):
        return None
    return (
        "the state of one annotator in Potato (user_state.json). Potato also writes one table for all annotators "
        "(annotated_instances.tsv or .csv): read that"
    )


def _toloka(data: Any) -> str | None:
    if not {"tasks", "solutions", "user_id"} <= _first(data).keys():
        return None
    return (
        "assignments of Toloka as its programming interface gives them. Download the results as TSV, whose columns are "
        "called INPUT:…, OUTPUT:… and ASSIGNMENT:…, and read those"
    )


def _argilla(data: Any) -> str | None:
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
    } - {"submitted", None}
    if not states:
        return None
    only = 'rg.Query(filter=rg.Filter(("response.status", "==", "submitted")))'
    return (
        f"records of Argilla, and some of the responses are {listing(sorted(states))}, not submitted. Export the "
        f"submitted ones alone: dataset.records(query={only})"
    )


def _spans_of_one(data: Any) -> str | None:
    """Doccano's and spaCy's records: a text with the spans in it, by nobody in particular."""
    records = [one for one in data[:50] if isinstance(one, dict)] if isinstance(data, list) else []
    if not records or not any(field in records[0] for field in ("text", "filename")):
        return None
    if any(is_person(field) for record in records for field in record):
        return None
    for field in records[0]:
        held = list(
            chain.from_iterable(record[field] for record in records if isinstance(record.get(field), list))
        )
        if held and (all(map(_is_span, held)) or all(map(_is_region, held))):
            break
    else:
        return None
    return (
        f"an export of doccano or spaCy: {field!r} holds regions of a text or an image, and nothing says who marked "
        f"them. To compare annotators, {SPANS}"
    )


def _tags_of_one(data: Any) -> str | None:
    """Tokens beside their tags, as datasets for tagging have them."""
    records = [one for one in data[:50] if isinstance(one, dict)] if isinstance(data, list) else []
    fields = list(records[0]) if records else []
    tokens = next((field for field in fields if field in ("tokens", "words", "tokenized_text")), None)
    if tokens is None or any(is_person(field) for record in records for field in record):
        return None
    for field in fields:
        pairs = [(record.get(tokens), record.get(field)) for record in records]
        if field != tokens and all(
            isinstance(a, list) and isinstance(b, list) and len(a) == len(b) for a, b in pairs
        ):
            return (
                f"a tagged text: {field!r} holds a tag for each of the {tokens!r}, and nothing says who gave it. Write "
                f"CoNLL files, one folder for each annotator, or {SPANS}"
            )
    return None


def _is_span(one: Any) -> bool:
    return (
        isinstance(one, list)
        and len(one) == 3
        and [type(cell) for cell in one] == [int, int, str]
        and one[0] <= one[1]
    )


def _is_region(one: Any) -> bool:
    return isinstance(one, dict) and (
        {"start_offset", "end_offset", "label"} <= one.keys()
        or {"start", "end", "label"} <= one.keys()
        or {"x", "y", "width", "height", "label"} <= one.keys()
        or {"points", "label"} <= one.keys()
    )


JSON_TOOLS: tuple[Callable[[Any], str | None], ...] = (
    _coco,
    _categories,
    _labelme,
    _uima,
    _potato,
    _toloka,
    _argilla,
    _spans_of_one,
    _tags_of_one,
)


# -- tables -------------------------------------------------------------------------------------------------

Found = tuple[str, dict[str, Any]]


def _call(name: str, **parts: str) -> str:
    """The call that reads a table by these columns, in Python and on the command line."""
    python = ", ".join(f"{part}={column!r}" for part, column in parts.items())
    flags = " ".join(
        f"-O {shlex.quote(f'question={column}')}" if part == "question" else f"--{part} {shlex.quote(column)}"
        for part, column in parts.items()
    )
    command = f"interagree measure {shlex.quote(name)} {flags}"
    return f"interagree.read({name!r}, {python}), or on the command line: {command}"


def _mturk(name: str, table: Table) -> Found | None:
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
    call = _call(name, item="HITId", annotator="WorkerId", value=answers[0])
    raise FormatError(f"{name} looks like results of Mechanical Turk, and {why}, as in {call}")


def _appen(name: str, table: Table) -> Found | None:
    """The full report of Appen, formerly CrowdFlower and Figure Eight."""
    if not {"_unit_id", "_worker_id"} <= set(table.names):
        return None
    unit = coded(table.fetch(["_unit_id"])["_unit_id"]).codes.tolist()
    free = [column for column in table.names if not str(column).startswith("_")]
    cells = table.fetch(free)
    answers = [column for column in free if _varies(unit, cells[column])]
    marked = [one for one in ("_golden", "_tainted") if {"true", "TRUE", True} & _entries(table, one)]
    tool = "the full report of Appen"
    if marked:
        tool += f", with the rows that {listing(marked)} marks"
    if len(answers) == 1:
        return tool, {"item": "_unit_id", "annotator": "_worker_id", "value": answers[0]}
    call = _call(name, item="_unit_id", annotator="_worker_id", value=str((answers or free or ["value"])[0]))
    told = f"{listing(answers, most=6)} differ" if answers else "no column differs"
    raise FormatError(
        f"{name} looks like {tool}, and {told} between the workers of a unit; say which is the value, as in {call}"
    )


def _toloka_table(name: str, table: Table) -> Found | None:
    """Results of Toloka as TSV."""
    names = [str(column) for column in table.names]
    if "ASSIGNMENT:worker_id" not in names:
        return None
    inputs, outputs = ([one for one in names if one.startswith(start)] for start in ("INPUT:", "OUTPUT:"))
    golden = [one for one in names if one.startswith("GOLDEN:") and _entries(table, one) - {"", None}]
    states = _entries(table, "ASSIGNMENT:status") - {"APPROVED", "SUBMITTED", "", None}
    parts = {
        "item": (inputs or names)[0],
        "annotator": "ASSIGNMENT:worker_id",
        "value": (outputs or names)[0],
    }
    if len(inputs) == len(outputs) == 1 and not golden and not states:
        return "results of Toloka", parts
    why = []
    if len(inputs) != 1 or len(outputs) != 1:
        why.append(f"say which of {listing([*inputs, *outputs], most=6)} are the item and the value")
    if golden:
        why.append(f"rows with {listing(golden)} are tasks with a known answer: leave them out first")
    if states:
        why.append(f"some assignments are {listing(sorted(states))}: leave them out first")
    raise FormatError(f"{name} looks like results of Toloka; {'; '.join(why)}. Then: {_call(name, **parts)}")


def _langfuse_table(name: str, table: Table) -> Found | None:
    scores = _scores(name, table.names)
    if scores is not None:
        raise FormatError(scores)
    return None


def _scores(name: str, names: Sequence[Hashable]) -> str | None:
    """How to read the scores of Langfuse, by the names that this export gives them."""
    called = {str(one).replace("_", "").lower(): str(one) for one in names}
    if not {"traceid", "name", "value", "datatype", "source"} <= called.keys():
        return None
    author = called.get("authoruserid", called["source"])
    call = _call(
        name, item=called["traceid"], annotator=author, value=called["value"], question=called["name"]
    )
    return (
        f"{name} looks like scores of Langfuse. Those by people have the source ANNOTATION and a user in {author!r}; "
        f"keep these rows, and read them by {call}. Scores that are words stand in the column of strings, not in the "
        "value"
    )


def _refuse_webanno(source: Source) -> None:
    """WebAnno's lines of settings look like a title above a table, so they are looked for in the file itself."""
    with source.open() as stream:
        start = stream.read(200)
    if start.startswith(b"#FORMAT=WebAnno") or b"de.tudarmstadt.ukp" in start:
        raise FormatError(
            f"{source.name} looks like a WebAnno TSV file, which holds one document by one annotator. Export CoNLL "
            f"files, one folder for each annotator, or {SPANS}"
        )


TABLE_TOOLS: tuple[Callable[[str, Table], Found | None], ...] = (
    _mturk,
    _appen,
    _toloka_table,
    _langfuse_table,
)


def _entries(table: Table, column: str) -> set[Any]:
    return set(coded(table.fetch([column])[column]).names) if column in table.names else set()


def _varies(unit: Sequence[int], column: Any) -> bool:
    """Whether a column differs between rows of one unit; what is asked is the same for all, what is answered is not."""
    answers: dict[int, int] = {}
    return any(
        answers.setdefault(one, code) != code
        for one, code in zip(unit, coded(column).codes.tolist(), strict=True)
    )
