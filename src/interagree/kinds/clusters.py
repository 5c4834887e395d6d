"""Clusters of mentions that corefer: a list of clusters, each a list of mentions.

A mention is a string, a number, or a list of those, such as [start, end].  What counts is which mentions stand
together: the order of clusters and of mentions in them says nothing.  A cluster may have one mention, and an empty list
says that there is nothing to mark.  A mention is in one cluster at most: who puts it into two, or twice into one, is
told which.  That lists of lists are clusters cannot be seen from them: they are when they are said to be, or when
a measure of coreference is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from interagree.arrays import Indices, Int64s
from interagree.data.types import Value
from interagree.kinds._kind import Kind, ListValues, only_when_stated, told_by, written
from interagree.kinds._parts import is_number, starts


@dataclass(frozen=True, slots=True)
class Clusters:
    """The mentions of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``, by number."""

    start: Indices
    mention: Int64s  # a number for each name of a mention
    cluster: Indices  # which of all clusters each is in
    first: Indices  # the clusters of value k are first[k] to first[k + 1]
    size: Indices  # of each cluster
    names: int  # how many names of mentions there are

    def linked(self) -> Clusters:
        """The same without clusters of one mention."""
        keep = self.size > 1
        owner = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        held = keep[self.cluster]
        rows = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        return replace(
            self,
            start=starts(np.bincount(rows[held], minlength=len(self.start) - 1).tolist()),
            mention=self.mention[held],
            cluster=(np.cumsum(keep) - 1)[self.cluster[held]],
            first=starts(np.bincount(owner[keep], minlength=len(self.first) - 1).tolist()),
            size=self.size[keep],
        )


def _is_mention(mention: object) -> bool:
    if isinstance(mention, tuple):
        return bool(mention) and all(map(_is_mention, mention))
    return isinstance(mention, str) or is_number(mention)


def _why_not(value: object) -> str | None:
    if not isinstance(value, tuple):
        return "it is not a list"
    seen: dict[Value, int] = {}
    for place, cluster in enumerate(value):
        if not isinstance(cluster, tuple):
            return f"{str(cluster)[:60]!r} is not a list of mentions"
        if not cluster:
            return "a cluster has no mentions"
        for mention in cluster:
            if not _is_mention(mention):
                return f"a mention is {str(mention)[:60]}, which is neither a string nor a number nor a list of those"
            if mention in seen:
                where = "twice in one cluster" if seen[mention] == place else "in two clusters"
                shown = list(mention) if isinstance(mention, tuple) else mention
                return f"the mention {shown!r} is {where}"
            seen[mention] = place
    return None


def _pack(values: Sequence[tuple[tuple[Value, ...], ...]]) -> Clusters:
    every = list(chain.from_iterable(values))
    mentions = list(chain.from_iterable(every))
    named: dict[Value, int] = {}
    code = np.fromiter(
        (named.setdefault(mention, len(named)) for mention in mentions), dtype=np.int64, count=len(mentions)
    )
    size = np.fromiter(map(len, every), dtype=np.intp, count=len(every))
    first = starts(list(map(len, values)))
    cluster = np.repeat(np.arange(len(every)), size)
    owner = np.repeat(np.arange(len(values)), np.diff(first))[cluster]
    order = np.lexsort((code, owner))
    start = starts(np.bincount(owner, minlength=len(values)).tolist())
    return Clusters(start, code[order], cluster[order], first, size, len(named))


def _quick(values: Sequence[tuple[tuple[Value, ...], ...]]) -> Clusters | None:
    """All clusters at once; None where something is wrong with one of them."""
    if not {tuple}.issuperset(map(type, values)):
        return None
    every = list(chain.from_iterable(values))
    if not {tuple}.issuperset(map(type, every)) or not all(every):
        return None
    mentions = set(chain.from_iterable(every))
    if bool in set(map(type, chain.from_iterable(every))) or not all(map(_is_mention, mentions)):
        return None
    packed = _pack(values)
    again = np.diff(packed.mention) == 0
    again[packed.start[(packed.start > 0) & (packed.start < len(packed.mention))] - 1] = False
    return None if again.any() else packed


def _suspected(lists: ListValues) -> bool:
    """Mentions that are all strings, all numbers or all places, as they are in clusters that somebody meant."""
    if not lists.nested or not lists.well_formed(clusters):
        return False
    sorts = {type(mention) for value in lists.values for cluster in value for mention in cluster}
    return len(sorts) == 1 or sorts <= {int, float}


clusters = Kind(
    **written("clusters", "a list of clusters, each a list of mentions", title="clusters of mentions"),
    **told_by(_why_not, only_when_stated, _pack, _quick, rank=350),
    suspected=_suspected,
    suspicion="clusters (coreference)",
    distance="b_cubed",
    distances=("b_cubed",),
    measures=("coref_f1", "coref_alpha", "alpha"),
    view="clusters",
    empty=(),
    drawn=lambda value, page: [[page.label(mention) for mention in cluster] for cluster in value],
    group="Spans and what is built on them",
    examples=(
        (("a", "b"), ("c",), ("d", "e")),
        (("a", "b", "c"), ("d", "e")),
        (("a",), ("b", "c"), ("d", "e", "f")),
        (("b", "c"),),
        (),
    ),
)
