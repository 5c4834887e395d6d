"""An answer: whatever a public function returns.

A coefficient, a table of annotators, a queue, a consensus, a plan, a report: each can be printed, turned into tables,
plain data or a document, drawn where there is something to draw, and written to a file whose suffix says how.  A class
that inherits from `Answer` gives its tables and its document; the rest follows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

from interagree.errors import KindError, visible
from interagree.errors.options import checked_methods
from interagree.errors.signs import printable, writable
from interagree.results.document import PICTURES, Document, render, write_document
from interagree.tables import MOST, Table, plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from interagree.data.types import Frame
    from interagree.results.charts import Chart


@checked_methods
class Answer(ABC):
    """What all answers can do."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """The methods of every answer check what they are given; none is shown by the call that would make it."""
        super().__init_subclass__()
        cls.__repr__ = printable(cls.__repr__)  # type: ignore[method-assign] # also lest a dataclass make one of its own
        if "__str__" in vars(cls):
            cls.__str__ = printable(cls.__str__)  # type: ignore[method-assign] # print() writes α where there is none
        if "to_dict" in vars(cls):
            cls.to_dict = _plainly(cls.to_dict)  # type: ignore[method-assign] # whatever it holds, JSON can
        checked_methods(cls)

    if TYPE_CHECKING:

        @property  # some answers work it out, others hold it
        def undefined(self) -> str | None:
            """Why there is nothing to tell, such as "no item has two annotations"; None where there is."""
    else:
        undefined = None

    @abstractmethod
    def tables(self) -> Mapping[str, Table]:
        """All tables by name, the main one first."""

    @abstractmethod
    def document(self) -> Document:
        """The answer for people: sections of sentences and tables, with its plain data."""

    def document_for(self, path: Path | None) -> Document:  # noqa: ARG002 -- answers that have more for some take it
        """The document for a file of this name, which as a page may hold more than is printed; None where it is."""
        return self.document()

    def table(self) -> Table:
        """The main table."""
        return next(iter(self.tables().values()))

    def to_dict(self) -> dict[str, object]:
        """Everything as plain numbers, strings and lists, ready for JSON."""
        return plain(self.document().data)

    def to_frame(self, library: str = "pandas") -> Frame:
        """The main table as a data frame of 'pandas', 'polars' or 'pyarrow'."""
        frame: Frame = self.table().to_frame(library)
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """The main table as a pandas frame."""
        frame: pd.DataFrame = self.table().to_pandas()
        return frame

    def chart(self) -> Chart | None:
        """What there is to draw of the answer; None where that is nothing."""
        return None

    def plot(self, path: str | Path | None = None, *, axes: Axes | None = None) -> Axes | Path:
        """Draw the answer with Matplotlib.

        Args:
            path: Where to write the picture (.svg, .png or .pdf).
            axes: Where to draw it; new axes by default, which a notebook shows.

        Returns:
            The path, or the axes where no path is given.
        """
        from interagree.results.charts.figures import plotted

        return plotted(self._drawn(), path, axes=axes)

    def _drawn(self) -> Chart:
        """What there is to draw, or an error that says why there is nothing."""
        chart = None if self.undefined else self.chart()
        if chart is None and self.undefined:
            raise KindError(f"there is nothing to draw: {self.undefined}")
        if chart is None:
            name = type(self).__name__
            raise KindError(f"there is no picture of this {name}; take .table() or .write('answer.csv')")
        return chart

    def write(self, path: str | Path) -> Path | None:
        """Write the answer as the suffix says: .txt, .md, .html, .docx, .xlsx, .tex, .json, .csv, or a picture."""
        target = Path(path)
        if target.suffix.lower() in PICTURES:
            self.plot(target)
        else:
            write_document(self.document_for(target), target)
        return target

    def __str__(self) -> str:
        return writable(render(self.document().folded(), "text").rstrip("\n"))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from interagree.results.html import html

        return html(self.document().folded().visible(), most=MOST)

    def plain(self, *names: str) -> dict[str, object]:
        """Some attributes as plain data: numbers that are undefined as None, tables as lists of rows."""
        entries: dict[str, object] = {name: getattr(self, name) for name in names}
        return plain(entries)


def _plainly(to_dict: Callable[..., dict[str, object]]) -> Callable[..., dict[str, object]]:
    @wraps(to_dict)
    def as_plain_data(*given: object, **options: object) -> dict[str, object]:
        return plain(to_dict(*given, **options))

    return as_plain_data


class Headed(Answer):
    """An answer that is told in a sentence."""

    __slots__ = ()

    @abstractmethod
    def headline(self) -> str:
        """What this is, in a few words."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {visible(self.headline())}>"
