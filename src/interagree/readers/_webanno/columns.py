"""The columns of a table, as its first lines declare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interagree.data.files import Source
from interagree.errors import FormatError

SPAN, RELATION, CHAIN = "#T_SP=", "#T_RL=", "#T_CH="
# What a column holds.
BARE, FEATURE, ROLE, TARGET, BASE, TYPE, LINK = "bare", "feature", "role", "target", "base", "type", "link"


class Column(NamedTuple):
    """A column: the layer that it belongs to, and what it holds of it."""

    declared: str
    layer: str
    holds: str
    name: str  # of the feature, or of the layer that it refers to


def columns_of(source: Source, lines: Sequence[str]) -> tuple[list[Column], int]:
    """The columns of a table, and the line after those that declare them."""
    columns: list[Column] = []
    for number, line in enumerate(lines[1:], start=1):
        declared = next((prefix for prefix in (SPAN, RELATION, CHAIN) if line.startswith(prefix)), None)
        if declared is None:
            return columns, number
        layer, *names = line.removeprefix(declared).strip().split("|")
        if not layer:
            raise FormatError(f"{source.name}, line {number + 1}: expected the name of a layer, found {line!r:.60}")
        names = [name for name in names if name]
        before = ""
        for name in names:
            columns.append(_column(declared, layer, name, before))
            before = columns[-1].holds
        if not names:
            columns.append(Column(declared, layer, BARE, ""))
    return columns, len(lines)


def _column(declared: str, layer: str, name: str, before: str) -> Column:
    if declared == RELATION:
        if name.startswith("BT_"):
            return Column(declared, layer, BASE, name.removeprefix("BT_"))
        return Column(declared, layer, FEATURE, name)
    if declared == CHAIN:
        return Column(declared, layer, {"referenceType": TYPE, "referenceRelation": LINK}.get(name, FEATURE), name)
    if name.startswith("ROLE_"):
        feature = name.removeprefix("ROLE_").partition(":")[2].rpartition("_")[0]
        return Column(declared, layer, ROLE, feature or name)
    if before == ROLE:
        return Column(declared, layer, TARGET, name)
    return Column(declared, layer, FEATURE, name)
