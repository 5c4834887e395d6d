"""Files of treebanks: whose each of them is, and of which document, by where they lie and how they are called.

Annotators are folders with a file for each document, told apart as `gather.whose` says, or files.  Names such as
``0104-henrik.conll`` in the folder ``henrik`` hold the name of the annotator once more: documents are called without it
where that is what makes them the same document.  What names cannot tell is asked for, with the call for each way to
read them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, fill_pattern, pattern_words, places
from interagree.data.provenance import Step, counted
from interagree.errors import DoubtfulReading, FormatError, KindError, ReaderHint, ReadingAdvice, listing
from interagree.gather.whose import OwnedFile, check_once, folder_levels, parts_of, seen_below, shared, told_apart

BETWEEN = "-_. "  # what separates the parts of a name
PARTS = ("document", "annotator")
LOOKED_AT = 20  # files of a folder that are looked at to recognise it
MOST = 500  # files and folders of a folder that are listed to recognise it


class NameOptions(NamedTuple):
    """What a caller said about the names of files."""

    annotator: str | None = None  # a name, or a pattern of {file} and {folder}
    document: str | None = None  # likewise
    names: str | None = None  # a pattern such as "{document}-{annotator}" that names of files follow


class _Named(NamedTuple):
    source: Source
    folder: str  # the first below the folder that was given; empty where the file lies in that one
    name: str  # the path inside of it, without ending


def only_such_files(folder: Path, fits: Callable[[Path], bool]) -> bool:
    """Whether a folder holds such files and nothing else, or only folders that do."""
    try:
        here = [file for file in islice(folder.iterdir(), MOST) if not _for_people(file)]
        files, folders = [file for file in here if file.is_file()], [file for file in here if file.is_dir()]
        if files and folders:
            return False
        some = files or [file for inner in folders for file in islice(inner.iterdir(), LOOKED_AT)]
        some = [file for file in some if not _for_people(file)]
        return bool(some) and all(file.is_file() and fits(file) for file in some[:LOOKED_AT])
    except OSError:
        return False


def _for_people(file: Path) -> bool:
    return file.name.startswith((".", "__MACOSX")) or file.stem.upper() in {"README", "LICENSE", "LICENCE", "SOURCES"}


def owned_files(path: Paths, suffixes: Sequence[str], said: NameOptions) -> tuple[list[OwnedFile], list[Step]]:
    """All files, with whose they are and of which document, and how that was told."""
    named = [file for given in as_list(path) for file in _inside(given, suffixes)]
    source = places(path)
    steps: list[Step] = []
    if said.names is not None:
        made = [_by_names(file, said.names) for file in named]
        steps.append(Step("taken", f"documents and annotators by the names of files, {said.names}"))
    elif said.annotator is not None or said.document is not None:
        made = _by_patterns(named, said)
    else:
        made = _by_folders(named, steps) or _of_flat(named, source, steps)
    pattern = ReaderHint("names", "{document}-{annotator}")
    check_once(made, "document", f"say how files are called by a pattern such as {pattern}", [pattern])
    if said.names is None and said.document is None:
        _check_shared(made, source, steps)
    return made, steps


def _inside(given: str | Path | Source, suffixes: Sequence[str]) -> list[_Named]:
    if isinstance(given, Source) or not Path(given).is_dir():
        source = Source.of(given)
        return [_Named(source, "", source.stem)]
    root = Path(given)
    every = [source for file in seen_below(root) if (source := Source.of(file)).suffix in suffixes]
    here = [source for source in every if source.path is not None and source.path.parent == root]
    if not every:
        raise FormatError(
            f"{given} is a folder without a file that ends in {listing(suffixes, quote=False)}; expected a file for "
            "each annotator, or a folder for each with a file for each document"
        )
    if here:
        return [_Named(source, "", source.stem) for source in here]
    made = []
    for source in every:
        folder, *rest = source.path.relative_to(root).parts[:-1] if source.path is not None else ("",)
        made.append(_Named(source, folder, "/".join([*rest, source.stem])))
    return made


# -- whose files are ----------------------------------------------------------------------------------------


def _by_names(file: _Named, names: str) -> OwnedFile:
    """Who and what the name of a file says, by a pattern that it follows."""
    pieces = re.split(r"\{(\w+)\}", names)
    words = pieces[1::2]
    if sorted(words) not in ([*sorted(PARTS)], ["annotator"]):
        example = ReaderHint("names", "{document}-{annotator}")
        raise KindError(
            f"names must be a pattern with {{annotator}}, and {{document}} where there are several, as in {example}; "
            f"got {names!r}",
            hints=[example],
        )
    whole = "".join(
        re.escape(piece) if at % 2 == 0 else rf"(?P<{piece}>.+{'?' if piece == 'annotator' and at == 1 else ''})"
        for at, piece in enumerate(pieces)
    )
    name = f"{file.folder}/{file.name}" if "/" in names else file.name.rpartition("/")[2]
    match = re.fullmatch(whole, name)
    if match is None:
        raise FormatError(f"{file.source.name}: the name {name!r} does not follow the pattern {names!r} of names=")
    parts = match.groupdict()
    return OwnedFile(file.source, parts.get("document", ""), parts["annotator"])


def _by_patterns(named: Iterable[_Named], said: NameOptions) -> list[OwnedFile]:
    who = said.annotator or ("{file}" if said.document and "{file}" not in said.document else "{folder}")
    made = []
    for file in named:
        words = pattern_words(file.source)
        annotator = fill_pattern(who, words, option="annotator")
        if said.document is not None:
            document = fill_pattern(said.document, words, option="document")
        elif "{file}" in who:
            document = ""
        else:
            document = file.name
        made.append(OwnedFile(file.source, document, annotator))
    return made if said.document is not None else _without_names(made, [])


def _by_folders(named: Sequence[_Named], steps: list[Step]) -> list[OwnedFile] | None:
    """Files in the folders that tell annotators apart, or in the first ones; None where no folder was looked into."""
    parts = [parts_of(file.source) for file in named]
    levels = folder_levels(parts)
    root = next((level for level in levels if len({part[level] for part in parts}) > 1), len(levels))

    def documents(people: Sequence[str], inner: Sequence[tuple[str, ...]]) -> list[OwnedFile]:
        rows = zip(named, inner, people, strict=True)
        return [OwnedFile(file.source, "/".join(part[root:]), who) for file, part, who in rows]

    told = told_apart(
        parts, levels, lambda people, inner: [file.document for file in _without_names(documents(people, inner), [])]
    )
    if told is not None:
        at = told.level
        return _without_names(documents(told.people, [(*part[:at], *part[at + 1 :]) for part in parts]), steps)
    if all(not file.folder for file in named):
        return None
    return _without_names([OwnedFile(file.source, file.name, file.folder) for file in named], steps)


def _of_flat(named: Sequence[_Named], source: str | list[str], steps: list[Step]) -> list[OwnedFile]:
    """Files that lie beside each other, or that were named one by one."""
    folders = [pattern_words(file.source)["folder"] for file in named]
    in_folders = [OwnedFile(file.source, file.name, folder) for file, folder in zip(named, folders, strict=True)]
    if len({file.source.path.resolve().parent for file in named if file.source.path is not None}) > 1:
        return _without_names(in_folders, steps)
    short = [_short(file) for file in in_folders]
    if all(file.document != before.name for file, before in zip(short, named, strict=True)):
        steps.append(Step("taken", f"annotator by the folder, {folders[0]!r}, whose name every file has in its own"))
        return short
    ways = [pattern for sign in BETWEEN[:3] for pattern in _grids([file.name for file in named], sign)]
    if ways:
        readings = [_advice(named, pattern) for pattern in ways]
        apart = "every file is another annotator, of one document"
        readings.append(ReadingAdvice(apart, options={"annotator": "{file}"}))
        raise DoubtfulReading(
            f"{listing([file.name for file in named], most=4)}: names of files may hold a document and an annotator; "
            "say which",
            readings,
            source=source,
        )
    return [OwnedFile(file.source, "", file.name) for file in named]


def _grids(names: Sequence[str], sign: str) -> list[str]:
    """Patterns of document and annotator that names may follow: both parts occur in several of them."""
    ways = []
    for pattern, cut in (("{document}%s{annotator}", str.rpartition), ("{annotator}%s{document}", str.partition)):
        parts = [cut(name, sign) for name in names]
        first, last = {head for head, _, _ in parts}, {tail for _, _, tail in parts}
        if "" not in first | last and 1 < len(first) < len(names) and 1 < len(last) < len(names):
            ways.append(pattern % sign)
    return ways


def _advice(named: Sequence[_Named], pattern: str) -> ReadingAdvice:
    rows = [_by_names(file, pattern) for file in named[:3]]
    cells = [(file.source.stem, file.document, file.annotator) for file in rows]
    sentence = "the document stands first" if pattern.startswith("{document}") else "the annotator stands first"
    return ReadingAdvice(sentence, cells, ("file", *PARTS), {"names": pattern}, ("names",))


# -- which document -----------------------------------------------------------------------------------------


def _without_names(files: list[OwnedFile], steps: list[Step]) -> list[OwnedFile]:
    """Documents without the names of annotators in them, where this is what makes them the same documents."""
    short = [_short(file) for file in files]
    if _shared(short) <= _shared(files):
        return files
    number = sum(file.document != before.document for file, before in zip(short, files, strict=True))
    example = next(file for file, before in zip(short, files, strict=True) if file.document != before.document)
    sentence = f"documents by the names of files without the annotator in them, as in {example.document!r} of "
    steps.append(Step("taken", f"{sentence}{example.source.stem!r} ({counted(number, 'file')})", number))
    return short


def _shared(files: Iterable[OwnedFile]) -> int:
    return shared((file.document, file.annotator) for file in files)


def _short(file: OwnedFile) -> OwnedFile:
    """A file of a document whose name does not begin or end in that of the annotator."""
    folder, slash, name = file.document.rpartition("/")
    who, low = file.annotator.casefold(), name.casefold()
    if low == who:
        name = ""
    elif low.endswith(who) and name[-len(who) - 1] in BETWEEN:
        name = name[: -len(who) - 1]
    elif low.startswith(who) and name[len(who)] in BETWEEN:
        name = name[len(who) + 1 :]
    return file._replace(document=f"{folder}{slash}{name}".rstrip("/"))


def _check_shared(files: list[OwnedFile], source: str | list[str], steps: list[Step]) -> None:
    """An error where no two annotators have one document; where each has one file, it is of one document."""
    owners: Mapping[str, int] = Counter(file.annotator for file in files)
    if len(owners) < 2 or _shared(files) > 0:
        return
    if max(owners.values()) == 1:
        sentence = f"the files {listing([file.source.stem for file in files], most=3)} taken as one document"
        steps.append(Step("assumed", f"{sentence}, since every annotator has one", len(files)))
        files[:] = [file._replace(document="") for file in files]
        return
    readings = [
        ReadingAdvice("names hold document and annotator", options={"names": pattern}, of_reader=("names",))
        for pattern in ("{document}-{annotator}", "{annotator}_{document}")
    ]
    shown = listing([f"{file.annotator}: {file.document}" for file in files], quote=False, most=4)
    raise DoubtfulReading(
        f"no two annotators have a file of one document ({shown}); say what the names of files are",
        readings,
        source=source,
    )
