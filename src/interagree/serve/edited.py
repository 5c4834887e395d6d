"""Values that were edited on the page, and values as they are stored.

A value is stored as JSON, as the library writes it: a set as a list, a span as [start, end, label] by code points or
tokens.  What the page sends is checked as what a file holds is: a value that is not of the kind is refused.

| editor     | what the page sends                                                                            |
|------------|------------------------------------------------------------------------------------------------|
| label      | the number of a label                                                                          |
| set        | numbers of labels                                                                              |
| number     | a number                                                                                       |
| text       | a string                                                                                       |
| ranking    | numbers of the entries that somebody ranked, best first                                        |
| spans      | [begin, end, label] for each span, in UTF-16 units of the text that is shown                   |
| units      | [begin, end, label] for each span, in the positions of the data, where there is no text        |
| boundaries | the length of the document, and [place, type] for each boundary                                |
| boxes      | [x0, y0, x1, y1, label] for each box                                                           |
| polygons   | [label, outline, …] for each polygon, an outline as [x, y, x, y, …]                            |

The label -1 stands for none.  A span, box or polygon that an annotator gave and nobody touched is sent as it was
shown (a span in several pieces has them as a fourth entry), and becomes what the annotator gave.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from interagree.data import Annotations
from interagree.data.types import Json, Value
from interagree.data.values import key, plain
from interagree.errors import KindError
from interagree.gather.offsets import points_to_utf16
from interagree.kinds import Kind
from interagree.kinds._merging import Matching
from interagree.kinds._objects import FAR, is_figure
from interagree.kinds.polygons import label_of as polygon_label
from interagree.kinds.polygons import outlines_of
from interagree.kinds.spans import label as label_of
from interagree.kinds.spans import pieces as pieces_of
from interagree.people.decisions import listed
from interagree.reports.browser.items import OutsideTextError, place_in
from interagree.spans.shown_text import ShownText
from interagree.tables import plain as for_json

MOST = 2_000  # labels that an editor offers
LONGEST = 1_000_000  # letters of a text
NO_LABEL = -1


def stored(value: Value) -> str:
    """A value as JSON, in which every letter can be written."""
    return json.dumps(for_json(value), default=str)


class Values:
    """The values of a question, as they are stored and as they are edited."""

    def __init__(self, study: Annotations) -> None:
        self.kind: Kind = study.kind
        self.all: Sequence[Value] = study.values
        self._given: dict[str, Value] = {stored(value): value for value in study.values}

    @property
    def empty(self) -> Value:
        """The value that says that there is nothing here; None where the kind has none."""
        return self.kind.empty

    def restored(self, text: str) -> Value:
        """A stored value; one that an annotator gave is the very same."""
        if text in self._given:
            return self._given[text]
        value: Value = plain(json.loads(text))
        return frozenset(value) if self.kind == "sets" and isinstance(value, tuple) else value

    def given(self, text: str) -> Value:
        """The answer of an annotator, by how it is stored."""
        if text not in self._given:
            raise KindError("this is not an answer that an annotator gave; choose one of those shown, or edit one")
        return self._given[text]

    @cached_property
    def labels(self) -> list[Value]:
        """The labels that the answers to this question hold."""
        editor = EDITORS.get(self.kind.name)
        return [] if editor is None else [*editor.labels(self)]

    def editor(self, shown: ShownText | None, answers: Iterable[Value]) -> Editor | None:
        """The editor of an item; None where answers are taken whole.

        Args:
            shown: The text in which positions of the item lie.
            answers: What the annotators gave.
        """
        editor = EDITORS.get(self.kind.name)
        if editor is SpansEditor and shown is None:
            editor = UnitsEditor
        made = None if editor is None else editor(self, shown, [*answers])
        return None if made is None or len(made.options) > MOST else made

    def edited(self, sent: object, shown: ShownText | None, answers: Iterable[Value]) -> Value:
        """A value that was edited on the page, or an error that says what is wrong with it.

        Args:
            sent: What the page sent.
            shown: The text in which positions of the item lie.
            answers: What the annotators gave.
        """
        editor = self.editor(shown, answers)
        if editor is None:
            raise KindError(f"{self.kind.title} are not edited here; choose an answer whole")
        return editor.value(sent)


class Editor:
    """How the values of an item are edited.

    Attributes:
        options: The labels that can be given.
        parts: Whether a value has parts that can be taken one by one.
    """

    name: ClassVar[str]
    parts: ClassVar[bool] = False

    def __init__(self, values: Values, shown: ShownText | None, answers: Sequence[Value]) -> None:
        self.values, self.kind, self.shown, self.answers = values, values.kind, shown, answers
        self.options = self._options()

    def _options(self) -> list[Value]:
        return self.values.labels

    @classmethod
    def labels(cls, values: Values) -> Iterable[Value]:  # noqa: ARG003 -- most kinds have labels
        """The labels in the values of a question."""
        return ()

    def begun(self, value: Value) -> Json:
        """A value as the page begins to edit it; None where it cannot be edited."""
        return None if self.kind.why_not(value) is not None else self._begun(value)

    def value(self, sent: object) -> Value:
        """What the page sent as a value, or an error that says what is wrong with it."""
        value = self._value(sent)
        reason = self.kind.why_not(value)
        if reason is not None:
            raise KindError(f"{self.kind.title} were expected, each {self.kind.form}; {reason}")
        return value

    def agreed(self) -> Json:
        """The parts that all answers have, as the page edits them; None where there are none."""
        begun = [self.begun(value) for value in self.answers] if self.parts else []
        lists = [parts for parts in begun if isinstance(parts, list)]
        if not lists or len(lists) < len(begun):
            return None
        shared = set[Value].intersection(*({*map(plain, parts)} for parts in lists))
        return [part for part in lists[0] if plain(part) in shared] or None

    def _begun(self, value: Any) -> Json:
        raise NotImplementedError

    def _value(self, sent: object) -> Value:
        raise NotImplementedError

    def _label(self, sent: object) -> Value:
        if not isinstance(sent, int) or isinstance(sent, bool) or not 0 <= sent < len(self.options):
            raise KindError(f"a label is its number, from 0 to {len(self.options) - 1}, got {str(sent)!r:.40}")
        return self.options[sent]

    def _named(self, sent: object) -> tuple[Value, ...]:
        """A label as the last entry of a thing; nothing where it has none."""
        return () if sent == NO_LABEL and type(sent) is int else (self._label(sent),)

    def _number(self, label: Value) -> int:
        return NO_LABEL if label is None else self._places[key(label)]

    @cached_property
    def _places(self) -> Mapping[tuple[bool, Value], int]:
        return {key(label): place for place, label in enumerate(self.options)}


class LabelEditor(Editor):
    """One label."""

    name = "label"

    @classmethod
    def labels(cls, values: Values) -> Iterable[Value]:
        return values.all

    def _begun(self, value: Any) -> Json:
        return self._number(value)

    def _value(self, sent: object) -> Value:
        return self._label(sent)


class SetEditor(Editor):
    """Some labels."""

    name = "set"
    parts = True

    @classmethod
    def labels(cls, values: Values) -> Iterable[Value]:
        return _distinct(label for value in values.all for label in listed(value))

    def _begun(self, value: Any) -> Json:
        return [self._number(label) for label in listed(value)]

    def _value(self, sent: object) -> Value:
        return frozenset(map(self._label, _list(sent, "a set is a list of numbers of labels")))


class NumberEditor(Editor):
    """A number."""

    name = "number"

    def _begun(self, value: Any) -> Json:
        return float(value)

    def _value(self, sent: object) -> Value:
        if isinstance(sent, bool) or not isinstance(sent, int | float) or not math.isfinite(sent):
            raise KindError(f"a number was expected, got {str(sent)!r:.40}")
        return sent


class TextEditor(Editor):
    """A text."""

    name = "text"

    def _begun(self, value: Any) -> Json:
        return str(value)

    def _value(self, sent: object) -> Value:
        if not isinstance(sent, str) or not sent.strip() or len(sent) > LONGEST:
            raise KindError(f"a text was expected, of at least one letter and at most {LONGEST:,}")
        return sent


class RankingEditor(Editor):
    """Entries in order: those that somebody ranked."""

    name = "ranking"

    def _options(self) -> list[Value]:
        return _distinct(entry for value in self.answers if isinstance(value, tuple) for entry in value)

    def _begun(self, value: Any) -> Json:
        return [*map(self._number, value)]

    def _value(self, sent: object) -> Value:
        return tuple(map(self._label, _list(sent, "a ranking is a list of numbers of entries")))


class ThingsEditor(Editor):
    """Things that lie somewhere, each with a label or without."""

    parts = True
    form: ClassVar[str]

    @classmethod
    def labels(cls, values: Values) -> Iterable[Value]:
        named = (cls._label_of(thing) for value in values.all for thing in cls._things(values.kind, value))
        return _distinct(name for name in named if name is not None)

    @staticmethod
    def _things(kind: Kind, value: Any) -> Sequence[Any]:
        if kind.why_not(value) is not None:
            return ()
        return kind.merge.objects(value) if isinstance(kind.merge, Matching) else ()

    @staticmethod
    def _label_of(thing: Any) -> Value:
        return label_of(thing)

    def _drawn(self, thing: Any) -> list[Json]:
        """One thing as the page edits it."""
        raise NotImplementedError

    def _made(self, sent: list[Any]) -> Value:
        """One thing that was edited."""
        raise NotImplementedError

    def _begun(self, value: Any) -> Json:
        return [self._drawn(thing) for thing in self._things(self.kind, value)]

    def _value(self, sent: object) -> Value:
        things = _list(sent, f"{self.name} are a list of {self.form}")
        made = [
            self._known[drawn] if (drawn := plain(thing)) in self._known else self._made(_list(thing, self._wanted))
            for thing in things
        ]
        return tuple(dict.fromkeys(made))

    @property
    def _wanted(self) -> str:
        return f"{self.form} was expected"

    @cached_property
    def _known(self) -> Mapping[Value, Value]:
        """The things that annotators gave, by how they are drawn."""
        made: dict[Value, Value] = {}
        for value in self.answers:
            if isinstance(begun := self.begun(value), list):
                made |= zip(map(plain, begun), self._things(self.kind, value), strict=True)
        return made


class SpansEditor(ThingsEditor):
    """Spans in a text, edited in UTF-16 units of it."""

    name, form = "spans", "[begin, end, label]"

    def _begun(self, value: Any) -> Json:
        try:
            return super()._begun(value)
        except OutsideTextError:
            return None

    @cached_property
    def _place(self) -> Callable[..., tuple[int | float, int | float]]:
        return place_in(self._text)

    @cached_property
    def _back(self) -> Callable[[int, int], tuple[int, int]]:
        return _from_utf16(self._text)

    @property
    def _text(self) -> ShownText:
        if self.shown is None:
            raise KindError("the text in which spans lie is not known; choose an answer whole")
        return self.shown

    def _drawn(self, thing: Any) -> list[Json]:
        pieces: list[Json] = [[*self._place(*piece)] for piece in pieces_of(thing)]
        return _with_pieces(pieces, self._number(label_of(thing)))

    def _made(self, sent: list[Any]) -> Value:
        if len(sent) != 3 or not all(type(part) is int for part in sent):
            raise KindError(f"a span is [begin, end, label], three whole numbers, got {str(sent)!r:.60}")
        return (*self._back(*sent[:2]), *self._named(sent[2]))


class UnitsEditor(ThingsEditor):
    """Spans of which no text is known, in the positions of the data."""

    name, form = "units", "[begin, end, label]"

    def _drawn(self, thing: Any) -> list[Json]:
        return _with_pieces([[*piece] for piece in pieces_of(thing)], self._number(label_of(thing)))

    def _made(self, sent: list[Any]) -> Value:
        begin, end, label = _entries(sent, 3, self._wanted)
        return (*_numbers((begin, end)), *self._named(label))


class BoxesEditor(ThingsEditor):
    """Boxes in an image."""

    name, form = "boxes", "[x0, y0, x1, y1, label]"

    @staticmethod
    def _label_of(thing: Any) -> Value:
        label: Value = (*thing, None)[4]
        return label

    def _drawn(self, thing: Any) -> list[Json]:
        return [*thing[:4], self._number(self._label_of(thing))]

    def _made(self, sent: list[Any]) -> Value:
        *corners, label = _entries(sent, 5, self._wanted)
        left, top, right, bottom = _numbers(corners)
        if left == right or top == bottom:
            raise KindError(f"the box {corners} has no area; give it a width and a height")
        return (left, top, right, bottom, *self._named(label))


class PolygonsEditor(ThingsEditor):
    """Polygons in an image."""

    name, form = "polygons", "[label, outline, …]"

    @staticmethod
    def _things(kind: Kind, value: Any) -> Sequence[Any]:
        if kind.why_not(value) is not None:
            return ()
        return (value,) if is_figure(value) else value

    @staticmethod
    def _label_of(thing: Any) -> Value:
        return polygon_label(thing)

    def _drawn(self, thing: Any) -> list[Json]:
        outlines: list[Json] = [[side for point in outline for side in point] for outline in outlines_of(thing)]
        return [self._number(polygon_label(thing)), *outlines]

    def _made(self, sent: list[Any]) -> Value:
        label, *outlines = sent or [NO_LABEL]
        made = [self._outline(outline) for outline in outlines]
        points: Value = made[0] if len(made) == 1 else tuple(made)
        named = self._named(label)
        polygon: Value = plain({"points": points} | ({"label": named[0]} if named else {}))
        return points if len(made) == 1 and not named else polygon

    @staticmethod
    def _outline(sent: object) -> tuple[tuple[float, ...], ...]:
        sides = _numbers(_list(sent, "an outline is a list of numbers, x, y, x, y, …"))
        points = (*zip(sides[::2], sides[1::2], strict=False),)
        if len(sides) % 2 or len({*points}) < 3:
            raise KindError(f"an outline has at least three points, each with x and y, got {len(sides)} numbers")
        return points


class BoundariesEditor(Editor):
    """The boundaries of a document that was cut into segments."""

    name = "boundaries"
    parts = True
    _wanted = "boundaries are a list of a length and of [place, type]"

    @classmethod
    def labels(cls, values: Values) -> Iterable[Value]:
        packed = values.kind.packed([value for value in values.all if values.kind.why_not(value) is None])
        return [kind for kind in packed.types if kind is not None]

    def _begun(self, value: Any) -> Json:
        packed = self.kind.packed([value])
        types = [self._number(packed.types[code]) for code in packed.type.tolist()]
        boundaries: list[Json] = [[place, kind] for place, kind in zip(packed.at.tolist(), types, strict=True)]
        return [int(packed.length[0]), *boundaries]

    def agreed(self) -> Json:
        """The boundaries that all set; None where there are none, or documents are not of one length."""
        parts = super().agreed()
        return parts if isinstance(parts, list) and len(parts) > 1 and isinstance(parts[0], int) else None

    def _value(self, sent: object) -> Value:
        length, *boundaries = _list(sent, self._wanted) or [None]
        begun = {json.dumps(parts): value for value in self.answers if isinstance(parts := self.begun(value), list)}
        if type(length) is not int or length not in {json.loads(parts)[0] for parts in begun}:
            raise KindError(f"a document is as long as some annotator says, got {str(length)!r:.40}")
        by_type: dict[Value, list[int]] = {}
        for boundary in boundaries:
            place, kind = _entries(boundary, 2, self._wanted)
            if type(place) is not int or not 0 < place < length:
                raise KindError(f"a boundary comes after one of the units 1 to {length - 1}, got {str(place)!r:.40}")
            by_type.setdefault(next(iter(self._named(kind)), None), []).append(place)
        if None in by_type and len(by_type) > 1:
            raise KindError("some boundaries have a type and some have none; give one to each, or to none")
        same = json.dumps([length, *sorted(boundaries)])
        if same in begun:
            return begun[same]
        return self._written(length, by_type)

    def _written(self, length: int, by_type: Mapping[Value, list[int]]) -> Value:
        """Boundaries as annotators of the item write them: as lengths of segments, or as an object."""
        untyped = sorted(by_type.get(None, ()))
        parts = [part for value in self.answers if isinstance(value, tuple) for part in value]
        value: Value
        if by_type and not untyped:
            places = {str(kind): sorted(places) for kind, places in by_type.items()}
            value = plain({"boundaries": places, "length": length})
        elif all(isinstance(part, int | float) for part in parts):
            value = (*(high - low for low, high in pairwise([0, *untyped, length])),)
        else:
            value = plain({"boundaries": untyped, "length": length})
        return value


EDITORS: Mapping[str, type[Editor]] = {
    "labels": LabelEditor,
    "ordered": LabelEditor,
    "sets": SetEditor,
    "numbers": NumberEditor,
    "text": TextEditor,
    "rankings": RankingEditor,
    "spans": SpansEditor,  # or units, where no text is known
    "segments": BoundariesEditor,
    "boxes": BoxesEditor,
    "polygons": PolygonsEditor,
}


def _distinct(labels: Iterable[Value]) -> list[Value]:
    return [*{key(label): label for label in labels}.values()]


def _list(sent: object, wanted: str) -> list[Any]:
    if not isinstance(sent, list):
        raise KindError(f"{wanted}, got {str(sent)!r:.60}")
    return sent


def _entries(sent: object, count: int, wanted: str) -> list[Any]:
    entries = _list(sent, wanted)
    if len(entries) != count:
        raise KindError(f"{wanted}, got {str(sent)!r:.60}")
    return entries


def _numbers(sent: Iterable[object]) -> tuple[float, ...]:
    made = []
    for number in sent:
        if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) < FAR:
            raise KindError(f"a position is a number, got {str(number)!r:.40}")
        made.append(number)
    return (*made,)


def _with_pieces(pieces: list[Json], label: int) -> list[Json]:
    """A span as [begin, end, label], with its pieces where there are several."""
    edges: list[Any] = [*pieces]
    whole: list[Json] = [edges[0][0], edges[-1][1], label]
    return [*whole, pieces] if len(pieces) > 1 else whole


def _from_utf16(shown: ShownText) -> Callable[[int, int], tuple[int, int]]:
    """From where to where a stretch of what is shown lies in the positions of the study."""
    units = points_to_utf16(shown.shown)
    length = len(shown.shown) if units is None else int(units[-1])

    def place(begin: int, end: int) -> tuple[int, int]:
        if not 0 <= begin < end <= length:
            raise KindError(f"a span from {begin} to {end} does not lie in a text of {length:,} units")
        if units is not None:
            points = np.searchsorted(units, [begin, end])
            if units[points].tolist() != [begin, end]:
                raise KindError(f"a span from {begin} to {end} cuts a character in two")
            begin, end = points.tolist()
        if shown.tokens is None:
            return begin, end
        inside = np.flatnonzero((shown.tokens[:, 0] < end) & (shown.tokens[:, 1] > begin))
        if not len(inside):
            raise KindError("a span marks no token, and spans of this study are of whole tokens")
        return int(inside[0]), int(inside[-1]) + 1

    return place
