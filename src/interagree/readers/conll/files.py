"""Which files of tags there are, whose they are, and of which document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from interagree.data.files import Source
from interagree.data.paths import OnePath, fill_pattern, pattern_words
from interagree.documents.tags import OUT, PREFIXES
from interagree.errors import DataError, FormatError, listing
from interagree.gather.whose import hidden, seen_below
from interagree.readers._token_columns import holds_trees

SUFFIXES = (".conll", ".conll03", ".conll2003", ".iob", ".iob2", ".bio")
INSIDE = (*SUFFIXES, ".txt", ".tsv")  # what files may be called in a folder, and where sniffing is sure
DOCSTART = "-DOCSTART-"
LOOKED_AT = 20  # files of a folder that are looked at to recognise it
START_OF_FILE = 65_536  # bytes that are looked at to recognise a file
TAG = re.compile(rf"O|[{''.join(sorted(PREFIXES))}](-\S+)?")


def recognised(path: Path) -> bool:
    """Whether a file is named as one of tags or can be nothing else, or a folder or its folders hold such files."""
    if not path.is_dir():
        if holds_trees(path):
            return False
        return Source.of(path).suffix in SUFFIXES or (OUT in (tags := _tags(path)) and _opening(tags))
    try:
        here = [file for file in path.iterdir() if not hidden(file, path) and file.name != "README.md"]
        seen = [(file for file in folder.iterdir() if not hidden(file, folder)) for folder in here if folder.is_dir()]
        inner = [file for inside in seen for file in islice(inside, LOOKED_AT)]
    except OSError:
        return False
    if any(file.is_file() for file in here):
        others = [file for file in here if file.suffix.lower() not in SUFFIXES]
        if others:
            return _all_of_tags(others[:LOOKED_AT])
        return not any(map(holds_trees, here[:LOOKED_AT]))
    return _all_of_tags(inner[:LOOKED_AT])


def _all_of_tags(files: Sequence[Path]) -> bool:
    """Whether files can only be of tags; some may have no span in them."""
    tags = [_tags(file) if file.is_file() and file.suffix.lower() in INSIDE else set() for file in files]
    return all(tags) and _opening(set().union(*tags))


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


class TaggedFile(NamedTuple):
    source: Source
    annotator: str
    document: str | None  # None where documents are inside of files


def tagged_files(path: OnePath, annotator: str | None) -> list[TaggedFile]:
    """All files, with whose they are; of folders of annotators also of which document."""
    if isinstance(path, Source) or not Path(path).is_dir():
        source = Source.of(path)
        tagged = [TaggedFile(source, source.stem, None)]
    else:
        root = Path(path)
        files = [file for file in seen_below(root) if _fits(file)]
        here = [Source.of(file) for file in files if file.parent == root]
        tagged = [TaggedFile(source, source.stem, None) for source in here] or [_inner(root, file) for file in files]
    if not tagged:
        raise FormatError(
            f"{path} is a folder without a file that ends in {listing(INSIDE, quote=False)}; expected a file for each "
            "annotator, or a folder for each with a file for each document"
        )
    if annotator is None:
        return tagged
    return [
        file._replace(annotator=fill_pattern(annotator, pattern_words(file.source), option="annotator"))
        for file in tagged
    ]


def _fits(file: Path) -> bool:
    """Whether a file of a folder may be one of tags; a text beside an .ann file is one of brat."""
    if Source.of(file).suffix not in INSIDE:
        return False
    return file.suffix != ".txt" or not file.with_suffix(".ann").exists()


def _inner(root: Path, file: Path) -> TaggedFile:
    source = Source.of(file)
    folder, *rest = file.relative_to(root).parts[:-1]
    return TaggedFile(source, folder, "/".join([*rest, source.stem]))
