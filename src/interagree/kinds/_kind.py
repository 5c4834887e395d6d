"""What a kind of value is: everything that the rest of the package asks about it, declared in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from interagree.errors import KindError
from interagree.plugins import KINDS

if TYPE_CHECKING:
    from interagree.arrays import Integers
    from interagree.data.types import Json, Value
    from interagree.kinds._merging import Merging
    from interagree.kinds._noise import Noise
    from interagree.kinds._views import Drawing

LOOKED_AT = 2_000  # distinct values by which a kind is recognised
NEARLY = 0.75  # so many are of one kind, so that the others are taken to be mistakes
PLUGGED_IN = 100  # the rank of a kind that states none: before the complex kinds that are built in
TAKEN = "the values were taken as {name}; kind='{name}' says so"
WHOLE = "the values are {name} and were compared as wholes: the same or not"

Certainty = Literal["plain", "likely", "loose", "fallback"]
ConsensusMethod = Literal["majority_vote", "median", "medoid"]


class Declared(NamedTuple):
    """What somebody declared about the values of a study."""

    ordered: bool | None = None  # whether their order means something; None where nobody said
    stated: bool = False  # whether all possible values were listed


class Evidence(NamedTuple):
    """Why values are taken to be of a kind."""

    because: str  # what they are seen to be: "whole numbers from 1 to 5"
    doubt: str | None = None  # the name of the other kind that they may be meant as


class Design(NamedTuple):
    """What the usual measures depend on besides the kind of value."""

    two: bool  # exactly two annotators
    several: bool  # more than one annotator
    anonymous: bool
    complete: bool  # every annotator annotated every item
    even: bool  # all items have the same number of annotations, at least two

    @property
    def kappa(self) -> str:
        """The kappa that suits the annotators."""
        return "cohen_kappa" if self.two else "fleiss_kappa" if self.anonymous else "conger_kappa"


class ListValues(NamedTuple):
    """Values that are all lists, with the annotations that gave them."""

    values: Sequence[tuple[Any, ...]]
    value: Integers  # of each annotation
    item: Integers
    taken_as: str

    @property
    def nested(self) -> bool:
        return any(isinstance(part, tuple) for value in self.values for part in value)

    def well_formed(self, kind: Kind) -> bool:
        """Whether all values could be of a kind."""
        return all(kind.why_not(value) is None for value in self.values)


def only_when_stated(values: Sequence[object]) -> bool:  # noqa: ARG001 -- whatever they are
    """The ``likely`` of kinds that cannot be told by their values."""
    return False


def stored_noise(name: str) -> Callable[[], Noise[Any, Any]]:
    """The noise of a built-in kind, loaded when it is asked for."""

    def load() -> Noise[Any, Any]:
        noise: Noise[Any, Any] = getattr(import_module(f"interagree.kinds._noise.{name}"), name)
        return noise

    return load


class HowWritten(TypedDict):
    """What values of a kind are called, and how they are written."""

    name: str
    title: str
    form: str


class Told(TypedDict):
    """How values of a kind are told from others, and made into arrays."""

    why_not: Callable[[object], str | None]
    likely: Callable[[Sequence[Any]], bool]
    rank: int
    certainty: Certainty
    pack: Callable[[Sequence[Any]], Any] | None
    quick: Callable[[Sequence[Any]], Any] | None


def written(name: str, form: str, *, title: str = "") -> HowWritten:
    """The name of a kind, how a value is written, and the title where it is not the name."""
    return HowWritten(name=name, title=title or name, form=form)


def told_by(
    why_not: Callable[[object], str | None],
    likely: Callable[[Sequence[Any]], bool],
    pack: Callable[[Sequence[Any]], Any] | None = None,
    quick: Callable[[Sequence[Any]], Any] | None = None,
    *,
    rank: int,
    certainty: Certainty = "likely",
) -> Told:
    """The functions that recognise and pack the values of a kind, and when it is tried."""
    return Told(why_not=why_not, likely=likely, rank=rank, certainty=certainty, pack=pack, quick=quick)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Kind:
    """A kind of value.

    A kind is equal to its name, so that ``study.kind == "boxes"`` holds.  A kind with ``pack`` is a complex one, whose
    values become arrays before they are compared; one without is simple.
    """

    name: str
    title: str  # in words, plural: "boxes in an image"
    form: str  # how a value is written, after "expected": "a list of [x0, y0, x1, y1]"

    # How it is recognised
    why_not: Callable[[object], str | None]  # why a value is not of this kind; None where it is
    likely: Callable[[Sequence[Any]], bool]  # whether well-formed values are likely to be meant as this kind
    rank: int = PLUGGED_IN  # kinds are tried in rising order, the most specific first
    certainty: Certainty = "likely"  # "plain": nothing else is written like it; "loose": other values look like it;
    # "fallback": what remains where nothing else fits
    evidence: Callable[[Sequence[object], Declared], Evidence | None] | None = None  # in place of the two
    ambiguous: bool = False  # whether such lists may be meant as a kind that must be stated
    can_be_stated: bool = True  # as in kind="boxes"
    as_stated: Callable[[object], Value] | None = None  # makes a value of what was read, where it was stated
    suspected: Callable[[ListValues], bool] | None = None  # whether lists could be meant as this kind
    suspicion: str = ""  # what such lists are called

    # How values are compared
    distance: str  # the usual one
    distances: tuple[str, ...]  # those worth comparing, the coarsest first
    measures: tuple[str, ...] = ("alpha", "auc", "ks", "sigma")  # the usual ones in a report
    further_measures: Callable[[Design], tuple[str, ...]] | None = None  # those that depend on the design
    pack: Callable[[Sequence[Any]], Any] | None = None  # well-formed values as arrays
    quick: Callable[[Sequence[Any]], Any] | None = None  # packs what is plainly right, else gives None
    structured: bool = True  # whether a value has parts, which are lost where it is compared as a whole

    # What else can be done with them
    object_labels: Callable[[Any], Sequence[str | int | None]] | None = None  # where a value is a list of regions of
    # an image: the label of each, in the order in which they are packed
    noise: Callable[[], Noise[Any, Any]] | None = None  # how annotators go wrong
    merge: Merging | None = None  # how annotations become one new value
    consensus: ConsensusMethod = "medoid"  # the usual way to one answer
    words: Callable[[object, str | None], str] | None = None  # a value as people read it, in the text of its item
    nothing: str = "none"  # an empty value, as people read it
    empty: Value = None  # the answer that there is nothing here; None where no value says so
    view: str = "plain"  # how a page draws values; `interagree.kinds._views` lists the ways
    drawn: Callable[[Any, Drawing], Json] | None = None  # a value as that drawing takes it; None for "plain"

    # What is said about it
    sentence: str = TAKEN  # where it was recognised and nobody stated it
    sentence_in_doubt: str = ""  # where values were taken as labels and may be of this kind
    group: str = "Other values"  # of its distances in the documentation
    examples: tuple[Value, ...] = ()  # distinct values, for the property tests

    @property
    def complex(self) -> bool:
        """Whether values are packed into arrays before they are compared."""
        return self.pack is not None

    def recognise(self, values: Sequence[object], declared: Declared) -> Evidence | None:
        """Why values are taken to be of this kind; None where they are not.

        Args:
            values: The distinct values, in order.
            declared: What somebody declared about them.
        """
        if self.evidence is not None:
            return self.evidence(values, declared)
        some = list(islice(values, LOOKED_AT))
        if declared.stated or not some or any(self.why_not(value) is not None for value in some):
            return None
        return Evidence(self.name) if self.likely(some) else None

    def packed(self, values: Sequence[object]) -> Any:
        """Values as arrays, or an error that names the first value that is not of this kind."""
        quickly = None if self.quick is None else self.quick(values)
        if quickly is not None:
            return quickly
        self.check(values)
        return values if self.pack is None else self.pack(values)

    def check(self, values: Sequence[object]) -> None:
        """Raise an error that names the first value that is not of this kind."""
        for value in values:
            reason = self.why_not(value)
            if reason is not None:
                shown = repr(value)
                text = isinstance(value, str) and value.lstrip()[:1] in ("[", "{")
                raise KindError(
                    f"{self.title} were expected, each {self.form}; {reason}: "
                    f"{shown if len(shown) <= 120 else shown[:117] + '…'}"
                    + (", which is text and not JSON (JSON puts names in double quotes)" if text else "")
                )

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<kind {self.name}>"

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __eq__(self, other: object) -> bool:
        return self.name == (other.name if isinstance(other, Kind) else other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Callable[[str], Kind], tuple[str]]:
        return _registered, (self.name,)


def _registered(name: str) -> Kind:
    return KINDS[name]
