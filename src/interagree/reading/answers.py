"""Which columns of a long table hold answers.

Cells decide, in any language: an answer varies within an item, is not a property of the annotator, and comes from a
short vocabulary or a bounded scale.  What is the same for all annotators of an item is a fact about the item, as far
as there were enough chances to differ; where there were not, or where it stands among answers on the same scale, it
may be an answer on which all agree.  Texts, times, identifiers and what follows from other columns are not answers.
Names count where cells leave it open.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Entry, Profile, alpha_of, folded, same_scale
from interagree.reading.likeness import LEAST, aggregate_of, follows_from_row, recoded, says_whether_equal
from interagree.reading.roles import head, is_id, is_model

SMALL = 8  # rows below which cells tell little
GENERIC = names.lexicon("score scores value values rating ratings level code")
ANSWERS = names.VALUE | names.ASKED
REFERENCES = names.lexicon("gold golden truth groundtruth adjudicated consensus")
SCALE, NUMBERS = 10, 25  # different numbers up to which they are a scale, in few rows and in many …
ENDS = (1.0, 10.0, 100.0)  # … or else where a scale of many numbers ends
SURE = 0.95  # agreement that no answer is expected to exceed
CHANCES = 2.0  # disagreements to be expected of an answer, from which on their absence tells something
SHAKY = 0.6  # agreement that is expected of an answer
AGREEING = 0.25  # alpha from which on a column is believed to hold answers whatever it is called
REFERENCE = 0.4  # kappa of a column with the majority from which on it is a reference
KIN = 3  # columns that are numbered alike
SPARSE = 0.3  # share of the fullest column of answers below which cells are remarks


class AnswerVerdict(NamedTuple):
    """The columns of answers, why others are not, and what speaks against it."""

    values: list[Profile]
    aside: dict[Hashable, str]
    doubts: list[str]
    others: Sequence[list[Profile]] = ()  # other columns that may be the answers instead, the likeliest first
    odd: Sequence[Profile] = ()  # answers that may be something else


def named_answer(column: Profile) -> bool:
    """Whether the name of a column has a word for answers or for what is asked."""
    return str(column.name).startswith("Answer.") or not ANSWERS.isdisjoint(names.words(column.name))


def verdict(rest: Sequence[Profile], who: Profile, item: Sequence[Profile]) -> AnswerVerdict:
    """Which of the columns that are neither item nor annotator hold answers."""
    return _Case(rest, who, item).verdict()


def fallback(rest: Sequence[Profile]) -> AnswerVerdict:
    """Columns that may hold answers where the caller said which are item and annotator, and no rule finds any."""
    able = [column for column in rest if column.filled and not column.running]
    short = [c for c in able if c.repeats or c.numeric or c.structured] or able
    called = listing([column.name for column in short], most=4)
    doubts = [f"nothing says whether {called} {'is' if len(short) == 1 else 'are'} the answers"]
    return AnswerVerdict(short, {}, doubts, [[column] for column in short] if len(short) > 1 else [])


def rows_by(columns: Sequence[Profile], size: int) -> list[int]:
    """The number of each row's entry in some columns, each row its own where there are none."""
    if not columns:
        return list(range(size))
    seen: dict[tuple[Entry, ...], int] = {}
    return [seen.setdefault(entries, len(seen)) for entries in zip(*(c.cells for c in columns), strict=True)]


class _Case:
    """The columns beside item and annotator, and what their cells say."""

    def __init__(self, rest: Sequence[Profile], who: Profile, item: Sequence[Profile]) -> None:
        self.rest, self.who, self.item = rest, who, item
        self.small = len(who.cells) < SMALL
        self.items = rows_by(item, len(who.cells))
        self.people = rows_by([who], len(who.cells))
        self.aside: dict[Hashable, str] = {}
        self.agreements: dict[Hashable, float] = {}
        self.odd: list[Profile] = []

    def verdict(self) -> AnswerVerdict:
        able = self._able()
        if self.small:
            return self._small(able)
        facts, personal, varying = self._apart(able)
        values = self._varying(varying)
        doubts: list[str] = []
        kept = self._constant_within_items(facts, values, doubts) if values else []
        weak = [c for c in varying if c not in values and not _never(c) and not self._long_vocabulary(c)]
        weak = [] if values else [c for c in weak if c.share >= SPARSE]
        if not values and (not weak or any(named_answer(c) and not _against(c) for c in facts)):
            values, doubts = self._settled(facts, personal)
            sure = bool(values) and all(map(named_answer, values))
            weak = [c for c in weak if not (values and _of_work(c)) and not (sure and head(c) in names.OTHER)]
            if weak:
                called = listing([c.name for c in weak], most=4)
                doubts.append(
                    f"{listing([c.name for c in values], most=4)} may be known of the item, and {called} the answer"
                )
        values = values or weak
        if not values:
            values = [c for c in varying if not _never(c) and (named_answer(c) or not c.worded)][:1]
        values = sorted([*values, *kept], key=lambda column: column.place)
        doubts = [*self._doubts(values, facts), *doubts]
        others = list(self._others(values, facts)) if doubts else []
        return AnswerVerdict(values, self.aside, doubts, others, self.odd)

    # -- what cells rule out ------------------------------------------------------------------------------------

    def _able(self) -> list[Profile]:
        """The columns whose cells may be answers; the others are set aside with the reason."""
        able = []
        for column in self.rest:
            reason = self._ruled_out(column)
            if reason:
                self.aside[column.name] = reason
            else:
                able.append(column)
        return able

    def _ruled_out(self, column: Profile) -> str:
        tests = (
            (not column.filled, "empty"),
            (column.running, "numbers the rows"),
            (column.dates or column.moments, "dates or times"),
            (column.links, "addresses or file names"),
            (column.prose, "text"),
            (str(column.name).startswith("Input."), "what was shown"),
        )
        reason = next((reason for holds, reason in tests if holds), "")
        if reason or self.small or column.structured or column.several:
            return reason
        if column.nearly_unique and not column.numeric and len(column.filled) >= SMALL:
            return "different in nearly every row"
        plain = column.whole or not named_answer(column)
        if column.unique and column.numeric and plain and len(column.filled) >= SMALL and not self._bounded(column):
            return "different in every row"
        fullest = max((other.share for other in self.rest if other.repeats or other.numeric), default=0.0)
        if column.share < SPARSE * fullest and not any(
            same_scale(column, other) for other in self.rest if other is not column and other.share > column.share
        ):
            return "remarks on a few rows"
        return ""

    @staticmethod
    def _bounded(column: Profile) -> bool:
        """Whether numbers lie on a scale from 0 or 1 up to 1, 10 or 100, and reach or nearly reach both ends."""
        low, high = min(column.numbers), max(column.numbers)
        return high in ENDS and 0 <= low <= 0.2 * high

    # -- facts about items and annotators ------------------------------------------------------------------------

    def _apart(self, able: Sequence[Profile]) -> tuple[list[Profile], list[Profile], list[Profile]]:
        """Columns that are the same within items, those that are the same for an annotator, and those that vary."""
        facts, personal, varying = [], [], []
        things = len(set(self.items))
        for column in able:
            if self.item and _same_within(column, self.items):
                if column.distinct == things >= LEAST and not column.structured:
                    self.aside[column.name] = "another name of the item"
                else:
                    facts.append(column)
            elif self.who.distinct > 1 and column.distinct > 1 and _same_within(column, self.people):
                personal.append(column)
            else:
                varying.append(column)
        for column in personal:
            self.aside[column.name] = "follows from the annotator"
        return facts, personal, varying

    def _agreement(self, column: Profile) -> float:
        """How far annotators agree in a column beyond chance; NaN where nobody can tell."""
        if column.name not in self.agreements:
            self.agreements[column.name] = alpha_of(column, self.items)
        return self.agreements[column.name]

    # -- what varies within items --------------------------------------------------------------------------------

    def _varying(self, varying: Sequence[Profile]) -> list[Profile]:
        """The columns of answers among those that vary within items."""
        short = [c for c in self.rest if c.name not in self.aside and c.distinct > 1 and not self._long_vocabulary(c)]
        values = [column for column in varying if self._plain(column)]
        for column in varying:
            reason = _against(column)
            if reason and not self._long_vocabulary(column) and self._speaks(column, values):
                values.append(column)
        for column in varying:
            if column not in values:
                self.aside[column.name] = _against(column) or self._long_vocabulary(column)
        for column in list(values):
            reason = follows_from_row(column, short) or (
                recoded(column, values) if len(values) > 1 and not _is_answer(column) else ""
            )
            reason = reason or says_whether_equal(column, [other for other in self.rest if other is not column])
            if reason and len(values) > 1:
                values.remove(column)
                self.aside[column.name] = reason
        for column in list(values):
            runs = 1 + sum(one != other for one, other in pairwise(column.cells))
            if runs == column.distinct > 1 and len(values) > 1 and not named_answer(column):
                values.remove(column)
                self.aside[column.name] = "the same for a block of rows"
        return values

    def _long_vocabulary(self, column: Profile) -> str:
        """Why entries are too many to be answers; empty where they are not."""
        if column.structured or column.several:
            return ""
        if column.numeric:
            few = min(NUMBERS, max(SCALE, 0.4 * len(column.filled)))
            if column.distinct <= few or named_answer(column) or self._bounded(column):
                return ""
            agreeing = self._nominal(column) >= AGREEING or (self._agreement(column) >= SHAKY and self._enough(column))
            return "" if agreeing else "many different numbers, as times or sizes are"
        if column.repeats and not (column.worded and column.share < 0.9):
            return ""
        return "" if _is_answer(column) or self._nominal(column) >= AGREEING else "many different words, as texts are"

    def _nominal(self, column: Profile) -> float:
        value = alpha_of(column, self.items, interval=False)
        return -1.0 if math.isnan(value) else value

    def _speaks(self, column: Profile, values: Sequence[Profile]) -> bool:
        """Whether cells speak for answers where the name does not."""
        if _never(column):
            return False
        if not REFERENCES.isdisjoint(names.words(column.name)):
            return False
        if any(same_scale(column, other) and column.distinct > 2 for other in values):
            return True
        places = [other.place for other in values if other is not column]
        if places and min(places) < column.place < max(places) and not _derived_name(column):
            return True
        return column.repeats and self._agreement(column) >= AGREEING and _chances(column, self.items) > 2 * CHANCES

    # -- what is the same within items ---------------------------------------------------------------------------

    def _constant_within_items(
        self, facts: Sequence[Profile], values: Sequence[Profile], doubts: list[str]
    ) -> list[Profile]:
        """The columns that are the same within items and hold answers all the same; doubts are added."""
        known = [value for c in values if not math.isnan(value := self._agreement(c))]
        agreed = sum(known) / len(known) if known else SHAKY
        # Where annotators agree anyway, that a column is the same within items says little about what it is.
        doubtful = (1 - min(max(agreed, SHAKY), SURE)) / (1 - SHAKY)
        kept: list[Profile] = []
        open_to_doubt: list[Profile] = []
        for column in facts:
            reason = self._fact(column, values)
            chances = _chances(column, self.items) * doubtful
            kin = [other for other in values if _kin(column, [other])]
            among = _stands_among(column, values) and any(same_scale(column, other) for other in values)
            if kin and not self._long_vocabulary(column) and (not reason or chances < CHANCES):
                kept.append(column)
            elif not reason and column.distinct > 1 and self._plain(column):
                if chances < CHANCES and (kin or among):
                    kept.append(column)
                elif (chances < CHANCES and not self._before(column, values)) or (among and chances < 4 * CHANCES):
                    open_to_doubt.append(column)
            if column not in kept:
                self.aside[column.name] = reason or "the same for all annotators of an item"
        if open_to_doubt:
            called = listing([column.name for column in open_to_doubt], most=4)
            doubts.append(f"{called} may be answers on which all agree, or something known of the items")
        doubts.extend(self._instead([column for column in facts if column not in kept], values))
        return kept

    def _instead(self, facts: Sequence[Profile], values: Sequence[Profile]) -> Iterator[str]:
        """What is the same within items and may be the answer instead of what varies."""
        called = listing([column.name for column in values], most=4)
        same = [c for c in facts if c.distinct < 2 and _is_answer(c) and not _derived_name(c)]
        if same and not any(map(_is_answer, values)):
            yield f"{same[0].name!r} is the same in every row, and {called} may be the answer instead"
        if any(named_answer(c) or (self._agreement(c) >= AGREEING and self._enough(c)) for c in values):
            return
        settled = [c for c in facts if c.distinct > 1 and self._plain(c) and not self._fact(c, values)]
        if settled:
            also = listing([column.name for column in settled], most=4)
            yield f"annotators hardly agree in {called}, and {also} may be the answers instead, in which all agree"

    def _plain(self, column: Profile) -> bool:
        """Whether neither the name of a column nor how many entries it has speaks against answers."""
        return not (_against(column) or self._long_vocabulary(column))

    def _enough(self, column: Profile) -> bool:
        """Whether there were enough chances to differ for agreement to tell something."""
        return _chances(column, self.items) >= CHANCES

    def _before(self, column: Profile, values: Sequence[Profile]) -> bool:
        """Whether a column stands on the side of the item, apart from all answers."""
        places = [other.place for other in self.item]
        first, last = min(other.place for other in values), max(other.place for other in values)
        if first <= column.place <= last or not places:
            return False
        return any(abs(column.place - place) == 1 for place in places) and not any(
            abs(column.place - other.place) == 1 for other in values
        )

    def _fact(self, column: Profile, values: Sequence[Profile]) -> str:
        """What a column that is the same within items says of the answers; empty where nothing is found."""
        if column.distinct < 2:
            return ""
        for value in values:
            if same_scale(column, value) and _with_majority(column, value, self.items) >= REFERENCE:
                return f"the same for all annotators, and mostly what most say in {value.name!r}: a reference"
        aggregates = (aggregate_of(column, value, self.items) for value in values)
        return next(filter(None, aggregates), "")

    def _settled(self, facts: Sequence[Profile], personal: Sequence[Profile]) -> tuple[list[Profile], list[str]]:
        """The answers of a table in which no column varies within items, and what speaks against them."""
        short = [c for c in facts if not _never(c) and not self._long_vocabulary(c)]
        named = [c for c in short if _is_answer(c) and not _derived_name(c)]
        if not named and not short:
            named = [c for c in [*facts, *personal] if _is_answer(c)]
        likely = [c for c in short if not _against(c) and c.distinct > 1]
        lone = [c for c in personal if not _never(c) and not _against(c)]
        alone = short if len(self.rest) == 1 else []  # what is left beside item and annotator is the answer
        values = named or [c for c in likely if named_answer(c)] or likely or lone or alone
        values = [c for c in short if c in values or (named and _kin(c, named))] or values
        for column in values:
            self.aside.pop(column.name, None)
        for column in facts:
            if column not in values:
                self.aside[column.name] = "the same for all annotators of an item"
        return values, [*self._known(values, facts)]

    @staticmethod
    def _known(values: Sequence[Profile], facts: Sequence[Profile]) -> Iterator[str]:
        """What speaks against answers that are the same within items: they may be known of the items."""
        others = [c for c in facts if c not in values and (c.distinct > 1 if _against(c) else not c.worded)]
        near = [c for c in others if any(abs(c.place - v.place) == 1 and same_scale(c, v) for v in values)]
        plain = not any(head(column) in names.TEXT for column in values) and not any(map(named_answer, others))
        alike = all(_kin(c, values) or same_scale(c, values[0]) for c in values[1:])
        if not (plain and alike and all(map(named_answer, values))) and len(values) + len(others) > 1:
            called = listing([c.name for c in [*values, *others]], most=4)
            yield f"{called} all follow from the item, and may be known of it"
        elif near:
            yield f"{listing([c.name for c in near], most=4)} may be answers as well"

    def _others(self, values: Sequence[Profile], facts: Sequence[Profile]) -> Iterator[list[Profile]]:
        """Other columns that may be the answers."""
        kin = _numbered_alike(values)
        named = [column for column in values if named_answer(column)]
        more = [column for column in facts if not _never(column) and not self._fact(column, values)]
        settled = [column for column in more if _is_answer(column)]
        everything = sorted({*values, *more}, key=lambda column: column.place)
        plain = [column for column in values if column not in self.odd]
        for some in (plain, settled, kin, named, everything, *([column] for column in values)):
            if some and some != values:
                yield some

    # -- few rows ---------------------------------------------------------------------------------------------------

    def _small(self, able: Sequence[Profile]) -> AnswerVerdict:
        """The answers of a table of few rows, in which names tell more than cells."""
        plainly = [c for c in able if _is_answer(c) and not _against(c)]
        asked = [c for c in able if named_answer(c) and c not in plainly and not _against(c)]
        free = [c for c in able if not _against(c)] or [c for c in able if not _never(c)]
        values = [*plainly, *asked] or free
        for column in able:
            if column not in values:
                self.aside[column.name] = _against(column) or "not named like an answer"
        doubts = []
        kin = [c for c in asked if not _kin(c, plainly)]
        known = [c for c in values if _same_within(c, self.items) and not _kin(c, [o for o in values if o is not c])]
        if known and len(values) > 1:
            doubts.append(f"{listing([c.name for c in known], most=4)} may be known of the items")
        if len(plainly) == 1 and kin:
            several = listing([c.name for c in values], most=4)
            doubts.append(f"{several} may all be answers, or {plainly[0].name!r} alone")
        values.sort(key=lambda column: column.place)
        return AnswerVerdict(values, self.aside, [*self._doubts(values, []), *doubts])

    # -- doubts --------------------------------------------------------------------------------------------------

    def _doubts(self, values: Sequence[Profile], facts: Sequence[Profile]) -> Iterator[str]:
        """Reasons to doubt that some columns are the answers."""
        loose = [c for c in values if c not in facts and _against(c) and not self._speaks(c, values)]
        loose = loose if len(values) > 1 else [c for c in values if self._long_vocabulary(c)]
        if loose and not self.small:
            yield f"nothing says whether {listing([c.name for c in loose], most=4)} are the answers"
        if any(re.search(r" \(\d+\)$", str(column.name)) for column in values):
            yield "two columns of answers have the same name"
        if not self.small and len(values) > 1:
            yield from self._unlike(values)
            yield from self._beside_numbered(values)

    def _beside_numbered(self, values: Sequence[Profile]) -> Iterator[str]:
        """Columns beside answers that are numbered alike which are not, and do not name an answer."""
        numbered = _numbered_alike(values)
        stray = [c for c in values if c not in numbered and not named_answer(c) and not c.several]
        if len(numbered) >= KIN and stray:
            self.odd += stray
            called = listing([column.name for column in stray], most=4)
            yield f"{called} {'is' if len(stray) == 1 else 'are'} not called as the answers are that are numbered alike"

    def _unlike(self, values: Sequence[Profile]) -> Iterator[str]:
        """Columns in which annotators do not agree at all, on a scale that no other answer has."""
        alike = {c.name for c in _numbered_alike(values)}
        odd = [
            c
            for c in values
            if not named_answer(c)
            and c.name not in alike
            and not any(same_scale(c, other) for other in values if other is not c)
            and _chances(c, self.items) > 2 * CHANCES
            and self._agreement(c) < 0.1
        ]
        if odd and len(odd) < len(values):
            self.odd += odd
            called = listing([c.name for c in odd], most=4)
            yield f"annotators hardly agree in {called}, so that something else than answers may stand there"


# -- cells within items ---------------------------------------------------------------------------------------------


def _same_within(column: Profile, groups: Sequence[int]) -> bool:
    """Whether the entries of each group of rows are the same, where there is more than one anywhere."""
    seen: dict[int, Entry] = {}
    again = 0
    for entry, group in zip(column.cells, groups, strict=True):
        if entry is None:
            continue
        known = seen.setdefault(group, entry)
        if known != entry:
            return False
        again += 1
    return again > len(seen)


def _chances(column: Profile, groups: Sequence[int]) -> float:
    """How many disagreements within groups are to be expected of people who agree no better than usual."""
    sizes = Counter(group for group, entry in zip(groups, column.cells, strict=True) if entry is not None)
    total = len(column.filled)
    chance = 1 - sum(times**2 for times in column.counts.values()) / max(total, 1) ** 2
    return sum(size - 1 for size in sizes.values()) * chance * (1 - SHAKY)


def _repeated(groups: Sequence[int]) -> list[int]:
    return [group for group, times in Counter(groups).items() if times > 1]


def _with_majority(column: Profile, value: Profile, groups: Sequence[int]) -> float:
    """Cohen's kappa of a column that is the same within items with what most annotators say."""
    given: defaultdict[int, Counter[Entry]] = defaultdict(Counter)
    fact: dict[int, Entry] = {}
    for group, entry, answer in zip(groups, column.cells, value.cells, strict=True):
        if answer is not None and entry is not None:
            given[group][folded(answer)] += 1
            fact[group] = folded(entry)
    pairs = [(fact[group], answers.most_common(1)[0][0]) for group, answers in given.items()]
    if len(pairs) < SMALL:
        return 0.0
    equal = sum(one == other for one, other in pairs) / len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(times * second[entry] for entry, times in first.items()) / len(pairs) ** 2
    return (equal - chance) / (1 - chance) if chance < 1 else 0.0


def _stands_among(column: Profile, values: Sequence[Profile]) -> bool:
    """Whether a column stands between answers, or next to one on the same scale of three values or more."""
    places = [other.place for other in values]
    if min(places) < column.place < max(places):
        return True
    return column.distinct > 2 and any(
        abs(column.place - other.place) == 1 and same_scale(column, other) for other in values
    )


# -- names ----------------------------------------------------------------------------------------------------------


def _against(column: Profile) -> str:
    """What the name of a column says against its holding answers; empty where it says nothing."""
    about, words = head(column), set(names.words(column.name))
    if str(column.name).startswith("Answer."):
        return ""
    if _derived_name(column):
        return "named like a gold standard or a result"
    if about in names.ANNOTATOR and not column.numeric:
        return "named like the annotator"
    if _is_remark(column):
        return "named like a comment"
    if is_id(column):
        return "named like an identifier"
    of_work = about in GENERIC and _of_work(column)  # a confidence score
    if not of_work and (about in names.VALUE or words & names.VALUE):
        return ""
    if of_work or about in names.OTHER:
        return "named like a property of the item or the work"
    if is_model(column.name):
        return "named like a model"
    return "named like a text" if about in names.TEXT and not words & names.ASKED else ""


def _of_work(column: Profile) -> bool:
    """Whether the name of a column says that it tells something of the work."""
    return not names.WORK.isdisjoint(names.words(column.name))


def _never(column: Profile) -> bool:
    """Whether a column is not taken for answers whatever else there is."""
    return _is_remark(column) or is_id(column)


def _is_remark(column: Profile) -> bool:
    """Whether a column is named like a comment; a note is a mark in French, unless it is of several words."""
    about = head(column)
    return about in names.COMMENT and (column.worded or about not in names.VALUE)


def _derived_name(column: Profile) -> bool:
    return bool(set(names.words(column.name)) & names.DERIVED)


def _is_answer(column: Profile) -> bool:
    """Whether the name of a column ends in a word for answers."""
    return head(column) in names.VALUE or str(column.name).startswith("Answer.")


def _kin(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column is called as others are but for a number or a letter."""
    return (own := names.root(column.name)) != "" and own in {names.root(other.name) for other in others}


def _numbered_alike(columns: Sequence[Profile]) -> list[Profile]:
    """The columns that are called as another one is but for a number or a letter."""
    often = Counter(names.root(column.name) for column in columns)
    return [column for column in columns if (own := names.root(column.name)) and often[own] > 1]
