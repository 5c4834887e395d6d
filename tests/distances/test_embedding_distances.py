"""Distances of embeddings that a user gives: against their definitions, by every way to give them, on both devices."""

import numpy as np
import pytest

from interagree.distances import find
from interagree.distances.embedding import embedded, embedding
from interagree.distances.greedy_match import greedy_match, matched
from interagree.errors import DataError, FormatError, KindError, MissingExtra
from interagree.kernels.embeddings import OnProcessor, cosine_distance, greedy_distance
from interagree.kinds import _vectors
from interagree.kinds.text import Texts
from interagree.stats.pairs.pair_distances import PairDistances

TEXTS = [f"text number {k}" for k in range(25)]
RNG = np.random.default_rng(1)
ONE = {text: RNG.normal(size=6) for text in TEXTS}
SIZES = [0, *RNG.integers(0, 5, len(TEXTS) - 2), 0]
TOKENS = {text: RNG.normal(size=(size, 6)) for text, size in zip(TEXTS, SIZES, strict=True)}
HERE, THERE = (side.ravel() for side in np.indices((len(TEXTS), len(TEXTS))))


def cosine(x, y) -> float:
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def greedy(a, b) -> float:
    if not len(a) or not len(b):
        return float(len(a) != len(b))
    precision = max(np.mean([max(cosine(x, y) for y in b) for x in a]), 0)
    recall = max(np.mean([max(cosine(x, y) for x in a) for y in b]), 0)
    return 1 - 2 * precision * recall / (precision + recall) if precision + recall else 1.0


def table(distance) -> np.ndarray:
    given = {**distance.defaults, **distance.given}
    found = distance.between(distance.prepared(Texts(tuple(TEXTS))), HERE, THERE, **given)
    return found.reshape(len(TEXTS), -1)


def test_the_cosine_distance_follows_its_definition() -> None:
    right = [[1 - cosine(ONE[a], ONE[b]) for b in TEXTS] for a in TEXTS]
    np.testing.assert_allclose(table(embedded(ONE)), right, atol=1e-12)


def test_greedy_matching_follows_its_definition() -> None:
    right = [[greedy(TOKENS[a], TOKENS[b]) for b in TEXTS] for a in TEXTS]
    np.testing.assert_allclose(table(matched(TOKENS)), right, atol=1e-12)


@pytest.mark.parametrize("distance", [embedded(ONE), matched(TOKENS)], ids=str)
def test_is_symmetric_and_zero_for_the_same_text(distance) -> None:
    found = table(distance)
    np.testing.assert_allclose(found, found.T, atol=1e-15)
    np.testing.assert_array_equal(np.diag(found), 0)
    assert (found >= 0).all()
    assert not distance.metric
    assert distance.bounded == (distance.name == "greedy_match")
    assert found.max() <= (1 if distance.bounded else 2)


def test_texts_with_the_same_vector_are_at_no_distance() -> None:
    vector = RNG.normal(size=300).astype(np.float32)
    assert embedded({"a": vector, "b": vector})("a", "b") == 0
    assert matched({"a": [vector], "b": [vector, vector]})("a", "b") == pytest.approx(0, abs=1e-6)


def test_vectors_that_point_apart_share_nothing() -> None:
    vectors = {"a": np.array([1.0, 0.0]), "b": np.array([-1.0, 0.0]), "c": np.array([0.0, 1.0])}
    assert embedded(vectors)("a", "b") == 2
    assert embedded(vectors)("a", "c") == pytest.approx(1)
    lists = {text: vector[None] for text, vector in vectors.items()}
    assert matched(lists)("a", "b") == matched(lists)("a", "c") == 1


def test_sums_to_all_annotations_need_no_pairs() -> None:
    frequency = RNG.integers(0, 5, len(TEXTS)).astype(float)
    for dtype in (np.float64, np.float32):
        distance = embedded({text: vector.astype(dtype) for text, vector in ONE.items()})
        right = table(distance) @ frequency
        np.testing.assert_allclose(PairDistances(distance, TEXTS).potential(frequency), right, rtol=1e-6, atol=1e-12)


def test_a_function_a_mapping_and_a_file_give_the_same(tmp_path) -> None:
    np.savez(tmp_path / "one.npz", texts=np.array(TEXTS), vectors=np.array([ONE[text] for text in TEXTS]))
    path = f"embedding:path={tmp_path / 'one.npz'}"
    for distance in (embedded(lambda texts: np.array([ONE[t] for t in texts])), find(path)):
        np.testing.assert_array_equal(table(distance), table(embedded(ONE)))
    np.savez(
        tmp_path / "tokens.npz",
        texts=np.array(TEXTS),
        vectors=np.concatenate([TOKENS[text] for text in TEXTS]),
        starts=np.cumsum([0, *SIZES]),
    )
    path = f"greedy_match:path={tmp_path / 'tokens.npz'}"
    for distance in (matched(lambda texts: [TOKENS[t] for t in texts]), find(path)):
        np.testing.assert_array_equal(table(distance), table(matched(TOKENS)))


def test_blocks_of_any_size_give_the_same(monkeypatch) -> None:
    whole = table(embedded(ONE)), table(matched(TOKENS))
    monkeypatch.setattr(OnProcessor, "room", 40)
    monkeypatch.setattr(OnProcessor, "step", 3)
    np.testing.assert_allclose(table(embedded(ONE)), whole[0], atol=1e-15)
    np.testing.assert_allclose(table(matched(TOKENS)), whole[1], atol=1e-15)


def test_without_vectors_says_how_to_give_them() -> None:
    with pytest.raises(KindError, match=r"'embedding:path=vectors.npz'.*embedded\(model.encode\)"):
        embedding("a", "b")
    with pytest.raises(KindError, match=r"'greedy_match:path=tokens.npz'.*matched\(function\)"):
        greedy_match("a", "b")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"a": [1.0, 2.0]}, "no vector for the text 'b'; embed every text"),
        ({}, r"no vector for the text 'a' \(nor for 1 more of 2\)"),
        ({"a": [1.0, 2.0], "b": [1.0]}, r"vector of 'b' has the shape \(1,\) and that of 'a' \(2,\)"),
        ({"a": [[1.0, 2.0]], "b": [[1.0, 2.0]]}, r"vector of 'a' has the shape \(1, 2\)"),
        ({"a": [1.0, 2.0], "b": [0.0, 0.0]}, "a vector of 'b' is zero or not finite"),
        ({"a": [1.0, np.nan], "b": [0.0, 1.0]}, "a vector of 'a' is zero or not finite"),
        (lambda _: np.ones((1, 3)), "was given 2 texts and gave 1 results"),
    ],
)
def test_what_is_wrong_with_vectors_is_said(source, said) -> None:
    with pytest.raises(DataError, match=said):
        embedded(source)("a", "b")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"a": [[1.0, 2.0]], "b": [1.0]}, r"token vectors of 'b' are an array of shape \(1,\)"),
        ({"a": [[1.0, 2.0]], "b": [[1.0]]}, r"vector of 'b' has the shape \(1,\) and that of 'a' \(2,\)"),
        ({"a": [], "b": [[1.0, 0.0], [0.0, 0.0]]}, "a vector of 'b' is zero"),
    ],
)
def test_what_is_wrong_with_token_vectors_is_said(source, said) -> None:
    with pytest.raises(DataError, match=said):
        matched(source)("a", "b")


def test_texts_may_all_be_without_tokens() -> None:
    assert matched({"a": [], "b": np.zeros((0, 5))})("a", "b") == 0


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"texts": np.array(["a"])}, "vectors is not a file"),
        ({"texts": np.array(["a"]), "vectors": np.ones((2, 3))}, "1 texts and vectors of 2"),
        ({"texts": np.array(["a"]), "vectors": np.ones((1, 3)), "starts": np.array([0, 1])}, "greedy_match"),
    ],
)
def test_files_that_hold_something_else_are_refused(tmp_path, held, said) -> None:
    np.savez(tmp_path / "odd.npz", **held)
    with pytest.raises(FormatError, match=said):
        embedded(tmp_path / "odd.npz")("a", "b")


def test_files_that_are_none_are_refused(tmp_path) -> None:
    (tmp_path / "text.npz").write_text("no vectors", encoding="utf-8")
    for path in ("absent.npz", "text.npz"):
        with pytest.raises(FormatError, match=r"numpy.savez\(path, texts=…, vectors=…\)"):
            embedded(str(tmp_path / path))("a", "b")


def test_a_gpu_that_is_not_there_is_not_promised(monkeypatch) -> None:
    monkeypatch.setattr(_vectors, "_has_gpu", lambda: False)
    with pytest.raises(MissingExtra, match="device='cuda' needs torch and a GPU"):
        embedded(ONE, device="cuda")(*TEXTS[:2])
    with pytest.raises(KindError, match="on 'cpu' or on 'cuda', got device='tpu'"):
        embedded(ONE, device="tpu")(*TEXTS[:2])
    monkeypatch.setattr(_vectors, "FEW", 0)
    assert embedded(ONE)(*TEXTS[:2]) == embedded(ONE, device="cpu")(*TEXTS[:2])


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_torch_gives_what_numpy_gives(device) -> None:
    torch = pytest.importorskip("torch", reason="this test needs torch, which is not installed")
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("this test needs a GPU that torch can use")
    from interagree.kernels.embeddings import OnGpu

    one = _vectors.one_each(TEXTS, ONE, "cpu")
    np.testing.assert_allclose(
        cosine_distance(OnGpu(one.unit, device), one.dimensions, HERE, THERE),
        cosine_distance(one.vectors, one.dimensions, HERE, THERE),
        atol=1e-12,
    )
    many = _vectors.one_per_token(TEXTS, TOKENS, "cpu")
    np.testing.assert_allclose(
        greedy_distance(OnGpu(many.unit, device), many.start, many.dimensions, HERE, THERE),
        greedy_distance(many.vectors, many.start, many.dimensions, HERE, THERE),
        atol=1e-12,
    )
