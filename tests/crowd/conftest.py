"""Crowds whose members err as they are told to."""

from collections.abc import Callable

import numpy as np
import pytest

from interagree.data import Annotations

Rows = list[tuple[str, str, str]]


def crowd(
    seed: int, *, items: int = 60, people: int = 8, labels: str = "xyz", each: int = 5
) -> tuple[Rows, dict[str, str]]:
    """Rows by annotators who are right with a probability of 0.35 to 0.95, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.choice(list(labels), items, p=np.arange(1, len(labels) + 1) / sum(range(len(labels) + 1)))
    skill = random.uniform(0.35, 0.95, people)
    rows = []
    for item in range(items):
        for who in random.choice(people, each, replace=False):
            guess = truth[item] if random.random() < skill[who] else random.choice(list(labels))
            rows.append((f"i{item}", f"p{who}", str(guess)))
    return rows, {f"i{item}": str(label) for item, label in enumerate(truth)}


@pytest.fixture(scope="session", name="crowd")
def crowd_fixture() -> Callable[..., tuple[Rows, dict[str, str]]]:
    """`crowd`, for tests that would rather not import from here."""
    return crowd


@pytest.fixture(scope="session")
def study() -> Annotations:
    """Sixty items, eight annotators, three labels."""
    return Annotations.of(crowd(1)[0])
