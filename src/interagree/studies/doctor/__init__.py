"""A file examined before it is measured: what was recognised, who annotated what, what is odd, and what to run next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from interagree.arrays import Array
from interagree.choose import complete
from interagree.data import Annotations, Study
from interagree.data.codebook import Codebook
from interagree.data.levels import LEVELS
from interagree.data.provenance import counted
from interagree.errors import (
    Advice,
    ColumnNotFound,
    DuplicateAnnotation,
    Hint,
    InteragreeError,
    KindError,
    OneOf,
    listing,
    without_password,
)
from interagree.errors.options import checks_options
from interagree.readers import read
from interagree.results.answer import Answer
from interagree.results.document import Document, Section, as_sentences
from interagree.results.narrow import narrow
from interagree.spans.oddities import SpanSurvey
from interagree.studies.doctor.advice import next_commands, settings_of, steps_of, suspicions
from interagree.studies.doctor.odd import FEW, Oddity, oddities, some_of
from interagree.tables import Table, cell


@dataclass(frozen=True)
class Examination(Answer):
    """What there is to say of a file before it is measured."""

    path: str
    sections: Sequence[Section]
    findings: Mapping[str, Sequence[Oddity]]  # what is odd, by question
    data: Mapping[str, object]
    settings: Mapping[str, object]  # what to write into a configuration
    comparable: bool  # whether some item has two annotations
    suspected: Sequence[tuple[str, dict[str, object]]]  # what may be right, with the reason to think so
    codebook: Codebook  # what is known of each question, to correct

    @property
    def undefined(self) -> str | None:
        """Why nothing in the file can be compared; None where something can."""
        return None if self.comparable else "no item has two annotations"

    def tables(self) -> dict[str, Table]:
        """What is odd about each question, and the tables of annotators and labels."""
        odd = [(name, str(finding)) for name, findings in self.findings.items() for finding in findings]
        findings = Table({"question": [name for name, _ in odd], "finding": [finding for _, finding in odd]})
        return {"findings": findings} | {
            section.title: section.table for section in self.sections if section.table is not None
        }

    def codebook_document(self) -> Document:
        """The codebook as a table to correct; `interagree.read` takes it back as ``codebook=``."""
        table = Table.of(self.codebook.rows())
        return Document("Codebook", [Section(table=table)], {"questions": table.rows()}, table)

    def document(self) -> Document:
        """What was recognised, annotators and overlap, what is odd, and what to run next."""
        return Document("standard input" if self.path == "-" else self.path, self.sections, self.data)


@checks_options
def doctor(path: str | Path | Sequence[str | Path], *, questions: Sequence[str] = (), **options: object) -> Examination:
    """Everything that can be said of a file before measuring it.

    Args:
        path: The file, several of one study, or "-" for standard input.
        questions: Which questions to look at; all by default.
        options: What `interagree.read` takes.

    Returns:
        An `Examination`, which prints as text.

    Examples:
        >>> import interagree as ia
        >>> reviews = Path(ia.__file__).with_name("examples") / "reviews.csv"
        >>> ia.doctor(reviews, questions=["rating"]).comparable
        True
    """
    files = [str(path)] if isinstance(path, str | Path) else [*map(str, path)]
    study, repeated, assumed = _opened(files, options)
    files = [*map(without_password, files)]
    path = ", ".join(files)
    given = {**options, **assumed}
    if questions:
        study = Study({name: study[name] for name in questions}, study.provenance, study.reading)
    sections = [Section("What was recognised", _recognised(files, study))]
    settings: dict[str, object] = {**given}
    suspected: list[tuple[str, dict[str, object]]] = []
    findings: dict[str, Sequence[Oddity]] = {}
    scales: dict[str, dict[str, object]] = {}
    for name, question in study.items():
        title = f"{name}: " if len(study) > 1 else ""
        odd, wanted = oddities(question)
        if repeated and len(question.annotators) == 1:  # said already, and better
            odd = []
        odd = [*repeated, *odd]
        if len(study) > 1 or questions:  # what one question needs is not said of all
            scales |= {name: {key: wanted[key] for key in ("values", "ordered")}} if "values" in wanted else {}
            settings.update({key: wanted[key] for key in wanted if key not in ("kind", *scales.get(name, ()))})
        else:
            settings.update(wanted)
        suspected += suspicions(question, odd, {key: wanted[key] for key in wanted if key not in options})
        parts = [*_annotators(question), _overlap(question)]
        sections += [Section(title + part.title, part.lines, part.table, part.foot) for part in parts]
        lines = [Advice.of("- ", finding.sentence()) for finding in odd] or [Advice("Nothing odd was found.")]
        sections.append(Section(f"{title}What is odd", lines))
        findings[name] = odd
    comparable = any((question.sizes() >= 2).any() for question in study.values())
    commands = next_commands(files, study, settings, given, scales, comparable=comparable)
    sections.append(Section("What to run next", commands, verbatim=True))
    data = {
        "file": path,
        "provenance": [asdict(step) for step in steps_of(study)],
        "questions": {name: _told(question, findings[name]) for name, question in study.items()},
        "next": list(commands),
    }
    return Examination(
        path,
        sections,
        findings,
        data,
        settings_of(study, given),
        comparable,
        suspected if len(study) == 1 else [],
        Codebook.describing(study),
    )


def _opened(files: list[str], options: Mapping[str, Any]) -> tuple[Study, list[Oddity], dict[str, object]]:
    """The file read as every command reads it; with repeated judgements kept where somebody judged an item twice."""
    path = files[0] if len(files) == 1 else files
    try:
        return read(path, **options), [], {}
    except DuplicateAnnotation as error:
        if "-" in files or "duplicates" in options:
            raise
        either, every = Hint("duplicates", OneOf(("first", "last"))), Hint("duplicates", "keep")
        finding = Oddity(
            str(error).partition(";")[0].removeprefix(f"{files[0]}: "),
            f"pass {either} to take one of them, or {every} to take all as repeated judgements, as was done here",
            (either, every),
        )
        try:
            return read(path, **options, duplicates="keep"), [finding], {"duplicates": "keep"}
        except KindError:  # a reader that takes one annotation of each
            raise error from None
    except ColumnNotFound as error:
        if "-" in files or len(files) > 1 or {"annotator", "layout"} & options.keys():
            raise
        return _of_one(files[0], options, error)


def _of_one(
    path: str, options: Mapping[str, Any], error: ColumnNotFound
) -> tuple[Study, list[Oddity], dict[str, object]]:
    """A file in which nobody is named and each item has one value; else the error that says what is missing."""
    try:
        study = read(path, **options, annotator="{file}")
    except InteragreeError:
        raise error from None
    finding = Oddity(
        (
            "there is one value for each item and nobody who gave it: these look like gold labels, or "
            "like the file of one annotator"
        ),
        "with a file for each annotator, name them all and take the annotator from the name of the file: "
        "interagree measure A B --together --annotator '{file}'",
    )
    return study, [finding], {"annotator": "{file}"}


def _recognised(files: Sequence[str], study: Study) -> list[str]:
    there = [path for path in files if path != "-" and Path(path).is_file()]
    lines = [f"File: {path}, {_size(Path(path).stat().st_size)}." for path in there]
    if len(study) > 1:
        lines.append(f"Questions: {listing(study)}; -q chooses.")
    taken = [step.sentence for step in steps_of(study) if step.what in ("taken", "set aside")]
    lines += as_sentences(taken, capital=True)
    for name, question in study.items():
        before = f"{name}: " if len(study) > 1 else ""
        shown = some_of(question.labels(), 1 if question.kind.complex else 8, question.value_labels)
        known = None if study.codebook is None else study.codebook.of(name)
        asked = f"“{known.title}”, " if known is not None and known.title else ""
        what = f"{before}{asked}{question.kind.title}, {counted(len(question.values), 'distinct value')}: {shown}."
        level = question.level
        if level.name in LEVELS and question.values and (level.doubt is not None or not level.plain):
            what += f" Level: {level}{'' if level.doubt is None else f', and may be {level.doubt}'}."
        if not question.values:
            what = f"{before}there are no values."
        marked = _marked(question)
        if marked is not None:
            what = f"{before}{marked.sentence()}."
        lines.append(what[:1].upper() + what[1:] if not before else what)
        if marked is not None and len(marked.row):
            lines += as_sentences([before + marked.positions()], capital=not before)
    changed = [step.sentence for step in steps_of(study) if step.what in ("dropped", "merged", "assumed")]
    return [*lines, *_further(study), *as_sentences(changed, capital=True)]


def _further(study: Study) -> Iterator[str]:
    """What is kept beside the values, once for all questions that have the same of it."""
    having: dict[tuple[str, ...], list[str]] = {}
    for name, question in study.items():
        having.setdefault(tuple(map(str, question.attributes)), []).append(name)
    for columns, names in having.items():
        if columns:
            before = f"{listing(names, quote=False, most=8)}: " if len(having) > 1 else ""
            yield f"{before}Further columns: {listing(columns, most=8)}."


def _marked(study: Annotations) -> SpanSurvey | None:
    """The spans of a study; None where its values are of another kind, or one of them is not a span."""
    if study.kind != "spans" or not len(study):
        return None
    try:
        return SpanSurvey.of(study)
    except KindError:
        return None


def _size(size: int) -> str:
    return (
        f"{size:,} bytes"
        if size < 10_000
        else f"{size / 1000:,.0f} kB"
        if size < 10_000_000
        else f"{size / 1e6:,.0f} MB"
    )


def _annotators(study: Annotations) -> list[Section]:
    marked = _marked(study)
    if marked is None:
        return [_who(study)]
    if not study.anonymous and len(study.annotators) <= FEW:
        who = Section("Annotators", table=narrow(marked.by_annotator()))
    else:
        short = _who(study)
        who = Section("Annotators", [*short.lines, *marked.summary()])
    return [who, Section("Labels", table=narrow(marked.by_label()))] if set(marked.used) - {None} else [who]


def _who(study: Annotations) -> Section:
    if not len(study):
        return Section("Annotators", ["There are no annotations, so nobody gave any."])
    if study.anonymous:
        return Section("Annotators", ["Nobody knows who gave which value: these are counts."])
    given = np.bincount(study.annotator, minlength=len(study.annotators))
    table = (
        np.zeros((len(study.annotators), len(study.values)), dtype=np.int64)
        if len(study.annotators) * len(study.values) < 20_000_000
        else None
    )
    if table is not None:
        np.add.at(table, (study.annotator, study.value), 1)
    if len(given) > FEW or table is None:
        order = np.sort(given)
        busiest = study.annotators[int(given.argmax())]
        few = int((given < 5).sum())
        lines = [
            (
                f"{len(given):,} annotators with {order[0]:,} to {order[-1]:,} annotations each (median "
                f"{np.median(order):g}); most: {busiest}."
                if order[0] < order[-1]
                else f"{len(given):,} annotators with {counted(int(order[0]), 'annotation')} each."
            ),
            *([f"{counted(few, 'annotator')} gave fewer than five."] if few else []),
        ]
        return Section("Annotators", lines)
    top = table.argmax(axis=1)
    if study.kind.complex:
        return Section(
            "Annotators", table=narrow(Table({"annotator": list(study.annotators), "annotations": given.tolist()}))
        )
    return Section(
        "Annotators",
        table=narrow(
            Table(
                {
                    "annotator": list(study.annotators),
                    "annotations": given.tolist(),
                    "different values": (table > 0).sum(axis=1).tolist(),
                    "most common": [cell(study.values[int(k)]) for k in top],
                    "its share": (table.max(axis=1) / np.maximum(given, 1)).tolist(),
                }
            )
        ),
    )


def _common(study: Annotations) -> Array | None:
    """For each pair of annotators the number of items both annotated; None where there is nobody to pair."""
    if study.anonymous or len(study.annotators) < 2 or len(study.annotators) > 20_000:
        return None
    from scipy import sparse

    ones = np.ones(len(study), dtype=np.int32)
    who = sparse.csr_array((ones, (study.item, study.annotator)), shape=(len(study.items), len(study.annotators)))
    who.sum_duplicates()
    who.data[:] = 1
    common: Array = sparse.triu(who.T @ who, k=1).data
    return common


def _overlap(study: Annotations) -> Section:
    sizes = study.sizes()
    given = sizes[sizes > 0]
    if not len(given):
        return Section("Overlap", ["There are no annotations."])
    single, more = int((given == 1).sum()), int((given > 1).sum())
    each = (
        f"{given.min()}"
        if given.min() == given.max()
        else f"{given.min()} to {given.max()} (median {np.median(given):g})"
    )
    lines = [
        (
            f"{counted(len(given), 'item')} with {each} annotation{'' if each == '1' else 's'} each; "
            f"{more:,} with two or more, {single:,} with one."
        )
    ]
    if not study.anonymous and len(study.annotators) > 1:
        if complete(study):
            return Section("Overlap", [*lines, "Every annotator annotated every item."])
        if study.occasion is None:
            filled = min(len(study) / (len(study.items) * len(study.annotators)), 0.999)
            lines.append(f"{filled:.1%} of all pairs of item and annotator are filled.")
        common = _common(study)
        if common is not None:
            lines.append(_in_common(common, len(study.annotators)))
    return Section("Overlap", lines)


def _in_common(common: Array, people: int) -> str:
    """How many items pairs of annotators share; of two there is one pair."""
    if people == 2:
        return f"Both annotated {counted(int(common[0]), 'item') if len(common) else 'no item'}."
    middle = f", {np.median(common):,.9g} of them in the median pair" if len(common) else ""
    return f"{len(common):,} of {people * (people - 1) // 2:,} pairs of annotators have items in common{middle}."


def _told(study: Annotations, odd: Sequence[Oddity]) -> dict[str, object]:
    sizes = study.sizes()
    given = sizes[sizes > 0]
    return {
        "kind": study.kind.name,
        "items": len(study.items),
        "annotators": None if study.anonymous else len(study.annotators),
        "annotations": len(study),
        "values": [cell(value) for value in study.values[:100]],
        "items_with_one_annotation": int((given == 1).sum()),
        "items_with_more": int((given > 1).sum()),
        "complete": complete(study),
        **_told_of_spans(study),
        "oddities": [finding.sentence() for finding in odd],
    }


def _told_of_spans(study: Annotations) -> dict[str, object]:
    marked = _marked(study)
    if marked is None:
        return {}
    return {"spans": len(marked.row), "labels": {name or "": times for name, times in marked.used.items()}}
