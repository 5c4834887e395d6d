"""Long tables: one row for each annotation.

The annotator is a column named like a person whose entries repeat.  The item is the smallest set of columns that,
with the annotator, is different in every row.  Answers vary within an item and are not a property of the annotator.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Profile, determines, is_key, shared
from interagree.reading.parts import fitting
from interagree.reading.readings import Reading
from interagree.reading.roles import head, is_id, is_model, item_score, person_level

TOGETHER = 3  # columns that may name an item together
FAMILY = 3  # columns of one numbered stem that are annotators side by side, and columns that are tried as the annotator
SMALL = 8  # rows below which cells tell little
NEVER = -9.0
NEAR = 1.01  # by how much a column may be less of an answer than the best one
FEW_ANSWERS = 12  # different answers up to which a scale is short
TWICE = 1.1  # rows for an item from which on items are believed to have been annotated more than once
CROSSED = 1.5  # … where the annotators are called by numbers
STRONG = frozenset(
    {
        "annotator",
        "annotators",
        "rater",
        "raters",
        "coder",
        "coders",
        "worker",
        "workers",
        "judge",
        "judges",
        "labeler",
        "labeller",
        "assessor",
    }
)


def readings(
    profiles: Sequence[Profile],
    *,
    item: Sequence[Hashable] | None,
    annotator: Hashable | None,
    value: Sequence[Hashable] | None,
    question: Hashable | None,
    kept: Sequence[Hashable],
    duplicates: bool,
) -> Iterator[Reading]:
    """The ways to read a table as a long one, the likeliest first; what is said is taken as said."""
    by_name = {column.name: column for column in profiles}
    people = (
        [by_name[annotator]]
        if annotator is not None
        else _people(profiles, {*(item or ()), *(value or ()), *kept})
    )
    for place, who in enumerate(people):
        made = _for(
            who,
            profiles,
            by_name,
            item=item,
            value=value,
            question=question,
            kept=kept,
            duplicates=duplicates,
            told_who=annotator is not None,
        )
        if made is not None:
            sure = annotator is not None or (place == 0 and _plainly(who))
            others = [other.name for other in people if other is not who and _plainly(other)]
            doubt = made.doubt
            if not doubt and annotator is None and (not sure or others):
                doubt = (
                    f"{listing([who.name, *others])} could all be the annotator"
                    if others
                    else f"{who.name!r} may be the annotator, but is not named like one"
                )
            yield Reading(
                layout="long",
                item=made.item,
                annotator=who.name,
                values=made.values,
                question=made.question,
                aside=made.aside,
                because=made.because,
                doubt=doubt,
                score=made.score + (2 if _plainly(who) else 0) - place,
            )


def people(profiles: Sequence[Profile]) -> list[Profile]:
    """The columns that are named like annotators."""
    return [column for column in profiles if column.filled and _plainly(column)]


def _plainly(column: Profile) -> bool:
    return head(column) in names.PERSON or _says_by(column) or _addresses(column)


def _says_by(column: Profile) -> bool:
    """Whether a column is called 'by', or 'labeled by' and the like."""
    return names.words(column.name)[-1:] == ("by",)


def _addresses(column: Profile) -> bool:
    """Whether a column holds e-mail addresses that repeat."""
    return (
        not column.unique
        and bool(column.counts)
        and all(
            isinstance(entry, str) and re.fullmatch(r"[^@\s]+@[^@\s]+\.\w+", entry) for entry in column.counts
        )
    )


def _strongly(column: Profile) -> bool:
    """Whether a column is named like an annotator and like nothing else."""
    return head(column) in STRONG


def _people(profiles: Sequence[Profile], taken: set[Hashable]) -> list[Profile]:
    """The columns that may hold the annotator: named like persons, with entries that repeat."""
    found: list[tuple[float, Profile]] = []
    for column in profiles:
        if column.name in taken or not column.filled or column.share < 0.9:
            continue
        about = head(column)
        named = _plainly(column)
        if not named and not (about in names.MODEL and is_id(column)):
            continue
        small = len(column.cells) < SMALL and bool(fitting("annotator", [column.name]))
        if column.prose or column.dates or (column.numeric and not column.whole):
            continue
        if not small and (
            column.unique
            or column.nearly_unique
            or (column.distinct < 2 and (column.numeric or not _strongly(column)))
        ):
            continue
        score = 2.0 if named else 0.0
        called = names.words(column.name)
        score += 1.0 if is_id(column) or called[-1:] == (about,) else 0.0
        score += (
            1.0 if called[:1] and called[0] in {"annotator", "rater", "coder", "worker", "judge"} else 0.0
        )
        found.append((score, column))
    stems = Counter(cut[0] for column in profiles if (cut := names.stem(column.name)) is not None)
    found = [one for one in found if (cut := names.stem(one[1].name)) is None or stems[cut[0]] < FAMILY]
    found.sort(key=lambda one: -one[0])
    best = found[0][0] if found else 0.0
    return [column for score, column in found if score >= best - 1.0][:FAMILY]


class _Made:
    """The parts of a long table but for the annotator."""

    def __init__(self) -> None:
        self.item: tuple[Hashable, ...] = ()
        self.values: tuple[Hashable, ...] = ()
        self.question: Hashable | None = None
        self.aside: dict[Hashable, str] = {}
        self.because = ""
        self.doubt = ""
        self.score = 0.0


def _for(
    who: Profile,
    profiles: Sequence[Profile],
    by_name: dict[Hashable, Profile],
    *,
    item: Sequence[Hashable] | None,
    value: Sequence[Hashable] | None,
    question: Hashable | None,
    kept: Sequence[Hashable],
    duplicates: bool,
    told_who: bool,
) -> _Made | None:
    made = _Made()
    told = {*(value or ()), *kept, who.name, *((question,) if question is not None else ())}
    if item is not None:
        made.item = tuple(item)
    else:
        free = [column for column in profiles if column.name not in told]
        chosen = _repeating(free) if duplicates else None
        chosen = chosen or _item(who, free, question=by_name.get(question)) or _repeating(free)
        if chosen is None:
            return None
        made.item = tuple(column.name for column in chosen)
        made.doubt = _rivals(who, chosen, free)
    columns = [by_name[name] for name in made.item if name in by_name]
    made.question = question
    if question is None and item is None and value is None:
        made.question, columns = _question(columns)
        made.item = tuple(column.name for column in columns)
    rest = [column for column in profiles if column.name not in {*made.item, who.name, made.question, *kept}]
    if value is not None:
        made.values = tuple(value)
        return made
    found = _answers(rest, who, columns)
    strong = _chosen(found, rest, columns)
    if not strong or _stands_beside(who, strong, profiles):
        return None
    made.values = tuple(column.name for column in strong)
    made.aside = {
        column.name: _why(column, who, columns, weaker=column in found)
        for column in rest
        if column not in strong
    }
    doubts = [
        made.doubt,
        *_doubts_of_answers(strong, who, columns),
        *_doubts_of_others(strong, rest, found, columns),
    ]
    if item is None and not told_who:
        doubts += _doubts_of_items(who, columns, strong)
    made.doubt = next(filter(None, doubts), "")
    made.because = (
        f"{who.name!r} is named like a person, and with {listing(made.item)} different in every row"
    )
    made.score += 3 + 0.5 * sum(map(item_score, columns)) / max(len(columns), 1)
    return made


def _answers(rest: Sequence[Profile], who: Profile, item: Sequence[Profile]) -> list[Profile]:
    """The columns that may hold answers as well as any other."""
    scores = {column.name: _answer(column, who, item) for column in rest}
    best = max(scores.values(), default=0.0)
    found = [column for column in rest if scores[column.name] > 0]
    fullest = max((column.share for column in found), default=0.0)
    return [
        column for column in found if scores[column.name] >= best - NEAR and column.share >= 0.3 * fullest
    ]


def _chosen(found: Sequence[Profile], rest: Sequence[Profile], item: Sequence[Profile]) -> list[Profile]:
    """The columns of answers: those named so or numbered alike where some are, and no facts about items."""
    strong = list(found)
    varying = [column for column in strong if not (item and determines(item, column))]
    named = any(_is_answer(column) for column in varying)
    if varying and len(varying[0].cells) >= SMALL:
        stems = _stems(varying)
        strong = [
            column
            for column in strong
            if column in varying or _stem(column) in stems or (_is_answer(column) and not named)
        ]
    numbered = [column for column in strong if _stem(column) in _stems(strong)]
    if any(set(names.words(column.name)) & names.VALUE for column in strong):
        strong = [column for column in strong if _named_answer(column) or column in numbered]
    elif numbered:
        strong = numbered
    plainly = [column for column in strong if _is_answer(column)]
    asked = [column for column in strong if _asked(column) and column not in plainly]
    if len(plainly) == 1:
        further = [*numbered, *(asked if len(asked) > 1 else [])]
        strong = [column for column in strong if column in plainly or column in further]
    if any(column.distinct <= FEW_ANSWERS for column in strong):
        strong = [column for column in strong if _named_answer(column) or not _spreads(column)]
    return (
        strong
        or [column for column in rest if column.filled and _is_answer(column) and not is_id(column)][:1]
    )


def _is_answer(column: Profile) -> bool:
    """Whether what a column is called is a word for answers."""
    return head(column) in names.VALUE


def _asked(column: Profile) -> bool:
    """Whether a column is called by what is asked about items."""
    return bool(set(names.words(column.name)) & names.ASKED)


def _stem(column: Profile) -> str:
    cut = names.stem(column.name)
    return cut[0] if cut is not None else ""


def _stems(columns: Sequence[Profile]) -> set[str]:
    """What several columns are called but for a number."""
    found = Counter(_stem(column) for column in columns)
    return {stem for stem, times in found.items() if stem and times > 1}


def _spreads(column: Profile) -> bool:
    """Whether a column holds many different numbers, as times and sizes do."""
    return column.numeric and column.distinct > max(FEW_ANSWERS, 0.2 * len(column.filled))


def _stands_beside(who: Profile, strong: Sequence[Profile], profiles: Sequence[Profile]) -> bool:
    """Whether the column of annotators is one of several columns of answers: others hold the same entries."""
    alike = [column for column in strong if not _named_answer(column) and shared([column, who]) >= 0.5]
    people = [
        column
        for column in profiles
        if column is not who and person_level(column.name) >= 2 and shared([column, who]) >= 0.5
    ]
    return bool(alike or people)


def _doubts_of_answers(strong: Sequence[Profile], who: Profile, item: Sequence[Profile]) -> Iterator[str]:
    """What speaks against columns being the answers."""
    loose = [column for column in strong if not _named_answer(column) and not _few(column)]
    if loose:
        yield f"nothing says whether {listing([column.name for column in loose], most=4)} are the answers"
    several = listing([column.name for column in strong], most=4)
    plainly = [column for column in strong if _is_answer(column) and not _asked(column)]
    if len(plainly) == 1 < len(strong) and len(who.cells) < SMALL:
        yield f"{several} may all be answers, or {plainly[0].name!r} alone"
    settled = [column for column in plainly if item and determines(item, column)]
    if settled and len(strong) > 1 and len(who.cells) >= SMALL:
        yield f"{settled[0].name!r} follows from the item, so that not all of {several} need be answers"
    if who.distinct < 2 and len(strong) > 1 and len(who.cells) >= SMALL:
        yield f"only one annotator is named, and {several} may be questions"


def _doubts_of_others(
    strong: Sequence[Profile], rest: Sequence[Profile], found: Sequence[Profile], item: Sequence[Profile]
) -> Iterator[str]:
    """What other columns say against those that were chosen for answers."""
    called = listing([column.name for column in strong], most=4)
    better = [
        column.name
        for column in rest
        if column not in strong and column.filled and _is_answer(column) and not _named_otherwise(column)
    ]
    if better and not any(map(_is_answer, strong)):
        yield f"{listing(better, most=4)} may be the answer instead of {called}"
    varying = [column.name for column in found if column not in strong and not determines(item, column)]
    if varying and item and all(determines(item, column) for column in strong):
        yield f"{called} follows from the item, and {listing(varying, most=4)} may be the answer"
    if any(re.search(r" \(\d+\)$", str(column.name)) for column in strong):
        yield "two columns of answers have the same name"


def _named_otherwise(column: Profile) -> bool:
    """Whether a column is also named like an identifier, a comment or something derived."""
    return (
        is_id(column) or head(column) in names.COMMENT or bool(set(names.words(column.name)) & names.DERIVED)
    )


def _doubts_of_items(who: Profile, item: Sequence[Profile], strong: Sequence[Profile]) -> Iterator[str]:
    """What speaks against annotators and items that nobody stated."""
    well_named = all(item_score(column) >= 2 for column in item)
    if who.unique and not (well_named and all(map(_named_answer, strong))):
        yield f"{who.name!r} is different in every row, so that the rows may be the annotators"
    least = 0.5 if len(who.cells) < SMALL or len(item) == 1 else 0.0
    unlike = [
        column.name
        for column in item
        if item_score(column) < least and not (column.prose or column.links or fitting("item", [column.name]))
    ]
    if unlike and (len(who.cells) < SMALL or any(column.numeric for column in item if column.name in unlike)):
        yield f"{listing(unlike)} {'is' if len(unlike) == 1 else 'are'} not named like the item"
    if len(who.cells) < SMALL:
        return
    clearly = _strongly(who) and well_named and all(map(_named_answer, strong))
    if overlap(item) < TWICE and not clearly:
        yield f"hardly an item of {listing([column.name for column in item])} was annotated twice"
    if who.numeric and overlap(item) < CROSSED and not is_id(who) and not clearly:
        yield f"{who.name!r} holds numbers, and may be answers"


def _named_answer(column: Profile) -> bool:
    found = names.words(column.name)
    return str(column.name).startswith("Answer.") or any(
        word in names.VALUE or word in names.ASKED for word in found
    )


def _few(column: Profile) -> bool:
    """Whether entries repeat so often that they are answers to choose from, or numbers."""
    return column.numeric or column.distinct <= max(FEW_ANSWERS, 0.1 * len(column.filled))


def _item(who: Profile, candidates: Sequence[Profile], *, question: Profile | None) -> list[Profile] | None:
    """The fewest columns that make each row of an annotator another item, the best named first."""
    able = [
        column
        for column in candidates
        if column.filled
        and column.share > 0.9
        and not (column.numeric and not column.whole)
        and not column.dates
        and (column.distinct > 1 or len(column.cells) < SMALL)
        and not (column.unique and not _one_each(column))
        and head(column) not in names.COMMENT
        and not str(column.name).startswith("Answer.")
        and not _of_the_person(column, who)
    ]
    able = [
        column
        for column in able
        if item_score(column) >= (0.0 if _named_answer(column) else -1.5) or column.prose
    ]
    able.sort(key=lambda column: (column.unique, -item_score(column), column.place))
    fixed = [who] if question is None else [who, question]
    repeating = [column for column in able if not column.unique]
    return _key(repeating, fixed) or _key(able, fixed)


def _key(able: Sequence[Profile], fixed: Sequence[Profile]) -> list[Profile] | None:
    """The fewest columns that, with fixed ones, are different in every row."""
    for number in range(1, TOGETHER + 1):
        keys = [list(some) for some in combinations(able[:14], number) if is_key([*some, *fixed])]
        keys = [
            some for some in keys if all(item_score(c) >= 0.5 or c.prose or number == 1 for c in some)
        ] or keys
        if keys:
            return max(keys, key=_how_named)
    return None


def _how_named(columns: Sequence[Profile]) -> tuple[bool, float]:
    """How much columns are named like an item; one that is different in every row comes last."""
    unique = any(column.unique for column in columns)
    return not unique, sum(item_score(column) for column in columns) / len(columns)


def _one_each(column: Profile) -> bool:
    """Whether a column that is different in every row may still name items: everybody had their own."""
    return len(column.cells) < SMALL or item_score(column) >= 2


def _of_the_person(column: Profile, who: Profile) -> bool:
    return determines([who], column) and not determines([column], who)


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


def _question(item: list[Profile]) -> tuple[Hashable | None, list[Profile]]:
    """A column among those of the item that names the question instead."""
    if len(item) < 2:
        return None, item
    for column in item:
        few = column.distinct <= 15 and column.distinct <= max(
            other.distinct for other in item if other is not column
        )
        if head(column) in names.QUESTION and few and not column.numeric and not is_id(column):
            return column.name, [other for other in item if other is not column]
    return None, item


def _answer(column: Profile, who: Profile, item: Sequence[Profile]) -> float:
    """How much a column is an answer: above zero where more speaks for it than against it."""
    about = head(column)
    if not column.filled or column.running or column.dates or about in names.COMMENT:
        return NEVER
    if str(column.name).startswith("Input."):
        return NEVER
    score = sum(weight for holds, weight in _of_the_name(column, about) if holds)
    score += sum(weight for holds, weight in _of_the_cells(column) if holds)
    if len(column.cells) < SMALL:
        return score + 1.2
    if item and determines(item, column):
        score -= 2 if column.distinct > 1 else 1
    if determines([who], column):
        score -= 2.5 if column.distinct > 1 and about not in names.VALUE else 0.5
    elif column.repeats or column.numeric or column.structured:
        score += 1.2
    return score


def _of_the_name(column: Profile, about: str) -> list[tuple[bool, float]]:
    """What the name of a column says for and against its being an answer."""
    found = set(names.words(column.name))
    value = about in names.VALUE
    return [
        (str(column.name).startswith("Answer."), 3.0),
        (value, 2.0),
        (not value and bool(found & names.VALUE), 1.0),
        (bool(found & names.ASKED), 1.0),
        (bool(found & names.DERIVED), -2.5),
        (about in names.OTHER or is_id(column), -2.5),
        (not value and is_model(column.name), -1.0),
        (not value and about in names.TEXT, -1.5),
    ]


def _of_the_cells(column: Profile) -> list[tuple[bool, float]]:
    """What the cells of a column say against its being an answer."""
    fraction = column.numeric and not column.whole
    return [
        (column.links or (column.prose and not column.structured), -3.0),
        (column.unique and len(column.filled) >= SMALL and not fraction, -3.0),
    ]


def _why(column: Profile, who: Profile, item: Sequence[Profile], *, weaker: bool) -> str:
    if not column.filled:
        return "empty"
    if column.running:
        return "numbers the rows"
    if weaker:
        return "may be a further question"
    if column.dates:
        return "dates or times"
    if item and determines(item, column):
        return "follows from the item"
    if determines([who], column):
        return "follows from the annotator"
    if column.unique:
        return "different in every row"
    if column.prose or column.links:
        return "text"
    return "not named like an answer"


def overlap(item: Sequence[Profile]) -> float:
    """The mean number of rows for an item."""
    rows = Counter(zip(*(column.cells for column in item), strict=True))
    return sum(rows.values()) / max(len(rows), 1)
