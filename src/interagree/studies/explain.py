"""Measures explained: the formula and what to beware of, and the steps worked out on a study.

The text is the docstring of the measure's module, so that there is one explanation and not two.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Unpack

from interagree.choose import Choice, IntoChoice, choice, chosen, natural
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Values
from interagree.declare import Facts
from interagree.distances import IntoDistance
from interagree.errors.options import checks_options
from interagree.references import REFERENCES
from interagree.results.agreement import Agreement
from interagree.results.answer import Answer
from interagree.results.document import Document, Section
from interagree.results.formulas import paragraphs
from interagree.studies.steps import worked
from interagree.tables import Table, plain

PREVALENCE = (
    "Where one value is much more common than the others, chance agrees often, and the coefficient is "
    "low although almost all "
    "annotations agree (the prevalence paradox). Look at the table by value, and at AC1 beside it."
)
SPREAD = "It grows with the spread of the items: the same annotators on more similar items get a lower coefficient."
BIAS = (
    "And annotators who use the values in different shares are expected to agree less, so their bias raises the "
    "coefficient (the bias paradox)."
)
CUTS = "Annotators who cut at random get more than 0; with corrected_boundary_similarity they get 0."
WATCH = {
    "none": "Chance plays no part: annotators who guess between two values agree half of the time.",
    "one urn": PREVALENCE,
    "one urn, without putting back": PREVALENCE,
    "one urn, after a prior": "The prior pulls chance towards all values alike; with few annotations it matters.",
    "each annotator's own urn": f"{PREVALENCE} {BIAS}",
    "all values alike": "Declared values that nobody would ever give make the coefficient larger.",
    "guessing": "It stays high where one value is common, also when annotators never agree on rare ones; look at "
    "the table by value.",
    "variance between items": SPREAD,
    "orders with nothing in common": "Only the order counts, not how far apart numbers are.",
    "independent numbers": SPREAD,
    "annotations of different items": "All rests on the distance: one that takes few values hides agreement. Compare "
    "distances on your data with interagree distances FILE.",
    "each document's own spans, moved at random": "Chance has no more room than documents are long: where their texts "
    "are not known, say it (length).",
    "the rate of boundaries of all annotators together": "Chance knows how many boundaries there are and not where; "
    f"near misses count in part, so a value near 1 does not mean the same boundaries. {CUTS}",
    "the rate of boundaries of each annotator": f"Chance knows how many boundaries each annotator has. {BIAS} {CUTS}",
    "as many boundaries in each document, at random places": "Near misses count in part, so a value near 1 does not "
    "mean the same boundaries.",
    "the clusters of the same document": "All rests on the distance between sets: MASI punishes what crosses, Jaccard "
    "counts what is shared.",
    "places of all documents that do not belong to one stretch": "Length counts: what nobody marked is agreement, so "
    "say how long documents are (length), and a long unit outweighs many short ones.",
    "all ways to place the units and gaps of each category": "A worse annotation may score better, and it misbehaves "
    "with more than two annotators; take u_alpha or gamma.",
    "each document's own annotations, moved at random": "Chance has no more room than from the first unit of a "
    "document to its last: where documents hold a unit or two, say how long they are (length).",
}


@dataclass(frozen=True)
class Explanation(Answer):
    """A measure in words, or worked out step by step on a study."""

    choice: Choice
    study: Annotations | None = None
    result: Agreement | None = None

    @property
    def undefined(self) -> str | None:
        """Why the coefficient is undefined; None where it is defined, or where there are no data."""
        return None if self.result is None else self.result.undefined

    @property
    def steps(self) -> list[Section]:
        """The steps from annotations to the coefficient; empty without data."""
        if self.study is None or self.result is None:
            return []
        return worked(self.choice, self.study, self.result)

    def tables(self) -> dict[str, Table]:
        """The tables of the steps by their titles; without data, what the measure says about itself."""
        tables = {step.title: step.table for step in self.steps if step.table is not None}
        return tables or {"facts": Table({"property": [*self._facts()], "value": [*self._facts().values()]})}

    def document(self) -> Document:
        """The formula and the steps; without data, what the measure assumes and what to beware of."""
        if self.result is None:
            return self._about()
        steps = self.steps
        data = {
            "command": "explain",
            "measure": self.choice.facts.name,
            "result": self.result.to_dict(),
            "steps": [
                {"title": step.title, "sentences": [*step.lines, *step.foot], "table": step.table} for step in steps
            ],
        }
        formulas = [lines for lines, verbatim in paragraphs(docstring(self.choice.measure)) if verbatim]
        formula = Section(lines=formulas[0] if formulas else [], verbatim=True)
        return Document(f"{self.choice.title}, step by step", [formula, *steps], data)

    def to_dict(self) -> dict[str, object]:
        return plain(self.document().data)

    def _facts(self) -> dict[str, object]:
        names = ("symbol", "chance", "annotators", "values", "identity", "complete", "range")
        facts = {name: getattr(self.choice.facts, name) for name in names}
        corrected = self.choice.facts.chance != "none"
        return facts | ({"independent annotators get": self.choice.facts.under_chance.words} if corrected else {})

    def _about(self) -> Document:
        facts, text = self.choice.facts, docstring(self.choice.measure)
        data = {
            "command": "explain",
            "measure": facts.name,
            "title": facts.title,
            "text": text,
            "facts": self._facts(),
            "watch": WATCH.get(facts.chance, ""),
            "reference": REFERENCES[facts.reference].text(),
        }
        # The first line of a docstring is a name, which the title repeats.
        body = paragraphs(text.partition("\n")[2])
        sections = [
            *(Section(lines=lines, verbatim=verbatim) for lines, verbatim in body),
            Section("Assumptions", lines=assumptions(facts)),
            Section("Beware", lines=[WATCH[facts.chance]] if facts.chance in WATCH else []),
            Section(
                "On your data",
                lines=[f"interagree explain {facts.name} FILE", f"interagree measure FILE -m {facts.name}"],
                verbatim=True,
            ),
        ]
        return Document(facts.title, [section for section in sections if section.lines], data)


@dataclass(frozen=True)
class Explanations(Answer):
    """A measure worked out on each question of a study."""

    questions: Mapping[str, Explanation]

    @property
    def undefined(self) -> str | None:
        """Why there is no coefficient for any question; None where there is one."""
        reasons = [explanation.undefined for explanation in self.questions.values()]
        return reasons[0] if all(reasons) else None

    def tables(self) -> dict[str, Table]:
        """The tables of all steps, by question and title."""
        return {
            f"{name}: {title}": table
            for name, explanation in self.questions.items()
            for title, table in explanation.tables().items()
        }

    def document(self) -> Document:
        """The steps of one question after the other."""
        documents = {name: explanation.document() for name, explanation in self.questions.items()}
        sections = [
            replace(section, title=f"{name}: {section.title}" if section.title else "")
            for name, document in documents.items()
            for section in document.sections
        ]
        data = {"questions": {name: document.data for name, document in documents.items()}}
        return Document(next(iter(documents.values())).title, sections, data)


@checks_options
def explain(
    measure: IntoChoice,
    data: IntoAnnotations | None = None,
    *others: Values,
    distance: IntoDistance | None = None,
    weights: object = None,
    **reading: Unpack[ReadingOptions],
) -> Explanation:
    """What a measure is, and with data how its value comes about.

    Args:
        measure: A name (``"alpha"``, ``"alpha:distance=ordinal"``) or a measure.
        data: A study to work it out on, or anything `Annotations.of` takes.
        distance: A distance for the measure; without one, and with data, that which suits the kind of value.
        weights: Agreement weights for the measure.
        others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.

    Returns:
        An `Explanation`, which prints as text.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["a", "b", "a"], "bo": ["a", "b", "b"]}
        >>> "D_o" in str(ia.explain("alpha", labels))
        True
    """
    (wanted,) = chosen([choice(measure)], distance=distance, weights=weights)
    if data is None:
        return Explanation(wanted)
    study = as_annotations(data, *others, **reading)
    if study.recognised.doubt is None:  # else the measure itself says what the other reading gives
        wanted = natural(wanted, study)
    return Explanation(wanted, study, wanted.of(study))


def docstring(measure: Callable[..., object]) -> str:
    """The text of the module that a measure is in."""
    return inspect.getdoc(importlib.import_module(measure.__module__)) or inspect.getdoc(measure) or ""


def assumptions(facts: Facts) -> list[str]:
    """What a measure takes for granted, in sentences."""
    against = "Measured against" if facts.values == "numbers" else "Chance draws from"
    chance = "It is not corrected for chance." if facts.chance == "none" else f"{against}: {facts.chance}."
    if facts.chance != "none":
        chance += f" Annotators who answer independently of the items get on average {facts.under_chance.words}."
    who = "It is for two annotators." if facts.annotators == "two" else "It is for any number of annotators."
    kinds = {
        "any": "Values may be labels, numbers or, with a distance for them, anything else.",
        "numbers": "Values must be numbers, or labels in a stated order.",
        "sets": "Values must be sets of labels.",
        "pairs": "Values are a label, or a primary and a secondary one.",
        "spans": "Values must be spans: for each document and annotator the list of all that they marked there.",
        "clusters": "Values must be clusters: for each document and annotator a list of lists of mentions.",
        "dependencies": "Values must be dependency parses: a list with [head, relation] for each token.",
        "segments": "Values must be segmentations: for each document and annotator the lengths of the segments.",
        "relations": "Values must be relations: for each document and annotator a list of [head, tail, label].",
    }
    identity = (
        "It must know who gave which value."
        if facts.identity
        else "It does not look at who gave which value, so annotators may differ from item to item."
    )
    missing = (
        "Items that not every annotator annotated are left out."
        if facts.complete
        else "Annotations may be missing; an item with a single one cannot be compared."
    )
    return [chance, who, kinds.get(facts.values, f"Values: {facts.values}."), identity, missing]
