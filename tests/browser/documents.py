"""Documents to be looked at in a browser."""

import numpy as np

from interagree.errors import Advice, Wording
from interagree.results.charts import DrawnEstimate, Forest, Heat, ThresholdLine
from interagree.results.document import NEXT, VERDICT, Document, Section
from interagree.tables import Table

COMMAND = "interagree disagreements posts.csv --top 20 -o queue.csv"
ANNOTATORS = ["ann", "bo", "cy"]
LABELS = ["fine", "rude", "spam"]
TYPES = ["tie", "split"]
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "javascript:alert(4)",
    "a\u2028b\u2029c",
    "\u202eback to front",
    "{{ 7 * 7 }}{% for x in y %}",
    "<!--<script>",
    "__proto__",
    "=1+1",
]


def items(
    count: int = 45, *, labels: list[str] = LABELS, annotators: list[str] = ANNOTATORS, question: str = "tone"
) -> dict[str, object]:
    """Items to look through; the first label is rarer the further down an item stands."""
    made = [
        {
            "id": f"p{place:03d}" if place else '=p000,\u202e"x"',
            "type": place % 2,
            "worth": round(2 - place / count, 4),
            "disagreement": None if place == 3 else round(((place * 7) % 10) / 10, 4),
            "text": None
            if place == 2
            else f"Post {place}: {'عربي ' if place % 5 == 0 else '他们 '}\U0001f600 some words",
            "suggested": place % len(labels) if place % 2 else None,
            "where": f"posts.csv, row {place + 2}",
            "size": None,
            "image": None,
            "answers": [[who, (place + (who == 2) + (who == 1) * (place % 3 == 0)) % len(labels)] for who in range(3)],
        }
        for place in range(count)
    ]
    return {
        "schema": 1, "question": question, "kind": "labels", "view": "labels", "distance": None,
        "annotators": annotators, "labels": labels, "types": TYPES,
        "total": count, "shown": count, "why": "", "items": made,
    }  # fmt: skip


def report(**given: object) -> Document:
    """A document with everything that a page shows."""
    command = Wording("interagree.disagreements(study)", COMMAND)
    long = Table(
        {"name": [f"row {k}" for k in range(30)], "value": [(k * 7 % 30) / 10 for k in range(30)]}, foot="A foot."
    )
    small = Table(
        {
            "measure": ["b", "a", "c"],
            "value": [0.5, float("nan"), -0.2],
            "low": [0.4, None, -0.4],
            "high": [0.6, None, 0.1],
            "note": ["", "look here", ""],
        }
    )
    heat = Heat(
        ANNOTATORS,
        ANNOTATORS,
        np.array([[np.nan, 0.8, 0.2], [0.8, np.nan, 0.3], [0.2, 0.3, np.nan]]),
        "alpha",
        "Alpha of pairs.",
    )
    forest = Forest(
        [DrawnEstimate("fine", 0.7, 0.6, 0.8)], "alpha", "Alpha of labels.", [ThresholdLine(0.667, "tentative")]
    )
    sections = [
        Section(VERDICT, ["α 0.50 (0.41–0.59): too low for labels to be published."]),
        Section(
            NEXT, [Advice.of("1. Look at the 20 items worth most → ", command), "2. Define fine against rude."]
        ).reworded([command]),
        Section("Coefficients", table=small, forest=True, flag="note", foot=["low, high: 95% interval"]),
        Section("All rows", table=long),
        Section("By label", chart=forest),
        Section("Pairs", ["Who agrees with whom."], chart=heat),
        Section("A text", ["as it  stands"], verbatim=True),
        Section("Disagreements", ["All items with disagreement."], browser=items(**given)),  # type: ignore[arg-type]
    ]
    return Document("A pilot study", sections, bibtex=["@article{x}"])


def hostile() -> Document:
    """A document in which every name is hostile."""
    table = Table({name: [f"{name}", *HOSTILE[:2]] for name in HOSTILE[:3]}, title=HOSTILE[0], foot=HOSTILE[2])
    heat = Heat(HOSTILE[:2], HOSTILE[:2], np.eye(2), HOSTILE[0], HOSTILE[1])
    forest = Forest([DrawnEstimate(name, 0.7, 0.6, 0.8) for name in HOSTILE], HOSTILE[0], HOSTILE[1])
    data = items(labels=HOSTILE, annotators=HOSTILE[:3], question=HOSTILE[0])
    data["types"] = HOSTILE[:2]
    for place, item in enumerate(data["items"]):  # type: ignore[arg-type, var-annotated]
        name = HOSTILE[place % len(HOSTILE)]
        item |= {"id": f"{name} {place}", "text": name, "where": name}
    sections = [
        *(Section(name, [name], table=table, foot=[name]) for name in HOSTILE),
        Section(HOSTILE[0], HOSTILE, verbatim=True),
        Section(HOSTILE[1], chart=heat),
        Section(HOSTILE[1], chart=forest),
        Section(HOSTILE[2], browser=data),
    ]
    return Document(HOSTILE[0], sections, bibtex=HOSTILE)
