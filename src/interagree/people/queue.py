r"""The adjudication queue: items on which annotators differ, those that tell most first.

For labels an item is worth

$$H_i \cdot R_i \cdot W_i$$

$H_i$ is the entropy of its labels in bits.  Its *dissenters* are those who did not give the most common label, or,
where several labels are in front, all annotators.  $R_i$ is how rare their labels are: the mean of
$-\log_2 p_v$ over the dissenters, where $p_v$ is the share of the label in the study.  $W_i$ is how reliable they are:
the mean of their agreement with others, $(\sum s + 2 \bar s) / (n + 2)$ with $s$ the leave-one-out scores of `wawa`
and $\bar s$ their mean in the study.  A rare label by somebody who is usually right comes before a slip.

Under a distance an item is worth $\bar d_i \cdot W_i$: the mean distance of two of its annotations, and the reliability
of its annotators weighed by how far they are from the medoid; where distances have no bound, reliability is
$1 / (1 + \bar d_u / \bar d)$.  Of items worth the same the one with the larger *gap* comes first: sorted by their
distance to the medoid, annotations have a largest step between neighbours, which is large where there are camps.

Types of labels: *tie* (several labels in front), *one against all*, *all differ* (three or more, no two the same) and
*split*.  Under a distance, annotations beyond the gap are another camp if two or more stand on this side of it and the
gap is more than twice the largest distance to the medoid there: one beyond is *one against all*, several are a *split*.
Two annotations alone are a *tie*, and all else is *all differ*.

Ordered values have types of their own, since one step apart is not a disagreement like the ends of a scale: *adjacent*
(all answers within one step), *one against all* and *split* (two camps, each within one step, two steps or more apart)
and *far* (everything else).  *Steps* is how far the answers reach.  The suggestion is the median and not the most
common value; of two in the middle the more common one, and none where they are level.  Numbers have their median, too,
of two in the middle the medoid, or the lower one where it is neither.

Difficulty is told from carelessness by a two-way decomposition: of each annotation the mean distance to the others of
the item (for labels the share of others who differ) is the mean of all plus what the item adds plus what the annotator
adds, found by turns, annotators pulled to zero as far as they are uncertain.  *Difficulty* is what is left of an item's
disagreement without the annotators' part, and *from annotators* is that part: the two sum to *disagreement*.  Of an
item on which better annotators than most differ, difficulty may be above 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import KindError
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.people.adjudication import TYPES, Ranking
from interagree.people.table_files import DOCUMENTS, write_table
from interagree.people.texts import text_column
from interagree.results.answer import Headed
from interagree.results.chance import relative
from interagree.results.charts import Bars
from interagree.results.charts.tables import bars
from interagree.results.document import Document, Section, as_sentences
from interagree.results.html import html
from interagree.results.narrow import shortened
from interagree.tables import PRINTED, Table, cell, first_rows

LONGEST = 40  # letters of an entry that a document shows; the table has all of it
SHOWN_AT_ONCE = 30  # items of a picture
TEXT = 160  # letters of a text that a notebook shows
SHOWN = ("rank", "item", "type", "labels", "worth", "difficulty")
DISTANCES = ("disagreement", "worth", "gap", "difficulty")  # columns in units of the distance
# Long values say little in a table.
SHOWN_BY_DISTANCE = ("rank", "item", "type", "annotations", "worth", "steps", "disagreement", "gap", "difficulty")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Queue(Headed):
    """Items with disagreement, the one to look at first on top."""

    rows: Table
    compared: int  # items with two annotations or more
    notes: tuple[str, ...] = ()
    text: str | None = None  # the column of the table that holds the text of the items
    _in_words: Callable[[int], list[list[str]]] | None = None  # who said what of the first items
    study: Annotations | None = None  # the annotations
    chance: float | None = None  # what distances are divided by before people see them; None where none is above 1

    @property
    def undefined(self) -> str | None:
        """Why there is no queue; None where items could be compared."""
        return None if self.compared else "no item has two annotators"

    def tables(self) -> dict[str, Table]:
        """One row for each item: what makes it worth looking at, and who said what."""
        return {"items": self.rows}

    def chart(self) -> Bars | None:
        """What the items to look at first are worth."""
        table = Table({"item": self.rows["item"], "worth": self.rows["worth"]}).head(SHOWN_AT_ONCE)
        words = f"What the first {len(table):,} of {len(self.rows):,} items are worth. {self}"
        return bars(table, "worth", words=words) if len(table) else None

    def document(self, *, top: int = 10) -> Document:
        """The items to adjudicate first, and who said what of them.

        Args:
            top: How many items to show.
        """
        sections = [Section(lines=[f"{self}"])]
        count = len(self.rows)
        if count:
            title = "Items" if count <= top else f"The first {top} of {count:,} items"
            sections.append(Section(title, table=_shortened(self.head(top), self.chance)))
            sections.append(Section("Who said what", self.who_said_what(top).splitlines(), verbatim=True))
        sections.append(Section(foot=as_sentences(self.notes, capital=True)))
        data = {
            "items": self.rows,
            "compared": self.compared,
            "types": self.types(),
            "text": self.text,
            "notes": list(self.notes),
        }
        return Document("", sections, data, self.rows)

    def head(self, most: int) -> Table:
        """The first items."""
        return self.rows.head(most)

    def who_said_what(self, most: int = 10) -> str:
        """The first items one below the other: their text, and who gave which value."""
        return "\n\n".join("\n".join(lines) for lines in (self._in_words(most) if self._in_words else ()))

    def types(self) -> dict[str, int]:
        """How many items are of each type."""
        types = [*self.rows["type"]]
        return {name: types.count(name) for name in TYPES if name in types}

    def write(self, path: str | Path) -> Path | None:
        """Write the queue as .csv, .tsv, .jsonl, .json or .xlsx, its document (.md, .html, .docx, …), or a picture."""
        if Path(path).suffix.lower() in DOCUMENTS:
            return Headed.write(self, path)
        write_table(self.rows, path)
        return Path(path)

    def push(self, address: str, question: str) -> str:
        """Write the queue into a project of Label Studio as predictions, to be adjudicated there.

        The suggested answer is that of a prediction, and what an item is worth its score; predictions of an earlier
        queue of the question are replaced, and nothing else is touched.

        Args:
            address: The project, which the queue was made of: ``label-studio://HOST/PROJECT``.
            question: The name of the control that was answered.

        Returns:
            What was done.
        """
        from interagree.readers.label_studio.address import EXAMPLE, is_address
        from interagree.readers.label_studio.live import Suggestion, push

        if not is_address(address):
            raise KindError(f"a queue is pushed to a project on a server, such as {EXAMPLE}, got {address!r:.60}")
        texts = self.rows["text"] if "text" in self.rows.columns else [None] * len(self.rows)
        rows = zip(self.rows["item"], self.rows["suggested"], self.rows["worth"], texts, strict=True)
        return push(address, question, [Suggestion(*row) for row in rows])

    def headline(self) -> str:
        if not self.compared:
            return "There is nothing to adjudicate: no item has two annotators"
        if not len(self.rows):
            return f"There is nothing to adjudicate: on all {counted(self.compared, 'item')} the annotators agree"
        types = ", ".join(f"{name} {number:,}" for name, number in self.types().items())
        return f"{len(self.rows):,} of {counted(self.compared, 'item')} with disagreement: {types}"

    def _repr_html_(self) -> str:
        also = [name for name in (self.text, "suggested") if name is not None]
        table = _shortened(first_rows(self.rows, PRINTED), self.chance, longest=TEXT, also=also)
        notes = Section(foot=as_sentences(self.notes, capital=True))
        return html(Document("", [Section(lines=[f"{self}"], table=table), notes]).visible())

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return f"{self.headline()}."


def _cut(entry: object, longest: int) -> object:
    return entry if isinstance(entry, int | float) or len(cell(entry)) <= longest else shortened(cell(entry), longest)


def _shortened(table: Table, chance: float | None, *, longest: int = LONGEST, also: Sequence[str] = ()) -> Table:
    names = SHOWN_BY_DISTANCE if "gap" in table.columns else SHOWN
    there = [name for name in dict.fromkeys((*names[:3], *also, *names[3:])) if name in table.columns]
    some = replace(table, columns={name: [_cut(entry, longest) for entry in table[name]] for name in there})
    return relative(some, chance, DISTANCES[:1], along=DISTANCES[1:])


@takes_data
def disagreements(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    top: int | None = None,
    text: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> Queue:
    """The items on which annotators differ, ranked by what looking at them tells, with who said what.

    Args:
        data: Annotations.
        distance: How far apart values are; by default the usual distance of the kind of value.
        top: How many items to list; all by default.
        text: The column that holds the text of the items; by default one that is called so or looks like it.

    Returns:
        The queue of items, the one that tells most first.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "dog", "dog"]}
        >>> print(ia.disagreements(labels))
        1 of 3 items with disagreement: one against all 1.
    """
    if top is not None and top < 1:
        raise KindError(f"top is a number of items from 1 up, got {top!r}")
    study = as_annotations(data)
    rest = LeaveOneOut.of(study, distance, "a queue of disagreements")
    ranked = Ranking(rest, text_column(study, text)).ranked(top, study.provenance.sources)
    return Queue(ranked.table, ranked.compared, ranked.notes, ranked.text, ranked.in_words, study, rest.chance)
