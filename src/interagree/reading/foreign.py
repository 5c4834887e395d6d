"""Exports of annotation tools that are known by their fields, and what can be done with each.

They hold regions, or leave open whose the annotations are; reading their fields as annotators would give a number that
means nothing, so there is an error that names the tool.  To add one, say by which fields it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from interagree.data.provenance import Step
from interagree.data.types import Json
from interagree.errors import FormatError, Hint, listing
from interagree.reading.levels import is_person
from interagree.reading.records import Record

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


def remarks(data: Json) -> tuple[Step, ...]:
    """What is to be said about an export that is read although it leaves something out."""
    if {"fields", "responses", "suggestions"} <= _first(data).keys():
        sentence = (
            "records of Argilla do not say which responses were drafts or discarded; all of them count. The flat form "
            "(records.to_datasets()) does"
        )
        return (Step("noticed", sentence),)
    return ()


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
