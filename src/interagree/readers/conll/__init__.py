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
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Unpack

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.columns import Columns, IntoColumn
from interagree.data.paths import Paths, source_names, unread_files
from interagree.data.provenance import Step, counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.tagged import Sentences, Words, from_sentences
from interagree.documents.tags import coded
from interagree.documents.unit_columns import ByItem
from interagree.errors import Advice, FormatError, KindError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.gather.units import check_word
from interagree.readers._options import Written
from interagree.readers.conll.files import SUFFIXES, recognised, tagged_files
from interagree.readers.conll.sentences import DOCUMENTS, ColumnOptions, Tagged, tagged_documents


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
    if document is not None:
        check_word("document", document, tuple(DOCUMENTS))
    if annotator is not None and not isinstance(annotator, str):
        annotator, annotators = None, annotator if annotators is None else annotators
    named = _named(columns, annotators)
    guessed = columns is None and named is not None
    files = tagged_files(path, annotator)
    sources = [file.source for file in files]
    gathered = Gatherer("CoNLL", sources, named=source_names(path))
    tagged = tagged_documents(files, ColumnOptions(tag, token, named, document, guessed, options["encoding"]), gathered)
    if not any(tagged.values()):
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
