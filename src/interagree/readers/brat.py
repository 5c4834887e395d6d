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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, Unpack

import numpy as np

from interagree.data.files import Source, lines_of
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, as_list, fill_pattern, pattern_words, source_names, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, Hint, ReaderHint, listing
from interagree.gather.gatherer import CLUSTERS, RELATIONS, SPANS, Gatherer
from interagree.gather.marks import Link, Mark, Number, Span
from interagree.gather.offsets import UTF16, fit, settled, utf16_to_points, ways_told
from interagree.gather.units import UnitOptions
from interagree.gather.whose import OwnedFile, check_once, found_files
from interagree.readers._options import UnitReaderOptions, unit_options

FORMS = {
    "T": "'T1<tab>Label start end<tab>text'",
    "R": "'R1<tab>Type Arg1:T1 Arg2:T2'",
    "E": "'E1<tab>Type:T1 Role:T2 …'",
    "A": "'A1<tab>Name T1' or 'A1<tab>Name T1 value'",
    "M": "'M1<tab>Name T1'",
    "N": "'N1<tab>Reference T1 resource:id<tab>text'",
    "*": "'*<tab>Equiv T1 T2 …'",
}
PIECE = r"\d{1,15} +\d{1,15}"
PIECES = re.compile(rf"T[^\t]*\t([^ \t]+) +({PIECE}(?: *; *{PIECE})*) *(?:\t(.*))?", re.DOTALL | re.ASCII)
UNSEEN = ReaderHint("empty", "unseen")
MARK = "\ufeff"  # of byte order
BLANKS = str.maketrans("\n\r\t", "   ")  # what brat writes as a space in covered text
ASIDE = (".conf", ".stats_cache", ".txt", ".md")  # what may lie in a folder of brat and says nothing of who marked what
LOOKED_AT = 200  # files of a folder that are looked at to recognise it
Ends: TypeAlias = tuple[Number, Number]


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


@reader("brat standoff", suffixes=(".ann",), sniff=recognised, together=True)
def brat(
    path: Paths,
    *,
    annotator: str | None = None,
    item: str | None = None,
    empty: Literal["looked", "unseen"] = "looked",
    encoding: str = "utf-8",
    **options: Unpack[UnitReaderOptions],
) -> Study:
    """Standoff annotations of a folder of folders, of one folder, of one file, or of several.

    Args:
        path: A folder with a folder for each annotator, the folder of one annotator, an .ann file, or a list of these.
        annotator: Who annotated, where it is one person; or a pattern of "{file}" and "{folder}".
        item: A pattern for the name of the document; else the path of the file inside the annotator's folder.
        empty: Whether an empty .ann file was "looked" at, with nothing to mark, or is "unseen".
        encoding: How the files are written.
    """
    with without_garbage_collection():
        return _study(path, _files(path, annotator, item), empty, encoding, unit_options(options, stated=False))


def _study(path: Paths, files: Sequence[OwnedFile], empty: str, encoding: str, how: UnitOptions) -> Study:
    sources = [file.source for file in files]
    gathered = Gatherer("brat", sources, units=how, named=source_names(path))
    read = [standoff for file in files if (standoff := _standoff(file, empty, encoding, gathered)) is not None]
    if not read:
        names = listing(source_names(path), quote=False, most=4)
        raise FormatError(f"{names}: every .ann file is empty, and {UNSEEN} leaves them all out", hints=[UNSEEN])
    raw = {standoff.file.document: standoff.raw for standoff in read if standoff.raw is not None}
    for standoff in read:
        if standoff.raw is not None:
            gathered.show(standoff.file.document, _plain(standoff.raw), standoff.file.source.name)
    joined = []
    for standoff in read:
        source, document, annotator = standoff.file
        beside = raw.get(document) if standoff.raw is None else standoff.raw
        if beside is None:
            gathered.noticed(".ann file", "without a .txt: offsets not checked")
        else:
            _fit(standoff, beside, gathered)
        features = _features(standoff)
        spans = [Span(*span[:4], tuple(features.get(id_, {}).items())) for id_, span in standoff.spans.items()]
        mark = Mark("spans", document, annotator, spans, source.name)
        gathered.add(mark, SPANS)
        joined.append((mark, *_joined(standoff, gathered)))
    if any(links for _, links, _ in joined):
        for mark, links, _ in joined:
            gathered.add(mark._replace(question="relations", value=links), RELATIONS)
    if any(clusters for *_, clusters in joined):
        for mark, _, clusters in joined:
            gathered.add(mark._replace(question="coreference", value=clusters), CLUSTERS)
    gathered.steps += unread_files(path, sources, deep=True, beside=_beside(path, sources))
    return gathered.study()


# -- files --------------------------------------------------------------------------------------------------


def _files(path: Paths, annotator: str | None, item: str | None) -> list[OwnedFile]:
    """All .ann files, with whose they are and of which document.

    A folder is that of one annotator if some lie in it itself, else of one for each of its folders.
    """
    lacking = (
        ".ann files; expected a folder for each annotator, with an .ann file beside the .txt file of each document"
    )
    found = found_files(path, lambda file: file.suffix == ".ann", lacking=lacking)
    named = annotator is not None and "{" not in annotator
    single = {file.root for file in found if named or not file.folder}
    files = []
    for file in found:
        words = pattern_words(file.source)
        folder, document = file.folder, file.name
        if file.root is None:
            folder = words["folder"]
        elif file.root in single:
            folder, document = file.root.resolve().name, "/".join(file.inner)
        document = document if item is None else fill_pattern(item, words, option="item")
        who = folder if annotator is None else fill_pattern(annotator, words, option="annotator")
        files.append(OwnedFile(file.source, document, who))
    hints = [Hint("annotator", "{folder}"), Hint("item", "{file}")]
    advice = f"say whose each file is by a pattern such as {hints[0]}, and of what by one such as {hints[1]}"
    check_once(files, "document", advice, hints)
    return files


def _beside(path: Paths, sources: Iterable[Source]) -> set[Path]:
    """The texts of .ann files, and the settings of brat."""
    texts = {source.path.with_suffix(".txt") for source in sources if source.path is not None}
    roots = [Path(given) for given in as_list(path) if not isinstance(given, Source) and Path(given).is_dir()]
    settings = {file for root in roots for end in (".conf", ".stats_cache") for file in root.rglob(f"*{end}")}
    return texts | settings


# -- lines --------------------------------------------------------------------------------------------------


class BratLine(NamedTuple):
    number: int
    id: str
    words: list[str]


@dataclass
class Standoff:
    """What one file says, as it stands there."""

    file: OwnedFile
    raw: str | None  # the text beside it as it is
    spans: dict[str, Span] = field(default_factory=dict)
    lines: list[BratLine] = field(default_factory=list)  # all but spans
    ids: dict[str, BratLine] = field(default_factory=dict)

    def where(self, line: BratLine) -> str:
        """The place of a line."""
        return f"{self.file.source.name}, line {line.number}"


def _standoff(file: OwnedFile, empty: str, encoding: str, gathered: Gatherer) -> Standoff | None:
    content = file.source.text(encoding).removeprefix(MARK)
    if not content.strip() and empty == "unseen":
        gathered.left_out("empty .ann file", "left out as never looked at")
        return None
    if not content.strip():
        looked = Advice.of("taken as looked at, nothing to mark (", UNSEEN, ": as not)")
        gathered.count("assumed", "empty .ann file", looked)
    text = None if file.source.path is None else file.source.path.with_suffix(".txt")
    raw = None if text is None or not text.exists() else Source(str(text), text).text(encoding)
    standoff = Standoff(file, raw)
    for number, line in enumerate(lines_of(content), start=1):
        if line.startswith("#"):
            gathered.left_out("note")
        elif line.strip():
            _take(standoff, number, line)
    return standoff


def _take(file: Standoff, number: int, written: str) -> None:
    """Keep what a line says."""
    id_, _, rest = written.partition("\t")
    kind = id_[:1]
    line = BratLine(number, id_, [] if kind == "T" else rest.split("\t")[0].split())
    if kind not in FORMS or not rest:
        expected = FORMS.get(kind, "a line that begins with T, R, E, A, M, N, * or #")
        raise FormatError(f"{file.where(line)}: expected {expected}, found {written[:60]!r}")
    if kind != "*" and file.ids.setdefault(id_, line) is not line:
        raise FormatError(f"{file.where(line)}: {id_} is already used; every id must be unique")
    if kind == "T":
        file.spans[id_] = _span(file, line, written)
    else:
        file.lines.append(line)


def _span(file: Standoff, line: BratLine, written: str) -> Span:
    match = PIECES.fullmatch(written)
    if match is None:
        raise FormatError(f"{file.where(line)}: expected {FORMS['T']}, found {written[:60]!r}")
    pieces = sorted((int(start), int(end)) for start, end in (piece.split() for piece in match[2].split(";")))
    if any(end < start for start, end in pieces):
        raise FormatError(f"{file.where(line)}: a span ends before it starts: {match[2]!r}")
    if len(pieces) == 1:
        return Span(*pieces[0], match[1], covered=match[3] or None)
    return Span(pieces[0][0], max(end for _, end in pieces), match[1], tuple(pieces))


# -- offsets ------------------------------------------------------------------------------------------------


def _plain(raw: str) -> str:
    """A text without byte order mark and carriage returns."""
    return raw.removeprefix(MARK).replace("\r\n", "\n")


def _fit(file: Standoff, raw: str, gathered: Gatherer) -> None:
    """Bring offsets to the plain text, after the reading of the file that fits what spans cover."""
    texts = list(dict.fromkeys([raw, raw.removeprefix(MARK), raw.replace("\r\n", "\n"), _plain(raw)]))
    stated = {id_: (span.start, span.end, span.covered) for id_, span in file.spans.items() if span.covered}
    fits = [fit(text.translate(BLANKS), [*stated.values()]) for text in texts]
    best = max(range(len(fits)), key=lambda at: fits[at].either)
    text, blank = texts[best], texts[best].translate(BLANKS)
    if fits[best].mismatches:
        _notice(file, text, {id_: span for id_, span in stated.items() if not fit(blank, [span]).either}, gathered)
    if best:
        gathered.count("taken", ".ann file", "fitted to the text with other line ends or byte order mark")
    ways = settled(ways_told(blank, [(span.start, span.end, span.covered) for span in file.spans.values()]))
    if UTF16 in ways:
        mixed = "partly counted in UTF-16 units, each span taken as its text shows"
        all_ = "counted in UTF-16 units, brought to characters"
        gathered.count("taken", ".ann file", all_ if set(ways) == {UTF16} else mixed)
    moves = {way: _moves(text, utf16=way == UTF16) for way in set(ways)}
    for (id_, span), way in zip([*file.spans.items()], ways, strict=True):
        moved = moves[way]
        if span.end >= len(moved):
            raise FormatError(
                f"{file.where(file.ids[id_])}: a span reaches to {span.end}, and the text has {len(moved) - 1} "
                "characters; is the .txt beside it another text?"
            )
        if isinstance(moved, range):
            continue
        (start, end), *pieces = [
            (int(moved[int(low)]), int(moved[int(high)])) for low, high in (span[:2], *span.fragments)
        ]
        file.spans[id_] = span._replace(start=start, end=end, fragments=tuple(pieces))


def _notice(file: Standoff, text: str, odd: dict[str, tuple[Number, Number, str | None]], gathered: Gatherer) -> None:
    """Say which spans do not cover what they state; an error where it is all of them."""
    id_, (start, end, covered) = next(iter(odd.items()))
    found, where = text[int(start) : int(end)], file.where(file.ids[id_])
    inclusive = text[int(start) : int(end) + 1].translate(BLANKS) == covered
    question = "are ends inclusive here? brat's are not: add 1 to every end" if inclusive else ""
    if len(odd) == sum(bool(span.covered) for span in file.spans.values()):
        raise FormatError(
            f"{where}: the text from {start} to {end} is {found[:40]!r}, not {str(covered)[:40]!r}, and no other span "
            f"fits either; {question or 'is the .txt beside it another text?'}"
        )
    wrong = f"the text of {counted(len(odd), 'span')} is another than the file says, as in {where}"
    gathered.note("noticed", f"{wrong} ({question})" if question else wrong, len(odd))


def _moves(text: str, *, utf16: bool) -> Sequence[int]:
    """For each offset into a text as it was counted, that into the plain text; a range where these are the same."""
    if not utf16 and not text.startswith(MARK) and "\r\n" not in text:
        return range(len(text) + 1)
    drop = np.zeros(len(text) + 1, dtype=np.int64)
    drop[0] = text.startswith(MARK)
    drop[[match.start() for match in re.finditer("\r\n", text)]] = 1
    moved = np.arange(len(text) + 1) - (np.cumsum(drop) - drop)
    offsets: list[int] = (moved[utf16_to_points(text)] if utf16 else moved).tolist()
    return offsets


# -- what ids stand for -------------------------------------------------------------------------------------


def _target(file: Standoff, line: BratLine, name: str) -> str:
    """The id of the span that an argument stands for: of an event, its trigger."""
    seen = set()
    while name.startswith("E") and name in file.ids and name not in seen:
        seen.add(name)
        name = "".join(file.ids[name].words[:1]).partition(":")[2]
    if name not in file.spans:
        there = listing(file.spans, quote=False, most=6) or "none"
        raise FormatError(f"{file.where(line)}: there is no span {name or '(none)'}; the file has {there}")
    return name


def _wrong(file: Standoff, line: BratLine) -> FormatError:
    written = f"{line.id} {' '.join(line.words)}"
    return FormatError(f"{file.where(line)}: expected {FORMS[line.id[0]]}, found {written[:60]!r}")


def _features(file: Standoff) -> dict[str, dict[str, str | bool]]:
    """What attributes and normalisations say of spans."""
    by_span: dict[str, dict[str, str | bool]] = {}
    for line in file.lines:
        kind = line.id[0]
        if kind not in "AMN":
            continue
        if len(line.words) < 2 + (kind == "N"):
            raise _wrong(file, line)
        name, target, *rest = line.words
        if target.startswith("R") and target in file.ids:
            continue  # relations have no features
        features = by_span.setdefault(_target(file, line, target), {})
        value: str | bool = " ".join(rest) if rest else True
        if kind == "N":
            name, _, value = rest[0].partition(":")
        features[name] = value if features.get(name, value) == value else f"{features[name]} {value}"
    return by_span


def _joined(file: Standoff, gathered: Gatherer) -> tuple[list[Link], list[tuple[Ends, ...]]]:
    """Relations with the arguments of events, and clusters."""
    links: list[Link] = []
    clusters: list[set[Ends]] = []
    for line in file.lines:
        if not line.words:
            raise _wrong(file, line)
        kind = line.id[0]
        if kind in "RE":
            links += _links(file, line)
            done = "with arguments, which are taken as relations from the trigger, Type:Role"
            gathered.count("taken", "event", done, kind == "E" and len(line.words) > 1)
        elif kind == "*" and line.words[0] == "Equiv":
            spans = [file.spans[_target(file, line, id_)] for id_ in line.words[1:]]
            joined = {(span.start, span.end) for span in spans}
            for cluster in [cluster for cluster in clusters if cluster & joined]:
                clusters.remove(cluster)
                joined |= cluster
            clusters.append(joined)
        elif kind == "*":
            gathered.left_out("'*' line", "of another type than Equiv left out")
        elif kind in "AMN" and len(line.words) > 1 and line.words[1].startswith("R"):
            gathered.left_out("attribute", "of relations left out")
    return links, sorted((tuple(sorted(cluster)) for cluster in clusters), key=repr)


def _links(file: Standoff, line: BratLine) -> Iterator[Link]:
    """A relation, or one from the trigger of an event to each of its arguments."""
    words = line.words[line.id[0] == "R" :]
    if not all(":" in word for word in words) or (line.id[0] == "R" and len(words) != 2):
        raise _wrong(file, line)
    head, *others = [file.spans[_target(file, line, word.partition(":")[2])] for word in words]
    for word, tail in zip(words[1:], others, strict=True):
        # brat numbers the roles of an event that has several of one: Theme, Theme2, …
        role = f"{words[0].partition(':')[0]}:{word.partition(':')[0].rstrip('0123456789')}"
        yield Link(head, tail, line.words[0] if line.id[0] == "R" else role)
