"""Everything about the spans of a study: F1 from strict to lenient, kinds of disagreement, and who differs where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Unpack

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Item, Values
from interagree.declare import takes_data
from interagree.documents.texts import Documents
from interagree.errors import DataError
from interagree.results.agreement import Agreement
from interagree.results.answer import Answer
from interagree.results.document import Document, Section, one_per_line
from interagree.results.narrow import narrow
from interagree.spans.attributes import attribute_agreement
from interagree.spans.marked_text import MarkedText, marked_text
from interagree.spans.pairwise import PairwiseF1, pairwise_f1, semeval
from interagree.spans.panel import Panel, span_panel
from interagree.spans.tokens import token_agreement
from interagree.spans.typology import TYPES, Typology, check_types, span_types
from interagree.tables import Table

MATRIX = 8  # annotators that a matrix has room for
WIDE = 90  # letters of their names
PAIRS = 20  # pairs of annotators that are shown otherwise


@dataclass(frozen=True)
class SpanReport(Answer):
    """What there is to say of the spans of a study."""

    study: Annotations
    panel: Panel
    types: Typology
    pairs: PairwiseF1
    gold: Annotator | None = None
    tokens: Table | None = None  # a coefficient of single tokens under each way to make tags of spans
    feature: Agreement | None = None  # of a feature of spans that overlap

    @property
    def undefined(self) -> str | None:
        """Why nothing was compared; None where two annotators looked at some document."""
        return self.types.undefined and (self.pairs.undefined or self.types.undefined)

    def tables(self) -> dict[str, Table]:
        """The panel, the kinds of disagreement, F1 by pair and by label, and the disagreements one by one."""
        tables = {
            "panel": self.panel.table(),
            "types": self.types.counts(),
            "confused labels": self.types.confused(),
            "annotators": self.pairs.by_pair(),
            "labels": self.pairs.by_label(),
            "disagreements": self.types.table(),
        }
        return tables if self.tokens is None else {**tables, "tokens": self.tokens}

    def document(
        self, *, types: Sequence[str] = TYPES[1:], top: int = 10, text: bool = True, every: bool = False
    ) -> Document:
        """The report.

        Args:
            types: The types of disagreement that are listed.
            top: How many disagreements and confused labels are listed.
            text: Whether the text that spans cover is shown.
            every: Whether the tidy table has every disagreement.
        """
        check_types(types)
        hidden = () if text else ("text",)
        why = self.pairs.undefined
        sections = [Section(lines=[self._headline(), *([f"Nothing was compared: {why}."] if why else [])])]
        if not why:
            sections.append(self.panel.section())
        if len(self.types.kind):
            sections += [*self.types.sections(top), *self._annotators()]
            listed = self.types.table(most=top, types=types)
            if len(listed):
                title = f"The first {len(listed)} of {self.types.number(types):,} disagreements"
                shown = narrow(listed.without("begin", "end", *hidden))
                sections.append(Section(title, table=replace(shown, foot="")))
        if self.tokens is not None:
            sections.append(
                Section(self.tokens.title, table=replace(self.tokens, title="", foot=""), foot=(self.tokens.foot,))
            )
        if self.feature is not None:
            title = f"The {self.feature.options['feature']} of spans that overlap (alpha)"
            sections.append(Section(title, lines=[f"{self.feature}"], foot=one_per_line(self.feature.notes)))
        data = {
            "match": self.pairs.match,
            "pairs": len(self.types.marks.first),
            "panel": self.panel.to_dict(),
            "types": self.types.counts(),
            "annotators": self.pairs.by_pair(),
            "labels": self.pairs.by_label(),
        }
        rows = self.types.table(most=None if every else top, types=types)
        return Document("", sections, data, rows.without(*hidden))

    def _headline(self) -> str:
        study = self.study
        positions = Documents.of(study).positions
        return (
            f"{counted(self.types.spans, 'span')} by {counted(len(study.annotators), 'annotator')} in "
            f"{counted(len(study.items), 'document')}{f'; positions count {positions}' if positions else ''}."
        )

    def _annotators(self) -> list[Section]:
        pairs, match = self.pairs, self.pairs.match
        names = [str(name) for name in self.study.annotators]
        few = len(names) <= MATRIX and max(map(len, names)) * (len(names) + 1) <= WIDE
        table, foot = pairs.matrix(), pairs.table().foot
        if not few or self.gold is not None:
            every = pairs.by_pair()
            table = replace(every.sort("agreement").head(PAIRS), foot=every.foot)
            foot += f"; the {PAIRS} pairs of {len(every):,} that agree least" if len(every) > PAIRS else ""
        sections = [Section(f"F1 of annotators ({match})", table=table, foot=(foot,))]
        if self.gold is not None:
            scores = semeval(self.study, gold=self.gold)
            sections.append(Section(f"SemEval-2013 scores against {self.gold}", table=scores))
        return [*sections, Section(f"F1 of labels ({match})", table=pairs.by_label())]


@takes_data
def span_report(
    data: IntoAnnotations,
    *others: Values,
    match: str = "exact",
    gold: Annotator | None = None,
    tokens: str | None = None,
    feature: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> SpanReport:
    """Everything about the spans of a study: strict and lenient F1, kinds of disagreement, who differs and where.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        match: How two spans are compared by annotator and label, as for `span_f1`.
        gold: The annotator whom all others are compared with.
        tokens: Also this coefficient of single tokens, such as "alpha" or "cohen_kappa".
        feature: Also alpha of this feature of spans that overlap, such as "certain"; "label" is their label.

    Returns:
        A `SpanReport`, which prints as the command ``interagree spans`` does.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"),)), ("d", "bo", ((0, 4, "PER"),))]
        >>> report = ia.spans.span_report(ia.Annotations.of(spans, kind="spans"))
        >>> report.tables()["types"].to_dict("number")
        {'boundary': 1}
    """
    study = as_annotations(data)
    return SpanReport(
        study,
        span_panel(study, gold=gold),
        span_types(study, gold=gold),
        pairwise_f1(study, match=match, gold=gold),
        gold,
        None if tokens is None else _of_tokens(study, tokens),
        None if feature is None else attribute_agreement(study, feature),
    )


def text_report(data: IntoAnnotations, document: Item, *, text: bool = True) -> MarkedText:
    """The text of one document with the spans of all annotators, and its disagreements one by one.

    Args:
        data: A study of spans.
        document: Which document, by its name or by what its name is written as.
        text: Whether the text is shown; else positions and labels alone.

    Returns:
        A `MarkedText` that knows the type of each disagreement.
    """
    study = as_annotations(data)
    item = next((name for name in study.items if str(name) == str(document)), document)
    typed = span_types(study)
    disagreements = typed.table(most=None, document=item)
    return replace(
        marked_text(study, item, text=text, status=typed.statuses(item)),
        disagreements=disagreements if text else disagreements.without("text"),
    )


def _of_tokens(study: Annotations, coefficient: str) -> Table:
    rows: list[dict[str, object]] = []
    notes: dict[str, None] = {}
    encodings: tuple[Literal["bio", "io", "binary"], ...] = ("bio", "io", "binary")
    for encoding in encodings:
        try:
            result = token_agreement(study, coefficient, encoding=encoding)
        except DataError as error:
            notes[str(error).partition("; ")[0] + "; bio and io tag every token once"] = None
            continue
        interval = result.interval()
        low, high = (None, None) if interval is None else interval[:2]
        rows.append({"tags": encoding, "value": result.value, "low": low, "high": high})
        notes |= dict.fromkeys(result.notes)
    labels = token_agreement(study, coefficient, encoding="per_label")
    rows += [{"tags": row["label"], **{name: row[name] for name in ("value", "low", "high")}} for row in labels]
    return Table.of(rows, title=f"Tokens ({coefficient})", foot="; ".join(notes))
