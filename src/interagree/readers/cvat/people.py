"""Who annotated, in files of CVAT: assignees, names of tasks, or a file for each annotator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import Step
from interagree.errors import FormatError, Hint, KindError, listing
from interagree.readers._whose import BY_FILE, BY_FOLDER, by_file, step_by
from interagree.readers.cvat.content import Content, Image, assignee

ASSIGNEE = "assignee"
BY_TASK = Hint("annotator", "{task}")


class Owned(NamedTuple):
    """A file, and who annotated each of its images and frames, in their order."""

    content: Content
    people: list[str]


def people_of(contents: Sequence[Content], wanted: str | None) -> tuple[list[Owned], Step]:
    """Who annotated the images of each file, and how that was told."""
    if wanted is not None and wanted != ASSIGNEE and "{" not in wanted:
        raise KindError(f"annotator must be 'assignee', '{{file}}', '{{folder}}' or '{{task}}', got {wanted!r}")
    # One name may be that of several images, in several subsets of a project.
    ways = [list(contents), [content.with_subsets() for content in contents]]
    if wanted is not None and wanted != ASSIGNEE:
        made = [[Owned(content, _filled(content, wanted)) for content in way] for way in ways]
        chosen = next((owned for owned in made if _apart(owned)), made[0])
        return chosen, step_by(wanted, _names(chosen))
    assigned = [[_assigned(content) for content in way] for way in ways]
    complete = [[owned for owned in way if owned is not None] for way in assigned]
    for owned in complete:
        if len(owned) == len(contents) and (_apart(owned) or wanted == ASSIGNEE):
            return owned, step_by("the assignee of the job or the task", _names(owned))
    if wanted == ASSIGNEE:
        raise FormatError(
            f"{_files(contents)}: a job or task has no assignee; {BY_FILE} takes the name of the file", hints=[BY_FILE]
        )
    for way in ways:
        people = by_file([content.source for content in way], [[image.item for image in c.every()] for c in way])
        if people is not None:
            owned = [Owned(c, [name] * len(c.every())) for c, name in zip(way, people, strict=True)]
            if _apart(owned):
                return owned, step_by("file", people)
    raise _nobody(contents, complete[0])


def _nobody(contents: Sequence[Content], assigned: Sequence[Owned]) -> FormatError:
    hints = [BY_FILE, BY_FOLDER]
    if any(len(content.tasks()) > 1 for content in contents):
        hints.append(BY_TASK)
    why = "a job or task has no assignee"
    if len(assigned) == len(contents):
        why = f"{listing(sorted(set(_names(assigned))))} would have the same images twice"
    ways = ", ".join(map(str, hints[:-1])) + f" or {hints[-1]}"
    return FormatError(
        f"{_files(contents)}: nothing tells who annotated ({why}); export each job by itself, with an assignee, give a "
        f"file for each annotator, or pass {ways}",
        hints=hints,
    )


def _filled(content: Content, pattern: str) -> list[str]:
    words, tasks = pattern_words(content.source), content.tasks()
    names = {key: (task.findtext("name") or "").strip() for key, task in tasks.items()}

    def filled(image: Image) -> str:
        task = names.get(image.task or "", names.get("", ""))
        if "{task}" in pattern and not task:
            raise FormatError(f"{image.where}: its task has no name to take the annotator from")
        return fill_pattern(pattern, {**words, "task": task}, option="annotator")

    return [filled(image) for image in content.every()]


def _assigned(content: Content) -> Owned | None:
    """A file with the assignees of its tasks; None where one has none."""
    names = {key: assignee(task) for key, task in content.tasks().items()}
    people = [names.get("") or names.get(image.task or "") for image in content.every()]
    known = [name for name in people if name is not None]
    return Owned(content, known) if len(known) == len(people) else None


def _apart(owned: Sequence[Owned]) -> bool:
    """Whether nobody has an image twice."""
    pairs = [
        (image.item, name) for content, people in owned for image, name in zip(content.every(), people, strict=True)
    ]
    return len(set(pairs)) == len(pairs)


def _names(owned: Sequence[Owned]) -> list[str]:
    return list(dict.fromkeys(name for _, people in owned for name in people))


def _files(contents: Sequence[Content]) -> str:
    return listing((content.source.name for content in contents), quote=False, most=4)
