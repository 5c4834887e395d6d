"""Agreement on tokens: spans as a tag for each token, and any coefficient of labels on the tags.

The encodings say how spans become tags.  "bio": the first token of a span is ``B-PER``, its further tokens are
``I-PER``, all others ``O``, so that annotators agree where they agree on the token, on the label and on where spans
begin.  "io": ``I-PER`` for every token of a span, so that two spans beside each other are one.  "binary": whether the
token is marked at all.  "per_label": for each label by itself whether the token is marked with it, a table.

A token has one tag in "bio" and "io", so spans of one annotator that overlap have none there and are an error; "binary"
and "per_label" take them.  Later pieces of a span in several pieces are ``I-`` throughout.  The tags that occur are the
values, as they are where a file of tags is read.  Tokens of one document are not independent, so intervals are those
for other documents: whole documents are left out or drawn.

Cost: one annotation for each token and annotator, about ten bytes each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from interagree.arrays import Booleans, Int32s, Int64s, Integers
from interagree.data import Annotations, IntoAnnotations, as_annotations
from interagree.data.codes import narrow
from interagree.data.columns import Columns
from interagree.data.memory import must_fit
from interagree.data.provenance import Step, counted
from interagree.data.types import Item
from interagree.data.values import in_order, numbers
from interagree.declare import takes_data
from interagree.documents.edges import in_tokens
from interagree.documents.texts import KNOWN, Documents, SpanTable
from interagree.errors import Advice, DataError, Hint, KindError, UnknownName, listing, suggestion
from interagree.kernels.ragged import ragged
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.stats.engine.estimate import Estimate, in_clusters
from interagree.tables import Table

Encoding = Literal["bio", "io", "binary", "per_label"]
Level = Literal["tokens", "characters", "positions"]
ENCODINGS = ("bio", "io", "binary", "per_label")
LEVELS = ("tokens", "characters", "positions")
OUTSIDE = "O"
DOCUMENT = "document"
BLOCK = 4_000_000  # positions that are marked at once
POSITION = 16  # bytes that an annotator's label of one position takes
LENGTH, PER_LABEL, BINARY = Hint("length"), Hint("encoding", "per_label"), Hint("encoding", "binary")


@overload
def token_agreement(
    data: IntoAnnotations,
    coefficient: str = "alpha",
    *,
    encoding: Literal["bio", "io", "binary"] = "bio",
    level: Level = "tokens",
    label: None = None,
    length: float | str | None = None,
    cluster: str | None = DOCUMENT,
    **options: object,
) -> Agreement: ...
@overload
def token_agreement(
    data: IntoAnnotations,
    coefficient: str = "alpha",
    *,
    encoding: Literal["per_label"],
    level: Level = "tokens",
    label: None = None,
    length: float | str | None = None,
    cluster: str | None = DOCUMENT,
    **options: object,
) -> Table: ...
@overload
def token_agreement(
    data: IntoAnnotations,
    coefficient: str = "alpha",
    *,
    encoding: Literal["per_label"],
    level: Level = "tokens",
    label: str,
    length: float | str | None = None,
    cluster: str | None = DOCUMENT,
    **options: object,
) -> Agreement: ...
@takes_data
def token_agreement(
    data: IntoAnnotations,
    coefficient: str = "alpha",
    *,
    encoding: Encoding = "bio",
    level: Level = "tokens",
    label: str | None = None,
    length: float | str | None = None,
    cluster: str | None = DOCUMENT,
    **options: object,
) -> Agreement | Table:
    """Agreement of annotators on the tags of tokens.

    Args:
        data: A study of spans.
        coefficient: The name of any coefficient of labels, such as "alpha", "cohen_kappa" or "percent".
        encoding: How spans become tags: "bio", "io", "binary" or "per_label".
        level: What gets a tag.  "tokens": every token, for spans of characters those of the text that they touch;
            "characters": every character; "positions": every position, whatever positions count.
        label: With "per_label", the label to give the agreement on; a table of all labels where none is named.
        length: How long documents are where neither text nor tokens are known: a number, or the attribute that says so.
            Otherwise a document reaches to the last end of a span.
        cluster: What intervals take as independent, an attribute of documents; the documents themselves by default.
            None takes the tokens as independent, which makes intervals too narrow.
        options: Options of the coefficient.

    Returns:
        An `Agreement` whose items are (document, position); for "per_label" without a label a `Table`.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"),)), ("d", "bo", ((0, 4, "PER"),))]
        >>> study = ia.Annotations.of(spans, kind="spans")
        >>> ia.spans.token_agreement(study, "percent", level="positions", length=8).value
        0.875
    """
    _check(encoding, level, label)
    compute = MEASURES[coefficient]
    laid_out = _LaidOut.of(as_annotations(data), level, length)
    tagging = {"encoding": encoding, "level": level}
    group = None if cluster is None else laid_out.groups(cluster)

    def measured(tags: Annotations) -> Agreement:
        result: Agreement = compute(tags, **options)
        result = replace(result, options={**result.options, **tagging}, notes=(*result.notes, *laid_out.notes))
        return _in_clusters(result, cluster, group, laid_out.unit)

    if encoding != "per_label":
        return measured(laid_out.tagged(encoding))
    if label is not None:
        return measured(laid_out.of_label(label))
    return _by_label(laid_out, measured, f"{coefficient} of {laid_out.unit} by label")


def tagged(
    data: IntoAnnotations,
    *,
    encoding: Literal["bio", "io", "binary"] = "bio",
    level: Level = "tokens",
    length: float | str | None = None,
) -> Annotations:
    """The study of tags behind `token_agreement`: an item for each (document, position), the tag its value."""
    _check(encoding, level, None)
    if encoding not in ENCODINGS[:3]:
        raise KindError("a study of tags has the encoding 'bio', 'io' or 'binary'; labels one by one have no tags")
    return _LaidOut.of(as_annotations(data), level, length).tagged(encoding)


def _check(encoding: str, level: str, label: str | None) -> None:
    for name, given, known in (("encoding", encoding, ENCODINGS), ("level", level, LEVELS)):
        if given not in known:
            raise KindError(f"{name} must be {listing(known)}, got {given!r}")
    if label is not None and encoding != "per_label":
        hint = Hint("label", label)
        raise KindError(f"{hint} is for {PER_LABEL}; {encoding!r} has tags of all labels", hints=[hint, PER_LABEL])


def _by_label(laid_out: _LaidOut, measured: Callable[[Annotations], Agreement], title: str) -> Table:
    rows = []
    if len(laid_out.laid.row) and not laid_out.named():
        raise KindError(f"no span has a label, so there is no table by label; take {BINARY}", hints=[BINARY])
    for name in laid_out.named():
        tags = laid_out.of_label(name)
        result: Agreement = measured(tags)
        interval = result.interval()
        rows.append(
            {
                "label": name,
                "value": result.value,
                "low": math.nan if interval is None else interval.low,
                "high": math.nan if interval is None else interval.high,
                "marked": len(np.unique(tags.item[tags.value == 1])),
            }
        )
    notes = "; ".join(laid_out.notes)
    foot = f"marked: {laid_out.unit} that somebody marked with the label.{f' {notes}.' if notes else ''}"
    return Table.of(rows, title=title, foot=foot, names=["label", "value", "low", "high", "marked"])


class Spots(Sequence[tuple[Item, int]]):
    """The positions of all documents, as (document, position), which are made when somebody looks at them."""

    __slots__ = ("names", "start")

    def __init__(self, names: Sequence[Item], start: Int64s) -> None:
        self.names, self.start = names, start  # ``start`` has one more entry for the end

    @overload
    def __getitem__(self, index: int) -> tuple[Item, int]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[Item, int], ...]: ...
    def __getitem__(self, index: int | slice) -> tuple[Item, int] | tuple[tuple[Item, int], ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"there are {len(self)} positions, and no position {index}")
        document = int(np.searchsorted(self.start, at, side="right")) - 1
        return self.names[document], at - int(self.start[document])

    def __len__(self) -> int:
        return int(self.start[-1])

    def __iter__(self) -> Iterator[tuple[Item, int]]:
        for name, size in zip(self.names, np.diff(self.start).tolist(), strict=True):
            for position in range(size):
                yield name, position


class _Pieces(NamedTuple):
    """All pieces of all spans, row by row: where each begins among all positions of all rows."""

    begin: Int64s
    size: Int64s
    label: Int32s
    first: Booleans  # whether it is the first piece of its span


@dataclass(frozen=True, slots=True, eq=False)
class _LaidOut:
    """A study of spans with a place for the tag of each position and annotator."""

    study: Annotations
    laid: SpanTable
    unit: str  # what a position is, in words
    size: Int64s  # of each document
    names: tuple[str | None, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, study: Annotations, level: str, length: float | str | None) -> _LaidOut:
        if study.anonymous and len(study):
            raise KindError(
                "agreement on tokens needs to know who marked what, and this study was made from counts; read the "
                "annotations themselves"
            )
        study, unit = _at_level(study.first_judgements(), level)
        laid = SpanTable.of(study, who="agreement on tokens")
        size, notes = _sizes(study, laid, unit, length)
        must_fit(
            POSITION * float(size.sum(dtype=np.float64)) * max(len(study.annotators), 1),
            f"a label for each of {size.sum(dtype=np.float64):,.0f} {unit} and each annotator",
            "give the documents the length that they have, with ",
            LENGTH,
        )
        return cls(study, laid, unit, size, laid.spans.names, notes)

    def named(self) -> list[str]:
        """The labels that occur, in order."""
        used = np.unique(self.laid.spans.label[self.laid.place]).tolist()
        return in_order([name for code in used if (name := self.names[code]) is not None])

    def groups(self, cluster: str) -> Integers:
        """The group of each position under an attribute of documents; by default the document itself; -1 for none."""
        study = self.study
        if cluster == DOCUMENT and DOCUMENT not in study.attributes:
            group: Integers = np.full(len(study.items), -1, dtype=np.int64)
            group[study.item] = study.item
        else:
            group, _ = study.item_attribute(cluster)
        return np.repeat(group, self.size)

    def tagged(self, encoding: str) -> Annotations:
        """The study of tags."""
        if encoding != "binary":
            self._refuse_overlaps(encoding)
        names = (None,) if encoding == "binary" else self.names
        tags = [OUTSIDE, *(tag for name in names for tag in _tags(name, encoding))]
        value = np.zeros(self._total, dtype=narrow(len(tags)))
        for marks in self._blocks():
            label = np.zeros_like(marks.label) if encoding == "binary" else marks.label
            value[ragged(marks.begin, marks.size)[1]] = np.repeat(2 * label + 2, marks.size)
            if encoding == "bio":
                value[marks.begin[marks.first]] = 2 * marks.label[marks.first] + 1
        return self._study(value, tags)

    def of_label(self, name: str) -> Annotations:
        """The study of whether each position is marked with a label."""
        if name not in self.named():
            known = self.named()
            raise UnknownName(
                f"nobody marked anything as {name!r}; the labels are {listing(known)}.{suggestion(name, known)}"
            )
        value = np.zeros(self._total, dtype=np.int8)
        code = self.names.index(name)
        for marks in self._blocks():
            here = marks.label == code
            value[ragged(marks.begin[here], marks.size[here])[1]] = 1
        return self._study(value, [OUTSIDE, name], keep_unused=True)

    @property
    def _counts(self) -> Int64s:
        return self.size[self.study.item]

    @property
    def _total(self) -> int:
        return int(self._counts.sum())

    def _blocks(self) -> Iterator[_Pieces]:
        """The pieces of all spans, so many at a time that their positions fit into a block."""
        spans, place = self.laid.spans, self.laid.place
        begin, end, row = self.laid.begin, self.laid.end, self.laid.row
        label, first = spans.label[place], np.ones(len(place), dtype=bool)
        if spans.pieces is not None:
            start = spans.pieces.start
            owner, piece = ragged(start[place], np.diff(start)[place])
            begin, end = spans.pieces.begin[piece].astype(np.int64), spans.pieces.end[piece].astype(np.int64)
            row, label, first = row[owner], label[owner], np.diff(owner, prepend=-1) != 0
        counts = self._counts
        size = end - begin
        begin = begin + (np.cumsum(counts) - counts)[row]
        reach = np.cumsum(size)
        at = 0
        while at < len(size):
            done = int(reach[at - 1]) if at else 0
            to = max(int(np.searchsorted(reach, done + BLOCK, side="right")), at + 1)
            here = slice(at, to)
            yield _Pieces(begin[here], size[here], label[here], first[here])
            at = to

    def _study(self, value: Integers, tags: Sequence[str], *, keep_unused: bool = False) -> Annotations:
        if not keep_unused:
            used = np.flatnonzero(np.bincount(value, minlength=len(tags))).tolist()
            order = in_order([tags[code] for code in used])
            new = np.zeros(len(tags), dtype=value.dtype)
            new[used] = [order.index(tags[code]) for code in used]
            value, tags = new[value], order
        counts, study = self._counts, self.study
        start = np.concatenate([[0], np.cumsum(self.size)])
        wide: type[np.signedinteger[Any]] = np.int32 if max(int(start[-1]), len(value)) < 2**31 else np.int64
        item = np.arange(len(value), dtype=wide)
        item -= np.repeat((np.cumsum(counts) - counts - start[study.item]).astype(wide), counts)
        row = np.repeat(np.arange(len(study), dtype=wide), counts)
        further = {name: column for name, column in study.attributes.items() if name not in KNOWN}
        if DOCUMENT not in further:
            further[DOCUMENT] = np.fromiter((study.items[k] for k in study.item.tolist()), object, len(study))
        return Annotations(
            item,
            study.annotator.astype(narrow(len(study.annotators)))[row],
            value,
            Spots(study.items, start),
            study.annotators,
            tuple(tags),
            attributes=Columns(further).taking(row),
            provenance=study.provenance.then(
                Step(
                    "taken",
                    f"{counted(int(start[-1]), self.unit[:-1])} of {counted(len(study.items), 'document')}, each with "
                    "a tag by everybody who looked at the document",
                    int(start[-1]),
                )
            ),
        )

    def _refuse_overlaps(self, encoding: str) -> None:
        spans = self.laid.spans
        begin, end = (spans.begin, spans.end) if spans.pieces is None else (spans.pieces.begin, spans.pieces.end)
        owner = np.arange(len(spans.begin))
        if spans.pieces is not None:
            owner = np.repeat(owner, np.diff(spans.pieces.start))
        value = spans.owner[owner]
        order = np.lexsort((end, begin, value))
        before, after = order[:-1], order[1:]
        clash = np.flatnonzero((value[before] == value[after]) & (begin[after] < end[before]))
        here = np.isin(value[before[clash]], self.study.value)
        if not here.any():
            return
        pair = clash[np.argmax(here)]
        earlier, later = owner[before[pair]], owner[after[pair]]
        row = int(np.argmax(self.study.value == value[before[pair]]))
        at = [int(np.flatnonzero((self.laid.row == row) & (self.laid.place == span))[0]) for span in (earlier, later)]
        first, second = (self.laid.describe(self.study, k) for k in at)
        raise DataError(
            f"spans of one annotator overlap, so a token has two tags: {first.partition(' in document')[0]} and "
            f"{second}, counted in {self.unit}; {encoding!r} has one tag for each token: take {PER_LABEL} or "
            f"{BINARY}, or compare the spans themselves",
            hints=[PER_LABEL, BINARY],
        )


def _tags(name: str | None, encoding: str) -> tuple[str, str]:
    tail = "" if name is None else f"-{name}"
    return ("B" if encoding == "bio" else "I") + tail, f"I{tail}"


def _at_level(study: Annotations, level: str) -> tuple[Annotations, str]:
    """The study with positions of a level, and what a position then is."""
    positions = Documents.of(study).positions
    if level == "positions":
        return study, positions if positions in ("characters", "tokens") else "positions"
    if level == "characters":
        if positions == "tokens":
            raise KindError("positions count tokens, so nothing is known of characters; take level='tokens'")
        return study, "characters"
    return (study, "tokens") if positions is None else (in_tokens(study), "tokens")


def _sizes(
    study: Annotations, laid: SpanTable, unit: str, length: float | str | None
) -> tuple[Int64s, tuple[str, ...]]:
    """How many positions each document has, and what was assumed about that."""
    documents = Documents.of(study)
    reach = np.zeros(len(study.items), dtype=np.int64)
    np.maximum.at(reach, laid.item, laid.end)
    known = [documents.length(item) for item in range(len(study.items))]
    told = _told(study, length)
    size = reach.copy()
    unknown = 0
    for item, (own, stated) in enumerate(zip(known, told, strict=True)):
        length_here = stated if own is None else own
        if length_here is None:
            unknown += 1
            continue
        size[item] = int(length_here)
        if size[item] < reach[item]:
            at = int(np.flatnonzero((laid.item == item) & (laid.end > size[item]))[0])
            raise DataError(
                f"a span reaches beyond its document, which has {int(size[item]):,} {unit}: {laid.describe(study, at)}"
            )
    if not unknown:
        return size, ()
    it = "it" if unknown == 1 else "each"
    note = (
        f"the length of {counted(unknown, 'document')} is not known, so {it} ends with its "
        f"last span, and what nobody marked after it is not counted; {LENGTH} says how long documents are"
    )
    return size, (Advice(note, [LENGTH]),)


def _told(study: Annotations, length: float | str | None) -> list[float | None]:
    if length is None:
        return [None] * len(study.items)
    if not isinstance(length, str):
        lengths: Sequence[float] | None = [length]
        group: Integers = np.zeros(len(study.items), dtype=np.intp)
    else:
        group, groups = study.item_attribute(length)
        lengths = numbers(groups)
    if lengths is None or any(size < 0 or size != int(size) for size in lengths):
        raise DataError(f"the length of a document is a whole number, and length={length!r} gives others")
    return [float(lengths[code]) if code >= 0 else None for code in group.tolist()]


def _in_clusters(result: Agreement, cluster: str | None, group: Integers | None, unit: str) -> Agreement:
    """The result with intervals for other documents, and a note on what they rest on."""
    if cluster is None or group is None or not isinstance(result.engine, Estimate):
        note = f"{unit} were taken as independent, though those of one document are not: intervals are too narrow"
        return replace(result, notes=(*result.notes, note))
    groups = len(np.unique(group[group >= 0]))
    note = f"intervals are for other {cluster}s, of which there are {groups:,}: {unit} of one are not independent"
    if groups < 2:
        note = (
            f"there is one {cluster}, so there is no interval: {unit} of one {cluster} are not independent "
            "(cluster=None takes them as if they were)"
        )
    return replace(in_clusters(result, cluster, group), notes=(*result.notes, note))
