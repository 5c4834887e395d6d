"""The addresses: each page, the same as JSON, and what is sent back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Awaitable, Callable
from functools import cache, partial
from http import HTTPStatus
from importlib.resources import files as resources
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from interagree.errors import InteragreeError, KindError, OptionError, UnknownName
from interagree.examples import READ, file_of
from interagree.serve import columns, export, files, pictures, views
from interagree.serve.description import VIEWS, description
from interagree.serve.guard import DATA, PERSON, error_page
from interagree.serve.news import Bell, Present, news
from interagree.serve.project import ConflictError, NotSavedError, SourceFile, hashed
from interagree.serve.sent import NotAllowedError, OtherProjectError, StaleError, event_of
from interagree.serve.users import Person
from interagree.serve.views import as_typed
from interagree.serve.workspace import NotReadError, Workspace
from interagree.tables import json_text

MODULES = (
    *("main.js", "net.js", "overview.js", "decide.js", "pages.js", "reading.js", "after.js", "live.js", "enter.js"),
    *("editors.js", "parts.js", "things.js", "ranking.js"),
    *("serve.css", "icon.svg"),
)
FROM_REPORTS = ("page.css", "views.css", "page.js", "views.js")  # what the page of a report has, too
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
LONGEST = 4_000_000  # bytes of an event
STATUSES: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (UnknownName, HTTPStatus.NOT_FOUND),
    (ConflictError, HTTPStatus.CONFLICT),
    (StaleError, HTTPStatus.CONFLICT),
    (NotAllowedError, HTTPStatus.FORBIDDEN),
    (OtherProjectError, HTTPStatus.MISDIRECTED_REQUEST),
    (NotSavedError, HTTPStatus.INSUFFICIENT_STORAGE),
    (NotReadError, HTTPStatus.SERVICE_UNAVAILABLE),  # the page keeps what it sent, and sends it again
    (KindError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (InteragreeError, HTTPStatus.UNPROCESSABLE_ENTITY),
)
Endpoint = Callable[[Request], Awaitable[Response]]


def application(workspace: Workspace, *, who: str, largest: int, bell: Bell | None = None) -> Starlette:
    """The pages of a project.

    Args:
        workspace: The project.
        who: Who decides, where the page does not say.
        largest: How many bytes a file that is dropped on the page may have.
        bell: Rings when something is new; by default one that nobody else rings.
    """
    bell = bell or Bell()
    workspace.bell = bell.ring
    given: dict[str, Callable[[Request], object]] = {
        "/openapi.json": lambda _: description(),
        "/live.json": lambda _: views.live(workspace),
        "/state.json": lambda request: views.state(workspace, request.scope.get(PERSON)),
        "/overview.json": lambda _: views.overview(workspace),
        "/annotators.json": lambda _: views.people(workspace),
        "/after.json": partial(_after, workspace),
        "/decisions.json": lambda _: views.decisions(workspace),
        "/reading.json": lambda _: views.reading(workspace),
        "/export.json": lambda _: views.exports(workspace),
        "/queue.json": partial(_queue, workspace),
        "/decide.json": partial(_item, workspace),
        "/rule.json": partial(_rule, workspace),
        "/columns.json": partial(_columns, workspace),
    }
    taken = {
        "/decide.json": partial(_decided, workspace, who),
        "/reading.json": partial(_chosen, workspace),
        "/sample.json": partial(_sample, workspace),
    }
    routes = [Route(path, _shell, methods=["GET"]) for path in VIEWS]
    routes += [Route(f"/static/{name}", partial(_static, name), methods=["GET"]) for name in (*FROM_REPORTS, *MODULES)]
    for path in sorted({*given, *taken}):
        routes += [Route(path, _given(given[path]), methods=["GET"])] if path in given else []
        routes += [Route(path, _taken(taken[path]), methods=["POST"])] if path in taken else []
    routes += [
        Route("/upload.json", partial(_uploaded, workspace, largest), methods=["POST"]),
        Route("/events", partial(_news, workspace, bell), methods=["GET"]),
        Route("/image", partial(_image, workspace), methods=["GET"]),
        Route("/file", partial(_made, workspace), methods=["GET"]),
        Route("/gold", partial(_gold, workspace), methods=["GET"]),
        Route("/log.jsonl", partial(_log, workspace), methods=["GET"]),
    ]
    failed = partial(_failed, workspace)
    return Starlette(
        routes=routes, exception_handlers={Exception: failed, HTTPException: failed, InteragreeError: failed}
    )


# -- pages ------------------------------------------------------------------------------------------------------------


async def _shell(_: Request) -> Response:
    return HTMLResponse(_content("page.html"), headers={"cache-control": "no-cache"})


async def _static(name: str, request: Request) -> Response:
    packed, tag = _packed(name)
    kind = TYPES[name.rpartition(".")[2]]
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=kind, headers={**headers, "content-encoding": "gzip"})
    return Response(gzip.decompress(packed), media_type=kind, headers=headers)


@cache
def _content(name: str) -> str:
    folder = resources("interagree.results.page") if name in FROM_REPORTS else resources("interagree.serve") / "static"
    return (folder / name).read_text(encoding="utf-8")


@cache
def _packed(name: str) -> tuple[bytes, str]:
    packed = gzip.compress(_content(name).encode(), mtime=0)
    return packed, f'"{hashed(packed)[:20]}"'


# -- data -------------------------------------------------------------------------------------------------------------


def _json(content: object, status: int = HTTPStatus.OK) -> Response:
    return Response(json_text(content), status, media_type="application/json", headers={"cache-control": "no-store"})


def _given(made: Callable[[Request], object]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return _json(await run_in_threadpool(made, request))

    return endpoint


def _taken(made: Callable[[object, Person | None], tuple[object, int]]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST:
                raise OptionError(f"what is sent at once has at most {LONGEST:,} bytes")
        try:
            sent = json.loads(bytes(body))
        except (ValueError, RecursionError):
            raise KindError("this is not JSON") from None
        return _json(*await run_in_threadpool(made, sent, request.scope.get(PERSON)))

    return endpoint


def _queue(workspace: Workspace, request: Request) -> object:
    asked = request.query_params
    numbers = [_number(asked.get(name), name, usual) for name, usual in (("offset", 0), ("limit", views.PAGE))]
    return views.queue(
        workspace,
        asked.get("question", ""),
        show=asked.get("show", "all"),
        offset=numbers[0],
        limit=numbers[1],
        blind=asked.get("blind") == "1",
        audit=asked.get("audit") == "1",
    )


def _number(spelled: str | None, name: str, usual: int) -> int:
    if spelled is None:
        return usual
    if not spelled.isascii() or not spelled.isdigit() or len(spelled) > 9:
        raise OptionError(f"{name} is a whole number from 0 up, got {spelled!r:.40}")
    return int(spelled)


def _item(workspace: Workspace, request: Request) -> object:
    asked = request.query_params
    return views.item(
        workspace,
        asked.get("question", ""),
        asked.get("item"),
        blind=asked.get("blind") == "1",
        after=asked.get("after"),
        audit=asked.get("audit") == "1",
    )


def _after(workspace: Workspace, request: Request) -> object:
    asked = request.query_params
    return views.after(workspace, asked.get("question"), asked.get("annotator"))


def _rule(workspace: Workspace, request: Request) -> object:
    asked = request.query_params
    return views.preview(workspace, asked.get("question", ""), asked.get("rule", ""))


def _decided(workspace: Workspace, who: str, sent: object, person: Person | None) -> tuple[object, int]:
    event, new = workspace.project.write(event_of(workspace, sent, who, person))
    workspace.bell()
    return {"event": event._asdict()}, HTTPStatus.CREATED if new else HTTPStatus.OK


def _columns(workspace: Workspace, request: Request) -> object:
    parts = request.query_params.get("parts")
    return columns.form(workspace) if parts is None else columns.preview(workspace, parts)


def _chosen(workspace: Workspace, sent: object, _: Person | None) -> tuple[object, int]:
    given = sent if isinstance(sent, dict) else {}
    number = given.get("choice")
    if "parts" in given:
        workspace.choose(columns.chosen(workspace, given["parts"]))
    elif isinstance(number, int) and not isinstance(number, bool):
        workspace.choose(number)
    else:
        raise KindError("choice is the number of a reading, from 0 up; or parts says what each column is")
    return views.state(workspace), HTTPStatus.ACCEPTED


def _not_while_watching(workspace: Workspace) -> None:
    if workspace.live is not None:
        raise KindError(f"{workspace.live.name} is watched here; start another server for another file")


def _sample(workspace: Workspace, _: object, __: Person | None) -> tuple[object, int]:
    _not_while_watching(workspace)
    content = file_of("reviews").read_bytes()
    workspace.open([SourceFile("reviews.csv", None, hashed(content), {}, content)], READ["reviews"])
    return views.state(workspace), HTTPStatus.ACCEPTED


async def _uploaded(workspace: Workspace, largest: int, request: Request) -> Response:
    _not_while_watching(workspace)
    name = request.query_params.get("name", "").replace("\\", "/").rpartition("/")[2].strip()
    if not name or len(name) > 200 or not name.isprintable() or name.startswith("."):
        raise KindError("a file has a name of at most 200 letters; rename it and drop it again")
    said = request.headers.get("content-length", "")
    too_large = OptionError(
        f"a file that is dropped here has at most {largest / 1e6:,.0f} MB; name a larger one in the command, as in "
        "interagree serve FILE, or allow more with --max-upload"
    )
    if said.isdigit() and int(said) > largest:
        raise too_large
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > largest:
            raise too_large
    if not content:
        raise KindError(f"{name} is empty")
    file = SourceFile(name, None, hashed(bytes(content)), {}, bytes(content))
    await run_in_threadpool(workspace.open, [file], {})
    return _json(views.state(workspace), HTTPStatus.ACCEPTED)


async def _gold(workspace: Workspace, request: Request) -> Response:
    asked = request.query_params
    name, content = await run_in_threadpool(export.written, workspace, asked.get("question", ""), asked.get("to", ""))
    return _file(name, content)


async def _image(workspace: Workspace, request: Request) -> Response:
    asked = request.query_params
    content, kind = await run_in_threadpool(
        pictures.picture, workspace, asked.get("question", ""), asked.get("item", "")
    )
    return Response(content, media_type=kind, headers={"cache-control": "no-store"})


async def _made(workspace: Workspace, request: Request) -> Response:
    asked = request.query_params
    asking = files.Asking(workspace, asked.get("question", ""), asked.get("annotator", ""))
    return _file(*await run_in_threadpool(files.file, asking, asked.get("what", ""), asked.get("form", "html")))


async def _news(workspace: Workspace, bell: Bell, request: Request) -> Response:
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    asked, person = request.query_params, request.scope.get(PERSON)
    at = asked.get("question", ""), asked.get("item", "")
    present = None if person is None or not all(at) else Present(person.name, *at)
    told = news(workspace, bell, request.headers.get("last-event-id"), present)
    return StreamingResponse(told, media_type="text/event-stream", headers=headers)


async def _log(workspace: Workspace, _: Request) -> Response:
    lines = await run_in_threadpool(lambda: "".join(f"{line}\n" for line in workspace.project.lines()))
    return _file("decisions.jsonl", lines.encode())


def _file(name: str, content: bytes) -> Response:
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}", "cache-control": "no-store"}
    return Response(content, media_type="application/octet-stream", headers=headers)


# -- errors -----------------------------------------------------------------------------------------------------------


async def _failed(workspace: Workspace, request: Request, error: Exception) -> Response:
    content: dict[str, Any]
    if isinstance(error, HTTPException):
        status: int = error.status_code
        sentence = "There is no such page; go back to the overview." if status == HTTPStatus.NOT_FOUND else error.detail
        content = {"error": sentence}
    elif isinstance(error, InteragreeError):
        status = next(code for kind, code in STATUSES if isinstance(error, kind))
        content = {"error": error.for_command_line()}
        theirs = error.theirs if isinstance(error, ConflictError) else None
        if theirs is not None and theirs.question in workspace.asked:
            content["theirs"] = views.in_words(workspace.around(theirs.question, theirs.item or None), theirs)
    else:
        status, content = (
            500,
            {"error": f"This was not foreseen ({type(error).__name__}); what you decided before is kept."},
        )
    if request.url.path.endswith(DATA) or request.method == "POST":
        return _json(content, status)
    return HTMLResponse(error_page(as_typed(content["error"])), status)
