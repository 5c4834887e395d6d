"""Agreement while annotation runs: a state that takes one label at a time, what it says, and where labels come from.

`state` holds the labels and the sums, `running` and `fractions` say what follows from them, `standing` shows it,
`patterns` is what makes a label cost the same however many there are, `saved` the file, `sequence` an interval that may
be looked at as often as one likes, `chart` batches, days and annotators against their limits.

`watching` follows a source for `interagree watch`: `files` (by way of `lines`), `databases` (`sqlite`, `postgresql`) or
standard input (`sources`).  `locks` keeps a second watch from the same state, and `live` shows it all while it runs.
"""

from interagree.monitor.running import Monitor as Monitor
