"""What the scripts that ask a peer have in common: the studies come in as JSON, the answers go out as JSON.

These scripts run in the peer's own environment and never in ours, so they import nothing of ours either.
"""

from __future__ import annotations

import json
import math
import platform
import sys
from collections.abc import Callable
from importlib.metadata import distributions
from typing import Any

Study = dict[str, Any]
Answer = dict[str, Any]
TOOLS = {"pip", "setuptools", "wheel"}


def answer(measure: str, call: str, value: Any, **more: Any) -> Answer:
    """One answer; numbers are cut to 15 digits, which is what a double can promise."""
    options = more.pop("options", {})
    facts = {"measure": measure, "options": options, "value": value, **more, "peer_call": call}
    return {key: plain(fact) for key, fact in facts.items() if fact is not None}


def plain(fact: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if isinstance(fact, dict):
        return {key: plain(inner) for key, inner in fact.items()}
    if isinstance(fact, list | tuple):
        return [plain(inner) for inner in fact]
    if isinstance(fact, str | bool | int) or fact is None:
        return fact
    number = float(fact)
    return float(f"{number:.15g}") if math.isfinite(number) else None


def complete(study: Study) -> bool:
    """Whether everyone saw everything."""
    return all(code is not None for row in study["rows"] for code in row)


def annotators(study: Study) -> int:
    """How many annotators took part."""
    return len(study["rows"][0])


def numeric(study: Study) -> bool:
    """Whether the values are numbers."""
    return all(isinstance(value, int | float) for value in study["values"])


def column(study: Study, annotator: int) -> list[Any]:
    """What one annotator gave, item by item."""
    return [None if row[annotator] is None else study["values"][row[annotator]] for row in study["rows"]]


def talk(ask: Callable[[Study], list[Answer]], traps: Callable[[dict[str, Study]], dict[str, Any]]) -> None:
    """Read the studies, ask about each, spring the traps, and write everything down."""
    studies = json.load(sys.stdin)
    found = {
        "python": platform.python_version(),
        "made_with": {d.name: d.version for d in distributions() if d.name not in TOOLS},
        "answers": {study["name"]: ask(study) for study in studies if not study["name"].startswith("trap_")},
        "traps": plain(traps({study["name"]: study for study in studies})),
    }
    json.dump(found, sys.stdout)
