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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, DoubtfulReading, FormatError, Hint, ReaderHint, ReadingAdvice, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.units import check_word
from interagree.readers._columns import YES, add_entries, as_table, note_texts
from interagree.readers._rows import Row, columns_of, table_rows, text_of

SUFFIXES = (".csv", ".tsv")
PLACES = re.compile(r"\d+(?:-\d+)*")
UNIT, WORKER = "_unit_id", "_worker_id"
GOLD, CONFIDENCE = "_gold", ":confidence"
AGGREGATED = {"_trusted_judgments", "_last_judgment_at"}
ABOUT = ("orig_",)
TAINTED = Advice.of("of excluded workers left out (", ReaderHint("tainted", "keep"), " keeps them)")
TESTS = Advice.of("to test questions left out (", ReaderHint("gold", "keep"), " keeps them)")


class Shown(NamedTuple):
    """The columns of what was shown."""

    rows: Sequence[Row]
    columns: Sequence[str]


def recognised(path: Path) -> bool:
    """Whether a file can only be a report of Appen; the aggregated one is, too, and refused."""
    names = columns_of(path)
    return UNIT in names and (WORKER in names or _is_aggregated(names))


def _is_aggregated(names: frozenset[str]) -> bool:
    return bool(AGGREGATED & names) or any(name.endswith(CONFIDENCE) for name in names)


@reader("Appen (CrowdFlower)", suffixes=SUFFIXES, sniff=recognised, together=True)
def appen(
    path: Paths,
    *,
    item: str = UNIT,
    tainted: str = "drop",
    gold: str = "drop",
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
    asked = questions
    if options:
        chosen = {"item": None if item == UNIT and "annotator" not in options else item, "value": asked, "split": split}
        return as_table(path, {**options, **chosen})
    check_word("tainted", tainted, ("drop", "keep"))
    check_word("gold", gold, ("drop", "keep"))
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("Appen", sources, duplicates=duplicates)
    gathered.steps += unread_files(path, sources, deep=False)
    rows = [row for source in sources for row in table_rows(source, gathered.steps)]
    _check(sources[0].name, rows, item)
    kept = [row for row in rows if _counts(gathered, row.cells, tainted=tainted == "keep", gold=gold == "keep")]
    names = None if asked is None else [asked] if isinstance(asked, str) else list(asked)
    answers, shown = _columns(kept, item, names)
    if not answers:
        example = Hint("value", next((name for name in shown if shown), "label"))
        raise FormatError(
            f"{sources[0].name} looks like the full report of Appen, and no column differs between the workers of a "
            f"unit, so nothing tells the answers from what was shown; name them, as in {example}",
            hints=[example],
        )
    told = f"the full report of Appen: item from {item!r}, annotator from {WORKER!r}, answers from "
    gathered.note("taken", told + listing(answers, most=6))
    texts: list[str] = []
    for name in answers:
        given = [
            Mark(name, text_of(row.cells, item), text_of(row.cells, WORKER), text_of(row.cells, name), row.where)
            for row in kept
        ]
        if _add(gathered, name, [answer for answer in given if answer.value], Shown(kept, shown), split):
            texts.append(name)
    note_texts(gathered, texts)
    _show(gathered, kept, item, shown)
    return gathered.study(names)


def _check(source: str, rows: Sequence[Row], item: str) -> None:
    names = frozenset(rows[0].cells) if rows else frozenset({UNIT, WORKER})
    if UNIT not in names:
        raise FormatError(
            f"{source}: expected the full report of Appen, with the columns {UNIT!r} and {WORKER!r}; the table has "
            f"{listing(sorted(names), most=6)}"
        )
    if WORKER not in names:
        raise FormatError(
            f"{source} is the aggregated report of Appen, which has one answer for each unit and no workers; download "
            "the full report of the job, which has a row for each judgement"
        )
    if item not in names:
        raise FormatError(f"{source}: there is no column {item!r} to take the item from; there are {listing(names)}")
    for row in rows:
        for name in (item, WORKER):
            if not text_of(row.cells, name):
                raise FormatError(f"{row.where}: expected something in {name!r}, found an empty cell")


def _counts(gathered: Gatherer, cells: Mapping[str, object], *, tainted: bool, gold: bool) -> bool:
    """Whether a judgement is read."""
    golden = text_of(cells, "_golden").lower() == YES or text_of(cells, "_missed").lower() == YES
    if not gold and (golden or text_of(cells, "_unit_state").lower() == "golden"):
        gathered.left_out("answer", TESTS)
        return False
    if not tainted and text_of(cells, "_tainted").lower() == YES:
        gathered.left_out("judgement", TAINTED)
        return False
    return True


def _columns(rows: Sequence[Row], item: str, asked: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """The columns of answers, and those of what was shown."""
    names = list(rows[0].cells) if rows else []
    gold = {name for name in names if name.endswith((GOLD, f"{GOLD}_reason"))}
    free = [name for name in names if not name.startswith(("_", *ABOUT)) and name not in gold and name != item]
    differing = [name for name in free if f"{name}{GOLD}" in gold or _differs(rows, item, name)]
    answers = [name for name in differing if f"{name}{GOLD}" in gold or not _offers(rows, name, differing)]
    if asked is not None:
        answers = [name for name in asked if name in names]
    else:
        _check_places(rows, answers)
    return answers, [name for name in free if name not in answers]


def _are_places(rows: Sequence[Row], name: str) -> bool:
    """Whether a column says where the words stand that another answer holds: '58-81-92', in some cells one place."""
    cells = [cell for row in rows if (cell := text_of(row.cells, name))]
    return any("-" in cell for cell in cells) and all(PLACES.fullmatch(cell) for cell in cells)


def _check_places(rows: Sequence[Row], answers: Sequence[str]) -> None:
    """An error where answers are there as words and as the places of the words, for they are one answer."""
    places = [name for name in answers if _are_places(rows, name)]
    words = [name for name in answers if name not in places]
    if not places or not words:
        return
    ways = (("The words", words), ("The places where they stand", places))
    file = rows[0].where.rpartition(", ")[0]
    raise DoubtfulReading(
        f"{file} is a full report of Appen in which {listing(places)} tell where the words of {listing(words)} stand: "
        "one answer is there twice. It may be read as",
        [ReadingAdvice(told, options={"value": [*names] if len(names) > 1 else names[0]}) for told, names in ways],
        source=file,
    )


def _words(row: Row, name: str) -> frozenset[str]:
    return frozenset(text_of(row.cells, name).split())


def _differs(rows: Sequence[Row], item: str, name: str) -> bool:
    """Whether workers of one unit have different entries in a column, whatever the order of the words in it."""
    first: dict[str, frozenset[str]] = {}
    return any(first.setdefault(text_of(row.cells, item), words := _words(row, name)) != words for row in rows)


def _offers(rows: Sequence[Row], name: str, answers: Sequence[str]) -> bool:
    """Whether a column holds the options that each worker could choose from, as the answers in another one show.

    One answer, such as "NONE", may be offered to all and not be among them.
    """
    offered = [_words(row, name) for row in rows]
    known = frozenset().union(*offered)
    if 2 * len(known) > len(rows) or sum(len(words) > 1 for words in offered) < len(rows) / 2:
        return False
    for other in answers:
        chosen = [_words(row, other) for row in rows]
        beyond = frozenset().union(*(mine - theirs for mine, theirs in zip(chosen, offered, strict=True)))
        if other != name and len(beyond) <= 1 and not beyond & known:
            return True
    return False


def _add(gathered: Gatherer, name: str, answers: Sequence[Mark], about: Shown, split: str | None) -> bool:
    """Take up the answers to a question; whether they are texts."""
    if not answers:
        gathered.note("dropped", f"nobody answered {name!r}")
        return False
    if split is None and any(" " in answer.value for answer in answers):
        options = next((column for column in about.columns if _offers(about.rows, column, [name])), None)
        if options is not None:
            gathered.note("taken", f"words in {name!r} taken as labels, as they are among the options in {options!r}")
            return add_entries(gathered, name, answers, sign=" ", sure=True)
    return add_entries(gathered, name, answers, sign=split or "\n", sure=split is not None)


def _show(gathered: Gatherer, rows: Sequence[Row], item: str, shown: Sequence[str]) -> None:
    """What units show: the longest of the columns that are the same for all workers."""
    sizes = {
        name: sum(len(text_of(row.cells, name)) for row in rows) for name in shown if not _differs(rows, item, name)
    }
    longest = max(sizes, key=lambda name: sizes[name], default=None)
    if longest is not None and sizes[longest] and item == UNIT:
        for row in rows:
            gathered.texts.setdefault(text_of(row.cells, item), text_of(row.cells, longest))
