r"""Soft labels: for each item how probable each label is, by the people who were asked.

$$p_{iv} = \frac{c_{iv} + a}{m_i + aV}$$

$c_{iv}$ of the $m_i$ annotators of item $i$ gave label $v$, one of $V$, and $a$ is the prior: the mean of a Dirichlet
distribution after the votes.  With $a = 0$ these are the shares themselves, of which one vote makes a certainty.  The
interval of a share is that of its Beta distribution, $B(c_{iv} + a, m_i - c_{iv} + a(V - 1))$; with $a = 0$ it is nan
where a label has all votes or none.  The entropy is that of the shares, in bits.

Of sets of labels every label is in the set or not: $p_{iv} = (c_{iv} + a) / (m_i + 2a)$, shares do not sum to 1, and
the entropy is the sum of those of the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Item, Value, Values
from interagree.declare import takes_data
from interagree.distances import taken_as, usual
from interagree.errors import KindError
from interagree.people.table_files import DOCUMENTS, write_table
from interagree.results.answer import Headed
from interagree.results.charts import Histogram
from interagree.results.charts.tables import spread
from interagree.results.document import Document, Section, as_sentences
from interagree.stats.engine.compress import totals
from interagree.stats.engine.shares import check_level
from interagree.tables import Table, plain_rows

if TYPE_CHECKING:
    from interagree.data.types import Frame

MOST = 50_000_000  # cells of a table of items and labels


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SoftLabels(Headed):
    """The shares of labels of each item, smoothed."""

    items: tuple[Item, ...]
    labels: tuple[Value, ...]
    counts: Floats  # items × labels
    n: Floats  # annotators of each item
    shares: Floats
    prior: float
    sets: bool
    notes: tuple[str, ...] = ()

    def entropy(self) -> Floats:
        """The entropy of each item in bits."""

        def bits(p: Floats) -> Floats:
            return np.where(p > 0, -p * np.log2(np.where(p > 0, p, 1.0)), 0.0)

        both = bits(self.shares) + bits(1 - self.shares) if self.sets else bits(self.shares)
        return np.asarray(np.maximum(both.sum(axis=1), 0.0))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """The lower and upper ends of the shares: quantiles of their Beta distributions."""
        check_level(level)
        from scipy.special import betaincinv

        less = 2 if self.sets else len(self.labels)
        pairs, place = np.unique(
            np.stack([self.counts, np.broadcast_to(self.n[:, None], self.counts.shape)], axis=-1).reshape(-1, 2),
            axis=0,
            return_inverse=True,
        )
        a, b = pairs[:, 0] + self.prior, pairs[:, 1] - pairs[:, 0] + self.prior * (less - 1)
        proper = (a > 0) & (b > 0)
        ends = []
        for side in ((1 - level) / 2, (1 + level) / 2):
            end = np.full(len(pairs), np.nan)
            end[proper] = betaincinv(a[proper], b[proper], side)
            ends.append(end[place.reshape(-1)].reshape(self.counts.shape))
        return ends[0], ends[1]

    def table(self) -> Table:
        """One row for each item: annotators, the share of each label, and the entropy."""
        names = _distinct([str(label) for label in self.labels], {"item", "n", "entropy"})
        columns = {name: self.shares[:, k].tolist() for k, name in enumerate(names)}
        return Table(
            {"item": list(self.items), "n": self.n.astype(int).tolist(), **columns, "entropy": self.entropy().tolist()},
            title=self.headline(),
            foot="; ".join(self.notes),
        )

    def __len__(self) -> int:
        return len(self.items)

    def long(self, level: float = 0.95) -> Table:
        """One row for each item and label: votes, share and its interval."""
        low, high = self.interval(level)
        count = len(self.labels)
        return Table(
            {
                "item": [item for item in self.items for _ in range(count)],
                "label": [*self.labels] * len(self.items),
                "votes": self.counts.astype(int).reshape(-1).tolist(),
                "share": self.shares.reshape(-1).tolist(),
                "low": low.reshape(-1).tolist(),
                "high": high.reshape(-1).tolist(),
            },
            title=self.headline(),
        )

    def tables(self) -> dict[str, Table]:
        """The shares, a row for each item; and with intervals, a row for each item and label."""
        return {"items": self.table(), "labels": self.long()}

    def chart(self) -> Histogram | None:
        """How the entropy of the items is spread."""
        return spread({"": self.entropy().tolist()}, "entropy in bits", what="items") if len(self.items) else None

    def document(self, *, top: int = 10) -> Document:
        """The items that people differ on most, and everything in the data.

        Args:
            top: How many items to show.
        """
        table = self.table()
        count = len(table)
        title = "Items" if count <= top else f"The {top} of {count:,} items with the highest entropy"
        shown = table if count <= top else table.sort("entropy", descending=True).head(top)
        sections = [
            Section(lines=[f"{self}."]),
            Section(title, table=replace(shown, title="", foot=""), foot=as_sentences(self.notes)),
        ]
        data = {
            "prior": self.prior,
            "sets": self.sets,
            "labels": [*self.labels],
            "items": plain_rows(table),
            "notes": [*self.notes],
        }
        return Document("", sections, data, table)

    def to_frame(self, library: str = "pandas", *, long: bool = False) -> Frame:
        """The table as a data frame; with ``long`` a row for each item and label, with intervals."""
        frame: Frame = (self.long() if long else self.table()).to_frame(library)
        return frame

    def write(self, path: str | Path, *, long: bool = False) -> Path | None:
        """Write the table as .csv, .tsv, .jsonl, .json or .xlsx, or the document as .md, .html, .tex or .txt."""
        if not long and Path(path).suffix.lower() in DOCUMENTS:
            return Headed.write(self, path)
        write_table(self.long() if long else self.table(), path)
        return Path(path)

    def headline(self) -> str:
        labels = counted(len(self.labels), "label")
        return f"Soft labels of {counted(len(self.items), 'item')}, {labels}, prior {self.prior:g}"

    def __str__(self) -> str:
        mean = float(self.entropy().mean()) if len(self.items) else float("nan")
        return f"{self.headline()}: mean entropy {mean:.3f} bits"


@takes_data
def soft_labels(
    data: IntoAnnotations, *others: Values, prior: float = 1.0, **reading: Unpack[ReadingOptions]
) -> SoftLabels:
    """For each item the share of each label, smoothed, to train on or to show how sure people are.

    Args:
        data: Annotations of labels, ordered labels, few whole numbers, or sets of labels.
        prior: What is added to the votes of each label: 1 takes all shares as equally likely before, 0.5 is
            Jeffreys' prior of two labels, 0 leaves the shares as they are.

    Returns:
        For each item the share and the votes of each label, its interval and the entropy.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["cat", "dog"], "bo": ["cat", "cat"], "cy": ["cat", "dog"]}
        >>> ia.crowd.soft_labels(labels, prior=1).table()["cat"]
        [0.8, 0.4]
    """
    if not (np.isfinite(prior) and prior >= 0):
        raise KindError(f"a prior is a number from 0 up, added to the votes of each label; got {prior!r}")
    study = as_annotations(data)
    notes: tuple[str, ...] = ()
    if not study.anonymous:
        first = study.first_judgements()
        notes = tuple(step.sentence for step in first.provenance.steps if step not in study.provenance.steps)
        study = first
    sets = study.kind == "sets"
    if not sets and study.kind not in ("labels", "ordered"):
        raise KindError(
            f"soft labels are shares of labels, and these values are {study.kind}; for them take "
            "interagree.crowd.medoid or interagree.crowd.merge"
        )
    notes = notes if sets or study.kind == "ordered" else (*notes, *taken_as(study, usual(study)))
    labels = study.labels()
    if len(study.items) * max(len(labels), 1) > MOST:
        raise KindError(
            f"{len(study.items):,} items of {len(labels):,} labels make a table of more than {MOST:,} cells; take a "
            "part of the items"
        )
    sizes = study.sizes()
    there = np.flatnonzero(sizes)
    counts, n = _votes(study, labels, sets=sets)[there], sizes[there].astype(np.float64)
    total = n[:, None] + prior * (2 if sets else len(labels))
    return SoftLabels(
        tuple(study.items[code] for code in there.tolist()),
        tuple(labels),
        counts,
        n,
        (counts + prior) / total,
        float(prior),
        sets,
        notes,
    )


def _votes(study: Annotations, labels: Sequence[Value], *, sets: bool) -> Floats:
    shape = (len(study.items), len(study.values))
    if not sets:
        cell = study.item.astype(np.int64) * shape[1] + study.value
        return np.bincount(cell, minlength=shape[0] * shape[1]).astype(np.float64).reshape(shape)
    inside = np.array([[label in value for label in labels] for value in study.values], dtype=bool)
    inside = inside.reshape(len(study.values), len(labels))
    votes = [totals(study.item, column[study.value].astype(np.float64), shape[0]) for column in inside.T]
    return np.stack(votes, axis=1) if votes else np.zeros((shape[0], 0))


def _distinct(names: list[str], taken: set[str]) -> list[str]:
    """Names of columns, those that are taken already or come twice with a prefix or a number."""
    distinct: list[str] = []
    for name in names:
        free = name if name not in taken else f"label {name}"
        number = 2
        while free in taken:
            free, number = f"label {name} ({number})", number + 1
        taken = taken | {free}
        distinct.append(free)
    return distinct
