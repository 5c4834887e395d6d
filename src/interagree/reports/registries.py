"""What there is to choose from: measures, distances, weights, kinds of value, readers and scales, plug-ins included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from interagree.declare import facts_of
from interagree.distances import WEIGHTS
from interagree.errors import InteragreeError, UnknownName, Wording, listing, suggestion
from interagree.plugins import DISTANCES, KINDS, MEASURES, READERS, WRITERS
from interagree.results.answer import Answer
from interagree.results.document import Document, Section
from interagree.results.narrow import narrow
from interagree.results.scales import SCALES
from interagree.tables import Table

IN_FULL = Wording(".table()", "--csv and --json")
EXPLAIN = Wording("interagree.explain(NAME)", "interagree explain NAME")
MEASURE = Wording("interagree.NAME(data)", "interagree measure FILE -m NAME")
FEET = {
    "measures": (
        "written: the symbol in tables and sentences.",
        "chance: what annotators who do not look would draw from; none: not corrected for chance.",
        "SPA: sparse probability of agreement, the chance that two annotators of an item agree.",
        "κx, in judge: agreement across two groups beyond chance, as α is within one.",
        f"{EXPLAIN} explains one of them; {MEASURE} measures it.",
    ),
    "distances": ("at most 1: whether no two values can be further apart than 1. needs: what must be given.",),
    "scales": ("Words for numbers, by convention; an interval says more than a word.",),
}


@dataclass(frozen=True, slots=True)
class Catalogue(Answer):
    """Tables of what there is to choose from."""

    contents: Mapping[str, Table]

    def tables(self) -> Mapping[str, Table]:
        """The tables by name."""
        return self.contents

    def document(self, *, narrowed: bool = True) -> Document:
        """The tables, within the width of a page unless they may be as wide as they are."""
        sections = [
            Section(kind.capitalize(), table=_narrowed(table) if narrowed else table, foot=FEET.get(kind, ()))
            for kind, table in self.contents.items()
        ]
        return Document("", sections, self.contents, self.table(), hints=[IN_FULL, EXPLAIN, MEASURE])


def catalogue(*kinds: str) -> Catalogue:
    """What there is to choose from, with what each says about itself.

    Args:
        kinds: Some of "measures", "distances", "weights", "kinds", "readers", "writers" and "scales"; all by default.

    Returns:
        One table for each.

    Examples:
        >>> from interagree.reports import catalogue
        >>> catalogue("weights").table()["name"][:2]
        ['identity', 'linear']
    """
    for kind in kinds:
        if kind not in TABLES:
            raise UnknownName(
                f"{kind!r} cannot be listed.{suggestion(kind, TABLES)} (known: {listing(TABLES, quote=False)})"
            )
    return Catalogue({kind: TABLES[kind]() for kind in kinds or TABLES})


def _narrowed(table: Table) -> Table:
    """A table within the width of a page, without the column that says nothing where no plug-in is installed."""
    own = "from" in table.columns and set(table["from"]) <= {"interagree"}
    shown = narrow(table.without("from") if own else table)
    cut = any(str(entry).endswith("…") for column in shown.columns.values() for entry in column)
    return replace(shown, foot=f"…: shortened; {IN_FULL} give all of it") if cut else shown


def _measures() -> Table:
    names = ("title", "written", "annotators", "values", "chance")
    rows = []
    for name in MEASURES:
        try:
            facts = facts_of(MEASURES[name])
        except InteragreeError as error:  # a plug-in that cannot be imported must not hide the others
            entries = (f"cannot be used: {error}", "", "", "", "")
        else:
            entries = (facts.title, facts.symbol, facts.annotators, facts.values, facts.chance)
        rows.append({"name": name} | dict(zip(names, entries, strict=True)) | {"from": MEASURES.origin(name)})
    return Table.of(rows)


def _registered(registry: Iterable[str], row: Callable[[str], Mapping[str, object]]) -> Table:
    return Table.of([{"name": name, **row(name)} for name in registry])


def _distances() -> Table:
    def row(name: str) -> dict[str, object]:
        distance = DISTANCES[name]
        return {
            "what it is": distance.doc.strip().partition("\n")[0],
            "of": distance.of,
            "at most 1": "yes" if distance.bounded else "no",
            "needs": ", ".join(distance.parameters),
            "from": DISTANCES.origin(name),
        }

    return _registered(DISTANCES, row)


def _kinds() -> Table:
    def row(name: str) -> dict[str, object]:
        kind = KINDS[name]
        return {"each value": kind.form, "usual distance": kind.distance, "from": KINDS.origin(name)}

    return _registered(KINDS, row)


def _readers() -> Table:
    def row(name: str) -> dict[str, object]:
        facts = READERS[name].facts
        return {"title": facts.title, "suffixes": " ".join(facts.suffixes), "from": READERS.origin(name)}

    return _registered(READERS, row)


def _writers() -> Table:
    def row(name: str) -> dict[str, object]:
        facts = WRITERS[name].facts
        what = "a folder" if facts.suffix == "/" else facts.suffix
        return {"title": facts.title, "writes": what, "takes": ", ".join(facts.kinds), "from": WRITERS.origin(name)}

    return _registered(WRITERS, row)


def _scales() -> Table:
    def row(name: str) -> dict[str, object]:
        scale = SCALES[name]
        authors, _, rest = scale.reference.partition(" (")
        bands = ", ".join(f"{word} to {end:.3g}" for end, word in scale.bands)
        return {"bands": bands, "reference": f"{authors} ({rest[:4]})"}

    return _registered(SCALES, row)


TABLES: Mapping[str, Callable[[], Table]] = {
    "measures": _measures,
    "distances": _distances,
    "weights": lambda: Table({"name": [*WEIGHTS], "one minus the scaled distance": [*WEIGHTS.values()]}),
    "kinds": _kinds,
    "readers": _readers,
    "writers": _writers,
    "scales": _scales,
}
