"""A report: what a study holds, how far its annotators agree, why coefficients differ, and where to look.

Of one study it tells the whole story; of several studies by name (rounds, guidelines, languages) it is the table of a
paper, one row for each study and one column for each coefficient.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np

from interagree import __version__
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, Study, as_annotations
from interagree.errors import DataError, KindError
from interagree.plugins import KINDS
from interagree.references import REFERENCES
from interagree.reports.choose import IntoChoice, used
from interagree.reports.confusion import chance
from interagree.reports.parts import (
    How,
    Part,
    against_chance,
    coefficients,
    explained,
    meaning,
    measured,
    part_data,
    plural,
    policy_line,
    remarks,
    tidy,
    titles,
)
from interagree.results.agreement import Agreement, Method, Random
from interagree.results.document import Document, Section, form_of, one_per_line, render
from interagree.stats.pairs.item_pairs import Pairs
from interagree.tables import Table, cell

SHOWN = 20  # rows of a table by value or by annotator
DISPUTED = 10  # items at the end of a report
TEXTS = (
    "text",
    "sentence",
    "content",
    "comment",
    "tweet",
    "question",
    "passage",
)  # attributes that say what an item is
ROWS = 10  # of the table of distances
LONGEST = 60  # letters of such a text


@dataclass(frozen=True, slots=True)
class Report:
    """Coefficients of one study or of several, ready to be printed, written, cited or drawn."""

    parts: tuple[Part, ...]
    how: How = field(default_factory=How)
    compact: bool = False  # whether it is one row for each study
    title: str = "Agreement"
    texts: bool = True  # whether the texts of disputed items are shown

    # -- as a table ----------------------------------------------------------------------------------------

    def table(self, digits: int = 2) -> Table:
        """One row for each study, and in it one coefficient with its interval for each measure."""
        heads = list(dict.fromkeys(title for part in self.parts for title in part.titles))
        rows = []
        for part in self.parts:
            found = dict(zip(part.titles, part.results, strict=True))
            row: dict[str, Any] = {"study": part.name, "items": len(part.study.items)}
            rows.append(row | {head: self._cell(found.get(head), digits) for head in heads})
        return Table.of(rows, names=("study", "items", *heads))

    def _cell(self, result: Agreement | None, digits: int) -> str:
        if result is None or result.undefined:
            return "–"
        interval = self.how.interval(result)
        sure = "" if interval is None else f" [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"
        return f"{result.value:.{digits}f}{sure}"

    # -- as a document -------------------------------------------------------------------------------------

    def document(self, digits: int = 3) -> Document:
        """The sections of the report, before it is decided how they look."""
        sections = (
            self._together(digits)
            if self.compact
            else [one for part in self.parts for one in self._whole(part)]
        )
        return Document(
            self.title,
            [*sections, self._sources(), self._policies()],
            self.to_dict(),
            tidy(self.parts, self.how),
            self.bibtex(),
        )

    def _together(self, digits: int) -> list[Section]:
        said = one_per_line(
            f"{part.name}: {remark}" for part in self.parts for remark in remarks(part, self.how)
        )
        how = self.how.sentence(result for part in self.parts for result in part.results)
        return [Section(table=self.table(digits), foot=(*said, how.replace("low, high", "[low, high]")))]

    def _whole(self, part: Part) -> list[Section]:
        before = f"{part.name}: " if part.name else ""
        sections = [overview(part), self._coefficients(part), why(part), distances(part), by_value(part)]
        sections.append(by_annotator(part))
        if part.kind.word == "spans":
            from interagree.reports import spans

            sections += spans.sections(part.study, texts=self.texts)
        sections.append(disputed(part, texts=self.texts))
        return [replace(one, title=before + one.title) for one in sections if one is not None]

    def _policies(self) -> Section:
        named = [(f"{part.name}. " if part.name else "") + policy_line(part) for part in self.parts]
        return Section(lines=named)

    def _coefficients(self, part: Part) -> Section:
        foot = one_per_line(
            (
                *remarks(part, self.how),
                meaning(part),
                *explained(part),
                self.how.sentence(part.results),
            )
        )
        return Section("Coefficients", table=coefficients(part, self.how), foot=foot, forest=True)

    def _sources(self) -> Section:
        titles: dict[str, list[str]] = {}
        for part in self.parts:
            for one in part.choices:
                titles.setdefault(REFERENCES[one.facts.reference].text(), []).append(one.facts.title)
        lines = [f"{', '.join(dict.fromkeys(names))}: {text}" for text, names in titles.items()]
        return Section("How to cite", lines=[*lines, f"Computed with interagree {__version__}."])

    # -- as files ------------------------------------------------------------------------------------------

    def to_text(self, digits: int = 3) -> str:
        """The report as plain text."""
        return render(self.document(digits), "text", digits=digits)

    def to_markdown(self, digits: int = 3) -> str:
        """The report as Markdown."""
        return render(self.document(digits), "markdown", digits=digits)

    def to_latex(self, digits: int = 2) -> str:
        """The tables of the report for a paper; the preamble needs booktabs."""
        return render(self.document(digits), "latex", digits=digits)

    def to_json(self) -> str:
        """Everything unrounded, under a version number."""
        return render(self.document(), "json")

    def to_csv(self) -> str:
        """One row for each coefficient, unrounded."""
        return render(self.document(), "csv")

    def write(self, path: str | Path, *, digits: int | None = None) -> Path:
        """Write the report as the suffix says: .md, .tex, .json, .csv or .txt; .png, .svg and .pdf give the picture."""
        where = Path(path)
        if where.suffix.lower() in {".png", ".svg", ".pdf"}:
            return self.plot(where)
        form = form_of(where)
        shown = digits if digits is not None else 2 if form == "latex" else 3
        where.write_text(render(self.document(shown), form, digits=shown), encoding="utf-8")
        return where

    def plot(self, path: str | Path) -> Path:
        """A forest plot of all coefficients with their intervals, written to a picture file."""
        from interagree.reports.forest import forest

        return forest(self.parts, self.how, Path(path))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "report": self.title,
            "level": self.how.level,
            "studies": [
                {**part_data(part, self.how), **({} if self.compact else details(part))}
                for part in self.parts
            ],
            "references": {key: REFERENCES[key].text() for key in self._keys()},
        }

    def _keys(self) -> list[str]:
        return list(dict.fromkeys(one.facts.reference for part in self.parts for one in part.choices))

    def bibtex(self) -> list[str]:
        """A BibTeX entry for each measure that was used."""
        return [REFERENCES[key].bibtex(key) for key in self._keys()]

    def cite(self, style: Literal["bibtex", "text"] = "bibtex") -> str:
        """The publications behind the measures used, as BibTeX or as sentences."""
        if style == "text":
            return "\n".join(REFERENCES[key].text() for key in self._keys())
        return "\n\n".join(self.bibtex())

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        results = sum(len(part.results) for part in self.parts)
        return (
            f"<Report: {plural(len(self.parts), 'study').replace('studys', 'studies')}, "
            f"{plural(results, 'coefficient')}>"
        )

    def _repr_html_(self) -> str:
        tables = [self.table()] if self.compact else [coefficients(part, self.how) for part in self.parts]
        return "".join(table._repr_html_() for table in tables)


def report(
    data: IntoAnnotations | Study | Mapping[str, IntoAnnotations],
    *others: Any,
    measures: Sequence[IntoChoice] | None = None,
    distance: Any = None,
    weights: Any = None,
    level: float = 0.95,
    method: Method = "auto",
    random: Random = "items",
    cluster: str | None = None,
    resamples: int = 2000,
    seed: int = 0,
    title: str = "Agreement",
    texts: bool = True,
    **reading: Unpack[ReadingOptions],
) -> Report:
    """A report on one study, or a table of several.

    Args:
        data: A study or anything `Annotations.of` takes; or a dict from names to such data, for one row each.
        measures: Names (``"alpha"``, ``"alpha:distance=ordinal"``); the usual ones for the values by default.
        distance: A distance for all measures that take one.
        weights: Agreement weights for all measures that take them.
        level: The level of the intervals.
        method: How intervals are found; see `Agreement.interval`.
        random: Whether another study would have other items, other annotators, or both.
        cluster: An attribute of the items that groups those that are not independent.
        resamples: How many resamples a bootstrap draws.
        seed: Where its random numbers start.
        title: The title of the report.
        texts: Whether the texts of the most disputed items are shown, where the data have them.
        others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.
    """
    named, compact = _studies(as_annotations(data, *others) if others else data, reading)
    if not named:
        raise DataError("there is nothing to report on: no study was given")
    lenient = len(named) > 1
    parts = tuple(
        measured(
            study,
            name=name,
            measures=measures or (),
            distance=distance,
            weights=weights,
            lenient=lenient,
            policy=policy,
        )
        for name, (study, policy) in named.items()
    )
    how = How(level, method, random, cluster, resamples, seed)
    return Report(parts, how, compact=compact, title=title, texts=texts)


def _studies(data: Any, reading: ReadingOptions) -> tuple[dict[str, tuple[Annotations, str]], bool]:
    if isinstance(data, Study):
        if reading:
            data = Study(
                {name: as_annotations(one, **reading) for name, one in data.items()}, data.provenance
            )
        several = len(data) > 1
        policy = {name: data.provenance.joined([one.provenance]).policy() for name, one in data.items()}
        return {name if several else "": (one, policy[name]) for name, one in data.items()}, False
    if isinstance(data, Mapping) and data and all(_is_study(one) for one in data.values()):
        found: dict[str, tuple[Annotations, str]] = {}
        for name, one in data.items():
            inner, _ = _studies(one, reading)
            found.update({f"{name} {question}".strip(): entry for question, entry in inner.items()})
        return found, True
    study = as_annotations(data, **reading)
    return {"": (study, study.provenance.policy())}, False


def _is_study(one: Any) -> bool:
    """Whether an entry of a dict is data of its own, and not a column or a list of one annotator's values."""
    if isinstance(one, Annotations | Study):
        return True
    if isinstance(one, Mapping):  # a dict of columns; a dict from annotators to values is one, too
        return bool(one) and all(
            isinstance(column, Sequence) and not isinstance(column, str) for column in one.values()
        )
    return hasattr(one, "columns") or hasattr(one, "collect_schema") or getattr(one, "ndim", 1) == 2


# -- sections -------------------------------------------------------------------------------------------------


def overview(part: Part) -> Section:
    """How much there is, how it overlaps, and which values were given how often."""
    study = part.study
    if not len(study):
        return Section("The study", lines=["There are no annotations."])
    sizes = study.sizes()
    lines = [_how_many(study), _per_item(sizes)]
    given = used(study)
    shares = given / len(study)
    order = np.arange(len(given)) if len(given) <= SHOWN else np.argsort(-given, kind="stable")[:SHOWN]
    if part.kind.word == "numbers" and len(given) > SHOWN:
        return Section("The study", lines=[*lines, _range(study, given)])
    if part.kind.complex:
        kind = KINDS[part.kind.word]
        return Section("The study", lines=[*lines, f"Values: {kind.title}, each {kind.form}."])
    more = f"the {SHOWN} most common of {len(given)} values" if len(given) > SHOWN else ""
    table = Table(
        {
            "value": [study.values[k] for k in order.tolist()],
            "annotations": [int(given[k]) for k in order.tolist()],
            "share": [float(shares[k]) for k in order.tolist()],
        },
        foot=more,
    )
    return Section("The study", lines=lines, table=table)


def _how_many(study: Annotations) -> str:
    possible = len(study.items) * len(study.annotators)
    sizes = [
        plural(len(study.items), "item"),
        plural(len(study), "annotation"),
        plural(len(study.values), "value"),
    ]
    if study.anonymous:
        return ", ".join(sizes) + "; who gave which value is not known."
    sizes.insert(1, plural(len(study.annotators), "annotator"))
    full = study.occasion is None and len(study) == possible
    return ", ".join(sizes) + (
        "; nothing is missing."
        if full
        else f"; {len(study) / possible:.0%} of all pairs of item and annotator."
    )


def _per_item(sizes: Any) -> str:
    given = sizes[sizes > 0]
    low, middle, high = int(given.min()), float(np.median(given)), int(given.max())
    each = f"{low}" if low == high else f"{low} to {high} (median {middle:g})"
    alone = int((given == 1).sum())
    return f"Annotations per item: {each}." + (
        f" {plural(alone, 'item')} with one annotation cannot be compared." if alone and high > 1 else ""
    )


def _range(study: Annotations, given: Any) -> str:
    scale = np.array([float(value) for value in study.values])
    mean = float(given @ scale) / len(study)
    spread = math.sqrt(max(float(given @ (scale - mean) ** 2) / len(study), 0.0))
    return (
        f"Numbers from {scale.min():g} to {scale.max():g}, mean {mean:.4g}, standard deviation {spread:.4g}."
    )


def why(part: Part) -> Section | None:
    """Why coefficients differ: what each takes chance to be."""
    if part.kind.word not in ("labels", "ordered") or not len(part.study):
        return None
    found = chance(part.study)
    lines = [
        "All values taken as plain labels: the same annotations, corrected for different ideas of chance."
    ]
    return Section(
        "Why coefficients differ", lines=lines, table=replace(found, foot=""), foot=[_sentence(found.foot)]
    )


def distances(part: Part) -> Section | None:
    """How far apart annotations of one item are, beside those of different items."""
    lead = part.lead
    pairs = getattr(getattr(lead, "engine", None), "statistic", None)
    if lead is None or lead.undefined or not isinstance(pairs, Pairs) or not pairs.comparable:
        return None
    far, within, between = pairs.spectrum()
    ends = np.linspace(float(far.min()), float(far.max()), ROWS + 1)
    place = np.clip(np.searchsorted(ends, far, side="right") - 1, 0, ROWS - 1)
    one, other = (
        np.bincount(place, weights=entry / entry.sum(), minlength=ROWS) for entry in (within, between)
    )
    top = max(float(one.max()), float(other.max()))
    columns: dict[str, Sequence[Any]] = {
        "distance": [f"{low:.3g} to {high:.3g}" for low, high in pairwise(ends.tolist())],
        "of one item": one.tolist(),
        "": ["█" * round(12 * share / top) for share in one.tolist()],
        "of different items": other.tolist(),
        " ": ["█" * round(12 * share / top) for share in other.tolist()],
    }
    lines = [f"Shares of pairs of annotations by their {pairs.distances.distance} distance."]
    return Section("Distances", lines=lines, table=Table(columns))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def by_value(part: Part) -> Section | None:
    """Agreement on each value."""
    lead = part.lead
    if lead is None or lead.undefined or part.kind.word == "numbers" or part.kind.complex:
        return None
    if lead.measure.values not in ("any", "sets") or len(part.study.labels()) > 200:
        return None
    table = lead.by_value()
    if len(table) > SHOWN:
        table = replace(
            table.sort("annotations", descending=True).head(SHOWN),
            foot=f"the {SHOWN} most common; {table.foot}",
        )
    title = f"By value ({titles(part, lead)})"
    lines = [
        (
            "agreement: the coefficient of this value against the rest; specific: how often a second "
            "annotator gives it, too."
        )
    ]
    return Section(
        title, lines=lines, table=replace(table, foot=table.foot.partition("agreement:")[0].rstrip("; "))
    )


def by_annotator(part: Part) -> Section | None:
    """Agreement of each annotator with the rest; who lowers the coefficient most comes first."""
    lead = part.lead
    if lead is None or lead.undefined or part.study.anonymous:
        return None
    table, said = annotators(lead)
    title = f"By annotator ({titles(part, lead)})"
    return Section(title, table=table, foot=[said] if said else [], flag="note")


def annotators(lead: Agreement) -> tuple[Table, str]:
    """Annotators from the one who lowers the coefficient most, and a sentence on her."""
    whole = lead.by_annotator()
    order = whole.sort("change", descending=True)
    table = against_chance(order.head(SHOWN), lead)
    rows = table.rows()
    first = rows[0] if rows else {}
    marked = bool(rows) and len(whole) > 2 and math.isfinite(first["change"]) and first["change"] > 0
    columns = {
        **table.columns,
        "note": ["lowers it most" if marked and i == 0 else "" for i in range(len(table))],
    }
    foot = f"the first {SHOWN} of {len(whole)}" if len(whole) > SHOWN else ""
    if not marked:
        return Table({name: column for name, column in columns.items() if name != "note"}, foot=foot), ""
    said = (
        f"Without {first['annotator']}, {lead.measure.symbol} would be {first['left out']:.3f} "
        f"instead of {lead.value:.3f}."
    )
    return Table(columns, foot=foot), said


def disputed(part: Part, *, texts: bool) -> Section | None:
    """The items on which annotators differ most."""
    lead = part.lead
    if lead is None or lead.undefined:
        return None
    found = lead.by_item()
    ranked = found.sort("annotations", descending=True).sort("disagreement", descending=True)
    top = ranked.where(lambda row: row["disagreement"] > 0).head(DISPUTED)
    if not len(top):
        return Section("Most disputed items", lines=["There are none: no item has two different values."])
    split = int(sum(1 for one in found["disagreement"] if one > 0))
    far = against_chance(Table({"disagreement": top["disagreement"]}), lead).columns
    columns: dict[str, Sequence[Any]] = {
        "item": top["item"],
        **far,
    }
    if not part.kind.complex:
        columns["values"] = tallies(part.study, top["item"])
    said = _texts(part.study, top["item"]) if texts else None
    if said is not None:
        columns["text"] = said
    compared = int(sum(1 for one in found["disagreement"] if not math.isnan(one)))
    lines = [f"Annotators differ on {split:,} of {plural(compared, 'item')}."]
    return Section("Most disputed items", lines=lines, table=Table(columns))


def tallies(study: Annotations, items: Sequence[Any]) -> list[str]:
    """For some items how often each value was given, in words."""
    place = {name: code for code, name in enumerate(study.items) if name in set(items)}
    told = []
    for name in items:
        here = study.value[study.item == place[name]]
        given = np.bincount(here, minlength=len(study.values))
        order = [k for k in np.argsort(-given, kind="stable").tolist() if given[k]]
        words = [f"{given[k]} × {cell(study.values[k])}" for k in order[:6]]
        told.append(", ".join([*words, *(["…"] if len(order) > 6 else [])]))
    return told


def _texts(study: Annotations, items: Sequence[Any]) -> list[str] | None:
    name = next((one for one in TEXTS if one in study.attributes), None)
    if name is None:
        return None
    column = study.attributes[name]
    place = {item: code for code, item in enumerate(study.items) if item in set(items)}
    told = []
    for item in items:
        row = int(np.flatnonzero(study.item == place[item])[0])
        words = " ".join(str(column[row]).split())
        told.append(words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…")
    return told


def details(part: Part) -> dict[str, Any]:
    """The tables of a part as plain data, all rows of them."""
    lead = part.lead
    study = part.study
    given = used(study)
    found: dict[str, Any] = {}
    if not part.kind.complex:
        found["values"] = [
            {"value": study.values[k], "annotations": int(given[k])} for k in range(len(given))
        ]
    if lead is None or lead.undefined:
        return found
    found["by"] = titles(part, lead)
    for name, make, wanted in (
        ("by_value", lead.by_value, part.kind.word != "numbers" and len(study.labels()) <= 200),
        ("by_annotator", lead.by_annotator, not study.anonymous),
        ("by_item", lead.by_item, True),
    ):
        if not wanted:
            continue
        try:
            found[name] = make()
        except KindError:  # a table that makes no sense of this measure
            continue
    return found


def pseudonyms(study: Annotations) -> Annotations:
    """The same study with annotators called A1, A2, … in the order of their names."""
    if study.anonymous:
        return study
    width = len(str(len(study.annotators)))
    order = sorted(range(len(study.annotators)), key=lambda code: str(study.annotators[code]))
    place = {code: f"A{rank:0{width}d}" for rank, code in enumerate(order, start=1)}
    return replace(study, annotators=tuple(place[code] for code in range(len(study.annotators))))
