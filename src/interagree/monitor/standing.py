"""Where a running study stands, as an answer: coefficients, charts and alerts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from interagree.data.provenance import counted
from interagree.measures.spa import IN_WORDS as SPA
from interagree.monitor.chart import Alert
from interagree.monitor.sequence import FirstTwo
from interagree.results.agreement import Sizes
from interagree.results.answer import Answer
from interagree.results.document import Document, Section
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

    def tables(self) -> dict[str, Table]:
        """The coefficients, and the charts by batch, day and annotator."""
        return {"measures": self.measures, **self.charts}

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
                foot=[f"SPA: {SPA}.", f"First two labels of an item: {self.first_two}"],
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
            "first_two": {**self.first_two._asdict(), "value": self.first_two.value},
            "charts": dict(self.charts),
            "at_least": self.at_least,
            "alerts": [asdict(alert) for alert in self.alerts],
        }
