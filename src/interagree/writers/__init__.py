"""The way back: queues, consensus and gold standards in the import formats of the tools where people annotate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from interagree.data import Annotations, Study
from interagree.data.writing import write_file, write_folder
from interagree.errors import Hint, KindError, listing
from interagree.errors.options import checks_options
from interagree.plugins import WRITERS

if TYPE_CHECKING:
    from interagree.crowd.consensus import ConsensusAnswer
    from interagree.people.queue import Queue

__all__ = ["export"]


@checks_options
def export(
    decisions: Queue | ConsensusAnswer | Annotations | Study,
    path: str | Path,
    *,
    to: str,
    question: str | None = None,
    gold: bool = False,
    **options: object,
) -> Path:
    """Write a queue, a consensus or right answers for a tool to import; what was suggested is there to be corrected.

    Args:
        decisions: A queue (`disagreements`), a consensus, or a study of one annotator, whose answers are then right.
        path: The file; for brat and WebAnno, the folder, which must not hold anything yet.
        to: The tool: "label_studio", "prodigy", "doccano", "brat", "conll", "coco", "webanno" or "excel"; options of
            its writer may follow, as in "coco:width=640,height=480".
        question: What the question is called in the tool; by default as in the study.
        gold: Whether the answers of a consensus are right, and not suggestions.
        options: What the writer takes: see the reference of writers.

    Returns:
        Where it was written.

    Examples:
        >>> import json, tempfile
        >>> import interagree as ia
        >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "dog", "dog"]}
        >>> queue = ia.disagreements(labels)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = ia.export(queue, Path(folder, "queue.jsonl"), to="prodigy", question="animal")
        ...     json.loads(path.read_text())["accept"]
        ['dog']
    """
    from interagree.people.decisions import Decisions

    made = Decisions.of(decisions, question=question, gold=gold)
    tool, _, spelled = to.partition(":")
    chosen = WRITERS[tool.strip().replace("-", "_")]
    options = {**_options(to, spelled), **options}
    facts = chosen.facts
    if made.kind not in facts.kinds:
        able = [name for name in WRITERS if made.kind in WRITERS[name].facts.kinds]
        instead = f"; those can be written for {listing(able, quote=False)}" if able else ""
        raise KindError(
            f"{facts.title} takes {listing(facts.kinds, quote=False)}, and the answers are {made.kind}{instead}",
            hints=[Hint("to", able[0])] if able else (),
        )
    content: str | bytes | Mapping[str, str] = chosen(made, **options)
    place = Path(path)
    if isinstance(content, str | bytes):
        write_file(place, content)
    else:
        write_folder(place, content)
    return place


def hand_back(answer: Queue | ConsensusAnswer, path: Path, to: str | None, question: str) -> Path:
    """Write a queue or a consensus for a tool, or as a table of interagree's own where none is named; returns where."""
    from interagree.people.queue import Queue
    from interagree.readers import write

    if to is not None:
        export(answer, path, to=to, question=question)
    elif isinstance(answer, Queue):
        answer.write(path)
    else:
        write(answer.to_annotations(), path)
    return path


def _options(to: str, spelled: str) -> dict[str, object]:
    """What follows the name of a tool: NAME=VALUE, separated by commas."""
    made: dict[str, object] = {}
    for part in filter(None, spelled.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name.isidentifier():
            raise KindError(f"to={to!r} is not a tool with options, as in 'coco:width=640,height=480'")
        made[name] = float(value) if value.replace(".", "", 1).isdigit() else value
    return made
