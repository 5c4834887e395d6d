"""Files beside the gold: for an annotator, for a guideline, for training, for a paper, and to send on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from interagree.errors import OptionError, listing
from interagree.people.soft import soft_labels
from interagree.reports.make import Report
from interagree.reports.sections import methods
from interagree.results.document import Document, Section, write_document
from interagree.results.sentences import paper_sentence
from interagree.serve.after import NO_AGREEMENT, After
from interagree.serve.export import plain_name
from interagree.serve.workspace import STATUS, Workspace
from interagree.tables import Table


class Asking(NamedTuple):
    """What is asked for, of what."""

    workspace: Workspace
    question: str
    annotator: str = ""

    @property
    def after(self) -> After:
        """The question with its gold."""
        return After(self.workspace, self.workspace.question(self.question))


def _annotator(asking: Asking) -> Document:
    return asking.after.page_for(asking.annotator)


def _guideline(asking: Asking) -> Document:
    table = asking.after.guideline()
    title = f"Guideline log: {asking.question}"
    lines = [] if len(table) else ["No decision has a reason or a comment yet."]
    return Document(title, [Section(lines=lines, table=table)], rows=table)


def _soft(asking: Asking) -> Document:
    soft = soft_labels(asking.workspace.question(asking.question).study)
    return replace(soft.document(), rows=soft.table())


def _methods(asking: Asking) -> Document:
    """How agreement was measured and how the gold was made, as sentences for a paper."""
    workspace = asking.workspace
    measured = methods.methods(workspace.parts, workspace.intervals)
    values = [
        paper_sentence(part.lead, workspace.intervals.interval(part.lead)) for part in workspace.parts if part.lead
    ]
    sections = [
        Section("How agreement was measured", lines=[*measured, *values]),
        Section("How the gold was made", lines=[*_made(workspace), NO_AGREEMENT]),
        methods.to_cite(workspace.parts, workspace.intervals),
    ]
    return Document(f"Methods: {workspace.name}", sections)


def _made(workspace: Workspace) -> list[str]:
    """Of each question with annotators how many answers of the gold come from where."""
    lines = []
    for asked in workspace.asked.values():
        if asked.study.anonymous:
            continue
        after = After(workspace, asked)
        taken = Counter(row.origin for row in after.rows.values())
        left = Counter(after.origins) - taken
        decisions = [row.decision for row in after.rows.values() if row.decision is not None]
        people, blind = len({event.who for event in decisions}), sum(event.blind for event in decisions)
        parts = [f"{taken[origin]:,} {WORDS[origin]}" for origin in WORDS if taken[origin]]
        by = (
            f", by {people:,} {'person' if people == 1 else 'people'}, {blind:,} of them with names hidden"
            if decisions
            else ""
        )
        out = listing([f"{count:,} {OUT[origin]}" for origin, count in left.items()], quote=False)
        lines.append(
            f"{asked.name}: of {sum(after.origins.values()):,} items the gold holds {sum(taken.values()):,}"
            + (f": {listing(parts, quote=False)}{by}" if parts else "")
            + (f". Left out are {out}." if left else ".")
        )
        audit = after.audit()
        lines += [f"{asked.name}: {audit['sentence']}"] if audit["size"] else []
    return lines


def _page(asking: Asking) -> Document:
    """The report with what was decided, to send on."""
    workspace = asking.workspace
    report = Report(workspace.parts, workspace.intervals, title=workspace.name).document(page=True)
    first, second = [], []
    for asked in workspace.asked.values():
        if asked.study.anonymous:
            continue
        after = After(workspace, asked)
        log, solved = after.guideline(), after.solved()
        origins = Table({"answers": [*after.origins], "items": [*after.origins.values()]})
        first.append(Section(f"Gold: {asked.name}", table=origins))
        tables = {"Labels that were confused, and how they were solved": solved, "Decisions with a reason": log}
        second += [
            Section(title, table=table, group=f"Decided: {asked.name}", detail=True)
            for title, table in tables.items()
            if table is not None and len(table)
        ]
    sections = [*report.sections[:2], Section(lines=[NO_AGREEMENT]), *first, *report.sections[2:], *second]
    return replace(report, sections=sections)


SOFT = ("labels", "ordered", "sets")
WORDS = {
    "unanimous": "as all annotators gave them",
    "one answer": "as their only annotator gave them",
    "decided": "decided one by one",
    "by rule": "decided by a rule",
    STATUS["nothing"]: "decided to be empty",
}
OUT = {
    "open": "that wait for a decision",
    "changed": "whose answers changed after the decision",
    STATUS["skip"]: "that were skipped",
    STATUS["cannot"]: "that cannot be decided",
    "nothing right, left out": "on which no answer is right",
    "several answers of one annotator, left out": "whose only annotator gave several answers",
}
FILES: dict[str, Callable[[Asking], Document]] = {
    "annotator": _annotator,
    "guideline": _guideline,
    "soft": _soft,
    "methods": _methods,
    "page": _page,
}
FORMS = ("html", "csv", "xlsx", "docx", "md", "json")


def file(asking: Asking, what: str, form: str) -> tuple[str, bytes]:
    """A file: its name and what is in it.

    Args:
        asking: Of what it is.
        what: One of `FILES`.
        form: One of `FORMS`.
    """
    if what not in FILES or form not in FORMS:
        raise OptionError(f"files are {listing(FILES)}, as {listing(FORMS)}; got {what!r:.40} as {form!r:.40}")
    path = asking.workspace.folder() / f"{what}-{plain_name(asking.annotator or asking.question or 'study')}.{form}"
    write_document(FILES[what](asking), Path(path))
    return path.name, path.read_bytes()
