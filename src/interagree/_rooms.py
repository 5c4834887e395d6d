"""Public rooms: modules whose names are imported when they are first used.

The top level and the rooms for what people ask (``crowd``, ``judging``, ``measures``, ``people``, ``spans``,
``studies``) state their names and where each is defined once, in an ``__init__.pyi``, from which ``make names`` writes
the table that is read here.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from interagree._names import HOMES

TOP, MEASURES = "interagree", "interagree.measures"


class Room(ModuleType):
    """A module of public names, each imported on first use."""

    def __getattr__(self, name: str) -> object:
        if name == "__all__":
            return sorted(HOMES[self.__name__])
        home = HOMES[self.__name__].get(name)
        if home is None:
            public = _called_otherwise(self.__name__, name)
        elif home == self.__name__:
            public = importlib.import_module(f"{home}.{name}")  # a room of the top level
        else:
            public = getattr(importlib.import_module(home), name)
        self.__dict__[name] = public
        return public

    def __setattr__(self, name: str, value: object) -> None:
        # A function may be defined in a module of its name, and importing that module would put it in its place.
        if not (isinstance(value, ModuleType) and name in HOMES[self.__name__] and not isinstance(value, Room)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*HOMES[self.__name__], *(("__version__",) if self.__name__ == TOP else ())})


def called(name: str) -> str:
    """Where a public name is found, as it is written in Python."""
    return next((f"{room}.{name}" for room, names in HOMES.items() if name in names), f"{MEASURES}.{name}")


def everything() -> dict[str, object]:
    """All public names but those of rooms, each once, with what they are."""
    return {
        name: getattr(importlib.import_module(room), name)
        for room, names in sorted(HOMES.items())
        for name, home in names.items()
        if home != TOP
    }


def make_room(name: str) -> None:
    """Let a module that is being imported be a room."""
    sys.modules[name].__class__ = Room


def _is_module(room: str, name: str) -> bool:
    from importlib.util import find_spec

    return "." not in name and find_spec(f"{room}.{name}") is not None


def _called_otherwise(room: str, name: str) -> object:
    """A measure by another name, such as ``krippendorff_alpha``, or one of a plug-in."""
    unknown = f"module {room!r} has no attribute {name!r}"
    elsewhere = [f"{other}.{name}" for other, names in HOMES.items() if name in names]
    if elsewhere:
        raise AttributeError(f"{unknown}: it is {elsewhere[0]}")
    if name.startswith("_") or room not in (TOP, MEASURES) or _is_module(room, name):
        raise AttributeError(unknown)
    # Only a name that is not a public one needs more than this module.
    from interagree import plugins
    from interagree.errors import UnknownName

    try:
        measure = plugins.MEASURES[name]
    except UnknownName as error:
        raise AttributeError(f"{unknown}: {error}") from None
    known = getattr(measure, "__name__", name)
    if room == TOP and known not in HOMES[TOP]:
        raise AttributeError(f"{unknown}: it is {MEASURES}.{known}")
    return measure
