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

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.columns import Columns, IntoColumn
from interagree.data.paths import Paths, as_list, source_names, unread_files
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.tagged import Sentences, Words, from_sentences
from interagree.documents.tags import coded
from interagree.documents.unit_columns import ByItem
from interagree.errors import Advice, FormatError, KindError, ReaderHint, listing
from interagree.gather.units import check_options, check_word
from interagree.readers.conll.files import SUFFIXES, recognised, tagged_files
from interagree.readers.conll.sentences import ColumnOptions, TaggedDocument, tagged_documents

OPTIONS = ("annotator", "columns", "annotators", "tag", "token", "document", "scheme", "strict", "gold", "encoding")


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
    **options: object,
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
        encoding: How the files are written.
        options: None; an unknown one is named.
    """
    check_options("CoNLL", options, OPTIONS, of_units=False)
    if document is not None:
        check_word("document", document, ("file", "docstart", "sentence"))
    if annotator is not None and not isinstance(annotator, str):
        annotator, annotators = None, annotator if annotators is None else annotators
    named = _named(columns, annotators)
    chosen = ColumnOptions(tag, token, named, annotator, document, guessed=columns is None and named is not None)
    files = [file for given in as_list(path) for file in tagged_files(given, annotator)]
    readings, steps = tagged_documents(files, chosen, encoding)
    steps += unread_files(path, [file.source for file in files], deep=True)
    made = _study(readings, scheme, strict=strict, provenance=Provenance(source_names(path)).then(*steps))
    made = _without_gold(made, gold)
    return Study({"spans": made}, made.provenance)


def _named(columns: int | Sequence[int] | None, annotators: str | Sequence[str] | None) -> dict[int, str] | None:
    if columns is None and annotators is None:
        return None
    people = [annotators] if isinstance(annotators, str) else annotators
    at = list(range(-len(people or ()), 0)) if columns is None else _numbers(columns)
    names = [f"column {number}" for number in at] if people is None else [str(name) for name in people]
    if len(names) != len(at):
        raise KindError(
            f"columns= names {counted(len(at), 'column')} and annotators= {counted(len(names), 'annotator')}; name one "
            "annotator for each column"
        )
    if twice := [name for name, often in Counter([*at, *names]).items() if often > 1]:
        raise KindError(f"{twice[0]!r} is named twice; every column is of one annotator, and every annotator has one")
    return dict(zip(at, names, strict=True))


def _numbers(columns: int | Sequence[int]) -> list[int]:
    given: Sequence[object] = columns if isinstance(columns, list | tuple | range) else [columns]
    if not given or not all(isinstance(number, int) and not isinstance(number, bool) for number in given):
        example = ReaderHint("columns", [1, 2])
        raise KindError(
            "columns must be whole numbers that count columns from 0, or from the end where negative, as in "
            f"{example}; got {columns!r}",
            hints=[example],
        )
    return [number for number in given if isinstance(number, int)]


def _study(readings: Sequence[TaggedDocument], scheme: str, *, strict: bool, provenance: Provenance) -> Annotations:
    people = {name: at for at, name in enumerate(dict.fromkeys(reading.annotator for reading in readings))}
    documents = {name: at for at, name in enumerate(dict.fromkeys(reading.document for reading in readings))}
    if not documents:
        raise FormatError(f"{listing(provenance.sources, quote=False)}: there is no token to read")
    tags: list[list[str]] = []
    owner: list[tuple[int, int, int]] = []  # annotator, document, tokens before
    words: dict[int, dict[int, Words]] = {at: {} for at in people.values()}
    for reading in readings:
        who, document = people[reading.annotator], documents[reading.document]
        before, lines = 0, []
        for tokens, given in reading.sentences or [([], [])]:
            owner.append((who, document, before))
            tags.append(given)
            lines.append(before)
            before += len(tokens)
        every = list(chain.from_iterable(tokens for tokens, _ in reading.sentences))
        words[who][document] = Words(every, None, frozenset(lines[1:]))
    laid = np.array(owner, dtype=np.int64).reshape(-1, 3)
    sentences = Sentences(
        coded(tags),
        np.concatenate([[0], np.cumsum([len(sentence) for sentence in tags])]).astype(np.int64),
        laid[:, 0],
        laid[:, 1],
        laid[:, 2],
        tuple(people),
        tuple(documents),
    )
    return from_sentences(sentences, tokens=words, scheme=scheme, strict=strict, provenance=provenance)


def _without_gold(study: Annotations, gold: Hashable | None) -> Annotations:
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
