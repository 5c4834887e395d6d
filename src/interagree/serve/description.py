"""The addresses as OpenAPI describes them: what each takes, and what it answers."""

from __future__ import annotations

from typing import Any, NamedTuple

from interagree import __version__
from interagree.data.types import Json
from interagree.plugins import WRITERS
from interagree.serve.export import TABLES
from interagree.serve.files import FILES, FORMS
from interagree.serve.project import KINDS, Event
from interagree.serve.views import STATUSES

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "string", "enum": ["0", "1"]}
STATE = ("state", "error", "name", "project", "id", "version", "reasons", "questions", "last", "live", "person")
ABOUT = (
    "What the page of interagree serve asks for and sends. Whoever was let in sends the cookie and the secret, as the "
    "header X-Interagree; what writes comes as JSON from the server's own origin. Every error is JSON with one "
    "sentence."
)


class Query(NamedTuple):
    """Something that an address is asked with."""

    name: str
    schema: Schema
    says: str
    needed: bool = False


class Operation(NamedTuple):
    """What an address does."""

    says: str
    query: tuple[Query, ...] = ()
    keys: tuple[str, ...] = ()  # of what is answered as JSON
    body: Schema | None = None
    media: str = "application/json"
    status: str = "200"


QUESTION = Query("question", TEXT, "The name of a question.", needed=True)
ITEM = Query("item", TEXT, "An item as the log names it: its name as JSON.")
BLIND = Query("blind", FLAG, "1 where names are hidden and nothing is suggested.")
AUDIT = Query("audit", FLAG, "1 for the sample of items on which all agree.")
ANNOTATOR = Query("annotator", TEXT, "The name of an annotator.")
EVENT: Schema = {
    "type": "object",
    "required": ["op", "question", "item", "base", "kind", "fingerprint"],
    "additionalProperties": False,
    "properties": {
        "op": {"type": "string", "minLength": 8, "maxLength": 80, "description": "A name that no other event has."},
        "question": TEXT,
        "item": TEXT,
        "base": {**NUMBER, "description": "The last event that was seen; where the item has a later one, it is 409."},
        "kind": {"type": "string", "enum": [*KINDS]},
        "fingerprint": {"type": "string", "description": "Of the answers that were shown."},
        "stored": {"type": "string", "description": "The answer of an annotator, as its item says it is stored."},
        "value": {"description": "An edited answer, as its editor sends it; or a rule, reasons, the size of a sample."},
        "who": TEXT,
        "reason": TEXT,
        "comment": TEXT,
        "blind": {"type": "boolean"},
        "seconds": {"type": "number"},
        "project": {"type": "string", "description": "The id of the project that was decided on."},
    },
}
READING: Schema = {
    "type": "object",
    "properties": {
        "choice": {**NUMBER, "description": "The number of a reading that was offered."},
        "parts": {"type": "object", "description": "The part of each column, by its number."},
    },
}
PERSON: Schema = {"type": "object", "required": ["name", "password"], "properties": {"name": TEXT, "password": TEXT}}
NOTHING: Schema = {"type": "object"}

VIEWS = {
    "/": ("/overview.json", "Overview"),
    "/decide": ("/decide.json", "Decide"),
    "/annotators": ("/annotators.json", "Annotators"),
    "/after": ("/after.json", "After deciding"),
    "/decisions": ("/decisions.json", "Decisions"),
    "/reading": ("/reading.json", "Reading"),
    "/export": ("/export.json", "Export"),
    "/live": ("/live.json", "A source that is watched"),
}
GIVEN: dict[str, Operation] = {
    "/state.json": Operation("Where reading stands.", keys=STATE),
    "/overview.json": Operation("How each question stands, and how much of it is decided.", keys=STATE),
    "/queue.json": Operation(
        "Items with disagreement, those to look at first in front.",
        (
            QUESTION,
            Query("show", {"type": "string", "enum": ["all", "waiting", "settled", *STATUSES]}, "Which items."),
            Query("offset", NUMBER, "How many come before the first that is given."),
            Query("limit", NUMBER, "How many are given at most."),
            BLIND,
            AUDIT,
        ),
        ("question", "base", "total", "offset", "counts", "rows", "rules"),
    ),
    "/decide.json": Operation(
        "An item with all answers and what was decided; of none named, the next that waits.",
        (QUESTION, ITEM, Query("after", TEXT, "The item behind which the next is looked for."), BLIND, AUDIT),
        ("question", "item", "audit", "counts"),
    ),
    "/rule.json": Operation(
        "What a rule would settle, before it is one.",
        (QUESTION, Query("rule", TEXT, 'As JSON: {"agree": N} or {"annotator": NAME}.', needed=True)),
        ("question", "settles", "first"),
    ),
    "/annotators.json": Operation("Who is reliable.", keys=(*STATE, "people")),
    "/after.json": Operation(
        "What annotators gave otherwise than the gold, reasons and audits; or the answers of one annotator.",
        (Query("question", TEXT, "The name of a question, beside an annotator."), ANNOTATOR),
        (*STATE, "note"),
    ),
    "/decisions.json": Operation("The last decisions, the newest first.", keys=(*STATE, "decisions")),
    "/reading.json": Operation("How files were read, or in which ways they can be.", keys=(*STATE, "policy", "doubt")),
    "/columns.json": Operation(
        "The columns of the file with their parts; or the first annotations where they have others.",
        (Query("parts", TEXT, "As JSON: the part of each column, by its number."),),
    ),
    "/export.json": Operation("What can be taken home, and where answers come from.", keys=(*STATE, "exports")),
    "/live.json": Operation("Where a source that is watched stands.", keys=(*STATE, "source", "standing")),
    "/openapi.json": Operation("This description.", keys=("openapi", "info", "paths")),
    "/gold": Operation(
        "The gold of a question, as a table with where each answer comes from or for a tool; without a question, that "
        "of all that go back to Label Studio.",
        (
            QUESTION._replace(needed=False),
            Query("to", {"type": "string", "enum": [*TABLES, *WRITERS]}, "A table or a tool.", needed=True),
        ),
        media="application/octet-stream",
    ),
    "/file": Operation(
        "A file beside the gold.",
        (
            Query("what", {"type": "string", "enum": [*FILES]}, "What is in it.", needed=True),
            Query("form", {"type": "string", "enum": [*FORMS]}, "As what."),
            Query("question", TEXT, "The name of a question."),
            ANNOTATOR,
        ),
        media="application/octet-stream",
    ),
    "/log.jsonl": Operation("Every event, as JSON lines.", media="application/octet-stream"),
    "/image": Operation("The image of an item.", (QUESTION, ITEM._replace(needed=True)), media="image/*"),
    "/events": Operation(
        "What is new, as server-sent events; Last-Event-ID says what was heard before.",
        (Query("question", TEXT, "At which question one looks."), ITEM),
        media="text/event-stream",
    ),
}
TAKEN: dict[str, Operation] = {
    "/decide.json": Operation(
        f"An event of the log: {', '.join(Event._fields[:5])}, ….", keys=("event",), body=EVENT, status="201"
    ),
    "/reading.json": Operation("Choose how the file is read.", keys=STATE, body=READING, status="202"),
    "/sample.json": Operation("Open sixty product reviews.", keys=STATE, body=NOTHING, status="202"),
    "/upload.json": Operation(
        "Open a file that is sent as it is.", (Query("name", TEXT, "Its name.", needed=True),), STATE, status="202"
    ),
    "/enter.json": Operation("Sign in, where a team works on the project.", keys=("key",), body=PERSON),
    "/leave.json": Operation("Sign out.", body=NOTHING),
}


def description() -> dict[str, Json]:
    """The description, as OpenAPI 3.1."""
    paths: dict[str, Any] = {path: {"get": _view(says)} for path, (_, says) in VIEWS.items()}
    for path, operation in GIVEN.items():
        paths.setdefault(path, {})["get"] = _described(operation)
    for path, operation in TAKEN.items():
        paths.setdefault(path, {})["post"] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "interagree serve", "version": __version__, "description": ABOUT},
        "security": [{"cookie": [], "secret": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "interagree"},
                "secret": {"type": "apiKey", "in": "header", "name": "X-Interagree"},
            },
            "schemas": {"Error": {"type": "object", "required": ["error"], "properties": {"error": TEXT}}},
        },
    }


def _view(says: str) -> Schema:
    return {
        "summary": f"{says}, as a page.",
        "responses": {"200": {"description": "A page.", "content": {"text/html": {}}}},
    }


def _described(operation: Operation) -> Schema:
    schema: Schema = {"type": "object", "required": [*operation.keys]} if operation.keys else {}
    content = {operation.media: {"schema": schema} if schema else {}}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    made: Schema = {
        "summary": operation.says,
        "parameters": [
            {"name": one.name, "in": "query", "required": one.needed, "schema": one.schema, "description": one.says}
            for one in operation.query
        ],
        "responses": {
            operation.status: {"description": "What was asked for.", "content": content},
            "default": {"description": "Why not, in a sentence.", "content": error},
        },
    }
    if operation.body is not None:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": operation.body}}}
    elif operation.status == "202":
        made["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
    return made
