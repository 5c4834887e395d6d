"""Kinds of value: one module each, named as the kind is called.

A kind holds everything that is asked about its values: how they are written and recognised, which distance and measures
are usual, how they are packed into arrays so that distances are arithmetic, how annotators go wrong, and how
annotations are merged.  Which kind a study holds is recognised from its values and said, or stated by the user
(``kind="boxes"``); everything else asks ``study.kind``.
"""

from interagree.kinds._kind import Declared, Design, Evidence, Kind, ListValues
from interagree.kinds._recognition import Recognised, as_kind, in_turn, pack, recognise, recognised, spelled_out, strays

__all__ = [
    "Declared",
    "Design",
    "Evidence",
    "Kind",
    "ListValues",
    "Recognised",
    "as_kind",
    "in_turn",
    "pack",
    "recognise",
    "recognised",
    "spelled_out",
    "strays",
]
