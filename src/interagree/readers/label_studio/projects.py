"""Which questions were asked in which project.

A file does not hold the labelling interface of its project.  An annotation without a box says that somebody saw no box
only if boxes could be drawn there at all: in a project in which somebody drew one, or in one of the same interface, as
where every annotator has a project.  Projects have the same interface where they use a control of the same name and
type in common.  One in which nobody marked or answered anything is taken to have that of the projects whose tasks it
shows, or whose number it has with data of the same names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeAlias

from interagree.readers.label_studio.regions import TaskAnnotation

Control: TypeAlias = tuple[str, str, str]  # the name of the question, the type of answer, and what it is about


class Projects:
    """The projects of files, and which of them belong together."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, Hashable], int] = {}
        self._like: list[tuple[Hashable, frozenset[str]]] = []  # the number of each, and the names of what it shows
        self._root: list[int] = []

    def group(self, file: str, project: object, data: Mapping[str, object]) -> int:
        """The place of a project of a file in the list of all."""
        number = project if isinstance(project, str | int) else None
        group = self._numbers.setdefault((file, number), len(self._numbers))
        if group == len(self._like):
            self._like.append((number, frozenset(data)))
            self._root.append(group)
        return group

    def link(self, controls: Mapping[int, set[Control]], annotations: Iterable[TaskAnnotation]) -> None:
        """Find out which projects have one interface."""
        if len(self._root) < 2:
            return
        first: dict[Hashable, int] = {}
        for group, used in controls.items():
            for control in used:
                self._join(group, first.setdefault(control, group))
        silent = {group for group in range(len(self._root)) if not controls.get(group)}
        if silent:
            self._link_silent(silent, [*annotations])

    def _link_silent(self, silent: set[int], annotations: list[TaskAnnotation]) -> None:
        """Join projects in which nobody marked or answered anything with those that show the same tasks."""
        shown = {annotation.item: annotation.group for annotation in annotations if annotation.group not in silent}
        for annotation in annotations:
            if annotation.group in silent and annotation.item in shown:
                self._join(annotation.group, shown[annotation.item])
        like = {self._like[group]: group for group in range(len(self._root)) if group not in silent}
        for group in silent:
            if self._like[group] in like:
                self._join(group, like[self._like[group]])

    def root(self, group: int) -> int:
        """One project for all of the same interface."""
        while self._root[group] != group:
            group = self._root[group]
        return group

    def _join(self, one: int, other: int) -> None:
        self._root[self.root(one)] = self.root(other)
