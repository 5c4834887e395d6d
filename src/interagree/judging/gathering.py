"""People and models, from the columns of one table, from its rows, or from several studies of the same items.

Where names or patterns of models and of people are stated and columns are called so, those columns are the annotators
and all others are set aside: a prompt or a response never becomes a person.  Otherwise the data are read as by any
other function, and names are those of annotators.

Studies of the same items are joined by item.  An item that only some have is kept, since people may still be compared
with one another on it, and is counted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeAlias

import numpy as np

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, Study
from interagree.data.joining import concat
from interagree.data.meeting import none_met, spelled_alike
from interagree.data.naming import as_names, meant
from interagree.data.provenance import Step, counted
from interagree.data.types import Annotator, Item, Value
from interagree.errors import Advice, ColumnNotFound, DataError, Hint, InteragreeError, KindError, listing
from interagree.judging.sides import Names, left_out
from interagree.people.judgement_pairs import identified

FOLD_CASE = Hint("fold_case", value=True)

ModelData: TypeAlias = "Mapping[Item, Value] | Sequence[Value] | IntoAnnotations"
"""What one model answered: values by item, values in the order of the people's items, or a study."""


class Reads(Protocol):
    """Reads data, some of them with other annotators than it would find by itself."""

    def __call__(self, *, annotator: str | Sequence[Annotator] = ...) -> Annotations:
        """The study; ``annotator`` is a list of columns or patterns, or "{file}"."""


def from_data(
    data: IntoAnnotations,
    models: Names | Mapping[Annotator, ModelData] | None,
    humans: Names | None,
    options: ReadingOptions,
) -> tuple[Annotations, Names | None]:
    """A study of people and models, read with some options, and the names of the models.

    ``models`` may be a mapping from the name of each model to its own data: a study of one annotator, a mapping from
    items to values, a list of values in the order of the people's, or anything `Annotations.of` takes.
    """
    if isinstance(models, Mapping):
        people = identified(_read(data, options))
        parts = [("the people's data", people)]
        parts += [(f"the data of {name}", _renamed(_answers(name, own), name)) for name, own in models.items()]
        if (
            len({_unnamed(part) for _, part in parts}) > 1
            or len({len(part.items) for _, part in parts if _unnamed(part)}) > 1
        ):
            raise DataError(
                "some of the data do not say which item each row is, so that they cannot be joined with the others: "
                + "; ".join(f"{name} has the items {listing(part.items, most=3)}" for name, part in parts)
                + ". Name the items everywhere, or give lists of the same length everywhere"
            )
        return joined(parts), [*models]
    if not _has_columns(data) or {"value", "layout"} & options.keys():
        return identified(_read(data, options)), models
    return identified(chosen_columns(partial(Annotations.of, data, **options), models, humans)), models


def _has_columns(data: IntoAnnotations) -> bool:
    """Whether data have columns with names, among which annotators may be."""
    if isinstance(data, Annotations | Study):
        return False
    if isinstance(data, list | tuple):
        return bool(data) and isinstance(data[0], Mapping)
    return isinstance(data, Mapping) or hasattr(data, "columns") or hasattr(data, "__arrow_c_stream__")


def _read(data: IntoAnnotations, options: ReadingOptions) -> IntoAnnotations:
    return Annotations.of(data, **options) if options else data


def _unnamed(study: Annotations) -> bool:
    return isinstance(study.items, range)


def _answers(name: Annotator, own: ModelData) -> Annotations:
    if isinstance(own, list | tuple) and not any(isinstance(one, list | tuple | Mapping) for one in own):
        return Annotations.of({name: own})
    if isinstance(own, Mapping) and not any(isinstance(one, list | tuple | Mapping) for one in own.values()):
        return Annotations.from_columns([*own], [name] * len(own), [*own.values()])
    study = identified(own)
    if len(study.annotators) != 1:
        raise DataError(
            f"the data of the model {name!r} must be by one annotator, and are by {listing(study.annotators)}; give a "
            "mapping from items to values, or put all annotators into one table and name the models"
        )
    return study


def one_of_several(make: Reads, models: Names | None, humans: Names | None) -> Annotations:
    """One of several files, read by ``make``: the columns that were named, else as it is, else by the file's name.

    Args:
        make: Reads the file; ``annotator`` is a list of columns or patterns, or "{file}".
        models: Names or patterns of the models, None where not stated.
        humans: Names or patterns of the people, None where not stated.
    """
    here = []
    for name in (*(() if humans is None else as_names(humans)), *(() if models is None else as_names(models))):
        with contextlib.suppress(InteragreeError):
            make(annotator=[name])
            here.append(name)
    if here:
        return _with_columns_aside(make(annotator=here))
    try:
        return make()
    except InteragreeError as error:
        with contextlib.suppress(InteragreeError):
            return make(annotator="{file}")
        raise error from None


def chosen_columns(make: Reads, models: Names | None, humans: Names | None) -> Annotations:
    """A study read by ``make``, which takes options of reading, with stated models and people as its annotators.

    Args:
        make: Reads the data; ``annotator`` is a list of columns or patterns.
        models: Names or patterns of the models, None where not stated.
        humans: Names or patterns of the people, None where not stated.
    """
    if models is None:
        return make()
    ours, people = [*as_names(models)], None if humans is None else [*as_names(humans)]
    first: InteragreeError | None = None
    if people is not None:
        try:
            return _with_columns_aside(make(annotator=[*people, *ours]))
        except ColumnNotFound as error:  # the names are those of annotators, or misspelled
            first = error
        except KindError:  # a format in which annotators are not columns
            pass
    try:
        study = make()
    except InteragreeError as error:
        if first is None:
            raise
        raise first from error
    known = [*study.annotators]
    if people is None and known and not all(meant(name, known) for name in ours):
        # Columns of models may have been set aside: take them beside the columns that were found to be annotators.
        with contextlib.suppress(InteragreeError):
            return _with_columns_aside(make(annotator=[*known, *ours]))
        columns = [name for one in ours for name in meant(one, [*study.attributes]) if not meant(one, known)]
        if columns:
            hint = Hint("humans")
            raise DataError(
                f"{listing(columns)} {'is a column' if len(columns) == 1 else 'are columns'} beside those of the "
                f"annotators {listing(known)}; name the columns of the people as well, as in {hint}",
                hints=[hint],
            )
    return study


def with_predictions(
    study: Annotations, make: Callable[..., Annotations], models: Names | None
) -> tuple[Annotations, Names | None]:
    """A study with the predictions that its file holds, where the models are not among its annotators; and the models.

    Args:
        study: What was read without predictions.
        make: Reads it again; ``predictions`` says whether models count as annotators.
        models: Names or patterns of the models, None where not stated.
    """
    known = [*study.annotators]
    if not left_out(study) or (models is not None and all(meant(name, known) for name in as_names(models))):
        return study, models
    made = make(predictions=True)
    new = [name for name in made.annotators if name not in known]
    step = Step("taken", f"predictions in the file taken as those of models: {listing(new, most=6)}", len(new))
    return made.with_steps(step), new if models is None else models


def _with_columns_aside(study: Annotations) -> Annotations:
    """The study with a word on the columns that are not annotators."""
    aside = [*study.attributes]
    if not aside or any("set aside" in step.sentence for step in study.provenance.steps):
        return study
    return study.with_steps(
        Step("taken", f"{counted(len(aside), 'column')} set aside: {listing(aside, most=6)}", len(aside))
    )


def joined(parts: Sequence[tuple[str, Annotations]]) -> Annotations:
    """Studies of the same items as one; each comes with what to call it in a message."""
    if len(parts) == 1:
        return parts[0][1]
    spelled, _ = spelled_alike([study.items for _, study in parts], "item")  # as `concat` has them
    inside = [(name, set(items)) for (name, _), items in zip(parts, spelled, strict=True)]
    shared = set.intersection(*(items for _, items in inside))
    if not shared:
        (first, items), *others = inside
        apart = next((place for place, (_, there) in enumerate(others, 1) if not items & there), 1)
        raise none_met(first, parts[0][1], *parts[apart])
    every = set.union(*(items for _, items in inside))
    made = concat([study for _, study in parts])
    notes = [f"{counted(len(every - items), 'item')} not in {name}" for name, items in inside if every - items]
    step = Step(
        "taken", f"{counted(len(parts), 'source')} joined by item, {counted(len(shared), 'item')} in all of them"
    )
    return made.with_steps(step, *(Step("noticed", note) for note in notes))


def check_spelling(study: Annotations, models: Sequence[Annotator], people: Sequence[Annotator]) -> str:
    """An error where labels of a model are spelled as no person spells one: 3 beside '3 (hostile)'.

    Where only some are, in another case than people have them, it is a warning.
    """
    given = {
        name: [study.values[code] for code in np.unique(study.value[study.annotator == place]).tolist()]
        for place, name in enumerate(study.annotators)
    }
    theirs = [*dict.fromkeys(value for name in people for value in given[name])]
    for name in models:
        if given[name] and theirs and not set(given[name]) & set(theirs):
            hints = [FOLD_CASE] if {*map(_folded, given[name])} & {*map(_folded, theirs)} else []
            remedy = (
                f"take those that differ only in case as one by {FOLD_CASE}" if hints else "spell them the same way"
            )
            raise DataError(
                f"{name} gave {listing(given[name], most=5)}, and people gave {listing(theirs, most=5)}: no value in "
                f"common, so nothing can agree; {remedy}{'' if hints else ' in both'}",
                hints=hints,
            )
    usual = {_folded(value): value for value in theirs}
    own = [(name, value) for name in models for value in given[name] if value not in theirs and _folded(value) in usual]
    if not own:
        return ""
    who = listing(dict.fromkeys(name for name, _ in own), quote=False)
    apart = dict.fromkeys(f"{value!r} where people have {usual[_folded(value)]!r}" for _, value in own)
    told = f"answers of {who} are spelled otherwise, which makes them other answers: {listing(apart, quote=False)}"
    return Advice.of(f"{told}; take them as one by ", FOLD_CASE)


def _folded(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


def _renamed(study: Annotations, name: Annotator) -> Annotations:
    return replace(study, annotators=(name,), _cache={})


def _column_of_items(studies: Sequence[Annotations]) -> str:
    """A column that may say which item a row is: one whose entries are items elsewhere, or one that all have."""
    items = {str(item) for study in studies if not _unnamed(study) for item in study.items}
    columns = {
        name: {str(entry) for entry in study.attributes[name].tolist()}
        for study in studies
        if _unnamed(study)
        for name in study.attributes
    }
    known = [name for name, entries in columns.items() if 2 * len(entries & items) > len(entries)]
    shared = [name for name in columns if all(name in study.attributes for study in studies)]
    return str((*known, *shared, "id")[0])


def by_file(
    parts: Sequence[tuple[str, Annotations]], models: Names | None, humans: Names | None, *, in_step: bool = False
) -> tuple[Annotations, Names | None, Names | None]:
    """Files of people and of models as one study, and the names of models and people in it.

    A name or pattern may be that of an annotator or that of a file, which stands for all annotators in it; the only
    annotator of a file that was named so is called as the file.

    Args:
        parts: The names of the files, and what is in them.
        models: Names or patterns of the models, None where not stated.
        humans: Names or patterns of the people, None where not stated.
        in_step: Whether all files are stated to hold the same items in the same order.
    """
    unnamed = [name for name, study in parts if _unnamed(study)]
    if unnamed and not in_step:
        hints = [Hint("item", _column_of_items([study for _, study in parts])), Hint("item", "{row}")]
        raise DataError(
            f"{listing(unnamed)} {'does' if len(unnamed) == 1 else 'do'} not say which item each row is, so the files "
            f"cannot be joined; state the column of the items, as in {hints[0]}, or {hints[1]} where all files hold "
            "the same items in the same order",
            hints=hints,
        )
    wanted = [name for names in (models, humans) if names is not None for name in as_names(names)]
    files = [name for name, _ in parts]
    renamed: list[tuple[str, Annotations]] = []
    inside: dict[str, list[Annotator]] = {}
    for name, study in parts:
        by_file_name = any(name in meant(one, files) for one in wanted)
        by_own_name = any(meant(one, [*study.annotators]) for one in wanted)
        if by_file_name and not by_own_name:
            study = _renamed(study, name) if len(study.annotators) == 1 else study  # noqa: PLW2901 -- as it is joined
            inside[name] = [*study.annotators]
        renamed.append((name, study))

    def annotators(names: Names | None) -> list[Annotator] | None:
        if names is None:
            return None
        chosen: list[Annotator] = []
        for one in as_names(names):
            chosen += [who for name in meant(one, files) if name in inside for who in inside[name]] or [one]
        return chosen

    return joined(renamed), annotators(models), annotators(humans)
