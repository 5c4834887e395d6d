"""The sentences of a file, their tokens and the tags of each annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from interagree.data.files import Source, lines_of
from interagree.data.provenance import Step, counted, noted
from interagree.errors import Advice, DataError, FormatError, Hint, ReaderHint, listing
from interagree.readers.conll.files import DOCSTART, TAG, TaggedFile

TREE = 10  # columns of CoNLL-U and CoNLL-X


class ColumnOptions(NamedTuple):
    """What a caller said about columns and names."""

    tag: int
    token: int
    columns: dict[int, str] | None  # names of annotators by column
    annotator: str | None
    document: str | None
    guessed: bool  # whether columns were not said, only how many


class _Sentence(NamedTuple):
    part: int  # the number of the -DOCSTART- part
    cells: list[list[str]]  # of each token


class TaggedDocument(NamedTuple):
    """What one annotator wrote of one document: for each sentence its tokens and tags."""

    annotator: str
    document: str
    sentences: list[tuple[list[str], list[str]]]


def tagged_documents(
    files: Sequence[TaggedFile], chosen: ColumnOptions, encoding: str
) -> tuple[list[TaggedDocument], list[Step]]:
    counts: Counter[str] = Counter()
    parsed = [(file, _parsed(file.source, chosen, encoding, counts)) for file in files]
    by = _by(parsed, chosen)
    documents: list[TaggedDocument] = []
    for file, sentences in parsed:
        columns = chosen.columns or {chosen.tag: file.annotator}
        for document, inside in _documents(file, sentences, by):
            for column, who in columns.items():
                cut = [
                    ([row[chosen.token] for row in sentence.cells], [row[column] for row in sentence.cells])
                    for sentence in inside
                ]
                documents.append(TaggedDocument(who, document, cut))
    often = Counter((reading.annotator, reading.document) for reading in documents)
    if double := next((cell for cell, times in often.items() if times > 1), None):
        who, document = double
        pattern = Hint("annotator", "{folder}")
        raise DataError(
            f"{who!r} has document {document!r} twice; files of one annotator need different names, or a pattern "
            f"that tells whose they are, such as {pattern}",
            hints=[pattern],
        )
    return documents, [Step("taken", f"documents are {_WORDS[by]}"), *_steps(counts)]


_WORDS = {"file": "files", "docstart": "what stands between -DOCSTART- lines", "sentence": "sentences"}


def _by(parsed: Sequence[tuple[TaggedFile, list[_Sentence]]], chosen: ColumnOptions) -> str:
    """What documents are, where nobody said it."""
    if chosen.document is not None:
        return chosen.document
    if parsed[0][0].document is not None:
        return "file"
    parts = [len({sentence.part for sentence in sentences}) for _, sentences in parsed]
    if max(parts) > 1:
        return "docstart"
    sizes = {file.source.name: len(sentences) for file, sentences in parsed}
    if len(set(sizes.values())) > 1:
        whole_files = ReaderHint("document", "file")
        raise DataError(
            f"the files have different numbers of sentences ({listing(sizes.items(), quote=False, most=6)}), so "
            f"sentences of one number are not the same; pass {whole_files} to compare whole files",
            hints=[whole_files],
        )
    return "sentence"


def _documents(file: TaggedFile, sentences: Sequence[_Sentence], by: str) -> Iterator[tuple[str, list[_Sentence]]]:
    """The documents of a file by name."""
    before = "" if file.document is None else f"{file.document}:"
    if by == "sentence":
        for number, sentence in enumerate(sentences, start=1):
            yield f"{before}{number}", [sentence]
    elif by == "docstart":
        for number, (_, inside) in enumerate(groupby(sentences, key=lambda sentence: sentence.part), start=1):
            yield f"{before}{number}", list(inside)
    else:
        yield ("text" if file.document is None else file.document), list(sentences)


def _parsed(source: Source, chosen: ColumnOptions, encoding: str, counts: Counter[str]) -> list[_Sentence]:
    """The sentences of a file."""
    lines = lines_of(source.text(encoding))
    tabs = sum("\t" in line for line in lines) * 2 > sum(not line.isspace() and bool(line) for line in lines)
    rows = list(map(_at_tabs if tabs else str.split, lines))
    widths = Counter(map(len, (row for row in rows if row and row[0] != DOCSTART)))
    if not widths:
        return []
    width = widths.most_common(1)[0][0]
    _refuse(source, rows, width)
    _enough(source, rows, width, chosen)
    wanted = [*(chosen.columns or {chosen.tag: ""}), chosen.token]
    if width < 2 or not all(-width <= at < width for at in wanted):
        raise FormatError(
            f"{source.name} has {counted(width, 'column')}, and columns {listing(wanted, quote=False)} are wanted "
            "(counted from 0, or from the end where negative); expected a token and its tag in each line"
        )
    sentences = list(_sentences(source, lines, rows, width, counts))
    if chosen.columns is None and (also := _also_tags(sentences, width, chosen)):
        counts[_aside(also, sorted([*also, chosen.tag % width]))] += 1
    return sentences


def _enough(source: Source, rows: Sequence[Sequence[str]], width: int, chosen: ColumnOptions) -> None:
    """An error for more annotators than columns of tags."""
    if not chosen.guessed or chosen.columns is None:
        return
    whole = [row for row in rows if len(row) == width and row[0] != DOCSTART]
    tags = [
        column
        for column in range(width)
        if column != chosen.token % width and sum(bool(TAG.fullmatch(row[column])) for row in whole) * 2 > len(whole)
    ]
    if len(tags) < len(chosen.columns):
        were = "was" if len(chosen.columns) == 1 else "were"
        raise FormatError(
            f"{source.name}: {counted(len(chosen.columns), 'annotator')} {were} named, and the file has "
            f"{counted(len(tags), 'column')} of tags; name one annotator for each"
        )


def _at_tabs(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t")] if line.strip() else []


def _refuse(source: Source, rows: Sequence[Sequence[str]], width: int) -> None:
    """Errors for files that only look like tags."""
    if width not in (TREE, 4):
        return
    whole = [row for row in rows if len(row) == width and row[0] != DOCSTART]
    if width == TREE and all(row[0].replace("-", "").replace(".", "").isdigit() for row in whole if row[0][:1] != "#"):
        trees = Hint("format", "conllu")
        raise FormatError(
            f"{source.name} has {TREE} columns that begin with the number of the token: a dependency tree (CoNLL-U or "
            f"CoNLL-X). Tags are read here; trees are read with {trees}",
            hints=[trees],
        )
    if width == 4 and all(row[1] == "-X-" and row[2] == "_" for row in whole):
        raise FormatError(
            f"{source.name} is a CoNLL export of Label Studio, which repeats a sentence for each annotation and does "
            "not say whose it is; export the project as JSON and read that"
        )


def _sentences(
    source: Source, lines: Sequence[str], rows: Sequence[list[str]], width: int, counts: Counter[str]
) -> Iterator[_Sentence]:
    part = 0
    inside: list[list[str]] = []
    for number, cells in enumerate([*rows, []]):
        if not cells or cells[0] == DOCSTART:
            if inside:
                yield _Sentence(part, inside)
                inside = []
            part += bool(cells)
        elif len(cells) == width and cells[0] and cells[0][0] != "#":
            inside.append(cells)
        elif (row := _odd(source, number, lines[number], cells, width)) is None:
            counts["comments"] += 1
        else:
            counts["empty"] += not row[0]
            inside.append(row)


def _odd(source: Source, number: int, line: str, cells: list[str], width: int) -> list[str] | None:
    """The cells of a line that is not like the others; None for a comment."""
    if len(cells) == width and (not cells[0] or TAG.fullmatch(cells[-1])):
        return cells
    if line.startswith("#"):
        return None
    if line[0].isspace() and len(cells) == width - 1:
        return ["", *cells]  # a token that was lost, and left its tag
    raise FormatError(
        f"{source.name}, line {number + 1}: expected {counted(width, 'column')} as in most lines, found {len(cells)}: "
        f"{line.rstrip()[:60]!r}"
    )


def _steps(counts: Counter[str]) -> list[Step]:
    comments, empty = counts["comments"], counts["empty"]
    return [
        *noted("dropped", f"{counted(comments, 'comment')} left out", comments),
        *noted("noticed", f"{counted(empty, 'tag')} without a token", empty),
        *(Step("noticed", note, times) for note, times in counts.items() if note not in ("comments", "empty")),
    ]


def _aside(columns: Sequence[int], every: Sequence[int]) -> str:
    look = "column {} also looks like tags and is" if len(columns) == 1 else "columns {} also look like tags and are"
    aside = look.format(listing(columns, quote=False))
    return Advice.of(f"{aside} left aside (", ReaderHint("columns", [*every]), " takes each as an annotator)")


def _also_tags(sentences: Sequence[_Sentence], width: int, chosen: ColumnOptions) -> list[int]:
    """Further columns that hold nothing but tags."""
    used = {chosen.tag % width, chosen.token % width}
    return [
        column
        for column in range(width)
        if column not in used and all(TAG.fullmatch(row[column]) for sentence in sentences for row in sentence.cells)
    ]
