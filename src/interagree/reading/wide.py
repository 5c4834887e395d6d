"""Wide tables: one row for each item, one column for each annotator, perhaps for several questions.

Annotators of one question share a vocabulary.  Which of the columns that share one are annotators is told by their
names (a person, a numbered stem, a common pattern such as "{question}_{annotator}") and, where names say nothing, by
how far the columns agree beyond chance: questions put to one person do not agree like persons asked one question.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from interagree.errors import listing
from interagree.reading import names, patterns
from interagree.reading.evidence import Profile, alpha, fits, pooled, shared
from interagree.reading.families import (
    AGREEING,
    ALIKE,
    SHARED_BY_FEW,
    Family,
    agrees,
    at_an_edge,
    families,
    joining,
    may_be_a_name,
    needed,
    one_question,
    sums_up_all,
    unlike,
    without_results,
)
from interagree.reading.likeness import (
    ENOUGH,
    adds_up,
    agreed_only,
    complete_each_other,
    counts_up,
    derived,
    figure_of,
    is_matrix,
    may_count,
    may_sum_up,
    reworded,
    sums_up,
)
from interagree.reading.readings import Reading
from interagree.reading.roles import (
    GOLD,
    PROPERTY,
    aside,
    head,
    is_model,
    is_ordinary,
    item_score,
    looks_like_people,
    person_level,
)

ASKING = names.lexicon("q question item var v x y f feature dim trait s sq statement pb")
SHOWN = names.lexicon("text texts video videos audio sound image images picture speech transcript subtitles subs")
THINGS = frozenset((word,) for word in ("item", "document", "doc", "sentence", "text", "image", "tweet", "unit"))
FEW = 0.3  # share of filled cells below which a column of other entries is one of remarks
UNIQUE, TEXT = "different in every row", "text"  # reasons that a family of columns may overrule
_BY_NAME = {GOLD, PROPERTY}  # reasons that cells may overrule
SAME = 0.95  # share of cells whose entry others have, from which on a vocabulary is the same
SEVERAL = 30  # annotators of whom each is held against the others
MOST_SUMMED = 60  # columns among which one is looked for that is their mean
CODE = 6  # digits of a number that is a code
MOST = 12  # annotators whose names tell nothing


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
    ids = tuple(item) if item is not None else item_of(profiles, known)
    pairs = _of_pairs(profiles)
    why = {column.name: "named after two annotators" if column in pairs else aside(column) for column in profiles}
    free = [column for column in profiles if column.name not in {*known, *ids}]
    why |= dict.fromkeys(_of_a_family(free, why), "") | reworded(free) | _remarks(free)
    able = [column for column in free if not why[column.name]]
    others = [column for column in free if why[column.name] in _BY_NAME]
    groups = families(able, free, others)
    if listed and len(free) == 1 and person_level(free[0].name) < 0:
        return  # answers, and nobody is named
    if listed and free and (not groups or len(free[0].cells) < ENOUGH or shared(able) >= SHARED_BY_FEW):
        groups = [one_question(able or free)]
    seen: set[frozenset[Hashable]] = set()
    for one in groups:
        figures = _figures(one, free) | _agreed(one)
        plain = one_question([c for c in one.columns if c.name not in figures]) if figures else one
        family = without_results(plain)
        figures |= dict.fromkeys([*family.results, *_summing_up(family, plain, free)], "what most of the others say")
        key = frozenset(column.name for column in family.columns)
        if key in seen:
            continue
        seen.add(key)
        yield judged(family, profiles, why | figures, ids, known, listed=listed, index=index)


def _of_a_family(free: Sequence[Profile], why: Mapping[Hashable, str]) -> Iterator[Hashable]:
    """Columns that hold answers as those do that are called alike but for a number or a person's name.

    A column of few rows may be different in every row by chance, and Max is a person beside Uwe and Lena.
    """
    alike: dict[str, list[Profile]] = {}
    for column in free:
        own = names.root(column.name)
        for way in {_numberless(column.name), _nameless(column.name), own and f"{own} #"}:
            alike.setdefault(way, []).append(column)
    for way, group in alike.items():
        plain = [column for column in group if not why[column.name]]
        if not plain and all(column.numeric and why[column.name] == UNIQUE for column in group):
            plain = group
        if "#" not in way or len(plain) < 2:
            continue
        for column in group:
            short = column.repeats or len(column.cells) < 2 * ENOUGH
            others = [other for other in plain if other is not column]
            if why[column.name] in (GOLD, UNIQUE, TEXT) and short and fits(column, others) >= ALIKE:
                yield column.name


def _remarks(free: Sequence[Profile]) -> dict[Hashable, str]:
    """Columns that are called as another one and a word for comments, with a sign between or none: 'annanotes'."""
    called = {str(column.name).casefold(): column.name for column in free}
    found: dict[Hashable, str] = {}
    for name, own in called.items():
        end = next((word for word in names.COMMENT if name.endswith(word)), "")
        if end and (before := re.sub(r"[\W_]+$", "", name.removesuffix(end))) in called:
            found[own] = f"named like comments of {called[before]!r}"
    return found


def _apart(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column stands before or behind all others."""
    places = [other.place for other in others]
    return not min(places) < column.place < max(places)


def _numberless(name: Hashable) -> str:
    return re.sub(r"\d+", "#", str(name))


def _nameless(name: Hashable) -> str:
    """A name with a sign for each first name in it."""
    return re.sub(r"[^\W\d_]+", lambda word: "#" if word[0].casefold() in names.given_names() else word[0], str(name))


def _figures(family: Family, free: Sequence[Profile]) -> dict[Hashable, str]:
    """Columns that hold the means or the sums of a family, within it or beside it, and which of these."""
    columns = family.columns
    numeric = len(family.people) == 1 and 3 <= len(columns) <= MOST_SUMMED and all(c.numeric for c in columns)
    if not numeric:
        return {}
    inside = {c.name: figure_of(c, [other for other in columns if other is not c]) for c in columns}
    inside = {name: figure for name, figure in inside.items() if figure}
    rest = [column for column in columns if column.name not in inside]
    beside = {c.name: figure_of(c, rest) for c in free if c.numeric and c not in columns}
    return {name: f"the {figure} of the others" for name, figure in {**inside, **beside}.items() if figure}


def _summing_up(family: Family, plain: Family, free: Sequence[Profile]) -> Iterator[Hashable]:
    """Columns beside annotators, named otherwise than all of them, that sum up what they say."""
    if len(family.people) > 1 or not 2 <= len(family.columns) <= MOST_SUMMED or all(map(is_model, family.annotators)):
        return
    for column in free:
        odd = column not in plain.columns and unlike([*family.annotators, column.name]) == [column.name]
        believed = family.numbered or (_apart(column, family.columns) and not may_be_a_name(column))
        if odd and believed and sums_up(column, family.columns):
            yield column.name


def _agreed(family: Family) -> dict[Hashable, str]:
    """The columns of a family that say what the others agree on, and nothing where they differ."""
    columns = family.columns
    if len(family.people) > 1 or not 3 <= len(columns) <= SEVERAL:
        return {}
    made = (c.name for c in columns if c.share < 1 and agreed_only(c, [other for other in columns if other is not c]))
    return dict.fromkeys(made, "what the others agree on")


def item_of(profiles: Sequence[Profile], known: set[Hashable]) -> tuple[Hashable, ...]:
    """The column that names the items of a wide table, if there is one."""
    best: Profile | None = None
    for column in profiles:
        if column.name in known or item_score(column) < 2 or "@" in str(column.name) or column.share < 1:
            continue
        if names.words(column.name) in (("item",), ("item", "id")):
            return (column.name,)  # the name of the part itself: an item that occurs twice is an error
        if column.unique and (best is None or item_score(column) > item_score(best)):
            best = column
    return () if best is None else (best.name,)


def _of_pairs(profiles: Sequence[Profile]) -> list[Profile]:
    """Columns that are named after two people whom others are named after: 'anna_ben' beside 'anna' and 'ben'."""
    parts = {column.name: re.split(r"[\W_]+", str(column.name).casefold()) for column in profiles}
    people = {name: {part for part in some if part and person_level(part) >= 2} for name, some in parts.items()}
    alone = set().union(*(who for who in people.values() if len(who) == 1))
    persons = {str(column.name).casefold() for column in profiles if person_level(column.name) >= 1}
    lengths = sorted({len(name) for name in persons})
    return [
        column
        for column in profiles
        if (len(people[column.name]) >= 2 and people[column.name] <= alone) or _holds_two(column, persons, lengths)
    ]


def _holds_two(column: Profile, persons: AbstractSet[str], lengths: Sequence[int]) -> bool:
    """Whether a name is made of those of two other columns that name persons, of some lengths, and a sign between."""
    name = str(column.name).casefold()
    if not re.search(r"[\W_]", name):
        return False
    inside = [length for length in lengths if 0 < length < len(name)]
    starts = [length for length in inside if name[:length] in persons]
    ends = [len(name) - length for length in inside if name[len(name) - length :] in persons]
    return any(
        name[:start] != name[end:] and re.fullmatch(r"[\W_]+(vs\W+)?", name[start:end])
        for start, end in product(starts, ends)
    )


# -- how clear it is ------------------------------------------------------------------------------------------------


def judged(
    family: Family,
    profiles: Sequence[Profile],
    why: Mapping[Hashable, str],
    item: tuple[Hashable, ...],
    known: Collection[Hashable],
    *,
    listed: bool = False,
    index: Profile | None = None,
) -> Reading:
    """A family as a reading, with what speaks against it."""
    columns = family.columns
    chosen = {column.name for column in columns}
    rest = [column for column in profiles if column.name not in chosen and column.name not in {*item, *known}]
    named = any(names.words(name)[:1] in THINGS for name in item)
    case = Case(
        family,
        rest,
        why,
        [*([index] if index is not None else []), *(column for column in profiles if column.name in item)],
        named,
        size=len(profiles[0].cells) if profiles else 0,
        listed=listed,
    )
    set_aside = {
        column.name: why[column.name]
        or ("named like a model" if is_model(column.name) else "")
        or ("holds the same entries, but is not named like an annotator" if column in case.rivals else "")
        or "other entries than the annotators'"
        for column in rest
    }
    vocabulary = sorted({entry for column in columns[:3] for entry in column.vocabulary}, key=str)
    entries = (
        f"{len(vocabulary)} different entries" if len(vocabulary) > 8 else listing(map(_shown, vocabulary), quote=False)
    )
    doubts = list(case.doubts())
    agreement = 0.0 if math.isnan(case.agreement) else case.agreement
    return Reading(
        layout="wide",
        item=item,
        people={
            question: {who: column.name for who, column in people.items()} for question, people in family.people.items()
        },
        pattern=family.pattern,
        aside=set_aside,
        because=f"{listing([column.name for column in columns], most=6)} share {entries}",
        doubt="; ".join(doubts),
        score=2.0 * max(family.level, 0) + 2 * case.common + 2 * agreement + 0.1 * min(len(columns), 20) - len(doubts),
    )


def _shown(entry: object) -> str:
    return f"{entry:g}" if isinstance(entry, float) else str(entry)[:30]


@dataclass(frozen=True)
class Case:
    """A family of columns, and what stands beside it."""

    family: Family
    rest: Sequence[Profile]
    why: Mapping[Hashable, str]  # why a column holds no answers
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
            if (not self.why[column.name] or self._overrules(column))
            and (column.distinct > 1 or may_be_a_name(column) or self.models)
            and fits(column, self.family.columns) >= needed(self.family.columns)
            and not (is_model(column.name) and not self.models)
        ]

    @cached_property
    def strangers(self) -> list[Profile]:
        """Rivals whose names do not say what else they are, or say it of cells that agree with the annotators'."""
        return [column for column in self.rivals if 0 <= person_level(column.name) <= 1 or self.why[column.name]]

    def _overrules(self, column: Profile) -> bool:
        """Whether cells overrule a name: a column that is called like a property holds what annotators say of items."""
        columns = self.family.columns
        named = self.why[column.name] == PROPERTY and len(column.cells) >= ENOUGH and column.distinct > 1
        return (
            named
            and min(fits(column, columns), *(fits(one, [column]) for one in columns)) >= SAME
            and agrees(column, columns)
        )

    @property
    def between(self) -> list[Profile]:
        """Columns between those of the annotators that hold other entries and have an unknown word for a name."""
        places = [column.place for column in self.family.columns]
        return [
            column
            for column in self.rest
            if not self.why[column.name]
            and min(places) < column.place < max(places)
            and column.distinct <= MOST
            and may_be_a_name(column)
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
        return 3 <= len(known) <= 20 and not any(isinstance(entry, float) for entry in known) and shared(columns) > 0.95

    @cached_property
    def kin(self) -> list[Profile]:
        """Columns beside the family that are called as its members are."""
        stems = {*map(names.root, self.family.annotators)} - {""}
        level, pattern = self.family.level, self.family.pattern
        called = [str(who) for who in self.family.annotators]
        starts, ends = ([part for who in called for part in _common([who[::step]])] for step in (1, -1))
        alike = []
        rest = self.rest
        if pattern is not None and len(self.family.people) > 1:  # what stands beside a grid may be called as it likes
            fitting = patterns.cut(pattern, [column.name for column in rest], self.family.annotators)
            rest = [column for column in rest if column.name in fitting]
        for column in rest:
            reason = self.why[column.name]
            on_scale = (reason == UNIQUE and column.numeric and fits(column, self.family.columns) >= ALIKE) or (
                reason in (UNIQUE, TEXT) and fits(column, self.family.columns) >= SAME
            )
            if reason and not on_scale and (level < 2 or reason not in (UNIQUE, TEXT, "dates or times")):
                continue
            numbered = names.root(column.name) in stems
            own = person_level(column.name)
            numbers = str(column.name).isdigit() and all(who.isdigit() for who in called)
            named = numbered or own >= 2 or numbers
            remarks = 0 < column.share < FEW and not column.numeric and not fits(column, self.family.columns)
            if remarks and not named:
                continue  # a remark here and there
            if is_model(column.name) and not self.models:
                continue
            if (
                numbered
                or (level >= 2 and own >= 2)
                or (level <= 1 and own >= level >= 0 and not is_ordinary(column.name))
                or any(map(str(column.name).startswith, self.start))
                or (
                    fits(column, self.family.columns) >= SAME
                    and (str(column.name).startswith((*starts,)) or str(column.name)[::-1].startswith((*ends,)))
                )
                or any(map(str(column.name).endswith, self.end))
            ):
                alike.append(column)
        return alike

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
        """Whether the names of annotators are a word for a person and a number or a letter."""
        return self.family.level == 3 and bool(self.family.stem)

    def doubts(self) -> Iterator[str]:
        """Reasons to doubt that the family are the annotators."""
        family, columns = self.family, self.family.columns
        called = listing(family.annotators, most=4)
        if len(columns) < 2 and not self.listed:
            yield "there is only one column of answers"
            return
        yield from self._content(columns, called)
        bare = {question: _bare(question) for question in family.people}
        twice = [question for question, short in bare.items() if short and list(bare.values()).count(short) > 1]
        if family.either and len(bare) > 1:
            yield f"{listing(bare, most=4)} may be the annotators and {called} the questions, or the other way round"
        if twice:
            yield f"{listing(twice)} stand side by side, and only one of them can be the answer"
        stages = sum(names.has(who, names.STAGE) for who in family.annotators)
        if len(family.annotators) <= 3 and stages > (family.level > 1):
            yield f"{called} may be two states of one answer"
        if self.listed:
            return
        if len(bare) == 1 and _of_two_numbers(family.annotators):
            yield f"{called} may be questions put to fewer people"
        yield from self._of_results(called, several=len(bare) > 1)
        if self.kin:
            left = listing([column.name for column in self.kin], most=4)
            yield f"{left} {_are(self.kin)} named like {called}, but not taken with them"
        yield from self._named(called) if family.level >= 2 else self._unnamed(called)

    def _of_results(self, called: str, *, several: bool) -> Iterator[str]:
        """Reasons to doubt that all are people: one sums up the others, or they are conditions."""
        family = self.family
        odd = unlike(family.annotators)
        others = [who for who in family.annotators if who not in odd]
        told = all(names.stem(who) is not None or person_level(who) < 2 for who in others) or (
            at_an_edge(family, odd) and all(sums_up_all(family, who, may_sum_up, odd) for who in odd)
        )
        if odd and told:
            yield f"{listing(odd, most=4)} {_are(odd)} not named like the other annotators, and may be results"
        if 2 < len(family.annotators) <= SEVERAL and family.level < 2:
            made = [who for who in family.annotators if sums_up_all(family, who)]
            if made:
                yield f"{listing(made)} {_are(made)} nearly always what most of the others say, and may be derived"
        if (
            several
            and len(family.annotators) == 2
            and not family.stem
            and all(person_level(w) < 2 for w in family.annotators)
        ):
            yield f"{called} may be two conditions in which the questions were put"

    def _named(self, called: str) -> Iterator[str]:
        """Reasons to doubt columns that are named like persons."""
        family = self.family
        if self.models and self.rivals:
            yield f"{called} are models, and {listing([c.name for c in self.rivals], most=4)} may be the people"
        elif self.strangers and not self.numbered_people:
            yield _as_well(self.strangers)
        elif self.between and not self.numbered_people:
            left = listing([column.name for column in self.between], most=4)
            yield f"{left} {'stands' if len(self.between) == 1 else 'stand'} among them and may be the name of a person"
        if {"min", "max"} <= {str(who).casefold() for who in family.annotators}:
            yield "'min' and 'max' may be the smallest and the largest answer"
        humans = [column for column in family.columns if person_level(column.name) >= 2]
        others = [column for column in family.columns if column not in humans]
        among = joining(humans, others)
        odd = [column.name for column in others if column not in among or sums_up(column, humans)]
        if family.pattern is not None:
            odd = [who for who in family.annotators if person_level(who) < 1 and is_ordinary(who)]
        if odd:
            yield f"{listing(odd, most=4)} {_are(odd)} not named like the other annotators"

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
            yield f"{listing(results)} {_are(results)} named like the result of an analysis"
        if self.common < ALIKE and not self.listed:
            yield f"{called} share few entries"
        decimals = [c for c in self.rest if c.numeric and not c.whole]
        if adds_up(rows) or (decimals and adds_up(list(zip(*(c.cells for c in [*columns, *decimals]), strict=True)))):
            yield f"{called} add up to the same in every row and may be shares"
        if is_matrix(columns, [*self.rest, *(column for column in self.ids if not counts_up(column))]):
            yield "rows and columns have the same names, as in a table of pairs"

    def _unnamed(self, called: str) -> Iterator[str]:
        """Reasons to doubt columns whose names do not point to people."""
        crowd = len(self.family.annotators)
        if crowd > self.size and not self.item:
            yield f"there are {self.size} rows and {crowd} columns, so the rows may be the annotators"
        who = [
            column.name
            for column in self.rest
            if head(column) in names.ANNOTATOR and column.repeats and column.distinct > 1
        ]
        if who:
            yield f"{who[0]!r} may say who gave the answers of each row"
        if self.rivals:
            yield _as_well(self.rivals)
        if self.size >= crowd > MOST or (crowd > MOST and self.item):
            yield f"nothing in their names says that {crowd} columns are annotators"
        yield from self._by_names(called)
        yield from self._by_numbers(called)

    @property
    def believed(self) -> bool:
        """Whether there are rows enough for agreement to tell something, and it does."""
        return self.size >= ENOUGH and self.agreement >= AGREEING

    @property
    def odd(self) -> list[Hashable]:
        """Annotators who are not called as the others are, where names are codes or tell nothing."""
        called, level = self.family.annotators, self.family.level
        stems = {who: names.root(who) for who in called}
        often = Counter(filter(None, stems.values()))
        most = next((stem for stem, times in often.items() if 2 * times > len(called)), None)
        numbers = [who for who in called if str(who).isdigit()]
        if level == 1:
            return [
                who
                for who in called
                if person_level(who) < 1
                or (most is not None and stems[who] != most)
                or (who not in numbers and 2 * len(numbers) > len(called))
            ]
        return [who for who in called if level == 0 and person_level(who) < 0]

    def _by_names(self, called: str) -> Iterator[str]:
        """Reasons to doubt columns whose names are initials, codes, numbers or words."""
        family, crowd, level = self.family, len(self.family.annotators), self.family.level
        if self.odd:
            yield f"{listing(self.odd, most=4)} {_are(self.odd)} not named like the other annotators"
        if family.stem and level <= 0 and crowd > 2 and not (family.lettered or self.rest or self.ids):
            yield f"nothing but a number in their names says that {called} are annotators, and nothing names the items"
        made = derived(family.columns) if len(family.people) == 1 and not family.stem else None
        if made is not None:
            yield f"{made.name!r} is nearly always what most of the others say, and may be derived from them"
        yield from self._by_level(called, crowd)
        if family.stem and (family.stem in ASKING or not (family.from_one or self.believed)):
            yield f"{called} may be questions put to one person, or items"

    def _by_level(self, called: str, crowd: int) -> Iterator[str]:
        """Reasons to doubt columns whose names speak little or not at all of people and that hardly agree."""
        family, level, enough = self.family, self.family.level, self.size >= ENOUGH
        shown = [who for who in family.annotators if names.words(who)[-1:] and names.words(who)[-1] in SHOWN]
        if shown:
            yield f"{listing(shown, most=4)} may be what the items were judged by"
        if level < 0 and not (crowd >= 3 and self.agreement >= AGREEING and family.stem):
            yield f"{called} may be questions put to one person"
        elif level == 0 and not self.believed:
            weak = f", and they hardly agree (α = {self.agreement:.2f})" if enough else ""
            yield f"nothing in their names says that {called} are annotators{weak}"
        elif level == 1 and enough and not self.agreement >= AGREEING / 2 and not (family.lettered or self.words):
            yield f"{called} may be annotators, but hardly agree"

    def _by_numbers(self, called: str) -> Iterator[str]:
        """Reasons to doubt columns of numbers, or of yes and no, whose names do not point to people."""
        family, columns = self.family, self.family.columns
        believed = self.believed
        rows = list(zip(*(column.cells for column in columns), strict=True))
        if all(column.flags for column in columns):
            wanted = 2 * AGREEING if family.level <= 0 else AGREEING / 2
            sure = family.level == 1 and family.lettered
            if not sure and not (self.size >= ENOUGH and self.agreement >= wanted):
                yield "the columns hold yes or no and may be one label each"
        elif not believed and len(family.people) == 1 and may_count(columns, rows):
            yield f"{called} hold whole numbers and many zeros, and may count how often each value was given"
        elif not believed and len(family.people) == 1 and complete_each_other(columns):
            yield f"{called} add up to nearly the same in every row, and may count how often each value was given"
        elif (
            not believed
            and all(column.whole for column in columns)
            and all(re.fullmatch(r"-?\d+", str(who)) for who in family.annotators)
            and (self.size < ENOUGH or any(0 in row for row in rows))
        ):
            yield f"{called} may be values, and the cells how often each was given"
        bare = [str(who) for who in family.annotators if str(who).isdigit()]
        named = [column for column in self.ids if item_score(column) >= 1 or min(map(len, bare), default=0) < CODE]
        if len(bare) == len(family.annotators) >= 4 and not self.rest and not named and self.size < 5 * len(bare):
            yield "nothing says whether the rows are the items or the annotators"


def _common(called: Sequence[str]) -> list[str]:
    cut = re.match(r".*?\w[\W_]", called[0])
    return [cut.group()] if cut and all(name.startswith(cut.group()) for name in called) else []


def _of_two_numbers(called: Sequence[Hashable]) -> bool:
    """Whether names have two numbers each, in all combinations of theirs, as 'Rater1Q1' to 'Rater2Q2' do."""
    cuts = [re.fullmatch(r"(\D*\d+)(\D+\d+)\D*", str(name)) for name in called]
    first, second = ({cut[place] for cut in cuts if cut is not None} for place in (1, 2))
    return None not in cuts and min(len(first), len(second)) > 1 and len(first) * len(second) == len(called)


def _are(things: Sequence[object]) -> str:
    return "is" if len(things) == 1 else "are"


def _as_well(columns: Sequence[Profile]) -> str:
    left = listing([column.name for column in columns], most=4)
    if len(columns) == 1:
        return f"{left} holds the same entries and may be an annotator as well"
    return f"{left} hold the same entries and may be annotators as well"


def _bare(question: str) -> str:
    return " ".join(word for word in names.words(question) if word not in names.DERIVED | names.STAGE)
