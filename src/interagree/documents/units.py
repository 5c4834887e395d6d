"""Units one by one, gathered into what each annotator marked in each document.

Files of units have a row or an element for each unit; a study has a value for each document and annotator, the list of
``[start, end, label]``.  Units are put in order, so that the order of clicking means nothing.

**Who looked?** A table of units cannot say that somebody looked at a document and marked nothing.  So a document counts
as looked at by those who marked something in it (``looked="marked"``), by all annotators of the file (``looked="all"``;
of all files of a folder that is read at once by ``format=``), or by those who are named in a list.  What was assumed is
said in the provenance.

**Units without length** are left out and counted, unless ``points="keep"``.

**Identical units** that one annotator marked in one document, the same in position, label and features, count once; how
many were left out is said.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.errors import FormatError, Hint, KindError, UnknownName, listing, suggestion

QUESTION = "units"
LOOKED = ("marked", "all")
POINTS = ("drop", "keep")
Number = int | float


class Unit(NamedTuple):
    """A stretch that an annotator marked in a document; without ``start`` only that she looked."""

    document: Hashable
    annotator: Hashable
    start: Number | None = None
    end: Number | None = None
    label: str | None = None
    further: tuple[Any, ...] = ()  # entries of further columns
    fragments: tuple[tuple[Number, Number], ...] = ()  # its pieces, where there are several
    features: tuple[tuple[str, Any], ...] = ()  # what else was said of it, by name

    def value(self) -> tuple[Any, ...]:
        """The unit as it stands in a value of the kind spans."""
        if len(self.fragments) < 2 and not self.features:
            return (self.start, self.end, self.label)
        whole: dict[str, Any] = {"start": self.start, "end": self.end, "label": self.label}
        whole |= {"fragments": tuple(sorted(self.fragments))} if len(self.fragments) > 1 else {}
        whole |= {"features": tuple(sorted(self.features))} if self.features else {}
        return tuple(sorted(whole.items()))


class Texts(NamedTuple):
    """What is known of the documents themselves."""

    texts: Mapping[Hashable, str] = {}
    tokens: Mapping[
        Hashable, tuple[tuple[int, int], ...]
    ] = {}  # character offsets of the tokens of each text
    positions: str | None = None  # what positions count: "characters", "tokens" or "seconds"


class Gathering(NamedTuple):
    """What a caller said about units."""

    looked: str | Sequence[Hashable] = "marked"
    points: str = "drop"
    columns: tuple[str, ...] = ()  # the names of further columns
    once: bool = False  # whether identical units of one annotator count once: a tool may save a click twice
    stated: bool = True  # whether files state who looked and marked nothing, and it is not only taken so


def number(source: str, where: str, text: str) -> Number:
    """A position, or an error that names the place in the file."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise FormatError(f"{source}, {where}: expected a number for the position of a unit, found {text!r}")
    return found


def ends_after(source: str, where: str, start: Number, end: Number) -> None:
    """An error where a unit ends before it starts."""
    if end < start:
        hints = [Hint("start"), Hint("end")]
        raise FormatError(
            f"{source}, {where}: a unit starts at {start} and ends at {end}, before it starts; correct the row, or "
            f"say which column is which with {hints[0]} and {hints[1]}",
            hints=hints,
        )


def known_only(name: str, options: Mapping[str, Any], known: Iterable[str]) -> None:
    """An error for an option that a reader does not have; what reading several files needs is let through."""
    known = [*known, "looked", "points"]
    for option, given in options.items():
        if option == "duplicates" or (option == "kind" and given == "spans"):
            continue
        raise UnknownName(
            f"{name} has no option {option!r}.{suggestion(option, known)} (known: {listing(known)})"
        )


Path_ = str | Path | Source
Paths = Path_ | Sequence[Path_]


def each(path: Paths) -> list[Path_]:
    """The paths that a reader was given: one, or several."""
    return [path] if isinstance(path, str | Path | Source) else list(path)


def called(path: Paths) -> tuple[str, ...]:
    """What paths are called as sources of a study."""
    return tuple(str(one) for one in each(path))


def inside(path: Paths, suffixes: Sequence[str]) -> Iterator[Source]:
    """A file, the files of a folder that end as they should, or those of several."""
    for one in each(path):
        if isinstance(one, Source) or not Path(one).is_dir():
            yield Source.of(one)
            continue
        sources = [Source.of(file) for file in sorted(Path(one).iterdir()) if file.is_file()]
        fitting = [source for source in sources if source.suffix in suffixes]
        if not fitting:
            raise FormatError(
                f"{one} is a folder without a file that ends in {listing(suffixes, quote=False)}"
            )
        yield from fitting


def unread(path: Paths, sources: Iterable[Source], *, deep: bool, beside: Iterable[Path] = ()) -> list[Step]:
    """What lies in folders and was not read, with the first names.

    Args:
        path: What the caller named.
        sources: The files that were read.
        deep: Whether folders in folders are read; else they are named and not looked into.
        beside: Further files that were read, or that everybody knows.
    """
    known = {source.path for source in sources if source.path is not None}
    told = []
    for one in each(path):
        if not isinstance(one, Source) and Path(one).is_dir():
            told += _left(Path(one), known, known | set(beside), deep=deep)
    return told


def _left(root: Path, read: set[Path], known: set[Path], *, deep: bool) -> list[Step]:
    there = [file for file in sorted(root.rglob("*") if deep else root.iterdir()) if _counts(file, root)]
    files = [file.relative_to(root).as_posix() for file in there if file.is_file() and file not in known]
    holding = {file.relative_to(root).parts[0] for file in read if file.is_relative_to(root)}
    idle = [file.name for file in there if file.is_dir() and file.parent == root and file.name not in holding]
    said = []
    if files:
        said.append(f"{counted(len(files), 'file')} of the folder not read ({listing(files, most=3)})")
    if idle:
        said.append(
            f"nothing read from the {'folder' if len(idle) == 1 else 'folders'} {listing(idle, most=3)}"
        )
    return [Step("noticed", ", ".join(said), len(files) or len(idle))] if said else []


def _counts(file: Path, root: Path) -> bool:
    """Whether somebody would expect a file to be read: neither hidden nor there for people."""
    inner = file.relative_to(root).parts
    return not any(part.startswith((".", "__MACOSX")) for part in inner) and file.stem.upper() != "README"


def filled(pattern: str, parts: Mapping[str, str], *, option: str) -> str:
    """A pattern such as '{file}' with its words filled in."""
    try:
        return pattern.format_map(dict(parts))
    except (KeyError, ValueError, IndexError, AttributeError):
        *known, last = [f"{{{name}}}" for name in parts]
        raise KindError(
            f"{option} must be a name or a pattern made of {', '.join(known)} and {last}, as in {option}='{{file}}'; "
            f"got {pattern!r}"
        ) from None


def place(source: Source) -> dict[str, str]:
    """The words for patterns that a file has by where it lies."""
    folder = "" if source.path is None else source.path.resolve().parent.name
    return {"file": source.stem, "folder": folder}


def gathered(
    sources: Sequence[Source], units: Iterable[Unit], how: Gathering, *, steps: Iterable[Step] = ()
) -> Study:
    """The study that units are: one value, a list of spans, for each document and annotator."""
    made = marks(sources, units, how, steps=steps)
    return Study({QUESTION: made}, made.provenance)


def marks(
    sources: Sequence[Source],
    units: Iterable[Unit],
    how: Gathering,
    *,
    steps: Iterable[Step] = (),
    documents: Texts | None = None,
) -> Annotations:
    """The annotations that units are: one value, a list of spans, for each document and annotator.

    Args:
        sources: The files that they come from.
        units: All units; one without a start says that somebody looked.
        how: What the caller said about units.
        steps: What was done to them before.
        documents: The texts and tokens of documents, kept as their attributes.
    """
    if how.points not in POINTS:
        raise KindError(f"points must be {listing(POINTS)}, got {how.points!r}")
    found: dict[tuple[Hashable, Hashable], list[tuple[Any, ...]]] = {}
    further: dict[tuple[Hashable, Hashable], list[tuple[Any, ...]]] = {}
    labels: dict[str, None] = {}
    short = 0
    silent: set[tuple[Hashable, Hashable]] = set()
    emptied: set[tuple[Hashable, Hashable]] = set()  # what they marked has no length
    for unit in units:
        cell = (unit.document, unit.annotator)
        spans = found.setdefault(cell, [])
        further.setdefault(cell, []).append(unit.further)
        if unit.start is None:
            silent.add(cell)
        elif unit.start == unit.end and how.points == "drop":
            short += 1
            emptied.add(cell)
        else:
            spans.append((_rank(unit), unit.value()))
            if unit.label is not None:
                labels[unit.label] = None
    if not found:
        raise FormatError(f"{listing((one.name for one in sources), quote=False)}: there is no unit to read")
    alone = {cell: _once(spans) for cell, spans in found.items()}
    twice = sum(map(len, found.values())) - sum(map(len, alone.values()))
    values = alone if how.once else {cell: _in_order(spans) for cell, spans in found.items()}
    told = [
        *steps,
        *_dropped(short),
        *marked_twice(twice, once=how.once),
        *_alike(labels),
        *_assumed(sources, how, sum(not found[cell] for cell in silent - emptied)),
    ]
    _add_those_who_looked(values, how.looked)
    cells = list(values)
    made = Annotations.from_columns(
        [document for document, _ in cells],
        [annotator for _, annotator in cells],
        list(values.values()),
        attributes={**_attributes(cells, further, how.columns), **_known(cells, documents or Texts())},
        provenance=Provenance(tuple(one.name for one in sources)).then(*told),
    )
    # The values are spans by the way they were made, so they are not looked at once more.
    return replace(made, of_kind="spans")


def _known(cells: Sequence[tuple[Any, Any]], documents: Texts) -> dict[str, Any]:
    """What is known of documents, as attributes: a cell for each row."""
    kept: dict[str, Any] = {}
    for name, known in (("text", documents.texts), ("tokens", documents.tokens)):
        if known:
            kept[name] = np.empty(len(cells), dtype=object)
            kept[name][:] = [known.get(document) for document, _ in cells]
    if documents.positions is not None:
        kept["positions"] = np.array([documents.positions] * len(cells), dtype=object)
    return kept


def _rank(unit: Unit) -> tuple[Any, ...]:
    return (
        unit.start,
        unit.end,
        unit.label is not None,
        unit.label or "",
        str((unit.fragments, unit.features)),
    )


def _add_those_who_looked(found: dict[tuple[Any, Any], list[Any]], looked: str | Sequence[Hashable]) -> None:
    if looked == "marked":
        return
    if isinstance(looked, str) and looked != "all":
        raise KindError(f"looked must be {listing(LOOKED)}, or a list of annotators, got {looked!r}")
    everybody = [who for _, who in found] if looked == "all" else list(looked)
    for document in dict.fromkeys(document for document, _ in found):
        for who in dict.fromkeys(everybody):
            found.setdefault((document, who), [])


def _dropped(short: int) -> list[Step]:
    if not short:
        return []
    return [
        Step(
            "set aside", f"{counted(short, 'unit')} without length left out (points='keep' keeps them)", short
        )
    ]


def _in_order(spans: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [value for _, value in sorted(spans)]


def _once(spans: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Units in order, each once."""
    values = _in_order(spans)
    return [value for at, value in enumerate(values) if not at or value != values[at - 1]]


def marked_twice(twice: int, *, once: bool) -> list[Step]:
    """What to say of units that one annotator marked twice."""
    if not twice:
        return []
    said = f"{counted(twice, 'identical unit')} that somebody marked twice"
    return [
        Step("merged", f"{said} left out", twice)
        if once
        else Step("noticed", f"{said} kept: each counts", twice)
    ]


def _assumed(sources: Sequence[Source], how: Gathering, nothing: int) -> list[Step]:
    if how.looked == "all":
        where = f"of {sources[0].name} " if len(sources) == 1 else ""
        return [Step("assumed", f"everybody {where}looked at every document, also who marked nothing in it")]
    if how.looked != "marked":
        return [
            Step("assumed", f"{listing(how.looked)} looked at every document, also who marked nothing in it")
        ]
    step = Step(
        "assumed", "who has no row for a document did not look at it (looked='all' takes the opposite)"
    )
    stated = ", as the file says" if how.stated else ""
    said = Step("taken", f"{counted(nothing, 'time')} somebody looked and marked nothing{stated}", nothing)
    return [step, *([said] if nothing else [])]


def _alike(labels: Iterable[str]) -> list[Step]:
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(" ".join(label.casefold().split()), []).append(label)
    doubles = [same for same in groups.values() if len(same) > 1]
    if not doubles:
        return []
    shown = "; ".join(listing(same, most=3) for same in doubles[:3])
    return [Step("noticed", f"labels that differ only in case or spaces, kept apart: {shown}", len(doubles))]


def _attributes(
    cells: Sequence[tuple[Any, Any]], further: Mapping[Any, Sequence[tuple[Any, ...]]], columns: Sequence[str]
) -> dict[str, Any]:
    """Further columns that say one thing of all units of a document and annotator.

    Who marked nothing has the entry of her other documents where that is one and the same.
    """
    kept = {}
    for at, name in enumerate(columns):
        entries = {cell: {row[at] for row in rows} for cell, rows in further.items()}
        if all(len(entry) == 1 for entry in entries.values()):
            by_annotator: dict[Any, set[Any]] = {}
            for (_, who), entry in entries.items():
                by_annotator.setdefault(who, set()).update(entry)
            usual = {who: next(iter(entry)) if len(entry) == 1 else "" for who, entry in by_annotator.items()}
            column = np.empty(len(cells), dtype=object)
            column[:] = [
                next(iter(entries[cell])) if cell in entries else usual.get(cell[1], "") for cell in cells
            ]
            kept[name] = column
    return kept
