"""Which coefficients to take: those that were named, or the usual ones for the kind of value.

| values | coefficients |
|---|---|
| labels | percent, alpha (nominal), AC1; Cohen's kappa of two annotators or Fleiss' kappa, where nothing is missing |
| ordered labels | percent, alpha (ordinal), quadratically weighted kappa: Cohen's of two annotators, else Conger's |
| numbers | alpha (interval), ICC(2,1) where nothing is missing |
| sets of labels | alpha (MASI), and alpha of each label in or out of the set |
| complex values (boxes, spans, text …) | alpha, AUC, KS and sigma, with the usual distance of the kind |

What the values are is decided once, by `Annotations.recognised`; a doubt is stated, with what the other reading gives.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from interagree._rooms import called
from interagree.arrays import Int64s
from interagree.data import Annotations
from interagree.declare import Facts, facts_of
from interagree.distances import IntoDistance
from interagree.errors import Advice, Hint, KindError, UnknownName, Wording, listing, suggestion
from interagree.kinds import Design
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement

OF_PAIRS = ("alpha", "auc", "ks", "sigma")  # the coefficients of complex values


class Choice(NamedTuple):
    """A measure and the keywords to call it with."""

    measure: Callable[..., Agreement]
    options: Mapping[str, Any] = {}  # keywords of the measure, whatever they are

    @property
    def facts(self) -> Facts:
        """What the measure says about itself."""
        return facts_of(self.measure)

    @property
    def title(self) -> str:
        """The name of a row in a table."""
        return titled(self.facts, self.options)

    def of(self, study: Annotations) -> Agreement:
        """The coefficient of a study."""
        return self.measure(study, **self.options)


IntoChoice: TypeAlias = str | Choice | Callable[..., Agreement] | tuple[str, Mapping[str, object]]


def titled(facts: Facts, options: Mapping[str, object]) -> str:
    """The title of a measure with the options that make a difference."""
    words = []
    for name, option in options.items():
        if option is None or option is False or name == "bounded":
            continue
        if name == "form":
            return str(option)
        if name == "weights":
            words.append(f"{option} weights" if isinstance(option, str) else "given weights")
        elif name == "distance":
            words.append(
                getattr(option, "__name__", str(option))
                if callable(option) or isinstance(option, str)
                else "given distances"
            )
        else:
            words.append(name if option is True else f"{name} {option}")
    return ", ".join([facts.title, *words])


ONLY_IN_PYTHON = {
    "token_agreement": "interagree spans FILE --tokens alpha on the command line",
    "attribute_agreement": "interagree spans FILE --feature label on the command line",
    "semeval": "interagree spans FILE --gold NAME on the command line",
    "pairwise_f1": "interagree spans FILE on the command line",
    "relation_agreement": "relation_f1 is a measure of relations",
}  # what is taken for measures


def choice(spec: IntoChoice) -> Choice:
    """The measure that is meant: a name, a name with options (``"alpha:distance=ordinal"``), or a measure itself."""
    if isinstance(spec, Choice):
        return spec
    if isinstance(spec, tuple):
        name, options = spec
        return Choice(MEASURES[name], dict(options))
    if not isinstance(spec, str):
        facts_of(spec)
        return Choice(spec, {})
    name, _, rest = spec.partition(":")
    if name.strip() in ONLY_IN_PYTHON:
        raise UnknownName(
            f"{name.strip()} is a function, not a measure: {called(name.strip())}(study) in Python; "
            f"{ONLY_IN_PYTHON[name.strip()]}"
        )
    measure = MEASURES[name.strip()]
    return Choice(measure, _options(spec, rest, keywords(measure)))


def keywords(measure: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """The keywords that a measure takes."""
    parameters = inspect.signature(measure).parameters.values()
    return {parameter.name: parameter for parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY}


def _options(spec: str, rest: str, known: Mapping[str, inspect.Parameter]) -> dict[str, object]:
    if not rest:
        return {}
    # A comma separates options only before a keyword of the measure: ICC(3,k) and polar:low=1,high=7 hold commas.
    names = "|".join(map(re.escape, known)) or "(?!)"
    parts = re.split(rf",\s*(?=(?:{names})\s*=)", rest)
    options: dict[str, object] = {}
    for part in parts:
        name, equals, spelled = (piece.strip() for piece in part.partition("="))
        if not equals or name not in known:
            raise UnknownName(
                f"{spec!r} gives the measure an option {name!r}, which it does not take.{suggestion(name, known)} "
                f"(it takes: {listing(known, quote=False) or 'none'}; written as in 'alpha:distance=ordinal')"
            )
        options[name] = _value(spelled, known[name])
    return options


def _value(spelled: str, parameter: inspect.Parameter) -> str | float:
    """An option as its declared type says: a number, yes or no, or a word."""
    words = set(re.findall(r"\w+", str(parameter.annotation)))
    if "bool" in words:
        if spelled.lower() in ("true", "yes", "1", "false", "no", "0"):
            return spelled.lower() in ("true", "yes", "1")
        raise KindError(f"{parameter.name} is true or false, and {spelled!r} is neither")
    for word, make in (("int", int), ("float", float)):
        if word not in words:
            continue
        try:
            return make(spelled)
        except ValueError:
            if words & {"float", "str", "Any"} - {word}:
                continue
            raise KindError(
                f"{parameter.name} is a {'whole ' * (word == 'int')}number, and {spelled!r} is not"
            ) from None
    return spelled


def chosen(
    measures: Sequence[IntoChoice], *, distance: IntoDistance | None = None, weights: object = None
) -> tuple[Choice, ...]:
    """The measures that were named, with a distance or weights handed to all that take them."""
    choices = [*map(choice, measures)]
    for name, option in (("distance", distance), ("weights", weights)):
        if option is None:
            continue
        taking = [choice for choice in choices if name in keywords(choice.measure)]
        if choices and not taking:
            names = listing((choice.facts.name for choice in choices), quote=False)
            hint = Hint(name, option)
            raise KindError(f"{names} takes no {name}; leave {hint} out, or take alpha", hints=[hint])
        choices = [
            Choice(choice.measure, {**choice.options, name: option})
            if choice in taking and name not in choice.options
            else choice
            for choice in choices
        ]
    return tuple({choice.title: choice for choice in choices}.values())  # nothing is measured twice


def remark_on_kind(study: Annotations) -> str:
    """What to say about the kind of value; nothing where somebody stated it."""
    return "" if study.of_kind else study.recognised.sentence(len(study.values))


def as_scale(study: Annotations) -> Choice | None:
    """Alpha of the values as an ordered scale, where they were taken as labels and may be one."""
    return choice(("alpha", {"distance": "ordinal"})) if study.recognised.doubt == "ordered" else None


class SeemingScale(NamedTuple):
    """Words in the order that they seem to have, where nobody stated one and they were taken as labels."""

    study: Annotations  # the same one with this order declared
    because: str  # what they look like, after "the values"

    @classmethod
    def of(cls, study: Annotations) -> SeemingScale | None:
        """The scale that the words of a study look like; None where they look like none."""
        order = study.seeming_order
        if order is None:
            return None
        return cls(study.declaring(order.values, ordered=True), order.because)

    @property
    def hints(self) -> tuple[Hint, Hint]:
        """The options that say so."""
        return Hint("values", list(self.study.values)), Hint("ordered", value=True)

    @property
    def stated(self) -> Wording:
        """The same options in a sentence."""
        return Wording(", ".join(map(str, self.hints)), " ".join(hint.for_command_line() for hint in self.hints))

    def measured(self) -> Agreement:
        """Alpha of the values as this scale."""
        return choice(("alpha", {"distance": "ordinal"})).of(self.study)

    def remark(self, number: str) -> Advice:
        """What was done with such values, what they give as a scale, and how to say that they are one."""
        text = (
            f"the values {self.because}, and were taken as labels; as an ordered scale, {number}; if they are a scale, "
            f"pass {self.stated}"
        )
        return Advice(text, [self.stated])


def complete(study: Annotations) -> bool:
    """Whether every annotator annotated every item."""
    return not study.anonymous and study.occasion is None and len(study) == len(study.items) * len(study.annotators)


def even(study: Annotations) -> bool:
    """Whether all items have the same number of annotations, at least two."""
    sizes = study.sizes()
    return bool(len(sizes)) and int(sizes.min()) == int(sizes.max()) >= 2


def defaults(study: Annotations, *, distance: IntoDistance | None = None, weights: object = None) -> tuple[Choice, ...]:
    """The usual coefficients for the kind of value; a distance or weights replace those of the kind."""
    kind, design = study.kind, design_of(study)
    if kind.complex and weights is None:
        given = {"distance": kind.distance if distance is None else distance}
        return tuple(
            Choice(default.measure, {**given, **default.options})
            if "distance" in keywords(default.measure) and default.facts.values == "any"
            else default
            for default in map(choice, kind.measures if distance is None else OF_PAIRS)
        )
    if weights is not None:
        weighted = (choice((name, {"weights": weights})) for name in ("alpha", design.kappa, "ac2"))
        return (choice("percent"), *weighted)
    if distance is not None:
        return (choice("percent"), choice(("alpha", {"distance": distance})))
    circular = study.level == "circular"  # where an ICC makes no sense
    further = () if kind.further_measures is None or circular else kind.further_measures(design)
    stated = {"distance": study.level.distance}  # which may be that of a ratio or of a circle
    return tuple(
        Choice(measure, {**options, **stated}) if facts_of(measure).by_level else Choice(measure, options)
        for measure, options in map(choice, (*kind.measures, *further))
    )


def design_of(study: Annotations) -> Design:
    """What the usual measures depend on besides the kind of value."""
    count = len(study.annotators)
    return Design(count == 2, count > 1, study.anonymous, complete(study), even(study))


def natural(named: Choice, study: Annotations) -> Choice:
    """A measure with the distance that it takes at the level of the values by itself, spelled out in its title."""
    measure, options = named
    if not named.facts.by_level or {"distance", "weights"} & options.keys():
        return named
    return Choice(measure, {**options, "distance": study.level.distance})


def beside_number(study: Annotations, code: int) -> str:
    """A label as it stands beside a number: in quotes where it might be taken for one."""
    text = study.named(study.values[code])
    alike = study.kind in ("labels", "ordered") and (text[:1].isdigit() or text[-1:].isdigit())
    return f"'{text}'" if alike else text


def used(study: Annotations) -> Int64s:
    """How often each value was given."""
    return np.bincount(study.value, minlength=len(study.values))
