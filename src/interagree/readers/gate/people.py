"""Who annotated: the annotation sets of documents, or the files where sets have no names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interagree.data.paths import fill_pattern, pattern_words
from interagree.errors import Advice, DuplicateAnnotation, FormatError, Hint, ReaderHint, UnknownName, listing
from interagree.gather.gatherer import Gatherer
from interagree.readers._layered_files import assign
from interagree.readers._layers import GROUND_TRUTH, Annotated
from interagree.readers.gate.documents import NAMELESS, GateDocument

MARKUP = "Original markups"
PROTECTED = "safe."
CONSENSUS = "consensus"
SET = "{set}"


def of_annotators(  # noqa: PLR0917 -- what the caller of the reader said
    documents: Sequence[GateDocument],
    item: str,
    annotator: str | None,
    sets: Sequence[str] | None,
    gold: str,
    gathered: Gatherer,
) -> list[Annotated]:
    """What each annotator has of each document."""
    chosen = _chosen(documents, annotator, sets)
    _count_others(documents, chosen, gold, gathered)
    if annotator is None and chosen == [NAMELESS]:
        return _by_file(documents, gathered)
    pattern = annotator or SET
    gathered.note("taken", f"documents from {item}, annotators from {pattern}")
    made: dict[tuple[str, str], Annotated] = {}
    for document, name in _sets(documents, chosen):
        words = {**pattern_words(document.source), "set": name}
        key = (
            fill_pattern(item, words, option="item"),
            GROUND_TRUTH if name == CONSENSUS else fill_pattern(pattern, words, option="annotator"),
        )
        if key in made:
            raise DuplicateAnnotation(
                f"{document.source.name}: {key[1]!r} has the document {key[0]!r} twice, before in {made[key].where}; "
                f"say which annotation sets to read, as in {(hint := ReaderHint('sets', [name]))}",
                hints=[hint],
            )
        where = f"{document.source.name}, annotation set {name!r}"
        made[key] = Annotated(*key, where, document.text, document.sets[name])
    return list(made.values())


def _chosen(documents: Sequence[GateDocument], annotator: str | None, sets: Sequence[str] | None) -> list[str]:
    """The sets to read."""
    names = list(dict.fromkeys(name for document in documents for name in document.sets))
    if sets is not None:
        for name in sets:
            if name not in names:
                raise UnknownName(f"there is no annotation set {name!r}; there are {listing(names)}")
        return list(sets)
    named = [name for name in names if name not in {NAMELESS, MARKUP} and not name.startswith(PROTECTED)]
    nameless = any(document.sets.get(NAMELESS) for document in documents)
    if annotator is not None and SET not in annotator and nameless:
        return [NAMELESS]
    if named or not nameless:
        return named
    return [NAMELESS]


def _count_others(documents: Sequence[GateDocument], chosen: list[str], gold: str, gathered: Gatherer) -> None:
    """Count what is in other sets; the agreed one is left out, or kept apart."""
    if CONSENSUS in chosen and gold == "drop":
        chosen.remove(CONSENSUS)
        times = sum(CONSENSUS in document.sets for document in documents)
        apart = ReaderHint("gold", "apart")
        rest = Advice.of("'consensus' left out (", apart, f" makes it the annotator {GROUND_TRUTH!r})")
        gathered.left_out("set", rest, times)
    for name in dict.fromkeys(name for document in documents for name in document.sets):
        if name in chosen or name == CONSENSUS:
            continue
        times = sum(len(document.sets.get(name, ())) for document in documents)
        of = repr(name) if name else "without a name"
        gathered.left_out("annotation", f"of the set {of} left out, which is not an annotator's", times)


def _sets(documents: Sequence[GateDocument], chosen: Sequence[str]) -> Iterator[tuple[GateDocument, str]]:
    for document in documents:
        yield from ((document, name) for name in chosen if name in document.sets)


def _by_file(documents: Sequence[GateDocument], gathered: Gatherer) -> list[Annotated]:
    """Files as annotators, where those of one document have the same text."""
    texts = [document.text for document in documents]
    if len(set(texts)) == len(texts):
        who, by_set = Hint("annotator", "{folder}"), Hint("annotator", "ann")
        raise FormatError(
            f"{documents[0].source.name}: annotations are in the set without a name alone, which does not say who made "
            f"them; pass {who} where each annotator has a folder, or {by_set} with the name of the one who did",
            hints=[who, by_set],
        )
    read = [
        (document.source, Annotated("", "", document.source.name, document.text, document.sets.get(NAMELESS, [])))
        for document in documents
    ]
    annotated, steps = assign(read, None, None)
    gathered.steps += steps
    return annotated
