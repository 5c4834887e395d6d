"""CAS in JSON: feature structures as objects, with references that begin with @."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.gather.offsets import whole
from interagree.readers._cas.structures import Cas, Structure
from interagree.readers._cas.types import Types, types_of_json
from interagree.readers._peek import json_head

STRUCTURES, TYPES, VIEWS = "%FEATURE_STRUCTURES", "%TYPES", "%VIEWS"
LEGACY = ("_context", "_views")


def is_cas_json(path: Path) -> bool:
    """Whether a file is a CAS in JSON, of today's form or of the one before it."""
    head = json_head(path)
    if head is None or head.listed:
        return False
    keys = head.at()
    return bool(keys & {STRUCTURES, VIEWS}) or keys >= set(LEGACY) or (TYPES in keys and len(keys) == 1)


def read_json(source: Source, types: Types | None) -> Cas:
    """The feature structures of a file."""
    content = source.json()
    if not isinstance(content, dict):
        raise FormatError(f"{source.name}: expected a CAS in JSON, an object, found {content!r:.60}")
    if LEGACY[0] in content:
        raise FormatError(
            f"{source.name} is a CAS in UIMA's old form of JSON, which leaves out what types do not say; export the "
            "document as UIMA CAS JSON 0.4.0 or as UIMA CAS XMI"
        )
    if STRUCTURES not in content:
        raise FormatError(f"{source.name}: expected {STRUCTURES!r}, found {', '.join(map(repr, content))[:80]}")
    declared = content.get(TYPES)
    known = types_of_json(declared) if isinstance(declared, dict) and declared else types
    cas = Cas(source.name, known or Types())
    for id_, raw in _entries(source, content[STRUCTURES]):
        where = f"{source.name}, the structure {id_}"
        type_ = raw.get("%TYPE")
        if not isinstance(type_, str):
            raise FormatError(f"{where}: expected the name of a type in '%TYPE', found {type_!r:.60}")
        if type_ == "uima.cas.Sofa":
            text = raw.get("sofaString")
            if text is not None and not isinstance(text, str):
                raise FormatError(f"{where}: expected a text in 'sofaString', found {text!r:.60}")
            cas.texts[id_] = (str(raw.get("sofaID", "")), text)
        else:
            cas.structures[id_] = _structure(id_, type_, raw, where)
    cas.members = _members(source, content.get(VIEWS))
    return cas


def _entries(source: Source, given: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The structures with their ids: a list, or an object of them by id."""
    pairs = (
        given.items()
        if isinstance(given, dict)
        else [(None, raw) for raw in given]
        if isinstance(given, list)
        else None
    )
    if pairs is None:
        raise FormatError(f"{source.name}: expected a list in {STRUCTURES!r}, found {given!r:.60}")
    seen: set[int] = set()
    for key, raw in pairs:
        if not isinstance(raw, dict):
            raise FormatError(f"{source.name}: expected an object for each structure, found {raw!r:.60}")
        id_ = whole(raw.get("%ID", key), source.name, "'%ID'")
        if id_ in seen:
            raise FormatError(f"{source.name}: two structures have the id {id_}")
        seen.add(id_)
        yield id_, raw


def _structure(id_: int, type_: str, raw: Mapping[str, Any], where: str) -> Structure:
    made = Structure(id_, type_, begin=raw.get("begin"), end=raw.get("end"))
    for name, value in raw.items():
        if name == "%ELEMENTS" and isinstance(value, list):
            made.refs["elements"] = [at for at in value if type(at) is int]
        elif name == "@sofa":
            made.sofa = whole(value, where, "'@sofa'")
        elif name.startswith("@"):
            made.refs[name[1:]] = [at for at in (value if isinstance(value, list) else [value]) if type(at) is int]
        elif name not in {"begin", "end"} and not name.startswith(("%", "^")) and value is not None:
            plain = _plain(value)
            if plain is not None:
                made.plain[name.lstrip("#")] = plain
    return made


def _plain(value: object) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return "; ".join(sorted(value))
    return None


def _members(source: Source, views: object) -> set[int] | None:
    if not isinstance(views, dict):
        return None
    members: set[int] = set()
    for view in views.values():
        if isinstance(view, dict) and isinstance(view.get("%MEMBERS"), list):
            members |= {whole(id_, source.name, "a member of a view") for id_ in view["%MEMBERS"]}
    return members
