"""`interagree list` (Other, 51)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import OUTPUT, Output, in_python, options

if TYPE_CHECKING:
    from interagree.tables import Table

KINDS = ("measures", "distances", "weights", "kinds", "readers", "scales")

FEET = {
    "measures": (
        "written: the symbol in tables and sentences.",
        "chance: what annotators who do not look would draw from; none: not corrected for chance.",
        "SPA: sparse probability of agreement, the chance that two annotators of an item agree.",
        "κx, in judge: agreement across two groups beyond chance, as α is within one.",
        "interagree explain NAME explains one of them; interagree measure FILE -m NAME measures it.",
    ),
    "distances": (
        "at most 1: whether no two values can be further apart than 1. needs: what must be given.",
    ),
    "scales": ("Words for numbers, by convention; an interval says more than a word.",),
}


@click.command("list", epilog=in_python("from interagree.plugins import MEASURES; list(MEASURES)"))
@click.argument(
    "kinds", nargs=-1, type=click.Choice(KINDS), metavar="[measures|distances|weights|kinds|readers|scales]…"
)
@options(OUTPUT)
def command(kinds: tuple[str, ...], **given: Any) -> None:
    """List measures, distances, weights, kinds of value, readers and scales.

    With what each says about itself, plug-ins included; all of them unless some are named.
    """
    from interagree.cli.show import on_terminal, show
    from interagree.results.document import Document, Section

    output = Output.take(given)
    tables = {kind: TABLES[kind]() for kind in kinds or KINDS}
    plain = output.output is None and not on_terminal()  # a terminal folds cells, and a file may be wide
    sections = [
        Section(kind.capitalize(), table=_short(table) if plain else table, foot=FEET.get(kind, ()))
        for kind, table in tables.items()
    ]
    first = next(iter(tables.values()))
    show(Document("", sections, {"command": "list", **tables}, first), output)


def _short(table: Table) -> Table:
    """A table within the width of a page, without the column that says nothing where no plug-in is installed."""
    from dataclasses import replace

    from interagree.results.narrow import narrow

    own = "from" in table.columns and set(table["from"]) <= {"interagree"}
    shown = narrow(table.without("from") if own else table)
    cut = any(str(entry).endswith("…") for column in shown.columns.values() for entry in column)
    return replace(shown, foot="…: shortened; --csv and --json give all of it") if cut else shown


def _measures() -> Table:
    from interagree.declare import facts_of
    from interagree.errors import InteragreeError
    from interagree.plugins import MEASURES
    from interagree.tables import Table

    rows = []
    for name in MEASURES:
        try:
            facts = facts_of(MEASURES[name])
        except InteragreeError as error:  # a plug-in that cannot be imported must not hide the others
            rows.append(
                {"name": name, "title": f"cannot be used: {error}"}
                | dict.fromkeys(("written", "annotators", "values", "chance"), "")
            )
        else:
            rows.append(
                {
                    "name": name,
                    "title": facts.title,
                    "written": facts.symbol,
                    "annotators": facts.annotators,
                    "values": facts.values,
                    "chance": facts.chance,
                }
            )
        rows[-1]["from"] = MEASURES.origin(name)
    return Table.of(rows)


def _distances() -> Table:
    from interagree.plugins import DISTANCES
    from interagree.tables import Table

    rows = []
    for name in DISTANCES:
        found = DISTANCES[name]
        rows.append(
            {
                "name": name,
                "what it is": found.doc.strip().partition("\n")[0],
                "of": found.of,
                "at most 1": "yes" if found.bounded else "no",
                "needs": ", ".join(found.parameters),
                "from": DISTANCES.origin(name),
            }
        )
    return Table.of(rows)


def _weights() -> Table:
    from interagree.distances import WEIGHTS
    from interagree.tables import Table

    return Table({"name": [*WEIGHTS], "one minus the scaled distance": [*WEIGHTS.values()]})


def _kinds() -> Table:
    from interagree.plugins import KINDS as REGISTRY
    from interagree.tables import Table

    return Table.of(
        [
            {
                "name": name,
                "each value": REGISTRY[name].form,
                "usual distance": REGISTRY[name].distance,
                "from": REGISTRY.origin(name),
            }
            for name in REGISTRY
        ]
    )


def _readers() -> Table:
    from interagree.plugins import READERS
    from interagree.tables import Table

    rows = []
    for name in READERS:
        facts = READERS[name].facts
        rows.append(
            {
                "name": name,
                "title": facts.title,
                "suffixes": " ".join(facts.suffixes),
                "from": READERS.origin(name),
            }
        )
    return Table.of(rows, names=("name", "title", "suffixes", "from"))


def _scales() -> Table:
    from interagree.results.scales import SCALES
    from interagree.tables import Table

    return Table(
        {
            "name": [*SCALES],
            "bands": [
                ", ".join(f"{word} to {end:.3g}" for end, word in scale.bands) for scale in SCALES.values()
            ],
            "reference": [
                scale.reference.partition(" (")[0] + " (" + scale.reference.partition("(")[2][:4] + ")"
                for scale in SCALES.values()
            ],
        }
    )


TABLES = {
    "measures": _measures,
    "distances": _distances,
    "weights": _weights,
    "kinds": _kinds,
    "readers": _readers,
    "scales": _scales,
}
