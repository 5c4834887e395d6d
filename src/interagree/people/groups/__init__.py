"""Groups of annotators: how much they agree among themselves, and with one another.

`groups` and `grid` take any coefficient; `groups_agreement` tests in-group against cross-group agreement; `xrr` is the
cross-replication reliability of two groups.  Annotators without a group are set aside, counted and named; it is an
error only where fewer than two groups are left.
"""

from interagree.people.groups.by_measure import Coefficient, documents, grid, groups, tabled
from interagree.people.groups.cross_reliability import CrossReliability, xrr
from interagree.people.groups.in_group import GroupsAgreement, groups_agreement
from interagree.people.groups.membership import Membership, membership

__all__ = [
    "Coefficient",
    "CrossReliability",
    "GroupsAgreement",
    "Membership",
    "documents",
    "grid",
    "groups",
    "groups_agreement",
    "membership",
    "tabled",
    "xrr",
]
