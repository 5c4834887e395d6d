"""Where data came from, and, counted, what was dropped, merged or assumed on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from interagree.errors import Advice


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done to the data, in words and with its size."""

    what: str  # "taken", "set aside", "dropped", "merged", "assumed" or "noticed"
    sentence: str  # an `Advice` where it names options
    count: int = 0


@dataclass(frozen=True, slots=True)
class Provenance:
    """The sources of a study and the steps between them and the table that is measured."""

    sources: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()

    def then(self, *steps: Step) -> Provenance:
        """The same with further steps; a step that is there already is not said twice."""
        return Provenance(self.sources, tuple(dict.fromkeys((*self.steps, *steps))))

    def joined(self, others: Iterable[Provenance]) -> Provenance:
        """This and others as one."""
        parts = (self, *others)
        sources = tuple(dict.fromkeys(source for part in parts for source in part.sources))
        return Provenance(sources, tuple(dict.fromkeys(step for part in parts for step in part.steps)))

    def policy(self) -> Advice:
        """The line that every table and report ends with; empty when nothing was done to the data."""
        sentences = [step.sentence for step in self.steps]
        return Advice.around("; ".join(sentences), *sentences)


def noted(what: str, sentence: str, count: int) -> list[Step]:
    """The step for what happened so many times; none where it never did."""
    return [Step(what, sentence, count)] if count else []


def counted(number: int, thing: str) -> str:
    """A number with its noun: '1 row', '2 rows', '1,000 rows'."""
    plural = f"{thing[:-1]}ies" if thing == "query" else f"{thing}es" if thing.endswith("x") else f"{thing}s"
    return f"{number:,} {thing if number == 1 else plural}"
