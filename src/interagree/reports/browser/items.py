"""The items of a question as a page takes them, converted one by one until there are enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePath

import numpy as np

from interagree.arrays import Array, Indices
from interagree.data import Annotations, Study
from interagree.data.images import IntoImages
from interagree.data.privacy import WHERE, without_text
from interagree.data.types import Json, Value
from interagree.documents.texts import Documents
from interagree.documents.tokens import words
from interagree.errors import DataError
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.gather.offsets import points_to_utf16
from interagree.kinds._views import Drawing, Number, without_halves
from interagree.people.adjudication import TYPES, QueuedItems, Ranking
from interagree.people.texts import text_column, worded
from interagree.reports.browser.fitting import FEW, size_of, the_first
from interagree.reports.browser.images import Images, size_columns
from interagree.reports.object_types import TYPES as OBJECT_TYPES
from interagree.reports.object_types import object_types
from interagree.reports.parts import Part
from interagree.results.agreement import Agreement
from interagree.results.chance import chance_of
from interagree.spans.shown_text import ShownText
from interagree.tables import cell, finite

SCHEMA = 1
MOST = 20_000  # items that a page could ever have room for
SCALE = 1_000  # labels in order that are all listed, also those that nobody gave
IN_TEXT = ("marks", "relations")  # views whose positions lie in a text
# Types of disagreement about objects in images, in words.
DIFFERENCES = {
    "alone": "not drawn by all",
    "place": "other place",
    "label": "other label",
    "both": "other place and label",
}


class OutsideTextError(Exception):
    """A position does not lie in the text of its item."""


class DisputedItems:
    """The items of one question on which annotators differ, those worth most first."""

    def __init__(self, part: Part, ranking: Ranking, chosen: QueuedItems, *, texts: bool, images: Images) -> None:
        self.part = part
        self.ranking = ranking
        self.chosen = chosen
        self.study = ranking.rest.study
        self.kind = self.study.kind
        self.notes = ranking.rest.notes
        self.texts = texts
        self.made: list[dict[str, Json]] = []  # the first items, as many as were asked for
        self.ids: set[str] = set()
        in_order = self.kind == "ordered" and len(self.study.values) <= SCALE
        self.drawing = Drawing(self.study.values if in_order else ())
        self.rows = ranking.rows_of(chosen.codes)
        self.size = 0  # bytes of the items made so far
        self.images = images
        self.sides = size_columns(self.study)
        self._chance = _against_chance(part.lead)

    @classmethod
    def of(
        cls, part: Part, *, texts: bool, images: IntoImages = False, beside: Path | None = None, most: int | None = None
    ) -> DisputedItems | None:
        """The items of a question, no more than so many; None where nobody differs, or nobody knows who said what."""
        ranking = _ranking(part, texts=texts)
        chosen = None if ranking is None else ranking.chosen(most)
        if ranking is None or chosen is None or not len(chosen.codes):
            return None
        return cls(part, ranking, chosen, texts=texts, images=Images(ranking.rest.study, images, beside))

    @classmethod
    def of_agreed(
        cls,
        part: Part,
        differing: DisputedItems | None,
        draw: Callable[[Annotations, Indices], Indices],
        *,
        images: IntoImages = False,
    ) -> DisputedItems:
        """Some of the items on which all agree who answered them, of at least two.

        Args:
            part: The question, of which it is known who said what.
            differing: The other items, where there are any.
            draw: Gives those that are drawn of the codes of all.
            images: Where pictures are, if they are shown.
        """
        ranking = _ranking(part, texts=True) if differing is None else differing.ranking
        assert ranking is not None  # noqa: S101 -- the caller asks for annotators
        chosen = ranking.chosen(None) if differing is None else differing.chosen
        agreed = np.setdiff1d(np.flatnonzero(ranking.rest.size > 1), chosen.codes, assume_unique=True)
        drawn = chosen._replace(codes=draw(ranking.rest.study, agreed), differing=0, compared=len(agreed))
        return cls(part, ranking, drawn, texts=True, images=Images(ranking.rest.study, images, None))

    @property
    def total(self) -> int:
        """How many items there are with disagreement."""
        return self.chosen.differing

    def complete_within(self, limit: int) -> bool:
        """Whether all items take up no more than so many bytes; a few are made in any case, and no more than needed."""
        while len(self.made) < len(self.rows) and (self.size <= limit or len(self.made) < FEW):
            item = self.item(len(self.made))
            self.made.append(item)
            self.size += size_of(item) + 1
        return len(self.made) == len(self.rows) and self.size <= limit and size_of(self.data()) <= limit

    def data(self) -> dict[str, Json]:
        """What was made so far, as the page takes it."""
        shown, total = len(self.made), self.total
        counts: dict[str, Json] = {"total": total, "shown": shown, "why": the_first(shown, total)}
        return {**self.about(self.made), **counts, "items": [*self.made]}

    def about(self, items: Sequence[dict[str, Json]]) -> dict[str, Json]:
        """What is said once of some items that were made."""
        view = self.kind.view if self.kind.drawn is not None else "plain"
        if view == "marks" and not any(item.get("text") for item in items):
            view = "timeline"
        return {
            "schema": SCHEMA,
            "question": self.part.name,
            "kind": self.kind.name,
            "view": view,
            "distance": self.ranking.rest.distance.name,
            "annotators": [without_halves(str(name)) for name in self.study.annotators],
            "labels": [*self.drawing.names],
            "types": [*TYPES],
            **({} if self._differences is None else {"differences": [*DIFFERENCES.values()]}),
        }

    def item(self, place: int) -> dict[str, Json]:
        """The item at a place of the ranking."""
        code, rows = int(self.chosen.codes[place]), self.rows[place]
        columns = self.chosen.columns
        text, self.drawing.place = self._text(code, rows[0])
        self.drawing.size = None
        try:
            answers, suggested = self._values(code, rows, text)
        except OutsideTextError:
            text = self.drawing.place = None
            answers, suggested = self._values(code, rows, text)
        name = self.study.items[code]
        item: dict[str, Json] = {
            "id": self._id(name),
            "type": TYPES.index(str(columns["type"][code])),
            "worth": _short(float(columns["worth"][code])),
            "disagreement": self._chance(self.part.study.items[code]),  # whose names may be hidden in the other study
            "suggested": suggested,
            "answers": answers,
        }
        known: dict[str, Json] = {
            "text": None if text is None else without_halves(text),
            "tokens": self._tokens(rows, text) if self.kind.view == "arcs" else None,
            "where": self._where(rows),
            "size": self._size(rows[0]),
            "image": self.images.of(code, rows[0]),
            "differences": None if self._differences is None else [*self._differences.get(name, ())],
        }
        return item | {name: entry for name, entry in known.items() if entry is not None}

    def _values(self, code: int, rows: Sequence[int], text: str | None) -> tuple[list[Json], Json]:
        """Who said what, and what is suggested."""
        who, value = self.study.annotator, self.study.value
        answers: list[Json] = [[int(who[row]), self._drawn(self.study.values[int(value[row])], text)] for row in rows]
        suggested = self.ranking.suggested(code, self.chosen.columns)
        return answers, None if suggested is None else self._drawn(suggested, text)

    def _drawn(self, value: Value, text: str | None) -> Json:
        if self.kind.drawn is None or self.kind.why_not(value) is not None:
            return without_halves(worded(value, self.kind, text))
        return self.kind.drawn(value, self.drawing)

    @cached_property
    def _differences(self) -> dict[Value, list[int]] | None:
        """What of `DIFFERENCES` each item has, as places there; None where values are not objects in images."""
        if self.kind.object_labels is None:
            return None
        types, names = object_types(self.study), [*DIFFERENCES]
        return {
            item: sorted(names.index(OBJECT_TYPES[kind]) for kind in kinds)
            for item, kinds in zip(types.study.items, types.of_items(), strict=True)
        }

    @cached_property
    def _documents(self) -> Documents | None:
        try:
            return Documents.of(self.study)
        except DataError:  # one document is said to have two texts
            return None

    @cached_property
    def _text_column(self) -> Array | None:
        name = text_column(self.study)
        return None if name is None else self.study.attributes[name]

    def _text(self, code: int, row: int) -> tuple[str | None, Callable[[Number, Number], tuple[Number, Number]] | None]:
        """The text of an item, and where positions lie in it, in UTF-16 units."""
        if not self.texts:
            return None, None
        if self.kind.view not in IN_TEXT:
            text = None if self._text_column is None else self._text_column[row]
            return (text if isinstance(text, str) and text.strip() else None), None
        shown = self.shown_text(code)
        return (None, None) if shown is None else (shown.shown, place_in(shown))

    def shown_text(self, code: int) -> ShownText | None:
        """The text in which the positions of an item lie."""
        return None if self._documents is None else ShownText.in_text(self._documents, code, ())

    def _tokens(self, rows: Sequence[int], text: str | None) -> list[Json] | None:
        """The words of a sentence, if it can be cut into as many as have a head."""
        if text is None:
            return None
        length = len(self.study.values[int(self.study.value[rows[0]])])
        for cut in (text.split(), [text[begin:end] for begin, end in words(text)]):
            if len(cut) == length:
                return [*map(without_halves, cut)]
        return None

    def _id(self, name: object) -> str:
        """What an item is called on the page; no two are called alike, also where one is the number 2 and one '2'."""
        written = name if isinstance(name, str) else repr(name) if isinstance(name, float) else cell(name)
        named = without_halves(written)
        if named in self.ids:
            named = f"{without_halves(repr(name))} ({'text' if isinstance(name, str) else type(name).__name__})"
        self.ids.add(named)
        return named

    def _where(self, rows: Sequence[int]) -> str | None:
        """The place in a file that an item comes from, without the folder; a file may be called after somebody."""
        places = self.study.attributes.get(WHERE)
        if not self.texts or places is None or places[rows[0]] is None:
            return None
        file, comma, place = str(places[rows[0]]).partition(", ")
        return without_halves(f"{PurePath(file).name}{comma}{place}")

    def _size(self, row: int) -> list[Json] | None:
        if self.drawing.size is not None:
            return [*self.drawing.size]
        sides = [finite(_number(self.study.attributes[name][row])) for name in self.sides]
        return [*sides] if len(sides) == 2 and all(side is not None and side > 0 for side in sides) else None


def _ranking(part: Part, *, texts: bool) -> Ranking | None:
    """What is known of every item of a question; None where nobody knows who said what."""
    study = part.study
    if study.anonymous or not len(study):
        return None
    if not texts:
        try:
            study = without_text(Study({"": study}))[""]
        except DataError:  # the answers are texts themselves
            return None
    lead = part.lead
    asked = None if lead is None else part.choices[part.results.index(lead)].options.get("distance")
    return Ranking(LeaveOneOut.of(study, asked, "a list of disagreements"), None)


def place_in(shown: ShownText) -> Callable[[Number, Number], tuple[Number, Number]]:
    """Where positions lie in a text, in UTF-16 units."""
    units = points_to_utf16(shown.shown)
    end_of_text = len(shown.shown) if shown.tokens is None else len(shown.tokens)

    def place(begin: Number, end: Number) -> tuple[Number, Number]:
        if not 0 <= begin < end <= end_of_text or begin != int(begin) or end != int(end):
            raise OutsideTextError
        low, high = shown.at((begin, end))
        return (low, high) if units is None else (int(units[low]), int(units[high]))

    return place


def _against_chance(lead: Agreement | None) -> Callable[[Value], float | None]:
    """The disagreement of an item over the expected one."""
    if lead is None or lead.undefined or not lead.disagreement.expected:
        return lambda _: None
    table = lead.by_item()
    if "disagreement" not in table.columns:
        return lambda _: None
    expected = chance_of(lead) or float(lead.disagreement.expected)
    known: Mapping[Value, float] = dict(zip(table["item"], table["disagreement"], strict=True))

    def relative(name: Value) -> float | None:
        far = known.get(name)
        return None if far is None or math.isnan(far) else _short(far / expected)

    return relative


def _short(number: float) -> float | None:
    return None if not math.isfinite(number) else float(f"{number:.4g}")


def _number(entry: object) -> float | None:
    return float(entry) if isinstance(entry, int | float) else None
