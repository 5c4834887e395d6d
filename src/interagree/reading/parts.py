"""Which column plays which part, by what the caller says or by its name."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from interagree.data.naming import is_pattern, meant
from interagree.data.provenance import Step
from interagree.errors import ColumnNotFound, Hint, listing, nearest
from interagree.reading.choices import Named

SYNONYMS: dict[str, tuple[str, ...]] = {
    "item": (
        "item", "item_id", "itemid", "task", "task_id", "taskid", "unit", "unit_id", "subject", "subject_id",
        "doc", "doc_id", "document", "document_id", "example", "example_id", "sample", "sample_id",
        "sentence_id", "text_id", "question_id", "instance", "instance_id", "record", "record_id", "post_id",
        "tweet_id", "image_id", "hit_id", "id",
    ),
    "annotator": (
        "annotator", "annotator_id", "annotatorid", "annotated_by", "worker", "worker_id", "workerid", "rater",
        "rater_id", "coder", "coder_id", "user", "user_id", "username", "judge", "judge_id", "judge_model",
        "judge_name", "labeler", "labeler_id", "labeller", "labelled_by", "labeled_by", "observer", "reviewer",
        "assessor", "grader", "ranker", "evaluator", "performer", "who",
    ),
    "value": (
        "value", "values", "label", "labels", "category", "class", "score", "answer", "rating", "code", "annotation",
        "response", "judgment", "judgement", "judgments", "grade", "choice", "verdict", "tag",
    ),
}  # fmt: skip
ROLES = ("item", "annotator", "value")
FILE, ROW = "{file}", "{row}"  # columns that no table has, made where they are asked for
LAST = "id"  # an item only where nothing else is: it is more often the number of the row


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns of a long table."""

    item: Hashable
    annotator: Hashable
    value: Hashable
    guessed: bool  # whether a synonym decided

    def step(self) -> tuple[Step, ...]:
        """What to say about it."""
        if not self.guessed:
            return ()
        return (taken_step(repr(self.item), self.annotator, self.value),)


def taken_step(item: str, annotator: Hashable, value: Hashable) -> Step:
    """The step that says which columns were taken."""
    return Step("taken", f"columns taken: item from {item}, annotator from {annotator!r}, value from {value!r}")


def fitting(role: str, names: Iterable[Hashable], synonyms: Mapping[str, Sequence[str]] = SYNONYMS) -> list[Hashable]:
    """The columns that may play a role: the one of that name, or its first synonym's, else all that have some."""
    called = {name: re.sub(r"[^a-z0-9]+", "_", str(name).lower()).strip("_") for name in names}
    exact = [name for name, word in called.items() if word in {role, synonyms[role][0]}]
    known = [name for name, word in called.items() if word in synonyms[role]]
    strong = [name for name in known if called[name] != LAST]
    return exact[:1] if len(exact) == 1 else strong or known


def roles(
    names: Sequence[Hashable], *, item: Hashable = None, annotator: Hashable = None, value: Hashable = None
) -> Roles:
    """The columns of a long table, or an error that lists what there is."""
    given = {"item": item, "annotator": annotator, "value": value}
    for role, name in given.items():
        if name is not None:
            check(role, name, names)
    columns: dict[str, Hashable] = {role: name for role, name in given.items() if name is not None}
    guessed = False
    for role in given:
        if role in columns:
            continue
        fits = fitting(role, [name for name in names if name not in columns.values()])
        if len(fits) != 1:
            raise _doubtful(role, fits, names)
        columns[role] = fits[0]
        guessed |= fits[0] != role
    return Roles(columns["item"], columns["annotator"], columns["value"], guessed)


def fitting_columns(annotator: Named, names: Sequence[Hashable]) -> Named:
    """The columns of annotators with patterns such as 'human_*' written out; what is not a pattern is left alone."""
    given: Sequence[Hashable]
    if isinstance(annotator, list):
        given = annotator
    else:
        given = annotator if isinstance(annotator, tuple) and annotator not in names else (annotator,)
    if not any(is_pattern(name) and name not in names for name in given):
        return annotator
    columns: dict[Hashable, None] = {}
    for name in given:
        fits = meant(name, names) or (name,)
        if is_pattern(name) and fits == (name,) and name not in names:
            raise ColumnNotFound(f"there is no column that fits the pattern {name!r}; the table has {listing(names)}")
        columns.update(dict.fromkeys(fits))
    return [*columns]


def check(role: str, name: object, names: Sequence[Hashable]) -> None:
    """An error where a column that was asked for is not there."""
    if name not in names and name not in (FILE, ROW):
        close = nearest(str(name), map(str, names))
        hints = [] if close is None else [Hint(role, close)]
        raise ColumnNotFound(
            f"there is no column {name!r} to take the {role} from; the table has {listing(names)}."
            + "".join(f" Did you mean {hint}?" for hint in hints),
            hints=hints,
        )


def _doubtful(role: str, fits: list[Hashable], names: Sequence[Hashable]) -> ColumnNotFound:
    if fits:
        hint = Hint(role, fits[0])
        return ColumnNotFound(
            f"{listing(fits)} could all be the {role}; say which, as in {hint} (the table has {listing(names)})",
            hints=[hint],
        )
    others = {name for other in SYNONYMS if other != role for name in fitting(other, names)}
    free = [str(name) for name in names if name not in others] or [str(name) for name in names] or ["column"]
    near = next((close for word in SYNONYMS[role] if (close := nearest(word, free)) is not None), None)
    hint = Hint(role, free[0] if near is None else near)
    advice = f"Name it, as in {hint}." if near is None else f"Did you mean {hint}?"
    wide, by_file, several = Hint("layout", "wide"), Hint("annotator", FILE), Hint("value", ["one", "other"])
    columns = f" If each column holds the values of one annotator, pass {wide};"
    more = {
        "annotator": f"{columns} if the whole file is by one annotator, read it with {by_file}.",
        "value": f"{columns} for several questions, name several columns, as in {several}.",
    }
    return ColumnNotFound(
        f"there is no column to take the {role} from; the table has {listing(names)}. {advice}{more.get(role, '')}",
        hints=[hint, wide, by_file, several],
    )
