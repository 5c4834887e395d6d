"""Which files of brat there are, whose they are, and of which document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path

from interagree.data.files import Source
from interagree.data.paths import OnePath, Paths, as_list, fill_pattern, pattern_words
from interagree.errors import FormatError, Hint
from interagree.gather.whose import OwnedFile, check_once, hidden

# What may lie in a folder of brat and says nothing of who marked what.
ASIDE = (".conf", ".stats_cache", ".txt", ".md")
LOOKED_AT = 200  # files of a folder that are looked at to recognise it


def recognised(path: Path) -> bool:
    """Whether a file ends in .ann, or a folder holds such files, itself or in its folders.

    Where no text lies beside one of them, the folder itself must hold nothing else that somebody may want to read.
    """
    if not path.is_dir():
        return path.suffix.lower() == ".ann"
    annotated = chain.from_iterable(path.glob(depth) for depth in ("*.ann", "*/*.ann", "*/*/*.ann"))
    some = list(islice(annotated, LOOKED_AT))
    if any(file.with_suffix(".txt").exists() for file in some):
        return True
    here = (file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    return bool(some) and all(file.suffix in (".ann", *ASIDE) for file in here)


def check_unique(files: Iterable[OwnedFile]) -> None:
    """An error for a document that an annotator has twice."""
    hints = [Hint("annotator", "{folder}"), Hint("item", "{file}")]
    advice = f"say whose each file is by a pattern such as {hints[0]}, and of what by one such as {hints[1]}"
    check_once(files, "document", advice, hints)


def files_beside(path: Paths, sources: Iterable[Source]) -> set[Path]:
    """The texts of .ann files, and the settings of brat."""
    texts = {source.path.with_suffix(".txt") for source in sources if source.path is not None}
    roots = [Path(given) for given in as_list(path) if not isinstance(given, Source) and Path(given).is_dir()]
    settings = {file for root in roots for end in (".conf", ".stats_cache") for file in root.rglob(f"*{end}")}
    return texts | settings


def ann_files(path: OnePath, annotator: str | None, item: str | None) -> list[OwnedFile]:
    """All .ann files, with whose they are and of which document."""
    if isinstance(path, Source) or not Path(path).is_dir():
        source = Source.of(path)
        annotated = [(source, pattern_words(source)["folder"], source.stem)]
    else:
        annotated = list(_inside(Path(path), alone=annotator is not None and "{" not in annotator))
    if not annotated:
        raise FormatError(
            f"{path} is a folder without .ann files; expected a folder for each annotator, with an .ann file beside "
            "the .txt file of each document"
        )
    return [
        OwnedFile(
            source,
            document if item is None else fill_pattern(item, pattern_words(source), option="item"),
            folder if annotator is None else fill_pattern(annotator, pattern_words(source), option="annotator"),
        )
        for source, folder, document in annotated
    ]


def _inside(root: Path, *, alone: bool) -> Iterator[tuple[Source, str, str]]:
    """The .ann files of a folder: of one annotator if some lie in it itself, else of one for each of its folders."""
    files = sorted((file for file in root.rglob("*.ann") if not hidden(file, root)), key=attrgetter("parts"))
    name, depth = root.resolve().name, len(root.parts)
    single = alone or any(len(file.parts) == depth + 1 for file in files)
    for file in files:
        inner = (*file.parts[depth:-1], file.stem)
        yield Source.of(file), name if single else inner[0], "/".join(inner if single else inner[1:])
