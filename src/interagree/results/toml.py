"""Settings as TOML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from interagree.errors import UNSEEN, DataError, visible
from interagree.results.narrow import shortened
from interagree.tables import json_text

HALF = re.compile("[\ud800-\udfff]")
LONGEST = 60  # letters of a setting that is told


def shown(settings: Mapping[str, object]) -> str:
    """Settings in one line, long ones cut."""
    entries = [f"{key} = {_entry(entry)}" for key, entry in settings.items()]
    return ", ".join(shortened(entry, LONGEST) for entry in entries)


def toml(settings: Mapping[str, object], suspected: Iterable[tuple[str, Mapping[str, object]]] = ()) -> str:
    """Settings as TOML; what is only suspected stands in comments, below the reason."""
    text = "".join(f"{key} = {_entry(entry)}\n" for key, entry in settings.items())
    for reason, more in suspected:
        lines = "".join(f"# {visible(line)}\n" for line in reason.splitlines())
        text += f"\n{lines}" + "".join(f"# {key} = {_entry(entry)}\n" for key, entry in more.items())
    return text.lstrip("\n")


def _entry(entry: object) -> str:
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, int | float):
        return repr(entry)
    if isinstance(entry, list | tuple):
        return "[" + ", ".join(map(_entry, entry)) + "]"
    if isinstance(entry, Mapping):
        return "{" + ", ".join(f"{_entry(str(key))} = {_entry(part)}" for key, part in entry.items()) + "}"
    text = str(entry)
    if HALF.search(text):
        raise DataError(f"{text!r} has half of a character, which a configuration file cannot hold; rename it")
    # A JSON string is a TOML string, but for letters beyond the first plane, which JSON escapes as two halves.
    return "".join(
        f"\\U{ord(sign):08x}" if sign > "\uffff" and UNSEEN.match(sign) else json_text(sign)[1:-1] for sign in text
    ).join('""')
