"""Names of columns that follow a pattern: "{question}_{annotator}" where wide, "{item}_{question}" where turned.

A name such as 'image_01_calm' fits "{item}_{question}" in several ways.  The parts of the one taken recur in others:
four columns are about 'image_01' and forty about 'calm', but only one about '01_calm'.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator

from interagree.errors import DataError, ReaderHint

ANNOTATOR, QUESTION, ITEM = "{annotator}", "{question}", "{item}"
ONE = "value"  # what the question is called where names do not say


def check_pattern(pattern: str) -> None:
    """An error where a pattern does not say where the annotator is, or the item of a table with annotators in rows."""
    parts = re.findall(r"\{.*?\}", pattern)
    first = [part for part in parts if part in (ANNOTATOR, ITEM)]
    if len(first) != 1 or len({*parts}) != len(parts) or {*parts} - {ANNOTATOR, QUESTION, ITEM}:
        given, example, turned = hints = [
            ReaderHint("columns", pattern),
            ReaderHint("columns", QUESTION + "_" + ANNOTATOR),
            ReaderHint("columns", ITEM + "_" + QUESTION),
        ]
        raise DataError(
            f"{given} must say where the annotator is in the names of the columns, and may say where the question "
            f"does, as in {example}; where the rows are the annotators it says where the item is, as in {turned}",
            hints=hints,
        )


def cut(
    pattern: str, names: Iterable[Hashable], crowd: Collection[Hashable] | None = None
) -> dict[Hashable, tuple[str, str]]:
    """Names that fit a pattern, each in what it is about (the annotator or the item) and the question.

    Args:
        pattern: The pattern.
        names: Names of columns.
        crowd: Who or what names may be about; anything by default.
    """
    known = None if crowd is None else {str(who) for who in crowd}
    ways = {
        name: [way for way in _ways(pattern, str(name).strip()) if known is None or way[0] in known] for name in names
    }
    about = Counter(who for way in ways.values() for who in {who for who, _ in way})
    asked = Counter(question for way in ways.values() for question in {question for _, question in way})
    return {name: max(way, key=lambda w: min(about[w[0]], asked[w[1]])) for name, way in ways.items() if way}


def _ways(pattern: str, name: str) -> Iterator[tuple[str, str]]:
    """All ways in which a name fits a pattern."""
    parts = re.split(r"(\{annotator\}|\{item\}|\{question\})", pattern)
    before, after, sign = parts[0], parts[-1], parts[2]
    if not (name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)):
        return
    inner = name[len(before) : len(name) - len(after)]
    if QUESTION not in parts:
        yield inner, ONE
        return
    swapped = parts[1] == QUESTION
    for place in range(1, len(inner) - len(sign)):
        if inner.startswith(sign, place):
            left, right = inner[:place], inner[place + len(sign) :]
            yield (right, left) if swapped else (left, right)


def common(names: Collection[str]) -> str:
    """What some names share but for numbers and signs: 'label' of 'label_1' and 'label_2'."""
    bare = {re.sub(r"[\d\W_]+", " ", name).strip() for name in names}
    return bare.pop() if len(bare) == 1 else ""
