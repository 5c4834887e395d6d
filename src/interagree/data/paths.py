"""Paths that a reader is given: the files they stand for, those that were not read, and names made from them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from interagree.data.files import Source, shown_path
from interagree.data.provenance import Step, counted
from interagree.errors import FormatError, KindError, listing

ARCHIVE_ENDINGS = (".zip", ".tar.gz", ".tar", ".tgz")
OnePath: TypeAlias = str | Path | Source
Paths: TypeAlias = OnePath | Sequence[OnePath]


def as_list(path: Paths) -> list[OnePath]:
    """The paths that a reader was given: one, or several."""
    return [path] if isinstance(path, str | Path | Source) else list(path)


def source_names(path: Paths) -> tuple[str, ...]:
    """What paths are called as sources of a study."""
    return tuple(str(given) for given in as_list(path))


def places(path: Paths) -> str | list[str]:
    """What a reader was given, as an error names it in a call."""
    return str(path) if isinstance(path, str | Path | Source) else [str(given) for given in path]


def files_in(path: Paths, suffixes: Sequence[str]) -> Iterator[Source]:
    """A file, the files of a folder that end as they should, or those of several."""
    for given in as_list(path):
        if isinstance(given, Source) or not Path(given).is_dir():
            yield Source.of(given)
            continue
        sources = [Source.of(file) for file in sorted(Path(given).iterdir()) if file.is_file()]
        fitting = [source for source in sources if source.suffix in suffixes]
        if not fitting:
            raise FormatError(f"{given} is a folder without a file that ends in {listing(suffixes, quote=False)}")
        yield from fitting


def unread_files(path: Paths, sources: Iterable[Source], *, deep: bool, beside: Iterable[Path] = ()) -> list[Step]:
    """What lies in folders and was not read, with the first names.

    Args:
        path: What the caller named.
        sources: The files that were read.
        deep: Whether folders in folders are read; else they are named and not looked into.
        beside: Further files that were read, or that everybody knows.
    """
    known = {source.path for source in sources if source.path is not None}
    steps = []
    for given in as_list(path):
        if not isinstance(given, Source) and Path(given).is_dir():
            steps += _left(Path(given), known, known | set(beside), deep=deep)
    return steps


def _left(root: Path, read: set[Path], known: set[Path], *, deep: bool) -> list[Step]:
    spelled = {str(file) for file in known}
    holding = {file.relative_to(root).parts[0] for file in read if file.is_relative_to(root)}
    files: list[str] = []
    idle: list[str] = []
    for folder, inside, names in os.walk(root):
        inside[:] = [name for name in inside if _counts(name)]
        inner = Path(folder).relative_to(root).as_posix()
        before = "" if inner == "." else f"{inner}/"
        unread = (name for name in names if os.path.join(folder, name) not in spelled)  # noqa: PTH118 -- of many files
        files += [before + name for name in unread if _counts(name)]
        if not before:
            idle = sorted(name for name in inside if name not in holding)
        if not deep:
            break
    files.sort(key=lambda name: name.split("/"))
    parts = []
    if files:
        parts.append(f"{counted(len(files), 'file')} of the folder not read ({listing(files, most=3)})")
    if idle:
        parts.append(f"nothing read from the {'folder' if len(idle) == 1 else 'folders'} {listing(idle, most=3)}")
    return [Step("noticed", ", ".join(parts), len(files) or len(idle))] if parts else []


def _counts(name: str) -> bool:
    """Whether somebody would expect a file to be read: neither hidden nor there for people."""
    return not name.startswith((".", "__MACOSX")) and name.partition(".")[0].upper() != "README"


def fill_pattern(pattern: str, parts: Mapping[str, str], *, option: str) -> str:
    """A pattern such as '{file}' with its words filled in."""
    try:
        return pattern.format_map(dict(parts))
    except (KeyError, ValueError, IndexError, AttributeError):
        *known, last = [f"{{{name}}}" for name in parts]
        raise KindError(
            f"{option} must be a name or a pattern made of {', '.join(known)} and {last}, as in {option}='{{file}}'; "
            f"got {pattern!r}"
        ) from None


def pattern_words(source: Source) -> dict[str, str]:
    """The words for patterns that a file has by where it lies."""
    return {"file": source.stem, "folder": ("", *folders_of(source))[-1]}


def folders_of(source: Source) -> tuple[str, ...]:
    """The folders on the way to a file; an archive that it was in is one, called without its ending."""
    if source.path is None:
        return ()
    shown = shown_path(source.path)
    if shown == str(source.path):
        return source.path.resolve().parent.parts
    parts = Path(shown).absolute().parent.parts
    return tuple(
        part.removesuffix(next((end for end in ARCHIVE_ENDINGS if part.lower().endswith(end)), "")) for part in parts
    )
