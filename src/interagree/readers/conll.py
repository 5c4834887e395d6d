"""CoNLL and IOB: a token in each line with its tag in the last column, a blank line after each sentence.

    EU B-ORG
    rejects O

Annotators are folders (``root/ANNOTATOR/document.txt``), the files of a folder, or columns of one file::

    ia.read("round1", format="conll")                            # folders, or files of annotators
    ia.read("all.conll", columns=[1, 2], annotators=["ann", "bo"])

A document is a file, what lies between two ``-DOCSTART-`` lines, or a sentence.  Tools cut texts differently and lose
tokens, so the n-th tokens of two files are not the same token: where they differ, tokens are aligned by their
characters, and what has no place is counted.  Files that are to be aligned are read at once, as a folder.

In a folder of annotators one called ``_gold`` is not an annotator: what it marked is kept as the attribute ``gold``,
unless ``gold=None``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, Unpack

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.columns import Columns, IntoColumn
from interagree.data.files import Source, lines_of
from interagree.data.paths import Paths, fill_pattern, pattern_words, source_names, unread_files
from interagree.data.provenance import Step, counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.tagged import Sentences, Words, from_sentences
from interagree.documents.tags import OUT, PREFIXES, coded
from interagree.documents.unit_columns import ByItem
from interagree.errors import Advice, DataError, FormatError, Hint, KindError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.named_files import files_of_annotators
from interagree.gather.whose import OwnedFile
from interagree.readers._options import Written
from interagree.readers._peek import some_files
from interagree.readers._token_columns import holds_trees

TREE = 10  # columns of CoNLL-U and CoNLL-X
DOCUMENTS = {"file": "files", "docstart": "what stands between -DOCSTART- lines", "sentence": "sentences"}
Row: TypeAlias = list[str]  # the cells of a token
Rows: TypeAlias = list[Row]  # those of a sentence
Tagged: TypeAlias = Mapping[tuple[str, str], list[tuple[list[str], list[str]]]]  # the tokens and tags of sentences
SUFFIXES = (".conll", ".conll03", ".conll2003", ".iob", ".iob2", ".bio")
INSIDE = (*SUFFIXES, ".txt", ".tsv")  # what files may be called in a folder, and where sniffing is sure
DOCSTART = "-DOCSTART-"
START_OF_FILE = 65_536  # bytes that are looked at to recognise a file
TAG = re.compile(rf"O|[{''.join(sorted(PREFIXES))}](-\S+)?")


def recognised(path: Path) -> bool:
    """Whether a file is named as one of tags or can be nothing else, or a folder or its folders hold such files."""
    if not path.is_dir():
        if holds_trees(path):
            return False
        return Source.of(path).suffix in SUFFIXES or (OUT in (tags := _tags(path)) and _opening(tags))
    files = some_files(path)
    if files and all(file.parent == path and file.suffix.lower() in SUFFIXES for file in files):
        return not any(map(holds_trees, files))
    seen = [_tags(file) if file.suffix.lower() in INSIDE else set() for file in files]
    return bool(seen) and all(seen) and _opening(set().union(*seen))  # some may have no span in them


def _opening(tags: Iterable[str]) -> bool:
    return any("-" in tag for tag in tags)


def _tags(path: Path) -> set[str]:
    """The tags that the lines of the start of a file end in; none where some line ends in something else."""
    try:
        with Source.of(path).open() as stream:
            start = stream.read(START_OF_FILE)
        lines = start.decode("utf-8-sig").splitlines()[: -1 if len(start) == START_OF_FILE else None]
    except (OSError, EOFError, ValueError, DataError):
        return set()
    cells = [line.split() for line in lines if line.strip() and not line.startswith(DOCSTART)]
    last = {row[-1] for row in cells}
    several = len(cells) > 1 and Counter(map(len, cells)).most_common(1)[0][0] > 1
    return last if several and all(map(TAG.fullmatch, last)) else set()


@reader("CoNLL, IOB and BIO tags", suffixes=(*SUFFIXES, ".tsv"), sniff=recognised, together=True)
def conll(
    path: Paths,
    *,
    annotator: str | Sequence[str] | None = None,
    columns: int | Sequence[int] | None = None,
    annotators: str | Sequence[str] | None = None,
    tag: int = -1,
    token: int = 0,
    document: Literal["file", "docstart", "sentence"] | None = None,
    scheme: str = "auto",
    strict: bool = False,
    gold: str | None = "_gold",
    **options: Unpack[Written],
) -> Study:
    """Tags of one file, of several, of the files of a folder, or of a folder for each annotator.

    Args:
        path: A file or a folder, or a list of them.
        annotator: A pattern for who annotated, of "{file}" and "{folder}", or a name; a list is that of ``annotators``.
        columns: The columns of tags, one for each annotator, counted from 0; from the end where negative.
        annotators: What the annotators of these columns are called; without ``columns`` these are the last ones.
        tag: The column of the tag, where there is one annotator in a file.
        token: The column of the token.
        document: "file", "docstart" or "sentence": what a document is.  Without, it is the file in folders of
            annotators; else what stands between -DOCSTART- lines, if there are several, else the sentence.
        scheme: How spans are written: "iob1", "iob2", "bioes", "bilou", "bmewo", "io"; "auto" finds it out.
        strict: Leave out spans that break the rules of the scheme.
        gold: The name of the gold annotations, which are kept as an attribute.  None: they are those of an annotator.
    """
    if annotator is not None and not isinstance(annotator, str):
        annotator, annotators = None, annotator if annotators is None else annotators
    named = _named(columns, annotators)
    guessed = columns is None and named is not None
    files = tagged_files(path, annotator)
    sources = [file.source for file in files]
    gathered = Gatherer("CoNLL", sources, named=source_names(path))
    tagged = tagged_documents(files, ColumnOptions(tag, token, named, document, guessed, options["encoding"]), gathered)
    if not tagged:
        raise FormatError(f"{gathered.files}: there is no token to read")
    gathered.steps += unread_files(path, sources, deep=True)
    gathered.take("spans", _without_gold(_spans(tagged, scheme, strict=strict), gold))
    return gathered.study()


def _named(columns: int | Sequence[int] | None, annotators: str | Sequence[str] | None) -> dict[int, str] | None:
    if columns is None and annotators is None:
        return None
    people = [annotators] if isinstance(annotators, str) else annotators
    at = (
        list(range(-len(people or ()), 0)) if columns is None else [columns] if isinstance(columns, int) else [*columns]
    )
    names = [f"column {number}" for number in at] if people is None else [str(name) for name in people]
    if not at or len(names) != len(at):
        raise KindError(
            f"columns= names {counted(len(at), 'column')} and annotators= {counted(len(names), 'annotator')}; name one "
            "annotator for each column"
        )
    if twice := [name for name, often in Counter([*at, *names]).items() if often > 1]:
        raise KindError(f"{twice[0]!r} is named twice; every column is of one annotator, and every annotator has one")
    return dict(zip(at, names, strict=True))


def _spans(tagged: Tagged, scheme: str, *, strict: bool) -> Annotations:
    """The spans that tags are, on tokens that all annotators have."""
    people, documents = (
        {name: at for at, name in enumerate(dict.fromkeys(names))} for names in zip(*tagged, strict=True)
    )
    tags: list[list[str]] = []
    owner: list[tuple[int, int, int]] = []  # annotator, document, tokens before
    words: dict[int, dict[int, Words]] = {at: {} for at in people.values()}
    for (who, document), sentences in tagged.items():
        before, lines = 0, set()
        for tokens, given in sentences or [([], [])]:
            owner.append((people[who], documents[document], before))
            tags.append(given)
            lines |= {before} - {0}
            before += len(tokens)
        every = list(chain.from_iterable(tokens for tokens, _ in sentences))
        words[people[who]][documents[document]] = Words(every, None, frozenset(lines))
    starts = np.concatenate([[0], np.cumsum([len(sentence) for sentence in tags])]).astype(np.int64)
    laid = np.array(owner, dtype=np.int64).T
    sentences_ = Sentences(coded(tags), starts, laid[0], laid[1], laid[2], tuple(people), tuple(documents))
    return from_sentences(sentences_, tokens=words, scheme=scheme, strict=strict)


def _without_gold(study: Annotations, gold: str | None) -> Annotations:
    """The study without the gold annotator, whose spans become an attribute."""
    if gold is None or gold not in study.annotators or len(study.annotators) < 2:
        return study
    right = {item: value for item, who, value in study.rows() if who == gold}
    rest = study.without(gold)
    used, value = np.unique(rest.value, return_inverse=True)
    answers = [right.get(item) for item in rest.items]
    further: dict[str, IntoColumn] = {name: rest.attributes[name] for name in rest.attributes}
    further["gold"] = ByItem(rest.item, answers)
    documents = counted(len(right), "document")
    sentence = f"{gold!r} is not an annotator: what it marked in {documents} is the attribute 'gold'"
    step = Step("taken", Advice.of(f"{sentence} (", ReaderHint("gold", None), " takes it as one)"), len(right))
    made = replace(
        rest,
        value=value.reshape(-1),
        values=tuple(rest.values[at] for at in used.tolist()),
        attributes=Columns.of(further),
    )
    return made.with_steps(step)


# -- documents ----------------------------------------------------------------------------------------------


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


# -- files --------------------------------------------------------------------------------------------------


def tagged_files(path: Paths, annotator: str | None) -> list[OwnedFile]:
    """All files, with whose they are; of folders of annotators also of which document."""
    return [
        OwnedFile(
            file.source,
            file.name if file.folder else "",
            file.folder or file.name
            if annotator is None
            else fill_pattern(annotator, pattern_words(file.source), option="annotator"),
        )
        for file in files_of_annotators(path, INSIDE, _fits)
    ]


def _fits(file: Path) -> bool:
    """Whether a file of a folder may be one of tags; a text beside an .ann file is one of brat."""
    if Source.of(file).suffix not in INSIDE:
        return False
    return file.suffix != ".txt" or not file.with_suffix(".ann").exists()
