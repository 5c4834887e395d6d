"""The commands there are: the modules of this folder, and those that other distributions add.

A module is a command where its first line says so, as in "`interagree measure` (Agreement, 12).": the name, the heading
that it is listed under, and its place.  The summary is the first line of the docstring of ``command``.  Both are read
from the source, so that `interagree --help` imports none of them.
"""

from __future__ import annotations

import importlib
import os
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import click

import interagree.cli

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

FIRST_LINE = re.compile(r'r?"""`interagree ([\w-]+)` \(([^,()]+), (\d+)\)')
SUMMARY = re.compile(r'^def command\(.*?\) -> None:\n    r?"""(.+?)(?:"""|\n)', re.DOTALL | re.MULTILINE)
PLUG_INS = "Plug-ins"


class Listed(NamedTuple):
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
def commands() -> dict[str, Listed]:
    """The commands of this folder by name, in the order they are listed."""
    listing = []
    for folder in interagree.cli.__path__:
        for file in os.listdir(folder):  # noqa: PTH208 -- pathlib takes longer to import than this does to run
            if file.endswith(".py"):
                with open(os.path.join(folder, file), encoding="utf-8") as source:  # noqa: PTH118, PTH123
                    listed = _listed(source.read(), file.removesuffix(".py"))
                listing += [] if listed is None else [listed]
    return {listed.name: listed for listed in sorted(listing)}


def _listed(source: str, module: str) -> Listed | None:
    first, summary = FIRST_LINE.match(source), SUMMARY.search(source)
    if first is None or summary is None:
        return None
    name, heading, place = first.groups()
    return Listed(int(place), name, heading, summary[1], module)


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
