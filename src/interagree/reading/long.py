"""Long tables: one row for each annotation.

The annotator is a column named like a person whose entries repeat.  The item is the smallest set of columns that,
with the annotator, is different in every row.  Answers vary within an item and are not a property of the annotator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Profile, determines, is_key, shared
from interagree.reading.parts import fitting
from interagree.reading.readings import Reading
from interagree.reading.roles import head, is_id, is_model, item_score

TOGETHER = 3  # columns that may name an item together
SMALL = 8  # rows below which cells tell little
STRONG = frozenset(
    "annotator annotators rater raters coder coders worker workers judge judges labeler labeller assessor".split()
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
    return head(column) in names.PERSON


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
        named = about in names.PERSON or names.words(column.name)[-1:] == ("by",)
        if not named and not (about in names.MODEL and is_id(column)):
            continue
        small = len(column.cells) < SMALL and bool(fitting("annotator", [column.name]))
        if column.prose or column.dates or (column.numeric and not column.whole):
            continue
        if not small and (
            column.unique or column.nearly_unique or (column.distinct < 2 and not _strongly(column))
        ):
            continue
        score = 2.0 if named else 0.0
        score += 1.0 if is_id(column) or names.words(column.name)[-1] == about else 0.0
        score += (
            1.0 if names.words(column.name)[0] in {"annotator", "rater", "coder", "worker", "judge"} else 0.0
        )
        found.append((score, column))
    found.sort(key=lambda one: -one[0])
    best = found[0][0] if found else 0.0
    return [column for score, column in found if score >= best - 1.0]


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
    scores = {column.name: _answer(column, who, columns) for column in rest}
    found = [column for column in rest if scores[column.name] > 0]
    fullest = max((column.share for column in found), default=0.0)
    strong = [
        column
        for column in found
        if scores[column.name] >= _best(scores) - 1.0 and column.share >= 0.3 * fullest
    ]
    if any(head(column) in names.VALUE for column in strong):
        strong = [column for column in strong if set(names.words(column.name)) & names.VALUE]
    if not strong:
        strong = [
            column for column in rest if column.filled and head(column) in names.VALUE and not is_id(column)
        ][:1]
    made.values = tuple(column.name for column in strong)
    if not made.values or any(
        not _named_answer(column) and shared([column, who]) >= 0.5 for column in strong
    ):
        return None
    made.aside = {
        column.name: _why(column, who, columns, weaker=column in found)
        for column in rest
        if column not in strong
    }
    named = [column for column in strong if _named_answer(column)]
    loose = [column for column in strong if column not in named and not _few(column)]
    if loose and not made.doubt:
        made.doubt = (
            f"nothing says whether {listing([column.name for column in loose], most=4)} are the answers"
        )
    clearly = (
        _strongly(who) and all(item_score(column) >= 2 for column in columns) and len(named) == len(strong)
    )
    if (
        item is None
        and not told_who
        and overlap(columns) < 1.1
        and not made.doubt
        and not clearly
        and len(who.cells) >= SMALL
    ):
        made.doubt = f"hardly an item of {listing(made.item)} was annotated twice"
    made.because = f"{who.name!r} is named like a person and repeats; with {listing(made.item)} it is different in every row"
    made.score += 3 + 0.5 * sum(map(item_score, columns)) / max(len(columns), 1)
    return made


def _named_answer(column: Profile) -> bool:
    found = names.words(column.name)
    return str(column.name).startswith("Answer.") or any(
        word in names.VALUE or word in names.ASKED for word in found
    )


def _few(column: Profile) -> bool:
    """Whether entries repeat so often that they are answers to choose from, or numbers."""
    return column.numeric or column.distinct <= max(12, 0.1 * len(column.filled))


def _best(scores: dict[Hashable, float]) -> float:
    return max(scores.values(), default=0.0)


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
    able = [column for column in able if item_score(column) >= -1.5 or column.prose]
    able.sort(key=lambda column: (column.unique, -item_score(column), column.place))
    fixed = [who] if question is None else [who, question]
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
        few = column.distinct <= 15 and column.distinct < max(other.distinct for other in item)
        if head(column) in names.QUESTION and few and not column.numeric and not is_id(column):
            return column.name, [other for other in item if other is not column]
    return None, item


def _answer(column: Profile, who: Profile, item: Sequence[Profile]) -> float:
    """How much a column is an answer; nothing where it is above zero for no reason."""
    found = names.words(column.name)
    about = head(column)
    if not column.filled or column.running or column.dates or about in names.COMMENT:
        return -9.0
    if str(column.name).startswith("Input."):
        return -9.0
    score = 0.0
    if str(column.name).startswith("Answer."):
        score += 3
    if about in names.VALUE:
        score += 2
    elif any(word in names.VALUE for word in found):
        score += 1
    if any(word in names.ASKED for word in found):
        score += 1
    if any(word in names.DERIVED for word in found):
        score -= 2.5
    if about in names.OTHER or is_id(column):
        score -= 2.5
    if is_model(column.name) and about not in names.VALUE:
        score -= 1
    if about in names.TEXT and about not in names.VALUE:
        score -= 1.5
    if column.links or (column.prose and not column.structured):
        score -= 3
    if column.unique and len(column.filled) >= 8 and not (column.numeric and not column.whole):
        score -= 3
    if len(column.cells) < SMALL:
        return score + (1.2 if column.filled else 0)
    if item and determines(item, column):
        score -= 2 if column.distinct > 1 else 1
    if determines([who], column):
        score -= 2.5 if column.distinct > 1 and about not in names.VALUE else 0.5
    elif column.repeats or column.numeric or column.structured:
        score += 1.2
    return score


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
