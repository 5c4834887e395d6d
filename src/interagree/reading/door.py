"""The one door: rows, columns, arrays and frames of any layout become `Annotations`.

A *long* table has a row for each annotation and columns for item, annotator and value.  A *wide* table has a row for
each item and a column for each annotator.  A table of *counts* has a row for each item and a column for each value; a
*contingency* table has a row for each value of one annotator and a column for each value of another.

Which column plays which part is said by the caller, or recognised from the names and the cells of the columns
(`recognise`).  What was taken and what was set aside is said in the provenance; in doubt there is an error that shows
the likely readings.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace

from interagree.data.annotations import Annotations
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.data.types import Lazy
from interagree.errors import ColumnNotFound, DataError, DuplicateAnnotation, KindError, ReaderHint, listing
from interagree.reading.choices import Choices, Named, several
from interagree.reading.codebook import with_codebook
from interagree.reading.evidence import profiles, sample
from interagree.reading.layouts import taken
from interagree.reading.lists import check_known, has_tuples, with_lists, with_sets
from interagree.reading.offers import offered
from interagree.reading.parts import FILE, ROW, fitting_columns
from interagree.reading.readings import Doubt, Reading
from interagree.reading.recognise import recognise, stated
from interagree.reading.tables import NamedColumns, table_of

MOST_SHOWN, FIRST_ROWS = 200, 6  # columns of a table that an error knows, and cells of each


def build(data: object, **options: object) -> Annotations:
    """Annotations from whatever holds them, with the options of `Annotations.of`."""
    c = Choices.of(options)
    question = "value"
    if isinstance(data, Study):
        study = data
        data = study.single()
        (question,) = study
    elif isinstance(data, Lazy):
        data = data.fetch()
    if isinstance(data, Annotations):
        made = data if c.values is None else data.declaring(c.values, ordered=c.ordered)
        made = made if c.kind is None else made.taken_as(c.kind)
        return with_codebook(Study({question: made}), c.codebook, c.levels).single()
    from interagree.reading.nested import in_python

    table, c = in_python(data, c) or (table_of(data, c), c)
    for role in ("item", "annotator", "value", "attributes", "times"):
        for name in several(getattr(c, role)) or ():
            if name in (FILE, ROW) and name not in table.names:
                raise ColumnNotFound(
                    f"{role}= takes {name!r} where a file is read, and these data do not come from one; the table has "
                    f"{listing(table.names)}"
                )
    _, questions = read_table(table, c, tuples=has_tuples(data))
    return with_codebook(Study(questions), c.codebook, c.levels).single()


def read_table(table: NamedColumns, c: Choices, *, tuples: bool = False) -> tuple[Reading, dict[str, Annotations]]:
    """How a table is read, as it is stated or as is clear, and the questions that this gives.

    Args:
        table: The table.
        c: What the caller says about it.
        tuples: Whether lists of labels were given as tuples, whose order counts.
    """
    try:
        return _stated_or_clear(table, c, tuples=tuples)
    except DataError as error:
        with suppress(DataError, RecursionError):  # of lists inside each other, say
            error.heads = error.heads or _heads(table)
        raise


def _heads(table: NamedColumns) -> list[tuple[str, list[str]]]:
    """The columns of a table with their first cells, for whoever is to say what they are; none that cost a query."""
    if table.lazy:
        return []
    names = [name for name in table.names if name not in (FILE, ROW)][:MOST_SHOWN]
    columns = table.fetch(names) if table.peek is None else table.peek()
    first = {name: sample(columns[name], range(min(FIRST_ROWS, len(columns[name])))) for name in names}
    return [(str(name), ["" if entry is None else str(entry) for entry in cells]) for name, cells in first.items()]


def _stated_or_clear(table: NamedColumns, c: Choices, *, tuples: bool) -> tuple[Reading, dict[str, Annotations]]:
    if c.at is not None:
        from interagree.reading.nested import in_cells

        if (opened := in_cells(table, c)) is not None:
            return _read(*opened, tuples=tuples)
        hint = ReaderHint("at", c.at)
        raise KindError(f"{hint} says where annotations lie in nested records, and this is a table", hints=[hint])
    if not table.array:
        c = _spelled(c, table.names)
    try:
        return _read(table, c, tuples=tuples)
    except Doubt as doubt:
        from interagree.reading.nested import in_cells

        if (opened := in_cells(table, c)) is not None:
            return _read(*opened, tuples=tuples)
        raise offered(doubt, table, c, lambda table, c: _read(table, c, tuples=tuples)[1]) from None


def _read(table: NamedColumns, c: Choices, *, tuples: bool) -> tuple[Reading, dict[str, Annotations]]:
    """How a table is read, and the questions that this gives; a `Doubt` where that is not clear."""
    reading = recognise(table, c)
    try:
        made = taken(reading, table, c)
    except DuplicateAnnotation:
        raise
    except DataError as error:
        if not reading.because or stated(table, c) is not None:
            raise
        raise Doubt(f"{error}. It may be", [], profiles(table), error) from None
    if c.kind is not None:
        made = {name: question.taken_as(c.kind) for name, question in made.items()}
    elif c.values is None:
        made = {name: check_known(_structured(question)) for name, question in made.items()}
        made = made if tuples else {name: with_sets(question) for name, question in made.items()}
    return reading, made


def _spelled(c: Choices, names: Sequence[Hashable]) -> Choices:
    """What was said, with patterns filled in and with columns called as the table has them: 1 for "1"."""
    known = {str(name): name for name in names}

    def one(given: Hashable) -> Hashable:
        return known.get(given, given) if isinstance(given, str) and given not in names else given

    def called(given: Named) -> Named:
        if isinstance(given, list) or (isinstance(given, tuple) and given not in names):
            return [one(column) for column in given]
        return one(given)

    if c.columns is not None:
        return replace(c, item=called(c.item))
    return replace(
        c,
        item=called(c.item),
        annotator=called(fitting_columns(c.annotator, names)),
        value=called(c.value),
        question=one(c.question),
        attributes=called(c.attributes),
        times=one(c.times),
    )


def _structured(made: Annotations) -> Annotations:
    """A study read from a table, with cells that spell lists or objects as JSON read as such."""
    from interagree.kinds import spelled_out

    kind = spelled_out(made.values)
    if kind is None:
        return with_lists(made)
    return made.taken_as(kind).with_steps(Step("taken", f"the cells hold {kind}, written as JSON"))
