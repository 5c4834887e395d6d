"""Nested records: where, in objects and lists inside one another, annotators and values stand.

Where there is one place that holds annotations (`levels`) it is taken, and said.  Where there are several, or keys may
be people as well as questions, an error shows the `paths`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, TypeAlias

from interagree.data.files import Source
from interagree.data.provenance import Step, counted
from interagree.data.study import Study
from interagree.data.types import Json
from interagree.data.values import number
from interagree.errors import DoubtfulReading, FormatError, Hint, ReadingAdvice, listing
from interagree.gather.whose import shared as meeting
from interagree.reading import names
from interagree.reading.cells import spelled
from interagree.reading.choices import Choices
from interagree.reading.evidence import FIRST, Profile, sample, shared
from interagree.reading.foreign import is_stated, refuse_foreign, remarks
from interagree.reading.levels import (
    NestedLevel,
    are_people,
    is_person,
    is_value,
    is_vote,
    levels_of,
    names_a_person,
    simple_lists,
    unnamed_objects,
    unnamed_votes,
)
from interagree.reading.pairwise import without_conversations
from interagree.reading.parts import SYNONYMS
from interagree.reading.paths import PARTS, Nested, counts_of_votes, extracted, level_at, nodes_at, written
from interagree.reading.questions import study
from interagree.reading.records import (
    KEYS,
    LIST,
    are_objects,
    by_id,
    fields_of,
    flattened,
    lists_objects,
    members,
    mostly_alike,
    records_of,
    simple_fields,
    unused,
)
from interagree.reading.tables import NamedColumns, table_of

RECORDS = re.compile(r"\s*(\[\s*)?\{")  # how a cell begins that spells an object, or a list of them
LISTS = re.compile(r"\s*\[")  # … and one that spells a list
SAMPLE = 1000  # records that are looked at first
SHARED = 0.5  # share of cells whose entry others have, from which on columns may be annotators
EXPECTED = "expected a list of records, an object of columns, or an object of items with their annotators"
Root: TypeAlias = dict[str, Json] | list[Json]
AT = ("at",)  # where the annotations lie, which only this reader takes
STATED = ("item", "annotator", "value", "question", "layout")


def study_of(
    source: Source,
    data: Json,
    *,
    at: str | None = None,
    lines: Sequence[int] | None = None,
    steps: Sequence[Step] = (),
    **options: Any,
) -> Study:
    """The study that some JSON holds; ``at`` says where the annotations lie."""
    given = {name: option for name, option in options.items() if option is not None}
    try:
        nested = _checked(data, name=source.name, at=at, lines=lines, stated=given)
    except DoubtfulReading as error:
        error.source = source.name
        raise
    table = replace(nested.table, steps=(*steps, *nested.table.steps))
    return study(source, table, **{**nested.parts, **given})


def in_python(data: object, c: Choices) -> tuple[NamedColumns, Choices] | None:
    """Python's own nested records as a table, just as the same in JSON are read; None of anything else.

    A dict of lists is one of columns, or of annotators, unless the lists are of records that say who annotated.
    """
    if not isinstance(data, dict | list) or not data:
        return None
    some = _sample(data)
    records = [node for node in members([some]) if isinstance(node, dict)]
    keys = chain(data if isinstance(data, dict) else (), chain.from_iterable(records))
    if not all(isinstance(key, str) for key in keys) or not (records or isinstance(data, dict)):
        return None
    nested = len(records) == len(some) and _is_nested(some)
    listed = isinstance(some, dict) and all(map(lists_objects, some.values())) and any(levels_of(some))
    if c.at is None and not (nested or listed or _wrapped(data)):
        return None
    stated = _stated(c)
    try:
        made = _checked(data, name=f"this {type(data).__name__}", at=c.at, stated=stated)
    except DoubtfulReading as error:
        error.source = None
        raise
    parts: dict[str, Any] = {**made.parts, **stated, "at": None}
    return made.table, replace(c, **parts)


def in_cells(table: NamedColumns, c: Choices) -> tuple[NamedColumns, Choices] | None:
    """A table with JSON in its cells, or what pandas writes of lists and dicts, as the nested records that it holds.

    None where no annotations are found in them.
    """
    if table.lazy or (_stated(c) and c.at is None):
        return None
    first = {name: sample(column, range(min(len(column), FIRST))) for name, column in table.fetch(table.names).items()}
    holding = [name for name, cells in first.items() if _spells(cells, RECORDS)]
    lists = [name for name, cells in first.items() if name not in holding and _spells(cells, LISTS)]
    people = any(is_person(str(name)) for name in lists)
    holding += [name for name in lists if people or c.at is not None or _may_be_votes(first[name])]
    if not holding:
        return None
    columns = {str(name): sample(column, None) for name, column in table.fetch(table.names).items()}
    for name in holding:
        columns[str(name)] = [*map(_parsed, columns[str(name)])]
    rows: list[Any] = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    nested = from_json(rows, name="the table", at=c.at)
    parts: dict[str, Any] = {**nested.parts, **_stated(c), "at": None}
    said = Step("taken", f"the cells of {listing(holding)} hold {'lists' if lists else 'records'}, written as text")
    made = replace(nested.table, steps=(*table.steps, said, *nested.table.steps))
    return (made, replace(c, **parts)) if nested.parts else None


def _stated(c: Choices) -> dict[str, object]:
    """What a caller said about columns."""
    return {part: given for part in STATED if (given := getattr(c, part)) not in (None, "auto")}


def _spells(cells: Sequence[object], form: re.Pattern[str]) -> bool:
    """Whether cells spell what begins as a form says: objects or lists of them, or lists of anything."""
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    return bool(texts) and all(form.match(text) and isinstance(_parsed(text), dict | list) for text in texts)


def _may_be_votes(cells: Sequence[object]) -> bool:
    """Whether lists hold answers of which some are the same, as those of a set never are."""
    lists = [parsed for cell in cells if isinstance(parsed := _parsed(cell), list)]
    simple = all(isinstance(vote, str | int | float) for some in lists for vote in some)
    return simple and 2 * sum(len({*some}) < len(some) for some in lists) > len(cells)


def _parsed(cell: object) -> object:
    """What a cell spells as JSON, as Python or as NumPy; another cell as it is."""
    if not isinstance(cell, str) or not (RECORDS.match(cell) or LISTS.match(cell)):
        return cell
    try:
        return spelled(cell)
    except ValueError:
        numbers = [number(part) for part in cell.strip()[1:-1].split()]  # NumPy writes no commas
        whole = [int(entry) if entry is not None and entry.is_integer() else entry for entry in numbers]
        return cell if None in whole or not whole else whole


def _checked(
    data: Json, *, name: str, at: str | None, stated: Mapping[str, object], lines: Sequence[int] | None = None
) -> Nested:
    """The table that some JSON holds, unless it is the export of a tool that would be misread."""
    if at is None and not is_stated(stated):
        refuse_foreign(name, data)
        data = without_conversations(data)
    nested = from_json(data, name=name, at=at, lines=lines, stated=stated)
    return nested._replace(table=replace(nested.table, steps=(*nested.table.steps, *remarks(data))))


def from_json(
    data: Json,
    *,
    name: str,
    at: str | None = None,
    lines: Sequence[int] | None = None,
    stated: Mapping[str, object] | None = None,
    prefix: str = "",
) -> Nested:
    """The table that some JSON holds, and the parts of its columns where the nesting tells them.

    ``stated`` is what the caller said: with an annotator or values among the fields of the records, the records are
    the table.
    """
    voters = _with_voters(data)
    if voters is not None:
        taken, again, turned = voters
        nested = from_json(turned, name=name, at=at, lines=lines, stated=stated, prefix=prefix)
        said = f"the lists of who gave each label taken as annotations: {listing(taken, most=6)}"
        left = f"; {listing(again, most=6)} name some of them again and are left out" if again else ""
        return nested._replace(table=replace(nested.table, steps=(Step("taken", said + left), *nested.table.steps)))
    root = _with_people(_with_lists(data))
    if at is not None:
        return extracted(root, [level_at(root, at, name)])
    inner = _wrapped(root)
    if inner is not None:
        field, records = inner
        nested = from_json(records, name=name, stated=stated, prefix=f"{field}{LIST}.")
        step = Step("taken", f"the records under {field!r}; the rest of the file left out")
        return nested._replace(table=replace(nested.table, steps=(step, *nested.table.steps)))
    kinds = {type(node) for node in members([root])}
    if not isinstance(root, dict | list) or len(kinds) != 1 or not kinds <= {dict, list}:
        hint = Hint("format")
        raise FormatError(
            f"{name}: {EXPECTED}; found {_described(data)}. If a tool wrote it, name the tool, as in {hint}",
            hints=[hint],
        )
    columns = _by_column(root)
    if columns is not None:
        return Nested(NamedColumns.of(columns), {})
    if not _is_nested(root):
        if isinstance(root, list):
            return Nested(replace(table_of(root, Choices()), lines=lines), {})
        return Nested(_flat(data, root, lines, stated or {}), {})
    some = _sample(root)
    fields = simple_fields(some)
    levels = [] if _of_records(fields, stated or {}) else _outermost(_once(levels_of(some)))
    if not levels:
        return _without_levels(data, root, name=name, prefix=prefix, lines=lines, stated=stated or {})
    _check(some, levels, fields, name, prefix)
    return extracted(root, levels)


def _without_levels(
    data: Json, root: Root, *, name: str, prefix: str, lines: Sequence[int] | None, stated: Mapping[str, object]
) -> Nested:
    """Nested records in which no annotator is found: a table, or lists of values by nobody in particular."""
    if isinstance(root, dict) and not by_id(root):
        return Nested(_joined(root, name), {})
    some = _sample(root)
    unnamed: list[NestedLevel] = []
    if not is_stated(stated) and not any(map(names_a_person, simple_fields(some))):
        records = [record for record in members([some]) if isinstance(record, dict)]
        tokens = (LIST if isinstance(some, list) else KEYS,)
        unnamed = [*unnamed_votes(records, tokens), *unnamed_objects(records, tokens)]
    if len(unnamed) == 1 and unnamed[0].beside and is_vote(unnamed[0].values[0]):
        return counts_of_votes(root, unnamed[0])
    if unnamed:
        raise _nobody(name, prefix, unnamed)
    return Nested(_flat(data, root, lines, stated), {})


# -- doubts -------------------------------------------------------------------------------------------------


def _check(root: Root, levels: Sequence[NestedLevel], fields: Sequence[str], name: str, prefix: str) -> None:
    """An error where it is not plain where the annotations lie."""
    paths = list(dict.fromkeys(f"{prefix}{written(level.tokens)}" for level in levels))
    readings = [ReadingAdvice(f"The annotations lie at {path!r}", options={"at": path}, of_reader=AT) for path in paths]
    outer = [field for field in fields if "." not in field]
    who, what = next(filter(is_person, outer), None), next(filter(is_value, outer), None)
    if who is not None and what is not None:
        item = next((field for field in outer if "_".join(names.words(field)) in SYNONYMS["item"]), outer[0])
        doubt = f"the records also have {who!r} and {what!r} of their own"
        options = {"item": item, "annotator": who, "value": what}
        readings.insert(0, ReadingAdvice("One record for each annotation", options=options))
    elif len(levels) > 1 and not _siblings(levels):
        doubt = f"annotations may lie in {len(levels)} places"
    elif isinstance(root, dict) and levels[0].tokens == (KEYS, KEYS) and levels[0].doubtful:
        outside, inside = listing(root, most=3), listing(fields_of(_objects(root.values())), most=3)
        doubt = f"either {outside} or {inside} are the annotators"
        turned = {"at": KEYS, "item": "annotator", "annotator": "item"}
        readings = [
            ReadingAdvice(f"The annotators are {outside}", options=turned, of_reader=AT),
            ReadingAdvice(f"The annotators are {inside}", options={"at": paths[0]}, of_reader=AT),
        ]
    elif any(level.doubtful for level in levels):
        keys = listing(fields_of(_objects(nodes_at(root, levels[0].tokens))), most=4)
        doubt = f"the keys {keys} may be annotators or questions; if they are questions, nothing says who answered"
    else:
        return
    raise DoubtfulReading(f"{name} holds nested records, and {doubt}. It may be", readings, source=name)


def _nobody(name: str, prefix: str, levels: Sequence[NestedLevel]) -> DoubtfulReading:
    readings = []
    for level in levels[:3]:
        path, field = f"{prefix}{written(level.tokens)}", level.values[0]
        options = {"at": path, "annotator": "position", "value": field}
        sentence = f"The values are {field!r} in the lists at {path!r}, by place"
        readings.append(ReadingAdvice(sentence, options=options, of_reader=AT))
    return DoubtfulReading(
        f"{name} holds lists of annotations, and nothing says whose they are. If the first entry of each list is "
        "always by the same annotator, and so on, or if it does not matter who gave which, as for alpha, it may be",
        readings,
        source=name,
    )


def _siblings(levels: Sequence[NestedLevel]) -> bool:
    """Whether levels are the questions of one annotation: 'responses.quality[]' beside 'responses.style[]'."""
    first = levels[0]
    together = len({level.tokens[:-2] for level in levels}) == 1
    if all(level.beside for level in levels):
        return together
    if all(level.tokens[-1] == KEYS and level.values == ("value",) for level in levels):
        return together
    return (
        len(first.tokens) > 2
        and len({(level.tokens[:-2], level.annotator, level.values) for level in levels}) == 1
        and all(level.tokens[-1] == LIST and len(level.values) == 1 for level in levels)
        and first.tokens[-3] not in (LIST, KEYS)
    )


def _once(levels: Iterable[NestedLevel]) -> list[NestedLevel]:
    """Levels of which each lies at a place of its own; a field inside another can be reached in two ways."""
    return list({written(level.tokens): level for level in levels}.values())


def _outermost(levels: list[NestedLevel]) -> list[NestedLevel]:
    """Levels without those that lie inside another one."""
    return [
        level
        for level in levels
        if not any(
            level.tokens[: len(other.tokens)] == other.tokens and len(level.tokens) > len(other.tokens)
            for other in levels
        )
    ]


# -- what data are ------------------------------------------------------------------------------------------


def _objects(nodes: Iterable[Json]) -> list[dict[str, Json]]:
    return [node for node in nodes if isinstance(node, dict)]


def _by_column(root: Root) -> dict[Hashable, list[Json]] | None:
    """The columns of a table as pandas writes it: an object for each column, from the number of a row to its cell."""
    objects = list(root.values()) if isinstance(root, dict) else []
    if len(objects) < 2 or not are_objects(objects):
        return None
    rows = [list(cells) for cells in objects]
    if len(rows[0]) < 2 or any(keys != rows[0] for keys in rows) or not all(map(str.isdigit, rows[0])):
        return None
    numbers = [int(key) for key in rows[0]]
    if numbers != sorted(numbers) or any(isinstance(cell, dict) for cell in members(objects)):
        return None
    columns: dict[Hashable, list[Json]] = {
        name: list(cells.values()) for name, cells in zip(root, objects, strict=True) if isinstance(name, str)
    }
    profiles = [Profile(name, cells, place) for place, (name, cells) in enumerate(columns.items())]
    # Keys of one vocabulary may be items and annotators, of whom there are hardly more than items.
    return None if shared(profiles) >= SHARED and len(rows[0]) <= len(objects) else columns


def _sample(root: Root) -> Root:
    """The first records and a sample of the others, enough to find where annotations lie."""
    if len(root) <= 2 * SAMPLE:
        return root
    step = len(root) // SAMPLE
    if isinstance(root, list):
        return root[:SAMPLE] + root[SAMPLE::step]
    keys = list(root)
    return {key: root[key] for key in keys[:SAMPLE] + keys[SAMPLE::step]}


def _wrapped(root: Json) -> tuple[str, list[Json]] | None:
    """The one field of an object that holds a list of records, where the others hold something else."""
    if not isinstance(root, dict) or all(isinstance(node, list) for node in root.values()) or by_id(root):
        return None
    holding = [
        (field, node)
        for field, node in root.items()
        if lists_objects(node) and isinstance(node[0], dict) and len(node) > 1
    ]
    return holding[0] if len(holding) == 1 else None


def _described(data: Json) -> str:
    if isinstance(data, dict):
        inside = ", ".join(f"{name!r}: {type(part).__name__}" for name, part in list(data.items())[:5])
        return f"an object with {inside or 'nothing in it'}"
    if isinstance(data, list):
        return f"a list that begins with {data[0]!r:.60}" if data else "an empty list"
    return repr(data)[:60]


def _stated_columns(stated: Mapping[str, object], parts: Iterable[str]) -> list[object]:
    """The columns that the caller named for some parts."""
    named = (stated.get(part) for part in parts)
    return list(chain.from_iterable(names if isinstance(names, list | tuple) else [names] for names in named))


def _of_records(fields: Sequence[str], stated: Mapping[str, object]) -> bool:
    """Whether what the caller said is about the records themselves and not about what lies inside them."""
    named = _stated_columns(stated, ("annotator", "value"))
    return stated.get("layout", "auto") != "auto" or any(column in fields for column in named)


def _with_lists(data: Json) -> Json:
    """The data with texts that list people and values between commas cut into lists."""
    records = records_of(data)
    if len(records) < 2 or not any(
        is_person(field) and field.endswith("s") for field in simple_fields([*records[:SAMPLE]])
    ):
        return data
    flat = [*map(flattened, records)]
    sizes = {field: _parts([record.get(field) for record in flat]) for field in flat[0]}
    people = next((field for field, size in sizes.items() if size and is_person(field) and field.endswith("s")), "")
    alike = {field for field, size in sizes.items() if people and size == sizes[people]}
    if not people or max(sizes[people]) < 2 or not any(map(is_value, alike)):
        return data

    def opened(record: Json) -> Json:
        if not isinstance(record, dict):
            return record
        cells = flattened(record).items()
        return {field: [*map(str.strip, str(cell).split(","))] if field in alike else cell for field, cell in cells}

    return {key: opened(record) for key, record in data.items()} if isinstance(data, dict) else [*map(opened, records)]


def _with_voters(data: Json) -> tuple[Mapping[str, str], list[str], list[Json]] | None:
    """Records with lists of who gave each label turned round, so that 'annotators_yes' and 'annotators_no' are one.

    Lists that name nobody twice in a record are taken, the longest first: their labels by field, the other lists, and
    the records with the label of each person.  None where there are no such lists.
    """
    records = records_of(data)
    some = [*map(flattened, records[:SAMPLE])]
    lists = {field: cells for field, cells in simple_lists(some).items() if names_a_person(field) and any(cells)}
    taken: dict[str, str] = {}
    given: list[set[str]] = [set() for _ in some]
    for field in sorted(lists, key=lambda field: -sum(map(len, lists[field]))):
        voters = [{*map(str, cell)} for cell in lists[field]]
        label = " ".join(word for word in names.words(field) if word not in names.PERSON)
        if label and not any(one & other for one, other in zip(given, voters, strict=True)):
            taken[field] = label
            given = [one | other for one, other in zip(given, voters, strict=True)]
    if len(taken) < 2 or len(set().union(*given)) * 2 > sum(map(len, given)) or not isinstance(data, list):
        return None
    field = unused("annotators", fields_of(records))
    turned: list[Json] = []
    for record in records:
        cells = ((label, cell) for name, label in taken.items() if isinstance(cell := record.get(name), list))
        votes: dict[str, Json] = {str(who): label for label, cell in cells for who in cell}
        turned.append({**{name: cell for name, cell in record.items() if name not in lists}, field: votes})
    return taken, [name for name in lists if name not in taken], turned


def _with_people(data: Json) -> Json:
    """The data with what records hold under the names of several people put together, under 'annotators'."""
    records = records_of(data)
    holding = {field for record in records[:SAMPLE] for field, cell in record.items() if isinstance(cell, dict)}
    people = [field for field in fields_of(records[:SAMPLE]) if field in holding and are_people([field])]
    inner = [record[field] for record in records for field in people if record.get(field)]
    if len(people) < 2 or not inner or not are_objects(inner) or not mostly_alike(inner):
        return data
    strange = [field for field in holding if field not in people and not names.has(field, names.DERIVED)]
    beside = [record[field] for record in records for field in strange if record.get(field)]
    if any(isinstance(node, dict) and {*node} == {*inner[0]} for node in beside):
        return data  # somebody whose name is in no list may stand beside them
    called = unused("annotators", fields_of(records))

    def opened(record: Json) -> Json:
        if not isinstance(record, dict):
            return record
        rest = {field: cell for field, cell in record.items() if field not in people}
        return {**rest, called: {field: record[field] for field in people if record.get(field)}}

    return {key: opened(record) for key, record in data.items()} if isinstance(data, dict) else [*map(opened, records)]


def _parts(cells: Sequence[Json]) -> list[int]:
    """How many parts between commas the texts of a field have; none where not all are texts."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    return [text.count(",") + 1 for text in texts] if len(texts) == len(cells) else []


def _is_nested(root: Root) -> bool:
    if isinstance(root, list):
        return any(isinstance(cell, dict | list) for cell in members(_objects(root)))
    inner = list(root.values())
    if all(isinstance(node, list) for node in inner):
        return any(isinstance(cell, dict | list) for cell in members(inner))
    return any(isinstance(node, dict | list) for node in inner) and (by_id(root) or not are_objects(inner))


# -- tables -------------------------------------------------------------------------------------------------


def _flat(data: Json, root: Root, lines: Sequence[int] | None, stated: Mapping[str, object]) -> NamedColumns:
    """Records as they are, objects inside them as fields of their own, except for values, which stay whole."""
    records = records_of(root)
    if not records:
        try:
            return replace(table_of(data, Choices()), lines=lines)
        except DoubtfulReading as error:  # whether keys are people, which is said by where the annotations lie
            places = ({"at": KEYS}, {"at": KEYS, "item": "annotator", "annotator": "item"})
            error.readings = tuple(
                reading._replace(options=places[int(str(reading.options["item"]))], of_reader=AT)
                for reading in error.readings
            )
            raise
    outer = fields_of(records)
    simple = {*simple_fields(root)}
    by_person = any(is_person(field) and field in simple for field in outer)
    whole = {field for field in outer if field in _stated_columns(stated, PARTS)}
    if by_person:
        whole |= {field for field in outer if is_value(field) and not _are_questions(field, records)}
    rows = [
        flattened({field: cell for field, cell in record.items() if field not in whole})
        | {field: record[field] for field in whole if field in record}
        for record in records
    ]
    inner = fields_of(rows)
    order = [*(field for field in outer if field in inner), *(field for field in inner if field not in outer)]
    columns: dict[Hashable, list[Json]] = {field: [row.get(field) for row in rows] for field in order}
    steps: tuple[Step, ...] = ()
    if isinstance(root, dict) and by_person:  # a record for each annotation, so no key names an item
        sentence = f"the keys of {counted(len(root), 'record')}, each an annotation, left out"
        steps = (Step("dropped", sentence),)
    elif isinstance(root, dict):
        columns = {unused("id", columns): list(root), **columns}
        steps = (Step("taken", f"an object of {counted(len(root), 'record')}, its keys taken as their ids"),)
    return NamedColumns.of(columns, lines=lines, steps=steps)


def _are_questions(field: str, records: Sequence[Mapping[str, Json]]) -> bool:
    """Whether objects under a field hold answers to several questions: 'scores' with a number for each criterion."""
    inner = [record[field] for record in records if record.get(field)]
    if not field.endswith("s") or not inner or not are_objects(inner) or not mostly_alike(inner):
        return False
    return len(inner[0]) > 1 and not any(isinstance(cell, dict | list) for cell in members(inner))


def _joined(root: dict[str, Json], name: str) -> NamedColumns:
    """Lists of records, one for each key: parts of one table, or one list for each annotator."""
    if not are_objects(list(members(root.values()))):
        raise FormatError(f"{name}: {EXPECTED}; found {_described(root)}")
    records = [(key, flattened(record)) for key, node in root.items() for record in _objects(members([node]))]
    fields = fields_of(record for _, record in records)
    own = any(map(is_person, fields))
    if not own and not are_people(root) and not _are_answered_by_all(records, fields):
        raise FormatError(
            f"{name} holds lists of records under {listing(root, most=6)}, and their fields, "
            f"{listing(fields, most=6)}, do not say who annotated; make one list of records with a field 'annotator'"
        )
    column = unused("part" if own else "annotator", fields)
    sentence = f"the lists under {listing(root, most=6)} put together, the keys as {column!r}"
    columns: dict[Hashable, list[Json]] = {column: [key for key, _ in records]}
    columns |= {field: [record.get(field) for _, record in records] for field in fields}
    return NamedColumns.of(columns, steps=(Step("taken", sentence, len(root)),))


def _are_answered_by_all(records: Sequence[tuple[str, Mapping[str, Json]]], fields: Iterable[str]) -> bool:
    """Whether lists under several keys are about the same items, each of which none of them has twice."""
    cells = ([(str(record.get(field)), key) for key, record in records] for field in fields if not is_value(field))
    return any(meeting(pairs) >= SHARED * len(pairs) for pairs in cells)
