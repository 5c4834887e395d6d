"""brat standoff: a folder for each annotator, in it an .ann file beside the .txt file of each document.

    round1/ann/letter.txt    round1/ann/letter.ann
    round1/bo/letter.txt     round1/bo/letter.ann

The study has the question ``spans``, and ``relations`` and ``coreference`` where somebody marked any:

- ``T`` lines are spans, in several pieces if need be; ``A`` and ``M`` lines are their features, True where an attribute
  has no value, and so are ``N`` lines, by the name of the resource.
- ``R`` lines are relations ``[head, tail, type]``.  An ``E`` line is an event: its trigger is a span, and each of its
  arguments a relation from the trigger, called ``Type:Role``.
- ``*`` lines of the type Equiv are clusters of spans that mean the same.
- ``#`` lines are notes, and are counted.

**Offsets are checked** against the text that each line says it covers.  brat counts the characters of the file as it
is; files that came over another system have lost or gained a byte order mark or carriage returns, and other tools
count UTF-16 units.  What fits is taken, span by span where a file mixes ways of counting; positions are those in the
text without mark and carriage returns.

**Who looked?** brat wants an .ann file for every document, so an empty one cannot tell who found nothing from who never
opened it.  It counts as looked at (``empty="looked"``) unless ``empty="unseen"``.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.paths import (
    OnePath,
    Paths,
    as_list,
    fill_pattern,
    pattern_words,
    source_names,
    unread_files,
)
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.offsets import UTF16, Fit, fit, settled, utf16_to_points, ways_told
from interagree.documents.units import DocumentTexts, Unit, UnitOptions, annotations_of_units, check_options
from interagree.errors import DataError, DuplicateAnnotation, FormatError, Hint, KindError, listing

EMPTY = ("looked", "unseen")
# What may lie in a folder of brat and says nothing of who marked what.
ASIDE = (".conf", ".stats_cache", ".txt", ".md")
LOOKED_AT = 200  # files of a folder that are looked at to recognise it
BLANKS = str.maketrans("\n\r\t", "   ")  # what brat writes as a space in covered text
FORMS = {
    "T": "'T1<tab>Label start end<tab>text'",
    "R": "'R1<tab>Type Arg1:T1 Arg2:T2'",
    "E": "'E1<tab>Type:T1 Role:T2 …'",
    "A": "'A1<tab>Name T1' or 'A1<tab>Name T1 value'",
    "M": "'M1<tab>Name T1'",
    "N": "'N1<tab>Reference T1 resource:id<tab>text'",
    "*": "'*<tab>Equiv T1 T2 …'",
}


def recognised(path: Path) -> bool:
    """Whether a file ends in .ann, or a folder holds such files, itself or in its folders.

    Where no text lies beside one of them, the folder itself must hold nothing else that somebody may want to read.
    """
    if not path.is_dir():
        return path.suffix.lower() == ".ann"
    found = chain.from_iterable(path.glob(depth) for depth in ("*.ann", "*/*.ann", "*/*/*.ann"))
    some = list(islice(found, LOOKED_AT))
    if any(file.with_suffix(".txt").exists() for file in some):
        return True
    here = (file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    return bool(some) and all(file.suffix in (".ann", *ASIDE) for file in here)


@reader("brat standoff", suffixes=(".ann",), sniff=recognised, together=True)
def brat(
    path: Paths,
    *,
    annotator: str | None = None,
    item: str | None = None,
    empty: str = "looked",
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    encoding: str = "utf-8",
    **options: Any,
) -> Study:
    """Standoff annotations of a folder of folders, of one folder, of one file, or of several.

    Args:
        path: A folder with a folder for each annotator, the folder of one annotator, an .ann file, or a list of these.
        annotator: Who annotated, where it is one person; or a pattern of "{file}" and "{folder}".
        item: A pattern for the name of the document; else the path of the file inside the annotator's folder.
        empty: Whether an empty .ann file was "looked" at, with nothing to mark, or is "unseen".
        looked: "marked", "all", or the annotators who looked at every document.
        points: "drop" or "keep" spans without length.
        encoding: How the files are written.
        options: None; an unknown one is named.
    """
    check_options("brat", options, ("annotator", "item", "empty", "encoding"))
    if empty not in EMPTY:
        raise KindError(f"empty must be {listing(EMPTY)}, got {empty!r}")
    told = _Told()
    files = [file for one in as_list(path) for file in _files(one, annotator, item)]
    _only_once(files)
    read = [one for file in files if (one := _read(file, empty, encoding, told)) is not None]
    if not read:
        names = listing(source_names(path), quote=False, most=4)
        unseen = Hint("empty", "unseen")
        raise FormatError(
            f"{names}: every .ann file is empty, and {unseen} leaves them all out", hints=[unseen]
        )
    texts = _texts(read)
    raw = {one.document: one.raw for one in read if one.raw is not None}
    for one in read:
        beside = raw.get(one.document) if one.raw is None else one.raw
        if beside is not None:
            one.spans = _fitted(one, beside, told)
        _resolve(one, told)
    units = [unit for one in read for unit in _units(one)]
    bare = sum(one.document not in texts for one in read)
    if bare:
        told.steps.append(
            Step("noticed", f"{counted(bare, '.ann file')} without a .txt: offsets not checked", bare)
        )
    sources = [file.source for file in files]
    told.steps += unread_files(path, sources, deep=True, beside=_beside(path, sources))
    spans = annotations_of_units(
        sources,
        units,
        UnitOptions(looked, points, once=True, stated=False),
        steps=told.said(),
        documents=DocumentTexts(texts, {}, "characters"),
    )
    spans = replace(spans, provenance=replace(spans.provenance, sources=source_names(path)))
    questions = {"spans": spans}
    for name, kind in (("relations", "relations"), ("coreference", "clusters")):
        found = {(one.document, one.annotator): getattr(one, name) for one in read}
        if any(found.values()):
            questions[name] = _question(found, kind, spans)
    return Study(questions, spans.provenance)


def _question(found: Mapping[tuple[str, str], Sequence[Any]], kind: str, spans: Annotations) -> Annotations:
    """A further question, for all who looked."""
    cells = [(document, who) for document, who, _ in spans.rows()]
    text = (
        dict(zip(cells, spans.attributes["text"].tolist(), strict=True)) if "text" in spans.attributes else {}
    )
    column = np.empty(len(cells), dtype=object)
    column[:] = [text.get(cell) for cell in cells]
    made = Annotations.from_columns(
        [document for document, _ in cells],
        [who for _, who in cells],
        [sorted(found.get((str(document), str(who)), ()), key=repr) for document, who in cells],
        attributes={"text": column} if text else {},
        provenance=Provenance(spans.provenance.sources, spans.provenance.steps),
    )
    return replace(made, of_kind=kind)


# -- which files --------------------------------------------------------------------------------------------


class _File(NamedTuple):
    source: Source
    annotator: str
    document: str


def _only_once(files: Sequence[_File]) -> None:
    """An error for a document that an annotator has twice."""
    first: dict[tuple[str, str], _File] = {}
    for file in files:
        other = first.setdefault((file.annotator, file.document), file)
        if other is not file:
            whose, what = Hint("annotator", "{folder}"), Hint("item", "{file}")
            raise DuplicateAnnotation(
                f"{file.annotator!r} has document {file.document!r} twice, in {other.source.name} and in "
                f"{file.source.name}; say whose each file is by a pattern such as {whose}, and of what by one such "
                f"as {what}",
                hints=[whose, what],
            )


def _beside(path: Paths, sources: Iterable[Source]) -> set[Path]:
    """The texts of .ann files, and the settings of brat."""
    texts = {one.path.with_suffix(".txt") for one in sources if one.path is not None}
    roots = [Path(one) for one in as_list(path) if not isinstance(one, Source) and Path(one).is_dir()]
    settings = {file for root in roots for end in (".conf", ".stats_cache") for file in root.rglob(f"*{end}")}
    return texts | settings


def _files(path: OnePath, annotator: str | None, item: str | None) -> list[_File]:
    """All .ann files, with whose they are and of which document."""
    if isinstance(path, Source) or not Path(path).is_dir():
        source = Source.of(path)
        found = [(source, pattern_words(source)["folder"], source.stem)]
    else:
        found = list(_inside(Path(path), alone=annotator is not None and "{" not in annotator))
    if not found:
        raise FormatError(
            f"{path} is a folder without .ann files; expected a folder for each annotator, with an .ann file beside "
            "the .txt file of each document"
        )
    return [
        _File(
            source,
            folder
            if annotator is None
            else fill_pattern(annotator, pattern_words(source), option="annotator"),
            document if item is None else fill_pattern(item, pattern_words(source), option="item"),
        )
        for source, folder, document in found
    ]


def _inside(root: Path, *, alone: bool) -> Iterator[tuple[Source, str, str]]:
    """The .ann files of a folder: of one annotator if some lie in it itself, else of one for each of its folders."""
    one = alone or any(file.suffix == ".ann" for file in root.iterdir())
    for file in sorted(root.rglob("*.ann")):
        inner = file.relative_to(root).with_suffix("").parts
        folder = root.resolve().name if one else inner[0]
        yield Source.of(file), folder, "/".join(inner if one else inner[1:])


# -- one file -----------------------------------------------------------------------------------------------


class _Span(NamedTuple):
    line: int
    label: str
    pieces: tuple[tuple[int, int], ...]
    covered: str


class _Line(NamedTuple):
    number: int
    id: str
    words: list[str]


@dataclass
class _Read:
    """What one file says: first as it stands there, then its ids resolved and its offsets those of the text."""

    source: Source
    annotator: str
    document: str
    raw: str | None  # the text beside it as it is
    spans: dict[str, _Span] = field(default_factory=dict)
    lines: list[_Line] = field(default_factory=list)  # all but spans
    ids: set[str] = field(default_factory=set)
    relations: list[Any] = field(default_factory=list)
    coreference: list[Any] = field(default_factory=list)

    def where(self, line: int) -> str:
        return f"{self.source.name}, line {line}"


@dataclass
class _Told:
    """What was counted on the way."""

    counts: dict[str, int] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def count(self, what: str, times: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + times

    def said(self) -> list[Step]:
        sentences = {
            "looked": ("assumed", "empty .ann file", "{} taken as looked at, nothing to mark (empty='unseen': as not)"),
            "unseen": ("dropped", "empty .ann file", "{} left out as never looked at"),
            "notes": ("dropped", "note", "{} left out"),
            "events": ("taken", "event", "the arguments of {} taken as relations from their triggers, Type:Role"),
            "of relations": ("dropped", "attribute", "{} of relations left out"),
            "others": ("dropped", "'*' line", "{} of another type than Equiv left out"),
            "utf16": ("taken", ".ann file", "{} counted in UTF-16 units, brought to characters"),
            "mixed": ("taken", ".ann file", "{} partly counted in UTF-16 units, each span taken as its text shows"),
            "changed": ("taken", ".ann file", "{} fitted to the text with other line ends or byte order mark"),
        }  # fmt: skip
        return [
            *(
                Step(what, sentence.format(counted(self.counts[name], thing)), self.counts[name])
                for name, (what, thing, sentence) in sentences.items()
                if name in self.counts
            ),
            *self.steps,
        ]


def _read(file: _File, empty: str, encoding: str, told: _Told) -> _Read | None:
    content = file.source.text(encoding).removeprefix("\ufeff")
    if not content.strip():
        told.count(empty)
        if empty == "unseen":
            return None
    one = _Read(file.source, file.annotator, file.document, _raw_text(file.source, encoding))
    for number, line in enumerate(content.split("\n"), start=1):
        _take(one, number, line.rstrip("\r"), told)
    return one


def _raw_text(source: Source, encoding: str) -> str | None:
    beside = None if source.path is None else source.path.with_suffix(".txt")
    return None if beside is None or not beside.exists() else Source.of(beside).text(encoding)


def _plain(raw: str) -> str:
    return raw.removeprefix("\ufeff").replace("\r\n", "\n")


def _take(one: _Read, number: int, line: str, told: _Told) -> None:
    """Keep what a line says."""
    if not line.strip():
        return
    if line.startswith("#"):
        told.count("notes")
        return
    id_, _, rest = line.partition("\t")
    kind = id_[:1]
    if kind not in FORMS or not rest:
        expected = FORMS.get(kind, "a line that begins with T, R, E, A, M, N, * or #")
        raise FormatError(f"{one.where(number)}: expected {expected}, found {line[:60]!r}")
    if id_ in one.ids:
        raise FormatError(f"{one.where(number)}: {id_} is there already; every id stands for one thing")
    one.ids |= set() if kind == "*" else {id_}
    if kind == "T":
        one.spans[id_] = _span(one, number, line)
    else:
        one.lines.append(_Line(number, id_, rest.split("\t")[0].split()))


def _span(one: _Read, number: int, line: str) -> _Span:
    try:
        _, where, *covered = line.split("\t", 2)
        label, offsets = where.split(" ", 1)
        pieces = [piece.split() for piece in offsets.split(";")]
        laid = tuple((int(start), int(end)) for start, end in pieces)
    except ValueError:
        raise FormatError(f"{one.where(number)}: expected {FORMS['T']}, found {line[:60]!r}") from None
    if any(start < 0 or end < start for start, end in laid):
        raise FormatError(
            f"{one.where(number)}: a span ends before it starts, or starts before the text: {where!r}"
        )
    return _Span(number, label, laid, covered[0] if covered else "")


# -- offsets ------------------------------------------------------------------------------------------------


def _fitted(one: _Read, raw: str, told: _Told) -> dict[str, _Span]:
    """The spans with offsets into the plain text, after the reading of the file that fits what they cover."""
    checked = [(*span.pieces[0], span.covered) for span in one.spans.values() if _is_checked(span)]
    candidates = list(
        dict.fromkeys([raw, raw.removeprefix("\ufeff"), raw.replace("\r\n", "\n"), _plain(raw)])
    )
    fits = [fit(text.translate(BLANKS), checked) for text in candidates]
    best = max(range(len(fits)), key=lambda at: fits[at].either)
    text, found = candidates[best], fits[best]
    if found.unit is None:
        span = next(filter(_is_checked, one.spans.values()))
        start, end = span.pieces[0]
        question = _inclusive(text, span) or "is the .txt beside it another text?"
        raise FormatError(
            f"{one.where(span.line)}: the text from {start} to {end} is {text[start:end][:40]!r}, not "
            f"{span.covered[:40]!r}, and no other span fits either; {question}"
        )
    if best:
        told.count("changed")
    _notice(one, text, found, told)
    ways = _ways(one, text)
    if UTF16 in ways:
        told.count("utf16" if set(ways) == {UTF16} else "mixed")
    moved = {way: _moves(text, utf16=way == UTF16) for way in set(ways)}
    return {
        id_: _moved(one, span, moved[way]) for (id_, span), way in zip(one.spans.items(), ways, strict=True)
    }


def _is_checked(span: _Span) -> bool:
    return len(span.pieces) == 1 and bool(span.covered)


def _inclusive(text: str, span: _Span) -> str:
    """A question, where a span would fit if it went one character further."""
    start, end = span.pieces[0]
    if text.translate(BLANKS)[start : end + 1] != span.covered:
        return ""
    return "are ends inclusive here? brat's are not: add 1 to every end"


def _ways(one: _Read, text: str) -> list[str]:
    """What the offsets of each span count."""
    spans = [
        (span.pieces[0][0], span.pieces[-1][1], span.covered if _is_checked(span) else None)
        for span in one.spans.values()
    ]
    return settled(ways_told(text.translate(BLANKS), spans))


def _notice(one: _Read, text: str, found: Fit, told: _Told) -> None:
    if not found.mismatches:
        return
    odd = next(
        span
        for span in filter(_is_checked, one.spans.values())
        if not fit(text.translate(BLANKS), [(*span.pieces[0], span.covered)]).either
    )
    inclusive = _inclusive(text, odd)
    sentence = (
        f"the text of {counted(found.mismatches, 'span')} is another than the file says, as in {one.where(odd.line)}"
        + (f" ({inclusive})" if inclusive else "")
    )
    told.steps.append(Step("noticed", sentence, found.mismatches))


def _moves(text: str, *, utf16: bool) -> Any:
    """For each offset into a text as it was counted, the offset into the plain text."""
    drop = np.zeros(len(text) + 1, dtype=np.int64)
    if text.startswith("\ufeff"):
        drop[0] = 1
    if "\r\n" in text:
        drop[[match.start() for match in re.finditer("\r\n", text)]] = 1
    moved = np.arange(len(text) + 1) - (np.cumsum(drop) - drop)
    return moved[utf16_to_points(text)] if utf16 else moved


def _moved(one: _Read, span: _Span, moved: Any) -> _Span:
    reach = max(end for _, end in span.pieces)
    if reach >= len(moved):
        raise FormatError(
            f"{one.where(span.line)}: a span reaches to {reach}, and the text has "
            f"{len(moved) - 1} characters; is the .txt beside it another text?"
        )
    return span._replace(pieces=tuple((int(moved[start]), int(moved[end])) for start, end in span.pieces))


def _texts(read: Iterable[_Read]) -> dict[Hashable, str]:
    """The text of each document, the same in all folders."""
    found: dict[Hashable, str] = {}
    by: dict[Hashable, _Read] = {}
    for one in read:
        if one.raw is None:
            continue
        mine = _plain(one.raw)
        if (other := found.setdefault(one.document, mine)) != mine:
            pairs = enumerate(zip(other, mine, strict=False))
            at = next((k for k, (a, b) in pairs if a != b), min(len(other), len(mine)))
            raise DataError(
                f"document {one.document!r} has one text beside {by[one.document].source.name} and another beside "
                f"{one.source.name}: they part at character {at} ({other[at : at + 20]!r}, {mine[at : at + 20]!r}); "
                "give annotators the same text"
            )
        by.setdefault(one.document, one)
    return found


# -- what ids stand for --------------------------------------------------------------------------------------


def _units(one: _Read) -> Iterator[Unit]:
    """The spans of a file with their features."""
    yield Unit(one.document, one.annotator)
    features = _features(one)
    for id_, span in one.spans.items():
        yield _unit(one, span, tuple(sorted(features.get(id_, {}).items())))


def _unit(one: _Read, span: _Span, features: tuple[tuple[str, Any], ...] = ()) -> Unit:
    pieces = tuple(sorted(span.pieces))
    start, end = pieces[0][0], max(high for _, high in pieces)
    several = pieces if len(pieces) > 1 else ()
    return Unit(one.document, one.annotator, start, end, span.label, (), several, features)


def _target(one: _Read, line: _Line, name: str) -> str:
    """The id of the span that an argument stands for: of an event, its trigger."""
    seen = set()
    while name.startswith("E") and name not in seen:
        seen.add(name)
        event = next((other for other in one.lines if other.id == name), None)
        if event is None:
            break
        name = event.words[0].partition(":")[2] if event.words else ""
    if name not in one.spans:
        there = listing(one.spans, quote=False, most=6) or "none"
        raise FormatError(
            f"{one.where(line.number)}: there is no span {name or '(none)'}; the file has {there}"
        )
    return name


def _wrong(one: _Read, line: _Line) -> FormatError:
    found = f"{line.id} {' '.join(line.words)}"
    return FormatError(f"{one.where(line.number)}: expected {FORMS[line.id[0]]}, found {found[:60]!r}")


def _features(one: _Read) -> dict[str, dict[str, Any]]:
    """What attributes and normalisations say of spans."""
    found: dict[str, dict[str, Any]] = {}
    for line in one.lines:
        kind = line.id[0]
        if kind not in "AMN":
            continue
        if len(line.words) < 2 + (kind == "N"):
            raise _wrong(one, line)
        name, target, *rest = line.words
        if target.startswith("R") and target in one.ids:
            continue  # relations have no features
        said = found.setdefault(_target(one, line, target), {})
        if kind == "N":
            name, _, value = rest[0].partition(":")
            said[name] = value if name not in said else f"{said[name]} {value}"
        else:
            said[name] = " ".join(rest) if rest else True
    return found


def _resolve(one: _Read, told: _Told) -> None:
    """Relations, the arguments of events, and clusters."""
    clusters: list[set[Any]] = []
    for line in one.lines:
        if not line.words:
            raise _wrong(one, line)
        kind = line.id[0]
        if kind == "R":
            one.relations.append(_relation(one, line))
        elif kind == "E":
            told.count("events", int(len(line.words) > 1))
            one.relations += _arguments(one, line)
        elif kind == "*":
            _equivalent(one, line, clusters, told)
        elif kind in "AM" and len(line.words) > 1 and line.words[1].startswith("R"):
            told.count("of relations")
    one.relations = list(dict.fromkeys(one.relations))
    one.coreference = [tuple(sorted(cluster)) for cluster in clusters]


def _argument(one: _Read, line: _Line, word: str) -> tuple[Any, ...]:
    return _unit(one, one.spans[_target(one, line, word.partition(":")[2])]).value()


def _relation(one: _Read, line: _Line) -> tuple[Any, ...]:
    if len(line.words) != 3 or not all(":" in word for word in line.words[1:]):
        raise _wrong(one, line)
    label, head, tail = line.words
    return (_argument(one, line, head), _argument(one, line, tail), label)


def _arguments(one: _Read, line: _Line) -> Iterator[tuple[Any, ...]]:
    if not all(":" in word for word in line.words):
        raise _wrong(one, line)
    trigger = _argument(one, line, line.words[0])
    type_ = line.words[0].partition(":")[0]
    for word in line.words[1:]:
        # brat numbers the roles of an event that has several of one: Theme, Theme2, …
        role = word.partition(":")[0].rstrip("0123456789")
        yield (trigger, _argument(one, line, word), f"{type_}:{role}")


def _equivalent(one: _Read, line: _Line, clusters: list[set[Any]], told: _Told) -> None:
    if line.words[0] != "Equiv":
        told.count("others")
        return
    joined = {_unit(one, one.spans[_target(one, line, id_)])[2:4] for id_ in line.words[1:]}
    for cluster in [cluster for cluster in clusters if cluster & joined]:
        clusters.remove(cluster)
        joined |= cluster
    clusters.append(joined)
