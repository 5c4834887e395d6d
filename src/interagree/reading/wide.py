"""Wide tables: one row for each item, one column for each annotator, perhaps for several questions.

Annotators of one question share a vocabulary.  Which of the columns that share one are annotators is told by their
names (a person, a numbered stem, a common pattern such as "{question}_{annotator}") and, where names say nothing, by
how far the columns agree beyond chance: questions put to one person do not agree like persons asked one question.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from interagree.data.provenance import counted
from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Profile, alpha, shared
from interagree.reading.readings import Reading
from interagree.reading.roles import aside, is_model, item_score, looks_like_people, person_level

SHARED = 0.8  # share of cells whose entry another annotator gave as well …
SHARED_BY_FEW = 0.3  # … and the same in a small table, in which many entries stand once
AGREEING = 0.25  # alpha from which on columns without telling names are believed to be annotators
ENOUGH = 12  # rows from which on alpha tells something
ASKING = frozenset(
    {
        "q",
        "question",
        "item",
        "var",
        "v",
        "x",
        "y",
        "f",
        "feature",
        "dim",
        "trait",
        "s",
        "sq",
        "statement",
        "pb",
    }
)
MOST = 12  # annotators whose names tell nothing


@dataclass(frozen=True, slots=True)
class Family:
    """Columns that may be the annotators of one question or of several."""

    people: Mapping[str, Mapping[Hashable, Profile]]  # question → annotator → column
    pattern: str | None = None

    @property
    def columns(self) -> list[Profile]:
        return [column for people in self.people.values() for column in people.values()]

    @property
    def annotators(self) -> list[Hashable]:
        return list(dict.fromkeys(who for people in self.people.values() for who in people))

    @property
    def level(self) -> int:
        """How much the names of the annotators speak of persons: that of the least telling one."""
        return min((person_level(names.words(who)) for who in self.annotators), default=0)


def needed(columns: Sequence[Profile]) -> float:
    """How much of their vocabulary columns must share to be answers to one question."""
    return SHARED if columns and len(columns[0].cells) >= ENOUGH else SHARED_BY_FEW


def readings(
    profiles: Sequence[Profile], *, item: Sequence[Hashable] | None, kept: Sequence[Hashable], listed: bool
) -> Iterator[Reading]:
    """The ways to read a table as a wide one, the likeliest first.

    Args:
        profiles: The columns.
        item: The columns that are said to name the items; None where nothing is said.
        kept: Columns that are said to be something else.
        listed: Whether the table came as a dict from each annotator to a list, which says that it is wide.
    """
    known = {*(item or ()), *kept}
    ids = _items(profiles, item, known)
    why = {column.name: aside(column) for column in profiles}
    free = [column for column in profiles if column.name not in {*known, *ids[0]}]
    able = [column for column in free if not why[column.name]]
    grids = _grids(able)
    families = [*grids, *(family for family in _plain(able, free) if not _by_one(family, grids))]
    if listed and (not families or len(free[0].cells if free else ()) < ENOUGH):
        families = [_one(able or free)] if free else []
    seen: set[frozenset[Hashable]] = set()
    for family in families:
        key = frozenset(column.name for column in family.columns)
        if key in seen:
            continue
        seen.add(key)
        yield _judged(family, profiles, why, ids, known, listed=listed)


def _items(
    profiles: Sequence[Profile], item: Sequence[Hashable] | None, known: set[Hashable]
) -> tuple[tuple[Hashable, ...], Profile | None]:
    """The column that names the items, and one that is named like it and repeats."""
    if item is not None:
        return tuple(item), None
    best: Profile | None = None
    repeated: Profile | None = None
    for column in profiles:
        if column.name in known or item_score(column) < 2:
            continue
        if names.words(column.name) in (("item",), ("item", "id")) and column.share == 1:
            return (column.name,), None  # the name of the part itself: an item that stands twice is an error
        if column.unique and column.share == 1:
            if best is None or item_score(column) > item_score(best):
                best = column
        elif (
            column.share > 0.95
            and column.distinct > 1
            and item_score(column) >= 3.5
            and not column.nearly_unique
        ):
            repeated = repeated or column
    return (() if best is None else (best.name,)), (None if best is not None else repeated)


def item_of(profiles: Sequence[Profile], known: set[Hashable]) -> tuple[Hashable, ...]:
    """The column that names the items of a wide table, if there is one."""
    return _items(profiles, None, known)[0]


# -- which columns belong together ----------------------------------------------------------------------------------


def _pieces(name: Hashable) -> list[str]:
    """A name in the pieces that an annotator and a question may be made of, with what stands between them."""
    return re.findall(
        r"[A-Z]\d+(?!\w)|[A-Z]+(?=[A-Z]\d+(?:\W|_|$))|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+|[\W_]+",
        str(name).strip(),
    )


def _splits(name: Hashable) -> Iterator[tuple[str, str, str]]:
    """All ways to cut a name into a left part, what stands between, and a right part."""
    pieces = _pieces(name)
    for at in range(1, len(pieces)):
        left, right = "".join(pieces[:at]), "".join(pieces[at:])
        cut = re.match(r"([\W_]*)(.*)", right, re.DOTALL)
        between, rest = cut.groups() if cut else ("", right)
        start = re.sub(r"[\W_]+$", "", left)
        between = left[len(start) :] + between
        end = re.sub(r"[\W_]+$", "", rest)
        if start and end and re.search(r"\w", start) and re.search(r"\w", end):
            yield start, between + "\0" + rest[len(end) :], end


def _by_one(family: Family, grids: Sequence[Family]) -> bool:
    """Whether the columns are those of one annotator, or of several questions, in a grid of several questions."""
    chosen = {column.name for column in family.columns}
    for grid in grids:
        if len(grid.people) < 2 or grid.level < 1:
            continue
        if chosen <= {column.name for column in grid.columns} and not any(
            chosen <= {column.name for column in people.values()} for people in grid.people.values()
        ):
            return True
        for who in grid.annotators:
            own = {people[who].name for people in grid.people.values() if who in people}
            if len(chosen) >= 2 and chosen <= own:
                return True
    return False


def _grids(able: Sequence[Profile]) -> list[Family]:
    """Columns whose names factor as annotator and question, in either order."""
    found: list[tuple[float, Family]] = []
    for order in ("{question}{annotator}", "{annotator}{question}"):
        table: dict[tuple[str, str], dict[str, Profile]] = defaultdict(dict)
        for column in able:
            for left, between, right in _splits(column.name):
                question, annotator = (left, right) if order.startswith("{q") else (right, left)
                if any(word in names.DERIVED for word in names.words(annotator)):
                    continue
                table[question, between][annotator] = column
        rows = {key: people for key, people in table.items() if len(people) >= 2}
        for (_, between), people in rows.items():
            crowd = set(people)
            asked = {
                question: {who: one for who, one in others.items() if who in crowd}
                for (question, sign), others in rows.items()
                if sign == between
            }
            asked = {question: some for question, some in asked.items() if len(some) >= 2}
            family = _named_family(asked, order, between)
            if family is not None:
                found.append((_worth(family), family))
    found.sort(key=lambda one: -one[0])
    return [family for _, family in found[:6]]


def _named_family(asked: dict[str, dict[str, Profile]], order: str, between: str) -> Family | None:
    """A grid as a family; a column stands for one question only, and one question keeps its columns' names."""
    taken: set[Hashable] = set()
    questions: dict[str, dict[Hashable, Profile]] = {}
    for question, people in sorted(asked.items(), key=lambda one: (-len(one[1]), one[0])):
        free = {who: column for who, column in people.items() if column.name not in taken}
        humans = {who: column for who, column in free.items() if not is_model(who)}
        free = humans if len(humans) >= 2 else free
        if len(free) >= 2 and shared(list(free.values())) >= 0.5:
            questions[question] = dict(free)
            taken |= {column.name for column in free.values()}
    if not questions:
        return None
    sign, _, end = between.partition("\0")
    pattern = order.replace("}{", "}" + sign + "{") + end
    if len(questions) == 1:
        ((question, only),) = questions.items()
        stem_is_person = person_level(names.words(question)) == 3
        if stem_is_person or all(person_level(names.words(who)) < 2 for who in only):
            return Family({"value": {column.name: column for column in only.values()}})
        return Family({question: only}, pattern)
    return Family(questions, pattern)


def _worth(family: Family) -> float:
    """How good a grid is: persons' names, columns covered, and a vocabulary shared within questions."""
    inside = [shared(list(people.values())) for people in family.people.values()]
    return 3.0 * max(family.level, 0) + len(family.columns) ** 0.5 + 4 * sum(inside) / len(inside)


def _plain(able: Sequence[Profile], free: Sequence[Profile]) -> list[Family]:
    """Columns that share a vocabulary, those named like persons first."""
    families: list[Family] = []
    people = [column for column in able if person_level(names.words(column.name)) >= 2]
    models = [column for column in people if is_model(column.name)]
    humans = [column for column in people if not is_model(column.name)]
    for some in (humans, people):
        group = _sharing(some)
        if len(group) >= 2:
            families.append(_one(group))
    numbered: dict[str, list[Profile]] = defaultdict(list)
    for column in able:
        cut = names.stem(column.name)
        if cut is not None:
            numbered[cut[0]].append(column)
    families += [_one(group) for some in numbered.values() if len(group := _sharing(some)) >= 2]
    rest = [column for column in able if column not in models or len(humans) < 2]
    for group in _clusters(rest):
        families.append(_one(group))
    if not families and len(free) >= 2 and len(group := _sharing(free)) == len(free):
        families.append(_one(group))  # a small table, in which everything may look unique
    return families


def _one(columns: Sequence[Profile]) -> Family:
    return Family({"value": {column.name: column for column in columns}})


def _sharing(columns: Sequence[Profile]) -> list[Profile]:
    """The columns that share a vocabulary with the others, those that do not left out one by one."""
    left = [column for column in columns if column.filled]
    while len(left) >= 2 and shared(left) < needed(left):
        known = {
            column.name: shared([column, *(other for other in left if other is not column)])
            if len(left) > 2
            else 0.0
            for column in left
        }
        without = {column.name: shared([other for other in left if other is not column]) for column in left}
        if len(left) == 2:
            return []
        worst = max(left, key=lambda column: (without[column.name], -known[column.name]))
        left = [column for column in left if column is not worst]
    return left


def _clusters(columns: Sequence[Profile]) -> list[list[Profile]]:
    """Groups of columns that share a vocabulary, the largest first."""
    left = [column for column in columns if column.filled]
    groups: list[list[Profile]] = []
    for column in left:
        fits = [group for group in groups if shared([column, *group]) >= needed(left)]
        if fits:
            fits[0].append(column)
        else:
            groups.append([column])
    return sorted((group for group in groups if len(group) >= 2), key=len, reverse=True)


# -- how clear it is ------------------------------------------------------------------------------------------------


def _judged(
    family: Family,
    profiles: Sequence[Profile],
    why: Mapping[Hashable, str],
    ids: tuple[tuple[Hashable, ...], Profile | None],
    known: set[Hashable],
    *,
    listed: bool,
) -> Reading:
    item, repeated = ids
    columns = family.columns
    chosen = {column.name for column in columns}
    rest = [column for column in profiles if column.name not in chosen and column.name not in {*item, *known}]
    agreement = {question: alpha(list(people.values())) for question, people in family.people.items()}
    values = [value for value in agreement.values() if not math.isnan(value)]
    mean = sum(values) / len(values) if values else math.nan
    common = min(shared(list(people.values())) for people in family.people.values())
    level = family.level
    rivals = [
        column
        for column in rest
        if not why[column.name]
        and not is_model(column.name)
        and shared([column, *columns]) >= needed(columns)
        and column.distinct > 1
    ]
    doubts = list(
        _doubts(family, profiles, rest, rivals, mean=mean, common=common, repeated=repeated, listed=listed)
    )
    told = {
        column.name: why[column.name]
        or ("named like a model" if is_model(column.name) else "")
        or ("shares the answers' vocabulary but is not named like an annotator" if column in rivals else "")
        or "other entries than the annotators'"
        for column in rest
    }
    vocabulary = sorted({entry for column in columns[:3] for entry in column.vocabulary}, key=str)
    because = (
        f"{listing([column.name for column in columns], most=6)} share "
        f"{counted(len(vocabulary), 'different entry') if len(vocabulary) > 8 else listing(map(_shown, vocabulary), quote=False)}"
    )
    return Reading(
        layout="wide",
        item=item,
        people={
            question: {who: column.name for who, column in people.items()}
            for question, people in family.people.items()
        },
        pattern=family.pattern,
        aside=told,
        because=because,
        doubt="; ".join(doubts),
        score=2.0 * max(level, 0)
        + 2 * common
        + (0 if math.isnan(mean) else 2 * mean)
        + 0.1 * len(columns)
        - len(doubts),
    )


def _shown(entry: object) -> str:
    return f"{entry:g}" if isinstance(entry, float) else str(entry)[:30]


def _doubts(
    family: Family,
    profiles: Sequence[Profile],
    rest: Sequence[Profile],
    rivals: Sequence[Profile],
    *,
    mean: float,
    common: float,
    repeated: Profile | None,
    listed: bool,
) -> Iterator[str]:
    """What speaks against a family being the annotators."""
    columns = family.columns
    size = len(profiles[0].cells) if profiles else 0
    level, crowd = family.level, len(family.annotators)
    if len(columns) < 2 and not listed:
        yield "there is only one column of answers"
        return
    filled = [sum(cell is not None for cell in row) for row in zip(*(c.cells for c in columns), strict=True)]
    if size and not listed and max(filled, default=0) < 2:
        yield "no row holds two answers, so the rows cannot be the items"
    if any(looks_like_people(column) for column in columns):
        yield "the cells name people, not answers"
    results = [
        column.name
        for column in rest
        if set(names.words(column.name)) & names.RESULT and not column.whole and column.numeric
    ]
    if results:
        yield f"{listing(results)} {'is' if len(results) == 1 else 'are'} named like the result of an analysis"
    if (
        common < (0.5 if level >= 2 and size >= ENOUGH else 0.0 if level >= 2 else needed(columns))
        and not listed
    ):
        yield f"{listing([column.name for column in columns], most=6)} share few entries"
    bare = {question: _bare(question) for question in family.people}
    twice = [
        q
        for q, short in bare.items()
        if short and any(short == other for name, other in bare.items() if name != q)
    ]
    if twice:
        yield f"{listing(twice)} stand side by side, and only one of them can be the answer"
    if level >= 2 or listed:
        return
    if crowd > size and level < 1:
        yield f"there are {size} rows and {crowd} columns, so the rows may be the annotators"
    if repeated is not None:
        yield f"{repeated.name!r} names the items and repeats, and nobody is named who gave the answers"
    if rivals:
        yield f"{listing([c.name for c in rivals], most=4)} holds the same entries and may be an annotator as well"
    if crowd > MOST:
        yield f"nothing in their names says that {crowd} columns are annotators"
    if level < 0:
        enough = crowd >= 3 and mean >= AGREEING and _numbered(family)
        if not enough:
            yield f"{listing(family.annotators, most=4)} may be questions put to one person"
    elif level == 0 and (size < ENOUGH or not mean >= AGREEING):
        yield (
            f"nothing in their names says that {listing(family.annotators, most=4)} are annotators"
            + ("" if size < ENOUGH or math.isnan(mean) else f", and they hardly agree (α = {mean:.2f})")
        )
    elif level == 1 and size >= ENOUGH and not mean >= AGREEING / 2 and not _lettered(family):
        yield f"{listing(family.annotators, most=4)} may be annotators, but hardly agree"
    if _numbered(family) and _stem(family) in ASKING:
        yield f"{listing(family.annotators, most=4)} may be questions put to one person"
    if all(column.flags for column in columns) and level <= 0 and not mean >= 2 * AGREEING:
        yield "the columns hold yes or no and may be one label each"


def _numbered(family: Family) -> bool:
    cuts = [names.stem(who) for who in family.annotators]
    return all(cut is not None for cut in cuts) and len({cut[0] for cut in cuts if cut is not None}) == 1


def _stem(family: Family) -> str:
    cut = names.stem(family.annotators[0])
    return cut[0] if cut is not None else ""


def _lettered(family: Family) -> bool:
    """Whether annotators are called by a letter and a number, as in W1, W2 or R1, R2."""
    return _numbered(family) and _stem(family) in {"r", "a", "w", "c", "j", "u", "e", "h", "l", "o"}


def _bare(question: str) -> str:
    return " ".join(
        word for word in names.words(question) if word not in names.DERIVED and word not in {"original"}
    )
