"""Files with one entry that is something else: readers read them or say what is wrong."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from interagree.errors import InteragreeError
from interagree.readers import read

ODD = [None, 3, -1, 2.5, "x", "", [], {}, [1], {"a": 1}, True, [[1]], float("nan"), [None], "😀"]


def places(inside: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where everything stands in what JSON holds."""
    pairs = inside.items() if isinstance(inside, dict) else enumerate(inside) if isinstance(inside, list) else ()
    for key, part in pairs:
        yield (*path, key)
        yield from places(part, (*path, key))


def spoiled(content: Any, seed: int) -> Any:
    """The same with one entry that is something else, or gone."""
    rng = Random(seed)
    made = copy.deepcopy(content)
    *path, last = rng.choice(list(places(made)))
    inside = made
    for key in path:
        inside = inside[key]
    if rng.random() < 0.2:
        del inside[last]
    else:
        inside[last] = rng.choice(ODD)
    return made


def outcome(path: Path, **options: Any) -> Any:
    """A study, or what is wrong with the file."""
    try:
        return read(path, **options)
    except InteragreeError as error:
        return str(error)
