"""Files as studies, each question with its name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from interagree.cli.options import Intervals, MeasureGroup, Output, ReadingGroup
from interagree.errors import (
    QUESTIONS,
    ColumnNotFound,
    DataError,
    DoubtfulReading,
    ReadingAdvice,
    asked_again,
    listing,
    without_password,
)

if TYPE_CHECKING:
    from interagree.data import Annotations, Study
    from interagree.data.provenance import Provenance
    from interagree.reports.parts import Part
    from interagree.results.agreement import IntervalOptions


class Question(NamedTuple):
    """One question of one file."""

    name: str  # as a table calls it; empty where there is only one
    study: Annotations
    policy: str
    file: str
    question: str
    provenance: Provenance  # of the file and the question
    numbers: dict[Hashable, str]  # what items are called that would be called by their text


def read_file(
    file: str | Sequence[str], reading: ReadingGroup, *, numbers: dict[Hashable, str] | None = None, **further: object
) -> Study:
    """One file, or several as one, as a study of the questions that were asked for.

    Args:
        file: Where the data are.
        reading: The options for reading.
        numbers: What items are called without text; see `interagree.data.privacy.without_text`.
        further: Keywords of `interagree.read` that a command sets itself.
    """
    keywords = reading.keywords() | further
    if keywords.pop("no_text", False):
        from interagree.data.privacy import veiled, without_text

        try:
            study = without_text(_read(file, reading.questions, keywords), numbers)
        except DataError as error:
            raise veiled(error) from None
    else:
        study = _read(file, reading.questions, keywords)
    return _only(study, reading.questions) if reading.questions else study


def _read(file: str | Sequence[str], chosen: Sequence[str], keywords: dict[str, Any]) -> Study:
    """A study; values, and an order, that its other questions do not have are said of the chosen questions alone."""
    from interagree.readers import read
    from interagree.reading.scales import apart, with_scale

    try:
        return read(file, **keywords)
    except DataError:
        further, said = apart(keywords)
        if not chosen or not said:
            raise
        study = read(file, **further)
        if len(study) == len(chosen):
            raise
        return with_scale(_only(study, chosen), said)


def _only(study: Study, names: Sequence[str]) -> Study:
    from interagree.data import Study

    return Study({name: study[name] for name in names}, study.provenance, study.reading)


def questions(
    files: Sequence[str],
    reading: ReadingGroup,
    *,
    together: bool = False,
    numbers: dict[Hashable, str] | None = None,
    **further: object,
) -> list[Question]:
    """All questions of all files, named by as much as is needed to tell them apart."""
    numbers = {} if numbers is None else numbers  # of all files, so that their items can be joined
    if files.count("-") > 1:
        raise DataError("standard input (-) was named twice, and it can be read once")
    studies = [] if together and len(files) > 1 else _each(files, reading, numbers, further)
    if not studies:
        from interagree.reading.several import check_shared_questions

        all_annotators = replace(reading, only=(), without=(), questions=())
        studies = [read_file(files, reading, numbers=numbers, **further)]
        if len(studies[0]) > 1 and not reading.value:
            check_shared_questions(files, lambda file: [*read_file(file, all_annotators)])
        files = [" + ".join(file_names(files))]
    short = file_names(files)
    asked = []
    for file, name, study in zip(files, short, studies, strict=True):
        for question, table in study.items():
            parts = [name if len(studies) > 1 else "", question if len(study) > 1 else ""]
            provenance = study.provenance.joined([table.provenance])
            called = ": ".join(part for part in parts if part)
            shown = without_password(file)
            asked.append(Question(called, table, provenance.policy(), shown, question, provenance, numbers))
    return asked


def _each(
    files: Sequence[str], reading: ReadingGroup, numbers: dict[Hashable, str], further: Mapping[str, Any]
) -> list[Study]:
    """A study for each file; none where no file alone says who annotated and they are one study together."""
    studies: list[Study] = []
    for file in files:
        try:
            studies.append(read_file(file, reading, numbers=numbers, **further))
        except (ColumnNotFound, DoubtfulReading):
            if studies or len(files) < 2:
                raise
            try:
                read_file(files, reading, **further)
            except DataError:
                pass
            else:
                return []
            raise
    return studies


class Request(NamedTuple):
    """What a command that measures was asked for."""

    parts: tuple[Part, ...]
    intervals: IntervalOptions
    output: Output
    selection: MeasureGroup

    @property
    def plain(self) -> bool:
        """Whether neither measures nor a distance were named."""
        return self.selection == MeasureGroup(files=self.selection.files, together=self.selection.together)


def measured(given: dict[str, object], *, lenient: bool | None = None, fallback: str | None = None) -> Request:
    """All questions of all files, measured; see `interagree.reports.parts.measured`."""
    from interagree.reports import parts

    selection, intervals = MeasureGroup.take(given), Intervals.take(given).for_library()
    reading = ReadingGroup.take(given)
    asked = questions(selection.files, reading, together=selection.together)
    made = tuple(
        parts.measured(
            question.study,
            name=question.name,
            measures=selection.measures,
            distance=selection.distance,
            weights=selection.weights,
            lenient=len(asked) > 1 if lenient is None else lenient,
            provenance=question.provenance,
            source={"file": question.file, "question": question.question},
            again=asked_again(
                [question.file] if question.file in selection.files else selection.files,
                asdict(reading),
                question.question if len(asked) > 1 else None,
            ),
            fallback=fallback,
        )
        for question in asked
    )
    return Request(made, intervals, Output.take(given), selection)


def single(asked: Sequence[Question]) -> Question:
    """The only question there is."""
    if len(asked) > 1:
        from interagree.data.provenance import counted

        names = listing(dict.fromkeys(question.question for question in asked))
        each = [
            ReadingAdvice(
                f"{question.question}: {question.study.kind}, {counted(len(question.study), 'annotation')}",
                options={QUESTIONS: [question.question]},
            )
            for question in asked
        ]
        raise DoubtfulReading(f"there are several questions, {names}; choose one with --question:", each)
    return asked[0]


def asked_of(files: Sequence[str], given: dict[str, object], *, kind: str = "") -> tuple[Question, Output]:
    """The question of a study, of a kind where it has several, and where the answer goes."""
    asked = questions(files, ReadingGroup.take(given), together=True)
    return single([question for question in asked if question.study.kind == kind] or asked), Output.take(given)


def asked_with_gold(
    files: Sequence[str], gold: str | None, given: dict[str, object], *, kind: str = ""
) -> tuple[Question, Output, Annotations | None]:
    """The question of a study, where the answer goes, and right answers: a file, or an annotator, who is left out.

    The option ``item`` holds for those of the two files that have such a column.
    """
    if gold is None:
        return *asked_of(files, given, kind=kind), None
    reading = ReadingGroup.take({**given})
    try:
        asked, output = asked_of(files, {**given}, kind=kind)
    except ColumnNotFound:
        if not reading.item:
            raise
        asked, output = asked_of(files, {**given, "item": ()}, kind=kind)
    for taken in (ReadingGroup, Output):
        taken.take(given)
    if gold in asked.study.annotators and not Path(gold).exists():
        others = [name for name in asked.study.annotators if name != gold]
        return asked._replace(study=asked.study.only(annotators=others)), output, asked.study.only(annotators=[gold])
    return asked, output, _of_gold(gold, reading, asked)


def _of_gold(file: str, reading: ReadingGroup, asked: Question) -> Annotations:
    from interagree.crowd.gold import checked, gold_answers

    if not reading.no_text:
        return checked(gold_answers(file, asked.question, reading.keywords(), asked.study), file, asked.study)
    from interagree.data import Study
    from interagree.data.privacy import veiled, without_text

    try:
        right = gold_answers(file, asked.question, reading.keywords(), asked.study)
    except DataError as error:
        raise veiled(error) from None
    return checked(without_text(Study({asked.question: right}), asked.numbers).single(), file, asked.study)


def file_names(files: Sequence[str]) -> list[str]:
    """Files by the name without folder and suffix, or as they were given where that would not tell them apart."""
    short = ["standard input" if file == "-" else Path(file).name.partition(".")[0] or file for file in files]
    return short if len(set(short)) == len(short) else [*map(without_password, files)]
