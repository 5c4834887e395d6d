"""Files beside the gold: a page for an annotator, and the decisions that a guideline is to learn from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from interagree.errors import OptionError, listing
from interagree.results.document import Document, Section, write_document
from interagree.serve.after import After
from interagree.serve.export import plain_name
from interagree.serve.workspace import Workspace


class Asking(NamedTuple):
    """What is asked for, of what."""

    workspace: Workspace
    question: str
    annotator: str = ""

    @property
    def after(self) -> After:
        """The question with its gold."""
        return After(self.workspace, self.workspace.question(self.question))


def _annotator(asking: Asking) -> Document:
    return asking.after.page_for(asking.annotator)


def _guideline(asking: Asking) -> Document:
    table = asking.after.guideline()
    title = f"Guideline log: {asking.question}"
    lines = [] if len(table) else ["No decision has a reason or a comment yet."]
    return Document(title, [Section(lines=lines, table=table)], rows=table)


FILES: dict[str, Callable[[Asking], Document]] = {"annotator": _annotator, "guideline": _guideline}
FORMS = ("html", "csv", "xlsx", "docx", "md", "json")


def file(asking: Asking, what: str, form: str) -> tuple[str, bytes]:
    """A file: its name and what is in it.

    Args:
        asking: Of what it is.
        what: One of `FILES`.
        form: One of `FORMS`.
    """
    if what not in FILES or form not in FORMS:
        raise OptionError(f"files are {listing(FILES)}, as {listing(FORMS)}; got {what!r:.40} as {form!r:.40}")
    path = asking.workspace.folder() / f"{what}-{plain_name(asking.annotator or asking.question)}.{form}"
    write_document(FILES[what](asking), Path(path))
    return path.name, path.read_bytes()
