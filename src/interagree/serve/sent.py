"""What the page sends: an event, checked against the item that it is about."""

from __future__ import annotations

import json
from typing import Any

from interagree.errors import DataError, KindError, listing
from interagree.serve.edited import stored
from interagree.serve.project import KINDS, Event
from interagree.serve.users import Person
from interagree.serve.workspace import Asked, Workspace

NEEDED = {"op": (str,), "question": (str,), "item": (str,), "base": (int,), "kind": (str,), "fingerprint": (str,)}
MORE = {
    "who": (str,),
    "reason": (str,),
    "comment": (str,),
    "blind": (bool,),
    "seconds": (int, float),
    "project": (str,),
}
OF_MANY = ("reasons", "audit", "rule")
LARGEST = 2**53
REASONS = 100  # in a list
LARGEST_SAMPLE = 10_000  # items on which all agree


class StaleError(DataError):
    """The answers changed after the decision."""


class OtherProjectError(DataError):
    """The page belongs to another project, which keeps what it sent until it is served again."""


class NotAllowedError(DataError):
    """Somebody's role does not allow it."""


def event_of(workspace: Workspace, sent: object, who: str, person: Person | None = None) -> Event:
    """The event that the page sends.

    Args:
        workspace: What it is about.
        sent: What came, as JSON.
        who: Who decides, where the page does not say.
        person: Who sent it, where people have names.
    """
    event, entries = _plain_event(sent, who)
    event = event if person is None else _of_person(event, person)
    if entries.get("project") not in (None, workspace.project.id):
        raise OtherProjectError("this was decided in another project; start interagree serve with that one again")
    before = workspace.project.event(event.op)
    if before is not None:  # it comes again: the answers to the item may be others by now
        return before
    if event.kind in OF_MANY:
        return _of_many(workspace, event, entries.get("value"))
    if event.kind == "undo" and not event.item:
        workspace.question(event.question)
        return event
    asked = workspace.around(event.question, event.item)
    place = asked.place(event.item)
    if event.kind not in KINDS or event.kind == "undo":
        return event
    if event.fingerprint != asked.fingerprint(place):
        raise StaleError("the answers to this item are not those that were shown; look at it again")
    if event.kind != "decide":
        return event
    if isinstance(entries.get("stored"), str):
        return event._replace(value=stored(asked.values.given(entries["stored"])))
    answers = [value for _, value in asked.answers(place)]
    return event._replace(value=stored(asked.values.edited(entries.get("value"), asked.shown_text(place), answers)))


def _of_person(event: Event, person: Person) -> Event:
    """The event with the name of who sent it, or an error where their role does not allow it."""
    if (event.kind in OF_MANY or not event.item) and not person.may("lead"):
        raise NotAllowedError("your role does not allow to decide on many items at once; ask whoever leads the project")
    return event._replace(who=person.name)


def _of_many(workspace: Workspace, event: Event, sent: object) -> Event:
    """An event that is not about a single item."""
    if event.kind == "reasons":
        return event._replace(question="", item="", value=_reasons(sent))
    asked = workspace.question(event.question)
    if asked.study.anonymous:
        raise KindError(asked.why_not)
    value = _size(sent) if event.kind == "audit" else checked_rule(asked, json.dumps(sent))
    return event._replace(item="", value=value)


def checked_rule(asked: Asked, rule: str) -> str:
    """A rule as it is kept, or an error that says what it is to be."""
    try:
        wanted = json.loads(rule)
    except (ValueError, RecursionError):
        wanted = None
    names = [str(name) for name in asked.study.annotators]
    if isinstance(wanted, dict) and len(wanted) == 1:
        agree, name = wanted.get("agree"), wanted.get("annotator")
        if (type(agree) is int and 2 <= agree <= len(names)) or name in names:
            return json.dumps(wanted)
    raise KindError(
        'a rule is {"agree": N}, with how many annotators gave the same, from 2 up, or {"annotator": NAME}; the '
        f"annotators are {listing(names)}"
    )


def _plain_event(sent: object, who: str) -> tuple[Event, dict[str, Any]]:
    if not isinstance(sent, dict):
        raise KindError("an event is a JSON object")
    for name in sent:
        if name not in {*NEEDED, *MORE, "value", "stored"}:
            raise KindError(f"an event has no {name!r:.40}")
    for name, types in (NEEDED | MORE).items():
        entry = sent.get(name)
        if entry is None and name in MORE:
            continue
        if type(entry) not in types or (isinstance(entry, int | float) and not abs(entry) < LARGEST):
            raise KindError(f"{name!r} is missing in this event, or not of its type")
        if isinstance(entry, str) and not _is_text(entry):
            raise KindError(f"{name!r} holds half of a character")
    given = {name: entry for name, entry in sent.items() if name in Event._fields and entry is not None}
    given.pop("value", None)  # which is checked by what it is about
    return Event(**{"who": who, **given}), sent


def _is_text(entry: str) -> bool:
    try:
        entry.encode()
    except UnicodeEncodeError:
        return False
    return True


def _size(sent: object) -> str:
    size = sent.get("size") if isinstance(sent, dict) and len(sent) == 1 else None
    if type(size) is not int or not 1 <= size <= LARGEST_SAMPLE:
        raise KindError(f'a sample is {{"size": N}}, with N items from 1 to {LARGEST_SAMPLE:,}')
    return json.dumps(sent)


def _reasons(sent: object) -> str:
    texts = [one.strip() for one in sent if isinstance(one, str) and one.strip()] if isinstance(sent, list) else []
    if not isinstance(sent, list) or len(texts) < len(sent) or len(texts) > REASONS:
        raise KindError(f"reasons are a list of at most {REASONS} texts")
    return json.dumps([*dict.fromkeys(texts)])
