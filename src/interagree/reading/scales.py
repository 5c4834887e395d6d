"""What a caller says about values, where a tool's files say everything else: which there are, their order, their kind.

Tables are read with it; the questions of a tool are read first, and it is said of those that it can mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from interagree.data.annotations import Annotations
from interagree.data.study import Study
from interagree.data.values import check_order
from interagree.errors import DataError, InteragreeError, KindError, listing

OPTIONS = ("values", "ordered", "kind")
SIMPLE = (None, "labels")  # kinds of values of which more can be said


def apart(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options for a reader of a tool, and those that are said of the values that it reads."""
    said = {name: options[name] for name in OPTIONS if options.get(name) is not None}
    if said.get("kind") == "spans":  # what readers of spans let through
        del said["kind"]
    return {name: given for name, given in options.items() if name not in said}, said


def with_scale(study: Study, said: Mapping[str, Any]) -> Study:
    """A study with what was said about its values; an error where that fits none of the questions."""
    made: dict[str, Annotations] = {}
    reason: InteragreeError | None = None
    for name, question in study.items():
        if question.of_kind not in SIMPLE:
            continue
        try:
            made[name] = _with(question, said)
        except (DataError, KindError) as error:
            reason = reason or error
    if made:
        return Study({**study, **made}, study.provenance, study.reading)
    if reason is not None:
        raise reason
    option, kinds = next(iter(said)), {str(question.of_kind) for question in study.values()}
    raise KindError(f"{option}= says something of labels and numbers, and the values are {listing(kinds, quote=False)}")


def _with(question: Annotations, said: Mapping[str, Any]) -> Annotations:
    ordered, values = said.get("ordered"), said.get("values")
    if values is not None:
        question = replace(question.declaring(values, ordered=ordered), of_kind=None)
    elif ordered is not None:
        if ordered:
            check_order(question.values)
        question = replace(question, ordered=ordered, of_kind=None)
    taken: Callable[[str], Annotations] = question.taken_as
    return question if said.get("kind") is None else taken(said["kind"])
