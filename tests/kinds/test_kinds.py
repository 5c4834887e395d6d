"""What holds of every kind of value, those of plug-ins included, and what adding one takes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree.choose import defaults, design_of
from interagree.kinds import Declared, Kind, in_turn, recognised
from interagree.kinds._kind import PLUGGED_IN, only_when_stated
from interagree.kinds._noise import Noise, degrade
from interagree.kinds._recognition import FIRST, LAST, NOT_TEXT
from interagree.plugins import DISTANCES, KINDS, MEASURES

each = pytest.mark.parametrize("name", [*KINDS])
MANY_NEEDED = {"text": "fewer than ten texts may be labels with long names"}


@each
def test_examples_are_well_formed_and_recognised(name: str) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert len(set(kind.examples)) >= 3
    assert [kind.why_not(value) for value in kind.examples] == [None] * len(kind.examples)
    kind.packed(kind.examples)
    if kind.likely is not only_when_stated and name not in MANY_NEEDED:
        assert recognised(kind.examples).kind == name


@each
def test_what_a_kind_names_is_there(name: str) -> None:
    kind = KINDS[name]
    assert kind.distance in DISTANCES
    assert kind.distance in kind.distances
    assert all(distance in DISTANCES for distance in kind.distances)
    rows = [(i, who, value) for i, value in enumerate(kind.examples) for who in "ab"]
    study = ia.Annotations.of(rows, kind=name if kind.can_be_stated else None, ordered=name == "ordered" or None)
    further = () if kind.further_measures is None else kind.further_measures(design_of(study))
    assert all(spec.partition(":")[0] in MEASURES for spec in (*kind.measures, *further))
    assert study.kind == name
    assert defaults(study)
    if kind.noise is not None:
        assert kind.noise().errors


@each
def test_a_kind_is_equal_to_its_name_and_can_be_sent(name: str) -> None:
    kind = KINDS[name]
    assert kind == name
    assert len({kind, name}) == 1
    assert f"{kind}" == str(kind) == name
    assert kind != "something else"
    assert pickle.loads(pickle.dumps(kind)) is kind


def test_no_two_kinds_are_tried_at_once_and_something_always_fits() -> None:
    ranks = [kind.rank for kind in in_turn()]
    simple = [kind.name for kind in in_turn() if not kind.complex]
    assert simple == [*FIRST, *LAST]
    assert [kind.name for kind in in_turn() if kind.rank < PLUGGED_IN] == [*FIRST]
    assert ranks == sorted(set(ranks))
    assert in_turn()[-1].recognise([object()], Declared()) is not None


@given(st.lists(st.text(), min_size=1))
def test_kinds_that_are_passed_over_take_no_text(texts: list[str]) -> None:
    for name in NOT_TEXT:
        assert all(KINDS[name].why_not(text) is not None for text in texts)
        assert KINDS[name].recognise(texts, Declared()) is None


@each
def test_kinds_whose_examples_are_texts_are_not_passed_over(name: str) -> None:
    assert not (name in NOT_TEXT and any(isinstance(value, str) for value in KINDS[name].examples))


def test_labels_load_no_kind_that_they_cannot_be_of() -> None:
    code = "import sys, interagree as ia; ia.alpha(['yes', 'no'], ['yes', 'yes']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "interagree.kinds.labels" in loaded
    assert not {f"interagree.kinds.{name}" for name in NOT_TEXT} & {*loaded}


def _colour(value: object) -> str | None:
    return None if isinstance(value, str) and value.startswith("#") else "it is not a colour"


def _repaint(values, m, rng, known):
    return [known[rng.integers(len(known))] if rng.random() < m else value for value in values]


colours: Kind = Kind(
    name="colours",
    title="colours",
    form='a string such as "#ff8800"',
    why_not=_colour,
    likely=bool,
    pack=lambda values: np.array([[int(value[k : k + 2], 16) for k in (1, 3, 5)] for value in values], dtype=float),
    distance="nominal",
    distances=("nominal",),
    measures=("alpha",),
    noise=lambda: Noise("colours", {"repaint": _repaint}, lambda corpus: corpus.values, lambda _: ("repaint",)),
)


@pytest.fixture
def with_colours(monkeypatch):
    point = SimpleNamespace(load=lambda: colours, dist=None)
    monkeypatch.setattr(KINDS, "_plugged_in", {"colours": point})
    in_turn.cache_clear()
    yield
    in_turn.cache_clear()


@pytest.mark.usefixtures("with_colours")
def test_a_kind_is_one_object_with_all_that_is_asked_about_it() -> None:
    rows = [(i, who, f"#ff88{i:02x}") for i in range(4) for who in "ab"]
    study = ia.Annotations.of(rows)
    assert study.kind == "colours"
    assert [choice.title for choice in defaults(study)] == ["Krippendorff's alpha, nominal"]
    assert ia.alpha(study).value == 1
    assert set(degrade(study.values, 1, np.random.default_rng(1), kind="colours")) < set(study.values)
    assert ia.Annotations.of([("i", "a", "#ff8800")], kind="colours").kind is colours
    with pytest.raises(ia.errors.KindError, match="nearly all values are colours"):
        ia.alpha([*rows, (9, "a", "red")])
