"""Ask zss and apted for the edit distances of small random trees, and keep the answers in complex_trees.json.

Run with a Python that has zss and apted:  python tests/oracles/complex_trees.py
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

import zss
from apted import APTED
from apted.helpers import Tree

PAIRS = 60
LABELS = "ABC"


def main() -> None:
    """Draw trees, some of them deep to one side, ask both, and write what they say."""
    rng = random.Random(20240607)
    pairs = []
    for _ in range(PAIRS):
        one, other = drawn(rng), drawn(rng)
        pairs.append(
            {
                "a": spelled(one),
                "b": spelled(other),
                "zss": int(zss.simple_distance(as_zss(one), as_zss(other), label_dist=differ)),
                "apted": int(APTED(as_apted(one), as_apted(other)).compute_edit_distance()),
            }
        )
    found = {"zss_version": version("zss"), "apted_version": version("apted"), "pairs": pairs}
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{len(pairs)} pairs in {path.name}")


def drawn(rng: random.Random) -> list[Any]:
    """A tree of 1 to 14 nodes, each hung as the last or the first child of a node that is near or anywhere."""
    nodes: list[list[Any]] = [[rng.choice(LABELS)]]
    reach = rng.choice([1, 3, 14])
    for _ in range(rng.randrange(14)):
        node = [rng.choice(LABELS)]
        parent = rng.choice(nodes[-reach:])
        parent.insert(rng.choice([1, len(parent)]), node)
        nodes.append(node)
    return nodes[0]


def spelled(tree: list[Any]) -> str:
    """The tree in brackets."""
    return "(" + " ".join([tree[0], *map(spelled, tree[1:])]) + ")"


def as_zss(tree: list[Any]) -> Any:
    """The tree as zss takes it."""
    node = zss.Node(tree[0])
    for child in tree[1:]:
        node.addkid(as_zss(child))
    return node


def as_apted(tree: list[Any]) -> Any:
    """The tree as apted takes it."""
    return Tree(tree[0], *map(as_apted, tree[1:]))


def differ(a: str, b: str) -> int:
    """What relabelling costs; left alone, zss takes the edit distance of the labels where it finds a package for it."""
    return int(a != b)


if __name__ == "__main__":
    main()
