"""The picture of one document: who marked what where, and which units were aligned.

A lane for each annotator, a bar for each unit, coloured by category and lettered where colours do not suffice.  Units
that overlap lie below one another in their lane.  Aligned units carry one number in a terminal, and are joined by lines
in a picture; beside them stands the disorder of each cluster, the mean of how unlike its units are over all pairs of
annotators.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple, Unpack, overload

import numpy as np

from interagree.data import IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Annotator, Item
from interagree.declare import takes_data
from interagree.documents.texts import Documents
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion, visible
from interagree.results.answer import Answer
from interagree.results.cells import cut_to, terminal_line, width_of
from interagree.results.cells import visible as shape
from interagree.results.charts.colours import COLOURS
from interagree.results.document import Document, Section
from interagree.results.narrow import shortened
from interagree.stats.documents.alignment import Alignment, best
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.unit_categories import Categories
from interagree.stats.documents.unit_documents import UnitDocument, UnitDocuments
from interagree.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.text import Text as RichText

NO_CATEGORY = "no category"
QUOTED = 24  # letters of what is written in a unit
NARROW, WIDE = 40, 240  # columns that a picture in a terminal has at least and at most
FULL, LAST, AXIS, TICK = "█", "▌", "─", "┬"


class ColouredStretch(NamedTuple):
    """A stretch of a line in a terminal, and the category that colours it."""

    text: str
    category: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Timeline(Answer):
    """One document with its units, and their alignment."""

    name: Item
    annotators: tuple[Annotator, ...]
    categories: tuple[str, ...]
    continuum: Continuum
    first: float  # where the first unit begins
    unlike: Dissimilarity
    alignment: Alignment | None
    source: str = ""  # the text of the document; empty where it is not known, or positions are not characters

    def tables(self) -> dict[str, Table]:
        """The clusters."""
        return {"clusters": self.clusters()}

    def document(self, *, drawing: bool = True) -> Document:
        """The lanes, and the clusters with their disorder.

        Args:
            drawing: Whether the lanes are part of it; not where they were drawn already.
        """
        clusters = self.clusters()
        data: dict[str, object] = {"document": self.name, "annotators": self.annotators}
        sections = [Section(lines=self.text().split("\n"), verbatim=True)] if drawing else []
        if self.alignment is not None:
            cost, disorder, gap = self.alignment.cost, self.alignment.disorder, self.alignment.gap
            data |= {"disorder": disorder, "cost": cost, "gap": gap, "clusters": clusters}
            line = (
                f"Observed disorder {disorder:.3f}: cost {cost:.3f} of {len(clusters)} clusters, "
                f"over {self.continuum.mean_units:g} units an annotator"
                f"{f', at most {gap:.3g} above the best cost' if gap else ''}."
            )
            sections.append(Section("Clusters", lines=[line], table=clusters))
        return Document("", sections, data, clusters)

    def ordered(self) -> list[tuple[int, ...]]:
        """The clusters by where they lie."""
        c = self.continuum
        clusters = self.alignment.clusters if self.alignment is not None else ()
        return sorted(clusters, key=lambda s: (min(c.begin[k] for k in s), min(c.end[k] for k in s), s))

    def cost(self, cluster: Sequence[int]) -> float:
        """The disorder of a cluster: how unlike its units are, over all pairs of annotators, empty units included."""
        c, everything = self.continuum, self.continuum.annotators * (self.continuum.annotators - 1) // 2
        pairs = list(combinations(cluster, 2))
        i, j = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        inside = float(self.unlike.pairs(c, i, j).sum())
        return (inside + (everything - len(pairs)) * self.unlike.empty) / everything

    def clusters(self) -> Table:
        """A row for each cluster: what every annotator marked there, and its disorder."""
        heads = [str(name) for name in self.annotators]
        taken = {"cluster", "disorder"}
        heads = [f"{name} ({place + 1})" if name in taken or heads.count(name) > 1 else name
                 for place, name in enumerate(heads)]  # fmt: skip
        rows = []
        for number, cluster in enumerate(self.ordered(), start=1):
            row: dict[str, object] = {"cluster": number, **dict.fromkeys(heads)}
            for unit in cluster:
                row[heads[int(self.continuum.who[unit])]] = self.unit(unit)
            rows.append({**row, "disorder": self.cost(cluster)})
        return Table.of(rows, names=["cluster", *heads, "disorder"])

    def unit(self, unit: int) -> str:
        """A unit in words: where it lies, what it is, and what is written there."""
        c = self.continuum
        place = f"{self.first + c.begin[unit]:g}–{self.first + c.end[unit]:g} {self.categories[c.category[unit]]}"
        passage = self.passage(self.first + float(c.begin[unit]), self.first + float(c.end[unit]))
        return f"{place} “{cut_to(passage, QUOTED)}”" if passage else place

    def passage(self, begin: float, end: float) -> str:
        """What is written between two places, each letter with a shape; empty where the text is not known."""
        return "".join(map(shape, self.source[round(begin) : round(end)]))

    def lines(self, width: int = 80) -> list[list[ColouredStretch]]:
        """The lanes as lines of text: the letter of the category, the number of the cluster, and a bar."""
        names = [shortened(visible(str(name)), width // 4) for name in self.annotators]
        margin = max(map(len, names)) + 2
        room = min(max(width, NARROW), WIDE) - margin
        made = []
        for place, name in enumerate(names):
            for row, text in enumerate(self._lanes(place, room)):
                made.append([ColouredStretch((name if not row else "").ljust(margin)), *text])
        return [*made, *self._axis(margin, room), *self._written(margin, room)]

    def _written(self, margin: int, room: int) -> list[list[ColouredStretch]]:
        """The text below the axis, every word where it begins, in a document that is short enough."""
        text = self.passage(self.first, self.first + self.length)
        if not text or self.length > room or width_of(text) != len(text):
            return []
        line = [" "] * room
        for word in re.finditer(r"\S+", text):
            start = min(round(word.start() / self.length * room), room - len(word[0]))
            line[start : start + len(word[0])] = word[0]
        return [[ColouredStretch(" " * margin + terminal_line("".join(line).rstrip()))]]

    def text(self, width: int = 80) -> str:
        """The picture as text, with what the letters mean."""
        drawn = ["".join(piece.text for piece in line).rstrip() for line in self.lines(width)]
        return "\n".join([*drawn, *self.legend()])

    def __str__(self) -> str:
        return self.text()

    def legend(self) -> list[str]:
        """What the letters mean."""
        return [f"{self.letter(code)}  {visible(str(name))}" for code, name in enumerate(self.categories)]

    def letter(self, category: int) -> str:
        """The letter of a category; a star for those after the 52nd."""
        return ascii_letters[category] if category < len(ascii_letters) else "*"

    def rich(self, width: int = 80) -> RichText:
        """The picture in colour, for a terminal."""
        from rich.text import Text

        drawn = Text(no_wrap=True, overflow="ignore")
        for line in self.lines(width):
            for piece in line:
                drawn.append(piece.text, "" if piece.category is None else f"{self.colour(piece.category)} reverse")
            drawn.append("\n")
        for code, name in enumerate(self.categories):
            drawn.append(f" {self.letter(code)} ", f"{self.colour(code)} reverse")
            drawn.append(f" {visible(str(name))}\n")
        return drawn

    @staticmethod
    def colour(category: int) -> str:
        """The colour of a category; six are told apart by colour, and letters tell the rest."""
        return COLOURS[category % len(COLOURS)]

    @property
    def has_categories(self) -> bool:
        """Whether units have categories."""
        return len(self.categories) > 1 or self.categories != (NO_CATEGORY,)

    @property
    def length(self) -> float:
        """How far the units reach."""
        return float(self.continuum.end.max(initial=0.0)) or 1.0

    def _numbers(self) -> dict[int, str]:
        return {
            unit: str(number)
            for number, cluster in enumerate(self.ordered(), start=1)
            for unit in cluster
            if len(cluster) > 1
        }

    def rows(self, annotator: int) -> list[list[int]]:
        """The units of an annotator in rows without overlap."""
        c = self.continuum
        rows: list[list[int]] = []
        for unit in np.flatnonzero(c.who == annotator).tolist():
            row = next((lane for lane in rows if c.end[lane[-1]] <= c.begin[unit]), None)
            if row is None:
                rows.append([unit])
            else:
                row.append(unit)
        return rows

    def _lanes(self, annotator: int, room: int) -> Iterator[list[ColouredStretch]]:
        c, numbers = self.continuum, self._numbers()
        rows = self.rows(annotator)
        if not rows:
            yield [ColouredStretch("(nothing marked)")]
        waiting = [list(row) for row in rows]
        while waiting:
            row, later, pieces, at = waiting.pop(0), [], [], 0
            for unit in row:
                start = min(round(c.begin[unit] / self.length * room), room - 1)
                end = max(min(round(c.end[unit] / self.length * room), room), start + 1)
                if start < at:  # too small to be told apart from the one before
                    later.append(unit)
                    continue
                pieces.append(ColouredStretch(" " * (start - at)))
                pieces.append(ColouredStretch(self._bar(unit, end - start, numbers), int(c.category[unit])))
                at = end
            yield pieces
            if later:
                waiting.insert(0, later)

    def _bar(self, unit: int, cells: int, numbers: dict[int, str]) -> str:
        letter = self.letter(int(self.continuum.category[unit]))
        head = letter + numbers.get(unit, "")
        head = head if len(head) <= cells else letter
        return head + FULL * (cells - len(head) - 1) + LAST * (cells > len(head))

    def _axis(self, margin: int, room: int) -> list[list[ColouredStretch]]:
        count = max(2, min(5, room // 16))
        places = [round(k * (room - 1) / (count - 1)) for k in range(count)]
        rule = "".join(TICK if at in places else AXIS for at in range(room))
        numbers = [" "] * room
        step = self.length / (count - 1)
        digits = max(0, 1 - math.floor(math.log10(step))) if step > 0 else 0
        for k, at in enumerate(places):
            number = self.first + step * k
            word = f"{number:.6g}" if number == round(number) else f"{number:.{digits}f}"
            start = min(max(at - len(word) // 2, 0), room - len(word))
            numbers[start : start + len(word)] = word
        return [[ColouredStretch(" " * margin + rule)], [ColouredStretch(" " * margin + "".join(numbers))]]

    def plot(self, path: str | Path | None = None, *, axes: Axes | None = None) -> Axes | Path:
        """The picture with Matplotlib.

        Args:
            path: Where to write it (.svg, .png or .pdf).
            axes: Where to draw it; new axes by default.

        Returns:
            The path, or the axes where no path is given.
        """
        from interagree.spans.timeline_figure import drawn

        return drawn(self, path, axes)


class TimelineOptions(ReadingOptions, total=False):
    """The keywords of `timeline` but for the path."""

    align: bool | Alignment
    alpha: float
    beta: float
    empty: float
    limit: float | None


@overload
def timeline(
    data: IntoAnnotations, document: Item | None = None, *, path: None = None, **options: Unpack[TimelineOptions]
) -> Timeline: ...
@overload
def timeline(
    data: IntoAnnotations, document: Item | None = None, *, path: str | Path, **options: Unpack[TimelineOptions]
) -> Path: ...
@takes_data
def timeline(
    data: IntoAnnotations,
    document: Item | None = None,
    *,
    path: str | Path | None = None,
    align: bool | Alignment = True,
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    limit: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Timeline | Path:
    """The picture of one document: lanes of annotators, units by category, and which of them are aligned.

    Args:
        data: A study whose values are spans.
        document: Which item; the first one that several annotators looked at where none is named.
        path: A file to write the picture to, .svg, .png or .pdf; the path is then the result.
        align: Whether units are aligned; or the alignment of the document that is to be shown.
        alpha: How much positions count.
        beta: How much categories count.
        empty: The cost of an unaligned unit.
        limit: Seconds after which the alignment need not be proven the best.

    Returns:
        A `Timeline`, which prints as text, or the path of the picture.

    Examples:
        >>> import interagree as ia
        >>> units = [("d", "ann", ((0, 30, "PER"),)), ("d", "bo", ((0, 40, "PER"),))]
        >>> print(ia.spans.timeline(ia.Annotations.of(units, kind="spans")).table().columns["ann"])
        ['0–30 PER']
    """
    texts = UnitDocuments.of(as_annotations(data), who="a picture of units")
    chosen = _chosen(texts, document)
    unlike = Dissimilarity(Categories.of(texts, None).table, alpha, beta, empty)
    made = _timeline(texts, chosen, unlike, align=align, limit=limit)
    if path is None:
        return made
    made.plot(path)
    return Path(path)


def documents(data: IntoAnnotations) -> list[Item]:
    """The documents that have a picture: several annotators looked at them, and somebody marked something."""
    texts = UnitDocuments.of(as_annotations(data), who="a picture of units")
    return [texts.study.items[marked.item] for marked in texts.documents]


def _chosen(texts: UnitDocuments, document: Item | None) -> UnitDocument:
    names = {texts.study.items[marked.item]: marked for marked in texts.documents}
    if not names:
        raise DataError("no document was looked at by two annotators, so there is nothing to draw side by side")
    if document is None:
        return next(iter(names.values()))
    if document in names:
        return names[document]
    spelled = {str(name): marked for name, marked in names.items()}
    if str(document) in spelled:
        return spelled[str(document)]
    if document in texts.study.items:
        raise DataError(f"document {document!r} has the units of fewer than two annotators, or no unit at all")
    raise UnknownName(
        f"there is no document {document!r}; there are {listing(names)}.{suggestion(str(document), spelled)}"
    )


def _timeline(
    texts: UnitDocuments, chosen: UnitDocument, unlike: Dissimilarity, *, align: bool | Alignment, limit: float | None
) -> Timeline:
    # Annotators stand in the order of the study, whatever order the units are kept in.
    lanes = sorted(range(len(chosen.who)), key=lambda place: chosen.who[place])
    lane_of = np.empty(len(lanes), dtype=np.intp)
    lane_of[lanes] = np.arange(len(lanes))
    kept = chosen.continuum
    order = np.lexsort((kept.category, kept.end, kept.begin, lane_of[kept.who]))
    used = np.unique(kept.category)
    c = Continuum(
        kept.annotators, lane_of[kept.who][order], kept.begin[order], kept.end[order],
        np.searchsorted(used, kept.category[order]),
    )  # fmt: skip
    here = Dissimilarity(unlike.table[np.ix_(used, used)], unlike.alpha, unlike.beta, unlike.empty)
    if isinstance(align, Alignment):
        strange = [unit for cluster in align.clusters for unit in cluster if not 0 <= unit < len(kept)]
        if strange:
            raise KindError(f"the alignment is of another document: it has a unit {strange[0]}, this has {len(kept)}")
        place = np.argsort(order)
        moved = tuple(tuple(sorted(int(place[unit]) for unit in cluster)) for cluster in align.clusters)
        aligned: Alignment | None = Alignment(moved, align.cost, align.disorder, align.gap)
    else:
        aligned = best(c, here, limit=limit) if align else None
    return Timeline(
        texts.study.items[chosen.item],
        tuple(texts.study.annotators[chosen.who[place]] for place in lanes),
        tuple(NO_CATEGORY if (name := texts.labels[code]) is None else name for code in used),
        c,
        chosen.first,
        here,
        aligned,
        _source(texts, chosen),
    )


def _source(texts: UnitDocuments, chosen: UnitDocument) -> str:
    """The text of a document whose positions are characters of it; empty where they are not, or do not fit it."""
    documents = Documents.of(texts.study)
    text = documents.text(chosen.item) or ""
    reach = chosen.first + float(chosen.continuum.end.max(initial=0.0))
    return text if documents.positions == "characters" and reach <= len(text) else ""
