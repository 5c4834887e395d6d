"""What stands in an export of Label Studio: tasks, annotations, regions and answers, and the texts that spans lie in.

The JSON export has tasks with annotations with results.  The short forms, JSON_MIN, CSV and TSV, have a row for each
annotation and a column for each control; they are turned into tasks of one annotation each.
"""

from __future__ import annotations

import csv
import gc
import hashlib
import io
import json
import math
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np

from interagree.data.files import Source
from interagree.data.provenance import Step, counted
from interagree.documents.offsets import (
    UTF16,
    Covered,
    Fit,
    fit,
    is_basic,
    mostly,
    settled,
    utf16_to_points,
    ways_told,
)
from interagree.documents.units import Unit
from interagree.errors import FormatError, Hint, UnknownName, listing

SHORT = frozenset({"id", "annotator", "annotation_id", "lead_time"})  # what every row of a short form has
ABOUT = frozenset({*SHORT, "created_at", "updated_at", "agreement"})
STEPS_OF_A_PATH = " > "
# A file that was uploaded to two projects lies at two places.
UPLOADED = re.compile(r"^/?(?:data/)?upload/\d+/(?:[0-9a-f]{8}-)?")
ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/)?/?\S*/\S*|data:\S*")  # of a file: no white space, and a slash


@dataclass(slots=True, eq=False)
class Looked:
    """One annotation: somebody looked at a task, and this is what came of it."""

    where: str  # the file, the task and the annotation
    item: Hashable
    annotator: str
    task: Mapping[str, Any]
    said: Mapping[str, Any]  # the annotation as it stands in the file
    regions: list[Region] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)  # by question
    relations: list[Relation] = field(default_factory=list)

    @property
    def data(self) -> Mapping[str, Any]:
        """What the task shows."""
        found = self.task.get("data")
        return found if isinstance(found, dict) else {}


@dataclass(slots=True, eq=False)
class Region:
    """A marked part of a text, a recording or a picture."""

    question: str
    shown: str  # the name of what it lies in
    shape: str
    place: tuple[Any, ...]
    labels: tuple[str, ...]
    covered: str | None = None
    counts: str | None = "characters"  # what its start and end count, where that is known
    rendered: bool = False  # whether they count what a browser shows, and not the text in the file
    parent: str | None = None
    features: dict[str, Any] = field(default_factory=dict)

    def spans(self) -> Iterator[tuple[Any, ...]]:
        """The region as spans, one for each label."""
        start, end = self.place
        said = tuple(self.features.items())
        for label in self.labels or (None,):
            yield Unit(None, None, start, end, label, features=said).value()


class Relation(NamedTuple):
    """Two spans that somebody joined."""

    head: Region
    tail: Region
    label: str | None
    directed: bool

    def value(self) -> tuple[Any, ...]:
        """The relation as it stands in a value of the kind relations; a span of several labels by the first."""
        head, tail = next(self.head.spans()), next(self.tail.spans())
        if self.directed:
            return (head, tail, self.label)
        return (("directed", False), ("head", head), ("label", self.label), ("tail", tail))


def when(one: Looked) -> float:
    """When somebody last worked at an annotation, in seconds."""
    for name in ("updated_at", "created_at"):
        said = one.said.get(name)
        if isinstance(said, int | float):
            return float(said)
        try:
            found = datetime.fromisoformat(str(said))
        except ValueError:
            continue
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return -math.inf


def name_of(data: Mapping[str, Any]) -> str:
    """A name for what a task shows, the same in every project."""
    shown = {
        name: UPLOADED.sub("", entry) if isinstance(entry, str) else entry for name, entry in data.items()
    }
    spelled = json.dumps(shown, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(spelled, digest_size=8).hexdigest()


@contextmanager
def uncollected() -> Iterator[None]:
    """Do something without the collector of cycles, which would go over all that was read again and again.

    An export of 50 MB takes a third of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


# -- tasks -------------------------------------------------------------------------------------------------


def tasks_of(source: Source, questions: tuple[str, ...] | None) -> list[Any]:
    """The tasks of a file."""
    if source.suffix in {".csv", ".tsv"}:
        return list(_tasks_of_short(source, _table(source), questions, ordered=False))
    try:
        found = json.loads(source.text())
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{source.name}, line {error.lineno}: this is not JSON ({error.msg}, column {error.colno})"
        ) from None
    tasks = [found] if isinstance(found, dict) else found
    if not isinstance(tasks, list):
        raise FormatError(
            f"{source.name}: expected a list of tasks, as Label Studio exports them, found {found!r:.60}"
        )
    if tasks and isinstance(tasks[0], dict) and SHORT - {"lead_time"} <= tasks[0].keys():
        return list(_tasks_of_short(source, tasks, questions, ordered=True))
    return tasks


def _table(source: Source) -> list[dict[str, Any]]:
    text = source.text()
    first = text.split("\n", 1)[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in first else ",")
    try:
        return [{name: _cell(entry) for name, entry in row.items() if name} for row in rows]
    except csv.Error as error:
        raise FormatError(f"{source.name}, line {rows.line_num}: {error}") from None


def _cell(entry: Any) -> Any:
    if isinstance(entry, str) and entry[:1] in {"[", "{"}:
        try:
            return json.loads(entry)
        except json.JSONDecodeError:
            return entry
    return entry


def _tasks_of_short(
    source: Source, rows: Sequence[Any], questions: tuple[str, ...] | None, *, ordered: bool
) -> Iterator[dict[str, Any]]:
    """The rows of a short form as tasks of one annotation each.

    In JSON the answers stand between the id and the annotator.  In a table the columns are in the order of their
    names; answers are those whose cells are written as answers, and those that differ between annotators of one task.
    """
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or "annotator" not in row or "id" not in row:
            raise FormatError(
                f"{source.name}, row {number}: expected an object with 'id' and 'annotator', found {row!r:.60}"
            )
    columns = questions or (_between(rows) if ordered else _differing(rows))
    if not columns:
        example = Hint("value", "sentiment")
        raise FormatError(
            f"{source.name}: no column is plainly one of answers; name it, as in {example}, or export the "
            "project as JSON, which says what is what",
            hints=[example],
        )
    lacking = [name for name in columns if not any(name in row for row in rows)]
    if lacking:
        raise UnknownName(f"{source.name} has no column {lacking[0]!r}; it has {listing(rows[0])}")
    for row in rows:
        data = {name: entry for name, entry in row.items() if name not in ABOUT and name not in columns}
        results = [one for name in columns for one in _results(name, row.get(name))]
        about = {name: row.get(name) for name in ("created_at", "updated_at", "lead_time")}
        said = {"id": row.get("annotation_id"), "completed_by": row["annotator"], "result": results, **about}
        yield {"id": row["id"], "data": data, "annotations": [said], "agreement": row.get("agreement")}


def _between(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for row in rows:
        keys = list(row)
        first, last = keys.index("id"), keys.index("annotator")
        names.update(dict.fromkeys(name for name in keys[first + 1 : last] if name not in ABOUT))
    return tuple(names)


def _differing(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    names = dict.fromkeys(name for row in rows for name in row if name not in ABOUT)
    first: dict[Any, Mapping[str, Any]] = {}
    found = set()
    for row in rows:
        before = first.setdefault(row["id"], row)
        found |= {
            name for name in names if _is_answer(row.get(name)) or row.get(name, "") != before.get(name, "")
        }
    return tuple(name for name in names if name in found)


def _is_answer(entry: Any) -> bool:
    one = entry[0] if isinstance(entry, list) and entry else entry
    return isinstance(one, dict) and any(
        name in ANSWERS or name.endswith("labels") or name == "original_width" for name in one
    )


def _results(name: str, entry: Any) -> Iterator[dict[str, Any]]:
    """An entry of a short form as the results that it was made from."""
    if entry is None or entry in ("", []):
        return
    if isinstance(entry, list) and all(isinstance(one, str) for one in entry):
        entry = {"choices": entry}
    for one in entry if isinstance(entry, list) else [entry]:
        if isinstance(one, dict):
            labels = next((key for key in one if key.endswith("labels")), "")
            answer = next((kind for kind, (entry, _) in ANSWERS.items() if entry in one), "")
            kind = labels or ("" if "start" in one or "x" in one else answer)
            yield {"type": kind, "value": one, "from_name": name, "to_name": "", **_sizes(one)}
        elif isinstance(one, int | float):
            yield {"type": "number", "value": {"number": one}, "from_name": name, "to_name": ""}
        else:
            yield {"type": "choices", "value": {"choices": [str(one)]}, "from_name": name, "to_name": ""}


def _sizes(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in ("original_width", "original_height") if key in entry}


# -- what one result says -----------------------------------------------------------------------------------


def _choices(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(
        STEPS_OF_A_PATH.join(map(str, one)) if isinstance(one, list) else str(one) for one in value or ()
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "\n".join(map(str, value or ()))


def _as_number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError
    return value


# What kinds of answers are called, in the file and in its entry 'value', and what they are here.
ANSWERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "choices": ("choices", _choices),
    "taxonomy": ("taxonomy", _choices),
    "rating": ("rating", _as_number),
    "number": ("number", _as_number),
    "textarea": ("text", _text),
    "datetime": ("datetime", str),
    "pairwise": ("selected", str),
}
SETS = ("choices", "taxonomy")
NOT_READ = {
    "ellipse": "ellipses",
    "brush": "brush strokes (masks in Label Studio's own packing)",
    "video": "regions of a video",
    "timeline": "regions of a video",
}


def described(kind: str, value: Mapping[str, Any]) -> str:
    """What a result is that is not read, in words."""
    if "start" in value and "end" in value:
        return "regions of HTML or dialogues without global offsets"
    if "points" in value:
        return "polygons of fewer than three points"
    return next(
        (words for name, words in NOT_READ.items() if kind.startswith(name)), f"results of type {kind!r}"
    )


def region_of(result: Mapping[str, Any], where: str) -> Region | None:
    """The region that a result is; None for one that is not read."""
    value, kind = result["value"], str(result.get("type", ""))
    labels = value.get(kind) if kind.endswith("labels") else ()
    labels = [labels] if isinstance(labels, str) else labels or []
    if not isinstance(labels, list):
        raise FormatError(f"{where}: expected a list of labels in {kind!r}, found {labels!r:.60}")
    question, shown = str(result.get("from_name", kind)), str(result.get("to_name", "")).lstrip("$")
    parent = result.get("parentID")
    made = Region(question, shown, "", (), tuple(sorted(set(map(str, labels)))))
    made.parent = None if parent is None else str(parent)
    if "globalOffsets" in value:
        made.shape, made.place, made.rendered = "span", _ends(value["globalOffsets"], where), True
    elif "start" in value and "end" in value:
        if isinstance(value["start"], str) or isinstance(value["end"], str):
            return None
        made.shape, made.place = "span", _ends(value, where)
        made.covered = value["text"] if isinstance(value.get("text"), str) else None
        if "channel" in value or "original_length" in result:
            made.counts = "seconds"
        elif kind.startswith("timeseries") or not all(isinstance(at, int) for at in made.place):
            made.counts = None
    elif isinstance(value.get("points"), list) and len(value["points"]) > 2:
        wide, high = _scale(result, where)
        made.shape = "polygon"
        made.place = tuple(_point(point, wide, high, where) for point in value["points"])
    elif {"x", "y", "width", "height"} <= value.keys():
        wide, high = _scale(result, where)
        x, y, width, height = (_place(value[name], where) for name in ("x", "y", "width", "height"))
        made.shape = "box"
        made.place = (
            x * wide,
            y * high,
            width * wide,
            height * high,
            _place(value.get("rotation") or 0, where),
        )
    elif {"x", "y"} <= value.keys() and kind.startswith("keypoint"):
        wide, high = _scale(result, where)
        made.shape, made.place = (
            "keypoint",
            (_place(value["x"], where) * wide, _place(value["y"], where) * high),
        )
    else:
        return None
    return made


def _ends(value: Mapping[str, Any], where: str) -> tuple[float, float]:
    start, end = value.get("start"), value.get("end")
    if type(start) is int and type(end) is int and start <= end:  # as nearly all are
        return start, end
    start, end = _place(start, where), _place(end, where)
    if end < start:
        raise FormatError(f"{where}: a region starts at {start} and ends at {end}, before it starts")
    return start, end


def _place(value: Any, where: str) -> float:
    try:
        return _as_number(value)
    except ValueError:
        raise FormatError(f"{where}: expected a number for the place of a region, found {value!r}") from None


def _point(point: Any, wide: float, high: float, where: str) -> tuple[float, float]:
    if not isinstance(point, list) or len(point) != 2:
        raise FormatError(f"{where}: expected a corner [x, y] of a polygon, found {point!r}")
    return _place(point[0], where) * wide, _place(point[1], where) * high


def _scale(result: Mapping[str, Any], where: str) -> tuple[float, float]:
    """How many pixels a percent of width and height is; 1 where the size of the picture is not known."""
    sizes = [result.get(name) for name in ("original_width", "original_height")]
    if None in sizes:
        return 1.0, 1.0
    wide, high = (_place(size, where) / 100 for size in sizes)
    return wide, high


# -- texts -----------------------------------------------------------------------------------------------------


class TextsOfTasks:
    """The texts that spans lie in: found by what spans cover, and offsets put right."""

    def __init__(self, looked: Sequence[Looked]) -> None:
        self.looked = looked
        self.entries: dict[
            str, tuple[str, bool]
        ] = {}  # by what is shown: the entry of data; whether it has \r\n
        self.steps: list[Step] = []
        shown: dict[str, list[tuple[Looked, list[Region]]]] = {}
        for one in looked:
            by_name: dict[str, list[Region]] = {}
            for region in one.regions:
                if region.shape == "span" and region.counts == "characters" and not region.rendered:
                    by_name.setdefault(region.shown, []).append(region)
            for name, some in by_name.items():
                shown.setdefault(name, []).append((one, some))
        for name, those in shown.items():
            self._find(name, those)

    def _find(self, name: str, some: list[tuple[Looked, list[Region]]]) -> None:
        covered = [
            (one, [(*region.place, region.covered) for region in regions if region.covered is not None])
            for one, regions in some
        ]
        fits: dict[tuple[str, bool], Fit] = {}
        for one, spans in covered:
            for entry, text in one.data.items():
                if not isinstance(text, str):
                    continue
                for broken in (False, True) if "\r\n" in text else (False,):
                    found = fit(_broken(text, broken=broken), _unescaped(spans, text))
                    fits[entry, broken] = fits.get((entry, broken), Fit()).plus(found)
        total = sum(len(spans) for _, spans in covered)
        best = max(
            fits,
            key=lambda at: (fits[at].either, at[0] == name, not at[1]),
            default=None,
        )
        if best is None or (total and fits[best].unit is None) or (not total and best[0] != name):
            said = f"the text of {name!r} is not in the file, so offsets are not checked"
            if total and best is not None:
                said = f"no text of the tasks holds what {counted(total, 'span')} should cover; offsets not checked"
            self.steps.append(Step("noticed", said, total))
            return
        self.entries[name] = best
        moved = self._put_right(some, *best)
        if moved:
            these = counted(moved, "span")
            said = f"offsets of {these} in UTF-16 units, as the covered text shows; made characters"
            self.steps.append(Step("taken", said, moved))
        wrong = total - fits[best].either
        if wrong:
            said = f"{counted(wrong, 'span')} of {total:,} not over the text that the file says; kept"
            self.steps.append(Step("noticed", said, wrong))

    @staticmethod
    def _put_right(some: list[tuple[Looked, list[Region]]], entry: str, broken: bool) -> int:  # noqa: FBT001 -- a pair
        """Make offsets in UTF-16 units characters, annotation by annotation; how many spans were in such units."""
        wide = []
        for one, regions in some:
            text = one.data.get(entry)
            if isinstance(text, str) and not is_basic(text):
                spans = _unescaped([(*region.place, region.covered or "") for region in regions], text)
                text = _broken(text, broken=broken)
                wide.append((one, regions, text, ways_told(text, spans)))
        usual = mostly(way for *_, ways in wide for way in ways)
        moved = 0
        for one, regions, text, ways in wide:
            points = utf16_to_points(text)
            for region, way in zip(regions, settled(ways, usual), strict=True):
                if way == UTF16:
                    moved += 1
                    region.place = _moved(one, region, points)
        return moved

    def by_item(self, shown: str) -> dict[Hashable, str]:
        """The text of each item, as far as it is known."""
        found: dict[Hashable, str] = {}
        entry, broken = self.entries.get(shown, (shown, False))
        for one in self.looked:
            text = one.data.get(entry)
            known = shown in self.entries or (isinstance(text, str) and not ADDRESS.fullmatch(text))
            if known and one.item not in found and isinstance(text, str):
                found[one.item] = _broken(text, broken=broken)
        return found

    def of(self, shown: str, rows: Sequence[Looked]) -> Any:
        """The text of each row; None where none is known."""
        known = self.by_item(shown)
        if not known:
            return None
        column = np.empty(len(rows), dtype=object)
        column[:] = [known.get(one.item) for one in rows]
        return column


def _moved(one: Looked, region: Region, points: Any) -> tuple[int, int]:
    """The place of a region in characters, where it counts UTF-16 units."""
    start, end = region.place
    if not 0 <= start <= end < len(points):
        raise FormatError(
            f"{one.where}: a span from {start} to {end} lies outside its text, which has "
            f"{len(points) - 1:,} UTF-16 units"
        )
    return int(points[start]), int(points[end])


def _broken(text: str, *, broken: bool) -> str:
    """A text with its lines broken as a browser breaks them."""
    return text.replace("\r\n", "\n") if broken else text


def _unescaped(spans: Sequence[Covered], text: str) -> Sequence[Covered]:
    r"""Spans with real breaks of lines in what they cover; Label Studio may write them as \\n."""
    if "\\n" in text or not any("\\n" in covered for _, _, covered in spans):
        return spans
    return [(start, end, covered.replace("\\n", "\n")) for start, end, covered in spans]
