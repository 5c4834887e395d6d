"""A project on a running Label Studio server: read page by page, and, where that is asked for, written to.

The token is in the environment, as LABEL_STUDIO_API_KEY: a personal access token or a legacy one.

Reading writes nothing.  `push` puts a queue of items into the project as predictions: the suggested answer, where there
is one, and how much the item is worth as its score.  They bear a model version of their own, by which they are replaced
when a queue is pushed again, and by which a tab of the Data Manager shows only them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any, NamedTuple

from interagree.data.files import Source, read_once
from interagree.data.provenance import counted
from interagree.data.types import Json
from interagree.errors import DataError, Hint, listing
from interagree.progress import steps
from interagree.readers._rows import list_in
from interagree.readers.label_studio.address import Address
from interagree.readers.label_studio.answers import result_of
from interagree.readers.label_studio.server import Server

PAGE = 100  # tasks that are asked for at once
AGAIN = 2  # how often a project is read that changes meanwhile


class Suggestion(NamedTuple):
    """An item of a queue: the task, the suggested answer, None where there is none, and what it is worth."""

    task: object
    answer: object
    score: float
    text: str | None = None  # that spans lie in


def source(address: str) -> Source:
    """The tasks of a project, as a file would hold them; read once by a command, however often it looks."""
    place = Address.of(address)
    return Source(place.name, None, read_once(place.name, lambda: json.dumps(all_tasks(Server(place))).encode()))


def all_tasks(server: Server) -> list[dict[str, Json]]:
    """All tasks of a project with their annotations."""
    for _ in range(AGAIN):
        tasks, total = _page(server, 1)
        totals, pages = {total}, ceil(total / PAGE)
        for number in steps(range(2, pages + 1), f"reading {server.address.name}", total=pages - 1):
            further, total = _page(server, number)
            tasks += further
            totals.add(total)
        if totals == {len({task["id"] for task in tasks})} == {len(tasks)}:
            return tasks
    raise DataError(
        f"{server.address.name}: tasks came or went while they were read (of {listing(sorted(totals), quote=False)} "
        f"came {len(tasks)}); read the project again"
    )


def _page(server: Server, number: int) -> tuple[list[Any], int]:
    asked = {"project": server.address.project, "page": number, "page_size": PAGE, "fields": "all"}
    answer = server.get("/api/tasks/", **asked, resolve_uri="false")
    tasks, total = (answer.get(name) for name in ("tasks", "total")) if isinstance(answer, dict) else (None, None)
    known = isinstance(tasks, list) and all(isinstance(t, dict) and isinstance(t.get("id"), int) for t in tasks)
    if not known or not isinstance(tasks, list) or not isinstance(total, int):
        raise DataError(
            f"{server.address.name}: expected a page of tasks, found {answer!r:.60}; is this a Label Studio server of "
            "version 1.0 or later?"
        )
    return tasks, total


def push(address: str, question: str, queue: Iterable[Suggestion]) -> str:
    """Write a queue into a project as predictions, in place of those that were pushed before; what was done, in words.

    Args:
        address: Where the project is.
        question: The name of the control that the answers are of.
        queue: The items, which must be tasks of the project by their numbers.
    """
    server = Server(Address.of(address))
    version = f"interagree: {question}"
    control = _control(server, question)
    known = {task.get("id"): task for task in all_tasks(server)}
    wanted = list(queue)
    strange = [row.task for row in wanted if row.task not in known]
    if strange:
        by_id = Hint("item", "id")
        raise DataError(
            f"{server.address.name}: there is no task {strange[0]!r:.60} in the project; read the project with {by_id} "
            "to push a queue",
            hints=[by_id],
        )
    before: dict[object, list[int]] = {
        number: [
            made["id"]
            for made in list_in(task, "predictions")
            if isinstance(made, dict) and made.get("model_version") == version and isinstance(made.get("id"), int)
        ]
        for number, task in known.items()
    }
    bare = 0
    for row in steps(wanted, f"writing to {server.address.name}", total=len(wanted)):
        result = result_of(question, control, row.answer, row.text)
        bare += not result
        body = {"task": row.task, "result": result, "score": row.score, "model_version": version}
        ids = before.pop(row.task)
        if ids:
            server.send("PATCH", f"/api/predictions/{ids[0]}/", body)
            before[row.task] = ids[1:]
        else:
            server.send("POST", "/api/predictions/", body)
    over = [number for ids in before.values() for number in ids]
    for number in over:
        server.send("DELETE", f"/api/predictions/{number}/")
    _view(server, version)
    parts = [f"{counted(len(wanted), 'item')} written to {server.address.name} as predictions of {version!r}"]
    parts += [f"{bare:,} of them without an answer, as none is suggested or it cannot be drawn"] if bare else []
    parts += [f"{counted(len(over), 'earlier prediction')} of it removed"] if over else []
    return "; ".join(parts)


def _control(server: Server, question: str) -> Mapping[str, Any]:
    """What the labelling interface says of a question."""
    project = server.get(f"/api/projects/{server.address.project}/")
    controls = project.get("parsed_label_config") if isinstance(project, dict) else None
    controls = controls if isinstance(controls, dict) else {}
    control = controls.get(question)
    if not isinstance(control, dict):
        raise DataError(
            f"{server.address.name}: the project has no control {question!r} that answers could be written for; it has "
            f"{listing(controls)}"
        )
    return control


def _view(server: Server, version: str) -> None:
    """A tab of the Data Manager that shows what was pushed, the items worth most first; made once."""
    views = server.get("/api/dm/views/", project=server.address.project)
    data = [view.get("data") for view in views if isinstance(view, dict)] if isinstance(views, list) else []
    if any(isinstance(view, dict) and view.get("title") == version for view in data):
        return
    bearing = {"filter": "filter:tasks:predictions_model_versions", "operator": "contains", "type": "List"}
    shown = {"conjunction": "and", "items": [{**bearing, "value": version}]}
    made = {"title": version, "filters": shown, "ordering": ["-tasks:predictions_score"]}
    server.send("POST", "/api/dm/views/", {"project": server.address.project, "data": made})
