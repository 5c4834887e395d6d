"""Studies of two annotators."""

from __future__ import annotations

from interagree.data.types import IntoAnnotations
from interagree.errors import Advice, KindError, Wording, listing, only
from interagree.stats.labels.ballots import Ballots


def two_annotators(data: IntoAnnotations, title: str, *, instead: str) -> tuple[Ballots, tuple[str, ...]]:
    """The ballots of a study of two annotators on the items both annotated, and what to say about the others."""
    ballots = Ballots.of(data, title=title)
    if len(ballots.annotators) > 2:
        raise KindError(
            Advice.of(
                f"{title} is for two annotators, and the study has {len(ballots.annotators)} "
                f"({listing(ballots.annotators, most=6)}); take ",
                instead,
                ", or ",
                Wording(".by_pair()", "--by pair"),
                " for each two, or choose two: ",
                only(...),
            )
        )
    both = ballots.by_all() if len(ballots.annotators) == 2 else ballots.keeping(ballots.counts.size < 0)
    lost = ballots.n.items - both.n.items
    items = "items annotated by one of the two were" if lost > 1 else "item annotated by one of the two was"
    return both, (f"{lost:,} {items} left out",) if lost else ()
