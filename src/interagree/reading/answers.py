"""Which columns of a long table hold answers: they vary within an item and are not a property of the annotator."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Profile, determines
from interagree.reading.roles import head, is_id, is_model

SMALL = 8  # rows below which cells tell little
NEVER = -9.0
NEAR = 1.01  # by how much a column may be less of an answer than the best one
ANSWERS = names.VALUE | names.ASKED
FEW_ANSWERS = 12  # different answers up to which a scale is short


def answers(rest: Sequence[Profile], who: Profile, item: Sequence[Profile]) -> list[Profile]:
    """The columns that may hold answers as well as any other."""
    scores = {column.name: _answer(column, who, item) for column in rest}
    best = max(scores.values(), default=0.0)
    likely = [column for column in rest if scores[column.name] > 0]
    fullest = max((column.share for column in likely), default=0.0)
    return [column for column in likely if scores[column.name] >= best - NEAR and column.share >= 0.3 * fullest]


def taken_as_answers(likely: Sequence[Profile], rest: Sequence[Profile], item: Sequence[Profile]) -> list[Profile]:
    """The columns of answers: those named so or numbered alike where some are, and no facts about items."""
    strong = list(likely)
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
        strong = [column for column in strong if named_answer(column) or column in numbered]
    elif numbered:
        strong = numbered
    plainly = [column for column in strong if _is_answer(column)]
    asked = [column for column in strong if _asked(column) and column not in plainly]
    if len(plainly) == 1:
        further = [*numbered, *(asked if len(asked) > 1 else [])]
        strong = [column for column in strong if column in plainly or column in further]
    if any(column.distinct <= FEW_ANSWERS for column in strong):
        # Many different numbers are times or sizes.
        many = [c for c in strong if c.numeric and c.distinct > max(FEW_ANSWERS, 0.2 * len(c.filled))]
        strong = [column for column in strong if named_answer(column) or column not in many]
    return strong or [column for column in rest if column.filled and _is_answer(column) and not is_id(column)][:1]


def doubts_of_answers(strong: Sequence[Profile], who: Profile, item: Sequence[Profile]) -> Iterator[str]:
    """Reasons to doubt that some columns are the answers."""
    loose = [column for column in strong if not named_answer(column) and not _few(column)]
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


def doubts_of_others(
    strong: Sequence[Profile], rest: Sequence[Profile], likely: Sequence[Profile], item: Sequence[Profile]
) -> Iterator[str]:
    """Reasons to take other columns for the answers."""
    called = listing([column.name for column in strong], most=4)
    better = [
        column.name
        for column in rest
        if column not in strong and column.filled and _is_answer(column) and not _named_otherwise(column)
    ]
    if better and not any(map(_is_answer, strong)):
        yield f"{listing(better, most=4)} may be the answer instead of {called}"
    varying = [column.name for column in likely if column not in strong and not determines(item, column)]
    if varying and item and all(determines(item, column) for column in strong):
        yield f"{called} follows from the item, and {listing(varying, most=4)} may be the answer"
    if any(re.search(r" \(\d+\)$", str(column.name)) for column in strong):
        yield "two columns of answers have the same name"


def why_aside(column: Profile, who: Profile, item: Sequence[Profile], *, weaker: bool) -> str:
    """Why a column of a long table plays no part."""
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


def _answer(column: Profile, who: Profile, item: Sequence[Profile]) -> float:
    """How likely a column holds answers: above zero where more speaks for it than against it."""
    about = head(column)
    if not column.filled or column.running or column.dates or about in names.COMMENT:
        return NEVER
    if str(column.name).startswith("Input."):
        return NEVER
    score = sum(weight for holds, weight in _of_the_name(column, about) if holds)
    if column.links or (column.prose and not column.structured):
        score -= 3.0
    if column.unique and len(column.filled) >= SMALL and not (column.numeric and not column.whole):
        score -= 3.0
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
    """What the name of a column tells for and against its holding answers."""
    words = set(names.words(column.name))
    value = about in names.VALUE
    return [
        (str(column.name).startswith("Answer."), 3.0),
        (value, 2.0),
        (not value and bool(words & names.VALUE), 1.0),
        (bool(words & names.ASKED), 1.0),
        (bool(words & names.DERIVED), -2.5),
        (about in names.OTHER or is_id(column), -2.5),
        (not value and is_model(column.name), -1.0),
        (not value and about in names.TEXT, -1.5),
    ]


def _is_answer(column: Profile) -> bool:
    """Whether the name of a column ends in a word for answers."""
    return head(column) in names.VALUE


def _asked(column: Profile) -> bool:
    """Whether the name of a column says what is asked about items."""
    return bool(set(names.words(column.name)) & names.ASKED)


def named_answer(column: Profile) -> bool:
    """Whether the name of a column has a word for answers or for what is asked."""
    return str(column.name).startswith("Answer.") or not ANSWERS.isdisjoint(names.words(column.name))


def _named_otherwise(column: Profile) -> bool:
    """Whether a column is also named like an identifier, a comment or something derived."""
    derived = bool(set(names.words(column.name)) & names.DERIVED)
    return is_id(column) or head(column) in names.COMMENT or derived


def _stem(column: Profile) -> str:
    cut = names.stem(column.name)
    return cut[0] if cut is not None else ""


def _stems(columns: Sequence[Profile]) -> set[str]:
    """The names that several columns share but for a number."""
    stems = Counter(_stem(column) for column in columns)
    return {stem for stem, times in stems.items() if stem and times > 1}


def _few(column: Profile) -> bool:
    """Whether entries repeat so often that they are answers to choose from, or numbers."""
    return column.numeric or column.distinct <= max(FEW_ANSWERS, 0.1 * len(column.filled))
