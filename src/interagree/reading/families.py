"""Columns of a wide table that may belong together: the annotators of one question, or of several.

Names tell most: persons, a numbered stem, or a grid of names such as "{question}_{annotator}", in either order.  Where
names say nothing, columns that share a vocabulary are taken together.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter

from interagree.reading import names
from interagree.reading.evidence import Entry, Profile, alpha, fits, pooled, shared, spread_out
from interagree.reading.likeness import ENOUGH, figure_of, sums_up
from interagree.reading.roles import is_file, is_model, is_ordinary, named_aside, person_level

AGREEING = 0.25  # alpha from which on columns without telling names are believed to be annotators
BESIDE = 100  # columns with which another is compared, out of a group that may have thousands
SHARED = 0.8  # share of cells whose entry another annotator gave as well …
ALIKE = 0.5  # … by annotators together, where their names tell who they are
SHARED_BY_FEW = 0.3  # … and the same in a small table, in which many entries stand once
MOST_PIECES = 300  # of a name; whatever has more is not put together from an annotator and a question
MARGIN = 0.75  # by how much one way to cut names must be better than the other
_INITIALS = re.compile(r"[A-Z]{2,3}")
_REMARKS = names.COMMENT - names.VALUE


@dataclass(frozen=True, slots=True)
class ColumnFamily:
    """Columns that may be the annotators of one question or of several."""

    people: Mapping[str, Mapping[Hashable, Profile]]  # question → annotator → column
    pattern: str | None = None
    results: tuple[Hashable, ...] = ()  # columns beside them that sum up what they say
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

    @property
    def stem(self) -> str:
        """What all annotators are called but for a number or a letter; empty where they are not called alike."""
        cuts = [names.stem(who) for who in self.annotators]
        stems = {cut[0] for cut in cuts if cut is not None}
        return stems.pop() if len(stems) == 1 and None not in cuts else ""

    @property
    def numbered(self) -> bool:
        """Whether some annotators are called a word and a number or a letter."""
        return any(names.stem(who) is not None for who in self.annotators)

    @property
    def from_one(self) -> bool:
        """Whether names are numbered from 0 or 1, or lettered from a, without gaps and without leading zeros."""
        ends = [cut[1] for who in self.annotators if (cut := names.stem(who)) is not None]
        if all(end.isdigit() for end in ends):
            numbers = sorted(map(int, ends))
            short = all(len(end) <= 2 for end in ends)
            return short and numbers[0] <= 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        return min(ends) == "a"

    @property
    def lettered(self) -> bool:
        """Whether the names of annotators are a letter and a number, as in W1, W2 or R1, R2."""
        return self.stem in {"r", "a", "w", "j", "u", "e", "h", "l", "o"}


def needed(columns: Sequence[Profile]) -> float:
    """The share of their vocabulary that columns must have in common to be answers to one question."""
    return SHARED if columns and len(columns[0].cells) >= ENOUGH else SHARED_BY_FEW


def families(able: Sequence[Profile], free: Sequence[Profile], others: Sequence[Profile] = ()) -> list[ColumnFamily]:
    """The families among columns that may hold answers, grids of names first.

    Args:
        able: The columns that may hold answers.
        free: All columns that play no other part, for small tables in which everything may look unique.
        others: Columns that only their names speak against; they are questions beside others of the same people.
    """
    crossed = grids(able, others)
    return [*crossed, *(family for family in _plain(able, free) if not _by_one(family, crossed))]


def unlike(called: Sequence[Hashable]) -> list[Hashable]:
    """The names that may be those of results: not like the others, which are numbered alike, people's, or initials."""
    cuts = {who: names.stem(who) for who in called}
    stems = Counter(cut[0] for cut in cuts.values() if cut is not None)
    stem, times = stems.most_common(1)[0] if stems else ("", 0)
    if stem and times > 1:
        alike = [who for who, cut in cuts.items() if (cut is not None and cut[0] == stem) or _words(who) == stem]
    else:
        alike = [who for who in called if person_level(who) > 1]
        alike = alike or [who for who in called if _INITIALS.fullmatch(str(who))]
    strange = [who for who in called if who not in alike]
    people = any(person_level(who) > 1 for who in strange)
    return [] if people or len(alike) < max(2, len(strange) + 1) else strange


def _words(name: Hashable) -> str:
    return " ".join(names.words(name))


def at_an_edge(family: ColumnFamily, who: Sequence[Hashable]) -> bool:
    """Whether the columns of some stand before or behind those of all others, in all questions."""
    for people in family.people.values():
        inside = [column.place for name, column in people.items() if name not in who]
        beside = [column.place for name, column in people.items() if name in who]
        if inside and any(min(inside) < place < max(inside) for place in beside):
            return False
    return True


def without_results(family: ColumnFamily) -> ColumnFamily:
    """A family without what was agreed on: it is named otherwise and sums up what the others say, in all questions."""
    odd = unlike(family.annotators)
    names_too = any(may_be_a_name(people[who]) for people in family.people.values() for who in odd if who in people)
    believed = family.numbered or (family.level > 1 and at_an_edge(family, odd) and not names_too)
    results = [who for who in odd if believed and sums_up_all(family, who, but=odd)]
    results = results or [
        who for who in family.annotators if len(family.people) > 1 and sums_up_all(family, who, figure_of)
    ]
    if not results or len(results) > len(family.annotators) - 2:
        return family
    columns = [people[who].name for people in family.people.values() for who in results if who in people]
    rest = {
        question: {w: c for w, c in people.items() if w not in results} for question, people in family.people.items()
    }
    return replace(family, people=rest, results=tuple(columns))


def sums_up_all(
    family: ColumnFamily,
    who: Hashable,
    test: Callable[[Profile, Sequence[Profile]], object] = sums_up,
    but: Sequence[Hashable] = (),
) -> bool:
    """Whether the columns of somebody sum up what the others, but for some, say in all questions."""
    asked = [people for people in family.people.values() if who in people]
    return all(
        test(people[who], [column for name, column in people.items() if name != who and name not in but])
        for people in asked
    )


def _pieces(name: Hashable) -> list[str]:
    """A name in the pieces that an annotator and a question may be made of, with what stands between them."""
    return re.findall(
        r"[^\W_]+@[A-Za-z0-9.-]+\.[A-Za-z]+|[A-Z]\d+(?!\w)|[A-Z]+(?=[A-Z]\d+(?:\W|_|$))|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+|[\W_]+",
        str(name).strip(),
    )


def _splits(name: Hashable) -> Iterator[tuple[str, str, str]]:
    """All ways to cut a name into a left part, what stands between, and a right part."""
    pieces = _pieces(name)
    for at in range(1, len(pieces)) if len(pieces) <= MOST_PIECES else ():
        left, right = "".join(pieces[:at]), "".join(pieces[at:])
        cut = re.match(r"([\W_]*)(.*)", right, re.DOTALL)
        between, rest = cut.groups() if cut else ("", right)
        start = _trimmed(left)
        between = left[len(start) :] + between
        end = _trimmed(rest)
        if not between and start[-1:].isalpha() and re.match(r"\d+[\W_]+[^\W\d_]", end):
            continue  # of 'q1_anna' the number belongs to the 'q' before it, not to 'anna'
        if start and end and re.search(r"\w", start) and re.search(r"\w", end):
            yield start, between + "\0" + rest[len(end) :], end
    address = str(name).partition("@")[2]
    for at in [found.start() for found in re.finditer(r"\.(?=\w)", address)][1:]:  # 'ann@host.org.tone'
        yield str(name)[: at - len(address)], ".\0", address[at + 1 :]


def _trimmed(part: str) -> str:
    """A part of a name without signs at its end."""
    end = len(part)
    while end and not part[end - 1].isalnum():
        end -= 1
    return part[:end]


def _by_one(family: ColumnFamily, grids: Sequence[ColumnFamily]) -> bool:
    """Whether several columns are those of one annotator in a grid of several questions."""
    chosen = {column.name for column in family.columns}
    for grid in grids:
        if len(grid.people) < 2 or grid.level < 0:
            continue
        for who in grid.annotators:
            own = {people[who].name for people in grid.people.values() if who in people}
            if len(chosen & own) >= 2:
                return True
        inside = {column.name for column in grid.columns}
        if len(chosen & inside) >= 2 and chosen - inside:
            return True
    return False


def grids(able: Sequence[Profile], others: Sequence[Profile] = ()) -> list[ColumnFamily]:
    """Columns whose names factor as annotator and question, in either order."""
    weak = {column.name for column in others}
    every: list[tuple[float, ColumnFamily]] = []
    for order in ("{question}{annotator}", "{annotator}{question}"):
        table: dict[tuple[str, str], dict[str, Profile]] = defaultdict(dict)
        for column in [*able, *others]:
            for left, between, right in _splits(column.name) if not is_file(column.name) else ():
                question, annotator = (left, right) if order.startswith("{q") else (right, left)
                results = set(names.words(annotator)) & names.DERIVED - names.given_names()
                if results or set(names.words(question)) & _REMARKS:
                    continue
                table[question, between][annotator] = column
        rows = {key: people for key, people in table.items() if len(people) >= 2}
        crowds = dict.fromkeys((between, frozenset(people)) for (_, between), people in rows.items())
        for between, crowd in crowds:  # each once: the same people give the same grid
            asked = {
                question: {who: column for who, column in others.items() if who in crowd}
                for (question, sign), others in rows.items()
                if sign == between
            }
            asked = {question: some for question, some in asked.items() if len(some) >= 2}
            named = _named_family(asked, order, between, weak)
            family = named and without_results(named)
            if family is not None:
                every.append((_worth(family), family))
    every.sort(key=itemgetter(0), reverse=True)
    kept: list[ColumnFamily] = []
    worth: list[float] = []
    for value, family in every:
        near = [
            at for at, other in enumerate(kept) if {c.name for c in other.columns} == {c.name for c in family.columns}
        ]
        if near:
            other = kept[near[0]]
            if other.annotators != family.annotators and worth[near[0]] - value < MARGIN:
                kept[near[0]] = replace(other, either=True)
            continue
        kept.append(family)
        worth.append(value)
    return kept[:6]


def _named_family(
    asked: dict[str, dict[str, Profile]], order: str, between: str, weak: AbstractSet[Hashable]
) -> ColumnFamily | None:
    """A grid as a family; a column stands for one question only, and one question keeps its columns' names."""
    taken: set[Hashable] = set()
    questions: dict[str, dict[Hashable, Profile]] = {}
    free: dict[Hashable, Profile]
    for question, people in sorted(asked.items(), key=lambda asking: (-len(asking[1]), asking[0])):
        free = {who: column for who, column in people.items() if column.name not in taken}
        humans = {who: column for who, column in free.items() if not is_model(who)}
        free = humans if len(humans) >= 2 else free
        enough = min(ALIKE, needed([*free.values()]))
        if len(free) >= 2 and pooled(list(free.values())) >= enough:
            questions[question] = dict(free)
            taken |= {column.name for column in free.values()}
    crowds = [set(people) for people in questions.values() if not any(c.name in weak for c in people.values())]
    questions = {
        question: people
        for question, people in questions.items()
        if (set(people) in crowds or not any(column.name in weak for column in people.values()))
        and not _figures(question, questions)
    }
    if not questions:
        return None
    sign, _, end = between.partition("\0")
    pattern = order.replace("}{", "}" + sign + "{") + end
    if len(questions) == 1:
        ((question, only),) = questions.items()
        stem_is_person = person_level(question) == 3
        if not _are_initials(question, only) and (stem_is_person or all(person_level(who) < 2 for who in only)):
            return ColumnFamily({"value": {column.name: column for column in only.values()}})
        return ColumnFamily({question: only}, pattern)
    return ColumnFamily(questions, pattern)


def _are_initials(question: str, people: Mapping[Hashable, Profile]) -> bool:
    """Whether columns of answers are named after a question and initials, and agree: 'category_aa', 'category_cm'."""
    columns = list(people.values())
    return (
        names.has(question, names.VALUE)
        and all(re.fullmatch(r"[A-Za-z]{2,3}", str(who)) and not is_ordinary(who) for who in people)
        and len(columns[0].cells) >= ENOUGH
        and alpha(columns) >= AGREEING
    )


def lettered(columns: Sequence[Profile]) -> ColumnFamily | None:
    """Columns whose names are one of several letters or words, each with the same numbers: 'C1' to 'C4', 'D1' to 'D4'.

    They may be a question for each number, put to a person for each letter.
    """
    cuts = [(re.fullmatch(r"(.*\D)(\d+)", str(column.name).strip()), column) for column in columns]
    asked: dict[str, dict[Hashable, Profile]] = {}
    for cut, column in cuts:
        if cut is not None:
            asked.setdefault(cut[2], {})[cut[1]] = column
    crowds = {frozenset(people) for people in asked.values()}
    whole = sum(map(len, asked.values())) == len(columns) and len(crowds) == 1
    return ColumnFamily(asked, "{annotator}{question}") if whole and min(len(asked), *map(len, crowds)) > 1 else None


def _figures(question: str, questions: Mapping[str, Mapping[Hashable, Profile]]) -> bool:
    """Whether a question holds the means or sums of each person's answers to the others."""
    own = questions[question]
    others = [people for name, people in questions.items() if name != question]
    return len(others) > 1 and all(
        figure_of(column, [people[who] for people in others if who in people]) for who, column in own.items()
    )


def _worth(family: ColumnFamily) -> float:
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
        + (bool(family.stem) and not ColumnFamily({"": dict.fromkeys(family.people, groups[0][0])}).stem)
        - 3 * _belongs_before(family)
    )


def _belongs_before(family: ColumnFamily) -> bool:
    """Whether annotators are numbers cut off a word that all questions end in: 'tone_person1', 'style_person1'."""
    last = {(names.words(question) or ("",))[-1] for question in family.people}
    joined = len(family.people) > 1 and "}{" in (family.pattern or "") and len(last) == 1
    return joined and not last & (names.VALUE | names.ASKED) and all(str(who).isdigit() for who in family.annotators)


def _plain(able: Sequence[Profile], free: Sequence[Profile]) -> list[ColumnFamily]:
    """Columns that share a vocabulary: those named like persons, those with a numbered stem, and all others."""
    levels = {column.name: person_level(column.name) for column in able}
    models = [column for column in able if is_model(column.name) and levels[column.name] >= 2]
    humans = [column for column in able if levels[column.name] >= 2 and column not in models]
    strangers = [column for column in able if column not in models and levels[column.name] in (0, 1)]
    groups: list[Sequence[Profile]] = []
    if len(humans) >= 2:
        groups.append(humans + joining(humans, strangers))
    elif humans or models:
        groups.append(humans + models)
    numbered: dict[str, list[Profile]] = defaultdict(list)
    for column in able:
        if own := names.root(column.name):
            numbered[own].append(column)
    for column in able:  # 'rating' beside 'rating2'
        if names.stem(column.name) is None and (stem := " ".join(names.words(column.name))) in numbered:
            numbered[stem].append(column)
    groups += numbered.values()
    alike = clusters([column for column in able if column not in models or len(humans) < 2])
    groups += alike
    groups += [[column for column in group if levels[column.name] == 1] for group in alike]
    short = [column for column in able if levels[column.name] == 1]
    if pooled(short) >= SHARED:
        groups.append(short)
    groups = [_sharing(group) for group in groups]
    families = [one_question(group) for group in groups if len(group) >= 2 and pooled(group) >= ALIKE]
    unnamed = _sharing([column for column in free if column in able or not named_aside(column)])
    if not families and len(unnamed) >= 2 and pooled(unnamed) >= ALIKE:
        families.append(one_question(unnamed))  # a small table, in which everything may look unique
    return families


def _sharing(group: Sequence[Profile]) -> Sequence[Profile]:
    """Columns without those of words that no other column holds, as remarks are."""
    often = Counter(entry for column in group for entry in column.vocabulary)
    return [
        column
        for column in group
        if column.numeric
        or column.structured
        or not column.filled
        or any(often[entry] > 1 for entry in column.vocabulary)
    ]


def joining(humans: Sequence[Profile], strangers: Sequence[Profile]) -> list[Profile]:
    """Columns between those named after people whose names may be people's too: one word, known for nothing else."""
    if sum(person_level(column.name) == 2 for column in humans) <= len(humans) / 2:
        return []
    able = [column for column in strangers if may_be_a_name(column)]
    near = [column for column in able if fits(column, humans) >= needed(humans) and agrees(column, humans)]
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


def may_be_a_name(column: Profile) -> bool:
    """Whether the name of a column is one word that is known for nothing else, or two with capitals."""
    own = str(column.name).rpartition(".")[2].strip()  # of 'labels.Haruto', an object inside records
    parts = own.split()
    full = len(parts) == 2 and all(part.isalpha() and part.istitle() for part in parts)
    return (full or len(names.words(own)) == 1) and len(own) > 3 and not is_ordinary(own) and not is_model(own)


def agrees(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column agrees with others at least half as well as they do with each other, and is as full."""
    if 2 * column.share < min(other.share for other in others):
        return False
    theirs = alpha(others)
    if len(column.cells) < ENOUGH or math.isnan(theirs):
        return True
    pairs = [value for other in others if not math.isnan(value := alpha([column, other]))]
    return bool(pairs) and sum(pairs) / len(pairs) >= theirs / 2


def one_question(columns: Sequence[Profile]) -> ColumnFamily:
    return ColumnFamily({"value": {column.name: column for column in sorted(columns, key=attrgetter("place"))}})


def clusters(columns: Sequence[Profile]) -> list[list[Profile]]:
    """Groups of columns that share a vocabulary, the largest first.

    A column is held against the groups that have an entry of its own, and against those whose cells are compared
    otherwise, as numbers are; against all others it would have nothing in common.
    """
    groups: list[list[Profile]] = []
    having: defaultdict[Entry, set[int]] = defaultdict(set)  # the groups that have an entry
    otherwise: list[int] = []
    enough = needed(columns)
    for column in columns:
        likely = set().union(*(having[entry] for entry in column.vocabulary)) if column.filled else range(len(groups))
        if column.filled and (column.numeric or column.structured):
            likely = {*likely, *otherwise}
        near = next(
            (at for at in sorted(likely) if shared([column, *spread_out(groups[at], BESIDE)]) >= enough), len(groups)
        )
        if near == len(groups):
            groups.append([])
        groups[near].append(column)
        for entry in column.vocabulary:
            having[entry].add(near)
        if len(groups[near]) == 1 and (column.numeric or column.structured or not column.filled):
            otherwise.append(near)
    return sorted((group for group in groups if len(group) >= 2), key=len, reverse=True)
