"""CoNLL-U and CoNLL-X: dependency trees, a word in each line with its head and relation, a blank line after a sentence.

    # sent_id = weather-3
    1   It      it      PRON   PRP   _   2   nsubj   _   _
    2   rains   rain    VERB   VBZ   _   0   root    _   _

Annotators are folders (``root/ANNOTATOR/document.conllu``), or the files of a folder.  Names such as
``0104-henrik.conll`` in the folder ``henrik`` are those of the document ``0104``; ``names="{document}-{annotator}"``
says what the names of files are made of where folders do not tell it.

    ia.read("round1")                                        # folders, or files of annotators
    ia.read("trees", names="{document}-{annotator}")         # 0104-henrik.conll beside 0104-jonas.conll

**Items** are sentences: those of one ``sent_id`` where every sentence has one, else those of one document and place in
it; ``item="{text}"`` takes those of the same words.  A document that an annotator has no file of was not seen by them.

**Questions.** ``dependencies`` has the heads and relations of all words of a sentence.  ``deprel``, ``upos``, ``xpos``
and ``lemma`` have an item for each word, called after the sentence and the number of the word; so has ``feats``, where
``questions=`` asks for it.  ``upos`` and ``xpos`` are the fourth and fifth columns, which CoNLL-X calls CPOSTAG and
POSTAG.  "_" says nothing: there is no annotation.

**Words.** Annotators are compared where they have the same words.  Sentences that they divided into other words are
left out and counted; with ``unequal="majority"`` those annotators stay who have the words that most have.  Lines of
multiword tokens (3-4) are counted and passed over, since the words in them are compared; so are empty nodes (5.1) and
the enhanced graph of the ninth column.  A parse in which a word lacks a head, or is its own, is left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Unpack

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.codes import encode
from interagree.data.files import Source, lines_of
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, places, source_names, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.tagged import PerDocument
from interagree.errors import FormatError, KindError, ReaderHint, UnknownName, listing, suggestion
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.named_files import owned_files
from interagree.gather.sentences import Aligned, Sentence, aligned
from interagree.gather.whose import OwnedFile
from interagree.readers._options import TreeReaderOptions
from interagree.readers._peek import only_such_files
from interagree.readers._token_columns import FEWEST, TOKEN, cells_of, holds_trees

SUFFIXES = (".conllu", ".conllup", ".conllx", ".conll")
OWN = (".conllu", ".conllup", ".conllx")  # of nothing else
TREES, WORDS = "dependencies", ("deprel", "upos", "xpos", "lemma")
ASKED = (TREES, *WORDS, "feats")
STANDARD = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
OTHER_NAMES = {"cpostag": "upos", "cpos": "upos", "postag": "xpos", "pos": "xpos", "xpostag": "xpos", "upostag": "upos"}
NOTHING = "_"
NEEDED = ("id", "form", "head", "deprel")


def recognised(path: Path) -> bool:
    """Whether a file holds dependency trees, or a folder or its folders hold nothing but such files."""
    if path.is_dir():
        return only_such_files(path, lambda file: Source.of(file).suffix in SUFFIXES and recognised(file))
    return Source.of(path).suffix in OWN or holds_trees(path)


@reader("CoNLL-U and CoNLL-X dependency trees", suffixes=SUFFIXES, sniff=recognised, together=True)
def conllu(
    path: Paths,
    *,
    item: str | None = None,
    questions: str | Sequence[str] | None = None,
    columns: str | Sequence[str] | None = None,
    **options: Unpack[TreeReaderOptions],
) -> Study:
    """Dependency trees of one file, of several, of the files of a folder, or of a folder for each annotator.

    Args:
        path: A file or a folder, or a list of them.
        item: A pattern for the name of the sentence, of "{sent_id}", "{document}", "{number}" and "{text}".
        questions: Which questions to read; all but "feats" by default.
        columns: The names of the columns, where they are others than those of CoNLL-U, as in "ID,FORM,HEAD,DEPREL".
    """
    wanted = [questions] if isinstance(questions, str) else questions
    for name in wanted or ():
        if name not in ASKED:
            known = f"it has {listing(ASKED)}.{suggestion(str(name), ASKED)}"
            raise UnknownName(f"CoNLL-U has no question {name!r}; {known}")
    stated = columns.replace(",", " ").split() if isinstance(columns, str) else columns
    named = None if stated is None else column_names(stated)
    files, steps = owned_files(path, SUFFIXES, options["annotator"], options["document"], options["names"])
    sources = [file.source for file in files]
    gathered = Gatherer("CoNLL-U", sources, named=source_names(path))
    gathered.steps += steps
    with without_garbage_collection():
        sentences = [one for file in files for one in sentences_of(file, named, options["encoding"], gathered)]
        items = aligned(sentences, item, options["unequal"], gathered, places(path))
        gathered.steps += unread_files(path, sources, deep=True)
        for name in wanted or (TREES, *WORDS):
            if name == TREES:
                _trees(items, gathered)
            elif wanted or name != "xpos" or not _same(items):
                _labels(items, name, gathered)
            else:
                gathered.note("dropped", "xpos left out: it says what upos says throughout")
        return gathered.study(wanted)


def _same(items: Aligned) -> bool:
    """Whether the two kinds of parts of speech are the same throughout."""
    columns = [sentence.parse.columns for by_annotator in items.values() for sentence in by_annotator.values()]
    pairs = {pair for column in columns for pair in zip(column["upos"], column["xpos"], strict=True)}
    return all(upos == xpos for upos, xpos in pairs) and pairs != {(NOTHING, NOTHING)}


def _trees(items: Aligned, gathered: Gatherer) -> None:
    """The heads and relations of sentences."""
    lacking: list[Sentence] = []
    looped: list[Sentence] = []
    rows: list[Mark] = []
    for item, by_annotator in items.items():
        for who, sentence in by_annotator.items():
            heads = sentence.parse.heads
            if None in heads:
                lacking.append(sentence)
            elif any(head == at for at, head in enumerate(heads, start=1)):
                looped.append(sentence)
            else:
                relations = (None if label == NOTHING else label for label in sentence.parse.columns["deprel"])
                rows.append(Mark(TREES, item, who, tuple(zip(heads, relations, strict=True)), sentence.where))
    for wrong, why in ((lacking, "in which a word has no head"), (looped, "in which a word is its own head")):
        if wrong and (rows or wrong is looped):
            gathered.note(
                "dropped", f"{counted(len(wrong), 'parse')} {why} left out, as in {wrong[0].where}", len(wrong)
            )
    gathered.texts_of[TREES] = {item: next(iter(by.values())).parse.text for item, by in items.items()}
    for row in rows:
        gathered.add(row, TREES)


def _labels(items: Aligned, name: str, gathered: Gatherer) -> None:
    """A question about every word."""
    words: dict[str, int] = {}
    people: dict[str, int] = {}
    codes: list[tuple[int, int]] = []  # of a word and an annotator
    labels: list[str] = []
    text: list[str] = []
    where: list[tuple[str, int]] = []  # file and line
    for item, by_annotator in items.items():
        form = next(iter(by_annotator.values())).words
        named = [f"{item}:{number}" for number in range(1, len(form) + 1)]
        for who, sentence in by_annotator.items():
            _, columns, _, lines = sentence.parse
            for word, own, label, line in zip(named, form, columns[name], lines, strict=True):
                if label != NOTHING or (name == "lemma" and own == NOTHING):
                    codes.append((words.setdefault(word, len(words)), people.setdefault(who, len(people))))
                    labels.append("|".join(sorted(label.split("|"))) if name == "feats" else label)
                    text.append(own)
                    where.append((sentence.file.source.name, line))
    if codes:
        item_codes, who_codes = np.array(codes).T
        known = {"where": PerDocument(where, "{0[0]}, line {0[1]}".format), "text": text}
        value_codes, seen = encode(labels)
        made = Annotations.from_codes(
            item_codes, who_codes, value_codes, tuple(words), tuple(people), seen, attributes=known
        )
        gathered.take(name, replace(made, of_kind="labels"))


# -- the sentences of a file --------------------------------------------------------------------------------


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
