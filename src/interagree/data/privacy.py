"""Studies without names of people, and without what was annotated, for reports that others may see.

**Pseudonyms.** Annotators are called A1, A2, … in the order of their names, in all questions alike, and so are columns
that name them.  Columns that tell as much as a name, which are different for every annotator and the same throughout
one, are left out, and so are places in files that are called after annotators; what was done to the data is told
without names.

**Without text.** What was annotated is masked and not removed, so that spans can still be trimmed and texts split into
tokens: letters become x, digits 0, spaces and punctuation stay.  Items that are called by their own text get numbers.
Questions whose answers are texts, or repeat them as lemmas do, are left out.  What is masked is not shown.

Errors about such data show no rows, and mask what they quote.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.codes import encode
from interagree.data.columns import Columns
from interagree.data.naming import ON_REQUEST
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.study import Study
from interagree.errors import Advice, DataError, DoubtfulReading, InteragreeError, listing

WHERE = "where"  # the place in a file that an annotation comes from
SAMPLE = 2000  # entries by which a column is judged
WORDS, LONG = 4, 60  # words, and letters, from which on an entry is text
# Names of columns that hold what was annotated, and of those that hold what annotators wrote about it.
CALLED = re.compile(
    r"(?:^|[^a-z])(?:text|sentence|tweet|post|content|document|passage|utterance|prompt|question|snippet|body|message|"
    r"review|headline|claim|dialogue|statement|paragraph|excerpt|quote|caption)s?(?:$|[^a-z])",
    re.IGNORECASE,
)
WRITTEN = re.compile(r"comment|note|remark|reason|rationale|explanation|feedback|name|title", re.IGNORECASE)
STAYS = (WHERE, "timestamp", "created_at", "positions")
EAST_ASIAN = re.compile("[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]")
MASK = {"x", "X", "0", "文"}
IN_TREE = re.compile(r"(\(\s*[^\s()]*)|[^\s()]+")  # a bracket with its label, or a word of a tree
REPEATED = 0.2  # the share of labels that say what the text says from which on they are text
SHORT = 3  # letters of a name that is replaced in sentences wherever it stands


# -- pseudonyms -------------------------------------------------------------------------------------------------


def with_pseudonyms(study: Study) -> Study:
    """A study whose annotators are called A1, A2 and so on."""
    people = sorted({who for question in study.values() for who in question.annotators}, key=str)
    width = len(str(len(people)))
    names = {who: f"A{rank:0{width}d}" for rank, who in enumerate(people, start=1)}
    made = {name: _renamed(question, names) for name, question in study.items()}
    return replace(study, questions=made, provenance=_untold(study.provenance, names))


def _renamed(question: Annotations, names: Mapping[Hashable, str]) -> Annotations:
    kept: dict[str, object] = {}
    gone = []
    for name, column in question.attributes.items():
        entries = column.tolist()
        distinct = set(entries) - {None}
        if distinct and distinct <= names.keys():
            kept[name] = [None if entry is None else names[entry] for entry in entries]
        elif _tells_who(question, entries) or (name == WHERE and _names_anybody(distinct, names)):
            gone.append(name)
        else:
            kept[name] = column
    sentence = f"{counted(len(gone), 'column')} that would name annotators left out ({listing(gone, most=6)})"
    return replace(
        question,
        annotators=tuple(names[who] for who in question.annotators),
        attributes=Columns.of(kept),
        provenance=_untold(question.provenance, names).then(*noted("dropped", sentence, len(gone))),
    )


def _tells_who(question: Annotations, entries: list[object]) -> bool:
    """Whether a column of strings is the same throughout an annotator and different for every one."""
    if not any(isinstance(entry, str) for entry in entries) or len(question.annotators) < 2:
        return False
    by: dict[int, object] = {}
    for who, entry in zip(question.annotator.tolist(), entries, strict=True):
        if by.setdefault(who, entry) != entry:
            return False
    return len(set(by.values())) == len(by)


def _names_anybody(entries: Iterable[object], names: Mapping[Hashable, str]) -> bool:
    told = [str(who) for who in names]
    return any(isinstance(entry, str) and any(who in entry for who in told) for entry in entries)


def _untold(provenance: Provenance, names: Mapping[Hashable, str]) -> Provenance:
    """The same without names: quoted ones, and others where they are long enough not to be anything else."""
    spelled = {str(who): name for who, name in names.items()}
    quoted = {f"'{who}'": f"'{name}'" for who, name in spelled.items()}
    bare = {who: name for who, name in spelled.items() if len(who) >= SHORT and not who.isdigit()}
    every = quoted | bare
    if not every:
        return provenance
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(who)}(?!\w)" for who in sorted(every, key=len, reverse=True)))

    def without(sentence: str) -> str:
        counted_only, on_request, _ = sentence.partition(f"{ON_REQUEST}: ")  # who was left out has no pseudonym
        told = f"{counted_only}{ON_REQUEST}" if on_request else sentence
        new = pattern.sub(lambda match: every[match[0]], told)
        return sentence if new == sentence else Advice.around(new, sentence)

    steps = tuple(replace(step, sentence=without(step.sentence)) for step in provenance.steps)
    return Provenance(tuple(without(source) for source in provenance.sources), steps)


# -- without text -----------------------------------------------------------------------------------------------


def masked(text: str) -> str:
    """A text whose letters and digits cannot be read; spaces and punctuation stay, and so does every offset."""
    return "".join(map(_mask, text))


def _mask(sign: str) -> str:
    if sign.isalpha():
        return "文" if EAST_ASIAN.match(sign) else "X" if sign.isupper() else "x"
    return "0" if sign.isnumeric() else sign


def is_masked(text: str) -> bool:
    """Whether nothing of a text can be read."""
    return all(sign in MASK for sign in text if sign.isalnum())


def without_text(study: Study, numbers: dict[Hashable, str] | None = None) -> Study:
    """A study in which what was annotated cannot be read.

    Args:
        study: The study.
        numbers: What items that are called by their text are called instead; names of further items are added to it.
            Studies of the same items take the same ones, so that they can still be joined.
    """
    numbers = {} if numbers is None else numbers
    texts = [name for name, question in study.items() if question.kind == "text" or _is_told_by_words(question)]
    if len(texts) == len(study):
        raise DataError(
            f"the answers to {listing(texts)} are texts, and nothing would be left of them without text; compare them "
            "where they may be seen"
        )
    sentence = f"{counted(len(texts), 'question')} whose answers are texts left out ({listing(texts, most=6)})"
    for question in study.values():
        if any(map(_is_text, question.items)):
            for item in question.items:
                numbers.setdefault(item, f"item {len(numbers) + 1}")
    made = {name: _unread(question, numbers) for name, question in study.items() if name not in texts}
    steps = [Step("taken", "texts masked"), *noted("dropped", sentence, len(texts))]
    return replace(study, questions=made, provenance=study.provenance.then(*steps))


def _unread(question: Annotations, numbers: Mapping[Hashable, str]) -> Annotations:
    kept: dict[str, object] = {}
    for name, column in question.attributes.items():
        kept[name] = column
        named = CALLED.search(name) or WRITTEN.search(name)
        if name not in STAYS and (named or any(map(_is_text, column[:SAMPLE].tolist()))):
            codes, entries = encode(column.tolist())
            veiled = np.fromiter((masked(e) if isinstance(e, str) else e for e in entries), object, len(entries))
            kept[name] = veiled[codes]
    values = _wordless(question) if question.kind == "trees" else question.values
    items = [numbers.get(item, item) for item in question.items] if numbers else question.items
    return replace(question, items=items, values=values, attributes=Columns.of(kept))


def _wordless(trees: Annotations) -> tuple[object, ...]:
    """Bracketed trees with their words masked."""
    return tuple(map(_wordless_tree, trees.values))


def _wordless_tree(tree: object) -> object:
    if isinstance(tree, str):
        return IN_TREE.sub(lambda part: part[0] if part[1] else masked(part[0]), tree)
    if not isinstance(tree, tuple):
        return tree
    masks = (masked(part) if isinstance(part, str) else _wordless_tree(part) for part in tree[1:])
    return (*tree[:1], *masks)


def _is_told_by_words(question: Annotations) -> bool:
    """Whether values are trees that differ in nothing but their words, or repeat the text, as lemmas do."""
    if question.kind == "trees":
        return len(set(_wordless(question))) < len(question.values)
    if question.kind != "labels" or "text" not in question.attributes:
        return False
    given = [question.values[at] for at in question.value[:SAMPLE].tolist()]
    shown = question.attributes["text"][:SAMPLE].tolist()
    words = [(value, text) for value, text in zip(given, shown, strict=True) if str(text)[:1].isalpha()]
    same = sum(str(value).casefold() == str(text).casefold() for value, text in words)
    return same > REPEATED * len(words)


def _is_text(entry: object) -> bool:
    return isinstance(entry, str) and (len(entry) > LONG or len(entry.split()) >= WORDS)


# -- errors -----------------------------------------------------------------------------------------------------

QUOTED = re.compile(r"'(?=[^']*\s)[^']{12,}'")
PEOPLE = re.compile(r"(?i)(\bannotators? |\bby )'[^']*'")


def veiled(error: InteragreeError) -> InteragreeError:
    """An error about data that nobody is to see: without the rows that it shows, and with what it quotes masked."""
    message = str(error.args[0]) if error.args else ""
    made = error.reworded(QUOTED.sub(lambda quoted: masked(quoted[0]), PEOPLE.sub(r"\1'…'", message)))
    if isinstance(made, DoubtfulReading):
        made.readings = tuple(reading._replace(rows=()) for reading in made.readings)
    return made
