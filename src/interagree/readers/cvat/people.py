"""Who annotated, in files of CVAT: assignees, names of tasks, or a file for each annotator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import Step
from interagree.errors import FormatError, Hint, KindError, listing
from interagree.gather.whose import BY_FILE, BY_FOLDER, by_file, shared, step_by
from interagree.readers.cvat.content import Content

ASSIGNEE = "assignee"
BY_TASK = Hint("annotator", "{task}")
Names: TypeAlias = list[list[str]]  # of images, or of people, by file


def people_of(contents: Sequence[Content], wanted: str | None) -> tuple[Names, Names, Step]:
    """What the images of each file are called, who annotated them, and how that was told."""
    pattern = wanted if wanted is not None and "{" in wanted else None
    if wanted is not None and wanted != ASSIGNEE and pattern is None:
        raise KindError(f"annotator must be 'assignee', '{{file}}', '{{folder}}' or '{{task}}', got {wanted!r}")
    # One name may be that of several images, in several subsets of a project.
    ways = [[content.names(subsets=subsets) for content in contents] for subsets in (False, True)]
    people = [_assigned(content) if pattern is None else _filled(content, pattern) for content in contents]
    complete = all(name for some in people for name in some)
    if complete:
        apart = [items for items in ways if _apart(items, people)]
        if apart or wanted is not None:
            how = pattern or "the assignee of the job or the task"
            return (apart or ways)[0], people, step_by(how, [name for some in people for name in some])
    elif wanted == ASSIGNEE:
        raise FormatError(
            f"{_files(contents)}: a job or task has no assignee; {BY_FILE} takes the name of the file", hints=[BY_FILE]
        )
    for items in ways:
        told = by_file([content.source for content in contents], items)
        if told is None:
            continue
        owners = [[name] * len(some) for name, some in zip(told[0], items, strict=True)]
        if _apart(items, owners):
            return items, owners, told[1]
    why = "a job or task has no assignee"
    if complete:
        why = f"{listing(sorted({name for some in people for name in some}))} would have the same images twice"
    hints = [BY_FILE, BY_FOLDER, *[BY_TASK] * any(len(content.tasks()) > 1 for content in contents)]
    further = ", ".join(map(str, hints[:-1])) + f" or {hints[-1]}"
    raise FormatError(
        f"{_files(contents)}: nothing tells who annotated ({why}); export each job by itself, with an assignee, give a "
        f"file for each annotator, or pass {further}",
        hints=hints,
    )


def _filled(content: Content, pattern: str) -> list[str]:
    words, names = pattern_words(content.source), _by_task(content, "name")
    made = []
    for image, task in zip(content.images, names, strict=True):
        if "{task}" in pattern and not task:
            raise FormatError(f"{image.where}: its task has no name to take the annotator from")
        made.append(fill_pattern(pattern, {**words, "task": task}, option="annotator"))
    return made


def _assigned(content: Content) -> list[str]:
    """The assignees of the job, or of the task of each image; empty where there is none."""
    names = zip(_by_task(content, "assignee/username"), _by_task(content, "assignee"), strict=True)
    return [username or plain for username, plain in names]


def _by_task(content: Content, path: str) -> list[str]:
    """What is said of the task of each image, or else of the job."""
    said = {key: (task.findtext(path) or "").strip() for key, task in content.tasks().items()}
    return [said.get(image.task) or said.get("", "") for image in content.images]


def _apart(items: Names, people: Names) -> bool:
    """Whether nobody has an image twice."""
    return shared(pair for some in zip(items, people, strict=True) for pair in zip(*some, strict=True)) >= 0


def _files(contents: Sequence[Content]) -> str:
    return listing((content.source.name for content in contents), quote=False, most=4)
