"""Long tables: one row for each annotation.

The annotator is a column named like a person whose entries repeat.  The item is the smallest set of columns that,
with the annotator, is different in every row.  Answers vary within an item and are not a property of the annotator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.answers import SMALL, fallback, named_answer, verdict
from interagree.reading.cells import is_empty
from interagree.reading.evidence import FIRST, SPREAD, Profile, determines, is_key, shared
from interagree.reading.likeness import marks_spans
from interagree.reading.parts import FILE, fitting
from interagree.reading.readings import Reading
from interagree.reading.roles import (
    IDENTIFIER,
    head,
    holds_people,
    is_file,
    is_id,
    is_model,
    is_ordinary,
    item_score,
    person_level,
)

TOGETHER = 3  # columns that may name an item together
QUESTIONS = 30  # different questions in a column that names them
TRIED = 14  # columns that are tried as such an annotator
PAIRED = 40  # … two at a time
CROSSING = 0.6  # share of pairs of such an annotator, or of a question, and an item that have a row
FEW = 60  # rows below which columns may make a key by chance
FAMILY = 3  # columns that are tried as the annotator
TWICE = 1.1  # rows for an item from which on items are believed to have been annotated more than once
COMPLETE = 0.9  # share of annotators that each item has where nothing is left out
CROSSED = 1.5  # … where the annotators are called by numbers
SAME = 0.9  # share of cells whose entry others have, from which on columns of answers may be annotators
ASKING = names.lexicon("q question item criterion dimension aspect var v x y f feature dim trait statement")
STRONG = names.lexicon(
    "annotator annotators rater raters coder coders worker workers judge judges labeler labeller assessor grader ranker"
)
DOCUMENT = names.lexicon("doc docs document documents image img photo file video audio scan clip tweet post page")
OPENING = names.lexicon("annotator rater coder worker judge")  # words that a column of annotators begins with


class StatedColumns(NamedTuple):
    """What the caller said of a long table; what is None is to be found out."""

    item: Sequence[Hashable] | None
    annotator: Hashable | None
    value: Sequence[Hashable] | None
    question: Hashable | None
    kept: Sequence[Hashable]  # columns that are something else


def readings(profiles: Sequence[Profile], stated: StatedColumns) -> Iterator[Reading]:
    """The ways to read a table as a long one, the likeliest first; what the caller stated is kept."""
    who_said = stated.annotator is not None
    taken = {*(stated.item or ()), *(stated.value or ()), *stated.kept}
    named = [column for column in profiles if column.name == stated.annotator]
    people = named if who_said else _people(profiles, taken)
    for place, who in enumerate(people):
        plain = _plainly(who)
        others = [other.name for other in people if other is not who and _plainly(other)]
        for reading in _readings(who, profiles, stated):
            doubt = reading.doubt
            item = [column for column in profiles if column.name in (*reading.item, reading.question)]
            sure = place == 0 and plain and _complete(who, item)
            if not doubt and not who_said and others and not sure:
                doubt = f"{listing([who.name, *others])} could all be the annotator"
            elif not doubt and not who_said and (place > 0 or not plain):
                doubt = f"{who.name!r} may be the annotator, but is not named like one"
            yield replace(reading, doubt=doubt, score=reading.score + (2 if plain else 0) - place)


def _odd_answers(column: Profile) -> bool:
    """Whether a column is called as answers are, by one word, and holds what answers seldom are."""
    called = named_answer(column) and len(names.words(column.name)) == 1
    return called and (column.dates or column.prose or (not column.filled and not all(map(is_empty, column.raw))))


def people(profiles: Sequence[Profile]) -> list[Profile]:
    """The columns that are named like annotators."""
    return [column for column in profiles if column.filled and _plainly(column)]


def _plainly(column: Profile) -> bool:
    """Whether a column says who answered: by its name, or by cells that name people and repeat."""
    labeled_by = names.words(column.name)[-1:] == ("by",)
    return head(column) in names.PERSON or labeled_by or holds_people(column)


def _strongly(column: Profile) -> bool:
    """Whether a column is named like an annotator and like nothing else."""
    return head(column) in STRONG


def _people(profiles: Sequence[Profile], taken: set[Hashable]) -> list[Profile]:
    """The columns that may hold the annotator: named like persons, with entries that repeat."""
    likely: list[tuple[float, Profile]] = []
    for column in profiles:
        if column.name in taken or not column.filled or column.share < 0.9:
            continue
        about = head(column)
        named = _plainly(column)
        if not named and not (about in names.MODEL and is_id(column)):
            continue
        small = len(column.cells) < SMALL and bool(fitting("annotator", [column.name]))
        if column.prose or column.dates or column.structured or (column.numeric and not column.whole):
            continue
        if not small and (
            column.unique or column.nearly_unique or (column.distinct < 2 and (column.numeric or not _strongly(column)))
        ):
            continue
        score = 2.0 if named else 0.0
        called = names.words(column.name)
        score += 1.0 if is_id(column) or called[-1:] == (about,) else 0.0
        score += 1.0 if called[:1] and called[0] in OPENING else 0.0
        likely.append((score, column))
    crowds = [column for column in profiles if holds_people(column)]
    beside = {c.name for c in crowds if any(shared([c, other]) >= 0.5 for other in crowds if other is not c)}
    likely = [(score, column) for score, column in likely if column.name not in beside]
    often = Counter(filter(None, (names.root(column.name) for column in profiles)))
    likely = [(score, column) for score, column in likely if often[names.root(column.name)] < 2]
    likely.sort(key=itemgetter(0), reverse=True)
    best = likely[0][0] if likely else 0.0
    return [column for score, column in likely if score >= best - 1.0][:FAMILY]


def _readings(who: Profile, profiles: Sequence[Profile], stated: StatedColumns) -> Iterator[Reading]:
    """The readings of a table with a given column of annotators; none where it has no items or no answers."""
    by_name = {column.name: column for column in profiles}
    if stated.item is not None:
        chosen = [by_name[name] for name in stated.item if name in by_name]
        yield from _with_items(who, chosen, profiles, stated, "")
        return
    taken = {*(stated.value or ()), *stated.kept, who.name, stated.question}
    free = [column for column in profiles if column.name not in taken]
    answers = [c for c in profiles if (c.name in stated.value if stated.value is not None else named_answer(c))]
    parts = [column for column in free if not any(_names_answers(column, answer) for answer in answers)]
    question = by_name.get(stated.question)
    found, doubtful = _item(who, parts, question=question), ""
    if stated.value is None and not (found and (len(found) == 1 or _complete(who, found))):
        wider = _item(who, free, question=question, answers=True)
        if wider is not None and _complete(who, wider):
            found = wider
        elif found is None and wider is not None:
            found, doubtful = wider, f"{listing([column.name for column in wider])} may hold answers"
    found = found or _repeating(free)
    if found is None:
        return
    rivals = _rivals(who, found, free) or doubtful or _parts(found, [c for c in free if c not in answers])
    question, doubt = (None, "") if stated.question is not None or stated.value is not None else _question(found)
    if question is not None:
        others = [column for column in found if column is not question]
        yield from _with_items(who, others, profiles, stated._replace(question=question.name), rivals or doubt)
    if question is None or doubt:
        yield from _with_items(who, found, profiles, stated, rivals or doubt)


def _with_items(
    who: Profile, chosen: Sequence[Profile], profiles: Sequence[Profile], stated: StatedColumns, doubt: str
) -> Iterator[Reading]:
    """The readings of a table with given columns of annotators, items and perhaps questions; the likeliest first."""
    question = stated.question
    item = tuple(stated.item) if stated.item is not None else tuple(column.name for column in chosen)
    columns = [*chosen, *(column for column in profiles if question is not None and column.name == question)]
    crossed = bool(columns) and overlap(columns) >= CROSSED and is_key([*columns, who])
    score = (5 if crossed else 3) + 0.5 * sum(map(item_score, chosen)) / max(len(chosen), 1)
    long = Reading(layout="long", item=item, annotator=who.name, question=question, score=score)
    because = f"{who.name!r} says who answered, and with {listing(item)} is different in every row"
    if stated.value is not None:
        yield replace(long, values=tuple(stated.value), because=because, doubt=doubt)
        return
    rest = [column for column in profiles if column.name not in {*item, who.name, question, *stated.kept}]
    answers = verdict(rest, who, columns)
    both_said = stated.item is not None and stated.annotator not in (None, FILE)
    if not answers.values and both_said:
        answers = fallback(rest)
    if not answers.values or (not (both_said or crossed) and _stands_beside(who, answers.values, profiles)):
        return
    doubts = [doubt, *answers.doubts]
    if head(who) not in names.PERSON and len(answers.values) > 1 and _side_by_side(answers.values):
        doubts.append(f"{listing([c.name for c in answers.values], most=4)} may be annotators side by side")
    odd = next((column for column in rest if column.name in answers.aside and _odd_answers(column)), None)
    if odd is not None and not any(map(named_answer, answers.values)):
        reason = answers.aside[odd.name]
        holds = "hold nothing but what stands for no answer" if reason == "empty" else f"are {reason}"
        doubts.append(f"{odd.name!r} is named like the answers, and its cells {holds}")
        answers = answers._replace(others=[[odd], *answers.others])
    if stated.item is None and stated.annotator is None:
        doubts += _doubts_of_items(who, chosen, answers.values, crossed=crossed)
    if stated.item is None and not {c.name for c in marks_spans([*columns, *rest])}.isdisjoint(item):
        doubts.append("each row seems to mark a passage of a text, and not all annotators mark the same ones")
    doubt = next(filter(None, doubts), "")
    for number, values in enumerate([answers.values, *(answers.others if doubt else [])]):
        left = {column.name: "may be a further question" for column in rest if column in answers.values}
        yield replace(
            long,
            values=tuple(column.name for column in values),
            aside={c.name: {**left, **answers.aside}.get(c.name, "") for c in rest if c not in values},
            because=because,
            doubt=doubt,
            odd=tuple(column.name for column in answers.odd),
            score=score - 0.4 * number,
        )


def _side_by_side(values: Sequence[Profile]) -> bool:
    """Whether all columns of answers are called alike but for a number, or like people, and hold the same entries."""
    stems = {names.root(column.name) for column in values}
    alike = (len(stems) == 1 and "" not in stems) or all(person_level(column.name) >= 2 for column in values)
    return alike and shared(values) >= SAME


def _stands_beside(who: Profile, strong: Sequence[Profile], profiles: Sequence[Profile]) -> bool:
    """Whether the column of annotators is one of several columns of answers: others hold the same entries."""
    alike = [column for column in strong if not named_answer(column) and shared([column, who]) >= 0.5]
    people = [
        column
        for column in profiles
        if column is not who and person_level(column.name) >= 2 and shared([column, who]) >= 0.5
    ]
    return bool(alike or people)


def _doubts_of_items(
    who: Profile, item: Sequence[Profile], strong: Sequence[Profile], *, crossed: bool
) -> Iterator[str]:
    """What speaks against annotators and items that nobody stated."""
    well_named = all(item_score(column) >= 2 for column in item)
    same = [column.name for column in item if not who.numeric and column.vocabulary & who.vocabulary]
    if same:
        yield f"{listing([*same, who.name])} name the same people, and a row may compare two of them"
    if who.unique and not (well_named and all(map(named_answer, strong))):
        yield f"{who.name!r} is different in every row, so that the rows may be the annotators"
    least = 0.5 if len(who.cells) < SMALL or len(item) == 1 else 0.0
    unlike = [
        column.name
        for column in item
        if item_score(column) < least and not (column.prose or column.links or fitting("item", [column.name]))
    ]
    if (
        unlike
        and (not crossed or len(item) == TOGETHER)
        and (len(who.cells) < SMALL or any(column.numeric for column in item if column.name in unlike))
    ):
        yield f"{listing(unlike)} {'is' if len(unlike) == 1 else 'are'} not named like the item"
    if len(who.cells) < SMALL:
        if overlap(item) == 1 and len(who.cells) > 3 and not all(map(named_answer, strong)):
            yield f"no item of {listing([column.name for column in item])} was annotated twice"
        return
    clearly = _strongly(who) and well_named and all(map(named_answer, strong))
    if overlap(item) < TWICE and not clearly:
        yield f"hardly any item of {listing([column.name for column in item])} was annotated twice"


def _item(
    who: Profile, candidates: Sequence[Profile], *, question: Profile | None, answers: bool = False
) -> list[Profile] | None:
    """The fewest columns that make each row of an annotator another item, the best named first.

    Args:
        who: The annotators.
        candidates: The columns that may tell items apart.
        question: The column that names the question, if there is one.
        answers: Whether columns that are named like answers may be a part of the item.
    """
    able = [
        column
        for column in candidates
        if column.filled
        and column.share > 0.9
        and not (column.numeric and not column.whole)
        and not column.dates
        and (column.distinct > 1 or len(column.cells) < SMALL)
        and not (column.unique and not _one_each(column))
        and (head(column) not in names.COMMENT or is_id(column))
        and not str(column.name).startswith("Answer.")
        and not (determines([who], column) and not determines([column], who))
    ]
    least = {True: -9.0 if answers else 0.0, False: -1.5}
    able = [column for column in able if item_score(column) >= least[named_answer(column)] or column.prose]
    able.sort(key=lambda column: (column.unique, -item_score(column), column.place))
    fixed = [who] if question is None else [who, question]
    repeating = [column for column in able if not column.unique]
    return _key(repeating, fixed, candidates, answers=answers) or _key(able, fixed, candidates, answers=answers)


def _names_answers(column: Profile, answer: Profile) -> bool:
    """Whether a column of few entries holds those of the answers, as the one that was shown first does."""
    few = not column.numeric and 1 < column.distinct <= answer.distinct
    return column is not answer and few and {*column.counts} <= {*answer.counts}


def _key(
    able: Sequence[Profile], fixed: Sequence[Profile], candidates: Sequence[Profile], *, answers: bool
) -> list[Profile] | None:
    """The fewest columns that, with fixed ones, are different in every row."""
    for number in range(1, TOGETHER + 1):
        if number == 2:  # answers are not a part of the item
            able = [c for c in able if answers or not named_answer(c) or names.has(c.name, names.ITEM)]
            often = Counter(filter(None, (names.root(column.name) for column in candidates)))
            able = [column for column in able if often[names.root(column.name)] <= TOGETHER]
        most = PAIRED if answers and number == 2 else TRIED
        keys = [list(some) for some in combinations(able[:most], number) if is_key([*some, *fixed])]
        keys = [some for some in keys if all(item_score(c) >= 0.5 or c.prose or number == 1 for c in some)] or keys
        if keys:
            return max(keys, key=lambda some: (round(overlap(some), 1) if answers else 0.0, _how_named(some)))
    return None


def _complete(who: Profile, item: Sequence[Profile]) -> bool:
    """Whether nearly all annotators have one row for nearly every item, which no other columns make by chance."""
    return who.distinct > 1 and is_key([*item, who]) and overlap(item) >= COMPLETE * who.distinct


def _how_named(columns: Sequence[Profile]) -> tuple[bool, float]:
    """How much columns are named like an item; one that is different in every row comes last."""
    unique = any(column.unique for column in columns)
    return not unique, sum(item_score(column) for column in columns) / len(columns)


def _one_each(column: Profile) -> bool:
    """Whether a column that is different in every row may still name items: everybody had their own."""
    return len(column.cells) < SMALL or item_score(column) >= 2


def _repeating(candidates: Sequence[Profile]) -> list[Profile] | None:
    """The column that is named like the item best, where no column makes a key: some pairs are repeated."""
    able = [c for c in candidates if c.filled and not c.unique and item_score(c) >= 2]
    return [max(able, key=item_score)] if able else None


def _rivals(who: Profile, chosen: Sequence[Profile], candidates: Sequence[Profile]) -> str:
    """What else may be the item, where the names do not tell."""
    if len(chosen) != 1 or item_score(chosen[0]) >= 2:
        return ""
    others = [
        column.name
        for column in candidates
        if column is not chosen[0]
        and column.filled
        and not column.unique
        and column.share > 0.9
        and item_score(column) >= item_score(chosen[0]) - 0.5
        and is_key([column, who])
        and not (determines([column], chosen[0]) and determines([chosen[0]], column))
        and not (chosen[0].prose and not column.prose)
    ]
    return f"{listing([chosen[0].name, *others])} could all be the item" if others else ""


def _parts(chosen: Sequence[Profile], candidates: Sequence[Profile]) -> str:
    """What may be a part of the item beside what is enough by chance, as it is where there are few rows."""
    few = len(chosen[0].cells) < FEW
    left = [c for c in candidates if few and c not in chosen and c.repeats and c.share == 1 and item_score(c) >= 2]
    left = [column for column in left if not determines(chosen, column) and not is_key([column])]
    return f"{listing([column.name for column in left])} may be a part of the item" if left else ""


def _question(item: Sequence[Profile]) -> tuple[Profile | None, str]:
    """A column among those of the item that names the question instead, and what is in doubt.

    It has few entries, and each of them with nearly all items.
    """
    for column in item if len(item) > 1 else ():
        others = [other for other in item if other is not column]
        if column.numeric or column.links or 2 * sum(map(_names_an_item, column.counts)) > column.distinct:
            continue
        if not 2 <= column.distinct <= min(QUESTIONS, max(other.distinct for other in others)):
            continue
        if not _crosses(column, others):
            continue
        things = len(set(zip(*(other.cells for other in others), strict=True)))
        asked = sum(not names.ASKED.isdisjoint(names.words(entry)) for entry in column.counts)
        called = set(names.words(column.name))
        thing = is_id(column) and bool((called - IDENTIFIER) & names.ITEM)  # the questions of a test are items
        numbered = {*map(names.root, column.counts)} - {""}
        coded = len(numbered) == 1 and column.distinct > 2 and not numbered & (ASKING | names.ASKED)  # D01 to D05
        if (called & names.QUESTION and not thing and not coded) or 2 * asked > column.distinct:
            return column, ""
        told = item_score(column) >= 0.5 or is_model(column.name) or any(map(is_model, column.counts))
        if (coded and called & names.QUESTION) or (
            not told and (things >= 2 * column.distinct or not is_ordinary(column.name))
        ):
            return column, f"{column.name!r} may name the question instead of a part of the item"
    return None, ""


def _names_an_item(entry: object) -> bool:
    """Whether an entry is the name of a file or of a document, as 'doc1' is, and not of an item that is asked."""
    return is_file(entry) or not DOCUMENT.isdisjoint(names.words(str(entry)))


def _crosses(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether most entries of a column stand with most of others, in all rows or in the first, which are a stretch."""
    for size in (len(column.cells), FIRST * len(column.cells) // (FIRST + SPREAD)):
        rows = set(zip(column.cells[:size], *(other.cells[:size] for other in others), strict=True))
        if len(rows) >= CROSSING * column.distinct * len({row[1:] for row in rows}):
            return True
    return False


def overlap(item: Sequence[Profile]) -> float:
    """The mean number of rows for an item."""
    rows = Counter(zip(*(column.cells for column in item), strict=True))
    return sum(rows.values()) / max(len(rows), 1)
