"""Who may do what: names, roles and passwords in a file of their own.

| role   | may                                                                       |
|--------|---------------------------------------------------------------------------|
| look   | see everything, and take files home                                       |
| decide | besides, decide on items, and take decisions back                         |
| lead   | besides, settle many at once, draw a sample, edit the reasons, open files |

A password is kept as what scrypt makes of it and of some salt.  The file is read again when it has changed, so that
whoever is removed from it is let in no more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.writing import write_file
from interagree.errors import DataError, OptionError, listing

ROLES = ("look", "decide", "lead")
COST = {"n": 2**15, "r": 8, "p": 1}
ROOM = 64 * 2**20  # bytes that scrypt may take
SHORTEST, LONGEST = 10, 1_000  # letters of a password
TRIES, WINDOW = 5, 60.0  # how often a password may be wrong in so many seconds
FORMAT = "interagree users"


class Person(NamedTuple):
    """Somebody who was let in."""

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Whether they may do what a role may."""
        return ROLES.index(self.role) >= ROLES.index(role)


class TooManyTriesError(DataError):
    """A password was wrong too often."""


class Users:
    """The people of a file.

    Args:
        path: The file, which is made by `add`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._one_at_a_time = threading.Lock()  # scrypt takes much memory, by intention
        self._wrong: dict[str, list[float]] = {}
        self._seen: tuple[int, int] | None = None
        self._known: dict[str, dict[str, Any]] = {}
        if not path.is_file():
            raise DataError(f"there is no file {path}; interagree serve --users {path} --add-user NAME makes it")
        self._read()

    def _read(self) -> dict[str, dict[str, Any]]:
        """Those who are in the file by now."""
        try:
            state = self.path.stat()
            if self._seen != (seen := (state.st_mtime_ns, state.st_size)):
                self._known, self._seen = {}, None  # nobody, rather than those of before
                self._known, self._seen = _users_in(self.path.read_text(encoding="utf-8")), seen
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise DataError(f"{self.path} is not a file of users of interagree serve: {error}") from error
        return self._known

    def person(self, name: str | None) -> Person | None:
        """Somebody by their name; None where they are not in the file, or it is none any more."""
        try:
            known = self._read().get(name or "")
        except DataError:
            return None
        return None if known is None or name is None else Person(name, known["role"])

    def entered(self, name: str, password: str) -> Person | None:
        """Who comes with a password; None where it is wrong, or nobody is called so."""
        now = time.monotonic()
        with self._one_at_a_time:
            wrong = [at for at in self._wrong.get(name, []) if now - at < WINDOW]
            if len(wrong) >= TRIES:
                raise TooManyTriesError(f"the password was wrong {TRIES} times; wait a minute and try again")
            known = self._read().get(name)
            kept = known or {"salt": "00" * 16, "hash": "", **COST}  # it takes as long where nobody is called so
            made = _hashed(password, kept)
            if known is not None and hmac.compare_digest(made, kept["hash"]):
                self._wrong.pop(name, None)
                return Person(name, known["role"])
            if len(self._wrong) > LONGEST:  # names that were tried, and that nobody has
                self._wrong.clear()
            self._wrong[name] = [*wrong, now]
        return None


def add(path: Path, name: str, password: str, role: str) -> bool:
    """Add somebody to a file, or give them another password and role; whether they are new.

    Args:
        path: The file, which is made where there is none.
        name: What they are called.
        password: What they enter.
        role: One of `ROLES`.
    """
    if not 1 <= len(name) <= 60 or not name.isprintable() or name != name.strip():
        raise OptionError(f"a name has 1 to 60 letters that can be seen, got {name!r:.80}")
    if role not in ROLES:
        raise OptionError(f"a role is one of {listing(ROLES)}, got {role!r:.40}")
    if not SHORTEST <= len(password) <= LONGEST:
        raise OptionError(f"a password has {SHORTEST} to {LONGEST:,} letters")
    users = Users(path)._read() if path.exists() else {}  # noqa: SLF001 -- of this module
    kept = {"salt": secrets.token_hex(16), **COST}
    made = users | {name: {"role": role, "hash": _hashed(password, kept), **kept}}
    if not path.exists():
        path.touch(mode=0o600, exist_ok=False)  # for nobody else to read
    write_file(path, json.dumps({"format": FORMAT, "users": made}, indent=1, ensure_ascii=False) + "\n")
    return name not in users


def _users_in(text: str) -> dict[str, dict[str, Any]]:
    content = json.loads(text)
    users: dict[str, dict[str, Any]] = content["users"]
    if content["format"] != FORMAT or not all(one["role"] in ROLES and one["hash"] for one in users.values()):
        raise ValueError("it does not say that it is, or of somebody what they may do")
    return users


def _hashed(password: str, kept: dict[str, Any]) -> str:
    cost = {name: int(kept[name]) for name in COST}
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"), salt=bytes.fromhex(kept["salt"]), maxmem=ROOM, dklen=32, **cost
    ).hex()
