"""What speaks against columns of a wide table as annotators: what stands beside them, and what they hold.

Each reason is a sentence.  A family of columns against which nothing speaks is read without a question, so a reason is
here because tables were read wrongly without it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from interagree.errors import listing
from interagree.reading import names, patterns
from interagree.reading.evidence import Profile, alpha, fits, folded, pooled, shared
from interagree.reading.families import (
    AGREEING,
    ALIKE,
    ColumnFamily,
    agrees,
    at_an_edge,
    joining,
    lettered,
    may_be_a_name,
    needed,
    sums_up_all,
    unlike,
)
from interagree.reading.likeness import (
    ENOUGH,
    adds_up,
    complete_each_other,
    counts_up,
    derived,
    is_matrix,
    may_count,
    may_sum_up,
    one_of_each,
    sums_up,
)
from interagree.reading.roles import PROPERTY, head, is_model, is_ordinary, item_score, looks_like_people, person_level

ASKING = names.lexicon("q question item var v x y f feature dim trait s sq statement pb")
SHOWN = names.lexicon("text texts video videos audio sound image images picture speech transcript subtitles subs")
FEW = 0.3  # share of filled cells below which a column of other entries is one of remarks
UNIQUE, TEXT = "different in every row", "text"  # reasons that a family of columns may overrule
SAME = 0.95  # share of cells whose entry others have, from which on a vocabulary is the same
SEVERAL = 30  # annotators of whom each is held against the others
CODE = 6  # digits of a number that is a code
MOST = 12  # annotators whose names tell nothing


@dataclass(frozen=True)
class FamilyCase:
    """A family of columns, and what stands beside it."""

    family: ColumnFamily
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
    def turned(self) -> list[Profile]:
        """Columns beside a grid that are named after its annotators in the other order: 'c1_tone' and 'style_c1'."""
        if self.family.pattern is None or len(self.family.people) < 2:
            return []
        last = self.family.pattern.startswith("{question}")
        asked: dict[str, dict[str, Profile]] = {}
        for column in self.rest:
            parts = re.split(r"[\W_]+", str(column.name))
            who, *question = parts if last else parts[::-1]
            if question and who in self.family.annotators and not self.why[column.name]:
                asked.setdefault(" ".join(question), {})[who] = column
        whole = [people for people in asked.values() if len(people) == len(self.family.annotators)]
        return [one for people in whole if shared([*people.values()]) >= ALIKE for one in people.values()]

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
        yield from self._cut_otherwise(called)
        yield from self._of_results(called, several=len(bare) > 1)
        if self.kin:
            left = listing([column.name for column in self.kin], most=4)
            yield f"{left} {_are(self.kin)} named like {called}, but not taken with them"
        if self.turned:
            left = listing([column.name for column in self.turned], most=4)
            yield f"{left} {_are(self.turned)} named after {called} the other way round, and may answer more questions"
        yield from self._named(called) if family.level >= 2 else self._unnamed(called)

    def _cut_otherwise(self, called: str) -> Iterator[str]:
        """Reasons to doubt which part of a name, and which columns together, are a person."""
        family, columns = self.family, self.family.columns
        if len(family.people) > 1:
            if family.level == 3 and not family.numbered and all(map(str.isdigit, family.people)):
                yield f"{listing([column.name for column in columns], most=4)} may be a person each"
        elif _of_two_numbers(family.annotators) or (family.level < 2 and lettered(columns)):
            yield f"{called} may be questions put to fewer people"
        elif size := one_of_each(columns):
            yield f"each {size} of {called} hold one yes in nearly every row, and may be the labels of one person"

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
        if self.models or self.family.level < 2:  # of people there are files of nothing but disagreements
            full = [[folded(cell) for cell in row if cell is not None] for row in rows]
            words = not any(column.numeric or column.structured or column.several for column in columns)
            if words and sum(len(row) > 1 for row in full) >= ENOUGH and all(len({*row}) == len(row) for row in full):
                yield f"no two of {called} ever say the same"
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
