"""What reports, tables of coefficients and checks have in common: data in, measured parts out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from interagree.choose import IntoChoice
from interagree.data import Annotations, IntoAnnotations, Study, as_annotations
from interagree.data.provenance import Provenance
from interagree.data.types import Values
from interagree.distances import IntoDistance
from interagree.errors import DataError
from interagree.reports import parts as reported
from interagree.reports.parts import Part, paper_sentence_of, tidy
from interagree.results.agreement import IntervalOptions
from interagree.results.answer import Answer
from interagree.results.charts import Forest
from interagree.results.document import Document, Section
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.data import ReadingOptions

Studies: TypeAlias = "IntoAnnotations | Study | Mapping[str, IntoAnnotations]"
"""A study or anything `Annotations.of` takes, or a dict from names to such data."""


@dataclass(frozen=True, slots=True)
class MeasuredAnswer(Answer):
    """An answer made of measured parts."""

    parts: tuple[Part, ...]
    intervals: IntervalOptions = field(default_factory=IntervalOptions)
    undefined: str | None = field(default=None, init=False)  # why no coefficient has a value

    def __post_init__(self) -> None:
        results = [result for part in self.parts for result in part.results]
        if all(result.undefined for result in results):
            refused = [reason for part in self.parts for reason in part.refused]
            reasons = [*(result.undefined for result in results), *refused, "nothing was measured"]
            object.__setattr__(self, "undefined", reasons[0])

    def chart(self) -> Forest | None:
        """The coefficients with their intervals."""
        return reported.forest_chart(self.parts, self.intervals)

    def tables(self) -> Mapping[str, Table]:
        """The coefficients, one row each."""
        return {"coefficients": tidy(self.parts, self.intervals)}

    def sentence(self) -> str:
        """A sentence ready for a paper on the leading coefficient of each part, one for each line."""
        return "\n".join(part.prefixed(sentence) for part, sentence in self._sentences())

    def _sentences(self) -> list[tuple[Part, str]]:
        return [(part, paper_sentence_of(part, self.intervals)) for part in self.parts]

    def in_a_sentence(self) -> Document:
        """The same as a document."""
        lines = self.sentence().split("\n")
        data = [{**part.source, "study": part.name, "sentence": sentence} for part, sentence in self._sentences()]
        rows = Table.of([{"study": part.name, "sentence": sentence} for part, sentence in self._sentences()])
        return Document("", [Section(lines=lines, verbatim=True)], {"sentences": data}, rows)


def parts_of(
    data: Studies,
    others: Sequence[Values],
    reading: ReadingOptions,
    *,
    measures: Sequence[IntoChoice] = (),
    distance: IntoDistance | None = None,
    weights: object = None,
    lenient: bool | None = None,
    fallback: str | None = None,
) -> tuple[tuple[Part, ...], bool]:
    """The measured parts of data, and whether they are several studies by name."""
    studies, several = _studies(as_annotations(data, *others) if others else data, reading)
    if not studies:
        raise DataError("there is nothing to report on: no study was given")
    parts = tuple(
        reported.measured(
            study,
            name=name,
            measures=measures,
            distance=distance,
            weights=weights,
            lenient=len(studies) > 1 if lenient is None else lenient,
            provenance=provenance,
            fallback=fallback,
        )
        for name, (study, provenance) in studies.items()
    )
    return parts, several


def _studies(data: Studies, reading: ReadingOptions) -> tuple[dict[str, tuple[Annotations, Provenance]], bool]:
    """Studies by name, each with where its data are from, and whether the caller gave the names."""
    if isinstance(data, Study):
        if reading:
            read = {name: as_annotations(study, **reading) for name, study in data.items()}
            data = Study(read, data.provenance)
        several = len(data) > 1
        read_from = {name: data.provenance.joined([study.provenance]) for name, study in data.items()}
        return {name if several else "": (study, read_from[name]) for name, study in data.items()}, False
    if isinstance(data, Mapping) and data and all(_is_study(entry) for entry in data.values()):
        studies: dict[str, tuple[Annotations, Provenance]] = {}
        for name, entry in data.items():
            inner, _ = _studies(entry, reading)
            studies.update({f"{name} {question}".strip(): study for question, study in inner.items()})
        return studies, True
    study = as_annotations(data, **reading)
    return {"": (study, study.provenance)}, False


def _is_study(entry: object) -> bool:
    """Whether an entry of a dict is data of its own, and not a column or a list of one annotator's values."""
    if isinstance(entry, Annotations | Study):
        return True
    if isinstance(entry, Mapping):  # a dict of columns; a dict from annotators to values is one, too
        return bool(entry) and all(
            isinstance(column, Sequence) and not isinstance(column, str) for column in entry.values()
        )
    return hasattr(entry, "columns") or hasattr(entry, "collect_schema") or getattr(entry, "ndim", 1) == 2
