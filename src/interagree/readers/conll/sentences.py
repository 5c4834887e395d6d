"""The sentences of a file, their tokens and the tags of each annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from interagree.data.files import Source, lines_of
from interagree.data.provenance import counted
from interagree.errors import Advice, DataError, FormatError, Hint, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.whose import OwnedFile
from interagree.readers.conll.files import DOCSTART, TAG

TREE = 10  # columns of CoNLL-U and CoNLL-X
DOCUMENTS = {"file": "files", "docstart": "what stands between -DOCSTART- lines", "sentence": "sentences"}

Row: TypeAlias = list[str]  # the cells of a token
Rows: TypeAlias = list[Row]  # those of a sentence
Tagged: TypeAlias = Mapping[tuple[str, str], list[tuple[list[str], list[str]]]]  # the tokens and tags of sentences


class ColumnOptions(NamedTuple):
    """What a caller said about columns and names."""

    tag: int
    token: int
    columns: Mapping[int, str] | None  # names of annotators by column
    document: str | None
    guessed: bool  # whether columns were not said, only how many
    encoding: str


def tagged_documents(files: Sequence[OwnedFile], chosen: ColumnOptions, gathered: Gatherer) -> Tagged:
    """What each annotator wrote of each document, by annotator and document."""
    parsed = [(file, _parts(file.source, chosen, gathered)) for file in files]
    by = chosen.document or _by(parsed)
    gathered.note("taken", f"documents are {DOCUMENTS[by]}")
    tagged: dict[tuple[str, str], list[tuple[list[str], list[str]]]] = {}
    for file, parts in parsed:
        for document, sentences in _documents(file, parts, by):
            for column, who in (chosen.columns or {chosen.tag: file.annotator}).items():
                if (who, document) in tagged:
                    pattern = Hint("annotator", "{folder}")
                    raise DataError(
                        f"{who!r} has document {document!r} twice; files of one annotator need different names, or a "
                        f"pattern that tells whose they are, such as {pattern}",
                        hints=[pattern],
                    )
                tagged[who, document] = [
                    ([row[chosen.token] for row in rows], [row[column] for row in rows]) for rows in sentences
                ]
    return tagged


def _by(parsed: Sequence[tuple[OwnedFile, list[list[Rows]]]]) -> str:
    """What documents are, where nobody said it."""
    if parsed[0][0].document:
        return "file"
    if any(len(parts) > 1 for _, parts in parsed):
        return "docstart"
    sizes = {file.source.name: len(parts[0]) if parts else 0 for file, parts in parsed}
    if len(set(sizes.values())) > 1:
        whole_files = ReaderHint("document", "file")
        raise DataError(
            f"the files have different numbers of sentences ({listing(sizes.items(), quote=False, most=6)}), so "
            f"sentences of one number are not the same; pass {whole_files} to compare whole files",
            hints=[whole_files],
        )
    return "sentence"


def _documents(file: OwnedFile, parts: list[list[Rows]], by: str) -> Iterator[tuple[str, list[Rows]]]:
    """The documents of a file by name."""
    sentences = list(chain.from_iterable(parts))
    if by == "file":
        yield file.document or "text", sentences
        return
    before = f"{file.document}:" if file.document else ""
    for number, inside in enumerate(parts if by == "docstart" else [[rows] for rows in sentences], start=1):
        yield f"{before}{number}", inside


# -- lines --------------------------------------------------------------------------------------------------


def _parts(source: Source, chosen: ColumnOptions, gathered: Gatherer) -> list[list[Rows]]:
    """The sentences of each part of a file."""
    lines = lines_of(source.text(chosen.encoding))
    tabs = sum("\t" in line for line in lines) * 2 > sum(not line.isspace() and bool(line) for line in lines)
    rows = list(map(_at_tabs if tabs else str.split, lines))
    widths = Counter(map(len, (row for row in rows if row and row[0] != DOCSTART)))
    if not widths:
        return []
    width = widths.most_common(1)[0][0]
    plain = [row for row in rows if len(row) == width and row[0] != DOCSTART and row[0][:1] != "#"]
    _refuse(source, plain, width)
    shares = {
        column: sum(bool(TAG.fullmatch(row[column])) for row in plain) / max(len(plain), 1)
        for column in range(width)
        if column != chosen.token % width
    }
    _check_columns(source, width, sum(share > 0.5 for share in shares.values()), chosen)
    also = [column for column, share in shares.items() if share == 1 and column != chosen.tag % width]
    if also and chosen.columns is None:
        look = f"column {also[0]} also looks like tags and is"
        look = look if len(also) == 1 else f"columns {listing(also, quote=False)} also look like tags and are"
        every = ReaderHint("columns", sorted([*also, chosen.tag % width]))
        gathered.note("noticed", Advice.of(f"{look} left aside (", every, " takes each as an annotator)"), 1)
    parts: list[list[Rows]] = [[[]]]
    for number, cells in enumerate(rows):
        if not cells or cells[0] == DOCSTART:
            parts += [[[]]] if cells else []
            parts[-1].append([])
        elif (row := _row(source, number, lines[number], cells, width)) is None:
            gathered.left_out("comment")
        else:
            gathered.noticed("tag", "without a token", not row[0])
            parts[-1][-1].append(row)
    kept = [[sentence for sentence in part if sentence] for part in parts]
    return [part for part in kept if part]


def _at_tabs(line: str) -> Row:
    return [cell.strip() for cell in line.split("\t")] if line.strip() else []


def _refuse(source: Source, rows: Sequence[Row], width: int) -> None:
    """Errors for files that only look like tags."""
    if width == TREE and all(row[0].replace("-", "").replace(".", "").isdigit() for row in rows):
        trees = Hint("format", "conllu")
        raise FormatError(
            f"{source.name} has {TREE} columns that begin with the number of the token: a dependency tree (CoNLL-U or "
            f"CoNLL-X). Tags are read here; trees are read with {trees}",
            hints=[trees],
        )
    if width == 4 and all(row[1] == "-X-" and row[2] == "_" for row in rows):
        raise FormatError(
            f"{source.name} is a CoNLL export of Label Studio, which repeats a sentence for each annotation and does "
            "not say whose it is; export the project as JSON and read that"
        )


def _check_columns(source: Source, width: int, tags: int, chosen: ColumnOptions) -> None:
    """An error for columns that there are not, or for more annotators than columns of tags."""
    people = chosen.columns or {chosen.tag: ""}
    if chosen.guessed and tags < len(people):
        were = "was" if len(people) == 1 else "were"
        raise FormatError(
            f"{source.name}: {counted(len(people), 'annotator')} {were} named, and the file has "
            f"{counted(tags, 'column')} of tags; name one annotator for each"
        )
    wanted = [*people, chosen.token]
    if width < 2 or not all(-width <= at < width for at in wanted):
        raise FormatError(
            f"{source.name} has {counted(width, 'column')}, and columns {listing(wanted, quote=False)} are wanted "
            "(counted from 0, or from the end where negative); expected a token and its tag in each line"
        )


def _row(source: Source, number: int, line: str, cells: Row, width: int) -> Row | None:
    """The cells of a line; None for a comment."""
    if len(cells) == width and (not cells[0] or cells[0][0] != "#" or TAG.fullmatch(cells[-1])):
        return cells
    if line.startswith("#"):
        return None
    if line[0].isspace() and len(cells) == width - 1:
        return ["", *cells]  # a token that was lost, and left its tag
    raise FormatError(
        f"{source.name}, line {number + 1}: expected {counted(width, 'column')} as in most lines, found {len(cells)}: "
        f"{line.rstrip()[:60]!r}"
    )
