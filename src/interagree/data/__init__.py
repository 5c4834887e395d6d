"""What annotators said: the table, the study, and the one door by which everything enters."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Unpack

from interagree.data.types import IntoAnnotations, Values

if TYPE_CHECKING:
    from interagree.data.annotations import Annotations
    from interagree.data.joining import concat
    from interagree.data.provenance import Provenance, Step
    from interagree.data.study import Study
    from interagree.reading.choices import ReadingOptions
    from interagree.reading.scans import Scan, scan

__all__ = [
    "Annotations",
    "IntoAnnotations",
    "Provenance",
    "ReadingOptions",
    "Scan",
    "Step",
    "Study",
    "Values",
    "as_annotations",
    "concat",
    "scan",
]

_HOME = {
    "Annotations": "data.annotations",
    "Provenance": "data.provenance",
    "ReadingOptions": "reading.choices",
    "Scan": "reading.scans",
    "Step": "data.provenance",
    "Study": "data.study",
    "concat": "data.joining",
    "scan": "reading.scans",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    public = getattr(importlib.import_module(f"interagree.{_HOME[name]}"), name)
    globals()[name] = public
    return public


def as_annotations(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> Annotations:
    """Anything that holds annotations as the one table that measures take."""
    from interagree.data.annotations import Annotations

    if others or reading:
        from interagree.reading.calls import study_of

        data = study_of(data, others, reading)
    if isinstance(data, Annotations):
        return data
    from interagree.reading.door import build

    return build(data)
