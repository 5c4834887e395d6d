"""Amazon Mechanical Turk: the results of a batch as CSV (*Review results*, *Download CSV*).

Every answer (``Answer.…``) is a question, called without this beginning.  An answer whose options have a column each
with true or false in it (``Answer.mood.good``, ``Answer.mood.bad``) is one question: labels, or sets of labels where
somebody chose several.  Check boxes of one name, whose answers stand in one cell (``a|b``), are sets.  Answers that
are saved as JSON in ``Answer.taskAnswers`` are taken apart in the same way.  Long answers that hardly occur twice are
texts.

**Items** are HITs (``HITId``).  ``item="Input.url"`` takes what was shown instead, which joins HITs that were published
again.  Where one HIT asks about several things, the columns have numbers: ``Answer.tone_1.good`` beside
``Answer.style_1.good`` and ``Answer.tone_2.good``.  If there are the same numbers for several questions, or among the
columns of ``Input.…``, each number is an item of its own; if only one question has numbers there is an error, and
``items="numbered"`` or ``items="hit"`` says what they are.

**Annotators** are workers (``WorkerId``).

**Times, buttons and remarks** among the answers (moments and clock times, many different whole numbers, a button that
holds its own name, cells that hardly any worker filled, fields shown empty that most left so) are set aside and listed;
``questions="comment"`` takes one.

**Rejected assignments** are left out, and counted; ``rejected="keep"`` keeps them.

Columns that the caller names with ``annotator``, or any option for tables, make it a table like any other.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from interagree.data.files import parse_json
from interagree.data.paths import Paths
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import (
    Advice,
    DoubtfulReading,
    FormatError,
    Hint,
    ReaderHint,
    ReadingAdvice,
    UnknownName,
    expected,
    listing,
    suggestion,
)
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._answers import NO, YES, add_answers, as_table, names_of
from interagree.readers._rows import Row, columns_of, opened
from interagree.reading.answers import SMALL, SPARSE
from interagree.reading.evidence import Profile

SUFFIXES = (".csv", ".tsv")
HIT, WORKER, STATUS = "HITId", "WorkerId", "AssignmentStatus"
NEEDED = frozenset({"hitid", "workerid"})
ANSWER, INPUT = "Answer.", "Input."
AS_JSON = "taskAnswers"
REJECTED = "rejected"
REVIEW = ("Approve", "Reject")  # columns to be filled in, which only the header of a download has
SIGN = "|"  # between the answers of check boxes of one name
SPREAD = re.compile(r"(.+)\.([^.]+)")
NUMBER = re.compile(r"(.*?[^\d_.-])[_.-]?(\d{1,9})")
MOSTLY = 0.6  # share of answers left as they were shown, from which on a field is hardly used
NEARLY = 0.9  # share of entries that tells what a column holds
LOG = 100  # letters from which on objects that differ in every assignment are what a program recorded
RARELY, ENOUGH = 0.1, 100  # share of assignments below which answers are remarks, and how many tell it
MOST = 1 << 20  # characters of answers as JSON
NOTHING = frozenset({"", "{}", "[]", "null", "undefined", "unchanged"})  # what fields hold in which nothing was entered


class Assignment(NamedTuple):
    """What one worker answered to one HIT."""

    where: str
    hit: str
    worker: str
    inputs: Mapping[str, str]
    answers: dict[str, str]

    def item(self, name: str) -> str:
        """The HIT, or what was shown in a column."""
        if name == HIT:
            return self.hit
        column = name if name in self.inputs else f"{INPUT}{name}"
        if column not in self.inputs:
            raise UnknownName(
                f"{self.where}: there is no column {name!r} to take the item from; there are "
                f"{listing([HIT, *self.inputs], most=8)}.{suggestion(name, self.inputs)}"
            )
        return self.inputs[column]


def recognised(path: Path) -> bool:
    """Whether a file can only be the results of a batch."""
    names = columns_of(path)
    answered = any(name.startswith(ANSWER) for name in names)
    small = {name.lower() for name in names}
    return small >= NEEDED and (answered or {"assignmentid", "hittypeid"} <= small)


@reader("Mechanical Turk", suffixes=SUFFIXES, sniff=recognised, together=True)
def mturk(
    path: Paths,
    *,
    item: str = HIT,
    items: Literal["auto", "numbered", "hit"] = "auto",
    rejected: Literal["drop", "keep"] = "drop",
    duplicates: str = "last",
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The results of a batch, or of several.

    Args:
        path: A file, a folder of files, or a list of them.
        item: "HITId", or the column of what was shown, such as "Input.url".
        items: Whether numbers at the end of columns are items of their own ("numbered") or belong to the names of
            questions ("hit"); told by the columns by default.
        rejected: "drop" or "keep" assignments that were rejected.
        duplicates: Of several answers of one worker to one item take the "last" one, the "first", or stop with an
            "error".
        questions: Those to read.
        options: What tables take; the file is then read as a table like any other.
    """
    if options:
        chosen = {"item": None if item == HIT and "annotator" not in options else item, "value": questions}
        return as_table(path, {**options, **chosen})
    gathered, rows = opened("Mechanical Turk", path, SUFFIXES, duplicates, lacking=REVIEW)
    gathered.note("taken", f"results of Mechanical Turk: item from {item!r}, annotator from {WORKER!r}")
    assignments = list(_assignments(gathered, rows, rejected))
    if not any(assignment.answers for assignment in assignments):
        reasons = "; ".join(step.sentence for step in gathered.steps[1:])
        raise FormatError(
            f"{gathered.files}: expected answers in columns that begin with {ANSWER!r}, found none; nobody has "
            f"answered yet{f' ({reasons})' if reasons else ''}"
        )
    asked = names_of(questions, ANSWER)
    columns = _columns(assignments)
    numbered = _numbered(gathered, columns, assignments[0].inputs) if items == "auto" else items == "numbered"
    _add(gathered, assignments, columns, item, numbered=numbered, asked=asked or ())
    _again(gathered, assignments, item)
    return gathered.study(asked)


# -- rows -----------------------------------------------------------------------------------------------------


def _assignments(gathered: Gatherer, rows: Iterable[Row], rejected: str) -> Iterator[Assignment]:
    for row in rows:
        known = {name.lower(): name for name in row.cells}
        hit, worker, status = (row.text(known.get(name.lower(), name)) for name in (HIT, WORKER, STATUS))
        inputs = {name: row.text(name) for name in row.cells if name.startswith(INPUT)}
        answers = {name.removeprefix(ANSWER): row.text(name) for name in row.cells if name.startswith(ANSWER)}
        turned_down = status.lower() == REJECTED or (row.text("Reject") and not row.text("Approve"))
        if turned_down and gathered.drops("rejected assignment", usual="drop", rejected=rejected):
            continue
        if not worker and not any(answers.values()):  # a HIT that nobody has taken yet
            gathered.left_out("row", "without an assignment left out")
            continue
        if not hit or not worker:
            lacking = WORKER if hit else HIT
            raise FormatError(f"{row.where}: expected something in {lacking!r}, found an empty cell")
        answers |= _taken_apart(answers.pop(AS_JSON, ""), row.where)
        yield Assignment(row.where, hit, worker, inputs, answers)


def _taken_apart(cell: str, where: str) -> dict[str, str]:
    """Answers that are saved as JSON, under the names that they would have as columns."""
    if not cell or len(cell) > MOST:
        return {}
    try:
        content = parse_json(cell)
    except ValueError:
        raise FormatError(f"{where}: expected JSON in {ANSWER + AS_JSON!r}, found {cell[:60]!r}") from None
    made: dict[str, str] = {}
    for part in content if isinstance(content, list) else [content]:
        if not isinstance(part, dict):
            raise expected(where, f"objects in {ANSWER + AS_JSON!r}", part)
        for name, answer in part.items():
            for option, entry in (answer if isinstance(answer, dict) else {"": answer}).items():
                called = name if option in {"", "label"} else f"{name}.{option}"
                several = isinstance(entry, bool | list)  # several labels stay a list
                made[called] = json.dumps(entry) if several else "" if entry is None else str(entry).strip()
    return made


# -- questions ------------------------------------------------------------------------------------------------


def _columns(assignments: Sequence[Assignment]) -> dict[str, list[str]]:
    """The questions, each with the options that have a column with true or false in it; none of one column alone."""
    entries: dict[str, set[str]] = {}
    for assignment in assignments:
        for name, entry in assignment.answers.items():
            entries.setdefault(name, set()).add(entry.lower())
    options: dict[str, list[str]] = {}
    for name in entries:
        if (parts := SPREAD.fullmatch(name)) and parts[1] not in entries:
            options.setdefault(parts[1], []).append(parts[2])
    spread = {
        question: names
        for question, names in options.items()
        if len(names) > 1 and all(entries[f"{question}.{name}"] <= {YES, NO, ""} for name in names)
    }
    parts_of = {f"{question}.{name}" for question, names in spread.items() for name in names}
    return spread | {name: [] for name in entries if name not in parts_of}


def _numbers(names: Iterable[str]) -> dict[str, set[int]]:
    """The numbers at the end of names, where there are several."""
    found: dict[str, set[int]] = {}
    for name in names:
        if match := NUMBER.fullmatch(name):
            found.setdefault(match[1], set()).add(int(match[2]))
    return {name: numbers for name, numbers in found.items() if len(numbers) > 1}


def _numbered(gathered: Gatherer, columns: Iterable[str], shown: Iterable[str]) -> bool:
    """Whether numbers at the end of the names of questions are items of their own; an error in doubt."""
    asked = _numbers(columns)
    known = [*asked.values(), *_numbers(shown).values()]
    if not asked or any(known.count(numbers) > 1 for numbers in known):
        return bool(asked)
    name, numbers = next(iter(asked.items()))
    readings = {"numbered": "Every number is an item of its own", "hit": "Every number is a question about the HIT"}
    raise DoubtfulReading(
        f"{gathered.files}: there are {counted(len(numbers), 'answer')} {name!r} with numbers; each number may be an "
        "item of the HIT, or a question. It may be",
        [ReadingAdvice(said, options={"items": word}, of_reader=("items",)) for word, said in readings.items()],
        source=gathered.files,
    )


def _add(
    gathered: Gatherer,
    assignments: Sequence[Assignment],
    columns: Mapping[str, list[str]],
    item: str,
    *,
    numbered: bool,
    asked: Sequence[str],
) -> None:
    """The answers of all assignments, and what they are about."""

    def placed(name: str, about: str) -> tuple[str, str]:
        """The name of a question or of what was shown, and the item that it is about."""
        match = NUMBER.fullmatch(name) if numbered else None
        return (name, about) if match is None else (match[1].rstrip("_.-"), f"{about} #{match[2]}")

    columns = _without_consent(gathered, assignments, columns, asked)
    plain: dict[str, list[Mark]] = {placed(name, "")[0]: [] for name, options in columns.items() if not options}
    for assignment in assignments:
        for column, options in columns.items():
            name, about = placed(column, assignment.item(item))
            if not options:
                entry = assignment.answers.get(column, "")
                plain[name].append(Mark(name, about, assignment.worker, entry, assignment.where))
                continue
            cells = {option: assignment.answers.get(f"{column}.{option}", "") for option in options}
            if any(cells.values()):
                chosen = tuple(option for option, cell in cells.items() if cell.lower() == YES)
                gathered.add(Mark(name, about, assignment.worker, chosen, assignment.where), "choices")
        shown: dict[str, list[str]] = {}
        for name, text in assignment.inputs.items() if item == HIT else ():
            shown.setdefault(placed(name, assignment.hit)[1], []).append(text)
        for about, texts in shown.items():
            if any(texts):
                gathered.show(about, "\n".join(texts), assignment.where)
    left = {} if numbered else {name: _left_empty(name, assignments) for name in plain}
    _set_aside(gathered, plain, left, asked, len(assignments), others=any(columns.values()))
    add_answers(gathered, [answer for answers in plain.values() for answer in answers], sign=SIGN)
    if numbered:
        told = "several items in a HIT, told by the numbers at the end of the names of answers ("
        gathered.note("taken", Advice.of(told, ReaderHint("items", "hit"), " takes them for questions)"))


def _without_consent(
    gathered: Gatherer, assignments: Sequence[Assignment], columns: Mapping[str, list[str]], asked: Sequence[str]
) -> Mapping[str, list[str]]:
    """Columns without those of one choice that all who chose anything made, such as consent, where others vary."""

    def chosen(column: str, options: Sequence[str]) -> set[tuple[str, ...]]:
        cells = ([a.answers.get(f"{column}.{option}", "").lower() for option in options] for a in assignments)
        return {(*(o for o, cell in zip(options, row, strict=True) if cell == YES),) for row in cells} - {()}

    same = [name for name, some in columns.items() if some and name not in asked and len(chosen(name, some)) < 2]
    if not same or len(same) == len(columns) or len(assignments) < ENOUGH:
        return columns
    told = f"columns set aside: {listing(same, quote=True)} (all chose the same; "
    gathered.note("set aside", Advice.of(told, Hint("questions", same[0]), " takes it)"), len(same))
    return {name: options for name, options in columns.items() if name not in same}


def _set_aside(
    gathered: Gatherer,
    plain: dict[str, list[Mark]],
    left: Mapping[str, str],
    asked: Sequence[str],
    assignments: int,
    *,
    others: bool,
) -> None:
    """Take columns that hold no answers out of the others, unless there are no others, and say which."""
    beside: dict[str, list[str]] = {}
    for name, answers in plain.items():
        given = [answer for answer in answers if answer.value]
        if name not in asked and (why := _not_answers(name, given, assignments) or left.get(name, "")):
            beside.setdefault(why, []).append(name)
    if sum(map(len, beside.values())) == len(plain) and not others:
        return
    for why, names in beside.items():
        told = f"columns set aside: {listing(names, quote=True)} ({why}; "
        gathered.note("set aside", Advice.of(told, Hint("questions", names[0]), " takes it)"), len(names))
        for name in names:
            del plain[name]


def _not_answers(name: str, answers: Sequence[Mark], assignments: int) -> str:
    """Why a column holds no answers, by its cells: times, the button that was pressed, remarks of a few workers."""
    column = Profile(name, [answer.value for answer in answers], 0)
    if column.dates or column.moments:
        return "dates or times"
    whole = sum(map(float.is_integer, column.numbers))
    if whole >= NEARLY * len(answers) and column.nearly_unique and len(answers) >= SMALL:
        return "many different numbers, as times or sizes are"
    if column.distinct == 1 and set(column.counts) == {name.casefold()}:
        return "a button"
    if column.nearly_unique and all(str(cell).startswith("{") and len(str(cell)) > LOG for cell in column.filled):
        return "records of the program"
    workers = len({answer.annotator for answer in answers})
    few = len(answers) < SPARSE * assignments and assignments >= SMALL
    several = Counter(answer.item for answer in answers)
    hardly = len(answers) < RARELY * assignments and assignments >= ENOUGH
    alone = few and (workers <= 2 or max(several.values()) < 2)
    return "remarks of a few workers" if answers and (alone or hardly) else ""


def _left_empty(name: str, assignments: Sequence[Assignment]) -> str:
    """Whether what was asked was shown with nothing in it and most workers left it so, in words; empty if not."""
    shown = [
        assignment.inputs[column] for assignment in assignments if (column := f"{INPUT}{name}") in assignment.inputs
    ]
    answers = [assignment.answers.get(name, "") for assignment in assignments]
    empty = sum(cell.strip() in NOTHING for cell in shown) >= NEARLY * len(assignments)
    same = sum(cell.strip() in NOTHING for cell in answers) >= MOSTLY * len(answers)
    return "shown empty, and left so by most" if empty and same else ""


def _again(gathered: Gatherer, assignments: Sequence[Assignment], item: str) -> None:
    """What to say of HITs that show the same as another."""
    shown: dict[tuple[str, ...], set[str]] = {}
    for assignment in assignments:
        if any(assignment.inputs.values()):
            shown.setdefault(tuple(assignment.inputs.values()), set()).add(assignment.hit)
    twice = sum(len(hits) - 1 for hits in shown.values())
    if item == HIT and twice and len(shown) > 1:
        name = next(iter(assignments[0].inputs))
        sentence = f"{counted(twice, 'HIT')} show what another one shows; "
        gathered.note("noticed", Advice.of(sentence, Hint("item", name), " joins them"), twice)
