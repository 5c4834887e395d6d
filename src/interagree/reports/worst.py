"""The disagreement worth most a look, drawn: who said what of one item, with what differs marked.

Marked text stands with its spans below it; numbers and ordered values as places on their scale; texts, trees and
whatever else is told in words one below the other, with a ``^`` under each word that somebody else does not have there.
Long stretches that all share are left out, so that nothing that differs is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from interagree.data import Annotations
from interagree.data.types import Item
from interagree.errors import KindError, visible
from interagree.people.queue import Queue, disagreements
from interagree.people.texts import shortened, text_column, worded
from interagree.reports.parts import Part
from interagree.results.cells import cut_to, width_of
from interagree.results.charts import DrawnEstimate
from interagree.results.charts.axes import axis
from interagree.results.charts.characters import SHORT, strip
from interagree.results.document import Section

TITLE = "The disagreement worth most a look"
WIDTH, LINES = 78, 24  # of what is drawn
NAMES = 20  # cells for those who gave an answer
ANSWERS = 8  # different answers that are shown
SHARED, KEPT = (
    16,
    4,
)  # words in a row that all share of which the middle is left out, and how many are kept on each side
LONGEST = 400  # words of an answer that are compared
ON_A_LINE = ("numbers", "ordered")
WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def worst(part: Part, *, texts: bool = True) -> Section | None:
    """The item of a question that tells most, as it was annotated; None where annotators differ on none."""
    lead, study = part.lead, part.study
    if lead is None or lead.undefined or study.anonymous:
        return None
    queue = _queue(study)
    if queue is None or not len(queue):
        return None
    row = queue.rows.rows()[0]
    item = row["item"]
    head = cut_to(f"{part.prefix}{visible(str(item))} ({row['type']})", WIDTH)
    text = _text_of(study, item, queue.text) if texts else None
    if study.kind == "spans":
        lines = _marked(study, item, texts=texts)
    elif not texts and study.kind in ("text", "trees"):
        return None
    else:
        lines = [*([f"“{shortened(text)}”", ""] if text else []), *_answers(study, item, text)]
    return Section(TITLE, [head, "", *lines], verbatim=True)


def _queue(study: Annotations) -> Queue | None:
    """The first of the items with disagreement."""
    try:
        made: Queue = study.cached("worst", lambda: disagreements(study, top=1))
    except KindError:  # values without a distance
        return None
    return made


def _text_of(study: Annotations, item: Item, column: str | None) -> str | None:
    name = column or text_column(study)
    if name is None:
        return None
    rows = (study.item == study.items.index(item)).nonzero()[0]
    text = study.attributes[name][int(rows[0])]
    return text if isinstance(text, str) else None


def _marked(study: Annotations, item: Item, *, texts: bool) -> list[str]:
    """A text with the spans of each annotator below it."""
    from interagree.spans.marked_text import marked_text

    lines = str(marked_text(study, item, text=texts, context=30, width=WIDTH)).split("\n")[1:]
    more = [f"… {len(lines) - LINES:,} more lines"] if len(lines) > LINES else []
    return [*lines[:LINES], *more]


def _answers(study: Annotations, item: Item, text: str | None) -> list[str]:
    """Each different answer with those who gave it, the most common one first; on a scale, the lowest first."""
    rows = (study.item == study.items.index(item)).nonzero()[0].tolist()
    given: dict[int, list[str]] = {}
    for row in rows:
        given.setdefault(int(study.value[row]), []).append(str(study.annotators[int(study.annotator[row])]))
    on_a_line = study.kind in ON_A_LINE
    order = sorted(given, key=lambda code: code if on_a_line else -len(given[code]))[:ANSWERS]
    names = [_whose(sorted(given[code])) for code in order]
    told = [worded(study.values[code], study.kind, text) for code in order]
    more = [f"… {len(given) - ANSWERS:,} more answers"] if len(given) > ANSWERS else []
    if on_a_line:
        return [*_on_a_line(study, order, names, told), *more]
    if study.kind in ("labels", "objects", "sets"):
        wide = max(map(width_of, names))
        return [*(f"{_wide(name, wide)}  {answer}" for name, answer in zip(names, told, strict=True)), *more]
    return [*apart(names, told), *more]


def _whose(names: Sequence[str]) -> str:
    """Whose an answer is: names where there is room for all of them, else how many."""
    if len(names) < 3:
        room = (NAMES - 2 * (len(names) - 1)) // len(names)
        return ", ".join(cut_to(visible(name), room) for name in names)
    written = ", ".join(map(visible, names))
    return written if width_of(written) <= NAMES else f"{len(names):,} annotators"


def _wide(name: str, width: int) -> str:
    return name + " " * (width - width_of(name))


def _on_a_line(study: Annotations, order: Sequence[int], names: Sequence[str], told: Sequence[str]) -> list[str]:
    """Values as places on the line from the least to the greatest of the study."""
    numeric = study.kind == "numbers"
    places = [float(value) if numeric else float(code) for code, value in enumerate(study.values)]
    across = axis([min(places), max(places)])
    wide, wider = max(map(width_of, names)), max(map(width_of, told))
    rows = [DrawnEstimate("", places[code], math.nan, math.nan) for code in order]
    return [
        f"{_wide(name, wide)}  {_wide(answer, wider)}  {strip(row, across, SHORT)}"
        for name, answer, row in zip(names, told, rows, strict=True)
    ]


def apart(names: Sequence[str], answers: Sequence[str], width: int = WIDTH) -> list[str]:
    """Answers one below the other, with a ``^`` under each word that another answer does not have there.

    Args:
        names: Whose the answers are.
        answers: What they are, in words.
        width: How many cells a line has.
    """
    words = [WORDS.findall(answer)[:LONGEST] for answer in answers]
    differing = [_differing(mine, [other for other in words if other is not mine]) for mine in words]
    if all(
        mark or word.isspace()
        for mine, marks in zip(words, differing, strict=True)
        for word, mark in zip(mine, marks, strict=True)
    ):
        differing = [[False] * len(mine) for mine in words]  # nothing is shared, so there is nothing to point at
    before = max(map(width_of, names), default=0) + 2
    lines: list[str] = []
    for name, mine, marks in zip(names, words, differing, strict=True):
        lines += _broken(_wide(name, before), *_kept(mine, marks), width)
    return lines


def _differing(words: Sequence[str], others: Sequence[Sequence[str]]) -> list[bool]:
    """Which words some other answer does not have at their place."""
    shared = [True] * len(words)
    for other in others:
        alike = [False] * len(words)
        for begin, _, length in SequenceMatcher(None, words, other, autojunk=False).get_matching_blocks():
            alike[begin : begin + length] = [True] * length
        shared = [both and one for both, one in zip(shared, alike, strict=True)]
    return [not one and not word.isspace() for one, word in zip(shared, words, strict=True)]


def _kept(words: Sequence[str], marks: Sequence[bool]) -> tuple[list[str], list[bool]]:
    """The words without the middle of long stretches that all share."""
    shown: list[str] = []
    marked: list[bool] = []
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and marks[end] == marks[at]:
            end += 1
        stretch = list(words[at:end])
        if not marks[at] and len(stretch) > SHARED:
            first, last = (0 if at == 0 else KEPT), (0 if end == len(words) else KEPT)
            stretch = [*stretch[:first], " … ", *stretch[len(stretch) - last :]]
        shown += stretch
        marked += [marks[at]] * len(stretch)
        at = end
    return shown, marked


def _broken(head: str, words: Sequence[str], marks: Sequence[bool], width: int) -> list[str]:
    """Words in lines, each with a line of marks below it where it has some."""
    blank, room = " " * width_of(head), width - width_of(head)
    lines: list[str] = []
    line, below = "", ""

    def end() -> None:
        lines.append((blank if lines else head) + line.rstrip())
        lines.extend([blank + below.rstrip()] if below.strip() else [])

    for word, mark in zip(words, marks, strict=True):
        if line and width_of(line) + width_of(word) > room:
            end()
            line, below = "", ""
        if line or not word.isspace():
            line += " " if word.isspace() else word
            below += ("^" if mark else " ") * width_of(" " if word.isspace() else word)
    end()
    return lines
