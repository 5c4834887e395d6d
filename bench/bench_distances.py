"""How long does one distance take, beside the package or the loop one would use otherwise?

Ours is asked for many pairs at once, with what finding repeated pairs and dealing blocks to threads costs; peers are
called once per pair.  Both begin with values in the form they want: packed arrays here; trees, shapes, token lists
or rank arrays there.  Half of the pairs are of one item, where values are much alike, and half of different items.  A
peer gets the first few pairs only, and must give the same distances for them.  Both take turns in one process, and the
least time of each counts, so that a busy machine disturbs both alike.

    python bench/bench_distances.py              all of them
    python bench/bench_distances.py ted oks      those whose names begin so
"""

from __future__ import annotations

import sys
import time
from typing import Any

import harness
import numpy as np

ANNOTATORS = 5

# -- values ------------------------------------------------------------------------------------------------


def chosen(count: int, values: int) -> tuple[Any, Any]:
    """Pairs of places among the values, in turn of one item and of two; fewer of them are the first ones.

    No pair of one item comes twice, so there are to be ten such pairs, or twenty pairs, for each item.
    """
    inside, outside = np.random.default_rng(1), np.random.default_rng(2)
    first, second = np.empty(count, dtype=np.intp), np.empty(count, dtype=np.intp)
    here, there = np.triu_indices(ANNOTATORS, 1)
    item, pair = np.divmod(inside.permutation(values // ANNOTATORS * len(here))[: (count + 1) // 2], len(here))
    first[::2], second[::2] = item * ANNOTATORS + here[pair], item * ANNOTATORS + there[pair]
    draw = outside.random((count // 2, 2)) * [values, values - ANNOTATORS]
    first[1::2] = draw[:, 0]
    second[1::2] = (first[1::2] // ANNOTATORS * ANNOTATORS + ANNOTATORS + draw[:, 1].astype(np.intp)) % values
    return first, second


LABELS = ["S", "NP", "VP", "PP", "SBAR", "ADJP", "ADVP", "DT", "NN", "NNS", "VBD", "VBZ", "IN", "JJ", "RB", "PRP"]


def trees(items: int, sizes: list[int]) -> list[Any]:
    """Nested lists [label, child, …], five for each item: one tree with a few labels changed and nodes left out."""
    rng = np.random.default_rng(2)
    low, high, largest = sizes

    def grow(count: int) -> list[Any]:
        """A tree of so many nodes, most of them below its last children, as in parses."""
        left = count - 1
        children = min(left, int(rng.choice(3, p=[0.15, 0.55, 0.3])) + 1)
        small = [min(int(rng.geometric(0.3)), 1 + (left - children) // 2) for _ in range(children - 1)]
        rest = [left - sum(small)] if children else []
        sizes = rng.permutation([*small, *rest]) if rng.random() < 0.3 else [*small, *rest]
        return [LABELS[rng.integers(len(LABELS))], *(grow(int(size)) for size in sizes)]

    def changed(node: list[Any]) -> list[Any]:
        label = LABELS[rng.integers(len(LABELS))] if rng.random() < 0.05 else node[0]
        children = []
        for child in node[1:]:
            made = changed(child)
            children += made[1:] if rng.random() < 0.03 else [made]
        return [label, *children]

    some = []
    for at in range(items):
        large = largest > high and at % 10 == 4
        whole = grow(int(rng.integers(high, largest + 1) if large else rng.integers(low, high + 1)))
        some += [whole, *(changed(whole) for _ in range(ANNOTATORS - 1))]
    return some


def boxes(items: int) -> list[Any]:
    """Lists of about 4.4 boxes in an image of 640 × 480, moved a little; some are missed and some added."""
    rng = np.random.default_rng(3)
    some = []
    for _ in range(items):
        count = 1 + rng.poisson(3.4)
        corner = rng.uniform(0, [500, 360], (count, 2))
        truth = np.hstack([corner, corner + rng.uniform(20, 140, (count, 2))])
        for _ in range(ANNOTATORS):
            seen = truth[rng.random(count) > 0.05]
            moved = seen + rng.normal(0, 4, seen.shape).clip(-9, 9)
            some.append(tuple(map(tuple, moved.tolist())))
    return some


def people(items: int) -> list[Any]:
    """Lists of about 2.5 people with 17 joints [x, y, visibility], three in ten not labelled."""
    rng = np.random.default_rng(4)
    some = []
    for _ in range(items):
        count = 1 + rng.poisson(1.5)
        truth = rng.uniform(0, [500, 300], (count, 1, 2)) + rng.uniform(0, [80, 160], (count, 17, 2))
        hidden = rng.random((count, 17)) < 0.3
        for _ in range(ANNOTATORS):
            seen = ~hidden ^ (rng.random(hidden.shape) < 0.05)
            marks = np.where(seen[:, :, None], truth + rng.normal(0, 3, truth.shape), 0)
            some.append(np.concatenate([marks, 2.0 * seen[:, :, None]], axis=2).tolist())
    return some


def rankings(items: int) -> list[list[int]]:
    """Full rankings of 25 ids: noise upon an order."""
    rng = np.random.default_rng(5)
    order = np.repeat(rng.normal(0, 1, (items, 25)), ANNOTATORS, axis=0)
    return np.argsort(order + rng.normal(0, 0.5, order.shape), axis=1).tolist()


def texts(items: int) -> list[str]:
    """Sentences of 8 to 30 words, a third of them replaced or left out by each annotator."""
    rng = np.random.default_rng(6)
    common = np.cumsum(1 / np.arange(1, 5001))

    def drawn(count: int) -> Any:
        """Words as often as their rank in a language allows."""
        return np.searchsorted(common, rng.random(count) * common[-1])

    words = ["".join(rng.choice(list("etaoinshrdlucm"), 1 + at % 9)) + str(at % 7) for at in range(5000)]
    some = []
    for _ in range(items):
        truth = drawn(rng.integers(8, 31))
        for _ in range(ANNOTATORS):
            kept = truth[rng.random(len(truth)) > 0.1]
            own = np.where(rng.random(len(kept)) < 0.25, drawn(len(kept)), kept)
            some.append(" ".join(words[at] for at in (own if len(own) > 3 else truth)))
    return some


def outlines(items: int, corners: int = 30) -> list[Any]:
    """Polygons around a middle, each annotator's line a little off."""
    rng = np.random.default_rng(7)
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    some = []
    for _ in range(items):
        middle, size = rng.uniform([150, 150], [490, 330]), rng.uniform(40, 130)
        radius = size * (1 + 0.2 * np.sin(3 * angle + rng.uniform(0, 6)))
        for _ in range(ANNOTATORS):
            r = radius + rng.normal(0, 2, corners)
            line = middle + rng.normal(0, 3, 2) + np.column_stack([r * np.cos(angle), r * np.sin(angle)])
            some.append([line.tolist()])
    return some


def masks(items: int) -> list[Any]:
    """The same outlines filled in an image of 480 × 640, as COCO writes run lengths."""
    from pycocotools import mask as coco

    return [
        coco.frPyObjects([np.ravel(line[0]).tolist()], 480, 640)[0] | {"size": [480, 640]} for line in outlines(items)
    ]


# -- ours --------------------------------------------------------------------------------------------------


def ours(values: list[Any], kind: str, distance: str, count: int, over: int) -> Any:
    """The distances of many pairs.

    With ``over`` they are computed so many times in one go, for values of very unequal size of which a peer can only
    do few pairs.
    """
    from interagree.distances import find
    from interagree.stats.pairs.pair_distances import PairDistances

    apart = PairDistances(find(distance), values, kind=kind)
    place = apart.place
    first, second = chosen(count, len(values))
    if not over:
        return lambda: apart(first, second)
    first, second = np.tile(first, over), np.tile(second, over)
    options = {**apart.distance.defaults, **apart.distance.given}
    return lambda: apart.distance.between(place, first, second, **options)


# -- peers -------------------------------------------------------------------------------------------------


def each(values: list[Any], few: int, far: Any) -> Any:
    """A function of two values, called for the first few pairs."""
    first, second = (side.tolist() for side in chosen(few, len(values)))
    return lambda: [far(values[a], values[b]) for a, b in zip(first, second, strict=True)]


def zss(trees: list[Any], few: int) -> Any:
    """zss.simple_distance of trees built beforehand."""
    from zss import Node, simple_distance

    def node(tree: list[Any]) -> Any:
        made = Node(tree[0])
        for child in tree[1:]:
            made.addkid(node(child))
        return made

    return each([node(tree) for tree in trees], few, simple_distance)


def apted(trees: list[Any], few: int) -> Any:
    """APTED with its usual costs, of trees built beforehand."""
    from apted import APTED
    from apted.helpers import Tree

    def node(tree: list[Any]) -> Any:
        return Tree(tree[0], *map(node, tree[1:]))

    some = [node(tree) for tree in trees]
    return each(some, few, lambda a, b: APTED(a, b).compute_edit_distance())


def giou(a: Any, b: Any) -> float:
    """One minus the generalised intersection over union of two boxes, at most 1."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    both = max(wide, 0) * max(high, 0)
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both
    around = (max(a[2], b[2]) - min(a[0], b[0])) * (max(a[3], b[3]) - min(a[1], b[1]))
    return 1 - max(both / union - (around - union) / around, 0)


def pooled(some: Any, others: Any, far: Any) -> float:
    """The mean over the objects of both lists of how far the nearest of the other list is."""
    if not len(some) or not len(others):
        return float(len(some) != len(others))
    table = [[far(a, b) for b in others] for a in some]
    nearest = [min(row) for row in table] + [min(column) for column in zip(*table, strict=True)]
    return sum(nearest) / len(nearest)


def optimal(some: Any, others: Any, far: Any) -> float:
    """The least cost of pairing the objects one to one, 1 for each that is left over."""
    from scipy.optimize import linear_sum_assignment

    if not len(some) or not len(others):
        return float(len(some) != len(others))
    table = np.empty((len(some), len(others)))
    for i, a in enumerate(some):
        for j, b in enumerate(others):
            table[i, j] = far(a, b)
    row, column = linear_sum_assignment(table)
    return (table[row, column].sum() + abs(len(some) - len(others))) / max(len(some), len(others))


WAYS = {"pooled": pooled, "optimal": optimal}


def python_boxes(lists: list[Any], few: int, way: str) -> Any:
    """Two loops over tuples."""
    return each(lists, few, lambda a, b: WAYS[way](a, b, giou))


def array_boxes(lists: list[Any], few: int, way: str) -> Any:
    """The same two loops over the rows of arrays."""
    return each([np.array(boxes) for boxes in lists], few, lambda a, b: WAYS[way](a, b, giou))


KAPPA = np.array([26, 25, 25, 35, 35, 79, 79, 72, 72, 62, 62, 107, 107, 87, 87, 89, 89]) / 1000


def area(marks: Any) -> float:
    """That of the smallest box around the labelled joints."""
    seen = marks[marks[:, 2] > 0, :2]
    return float(np.prod(seen.max(axis=0) - seen.min(axis=0))) if len(seen) else 0.0


def oks(a: Any, b: Any) -> float:
    """One minus the object keypoint similarity of two people, joints × 3."""
    here, there = a[:, 2] > 0, b[:, 2] > 0
    size = (area(a) + area(b)) / 2
    squared = ((a[:, :2] - b[:, :2]) ** 2).sum(axis=1)
    alike = np.exp(-squared / (2 * size * (2 * KAPPA) ** 2))
    return 1 - float(alike[here & there].sum() / (here | there).sum())


def numpy_people(lists: list[Any], few: int, way: str) -> Any:
    """Two loops over arrays of joints."""
    some = [np.array(value).reshape(-1, 17, 3) for value in lists]
    return each(some, few, lambda a, b: WAYS[way](a, b, oks))


def scipy_ranks(lists: list[Any], few: int, which: str) -> Any:
    """scipy.stats.kendalltau or spearmanr of two arrays of ranks."""
    import scipy.stats

    correlation = getattr(scipy.stats, which)
    ranks = list(np.argsort(np.array(lists), axis=1))
    return each(ranks, few, lambda a, b: 1 - float(correlation(a, b).statistic))


def nltk_tokens(strings: list[str], few: int, which: str) -> Any:
    """GLEU, BLEU both ways, or the edit distance of token lists."""
    from nltk.metrics.distance import edit_distance
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    from nltk.translate.gleu_score import sentence_gleu

    smooth = SmoothingFunction().method2
    far = {
        "gleu": lambda a, b: 1 - sentence_gleu([a], b),
        "bleu": lambda a, b: (
            1
            - (sentence_bleu([a], b, smoothing_function=smooth) + sentence_bleu([b], a, smoothing_function=smooth)) / 2
        ),
        "edits": edit_distance,
    }[which]
    return each([text.split() for text in strings], few, far)


def nltk_chrf(strings: list[str], few: int) -> Any:
    """ChrF of two strings, both ways."""
    from nltk.translate.chrf_score import sentence_chrf

    def far(a: str, b: str) -> float:
        return 1 - (sentence_chrf(a, b, max_len=6, beta=2) + sentence_chrf(b, a, max_len=6, beta=2)) / 2

    return each(strings, few, far)


def coco_masks(values: list[Any], few: int) -> Any:
    """pycocotools.mask.iou, a call for each pair."""
    from pycocotools import mask as coco

    return each(values, few, lambda a, b: 1 - float(coco.iou([a], [b], [0])[0, 0]))


def coco_matrix(values: list[Any], few: int) -> Any:
    """pycocotools.mask.iou, one call for all masks by all masks; `few` pairs are looked at."""
    from pycocotools import mask as coco

    first, second = chosen(few, len(values))
    crowd = [0] * len(values)
    return lambda: (1 - coco.iou(values, values, crowd))[first, second]


def shapely_polygons(values: list[Any], few: int) -> Any:
    """The areas of the intersection and of the union of two polygons built beforehand."""
    from shapely import Polygon

    shapes = [Polygon(value[0]) for value in values]
    return each(shapes, few, lambda a, b: 1 - a.intersection(b).area / a.union(b).area)


# -- the races ---------------------------------------------------------------------------------------------


def race(
    *, kind: str, distance: str, data: list[Any], pairs: int, over: int, peer: str, few: int, given: dict[str, Any]
) -> Any:
    """Ours and a peer in turn; the answer is the least processor seconds of each.

    Args:
        kind: What the values are.
        distance: The distance, with its parameters.
        data: The function that makes the values, and what it is called with.
        pairs: How many pairs ours is asked for.
        over: How often it is asked for each, see `ours`.
        peer: The function of the peer.
        few: How many pairs it is asked for.
        given: What else it is told.
    """
    values = globals()[data[0]](*data[1:])
    sides = ours(values, kind, distance, pairs, over), globals()[peer](values, few, **given)

    def timed() -> list[float]:
        first = np.asarray(sides[0]())[:few]  # this compiles what is to be compiled
        best, spent = [np.inf, np.inf], 0.0
        for at_round in range(ROUNDS):
            for at, side in enumerate(sides):
                for _ in range(1 if at else INNER):
                    start = time.process_time()
                    found = side()
                    took = time.process_time() - start
                    best[at] = min(best[at], took)
            if at_round == 0 and not np.allclose(first, np.asarray(found)[:few], rtol=1e-9, atol=1e-9):
                worst = int(np.argmax(np.abs(first - np.asarray(found)[:few])))
                raise ValueError(f"pair {worst} is {first[worst]} apart, and {found[worst]} by the peer")
            spent += took
            if spent > PATIENCE:
                break
        return best

    return timed


ROUNDS, INNER = 3, 4  # how often each has its turn, and how often ours is measured in one
PATIENCE = 2  # seconds after which a slow peer has no further turn

# What is compared: its name, how ours is called, and for each peer its name, its case, on how many pairs and with what,
# and how many times faster ours is to be.
Peer = tuple[str, str, int, dict[str, Any], int]
RACES: list[tuple[str, dict[str, Any], list[Peer]]] = [
    *(
        (
            f"ted, {name}",
            {"kind": "trees", "distance": "ted", "data": ["trees", 40, sizes], "pairs": 0, "over": 20},
            [("zss", "zss", few, {}, 500), ("apted", "apted", 60, {}, 60)],
        )
        for name, sizes, few in (
            ("trees of 20 to 60 nodes", [20, 60, 60], 20),
            ("a tenth of them with up to 200", [20, 60, 200], 10),
        )
    ),
    *(
        (
            f"giou, lists of 4.4 boxes, {way}",
            {"kind": "boxes", "distance": f"giou:matching={way}", "data": ["boxes", 3_000], "pairs": 60_000},
            [
                (f"loops over tuples{more}", "python_boxes", 2_000, {"way": way}, 150),
                (f"loops over rows of arrays{more}", "array_boxes", 500, {"way": way}, 150),
            ],
        )
        for way, more in (("pooled", ""), ("optimal", ", scipy's assignment"))
    ),
    *(
        (
            f"oks, lists of 2.5 people, {way}",
            {"kind": "keypoints", "distance": f"oks:matching={way}", "data": ["people", 2_000], "pairs": 40_000},
            [(f"NumPy for each two people{more}", "numpy_people", 1_000, {"way": way}, 300)],
        )
        for way, more in (("pooled", ""), ("optimal", ", scipy's assignment"))
    ),
    *(
        (
            f"{name}, full rankings of 25",
            {"kind": "rankings", "distance": name, "data": ["rankings", 10_000], "pairs": 200_000},
            [(f"scipy {which}", "scipy_ranks", 500, {"which": which}, wanted)],
        )
        for name, which, wanted in (("kendall", "kendalltau", 1000), ("spearman", "spearmanr", 0))
    ),
    *(
        (
            name,
            {"kind": "text", "distance": name.split()[0], "data": ["texts", 3_000], "pairs": 60_000},
            [(peer, case, few, given, wanted)],
        )
        for name, peer, case, few, given, wanted in (
            ("gleu of 8 to 30 words", "nltk", "nltk_tokens", 3_000, {"which": "gleu"}, 100),
            ("bleu of them, both ways", "nltk, method 2", "nltk_tokens", 1_000, {"which": "bleu"}, 0),
            ("chrf of them, both ways", "nltk", "nltk_chrf", 300, {}, 0),
            ("levenshtein_raw of tokens", "nltk edit_distance", "nltk_tokens", 1_500, {"which": "edits"}, 0),
        )
    ),
    (
        "iou, masks of 480 × 640",
        {"kind": "masks", "distance": "iou", "data": ["masks", 250], "pairs": 5_000},
        [
            ("pycocotools, a call per pair", "coco_masks", 3_000, {}, 0),
            ("pycocotools, all by all in one call", "coco_matrix", 5_000, {}, 0),
        ],
    ),
    (
        "iou, polygons of 30 corners",
        {"kind": "polygons", "distance": "iou", "data": ["outlines", 500], "pairs": 10_000},
        [("shapely, a call per pair", "shapely_polygons", 2_000, {}, 0)],
    ),
]


def raced(name: str, call: dict[str, Any], peers: list[Peer]) -> list[list[str]]:
    """The lines of one distance: ours beside each peer."""
    lines = []
    for peer, case, few, given, wanted in peers:
        asked = {"over": 0, **call, "pairs": call["pairs"] or few}
        row = harness.run(__file__, "race", name=peer, repeat=1, peer=case, few=few, given=given, **asked)
        if "failed" in row:
            sys.exit(f"{name}, {peer}: {row['failed']}")
        does = few if case != "coco_matrix" else (call["data"][1] * ANNOTATORS) ** 2
        own, other = row["answer"][0] / (asked["pairs"] * max(asked["over"], 1)), row["answer"][1] / does
        lines.append(
            [
                name,
                figure(own * 1e6),
                f"{1 / own:,.0f}",
                peer,
                f"{does:,}",
                figure(other * 1e6),
                figure(other / own),
                f"{wanted:,}" if wanted else "",
            ]
        )
    return lines


def figure(number: float) -> str:
    """A number with three digits that mean something."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main() -> None:
    """All distances, or those whose names begin as asked."""
    harness.machine()
    print("\nMicroseconds of processor for one pair; slow peers ran on few pairs\n")
    heads = ["", "interagree µs", "pairs/s", "beside it", "on pairs", "µs", "times slower", "wanted"]
    for line in (heads, ["---", "---:", "---:", "---", *["---:"] * 4]):
        print("| " + " | ".join(line) + " |")
    for one in RACES:
        if len(sys.argv) > 1 and not one[0].startswith(tuple(sys.argv[1:])):
            continue
        for line in raced(*one):
            print("| " + " | ".join(line) + " |", flush=True)


if __name__ == "__main__":
    main()
