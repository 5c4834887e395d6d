"""Files of documents that are annotated by several people, each in a file of their own: which is whose.

    letter.txt/ann.xmi   letter.txt/bo.xmi     a folder for each document, as INCEpTION exports them
    ann/letter.tsv       bo/letter.tsv         a folder for each annotator
    ann.tsv              bo.tsv                a folder of one document

Which of these it is shows in the texts: files of one document have the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, fill_pattern, pattern_words, unread_files
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.documents.units import UnitOptions, check_different, check_word
from interagree.errors import DuplicateAnnotation, FormatError, Hint, listing
from interagree.readers._answers import Answers
from interagree.readers._layers import Annotated, gather, without_others

LOOKED_AT = 50  # files of a folder that are looked at to recognise it
BY_FILE = ("{folder}", "{file}")  # the item and the annotator
BY_FOLDER = ("{file}", "{folder}")


class LayerOptions(NamedTuple):
    """What the caller of a reader said; see `uima_cas` for what each means."""

    item: str | None
    annotator: str | None
    gold: str
    empty: str
    asked: str
    duplicates: str
    questions: str | Sequence[str] | None
    units: UnitOptions


def holds_only(path: Path, suffixes: Sequence[str], recognised: Callable[[Path], bool]) -> bool:
    """Whether a folder, itself or in its folders, holds files of some endings, and only such as are recognised."""
    if any(path.glob("exportedproject*.json")):  # a project of INCEpTION, which says more
        return False
    inside = (file for depth in ("*", "*/*", "*/*/*") for file in path.glob(depth))
    files = list(
        islice((file for file in inside if file.suffix.lower() in suffixes and _counts(file, path)), LOOKED_AT)
    )
    return bool(files) and all(recognised(file) for file in files)


def study_of_files(  # noqa: PLR0917 -- what to read, how, and what to say of it
    tool: str,
    path: Paths,
    suffixes: Sequence[str],
    read: Callable[[Source], Annotated],
    steps: Callable[[], Sequence[Step]],
    chosen: LayerOptions,
) -> Study:
    """The study that files of annotated documents are.

    Args:
        tool: Whose files they are.
        path: Files or folders.
        suffixes: How they end.
        read: What reads one.
        steps: What there is to say when all are read.
        chosen: What the caller said.
    """
    check_word("gold", chosen.gold, ("drop", "apart"))
    check_word("empty", chosen.empty, ("looked", "unseen"))
    check_word("asked", chosen.asked, ("all", "marked"))
    if chosen.item is not None:
        check_different(chosen.item, chosen.annotator)
    sources = list(files_inside(path, suffixes))
    gathered = Answers(tool, sources, duplicates=chosen.duplicates, units=chosen.units)
    documents, taken = assign([(source, read(source)) for source in sources], chosen.item, chosen.annotator)
    folders = {source.path.parent for source in sources if source.path is not None}
    types = {place / "TypeSystem.xml" for folder in folders for place in (folder, folder.parent)}
    gathered.steps += [*taken, *steps(), *unread_files(path, sources, deep=True, beside=types)]
    gather(gathered, without_others(documents, chosen.gold, gathered), empty=chosen.empty, asked=chosen.asked)
    return gathered.study(chosen.questions)


def files_inside(path: Paths, suffixes: Sequence[str]) -> Iterator[Source]:
    """Files, and those in folders and their folders that end as they should."""
    for given in as_list(path):
        if isinstance(given, Source) or not Path(given).is_dir():
            yield Source.of(given)
            continue
        inside = [Source.of(file) for file in sorted(Path(given).rglob("*")) if _counts(file, Path(given))]
        fitting = [source for source in inside if source.suffix in suffixes]
        if not fitting:
            raise FormatError(f"{given} is a folder without a file that ends in {listing(suffixes, quote=False)}")
        yield from fitting


def _counts(file: Path, root: Path) -> bool:
    return file.is_file() and not any(part.startswith((".", "__MACOSX")) for part in file.relative_to(root).parts)


def assign(
    documents: Sequence[tuple[Source, Annotated]], item: str | None, annotator: str | None
) -> tuple[list[Annotated], list[Step]]:
    """Give documents their items and annotators, by patterns or by their texts, and say how."""
    patterns = _layout(documents) if item is None and annotator is None else BY_FILE
    if annotator == BY_FOLDER[1] and item is None:
        patterns = BY_FOLDER
    item, annotator = item or patterns[0], annotator or patterns[1]
    first: dict[tuple[str, str], Source] = {}
    for source, document in documents:
        words = pattern_words(source)
        document.item = fill_pattern(item, words, option="item")
        document.annotator = fill_pattern(annotator, words, option="annotator")
        other = first.setdefault((str(document.item), document.annotator), source)
        if other is not source:
            hints = [Hint("annotator", "{folder}"), Hint("item", "{file}")]
            raise DuplicateAnnotation(
                f"{document.annotator!r} has document {document.item!r} twice, in {other.name} and in {source.name}; "
                f"say whose each file is and of what, as by {hints[0]} with {hints[1]}",
                hints=hints,
            )
    how = f"documents from {item}, annotators from {annotator}"
    return [document for _, document in documents], [Step("taken", how)]


def _layout(documents: Sequence[tuple[Source, Annotated]]) -> tuple[str, str]:
    """Whether folders are documents and files annotators, or the other way round."""
    places = [(pattern_words(source)["folder"], source.stem, document.text) for source, document in documents]
    together = _shared([(folder, text) for folder, _, text in places])
    apart = _shared([(stem, text) for _, stem, text in places])
    return BY_FOLDER if apart > together else BY_FILE


def _shared(places: Sequence[tuple[str, str | None]]) -> int:
    """How many files have their text in common with another one of the same name."""
    return sum(times for times in Counter(places).values() if times > 1)
