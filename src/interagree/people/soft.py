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

from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Values
from interagree.declare import takes_data
from interagree.errors import KindError
from interagree.people._files import write_table
from interagree.people._rest import chosen
from interagree.stats.engine.compress import totals
from interagree.tables import Table

MOST = 50_000_000  # cells of a table of items and labels


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SoftLabels:
    """The shares of labels of each item, smoothed."""

    items: tuple[Hashable, ...]
    labels: tuple[Any, ...]
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
        found: Floats = np.maximum(both.sum(axis=1), 0.0)
        return found

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """The lower and upper ends of the shares: quantiles of their Beta distributions."""
        if not 0 < level < 1:
            raise KindError(f"a level lies between 0 and 1, such as 0.95; got {level!r}")
        from scipy.special import betaincinv

        less = 2 if self.sets else len(self.labels)
        pairs, place = np.unique(
            np.stack([self.counts, np.broadcast_to(self.n[:, None], self.counts.shape)], axis=-1).reshape(
                -1, 2
            ),
            axis=0,
            return_inverse=True,
        )
        a, b = pairs[:, 0] + self.prior, pairs[:, 1] - pairs[:, 0] + self.prior * (less - 1)
        proper = (a > 0) & (b > 0)
        ends = []
        for side in ((1 - level) / 2, (1 + level) / 2):
            found = np.full(len(pairs), np.nan)
            found[proper] = betaincinv(a[proper], b[proper], side)
            ends.append(found[place.reshape(-1)].reshape(self.counts.shape))
        return ends[0], ends[1]

    def table(self) -> Table:
        """One row for each item: annotators, the share of each label, and the entropy."""
        names = _distinct([str(label) for label in self.labels], {"item", "n", "entropy"})
        columns = {name: self.shares[:, k].tolist() for k, name in enumerate(names)}
        return Table(
            {
                "item": list(self.items),
                "n": self.n.astype(int).tolist(),
                **columns,
                "entropy": self.entropy().tolist(),
            },
            title=self.headline(),
            foot="; ".join(self.notes),
        )

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

    def to_frame(self, library: str = "pandas", *, long: bool = False) -> Any:
        """The table as a data frame; with ``long`` a row for each item and label, with intervals."""
        return (self.long() if long else self.table()).to_frame(library)

    def write(self, path: str | Path, *, long: bool = False) -> None:
        """Write the table; .csv, .tsv, .jsonl, .json or .xlsx says how."""
        write_table(self.long() if long else self.table(), path)

    def headline(self) -> str:
        """What this is, in a few words."""
        labels = counted(len(self.labels), "label")
        return f"Soft labels of {counted(len(self.items), 'item')}, {labels}, prior {self.prior:g}"

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"<SoftLabels: {self.headline()}>"

    def __str__(self) -> str:
        mean = float(self.entropy().mean()) if len(self.items) else float("nan")
        return f"{self.headline()}: mean entropy {mean:.3f} bits"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


@takes_data
def soft_labels(
    data: IntoAnnotations, *others: Values, prior: float = 1.0, **reading: Unpack[ReadingOptions]
) -> SoftLabels:
    """For each item the share of each label, smoothed, to train on or to show how sure people are.

    Args:
        data: Annotations of labels, ordered labels, few whole numbers, or sets of labels.
        prior: What is added to the votes of each label: 1 takes all shares as equally likely before, 0.5 is
            Jeffreys' prior of two labels, 0 leaves the shares as they are.
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
    _, said = chosen(study)
    if not sets and study.kind not in ("labels", "ordered"):
        raise KindError(
            f"soft labels are shares of labels, and these values are {study.kind}; for them take interagree.medoid or "
            "interagree.merge"
        )
    notes = notes if sets or study.kind == "ordered" else (*notes, *said)
    labels = study.labels()
    if len(study.items) * max(len(labels), 1) > MOST:
        raise KindError(
            f"{len(study.items):,} items of {len(labels):,} labels make a table of more than {MOST:,} cells; take a "
            "part of the items"
        )
    sizes = study.sizes()
    there = np.flatnonzero(sizes)
    counts, n = _votes(study, labels, sets=sets)[there], sizes[there].astype(np.float64)
    whole = n[:, None] + prior * (2 if sets else len(labels))
    return SoftLabels(
        tuple(study.items[code] for code in there.tolist()),
        tuple(labels),
        counts,
        n,
        (counts + prior) / whole,
        float(prior),
        sets,
        notes,
    )


def _votes(study: Any, labels: Any, *, sets: bool) -> Floats:
    shape = (len(study.items), len(study.values))
    if not sets:
        cell = study.item.astype(np.int64) * shape[1] + study.value
        return np.bincount(cell, minlength=shape[0] * shape[1]).astype(np.float64).reshape(shape)
    inside = np.array([[label in value for label in labels] for value in study.values]).reshape(
        -1, len(labels)
    )
    found = [totals(study.item, column[study.value].astype(np.float64), shape[0]) for column in inside.T]
    return np.stack(found, axis=1) if found else np.zeros((shape[0], 0))


def _distinct(names: list[str], taken: set[str]) -> list[str]:
    """Names of columns, those that are taken already or come twice with a prefix or a number."""
    found: list[str] = []
    for name in names:
        free = name if name not in taken else f"label {name}"
        number = 2
        while free in taken:
            free, number = f"label {name} ({number})", number + 1
        taken = taken | {free}
        found.append(free)
    return found
