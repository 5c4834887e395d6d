"""Values as the results that Label Studio holds for them: the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interagree.readers.label_studio.results import STEPS_OF_A_PATH


def _several(value: object) -> list[str]:
    return sorted(map(str, value)) if isinstance(value, frozenset | set) else [str(value)]


PLAIN: Mapping[str, tuple[str, str, Callable[[Any], object]]] = {  # by the tag: the type, the entry, and what it holds
    "choices": ("choices", "choices", _several),
    "taxonomy": ("taxonomy", "taxonomy", lambda value: [part.split(STEPS_OF_A_PATH) for part in _several(value)]),
    "rating": ("rating", "rating", lambda value: value),
    "number": ("number", "number", lambda value: value),
    "textarea": ("textarea", "text", lambda value: [str(value)]),
    "datetime": ("datetime", "datetime", str),
    "pairwise": ("pairwise", "selected", str),
}


def result_of(
    question: str, control: Mapping[str, Any], value: object, text: str | None = None
) -> list[dict[str, object]]:
    """The results that stand for an answer; none where there is no answer, or where its place is not known.

    Args:
        question: The name of the control.
        control: What the interface of the project says of it.
        value: The answer as a study holds it.
        text: The text that spans lie in, which states what they cover, where it is known.
    """
    tag = str(control.get("type", "")).lower()
    shown = next(iter(control.get("to_name") or [""]))
    named = {"from_name": question, "to_name": shown}
    if value is None:
        return []
    if tag in PLAIN:
        kind, entry, made = PLAIN[tag]
        return [{**named, "type": kind, "value": {entry: made(value)}}]
    on_text = any(isinstance(put, dict) and put.get("type") == "Text" for put in control.get("inputs") or ())
    if tag == "labels" and on_text and isinstance(value, tuple | list):
        return [{**named, "type": "labels", "value": span} for span in _spans(value, text)]
    return []


def _spans(value: Iterable[Any], text: str | None) -> list[dict[str, object]]:
    made = []
    for span in value:
        entries = dict(span) if isinstance(span[0], tuple) else dict(zip(("start", "end", "label"), span, strict=True))
        place: dict[str, object] = {"start": entries["start"], "end": entries["end"]}
        if text is not None:  # Label Studio counts as JavaScript does
            start, end = int(entries["start"]), int(entries["end"])
            place = {"start": _utf16(text[:start]), "end": _utf16(text[:end]), "text": text[start:end]}
        made.append({**place, "labels": [] if entries["label"] is None else [entries["label"]]})
    return made


def _utf16(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
