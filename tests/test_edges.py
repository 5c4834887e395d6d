"""Every public function on hardly any data, of every kind of value: an answer that can be shown, or an error of ours.

What takes a study is found by its signature, so that a function added tomorrow is tested by this without being named.
"""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import interagree as ia
from interagree._rooms import everything
from interagree.errors import InteragreeError
from interagree.kinds import Kind
from interagree.plugins import KINDS

DATA = frozenset(("data", "study", "first"))  # what functions of data call their first parameter
SLOW = frozenset(("gamma", "gamma_cat", "compare_distances"))  # on complex values; they have tests of their own


def _functions() -> Iterator[tuple[str, Callable[..., Any], int]]:
    """The functions that take a study, each with how many studies it takes."""
    for name, function in everything().items():
        if isinstance(function, type) or not callable(function):
            continue
        parameters = [*inspect.signature(function).parameters.values()]
        if parameters and parameters[0].name in DATA:
            positional = [one for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
            needed = [one for one in parameters if one.default is one.empty and one.kind is one.KEYWORD_ONLY]
            if not needed:
                yield name, function, sum(one.default is one.empty for one in positional)


def _studies(kind: Kind) -> Iterator[tuple[str, list[tuple[str, str, Any]]]]:
    values = kind.examples
    yield "empty", []
    yield "one item", [("i", name, value) for name, value in zip("abcd", values, strict=False)]
    yield "one annotator", [(f"i{number}", "a", value) for number, value in enumerate(values)]
    yield "one label", [(f"i{number}", name, values[0]) for number in range(3) for name in "ab"]
    yield "nothing in common", [(f"i{number}", "ab"[number % 2], value) for number, value in enumerate(values)]


def _shown(answer: object) -> None:
    str(answer)
    repr(answer)
    for way in ("_repr_html_", "table", "document", "headline"):
        if hasattr(answer, way):
            getattr(answer, way)()
    if hasattr(answer, "to_dict") and not isinstance(answer, ia.Table):
        json.dumps(answer.to_dict(), allow_nan=False)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_functions_of_hardly_any_data_answer_or_say_why_not(kind: str) -> None:
    failed = []
    for shape, rows in _studies(KINDS[kind]):
        try:
            study = ia.Annotations.of(rows, kind=kind)
        except InteragreeError:
            continue
        for name, function, studies in _functions():
            if name in SLOW and kind != "spans":
                continue
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    _shown(function(*[study] * studies))
            except InteragreeError:
                pass
            except Exception as error:  # noqa: BLE001 -- whatever it is, it is not one of ours
                failed.append(f"{name} of {shape}: {error!r}")
    assert not failed


def test_there_are_functions_to_try() -> None:
    assert len([*_functions()]) > 80
