"""Appen, formerly CrowdFlower and Figure Eight: the *full report* of a job as CSV, a row for each judgement.

The report has what was shown and what was answered side by side.  Answers are the columns that have one of gold answers
beside them (``…_gold``), or that differ between the workers of a unit; all of them are questions.  A column of the
options that each worker could choose from is not one of answers.  Check boxes, which are written one below the other in
a cell, are sets of labels.  So are words with blanks between them where another column holds all these words as
options, or where ``split=" "`` says so.

**Items** are units (``_unit_id``), **annotators** workers (``_worker_id``).

**Left out**, and counted: judgements of workers who were excluded (``_tainted``), unless ``tainted="keep"``, and
answers to test questions (``_golden``), unless ``gold="keep"``.

The *aggregated* report has no workers, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import DoubtfulReading, FormatError, Hint, ReadingAdvice, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._answers import YES, add_answers, as_table, names_of
from interagree.readers._rows import Row, columns_of, opened

SUFFIXES = (".csv", ".tsv")
PLACES = re.compile(r"\d+(?:-\d+)*")
UNIT, WORKER = "_unit_id", "_worker_id"
GOLD, CONFIDENCE = "_gold", ":confidence"
AGGREGATED = {"_trusted_judgments", "_last_judgment_at"}
ABOUT = ("_", "orig_")  # how columns begin that are neither shown nor answered


def recognised(path: Path) -> bool:
    """Whether a file can only be a report of Appen; the aggregated one is, too, and refused."""
    names = columns_of(path)
    aggregated = bool(AGGREGATED & names) or any(name.endswith(CONFIDENCE) for name in names)
    return UNIT in names and (WORKER in names or aggregated)


@reader("Appen (CrowdFlower)", suffixes=SUFFIXES, sniff=recognised, together=True)
def appen(
    path: Paths,
    *,
    item: str = UNIT,
    tainted: Literal["drop", "keep"] = "drop",
    gold: Literal["drop", "keep"] = "drop",
    split: str | None = None,
    duplicates: str = "last",
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The full report of a job, or of several.

    Args:
        path: A file, a folder of files, or a list of them.
        item: "_unit_id", or the column of what was shown.
        tainted: "drop" or "keep" judgements of workers who were excluded.
        gold: "drop" or "keep" answers to test questions.
        split: What separates several labels in a cell.
        duplicates: Of several judgements of one worker on one item take the "last" one, the "first", or stop with an
            "error".
        questions: Those to read; these columns are then answers.
        options: What tables take; the file is then read as a table like any other.
    """
    if options:
        chosen = {"item": None if item == UNIT and "annotator" not in options else item, "value": questions}
        return as_table(path, {**options, **chosen, "split": split})
    gathered, rows = opened("Appen", path, SUFFIXES, duplicates)
    report = AppenReport([row for row in rows if _counts(gathered, row, item, tainted, gold)], item)
    asked = names_of(questions)
    answers = report.answers() if asked is None else [name for name in asked if name in report.names]
    shown = [name for name in report.free if name not in answers]
    if not answers:
        example = Hint("value", next(iter(shown), "label"))
        raise FormatError(
            f"{gathered.files} looks like the full report of Appen, and no column differs between the workers of a "
            f"unit, so nothing tells the answers from what was shown; name them, as in {example}",
            hints=[example],
        )
    told = f"the full report of Appen: item from {item!r}, annotator from {WORKER!r}, answers from "
    gathered.note("taken", told + listing(answers, most=6))
    marks = [
        Mark(name, row.text(item), row.text(WORKER), row.text(name), row.where)
        for name in answers
        for row in report.rows
    ]
    sure = dict.fromkeys(answers, split) if split is not None else _in_words(gathered, report, answers, shown)
    add_answers(gathered, marks, sign="\n", sure=sure)
    sizes = {name: sum(len(row.text(name)) for row in report.rows) for name in shown if not report.differs(name)}
    longest = max(sizes, key=lambda name: sizes[name], default=None)
    if longest is not None and sizes[longest] and item == UNIT:
        for row in report.rows:
            gathered.texts.setdefault(row.text(item), row.text(longest))
    return gathered.study(asked)


def _counts(gathered: Gatherer, row: Row, item: str, tainted: str, gold: str) -> bool:
    """Whether a row is a judgement that is read."""
    source = row.where.rpartition(", ")[0]
    if UNIT not in row.cells:
        raise FormatError(
            f"{source}: expected the full report of Appen, with the columns {UNIT!r} and {WORKER!r}; the table has "
            f"{listing(sorted(row.cells), most=6)}"
        )
    if WORKER not in row.cells:
        raise FormatError(
            f"{source} is the aggregated report of Appen, which has one answer for each unit and no workers; download "
            "the full report of the job, which has a row for each judgement"
        )
    if item not in row.cells:
        known = listing(row.cells)
        raise FormatError(f"{source}: there is no column {item!r} to take the item from; there are {known}")
    for name in (item, WORKER):
        if not row.text(name):
            raise FormatError(f"{row.where}: expected something in {name!r}, found an empty cell")
    if row.text("_golden").lower() == YES and gathered.drops("answer", "to test questions", usual="drop", gold=gold):
        return False
    return row.text("_tainted").lower() != YES or not gathered.drops(
        "judgement", "of excluded workers", usual="drop", tainted=tainted
    )


class AppenReport:
    """The judgements of a job, and which of its columns are answers."""

    def __init__(self, rows: Sequence[Row], item: str) -> None:
        self.rows, self.item = rows, item
        self.names = list(rows[0].cells) if rows else []
        self.gold = {name for name in self.names if name.endswith((GOLD, f"{GOLD}_reason"))}
        self.free = [n for n in self.names if not n.startswith(ABOUT) and n not in self.gold and n != item]

    def answers(self) -> list[str]:
        """The columns of answers; an error where they are there as words and as the places of words."""
        differing = [name for name in self.free if f"{name}{GOLD}" in self.gold or self.differs(name)]
        if any(map(self.differs, differing)):  # what names the unit once more was shown
            differing = [name for name in differing if not self._names_units(name)]
        answers = [name for name in differing if f"{name}{GOLD}" in self.gold or not self.offers(name, differing)]
        places = [name for name in answers if self._are_places(name)]
        words = [name for name in answers if name not in places]
        if not places or not words:
            return answers
        ways = (("The words", words), ("The places where they stand", places))
        file = self.rows[0].where.rpartition(", ")[0]
        raise DoubtfulReading(
            f"{file} is a full report of Appen in which {listing(places)} tell where the words of {listing(words)} "
            "stand: one answer is there twice. It may be read as",
            [ReadingAdvice(told, options={"value": [*names] if len(names) > 1 else names[0]}) for told, names in ways],
            source=file,
        )

    def words(self, name: str) -> list[frozenset[str]]:
        """The words in the cells of a column."""
        return [frozenset(row.text(name).split()) for row in self.rows]

    def differs(self, name: str) -> bool:
        """Whether workers of one unit have different entries in a column, whatever the order of the words in it."""
        first: dict[str, frozenset[str]] = {}
        units = (row.text(self.item) for row in self.rows)
        return any(first.setdefault(unit, words) != words for unit, words in zip(units, self.words(name), strict=True))

    def _names_units(self, name: str) -> bool:
        """Whether a column holds one entry for each unit, and another one for every other unit."""
        pairs = {(row.text(self.item), row.text(name)) for row in self.rows}
        units, entries = ({pair[place] for pair in pairs} for place in (0, 1))
        return len(pairs) == len(units) == len(entries) > 1

    def offers(self, name: str, answers: Sequence[str]) -> bool:
        """Whether a column holds the options that each worker could choose from, as the answers in another one show.

        One answer, such as "NONE", may be offered to all and not be among them.
        """
        offered = self.words(name)
        known = frozenset().union(*offered)
        if 2 * len(known) > len(self.rows) or sum(len(words) > 1 for words in offered) < len(self.rows) / 2:
            return False
        for other in answers:
            pairs = zip(self.words(other), offered, strict=True)
            beyond = frozenset().union(*(mine - theirs for mine, theirs in pairs))
            if other != name and len(beyond) <= 1 and not beyond & known:
                return True
        return False

    def _are_places(self, name: str) -> bool:
        """Whether a column says where words stand that another answer holds: '58-81-92', in some cells one place."""
        cells = [cell for row in self.rows if (cell := row.text(name))]
        return any("-" in cell for cell in cells) and all(PLACES.fullmatch(cell) for cell in cells)


def _in_words(gathered: Gatherer, report: AppenReport, answers: Sequence[str], shown: Sequence[str]) -> dict[str, str]:
    """The questions whose answers are words with blanks between them, as those that were offered show."""
    found = {}
    for name in answers:
        several = any(" " in row.text(name) for row in report.rows)
        options = next((column for column in shown if several and report.offers(column, [name])), None)
        if options is not None:
            gathered.note("taken", f"words in {name!r} taken as labels, as they are among the options in {options!r}")
            found[name] = " "
    return found
