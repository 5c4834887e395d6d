"""Paths into nested records: ``sentences[].responses[]`` takes the entries of *responses* in each of *sentences*.

``annotations{}`` takes the keys of *annotations* as annotators.  The first step, into the records, goes without saying.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from interagree.data.types import Json
from interagree.errors import FormatError, ReaderHint, listing, nearest
from interagree.reading.levels import KEYS, LIST, Level, Tokens, is_value, of_lists, of_objects, side_by_side
from interagree.reading.records import Record, are_lists, by_id, cell_at, fields_of, flattened, members

Above: TypeAlias = tuple[tuple[Record, str], ...]  # records around a node, each with the field that leads to it


class Reached(NamedTuple):
    """A node at a path, with the positions and keys that lead to it and the records it lies in."""

    place: tuple[int | str, ...]
    above: Above
    node: Json


def written(tokens: Tokens) -> str:
    """A path as a person writes it."""
    inside = tokens[1:] if tokens[:1] in ((LIST,), (KEYS,)) else tokens
    text = ""
    for token in inside:
        text += token if token in (LIST, KEYS) else f".{token}" if text else token
    return text or LIST


def last_field(tokens: Tokens, default: str = "entry") -> str:
    """The last step of a path that is a field."""
    return next((token for token in reversed(tokens) if token not in (LIST, KEYS)), default)


def parsed(root: Json, path: str, name: str) -> Tokens:
    """The steps that a path names; fields are looked up, as their names may have dots in them."""
    nodes, rest = [root], path.strip()
    tokens: list[str] = []
    if isinstance(root, list) or (isinstance(root, dict) and not any(_begins(rest, field) for field in root)):
        tokens.append(LIST if isinstance(root, list) else KEYS)
        nodes = list(members(nodes))
    while rest:
        if rest.startswith((LIST, KEYS)):
            wanted = list if rest.startswith(LIST) else dict
            here = [node for node in nodes if isinstance(node, wanted)]
            if not here:
                raise _no_path(root, path, name, rest)
            tokens.append(rest[:2])
            nodes, rest = list(members(here)), rest[2:].removeprefix(".")
            continue
        objects = [node for node in nodes if isinstance(node, dict)]
        field = max((known for known in fields_of(objects) if _begins(rest, known)), key=len, default=None)
        if field is None:
            raise _no_path(root, path, name, rest)
        tokens.append(field)
        nodes = [node[field] for node in objects if field in node]
        rest = rest[len(field) :].removeprefix(".")
    if tokens[-1] not in (LIST, KEYS):
        tokens.append(LIST if any(isinstance(node, list) for node in nodes) else KEYS)
    return tuple(tokens)


def _begins(rest: str, field: str) -> bool:
    return rest.startswith(field) and (len(rest) == len(field) or rest[len(field)] in ".[{")


def _no_path(root: Json, path: str, name: str, rest: str) -> FormatError:
    known = list(dict.fromkeys(map(written, _containers([root], ()))))
    close = nearest(path, known)
    hints = [ReaderHint("at", path), *([] if close is None else [ReaderHint("at", close)])]
    return FormatError(
        f"{name}: there is no {rest!r} on the way of {hints[0]}; lists and objects lie at {listing(known, most=8)}."
        + "".join(f" Did you mean {hint}?" for hint in hints[1:]),
        hints=hints,
    )


def _containers(nodes: Sequence[Json], tokens: Tokens) -> Iterator[Tokens]:
    """The paths of all lists and objects inside records."""
    lists = [node for node in nodes if isinstance(node, list)]
    objects = [node for node in nodes if isinstance(node, dict)]
    if lists:
        if tokens:
            yield (*tokens, LIST)
        yield from _containers(list(chain.from_iterable(lists)), (*tokens, LIST))
    if objects and not lists:
        if not tokens and by_id(objects[0]):
            yield from _containers(list(members(objects)), (KEYS,))
            return
        if tokens and tokens[-1] not in (LIST, KEYS):
            yield (*tokens, KEYS)
        for field in fields_of(objects):
            yield from _containers([node[field] for node in objects if field in node], (*tokens, field))


def level_at(root: Json, path: str, name: str) -> Level:
    """The level at a path that the caller named."""
    tokens = parsed(root, path, name)
    nodes = nodes_at(root, tokens)
    above: Tokens = tokens[:-1]
    if tokens[-1] == KEYS:
        objects = [node for node in members(nodes) if isinstance(node, dict)]
        if objects:
            return Level(tokens, "", tuple(filter(is_value, fields_of(map(flattened, objects)))))
        return Level(tokens, "", ("value",))
    if are_lists(nodes):
        level = of_objects(nodes, above) or of_lists(nodes, above)
        if level is not None:
            return level
    entries = list(chain.from_iterable(node for node in nodes if isinstance(node, list)))
    if not entries:
        hint = ReaderHint("at", path)
        raise FormatError(f"{name}: {hint} leads to lists that are all empty", hints=[hint])
    if above and not any(isinstance(entry, dict | list) for entry in entries):
        parents = [node for node in nodes_at(root, above) if isinstance(node, dict)]
        return next(
            (level for level in side_by_side(parents, above[:-1]) if level.tokens == tokens),
            Level(tokens, "", (above[-1],), (above[-1],)),
        )
    return Level(tokens, "")


def nodes_at(root: Json, tokens: Tokens) -> list[Json]:
    """The lists or objects whose entries a path takes."""
    return [reached.node for reached in reached_by(root, tokens[:-1])]


def reached_by(node: Json, tokens: Tokens, place: tuple[int | str, ...] = (), above: Above = ()) -> Iterator[Reached]:
    """Every node at a path."""
    if not tokens:
        yield Reached(place, above, node)
        return
    first, rest = tokens[0], tokens[1:]
    if first == LIST:
        if isinstance(node, list):
            for number, entry in enumerate(node, start=1):
                yield from reached_by(entry, rest, (*place, number), above)
    elif first == KEYS:
        if isinstance(node, dict):
            for key, entry in node.items():
                yield from reached_by(entry, rest, (*place, key), above)
    elif isinstance(node, dict):
        inner = cell_at(node, first)
        if inner is not None:
            yield from reached_by(inner, rest, place, (*above, (node, first)))
