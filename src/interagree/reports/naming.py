"""What a report is called where nobody says so, and its date."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import PurePath

from interagree.data.provenance import counted
from interagree.errors import listing
from interagree.reports.parts import Part

NAMED = 3  # files or studies that a title names


def name_of(parts: Sequence[Part]) -> str:
    """The name of what was read: of the files, else of the studies, else of those who annotated."""
    sources = dict.fromkeys(source for part in parts for source in part.provenance.sources)
    names = list(dict.fromkeys(_short(source) for source in sources)) or [part.name for part in parts if part.name]
    if names:
        return listing(names, quote=False) if len(names) <= NAMED else f"{names[0]} and {len(names) - 1:,} more"
    people = {who for part in parts if not part.study.anonymous for who in part.study.annotators}
    return f"Agreement of {counted(len(people), 'annotator')}" if people else "Agreement"


def _short(source: str) -> str:
    return "standard input" if source == "-" else PurePath(source).name or source


def today() -> str:
    """The date of today, or of the time that the environment states for files that are to be the same each time."""
    stated = os.environ.get("SOURCE_DATE_EPOCH")
    return (datetime.fromtimestamp(int(stated), UTC).date() if stated else date.today()).isoformat()  # noqa: DTZ011
