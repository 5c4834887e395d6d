"""The pages as plain data: what reports and queues say of the study, and what the log says of its items."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from interagree import __version__
from interagree.data.types import Json, Value
from interagree.errors import DataError, OptionError, UnknownName, for_command_line, hints_of
from interagree.kinds._views import without_halves
from interagree.people.screening import annotators
from interagree.plugins import WRITERS
from interagree.reports.overview import overview as overview_table
from interagree.reports.overview import sizes
from interagree.reports.story import told
from interagree.reports.story.verdict import standing_of
from interagree.results.scales import THRESHOLDS, on_a_level
from interagree.results.sentences import paper_sentence
from interagree.serve import after as after_deciding
from interagree.serve import export, files
from interagree.serve.edited import Editor, stored
from interagree.serve.pictures import file_of
from interagree.serve.project import LAID, Event
from interagree.serve.sent import checked_rule
from interagree.serve.users import Person
from interagree.serve.workspace import BY_RULE, LETTERS, OPEN, STATUS, Asked, Workspace
from interagree.tables import cell, finite

STATUSES = ("open", "changed", *STATUS.values(), BY_RULE)
LISTED = re.compile(r"\.\s+It may be:?\s*$")  # what a list of readings follows on a terminal
PREVIEWED = 8  # items of which it is told what a rule would make of them
PAGE = 60  # items of a queue that are sent at once
MOST = 500


def state(workspace: Workspace, person: Person | None = None) -> dict[str, Any]:
    """Where reading stands, and for whom, where people have names."""
    return {
        "person": None if person is None else person._asdict(),
        "state": workspace.state,
        "error": workspace.error,
        "name": workspace.name,
        "project": workspace.project.path.name,
        "id": workspace.project.id,
        "version": __version__,
        "reasons": workspace.project.reasons,
        "questions": [*workspace.asked],
        "last": workspace.project.last,
        "live": workspace.live is not None,
    }


def overview(workspace: Workspace) -> dict[str, Any]:
    """How each question stands, and how much of it is decided."""
    if workspace.state != "ready":
        return state(workspace)
    rows = overview_table(workspace.parts, workspace.intervals).rows()
    cards = [_card(workspace, asked, row) for asked, row in zip(workspace.asked.values(), rows, strict=True)]
    return {**state(workspace), "sizes": sizes(workspace.parts), "policy": workspace.policy(), "cards": cards}


def _card(workspace: Workspace, asked: Asked, row: Mapping[str, Any]) -> dict[str, Any]:
    part, story = asked.part, told(asked.part, workspace.intervals)
    lead = part.lead
    finding = next(iter(story.findings), None)
    counts = counted(workspace, asked)
    return {
        "question": asked.name,
        "level": row["level"],
        "kind": asked.study.kind.name,
        "items": row["items"],
        "annotators": row["annotators"],
        "coefficient": "" if lead is None else lead.measure.symbol or lead.measure.title,
        "title": row["coefficient"],
        "value": finite(row["value"]),
        "low": finite(row["low"]),
        "high": finite(row["high"]),
        "thresholds": [*THRESHOLDS] if lead is not None and on_a_level(lead) else [],
        "standing": row["verdict"],
        "meaning": standing_of(part, workspace.intervals).sentence,
        "verdict": story.verdict,
        "first_step": None if finding is None else as_typed(finding.sentence),
        "sentence": None if lead is None else paper_sentence(lead, workspace.intervals.interval(lead)),
        "why_not": asked.why_not,
        "disagreements": len(asked.keys),
        "counts": counts,
        "open": sum(counts[name] for name in OPEN),
    }


def as_typed(sentence: str) -> str:
    """A sentence with its options as a command takes them."""
    return for_command_line(sentence, hints_of(sentence))


def counted(workspace: Workspace, asked: Asked) -> dict[str, int]:
    """How many items with disagreement are open, decided, …."""
    project = workspace.project
    alone = [
        asked.places[item]
        for (question, item), laid in [*project.decisions.items()]
        if question == asked.name and laid and item in asked.places
    ]
    counts = Counter(asked.status(project, place) for place in alone)
    ruled = asked.ruled(project.rules(asked.name))
    ruled[alone] = False
    counts[BY_RULE] = int(ruled.sum())
    counts["open"] = len(asked.keys) - sum(counts.values())
    return {name: counts[name] for name in STATUSES}


def queue(
    workspace: Workspace,
    name: str,
    *,
    show: str,
    offset: int,
    limit: int = PAGE,
    blind: bool = False,
    audit: bool = False,
) -> dict[str, Any]:
    """Items with disagreement, those to look at first in front; or the sample of the others."""
    asked = workspace.around(name, None, audit=audit)
    if show not in ("all", "waiting", "settled", *STATUSES):
        raise OptionError(f"show is all, waiting, settled or one of {', '.join(STATUSES)}; got {show!r:.40}")
    shown = []
    for place, key in enumerate(asked.keys):
        status = asked.status(workspace.project, place)
        waits = "waiting" if status in OPEN else "settled"
        if show in ("all", status, waits):
            shown.append((place, key, status))
    rows = [
        {"item": key, "id": called(asked, place), "rank": place + 1, "type": asked.type(place), "status": status}
        for place, key, status in shown[offset : offset + min(limit, MOST)]
    ]
    rules = [
        {"words": "a rule" if blind else rule_in_words(event), "who": event.who, "time": event.time, "seq": event.seq}
        for event in ([] if audit else workspace.project.rules(name))
    ]
    counts = counted(workspace, asked)
    return {
        "question": name,
        "base": workspace.project.last,
        "total": len(shown),
        "offset": offset,
        "counts": counts,
        "rows": rows,
        "rules": rules,
    }


def rule_in_words(event: Event) -> str:
    """A rule as people read it."""
    wanted = json.loads(event.value or "{}")
    if "agree" in wanted:
        return f"what at least {wanted['agree']} gave, and more than gave anything else"
    return f"what {wanted.get('annotator')} gave"


def preview(workspace: Workspace, name: str, rule: str) -> dict[str, Any]:
    """What a rule would decide, before it is one."""
    asked = workspace.question(name)
    values = asked.by_rule(checked_rule(asked, rule))
    # Not those that changed: they have a decision of their own, which goes before every rule.
    waiting = [
        place for place in np.flatnonzero(values >= 0).tolist() if asked.status(workspace.project, place) == "open"
    ]
    shown = [
        {
            "id": called(asked, place),
            "words": without_halves(asked.in_words(asked.study.values[int(values[place])], None)),
        }
        for place in waiting[:PREVIEWED]
    ]
    return {"question": name, "settles": len(waiting), "first": shown}


def called(asked: Asked, place: int) -> str:
    """What an item is called."""
    return without_halves(cell(asked.study.items[asked.code(place)]))


def item(
    workspace: Workspace, name: str, key: str | None, *, blind: bool, after: str | None = None, audit: bool = False
) -> dict[str, Any]:
    """An item with all answers and what was decided on it; of none named, the next that waits for a decision."""
    asked = workspace.around(name, key or after, audit=audit)
    key = _next(workspace, asked, after) if key is None else key
    if key is None:
        counts = counted(workspace, asked)
        return {"question": name, "item": None, "audit": asked.audit, "counts": counts, "why_not": asked.why_not}
    place = asked.place(key)
    with workspace.lock:
        drawn: dict[str, Any] = asked.item(place)
        about: dict[str, Any] = asked.about(drawn)
    drawn = drawn | {"image": file_of(workspace, drawn) is not None}
    order = [*range(len(drawn["answers"]))]
    if blind:
        random.Random(key).shuffle(order)  # noqa: S311 -- for an order that tells nothing
    values, shown = asked.values, asked.shown_text(place)
    standing = workspace.project.standing(name, key)
    ruled = None if blind or standing is not None else asked.rule_of(workspace.project, place)
    editor = values.editor(shown, [value for _, value in asked.answers(place)])
    return {
        "question": name,
        "item": key,
        "audit": asked.audit,
        "id": called(asked, place),
        "rank": place + 1,
        "of": len(asked.keys),
        "type": asked.type(place),
        **_answers(asked, place, (drawn, about), order, editor, blind=blind),
        "editor": None if editor is None else editor.name,
        "agreed": None if editor is None else _agreed(asked, editor, drawn),
        "kind": asked.study.kind.title,
        "nothing": None if values.empty is None else asked.study.kind.nothing,
        "options": [] if editor is None else [_name(label) for label in editor.options],
        "whole_tokens": shown is not None and shown.tokens is not None,
        "blind": blind,
        "base": workspace.project.last,
        "fingerprint": asked.fingerprint(place),
        "status": asked.status(workspace.project, place),
        "standing": None
        if standing is None
        else {**decision(asked, standing), "edit": _begun(asked, editor, standing)},
        "ruled": None if ruled is None else {"words": asked.in_words(ruled[1], None), "rule": rule_in_words(ruled[0])},
        "annotators": [] if blind else [without_halves(str(who)) for who in asked.study.annotators],
        "counts": counted(workspace, asked),
    }


def _name(label: Value) -> str:
    return without_halves(label if isinstance(label, str) else cell(label))


def _begun(asked: Asked, editor: Editor | None, standing: Event) -> Json:
    """What stands as the page goes on editing it; None where it cannot."""
    if editor is None or standing.kind != "decide":
        return None
    try:
        return editor.begun(asked.values.restored(standing.value or "null"))
    except KeyError:  # a label that no answer has any more
        return None


def _agreed(asked: Asked, editor: Editor, drawn: Mapping[str, Any]) -> dict[str, Any] | None:
    """What all answers have, to be taken at once; None where that is nothing."""
    parts = editor.agreed()
    if parts is None:
        return None
    return {"edit": parts, "words": without_halves(asked.in_words(editor.value(parts), drawn.get("text")))}


def _answers(
    asked: Asked,
    place: int,
    made: tuple[dict[str, Any], dict[str, Any]],
    order: list[int],
    editor: Editor | None,
    *,
    blind: bool,
) -> dict[str, Any]:
    """Who said what, drawn and to choose from; where names are hidden, in another order and without a suggestion."""
    (drawn, about), answers = made, asked.answers(place)
    choices: dict[str, dict[str, Any]] = {}
    for number, at in enumerate(order):
        who, value = answers[at]
        choice = choices.setdefault(
            stored(value),
            {
                "stored": stored(value),
                "words": without_halves(asked.in_words(value, drawn.get("text"))),
                "edit": None if editor is None else editor.begun(value),
                "people": [],
                "suggested": not blind and drawn["answers"][at][1] == drawn["suggested"],
            },
        )
        choice["people"].append(number if blind else who)
    # The most common answer first, unless that would tell something.
    ordered = [*choices.values()] if blind else sorted(choices.values(), key=lambda one: -len(one["people"]))
    for letter, choice in zip(LETTERS, ordered, strict=False):
        choice["letter"] = letter
    if not blind:
        return {"about": about, "drawn": drawn, "remarks": asked.remarks(place), "choices": ordered}
    hidden = {answers[at][0]: number for number, at in enumerate(order)}
    given = [[number, drawn["answers"][at][1]] for number, at in enumerate(order)]
    return {
        "about": {**about, "annotators": [f"Annotator {number + 1}" for number in range(len(order))]},
        "drawn": {name: entry for name, entry in drawn.items() if name != "where"}
        | {"answers": given, "suggested": None},
        "remarks": sorted([hidden[who], column, said] for who, column, said in asked.remarks(place)),
        "choices": ordered,
    }


def _next(workspace: Workspace, asked: Asked, after: str | None) -> str | None:
    """The next item that waits for a decision, from a place on and then from the first."""
    begin = 0 if after is None or after not in asked.places else asked.places[after] + 1
    around = [*range(begin, len(asked.keys)), *range(begin)]
    waiting = (asked.keys[place] for place in around if asked.status(workspace.project, place) in OPEN)
    return next(waiting, None)


def decision(asked: Asked, event: Event) -> dict[str, Any]:
    """A decision as it is shown."""
    kept = ("seq", "time", "who", "kind", "reason", "comment", "blind", "item", "question")
    return {**{name: entry for name, entry in event._asdict().items() if name in kept}, "words": asked.decided(event)}


def decisions(workspace: Workspace) -> dict[str, Any]:
    """The last decisions, the newest first."""
    rows: list[dict[str, Any]] = []
    for event in [*workspace.project.events()][::-1][:MOST]:
        if event.question not in workspace.asked or event.kind == "reasons":
            continue
        asked = workspace.around(event.question, event.item or None)
        known = event.item in asked.places
        rows.append({**in_words(asked, event), "id": called(asked, asked.places[event.item]) if known else event.item})
    return {**state(workspace), "decisions": rows}


def in_words(asked: Asked, event: Event) -> dict[str, Any]:
    """An event of a question as it is shown."""
    if event.kind in LAID:
        return decision(asked, event)
    said = {"undo": "taken back", "audit": "a sample of the items on which all agree"}
    return {**event._asdict(), "words": said.get(event.kind) or rule_in_words(event), "value": None}


def people(workspace: Workspace) -> dict[str, Any]:
    """Who is reliable, as `interagree annotators` says it."""
    made: list[dict[str, Any]] = []
    for asked in workspace.asked.values():
        try:
            answer = annotators(asked.part.study)
        except DataError as error:
            made.append(
                {"question": asked.name, "why_not": as_typed(error.args[0]), "columns": [], "rows": [], "lines": []}
            )
            continue
        section = next((one for one in answer.document().sections if one.table is not None), None)
        table = None if section is None else section.table
        made.append(
            {
                "question": asked.name,
                "why_not": answer.undefined or "",
                "lines": [
                    as_typed(f"{answer.headline()}."),
                    *(f"{who}: {'; '.join(why)}." for who, why in answer.reasons.items()),
                ],
                "columns": [] if table is None else [*table.columns],
                "rows": [] if table is None else [[*map(_short, row.values())] for row in table.rows()],
            }
        )
    return {**state(workspace), "people": made}


def _short(entry: object) -> str:
    return f"{entry:.3g}" if isinstance(entry, float) else cell(entry)


def after(workspace: Workspace, question: str | None, annotator: str | None) -> dict[str, Any]:
    """What annotators gave otherwise than the gold, each apart where one is named."""
    made = {**state(workspace), "note": after_deciding.NO_AGREEMENT}
    if annotator is None:
        return {**made, "after": after_deciding.after(workspace)}
    found = after_deciding.After(workspace, workspace.question(question or ""))
    rows = found.otherwise(annotator)
    return {**made, "question": question, "annotator": annotator, "total": len(rows), "rows": rows[:MOST]}


def live(workspace: Workspace) -> dict[str, Any]:
    """Where a source that is watched stands."""
    if workspace.live is None:
        raise UnknownName("no source is watched; start interagree serve --watch SOURCE")
    return {**state(workspace), **workspace.live.standing()}


def reading(workspace: Workspace) -> dict[str, Any]:
    """How the files were read, or in which ways they can be read."""
    doubt = workspace.doubt
    made: dict[str, Any] = {**state(workspace), "policy": as_typed(workspace.policy()), "doubt": None}
    if doubt is not None:
        files = [doubt.source] if isinstance(doubt.source, str) else [*(doubt.source or ())]
        made["doubt"] = {
            "message": f"{re.split(LISTED, str(doubt.args[0]))[0].rstrip(' .:')}.",
            "readings": [
                {
                    "sentence": one.sentence,
                    "header": [*map(str, one.header)],
                    "rows": [[*map(str, row)] for row in one.rows],
                    "command": one.command(["interagree", "serve", *files]),
                    "python": one.call(doubt.source),
                }
                for one in doubt.readings
            ],
            "closing": "" if doubt.closing is None else for_command_line(doubt.closing, doubt.closing.hints),
        }
    return made


def exports(workspace: Workspace) -> dict[str, Any]:
    """What can be taken home of each question, and where each answer comes from."""
    made: list[dict[str, Any]] = []
    for asked in workspace.asked.values():
        if asked.part.study.anonymous:
            made.append({"question": asked.name, "why_not": asked.why_not, "origins": {}, "tools": [], "back": None})
            continue
        gold = export.gold_of(workspace, asked)
        tools = [
            {"name": name, "title": WRITERS[name].facts.title, "why_not": as_typed(export.why_not(asked, name))}
            for name in WRITERS
        ]
        made.append(
            {
                "question": asked.name,
                "why_not": "",
                "origins": gold.origins,
                "tools": tools,
                "back": export.back_to(asked, workspace.reader),
                "soft": asked.study.kind.name in files.SOFT,
            }
        )
    together = len(export.all_together(workspace)) > 1
    return {**state(workspace), "exports": made, "together": together, "events": workspace.project.last}
