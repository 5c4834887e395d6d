"""Files in, studies out: the front of all readers, and the way back."""

from __future__ import annotations

import glob
import os
import re
import tempfile
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, Unpack

from interagree._names import ENDINGS
from interagree.data import IntoAnnotations, ReadingOptions
from interagree.data.archives import is_archive, unpack, unpacking
from interagree.data.codebook import Codebook
from interagree.data.files import HEAD, STDIN, Source, shown_path, unreadable
from interagree.data.joining import concat
from interagree.data.naming import with_annotators, with_merged
from interagree.data.paths import unread_files
from interagree.data.provenance import Provenance, Step
from interagree.data.study import Study
from interagree.data.values import TOO_DEEP
from interagree.declare import takes_data
from interagree.declare.readers import ReaderFacts
from interagree.errors import Advice, DataError, FormatError, Hint, listing
from interagree.errors.options import checks_options
from interagree.plugins import READERS
from interagree.reading import codebook as codebooks
from interagree.reading import scales
from interagree.reading.choices import IntoCodebook
from interagree.reading.evidence import sample
from interagree.reading.several import TablePart, together

__all__ = ["read", "write"]

ALIASES = {"tsv": "csv", "ndjson": "jsonl", "pq": "parquet"}
ALIASES |= dict.fromkeys(("feather", "ipc"), "arrow") | dict.fromkeys(("xlsx", "xls", "ods"), "excel")
MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"PK\x03\x04": "excel", b"\xd0\xcf\x11\xe0": "excel"}  # first bytes
MAGIC |= dict.fromkeys((b"$FL2", b"$FL3", b"<stata_dta>", b"HEADER RECORD*******L"), "statistics")
MAGIC |= {
    b"SQLite format 3\0": "sql",
    b"\xff\xff\xff\xff": "arrow",
    b'File type = "ooTextFile': "textgrid",
    b"SPEAKER ": "rttm",
}
LONGEST = 1 << 23  # bytes of a first line
ARCHIVES = (".zip", ".tar", ".tgz")
ABOUT_ARROW = ("dataset_info.json", "state.json")  # what Hugging Face's datasets write beside files of Arrow
SAYING_NOTHING = ("", ".txt", ".data")  # endings of files of any format
Place: TypeAlias = Path | Source | str  # a text is an address
IntoPlaces: TypeAlias = str | Path | Iterable[str | Path]
Reader: TypeAlias = str  # its name among READERS


@checks_options
def read(
    path: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,  # noqa: A002 -- the plain word
    only: Hashable | Iterable[Hashable] | None = None,
    without: Hashable | Iterable[Hashable] | None = None,
    merge_labels: Sequence[object] = (),
    pseudonyms: bool = False,
    no_text: bool = False,
    levels: str | Mapping[str, str] | None = None,
    codebook: IntoCodebook | None = None,
    **options: object,
) -> Study:
    r"""A study from a file, several files, a folder, a pattern such as ``"round1/*.csv"``, a pipe, or a database.

    Args:
        path: Where the data are; ``"-"`` is standard input, ``"sqlite:///path"`` and ``"postgresql://user@host/name"``
            are databases, which are read by ``query=``, and ``"label-studio://host/7"`` is a project on a running Label
            Studio server, whose token is in the environment, as LABEL_STUDIO_API_KEY.  Several files are combined;
            those of a format that says itself who did what (Label Studio, Prodigy, brat, CoNLL) are read as one, so
            that all of them know all questions.
        format: The name of a reader, where the ending of the file does not tell it.
        only: Annotators to keep, by name or by a pattern such as ``"expert_*"``: one or several.
        without: Annotators to leave out, likewise.
        merge_labels: Labels to take as one, as in ``[("rude", "spam")]`` or ``["rude,spam"]``; the first is its name.
        pseudonyms: Whether annotators are to be called A1, A2, …, so that no name of theirs reaches a result.
        no_text: Whether what was annotated is to be masked, so that no text reaches a result.
        levels: The level on which answers are measured, as in ``{"tone": "ordinal", "length": "ratio"}``; one word says
            it of all questions.  See `Annotations.of`.
        codebook: What is known of the questions, as a path, a frame or a dict; by default a sheet of the workbook or a
            file beside the data that is one.  With ``False`` none is looked for beside the data.
        options: What `Annotations.of` takes, to say which column is what; ``value`` may be a list, which makes a
            study of several questions; ``annotator="{file}"`` takes the annotator from the name of the file.  Readers
            have further options, such as ``delimiter`` for CSV and ``sheet`` for Excel.

    Returns:
        The questions by name, each as `Annotations`; a measure takes a study of one question as it is.

    Examples:
        >>> import tempfile
        >>> import interagree as ia
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "labels.csv")
        ...     _ = path.write_text("item,annotator,label\n1,ann,yes\n1,bo,no\n2,ann,no\n2,bo,no\n")
        ...     ia.read(path).single()
        <Annotations: 4 annotations, 2 items, 2 annotators, 2 values>
    """
    try:
        with unpacking():
            study, book = _with_codebook(path, format, options, codebook)
            study = with_annotators(study, only, without)
            study = with_merged(study, merge_labels) if merge_labels else study
            study = codebooks.with_codebook(study, book, levels)
    except RecursionError:  # lists and objects that Python could just read, and could not walk through
        raise FormatError(f"{path} holds {TOO_DEEP}") from None
    except DataError as error:
        if not (pseudonyms or no_text):
            raise
        from interagree.data.privacy import veiled

        raise veiled(error) from None
    study = study.pseudonymous() if pseudonyms else study
    return study.without_text() if no_text else study


def _read(path: IntoPlaces, form: str | None, options: Mapping[str, Any]) -> Study:
    parts = _parts(path, form)
    unread = [] if form is None else [step for name, part in parts for step in _looks_otherwise(name, part)]
    unread += _unread(path, [place for _, part in parts for place in (part if isinstance(part, list) else [part])])
    if len(parts) > 1 and all(READERS[name].facts.tabular for name, _ in parts):
        return _of_tables(path, parts, options).with_steps(*unread)
    studies = [_of_one(name, part, options) for name, part in parts]
    if len(studies) == 1:
        return studies[0].with_steps(*unread)
    duplicates = options.get("duplicates", "error")
    names = dict.fromkeys(name for study in studies for name in study)
    return Study(
        {name: concat([s[name] for s in studies if name in s], duplicates=duplicates) for name in names},
        Provenance().joined(study.provenance for study in studies).then(*unread),
    )


def _of_tables(
    path: IntoPlaces, parts: Sequence[tuple[Reader, Place | list[Place]]], options: Mapping[str, Any]
) -> Study:
    """The study of several tables, whose columns are recognised beside each other, and of a codebook among them."""
    tables: list[TablePart] = []
    for name, part in parts:
        READERS[name](part, collect=tables, **options)
    source = str(path) if isinstance(path, str | Path) else [str(part) for part in path]
    called = [f"{place} {part.name}" for place, part in enumerate(tables)]
    answers, book = codebooks.apart(dict(zip(called, (part.table for part in tables), strict=True)))
    if book is None:
        return together(tables, source=source)
    places = [place for place, name in enumerate(called) if name in answers]
    if len(places) == 1 and len(tables) == len(parts):
        name, part = parts[places[0]]
        study = READERS[name](part, **options)
    else:
        study = together([tables[place] for place in places], source=source)
    return book.applied(study, strict=False)


def columns_of(path: str | Path) -> dict[Hashable, list[object]]:
    """The cells of a table in a file by the names of its columns; nothing where it holds no single table."""
    tables: list[TablePart] = []
    for name, part in _parts(path, None):
        if READERS[name].facts.tabular:
            READERS[name](part, collect=tables)
    if len(tables) != 1:
        return {}
    table = tables[0].table
    return {name: sample(column, None) for name, column in table.fetch(table.names).items()}


def _with_codebook(
    path: IntoPlaces, form: str | None, options: Mapping[str, Any], given: IntoCodebook | None
) -> tuple[Study, Codebook | None]:
    """A study and the codebook that the caller gave, read with all questions that a codebook tells about.

    One that lies beside the file is taken unless the caller gave one, or wants none.
    """
    study = _read(path, form, options)
    found = study.codebook
    if given is None and found is None and isinstance(path, str | Path):
        found = codebooks.beside(path, study)
    book = codebooks.codebook(given, study) if given is not None and given is not False else None
    told = book or found
    further = {} if told is None or given is False else codebooks.further_questions(study, told)
    if further and "value" not in options:
        with suppress(DataError):
            study = _read(path, form, {**options, **further})
    if found is not None and given is None and study.codebook is None:
        study = found.applied(study, strict=False)
    return study, book


def _looks_otherwise(name: Reader, part: Place | list[Place]) -> list[Step]:
    """What to say about the export of a tool that the caller wants to be read as any other table."""
    if not isinstance(part, Path) or not part.is_file() or not READERS[name].facts.tabular:
        return []
    tools = [tool for tool in _sniffing(part, _by_suffix(Source.of(part).suffix)) if not READERS[tool].facts.tabular]
    if not tools:
        return []
    export = f"{part.name} looks like an export of {READERS[tools[0]].facts.title}"
    sentence = f"{export}, which says more than a plain table; to read it as such, pass "
    return [Step("noticed", Advice.of(sentence, Hint("format", tools[0])))]


def _of_one(name: Reader, part: Place | list[Place], options: Mapping[str, Any]) -> Study:
    """What one reader reads; what the caller says of values is for tables, and said afterwards where a tool is read."""
    read_part = READERS[name]
    own, said = (options, {}) if read_part.facts.tabular else scales.apart(options)
    study: Study = read_part(part, **own)
    return scales.with_scale(study, said) if said else study


def _unread(path: IntoPlaces, places: Sequence[Place]) -> list[Step]:
    """What lies in a folder beside the files that are read; one that is read as a whole says so itself."""
    if not isinstance(path, str | Path) or not Path(path).is_dir() or Path(path) in places:
        return []
    return unread_files(path, [Source.of(place) for place in places], deep=False)


@takes_data
def write(
    data: IntoAnnotations,
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 -- the plain word
    **reading: Unpack[ReadingOptions],
) -> None:
    """Write a study in tidy form: one row for each annotation, with item, annotator, value and what else is known.

    The ending of the path tells the format: CSV, TSV, JSONL, JSON, Parquet, Arrow or Excel, packed or not.  A study
    made from counts is written as a table of counts, to be read back with ``layout="counts"``.

    Args:
        data: A study, or anything `Annotations.of` takes.
        path: Where to write.
        format: The format, where the ending of the path does not tell it.

    Examples:
        >>> import tempfile
        >>> import interagree as ia
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ia.write({"ann": ["yes", "no"], "bo": ["yes", "yes"]}, Path(folder, "labels.csv"))
        ...     print(Path(folder, "labels.csv").read_text().splitlines()[:2])
        ['item,annotator,value', '0,ann,yes']
    """
    from interagree.readers._write import write as to_file

    to_file(data, path, format)


# -- what there is to read, and by which readers --------------------------------------------------------------


def _parts(path: IntoPlaces, form: str | None) -> list[tuple[Reader, Place | list[Place]]]:
    """The readers with what each is to read: one place, or several at once where it takes them together."""
    parts: list[tuple[Reader, list[Place]]] = []
    open_: dict[Reader, list[Place]] = {}
    for place in _places(path, form):
        name = _reader(place, form)
        if name in open_:
            open_[name].append(place)
            continue
        parts.append((name, [place]))
        if READERS[name].facts.together:
            open_[name] = parts[-1][1]
    return [(name, places[0] if len(places) == 1 else places) for name, places in parts]


def reader_of(path: IntoPlaces, format: str | None = None) -> ReaderFacts:  # noqa: A002 -- as above
    """What is declared of the reader that takes a file, or the first of several."""
    facts: ReaderFacts = READERS[_reader(_places(path, format)[0], format)].facts
    return facts


def _places(path: IntoPlaces, form: str | None) -> list[Place]:
    if not isinstance(path, str | Path):
        places = [place for part in path for place in _places(part, form)]
        if not places:
            raise DataError("there is nothing to read: the list of files is empty")
        return places
    if str(path) == STDIN:
        source = Source.of(STDIN)
        return _in_archive(source, form) if is_archive(source) else [source]
    there = os.path.exists(path)  # noqa: PTH110 -- whatever the name is
    if isinstance(path, str) and "://" in path and not there:
        return [_address(path)]
    if any(sign in str(path) for sign in "*?[") and not there:
        matches = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207 -- the pattern may be absolute
        if not matches:
            raise DataError(f"no file matches {str(path)!r}")
        return [place for match in matches for place in _places(match, form)]
    if os.path.isdir(path):  # noqa: PTH112 -- whatever the name is
        return _in_folder(Path(path), form)
    source = Source.of(Path(path))
    if is_archive(source):  # which may be a file of its own to some reader
        names = [name for name in _by_suffix(source.suffix) if form in {None, name}]
        if source.path is None or not _sniffing(source.path, names):
            return _in_archive(source, form)
    return [source if source.path is None else source.path]


def _in_folder(folder: Path, form: str | None) -> list[Place]:
    with unreadable(shown_path(folder)):
        if form is not None:
            return [folder]
        places = _found(_innermost(folder))
    if not places:
        raise FormatError(f"{shown_path(folder)} is a folder without a file that can be read{_why(folder)}")
    return places


def _innermost(folder: Path) -> Path:
    """A folder, or the one in it where it holds nothing else, and so on."""
    while len(inside := list(folder.iterdir())) == 1 and inside[0].is_dir():
        folder = inside[0]
    return folder


def _in_archive(source: Source, form: str | None) -> list[Place]:
    folder = _innermost(unpack(source))
    files = list(folder.iterdir())
    return [files[0]] if form is not None and len(files) == 1 else _in_folder(folder, form)


def _found(folder: Path) -> list[Place]:
    """What is to be read of a folder: it as a whole, its files, or, where it has none, those of the folders in it."""
    if _of_folder(folder):
        return [folder]
    if files := _readable(folder):
        return [place for file in files for place in _places(file, None)]
    inside = [file for file in sorted(folder.iterdir()) if not file.name.startswith((".", "__"))]
    return [place for file in inside if file.is_dir() for place in _found(file)]


def _readable(folder: Path) -> list[Path]:
    """The files of a folder that end as those of some reader, and archives."""
    files = [file for file in sorted(folder.iterdir()) if file.is_file()]
    if any(file.suffix == ".arrow" for file in files):
        files = [file for file in files if file.name not in ABOUT_ARROW]
    return [file for file in files if file.suffix.lower() in ARCHIVES or _by_suffix(Source.of(file).suffix)]


def _of_folder(folder: Path) -> list[Reader]:
    """The readers of a folder as a whole: those that recognise it, else the one that takes all its files together."""
    if known := _sniffing(folder):
        return known
    only: list[Reader] = []
    for file in _readable(folder):
        fitting = _fitting(file) if file.suffix.lower() not in ARCHIVES else []
        if len(fitting) != 1 or not READERS[fitting[0]].facts.together or only not in ([], fitting):
            return []
        only = fitting
    return only


def _why(folder: Path) -> str:
    """What to do about a folder that no reader takes, by what is in it."""
    from interagree.readers._looks import refuse_fasttext
    from interagree.readers._peek import beginning

    files = [Source.of(file) for file in sorted(folder.rglob("*")) if file.is_file()]
    texts = [file for file in files if file.suffix == ".txt"]
    for file in texts:
        if file.path is not None:
            refuse_fasttext(file.name, beginning(file.path))
    known = sorted({suffix for name in READERS for suffix in READERS[name].facts.suffixes})
    hint = f"; files that can be end in {listing(known, quote=False, most=60)}"
    if texts:
        return Advice.of(f"{hint}. Files of tokens and tags that end in .txt are read with ", Hint("format", "conll"))
    return hint


def _address(text: str) -> str:
    """An address that some reader takes."""
    if _by_scheme(text):
        return text
    known = [f"{scheme}://" for name in READERS for scheme in READERS[name].facts.schemes]
    raise FormatError(
        f"{text.partition('://')[0]}:// is not what an address to read begins with; known are "
        f"{listing(known, quote=False)}. Download a file from elsewhere first"
    )


def _by_scheme(address: str) -> list[Reader]:
    """The readers of an address; none of what is a path."""
    scheme, sign, _ = address.partition("://")
    return [name for name in READERS if scheme.lower() in READERS[name].facts.schemes] if sign else []


def _by_suffix(suffix: str) -> list[Reader]:
    """The readers of files that end so; of those that are built in, none is imported."""
    return [name for name in READERS if suffix and suffix in (ENDINGS.get(name) or READERS[name].facts.suffixes)]


def _sniffing(path: Path, names: Iterable[Reader] = READERS) -> list[Reader]:
    """The readers that recognise a file by what is in it."""
    return [name for name in names if (sniff := READERS[name].facts.sniff) is not None and _sniffs(sniff, path)]


def _sniffs(sniff: Callable[[Path], bool], path: Path) -> bool:
    """Whether a reader knows a file for its own; one that fails over it does not, and reading it says what is wrong."""
    try:
        return sniff(path)
    except Exception:  # noqa: BLE001 -- readers of others, too
        return False


def _reader(place: Place, form: str | None) -> Reader:
    if isinstance(place, str):
        form = _by_scheme(place)[0]
    if form is not None:
        return ALIASES.get(form, form)
    fitting = _of_folder(place) if isinstance(place, Path) and place.is_dir() else _fitting(place)
    if len(fitting) > 1:
        first = Hint("format", fitting[0])
        raise FormatError(f"{place} could be {listing(fitting)}; say which, as in {first}", hints=[first])
    return fitting[0]


def _fitting(place: Place) -> list[Reader]:
    """The readers of a file: those that recognise it, else those of its ending, else the one its first bytes tell."""
    source = Source.of(place)
    if source.path is None:
        return _fitting_piped(source)
    named = _by_suffix(source.suffix)
    knowing = _sniffing(source.path, named or (_together() if source.suffix in SAYING_NOTHING else []))
    return knowing or [name for name in named if READERS[name].facts.sniff is None] or [_guess(source)]


def _together() -> list[Reader]:
    return [name for name in READERS if READERS[name].facts.together]


def _fitting_piped(source: Source) -> list[Reader]:
    """The readers of what came through a pipe: those that recognise it under the ending of its likely format."""
    likely = _guess(source)
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (READERS[likely].facts.suffixes[0], ".txt"):
            path = Path(folder, f"piped{suffix}")
            path.write_bytes(source.content or b"")
            if knowing := _sniffing(path, _by_suffix(suffix) or _together()):
                return knowing
    return [likely]


def _guess(source: Source) -> Reader:
    from interagree.readers._looks import refuse_fasttext, unknown_suffix

    if source.suffix == ".zip":
        raise FormatError(f"{source.name} is an archive of files; unpack it first, and read the files that come out")
    if source.suffix not in SAYING_NOTHING:
        raise unknown_suffix(source)
    with source.open() as stream:
        start = stream.read(HEAD)
        if start.lstrip()[:1] == b"{":  # the first line, and whether there is a second one
            start += stream.readline(LONGEST) + stream.read(1)
    for magic, name in MAGIC.items():
        if start.startswith(magic):
            return name
    refuse_fasttext(source.name, start)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    first = re.split(rb"[\r\n]", text, maxsplit=1)[0].rstrip()
    if text.startswith(b"<") and b"<ANNOTATION_DOCUMENT" in text:
        return "elan"
    if text.startswith(b"{") and first.endswith(b"}") and len(first) < len(text.rstrip()):
        return "jsonl"
    return "json" if text.startswith((b"{", b"[")) else "csv"
