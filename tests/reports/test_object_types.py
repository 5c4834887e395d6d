"""Types of disagreement about objects in images, against the definition computed slowly."""

import json
import random
from collections import Counter
from itertools import combinations, permutations

import pytest

import interagree as ia
from interagree.errors import KindError, OptionError
from interagree.reports.object_types import TYPES


def boxes(*rows):
    return ia.Annotations.of([("x", who, tuple(drawn)) for who, *drawn in rows], kind="boxes")


def numbers(study, **bounds):
    return ia.studies.object_types(study, **bounds).counts().to_dict("number")


def area(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def iou(a, b):
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    both = max(wide, 0) * max(high, 0)
    return both / (area(a) + area(b) - both)


def pairings(first, second):
    """Every way to pair some of the first with some of the second."""
    for size in range(min(len(first), len(second)) + 1):
        for some in combinations(range(len(first)), size):
            for others in permutations(range(len(second)), size):
                yield [*zip(some, others, strict=True)]


def by_hand(first, second, close, least):
    def worth(pairs):
        overlaps = [iou(first[a], second[b]) for a, b in pairs]
        if any(overlap < least or overlap == 0 for overlap in overlaps):
            return (-1.0, 0)
        return (round(sum(overlaps), 9), sum(first[a][4:] == second[b][4:] for a, b in pairs))

    best = max(pairings(first, second), key=worth)
    found = Counter()
    for a, b in best:
        near, same = iou(first[a], second[b]) >= close, first[a][4:] == second[b][4:]
        found[("agreed" if same else "label") if near else ("place" if same else "both")] += 1
    found["alone"] = len(first) + len(second) - 2 * len(best)
    return {name: count for name, count in found.items() if count}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([(0, 0, 10, 10, "cat")], [(0, 0, 10, 10, "cat")], {"agreed": 1}),
        ([(0, 0, 10, 10, "cat")], [(0, 0, 10, 8, "cat")], {"agreed": 1}),
        ([(0, 0, 10, 10, "cat")], [(0, 0, 10, 6, "cat")], {"place": 1}),
        ([(0, 0, 10, 10, "cat")], [(0, 0, 10, 10, "dog")], {"label": 1}),
        ([(0, 0, 10, 10, "cat")], [(0, 0, 10, 6, "dog")], {"both": 1}),
        ([(0, 0, 10, 10, "cat")], [(9, 9, 19, 19, "cat")], {"alone": 2}),  # hardly any overlap: two objects
        ([(0, 0, 10, 10, "cat")], [], {"alone": 1}),
        ([(0, 0, 10, 10)], [(0, 0, 10, 10)], {"agreed": 1}),
        # As good by place: the pairing with equal labels.
        ([(0, 0, 9, 9, "a"), (0, 0, 9, 9, "b")], [(0, 0, 9, 9, "b"), (0, 0, 9, 9, "a")], {"agreed": 2}),
        # Greedy pairs 1 with 1 and leaves two alone; the best sum pairs both.
        ([(0, 0, 10, 10), (4, 0, 14, 10)], [(3, 0, 13, 10), (8, 0, 18, 10)], {"place": 2}),
    ],
)
def test_each_type(first, second, expected):
    assert numbers(boxes(("ann", *first), ("bo", *second))) == expected
    assert numbers(boxes(("ann", *second), ("bo", *first))) == expected  # whoever comes first


def test_small_studies_by_hand():
    rng = random.Random(7)
    for _ in range(150):
        close, least = rng.choice([(0.75, 0.1), (0.5, 0.0), (0.9, 0.3)])

        def drawn():
            corners = [(rng.randrange(6), rng.randrange(6)) for _ in range(rng.randrange(5))]
            return [(x, y, x + rng.randint(1, 6), y + rng.randint(1, 6), rng.choice("ab")) for x, y in corners]

        people = {who: drawn() for who in "pqr"}
        expected = Counter()
        for one, other in combinations("pqr", 2):
            expected.update(by_hand(people[one], people[other], close, least))
        study = boxes(*((who, *people[who]) for who in "pqr"))
        if any(people.values()):
            assert numbers(study, close=close, least=least) == dict(expected)


def test_the_pairing_is_that_of_the_distance():
    rng = random.Random(3)
    for _ in range(30):
        people = []
        for who in ("ann", "bo"):
            corners = [(rng.randrange(8), rng.randrange(8)) for _ in range(rng.randint(1, 4))]
            people.append((who, *[(x, y, x + 5, y + 5, rng.choice("ab")) for x, y in corners]))
        study = boxes(*people)
        (first, second) = (list(drawn) for _, *drawn in people)
        total = max(sum(iou(first[a], second[b]) for a, b in pairs) for pairs in pairings(first, second))
        larger = max(len(first), len(second))
        observed = ia.alpha(study, distance="iou:labels=ignore").disagreement.observed
        assert observed == pytest.approx(1 - total / larger)


def test_by_label_and_by_annotator():
    study = ia.Annotations.of(
        [
            ("x", "ann", ((0, 0, 10, 10, "cat"), (50, 0, 60, 10, "dog"))),
            ("x", "bo", ((0, 0, 10, 10, "dog"), (50, 0, 60, 6, "dog"))),
            ("x", "cy", ((0, 0, 10, 10, "cat"),)),
            ("y", "ann", ()),
            ("y", "bo", ((1, 1, 5, 5, "cat"),)),
        ],
        kind="boxes",
    )
    found = ia.studies.object_types(study)
    assert found.counts().to_dict("number") == {"agreed": 1, "alone": 3, "label": 2, "place": 1}
    labels = {row["of label"]: row for row in found.by_label()}
    assert [labels["cat"][name] for name in TYPES] == [1, 0, 2, 0, 1]
    assert [labels["dog"][name] for name in TYPES] == [0, 1, 2, 0, 2]
    assert labels["cat"]["confused with"] == "dog"
    people = {row["annotator"]: row for row in found.by_annotator()}
    assert {name: people["ann"][name] for name in ("agreed", "place", "label", "both", "extra", "missing")} == {
        "agreed": 1, "place": 1, "label": 1, "both": 0, "extra": 1, "missing": 1,
    }  # fmt: skip
    assert (people["cy"]["extra"], people["cy"]["missing"]) == (0, 2)
    assert people["bo"]["disagreement"] == 1
    items = dict(zip(found.study.items, found.of_items(), strict=True))
    assert {item: [TYPES[k] for k in kinds] for item, kinds in items.items()} == {
        "x": ["place", "label", "alone"],
        "y": ["alone"],
    }
    assert json.loads(json.dumps(found.to_dict(), default=str))
    assert "place: below 0.75" in " ".join(str(found).split())


CORNERS = [[0, 0], [4, 0], [0, 4]]
RUNS = {"size": [4, 4], "counts": [0, 4, 12]}


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("rotated", [((5, 5, 8, 4, 30, "a"),), ((5, 5, 8, 4, 30, "b"),), ()]),
        ("polygons", [({"label": "a", "points": CORNERS},), ({"label": "b", "points": CORNERS},), ()]),
        ("masks", [({"label": "a", **RUNS},), ({"label": "b", **RUNS},), ()]),
    ],
)
def test_other_shapes_have_types_too(kind, values):
    rows = [("x", who, value) for who, value in zip(("ann", "bo", "cy"), values, strict=True)]
    found = ia.studies.object_types(ia.Annotations.of(rows, kind=kind))
    assert found.counts().to_dict("number") == {"alone": 2, "label": 1}
    assert {row["of label"] for row in found.by_label()} == {"a", "b"}


def test_keypoints_by_the_boxes_around_them():
    shapes = [
        ((10, 10, 2), (20, 10, 2), (20, 20, 2)),
        ((11, 10, 2), (20, 10, 2), (20, 20, 2)),
        ((50, 50, 2), (60, 50, 2), (60, 60, 2)),
    ]
    rows = [("x", "ann", shapes[:1]), ("x", "bo", shapes[1:])]
    study = ia.Annotations.of([(item, who, tuple(value)) for item, who, value in rows], kind="keypoints")
    assert numbers(study) == {"agreed": 1, "alone": 1}


def test_nothing_to_compare():
    alone = ia.Annotations.of([("x", "ann", ((0, 0, 1, 1),)), ("y", "bo", ((0, 0, 1, 1),))], kind="boxes")
    assert "two annotators" in ia.studies.object_types(alone).undefined
    empty = boxes(("ann",), ("bo",), ("cy",))
    assert "nobody drew" in ia.studies.object_types(empty).undefined
    assert not len(ia.studies.object_types(empty).counts())
    with pytest.raises(KindError, match="objects in images"):
        ia.studies.object_types([("x", "ann", "a"), ("x", "bo", "b")])
    with pytest.raises((KindError, OptionError), match="close"):
        ia.studies.object_types(alone, close=1.5)


def test_a_report_tells_types_and_one_of_labels_does_not(shared):
    study = ia.read(shared / "data" / "complex" / "boxes.jsonl")
    found = ia.studies.object_types(study)
    counts = found.counts().to_dict("number")
    assert sum(counts.values()) > 10_000
    sections = {section.title: section for section in ia.report(study, measures=["alpha"]).document().sections}
    assert sections["Types of disagreement"].table.to_dict("number") == counts
    assert "Types of disagreement by annotator" in sections
    assert "Types of disagreement by label" not in sections  # these boxes have none
    plain = ia.report({"ann": ["a", "b", "a"], "bo": ["a", "b", "b"]}, measures=["alpha"])
    assert not [section for section in plain.document().sections if section.title.startswith("Types")]
