"""REFI-QDA projects (.qdpx, .qde), as NVivo, MAXQDA, ATLAS.ti, QualCoder and others exchange them.

**Annotators** are users: the one who made a coding, else the one who made its selection.  Where no coding names a
user, it is the only user of the project; where there are several, nobody knows, and ``annotator=`` must say it:
"{file}" for a project of each coder, or a name.

**Questions.** Coded stretches of texts are the question ``spans``; the label is the code with those above it, as
*Learning > Trust*.  A stretch with several codes is a span for each.  Codes of whole documents are the question
``document codes``, a set.

**Items** are sources by their name (``item="name"``), or by their id (``item="guid"``).

**Positions** count characters of the plain text, with one for each end of a line, and the end of a selection is behind
its last character.  Programs differ in this: where selections say in their names what they cover, what fits is taken,
and ``ends="inclusive"`` says that the last character is included.  Texts of PDF files are read where they are there as
plain text; selections of pictures, of pages, of recordings and of transcripts are not read, and counted.

**Who looked?** A project does not say who read a source and found nothing to code.  Who coded nothing in a source is
taken not to have looked at it; ``looked="all"`` takes the opposite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, Unpack
from xml.etree.ElementTree import Element

from interagree.data.archives import is_archive, unpack, unpacking
from interagree.data.files import Source
from interagree.data.paths import Paths, fill_pattern, pattern_words
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, Hint, ReaderHint, expected, listing
from interagree.gather.gatherer import CHOICES, Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.offsets import in_text, whole
from interagree.gather.units import check_ends_after
from interagree.readers._options import SpanReaderOptions, unit_options
from interagree.readers._xml import local, parse_xml

SUFFIXES = (".qdpx", ".qde")
SPANS, DOCUMENTS = "spans", "document codes"
BELOW = " > "  # between a code and the one above it
NOT_TEXT = {
    "PictureSelection": "selection of a picture",
    "PDFSelection": "selection of a page",
    "AudioSelection": "selection of a recording",
    "VideoSelection": "selection of a video",
    "TranscriptSelection": "selection of a transcript",
}
SOURCES = ("TextSource", "PictureSource", "PDFSource", "AudioSource", "VideoSource")
NOBODY = ""
LEAST = 4  # letters of a name that tell what a selection covers
LONG = 40  # letters from which on a name may be cut off


class Coding(NamedTuple):
    """A code that somebody gave."""

    user: str  # the id of the user; empty where nobody is named
    code: str


class Selection(NamedTuple):
    """A stretch of a text, and its codes."""

    start: int
    end: int
    name: str
    codings: list[Coding]


class CodedSource(NamedTuple):
    """A source of text."""

    guid: str
    name: str
    where: str
    text: str | None
    selections: list[Selection]
    whole: list[Coding]  # codings of the whole of it


@dataclass
class QdaProject:
    """A project."""

    file: Source  # that the user named: the project, or the archive that it is in
    people: dict[str, str]  # names of users by their ids
    codes: dict[str, str]  # the path of each code by its id
    all_sources: int
    sources: list[CodedSource] = field(default_factory=list)
    codings: list[Coding] = field(default_factory=list)  # all of texts
    left_out: Counter[str] = field(default_factory=Counter)


def recognised(path: Path) -> bool:
    """Whether a file is called as a project is; nothing else is called so."""
    return path.is_file() and Source.of(path).suffix in SUFFIXES


@reader("REFI-QDA", suffixes=SUFFIXES, sniff=recognised, together=True)
def refi_qda(
    path: Paths,
    *,
    item: Literal["name", "guid"] = "name",
    annotator: str | None = None,
    ends: Literal["exclusive", "inclusive"] | None = None,
    duplicates: str = "last",
    **options: Unpack[SpanReaderOptions],
) -> Study:
    """The codings of a project, or of several.

    Args:
        path: A file, a folder of files, or a list of them.
        item: What sources are called by: "name" or "guid".
        annotator: Who coded, where codings do not say it: a name, "{file}" or "{folder}".
        ends: Whether the ends of selections are "exclusive" or "inclusive"; by default as their names show.
        duplicates: Not needed, since spans of one person are taken together.
    """
    gathered = Gatherer.of_files("REFI-QDA", path, SUFFIXES, duplicates=duplicates, units=unit_options(options))
    with unpacking():
        projects = [_project(source) for source in gathered.sources]
    if not any(project.codings for project in projects):
        raise _nothing(projects[0])
    people = _people(projects, annotator, gathered)
    places: dict[str, str] = {}  # of sources; spans of one person are one record, whichever project they are from
    for project, who in zip(projects, people, strict=True):
        for noun, times in project.left_out.items():
            gathered.left_out(noun, "not read", times)
        names = Counter(source.name for source in project.sources)
        for source in project.sources:
            told = source.name if names[source.name] == 1 else f"{source.name} ({source.guid})"
            name = source.guid if item == "guid" else told
            _gather(gathered, source, Mark(SPANS, name, "", None, places.setdefault(name, source.where)), who, ends)
    return gathered.study(options["questions"])


def _gather(gathered: Gatherer, source: CodedSource, mark: Mark, who: Mapping[str, str], ends: str | None) -> None:
    """What is coded in a source, and in the whole of it, as marks that are like one."""
    text, selections = _fitted(source, ends, gathered)
    if text is not None and selections:
        gathered.show(mark.item, text, mark.where)
    for selection in selections:
        for user, code in selection.codings:
            span = Span(selection.start, selection.end, code)
            gathered.add(mark._replace(annotator=who[user], value=span))
    for user, code in source.whole:
        gathered.takes_several(DOCUMENTS)
        gathered.add(mark._replace(question=DOCUMENTS, annotator=who[user], value=code), CHOICES)


def _people(projects: Sequence[QdaProject], annotator: str | None, gathered: Gatherer) -> list[dict[str, str]]:
    """What those who coded in each project are called, by their ids."""
    people, alone = [], []
    for project in projects:
        users = dict.fromkeys(coding.user for coding in project.codings)
        if annotator is not None:
            name = fill_pattern(annotator, pattern_words(project.file), option="annotator")
            people.append(dict.fromkeys(users, name))
            continue
        if NOBODY in users and (len(users) > 1 or len(project.people) != 1):
            raise _unsaid(project)
        only = next(iter(project.people.values()), "")
        alone += [only] if NOBODY in users else []
        people.append({user: project.people.get(user, user) if user else only for user in users})
    if annotator is not None:
        gathered.note("taken", f"annotators by {annotator}")
    if alone:
        names = listing(alone, most=4)
        gathered.note("assumed", f"codings without a user taken as those of the only user of the project, {names}")
    return people


def _unsaid(project: QdaProject) -> FormatError:
    """The error where codings do not say who made them, and it could be several people."""
    nobody = sum(coding.user == NOBODY for coding in project.codings)
    by_file, by_name = Hint("annotator", "{file}"), Hint("annotator", next(iter(project.people.values()), "ann"))
    users = listing(project.people.values(), most=5) or "nobody"
    return FormatError(
        f"{project.file.name}: {nobody:,} of {counted(len(project.codings), 'coding')} do not say who made them, and "
        f"the users of the project are {users}; export a project of each coder and pass {by_file}, or, if one person "
        f"made all of them, {by_name}",
        hints=[by_file, by_name],
    )


def _nothing(project: QdaProject) -> FormatError:
    """The error for a project without codings of texts."""
    left = "; ".join(f"{counted(times, noun)} not read" for noun, times in project.left_out.items() if times)
    return FormatError(
        f"{project.file.name}: the project has no coding of a text to read; it has "
        f"{counted(len(project.people), 'user')}, {counted(len(project.codes), 'code')} and "
        f"{counted(project.all_sources, 'source')}{f' ({left})' if left else ''}. "
        "Export the whole project, with its codings"
    )


# -- the project ---------------------------------------------------------------------------------------------


def _project(file: Source) -> QdaProject:
    """What a project says, in a file or in the archive that a file is."""
    source, folder = file, None if file.path is None else file.path.parent
    if is_archive(file):
        inside = sorted(unpack(file).rglob("*.qde"))
        if len(inside) != 1:
            raise FormatError(
                f"{file.name}: expected one project (.qde) in the archive, found {counted(len(inside), 'project')}"
            )
        source, folder = Source.of(inside[0]), inside[0].parent
    root = parse_xml(source, root="Project", tool="a REFI-QDA project")
    people = {}
    for user in root.iterfind(".//{*}User"):
        guid = user.get("guid", "")
        people[guid] = user.get("name") or user.get("id") or guid
    elements = [element for element in root.iter() if local(element) in SOURCES]
    project = QdaProject(file, people, dict(_codes(root, source)), len(elements))
    for element in elements:
        _add_source(project, element, source, folder)
    return project


def _codes(root: Element, source: Source) -> Iterator[tuple[str, str]]:
    """The path of each code, by its id."""
    waiting = [(code, "") for code in root.iterfind(".//{*}Codes/{*}Code")]
    while waiting:
        code, above = waiting.pop()
        guid, name = code.get("guid"), code.get("name")
        if guid is None or name is None:
            raise expected(source.name, "codes with 'guid' and 'name'", code.attrib)
        path = f"{above}{BELOW}{name}" if above else name
        yield guid, path
        waiting += [(child, path) for child in code.iterfind("{*}Code")]


def _add_source(project: QdaProject, element: Element, source: Source, folder: Path | None) -> None:
    """Keep what is coded in a source: in its text, or in the first text that stands for its pages."""
    name = element.get("name") or Path(_inner(element.get("plainTextPath") or element.get("guid") or "")).stem
    where = f"{project.file.name}, the source {name!r}"
    for inner in element.iter():
        if local(inner) in NOT_TEXT:
            project.left_out[NOT_TEXT[local(inner)]] += 1
    texts = [element] if local(element) == "TextSource" else element.findall(".//{*}Representation")
    coded = [text for text in texts if text.find("{*}PlainTextSelection") is not None]
    project.left_out["further text of a source"] += len(coded[1:])
    text, selections = None, []
    if coded:
        text = _text(coded[0], folder)
        for selection in coded[0].iterfind("{*}PlainTextSelection"):
            start, end = (whole(selection.get(side), where, f"'{side}'") for side in ("startPosition", "endPosition"))
            check_ends_after(where, start, end)
            codings = _codings(selection, project, source, selection.get("creatingUser"))
            selections.append(Selection(start, end, selection.get("name", ""), codings))
    of_whole = _codings(element, project, source)
    if selections or of_whole:
        guid = element.get("guid", name)
        project.sources.append(CodedSource(guid, name, where, text, selections, of_whole))


def _codings(element: Element, project: QdaProject, source: Source, user: str | None = None) -> list[Coding]:
    """The codings of a source or a selection, of the users that they name or else of one."""
    made = []
    for coding in element.iterfind("{*}Coding"):
        for reference in coding.iterfind("{*}CodeRef"):
            target = reference.get("targetGUID", "")
            if target not in project.codes:
                raise FormatError(
                    f"{source.name}: a coding names the code {target!r:.60}, which the codebook does not have"
                )
            made.append(Coding(coding.get("creatingUser") or user or NOBODY, project.codes[target]))
    project.codings += made
    return made


def _text(element: Element, folder: Path | None) -> str | None:
    """The text of a source: in the XML, or in a file in the folder or below; None where it is in neither."""
    inline, path = element.findtext("{*}PlainTextContent"), element.get("plainTextPath")
    if inline is not None or path is None or folder is None:
        return inline
    for place in (folder / "sources", folder / "Sources", folder):
        file = place / _inner(path)
        with suppress(OSError, ValueError):  # a name that no file can have
            if file.is_file() and file.resolve().is_relative_to(folder.resolve()):
                return Source.of(file).decoded()[0].removeprefix("\ufeff")
    return None


def _inner(path: str) -> str:
    """The name of a file in a project."""
    return path.partition("://")[2] or path


# -- positions -----------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """How positions are counted: whether ends include their character, and line ends are two."""

    inclusive: bool
    two: bool


def _fitted(source: CodedSource, ends: str | None, gathered: Gatherer) -> tuple[str | None, list[Selection]]:
    """The text of a source with one character for each line end, and its selections in characters of it.

    Args:
        source: The source.
        ends: Whether ends are "exclusive" or "inclusive", where the caller says it.
        gathered: What is told what was taken.
    """
    raw, selections = source.text, source.selections
    if raw is None or not raw.strip():
        if selections:
            gathered.note("noticed", f"the text of {source.name!r} is not in the project: positions not checked")
        return None, [selection._replace(end=selection.end + (ends == "inclusive")) for selection in selections]
    inclusive = {"exclusive": (False,), "inclusive": (True,)}.get(ends or "", (False, True))
    ways = [Way(last, two) for two in ((False, True) if "\r\n" in raw else (False,)) for last in inclusive]
    plain = raw.replace("\r\n", "\n").replace("\r", "\n")
    fits = {way: _fits(raw if way.two else plain, selections, way) for way in ways}
    best = max(ways, key=lambda way: fits[way])  # of equals the first: as the standard has it
    shown = f", as {counted(fits[best], 'name')} of selections of {source.name!r} show"
    if best.inclusive and ends is None:
        gathered.note("taken", f"ends of selections include their last character{shown}")
    if best.two:
        gathered.note("taken", f"positions count line ends as two characters{shown}")
    if selections and not fits[best] and ends is None:
        opposite = ReaderHint("ends", "inclusive")
        sentence = "ends of selections taken to be behind their last character, which nothing shows ("
        gathered.note("assumed", Advice.of(sentence, opposite, " takes the opposite)"))
    if selections and not fits[best] and "\r\n" in raw:
        gathered.note("assumed", "positions taken to count line ends as one character, which nothing shows")
    text = raw if best.two else plain
    return plain, [_moved(selection, text, best, source.where) for selection in selections]


def _fits(text: str, selections: Sequence[Selection], way: Way) -> int:
    """How many selections cover what their names begin with."""
    fitting = 0
    for selection in selections:
        name = _squeezed(selection.name.rstrip("….").strip())
        covered = _squeezed(text[selection.start : selection.end + way.inclusive])
        cut = selection.name.endswith(("…", "...")) or len(name) >= LONG
        fitting += len(name) >= LEAST and (covered == name or (cut and covered.startswith(name)))
    return fitting


def _squeezed(text: str) -> str:
    """A text with single blanks, as names of selections have it."""
    return " ".join(text.split())


def _moved(selection: Selection, text: str, way: Way, where: str) -> Selection:
    start, end = in_text(text, selection.start, selection.end + way.inclusive, where)
    if way.two:
        start, end = start - text.count("\r\n", 0, start), end - text.count("\r\n", 0, end)
    return selection._replace(start=start, end=end)
