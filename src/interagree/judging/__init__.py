"""May a model stand in for a person?

`judge` holds models against people: how people agree among themselves, with models, and models among themselves; the
alternative annotator test; the noise ceiling; and, where judgements were repeated, self-consistency.  The parts can be
had one by one.  A model is an annotator like any other, named as one.
"""

from interagree.judging.alternative import AltTest, alt_test
from interagree.judging.ceiling import Ceiling, noise_ceiling
from interagree.judging.consistency import self_consistency
from interagree.judging.judgement import Judgement, judge
from interagree.judging.preferences import Preferences, preferences
from interagree.people.groups import CrossReliability, GroupsAgreement, groups_agreement, xrr

__all__ = [
    "AltTest",
    "Ceiling",
    "CrossReliability",
    "GroupsAgreement",
    "Judgement",
    "Preferences",
    "alt_test",
    "groups_agreement",
    "judge",
    "noise_ceiling",
    "preferences",
    "self_consistency",
    "xrr",
]
