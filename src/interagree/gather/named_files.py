"""Files of sentences: whose each of them is, and of which document, by where they lie and how they are called.

Annotators are folders with a file for each document, told apart as `gather.whose` says, or files.  Names such as
``0104-henrik.conll`` in the folder ``henrik`` hold the name of the annotator once more: documents are called without it
where that is what makes them the same document.  What names cannot tell is asked for, with the call for each way to
read them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from interagree.data.files import Source
from interagree.data.paths import Paths, fill_pattern, pattern_words, places
from interagree.data.provenance import Step, counted
from interagree.errors import DoubtfulReading, FormatError, KindError, ReaderHint, ReadingAdvice, listing
from interagree.gather.whose import (
    FoundFile,
    OwnedFile,
    check_once,
    folder_levels,
    found_files,
    parts_of,
    shared,
    told_apart,
)

BETWEEN = "-_. "  # what separates the parts of a name
PARTS = ("document", "annotator")
PATTERN = ReaderHint("names", "{document}-{annotator}")


def files_of_annotators(path: Paths, suffixes: Sequence[str], fits: Callable[[Path], bool]) -> list[FoundFile]:
    """The files that were named, and those in folders: the outermost, or those in folders in them."""
    ends = f"a file that ends in {listing(suffixes, quote=False)}"
    expected = "expected a file for each annotator, or a folder for each with a file for each document"
    return found_files(path, fits, lacking=f"{ends}; {expected}", outermost=True)


def owned_files(
    path: Paths, suffixes: Sequence[str], annotator: str | None, document: str | None, names: str | None
) -> tuple[list[OwnedFile], list[Step]]:
    """All files, with whose they are and of which document, and how that was told.

    Args:
        path: Files and folders.
        suffixes: How files in folders end.
        annotator: A name, or a pattern of {file} and {folder}.
        document: Likewise.
        names: A pattern such as "{document}-{annotator}" that names of files follow.
    """
    found = files_of_annotators(path, suffixes, lambda file: Source.of(file).suffix in suffixes)
    steps: list[Step] = []
    if names is not None:
        files = [_by_names(file, names) for file in found]
        steps.append(Step("taken", f"documents and annotators by the names of files, {names}"))
    elif annotator is not None or document is not None:
        files = _by_patterns(found, annotator, document)
    else:
        files = _by_folders(found) or _of_flat(found, places(path), steps)
    guessed = names is None and document is None
    files = _renamed(files, steps) if guessed else files
    check_once(files, "document", f"say how files are called by a pattern such as {PATTERN}", [PATTERN])
    return (_meeting(files, places(path), steps) if guessed else files), steps


# -- whose files are ----------------------------------------------------------------------------------------


def _by_names(file: FoundFile, names: str) -> OwnedFile:
    """Who and what the name of a file says, by a pattern that it follows."""
    pieces = re.split(r"\{(\w+)\}", names)
    words = pieces[1::2]
    if sorted(words) not in ([*sorted(PARTS)], ["annotator"]):
        raise KindError(
            f"names must be a pattern with {{annotator}}, and {{document}} where there are several, as in {PATTERN}; "
            f"got {names!r}",
            hints=[PATTERN],
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


def _by_patterns(found: Iterable[FoundFile], annotator: str | None, document: str | None) -> list[OwnedFile]:
    who = annotator or ("{file}" if document and "{file}" not in document else "{folder}")
    files = []
    for file in found:
        words = pattern_words(file.source)
        item = "" if document is None and "{file}" in who else file.name
        item = item if document is None else fill_pattern(document, words, option="document")
        files.append(OwnedFile(file.source, item, fill_pattern(who, words, option="annotator")))
    return files


def _by_folders(found: Sequence[FoundFile]) -> list[OwnedFile] | None:
    """Files in the folders that tell annotators apart, or in the first ones; None where no folder was looked into."""
    parts = [parts_of(file.source) for file in found]
    levels = folder_levels(parts)
    root = next((level for level in levels if len({part[level] for part in parts}) > 1), len(levels))

    def documents(people: Sequence[str], inner: Sequence[tuple[str, ...]]) -> list[str]:
        rows = zip(found, inner, people, strict=True)
        owned = [OwnedFile(file.source, "/".join(part[root:]), who) for file, part, who in rows]
        return [file.document for file in _without_names(owned)]

    told = told_apart(parts, levels, documents)
    if told is not None:
        at = told.level
        inner = ["/".join([*part[:at], *part[at + 1 :]][root:]) for part in parts]
        return [OwnedFile(file.source, name, who) for file, name, who in zip(found, inner, told.people, strict=True)]
    return [OwnedFile(file.source, file.name, file.folder) for file in found] if any(f.folder for f in found) else None


def _of_flat(found: Sequence[FoundFile], source: str | list[str], steps: list[Step]) -> list[OwnedFile]:
    """Files that lie beside each other, or that were named one by one."""
    in_folders = [OwnedFile(file.source, file.name, pattern_words(file.source)["folder"]) for file in found]
    if len({file.source.path.resolve().parent for file in found if file.source.path is not None}) > 1:
        return in_folders
    short = [_short(file) for file in in_folders]
    if all(file.document != before.document for file, before in zip(short, in_folders, strict=True)):
        who = in_folders[0].annotator
        steps.append(Step("taken", f"annotator by the folder, {who!r}, whose name every file has in its own"))
        return short
    names = [file.name for file in found]
    ways = [pattern for sign in BETWEEN[:3] for pattern in _grids(names, sign)]
    if ways:
        apart = ReadingAdvice("every file is another annotator, of one document", options={"annotator": "{file}"})
        shown = listing(names, most=4)
        raise DoubtfulReading(
            f"{shown}: names of files may hold a document and an annotator; say which",
            [*(_advice(found, pattern) for pattern in ways), apart],
            source=source,
        )
    return [OwnedFile(file.source, "", file.name) for file in found]


def _grids(names: Sequence[str], sign: str) -> list[str]:
    """Patterns of document and annotator that names may follow: both parts occur in several of them."""
    ways = []
    for pattern, cut in (("{document}%s{annotator}", str.rpartition), ("{annotator}%s{document}", str.partition)):
        parts = [cut(name, sign) for name in names]
        first, last = {head for head, _, _ in parts}, {tail for _, _, tail in parts}
        if "" not in first | last and 1 < len(first) < len(names) and 1 < len(last) < len(names):
            ways.append(pattern % sign)
    return ways


def _advice(named: Sequence[FoundFile], pattern: str) -> ReadingAdvice:
    rows = [_by_names(file, pattern) for file in named[:3]]
    cells = [(file.source.stem, file.document, file.annotator) for file in rows]
    sentence = "the document stands first" if pattern.startswith("{document}") else "the annotator stands first"
    return ReadingAdvice(sentence, cells, ("file", *PARTS), {"names": pattern}, ("names",))


# -- which document -----------------------------------------------------------------------------------------


def _renamed(files: list[OwnedFile], steps: list[Step]) -> list[OwnedFile]:
    """What `_without_names` makes of files, which is said."""
    short = _without_names(files)
    changed = [file for file, before in zip(short, files, strict=True) if file.document != before.document]
    if changed:
        sentence = f"documents by the names of files without the annotator in them, as in {changed[0].document!r} of "
        sentence += f"{changed[0].source.stem!r} ({counted(len(changed), 'file')})"
        steps.append(Step("taken", sentence, len(changed)))
    return short


def _without_names(files: list[OwnedFile]) -> list[OwnedFile]:
    """Documents without the names of annotators in them, where this is what makes them the same documents."""
    short = [_short(file) for file in files]
    return short if _shared(short) > _shared(files) else files


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


def _meeting(files: list[OwnedFile], source: str | list[str], steps: list[Step]) -> list[OwnedFile]:
    """An error where no two annotators have one document; where each has one file, it is of one document."""
    owners: Mapping[str, int] = Counter(file.annotator for file in files)
    if len(owners) < 2 or _shared(files) > 0:
        return files
    if max(owners.values()) == 1:
        sentence = f"the files {listing([file.source.stem for file in files], most=3)} taken as one document"
        steps.append(Step("assumed", f"{sentence}, since every annotator has one", len(files)))
        return [file._replace(document="") for file in files]
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
