"""A scale read from the other end: 1 where others give 5.

On a scale of steps an answer $x$ is taken as $a + b - x$, with the first step $a$ and the last $b$; a number as
$c - x$, with $c$ the sum of the mean answer and the mean of the others.  Words that look like a scale are reversed as
labels (`recoding`).
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Booleans
from interagree.findings.repairs import Own, Repair

STEPS = 30  # levels up to which a scale has steps


class Reversal:
    """A scale that is read from the other end."""

    code = "reversed"

    def fit(self, own: Own, part: Booleans) -> Repair | None:
        """The answers read from the other end, where that is nearer to the others."""
        if own.scale is None or part.sum() < 2 or len(own.levels) < 3:
            return None
        if len(own.levels) <= STEPS:
            whole = own.levels[0] + own.levels[-1]
        else:
            whole = float(np.mean(own.answers[part]) + np.mean(own.of_others[part]))
        return Repair(whole - own.answers, {}, specific=2)


CAUSE = Reversal()
