"""CoNLL and IOB: a token in each line with its tag in the last column, a blank line after each sentence.

    EU B-ORG
    rejects O

Annotators are folders (``root/ANNOTATOR/document.txt``), the files of a folder, or columns of one file::

    ia.read("round1", format="conll")                            # folders, or files of annotators
    ia.read("all.conll", columns=[1, 2], annotators=["ann", "bo"])

A document is a file, what lies between two ``-DOCSTART-`` lines, or a sentence.  Tools cut texts differently and lose
tokens, so the n-th tokens of two files are not the same token: where they differ, tokens are aligned by their
characters, and what has no place is counted.  Files that are to be aligned are read at once, as a folder.

In a folder of annotators one called ``_gold`` is none of them: what it marked is kept as the attribute ``gold``, unless
``gold=None``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.columns import Columns
from interagree.data.files import Source
from interagree.data.paths import (
    OnePath,
    Paths,
    as_list,
    fill_pattern,
    pattern_words,
    source_names,
    unread_files,
)
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.tagged import Sentences, Words, from_sentences
from interagree.documents.tags import OUT, PREFIXES, coded
from interagree.documents.unit_columns import ByItem
from interagree.errors import DataError, FormatError, Hint, KindError, UnknownName, listing, suggestion

SUFFIXES = (".conll", ".conll03", ".conll2003", ".iob", ".iob2", ".bio")
INSIDE = (*SUFFIXES, ".txt", ".tsv")  # what files may be called in a folder, and where sniffing is sure
DOCUMENTS = ("file", "docstart", "sentence")
DOCSTART = "-DOCSTART-"
TREE = 10  # columns of CoNLL-U and CoNLL-X
LOOKED_AT = 20  # files of a folder that are looked at to recognise it
START_OF_FILE = 65_536  # bytes that are looked at to recognise a file
TAG = re.compile(rf"O|[{''.join(sorted(PREFIXES))}](-\S+)?")


def recognised(path: Path) -> bool:
    """Whether a file is named as one of tags or can be nothing else, or a folder or its folders hold such files."""
    if not path.is_dir():
        return Source.of(path).suffix in SUFFIXES or _is_sure(_tags(path))
    try:
        here = [file for file in path.iterdir() if not file.name.startswith(".") and file.name != "README.md"]
        inner = [file for folder in here if folder.is_dir() for file in islice(folder.iterdir(), LOOKED_AT)]
    except OSError:
        return False
    if any(file.is_file() for file in here):
        others = [file for file in here if file.suffix.lower() not in SUFFIXES]
        return not others or _all_of_tags(others[:LOOKED_AT])
    return _all_of_tags(inner[:LOOKED_AT])


def _is_sure(tags: set[str]) -> bool:
    return OUT in tags and _opening(tags)


def _all_of_tags(files: Sequence[Path]) -> bool:
    """Whether files can only be of tags; some may have no span in them."""
    found = [_tags(file) if file.is_file() and file.suffix.lower() in INSIDE else set() for file in files]
    return all(found) and _opening(set().union(*found))


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
    last = {one[-1] for one in cells}
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
    document: str | None = None,
    scheme: str = "auto",
    strict: bool = False,
    gold: str | None = "_gold",
    encoding: str = "utf-8-sig",
    **options: Any,
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
        gold: The annotator who is none: what she marked is kept as an attribute.  None: she is one like the others.
        encoding: How the files are written.
        options: None; an unknown one is named.
    """
    _known(options)
    if document not in (None, *DOCUMENTS):
        raise KindError(f"document must be {listing(DOCUMENTS)}, got {document!r}")
    if annotator is not None and not isinstance(annotator, str):
        annotator, annotators = None, annotator if annotators is None else annotators
    named = _named(columns, annotators)
    chosen = _Chosen(tag, token, named, annotator, document, guessed=columns is None and named is not None)
    files = [file for one in as_list(path) for file in _files(one, chosen)]
    readings, steps = _readings(files, chosen, encoding)
    steps += unread_files(path, [file.source for file in files], deep=True)
    made = _study(readings, scheme, strict=strict, provenance=Provenance(source_names(path)).then(*steps))
    made = _without_gold(made, gold)
    return Study({"spans": made}, made.provenance)


class _Chosen(NamedTuple):
    """What a caller said about columns and names."""

    tag: int
    token: int
    columns: dict[int, str] | None  # names of annotators by column
    annotator: str | None
    document: str | None
    guessed: bool  # whether columns were not said, only how many


def _known(options: dict[str, Any]) -> None:
    known = (
        "annotator",
        "columns",
        "annotators",
        "tag",
        "token",
        "document",
        "scheme",
        "strict",
        "gold",
        "encoding",
    )
    for option, given in options.items():
        if option == "duplicates" or (option == "kind" and given == "spans"):
            continue
        raise UnknownName(
            f"CoNLL has no option {option!r}.{suggestion(option, known)} (known: {listing(known)})"
        )


def _named(
    columns: int | Sequence[int] | None, annotators: str | Sequence[str] | None
) -> dict[int, str] | None:
    if columns is None and annotators is None:
        return None
    people = [annotators] if isinstance(annotators, str) else annotators
    at = list(range(-len(people or ()), 0)) if columns is None else _numbers(columns)
    names = [f"column {one}" for one in at] if people is None else [str(one) for one in people]
    if len(names) != len(at):
        raise KindError(
            f"columns= names {counted(len(at), 'column')} and annotators= {counted(len(names), 'annotator')}; name one "
            "annotator for each column"
        )
    if twice := [one for one, often in Counter([*at, *names]).items() if often > 1]:
        raise KindError(
            f"{twice[0]!r} is named twice; every column is of one annotator, and every annotator has one"
        )
    return dict(zip(at, names, strict=True))


def _numbers(columns: int | Sequence[int]) -> list[int]:
    given: Sequence[Any] = columns if isinstance(columns, list | tuple | range) else [columns]
    if not given or not all(isinstance(one, int) and not isinstance(one, bool) for one in given):
        example = Hint("columns", [1, 2])
        raise KindError(
            "columns must be whole numbers that count columns from 0, or from the end where negative, as in "
            f"{example}; got {columns!r}",
            hints=[example],
        )
    return [int(one) for one in given]


# -- which files --------------------------------------------------------------------------------------------


class _File(NamedTuple):
    source: Source
    annotator: str
    document: str | None  # None where documents are inside of files


def _files(path: OnePath, chosen: _Chosen) -> list[_File]:
    """All files, with whose they are; of folders of annotators also of which document."""
    if isinstance(path, Source) or not Path(path).is_dir():
        source = Source.of(path)
        found = [_File(source, source.stem, None)]
    else:
        root = Path(path)
        here = sorted(file for file in root.iterdir() if _fits(file))
        found = [_File(Source.of(file), Source.of(file).stem, None) for file in here]
        if not found:
            inner = sorted(file for file in root.rglob("*") if _fits(file))
            found = [_inner(root, file) for file in inner]
    if not found:
        raise FormatError(
            f"{path} is a folder without a file that ends in {listing(INSIDE, quote=False)}; expected a file for each "
            "annotator, or a folder for each with a file for each document"
        )
    if chosen.annotator is None:
        return found
    return [
        file._replace(
            annotator=fill_pattern(chosen.annotator, pattern_words(file.source), option="annotator")
        )
        for file in found
    ]


def _fits(file: Path) -> bool:
    """Whether a file of a folder may be one of tags; a text beside an .ann file is one of brat."""
    if not file.is_file() or file.name.startswith(".") or Source.of(file).suffix not in INSIDE:
        return False
    return file.suffix != ".txt" or not file.with_suffix(".ann").exists()


def _inner(root: Path, file: Path) -> _File:
    source = Source.of(file)
    folder, *rest = file.relative_to(root).parts[:-1]
    return _File(source, folder, "/".join([*rest, source.stem]))


# -- one file -----------------------------------------------------------------------------------------------


class _Sentence(NamedTuple):
    part: int  # the number of the -DOCSTART- part
    cells: list[list[str]]  # of each token


class _Reading(NamedTuple):
    """What one annotator wrote of one document: for each sentence its tokens and tags."""

    annotator: str
    document: str
    sentences: list[tuple[list[str], list[str]]]


def _readings(files: Sequence[_File], chosen: _Chosen, encoding: str) -> tuple[list[_Reading], list[Step]]:
    counts: Counter[str] = Counter()
    parsed = [(file, _parsed(file.source, chosen, encoding, counts)) for file in files]
    by = _by(parsed, chosen)
    found: list[_Reading] = []
    for file, sentences in parsed:
        columns = chosen.columns or {chosen.tag: file.annotator}
        for document, inside in _documents(file, sentences, by):
            for column, who in columns.items():
                cut = [
                    ([row[chosen.token] for row in one.cells], [row[column] for row in one.cells])
                    for one in inside
                ]
                found.append(_Reading(who, document, cut))
    doubles = [
        cell for cell, often in Counter((one.annotator, one.document) for one in found).items() if often > 1
    ]
    if doubles:
        who, document = doubles[0]
        pattern = Hint("annotator", "{folder}")
        raise DataError(
            f"{who!r} has document {document!r} twice; files of one annotator need different names, or a pattern "
            f"that tells whose they are, such as {pattern}",
            hints=[pattern],
        )
    return found, [Step("taken", f"documents are {_WORDS[by]}"), *_told(counts)]


_WORDS = {"file": "files", "docstart": "what stands between -DOCSTART- lines", "sentence": "sentences"}


def _by(parsed: Sequence[tuple[_File, list[_Sentence]]], chosen: _Chosen) -> str:
    """What documents are, where nobody said it."""
    if chosen.document is not None:
        return chosen.document
    if parsed[0][0].document is not None:
        return "file"
    parts = [len({one.part for one in sentences}) for _, sentences in parsed]
    if max(parts) > 1:
        return "docstart"
    sizes = {file.source.name: len(sentences) for file, sentences in parsed}
    if len(set(sizes.values())) > 1:
        raise DataError(
            f"the files have different numbers of sentences ({listing(sizes.items(), quote=False, most=6)}), so "
            "sentences of one number are not the same; pass document='file' to compare the files as wholes"
        )
    return "sentence"


def _documents(file: _File, sentences: Sequence[_Sentence], by: str) -> Iterator[tuple[str, list[_Sentence]]]:
    """The documents of a file by name."""
    before = "" if file.document is None else f"{file.document}:"
    if by == "sentence":
        for number, one in enumerate(sentences, start=1):
            yield f"{before}{number}", [one]
    elif by == "docstart":
        for number, (_, inside) in enumerate(groupby(sentences, key=lambda one: one.part), start=1):
            yield f"{before}{number}", list(inside)
    else:
        yield ("text" if file.document is None else file.document), list(sentences)


def _parsed(source: Source, chosen: _Chosen, encoding: str, counts: Counter[str]) -> list[_Sentence]:
    """The sentences of a file."""
    lines = source.text(encoding).split("\n")
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


def _enough(source: Source, rows: Sequence[Sequence[str]], width: int, chosen: _Chosen) -> None:
    """An error for more annotators than columns of tags."""
    if not chosen.guessed or chosen.columns is None:
        return
    whole = [row for row in rows if len(row) == width and row[0] != DOCSTART]
    tags = [
        column
        for column in range(width)
        if column != chosen.token % width
        and sum(bool(TAG.fullmatch(row[column])) for row in whole) * 2 > len(whole)
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
    if width == TREE and all(
        row[0].replace("-", "").replace(".", "").isdigit() for row in whole if row[0][:1] != "#"
    ):
        raise FormatError(
            f"{source.name} has {TREE} columns that begin with the number of the token: a dependency tree (CoNLL-U or "
            "CoNLL-X). Tags are read here; trees cannot be read from such files yet"
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


def _told(counts: Counter[str]) -> list[Step]:
    comments, empty = counts["comments"], counts["empty"]
    steps = []
    if comments:
        steps.append(Step("dropped", f"{counted(comments, 'comment')} left out", comments))
    if empty:
        steps.append(Step("noticed", f"{counted(empty, 'tag')} without a token", empty))
    also = [said for said in counts if said not in ("comments", "empty")]
    return steps + [Step("noticed", said, counts[said]) for said in also]


def _aside(columns: Sequence[int], every: Sequence[int]) -> str:
    look = (
        "column {} also looks like tags and is"
        if len(columns) == 1
        else "columns {} also look like tags and are"
    )
    return f"{look.format(listing(columns, quote=False))} left aside (columns={every} takes each as an annotator)"


def _also_tags(sentences: Sequence[_Sentence], width: int, chosen: _Chosen) -> list[int]:
    """Further columns that hold nothing but tags."""
    used = {chosen.tag % width, chosen.token % width}
    return [
        column
        for column in range(width)
        if column not in used and all(TAG.fullmatch(row[column]) for one in sentences for row in one.cells)
    ]


# -- the study ----------------------------------------------------------------------------------------------


def _study(readings: Sequence[_Reading], scheme: str, *, strict: bool, provenance: Provenance) -> Annotations:
    people = {name: at for at, name in enumerate(dict.fromkeys(one.annotator for one in readings))}
    documents = {name: at for at, name in enumerate(dict.fromkeys(one.document for one in readings))}
    if not documents:
        raise FormatError(f"{listing(provenance.sources, quote=False)}: there is no token to read")
    tags: list[list[str]] = []
    owner: list[tuple[int, int, int]] = []  # annotator, document, tokens before
    words: dict[int, dict[int, Words]] = {at: {} for at in people.values()}
    for one in readings:
        who, document = people[one.annotator], documents[one.document]
        before, lines = 0, []
        for tokens, said in one.sentences or [([], [])]:
            owner.append((who, document, before))
            tags.append(said)
            lines.append(before)
            before += len(tokens)
        every = list(chain.from_iterable(tokens for tokens, _ in one.sentences))
        words[who][document] = Words(every, None, frozenset(lines[1:]))
    laid = np.array(owner, dtype=np.int64).reshape(-1, 3)
    sentences = Sentences(
        coded(tags),
        np.concatenate([[0], np.cumsum([len(one) for one in tags])]).astype(np.int64),
        laid[:, 0],
        laid[:, 1],
        laid[:, 2],
        tuple(people),
        tuple(documents),
    )
    return from_sentences(sentences, tokens=words, scheme=scheme, strict=strict, provenance=provenance)


def _without_gold(study: Annotations, gold: Hashable | None) -> Annotations:
    """The study without the annotator who is none, and what she marked beside it."""
    if gold is None or gold not in study.annotators or len(study.annotators) < 2:
        return study
    right: dict[Hashable, Any] = {item: value for item, who, value in study.rows() if who == gold}
    rest = study.without(gold)
    used, value = np.unique(rest.value, return_inverse=True)
    answers = [right.get(item) for item in rest.items]
    further: dict[str, Any] = {name: rest.attributes[name] for name in rest.attributes}
    further["gold"] = ByItem(rest.item, answers)
    said = f"{gold!r} is no annotator: what it marked in {counted(len(right), 'document')} is the attribute 'gold'"
    step = Step("taken", f"{said} (gold=None takes it as one)", len(right))
    made = replace(
        rest,
        value=value.reshape(-1),
        values=tuple(rest.values[at] for at in used.tolist()),
        attributes=Columns.of(further),
    )
    return made.with_steps(step)
