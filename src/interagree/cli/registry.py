"""The commands there are: the modules of this folder, and those that other distributions add.

A module is a command where its first line says so, as in "`interagree measure` (Agreement, 12).": the name, the heading
that it is listed under, and its place.  The summary is the first line of the docstring of ``command``.  ``make names``
lists both, so that `interagree --help` imports none of them.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import click

from interagree._names import COMMANDS

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PLUG_INS = "Plug-ins"


class ListedCommand(NamedTuple):
    """A command as it is listed."""

    place: int
    name: str
    heading: str
    summary: str
    module: str

    def load(self) -> click.Command:
        """The command, imported now."""
        command: click.Command = importlib.import_module(f"interagree.cli.{self.module}").command
        return command


@cache
def commands() -> dict[str, ListedCommand]:
    """The commands of this folder by name, in the order they are listed."""
    return {name: ListedCommand(place, name, *rest) for place, name, *rest in COMMANDS}


def plug_ins() -> dict[str, EntryPoint]:
    """The commands that other distributions add, by the entry-point group ``interagree.commands``."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="interagree.commands") if point.name not in commands()}


def headings() -> dict[str, list[tuple[str, str]]]:
    """Names and summaries by heading."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for listed in commands().values():
        rows.setdefault(listed.heading, []).append((listed.name, listed.summary))
    added = [(name, "") for name in sorted(plug_ins())]
    return rows | ({PLUG_INS: added} if added else {})
