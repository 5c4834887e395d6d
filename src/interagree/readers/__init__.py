"""Files in, studies out: the front of all readers, and the way back."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interagree.errors import DataError, FormatError, listing
from interagree.plugins import READERS

if TYPE_CHECKING:
    from interagree.data.files import Source
    from interagree.data.study import Study

__all__ = ["read", "write"]

ALIASES = {
    "tsv": "csv",
    "feather": "arrow",
    "ipc": "arrow",
    "ndjson": "jsonl",
    "xlsx": "excel",
    "pq": "parquet",
}


def read(path: str | Path | Iterable[str | Path], *, format: str | None = None, **options: Any) -> Study:  # noqa: A002 -- the plain word
    """A study from a file, several files, a folder, a pattern such as ``"round1/*.csv"``, or ``"-"``: standard input.

    Args:
        path: Where the data are.  Several files are put together.
        format: The name of a reader, where the ending of the file does not tell it.
        options: What `Annotations.of` takes, to say which column is what; ``value`` may be a list, which makes a
            study of several questions; ``annotator="{file}"`` takes the annotator from the name of the file.  Readers
            have further options, such as ``delimiter`` for CSV and ``sheet`` for Excel.
    """
    from interagree.data.annotations import concat
    from interagree.data.provenance import Provenance
    from interagree.data.study import Study

    places = _places(path, format)
    studies = [_reader(place, format)(place, **options) for place in places]
    if len(studies) == 1:
        return studies[0]
    duplicates = options.get("duplicates", "error")
    names = dict.fromkeys(name for study in studies for name in study)
    return Study(
        {name: concat([s[name] for s in studies if name in s], duplicates=duplicates) for name in names},
        Provenance().joined(study.provenance for study in studies),
    )


def write(data: Any, path: str | Path, *, format: str | None = None) -> None:  # noqa: A002 -- the plain word
    """Write a study in tidy form: one row for each annotation, with item, annotator, value and what else is known.

    The ending of the path tells the format: CSV, TSV, JSONL, JSON, Parquet, Arrow or Excel, packed or not.  A study
    made from counts is written as a table of counts, to be read back with ``layout="counts"``.
    """
    from interagree.readers._write import write as to_file

    to_file(data, path, format)


def _places(path: str | Path | Iterable[str | Path], format: str | None) -> list[Path | Source]:  # noqa: A002 -- as above
    from interagree.data.files import STDIN, Source

    if not isinstance(path, str | Path):
        found = [place for one in path for place in _places(one, format)]
        if not found:
            raise DataError("there is nothing to read: the list of files is empty")
        return found
    if str(path) == STDIN:
        return [Source.of(STDIN)]
    if any(sign in str(path) for sign in "*?[") and not Path(path).exists():
        matches = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207 -- the pattern may be absolute
        if not matches:
            raise DataError(f"no file matches {str(path)!r}")
        return [place for match in matches for place in _places(match, format)]
    one = Path(path)
    if not one.is_dir() or format is not None or _sniffing(one):
        return [one]
    inside = [file for file in sorted(one.iterdir()) if file.is_file() and _by_suffix(Source.of(file).suffix)]
    if not inside:
        raise FormatError(
            f"{path} is a folder without a file that can be read; the files end in "
            f"{listing(_suffixes(), quote=False, most=40)}"
        )
    return list(inside)


def _suffixes() -> list[str]:
    return sorted({suffix for name in READERS for suffix in READERS[name].facts.suffixes})


def _by_suffix(suffix: str) -> list[str]:
    return [name for name in READERS if suffix and suffix in READERS[name].facts.suffixes]


def _sniffing(path: Path, names: Iterable[str] | None = None) -> list[str]:
    """The readers that recognise a file by what is in it."""
    candidates = READERS if names is None else names
    return [name for name in candidates if (sniff := READERS[name].facts.sniff) is not None and sniff(path)]


def _reader(place: Path | Source, format: str | None) -> Callable[..., Study]:  # noqa: A002 -- as above
    if format is None:
        found = _sniffing(place) if isinstance(place, Path) and place.is_dir() else _fitting(place)
        if len(found) > 1:
            raise FormatError(f"{place} could be {listing(found)}; say which, as in format={found[0]!r}")
        format = found[0]  # noqa: A001 -- as above
    chosen: Callable[..., Study] = READERS[ALIASES.get(format, format)]
    return chosen


def _fitting(place: Path | Source) -> list[str]:
    """The readers of a file: those that recognise it, else those of its ending, else the one its first bytes tell."""
    from interagree.data.files import Source

    source = Source.of(place)
    named = _by_suffix(source.suffix)
    knowing = [] if source.path is None else _sniffing(source.path, named)
    return knowing or [name for name in named if READERS[name].facts.sniff is None] or [_guess(source)]


def _guess(source: Source) -> str:
    if source.suffix and source.suffix not in (".txt", ".data"):
        raise FormatError(
            f"{source.name} ends in {source.suffix!r}, and no reader takes such files; name the format, as in "
            f"format='csv' (known: {listing(READERS, quote=False, most=40)})"
        )
    with source.open() as stream:
        start = stream.read(4096)
    for magic, name in ((b"PAR1", "parquet"), (b"ARROW1", "arrow"), (b"PK\x03\x04", "excel")):
        if start.startswith(magic):
            return name
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    first = text.split(b"\n", 1)[0].rstrip()
    if text.startswith(b"{") and first.endswith(b"}") and b"\n" in text.rstrip():
        return "jsonl"
    return "json" if text.startswith((b"{", b"[")) else "csv"
