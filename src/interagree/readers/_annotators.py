"""Files of documents that are annotated by several people, each in a file of their own: which is whose.

    letter.txt/ann.xmi   letter.txt/bo.xmi     a folder for each document, as INCEpTION exports them
    ann/letter.tsv       bo/letter.tsv         a folder for each annotator
    ann.tsv              bo.tsv                a folder of one document

Which of these it is shows in the texts: files of one document have the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, fill_pattern, pattern_words
from interagree.data.provenance import Step
from interagree.errors import DuplicateAnnotation, FormatError, Hint, listing
from interagree.readers._layers import Annotated

BY_FILE = ("{folder}", "{file}")  # the item and the annotator
BY_FOLDER = ("{file}", "{folder}")


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
