"""Defaults for options from a file: interagree.toml, or [tool.interagree] in pyproject.toml.

The nearest file upwards from the current folder counts.  Options at the top hold for every command that has them, those
in a table named after a command for that command alone, and what is given on the command line wins over both.

    item = "task_id"
    values = ["bad", "fair", "good"]
    ordered = true

    [check]
    measures = ["alpha:distance=ordinal"]
    at_least = 0.8
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interagree.errors import DataError, UnknownName, listing, suggestion

ROLES = (
    *("item", "annotator", "value", "values", "ordered", "duplicates"),
    *("layout", "split", "kind", "missing", "attributes", "times"),
)
READING = (
    *ROLES,
    "only",
    "without",
    "questions",
    "format",
    "delimiter",
    "sheet",
    "start",
    "end",
    "label",
    "tiers",
    "looked",
    "options",
)
SURE = ("level", "method", "random", "cluster", "seed", "resamples")
MEASURING = ("measures", "distance", "weights")

# What each command takes from a file.
KEYS: dict[str, tuple[str, ...]] = {
    "doctor": READING,
    "measure": (*MEASURING, *SURE, *READING, "by", "top", "scales", "together"),
    "report": (*MEASURING, *SURE, *READING, "title", "no_text", "pseudonyms", "together"),
    "check": (*MEASURING, *SURE, *READING, "at_least", "on", "inconclusive", "together"),
    "compare": (*MEASURING, "level", *READING, "groups"),
    "plan": (
        *("level", "seed", "distance", "weights", *READING),
        *("half_width", "budget", "per_item", "spend", "rounds"),
    ),
    "distances": ("distances", "by", "level", "seed", "resamples", *READING),
    "consensus": ("distance", "level", *READING, "how", "quorum", "cutoff", "top"),
    "shuffle": (
        *("measures", "distance", "seed", *READING),
        *("noise", "apart", "magnitudes", "annotators", "repeats"),
    ),
    "spans": (*READING, "match", "gold", "types", "top", "tokens", "feature", "no_text"),
    "timeline": (*READING, "alpha", "beta", "empty", "align"),
    "explain": READING,
    "convert": READING,
}
EVERYWHERE = tuple(dict.fromkeys((*READING, *SURE, *MEASURING)))

RENAMED = {
    "format": "reader",
    "options": "reader_options",
    "measure": "measures",
    "question": "questions",
    "attribute": "attributes",
    "tier": "tiers",
    "scale": "scales",
}
SEVERAL = (
    "annotator",
    "value",
    "missing",
    "attributes",
    "only",
    "without",
    "questions",
    "tiers",
    "options",
    "measures",
    "by",
    "scales",
)  # a list, or one alone


@dataclass(frozen=True, slots=True)
class Config:
    """The defaults of one file."""

    path: Path
    everywhere: Mapping[str, Any]
    commands: Mapping[str, Mapping[str, Any]]

    def for_commands(self, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The defaults of each command, by the names of its options."""
        return {name: self.of(name) for name in names}

    def of(self, command: str) -> dict[str, Any]:
        """The defaults of one command: what holds everywhere, and above it what is for it alone."""
        known = KEYS.get(command, ())
        both = {**self.everywhere, **self.commands.get(command, {})}
        return {
            RENAMED.get(key, key): _entry(key, entry)
            for key, entry in both.items()
            if _canonical(key) in known
        }


def _canonical(key: str) -> str:
    return {"measure": "measures", "question": "questions", "attribute": "attributes", "scale": "scales"}.get(
        key, key
    )


def _entry(key: str, entry: Any) -> Any:
    if _canonical(key) in SEVERAL and not isinstance(entry, list):
        return [entry]
    return entry


def defaults(path: str | Path | None = None, *, start: Path | None = None) -> Config | None:
    """The defaults of the named file, or of the nearest one upwards; None where there is none."""
    if path is not None:
        return load(Path(path))
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / "interagree.toml").is_file():
            return load(folder / "interagree.toml")
        project = folder / "pyproject.toml"
        if project.is_file() and b"[tool.interagree" in project.read_bytes():
            return load(project)
    return None


def load(path: Path) -> Config:
    """The defaults that a file holds, every key checked."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} is no TOML: {error}") from error
    if path.name == "pyproject.toml":
        found = found.get("tool", {}).get("interagree", {})
    tables = {key: entry for key, entry in found.items() if isinstance(entry, dict)}
    for key in found:
        if key in tables:
            _check(key, KEYS, path, "a command that takes defaults")
        else:
            _check(_canonical(key), EVERYWHERE, path, "an option")
    for command, table in tables.items():
        for key in table:
            _check(_canonical(key), KEYS[command], path, f"an option of {command}")
    return Config(path, {key: entry for key, entry in found.items() if key not in tables}, tables)


def _check(key: str, known: Sequence[str] | Mapping[str, Any], path: Path, what: str) -> None:
    if key not in known:
        raise UnknownName(
            f"{path}: {key!r} is not {what}.{suggestion(key, known)} (known: "
            f"{listing(sorted(known), most=40, quote=False)})"
        )


def written(settings: Mapping[str, Any]) -> str:
    """Settings as TOML."""
    return "".join(f"{key} = {_toml(entry)}\n" for key, entry in settings.items())


def _toml(entry: Any) -> str:
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, int | float):
        return repr(entry)
    if isinstance(entry, list | tuple):
        return "[" + ", ".join(map(_toml, entry)) + "]"
    import json

    return json.dumps(str(entry), ensure_ascii=False)  # a JSON string is a TOML string
