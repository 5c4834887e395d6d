"""Gold, taken home: an answer for each item, and with each where it comes from.

| origin             | the answer                                                                   |
|--------------------|------------------------------------------------------------------------------|
| unanimous          | that of all annotators of the item, of whom there are at least two           |
| one answer         | that of its only annotator                                                   |
| decided            | what somebody decided: who, when, why, whether names were hidden             |
| by rule            | what somebody decided of many items at once                                  |
| nothing right      | the empty value, where values have one (nothing marked); else it is left out |

Items that wait for a decision, whose answers changed since, that were skipped or cannot be decided, or whose only
annotator gave several answers are left out, and counted.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from interagree.data import Annotations, Study
from interagree.data.privacy import WHERE
from interagree.data.types import Item, Json, Value
from interagree.declare.readers import ReaderFacts
from interagree.errors import DataError, InteragreeError, OptionError, listing
from interagree.people.texts import REMARKS
from interagree.plugins import WRITERS
from interagree.readers import write
from interagree.serve.project import Event
from interagree.serve.workspace import BY_RULE, STATUS, Asked, Workspace
from interagree.tables import json_text
from interagree.writers import export as export_to

TABLES = {"jsonl": ".jsonl", "csv": ".csv", "json": ".json", "excel_table": ".xlsx"}
NAMES = ("origin", "decided by", "decided at", "reason", "comment", "blind")
KEPT = ("unanimous", "one answer", "decided", "nothing right")
ANNOTATOR = "gold"
BACK = {
    "webanno_tsv": "webanno",
    "inception": "webanno",
}  # the writer for what a reader reads, where it is called otherwise
TOGETHER = "label_studio"  # the tool that takes the answers to several questions in one file
TRIED = 3  # answers with which a writer is tried
OF_ANNOTATIONS = re.compile(rf"{REMARKS.pattern}|^{WHERE}$|created|duration|seconds", re.IGNORECASE)  # not of items


@dataclass(frozen=True)
class GoldRow:
    """An item with its answer."""

    item: Item
    row: int  # the first annotation of the item, whose text and further columns are those of the item
    value: Value
    origin: str
    decision: Event | None = None


@dataclass(frozen=True)
class Gold:
    """The answers of a question."""

    rows: list[GoldRow]
    origins: dict[str, int]  # how many items there are of each origin; those left out are among them


def gold_of(workspace: Workspace, asked: Asked) -> Gold:
    """The answer of each item that has one."""
    if asked.study.anonymous:
        raise DataError(asked.why_not)
    study, decided_on = asked.study, _decided_on(workspace, asked)
    first = np.full(len(study.items), -1, dtype=np.intp)
    first[study.item[::-1]] = np.arange(len(study))[::-1]
    alone, same = (
        np.bincount(study.item[column != column[first[study.item]]], minlength=len(study.items)) == 0
        for column in (study.annotator, study.value)
    )
    rows, origins = [], Counter[str]()
    for code, item in enumerate(study.items):
        row = int(first[code])
        if row < 0:
            continue
        if code in decided_on:
            where, place = decided_on[code]
            origin, found, decision = _decided(workspace, where, place)
        elif alone[code] and not same[code]:
            origin, found, decision = "several answers of one annotator, left out", (), None
        else:
            origin, decision = ("one answer" if alone[code] else "unanimous"), None
            found = (study.values[int(study.value[row])],)
        rows += [GoldRow(item, row, value, origin, decision) for value in found]
        origins[origin] += 1
    return Gold(rows, dict(origins))


def _decided_on(workspace: Workspace, asked: Asked) -> dict[int, tuple[Asked, int]]:
    """Where what was decided on an item stands, by its number in the study; others are as annotators say."""
    found = {code: (asked, place) for place, code in enumerate(asked.codes)}
    audit = workspace.audit(asked.name)
    if audit is not None:  # what was skipped there is what all agree on
        stands = [workspace.project.standing(asked.name, key) for key in audit.keys]
        looked_at = [place for place, event in enumerate(stands) if event is not None and event.kind != "skip"]
        found |= {audit.codes[place]: (audit, place) for place in looked_at}
    return found


def _decided(workspace: Workspace, asked: Asked, place: int) -> tuple[str, tuple[Value, ...], Event | None]:
    """The origin of an answer, the answer where there is one, and the decision."""
    project = workspace.project
    standing = project.standing(asked.name, asked.keys[place])
    origin = asked.status(project, place)
    ruled = asked.rule_of(project, place) if origin == BY_RULE else None
    if ruled is not None:
        return origin, (ruled[1],), ruled[0]
    if origin == "decided" and standing is not None and standing.value is not None:
        return origin, (asked.values.restored(standing.value),), standing
    if origin == STATUS["nothing"] and asked.values.empty is not None:
        return origin, (asked.values.empty,), standing
    return ("nothing right, left out" if origin == STATUS["nothing"] else origin), (), standing


def as_annotations(asked: Asked, rows: Sequence[GoldRow], *, origins: bool = False) -> Annotations:
    """Gold as the annotations of one annotator, with what is known of the items."""
    study = asked.study
    if not rows:
        raise DataError("there is no gold yet: annotators agree on no item, and nothing is decided")
    first = np.array([row.row for row in rows], dtype=np.intp)
    kept = [name for name in study.attributes if not OF_ANNOTATIONS.search(str(name))]
    attributes: dict[str, Any] = {name: study.attributes[name][first] for name in kept}
    if origins:
        columns = zip(*(_origin(row) for row in rows), strict=True)
        attributes |= {name: [*column] for name, column in zip(NAMES, columns, strict=True)}
    made = Annotations.from_columns(
        [row.item for row in rows],
        [ANNOTATOR] * len(rows),
        [row.value for row in rows],
        attributes=attributes,
        provenance=study.provenance,
        values=[*study.values] if study.stated else None,
        ordered=study.ordered if study.stated else None,
    )
    return replace(made, of_kind=study.of_kind or (None if study.stated else study.kind.name))


def _origin(row: GoldRow) -> tuple[object, ...]:
    if row.decision is None:
        return (row.origin, None, None, None, None, None)
    event = row.decision
    return (row.origin, event.who, event.time, event.reason or None, event.comment or None, event.blind)


def back_to(asked: Asked, reader: ReaderFacts | None) -> dict[str, Json]:
    """The writer for the tool that the files come from, and what is to be said where there is none.

    Args:
        asked: A question.
        reader: What read its files.
    """
    if reader is None or reader.tabular:
        return {"tool": None, "said": ""}
    name = BACK.get(reader.name, reader.name)
    if name not in [*WRITERS]:
        return {"tool": None, "said": f"{reader.title} is read here and not written; JSON lines hold every answer."}
    why = why_not(asked, name)
    return {"tool": None if why else name, "said": f"The gold cannot go back to {reader.title}: {why}" if why else ""}


def why_not(asked: Asked, to: str) -> str:
    """Why answers of a question cannot be written for a tool, by some that were tried; empty where they can."""
    facts = WRITERS[to].facts
    if asked.study.kind.name not in facts.kinds:
        return f"it takes no {asked.study.kind.title}; JSON lines hold them"
    if to not in asked.tried:
        study = asked.study
        marked = (row for row in range(len(study)) if study.values[int(study.value[row])])
        some = {int(study.item[row]): row for row in [*islice(marked, TRIED), 0]}
        rows = [GoldRow(study.items[item], row, study.values[int(study.value[row])], "") for item, row in some.items()]
        with TemporaryDirectory() as folder:
            try:
                path = Path(folder, f"tried{facts.suffix.rstrip('/')}")
                export_to(as_annotations(asked, rows), path, to=to, question=asked.name)
                asked.tried[to] = ""
            except InteragreeError as error:
                asked.tried[to] = error.for_command_line()
    return asked.tried[to]


def written(workspace: Workspace, name: str, to: str) -> tuple[str, bytes]:
    """A file of gold: its name and what is in it; folders are packed.

    Args:
        workspace: The project.
        name: The question; none for all that go back to Label Studio together.
        to: One of `TABLES`, or a writer.
    """
    if not name and to == TOGETHER:
        return f"gold{WRITERS[to].facts.suffix}", _together(workspace)
    asked = workspace.question(name)
    gold = gold_of(workspace, asked)
    stem = f"gold-{plain_name(name)}"
    folder = workspace.folder()
    if to in TABLES:
        path = folder / f"{stem}{TABLES[to]}"
        write(Study({name: as_annotations(asked, gold.rows, origins=True)}), path)
        return path.name, path.read_bytes()
    if to not in [*WRITERS]:
        raise OptionError(f"gold is not written for {to!r:.40}; there are {listing([*TABLES, *WRITERS])}")
    suffix = WRITERS[to].facts.suffix
    path = folder / (stem + suffix.rstrip("/"))
    export_to(as_annotations(asked, gold.rows), path, to=to, question=name)
    if path.is_dir():
        return f"{stem}.zip", _packed(path)
    return path.name, path.read_bytes()


def all_together(workspace: Workspace) -> list[Asked]:
    """The questions that go back to Label Studio in one file, a task with the answers to all of them."""
    return [asked for asked in workspace.asked.values() if back_to(asked, workspace.reader)["tool"] == TOGETHER]


def _together(workspace: Workspace) -> bytes:
    """The tasks of Label Studio with the gold of every question; those without some of it are no ground truth yet."""
    questions = all_together(workspace)
    asked_of = Counter(asked.study.items[code] for asked in questions for code in np.unique(asked.study.item).tolist())
    tasks: dict[Item, dict[str, Any]] = {}
    told = Counter[Item]()
    for asked in questions:
        rows = gold_of(workspace, asked).rows
        path = workspace.folder() / "gold.json"
        if rows:
            export_to(as_annotations(asked, rows), path, to=TOGETHER, question=asked.name)
        for row, task in zip(rows, json.loads(path.read_text(encoding="utf-8")) if rows else (), strict=True):
            mine = tasks.setdefault(row.item, task)
            if mine is not task:
                mine["annotations"][0]["result"] += task["annotations"][0]["result"]
            told[row.item] += 1
    if not tasks:
        raise DataError("there is no gold of a question that goes back to Label Studio")
    for item, task in tasks.items():
        task["annotations"][0]["ground_truth"] = told[item] == asked_of[item]
    lines = ",\n".join(map(json_text, tasks.values()))
    return f"[\n{lines}\n]\n".encode()


def plain_name(name: str) -> str:
    """A name as that of a file."""
    return "".join(sign if sign.isalnum() else "-" for sign in name)[:40] or "answers"


def _packed(folder: Path) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder))
    return held.getvalue()
