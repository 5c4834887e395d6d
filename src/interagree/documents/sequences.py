"""Sequences: tags and columns of units as studies of spans, and spans as tags."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Unpack

import numpy as np

from interagree.arrays import Int64s
from interagree.data import ReadingOptions, as_annotations
from interagree.data.annotations import Annotations
from interagree.data.provenance import counted
from interagree.data.types import IntoAnnotations
from interagree.declare import takes_data
from interagree.documents.edges import in_tokens
from interagree.documents.tagged import PerDocument, Sentences, Tokens, Words, from_sentences
from interagree.documents.tags import coded, tags_of
from interagree.documents.texts import Documents, SpanTable
from interagree.errors import DataError, KindError, ReaderHint, UnknownName, listing, suggestion
from interagree.errors.options import checks_options
from interagree.errors.plain import mapping

PARTING = ReaderHint("scheme", "iob2")
Tags = Sequence[str]
ByDocument = Sequence[Tags | None] | Mapping[Hashable, Tags | None]


@partial(checks_options, besides=("tags", "tokens", "documents"))
def from_tags(
    tags: Mapping[Hashable, ByDocument],
    *,
    tokens: ByDocument | Mapping[Hashable, ByDocument] | None = None,
    scheme: str = "auto",
    strict: bool = False,
    documents: Sequence[Hashable] | None = None,
) -> Annotations:
    """A study of spans from tags such as ``B-PER``, ``I-PER``, ``O``: one for each token, for each annotator.

    Args:
        tags: For each annotator a list with the tags of every sentence, None where they did not look at it; or a dict
            from documents to their tags.  Every sentence is a document.
        tokens: The tokens in the same form, of all annotators, or of each one where they differ; they are then
            aligned by their characters.  Without tokens, everybody must have as many tags.
        scheme: "iob1", "iob2" (also "bio"), "bioes", "bilou", "bmewo", "io", or "auto", which finds it out.
        strict: Leave out spans that break the rules of the scheme, such as one that begins with I under IOB2;
            otherwise they are taken as the CoNLL evaluation script takes them, and counted.
        documents: Names of the sentences, where they come in lists; else they are numbered from 0.

    Returns:
        Annotations whose values are lists of spans.  Positions are tokens; the number of tokens of a document is its
        attribute ``length``.

    Examples:
        >>> import interagree as ia
        >>> study = ia.spans.from_tags({"ann": [["B-PER", "I-PER", "O"]], "bo": [["B-PER", "O", "O"]]})
        >>> study.rows()
        [(0, 'ann', ((0, 2, 'PER'),)), (0, 'bo', ((0, 1, 'PER'),))]
    """
    tags, tokens = mapping(tags), mapping(tokens)
    if not tags or not hasattr(tags, "items"):
        raise DataError("tags come as a dict from each annotator to their sentences, as in {'ann': [['B-PER', 'O']]}")
    names = _documents(tags, documents)
    place = None if isinstance(names, range) else {name: at for at, name in enumerate(names)}
    parts = [_sentences(tags[who], who, names, place) for who in tags]
    document = np.concatenate([at for at, _ in parts])
    annotator = np.repeat(np.arange(len(parts)), [len(at) for at, _ in parts])
    every = list(chain.from_iterable(written for _, written in parts))
    if all(np.array_equal(at, np.arange(len(names))) for at, _ in parts):
        # Everybody looked at everything: document by document, as a study has it, nothing need be put in order later.
        document, annotator = np.divmod(np.arange(len(every)), len(parts))
        every = list(chain.from_iterable(zip(*(written for _, written in parts), strict=True)))
    sizes = np.fromiter(map(len, every), dtype=np.int64, count=len(every))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    before = np.zeros(len(every), dtype=np.int64)
    sentences = Sentences(coded(every), starts, annotator, document, before, tuple(tags), names)
    shared, own = _words(tags, tokens, names)
    return from_sentences(sentences, shared=shared, tokens=own, scheme=scheme, strict=strict)


def _documents(tags: Mapping[Hashable, ByDocument], documents: Sequence[Hashable] | None) -> Sequence[Hashable]:
    by_name = [isinstance(given, Mapping) for given in tags.values()]
    if all(by_name):
        if documents is not None:
            raise KindError("the documents are named by the tags already; leave documents= out")
        return tuple(dict.fromkeys(name for given in tags.values() for name in given))
    if any(by_name):
        raise KindError("give the tags of all annotators as lists, or of all as dicts from documents to tags")
    sizes = {who: len(given) for who, given in tags.items()}
    if len(set(sizes.values())) > 1:
        raise DataError(
            f"annotators have different numbers of sentences ({listing(sizes.items(), quote=False, most=6)}); put None "
            "where somebody did not look"
        )
    size = next(iter(sizes.values()))
    if documents is None:
        return range(size)
    names = tuple(documents)
    if len(names) != size or len(set(names)) != size:
        raise DataError(f"there are {size} sentences, and documents= has {len(set(names))} different names")
    return names


def _sentences(
    written: ByDocument, who: Hashable, names: Sequence[Hashable], place: Mapping[Hashable, int] | None
) -> tuple[Int64s, Sequence[Tags]]:
    """The documents that an annotator looked at, by number, and their tags."""
    if isinstance(written, Mapping) and place is not None:
        at = np.fromiter(map(place.__getitem__, written), dtype=np.int64, count=len(written))
        sentences: list[Tags | None] = list(written.values())
    else:
        at = np.arange(len(names))
        sentences = list(written.values() if isinstance(written, Mapping) else written)
    kinds = set(map(type, sentences))
    if type(None) in kinds:
        at = at[[tags is not None for tags in sentences]]
    given = [tags for tags in sentences if tags is not None]
    if str in kinds:
        odd = next(k for k, tags in enumerate(given) if isinstance(tags, str))
        raise DataError(
            f"document {names[int(at[odd])]!r} by {who!r} is the string {given[odd][:40]!r}; expected a list of tags"
        )
    return at, given


def _words(
    tags: Mapping[Hashable, ByDocument], tokens: Any, names: Sequence[Hashable]
) -> tuple[Sequence[Words | None] | None, Tokens | None]:
    """The tokens of the documents where all annotators have the same, else those of each annotator."""
    if tokens is None:
        return None, None
    if not hasattr(tokens, "__iter__"):
        raise DataError(f"tokens= takes the tokens of each document, got {tokens!r:.80}")
    in_lists = not isinstance(next(iter(tags.values())), Mapping)
    by_annotator = isinstance(tokens, Mapping) and (
        in_lists or all(isinstance(given, Mapping) for given in tokens.values())
    )
    if not by_annotator:
        return _cut(tokens, names), None
    absent = [who for who in tags if who not in tokens]
    if absent:
        raise UnknownName(
            f"tokens= has no entry for {listing(absent)}; give the tokens of every annotator, or one list for all"
        )
    lists = [tokens[who] for who in tags]
    if all(given == lists[0] for given in lists[1:]):
        return _cut(lists[0], names), None
    return None, {
        number: {at: words for at, words in enumerate(_cut(given, names)) if words is not None}
        for number, given in enumerate(lists)
    }


def _cut(tokens: ByDocument, names: Sequence[Hashable]) -> Sequence[Words | None]:
    lists = [tokens.get(name) for name in names] if isinstance(tokens, Mapping) else tokens
    for words in lists:
        if words is not None and not hasattr(words, "__len__"):
            raise DataError(f"tokens= takes a list of words for each sentence, got {words!r:.60} for one")
    if len(lists) != len(names):
        raise DataError(f"there are {len(names)} sentences of tags and {len(lists)} of tokens")
    return PerDocument(lists, Words)


@takes_data
def to_tags(
    data: IntoAnnotations, *, scheme: str = "iob2", document: Hashable | None = None, **reading: Unpack[ReadingOptions]
) -> dict[Hashable, dict[Hashable, list[str]]]:
    """The spans of a study as tags: for each annotator, for each document that they looked at, a tag for each token.

    Spans of characters take every token that they touch.  A document whose tokens are not known ends with its last
    span by anybody.  Spans that overlap or lie in several pieces cannot be written as tags.

    Args:
        data: A study of spans.
        scheme: How spans are written; "io" cannot part spans of one label that touch, which is an error.
        document: One document alone.

    Returns:
        By annotator and document, the list of tags.

    Examples:
        >>> import interagree as ia
        >>> study = ia.spans.from_tags({"ann": [["B-PER", "I-PER", "O"]], "bo": [["B-PER", "O", "O"]]})
        >>> ia.spans.to_tags(study, scheme="bioes")["bo"]
        {0: ['S-PER', 'O', 'O']}
    """
    study = as_annotations(data)
    if Documents.of(study).positions in ("characters", "seconds"):
        study = in_tokens(study)
    if document is not None:
        if document not in study.items:
            raise UnknownName(
                f"there is no document {document!r}.{suggestion(str(document), map(str, study.items))} (there are "
                f"{listing(study.items)})"
            )
        study = study.only(items=[document])
    placed = SpanTable.of(study, who="tags")
    several = placed.several()
    if len(several):
        raise KindError(
            f"a token has one tag, and {placed.describe(study, int(several[0]))} lies in several pieces; tags "
            f"cannot say that ({counted(len(several), 'span')} such in all)"
        )

    def describe(row: int) -> str:
        return f"document {study.items[int(study.item[row])]!r} by {study.annotators[int(study.annotator[row])]!r}"

    lengths = _lengths(study, placed)[study.item]
    label = placed.spans.label[placed.place]
    made = tags_of(
        (placed.row, placed.begin, placed.end, label, placed.spans.names), lengths, scheme, describe=describe
    )
    if made.merged:
        raise DataError(
            f"IO tags cannot part {counted(made.merged, 'span')} from the one right before, which has the same label; "
            f"take a scheme that can, such as {PARTING}",
            hints=[PARTING],
        )
    bounds = made.starts.tolist()
    tags: dict[Hashable, dict[Hashable, list[str]]] = {who: {} for who in study.annotators}
    for row, (item, who) in enumerate(zip(study.item.tolist(), study.annotator.tolist(), strict=True)):
        tags[study.annotators[who]][study.items[item]] = made.tags[bounds[row] : bounds[row + 1]]
    return tags


def _lengths(study: Annotations, placed: SpanTable) -> Int64s:
    """How many tokens each document has."""
    documents = Documents.of(study)
    known = [documents.length(item) if documents.positions == "tokens" else None for item in range(len(study.items))]
    reach = np.zeros(len(study.items), dtype=np.int64)
    np.maximum.at(reach, placed.item, placed.end)
    if "length" in study.attributes:
        np.maximum.at(reach, study.item, np.asarray(study.attributes["length"], dtype=np.int64))
    return np.array([reach[item] if length is None else length for item, length in enumerate(known)], dtype=np.int64)
