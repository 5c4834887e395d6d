"""What cells say about columns, held to the measures and to slower forms of the same."""

from __future__ import annotations

import math
import random

import pytest

import interagree as ia
from interagree.reading.evidence import Profile, alpha, determines, fits, is_key, pooled, shared


def columns(seed: int, *, numbers: bool) -> list[Profile]:
    rng = random.Random(seed)
    scale: list[object] = [1, 2, 3, 4] if numbers else ["a", "b", "c", None]
    truth = [rng.choice(scale) for _ in range(25)]
    return [
        Profile(f"c{k}", [one if rng.random() < 0.7 else rng.choice(scale) for one in truth], k)
        for k in range(rng.choice((2, 3, 5)))
    ]


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_agreement_of_columns_is_krippendorffs_alpha(seed, numbers):
    some = columns(seed, numbers=numbers)
    study = ia.Annotations.of({one.name: one.raw for one in some}, annotator=[one.name for one in some])
    wanted = [ia.alpha(study, distance="nominal").value]
    if numbers:
        wanted.append(ia.alpha(study, distance="interval").value)
    assert alpha(some) == pytest.approx(max(wanted))


@pytest.mark.parametrize("seed", range(20))
def test_shared_vocabularies_are_those_of_columns_one_by_one(seed):
    some = columns(seed, numbers=seed % 2 == 0)
    alone = [fits(one, [other for other in some if other is not one]) for one in some]
    assert shared(some) == pytest.approx(min(alone))
    sizes = [len(one.filled) for one in some]
    assert pooled(some) == pytest.approx(sum(map(math.prod, zip(alone, sizes, strict=True))) / sum(sizes))


def test_a_key_is_different_in_every_row_and_what_follows_is_determined():
    one, two = Profile("one", [1, 1, 2, 2], 0), Profile("two", ["x", "y", "x", "y"], 1)
    assert is_key([one, two])
    assert not is_key([one])
    assert determines([one], Profile("three", ["a", "a", "b", "b"], 2))
    assert not determines([one], two)
