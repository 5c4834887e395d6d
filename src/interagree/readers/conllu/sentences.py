"""The sentences of a file: the words of each, their heads and relations, and what else is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interagree.data.files import lines_of
from interagree.data.provenance import counted
from interagree.errors import FormatError, KindError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.sentences import Sentence
from interagree.gather.whose import OwnedFile
from interagree.readers._token_columns import FEWEST, TOKEN, cells_of

STANDARD = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
OTHER_NAMES = {"cpostag": "upos", "cpos": "upos", "postag": "xpos", "pos": "xpos", "xpostag": "xpos", "upostag": "upos"}
NOTHING = "_"
NEEDED = ("id", "form", "head", "deprel")


class Parse(NamedTuple):
    """What an annotator says of a sentence."""

    text: str  # as the file states it, else the words
    columns: dict[str, tuple[str, ...]]  # what the words have in each
    heads: list[int | None]
    lines: list[int]  # of the words


class _Word(NamedTuple):
    line: int
    cells: list[str]


def sentences_of(
    file: OwnedFile, stated: tuple[str, ...] | None, encoding: str, gathered: Gatherer
) -> Iterator[Sentence]:
    """The sentences of a file.

    Args:
        file: The file.
        stated: The names of the columns, where the caller says them.
        encoding: How it is written.
        gathered: Where it is counted what is passed over.
    """
    number, columns = 0, stated
    words: list[_Word] = []
    comments: dict[str, str] = {}
    for at, line in enumerate([*lines_of(file.source.text(encoding)), ""], start=1):
        if not line.strip():
            if words:
                number += 1
                yield _sentence(file, number, columns or STANDARD, words, comments)
            words, comments = [], {}
        elif line[0] == "#" and not words and not line.startswith("#\t"):
            key, _, said = (part.strip() for part in line[1:].partition("="))
            comments[key] = said
            if key == "global.columns" and stated is None:
                columns = column_names(said.split())
        else:
            cells = cells_of(line)
            columns = columns or _standard(cells, f"{file.source.name}, line {at}", line)
            own = cells[columns.index("id")].strip() if len(cells) == len(columns) else ""
            if own == str(len(words) + 1):
                words.append(_Word(at, cells))
                continue
            where = f"{file.source.name}, line {at}"
            _check(cells, columns, where, line)
            if "-" in own:
                gathered.count("dropped", "multiword token", "passed over: the words in them are compared")
            elif "." in own:
                gathered.left_out("empty node")
            else:
                missing = "; is a blank line between two sentences missing?" if int(own[:9]) == 1 else ""
                raise FormatError(f"{where}: expected token {len(words) + 1}, found token {own[:20]}{missing}")
    gathered.noticed("file", "without a sentence", not number)


def _standard(cells: Sequence[str], where: str, line: str) -> tuple[str, ...]:
    """The columns of a file that does not say what they are."""
    if FEWEST <= len(cells) <= len(STANDARD):
        return STANDARD[: len(cells)]
    example = ReaderHint("columns", ["ID", "FORM", "LEMMA", "UPOS", "HEAD", "DEPREL"])
    raise FormatError(
        f"{where}: expected the {FEWEST} to {len(STANDARD)} columns of CoNLL-X or CoNLL-U, found "
        f"{counted(len(cells), 'column')}: {line[:60]!r}; where columns are others, say which, as in {example}",
        hints=[example],
    )


def _check(cells: Sequence[str], columns: tuple[str, ...], where: str, line: str) -> None:
    """An error for a line that is not one of a token."""
    if len(cells) != len(columns):
        raise FormatError(
            f"{where}: expected {counted(len(columns), 'column')}, {listing(columns, quote=False)}, found "
            f"{len(cells)}: {line.rstrip()[:60]!r}"
        )
    own = cells[columns.index("id")].strip()
    if not TOKEN.fullmatch(own) or not own.isascii():
        raise FormatError(f"{where}: expected the number of a token, found {own[:60]!r}")


def _sentence(
    file: OwnedFile, number: int, columns: tuple[str, ...], words: Sequence[_Word], comments: dict[str, str]
) -> Sentence:
    by_name = dict(zip(columns, zip(*(word.cells for word in words), strict=True), strict=True))
    nothing = (NOTHING,) * len(words)
    named = {name: by_name.get(name, nothing) for name in STANDARD}
    heads = [_head(head.strip(), len(words), file, word.line) for head, word in zip(named["head"], words, strict=True)]
    text = comments.get("text", " ".join(named["form"]))
    parse = Parse(text, named, heads, [word.line for word in words])
    return Sentence(file, number, words[0].line, named["form"], parse, comments.get("sent_id") or None)


def _head(head: str, size: int, file: OwnedFile, line: int) -> int | None:
    """The number of a head; None where there is none."""
    if head == NOTHING:
        return None
    where = f"{file.source.name}, line {line}"
    if not (head.isascii() and head.isdigit()):
        raise FormatError(f"{where}: expected the number of a token as head, or 0, found {head[:60]!r}")
    if len(head) > 9 or int(head) > size:
        raise FormatError(f"{where}: the head is token {head[:20]}, and the sentence has {counted(size, 'token')}")
    return int(head)


def column_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns in one spelling."""
    plain = [name.lower().removeprefix("ud:") for name in names]
    columns = tuple(name if name in STANDARD else OTHER_NAMES.get(name, name) for name in plain)
    lacking = [name for name in NEEDED if name not in columns]
    if lacking or len(set(columns)) < len(columns):
        wrong = f"{listing(lacking)} lacking" if lacking else "one of them twice"
        raise KindError(
            f"columns must name each column once, among them {listing(NEEDED)}; got {listing(names)}, {wrong}"
        )
    return columns
