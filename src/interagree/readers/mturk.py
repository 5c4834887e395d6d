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
holds its own name, cells that hardly any worker filled) are set aside and listed; ``questions="comment"`` takes one.

**Rejected assignments** are left out, and counted; ``rejected="keep"`` keeps them.

Columns that the caller names with ``annotator``, or any option for tables, make it a table like any other.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from interagree.data.files import parse_json
from interagree.data.paths import Paths, files_in, unread_files
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
    listing,
    suggestion,
)
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.units import check_word
from interagree.readers._columns import YES, add_entries, as_table, note_texts, spread_over
from interagree.readers._rows import Row, columns_of, table_rows, text_of
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
ITEMS = ("auto", "numbered", "hit")
NUMBER = re.compile(r"(.*?[^\d_.-])[_.-]?(\d{1,9})")
NEARLY = 0.9  # share of entries that tells what a column holds
KEPT = Advice.of("left out (", ReaderHint("rejected", "keep"), " keeps them)")
MOST = 1 << 20  # characters of answers as JSON


class Assignment(NamedTuple):
    """What one worker answered to one HIT."""

    where: str
    hit: str
    worker: str
    inputs: Mapping[str, str]
    answers: dict[str, str]


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
    items: str = "auto",
    rejected: str = "drop",
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
    asked = questions
    if options:
        chosen = {"item": None if item == HIT and "annotator" not in options else item, "value": asked}
        return as_table(path, {**options, **chosen})
    check_word("items", items, ITEMS)
    check_word("rejected", rejected, ("drop", "keep"))
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("Mechanical Turk", sources, duplicates=duplicates)
    gathered.note("taken", f"results of Mechanical Turk: item from {item!r}, annotator from {WORKER!r}")
    gathered.steps += unread_files(path, sources, deep=False)
    rows = [row for source in sources for row in table_rows(source, gathered.steps, lacking=REVIEW)]
    assignments = list(_assignments(gathered, rows, keep=rejected == "keep"))
    if not any(assignment.answers for assignment in assignments):
        reasons = "; ".join(step.sentence for step in gathered.steps[1:])
        raise FormatError(
            f"{sources[0].name}: expected answers in columns that begin with {ANSWER!r}, found none; nobody has "
            f"answered yet{f' ({reasons})' if reasons else ''}"
        )
    numbered = _numbered(sources[0].name, assignments) if items == "auto" else items == "numbered"
    names = None if asked is None else [asked] if isinstance(asked, str) else list(asked)
    called = None if names is None else [name.removeprefix(ANSWER) for name in names]
    _add(gathered, assignments, item, numbered=numbered, asked=called or ())
    _again(gathered, assignments, item)
    return gathered.study(called)


# -- rows -----------------------------------------------------------------------------------------------------


def _assignments(gathered: Gatherer, rows: Sequence[Row], *, keep: bool) -> Iterator[Assignment]:
    for where, raw in rows:
        known = {name.lower(): name for name in raw}
        cells = {
            official: raw[known[official.lower()]] for official in (HIT, WORKER, STATUS) if official.lower() in known
        }
        hit, worker = text_of(cells, HIT), text_of(cells, WORKER)
        inputs = {name: text_of(raw, name) for name in raw if name.startswith(INPUT)}
        answers = {name.removeprefix(ANSWER): text_of(raw, name) for name in raw if name.startswith(ANSWER)}
        turned_down = text_of(raw, "Reject") and not text_of(raw, "Approve")
        if not keep and (text_of(cells, STATUS).lower() == REJECTED or turned_down):
            gathered.left_out("rejected assignment", KEPT)
            continue
        if not worker and not any(answers.values()):  # a HIT that nobody has taken yet
            gathered.left_out("row", "without an assignment left out")
            continue
        if not hit or not worker:
            lacking = HIT if not hit else WORKER
            raise FormatError(f"{where}: expected something in {lacking!r}, found an empty cell")
        if AS_JSON in answers:
            answers |= _taken_apart(answers.pop(AS_JSON), where)
        yield Assignment(where, hit, worker, inputs, answers)


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
            raise FormatError(f"{where}: expected objects in {ANSWER + AS_JSON!r}, found {part!r:.60}")
        for name, answer in part.items():
            inner = answer if isinstance(answer, dict) else {"": answer}
            for option, entry in inner.items():
                called = name if option in {"", "label"} else f"{name}.{option}"
                made[called] = _as_text(entry)
    return made


def _as_text(entry: object) -> str:
    if isinstance(entry, bool | list):  # several labels stay a list
        return json.dumps(entry)
    return "" if entry is None else str(entry).strip()


# -- questions ------------------------------------------------------------------------------------------------


def _columns(assignments: Sequence[Assignment]) -> dict[str, list[str]]:
    names = dict.fromkeys(name for assignment in assignments for name in assignment.answers)
    return {name: [assignment.answers.get(name, "") for assignment in assignments] for name in names}


def _numbered(source: str, assignments: Sequence[Assignment]) -> bool:
    """Whether numbers at the end of the names of questions are items of their own; an error in doubt."""
    columns = _columns(assignments)
    spread = spread_over(columns)
    parts = {f"{question}.{option}" for question, options in spread.items() for option in options}
    numbers: dict[str, set[int]] = {}
    for name in (*spread, *(name for name in columns if name not in parts)):
        if match := NUMBER.fullmatch(name):
            numbers.setdefault(match[1], set()).add(int(match[2]))
    several = {name: found for name, found in numbers.items() if len(found) > 1}
    if not several:
        return False
    shown: dict[str, set[int]] = {}
    for name in assignments[0].inputs:
        if match := NUMBER.fullmatch(name):
            shown.setdefault(match[1], set()).add(int(match[2]))
    known = [frozenset(found) for found in (*several.values(), *shown.values()) if len(found) > 1]
    if any(known.count(found) > 1 for found in known):
        return True
    name = next(iter(several))
    raise DoubtfulReading(
        f"{source}: there are {counted(len(several[name]), 'answer')} {name!r} with numbers; each number may be an "
        "item of the HIT, or a question. It may be",
        [
            ReadingAdvice("Every number is an item of its own", options={"items": "numbered"}, of_reader=("items",)),
            ReadingAdvice("Every number is a question about the HIT", options={"items": "hit"}, of_reader=("items",)),
        ],
        source=source,
    )


def _add(
    gathered: Gatherer, assignments: Sequence[Assignment], item: str, *, numbered: bool, asked: Sequence[str]
) -> None:
    """The answers of all assignments."""
    columns = _columns(assignments)
    spread = spread_over(columns)
    parts = {f"{question}.{option}" for question, options in spread.items() for option in options}
    plain: dict[str, list[Mark]] = {_place(name, numbered=numbered)[0]: [] for name in columns if name not in parts}
    for assignment in assignments:
        about = _item(assignment, item)
        for question, options in spread.items():
            name, number = _place(question, numbered=numbered)
            cells = {option: assignment.answers.get(f"{question}.{option}", "") for option in options}
            if any(cells.values()):
                chosen = tuple(option for option, cell in cells.items() if cell.lower() == YES)
                answer = Mark(name, _called(about, number), assignment.worker, chosen, assignment.where)
                gathered.add(answer, "choices")
        for question, entry in assignment.answers.items():
            if entry and question not in parts:
                name, number = _place(question, numbered=numbered)
                plain[name].append(Mark(name, _called(about, number), assignment.worker, entry, assignment.where))
        _show(gathered, assignment, item, numbered=numbered)
    _set_aside(gathered, plain, [name for name in plain if name not in asked], assignments, others=bool(spread))
    texts = [name for name, answers in plain.items() if answers and add_entries(gathered, name, answers, sign=SIGN)]
    note_texts(gathered, texts)
    if numbered:
        told = "several items in a HIT, told by the numbers at the end of the names of answers ("
        gathered.note("taken", Advice.of(told, ReaderHint("items", "hit"), " takes them for questions)"))
    silent = [name for name, answers in plain.items() if not answers]
    if silent:
        gathered.note("dropped", f"nobody answered {listing(silent, most=4)}", len(silent))


def _place(question: str, *, numbered: bool) -> tuple[str, str]:
    """The name of a question, and the number of the item that it is about; empty where it is about the HIT."""
    match = NUMBER.fullmatch(question) if numbered else None
    return (question, "") if match is None else (match[1].rstrip("_.-"), match[2])


def _item(assignment: Assignment, item: str) -> str:
    if item == HIT:
        return assignment.hit
    name = item if item in assignment.inputs else f"{INPUT}{item}"
    if name not in assignment.inputs:
        raise UnknownName(
            f"{assignment.where}: there is no column {item!r} to take the item from; there are "
            f"{listing([HIT, *assignment.inputs], most=8)}.{suggestion(item, assignment.inputs)}"
        )
    return assignment.inputs[name]


def _set_aside(
    gathered: Gatherer,
    plain: dict[str, list[Mark]],
    able: Sequence[str],
    assignments: Sequence[Assignment],
    *,
    others: bool,
) -> None:
    """Take columns that hold no answers out of the others, unless there are no others, and say which."""
    reasons = {name: _not_answers(name, plain[name], len(assignments)) for name in able}
    beside = {name: why for name, why in reasons.items() if why}
    if len(beside) == len(plain) and not others:
        return
    for name in beside:
        del plain[name]
    for why in dict.fromkeys(beside.values()):
        some = [name for name, reason in beside.items() if reason == why]
        told = f"columns set aside: {listing(some, quote=True)} ({why}; "
        gathered.note("set aside", Advice.of(told, Hint("questions", some[0]), " takes it)"), len(some))


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
    workers = len({answer.annotator for answer in answers})
    few = len(answers) < SPARSE * assignments and assignments >= SMALL
    several = Counter(answer.item for answer in answers)
    return "remarks of a few workers" if answers and few and (workers <= 2 or max(several.values()) < 2) else ""


def _called(about: str, number: str) -> str:
    return f"{about} #{number}" if number else about


def _show(gathered: Gatherer, assignment: Assignment, item: str, *, numbered: bool) -> None:
    """What a HIT shows, and each of its items where the columns of what is shown have numbers."""
    if item != HIT:
        return
    shown: dict[str, list[str]] = {}
    for name, text in assignment.inputs.items():
        match = NUMBER.fullmatch(name) if numbered else None
        shown.setdefault("" if match is None else match[2], []).append(text)
    for number, texts in shown.items():
        if any(texts):
            gathered.show(_called(assignment.hit, number), "\n".join(texts), assignment.where)


def _again(gathered: Gatherer, assignments: Sequence[Assignment], item: str) -> None:
    """What to say of HITs that show the same as another."""
    shown: dict[tuple[str, ...], set[str]] = {}
    for assignment in assignments:
        if any(assignment.inputs.values()):
            shown.setdefault(tuple(assignment.inputs.values()), set()).add(assignment.hit)
    twice = sum(len(hits) - 1 for hits in shown.values())
    if item == HIT and twice and len(shown) > 1:
        name = next(iter(assignments[0].inputs))
        sentence = Advice.of(
            f"{counted(twice, 'HIT')} show what another one shows; ", Hint("item", name), " joins them"
        )
        gathered.note("noticed", sentence, twice)
