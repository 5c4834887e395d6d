"""How a table was read: right, refused, noticed, WRONG or crashed."""

from __future__ import annotations

import collections
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from reading.files import Variant
from reading.sheets import Expected, Row

CLASSES = ("right", "refused", "noticed", "WRONG", "crashed")


def plain(value: Any) -> str | None:
    """A value as it is compared: 1, 1.0 and '1' are the same, and so are TRUE and true."""
    if value is None:
        return None
    if hasattr(value, "item") and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple | dict | set | frozenset):
        unordered = sorted(map(str, value)) if isinstance(value, set | frozenset) else value
        return json.dumps(unordered, ensure_ascii=False, sort_keys=True, default=str)
    text = str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text.lower() if text.lower() in ("true", "false") else text
    return f"{number:g}" if abs(number) < 1e15 else text


Form = tuple[collections.Counter[tuple[str, ...]], collections.Counter[tuple[str, ...]]]


def form(rows: Sequence[tuple[Any, Any, Any]]) -> Form:
    """What must be equal: items and annotators as multisets of values."""
    items: dict[Any, list[str]] = collections.defaultdict(list)
    people: dict[Any, list[str]] = collections.defaultdict(list)
    for item, who, value in rows:
        items[item].append(str(value))
        people[who].append(str(value))
    return tuple(collections.Counter(tuple(sorted(v)) for v in of.values()) for of in (items, people))  # type: ignore[return-value]


def wanted(expected: Expected, question: str) -> Iterator[list[Row]]:
    """The expected annotations of a question, with any choice of the models."""
    base = [(i, a, plain(v)) for i, a, v in expected.questions[question]]
    models: dict[Any, list[Row]] = collections.defaultdict(list)
    for i, a, v in expected.may.get(question, []):
        models[a].append((i, a, plain(v)))
    for size in range(len(models) + 1):
        for some in itertools.combinations(models, size):
            yield base + [row for who in some for row in models[who]]


def is_same(rows: list[Row], anonymous: bool, expected: Expected, question: str) -> bool:  # noqa: FBT001 -- a fact
    """Whether the annotations are those expected."""
    for want in wanted(expected, question):
        if expected.anonymous or anonymous:
            unnamed = anonymous or all(who is None for _, who, _ in rows)
            if expected.anonymous and unnamed and form(rows)[0] == form(want)[0]:
                return True
        elif form(rows) == form(want):
            return True
    return False


def judged(variant: Variant, read: Callable[[Any], Any] | None = None) -> tuple[str, str]:
    """The class of a reading, and what happened."""
    import interagree as ia
    from interagree.errors import InteragreeError

    expected = variant.expected
    try:
        study = (read or ia.read)(str(variant.path))
        got = {
            str(question): ([(str(i), a, plain(v)) for i, a, v in one.rows()], one.anonymous)
            for question, one in study.items()
        }
        steps = [s for one in study.values() for s in one.provenance.steps] + list(study.provenance.steps)
        people = [str(who) for one in study.values() for who in one.annotators]
    except InteragreeError as error:
        surely = expected.ambiguous or not expected.questions
        return ("right" if surely else "refused"), str(error)
    except Exception as error:  # noqa: BLE001 -- this is what the class 'crashed' is for
        return "crashed", f"{type(error).__name__}: {error}"
    reason = difference(got, expected, "; ".join(step.sentence for step in steps))
    if reason is None:
        return "right", ""
    noticed = "; ".join(step.sentence for step in steps if step.what == "noticed")
    taken = "; ".join(dict.fromkeys(step.sentence for step in steps if step.what == "taken"))
    bad = mistaken(people, expected)
    told = (
        noticed
        and all(repr(name) in noticed for name in [*bad, *expected.missing])
        and bool(bad or expected.missing)
    )
    return ("noticed" if told else "WRONG"), f"{reason}; annotators {people[:8]}; {taken}"


def mistaken(people: list[str], expected: Expected) -> list[str]:
    """Those that the study calls annotators and that have nothing of the names of annotators."""
    known = {str(who) for rows in expected.questions.values() for _, who, _ in rows}
    models = {str(who).removeprefix("model ") for rows in expected.may.values() for _, who, _ in rows}
    return [
        name for name in dict.fromkeys(people) if name not in models and not any(who in name for who in known)
    ]


def difference(got: Mapping[str, tuple[list[Row], bool]], expected: Expected, said: str) -> str | None:
    """What tells the study from the expected one, None if nothing does."""
    size = sum(len(rows) for rows, _ in got.values())
    if not expected.questions:
        return f"read as {size} annotations; it must be refused: {expected.why}"
    matched: dict[str, str] = {}
    for question in expected.questions:
        for name, (rows, anonymous) in got.items():
            if name not in matched.values() and is_same(rows, anonymous, expected, question):
                matched[question] = name
                break
    extra = [name for name in got if name not in matched.values()]
    left = [question for question in expected.questions if question not in matched]
    if not extra and (not left or (matched and all(question in said for question in left))):
        return None
    want = {q: len(rows) for q, rows in expected.questions.items()}
    return f"read as { ({q: len(rows) for q, (rows, _) in got.items()}) } annotations, expected {want}"
