"""Values that were edited on the page, and values as they are stored.

A value is stored as JSON, as the library writes it: a set as a list, a span as [start, end, label] by code points or
tokens.  What the page sends is checked as what a file holds is: a value that is not of the kind is refused.

| editor | what the page sends                                                                               |
|--------|---------------------------------------------------------------------------------------------------|
| label  | the number of a label                                                                             |
| set    | numbers of labels                                                                                 |
| number | a number                                                                                          |
| text   | a string                                                                                          |
| spans  | [begin, end, label] for each span, in UTF-16 units of the text that is shown; -1 for no label     |

A span that an annotator gave and nobody touched is sent as it was shown, with its pieces as a fourth entry where it has
several, and becomes what the annotator gave.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from interagree.data import Annotations
from interagree.data.types import Json, Value
from interagree.data.values import plain
from interagree.errors import KindError
from interagree.gather.offsets import points_to_utf16
from interagree.kinds import Kind
from interagree.kinds._merging import Matching
from interagree.kinds.spans import label as label_of
from interagree.kinds.spans import pieces as pieces_of
from interagree.people.decisions import listed
from interagree.reports.browser.items import OutsideTextError, place_in
from interagree.spans.shown_text import ShownText
from interagree.tables import plain as for_json

EDITORS = {"labels": "label", "ordered": "label", "sets": "set", "numbers": "number", "text": "text", "spans": "spans"}
MOST = 2_000  # labels that an editor offers
LONGEST = 1_000_000  # letters of a text


def stored(value: Value) -> str:
    """A value as JSON, in which every letter can be written."""
    return json.dumps(for_json(value), default=str)


class Values:
    """The values of a question, as they are stored and as they are edited."""

    def __init__(self, study: Annotations) -> None:
        self.kind: Kind = study.kind
        self._given: dict[str, Value] = {stored(value): value for value in study.values}
        self.options: list[Value] = [*self._options(study)]
        self.editor = EDITORS.get(self.kind.name) if len(self.options) <= MOST else None

    def _options(self, study: Annotations) -> Iterable[Value]:
        editor = EDITORS.get(self.kind.name)
        if editor == "label":
            return study.values
        if editor == "set":
            return dict.fromkeys(label for value in study.values for label in listed(value))
        if editor == "spans":
            named = dict.fromkeys(label_of(span) for value in study.values for span in self._spans_of(value))
            return (name for name in named if name is not None)
        return ()

    def _spans_of(self, value: Value) -> Sequence[Any]:
        return self.kind.merge.objects(value) if isinstance(self.kind.merge, Matching) else ()

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

    # -- there and back -------------------------------------------------------------------------------------------

    def for_editor(self, value: Value, shown: ShownText | None) -> Json:
        """A value as an editor begins with it; None where it cannot be edited."""
        if self.editor is None or self.kind.why_not(value) is not None:
            return None
        if self.editor == "label":
            return self.options.index(value)
        if self.editor == "set":
            return [self.options.index(label) for label in listed(value)]
        if self.editor == "spans":
            try:
                return None if shown is None else [drawn for drawn, _ in self.drawn(value, shown)]
            except OutsideTextError:
                return None
        made: Any = value
        return str(made) if self.editor == "text" else float(made)

    def drawn(self, value: Value, shown: ShownText) -> list[tuple[list[Json], Value]]:
        """The spans of a value as they are drawn, each with what was given."""
        place, made = place_in(shown), []
        for span in self._spans_of(value):
            pieces = [[*place(*piece)] for piece in pieces_of(span)]
            name = label_of(span)
            drawn: list[Any] = [pieces[0][0], pieces[-1][1], -1 if name is None else self.options.index(name)]
            made.append(([*drawn, pieces] if len(pieces) > 1 else drawn, span))
        return made

    def edited(self, sent: object, shown: ShownText | None, answers: Iterable[Value]) -> Value:
        """A value that was edited on the page, or an error that says what is wrong with it.

        Args:
            sent: What the page sent.
            shown: The text in which spans lie.
            answers: What the annotators gave.
        """
        if self.editor is None:
            raise KindError(f"{self.kind.title} are not edited here; choose an answer whole")
        if self.editor == "spans":
            value: Value = self._edited_spans(sent, shown, answers)
        else:
            value = _TAKEN[self.editor](self, sent)
        reason = self.kind.why_not(value)
        if reason is not None:
            raise KindError(f"{self.kind.title} were expected, each {self.kind.form}; {reason}")
        return value

    def _label(self, sent: object) -> Value:
        if not isinstance(sent, int) or isinstance(sent, bool) or not 0 <= sent < len(self.options):
            raise KindError(f"a label is its number, from 0 to {len(self.options) - 1}, got {str(sent)!r:.40}")
        label: Value = self.options[sent]
        return label

    def _set(self, sent: object) -> Value:
        if not isinstance(sent, list):
            raise KindError(f"a set is a list of numbers of labels, got {str(sent)!r:.40}")
        return frozenset(map(self._label, sent))

    def _number(self, sent: object) -> Value:
        if isinstance(sent, bool) or not isinstance(sent, int | float) or not math.isfinite(sent):
            raise KindError(f"a number was expected, got {str(sent)!r:.40}")
        return sent

    def _text(self, sent: object) -> Value:
        if not isinstance(sent, str) or not sent.strip() or len(sent) > LONGEST:
            raise KindError(f"a text was expected, of at least one letter and at most {LONGEST:,}")
        return sent

    def _edited_spans(self, sent: object, shown: ShownText | None, answers: Iterable[Value]) -> Value:
        if shown is None:
            raise KindError("the text in which spans lie is not known; choose an answer whole")
        if not isinstance(sent, list):
            raise KindError(f"spans are a list of [begin, end, label], got {str(sent)!r:.40}")
        known = {json.dumps(drawn): span for value in answers for drawn, span in self.drawn(value, shown)}
        place = _from_utf16(shown)
        made: list[Value] = []
        for span in sent:
            if json.dumps(span) in known:
                made.append(known[json.dumps(span)])
                continue
            if not isinstance(span, list) or len(span) != 3 or not all(type(part) is int for part in span):
                raise KindError(f"a span is [begin, end, label], three whole numbers, got {str(span)!r:.60}")
            begin, end, label = span
            made.append((*place(begin, end), *([] if label == -1 else [self._label(label)])))
        return tuple(dict.fromkeys(made))


_TAKEN: Mapping[str, Callable[[Values, object], Value]] = {
    "label": Values._label,  # noqa: SLF001 -- of this module
    "set": Values._set,  # noqa: SLF001
    "number": Values._number,  # noqa: SLF001
    "text": Values._text,  # noqa: SLF001
}


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
