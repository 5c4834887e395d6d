"""A codebook: what is known of the questions of a study beside the answers.

For each question it has a title, the level on which the answers are measured, the order of the values, what codes
stand for, and which codes mean that there is no answer.  Whatever it does not say is told from the answers.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from interagree.data.levels import LEVELS, Stated, as_level, distance_at
from interagree.data.provenance import Step, counted, noted
from interagree.data.values import are_sets, number, numbers
from interagree.errors import KindError, UnknownName, listing, suggestion

if TYPE_CHECKING:
    from interagree.data.annotations import Annotations
    from interagree.data.study import Study

MOST_WORDS = 12  # of the name of a column that are looked at


def spelled(value: object) -> str:
    """A value as a codebook writes it: 1, 1.0 and "1" are one code."""
    parsed = number(value)
    return str(value).strip() if parsed is None else f"{parsed:.15g}"


@dataclass(frozen=True, slots=True)
class Variable:
    """What a codebook says of one question; values are written as `spelled` writes them."""

    title: str = ""
    level: str | None = None
    values: tuple[str, ...] = ()  # all that can be given; at an ordinal level from lowest to highest
    labels: Mapping[str, str] = field(default_factory=dict)  # what values stand for
    missing: tuple[str, ...] = ()  # values that mean that there is no answer
    note: str = field(default="", compare=False)  # for the person who corrects it

    @property
    def asks(self) -> bool:
        """Whether it says how a question can be answered, and not only that there is a column of free text."""
        return bool(self.values or self.labels or self.level not in (None, "text"))

    def over(self, other: Variable) -> Variable:
        """What this says, and what another says where this says nothing."""
        return Variable(
            self.title or other.title,
            self.level or other.level,
            self.values or other.values,
            self.labels or other.labels,
            self.missing or other.missing,
            self.note or other.note,
        )

    def in_order(self) -> tuple[str, ...]:
        """The values from lowest to highest: codes by size, whatever order they are listed in, and words as listed."""
        sizes = [number(value) for value in self.values]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            return self.values
        return tuple(value for _, value in sorted(zip(known, self.values, strict=True)))


@dataclass(frozen=True, slots=True)
class Codebook(Mapping[str, Variable]):
    """Questions by name, each with what is known of it, and where that comes from."""

    variables: Mapping[str, Variable] = field(default_factory=dict)
    source: str = "codebook"  # what is said of where levels come from
    file: str = ""  # the file or sheet that it is

    def __getitem__(self, question: str) -> Variable:
        return self.variables[question]

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __repr__(self) -> str:
        return f"<Codebook: {listing(self.variables)}>"

    def of(self, question: Hashable) -> Variable | None:
        """What is known of a question, called by its name or as near to it as spelling goes; None where nothing is."""
        if question in self.variables:
            return self.variables[str(question)]
        wanted = folded(question)
        return next((variable for name, variable in self.variables.items() if folded(name) == wanted), None)

    def applied(self, study: Study, *, strict: bool) -> Study:
        """A study with what is known of its questions.

        Args:
            study: The study.
            strict: Whether a level that does not fit the answers is an error, as where somebody just stated it; else
                it is noticed, and the level is told from the answers.
        """
        made: dict[str, Annotations] = {}
        levels, odd = [], []
        called = f"{self.source} {self.file!r}" if self.file else self.source
        for name, question in study.items():
            variable = self.of(name)
            if variable is None:
                made[name] = question
                continue
            described = with_variable(question, variable)
            if variable.level is not None:
                try:
                    described = at_level(described, variable.level, self.source, variable)
                    levels.append(f"{name} {described.level.name}")
                except KindError as error:
                    if strict:
                        raise error.reworded(f"{name}: {error}") from None
                    odd.append(f"{name} ({error})")
            made[name] = described
        idle = self._idle(study) if strict else []
        labelled = [name for name, question in made.items() if question.value_labels != study[name].value_labels]
        steps = (
            *noted("taken", f"levels from the {called}: {listing(levels, quote=False, most=20)}", len(levels)),
            *noted("taken", f"value labels from the {called}: {listing(labelled, most=6)}", len(labelled)),
            *noted("noticed", f"levels of the {called} not taken: {listing(odd, quote=False)}", len(odd)),
            *noted("noticed", f"variables of the {called} that no question is called: {listing(idle)}", len(idle)),
        )
        return replace(study, questions=made, provenance=study.provenance.then(*steps), codebook=self.over(study))

    def _idle(self, study: Study) -> list[str]:
        """The variables that may be questions and are none of a study, nor its item or annotator."""
        parts = [study.reading.get(role) for role in ("item", "annotator")]
        names = [name for part in parts for name in (part if isinstance(part, list | tuple) else [part])]
        known = {folded(name) for name in (*study, *names)}
        return [name for name, variable in self.variables.items() if variable.asks and folded(name) not in known]

    def over(self, study: Study) -> Codebook:
        """What this and the codebook that a study has already say; this goes first."""
        return self if study.codebook is None else joined([self, study.codebook])

    def checked(self, study: Study) -> Codebook:
        """The same, or an error where it tells about questions that a study does not ask."""
        asked = {folded(name): name for name in study}
        unknown = [name for name in self if folded(name) not in asked]
        if unknown:
            raise UnknownName(
                f"there is no question {unknown[0]!r} to state the level of; there are {listing(study)}."
                + suggestion(unknown[0], study)
            )
        return self

    @classmethod
    def describing(cls, study: Study) -> Codebook:
        """What is known of the questions of a study, and what their answers tell, to be corrected by a person."""
        known = study.codebook if study.codebook is not None else cls()
        return cls({name: _describing(question, known.of(name) or Variable()) for name, question in study.items()})

    def rows(self) -> list[dict[str, str]]:
        """A row for each question, as a file holds them; `interagree.reading.codebook` reads them back."""
        return [
            {
                "question": name,
                "title": variable.title,
                "level": variable.level or "",
                "values": " | ".join(
                    f"{value} = {variable.labels[value]}" if value in variable.labels else value
                    for value in variable.values or variable.labels
                ),
                "missing": " | ".join(variable.missing),
                "note": variable.note,
            }
            for name, variable in self.variables.items()
        ]

    @classmethod
    def of_levels(cls, levels: Mapping[str, str]) -> Codebook:
        """A codebook that says nothing but levels."""
        return cls({str(name): Variable(level=as_level(level)) for name, level in levels.items()}, source="option")


MOST_VALUES = 30  # that a codebook lists
BREAKS = re.compile(r"[|=:;,<>/\n]|\s[-–—]\s")  # what stands between values in a list of them


def _describing(question: Annotations, known: Variable) -> Variable:
    """What is known of a question, and what its answers tell."""
    level = question.level
    simple = level.name in LEVELS and level.name not in ("sets", "text")
    listed = simple and len(question.values) <= MOST_VALUES and level.name in ("nominal", "ordinal")
    values = [spelled(value) for value in question.values] if listed else []
    labels = {spelled(value): label for value, label in question.value_labels.items()}
    told = Variable(
        level=level.distance if level == "circular" else level.name if level.name in LEVELS else None,
        values=() if any(map(BREAKS.search, values)) else tuple(values),
        labels=labels,
        note="" if level.doubt is None else f"{level.because}, which may be {level.doubt}",
    )
    return told.over(known)


def folded(name: object) -> str:
    """A name without regard to case and to what stands between its words."""
    return re.sub(r"[\W_]+", " ", str(name)).casefold().strip()


def named_in(names: Iterable[object], columns: Iterable[object]) -> set[str]:
    """The names, but for bare numbers, that are columns or a part of the name of one: ``tone`` of ``tone_Marta``."""
    parts = set()
    for column in columns:
        words = folded(column).split()[:MOST_WORDS]
        parts |= {" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)}
    return {str(name) for name in names if number(name) is None and folded(name) in parts}


def joined(parts: Sequence[Codebook]) -> Codebook:
    """Several codebooks as one; what an earlier one says goes before what a later one does."""
    made: dict[str, Variable] = {}
    for part in parts:
        for name, variable in part.items():
            made[name] = made[name].over(variable) if name in made else variable
    first = parts[0] if parts else Codebook()
    return Codebook(made, first.source, first.file)


# -- what it says of one question ----------------------------------------------------------------------------------


def with_variable(question: Annotations, variable: Variable) -> Annotations:
    """A question without the codes for no answer, with all values that could have been given, and their labels."""
    made = _without_missing(question, variable.missing)
    if are_sets(made.values):
        return made
    known = {spelled(value): value for value in made.values}
    if variable.values and known.keys() <= {*variable.values}:
        made = _with_values(made, variable)
        known = {spelled(value): value for value in made.values}
    odd = _not_listed([*known], variable.values)
    if odd:
        made = made.with_steps(
            Step("noticed", f"{listing(odd, most=5)} given and not listed in the codebook", len(odd))
        )
    labels = {known[code]: label for code, label in variable.labels.items() if code in known and label != code}
    return replace(made, value_labels=labels) if labels else made


def _not_listed(given: Sequence[str], listed: Sequence[str]) -> list[str]:
    """Values that a codebook does not list, but for numbers between the ends of a scale that it names."""
    if len(listed) < 2:
        return []
    ends = [size for code in listed if (size := number(code)) is not None]
    inside = len(ends) == len(listed)
    return [
        value
        for value in given
        if value not in listed
        and not (inside and (size := number(value)) is not None and min(ends) <= size <= max(ends))
    ]


def _without_missing(question: Annotations, missing: Sequence[str]) -> Annotations:
    gone = [code for code, value in enumerate(question.values) if missing and spelled(value) in missing]
    if not gone:
        return question
    names = [spelled(question.values[code]) for code in gone]
    keep = ~np.isin(question.value, gone)
    lost = int((~keep).sum())
    place = np.cumsum([code not in gone for code in range(len(question.values))]) - 1
    left = replace(
        question.annotations_where(keep),
        values=tuple(value for code, value in enumerate(question.values) if code not in gone),
        value=place[question.value[keep]],
        stated_level=None,
    )
    said = {f" {question.values[code]!r}" for code in gone}
    steps = tuple(
        step
        for step in left.provenance.steps
        if step.what != "noticed" or not any(name in step.sentence for name in said)
    )
    left = replace(left, provenance=replace(left.provenance, steps=steps))
    if lost:
        sentence = f"{counted(lost, 'annotation')} {listing(names)} taken as no answer, as the codebook says"
        left = left.with_steps(Step("dropped", sentence, lost))
    return left.items_where(left.sizes() > 0)


def _with_values(question: Annotations, variable: Variable) -> Annotations:
    """A question with the values that nobody gave, too; their order means nothing yet."""
    known = {spelled(value): value for value in question.values}
    texts = all(isinstance(value, str) for value in question.values)
    every = [known.get(code, code if texts else _number(code)) for code in variable.in_order()]
    if len(every) == len(question.values):
        return question
    made = question.declaring(every)
    return replace(made, stated=question.stated)


def _number(code: str) -> Any:
    parsed = number(code)
    return code if parsed is None else int(parsed) if parsed.is_integer() else parsed


def at_level(question: Annotations, level: str, source: str, variable: Variable | None = None) -> Annotations:
    """A question measured at a level that somebody stated, or an error where its values do not fit that."""
    variable = Variable() if variable is None else variable
    name, _, _ = level.partition(":")
    if name == "ordinal":
        order = _order(question, variable)
        made = replace(question.declaring(order, ordered=True), of_kind=None)
    elif name == "nominal":
        made = replace(question, of_kind="labels", ordered=None)
    elif name in ("sets", "text"):
        made = question.taken_as(name)
        if name == "sets" and not are_sets(made.values):
            raise KindError(
                f"{name} of labels were expected, and {listing(question.values, most=3)} is one text each; say what "
                "separates the labels, as in split='|'"
            )
    else:
        if numbers(question.values) is None:
            odd = [value for value in question.values if number(value) is None]
            raise KindError(f"the level {name} needs numbers, and {listing(odd, most=3)} is not one")
        level = _with_period(level, variable)
        made = replace(question, of_kind="numbers", ordered=None)
    return replace(made, stated_level=Stated(name, source, distance_at(level)))


def _order(question: Annotations, variable: Variable) -> Sequence[Any]:
    """The values from lowest to highest: as the codebook or the study lists them, by size, or as their words tell."""
    known = {spelled(value): value for value in question.values}
    listed = variable.in_order()
    if known.keys() <= {*listed}:
        return [known[code] for code in listed if code in known]
    sizes = numbers(question.values)
    if sizes is not None:
        return [value for _, value in sorted(zip(sizes, question.values, strict=True), key=lambda pair: pair[0])]
    if question.stated or len(question.values) <= 2:
        return question.values
    order = question.seeming_order
    if order is None:
        raise KindError(
            f"the level ordinal needs an order, and nothing says in which order {listing(question.values, most=5)} "
            "stand; list the values from lowest to highest in a codebook, or pass them as values=[…]"
        )
    return order.values


def _with_period(level: str, variable: Variable) -> str:
    """A circular level with the length of its circle, which the list of all values tells where the word does not."""
    if level != "circular":
        return level
    steps = sorted(size for code in variable.values if (size := number(code)) is not None)
    if len(steps) > 2 and all(later - earlier == 1 for earlier, later in pairwise(steps)):
        return f"circular:period={len(steps)}"
    raise KindError("the level circular needs the length of the circle, as in circular:period=24")
