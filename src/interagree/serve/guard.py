"""Who is let in: whoever opens the address that was printed, and nobody else.

* The server listens on 127.0.0.1, and answers only to the names that it was given: a page that has its own name point
  here is refused by its ``Host``.
* The token of the printed address is good for one use.  It is exchanged for a cookie, which scripts cannot read, and
  for a secret in the fragment of the address, which the page keeps in its storage.  Cookies do not know ports: another
  program on this machine may be sent ours.  Storage does, so data are given, and taken, only with both.
* What writes comes from our own origin, as JSON or as the bytes of a file, with the secret in a header of its own,
  which no form can send and no other page without asking first.
* A team has names and passwords in place of the token (`users`), and one name that a proxy with TLS answers to.
* Pages may load scripts, styles and data from here and nothing from elsewhere, nothing written into them runs, and
  nobody may frame them.
"""

from __future__ import annotations

import asyncio
import hmac
import html
import json
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from interagree.errors import DataError
from interagree.serve.project import Project, hashed
from interagree.serve.users import Person, TooManyTriesError, Users

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE, SECRET, PERSON = "interagree", "x-interagree", "interagree.person"
WRITTEN = {"/upload.json": "application/octet-stream"}  # what is sent to an address, where it is not JSON
DATA = (".json", ".jsonl", "/gold", "/file", "/events", "/image")  # ends of addresses that give data
POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{what}-src 'self'" for what in ("script", "style", "connect")),
        "img-src 'self' blob:",  # an image is fetched with the secret, as all data are
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
LEADS = ("/upload.json", "/reading.json", "/sample.json")  # what only a lead may send
ENTER, LEAVE = "/enter.json", "/leave.json"
LONGEST = 4_096  # bytes of a name and a password
NO_ENTRY = "Sign in: this server asks for a name and a password."
NOT_YOURS = "Your role on this server does not allow this; ask whoever leads the project."
CLOSED = (
    "This page is closed to you: open the address that interagree serve printed. It is good for one use; start "
    "interagree serve again for a new one. Nothing that was decided is lost."
)


class Guard:
    """Lets requests through to the pages, or refuses them in a sentence."""

    def __init__(
        self,
        application: Application,
        project: Project,
        port: int,
        *,
        users: Users | None = None,
        host: str | None = None,
    ) -> None:
        self.application = application
        self.project = project
        self.users = users
        self.scheme = "http" if host is None else "https"
        self.token: str | None = secrets.token_urlsafe(24) if users is None else None
        # A name of our own, which no other program here is known by and which nobody can guess.
        names = ("127.0.0.1", "localhost", f"p{secrets.token_hex(8)}.localhost")
        self.hosts = tuple(f"{name}:{port}" for name in names) if host is None else (host,)
        self.cookie = COOKIE if host is None else f"__Host-{COOKIE}"

    def addresses(self) -> list[str]:
        """The addresses to open: of a team its own, else two that are good for one use together."""
        if self.users is not None:
            return [f"{self.scheme}://{self.hosts[0]}/"]
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
        elif scope["path"] == ENTER and self.users is not None:
            await self._enter_by_name(receive, with_headers, scope, self.users)
        elif scope["path"] == LEAVE:
            self.project.let_go(self._cookie(headers))
            await _answer(with_headers, scope, 200, "You are signed out.")
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
            if headers.get("origin") != [f"{self.scheme}://{hosts[0]}"]:
                return 403, "This was sent from another page, or from none; only our own pages may write."
            wanted = WRITTEN.get(path, "application/json")
            if headers.get("content-type", [""])[0].partition(";")[0].strip().lower() != wanted:
                return 415, f"This is sent as {wanted}."
        asks = method == "POST" or path.endswith(DATA)
        return self._closed(scope, headers) if asks and path != ENTER else None

    def _closed(self, scope: Scope, headers: dict[str, list[str]]) -> tuple[int, str] | None:
        """Why somebody is not given data, or may not send them."""
        known, person = self._known(headers)
        if not known:
            return 403, CLOSED if self.users is None else NO_ENTRY
        if person is None:
            return None
        scope[PERSON] = person
        path = scope["path"]
        wanted = "lead" if path in LEADS else "decide"
        return None if scope["method"] != "POST" or path == LEAVE or person.may(wanted) else (403, NOT_YOURS)

    def _cookie(self, headers: dict[str, list[str]]) -> str:
        try:
            cookies = SimpleCookie("; ".join(headers.get("cookie", [])))
        except CookieError:
            return ""
        return cookies[self.cookie].value if self.cookie in cookies else ""

    def _known(self, headers: dict[str, list[str]]) -> tuple[bool, Person | None]:
        """Whether somebody was let in, and who it is where people have names."""
        cookie, given = self._cookie(headers), headers.get(SECRET, [])
        session = self.project.session(cookie) if cookie and len(given) == 1 else None
        if session is None or not hmac.compare_digest(session[0], hashed(given[0])):
            return False, None
        if self.users is None:
            return session[1] is None, None  # where there are names, they are asked for
        person = self.users.person(session[1])
        return person is not None, person

    async def _enter(self, send: Send, scope: Scope) -> None:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self.token is None or not hmac.compare_digest(self.token.encode(), given.encode()):
            await _answer(send, scope, 403, CLOSED)
            return
        self.token = None
        secret, cookie = self._let_in(None)
        headers = [(b"location", f"/#key={secret}".encode()), cookie, (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def _let_in(self, who: str | None) -> tuple[str, tuple[bytes, bytes]]:
        """A new secret, and the header that sets the cookie to which it belongs."""
        cookie, secret = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.project.let_in(cookie, secret, who)
        secure = "; Secure" if self.scheme == "https" else ""
        return secret, (b"set-cookie", f"{self.cookie}={cookie}; HttpOnly; SameSite=Strict; Path=/{secure}".encode())

    async def _enter_by_name(self, receive: Receive, send: Send, scope: Scope, users: Users) -> None:
        body, more = b"", True
        while more and len(body) <= LONGEST:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        given = _name_and_password(body)
        if given is None:
            await _answer(send, scope, 422, "A name and a password are sent as two texts.")
            return
        try:
            person = await asyncio.to_thread(users.entered, *given)
        except DataError as error:
            await _answer(send, scope, 429 if isinstance(error, TooManyTriesError) else 503, str(error))
            return
        if person is None:
            await _answer(send, scope, 403, "The name or the password is wrong.")
            return
        secret, cookie = self._let_in(person.name)
        headers = [(b"content-type", b"application/json"), cookie, (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps({"key": secret, **person._asdict()}).encode()})


def _name_and_password(body: bytes) -> tuple[str, str] | None:
    try:
        sent = json.loads(body) if len(body) <= LONGEST else None
    except (ValueError, RecursionError):
        return None
    given = [sent.get(name) for name in ("name", "password")] if isinstance(sent, dict) else []
    texts = [one for one in given if isinstance(one, str)]
    return (texts[0], texts[1]) if len(texts) == 2 else None


def error_page(sentence: str) -> str:
    """A page with one sentence."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>interagree</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/static/page.css">'
        f'</head><body><main class="wide"><h1>interagree</h1><p>{html.escape(sentence)}</p></main></body></html>'
    )


async def _answer(send: Send, scope: Scope, status: int, sentence: str) -> None:
    as_json = scope["path"].endswith(DATA) or scope["method"] == "POST"
    content = {"error": sentence} if status >= 400 else {"said": sentence}
    if sentence in {CLOSED, NO_ENTRY}:
        content |= {"closed": "enter" if sentence == NO_ENTRY else "yes"}
    body = json.dumps(content) if as_json else error_page(sentence)
    kind = b"application/json" if as_json else b"text/html; charset=utf-8"
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode() if scope["method"] != "HEAD" else b""})
