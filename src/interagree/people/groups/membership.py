"""Which annotator belongs to which group, from a column or a mapping."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeAlias

from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.data.types import Annotator
from interagree.data.values import is_missing
from interagree.errors import DataError, KindError, listing
from interagree.people.columns import column

IntoGroups: TypeAlias = str | Mapping[Annotator, Hashable]
"""A column that is the same throughout each annotator, or a mapping from annotators to groups."""


class Membership(NamedTuple):
    """The annotators of each group, and those in none."""

    members: dict[Hashable, list[Annotator]]
    ungrouped: list[Annotator]

    @property
    def grouped(self) -> list[Annotator]:
        """Everybody who has a group."""
        return [who for some in self.members.values() for who in some]

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on those who were set aside."""
        if not self.ungrouped:
            return ()
        return (
            f"{counted(len(self.ungrouped), 'annotator')} in no group set aside: {listing(self.ungrouped, most=5)}",
        )


def membership(study: Annotations, groups: IntoGroups, *, all_known: bool = True) -> Membership:
    """The groups of the annotators of a study; annotators without one are set aside.

    Args:
        study: The annotations.
        groups: A column, or a mapping from annotators to groups.
        all_known: Whether a mapping may name only annotators of the study; with one mapping for several studies it
            may name others.
    """
    if study.anonymous:
        raise KindError("groups are of annotators, and nobody knows who gave which value in this study")
    if isinstance(groups, str):
        group_of = _from_column(study, groups)
    elif isinstance(groups, Mapping):
        group_of = dict(groups)
        for name in group_of if all_known else ():
            study.annotator_code(name)
    else:
        raise KindError(
            f"groups= is the name of a column or a mapping from annotators to groups; got {type(groups).__name__}"
        )
    members: dict[Hashable, list[Annotator]] = {}
    for who in study.annotators:
        if who in group_of:
            members.setdefault(group_of[who], []).append(who)
    if len(members) < 2:
        there = f"there is one group of annotators, {listing(members)}" if members else "no annotator has a group"
        raise DataError(f"{there}, and to compare takes two")
    return Membership(members, [who for who in study.annotators if who not in group_of])


def _from_column(study: Annotations, name: str) -> dict[Annotator, Hashable]:
    group_of: dict[Annotator, Hashable] = {}
    entries = column(study, name, "to make groups of").tolist()
    for code, group in zip(study.annotator.tolist(), entries, strict=True):
        who = study.annotators[code]
        if not is_missing(group) and group_of.setdefault(who, group) != group:
            raise DataError(
                f"the column {name!r} must be the same throughout an annotator, and {who!r} is in both "
                f"{group_of[who]!r} and {group!r}"
            )
    return group_of
