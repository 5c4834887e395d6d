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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, Unpack

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.codes import encode
from interagree.data.columns import IntoColumn
from interagree.data.files import Source
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, places, source_names, unread_files
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.unit_columns import ByItem
from interagree.errors import FormatError, UnknownName, listing, suggestion
from interagree.readers._options import Trees
from interagree.readers._sentences import paired, same_words
from interagree.readers._token_columns import holds_trees
from interagree.readers._treebank_files import NameOptions, only_such_files, owned_files
from interagree.readers.conllu.sentences import NOTHING, ParsedSentence, Treebank

SUFFIXES = (".conllu", ".conllup", ".conllx", ".conll")
OWN = (".conllu", ".conllup", ".conllx")  # of nothing else
OPTIONS = ("annotator", "document", "names", "item", "questions", "value", "unequal", "columns", "encoding")
TREES, WORDS = "dependencies", ("deprel", "upos", "xpos", "lemma")
ASKED = (TREES, *WORDS, "feats")
Sentences: TypeAlias = Mapping[str, Mapping[str, ParsedSentence]]  # by item and annotator


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
    wanted = _wanted(questions)
    files, steps = owned_files(path, SUFFIXES, NameOptions(options["annotator"], options["document"], options["names"]))
    bank = Treebank(columns.replace(",", " ").split() if isinstance(columns, str) else columns, options["encoding"])
    with without_garbage_collection():
        for file in files:
            bank.read(file)
    if not bank.sentences:
        raise FormatError(f"{listing(source_names(path), quote=False, most=4)}: there is no sentence to read")
    place = places(path)
    items, further = paired(bank.sentences, item, place)
    steps += further
    items, further = same_words(items, options["unequal"])
    steps += [*further, *_counted(bank), *unread_files(path, [file.source for file in files], deep=True)]
    with without_garbage_collection():
        return _study(items, wanted, Provenance(source_names(path)).then(*steps))


def _wanted(questions: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if questions is None:
        return None
    names = (questions,) if isinstance(questions, str) else tuple(questions)
    for name in names:
        if name not in ASKED:
            raise UnknownName(
                f"CoNLL-U has no question {name!r}; it has {listing(ASKED)}.{suggestion(str(name), ASKED)}"
            )
    return names


def _counted(bank: Treebank) -> list[Step]:
    several, empty, nothing = (bank.counts[name] for name in ("several words", "empty nodes", "empty files"))
    joined = f"{counted(several, 'multiword token')} passed over: the words in them are compared"
    return [
        *noted("dropped", joined, several),
        *noted("dropped", f"{counted(empty, 'empty node')} left out", empty),
        *noted("noticed", f"{counted(nothing, 'file')} without a sentence", nothing),
    ]


# -- the questions ------------------------------------------------------------------------------------------


class Places(Sequence[str]):
    """Where annotations are in files, as words on demand."""

    def __init__(self, files: Sequence[str], lines: Sequence[int]) -> None:
        self.files, self.lines = files, lines

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, at: int) -> str:  # type: ignore[override]  # nobody asks for a part
        return f"{self.files[at]}, line {self.lines[at]}"

    def __iter__(self) -> Iterator[str]:
        return (f"{file}, line {line}" for file, line in zip(self.files, self.lines, strict=True))


def _study(items: Sentences, wanted: tuple[str, ...] | None, provenance: Provenance) -> Study:
    steps: list[Step] = []
    made: dict[str, Annotations] = {}
    names = (TREES, *WORDS) if wanted is None else wanted
    for name in names:
        question = _trees(items, steps) if name == TREES else _labels(items, name)
        if question is not None:
            made[name] = question
        elif wanted is not None:
            raise FormatError(f"{listing(provenance.sources, quote=False, most=4)}: no word has anything for {name!r}")
    if wanted is None and "upos" in made and "xpos" in made and _same(made["upos"], made["xpos"]):
        del made["xpos"]
        steps.append(Step("dropped", "xpos left out: it says what upos says throughout"))
    if not made:
        raise FormatError(f"{listing(provenance.sources, quote=False, most=4)}: no word has a head or a label")
    whole = provenance.then(*steps)
    return Study({name: question.with_steps(*whole.steps) for name, question in made.items()}, whole)


def _same(one: Annotations, two: Annotations) -> bool:
    """Whether two questions have the same answers throughout."""
    columns = ((one.item, two.item), (one.annotator, two.annotator), (one.value, two.value))
    return one.values == two.values and all(np.array_equal(mine, theirs) for mine, theirs in columns)


def _trees(items: Sentences, steps: list[Step]) -> Annotations | None:
    rows: list[tuple[str, str, tuple[tuple[int, str | None], ...]]] = []
    files: list[str] = []
    lines: list[int] = []
    text: list[str] = []
    lacking: list[ParsedSentence] = []
    looped: list[ParsedSentence] = []
    for item, by_annotator in items.items():
        shown = next(iter(by_annotator.values())).shown()
        for who, sentence in by_annotator.items():
            heads = [head for head in sentence.heads if head is not None]
            if len(heads) < len(sentence.heads):
                lacking.append(sentence)
            elif any(head == at for at, head in enumerate(heads, start=1)):
                looped.append(sentence)
            else:
                relations = [None if label == NOTHING else label for label in sentence.column("deprel")]
                rows.append((item, who, tuple(zip(heads, relations, strict=True))))
                files.append(sentence.file.source.name)
                lines.append(sentence.lines[0])
                text.append(shown)
    for wrong, why in ((lacking, "in which a word has no head"), (looped, "in which a word is its own head")):
        if wrong and (rows or wrong is looped):
            sentence_ = f"{counted(len(wrong), 'parse')} {why} left out, as in {wrong[0].where}"
            steps.append(Step("dropped", sentence_, len(wrong)))
    if not rows:
        return None
    made = Annotations.from_columns(
        [item for item, _, _ in rows],
        [who for _, who, _ in rows],
        [parse for _, _, parse in rows],
        attributes={"where": Places(files, lines), "text": text},
    )
    return replace(made, of_kind="dependencies")


def _labels(items: Sentences, name: str) -> Annotations | None:
    """A question about every word; None where nobody answered it."""
    words: list[str] = []
    shown: list[str] = []
    people: dict[str, int] = {}
    item_codes: list[int] = []
    who_codes: list[int] = []
    values: list[str] = []
    files: list[str] = []
    lines: list[int] = []
    for item, by_annotator in items.items():
        first = len(words)
        form = next(iter(by_annotator.values())).column("form")
        words += [f"{item}:{number}" for number in range(1, len(form) + 1)]
        shown += form
        for who, sentence in by_annotator.items():
            person = people.setdefault(who, len(people))
            for at, label in enumerate(sentence.column(name)):
                if label == NOTHING and not (name == "lemma" and form[at] == NOTHING):
                    continue
                item_codes.append(first + at)
                who_codes.append(person)
                values.append("|".join(sorted(label.split("|"))) if name == "feats" else label)
                files.append(sentence.file.source.name)
                lines.append(sentence.lines[at])
    if not values:
        return None
    used, codes = np.unique(np.array(item_codes), return_inverse=True)
    value_codes, seen = encode(values)
    attributes: dict[str, IntoColumn] = {
        "where": Places(files, lines),
        "text": ByItem(codes.reshape(-1), [shown[at] for at in used.tolist()]),
    }
    made = Annotations.from_codes(
        codes.reshape(-1),
        np.array(who_codes),
        value_codes,
        tuple(words[at] for at in used.tolist()),
        tuple(people),
        seen,
        attributes=attributes,
    )
    return replace(made, of_kind="labels")
