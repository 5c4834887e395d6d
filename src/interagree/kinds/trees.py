"""Trees: bracketed strings such as "(S (NP (DT The) (NN firm)) (VP …))", or nested lists ["S", ["NP", …], …].

A node opens with its label; what follows is further nodes and words.  Only the outermost label may be empty, as in
"( (S …))"; it then counts as a label of its own.  Brackets that belong to the text are to be written otherwise, as
-LRB- and -RRB- in the Penn Treebank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from interagree.arrays import Booleans, Indices, Int32s
from interagree.data.types import Json
from interagree.kinds._kind import Kind, stored_noise, told_by, written
from interagree.kinds._parts import numbered, starts
from interagree.kinds._views import Drawing, without_halves

if TYPE_CHECKING:
    from interagree.kernels import tree_edit

Tree: TypeAlias = "str | tuple[Tree, ...]"

PIECE = re.compile(r"[()]|[^\s()]+")
DEEPEST = 100  # nodes one inside the other that a page draws
OPEN, CLOSE = "(", ")"
BRACKETS = {OPEN: "-LRB-", CLOSE: "-RRB-"}  # of the text, in nested lists


@dataclass(frozen=True, slots=True)
class Trees:
    """The nodes and words of all trees in postorder, end to end; those of value k are from ``start[k]`` on."""

    start: Indices
    label: Int32s
    size: Indices  # nodes and words in the subtree, with its root
    word: Booleans

    def laid_out(self, *, words: float = 0) -> tree_edit.LaidOutTrees:
        """The trees as the edit distance takes them, with words as leaves or without words."""
        from interagree.kernels import tree_edit

        if words:
            return tree_edit.LaidOutTrees.of(self.start, self.label, self.size)
        before = np.concatenate([[0], np.cumsum(self.word)])
        place = np.arange(len(self.word))
        size = self.size - (before[place + 1] - before[place + 1 - self.size])
        node = ~self.word
        return tree_edit.LaidOutTrees.of(self.start - before[self.start], self.label[node], size[node])


def _pieces(value: Tree) -> Iterator[str]:
    """The brackets, labels and words of a nested list, in the order in which a string has them."""
    waiting = [iter((value,))]
    while waiting:
        for part in waiting[-1]:
            if isinstance(part, tuple):
                yield OPEN
                waiting.append(iter(part))
                break
            yield BRACKETS.get(part, part)
        else:
            waiting.pop()
            if waiting:
                yield CLOSE


def _read(value: Tree) -> Sequence[str]:
    return PIECE.findall(value) if isinstance(value, str) else list(_pieces(value))


def _why_not(value: object) -> str | None:
    if not isinstance(value, str | tuple):
        return f"{value!r} is not a tree"
    if isinstance(value, str):
        reason = None if value.lstrip().startswith(OPEN) else "it does not begin with a bracket"
    else:
        reason = _wrong_list(value)
    if reason is not None:
        return reason
    pieces = _read(value)
    depth = 0
    for piece, after in zip(pieces, (*pieces[1:], None), strict=True):
        if piece == OPEN and (after == CLOSE or (depth and after in {OPEN, ""})):
            return "a label is missing"
        depth += (piece == OPEN) - (piece == CLOSE)
        if not depth and after is not None:
            return "there is more than one tree" if after == OPEN else f"{after[:40]!r} follows the tree"
    if depth:
        return f"{depth} bracket{'s are' if depth > 1 else ' is'} not closed"
    return None


def _wrong_list(value: tuple[object, ...]) -> str | None:
    if not value or not isinstance(value[0], str):
        return "a label is missing"
    waiting: list[object] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif not isinstance(part, str):
            return f"{part!r} is neither a string nor a list"
    return None


def _postorder(value: Tree, label: list[str], size: list[int], word: list[bool]) -> None:
    """Add the nodes and words of one tree, children before parents."""
    opened: list[tuple[str, int]] = []  # labels of the nodes that are open, and where their subtrees begin
    fresh = False  # whether the label of the innermost node is still to come
    for piece in _read(value):
        if piece == OPEN:
            opened.append(("", len(label)))
            fresh = True
        elif piece == CLOSE:
            name, first = opened.pop()
            label.append(name)
            size.append(len(label) - first)
            word.append(False)
            fresh = False
        elif fresh:
            opened[-1] = (piece, len(label))
            fresh = False
        else:
            label.append(piece)
            size.append(1)
            word.append(True)


def _drawn(value: Tree, _: Drawing) -> Json:
    """Nested lists; what is nested deeper than a page can hold is one word, in brackets."""
    opened: list[list[Json]] = [[]]
    deep: list[str] = []
    fresh, depth = False, 0
    for piece in _read(value):
        depth += (piece == OPEN) - (piece == CLOSE)
        if deep or depth > DEEPEST:
            deep.append(piece)
            if depth == DEEPEST:
                opened[-1].append(" ".join(deep))
                deep = []
        elif piece == OPEN:
            opened[-1] += [""] if fresh else []  # the outermost label may be empty
            opened.append([])
        elif piece == CLOSE:
            done = opened.pop()
            opened[-1].append(done)
        else:
            opened[-1].append(without_halves(piece))
        fresh = piece == OPEN
    return opened[0][0]


def _pack(values: Sequence[Tree]) -> Trees:
    label: list[str] = []
    size: list[int] = []
    word: list[bool] = []
    end = [0]
    for value in values:
        _postorder(value, label, size, word)
        end.append(len(label))
    return Trees(
        starts(np.diff(end).tolist()), numbered(label), np.array(size, dtype=np.intp), np.array(word, dtype=bool)
    )


def _likely(values: Sequence[Tree]) -> bool:
    # Without a node inside a node, "(none)" is a label, and ["a", "b"] a list of labels.
    return any(
        OPEN in value[1:] if isinstance(value, str) else any(isinstance(part, tuple) for part in value)
        for value in values
    )


trees = Kind(
    **written("trees", 'in brackets, "(S (NP …) (VP …))"'),
    **told_by(_why_not, _likely, _pack, rank=210, certainty="plain"),
    distance="ted_norm",
    distances=("ted_diff", "ted", "ted_norm"),
    noise=stored_noise("trees"),
    view="tree",
    drawn=_drawn,
    group="Trees and parses",
    examples=("(S (NP x) (VP y))", "(S (NP x) (VP (VB y) (NP z)))", "(S (VP y))"),
)
