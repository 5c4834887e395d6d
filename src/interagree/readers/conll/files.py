"""Which files of tags there are, whose they are, and of which document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from interagree.data.files import Source
from interagree.data.paths import Paths, fill_pattern, pattern_words
from interagree.documents.tags import OUT, PREFIXES
from interagree.errors import DataError
from interagree.gather.whose import OwnedFile
from interagree.readers._sentence_files import files_of_annotators, some_files
from interagree.readers._token_columns import holds_trees

SUFFIXES = (".conll", ".conll03", ".conll2003", ".iob", ".iob2", ".bio")
INSIDE = (*SUFFIXES, ".txt", ".tsv")  # what files may be called in a folder, and where sniffing is sure
DOCSTART = "-DOCSTART-"
START_OF_FILE = 65_536  # bytes that are looked at to recognise a file
TAG = re.compile(rf"O|[{''.join(sorted(PREFIXES))}](-\S+)?")


def recognised(path: Path) -> bool:
    """Whether a file is named as one of tags or can be nothing else, or a folder or its folders hold such files."""
    if not path.is_dir():
        if holds_trees(path):
            return False
        return Source.of(path).suffix in SUFFIXES or (OUT in (tags := _tags(path)) and _opening(tags))
    files = some_files(path)
    if files and all(file.parent == path and file.suffix.lower() in SUFFIXES for file in files):
        return not any(map(holds_trees, files))
    seen = [_tags(file) if file.suffix.lower() in INSIDE else set() for file in files]
    return bool(seen) and all(seen) and _opening(set().union(*seen))  # some may have no span in them


def _opening(tags: Iterable[str]) -> bool:
    return any("-" in tag for tag in tags)


def _tags(path: Path) -> set[str]:
    """The tags that the lines of the start of a file end in; none where some line ends in something else."""
    try:
        with Source.of(path).open() as stream:
            start = stream.read(START_OF_FILE)
        lines = start.decode("utf-8-sig").splitlines()[: -1 if len(start) == START_OF_FILE else None]
    except (OSError, EOFError, ValueError, DataError):
        return set()
    cells = [line.split() for line in lines if line.strip() and not line.startswith(DOCSTART)]
    last = {row[-1] for row in cells}
    several = len(cells) > 1 and Counter(map(len, cells)).most_common(1)[0][0] > 1
    return last if several and all(map(TAG.fullmatch, last)) else set()


def tagged_files(path: Paths, annotator: str | None) -> list[OwnedFile]:
    """All files, with whose they are; of folders of annotators also of which document."""
    return [
        OwnedFile(
            file.source,
            file.name if file.folder else "",
            file.folder or file.name
            if annotator is None
            else fill_pattern(annotator, pattern_words(file.source), option="annotator"),
        )
        for file in files_of_annotators(path, INSIDE, _fits)
    ]


def _fits(file: Path) -> bool:
    """Whether a file of a folder may be one of tags; a text beside an .ann file is one of brat."""
    if Source.of(file).suffix not in INSIDE:
        return False
    return file.suffix != ".txt" or not file.with_suffix(".ann").exists()
