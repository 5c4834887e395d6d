"""A report: what a study holds, how far its annotators agree, why coefficients differ, and where to look.

Of one study it tells the whole story, the first screen before all else: its name, where each question stands, the
overview, what to do next and the disagreement worth most a look.  A page has everything behind that; other formats
have it where ``full`` asks for it.  Of several studies by name (rounds, guidelines, languages) it is the table of a
paper, one row for each study and one column for each coefficient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from interagree.choose import IntoChoice
from interagree.data import ReadingOptions
from interagree.data.images import IntoImages
from interagree.data.provenance import counted
from interagree.data.types import Values
from interagree.distances import IntoDistance
from interagree.errors import Advice, Wording
from interagree.errors.options import checks_options
from interagree.references import REFERENCES
from interagree.reports import overview, story
from interagree.reports.deciding import decision_sheets
from interagree.reports.measured import MeasuredAnswer, Studies, parts_of
from interagree.reports.naming import name_of, today
from interagree.reports.parts import forest_chart, part_data, policy_line, remarks, tidy
from interagree.reports.sections import details, methods, sections_of
from interagree.reports.story.verdict import plainly
from interagree.reports.worst import worst
from interagree.results.agreement import Agreement, IntervalOptions, Method, Random
from interagree.results.document import (
    PAGES,
    PICTURES,
    VERDICT,
    Document,
    Section,
    form_of,
    one_per_line,
    render,
    write_document,
)
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.results.workbook import RowSheet

_PAGE, _FULL = Wording(".write('report.html')", "-o report.html"), Wording("full=True", "--full")
MORE = Advice(
    f"Behind this, with {_FULL} or {_PAGE}: coefficients, agreement by label, annotator and item, methods.",
    [_PAGE, _FULL],
)

BEHIND = "Methods, and what to cite"
DECIDED = 2  # questions up to which a workbook has their sheets to decide in without being asked


@dataclass(frozen=True, slots=True, repr=False)
class Report(MeasuredAnswer):
    """Coefficients of one study or of several, ready to be printed, written, cited or drawn."""

    compact: bool = False  # whether it is one row for each study
    title: str = "Agreement"  # the name of the study
    date: str = field(default_factory=today)
    full: bool = False  # whether all sections are shown wherever it is shown, or only on pages
    brief: bool = False  # whether it is the overview alone, for a paper
    texts: bool = True  # whether the texts of disputed items are shown
    images: IntoImages = False  # whether a page shows the images of items: from where they are, or from a folder

    def table(self, digits: int = 2) -> Table:
        """One row for each study, and in it one coefficient with its interval for each measure."""
        heads = list(dict.fromkeys(title for part in self.parts for title in part.titles))
        rows = []
        for part in self.parts:
            results = dict(part.titled())
            cells = {head: self._cell(results.get(head), digits) for head in heads}
            rows.append({"study": part.name, "items": len(part.study.items)} | cells)
        return Table.of(rows, names=("study", "items", *heads))

    def _cell(self, result: Agreement | None, digits: int) -> str:
        if result is None or result.undefined:
            return "–"
        interval = self.intervals.interval(result)
        ends = "" if interval is None else f" [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"
        return f"{result.value:.{digits}f}{ends}"

    def document(
        self,
        digits: int = 3,
        *,
        page: bool = False,
        most: int | None = None,
        images: IntoImages = False,
        beside: Path | None = None,
    ) -> Document:
        """The sections of the report, before it is decided how they look.

        Args:
            digits: To how many digits the table of several studies is rounded.
            page: Whether it is for a page, which has the items with disagreement to look through.
            most: How many items of a question such a page shows at most; by default as many as it has room for.
            images: Whether a page names the images of items by the paths or addresses that the data have for them, or
                the folder in which files of the same names are.
            beside: The folder in which a page will be written; images of a folder are named as seen from there.
        """
        shown = (
            self._compact(digits) if self.compact else self._story(page=page, most=most, images=images, beside=beside)
        )
        if self.full:
            shown = [replace(section, detail=False) for section in shown]
        return Document(
            "" if self.brief else self.title,
            shown if self.brief else [Section(lines=[self.about()]), *shown],
            self.to_dict(),
            overview.overview(self.parts, self.intervals) if self.brief else tidy(self.parts, self.intervals),
            self.bibtex(),
            sheets=None if self.compact or self.brief else self._sheets,
            more=MORE,
        )

    def about(self) -> str:
        """When the report was made, and how much there is."""
        return f"{self.date} · {overview.sizes(self.parts, studies=self.compact)}"

    def _compact(self, digits: int) -> list[Section]:
        """A report on several studies."""
        lines = [*plainly(self.parts, self.intervals), *story.verdicts(self.parts, self.intervals)]
        policies = [part.prefixed(policy_line(part)) for part in self.parts]
        return [Section(VERDICT, lines=lines), self._one_table(digits), *self._methods(), Section(lines=policies)]

    def _story(self, *, page: bool, most: int | None, images: IntoImages, beside: Path | None) -> list[Section]:
        """A report on the questions of one study: what is seen first, and behind it the sections of each question."""
        table = overview.section(self.parts, self.intervals)
        if self.brief:
            return [replace(table, title=self.title, foot=[methods.briefly(self.parts, self.intervals), *table.foot])]
        advice = story.what_to_do(self.parts, self.intervals)
        first = [story.in_short(self.parts, self.intervals), table, *advice[:1], self._worst()]
        read = Section(foot=overview.policies(self.parts))
        behind = advice[1:]
        items = self._items(most, images, beside) if page else [None] * len(self.parts)
        for part, to_look_through in zip(self.parts, items, strict=True):
            sections = sections_of(part, self.intervals, texts=self.texts)
            sections += [] if to_look_through is None else [to_look_through]
            if len(self.parts) > 1:
                sections.insert(0, story.of_question(part, self.intervals))
            behind += [replace(section, group=part.name, detail=True) for section in sections]
        behind += [replace(section, group=BEHIND) for section in self._methods()]
        return [*(section for section in first if section is not None), read, *behind]

    def _methods(self) -> list[Section]:
        how = methods.section(self.parts, self.intervals)
        cited = methods.to_cite(self.parts, self.intervals)
        return [replace(section, detail=not self.compact) for section in (how, cited) if section is not None]

    def _worst(self) -> Section | None:
        """The disagreement worth most: of the question that has most to gain, or else agrees least."""
        advised = [part for part, finding in story.most_telling(self.parts, self.intervals) if finding.gain > 0]
        lowest = sorted(
            (part for part in self.parts if part.lead is not None and not part.lead.undefined),
            key=lambda part: 0.0 if part.lead is None else part.lead.value,
        )
        drawn = (worst(part, texts=self.texts) for part in [*advised[:1], *lowest])
        return next((section for section in drawn if section is not None), None)

    def _sheets(self) -> list[RowSheet]:
        """Sheets to decide in; of many questions where all is asked for."""
        return decision_sheets(self.parts, texts=self.texts) if self.full or len(self.parts) <= DECIDED else []

    def _items(self, most: int | None, images: IntoImages, beside: Path | None) -> list[Section | None]:
        """The items of each part to look through; what makes them is loaded for pages only."""
        from interagree.reports import browser

        return browser.sections(self.parts, texts=self.texts, images=images, beside=beside, most=most)

    def _one_table(self, digits: int) -> Section:
        notes = one_per_line(part.prefixed(remark) for part in self.parts for remark in remarks(part, self.intervals))
        found_by = self.intervals.sentence(result for part in self.parts for result in part.results)
        foot = (*notes, found_by.replace("low, high", "[low, high]"))
        return Section(table=self.table(digits), foot=foot, chart=forest_chart(self.parts, self.intervals))

    def to_text(self, digits: int = 3) -> str:
        """The report as it is printed: the first screen, or all of it."""
        return render(self.document(digits).folded(), "text", digits=digits)

    def to_markdown(self, digits: int = 3) -> str:
        """The report as Markdown."""
        return render(self.document(digits).folded(), "markdown", digits=digits)

    def to_latex(self, digits: int = 2, *, pictures: bool = True) -> str:
        """The tables and pictures of the report for a paper; the preamble needs booktabs, and TikZ for pictures.

        Args:
            digits: Decimal places of its numbers.
            pictures: Whether there are pictures beside the tables.
        """
        from interagree.results.latex import latex

        return latex(self.document(digits).folded().visible(), digits=digits, pictures=pictures)

    def to_html(self, digits: int = 3, *, most: int | None = None, images: IntoImages = False) -> str:
        """The report as one page that can be sent on: everything is in it, and it asks no other host for anything.

        Args:
            digits: Decimal places of its numbers.
            most: How many items with disagreement of a question can be looked through; as many as fit by default.
            images: Whether images that the data name are shown; they are loaded from where they are.  Or a folder in
                which files of the same names are.
        """
        from interagree.results.page import page

        shown = self.document(digits, page=True, most=most, images=self.images if images is False else images)
        return page(shown, digits=digits)

    def to_json(self) -> str:
        """Everything unrounded, under a version number."""
        return render(self.document(), "json")

    def to_csv(self) -> str:
        """One row for each coefficient, unrounded."""
        return render(self.document(), "csv")

    def write(self, path: str | Path, *, digits: int | None = None) -> Path:
        """Write the report as the suffix says: .md, .html, .docx, .xlsx, .tex, .json, .csv, .txt, or a picture."""
        target = Path(path)
        if target.suffix.lower() in PICTURES:
            self.plot(target)
        else:
            rounded = digits if digits is not None else 2 if form_of(target) == "latex" else 3
            write_document(self.document_for(target, rounded), target, digits=rounded)
        return target

    def document_for(self, path: Path | None, digits: int = 3) -> Document:
        """The document for a file of this name: a page has everything, and the items with disagreement."""
        page = path is not None and path.suffix.lower() in PAGES
        beside = path.parent if page and path is not None else None
        shown = self.document(digits, page=page, images=self.images, beside=beside)
        return shown if page else shown.folded()

    def for_paper(self) -> Report:
        """The overview alone, with the methods below it: write it as .docx, .tex, .md or .csv."""
        return replace(self, brief=True)

    def to_dict(self) -> dict[str, object]:
        return {
            "report": self.title,
            "date": self.date,
            "in_short": plainly(self.parts, self.intervals),
            "overview": overview.overview(self.parts, self.intervals),
            "next": [
                {"question": part.name, **story.finding_data(finding)}
                for part, finding in story.most_telling(self.parts, self.intervals)[: story.FIRST]
            ],
            "level": self.intervals.level,
            "studies": [
                {
                    **story.story_data(part, self.intervals),
                    **part_data(part, self.intervals),
                    **({} if self.compact else details(part, self.intervals)),
                }
                for part in self.parts
            ],
            "methods": list(methods.methods(self.parts, self.intervals)),
            "versions": methods.versions(),
            "seed": self.intervals.seed,
            "references": {key: REFERENCES[key].text() for key in self._keys()},
        }

    def _keys(self) -> list[str]:
        parts = [part.leading() for part in self.parts] if self.brief else self.parts
        return list(dict.fromkeys(choice.facts.reference for part in parts for choice in part.choices))

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
        studies = "1 study" if len(self.parts) == 1 else f"{len(self.parts):,} studies"
        return f"<Report: {studies}, {counted(sum(len(part.results) for part in self.parts), 'coefficient')}>"


@checks_options
def report(
    data: Studies,
    *others: Values,
    measures: Sequence[IntoChoice] | None = None,
    distance: IntoDistance | None = None,
    weights: object = None,
    level: float = 0.95,
    method: Method = "auto",
    random: Random = "items",
    cluster: str | None = None,
    resamples: int = 2000,
    seed: int = 0,
    title: str | None = None,
    texts: bool = True,
    full: bool = False,
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
        title: The title of the report; by default the name of the file that was read.
        texts: Whether the texts of the most disputed items are shown, where the data have them.
        full: Whether all sections are shown wherever the report is; otherwise pages alone have those behind the first.
        others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.

    Returns:
        The report: ``print`` it, ``write`` it to a file, or take its ``table()``.

    Examples:
        >>> import interagree
        >>> pilot = {"ann": [1, 2, 2, 1], "bo": [1, 2, 1, 1]}
        >>> print(interagree.report({"pilot": pilot}, measures=["percent"], kind="labels").table())
        study  items  Percent agreement
        pilot      4  0.75 [0.00, 1.00]
    """
    parts, several = parts_of(data, others, reading, measures=measures or (), distance=distance, weights=weights)
    intervals = IntervalOptions(level, method, random, cluster, resamples, seed)
    title = name_of(parts) if title is None else title
    return Report(parts, intervals, compact=several, title=title, texts=texts, full=full)
