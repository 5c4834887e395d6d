"""What a measure gives back: a coefficient that knows how sure it is and where it comes from."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from interagree.data.levels import Level
from interagree.declare import Facts
from interagree.errors import Advice
from interagree.errors.elsewhere import ATTRIBUTES
from interagree.references import REFERENCES
from interagree.results.answer import Answer
from interagree.results.chance import chance_of, relative
from interagree.results.charts import DrawnEstimate, Forest
from interagree.results.document import SCHEMA, Document, Section
from interagree.tables import Table, finite, places, plain

Method = Literal["auto", "adjusted", "analytic", "jackknife", "bootstrap", "bca", "table", "null"]
Random = Literal["items", "annotators", "both", "labels"]


class Parts(NamedTuple):
    """The two quantities every coefficient is made of; ``expected`` is None where chance plays no part.

    ``value`` is the coefficient itself, for the few that are not one minus their ratio (a mean over pairs,
    an intraclass correlation).  In the middle of a calculation all are arrays, one entry for each resample.
    """

    observed: Any
    expected: Any = None
    value: Any = None


class Sizes(NamedTuple):
    """How much data there is."""

    items: int
    annotators: int | None  # None: nobody knows
    annotations: int

    def __str__(self) -> str:
        who = "" if self.annotators is None else f", {self.annotators:,} annotator{'' if self.annotators == 1 else 's'}"
        return f"{self.items:,} item{'' if self.items == 1 else 's'}{who}"


class Interval(NamedTuple):
    """Between which values the coefficient lies, and how that was found."""

    low: float
    high: float
    level: float
    method: str
    error: float  # the standard error behind it; nan where there is none
    df: float = math.inf  # degrees of freedom of the t distribution, if one was used
    seed: int | None = None
    resamples: int = 0
    note: str = ""

    def __str__(self) -> str:
        digits = places(self.low, self.high, 3)
        return f"{self.level:.0%} interval {self.low:.{digits}f} to {self.high:.{digits}f}"

    def divided(self, unit: float | None) -> Interval:
        """The interval in another unit, such as what chance gives; as it is where there is none."""
        return self if unit is None else self._replace(low=self.low / unit, high=self.high / unit)

    def described(self) -> dict[str, object]:
        """The interval as JSON has it: its ends, and how it was found."""
        names = ("low", "high", "level", "method", "df", "seed", "resamples")
        return {name: getattr(self, name) for name in names}


class Remark(Advice):
    """A note that a number is not to be read without, and that is printed with it."""

    __slots__ = ()


class IntervalOptions(NamedTuple):
    """How an error or an interval is found; `Agreement.interval` says what each option means."""

    level: float = 0.95
    method: Method = "auto"
    random: Random = "items"
    cluster: str | None = None
    resamples: int = 2000
    seed: int = 0

    def interval(self, result: Agreement) -> Interval | None:
        """The interval of a coefficient."""
        return result.interval(**self._asdict())

    def to_dict(self, result: Agreement) -> dict[str, object]:
        """The coefficient as plain data, with the error, the interval and the p-value found this way."""
        data: dict[str, object] = result.to_dict()
        if self == IntervalOptions():
            return data
        interval = self.interval(result)
        over = {"random": self.random, "cluster": self.cluster}
        resampled = self.method in ("bootstrap", "bca")
        if resampled and interval is not None:
            data["standard_error"] = interval.error
        else:
            data["standard_error"] = result.standard_error(method=self.method, random=self.random, cluster=self.cluster)
        data["interval"] = None if interval is None else interval.described()
        if not resampled:
            data["p_value"] = result.p_value(method=self.method, random=self.random, cluster=self.cluster)
        return {**data, "interval_over": over}

    def sentence(self, results: Iterable[Agreement]) -> str:
        """How the intervals of some coefficients were found."""
        intervals = [interval for result in results if (interval := self.interval(result)) is not None]
        if not intervals:
            return ""
        methods = " or ".join(dict.fromkeys(interval.method for interval in intervals))
        over = {"items": "items", "annotators": "annotators", "both": "items and annotators"}[self.random]
        group = f" in groups by {self.cluster!r}" if self.cluster else ""
        first = intervals[0]
        drawn = f", {first.resamples} resamples, seed {first.seed}" if first.resamples else ""
        return f"low, high: {self.level:.0%} interval for other {over}{group} ({methods}{drawn})"


class StandardError(NamedTuple):
    """A standard error and its degrees of freedom; both nan where there is none."""

    error: float
    df: float


class Engine(Protocol):
    """What stands behind a result: the statistic, and how to count it again."""

    @property
    def bounded(self) -> bool: ...
    @property
    def drillable(self) -> bool: ...
    def called_with(self, options: Mapping[str, object]) -> Engine: ...
    @property
    def level(self) -> Level | None: ...
    def named_options(self) -> Mapping[str, object]: ...
    def notes_on_options(self) -> Sequence[str]: ...
    def standard_error(self, options: IntervalOptions) -> StandardError: ...
    def interval(self, options: IntervalOptions) -> Interval | None: ...
    def p_value(self, options: IntervalOptions) -> float | None: ...
    def one_tailed(self, options: IntervalOptions) -> bool: ...
    def by_item(self) -> Table: ...
    def by_annotator(self) -> Table: ...
    def by_value(self) -> Table: ...
    def by_pair(self) -> Table: ...
    @property
    def policy(self) -> str: ...
    @property
    def remarks(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Agreement(Answer):
    """One coefficient of one study.

    ``float(result)``, ``round(result, 2)`` and ``f"{result:.2f}"`` give the number; ``print(result)`` also says how
    sure it is.  Results compare as their numbers do, with numbers and with each other: ``result > 0.8``,
    ``max(one, other)``; equal numbers are equal results, whatever they measure.  One that is undefined is nan: it is
    neither above nor below anything, and not equal to itself.

    A result that is pickled takes its data along and is measured again when it is loaded.
    """

    measure: Facts
    value: float  # nan where undefined
    disagreement: Parts
    n: Sizes
    engine: Engine
    undefined: str | None = None  # why there is no number
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    more: Callable[[], dict[str, Any]] | None = None
    _cache: dict[Any, Any] = field(default_factory=dict)

    @property
    def observed_agreement(self) -> float | None:
        """One minus the observed disagreement, where distances are never above one."""
        return 1 - self.disagreement.observed if self.engine.bounded else None

    @property
    def expected_agreement(self) -> float | None:
        """One minus the expected disagreement, where distances are never above one."""
        expected = self.disagreement.expected
        return 1 - expected if expected is not None and self.engine.bounded else None

    @property
    def details(self) -> dict[str, Any]:
        """What else the measure has to say, such as the mean squares behind an ICC."""
        found: dict[str, Any] = self._once("details", lambda: self.more() if self.more is not None else {})
        return found

    @property
    def level(self) -> Level | None:
        """On which level values were compared, and who says so; None where the caller gave a distance or weights."""
        return self.engine.level

    def called_with(self, options: Mapping[str, object]) -> Agreement:
        """The result with the options that it was computed with; where it knows them already, as it is."""
        engine = self.engine.called_with(options)
        if engine is self.engine:
            return self
        notes = (*self.notes, *engine.notes_on_options())
        # Every measure ends here, and `replace` takes longer than the ratio of a small study.
        parts = (self.measure, self.value, self.disagreement, self.n, engine, self.undefined, notes)
        return Agreement(*parts, engine.named_options(), self.more)

    def _once(self, name: Any, make: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def standard_error(self, *, method: Method = "auto", random: Random = "items", cluster: str | None = None) -> float:
        """The standard error; nan where there is none.  See `interval` for the arguments."""
        if self.undefined:
            return math.nan
        options = IntervalOptions(method=method, random=random, cluster=cluster)
        return float(self._once(("error", options), lambda: self.engine.standard_error(options).error))

    def interval(
        self,
        level: float = 0.95,
        *,
        method: Method = "auto",
        random: Random = "items",
        cluster: str | None = None,
        resamples: int = 2000,
        seed: int = 0,
    ) -> Interval | None:
        """The confidence interval; None where there is none.

        Args:
            level: How often such an interval holds the true value.
            method: "auto" takes "adjusted", which holds its level where values are rare, agreement is high or
                documents are few: on an unbounded scale, and for labels with made-up items.  "analytic" is the
                value and its published error on both sides, or the interval that was published (icc of full tables,
                lin_ccc); "jackknife" the same by leaving items out; "bootstrap" resamples items (percentiles),
                "bca" corrects it for bias and skew; "table" is Gwet's closed form for the table of two annotators,
                which divides by n and not n - 1; "null" supposes that there is no agreement.
            random: What another study would have: other "items", other "annotators", "both", or the same items and
                other "labels" (where a measure has a published error for it).
            cluster: An attribute of the items; items of one group (sentences of a document) are not independent.
            resamples: How many resamples the bootstrap draws.
            seed: Where the bootstrap's random numbers start.
        """
        if self.undefined:
            return None
        options = IntervalOptions(level, method, random, cluster, resamples, seed)
        interval: Interval | None = self._once(("interval", options), lambda: self.engine.interval(options))
        return interval

    ci = interval

    @property
    def low(self) -> float:
        """The lower end of the usual 95 % interval; nan where there is none."""
        interval = self.interval()
        return math.nan if interval is None else interval.low

    @property
    def high(self) -> float:
        """The upper end of the usual 95 % interval; nan where there is none."""
        interval = self.interval()
        return math.nan if interval is None else interval.high

    @property
    def p(self) -> float:
        """The usual two-sided p-value, see `p_value`; nan where there is none."""
        p = self.p_value()
        return math.nan if p is None else p

    if not TYPE_CHECKING:  # a type checker knows what there is

        def __getattr__(self, name: str) -> object:
            said = f"; here it is {ATTRIBUTES[name]}" if name in ATTRIBUTES else ""
            raise AttributeError(f"a result has no attribute {name!r}{said}", name=name, obj=self)

    def p_value(
        self, *, method: Method = "auto", random: Random = "items", cluster: str | None = None, sided: Literal[1, 2] = 2
    ) -> float | None:
        """How often data without agreement beyond chance would give a value as far from zero; two-sided by default."""
        if self.undefined:
            return None
        options = IntervalOptions(method=method, random=random, cluster=cluster)
        p = self._once(("p", options), lambda: self.engine.p_value(options))
        if p is None or sided == 2 or self.engine.one_tailed(options):
            return None if p is None else float(p)
        return float(p / 2 if self.value > 0 else 1 - p / 2)

    def by_item(self) -> Table:
        """The disagreement of each item."""
        found: Table = self._once("by_item", self.engine.by_item)
        return found

    def by_annotator(self) -> Table:
        """For each annotator: the coefficient had they not taken part, and their agreement with the rest."""
        found: Table = self._once("by_annotator", self.engine.by_annotator)
        return found

    def by_value(self) -> Table:
        """For each value: the coefficient of that value against the rest, and the specific agreement on it."""
        found: Table = self._once("by_value", self.engine.by_value)
        return found

    def by_pair(self) -> Table:
        """For each pair of annotators: the items both annotated, and the coefficient of the two alone."""
        found: Table = self._once("by_pair", self.engine.by_pair)
        return found

    def tables(self) -> Mapping[str, Table]:
        """The drill-down by name; each table is computed when it is looked up."""
        return Drilled(self)

    def chart(self) -> Forest | None:
        """The coefficient and its interval."""
        if self.undefined:
            return None
        interval = self.interval()
        sure = "" if interval is None else f" and {interval.level:.0%} interval"
        row = DrawnEstimate(self.measure.title, self.value, self.low, self.high)
        return Forest([row], f"{self.measure.symbol}{sure}", f"{self.measure.title}: {str(self).splitlines()[0]}")

    def document(self) -> Document:
        """The coefficient, its notes, and the disagreement of each item."""
        lines = str(self).splitlines()
        sections = [Section(lines=lines, foot=[note for note in self.notes if note not in lines])]
        if not self.undefined and self.engine.drillable:
            sections.append(Section("By item", table=relative(self.by_item(), chance_of(self))))
        key = self.measure.reference
        return Document(self.measure.title, sections, self.to_dict(), bibtex=[REFERENCES[key].bibtex(key)])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON; ``schema`` is the version of this layout."""
        interval = self.interval()
        error = self.standard_error()
        expected = self.disagreement.expected
        return {
            "schema": SCHEMA,
            "measure": self.measure.name,
            "title": self.measure.title,
            "symbol": self.measure.symbol,
            "reference": REFERENCES[self.measure.reference].text(),
            "options": {name: _plain(option) for name, option in self.options.items()},
            "level": None if self.level is None else self.level.to_dict(),
            "value": finite(self.value),
            "undefined": self.undefined,
            "disagreement": {"observed": finite(self.disagreement.observed), "expected": finite(expected)},
            "standard_error": finite(error),
            "interval": None if interval is None else plain(interval.described()),
            "p_value": finite(self.p_value()),
            "n": self.n._asdict(),
            "details": {name: _plain(one) for name, one in self.details.items()},
            "notes": list(self.notes),
            "policy": self.engine.policy,
        }

    def cite(self, style: Literal["text", "bibtex"] = "text") -> str:
        """The publication the measure comes from, as a sentence or as BibTeX."""
        reference = REFERENCES[self.measure.reference]
        return reference.text() if style == "text" else reference.bibtex(self.measure.reference)

    def sentence(
        self,
        level: float = 0.95,
        *,
        method: Method = "auto",
        random: Random = "items",
        cluster: str | None = None,
        resamples: int = 2000,
        seed: int = 0,
    ) -> str:
        """A sentence ready for a paper: the coefficient, its interval, how much data, and the software.

        See `interval` for the arguments.
        """
        from interagree.results.sentences import paper_sentence

        interval = self.interval(level, method=method, random=random, cluster=cluster, resamples=resamples, seed=seed)
        return paper_sentence(self, interval, random=random, cluster=cluster)

    def __float__(self) -> float:
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __eq__(self, other: object) -> bool:
        number = _compared(other)
        return NotImplemented if number is None else self.value == number

    def __lt__(self, other: object) -> bool:
        number = _compared(other)
        return NotImplemented if number is None else self.value < number

    def __le__(self, other: object) -> bool:
        number = _compared(other)
        return NotImplemented if number is None else self.value <= number

    def __gt__(self, other: object) -> bool:
        number = _compared(other)
        return NotImplemented if number is None else self.value > number

    def __ge__(self, other: object) -> bool:
        number = _compared(other)
        return NotImplemented if number is None else self.value >= number

    def __hash__(self) -> int:
        return hash(self.value)

    def __copy__(self) -> Agreement:
        return self  # nothing in it can change

    def __deepcopy__(self, memo: object) -> Agreement:
        return self

    def __reduce__(self) -> tuple[Callable[..., Agreement], tuple[Any, ...]]:
        """What is pickled: the number and what is said about it, and the data to find the rest from again."""
        known = {"n": self.n, "undefined": self.undefined, "notes": self.notes, "options": dict(self.options)}
        return _restored, (self.measure, self.value, self.disagreement, self.engine, self.details, known)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __repr__(self) -> str:
        return f"<{self.measure.symbol} = {self.value:.3f} ({self.n})>"

    def __str__(self) -> str:
        if self.undefined:
            return f"{self.measure.symbol} is undefined: {self.undefined}"
        interval = self.interval()
        sure = f", {interval}" if interval is not None else ""
        level = "" if self.level is None or self.level.plain else f"; {self.level}"
        digits = 3 if interval is None else places(interval.low, interval.high, 3)
        lines = [f"{self.measure.symbol} = {self.value:.{digits}f}{sure} ({self.n}{level})", *self.remarks()]
        return "\n".join(lines)

    def remarks(self) -> tuple[str, ...]:
        """What a reader of the number must know of how the data were read: columns set aside, and what was assumed."""
        return (*self.engine.remarks, *(note for note in self.notes if isinstance(note, Remark)))

    def _repr_html_(self) -> str:
        first, *remarks = str(self).splitlines()
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in dict.fromkeys((*remarks, *self.notes)))
        return f"<p><b>{html.escape(self.measure.title)}</b>: {html.escape(first)}</p>" + (
            f"<ul>{notes}</ul>" if notes else ""
        )


class Drilled(Mapping[str, Table]):
    """The tables of a result, each computed when it is looked up."""

    NAMES = ("by_item", "by_annotator", "by_value", "by_pair")

    def __init__(self, result: Agreement) -> None:
        self._result = result

    def __getitem__(self, name: str) -> Table:
        if name not in self.NAMES:
            raise KeyError(name)
        table: Table = getattr(self._result, name)()
        return table

    def __iter__(self) -> Iterator[str]:
        return iter(self.NAMES)

    def __len__(self) -> int:
        return len(self.NAMES)


def _restored(  # noqa: PLR0917 -- called by pickle
    measure: Facts, value: float, parts: Parts, engine: Engine, details: dict[str, Any], known: dict[str, Any]
) -> Agreement:
    return Agreement(measure, value, parts, engine=engine, more=partial(dict, details), **known)


def _compared(other: object) -> float | None:
    if isinstance(other, Agreement):
        return other.value
    return float(other) if isinstance(other, Real) else None


def _plain(entry: Any) -> Any:
    if entry is None or isinstance(entry, bool | int | str):
        return entry
    if isinstance(entry, float):
        return finite(entry)
    if hasattr(entry, "tolist"):
        return entry.tolist()
    if isinstance(entry, dict):
        return {str(name): _plain(one) for name, one in entry.items()}
    if isinstance(entry, list | tuple):
        return [_plain(one) for one in entry]
    return str(getattr(entry, "__name__", entry))  # a function has a name, and an address that is new each time
