"""Noise: how annotators go wrong, one module per kind of value, named as the kind is called.

An error has a magnitude $m$ between 0 and 1.  At 0 values are left as they are; at 1 they are as far from the reference
as the error can take them, which the module of each kind spells out.  Several errors are applied one after the
other, each with the same magnitude.  Errors draw what they need, such as labels and sizes, from the reference itself,
so that what is made up looks like what is there.

Mathet, Y., Widlöcher, A., Fort, K., François, C., Galibert, O., Grouin, C., Kahn, J., Rosset, S., & Zweigenbaum, P.
(2012). Manual corpus annotation: giving meaning to the evaluation metrics. COLING 2012: Posters, 809-818.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from numpy.random import Generator

from interagree.data.types import Value
from interagree.data.values import number, plain
from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.kinds import Kind, recognised
from interagree.plugins import KINDS

Form = TypeVar("Form")  # what errors are made on: values, or what is read from them
Known = TypeVar("Known")  # what is known about the reference
Confusion = Mapping[Value, Mapping[Value, float]]
Error = Callable[[Sequence[Form], float, Generator, Known], list[Form]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The reference, as errors look at it: one value for each item."""

    values: Sequence[Any]
    scale: Sequence[Value] = ()  # all values that could have been given, in order where there is one
    ordered: bool = False
    confusion: Confusion | None = None


@dataclass(frozen=True, slots=True)
class Noise(Generic[Form, Known]):
    """The errors of one kind of value.

    ``survey`` looks at the reference once; an error takes values in the order of the reference, the magnitude, random
    numbers and what the survey found, and gives new values.  ``usual`` says which errors make sense on it, and
    ``together`` which of them make sense together, if not all.  Where errors are easier on another form, ``read``
    makes it of a value, and ``write`` makes a value of it, what the survey found, and the right value.
    """

    name: str
    errors: Mapping[str, Error[Form, Known]]  # in the order in which they are applied
    survey: Callable[[Corpus], Known]
    usual: Callable[[Known], tuple[str, ...]]
    together: Callable[[Known], tuple[str, ...]] | None = None
    read: Callable[[Any], Form] | None = None
    write: Callable[[Form, Known, Any], Value] | None = None
    scaled: bool = False  # whether errors draw from all values that could have been given

    def chosen(self, known: Known, names: Iterable[str] | None = None, *, separately: bool = False) -> tuple[str, ...]:
        """The errors that are meant, in the order in which they are applied."""
        if names is None:
            return self.usual(known) if separately or self.together is None else self.together(known)
        wanted = [names] if isinstance(names, str) else list(names)
        for name in wanted:
            if name not in self.errors:
                raise UnknownName(
                    f"no noise of {self.name} is called {name!r}.{suggestion(str(name), self.errors)} (known: "
                    f"{listing(self.errors, quote=False)})"
                )
        if not wanted:
            raise KindError(f"no noise was named; {self.name} take {listing(self.errors, quote=False)}")
        return tuple(name for name in self.errors if name in wanted)

    def apply(
        self, values: Sequence[Any], magnitude: float, rng: Generator, known: Known, names: Iterable[str]
    ) -> list[Any]:
        """Values with errors of a magnitude, one after the other."""
        if magnitude == 0:
            return list(values)
        degraded = list(values) if self.read is None else [self.read(value) for value in values]
        for name in names:
            degraded = self.errors[name](degraded, magnitude, rng, known)
        if self.write is None:
            return degraded
        return [self.write(form, known, value) for form, value in zip(degraded, values, strict=True)]


def noise_of(kind: Kind) -> Noise[Any, Any]:
    """The errors of a kind of value, or an error that says which kinds have some."""
    if kind.noise is None:
        noisy = [name for name, known in KINDS.items() if known.noise is not None]
        raise KindError(f"there is no noise for {kind}; there is for {listing(noisy, quote=False)}")
    return kind.noise()


def checked(magnitude: object) -> float:
    """A magnitude, or an error that says what one is."""
    amount = None if isinstance(magnitude, str) else number(magnitude)
    if amount is None or not 0 <= amount <= 1:
        raise KindError(
            f"a magnitude lies between 0 (the reference itself) and 1 (as noisy as can be), got {magnitude!r}"
        )
    return amount


def degrade(
    values: Sequence[object],
    magnitude: float,
    rng: Generator,
    *,
    noise: Iterable[str] | str | None = None,
    kind: str | None = None,
    scale: Sequence[Value] = (),
    confusion: Confusion | None = None,
) -> list[Value]:
    """Values as an annotator would have given them who errs with a magnitude; new ones, in the same order.

    Args:
        values: The right value of each item.
        magnitude: From 0, nothing is changed, to 1.
        rng: Random numbers, from ``np.random.default_rng(seed)``.
        noise: Names of errors of the kind; those that make sense together by default.
        kind: "labels", "numbers", "sets" or a complex kind; recognised by default.
        scale: All labels that could have been given, in order; those that are there by default.
        confusion: For labels, how likely each is mistaken for each other: ``{"PER": {"ORG": 3, "LOC": 1}}``.
    """
    reference = [plain(value) for value in values]
    errors = noise_of(
        recognised([*dict.fromkeys(reference)], ordered=bool(scale)).kind if kind is None else KINDS[kind]
    )
    known = errors.survey(Corpus(reference, scale, bool(scale), confusion))
    return errors.apply(reference, checked(magnitude), rng, known, errors.chosen(known, noise))
