"""What a project says of its users and of how far they are with their documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.data.provenance import counted
from interagree.errors import Advice, FormatError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.gather.units import check_word
from interagree.readers._layers import GROUND_TRUTH, Annotated
from interagree.readers._rows import field_of
from interagree.readers.inception.files import PROJECT

NEW, STARTED, FINISHED, IGNORED, LOCKED = "NEW", "IN_PROGRESS", "FINISHED", "IGNORE", "LOCKED"
UNKNOWN = "UNKNOWN"  # the project says nothing of it
STATES = (NEW, STARTED, FINISHED, IGNORED, LOCKED, UNKNOWN)


class Project(NamedTuple):
    """Users, and the state of each document of each of them."""

    name: str
    users: set[str]
    states: Mapping[tuple[str, str], str]  # by document and user


def project_of(folder: Path) -> Project:
    """What the description of a project says."""
    source = Source.of(min(folder.glob(PROJECT)))
    content = source.json()
    if not isinstance(content, dict):
        raise FormatError(f"{source.name}: expected the description of a project, an object, found {content!r:.60}")
    states: dict[tuple[str, str], str] = {}
    for entry, where in _objects(content, "annotation_documents", source):
        name, user = field_of(entry, "name", str, where), field_of(entry, "user", str, where)
        state = str(entry.get("state") or UNKNOWN).upper().replace("-", "_").replace("INPROGRESS", STARTED)
        states[name, user] = state if state in STATES else UNKNOWN
    users = {user for _, user in states}
    for entry, where in _objects(content, "project_permissions", source):
        users.add(field_of(entry, "user", str, where))
    return Project(source.name, users, states)


def _objects(content: Mapping[str, Any], key: str, source: Source) -> list[tuple[dict[str, Any], str]]:
    made = []
    for at, entry in enumerate(field_of({key: [], **content}, key, list, source.name)):
        where = f"{source.name}, /{key}/{at}"
        if not isinstance(entry, dict):
            raise FormatError(f"{where}: expected an object, found {entry!r:.60}")
        made.append((entry, where))
    return made


def wanted_states(states: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """The states that were asked for."""
    if states is None:
        return None
    named = states.split(",") if isinstance(states, str) else states
    wanted = tuple(str(state).strip().upper() for state in named)
    for state in wanted:
        check_word("states", state, STATES)
    return wanted


def by_state(
    documents: Sequence[Annotated], project: Project, wanted: tuple[str, ...] | None, gathered: Gatherer
) -> list[Annotated]:
    """The documents that were looked at, by what the project says of them; the others are counted."""
    finished = FINISHED in project.states.values()
    kept: list[Annotated] = []
    dropped: Counter[str] = Counter()
    empty = 0
    for document in documents:
        state = project.states.get((str(document.item), document.annotator), UNKNOWN)
        if document.annotator == GROUND_TRUTH or (state == FINISHED and wanted is None):
            kept.append(document)
        elif wanted is not None:
            kept += [document] if state in wanted else []
            dropped[state] += state not in wanted
        elif state in {NEW, IGNORED} or (state == STARTED and finished):
            dropped[state] += 1
        elif document.empty:
            empty += 1
        else:
            kept.append(document)
    for state, times in dropped.items():
        if times:
            both = ReaderHint("states", [FINISHED, state] if state != FINISHED else [FINISHED])
            gathered.left_out("document", Advice.of(f"in the state {state} left out (", both, " takes them)"), times)
    gathered.left_out("document", "that nobody finished and nothing is marked in left out", empty)
    _note(gathered, project, kept, documents, finished=finished or wanted is not None)
    return kept


def _note(
    gathered: Gatherer, project: Project, kept: Sequence[Annotated], documents: Sequence[Annotated], *, finished: bool
) -> None:
    if not finished and kept:
        sentence = f"nobody finished a document, so {counted(len(kept), 'document')} in progress taken as looked at"
        gathered.note("assumed", sentence, len(kept))
    there = {(document.item, document.annotator) for document in documents}
    lacking = [key for key, state in project.states.items() if state == FINISHED and key not in there]
    if lacking:
        sentence = (
            f"{counted(len(lacking), 'finished document')} without a file of annotations, as {lacking[0][0]!r} of "
        )
        gathered.note("noticed", sentence + repr(lacking[0][1]), len(lacking))
