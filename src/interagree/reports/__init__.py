"""Reports: several coefficients of one study or of several, for the terminal, a paper or a program."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interagree.reports.breakdowns import Coefficients as Coefficients
    from interagree.reports.breakdowns import coefficients as coefficients
    from interagree.reports.make import Report as Report
    from interagree.reports.make import report as report
    from interagree.reports.registries import Catalogue as Catalogue
    from interagree.reports.registries import catalogue as catalogue
    from interagree.reports.threshold import Check as Check
    from interagree.reports.threshold import check as check

_WHERE = {
    "Catalogue": "registries",
    "Check": "threshold",
    "Coefficients": "breakdowns",
    "Report": "make",
    "catalogue": "registries",
    "check": "threshold",
    "coefficients": "breakdowns",
    "report": "make",
}
__all__ = ["Catalogue", "Check", "Coefficients", "Report", "catalogue", "check", "coefficients", "report"]


def __getattr__(name: str) -> object:
    # A command that only needs a renderer should not pay for the whole report.
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"interagree.reports.{_WHERE[name]}"), name)
