"""The loops of alignments: compiled as uncompiled, and against plain searches."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from interagree.kernels import alignment as loops
from interagree.kernels import alignment_sets, packing


def units(rng, count, annotators):
    """Units in the order of their centre, some without length, some at the same place."""
    begin = rng.integers(0, 25, count).astype(float)
    end = begin + rng.integers(0, 6, count)
    order = np.argsort(begin + end, kind="stable")
    return begin[order], end[order], rng.integers(0, 3, count), rng.integers(0, annotators, count)


TABLE = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.25], [0.5, 0.25, 0.0]])


def apart(given, u, v):
    begin, end, category, who = given
    if who[u] == who[v]:
        return np.inf
    off, long = abs(begin[u] - begin[v]) + abs(end[u] - end[v]), end[u] - begin[u] + end[v] - begin[v]
    where = (off / long) ** 2 if long else (np.inf if off else 0.0)
    return where + TABLE[category[u], category[v]] - 1


def near(given, most):
    """All pairs of units below, found one by one."""
    count = len(given[0])
    pairs = [(u, v) for u, v in combinations(range(count), 2) if apart(given, u, v) < most]
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    unlike = np.array([apart(given, u, v) for u, v in pairs])
    return np.searchsorted(first, np.arange(count + 1)), second, unlike


def reached(given, most, stop, loop=loops.within_reach.plain):
    begin, end, _, who = given
    return loop(begin, end, who, stop, np.sqrt(most + 1))


@pytest.mark.parametrize("seed", range(20))
def test_no_pair_below_is_out_of_reach_and_none_is_found_twice(seed):
    given = units(np.random.default_rng(seed), 25, 3)
    first, second = reached(given, 4.0, np.full(25, 25))
    found = list(zip(first.tolist(), second.tolist(), strict=True))
    start, others, _ = near(given, 4.0)
    wanted = {(u, int(others[e])) for u in range(25) for e in range(start[u], start[u + 1])}
    assert wanted <= set(found)
    assert len(set(found)) == len(found)
    assert all(given[3][u] != given[3][v] for u, v in found)


def test_documents_are_kept_apart():
    given = units(np.random.default_rng(0), 10, 2)
    twice = [np.concatenate((part, part)) for part in given]
    first, second = reached(twice, 1.0, np.repeat([10, 20], 10))
    assert ((first < 10) == (second < 10)).all()
    assert (first < 10).sum() * 2 == len(first)


@pytest.mark.parametrize("seed", range(30))
def test_two_annotators_are_assigned_at_the_least_cost(seed):
    rng = np.random.default_rng(seed)
    given = units(rng, int(rng.integers(2, 60)), 2)
    who = given[3]
    partner = loops.assigned.plain(who, *near(given, 1.0), 1.0)
    rows, columns = np.flatnonzero(who == 0), np.flatnonzero(who == 1)
    gain = np.array([[min(apart(given, u, v) - 1, 0) for v in columns] for u in rows]).reshape(len(rows), len(columns))
    found = sum(apart(given, u, partner[u]) - 1 for u in rows if partner[u] >= 0)
    assert found == pytest.approx(gain[linear_sum_assignment(gain)].sum())
    assert all(partner[partner[u]] == u for u in range(len(who)) if partner[u] >= 0)


def sets_of(given, annotators, loop=alignment_sets.clusters.plain, most=10**6):
    price = annotators * (annotators - 1) / 2
    return loop(given[3], *near(given, price + annotators - 2), annotators, price, most)


@pytest.mark.parametrize("seed", range(10))
def test_sets_left_out_are_no_cheaper_than_their_parts(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 5))
    given = units(rng, 9, n)
    price = n * (n - 1) / 2
    head, member, total, saves, complete = sets_of(given, n)
    assert complete
    listed = {tuple(int(u) for u in row if u >= 0): value for row, value in zip(member, total, strict=True)}
    best = {(): 0.0}  # what units cost at least by the sets listed

    def least(left):
        if left not in best:
            rest = left[1:]
            best[left] = min(
                [price + least(rest)]
                + [
                    price + value + least(tuple(u for u in left if u not in s))
                    for s, value in listed.items()
                    if s[0] == left[0] and set(s) <= set(left)
                ]
            )
        return best[left]

    groups = [[None, *np.flatnonzero(given[3] == a)] for a in range(n)]
    for chosen in product(*groups):
        s = tuple(sorted(int(u) for u in chosen if u is not None))
        pairs = sum(apart(given, u, v) for u, v in combinations(s, 2))
        if s in listed:
            assert listed[s] == pytest.approx(pairs)
        if s:
            assert least(s) <= price + pairs + 1e-9
    for row, saved in zip(member, saves, strict=True):
        s = row[row >= 0]
        assert [price - sum(apart(given, u, v) for v in s if v != u) for u in s] == pytest.approx(list(saved[: len(s)]))
    assert head[-1] == len(member)


def test_too_many_sets_are_said():
    given = units(np.random.default_rng(1), 20, 3)
    assert not sets_of(given, 3, most=3)[-1]


def test_compiled_loops_do_as_the_plain_ones():
    given = units(np.random.default_rng(5), 40, 3)
    stop = np.full(40, 40)
    for a, b in zip(reached(given, 4.0, stop), reached(given, 4.0, stop, loops.within_reach), strict=True):
        np.testing.assert_array_equal(a, b)
    two = (*given[:3], given[3] % 2)
    pairs = near(two, 1.0)
    np.testing.assert_array_equal(loops.assigned(two[3], *pairs, 1.0), loops.assigned.plain(two[3], *pairs, 1.0))
    plain, fast = sets_of(given, 3), sets_of(given, 3, alignment_sets.clusters)
    for a, b in zip(plain[:4], fast[:4], strict=True):
        np.testing.assert_allclose(a, b)
    head, member, total, saves, _ = plain
    gain = total - ((member >= 0).sum(axis=1) - 1) * 3.0
    bounds = np.array([0, 40])
    for most in (300, 2):
        a = packing.swept.plain(bounds, head, member, gain, saves, most)
        b = packing.swept(bounds, head, member, gain, saves, most)
        np.testing.assert_array_equal(a[1], b[1])
        if a[1].all():
            np.testing.assert_array_equal(a[0], b[0])
    np.testing.assert_array_equal(packing.parts(40, member), packing.parts.plain(40, member))
