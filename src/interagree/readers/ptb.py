"""Bracketed trees, as of the Penn Treebank: one after the other in a file, over several lines or in one.

    ( (S (NP-SBJ (PRP It)) (VP (VBZ rains)) (. .)) )

Annotators are folders (``root/ANNOTATOR/document.mrg``), or the files of a folder.  Names such as ``10003-ann.tree`` in
the folder ``ann`` are those of the document ``10003``; ``names="{document}-{annotator}"`` says what the names of files
are made of where folders do not tell it.  Items are trees of one document and place in it.

**Labels** are kept as they are, with functions and indices (NP-SBJ-1) and with traces (-NONE-), unless
``functions="drop"`` and ``traces="drop"`` leave them out; nodes that only hold traces go with them.  The bracket
without a label around a tree is left off; ``outer="drop"`` also leaves off a ROOT, TOP or S1 around it.

**Words** must be the same by all annotators of a tree, traces apart; trees of other words are left out and counted, or
with ``unequal="majority"`` those who have the words that most have stay.  Distances of trees pass over words.  In a
treebank without words the leaves are labels that stand beside other nodes, and they are read as nodes
(``leaves="labels"``; ``leaves="words"`` takes them as words).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths, places, source_names, unread_files
from interagree.data.provenance import counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, DoubtfulReading, FormatError, ReaderHint, ReadingAdvice, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.named_files import owned_files
from interagree.gather.sentences import Sentence, aligned
from interagree.gather.whose import OwnedFile
from interagree.readers._options import TreeReaderOptions
from interagree.readers._peek import beginning, only_such_files

SUFFIXES = (".tree", ".trees", ".ptb", ".mrg", ".prd", ".psd", ".parse", ".brackets")
PIECE = re.compile(r"[()]|[^\s()]+|\n")
COMMENT = re.compile(r"^(?:\*x\*|%%|;;)[^\n]*", re.MULTILINE)  # lines that are for people
WORD = re.compile(rb"\([^\s()]+\s+[^\s()]+\s*\)")
OUTER = ("ROOT", "TOP", "S1")
NONE = "-NONE-"
SEVERAL = 0.05  # the share of leaves beside nodes from which on they are not words
QUESTION = "trees"


@dataclass(slots=True)
class Node:
    """A node: its label, and its children, which are nodes and words."""

    label: str
    children: list[Child] = field(default_factory=list)


Child: TypeAlias = "Node | str"


@dataclass(slots=True)
class Tree:
    """A tree as one annotator has it."""

    file: OwnedFile
    number: int  # among those of the file
    line: int
    root: Node


def recognised(path: Path) -> bool:
    """Whether a file begins as a tree does, or a folder or its folders hold nothing but such files."""
    if path.is_dir():
        return only_such_files(path, lambda file: Source.of(file).suffix in SUFFIXES)
    start = COMMENT.sub("", beginning(path).decode("utf-8-sig", "ignore")).lstrip()
    named = Source.of(path).suffix in SUFFIXES
    return named or (start.startswith("(") and WORD.search(start.encode()) is not None and start.count("(") > 2)


@reader("Bracketed trees (Penn Treebank)", suffixes=SUFFIXES, sniff=recognised, together=True)
def ptb(
    path: Paths,
    *,
    item: str | None = None,
    functions: Literal["keep", "drop"] = "keep",
    traces: Literal["keep", "drop"] = "keep",
    outer: Literal["keep", "drop"] = "keep",
    leaves: Literal["auto", "words", "labels"] = "auto",
    **options: Unpack[TreeReaderOptions],
) -> Study:
    """Bracketed trees of one file, of several, of the files of a folder, or of a folder for each annotator.

    Args:
        path: A file or a folder, or a list of them.
        item: A pattern for the name of the tree, of "{document}", "{number}" and "{text}".
        functions: "keep" or "drop" what follows the category in a label: NP-SBJ-1 is then NP.
        traces: "keep" or "drop" empty elements (-NONE-), and nodes that hold nothing else.
        outer: "keep" or "drop" a node ROOT, TOP or S1 around a tree.
        leaves: Whether leaves are "words" or "labels"; "auto": labels where they stand beside other nodes.
    """
    files, steps = owned_files(path, SUFFIXES, options["annotator"], options["document"], options["names"])
    sources = [file.source for file in files]
    gathered = Gatherer("bracketed trees", sources, named=source_names(path))
    gathered.steps += steps
    trees = [tree for file in files for tree in _trees(file, options["encoding"], gathered)]
    _change(trees, gathered, functions=functions == "drop", traces=traces == "drop", outer=outer == "drop")
    lexical = leaves == "words" or not _hold_labels(trees, leaves, gathered, places(path))
    sentences = [
        Sentence(file, number, line, tuple(_words(root)) if lexical else (), _written(root))
        for file, number, line, root in ((tree.file, tree.number, tree.line, tree.root) for tree in trees)
        if root.label or root.children
    ]
    gathered.left_out("tree", "with nothing but empty elements left out", len(trees) - len(sentences))
    items = aligned(sentences, item, options["unequal"], gathered, places(path))
    gathered.steps += unread_files(path, sources, deep=True)
    for name, by_annotator in items.items():
        for who, sentence in by_annotator.items():
            gathered.add(Mark(QUESTION, name, who, sentence.parse, sentence.where), "trees")
            if lexical:
                gathered.texts.setdefault(name, " ".join(sentence.words))
    return gathered.study()


# -- reading ------------------------------------------------------------------------------------------------


def _trees(file: OwnedFile, encoding: str, gathered: Gatherer) -> Iterator[Tree]:
    """The trees of a file."""
    text = file.source.text(encoding).replace("\r\n", "\n").replace("\r", "\n")
    text, comments = COMMENT.subn("", text)
    gathered.left_out("comment", times=comments)
    line, number = 1, 0
    opened: list[Node] = []
    begun = 0  # the line on which the tree begins
    fresh = False  # whether the label of the innermost node is still to come
    for piece in PIECE.findall(text):
        if piece == "\n":
            line += 1
        elif piece == "(":
            begun = begun if opened else line
            node = Node("")
            if opened:
                opened[-1].children.append(node)
            opened.append(node)
            fresh = True
        elif not opened:
            raise FormatError(f"{file.source.name}, line {line}: expected a tree in brackets, found {piece[:60]!r}")
        elif piece == ")":
            node = opened.pop()
            fresh = False
            if not opened:
                number += 1
                yield Tree(file, number, begun, _unwrapped(node, f"{file.source.name}, line {line}"))
        elif fresh:
            opened[-1].label, fresh = piece, False
        else:
            opened[-1].children.append(piece)
    if opened:
        raise FormatError(
            f"{file.source.name}, line {begun}: {counted(len(opened), 'bracket')} of the tree that begins here "
            f"{'is' if len(opened) == 1 else 'are'} not closed"
        )


def _unwrapped(node: Node, where: str) -> Node:
    """A tree without the bracket around it that has no label."""
    while not node.label and len(node.children) == 1 and isinstance(node.children[0], Node):
        node = node.children[0]
    for inner in reversed(_nodes(node)):
        if not inner.label and inner is not node:
            raise FormatError(f"{where}: a node inside of the tree that ends here has no label")
        if not inner.label and not inner.children:
            raise FormatError(f"{where}: there is nothing between two brackets; expected a tree")
    return node


# -- changing -----------------------------------------------------------------------------------------------


def _nodes(root: Node) -> list[Node]:
    """All nodes of a tree, mothers before daughters."""
    nodes = [root]
    for node in nodes:
        nodes += [child for child in node.children if isinstance(child, Node)]
    return nodes


def _words(root: Node) -> Iterator[str]:
    """The words of a tree, without traces."""
    waiting: list[Child] = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif part.label != NONE:
            waiting += reversed(part.children)


def _change(trees: Sequence[Tree], gathered: Gatherer, *, functions: bool, traces: bool, outer: bool) -> None:
    """Leave out what was asked for, and count it."""
    wrapped = [tree for tree in trees if tree.root.label in OUTER and len(tree.root.children) == 1]
    cut = 0
    for tree in wrapped if outer else ():
        if isinstance(inner := tree.root.children[0], Node):
            tree.root = inner
            gathered.left_out("outermost node", "left off")
    for tree in trees:
        nodes = _nodes(tree.root)
        for node in nodes if functions else ():
            plain = re.split("[-=|]", node.label, maxsplit=1)[0] or node.label
            cut += plain != node.label
            node.label = plain
        for node in reversed(nodes) if traces else ():
            # A trace, or what had nothing but traces in it, which are gone.
            kept = [
                child for child in node.children if isinstance(child, str) or (child.label != NONE and child.children)
            ]
            gathered.left_out("empty element", times=len(node.children) - len(kept))
            node.children = kept
    gathered.steps += noted("dropped", f"functions and indices of {counted(cut, 'label')} left out", cut)
    if not outer and 0 < len(wrapped) < len(trees):
        sentence = f"{len(wrapped):,} of {counted(len(trees), 'tree')} have a node {listing(OUTER)} around them ("
        gathered.note("noticed", Advice.of(sentence, ReaderHint("outer", "drop"), " leaves it off)"), len(wrapped))


def _hold_labels(trees: Sequence[Tree], leaves: str, gathered: Gatherer, source: str | list[str]) -> bool:
    """Whether the leaves are labels, as in a treebank without words; these become nodes."""
    inside = [
        (tree, node, sum(isinstance(c, str) for c in node.children)) for tree in trees for node in _nodes(tree.root)
    ]
    words = sum(number for *_, number in inside)
    mixed = [(tree, number) for tree, node, number in inside if 0 < number < len(node.children)]
    beside = sum(number for _, number in mixed)
    if leaves == "auto" and not beside:
        return False
    if leaves == "auto" and beside < SEVERAL * words:
        tree, among = mixed[0][0], counted(words, "leaf").replace("leafs", "leaves")
        raise DoubtfulReading(
            f"{tree.file.source.name}, line {tree.line}: {beside:,} of {among} stand beside other "
            "nodes, which words with a part of speech do not; say what leaves are",
            [
                ReadingAdvice(f"leaves are {way}", options={"leaves": way}, of_reader=("leaves",))
                for way in ("words", "labels")
            ],
            source=source,
        )
    for _, node, _ in inside:
        node.children = [Node(child) if isinstance(child, str) else child for child in node.children]
    why = f", since {beside:,} of {words:,} stand beside other nodes" if leaves == "auto" else ""
    sentence = Advice.of(f"leaves taken as labels{why} (", ReaderHint("leaves", "words"), " takes them as words)")
    gathered.note("assumed" if leaves == "auto" else "taken", sentence, beside)
    return True


def _written(root: Node) -> str:
    """A tree in one line."""
    parts: list[str] = []
    waiting: list[Child] = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            parts.append(part)
        else:
            parts.append(f"({part.label}")
            waiting += [")", *reversed(part.children)]
    return " ".join(parts).replace(" )", ")")
