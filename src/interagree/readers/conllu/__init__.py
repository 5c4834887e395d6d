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

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.codes import encode
from interagree.data.files import Source
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, places, source_names, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.tagged import PerDocument
from interagree.errors import UnknownName, listing, suggestion
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.sentences import Aligned, Sentence, aligned
from interagree.readers._options import Trees
from interagree.readers._sentence_files import only_such_files, owned_files
from interagree.readers._token_columns import holds_trees
from interagree.readers.conllu.sentences import NOTHING, column_names, sentences_of

SUFFIXES = (".conllu", ".conllup", ".conllx", ".conll")
OWN = (".conllu", ".conllup", ".conllx")  # of nothing else
TREES, WORDS = "dependencies", ("deprel", "upos", "xpos", "lemma")
ASKED = (TREES, *WORDS, "feats")


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
    **options: Unpack[Trees],
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
    files, steps = owned_files(path, SUFFIXES, options)
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
