"""A Label Studio server, asked over HTTP: one request at a time, tried again where that may help.

The token comes from the environment and is sent to the named host only: a redirect is an error and is not followed.  No
error and no step of a study shows it.
"""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from interagree.data.files import parse_json
from interagree.data.types import Json
from interagree.errors import DataError, FormatError
from interagree.readers.label_studio.address import LOCAL, TOKEN, Address

TRIES = 4
PAUSE = 0.5  # seconds before the second try; each further one waits twice as long
LONGEST_PAUSE = 30.0
TIMEOUT = 60.0  # seconds that a server may be silent
MOST = 1 << 30  # bytes of one answer
PASSING = frozenset({429, 500, 502, 503, 504})  # answers that may be others a moment later
REFUSED = frozenset({429, 503})  # … and that say that nothing was done


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would hand the token to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


class Server:
    """The server of a project."""

    def __init__(self, address: Address) -> None:
        self.address = address
        token = os.environ.get(TOKEN, "").strip()
        if not token:
            raise DataError(
                f"{address.name}: set the environment variable {TOKEN} to an access token; Label Studio shows yours "
                "under Account & Settings"
            )
        if not token.isascii() or not token.isprintable() or " " in token:
            raise DataError(f"{address.name}: {TOKEN} is not a token, since tokens have neither spaces nor accents")
        self._token = token
        self._access: str | None = None  # made of a personal access token, for a few minutes
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
        if address.host in LOCAL:
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def get(self, path: str, **query: object) -> Json:
        """What the server answers to a question."""
        return self._ask("GET", path + (f"?{urlencode(query)}" if query else ""))

    def send(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Json:
        """Tell the server something."""
        return self._ask(method, path, body)

    def _ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Json:
        for attempt in range(1, TRIES + 1):
            last = attempt == TRIES
            try:
                return self._once(method, path, body, self._authorization())
            except urllib.error.HTTPError as error:
                with error:
                    if error.code == 401 and self._access is not None and not last:
                        self._access = None  # it is over after a few minutes; the personal token makes another
                        continue
                    passing = error.code in (PASSING if method != "POST" else REFUSED)
                    if last or not passing:
                        raise self._refused(error) from None
                    wait = error.headers.get("Retry-After", "")
            except (OSError, http.client.HTTPException) as error:
                refused = isinstance(getattr(error, "reason", error), ConnectionRefusedError)
                if last or (method == "POST" and not refused):
                    raise self._unreached(error) from None
                wait = ""
            pause = float(wait) if wait.isdecimal() else PAUSE * 2 ** (attempt - 1)
            time.sleep(min(pause, LONGEST_PAUSE))
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, body: Mapping[str, object] | None, authorization: str) -> Json:
        headers = {"Authorization": authorization} if authorization else {}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        url = f"{self.address.root}{path}"
        request = urllib.request.Request(url, data=content, headers=headers, method=method)  # noqa: S310 -- http or https
        with self._opener.open(request, timeout=TIMEOUT) as answer:
            told = answer.read(MOST)
            if answer.length:  # the connection was cut
                raise http.client.IncompleteRead(told, answer.length)
        if not told:
            return None
        try:
            return parse_json(told.decode("utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, FormatError):
            raise DataError(
                f"{self.address.name}: expected JSON from {path.partition('?')[0]}, found {self._clean(told[:60])!r}; "
                "is this a Label Studio server?"
            ) from None

    def _authorization(self) -> str:
        if self._token.count(".") != 2:
            return f"Token {self._token}"
        if self._access is None:  # a personal access token is exchanged for one of a few minutes
            answer = self._once("POST", "/api/token/refresh/", {"refresh": self._token}, "")
            access = answer.get("access") if isinstance(answer, dict) else None
            if not isinstance(access, str):
                raise DataError(f"{self.address.name}: the server did not take the token in {TOKEN}")
            self._access = access
        return f"Bearer {self._access}"

    def _refused(self, error: urllib.error.HTTPError) -> DataError:
        name, code = self.address.name, error.code
        if code in {401, 403}:
            told = self._detail(error)
            return DataError(
                f"{name}: the server refuses the token in {TOKEN}{told}; make a new one under Account & Settings"
            )
        if code == 404:
            return DataError(
                f"{name}: there is no project {self.address.project} on {self.address.host}, or the owner of the token "
                f"may not see it{self._detail(error)}"
            )
        if 300 <= code < 400:
            to = urlsplit(error.headers.get("Location", ""))
            host = f"{to.scheme}://{to.netloc}" if to.netloc else "another place"
            return DataError(f"{name}: the server sends on to {self._clean(host.encode())}; name the project there")
        return DataError(f"{name}: the server answers with error {code}{self._detail(error)}")

    def _unreached(self, error: Exception) -> DataError:
        reason = getattr(error, "reason", None) or error
        told = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        root = self.address.root
        advice = f"; if the server does not speak https, write label-studio+http://{root.partition('://')[2]}/…"
        secure = root.startswith("https:") and isinstance(reason, OSError)
        return DataError(
            f"{self.address.name}: {root} cannot be reached ({self._clean(told.encode())}){advice if secure else ''}"
        )

    def _detail(self, error: urllib.error.HTTPError) -> str:
        """What the server says of its answer, in brackets."""
        try:
            told = parse_json(error.read(4096).decode("utf-8"))
        except (OSError, http.client.HTTPException, ValueError, FormatError):
            return ""
        detail = told.get("detail") if isinstance(told, dict) else None
        return f" ({self._clean(detail.encode())})" if isinstance(detail, str) else ""

    def _clean(self, told: bytes) -> str:
        """What a server says, without the token and not at length."""
        text = told.decode("utf-8", "replace")
        for secret in filter(None, (self._token, self._access)):
            text = text.replace(secret, "…")
        return text[:200]
