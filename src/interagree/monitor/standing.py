"""Where a running study stands, as an answer: coefficients, charts and alerts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from interagree.data.provenance import counted
from interagree.measures.spa import IN_WORDS as SPA
from interagree.monitor.chart import Alert
from interagree.monitor.days import EPOCH, day
from interagree.monitor.sequence import FirstTwo
from interagree.results.agreement import Sizes
from interagree.results.answer import Answer
from interagree.results.charts import DrawnLine, LineChart, ThresholdLine
from interagree.results.charts.axes import DAY
from interagree.results.document import Document, Section, as_sentences
from interagree.tables import Table


@dataclass(frozen=True)
class Standing(Answer):
    """What the labels so far say."""

    n: Sizes
    skipped: int  # labels without a value
    level: float
    measures: Table
    first_two: FirstTwo
    charts: Mapping[str, Table]  # by batch, by day and by annotator
    alerts: Sequence[Alert]
    at_least: float | None = None  # the agreement that is wanted
    remarks: Sequence[str] = ()  # what the coefficients are not to be read without

    def tables(self) -> dict[str, Table]:
        """The coefficients, and the charts by batch, day and annotator."""
        return {"measures": self.measures, **self.charts}

    def chart(self) -> LineChart | None:
        """The agreement of days, or else of batches, in the order they came, beside its limits."""
        by = next((by for by in ("day", "batch") if len(self.charts.get(by, ())) > 1), None)
        if by is None:
            return None
        table, dated = self.charts[by], by == "day"
        x = [float((day(name) - EPOCH) * DAY if dated else place + 1) for place, name in enumerate(table[by])]
        limits = DrawnLine("limits", x, [math.nan] * len(x), table["low"], table["high"])
        marks = [] if self.at_least is None else [ThresholdLine(self.at_least, f"at least {self.at_least:g}")]
        words = f"Agreement by {by} beside its limits. Alerts: {'; '.join(map(str, self.alerts)) or 'none'}."
        lines = [DrawnLine("agreement", x, table["agreement"], dots=True), limits]
        return LineChart(lines, by, "agreement", words, marks, "time" if dated else "linear")

    def document(self, source: str = "", foot: Sequence[str] = ()) -> Document:
        """The coefficients, the charts that have several points, and the alerts.

        Args:
            source: Where the labels come from.
            foot: What else must be said, such as which columns were taken.
        """
        sizes = f"{counted(self.n.annotations, 'label')}, {self.n}"
        sections = [
            Section(lines=[f"{source}: {sizes}" if source else sizes]),
            Section(
                table=self.measures,
                foot=[*as_sentences(self.remarks), f"SPA: {SPA}.", f"First two labels of an item: {self.first_two}"],
                forest=True,
            ),
        ]
        sections += [
            Section(f"By {by}", table=chart, flag="out") for by, chart in self.charts.items() if len(chart) > 1
        ]
        sections.append(Section("Alerts", lines=[*map(str, self.alerts)] or ["none"], foot=foot))
        return Document("", sections, self.to_dict(), self.measures)

    def to_dict(self) -> dict[str, object]:
        return {
            "n": self.n._asdict(),
            "skipped": self.skipped,
            "level": self.level,
            "measures": self.measures,
            "remarks": [*self.remarks],
            "first_two": {**self.first_two._asdict(), "value": self.first_two.value},
            "charts": dict(self.charts),
            "at_least": self.at_least,
            "alerts": [asdict(alert) for alert in self.alerts],
        }
