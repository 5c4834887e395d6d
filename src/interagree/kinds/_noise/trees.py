"""Noise on trees, such as (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))), in brackets or as nested lists.

- ``relabel``: with probability $m$ the label of a node is drawn anew, each as likely as it is common: labels of words
  (parts of speech) among those of words, labels of phrases among those of phrases.
- ``reattach``: with probability $m / 2$ a node is hung up elsewhere without changing the order of the words: the first
  or last part of a phrase goes up beside the phrase, or else a part goes into the phrase on its left or right.  Not
  more, since annotators who move everything there is one way to move agree again.

Both together are usual.  Words stay what and where they are, so that even at $m = 1$ two trees of a sentence have them
in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from numpy.random import Generator

from interagree.kinds._noise import Corpus, Noise
from interagree.kinds._noise._mistakes import Mistakes

PIECES = re.compile(r"\(|\)|[^\s()]+")


class TreeNode:
    """A label and what hangs below it: nodes and words."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.parts: list[TreeNode | str] = []

    @property
    def over_words(self) -> bool:
        """Whether there are only words below."""
        return all(isinstance(part, str) for part in self.parts)

    def nodes(self) -> Iterator[TreeNode]:
        """This node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [part for part in reversed(node.parts) if isinstance(part, TreeNode)]

    def __str__(self) -> str:
        words: list[str] = []
        waiting: list[TreeNode | str] = [self]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                words.append(part)
            else:
                words.append(f"({part.label}")
                waiting += [")", *reversed(part.parts)]
        return " ".join(words).replace(" )", ")")


class KnownTrees(NamedTuple):
    words: Mistakes  # labels of nodes over words
    phrases: Mistakes


def _read(value: Any) -> TreeNode:
    if isinstance(value, tuple):
        return _from_lists(value)
    top = TreeNode("")
    path = [top]
    opened = False  # whether the label of the innermost node is still to come
    for piece in PIECES.findall(value):
        if piece == "(":
            node = TreeNode("")
            path[-1].parts.append(node)
            path.append(node)
        elif piece == ")":
            path.pop()
        elif opened:
            path[-1].label = piece
        else:
            path[-1].parts.append(piece)
        opened = piece == "("
    tree = top.parts[0]
    return tree if isinstance(tree, TreeNode) else top


def _from_lists(value: tuple[Any, ...]) -> TreeNode:
    labelled = bool(value) and isinstance(value[0], str)
    node = TreeNode(value[0] if labelled else "")
    node.parts = [_from_lists(part) if isinstance(part, tuple) else part for part in value[labelled:]]
    return node


def _lists(node: TreeNode) -> tuple[Any, ...]:
    parts = [_lists(part) if isinstance(part, TreeNode) else part for part in node.parts]
    return (node.label, *parts) if node.label else tuple(parts)


def _write(tree: TreeNode, _: KnownTrees, value: Any) -> Any:
    """A tree as a string or as nested lists, whichever it was."""
    return str(tree) if isinstance(value, str) else _lists(tree)


def _survey(corpus: Corpus) -> KnownTrees:
    nodes = [node for value in corpus.values for node in _read(value).nodes() if node.label]
    return KnownTrees(
        Mistakes.of([node.label for node in nodes if node.over_words]),
        Mistakes.of([node.label for node in nodes if not node.over_words]),
    )


def _relabel(trees: Sequence[TreeNode], m: float, rng: Generator, known: KnownTrees) -> list[TreeNode]:
    nodes = [node for tree in trees for node in tree.nodes() if node.label]
    for over_words, mistakes in ((True, known.words), (False, known.phrases)):
        these = [node for node in nodes if node.over_words == over_words]
        for node, label in zip(these, mistakes.usual([node.label for node in these], m, rng), strict=True):
            node.label = str(label)
    return list(trees)


def _reattach(trees: Sequence[TreeNode], m: float, rng: Generator, _: KnownTrees) -> list[TreeNode]:
    for tree in trees:
        above = {part: node for node in tree.nodes() for part in node.parts if isinstance(part, TreeNode)}
        for node, chance in zip(list(above), rng.random(len(above)).tolist(), strict=True):
            if chance < m / 2:
                _move(node, above, rng)
    return list(trees)


def _move(node: TreeNode, above: dict[TreeNode, TreeNode], rng: Generator) -> None:
    """Hang a node up elsewhere, if there is a place that keeps the order of words and leaves no phrase empty."""
    parent = above[node]
    if len(parent.parts) < 2:
        return
    at = parent.parts.index(node)
    ways: list[tuple[TreeNode, int]] = []
    if at > 0:
        left = parent.parts[at - 1]
        ways += [(left, len(left.parts))] if isinstance(left, TreeNode) and not left.over_words else []
    if at + 1 < len(parent.parts):
        right = parent.parts[at + 1]
        ways += [(right, 0)] if isinstance(right, TreeNode) and not right.over_words else []
    if parent in above and at in {0, len(parent.parts) - 1}:
        higher = above[parent]
        ways.append((higher, higher.parts.index(parent) + (at > 0)))
    if not ways:
        return
    home, place = ways[int(rng.integers(len(ways)))]
    del parent.parts[at]
    home.parts.insert(place, node)
    above[node] = home


trees: Noise[TreeNode, KnownTrees] = Noise(
    "trees",
    {"relabel": _relabel, "reattach": _reattach},
    _survey,
    lambda _: ("relabel", "reattach"),
    read=_read,
    write=_write,
)
