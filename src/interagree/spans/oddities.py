"""Spans surveyed before they are measured: who marked how much with which label, and what is odd about it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int32s
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.documents.texts import PUNCTUATION, Documents
from interagree.errors import Advice, InteragreeError, Wording, listing
from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Spans
from interagree.tables import Table

FEW = 8  # annotators that get a column each
LABELS = 20  # labels that get a row each
ALIKE = 0.75  # how alike two labels are, of which one may be the other misspelt
RARER = 20  # … and so many times as rare, or given once
OFTEN = 4  # … beside one that was given as often as this

REMOVED = Wording(", and interagree.spans.trimmed removes it", "")  # which no command does
CUT_OFF = Wording("; else interagree.spans.trimmed(study, 'punctuation')", "")

Odd = tuple[str, str]  # what was found, and what to do about it


@dataclass(frozen=True, slots=True)
class SpanSurvey:
    """All spans of all annotations, end to end, with what is known of their documents."""

    study: Annotations
    spans: Spans
    row: Indices  # the annotation that each belongs to
    place: Indices  # which of the spans of the distinct values each is
    documents: Documents | None
    contradiction: str = ""  # what is wrong with the documents, where there are none

    @classmethod
    def of(cls, study: Annotations) -> SpanSurvey:
        """The spans of a study; an error where its values are not spans."""
        spans: Spans = study.packed("spans", who="doctor")
        row, place = ragged(spans.start[study.value], np.diff(spans.start)[study.value])
        try:
            return cls(study, spans, row, place, Documents.of(study))
        except InteragreeError as error:
            return cls(study, spans, row, place, None, str(error))

    @property
    def begin(self) -> Floats:
        """Where each span begins."""
        return self.spans.begin[self.place]

    @property
    def end(self) -> Floats:
        """Where each span ends."""
        return self.spans.end[self.place]

    @property
    def label(self) -> Int32s:
        """The number of the label of each span."""
        return self.spans.label[self.place]

    @property
    def several(self) -> Booleans:
        """Which spans are in several pieces."""
        if self.spans.pieces is None:
            return np.zeros(len(self.row), dtype=bool)
        several: Booleans = np.diff(self.spans.pieces.start)[self.place] > 1
        return several

    @property
    def used(self) -> dict[str | None, int]:
        """The labels with how often each was given, the most common first."""
        count = np.bincount(self.label, minlength=len(self.spans.names)).tolist()
        used = {name: times for name, times in zip(self.spans.names, count, strict=True) if times}
        return dict(sorted(used.items(), key=lambda entry: (-entry[1], entry[0] or "")))

    def describe(self, at: int) -> str:
        """One span in words."""
        begin, end, row = self.begin[at], self.end[at], int(self.row[at])
        name = self.spans.names[int(self.label[at])]
        who = "" if self.study.anonymous else f" by {self.study.annotators[int(self.study.annotator[row])]!r}"
        label = "" if name is None else f" {name}"
        return f"{begin:g}–{end:g}{label} in {self.study.items[int(self.study.item[row])]!r}{who}"

    def sentence(self) -> str:
        """How many spans there are, with which labels, and what their positions count."""
        named = [(name, times) for name, times in self.used.items() if name is not None]
        shown = ", ".join(f"{name!r} ({times:,})" for name, times in named[:LABELS])
        more = f", … ({len(named):,} in all)" if len(named) > LABELS else ""
        labels = f"; {counted(len(named), 'label')}: {shown}{more}" if named else "; none has a label"
        return f"{counted(len(self.row), 'span')} in {counted(len(self.study), 'annotation')}{labels}"

    def positions(self) -> str:
        """What positions count, and of how many documents the text is known."""
        if self.documents is None:
            return "the texts of the documents cannot be used; see below"
        texts = sum(text is not None for text in self.documents.texts)
        counting = self.documents.positions
        what = f"positions count {counting}" if counting else "nothing says what positions count"
        items = counted(len(self.study.items), "document")
        return f"{what}; the text of {texts:,} of {items} is known" if texts else f"{what}; no text is known"

    def by_annotator(self) -> Table:
        """How much everybody marked."""
        people = len(self.study.annotators)
        who = self.study.annotator
        given = np.bincount(who, minlength=people)
        size = np.diff(self.spans.start)[self.study.value]
        marked = np.bincount(who, weights=size, minlength=people).astype(np.int64)
        return Table(
            {
                "annotator": list(self.study.annotators),
                "annotations": given.tolist(),
                "nothing marked": np.bincount(who[size == 0], minlength=people).tolist(),
                "spans": marked.tolist(),
                "spans each": (marked / np.maximum(given, 1)).tolist(),
                "median length": [self._median(code) for code in range(people)],
            }
        )

    def summary(self) -> list[str]:
        """How much annotators marked, in a sentence, where they are known."""
        if self.study.anonymous:
            return []
        given = np.bincount(self.study.annotator)
        each = (np.bincount(self.study.annotator[self.row], minlength=len(given)) / np.maximum(given, 1))[given > 0]
        low, middle, high = each.min(), np.median(each), each.max()
        return [f"They marked {low:.1f} to {high:.1f} spans in a document on average (median {middle:.1f})."]

    def _median(self, annotator: int) -> float | None:
        mine = self.study.annotator[self.row] == annotator
        return float(np.median((self.end - self.begin)[mine])) if mine.any() else None

    def by_label(self) -> Table:
        """How often each label was given, and by whom where annotators are few."""
        study = self.study
        shown = list(self.used.items())[:LABELS]
        columns: dict[str, list[object]] = {
            "label": ["(none)" if name is None else name for name, _ in shown],
            "spans": [times for _, times in shown],
        }
        code = {name: number for number, name in enumerate(self.spans.names)}
        if not study.anonymous and len(study.annotators) <= FEW:
            labels, who = self.label, study.annotator[self.row]
            for number, name in enumerate(study.annotators):
                count = np.bincount(labels[who == number], minlength=len(code))
                columns[f"by {name}" if str(name) in columns else str(name)] = [
                    int(count[code[label]]) for label, _ in shown
                ]
        more = len(self.used) - len(shown)
        return Table(columns, foot=f"… and {counted(more, 'further label')}" if more > 0 else "")

    def odd(self) -> list[Odd]:
        """Everything that is odd about the spans."""
        if not len(self.row):
            return [("nobody marked anything", "look at the column that was taken as the value")]
        return [*self._odd_labels(), *self._odd_places(), *self._odd_overlaps(), *self._odd_documents()]

    def _odd_labels(self) -> Iterator[Odd]:
        used = self.used
        if None in used and len(used) > 1:
            yield f"{counted(used[None], 'span')} without a label beside others with one", ""
        names = {name: times for name, times in used.items() if name is not None}
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(re.sub(r"[\s_-]+", "", name).casefold(), []).append(name)
        alike = [group for group in groups.values() if len(group) > 1]
        for group in alike[:3]:
            yield f"the labels {listing(group, most=5)} differ only in case or spaces", "write them alike"
        known = {name for group in alike for name in group}
        for name, times in names.items():
            near = misspelt(name, times, names)
            if near is not None and name not in known:
                count = "once" if times == 1 else f"{times:,} times"
                finding = f"the label {name!r} was given {count} and looks like {near!r} ({names[near]:,} times)"
                yield finding, "look for a typing error"

    def _odd_places(self) -> Iterator[Odd]:
        below = self.begin < 0
        if below.any():
            finding = f"{counted(int(below.sum()), 'span')} {_begins(below)} before 0"
            yield self._odd(finding, below, "positions count from 0 up; look at how they were made")
        if self.documents is None:
            what, _, advice = self.contradiction.partition("; ")
            yield what, advice
            return
        length = [self.documents.length(code) for code in range(len(self.study.items))]
        ends = np.array([np.inf if size is None else size for size in length], dtype=np.float64)
        beyond = self.end > ends[self.study.item[self.row]]
        if beyond.any():
            what = "tokens" if self.documents.positions == "tokens" else "text"
            finding = f"{counted(int(beyond.sum()), 'span')} {_ends(beyond)} after the end of the {what}"
            yield self._odd(finding, beyond, "they may belong to another text, or count bytes instead of characters")
        yield from self._odd_ends(below | beyond)

    def _odd_ends(self, outside: Booleans) -> Iterator[Odd]:
        documents = self.documents
        if documents is None or documents.positions != "characters":
            return
        space, stop = (np.zeros(len(self.row), dtype=bool) for _ in range(2))
        looked_at = 0
        items = self.study.item[self.row].tolist()
        edges = zip(items, self.begin.tolist(), self.end.tolist(), outside.tolist(), strict=True)
        for at, (item, begin, end, out) in enumerate(edges):
            text = documents.text(item)
            if text is None or out or begin % 1 or end % 1:
                continue
            first, last = text[int(begin)], text[int(end) - 1]
            space[at], stop[at] = first.isspace() or last.isspace(), last in PUNCTUATION
            looked_at += 1
        if space.any():
            finding = f"{_share(space, looked_at)} {_begins(space)} or {_ends(space)} with whitespace"
            yield self._odd(finding, space, Advice.of("interagree spans shows what F1 is without it", REMOVED))
        if stop.any():
            finding = f"{_share(stop, looked_at)} {_ends(stop)} with one of {PUNCTUATION}"
            yield self._odd(finding, stop, Advice.of("fine for abbreviations and sentences", CUT_OFF))

    def _odd_overlaps(self) -> Iterator[Odd]:
        again = self._again()
        if again.any():
            verb = "occurs" if again.sum() == 1 else "occur"
            finding = f"{counted(int(again.sum()), 'span')} {verb} twice in one list"
            yield self._odd(finding, again, "remove the repeats")
        nested, crossing = self._meeting(~again)
        if nested.any() or crossing.any():
            both = nested | crossing
            parts = [
                f"{int(flags.sum()):,} {word}"
                for flags, word in ((nested, "nested"), (crossing, "crossing"))
                if flags.any()
            ]
            meet = f"{counted(int(both.sum()), 'span')} {'overlaps' if both.sum() == 1 else 'overlap'}"
            finding = f"{meet} another of the same annotator ({', '.join(parts)}), {self._by_annotator(both)}"
            finding += f"such as {self._such(both)}"
            advice = "u_alpha and tags such as BIO do not allow that; span_f1, gamma and tags by label do"
            yield finding, advice
        several = self.several
        if several.any():
            finding = f"{counted(int(several.sum()), 'span')} {'is' if several.sum() == 1 else 'are'} in several pieces"
            advice = "gamma and distances take such a span from its first to its last position"
            yield self._odd(finding, several, advice)

    def _odd_documents(self) -> Iterator[Odd]:
        seen = np.bincount(self.study.item, minlength=len(self.study.items)) > 0
        seen[self.study.item[self.row]] = False
        empty = np.flatnonzero(seen).tolist()
        if empty:
            names = listing([self.study.items[code] for code in empty], most=3)
            finding = f"nobody marked anything in {counted(len(empty), 'document')}: {names}"
            yield finding, "that says nothing in F1, and is agreement in u_alpha and on tokens"

    def _odd(self, finding: str, which: Booleans, advice: str) -> Odd:
        return f"{finding}, such as {self._such(which)}", advice

    def _such(self, which: Booleans) -> str:
        return self.describe(int(np.argmax(which)))

    def _by_annotator(self, which: Booleans) -> str:
        """How many of some spans each annotator marked, where annotators are few."""
        if self.study.anonymous or len(self.study.annotators) > FEW:
            return ""
        count = np.bincount(self.study.annotator[self.row[which]], minlength=len(self.study.annotators)).tolist()
        shown = [f"{who} {times:,}" for who, times in zip(self.study.annotators, count, strict=True) if times]
        return f"by {', '.join(shown)}, "

    def _again(self) -> Booleans:
        """Spans that an annotator listed before, with the same label and the same single piece."""
        order = np.lexsort((self.label, self.end, self.begin, self.row))
        same = np.ones(len(order), dtype=bool)
        for part in (self.row, self.begin, self.end, self.label):
            same &= np.diff(part[order], prepend=np.nan) == 0
        repeated = np.zeros(len(order), dtype=bool)
        repeated[order] = same
        return repeated & ~self.several

    def _meeting(self, keep: Booleans) -> tuple[Booleans, Booleans]:
        """Spans that lie within an earlier one of the same annotation, and those that overlap one."""
        parts = self.spans.pieces
        whole = np.flatnonzero(keep & ~self.several)
        owner, begin, end = whole, self.begin[whole], self.end[whole]
        if parts is not None:
            several = np.flatnonzero(keep & self.several)
            which, pieces = ragged(parts.start[self.place[several]], np.diff(parts.start)[self.place[several]])
            owner = np.concatenate([owner, several[which]])
            begin = np.concatenate([begin, parts.begin[pieces]])
            end = np.concatenate([end, parts.end[pieces]])
        nested, crossing = (np.zeros(len(self.row), dtype=bool) for _ in range(2))
        if not len(owner):
            return nested, crossing
        order = np.lexsort((-end, begin, self.row[owner]))
        owner, begin, end = owner[order], begin[order], end[order]
        other = np.diff(self.row[owner], prepend=-1) != 0
        # Ends by rank, each annotation above all before it: the running maximum then starts anew with it.
        ends, rank = np.unique(end, return_inverse=True)
        reach = ends[np.maximum.accumulate(np.cumsum(other) * len(ends) + rank) % len(ends)]
        before = np.r_[-np.inf, reach[:-1]]
        before[other] = -np.inf
        nested[owner[(begin < before) & (end <= before)]] = True
        crossing[owner[(begin < before) & (end > before)]] = True
        return nested & ~crossing, crossing


def misspelt(name: str, times: int, names: dict[str, int]) -> str | None:
    """The far more common label that a rare one looks like; None where there is none."""
    enough = OFTEN if times == 1 else RARER * times
    common = [label for label, often in names.items() if often >= enough]
    near: Sequence[str] = difflib.get_close_matches(
        name.casefold(), [label.casefold() for label in common], n=1, cutoff=ALIKE
    )
    return next((label for label in common if near and label.casefold() == near[0]), None)


def _share(which: Booleans, looked_at: int) -> str:
    return f"{int(which.sum()):,} of {counted(looked_at, 'span')} ({which.sum() / looked_at:.0%})"


def _begins(which: Booleans) -> str:
    return "begins" if which.sum() == 1 else "begin"


def _ends(which: Booleans) -> str:
    return "ends" if which.sum() == 1 else "end"
