"""Every public function on hardly any data, of every kind of value: an answer that can be shown, or an error of ours.

What takes a study is found by its signature, so that a function added tomorrow is tested by this without being named.
"""

from __future__ import annotations

import inspect
import json
import os
import warnings
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import interagree as ia
from interagree._rooms import everything
from interagree.errors import InteragreeError
from interagree.errors.bounds import BOUNDS, Bounds
from interagree.errors.options import declared, wanted
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
    yield "all missing", [(f"i{number}", name, None) for number in range(3) for name in "ab"]
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


# -- options at the edges of what they take, drawn together ----------------------------------------------------------

DRAWN = frozenset(("seed", "resamples", "repeats", "samples", "draws", "restarts"))  # how long it takes
MANY = int(os.environ.get("INTERAGREE_FUZZ_CALLS", "5000"))
SEED = int(os.environ.get("INTERAGREE_FUZZ_SEED", "1000"))


def _edges(name: str, annotation: object) -> list[Any]:
    """The words that an option takes, and the numbers at the ends of its bounds and just inside."""
    kind = wanted(annotation, name)
    edges: list[Any] = [*kind.choices]
    if "number" in kind.words:
        bounds = BOUNDS.get(name, Bounds(-1, 2))
        inside = (bounds.low + 1e-9, (max(bounds.low, 0) + min(bounds.high, 9)) / 2, min(bounds.high, 99) - 1e-9)
        numbers = [number for number in (bounds.low, bounds.high, *inside) if abs(number) < 100]
        whole = [round(number) for number in numbers] + [1, 2]
        edges += whole if "whole" in kind.words else [*numbers, *whole]
    edges += [True, False] if "True" in kind.words else []
    return edges + ([None] if kind.fits(None) else [])


def _options(function: Callable[..., Any]) -> dict[str, list[Any]]:
    names = getattr(inspect.unwrap(function), "__globals__", {})
    options = {
        one.name: _edges(one.name, declared(one.annotation, names))
        for one in inspect.signature(function).parameters.values()
        if one.kind is one.KEYWORD_ONLY and one.name not in DRAWN
    }
    return {name: edges for name, edges in options.items() if edges}


def _drawn(rng: Random) -> ia.Annotations:
    """A small study of any kind, with gaps."""
    kind = KINDS[rng.choice(sorted(KINDS))]
    people, share = "abcd"[: rng.choice((1, 2, 2, 3, 4))], rng.choice((0.4, 1.0))
    rows = [
        (f"i{n}", who, rng.choice(kind.examples))
        for n in range(rng.choice((1, 2, 5, 12)))
        for who in people
        if rng.random() < share
    ]
    return ia.Annotations.of(rows, kind=kind.name)


def _failed_calls(seeds: range) -> list[str]:
    functions = [(name, function, studies, _options(function)) for name, function, studies in _functions()]
    failed = []
    for seed in seeds:
        rng = Random(seed)
        name, function, studies, options = rng.choice(functions)
        given = {option: rng.choice(edges) for option, edges in options.items() if rng.random() < 0.15}
        try:
            study = _drawn(rng)
            if name in SLOW and study.kind != "spans":
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                _shown(function(*[study] * studies, **given))
        except InteragreeError:
            continue
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is not one of ours
            failed.append(f"{seed}: {name} with {given}: {error!r}")
    return failed


def test_options_at_their_edges_are_answered_or_refused() -> None:
    assert _failed_calls(range(150)) == []


@pytest.mark.slow
def test_many_options_at_their_edges_are_answered_or_refused() -> None:
    assert _failed_calls(range(SEED, SEED + MANY)) == []


def test_there_are_functions_to_try() -> None:
    assert len([*_functions()]) > 80
