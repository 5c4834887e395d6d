"""What people, models and programs judged, as tools that watch over language models keep it.

A judgement has a value of some type; what it is taken for is the same whichever tool wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence

from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._columns import NO, YES, are_texts, note_texts


def add_judgements(gathered: Gatherer, judgements: Sequence[Mark]) -> None:
    """Take up judgements: truth values and words as labels, numbers as numbers, lists as sets, long words as texts."""
    by_question: dict[str, list[Mark]] = {}
    for judgement in judgements:
        by_question.setdefault(judgement.question, []).append(judgement)
    texts = []
    for question, given in by_question.items():
        words = [judgement.value for judgement in given if isinstance(judgement.value, str)]
        text = bool(words) and are_texts(words)
        texts += [question] if text else []
        for judgement in given:
            _add(gathered, judgement, text=text)
    note_texts(gathered, texts)


def _add(gathered: Gatherer, judgement: Mark, *, text: bool) -> None:
    value = judgement.value
    kind: str | None = "text" if text else "labels"
    if isinstance(value, bool):
        value, kind = YES if value else NO, "labels"
    elif isinstance(value, int | float):
        kind = None
    elif isinstance(value, list):
        gathered.takes_several(judgement.question)
        value, kind = tuple(map(str, value)), "choices"
    elif not isinstance(value, str):
        gathered.left_out("judgement", "whose value is an object left out")
        return
    gathered.add(judgement._replace(value=value), kind)
