"""Distances of texts against their definitions, written out slowly, against nltk's answers, and on real data."""

import json
import math
import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler

from interagree.distances import find
from interagree.errors import KindError, MissingExtra
from interagree.kernels import edits, ngrams
from interagree.kinds.text import Texts
from interagree.stats.pairs.pair_distances import PairDistances

ORACLE = json.loads((Path(__file__).parents[1] / "oracles/complex_text.json").read_text(encoding="utf-8"))
BOUNDED = [
    "levenshtein",
    "levenshtein_chars",
    "damerau",
    "jaro_winkler",
    "rouge_l",
    "text_dice",
    "gleu",
    "gleu:order=2,tokens=words",
    "bleu",
    "bleu:smoothing=epsilon",
    "bleu:smoothing=exp",
    "bleu:smoothing=none",
    "chrf",
    "chrf:beta=1,order=3",
]
ALL = ["levenshtein_raw", *BOUNDED]


def some_texts(seed: int, count: int = 30) -> list[str]:
    """Texts of no to nine words out of six, some with blanks at their ends, the empty text among them."""
    rng = random.Random(seed)
    made = {"", " ", "a"}
    while len(made) < count:
        words = rng.choices(("a", "b", "cab", "ab,", "Ü", "bad."), k=rng.randint(0, 9))
        made.add(" ".join(words) + rng.choice(("", "", " ")))
    return sorted(made)


def table(name: str, values: list[str]) -> np.ndarray:
    i, j = (side.ravel() for side in np.indices((len(values), len(values))))
    distance = find(name)
    given = {**distance.defaults, **distance.given}
    found = distance.between(distance.prepared(Texts(tuple(values))), i, j, **given)
    return np.asarray(found).reshape(len(values), -1)


# ------------------------------------------------------------------------------------ slow twins


def edit(a, b) -> int:
    row = list(range(len(b) + 1))
    for x in a:
        before, row[0] = row[0], row[0] + 1
        for k, y in enumerate(b, start=1):
            before, row[k] = row[k], min(row[k] + 1, row[k - 1] + 1, before + (x != y))
    return row[-1]


def common(a, b) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for k, y in enumerate(b, start=1):
            before, row[k] = row[k], before + 1 if x == y else max(row[k], row[k - 1])
    return row[-1]


def damerau(a: str, b: str) -> int:
    far = {(-1, -1): len(a) + len(b)}
    for k in range(len(a) + 1):
        far[k, -1], far[k, 0] = len(a) + len(b), k
    for k in range(len(b) + 1):
        far[-1, k], far[0, k] = len(a) + len(b), k
    last: dict[str, int] = {}
    for p, x in enumerate(a, start=1):
        same = 0
        for q, y in enumerate(b, start=1):
            row, column = last.get(y, 0), same
            if x == y:
                same = q
            swapped = far[row - 1, column - 1] + (p - row - 1) + 1 + (q - column - 1)
            far[p, q] = min(far[p - 1, q - 1] + (x != y), far[p, q - 1] + 1, far[p - 1, q] + 1, swapped)
        last[x] = p
    return far[len(a), len(b)]


def jaro_winkler(a: str, b: str) -> float:
    if not a and not b:
        return 1.0
    reach = max(max(len(a), len(b)) // 2 - 1, 0)
    taken: list[int] = []
    mine: list[str] = []
    for k, x in enumerate(a):
        near = (p for p in range(max(0, k - reach), min(len(b), k + reach + 1)) if p not in taken and b[p] == x)
        place = next(near, None)
        if place is not None:
            taken.append(place)
            mine.append(x)
    m = len(mine)
    if not m:
        return 0.0
    t = sum(x != b[p] for x, p in zip(mine, sorted(taken), strict=True)) // 2
    jaro = (m / len(a) + m / len(b) + (m - t) / m) / 3
    prefix = next((k for k in range(4) if a[k : k + 1] != b[k : k + 1] or k >= len(a)), 4)
    return jaro + 0.1 * prefix * (1 - jaro) if jaro > 0.7 else jaro


def counts(sequence, n: int) -> Counter:
    return Counter(tuple(sequence[k : k + n]) for k in range(len(sequence) - n + 1))


def gleu(a, b, order: int = 4) -> float:
    x = sum((counts(a, n) for n in range(1, order + 1)), Counter())
    y = sum((counts(b, n) for n in range(1, order + 1)), Counter())
    most = max(x.total(), y.total())
    return (x & y).total() / most if most else 1.0


def one_way_bleu(a, b, smoothing: str) -> float:
    orders = range(1, min(4, len(a)) + 1)
    match = [(counts(a, n) & counts(b, n)).total() for n in orders]
    total = [counts(a, n).total() for n in orders]
    if not match or match[0] == 0:
        return 0.0
    product, zeros = 1.0, 0
    for n, (m, t) in enumerate(zip(match, total, strict=True), start=1):
        zeros += m == 0
        if smoothing == "add1" and n > 1:
            product *= (m + 1) / (t + 1)
        elif m == 0 and smoothing == "epsilon":
            product *= 0.1 / t
        elif m == 0 and smoothing == "exp":
            product *= 1 / (2**zeros * t)
        else:
            product *= m / t
    return product ** (1 / len(total)) * min(1.0, math.exp(1 - len(b) / len(a)))


def bleu(a, b, smoothing: str = "add1") -> float:
    return (one_way_bleu(a, b, smoothing) + one_way_bleu(b, a, smoothing)) / 2 if a or b else 1.0


def chrf(a: str, b: str, beta: float = 2, order: int = 6) -> float:
    scores = []
    for n in range(1, order + 1):
        x, y = counts(a, n), counts(b, n)
        if not x and not y:
            continue
        m = (x & y).total()
        if not m:
            scores.append(0.0)
            continue
        p, r, s = m / x.total(), m / y.total(), beta**2
        scores.append(((1 + s) * p * r / (s * p + r) + (1 + s) * p * r / (s * r + p)) / 2)
    return sum(scores) / len(scores) if scores else 1.0


def bare(text: str) -> str:
    return "".join(text.split())


def part(of: float, whole: float) -> float:
    return of / whole if whole else 0.0


TWINS = {
    "levenshtein_raw": lambda a, b: edit(a.split(), b.split()),
    "levenshtein": lambda a, b: part(edit(a.split(), b.split()), max(len(a.split()), len(b.split()))),
    "levenshtein:tokens=blanks": lambda a, b: (
        edit(a.split(" "), b.split(" ")) / max(len(a.split(" ")), len(b.split(" ")))
    ),
    "levenshtein_chars": lambda a, b: part(edit(a, b), max(len(a), len(b))),
    "damerau": lambda a, b: part(damerau(a, b), max(len(a), len(b))),
    "jaro_winkler": lambda a, b: 1 - jaro_winkler(a, b),
    "rouge_l": lambda a, b: (
        1 - 2 * common(a.split(), b.split()) / len(a.split() + b.split()) if a.strip() or b.strip() else 0
    ),
    "text_dice": lambda a, b: (
        1 - 2 * (Counter(a.split()) & Counter(b.split())).total() / len(a.split() + b.split())
        if a.strip() or b.strip()
        else 0
    ),
    "gleu": lambda a, b: 1 - gleu(a.split(), b.split()),
    "gleu:order=2": lambda a, b: 1 - gleu(a.split(), b.split(), 2),
    **{
        f"bleu:smoothing={how}": lambda a, b, how=how: 1 - bleu(a.split(), b.split(), how)
        for how in ("add1", "epsilon", "exp", "none")
    },
    "chrf": lambda a, b: 1 - chrf(bare(a), bare(b)),
    "chrf:beta=3,order=4": lambda a, b: 1 - chrf(bare(a), bare(b), 3, 4),
}


@pytest.mark.parametrize("name", TWINS)
def test_follows_its_definition(name) -> None:
    for seed in range(3):
        values = some_texts(seed)
        right = [[TWINS[name](a, b) for b in values] for a in values]
        np.testing.assert_allclose(table(name, values), right, atol=1e-12)


@pytest.mark.parametrize("name", sorted(ORACLE["pairs"][0]["answers"]))
def test_agrees_with_nltk(name) -> None:
    distance = find(name)
    for pair in ORACLE["pairs"]:
        answer = pair["answers"][name]
        right = answer if name == "levenshtein_raw" else 1 - answer
        assert distance(pair["a"], pair["b"]) == pytest.approx(right, abs=1e-12), pair


@pytest.mark.parametrize("name", ALL)
def test_is_symmetric_and_zero_for_the_same_text(name) -> None:
    found = table(name, some_texts(7, 60))
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_array_equal(np.diag(found), 0)
    assert (found >= 0).all()
    assert find(name).bounded == (name in BOUNDED)
    assert (found <= 1).all() or not find(name).bounded


def test_of_the_text_distances_the_raw_count_alone_keeps_the_triangle_inequality() -> None:
    assert [name for name in ALL if find(name).metric] == ["levenshtein_raw"]
    far = table("levenshtein_raw", some_texts(3, 40))
    assert (far[:, None, :] <= far[:, :, None] + far[None, :, :]).all()
    far = table("levenshtein", ["a b", "a b a", "b a"])
    assert far[0, 2] > far[0, 1] + far[1, 2]


@pytest.mark.parametrize("name", [name for name in ALL if find(name).potential])
def test_sums_to_all_annotations_need_no_pairs(name) -> None:
    values = some_texts(11, 60)
    frequency = np.random.default_rng(0).integers(0, 5, len(values)).astype(float)
    apart = PairDistances(find(name), values)
    np.testing.assert_allclose(apart.potential(frequency), table(name, values) @ frequency, atol=1e-9)


def test_sums_are_there_for_what_counts_shared_ngrams() -> None:
    found = {name.partition(":")[0] for name in ALL if find(name).potential}
    assert found == {"text_dice", "gleu", "chrf"}


# ---------------------------------------------------------------------------------------- kernels


def test_the_compiled_walk_equals_the_plain_one() -> None:
    of = ngrams.grams(Texts(tuple(some_texts(5, 50))).tokens("spaces"), 2)[0]
    i, j = np.triu_indices(50)
    plain = ngrams.shared.plain(of.start, of.feature, i, j)
    np.testing.assert_array_equal(ngrams.shared.fast(of.start, of.feature, i, j), plain)


def test_ngrams_are_features_in_rising_order() -> None:
    for of in ngrams.grams(Texts(("b a b a b", "", "a b c")).tokens("spaces"), 6):
        for start, size in zip(of.start, of.size, strict=False):
            assert (np.diff(of.feature[start : start + size]) > 0).all()
        assert of.count == len(np.unique(of.feature))


@pytest.mark.parametrize(
    ("scorer", "one"),
    [("DamerauLevenshtein.distance", DamerauLevenshtein.distance), ("JaroWinkler.similarity", JaroWinkler.similarity)],
)
def test_many_pairs_are_counted_as_each_alone(scorer, one) -> None:
    values = some_texts(2, 40)
    i, j = np.triu_indices(len(values))
    found = edits.counted(scorer, Texts(tuple(values)).strings(), i, j)
    assert found.tolist() == [one(values[a], values[b]) for a, b in zip(i, j, strict=True)]


def test_more_words_than_characters_there_are(monkeypatch) -> None:
    values = some_texts(4)
    right = table("levenshtein", values)
    monkeypatch.setattr(edits, "CODE_POINTS", 2)
    np.testing.assert_array_equal(table("levenshtein", values), right)


def test_words_may_take_the_numbers_of_surrogates() -> None:
    symbols = np.arange(0xD7F0, 0xE010)
    strings = edits.Strings.spelling(ngrams.Sequences(np.array([0, 1000, 1000, len(symbols)]), symbols))
    assert strings.size.tolist() == [1000, 0, len(symbols) - 1000]
    assert edits.counted("Levenshtein.distance", strings, np.array([0, 0]), np.array([1, 2])).tolist() == [
        1000,
        len(symbols) - 1000,
    ]


# --------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bleu:smoothing=lots", "'add1', 'epsilon', 'exp', 'none', got smoothing='lots'"),
        ("gleu:order=0", "gleu counts n-grams up to a whole number of 1 or more, got order=0"),
        ("bleu:order=2.5", "got order=2.5"),
        ("chrf:beta=0", "chrf needs a beta above 0, got beta=0"),
        ("gleu:tokens=letters", "got tokens='letters'"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(name, said) -> None:
    with pytest.raises(KindError, match=said):
        find(name)("a b", "a c")


def test_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtra, match=r"rapidfuzz, which is not installed; .*interagree\[complex\]"):
        find("levenshtein")("a b", "a c")


# -------------------------------------------------------------------------------------- real data


@pytest.mark.parametrize(
    ("name", "alpha"),
    [("gleu:tokens=blanks", 0.1657), ("levenshtein_raw:tokens=blanks", 0.2962), ("levenshtein:tokens=blanks", 0.2621)],
)
def test_gives_the_alpha_of_the_published_translations(shared, name, alpha) -> None:
    lines = (shared / "data/complex/translations.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    values = list(dict.fromkeys(row["value"] for row in rows))
    where = {value: place for place, value in enumerate(values)}
    value = np.array([where[row["value"]] for row in rows])
    item = np.unique([row["item"] for row in rows], return_inverse=True)[1]
    i, j = np.triu_indices(len(rows), 1)
    within = item[i] == item[j]
    far = PairDistances(find(name), values)(value[i], value[j])
    assert 1 - far[within].mean() / far[~within].mean() == pytest.approx(alpha, abs=5e-5)
