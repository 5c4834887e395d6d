"""The registries: what is built in is found by folder, what others add by entry point.

A module ``interagree/measures/alpha.py`` is the measure ``alpha``; nothing else has to be edited.  A
distribution of its own adds to the entry-point groups ``interagree.measures``, ``interagree.distances``,
``interagree.readers`` and ``interagree.commands``.  Nothing is imported before it is asked for, and a
plug-in that fails to import is reported by name when it is asked for and not before.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interagree.errors import InteragreeError, UnknownName, listing, suggestion

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Registry(Mapping[str, Any]):
    """A lazy mapping from names to the functions that carry them."""

    def __init__(self, kind: str, *, word: str) -> None:
        self.kind = kind
        self.word = word

    @cached_property
    def _built_in(self) -> frozenset[str]:
        folder = Path(__file__).parent / self.kind
        return frozenset(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))

    @cached_property
    def _plugged_in(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points

        return {point.name: point for point in entry_points(group=f"interagree.{self.kind}")}

    def __getitem__(self, name: str) -> Any:
        if name in self._built_in:
            return getattr(importlib.import_module(f"interagree.{self.kind}.{name}"), name)
        if name in self._plugged_in:
            point = self._plugged_in[name]
            try:
                return point.load()
            except Exception as error:
                raise InteragreeError(
                    f"the {self.word} {name!r} comes from {self.origin(name)}, which cannot be imported: {error}"
                ) from error
        raise UnknownName(
            f"no {self.word} is called {name!r}.{self._meant(name)} (known: {listing(self, most=40, quote=False)})"
        )

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._built_in | self._plugged_in.keys()))

    def __len__(self) -> int:
        return len(self._built_in | self._plugged_in.keys())

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._plugged_in

    def _meant(self, name: str) -> str:
        """All names that have this one as a word of theirs (cohen_kappa for kappa), else the nearest one."""
        longer = [known for known in self if name in known.split("_")]
        return f" Did you mean {' or '.join(map(repr, longer))}?" if longer else suggestion(name, self)

    def origin(self, name: str) -> str:
        """The distribution that a name comes from."""
        if name in self._built_in:
            return "interagree"
        if name not in self._plugged_in:
            self[name]
        found = self._plugged_in[name].dist
        return found.name if found is not None else "an unnamed distribution"


MEASURES = Registry("measures", word="measure")
DISTANCES = Registry("distances", word="distance")
READERS = Registry("readers", word="reader")
KINDS = Registry("kinds", word="kind of value")
