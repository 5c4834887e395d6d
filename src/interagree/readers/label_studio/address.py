"""Addresses of projects on a running server: ``label-studio://HOST[:PORT]/PROJECT``.

They are https, but http on this machine; ``label-studio+http://`` and ``label-studio+https://`` say which.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from interagree.errors import DataError

SCHEMES = {"label-studio": None, "label-studio+http": "http", "label-studio+https": "https"}
EXAMPLE = "label-studio://label.example.org/7"
TOKEN = "LABEL_STUDIO_API_KEY"  # noqa: S105 -- the name of the variable
LOCAL = ("localhost", "127.0.0.1", "::1")
PROJECT = re.compile(r"(?P<folder>(?:/[^/]+)*?)/(?:projects/)?(?P<number>\d+)(?:/data)?/?")


class Address(NamedTuple):
    """Where a project is."""

    name: str  # as errors and studies call it
    root: str  # of the server: https://host:port/folder
    host: str
    project: int

    @classmethod
    def of(cls, text: str) -> Address:
        """An address such as label-studio://host:8080/7, which is https but for this machine."""
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise DataError(f"expected an address such as {EXAMPLE}, found one that cannot be ({error})") from None
        if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
            raise DataError(
                f"an address of a project has a host and the number of the project and nothing else, as in {EXAMPLE}; "
                f"a token belongs into the environment, as {TOKEN}"
            )
        place = PROJECT.fullmatch(parts.path)
        if not host or place is None:
            raise DataError(f"expected the host and the number of a project, as in {EXAMPLE}, found {text!r:.200}")
        scheme = SCHEMES[parts.scheme] or ("http" if host in LOCAL else "https")
        shown = f"[{host}]" if ":" in host else host
        at = shown if port is None else f"{shown}:{port}"
        number = int(place["number"])
        name = f"{parts.scheme}://{at}{place['folder']}/{number}"
        return cls(name, f"{scheme}://{at}{place['folder']}", host, number)


def is_address(text: object) -> bool:
    """Whether something is the address of a project, and not a path."""
    return isinstance(text, str) and text.partition("://")[0].lower() in SCHEMES and "://" in text
