"""A server on this machine that answers as Label Studio 1.23 does, as far as is asked of it, and fails when told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "0123456789abcdef"
CONTROLS = {
    "tone": {"type": "Choices", "to_name": ["text"], "inputs": [{"type": "Text", "value": "text"}]},
    "label": {"type": "Labels", "to_name": ["text"], "inputs": [{"type": "Text", "value": "text"}]},
}


class Studio:
    """What the server holds, what it was asked, and what it is to do instead of answering."""

    def __init__(self, tasks: list[dict[str, Any]]) -> None:
        self.tasks = tasks
        self.views: list[dict[str, Any]] = []
        self.calls: list[tuple[str, str]] = []  # method and path
        self.tokens: list[str | None] = []
        self.failures: list[
            int | str | dict[str, str]
        ] = []  # a status, a redirect, "cut" or "nonsense", one for each call
        self.accepted = [f"Token {TOKEN}"]
        self.access = 0  # how many short tokens were made of a personal one
        self.port = 0
        self._predictions = 1000

    @property
    def address(self) -> str:
        return f"label-studio://127.0.0.1:{self.port}/7"

    def writes(self) -> list[tuple[str, str]]:
        return [(method, path) for method, path in self.calls if method != "GET" and path != "/api/token/refresh/"]

    def answer(self, method: str, url: str, body: Any) -> tuple[int, Any]:
        """The status and what is told."""
        place = urlsplit(url)
        query = {name: entries[0] for name, entries in parse_qs(place.query).items()}
        match method, place.path.strip("/").split("/"):
            case "GET", ["api", "tasks"] if query["project"] == "7" and query["fields"] == "all":
                size, page = int(query["page_size"]), int(query["page"])
                part = self.tasks[(page - 1) * size : page * size]
                return (200, {"total": len(self.tasks), "tasks": part}) if part or page == 1 else (404, "Invalid page.")
            case "GET", ["api", "projects", "7"]:
                return 200, {"id": 7, "title": "Seven", "parsed_label_config": CONTROLS}
            case "POST", ["api", "predictions"]:
                self._predictions += 1
                task = next(task for task in self.tasks if task["id"] == body["task"])
                task.setdefault("predictions", []).append({**body, "id": self._predictions})
                return 201, {**body, "id": self._predictions}
            case "PATCH" | "DELETE", ["api", "predictions", number]:
                for task in self.tasks:
                    for one in [one for one in task.get("predictions", ()) if one["id"] == int(number)]:
                        task["predictions"].remove(one)
                        if method == "PATCH":
                            task["predictions"].append({**one, **body})
                return (200, {}) if method == "PATCH" else (204, None)
        return self._others(method, place.path, body)

    def _others(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        match method, path.strip("/").split("/"):
            case "GET", ["api", "dm", "views"]:
                return 200, self.views
            case "POST", ["api", "dm", "views"]:
                self.views.append(body)
                return 201, body
            case "POST", ["api", "token", "refresh"] if body["refresh"].count(".") == 2:
                self.access += 1
                self.accepted = [f"Bearer short-{self.access}"]
                return 200, {"access": f"short-{self.access}"}
        return 404, "No Project matches the given query."


@contextmanager
def running(tasks: list[dict[str, Any]]) -> Iterator[Studio]:
    """The server, while it lasts."""
    studio = Studio(tasks)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def handle_one(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            studio.calls.append((self.command, urlsplit(self.path).path))
            studio.tokens.append(self.headers.get("Authorization"))
            failure = studio.failures.pop(0) if studio.failures else None
            refreshing = self.path.startswith("/api/token/refresh")
            if isinstance(failure, dict):
                self.told(int(failure.pop("status")), None, failure)
            elif isinstance(failure, int):
                self.told(failure, {"detail": f"no: {self.headers.get('Authorization')}"})
            elif failure == "nonsense":
                self.told(200, None, {}, b"<html>Hello")
            elif failure == "cut":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"total": 1')
                self.wfile.flush()
                self.close_connection = True
            elif not refreshing and self.headers.get("Authorization") not in studio.accepted:
                self.told(401, {"detail": "Invalid token."})
            else:
                status, told = studio.answer(self.command, self.path, body)
                self.told(status, {"detail": told} if isinstance(told, str) else told)

        do_GET = do_POST = do_PATCH = do_DELETE = handle_one  # noqa: N815 -- the names are the library's

        def told(
            self, status: int, content: Any, headers: dict[str, str] | None = None, text: bytes | None = None
        ) -> None:
            text = text if text is not None else b"" if content is None else json.dumps(content).encode()
            self.send_response(status)
            for name, entry in (headers or {}).items():
                self.send_header(name, entry)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    studio.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield studio
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
