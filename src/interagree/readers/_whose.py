"""Whose files are, told by where they lie: a folder, or a file, for each annotator.

    round1/ann/a.xml  round1/ann/b.xml          ann.json  bo.json
    round1/bo/a.xml   round1/bo/b.xml

Of the folders on the way to a file, one tells annotators apart: the first for which two people have an item in common
and nobody has an item twice.  Nothing is guessed: where no folder does, that is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, fill_pattern, folders_of
from interagree.data.provenance import Step
from interagree.errors import Advice, DuplicateAnnotation, FormatError, Hint, listing

BY_FILE, BY_FOLDER = Hint("annotator", "{file}"), Hint("annotator", "{folder}")
Parts: TypeAlias = tuple[str, ...]


class Whose(NamedTuple):
    """A file of one image, of which it is, and who annotated it."""

    source: Source
    item: str
    annotator: str


def files_below(path: Paths, fits: Callable[[Path], bool]) -> list[Source]:
    """The files that were named, and those below folders that were named which fit."""
    sources: list[Source] = []
    for given in as_list(path):
        if isinstance(given, Source) or not Path(given).is_dir():
            sources.append(Source.of(given))
            continue
        below = (file for file in sorted(Path(given).rglob("*")) if file.is_file() and not _hidden(file, Path(given)))
        sources += [Source.of(file) for file in below if fits(file)]
    return sources


def _hidden(file: Path, root: Path) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in file.relative_to(root).parts)


def by_place(
    sources: Sequence[Source], pattern: str | None, *, wanted: str, ends: Sequence[str] = ()
) -> tuple[list[Whose], list[Step]]:
    """Files of one image each, with the image and the annotator.

    Args:
        sources: The files.
        pattern: Who annotated: a name, or a pattern of "{file}" and "{folder}"; None to be told by the folders.
        wanted: What the folders should be, for the error: "a folder of .xml files for each annotator".
        ends: Folders at the end of a path that name a part of the layout, as 'labels' does.
    """
    places = _without_ends([_parts(source) for source in sources], ends)
    if pattern is not None:
        words = [{"file": part[-1], "folder": part[-2] if len(part) > 1 else ""} for part in places]
        people = [fill_pattern(pattern, some, option="annotator") for some in words]
        inner = [(*part[:-2], part[-1]) if "{folder}" in pattern else part for part in places]
        return _items(sources, people, inner), [step_by(pattern, people)] if "{" in pattern else []
    for level in range(min(map(len, places)) - 1):
        people = [part[level] for part in places]
        if len(set(people)) < 2:
            continue
        found = _named(people, [(*part[:level], *part[level + 1 :]) for part in places])
        if found is not None and _meet(found, people):
            names = [*dict.fromkeys(people)]
            made = [Whose(*row) for row in zip(sources, found, people, strict=True)]
            return made, [Step("taken", f"annotators by their folders, {listing(names)}")]
    raise FormatError(
        f"{_files(sources)}: nothing says who annotated; expected {wanted}, in which the same images lie, or "
        f"{BY_FOLDER} to take what lies in one folder for one person's",
        hints=[BY_FOLDER],
    )


def by_file(sources: Sequence[Source], items: Sequence[Iterable[str]]) -> list[str] | None:
    """Who annotated each of several files, each with its items; None where nothing tells.

    The names of the files, or else a folder on the way to them.
    """
    places = [_parts(source) for source in sources]
    sets = [set(some) for some in items]
    levels = [-1, *range(min(map(len, places)) - 1)]
    for level in levels:
        people = [part[level] for part in places]
        pairs = [(person, item) for person, some in zip(people, sets, strict=True) for item in some]
        if len(set(people)) > 1 and len(set(pairs)) == len(pairs) and len({item for _, item in pairs}) < len(pairs):
            return people
    return None


def _parts(source: Source) -> Parts:
    """The folders on the way to a file, and its name without the ending."""
    return (*folders_of(source), source.stem)


def _without_ends(places: Sequence[Parts], ends: Sequence[str]) -> list[Parts]:
    return [(*(part[:-2] if part[-2:-1] and part[-2] in ends else part[:-1]), part[-1]) for part in places]


def stated(sources: Sequence[Source], people: Sequence[str]) -> list[Whose] | None:
    """Files of one image each whose annotators are stated in them; None where that does not tell files apart.

    It does where nobody has an image twice by the names of the files, or by their folders too if people meet then.
    """
    names = [source.stem for source in sources]
    if len({*zip(people, names, strict=True)}) < len(names):
        named = _named(people, [_parts(source) for source in sources])
        if named is None or not _meet(named, people):
            return None
        names = named
    return [Whose(*row) for row in zip(sources, names, people, strict=True)]


def _items(sources: Sequence[Source], people: Sequence[str], inner: Sequence[Parts]) -> list[Whose]:
    names = _named(people, inner)
    if names is not None:
        return [Whose(*row) for row in zip(sources, names, people, strict=True)]
    first: dict[tuple[str, str], Source] = {}
    for source, person, part in zip(sources, people, inner, strict=True):
        other = first.setdefault((person, part[-1]), source)
        if other is not source:
            raise DuplicateAnnotation(
                f"{person!r} has the image {part[-1]!r} twice, in {other.name} and in {source.name}; say whose each "
                f"file is by a pattern such as {BY_FOLDER}",
                hints=[BY_FOLDER],
            )
    raise DuplicateAnnotation(f"{_files(sources)}: a file is there twice")


def _named(people: Sequence[str], inner: Sequence[Parts]) -> list[str] | None:
    """Names of images: those of the files, or with folders where somebody has two of one name; None if they stay."""
    same = 0
    while all(len(part) > same + 1 for part in inner) and len({part[same] for part in inner}) == 1:
        same += 1
    for names in ([part[-1] for part in inner], ["/".join(part[same:]) for part in inner]):
        if len({*zip(people, names, strict=True)}) == len(names):
            return names
    return None


def _meet(items: Sequence[str], people: Sequence[str]) -> bool:
    """Whether two people have an item in common."""
    return len(set(items)) < len({*zip(people, items, strict=True)})


def _files(sources: Sequence[Source]) -> str:
    return listing((source.name for source in sources), quote=False, most=3)


def step_by(how: str | Advice, names: Iterable[object]) -> Step:
    """How annotators were told apart."""
    return Step("taken", Advice.around(f"annotators by {how}, {listing([*dict.fromkeys(names)])}", how))
