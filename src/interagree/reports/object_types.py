"""Types of disagreement about objects in images: whether there is one, where it is, and what it is called.

The objects of every two annotators of an image are paired one to one, whatever their labels, so that the sum of their
intersections over unions is as large as can be; this is the pairing of the distance ``iou:labels=ignore``.  Two objects
that overlap by less than ``least`` are not paired.  Of pairings as good the one with more equal labels is taken.  Each
pair, and each object left over, is of one type:

| type | |
|---|---|
| agreed | they overlap by at least ``close``, and have the same label |
| place | the same label, but they overlap by less |
| label | they overlap by at least ``close``, and have different labels |
| both | they overlap by less, and have different labels |
| alone | an object of one of the two that is paired with none of the other |

The types and the lower bound are those of Bolya et al. (2020), with two people in place of a detector and the truth;
their ``close`` is 0.5.  Overlap is intersection over union: of boxes, polygons or masks, and for keypoints of the
smallest boxes around them.

Bolya, D., Foley, S., Hays, J. & Hoffman, J. (2020). TIDE: A general toolbox for identifying object detection errors.
European Conference on Computer Vision, 558-573.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Floats, Indices
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Values
from interagree.declare import takes_data
from interagree.errors import KindError, listing
from interagree.kernels.assignment import heaviest
from interagree.kernels.ragged import ragged
from interagree.kinds._objects import Regions
from interagree.plugins import KINDS
from interagree.results.answer import Answer
from interagree.results.charts import Bars
from interagree.results.charts.tables import bars
from interagree.results.document import Document, Section
from interagree.stats.documents.span_pairs import ValuePairs, value_pairs
from interagree.stats.engine.compress import totals
from interagree.stats.pairs.pair_sums import known_annotators
from interagree.tables import Table

TYPES = ("agreed", "place", "label", "both", "alone")
AGREED, PLACE, LABEL, BOTH, ALONE = range(len(TYPES))
NONE = -1
CLOSE, LEAST = 0.75, 0.1  # overlap from which objects are in one place, and from which they are one object
HAIR = 1e-9  # what decides between pairings that are as good
AT_ONCE = 1_000_000  # pairs of objects that are compared at once
MOST = 20  # labels and annotators that a report lists

Label = str | int | None


@dataclass(frozen=True)
class ObjectTypes(Answer):
    """All objects of every two annotators by what became of them."""

    study: Annotations
    pairs: ValuePairs
    names: tuple[Label, ...]  # of labels; one None where objects have none
    close: float
    kind: NDArray[np.int8]  # a place in `TYPES`, for each event
    pair: Indices  # … the distinct pair of values
    x: Indices  # … the label of the first annotator's object; -1 where there is none
    y: Indices  # … and of the second's

    @cached_property
    def times(self) -> Indices:
        """How many pairs of annotations have each distinct pair of values."""
        return np.bincount(self.pairs.pattern, minlength=len(self.pairs.i))

    def counts(self) -> Table:
        """How many there are of each type, the commonest disagreement first."""
        many = totals(self.kind, self.times[self.pair], len(TYPES))
        total, wrong = float(many.sum()), float(many[1:].sum())
        order = [AGREED, *(1 + np.argsort(-many[1:], kind="stable")).tolist()]
        rows = [
            {
                "type": TYPES[k],
                "number": int(many[k]),
                "share": float(many[k]) / total,
                "of disagreements": float(many[k]) / wrong if wrong and k else None,
            }
            for k in order
            if many[k]
        ]
        return Table.of(rows, names=("type", "number", "share", "of disagreements"))

    def by_label(self) -> Table:
        """For each label how many objects that have it are of each type, and with which label they are confused most.

        A pair counts for both of its labels where they differ.
        """
        size = len(self.names)
        many = np.zeros((size, len(TYPES)))
        weight = self.times[self.pair]
        for label, counted in ((self.x, self.x >= 0), (self.y, (self.y >= 0) & (self.y != self.x))):
            np.add.at(many, (label[counted], self.kind[counted]), weight[counted])
        crossed = np.zeros((size, size))
        differ = (self.x >= 0) & (self.y >= 0) & (self.x != self.y)
        np.add.at(crossed, (self.x[differ], self.y[differ]), weight[differ])
        crossed += crossed.T
        order = sorted(range(size), key=lambda k: (-many[k, 1:].sum(), str(self.names[k])))
        rows = [
            {
                "of label": self.names[k],
                **{name: int(many[k, code]) for code, name in enumerate(TYPES)},
                "confused with": self.names[int(crossed[k].argmax())] if crossed[k].any() else None,
            }
            for k in order
            if many[k].any()
        ]
        return Table.of(rows, names=("of label", *TYPES, "confused with"))

    def by_annotator(self) -> Table:
        """For each annotator the same against all others; objects alone are theirs (extra) or another's (missing)."""
        study, pairs = self.study, self.pairs
        sides = np.where(self.kind == ALONE, np.where(self.x >= 0, ALONE, ALONE + 1), self.kind)
        by_pair = np.zeros((len(pairs.i), len(TYPES) + 1))
        np.add.at(by_pair, (self.pair, sides), 1)
        many = np.zeros((len(study.annotators), len(TYPES) + 1))
        np.add.at(many, study.annotator[pairs.first], by_pair[pairs.pattern])
        turned = [*range(ALONE), ALONE + 1, ALONE]
        np.add.at(many, study.annotator[pairs.second], by_pair[pairs.pattern][:, turned])
        names = (*TYPES[:ALONE], "extra", "missing")
        with np.errstate(all="ignore"):
            share = 1 - many[:, AGREED] / many.sum(axis=1)
        there = np.flatnonzero(many.any(axis=1))
        rows = [
            {
                "annotator": study.annotators[code],
                **{name: int(many[code, k]) for k, name in enumerate(names)},
                "disagreement": float(share[code]),
            }
            for code in there[np.argsort(-share[there], kind="stable")].tolist()
        ]
        return Table.of(rows, names=("annotator", *names, "disagreement"))

    def of_items(self) -> list[list[int]]:
        """For each item of the study the types of disagreement that it has, as places in `TYPES`."""
        has = np.zeros((len(self.pairs.i), len(TYPES)), dtype=bool)
        has[self.pair, self.kind] = True
        found = np.zeros((len(self.study.items), len(TYPES)), dtype=bool)
        np.logical_or.at(found, self.study.item[self.pairs.first], has[self.pairs.pattern])
        return [(1 + np.flatnonzero(row[1:])).tolist() for row in found]

    @property
    def undefined(self) -> str | None:
        """Why there is nothing to compare; None where there is something."""
        if not len(self.pairs.first):
            return "no item has objects by two annotators"
        return None if len(self.kind) else "nobody drew an object on an item that two annotators looked at"

    def tables(self) -> dict[str, Table]:
        """How many there are of each type, by label and by annotator."""
        return {"types": self.counts(), "by label": self.by_label(), "by annotator": self.by_annotator()}

    def chart(self) -> Bars | None:
        """How many disagreements there are of each type."""
        wrong = self.counts().where(lambda row: row["type"] != TYPES[AGREED])
        words = ", ".join(f"{row['type']} {row['number']:,}" for row in wrong)
        words = f"How many disagreements about objects are of which type: {words}."
        return bars(wrong, "number", axis="disagreements", words=words) if len(wrong) else None

    def document(self) -> Document:
        """The types, by label and by annotator."""
        return Document("", self.sections(), {**self.tables()}, self.counts())

    def sections(self) -> list[Section]:
        """The types as parts of a report."""
        if self.undefined is not None:
            return []
        foot = (
            f"objects of two annotators are paired by their overlap (IoU); place: below {self.close:g}; label: another "
            "label; both: place and label; alone: drawn by one of the two"
        )
        made = [Section("Types of disagreement", table=self.counts(), foot=(foot,), chart=self.chart())]
        if len(self.names) > 1:
            made.append(_listed("Types of disagreement by label", self.by_label(), ()))
        if len(self.study.annotators) > 1:
            told = "extra: drawn by them and not by another; missing: drawn by another and not by them"
            made.append(_listed("Types of disagreement by annotator", self.by_annotator(), (told,)))
        return made


def _listed(title: str, table: Table, foot: Sequence[str]) -> Section:
    cut = [f"the first {MOST} of {len(table)}"] if len(table) > MOST else []
    return Section(title, table=table.head(MOST), foot=(*cut, *foot), detail=True)


@takes_data
def object_types(
    data: IntoAnnotations,
    *others: Values,
    close: float = CLOSE,
    least: float = LEAST,
    **reading: Unpack[ReadingOptions],
) -> ObjectTypes:
    """What annotators disagree on about objects in images: whether there is one, where it is, or its label.

    Args:
        data: A study whose values are boxes, polygons, masks or keypoints, or anything `Annotations.of` takes.
        close: The overlap (intersection over union) from which two objects are in the same place.
        least: The overlap below which they are two objects.

    Returns:
        `ObjectTypes`, with `counts`, `by_label` and `by_annotator`.

    Examples:
        >>> import interagree as ia
        >>> drawn = [("x", "ann", ((0, 0, 9, 9, "cat"), (20, 0, 29, 9, "cat"))), ("x", "bo", ((0, 0, 9, 9, "dog"),))]
        >>> ia.studies.object_types(ia.Annotations.of(drawn, kind="boxes")).counts().to_dict("number")
        {'label': 1, 'alone': 1}
    """
    study = known_annotators(as_annotations(data), "object_types")
    if study.kind.object_labels is None:
        kinds = [name for name in sorted(KINDS) if KINDS[name].object_labels is not None]
        raise KindError(
            f"object_types is about objects in images ({listing(kinds)}), and these values are {study.kind.title}"
        )
    for name, bound in (("close", close), ("least", least)):
        if not 0 <= bound <= 1:
            raise KindError(f"{name} is an overlap from 0 to 1, and {bound!r} was given")
    made: ObjectTypes = study.cached(("object types", close, least), lambda: _types(study, close, least))
    return made


class _Side(NamedTuple):
    """The objects of one annotator in every distinct pair of values, each with a number of its own."""

    pair: Indices  # of each object
    thing: Indices  # its place among all objects
    begin: Indices  # the first object of each pair
    size: Indices  # how many it has

    @classmethod
    def of(cls, start: Indices, values: Indices) -> _Side:
        size = np.diff(start)[values]
        return cls(*ragged(start[values], size), np.cumsum(size) - size, size)

    def left(self, paired: Indices) -> Indices:
        """The objects that are not paired."""
        return np.setdiff1d(np.arange(len(self.thing)), paired)


def _types(study: Annotations, close: float, least: float) -> ObjectTypes:
    pairs = value_pairs(study, None)
    packed = study.packed(study.kind.name, who="object_types").regions(0.0)
    start = np.asarray(packed.start, dtype=np.intp)
    label, names = _labels(study, packed.label, int(start[-1]))
    first, second = _Side.of(start, pairs.i), _Side.of(start, pairs.j)
    u, v, overlap = _overlaps(packed, first, second, least)
    same = label[first.thing[u]] == label[second.thing[v]]
    kept = heaviest(u, v, overlap + HAIR * same)
    u, v, near, same = u[kept], v[kept], overlap[kept] >= close, same[kept]
    alone, others = first.left(u), second.left(v)
    kind = np.where(near, np.where(same, AGREED, LABEL), np.where(same, PLACE, BOTH))
    return ObjectTypes(
        study,
        pairs,
        names,
        close,
        np.concatenate([kind, np.full(len(alone) + len(others), ALONE)]).astype(np.int8),
        np.concatenate([first.pair[u], first.pair[alone], second.pair[others]]),
        np.concatenate([label[first.thing[u]], label[first.thing[alone]], np.full(len(others), NONE)]),
        np.concatenate([label[second.thing[v]], np.full(len(alone), NONE), label[second.thing[others]]]),
    )


def _overlaps(packed: Regions, first: _Side, second: _Side, least: float) -> tuple[Indices, Indices, Floats]:
    """The objects of the two annotators that overlap by enough, by their numbers, and by how much."""
    found: list[tuple[Indices, Indices, Floats]] = []
    size = first.size * second.size
    part = np.cumsum(size) // AT_ONCE
    for some in np.split(np.arange(len(size)), np.flatnonzero(np.diff(part)) + 1):
        pair, place = ragged(np.zeros(len(some), dtype=np.intp), size[some])
        row, column = np.divmod(place, second.size[some][pair])
        u, v = first.begin[some][pair] + row, second.begin[some][pair] + column
        overlap = packed.overlap(first.thing[u], second.thing[v])
        enough = (overlap >= least) & (overlap > 0)
        found.append((u[enough], v[enough], overlap[enough]))
    u, v, overlap = (np.concatenate(column) for column in zip(*found, strict=True))
    return u, v, overlap


def _labels(study: Annotations, numbers: Indices | None, objects: int) -> tuple[Indices, tuple[Label, ...]]:
    """The label of each object as a number, and what the numbers stand for."""
    labels_of = study.kind.object_labels
    if numbers is None or labels_of is None:
        return np.zeros(objects, dtype=np.intp), (None,)
    labels = (name for value in study.values for name in labels_of(value))
    names: dict[int, Label] = dict(zip(numbers.tolist(), labels, strict=True))
    return numbers.astype(np.intp), tuple(names.get(number) for number in range(max(names) + 1))
