"""After deciding: what annotators gave otherwise than the gold, how confused labels were solved, why, and an audit.

The gold is no further annotator: whoever decided saw the answers, and decided on the items on which annotators differ.
So accuracy against it stands here and nowhere beside agreement.  On how many items all are wrong together nobody can
say who looks at disagreements alone; a sample of the items on which all agree says it, with an interval.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cached_property, partial
from typing import Any

import numpy as np

from interagree.arrays import Array, Booleans
from interagree.data.provenance import counted
from interagree.data.types import Json
from interagree.errors import UnknownName, listing
from interagree.findings.against_gold import AgainstGold
from interagree.findings.leave_one_out import LeaveOneOut, of_labels
from interagree.kinds._views import without_halves
from interagree.people.texts import shortened, text_column
from interagree.results.document import Document, Section
from interagree.serve.edited import stored
from interagree.serve.export import gold_of
from interagree.serve.project import LAID
from interagree.serve.workspace import STATUS, Asked, Workspace
from interagree.stats.engine.shares import exact
from interagree.tables import Table, cell, finite

LEVEL = 0.95
BY_DECISION = ("decided", "by rule", STATUS["nothing"])
JUDGED = ("decide", "nothing")  # what says of an item on which all agree whether they are right
WHY = {"reason": "reason", "comment": "comment"}
MOST = 500  # rows of a table on a page; a file has them all
NO_AGREEMENT = (
    "Accuracy against the gold is not agreement: whoever decided saw these answers, and decided on the items on which "
    "annotators differ; on the others all are right by definition, unless somebody decided otherwise in an audit."
)


class After:
    """A question with its gold."""

    def __init__(self, workspace: Workspace, asked: Asked) -> None:
        self.workspace = workspace
        self.asked = asked
        gold = gold_of(workspace, asked)
        rest = LeaveOneOut.of(asked.study, None, "gold") if asked.items is None else asked.items.ranking.rest
        self.against = AgainstGold(rest, {row.item: row.value for row in gold.rows})
        self.rows = {row.item: row for row in gold.rows}
        self.origins = gold.origins

    @cached_property
    def decided(self) -> Booleans:
        """The items whose gold somebody decided."""
        names = self.against.rest.study.items
        return np.array([name in self.rows and self.rows[name].origin in BY_DECISION for name in names], dtype=bool)

    def people(self) -> Table:
        """Of each annotator how many answers are not the gold, and how near they come to it."""
        against, decided = self.against, self.decided
        rest = against.rest
        score = "right" if rest.labels else "agreement" if rest.bounded else "distance"
        every, some = against.columns(LEVEL), against.columns(LEVEL, decided)
        columns: dict[str, Any] = {
            "annotator": [without_halves(str(name)) for name in rest.study.annotators],
            "otherwise": np.bincount(rest.who[against.otherwise], minlength=rest.people).tolist(),
        }
        for name, of in (("items decided", some), ("items with gold", every)):
            columns[name] = of["n"].tolist()
            for part in ("", "low", "high"):
                if part in of:
                    columns[f"{score} {part} of {name}".replace("  ", " ")] = of[part].tolist()
        return Table(columns).sort("otherwise", descending=True)

    def solved(self) -> Table | None:
        """How often of two labels that annotators confuse either was right; None where an item has no single label."""
        return self.against.solved(self.decided) if of_labels(self.against.rest) else None

    def otherwise(self, annotator: str) -> list[dict[str, Json]]:
        """The answers of an annotator that are not the gold, each with what was decided and why."""
        against, asked = self.against, self.asked
        study = against.rest.study
        names = [str(name) for name in study.annotators]
        if annotator not in names:
            raise UnknownName(f"there is no annotator {annotator!r:.60}; there are {listing(names)}")
        rows = np.flatnonzero(against.otherwise & (against.rest.who == names.index(annotator)))
        made: list[dict[str, Json]] = []
        for row in rows.tolist():
            code = int(study.item[row])
            gold = self.rows[study.items[code]]
            text = self._text(code, gold.row)
            words = partial(asked.in_words, text=text)
            made.append(
                {
                    "item": None if gold.decision is None else gold.decision.item or None,
                    "id": without_halves(cell(gold.item)),
                    "text": "" if text is None else without_halves(shortened(text)),
                    "given": without_halves(words(study.values[int(study.value[row])])),
                    "gold": without_halves(words(gold.value)),
                    "origin": gold.origin,
                    "reason": "" if gold.decision is None else gold.decision.reason,
                    "comment": "" if gold.decision is None else gold.decision.comment,
                }
            )
        return made

    def guideline(self) -> Table:
        """The decisions with a reason or a comment, by what was decided: where a guideline needs a word."""
        asked, project = self.asked, self.workspace.project
        explained = [
            laid[-1]
            for (question, _), laid in [*project.decisions.items()]
            if question == asked.name and laid and laid[-1].kind in LAID and (laid[-1].reason or laid[-1].comment)
        ]
        rows = [
            {
                "decided": asked.decided(event),
                "reason": event.reason,
                "comment": event.comment,
                "item": without_halves(cell(json.loads(event.item))),
                "who": event.who,
                "time": event.time,
            }
            for event in explained
        ]
        rows.sort(key=lambda row: (row["decided"], not row["reason"], row["reason"], row["time"]))
        return Table.of(rows, names=("decided", "reason", "comment", "item", "who", "time"))

    def reasons(self) -> Table:
        """How often each reason was given, by what was decided."""
        log = self.guideline()
        counts = Counter(zip(log["decided"], log["reason"], strict=True)).most_common()
        rows = [{"decided": label, "reason": reason, "items": count} for (label, reason), count in counts if reason]
        return Table.of(rows, names=("decided", "reason", "items"))

    def audit(self) -> dict[str, Json]:
        """What somebody found who looked at a sample of the items on which all agree."""
        sample, project = self.workspace.audit(self.asked.name), self.workspace.project
        agreed = int(np.count_nonzero(self.against.rest.size > 1)) - len(self.asked.codes)
        if sample is None or not agreed:
            why = "No sample was drawn yet." if agreed else "There is no item on which several annotators agree."
            return {"size": 0, "agreed": agreed, "sentence": why}
        stands = [(place, project.standing(sample.name, key)) for place, key in enumerate(sample.keys)]
        judged = [(place, event) for place, event in stands if event is not None and event.kind in JUDGED]
        wrong = sum(event.value not in [stored(value) for _, value in sample.answers(place)] for place, event in judged)
        low, high = exact(wrong, len(judged), LEVEL)
        of = f"{len(judged):,} of the {agreed:,} items on which all agree, drawn at random,"
        sentence = (
            f"Of {of} {wrong:,} {'is' if wrong == 1 else 'are'} wrong: {100 * wrong / len(judged):.1f}% (95% interval "
            f"{100 * low:.1f}% to {100 * high:.1f}%, Clopper and Pearson). Whoever looked saw what all had said, so "
            "that it may be more."
            if judged
            else f"None of the {len(sample.keys):,} items that were drawn is decided yet."
        )
        return {
            "size": len(sample.keys),
            "agreed": agreed,
            "judged": len(judged),
            "wrong": wrong,
            "low": finite(low),
            "high": finite(high),
            "level": LEVEL,
            "sentence": sentence,
        }

    def page_for(self, annotator: str) -> Document:
        """A page to give to an annotator: what was decided otherwise, and why; others are not named on it."""
        rows = self.otherwise(annotator)
        columns = {"item": "id", "text": "text", "your answer": "given", "decided": "gold", **WHY}
        made = {title: [row[name] for row in rows] for title, name in columns.items()}
        shown = {title: entries for title, entries in made.items() if title == "item" or any(entries)}
        names = [str(name) for name in self.against.rest.study.annotators]
        count = int(self.against.columns(LEVEL)["n"][names.index(annotator)])
        told = f"Of {counted(count, 'answer')} that you gave and that have a right answer, {len(rows):,} "
        lines = [f"{told}{'was' if len(rows) == 1 else 'were'} decided otherwise.", NO_AGREEMENT]
        title = f"{annotator}: decided otherwise ({self.asked.name})"
        return Document(title, [Section(lines=lines), Section("Decided otherwise", table=Table(shown))])

    def _text(self, code: int, row: int) -> str | None:
        """The text of an item, where there is one that its values can be shown in."""
        asked = self.asked
        if asked.study.kind == "spans":
            shown = None if asked.items is None else asked.items.shown_text(code)
            return None if shown is None or shown.tokens is not None else shown.shown
        entry = None if self._column is None else self._column[row]
        return entry if isinstance(entry, str) else None

    @cached_property
    def _column(self) -> Array | None:
        name = text_column(self.asked.study)
        return None if name is None else self.asked.study.attributes[name]


def after(workspace: Workspace) -> list[dict[str, Json]]:
    """What is told of each question after deciding."""
    return [_of_question(workspace, asked) for asked in workspace.asked.values()]


def _of_question(workspace: Workspace, asked: Asked) -> dict[str, Json]:
    if asked.study.anonymous:
        return {"question": asked.name, "why_not": asked.why_not}
    found = After(workspace, asked)
    solved = found.solved()
    return {
        "question": asked.name,
        "why_not": "",
        "decided": int(found.decided.sum()),
        "people": as_columns(found.people()),
        "solved": None if solved is None else as_columns(solved),
        "reasons": as_columns(found.reasons()),
        "guideline": len(found.guideline()),
        "audit": found.audit(),
    }


def as_columns(table: Table) -> dict[str, Json]:
    """A table for a page: the names of its columns, its first rows, and how many there are."""
    rows = [[finite(entry) if isinstance(entry, float) else _plain(entry) for entry in row.values()] for row in table]
    return {"columns": [*table.columns], "rows": [*rows[:MOST]], "total": len(rows)}


def _plain(entry: object) -> Json:
    return entry if isinstance(entry, int) else without_halves(cell(entry))
