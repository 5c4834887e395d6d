"""Reports: several coefficients of one study or of several, for the terminal, a paper or a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interagree.reports.make import Report as Report
    from interagree.reports.make import report as report

__all__ = ["Report", "report"]


def __getattr__(name: str) -> Any:
    # A command that only needs a renderer should not pay for the whole report.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module("interagree.reports.make"), name)
