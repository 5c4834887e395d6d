"""What cells say: annotations that may be stacked, go on over several rows, and refer to others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.readers._layers import DEPENDENCY, TOKENS, Annotated, Arc, Chain, LayerSpan
from interagree.readers._webanno.columns import BASE, CHAIN, FEATURE, LINK, RELATION, ROLE, TARGET, TYPE, Column

NOTHING, NO_VALUE = "_", "*"
NUMBERED = re.compile(r"(.*)\[(\d+(?:_\d+)?)\]", re.DOTALL)
LINKED = re.compile(r"(.*)->(\d{1,9})-(\d{1,9})", re.DOTALL)
ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
LETTERS = {"t": "\t", "n": "\n", "r": "\r"}


class Reference(NamedTuple):
    """A relation or a slot whose ends are not known until all rows are read."""

    line: int
    arc: Arc
    head: tuple[str, str, int]  # the row, the layer and the number of an annotation
    tail: tuple[str, str, int]


class Cells:
    """The annotations of a table in the making."""

    def __init__(self, source: Source, columns: Sequence[Column], document: Annotated) -> None:
        self.source, self.document = source, document
        self.layers = [list(group) for _, group in groupby(enumerate(columns), key=lambda at: at[1][:2])]
        self.units: dict[str, tuple[int, int]] = {}
        self.at: dict[tuple[str, str], list[LayerSpan]] = {}  # by row and layer
        self.numbered: dict[int, LayerSpan] = {}
        self.chained: dict[tuple[str, int, int], LayerSpan] = {}
        self.references: list[Reference] = []

    def take(self, line: int, unit: str, place: tuple[int, int], cells: Sequence[str]) -> None:
        """Keep what a row says."""
        if unit in self.units:
            raise FormatError(f"{self._where(line)}: the token {unit} stands in an earlier line, too")
        self.units[unit] = place
        if "." not in unit:
            self.document.tokens.append(place)
        for layer in self.layers:
            stacks = [split(cells[at], "|") if cells[at] != NOTHING else [] for at, _ in layer]
            for depth in range(max(map(len, stacks))):
                given = [
                    (column, stack[depth])
                    for (_, column), stack in zip(layer, stacks, strict=True)
                    if depth < len(stack)
                ]
                self._annotation(line, unit, given)

    def _annotation(self, line: int, unit: str, given: Sequence[tuple[Column, str]]) -> None:
        declared = given[0][0].declared
        if declared == RELATION:
            self._relation(line, unit, given)
        elif declared == CHAIN:
            self._member(line, unit, given)
        else:
            self._span(line, unit, given)

    def _span(self, line: int, unit: str, given: Sequence[tuple[Column, str]]) -> None:
        layer = given[0][0].layer
        parts = [
            (column, *numbered(value)) if column.holds != TARGET else (column, value, 0) for column, value in given
        ]
        number = next((number for *_, number in parts if number), 0)
        mark = self.numbered.get(number)
        fresh = mark is None or mark.layer != layer
        if mark is None or fresh:
            mark = LayerSpan(layer, *self.units[unit])
            self.document.marks.append(mark)
            if number:
                self.numbered[number] = mark
        else:
            mark.start, mark.end = min(mark.start, self.units[unit][0]), max(mark.end, self.units[unit][1])
        self.at.setdefault((unit, layer), []).append(mark)
        for column, value, _ in parts:
            if column.holds == FEATURE:
                self._feature(line, mark.features, column, value)
        if fresh:
            self._slots(line, mark, [(column, value) for column, value, _ in parts])

    def _feature(self, line: int, features: dict[str, str], column: Column, value: str) -> None:
        if value == NO_VALUE:
            return
        plain = unescape(value)
        if features.setdefault(column.name, plain) != plain:
            raise FormatError(
                f"{self._where(line)}: an annotation of {column.layer!r} has {column.name} {plain!r:.40} here and "
                f"{features[column.name]!r:.40} in a line before"
            )

    def _slots(self, line: int, mark: LayerSpan, parts: Sequence[tuple[Column, str]]) -> None:
        roles: list[str] = []
        name = ""
        for column, value in parts:
            if column.holds == ROLE:
                roles, name = split(value, ";"), column.name
            elif column.holds == TARGET:
                for at, target in enumerate(split(value, ";")):
                    if target in {NO_VALUE, NOTHING}:
                        continue
                    place, number = numbered(target)
                    role = roles[at] if at < len(roles) else NO_VALUE
                    arc = Arc(mark.layer, mark, mark, {} if role == NO_VALUE else {"role": unescape(role)}, name)
                    self.references.append(Reference(line, arc, ("", "", 0), (place, column.name, number)))
                roles = []

    def _relation(self, line: int, unit: str, given: Sequence[tuple[Column, str]]) -> None:
        column = given[0][0]
        features: dict[str, str] = {}
        here = LayerSpan("", *self.units[unit])
        for part, value in given:
            if part.holds == FEATURE:
                self._feature(line, features, part, numbered(value)[0])
            elif part.holds == BASE:
                match = NUMBERED.fullmatch(value)
                place, ids = (match[1], match[2]) if match else (value, "0_0")
                head, tail = (int(id_[:9]) for id_ in (f"{ids}_0").split("_")[:2])
                base = TOKENS if column.layer == DEPENDENCY else part.name
                self.references.append(
                    Reference(line, Arc(column.layer, here, here, features), (place, base, head), (unit, base, tail))
                )

    def _member(self, line: int, unit: str, given: Sequence[tuple[Column, str]]) -> None:
        layer = given[0][0].layer
        link = next((LINKED.fullmatch(value) for column, value in given if column.holds == LINK), None)
        if link is None:
            raise FormatError(f"{self._where(line)}: expected a link of a chain as '*->1-1', found {given[0][1]!r:.40}")
        key = (layer, int(link[2]), int(link[3]))
        start, end = self.units[unit]
        mark = self.chained.setdefault(key, LayerSpan(layer, start, end))
        mark.start, mark.end = min(mark.start, start), max(mark.end, end)
        for column, value in given:
            if column.holds == TYPE:
                self._feature(line, mark.features, column, numbered(value)[0])
            elif column.holds == LINK and link[1] != NO_VALUE:
                self._feature(line, mark.features, column, link[1])

    def resolve(self) -> None:
        """Find what relations and slots refer to, and put chains together."""
        for line, arc, head, tail in self.references:
            if head[0]:
                arc.head = self._target(line, *head)
            arc.tail = self._target(line, *tail)
            self.document.arcs.append(arc)
        chains: dict[tuple[str, int], list[LayerSpan]] = {}
        for (layer, chain, _), mark in sorted(self.chained.items(), key=lambda entry: entry[0]):
            chains.setdefault((layer, chain), []).append(mark)
        self.document.chains += [Chain(layer, marks) for (layer, _), marks in chains.items()]
        self.document.marks += [mark for mark in self.chained.values() if mark.features]

    def _target(self, line: int, unit: str, layer: str, number: int) -> LayerSpan:
        """The annotation of a layer on a row; the row itself where it is of none."""
        if unit not in self.units:
            raise FormatError(f"{self._where(line)}: there is no token {unit!r:.40} to refer to")
        if number and number in self.numbered:
            return self.numbered[number]
        marks = self.at.get((unit, layer), [])
        return marks[0] if marks else LayerSpan(layer, *self.units[unit])

    def _where(self, line: int) -> str:
        return f"{self.source.name}, line {line}"


def split(text: str, sign: str) -> list[str]:
    """A cell cut at a sign that no backslash stands before."""
    if sign not in text:
        return [text]
    parts = [""]
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            parts[-1] += text[at : at + 2]
            at += 2
            continue
        if text[at] == sign:
            parts.append("")
        else:
            parts[-1] += text[at]
        at += 1
    return parts


def numbered(value: str) -> tuple[str, int]:
    """A value without the number in brackets that tells its annotation apart, and the number."""
    match = NUMBERED.fullmatch(value)
    if match is None or value.endswith("\\]") or len(match[2]) > 9 or "_" in match[2]:
        return value, 0
    return match[1], int(match[2])


def unescape(value: str) -> str:
    """A value without the backslashes before signs that mean something in a table."""
    return ESCAPED.sub(lambda sign: LETTERS.get(sign[1], sign[1]), value) if "\\" in value else value
