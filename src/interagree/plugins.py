"""The registries: what is built in is listed by folder, what others add by entry point.

A module ``interagree/measures/alpha.py`` is the measure ``alpha``; nothing else has to be edited, and ``make names``
lists it.  A distribution of its own adds to the entry-point groups ``interagree.measures``, ``interagree.distances``,
``interagree.readers``, ``interagree.writers``, ``interagree.kinds`` and ``interagree.commands``.  Nothing is imported
before it is asked for, and a plug-in that fails to import is reported by name when it is asked for and not before.

What people and other packages call a measure or a distance is declared with it (``aliases=``) and found here too, by
looking through all of them; so only an unknown name takes a moment.
"""

from __future__ import annotations

import difflib
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from interagree._names import MODULES
from interagree.errors import InteragreeError, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from interagree.declare import Distance
    from interagree.kinds import Kind

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """A lazy mapping from names to the functions that carry them."""

    def __init__(self, kind: str, *, word: str) -> None:
        self.kind = kind
        self.word = word
        self._built_in = frozenset(MODULES[kind])

    @cached_property
    def _plugged_in(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points

        return {point.name: point for point in entry_points(group=f"interagree.{self.kind}")}

    def __getitem__(self, name: str) -> T:
        if name in self._built_in:
            module = f"interagree.{self.kind}.{name}"
            loaded: T | None = getattr(sys.modules.get(module), name, None)  # a thread may be loading it just now
            if loaded is not None:
                return loaded
            thing: T = getattr(importlib.import_module(module), name)
            return thing
        if name in self._plugged_in:
            point = self._plugged_in[name]
            try:
                plugged_in: T = point.load()
            except (Exception, SystemExit) as error:
                raise InteragreeError(
                    f"the {self.word} {name!r} comes from {self.origin(name)}, which cannot be imported: {error}"
                ) from error
            if not _declared(plugged_in, self.kind):
                raise InteragreeError(
                    f"the {self.word} {name!r} comes from {self.origin(name)}, and what is there is not a {self.word} "
                    f"but of type {type(plugged_in).__name__}; {DECLARED[self.kind]}"
                )
            return plugged_in
        known = [_plain(name)] if _plain(name) in self else self._aliases.get(_plain(name), [])
        if len(known) == 1:
            return self[known[0]]
        if known:
            raise UnknownName(
                f"{name!r} may be {' or '.join(map(repr, known))}; say which {self.word} is meant, as in "
                f"interagree.measures.{known[0]}(…), or -m {known[0]} on the command line"
            )
        raise UnknownName(
            f"no {self.word} is called {name!r}.{self._did_you_mean(name)} "
            f"All are listed by: interagree list {self.kind}"
        )

    @cached_property
    def _aliases(self) -> dict[str, list[str]]:
        """The names that each alias stands for."""
        names: dict[str, list[str]] = {}
        for name in self:
            with suppress(InteragreeError):  # a plug-in that cannot be imported has no aliases
                thing = self[name]
                for alias in getattr(getattr(thing, "facts", thing), "aliases", ()):
                    names.setdefault(alias, []).append(name)
        return names

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._built_in | self._plugged_in.keys()))

    def __len__(self) -> int:
        return len(self._built_in | self._plugged_in.keys())

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._plugged_in

    def _did_you_mean(self, name: str) -> str:
        """The names that contain this one as a word, else the nearest ones."""
        spelled = {known: [known] for known in self} | self._aliases
        near = [known for known in self if _plain(name) in known.split("_")]
        for cutoff in (0.85, 0.6):
            near = near or difflib.get_close_matches(_plain(name), [*spelled], n=3, cutoff=cutoff)
        names = [*dict.fromkeys(known for spelling in near for known in spelled[spelling])][:3]
        return f" Did you mean {' or '.join(map(repr, names))}?" if names else ""

    def origin(self, name: str) -> str:
        """The distribution that a name comes from."""
        if name in self._built_in:
            return "interagree"
        if name not in self._plugged_in:
            self[name]
        distribution = self._plugged_in[name].dist
        return "an unnamed distribution" if distribution is None else distribution.name


# How each sort of thing is declared; it is told to who plugs in something else.
DECLARED = {
    "measures": "declare it with @interagree.declare.measure",
    "distances": "declare it with @interagree.declare.distance",
    "readers": "declare it with @interagree.declare.reader",
    "writers": "declare it with @interagree.declare.writer",
    "kinds": "make it an interagree.kinds.Kind",
}


def _declared(thing: object, kind: str) -> bool:
    """Whether something is what its entry point says; the classes are known by name, since all of them lie above."""
    facts = type(getattr(thing, "facts", None)).__name__
    wanted = {"measures": facts == "Facts", "readers": facts == "ReaderFacts", "writers": facts == "WriterFacts"}
    return wanted.get(kind, type(thing).__name__ in ("Distance", "Kind"))


def _plain(name: str) -> str:
    """A name in snake case: 'kripp.alpha' as 'kripp_alpha', 'Cohen-Kappa' as 'cohen_kappa'."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")


MEASURES: Registry[Any] = Registry("measures", word="measure")
DISTANCES: Registry[Distance] = Registry("distances", word="distance")
READERS: Registry[Any] = Registry("readers", word="reader")
WRITERS: Registry[Any] = Registry("writers", word="writer")
KINDS: Registry[Kind] = Registry("kinds", word="kind of value")
