"""Nested records: where, in objects and lists inside one another, annotators and values stand.

Where there is one place that holds annotations (`levels`) it is taken, and said.  Where there are several, or keys may
be people as well as questions, an error shows the paths.  A path names a place: ``sentences[].responses[]``
goes through the list *sentences* of each record and takes the entries of *responses*; ``annotations{}`` takes the keys
of *annotations* as annotators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.data.provenance import Step, counted
from interagree.data.study import Study
from interagree.data.values import in_order, plain
from interagree.errors import FormatError, listing, suggestion
from interagree.reading.choices import Choices
from interagree.reading.evidence import Profile, shared
from interagree.reading.foreign import is_stated, refuse_foreign, remarks
from interagree.reading.levels import (
    KEYS,
    LIST,
    Level,
    Tokens,
    by_id,
    flattened,
    got,
    is_person,
    is_value,
    is_vote,
    levels_of,
    list_of_containers,
    members_of,
    names_a_person,
    of_lists,
    of_objects,
    one_word,
    side_by_side,
    unnamed_objects,
    unnamed_votes,
    words_of,
)
from interagree.reading.parts import SYNONYMS
from interagree.reading.questions import study
from interagree.reading.tables import Table, table_of

SAMPLE = 1000  # records that are looked at first
SHARED = 0.5  # share of cells whose entry others have, from which on columns may be annotators
PARTS = ("item", "annotator", "value", "question")
Above = tuple[
    tuple[Mapping[str, Any], str], ...
]  # records around a node, each with the field that leads to it


class Nested(NamedTuple):
    """A table made of nested records, and the parts of its columns that the nesting tells."""

    table: Table
    parts: dict[str, Any]


def from_json(
    data: Any,
    *,
    name: str,
    at: str | None = None,
    lines: Sequence[int] | None = None,
    stated: Mapping[str, Any] | None = None,
    prefix: str = "",
) -> Nested:
    """The table that some JSON holds, and the parts of its columns where the nesting tells them.

    ``stated`` is what the caller said: with an annotator or values among the fields of the records, the records are
    the table.
    """
    root = _normal(data)
    if at is not None:
        return _extracted(root, [_at(root, _parsed(root, at, name), at, name)])
    inner = _wrapped(root)
    if inner is not None:
        found = from_json(root[inner], name=name, stated=stated, prefix=f"{inner}{LIST}.")
        step = Step("taken", f"the records under {inner!r}; the rest of the file left out")
        return found._replace(table=replace(found.table, steps=(step, *found.table.steps)))
    parts = root.values() if isinstance(root, dict) else root if isinstance(root, list) else ()
    kinds = {type(part) for part in parts}
    if len(kinds) != 1 or not kinds <= {dict, list}:
        raise FormatError(
            f"{name}: expected a list of records, an object of columns, or an object of items with their annotators; "
            f"found {_described(data)}. If a tool wrote it, name the tool, as in format='…'"
        )
    columns = _by_column(root)
    if columns is not None:
        return Nested(Table.of(columns), {})
    if not _is_nested(root):
        if isinstance(root, list):
            return Nested(replace(table_of(root, Choices()), lines=lines), {})
        return Nested(_flat(data, root, lines, stated or {}), {})
    said = stated or {}
    some = _some(root)
    fields = _simple_fields(some)
    levels = [] if _of_records(fields, said) else _outermost(list(levels_of(some)))
    if not levels:
        return _without_levels(data, root, name=name, prefix=prefix, lines=lines, stated=said)
    doubt = _doubt(some, levels, fields, name)
    if doubt is not None:
        raise _asked(name, prefix, levels, doubt)
    return _extracted(root, levels)


def _by_column(root: Any) -> dict[Hashable, list[Any]] | None:
    """The columns of a table as pandas writes it: an object for each column, from the number of a row to its cell.

    Where all columns hold the same entries, the keys may as well be items and annotators, which their numbers tell.
    """
    if not isinstance(root, dict) or len(root) < 2 or not all(isinstance(one, dict) for one in root.values()):
        return None
    rows = [list(one) for one in root.values()]
    if len(rows[0]) < 2 or any(keys != rows[0] for keys in rows) or not all(map(str.isdigit, rows[0])):
        return None
    numbers = [int(key) for key in rows[0]]
    if numbers != sorted(numbers) or any(isinstance(cell, dict) for cell in members_of(root.values())):
        return None
    columns: dict[Hashable, list[Any]] = {name: list(one.values()) for name, one in root.items()}
    looked = [Profile(name, cells, place) for place, (name, cells) in enumerate(columns.items())]
    return None if shared(looked) >= SHARED else columns


def _some(root: Any) -> Any:
    """The first records and others spread over the rest, from which the places are told."""
    if len(root) <= 2 * SAMPLE:
        return root
    step = len(root) // SAMPLE
    if isinstance(root, list):
        return root[:SAMPLE] + root[SAMPLE::step]
    keys = list(root)
    return {key: root[key] for key in keys[:SAMPLE] + keys[SAMPLE::step]}


def _without_levels(
    data: Any, root: Any, *, name: str, prefix: str, lines: Sequence[int] | None, stated: Mapping[str, Any]
) -> Nested:
    """Nested records in which no annotator is found: a table, or lists of values by nobody in particular."""
    if isinstance(root, dict) and not _holds_records(root):
        return Nested(_joined(root, name), {})
    some = _some(root)
    told = is_stated(stated) or any(map(names_a_person, _simple_fields(some)))
    unnamed = [] if told else _unnamed(some)
    if len(unnamed) == 1 and unnamed[0].beside and is_vote(unnamed[0].values[0]):
        return _counted(root, unnamed[0])
    if unnamed:
        raise _nobody(name, prefix, unnamed)
    return Nested(_flat(data, root, lines, stated), {})


def _unnamed(root: Any) -> list[Level]:
    """Places that hold values and not whose they are."""
    records = list(members_of([root]))
    tokens = (LIST if isinstance(root, list) else KEYS,)
    return [*unnamed_votes(records, tokens), *unnamed_objects(records, tokens)]


def _counted(root: Any, level: Level) -> Nested:
    """How often each item was given each value, where nothing says by whom."""
    rows, parts = _rows(root, level)
    item, field = parts["item"], level.values[0]
    values = in_order([value for value in dict.fromkeys(row[field] for row in rows) if value is not None])
    items = dict.fromkeys(row[item] for row in rows)
    given = Counter((row[item], row[field]) for row in rows)
    column = _new(item, map(str, values))
    columns: dict[Any, Any] = {column: list(items)}
    columns |= {value: [given[one, value] for one in items] for value in values}
    path = _written(level.tokens)
    step = Step(
        "taken",
        f"{counted(len(rows), 'annotation')} found at {path!r}, and nothing says whose they are, so the annotators are "
        f"unknown; if places in the lists are annotators, pass at={path!r}, annotator='position', value={field!r}",
        len(rows),
    )
    return Nested(Table.of(columns, steps=(step,)), {"item": column, "layout": "counts"})


def _nobody(name: str, prefix: str, levels: Sequence[Level]) -> FormatError:
    ways = []
    for level in levels[:3]:
        path = f"{prefix}{_written(level.tokens)}"
        call = f"interagree.read({name!r}, at={path!r}, annotator='position', value={level.values[0]!r})"
        flags = f"-O at={path!r} --annotator position --value {level.values[0]!r}"
        ways.append(f"{call}, or {flags} on the command line")
    return FormatError(
        f"{name} holds lists of annotations, and nothing says whose they are. If the first entry of "
        "each list is always by the same annotator, and so on, or if it does not matter who gave which, as for alpha: "
        f"{'; '.join(ways)}"
    )


def _doubt(root: Any, levels: Sequence[Level], fields: Sequence[str], name: str) -> str | None:
    """Why it is not plain where the annotations lie, if it is not."""
    outer = [field for field in fields if "." not in field]
    who, what = next(filter(is_person, outer), None), next(filter(is_value, outer), None)
    if who is not None and what is not None:
        item = next((field for field in outer if one_word(field) in SYNONYMS["item"]), outer[0])
        call = f"interagree.read({name!r}, item={item!r}, annotator={who!r}, value={what!r})"
        return f"the records also have {who!r} and {what!r} of their own. If these are meant: {call}. Else"
    if len(levels) > 1 and not _siblings(levels):
        return f"annotations may lie in {len(levels)} places;"
    if levels[0].tokens == (KEYS, KEYS) and levels[0].doubtful:
        inner = list(dict.fromkeys(key for node in root.values() for key in node))
        turned = f"interagree.read({name!r}, at='{{}}', item='annotator', annotator='item')"
        return (
            f"either {listing(root, most=3)} or {listing(inner, most=3)} are the annotators. For the first: {turned}. "
            "For the second,"
        )
    if any(level.doubtful for level in levels):
        keys = dict.fromkeys(key for node in _nodes(root, levels[0].tokens) for key in node)
        return (
            f"the keys {listing(keys, most=4)} may be annotators or questions. If they are questions, nothing says who "
            "answered. If they are annotators,"
        )
    return None


def study_of(
    source: Source,
    data: Any,
    *,
    at: str | None = None,
    lines: Sequence[int] | None = None,
    steps: Sequence[Step] = (),
    **options: Any,
) -> Study:
    """The study that some JSON holds; ``at`` says where the annotations lie."""
    if at is None and not is_stated(options):
        refuse_foreign(source.name, data)
    found = from_json(data, name=source.name, at=at, lines=lines, stated=options)
    table = replace(found.table, steps=(*steps, *found.table.steps, *remarks(data)))
    given = {name: said for name, said in options.items() if said is not None}
    return study(source, table, **{**found.parts, **given})


def _wrapped(root: Any) -> str | None:
    """The one field of an object that holds a list of records, where the others hold something else."""
    if not isinstance(root, dict) or all(isinstance(one, list) for one in root.values()) or by_id(root):
        return None
    holding = [
        field
        for field, one in root.items()
        if list_of_containers(one) and isinstance(one[0], dict) and len(one) > 1
    ]
    return holding[0] if len(holding) == 1 else None


def _described(data: Any) -> str:
    if isinstance(data, dict):
        inside = ", ".join(f"{name!r}: {type(part).__name__}" for name, part in list(data.items())[:5])
        return f"an object with {inside or 'nothing in it'}"
    if isinstance(data, list):
        return f"a list that begins with {data[0]!r:.60}" if data else "an empty list"
    return repr(data)[:60]


def _of_records(fields: Sequence[str], stated: Mapping[str, Any]) -> bool:
    """Whether what the caller said is about the records themselves and not about what lies inside them."""
    named = [stated.get("annotator"), stated.get("value")]
    flat = chain.from_iterable(one if isinstance(one, list | tuple) else [one] for one in named)
    return stated.get("layout", "auto") != "auto" or any(one in fields for one in flat)


# -- what data are ------------------------------------------------------------------------------------------


def _normal(data: Any) -> Any:
    """The data with texts that list people and values between commas cut into lists."""
    records = [*members_of([data])] if _holds_records(data) else []
    names = dict.fromkeys(field for record in records[:SAMPLE] for field in flattened(record))
    people = [
        field for field in names if is_person(field) and field.endswith("s") and _all_words(records, field)
    ]
    if not people or len(records) < 2:
        return data
    sizes = [len(got(record, people[0]).split(",")) for record in records]
    alike = [
        field
        for field in names
        if _all_words(records, field) and [len(got(record, field).split(",")) for record in records] == sizes
    ]
    cut = set(alike) if max(sizes) > 1 and any(map(is_value, alike)) else set()

    def opened(record: Any, before: str = "") -> Any:
        return {
            key: [part.strip() for part in cell.split(",")]
            if f"{before}{key}" in cut
            else opened(cell, f"{before}{key}.")
            if isinstance(cell, dict)
            else cell
            for key, cell in record.items()
        }

    return (
        [opened(record) for record in data]
        if isinstance(data, list)
        else {key: opened(record) for key, record in data.items()}
    )


def _all_words(records: Sequence[Any], field: str) -> bool:
    return all(isinstance(got(record, field), str) for record in records)


def _holds_records(data: Any) -> bool:
    if isinstance(data, list):
        return bool(data) and all(isinstance(one, dict) for one in data)
    return isinstance(data, dict) and by_id(data)


def _is_nested(root: Any) -> bool:
    if isinstance(root, list):
        return any(
            isinstance(one, dict) and any(isinstance(cell, dict | list) for cell in one.values())
            for one in root
        )
    if not isinstance(root, dict):
        return False
    inner = list(root.values())
    if all(isinstance(one, list) for one in inner):
        return any(isinstance(cell, dict | list) for one in inner for cell in one)
    return any(isinstance(one, dict | list) for one in inner) and (
        by_id(root) or not all(isinstance(one, dict) for one in inner)
    )


def _simple_fields(root: Any) -> list[str]:
    """The fields of the records, if the data are records, that hold neither objects nor lists."""
    if not _holds_records(root):
        return []
    found: dict[str, bool] = {}
    for record in members_of([root]):
        for field, cell in flattened(record).items():
            found[field] = found.get(field, True) and not isinstance(cell, dict | list)
    return [field for field, simple in found.items() if simple]


def _flat(data: Any, root: Any, lines: Sequence[int] | None, stated: Mapping[str, Any]) -> Table:
    """Records as they are, objects inside them as fields of their own; other forms as everywhere.

    An object that is a value, because the caller says so or by its name beside an annotator, stays whole.
    """
    if not _holds_records(root):
        return replace(table_of(data, Choices()), lines=lines)
    records = list(members_of([root]))
    named = chain.from_iterable(
        one if isinstance(one, list | tuple) else [one]
        for part in PARTS
        if (one := stated.get(part)) is not None
    )
    whole = {field for field in named if any(field in record for record in records)}
    outer = dict.fromkeys(chain.from_iterable(records))
    if any(map(is_person, outer)):
        whole |= set(filter(is_value, outer))
    rows = [
        flattened({field: cell for field, cell in record.items() if field not in whole})
        | {field: record[field] for field in whole if field in record}
        for record in records
    ]
    names = [field for field in dict.fromkeys(chain.from_iterable(rows)) if field not in outer]
    columns: dict[Any, Any] = {
        field: [row.get(field) for row in rows]
        for field in (*(field for field in outer if any(field in row for row in rows)), *names)
    }
    steps: tuple[Step, ...] = ()
    if isinstance(root, dict) and any(
        map(is_person, outer)
    ):  # a record for each annotation, so no key names an item
        steps = (
            Step("dropped", f"the keys of {counted(len(root), 'record')}, each an annotation, left out"),
        )
    elif isinstance(root, dict):
        columns = {_new("id", columns): list(root), **columns}
        steps = (Step("taken", f"an object of {counted(len(root), 'record')}, its keys taken as their ids"),)
    return Table.of(columns, lines=lines, steps=steps)


def _joined(root: Mapping[str, Any], name: str) -> Table:
    """Lists of records, one for each key: parts of one table, or one list for each annotator."""
    if not all(isinstance(one, dict) for some in root.values() for one in some):
        raise FormatError(
            f"{name}: expected a list of records, an object of columns, or an object of items with their annotators; "
            f"found {_described(root)}"
        )
    records = [(key, flattened(record)) for key, some in root.items() for record in some]
    names = dict.fromkeys(field for _, record in records for field in record)
    own = any(map(is_person, names))
    if not own and not all(map(names_a_person, root)):
        raise FormatError(
            f"{name} holds lists of records under {listing(root, most=6)}, and their fields, {listing(names, most=6)}, "
            "do not say who annotated; make one list of records with a field 'annotator'"
        )
    column = _new("part" if own else "annotator", names)
    step = Step(
        "taken", f"the lists under {listing(root, most=6)} put together, the keys as {column!r}", len(root)
    )
    columns: dict[Any, Any] = {column: [key for key, _ in records]}
    columns |= {field: [record.get(field) for _, record in records] for field in names}
    return Table.of(columns, steps=(step,))


# -- paths --------------------------------------------------------------------------------------------------


def _written(tokens: Tokens) -> str:
    """A path as a person writes it; the first step, into the records, goes without saying."""
    inside = tokens[1:] if tokens[:1] in ((LIST,), (KEYS,)) else tokens
    text = ""
    for token in inside:
        text += token if token in (LIST, KEYS) else f".{token}" if text else token
    return text or LIST


def _parsed(root: Any, path: str, name: str) -> Tokens:
    """The steps that a path names; fields are looked up, as their names may have dots in them."""
    nodes, rest = [root], path.strip()
    tokens: list[str] = []
    if isinstance(root, list) or (isinstance(root, dict) and not _starts(root, rest)):
        tokens.append(LIST if isinstance(root, list) else KEYS)
        nodes = list(members_of(nodes))
    while rest:
        here = [node for node in nodes if node is not None]
        if rest.startswith((LIST, KEYS)):
            wanted = list if rest.startswith(LIST) else dict
            here = [node for node in here if isinstance(node, wanted)]
            if not here:
                raise _no_path(root, path, name, rest)
            tokens.append(rest[:2])
            nodes, rest = list(members_of(here)), rest[2:].removeprefix(".")
            continue
        fields = {field for node in here if isinstance(node, dict) for field in node}
        field = max((one for one in fields if _begins(rest, one)), key=len, default=None)
        if field is None:
            raise _no_path(root, path, name, rest)
        tokens.append(field)
        nodes = [node[field] for node in here if isinstance(node, dict) and field in node]
        rest = rest[len(field) :].removeprefix(".")
    if tokens[-1] not in (LIST, KEYS):
        tokens.append(LIST if any(isinstance(node, list) for node in nodes) else KEYS)
    return tuple(tokens)


def _starts(root: Mapping[str, Any], rest: str) -> bool:
    return any(_begins(rest, field) for field in root)


def _begins(rest: str, field: str) -> bool:
    return rest.startswith(field) and (len(rest) == len(field) or rest[len(field)] in ".[{")


def _no_path(root: Any, path: str, name: str, rest: str) -> FormatError:
    known = list(dict.fromkeys(map(_written, _containers([root], ()))))
    return FormatError(
        f"{name}: there is no {rest!r} on the way of at={path!r}; lists and objects lie at "
        f"{listing(known, most=8)}.{suggestion(path, known, form='at={!r}')}"
    )


def _containers(nodes: list[Any], tokens: Tokens) -> Iterator[Tokens]:
    """The paths of all lists and objects inside records."""
    nodes = [node for node in nodes if node is not None]
    lists = [node for node in nodes if isinstance(node, list)]
    objects = [node for node in nodes if isinstance(node, dict)]
    if lists:
        if tokens:
            yield (*tokens, LIST)
        yield from _containers(list(chain.from_iterable(lists)), (*tokens, LIST))
    if objects and not lists:
        if not tokens and by_id(objects[0]):
            yield from _containers(list(members_of(objects)), (KEYS,))
            return
        if tokens and tokens[-1] not in (LIST, KEYS):
            yield (*tokens, KEYS)
        for field in dict.fromkeys(field for node in objects for field in node):
            yield from _containers([node[field] for node in objects if field in node], (*tokens, field))


def _at(root: Any, tokens: Tokens, path: str, name: str) -> Level:
    """The level at a path that the caller named."""
    nodes = list(_nodes(root, tokens))
    above: Tokens = tokens[:-1]
    if tokens[-1] == KEYS:
        inner = [one for one in members_of(nodes) if one is not None]
        if any(isinstance(one, dict) for one in inner):
            fields = dict.fromkeys(
                field for one in inner if isinstance(one, dict) for field in flattened(one)
            )
            return Level(tokens, "", tuple(field for field in fields if is_value(field)))
        return Level(tokens, "", ("value",))
    found = of_objects(nodes, above) or of_lists(nodes, above)
    if found is not None:
        return found
    members = list(chain.from_iterable(node for node in nodes if isinstance(node, list)))
    if not members:
        raise FormatError(f"{name}: at={path!r} leads to lists that are all empty")
    if above and not any(isinstance(one, dict | list) for one in members):
        parents = list(_parents(root, above))
        return next(
            (level for level in side_by_side(parents, above[:-1]) if level.tokens == tokens),
            Level(tokens, "", (above[-1],), (above[-1],)),
        )
    return Level(tokens, "")


def _nodes(root: Any, tokens: Tokens) -> Iterator[Any]:
    """The lists or objects whose entries a path takes."""
    yield from (node for _, _, node in _reached(root, tokens[:-1], (), ()))


def _parents(root: Any, tokens: Tokens) -> Iterator[Any]:
    yield from (node for _, _, node in _reached(root, tokens[:-1], (), ()))


def _reached(
    node: Any, tokens: Tokens, place: tuple[Any, ...], above: Above
) -> Iterator[tuple[tuple[Any, ...], Above, Any]]:
    """Every node at a path, with the positions and keys that lead to it and the records it lies in, each by a field."""
    if not tokens:
        yield place, above, node
        return
    first, *rest = tokens
    if first == LIST:
        if isinstance(node, list):
            for number, one in enumerate(node, start=1):
                yield from _reached(one, tuple(rest), (*place, number), above)
    elif first == KEYS:
        if isinstance(node, dict):
            for key, one in node.items():
                yield from _reached(one, tuple(rest), (*place, key), above)
    elif isinstance(node, dict):
        inner = got(node, first) if first not in node else node[first]
        if inner is not None:
            yield from _reached(inner, tuple(rest), place, (*above, (node, first)))


# -- several places -----------------------------------------------------------------------------------------


def _siblings(levels: Sequence[Level]) -> bool:
    """Whether levels are the questions of one annotation: 'responses.quality[]' beside 'responses.style[]'."""
    first = levels[0]
    if all(level.beside for level in levels):
        return len({level.tokens[:-2] for level in levels}) == 1
    if all(level.tokens[-1] == KEYS and level.values == ("value",) for level in levels):
        return len({level.tokens[:-2] for level in levels}) == 1
    return (
        len(first.tokens) > 2
        and len({(level.tokens[:-2], level.annotator, level.values) for level in levels}) == 1
        and all(level.tokens[-1] == LIST and len(level.values) == 1 for level in levels)
        and first.tokens[-3] not in (LIST, KEYS)
    )


def _outermost(levels: list[Level]) -> list[Level]:
    """Levels without those that lie inside another one."""
    return [
        level
        for level in levels
        if not any(
            other is not level
            and level.tokens[: len(other.tokens)] == other.tokens
            and len(level.tokens) > len(other.tokens)
            for other in levels
        )
    ]


def _asked(name: str, prefix: str, levels: Sequence[Level], why: str) -> FormatError:
    paths = list(dict.fromkeys(f"{prefix}{_written(level.tokens)}" for level in levels))
    ways = "; ".join(
        f"interagree.read({name!r}, at={path!r}), or -O at={path!r} on the command line" for path in paths
    )
    return FormatError(f"{name} holds nested records, and {why} say where the annotations lie: {ways}")


# -- rows ---------------------------------------------------------------------------------------------------


def _extracted(root: Any, levels: Sequence[Level]) -> Nested:
    """The table of the annotations at some levels, with the fields of the records around them."""
    several = len(levels) > 1
    rows: list[dict[str, Any]] = []
    parts: dict[str, Any] = {}
    taken: list[str] = []
    for level in levels:
        made, found = _rows(root, level)
        if several:
            question = level.values[0] if level.beside else level.tokens[-2]
            renamed = {found["annotator"]: "annotator", level.values[0]: "value"}
            made = [{renamed.get(name, name): cell for name, cell in row.items()} for row in made]
            made = [{"question": question, **row} for row in made]
            found = {**found, "annotator": "annotator", "value": "value", "question": "question"}
        parts |= found
        rows += made
        taken.append(_written(level.tokens))
    names = list(dict.fromkeys(chain.from_iterable(rows)))
    columns: dict[Any, Any] = {name: [row.get(name) for row in rows] for name in names}
    told = ", ".join(f"{part} from {parts[part]!r}" for part in PARTS if part in parts)
    step = Step("taken", f"{counted(len(rows), 'annotation')} found at {listing(taken)}: {told}", len(rows))
    return Nested(Table.of(columns, steps=(step,)), parts)


def _rows(root: Any, level: Level) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    reached = list(_reached(root, level.tokens[:-1], (), ()))
    around = [_around(above, level) for _, above, _ in reached]
    item, ids = _items(reached, around)
    rows: list[dict[str, Any]] = []
    parts: dict[str, Any] = {"item": item}
    made_of_keys = level.tokens[-1] == KEYS
    for (_, above, node), outside, called in zip(reached, around, ids, strict=True):
        if level.beside:
            entries = list(_beside(above[-1][0], level))
        elif made_of_keys:
            entries = [
                {"annotator": key, **(flattened(one) if isinstance(one, dict) else {"value": one})}
                for key, one in node.items()
            ]
        else:
            field = next((token for token in reversed(level.tokens) if token not in (LIST, KEYS)), "entry")
            entries = [_entry(one, field, level) for one in node]
        if level.unnamed or not (level.annotator or made_of_keys):
            entries = [{**entry, "position": place} for place, entry in enumerate(entries, start=1)]
        for entry in entries:
            kept = {(f"parent.{name}" if name in entry else name): cell for name, cell in outside.items()}
            rows.append({item: called, **{k: v for k, v in kept.items() if k != item}, **entry})
    if level.swapped:
        rows = [{**row, item: row["annotator"], "annotator": row[item]} for row in rows]
    field = next((token for token in reversed(level.tokens) if token not in (LIST, KEYS)), "entry")
    by_place = level.annotator.lstrip("-").isdigit() and not level.beside
    if made_of_keys:
        parts["annotator"] = "annotator"
    elif level.annotator:
        parts["annotator"] = f"{field}[{level.annotator}]" if by_place else level.annotator
    values = [f"{field}[{place}]" for place in level.values] if by_place else list(level.values)
    if values:
        parts["value"] = values[0] if len(values) == 1 else values
    return rows, parts


def _entry(one: Any, field: str, level: Level) -> dict[str, Any]:
    if isinstance(one, dict):
        return flattened(one)
    if isinstance(one, list):
        entry = {f"{field}[{place}]": cell for place, cell in enumerate(one)}
        if "-1" in (level.annotator, *level.values):
            entry.pop(f"{field}[{len(one) - 1}]")
            entry[f"{field}[-1]"] = one[-1]
        return entry
    return {field: one}


def _beside(record: Mapping[str, Any], level: Level) -> Iterator[dict[str, Any]]:
    fields = dict.fromkeys([level.annotator, *level.beside] if level.annotator else level.beside)
    flat = flattened(record)
    for cells in zip_longest(*(flat.get(field) or () for field in fields)):
        yield dict(zip(fields, cells, strict=True))


def _around(above: Above, level: Level) -> dict[str, Any]:
    """The simple fields of the records around an annotation, those nearer to it before those farther off."""
    found: dict[str, Any] = {}
    aside = {*level.beside, level.annotator}
    for record, way in above:
        rest = {field: cell for field, cell in record.items() if field != way}
        found |= {
            field: cell
            for field, cell in flattened(rest).items()
            if not isinstance(cell, dict | list) and field not in aside
        }
    return found


def _items(
    reached: Sequence[tuple[tuple[Any, ...], Any, Any]], around: Sequence[Mapping[str, Any]]
) -> tuple[str, list[Any]]:
    """The column of the items and their names: an id that differs in all of them, else where they lie."""
    common = set.intersection(*(set(one) for one in around)) if around else set()
    for field in dict.fromkeys(chain.from_iterable(around)):
        if field in common and (
            one_word(field) in SYNONYMS["item"] or words_of(field)[-1:] in (["id"], ["idx"], ["uuid"])
        ):
            names = [one[field] for one in around]
            if None not in names and len(set(map(plain, names))) == len(names) and not is_person(field):
                return field, names
    places = [place for place, _, _ in reached]
    names = [place[0] if len(place) == 1 else ".".join(map(str, place)) if place else 1 for place in places]
    return _new("item", common), names


def _new(name: str, taken: Iterable[str]) -> str:
    taken = set(taken)
    while name in taken:
        name += "_"
    return name
