"""Wide tables: one row for each item, one column for each annotator, perhaps for several questions.

Annotators of one question share a vocabulary.  Which of the columns that share one are annotators is told by their
names (a person, a numbered stem, a common pattern such as "{question}_{annotator}") and, where names say nothing, by
how far the columns agree beyond chance: questions put to one person do not agree like persons asked one question.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Profile, alpha, canonical, fits, folded, pooled, shared
from interagree.reading.readings import Reading
from interagree.reading.roles import aside, is_model, is_ordinary, item_score, looks_like_people, person_level

SHARED = 0.8  # share of cells whose entry another annotator gave as well …
ALIKE = 0.5  # … by annotators together, where their names tell who they are
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
_REMARKS = names.COMMENT - names.VALUE
THINGS = frozenset(
    (word,) for word in ("item", "document", "doc", "sentence", "text", "image", "tweet", "unit")
)
MARGIN = 0.75  # by how much one way to cut names must be better than the other
DERIVED = 0.85  # share of rows in which a derived column says what most others say …
APART = 0.08  # … and by how much it must exceed that of an annotator
LEAST = 6  # rows that tell something of it
MOST = 12  # annotators whose names tell nothing


@dataclass(frozen=True, slots=True)
class Family:
    """Columns that may be the annotators of one question or of several."""

    people: Mapping[str, Mapping[Hashable, Profile]]  # question → annotator → column
    pattern: str | None = None
    either: bool = False  # whether annotators and questions may as well be the other way round

    @property
    def columns(self) -> list[Profile]:
        return [column for people in self.people.values() for column in people.values()]

    @property
    def annotators(self) -> list[Hashable]:
        return list(dict.fromkeys(who for people in self.people.values() for who in people))

    @property
    def level(self) -> int:
        """How much the names of the annotators speak of persons: that of most of them."""
        levels = sorted(person_level(who) for who in self.annotators)
        return levels[(len(levels) - 1) // 2] if levels else 0


def needed(columns: Sequence[Profile]) -> float:
    """How much of their vocabulary columns must share to be answers to one question."""
    return SHARED if columns and len(columns[0].cells) >= ENOUGH else SHARED_BY_FEW


def readings(
    profiles: Sequence[Profile],
    *,
    item: Sequence[Hashable] | None,
    kept: Sequence[Hashable],
    listed: bool,
    index: Profile | None,
) -> Iterator[Reading]:
    """The ways to read a table as a wide one, the likeliest first.

    Args:
        profiles: The columns.
        item: The columns that are said to name the items; None where nothing is said.
        kept: Columns that are said to be something else.
        listed: Whether the table came as a dict from each annotator to a list, which says that it is wide.
        index: The names of the rows, where the table has them apart from its columns.
    """
    known = {*(item or ()), *kept}
    ids = _items(profiles, item, known)
    pairs = _of_pairs(profiles)
    why = {
        column.name: "named after two annotators" if column in pairs else aside(column) for column in profiles
    }
    free = [column for column in profiles if column.name not in {*known, *ids[0]}]
    able = [column for column in free if not why[column.name]]
    grids = _grids(able)
    families = [*grids, *(family for family in _plain(able, free) if not _by_one(family, grids))]
    if listed and len(free) == 1 and person_level(free[0].name) < 0:
        return  # answers, and nobody is named
    if listed and free and (not families or len(free[0].cells) < ENOUGH or shared(able) >= SHARED_BY_FEW):
        families = [_one(able or free)]
    seen: set[frozenset[Hashable]] = set()
    for family in families:
        key = frozenset(column.name for column in family.columns)
        if key in seen:
            continue
        seen.add(key)
        yield _judged(family, profiles, why, ids, known, listed=listed, index=index)


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
        r"[^\W_]+@[A-Za-z0-9.-]+\.[A-Za-z]+|[A-Z]\d+(?!\w)|[A-Z]+(?=[A-Z]\d+(?:\W|_|$))|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+|[\W_]+",
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


def _of_pairs(profiles: Sequence[Profile]) -> list[Profile]:
    """Columns that are named after two people whom others are named after: 'anna_ben' beside 'anna' and 'ben'."""
    people = {column.name: _people_in(column.name) for column in profiles}
    alone = set().union(*(who for who in people.values() if len(who) == 1))
    return [
        column
        for column in profiles
        if (len(people[column.name]) >= 2 and people[column.name] <= alone) or _holds_two(column, profiles)
    ]


def _people_in(name: Hashable) -> set[str]:
    """The persons that a name speaks of."""
    return {part for part in re.split(r"[\W_]+", str(name).casefold()) if part and person_level(part) >= 2}


def _holds_two(column: Profile, profiles: Sequence[Profile]) -> bool:
    """Whether a name is made of those of two other columns that name persons, and a sign between them."""
    name = str(column.name).casefold()
    inside = [
        other
        for one in profiles
        if one is not column and person_level(one.name) >= 1 and (other := str(one.name).casefold()) in name
    ]
    return any(
        re.fullmatch(rf"{re.escape(one)}[\W_]+(vs\W+)?{re.escape(other)}", name)
        for one in inside
        for other in inside
        if one != other
    )


def _by_one(family: Family, grids: Sequence[Family]) -> bool:
    """Whether several columns are those of one annotator in a grid of several questions."""
    chosen = {column.name for column in family.columns}
    for grid in grids:
        if len(grid.people) < 2 or grid.level < 1:
            continue
        for who in grid.annotators:
            own = {people[who].name for people in grid.people.values() if who in people}
            if len(chosen & own) >= 2:
                return True
        inside = {column.name for column in grid.columns}
        if len(chosen & inside) >= 2 and chosen - inside:
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
                if set(names.words(annotator)) & names.DERIVED or set(names.words(question)) & _REMARKS:
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
    kept: list[Family] = []
    worth: list[float] = []
    for value, family in found:
        near = [
            at
            for at, other in enumerate(kept)
            if {c.name for c in other.columns} == {c.name for c in family.columns}
        ]
        if near:
            other = kept[near[0]]
            if other.annotators != family.annotators and worth[near[0]] - value < MARGIN:
                kept[near[0]] = replace(other, either=True)
            continue
        kept.append(family)
        worth.append(value)
    return kept[:6]


def _named_family(asked: dict[str, dict[str, Profile]], order: str, between: str) -> Family | None:
    """A grid as a family; a column stands for one question only, and one question keeps its columns' names."""
    taken: set[Hashable] = set()
    questions: dict[str, dict[Hashable, Profile]] = {}
    free: dict[Hashable, Profile]
    for question, people in sorted(asked.items(), key=lambda one: (-len(one[1]), one[0])):
        free = {who: column for who, column in people.items() if column.name not in taken}
        humans = {who: column for who, column in free.items() if not is_model(who)}
        free = humans if len(humans) >= 2 else free
        if len(free) >= 2 and pooled(list(free.values())) >= ALIKE:
            questions[question] = dict(free)
            taken |= {column.name for column in free.values()}
    if not questions:
        return None
    sign, _, end = between.partition("\0")
    pattern = order.replace("}{", "}" + sign + "{") + end
    if len(questions) == 1:
        ((question, only),) = questions.items()
        stem_is_person = person_level(question) == 3
        if stem_is_person or all(person_level(who) < 2 for who in only):
            return Family({"value": {column.name: column for column in only.values()}})
        return Family({question: only}, pattern)
    return Family(questions, pattern)


def _worth(family: Family) -> float:
    """How good a grid is: persons' names, columns covered, and a vocabulary shared within questions."""
    groups = [list(people.values()) for people in family.people.values()]
    levels = [max(person_level(who), 0) for who in family.annotators]
    agreement = [value for group in groups if not math.isnan(value := alpha(group))]
    return (
        3.0 * sum(levels) / len(levels)
        + math.sqrt(len(family.columns))
        + 4 * sum(map(pooled, groups)) / len(groups)
        + 2 * sum(agreement) / max(len(agreement), 1)
        + 0.5 * (len(groups) > 1)
    )


def _plain(able: Sequence[Profile], free: Sequence[Profile]) -> list[Family]:
    """Columns that share a vocabulary: those named like persons, those with a numbered stem, and all others."""
    levels = {column.name: person_level(column.name) for column in able}
    models = [column for column in able if is_model(column.name) and levels[column.name] >= 2]
    humans = [column for column in able if levels[column.name] >= 2 and column not in models]
    strangers = [column for column in able if column not in models and levels[column.name] in (0, 1)]
    groups: list[Sequence[Profile]] = []
    if len(humans) >= 2:
        groups.append(humans + _joining(humans, strangers))
    elif humans or models:
        groups.append(humans + models)
    numbered: dict[str, list[Profile]] = defaultdict(list)
    for column in able:
        cut = names.stem(column.name)
        if cut is not None:
            numbered[cut[0]].append(column)
    groups += numbered.values()
    clusters = _clusters([column for column in able if column not in models or len(humans) < 2])
    groups += clusters
    groups += [[column for column in group if levels[column.name] == 1] for group in clusters]
    short = [column for column in able if levels[column.name] == 1]
    if pooled(short) >= SHARED:
        groups.append(short)
    families = [_one(group) for group in groups if len(group) >= 2 and pooled(group) >= ALIKE]
    if not families and len(free) >= 2 and pooled(free) >= ALIKE:
        families.append(_one(free))  # a small table, in which everything may look unique
    return families


def _joining(humans: Sequence[Profile], strangers: Sequence[Profile]) -> list[Profile]:
    """Columns between those of people by name that may as well be called by one: one word, known for nothing else."""
    if sum(person_level(column.name) == 2 for column in humans) <= len(humans) / 2:
        return []
    able = [column for column in strangers if _may_be_a_name(column)]
    near = [column for column in able if fits(column, humans) >= needed(humans) and _agrees(column, humans)]
    places = {column.place for column in humans}
    inside = []
    for column in near:
        known = places | {other.place for other in near}
        if (
            {column.place - 1, column.place + 1} <= known
            and min(places) < column.place < max(places)
            and 2 * len(near) <= len(humans) + 1
        ):
            inside.append(column)
    return inside


def _may_be_a_name(column: Profile) -> bool:
    """Whether a column is called by one word that is known for nothing else, or by two with capitals."""
    parts = str(column.name).split()
    full = len(parts) == 2 and all(part.isalpha() and part.istitle() for part in parts)
    return (
        (full or len(names.words(column.name)) == 1)
        and len(str(column.name).strip()) > 3
        and not is_ordinary(column.name)
        and not is_model(column.name)
    )


def _agrees(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column agrees with others at least half as well as they do with each other, and is as full."""
    if 2 * column.share < min(other.share for other in others):
        return False
    theirs = alpha(others)
    if len(column.cells) < ENOUGH or math.isnan(theirs):
        return True
    pairs = [value for other in others if not math.isnan(value := alpha([column, other]))]
    return bool(pairs) and sum(pairs) / len(pairs) >= theirs / 2


def _one(columns: Sequence[Profile]) -> Family:
    return Family({"value": {column.name: column for column in sorted(columns, key=lambda one: one.place)}})


def _clusters(columns: Sequence[Profile]) -> list[list[Profile]]:
    """Groups of columns that share a vocabulary, the largest first."""
    groups: list[list[Profile]] = []
    for column in columns:
        near = [group for group in groups if shared([column, *group]) >= needed(columns)]
        if near:
            near[0].append(column)
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
    index: Profile | None,
) -> Reading:
    """A family as a reading, with what speaks against it."""
    item, repeated = ids
    columns = family.columns
    chosen = {column.name for column in columns}
    rest = [column for column in profiles if column.name not in chosen and column.name not in {*item, *known}]
    named = any(names.words(name)[:1] in THINGS for name in item)
    case = Case(
        family,
        rest,
        why,
        repeated,
        [*([index] if index is not None else []), *(column for column in profiles if column.name in item)],
        named,
        size=len(profiles[0].cells) if profiles else 0,
        listed=listed,
    )
    told = {
        column.name: why[column.name]
        or ("named like a model" if is_model(column.name) else "")
        or ("holds the same entries, but is not named like an annotator" if column in case.rivals else "")
        or "other entries than the annotators'"
        for column in rest
    }
    vocabulary = sorted({entry for column in columns[:3] for entry in column.vocabulary}, key=str)
    entries = (
        f"{len(vocabulary)} different entries"
        if len(vocabulary) > 8
        else listing(map(_shown, vocabulary), quote=False)
    )
    doubts = list(case.doubts())
    agreement = 0.0 if math.isnan(case.agreement) else case.agreement
    return Reading(
        layout="wide",
        item=item,
        people={
            question: {who: column.name for who, column in people.items()}
            for question, people in family.people.items()
        },
        pattern=family.pattern,
        aside=told,
        because=f"{listing([column.name for column in columns], most=6)} share {entries}",
        doubt="; ".join(doubts),
        score=2.0 * max(family.level, 0)
        + 2 * case.common
        + 2 * agreement
        + 0.1 * min(len(columns), 20)
        - len(doubts),
    )


def _shown(entry: object) -> str:
    return f"{entry:g}" if isinstance(entry, float) else str(entry)[:30]


@dataclass(frozen=True)
class Case:
    """A family of columns, and what stands beside it."""

    family: Family
    rest: Sequence[Profile]
    why: Mapping[Hashable, str]  # why a column holds no answers
    repeated: Profile | None  # a column that is named like the item and repeats
    ids: Sequence[Profile]  # columns that name the rows
    item: bool  # whether a column is called after the item itself
    size: int
    listed: bool  # whether the table came as a dict from each annotator to a list

    @cached_property
    def agreement(self) -> float:
        """The mean over questions of how far the columns agree beyond chance."""
        values = [alpha(list(people.values())) for people in self.family.people.values()]
        values = [value for value in values if not math.isnan(value)]
        return sum(values) / len(values) if values else math.nan

    @cached_property
    def common(self) -> float:
        """How much the annotators of a question share a vocabulary."""
        return min((pooled(list(people.values())) for people in self.family.people.values()), default=0.0)

    @cached_property
    def rivals(self) -> list[Profile]:
        """Columns beside the family that hold the same entries and could be annotators as well."""
        return [
            column
            for column in self.rest
            if not self.why[column.name]
            and column.distinct > 1
            and fits(column, self.family.columns) >= needed(self.family.columns)
            and not (is_model(column.name) and not self.models)
        ]

    @cached_property
    def strangers(self) -> list[Profile]:
        """Rivals whose names do not say what else they are."""
        return [column for column in self.rivals if 0 <= person_level(column.name) <= 1]

    @property
    def between(self) -> list[Profile]:
        """Columns between those of the annotators that hold other entries and are called by an unknown word."""
        places = [column.place for column in self.family.columns]
        return [
            column
            for column in self.rest
            if not self.why[column.name]
            and min(places) < column.place < max(places)
            and column.distinct <= MOST
            and _may_be_a_name(column)
        ]

    @cached_property
    def models(self) -> bool:
        """Whether all annotators are models."""
        return all(is_model(who) for who in self.family.annotators)

    @cached_property
    def words(self) -> bool:
        """Whether all columns hold the same words, three or more, as answers to one question do."""
        columns = self.family.columns
        known = set().union(*(column.vocabulary for column in columns))
        return (
            3 <= len(known) <= 20
            and not any(isinstance(one, float) for one in known)
            and shared(columns) > 0.95
        )

    @cached_property
    def kin(self) -> list[Profile]:
        """Columns beside the family that are called as its members are."""
        stems = {cut[0] for who in self.family.annotators if (cut := names.stem(who)) is not None}
        level = self.family.level
        found = []
        for column in self.rest:
            reason = self.why[column.name]
            if reason and (level < 2 or reason not in ("different in every row", "text", "dates or times")):
                continue
            cut = names.stem(column.name)
            own = person_level(column.name)
            if is_model(column.name) and not self.models:
                continue
            if (
                (cut is not None and cut[0] in stems)
                or (level >= 2 and own >= 2)
                or (level <= 1 and own >= level >= 0 and not is_ordinary(column.name))
                or any(map(str(column.name).startswith, self.start))
                or any(map(str(column.name).endswith, self.end))
            ):
                found.append(column)
        return found

    @cached_property
    def start(self) -> list[str]:
        """What the names of all annotators begin with, up to a sign that is not a letter, if they do."""
        return _common([str(who) for who in self.family.annotators])

    @cached_property
    def end(self) -> list[str]:
        """What the names of all annotators end with, from a sign that is not a letter, if they do."""
        return [part[::-1] for part in _common([str(who)[::-1] for who in self.family.annotators])]

    @property
    def numbered_people(self) -> bool:
        """Whether the annotators are called by a word for a person and a number or a letter."""
        return self.family.level == 3 and _numbered(self.family)

    def doubts(self) -> Iterator[str]:
        """What speaks against the family being the annotators."""
        family, columns = self.family, self.family.columns
        called = listing(family.annotators, most=4)
        if len(columns) < 2 and not self.listed:
            yield "there is only one column of answers"
            return
        yield from self._content(columns, called)
        bare = {question: _bare(question) for question in family.people}
        twice = [one for one, short in bare.items() if short and list(bare.values()).count(short) > 1]
        if family.either and len(bare) > 1:
            yield f"{listing(bare, most=4)} may be the annotators and {called} the questions, or the other way round"
        if twice:
            yield f"{listing(twice)} stand side by side, and only one of them can be the answer"
        if len(family.annotators) <= 3 and all(names.has(who, names.STAGE) for who in family.annotators):
            yield f"{called} may be two states of one answer"
        if self.listed:
            return
        if self.kin:
            left = listing([column.name for column in self.kin], most=4)
            yield f"{left} {'is' if len(self.kin) == 1 else 'are'} called like {called}, but not taken with them"
        yield from self._named(called) if family.level >= 2 else self._unnamed(called)

    def _named(self, called: str) -> Iterator[str]:
        """What speaks against columns that are named like persons."""
        family = self.family
        if self.models and self.rivals:
            yield f"{called} are models, and {listing([c.name for c in self.rivals], most=4)} may be the people"
        elif self.strangers and not self.numbered_people:
            yield _as_well(self.strangers)
        elif self.between and not self.numbered_people:
            left = listing([column.name for column in self.between], most=4)
            yield f"{left} {'stands' if len(self.between) == 1 else 'stand'} among them and may be called by a name"
        if {"min", "max"} <= {str(who).casefold() for who in family.annotators}:
            yield "'min' and 'max' may be the smallest and the largest answer"
        humans = [column for column in family.columns if person_level(column.name) >= 2]
        others = [column for column in family.columns if column not in humans]
        joining = _joining(humans, others)
        odd = [column.name for column in others if column not in joining]
        if family.pattern is not None:
            odd = [who for who in family.annotators if person_level(who) < 1 and is_ordinary(who)]
        if odd:
            yield f"{listing(odd, most=4)} {'is' if len(odd) == 1 else 'are'} not called like the other annotators"

    def _content(self, columns: Sequence[Profile], called: str) -> Iterator[str]:
        rows = list(zip(*(column.cells for column in columns), strict=True))
        if self.size and not self.listed and all(sum(cell is not None for cell in row) < 2 for row in rows):
            yield "no row holds two answers, so the rows cannot be the items"
        if any(looks_like_people(column) for column in columns):
            yield "the cells name people, not answers"
        results = [
            column.name
            for column in self.rest
            if set(names.words(column.name)) & names.RESULT and column.numeric and not column.whole
        ]
        if results:
            yield f"{listing(results)} {'is' if len(results) == 1 else 'are'} named like the result of an analysis"
        if self.common < ALIKE and not self.listed:
            yield f"{called} share few entries"
        if _adds_up(rows):
            yield f"{called} add up to the same in every row and may be shares"
        if _is_matrix(columns, [*self.rest, *(column for column in self.ids if not _counts_up(column))]):
            yield "rows and columns have the same names, as in a table of pairs"

    def _unnamed(self, called: str) -> Iterator[str]:
        """What speaks against columns whose names do not speak of persons."""
        crowd = len(self.family.annotators)
        if crowd > self.size and not self.item:
            yield f"there are {self.size} rows and {crowd} columns, so the rows may be the annotators"
        people = [column for column in [*self.rest, *self.ids] if names_people(column)]
        if people:
            yield f"{people[0].name!r} names a person in each row, so the rows may be the annotators"
        if self.repeated is not None:
            yield f"{self.repeated.name!r} names the items and repeats, and nobody is named who gave the answers"
        if self.rivals:
            yield _as_well(self.rivals)
        if crowd > MOST:
            yield f"nothing in their names says that {crowd} columns are annotators"
        yield from self._by_names(called)
        yield from self._by_numbers(called)

    def _by_names(self, called: str) -> Iterator[str]:
        """What speaks against columns whose names are initials, codes, numbers or words."""
        family, crowd, level = self.family, len(self.family.annotators), self.family.level
        enough = self.size >= ENOUGH
        stems = Counter(cut[0] for who in family.annotators if (cut := names.stem(who)) is not None)
        most = next((stem for stem, times in stems.items() if 2 * times > crowd), None)
        odd = [
            who
            for who in family.annotators
            if level == 1
            and (person_level(who) < 1 or (most is not None and (names.stem(who) or ("",))[0] != most))
        ]
        if odd:
            yield f"{listing(odd, most=4)} {'is' if len(odd) == 1 else 'are'} not called like the other annotators"
        derived = _derived(family.columns) if len(family.people) == 1 and not _numbered(family) else None
        if derived is not None:
            yield f"{derived.name!r} is nearly always what most of the others say, and may be derived from them"
        if level < 0 and not (crowd >= 3 and self.agreement >= AGREEING and _numbered(family)):
            yield f"{called} may be questions put to one person"
        elif level == 0 and not (enough and self.agreement >= AGREEING):
            weak = f", and they hardly agree (α = {self.agreement:.2f})" if enough else ""
            yield f"nothing in their names says that {called} are annotators{weak}"
        elif (
            level == 1
            and enough
            and not self.agreement >= AGREEING / 2
            and not (_lettered(family) or self.words)
        ):
            yield f"{called} may be annotators, but hardly agree"
        believed = enough and self.agreement >= AGREEING
        if _numbered(family) and (_stem(family) in ASKING or not (_from_one(family) or believed)):
            yield f"{called} may be questions put to one person, or items"

    def _by_numbers(self, called: str) -> Iterator[str]:
        """What speaks against columns of numbers, or of yes and no, whose names do not speak of persons."""
        family, columns = self.family, self.family.columns
        believed = self.size >= ENOUGH and self.agreement >= AGREEING
        rows = list(zip(*(column.cells for column in columns), strict=True))
        if all(column.flags for column in columns):
            wanted = 2 * AGREEING if family.level <= 0 else AGREEING / 2
            sure = family.level == 1 and _lettered(family)
            if not sure and not (self.size >= ENOUGH and self.agreement >= wanted):
                yield "the columns hold yes or no and may be one label each"
        elif not believed and _may_count(columns, rows):
            yield f"{called} hold whole numbers and many zeros, and may count how often each value was given"
        elif (
            not believed
            and all(column.whole for column in columns)
            and all(map(_is_numeral, family.annotators))
            and any(0 in row for row in rows)
        ):
            yield f"{called} may be values, and the cells how often each was given"
        bare = [str(who) for who in family.annotators if str(who).isdigit()]
        if (
            len(bare) == len(family.annotators) >= 4
            and not self.rest
            and not self.ids
            and self.size < 5 * len(bare)
        ):
            yield "nothing says whether the rows are the items or the annotators"


def _common(called: Sequence[str]) -> list[str]:
    cut = re.match(r".*?\w[\W_]", called[0])
    return [cut.group()] if cut and all(name.startswith(cut.group()) for name in called) else []


def _is_numeral(name: Hashable) -> bool:
    return re.fullmatch(r"-?\d+", str(name)) is not None


def _as_well(columns: Sequence[Profile]) -> str:
    left = listing([column.name for column in columns], most=4)
    if len(columns) == 1:
        return f"{left} holds the same entries and may be an annotator as well"
    return f"{left} hold the same entries and may be annotators as well"


def _may_count(columns: Sequence[Profile], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether cells may be numbers of annotators: whole, from 0 up, and 0 in half of the rows or more."""
    return (
        all(column.whole and min(column.vocabulary) >= 0 for column in columns)
        and sum(0 in row for row in rows) >= len(rows) / 2
    )


def _derived(columns: Sequence[Profile]) -> Profile | None:
    """The first or the last of some columns, where it says what most others say, far more often than they do."""
    if len(columns) < 3 or len(columns[0].cells) < ENOUGH:
        return None
    shares = [_with_most(column, [other for other in columns if other is not column]) for column in columns]
    best = max(shares)
    place = shares.index(best)
    second = max(share for at, share in enumerate(shares) if at != place)
    edge = place in (0, len(columns) - 1)
    return columns[place] if edge and best >= DERIVED and best - second >= APART else None


def _with_most(column: Profile, others: Sequence[Profile]) -> float:
    """How often a column says what more than half of others say, where that is more than one."""
    said = again = 0
    for own, *rest in zip(column.cells, *(other.cells for other in others), strict=True):
        entry, times = Counter(rest).most_common(1)[0]
        if own is not None and entry is not None and times > max(1, len(rest) / 2):
            said += 1
            again += own == entry
    return again / said if said >= LEAST else 0.0


def _counts_up(column: Profile) -> bool:
    """Whether the entries are the whole numbers from 0 or 1 up."""
    return (
        column.whole
        and column.filled[0] in (0.0, 1.0)
        and column.filled == [column.filled[0] + row for row in range(len(column.filled))]
    )


def _adds_up(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether numbers with decimals add up to 1 or to 100 in every row."""
    if len(rows) < 3 or not all(isinstance(cell, float) for row in rows for cell in row):
        return False
    if all(cell.is_integer() for row in rows for cell in row):
        return False
    return any(all(abs(sum(row) - total) <= 0.02 * total for row in rows) for total in (1.0, 100.0))


def _is_matrix(columns: Sequence[Profile], others: Sequence[Profile]) -> bool:
    """Whether the rows are called as the columns are."""
    called = {folded(canonical(column.name)) for column in columns}
    return any(
        len(called & set(other.counts)) >= max(2, 0.6 * len(called))
        and other.distinct <= 2 * len(called)
        and other.share > 0.8
        for other in others
    )


def names_people(column: Profile) -> bool:
    """Whether a column names another person in each row."""
    if not column.unique or column.numeric or len(column.filled) < 2:
        return False
    named = sum(
        isinstance(entry, str) and len(names.words(entry)) <= 4 and _names_a_person(entry)
        for entry in column.filled
    )
    return named >= 0.6 * len(column.filled)


def _names_a_person(entry: str) -> bool:
    """Whether an entry names a person; with a number only beside a word for one, as '3 mai 2020' does not."""
    level = person_level(entry)
    return level == 3 or (level == 2 and ("@" in entry or not any(map(str.isdigit, entry))))


def _numbered(family: Family) -> bool:
    cuts = [names.stem(who) for who in family.annotators]
    return all(cut is not None for cut in cuts) and len({cut[0] for cut in cuts if cut is not None}) == 1


def _stem(family: Family) -> str:
    cut = names.stem(family.annotators[0])
    return cut[0] if cut is not None else ""


def _from_one(family: Family) -> bool:
    """Whether names are numbered from 0 or 1, or lettered from a, without gaps and without leading zeros."""
    ends = [cut[1] for who in family.annotators if (cut := names.stem(who)) is not None]
    if all(end.isdigit() for end in ends):
        numbers = sorted(map(int, ends))
        short = all(len(end) <= 2 for end in ends)
        return short and numbers[0] <= 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return min(ends) == "a"


def _lettered(family: Family) -> bool:
    """Whether annotators are called by a letter and a number, as in W1, W2 or R1, R2."""
    return _numbered(family) and _stem(family) in {"r", "a", "w", "j", "u", "e", "h", "l", "o"}


def _bare(question: str) -> str:
    return " ".join(word for word in names.words(question) if word not in names.DERIVED | names.STAGE)
