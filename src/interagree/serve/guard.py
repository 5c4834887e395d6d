"""Who is let in: whoever opens the address that was printed, and nobody else.

* The server listens on 127.0.0.1, and answers only to the names that it was given: a page that has its own name point
  here is refused by its ``Host``.
* The token of the printed address is good for one use.  It is exchanged for a cookie, which scripts cannot read, and
  for a secret in the fragment of the address, which the page keeps in its storage.  Cookies do not know ports: another
  program on this machine may be sent ours.  Storage does, so data are given, and taken, only with both.
* What writes comes from our own origin, as JSON or as the bytes of a file, with the secret in a header of its own,
  which no form can send and no other page without asking first.
* Pages may load scripts, styles and data from here and nothing from elsewhere, nothing written into them runs, and
  nobody may frame them.
"""

from __future__ import annotations

import hmac
import html
import json
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from interagree.serve.project import Project, hashed

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE, SECRET = "interagree", "x-interagree"
WRITTEN = {"/upload.json": "application/octet-stream"}  # what is sent to an address, where it is not JSON
DATA = (".json", ".jsonl", "/gold", "/file", "/events")  # ends of addresses that give data
POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{what}-src 'self'" for what in ("script", "style", "connect", "img")),
        *(f"{what} 'none'" for what in ("base-uri", "form-action", "frame-ancestors")),
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
CLOSED = (
    "This page is closed to you: open the address that interagree serve printed. It is good for one use; start "
    "interagree serve again for a new one. Nothing that was decided is lost."
)


class Guard:
    """Lets requests through to the pages, or refuses them in a sentence."""

    def __init__(self, application: Application, project: Project, port: int) -> None:
        self.application = application
        self.project = project
        self.token: str | None = secrets.token_urlsafe(24)
        # A name of our own, which no other program here is known by and which nobody can guess.
        names = ("127.0.0.1", "localhost", f"p{secrets.token_hex(8)}.localhost")
        self.hosts = tuple(f"{name}:{port}" for name in names)

    def addresses(self) -> list[str]:
        """The addresses to open, which are good for one use together."""
        return [f"http://{host}/enter?token={self.token}" for host in (self.hosts[0], self.hosts[-1])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.application(scope, receive, send)
            return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        refused = self._refused(scope, headers)
        if refused is not None:
            await _answer(with_headers, scope, *refused)
        elif scope["path"] == "/enter":
            await self._enter(with_headers, scope)
        else:
            await self.application(scope, receive, with_headers)

    def _refused(self, scope: Scope, headers: dict[str, list[str]]) -> tuple[int, str] | None:
        """Why a request is refused; None where it is let through."""
        hosts, method, path = headers.get("host", []), scope["method"], scope["path"]
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            return 421, "This server does not answer to that name; open the address that interagree serve printed."
        raw = scope.get("raw_path", b"").decode("latin-1").lower()
        if ".." in path or "\\" in path or "\0" in path or "%2f" in raw or "%5c" in raw:
            return 400, "This address goes outside the pages of this server."
        if method not in {"GET", "HEAD", "POST"}:
            return 405, f"{method} is not used here."
        site, mode = headers.get("sec-fetch-site", ["none"])[0], headers.get("sec-fetch-mode", [""])[0]
        if site not in {"none", "same-origin"} and (mode != "navigate" or path.endswith(DATA)):
            return 403, "Another page asked for this, and only our own pages may."
        if method == "POST":
            if headers.get("origin") != [f"http://{hosts[0]}"]:
                return 403, "This was sent from another page, or from none; only our own pages may write."
            wanted = WRITTEN.get(path, "application/json")
            if headers.get("content-type", [""])[0].partition(";")[0].strip().lower() != wanted:
                return 415, f"This is sent as {wanted}."
        if (method == "POST" or path.endswith(DATA)) and not self._known(headers):
            return 403, CLOSED
        return None

    def _known(self, headers: dict[str, list[str]]) -> bool:
        try:
            cookies = SimpleCookie("; ".join(headers.get("cookie", [])))
        except CookieError:
            return False
        given = headers.get(SECRET, [])
        if COOKIE not in cookies or len(given) != 1:
            return False
        expected = self.project.secret_of(cookies[COOKIE].value)
        return expected is not None and hmac.compare_digest(expected, hashed(given[0]))

    async def _enter(self, send: Send, scope: Scope) -> None:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self.token is None or not hmac.compare_digest(self.token.encode(), given.encode()):
            await _answer(send, scope, 403, CLOSED)
            return
        self.token = None
        cookie, secret = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.project.let_in(cookie, secret)
        headers = [
            (b"location", f"/#key={secret}".encode()),
            (b"set-cookie", f"{COOKIE}={cookie}; HttpOnly; SameSite=Strict; Path=/".encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def error_page(sentence: str) -> str:
    """A page with one sentence."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>interagree</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/static/page.css">'
        f'</head><body><main class="wide"><h1>interagree</h1><p>{html.escape(sentence)}</p></main></body></html>'
    )


async def _answer(send: Send, scope: Scope, status: int, sentence: str) -> None:
    as_json = scope["path"].endswith(DATA) or scope["method"] == "POST"
    body = json.dumps({"error": sentence}) if as_json else error_page(sentence)
    kind = b"application/json" if as_json else b"text/html; charset=utf-8"
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode() if scope["method"] != "HEAD" else b""})
