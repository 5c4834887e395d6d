"""One reading of a table: stated by the caller, clear from names and cells, or doubtful and then an error.

Every door asks `recognise`.  It lists the ways to read a table, with what speaks for and against each, and goes on
only where one of them is clear and no other comes near.  What a doubtful table may be is then told by `offers`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from interagree.errors import Advice, ColumnNotFound, DataError, Hint, listing, nearest
from interagree.reading import long, names, numbered, paired, pairwise, patterns, transposed, wide
from interagree.reading.choices import Choices, several, single
from interagree.reading.evidence import Profile, index_profile, profiles
from interagree.reading.parts import FILE, ROLES, SYNONYMS, check, fitting, roles
from interagree.reading.readings import Doubt, Reading
from interagree.reading.roles import aside
from interagree.reading.tables import NamedColumns

MARGIN = 1.0  # by how much a clear reading must be likelier than another that is clear
WIDEST = 20_000  # columns up to which the part of each is found out


def recognise(table: NamedColumns, c: Choices) -> Reading:
    """The reading of a table: stated, or clear; otherwise an error that shows what it may be."""
    reading = stated(table, c)
    if reading is not None:
        return reading
    if len(table.names) > WIDEST:
        raise DataError(
            Advice.of(
                f"the table has {len(table.names):,} columns, more than the {WIDEST:,} whose parts are found out; "
                "where lines are broken or cells separated otherwise, mend that, else pass ",
                Hint("item", ...),
                " and ",
                Hint("annotator", [...]),
                ", or ",
                Hint("layout", "transposed"),
                " where each column is an item",
            )
        )
    columns = profiles(table)
    if not any(column.cells for column in columns):
        part = roles(table.names, item=single(c.item), annotator=single(c.annotator), value=single(c.value))
        return Reading(layout="long", item=(part.item,), annotator=part.annotator, values=(part.value,))
    compared = pairwise.reading(columns, c)
    if compared is not None:
        return compared
    readings = sorted(all_readings(columns, table, c), key=lambda reading: -reading.score)
    clear = [reading for reading in readings if reading.clear]
    if len(clear) > 1 and {reading.layout for reading in clear[:2]} == {"long", "wide"}:
        rivals = [clear[0], next(reading for reading in clear if reading.layout != clear[0].layout)]
        if rivals[0].score - rivals[1].score < MARGIN:
            raise Doubt("the table can be read in two ways", [*rivals, *readings], columns)
    if clear and clear[0].score >= readings[0].score - 2 * MARGIN:
        return clear[0]
    if not readings:
        for name in several(c.value) or ():
            check("value", name, table.names)
        raise _nothing(columns, c)
    raise Doubt(_why(readings, columns), readings, columns)


# -- what the caller said ---------------------------------------------------------------------------------------------


def stated(table: NamedColumns, c: Choices) -> Reading | None:
    """The reading that the caller stated, where nothing is left to find out."""
    _check(table, c)
    item = several(c.item)
    layout = table.layout if c.layout == "auto" and table.layout is not None else c.layout
    if layout == "transposed" and c.columns is not None:
        return _patterned(table, c, item)
    if layout in ("counts", "contingency", "transposed"):
        if item is None and layout == "counts" and not table.array:
            item = list(wide.item_of(profiles(table), set())) or fitting("item", table.names)[:1]
        return Reading(
            layout=layout,
            item=() if item is None or table.array else tuple(item),
            annotator=_named_rows(table, c) if layout == "transposed" else None,
        )
    if table.array:
        return Reading(layout="wide", people={"value": {name: name for name in table.names}})
    if c.columns is not None:
        return _patterned(table, c, item)
    if layout == "wide" and c.layout == "auto" and c.annotator is None and c.value is None:
        ids = item if item is not None else [*table.index_names]
        others = {*ids, *(several(c.attributes) or ()), c.times}
        return Reading(
            layout="wide", item=tuple(ids), people={"value": {name: name for name in table.names if name not in others}}
        )
    value = several(c.value)
    who = single(c.annotator)
    if isinstance(c.annotator, list) and value is not None and set(value) <= set(table.names):
        return _paired(table, c.annotator, value, item)
    if c.layout != "wide" and item is not None and who is not None and value is not None:
        return Reading(layout="long", item=tuple(item), annotator=who, values=tuple(value), question=c.question)
    named = "item" if item is None or len(item) != 1 or len(table.names) != len(ROLES) else item[0]
    called_so = item in (None, [named]) and c.annotator in (None, "annotator") and c.value in (None, "value")
    if {named, "annotator", "value"} <= set(table.names) and c.layout in ("auto", "long") and called_so:
        return Reading(layout="long", item=(named,), annotator="annotator", values=("value",), question=c.question)
    return _three(table, c)


def _paired(
    table: NamedColumns, people: Sequence[Hashable], values: Sequence[Hashable], item: Sequence[Hashable] | None
) -> Reading:
    """A wide table with columns of annotators beside those of their answers, as the caller lists them."""
    if len(values) % len(people):
        raise DataError(
            f"each column of answers needs a column that names who gave them, and there are {len(people)} columns of "
            f"annotators ({listing(people, most=4)}) for {len(values)} of answers ({listing(values, most=4)})"
        )
    asked = [values[start : start + len(people)] for start in range(0, len(values), len(people))]
    called = [patterns.common([str(name) for name in columns]) or str(columns[0]) for columns in asked]
    ids = tuple(item) if item is not None else wide.item_of(profiles(table), {*people, *values})
    questions = [patterns.ONE] if len(asked) == 1 else called
    return Reading(
        layout="wide",
        paired=True,
        item=ids,
        people={name: dict(zip(people, columns, strict=True)) for name, columns in zip(questions, asked, strict=True)},
    )


def _three(table: NamedColumns, c: Choices) -> Reading | None:
    """A table of three columns, each of which is named after another part: nothing else is there to look at."""
    nothing_said = all(part is None for part in (c.item, c.annotator, c.value, c.times, c.question, table.index))
    if len(table.names) != len(ROLES) or c.layout not in ("auto", "long") or not nothing_said or table.index_names:
        return None
    fits = [fitting(role, table.names) for role in ROLES]
    if any(len(names) != 1 for names in fits) or len({names[0] for names in fits}) != len(ROLES):
        return None
    item, annotator, value = (names[0] for names in fits)
    return Reading(
        layout="long",
        item=(item,),
        annotator=annotator,
        values=(value,),
        because="the columns are named after the item, the annotator and the value",
    )


def _named_rows(table: NamedColumns, c: Choices) -> Hashable | None:
    """The column that names the annotators of a transposed table: as stated, or as its cells say."""
    if c.annotator is not None or table.array:
        return single(c.annotator)
    index = index_profile(table)
    naming = transposed.naming(profiles(table), index)
    return None if naming is None or index is naming else naming.name


def _patterned(table: NamedColumns, c: Choices, item: Sequence[Hashable] | None) -> Reading:
    """A table whose columns are named by a pattern: of annotators and questions, or of items in a turned one."""
    pattern = str(c.columns)
    patterns.check_pattern(pattern)
    turned = patterns.ITEM in pattern
    crowd, asked = None if turned else several(c.annotator), several(c.value)
    others = {*(item or ()), *([c.annotator] if turned else ())}
    people: dict[str, dict[Hashable, Hashable]] = {}
    for name, (who, question) in patterns.cut(pattern, [n for n in table.names if n not in others], crowd).items():
        if asked is None or question in asked:
            people.setdefault(question, {})[who] = name
    if not any(len(crowd) > 1 for crowd in people.values()):
        raise ColumnNotFound(
            f"no two columns match {pattern!r}"
            + (f" for the annotators {listing(crowd)}" if crowd is not None else "")
            + f"; the table has {listing(table.names)}"
        )
    if turned:
        return Reading(layout="transposed", annotator=_named_rows(table, c), people=people, pattern=pattern)
    ids = tuple(item) if item is not None else wide.item_of(profiles(table), set())
    return Reading(layout="wide", item=ids, people=people, pattern=pattern)


def _check(table: NamedColumns, c: Choices) -> None:
    """An error where a column that was asked for is not there."""
    if table.array:
        return
    for role, given in (("item", c.item), ("annotator", c.annotator), ("attribute", c.attributes)):
        if given is None or c.columns is not None or (c.layout == "contingency" and role == "annotator"):
            continue
        for name in several(given) or ():
            check(role, name, table.names)
    if (
        c.value is not None
        and c.columns is None
        and (c.layout == "long" or c.item is not None or c.annotator is not None)
    ):
        for name in several(c.value) or ():
            check("value", name, table.names)
    for role, name in (("question", c.question), ("number of items", c.times)):
        if name is not None:
            check(role, name, table.names)


# -- all readings -----------------------------------------------------------------------------------------------------


def all_readings(columns: Sequence[Profile], table: NamedColumns, c: Choices) -> Iterator[Reading]:
    """The ways to read a table, each with what speaks against it; none where nothing looks like annotations."""
    item, value = several(c.item), several(c.value)
    index = index_profile(table)
    kept = [*(several(c.attributes) or ()), *([c.times] if c.times is not None else [])]
    listed = several(c.annotator) if isinstance(c.annotator, list) else None
    asked = value is not None and all(name in table.names for name in value)
    named = value is None or asked
    if c.layout in ("auto", "long") and listed is None and named and c.columns is None and c.times is None:
        stated_parts = long.StatedColumns(item, single(c.annotator), value if asked else None, c.question, kept)
        yield from long.readings(columns, stated_parts)
    if c.layout == "long" or (c.annotator is not None and listed is None) or asked or c.question is not None:
        return
    if item is None and table.index_names:
        item = list(table.index_names)
    if listed is not None or c.layout == "wide":
        yield from _stated_wide(columns, item, kept, listed)
        return
    if c.layout == "auto" and c.columns is None and table.columns_name is None:
        yield from numbered.readings(columns, item=item, kept=kept, index=index)
        yield from transposed.readings(columns, kept=kept, index=index)
        yield from paired.readings(columns, item or wide.item_of(columns, {*kept}))
    if len(set(ROLES) & set(table.names)) == 2 and c.columns is None:
        return  # a long table, one of whose columns is called otherwise
    called = table.columns_name is not None and names.has(table.columns_name, names.PERSON)
    for reading in wide.readings(columns, item=item, kept=kept, listed=table.listed or called, index=index):
        if value is None:
            yield reading
        elif all(name in reading.people for name in value):
            yield replace(reading, people={str(name): reading.people[str(name)] for name in value})


def _stated_wide(
    columns: Sequence[Profile],
    item: Sequence[Hashable] | None,
    kept: Sequence[Hashable],
    people: Sequence[Hashable] | None,
) -> Iterator[Reading]:
    """A table that is said to be wide: the columns named, or all that can hold answers."""
    ids = tuple(item) if item is not None else wide.item_of(columns, {*kept, *(people or ())})
    if people is None:
        free = [column for column in columns if column.name not in {*ids, *kept}]
        why = {column.name: aside(column) for column in free}
        able = [column for column in free if not why[column.name]]
        chosen = able if len(able) >= 2 else free
        set_aside = {column.name: why[column.name] for column in free if column not in chosen}
        people = [column.name for column in chosen]
    else:
        set_aside = {}
    yield Reading(layout="wide", item=ids, people={"value": {name: name for name in people}}, aside=set_aside)


# -- doubt ------------------------------------------------------------------------------------------------------------


def _why(readings: Sequence[Reading], columns: Sequence[Profile]) -> str:
    called = listing([column.name for column in columns], most=20)
    doubt = next((reading.doubt for reading in readings if reading.layout != "transposed"), readings[0].doubt)
    return f"it is not clear how to read the table (columns {called}): {doubt}. It may be"


def _nothing(columns: Sequence[Profile], c: Choices) -> Doubt:
    """The doubt about a table in which nothing looks like annotations, and the error where nothing can be offered."""
    known = [column.name for column in columns]
    table = f"; the table has {listing(known)}"
    if c.annotator is not None or long.people(columns):
        role = "value" if c.value is None else "item"
        more = "name it" if role == "item" else "name it, or several for several questions"
        hint = Hint(role, "…" if role == "item" else ["…", "…"])
        found = f"there is no column to take the {role} from{table}"
        error = ColumnNotFound(f"{found}; {more}, as in {hint}", hints=[hint])
    else:
        others = {name for role in ("item", "value") for name in fitting(role, known)}
        free = [str(name) for name in known if name not in others]
        near = next((close for word in SYNONYMS["annotator"] if (close := nearest(word, free)) is not None), None)
        guess = [] if near is None else [Hint("annotator", near)]
        meant = "".join(f" Did you mean {hint}?" for hint in guess)
        hints = [
            Hint("annotator", ["…", "…"]),
            Hint("layout", "wide"),
            Hint("annotator", "…"),
            Hint("annotator", FILE),
            *guess,
        ]
        found = (
            "there is no column to take the annotator from, and no two columns look like the answers of two "
            f"annotators{table}"
        )
        error = ColumnNotFound(
            f"{found}.{meant} If each column holds the answers of one annotator, name them, as in {hints[0]}, or pass "
            f"{hints[1]}; if one column says who answered, name it with {hints[2]}; if the whole file is by one "
            f"annotator, pass {hints[3]} and read it together with the others' files",
            hints=hints,
        )
    return Doubt(f"{found}. It may be", (), columns, error)
