"""How well are real tables read, and in which order are readings offered?

    python bench/bench_tables.py FOLDER …            the table of docs/explain/reading.md, as Markdown
    python bench/bench_tables.py --fit FOLDER …      fit the weights of `interagree.reading.ranking` and print them

A FOLDER holds files/, expected/ and truth.json: real tables of public repositories, the annotations that a right
reading has, and what is known of them.  Tables are read without an option.  The order of what is offered is judged by
leaving out one repository at a time: weights are fitted to the tables of the others.

The fit is a conditional logit: of all readings that come into question of a table, also of one that is read without a
question, the right ones should have the highest likelihood.  An L2 penalty keeps weights small where tables say little.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # the tests say what a right reading is

from reading.judging import Got, difference, plain
from reading.sheets import Expected

import interagree as ia
from interagree.errors import InteragreeError
from interagree.reading import door, offers, ranking
from interagree.reading.evidence import profiles
from interagree.reading.readings import Doubt
from interagree.reading.recognise import all_readings

PENALTY = 1.0
CLASSES = ("right", "offered first", "offered", "asked", "noticed", "wrong")


@dataclass
class Case:
    """A table, how it was read, and the readings that come into question of it."""

    name: str
    group: str
    repository: str
    result: str
    features: list[list[float]] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read every table, and print how it went or what was fitted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--fit", action="store_true", help="fit the weights anew")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    cases = [case for folder in options.folders for case in cases_of(folder)]
    if options.fit:
        weights = fitted(cases)
        for name, weight in zip(ranking.WEIGHTS, weights, strict=True):
            print(f'    "{name}": {weight:.2f},')
    print(table(cases))
    told = left_out(cases)
    print(
        "Where all readings of a table are ordered by weights fitted to the other repositories, the first is right "
        f"for {told[0]} of {told[2]} tables and one of three for {told[1]}."
    )
    return 0


def cases_of(folder: Path) -> list[Case]:
    """The tables of a folder."""
    cases = []
    for known in json.loads((folder / "truth.json").read_text("utf-8")):
        found = json.loads((folder / "expected" / f"{known['name']}.json").read_text("utf-8"))
        anonymous = all(row[1] is None for rows in found["questions"].values() for row in rows)
        expected = Expected(
            {name: [(i, a, plain(v)) for i, a, v in rows] for name, rows in found["questions"].items()},
            {name: [(i, a, plain(v)) for i, a, v in rows] for name, rows in found.get("may", {}).items()},
            known["ambiguous"] or known["must_refuse"],
            anonymous=anonymous,
        )
        path = str(folder / "files" / known["name"])
        case = Case(known["name"], known["group"], known["repo"], result(path, expected))
        if not expected.ambiguous:
            case.features, case.right = readings(path, expected)
        cases.append(case)
    return cases


def result(path: str, expected: Expected) -> str:
    """How a table is read without an option."""
    try:
        got = Got.of(ia.read(path))
    except InteragreeError as error:
        if expected.ambiguous:
            return "right"
        good = [is_right(path, reading.options, expected) for reading in getattr(error, "readings", ())]
        return "offered first" if good[:1] == [True] else "offered" if any(good) else "asked"
    if expected.ambiguous:
        return "wrong"
    return "right" if difference(got, expected) is None else "noticed" if got.said("noticed") else "wrong"


def is_right(path: str, options: Mapping[str, Any], expected: Expected) -> bool:
    """Whether a table is read rightly with some options."""
    try:
        return difference(Got.of(ia.read(path, **options)), expected) is None
    except InteragreeError:
        return False


def readings(path: str, expected: Expected) -> tuple[list[list[float]], list[bool]]:
    """The features of all readings that come into question of a table, and which of them are right."""
    found: list[Any] = []

    def asked(table: Any, c: Any) -> Any:
        if found or (c.item, c.annotator, c.value, c.columns, c.layout) != (None, None, None, None, "auto"):
            return recognise(table, c)
        columns = profiles(table)
        weighed = [*all_readings(columns, table, c)]
        found.extend((reading, columns) for reading in offers.every(columns, weighed, table, c))
        raise Doubt("", [], columns)

    recognise, shown = door.recognise, offers.SHOWN
    door.recognise, offers.SHOWN = asked, 0
    try:
        ia.read(path)
    except InteragreeError:
        pass
    finally:
        door.recognise, offers.SHOWN = recognise, shown
    right = [is_right(path, reading.options(), expected) for reading, _ in found]
    return [[*ranking.features(reading, columns).values()] for reading, columns in found], right


# -- the order --------------------------------------------------------------------------------------------------------


def fitted(cases: Sequence[Case]) -> np.ndarray[Any, Any]:
    """Weights by which the right readings of tables come first."""
    sets = [(np.array(case.features), np.array(case.right)) for case in cases if any(case.right)]
    names = [*ranking.features(*_nothing())]
    weights = np.zeros(len(names))
    scale = np.maximum(np.vstack([features for features, _ in sets]).std(axis=0), 1e-9)
    sets = [(features / scale, right) for features, right in sets]
    for step in range(1500):
        slope = -PENALTY * weights
        for features, right in sets:
            share = np.exp((fits := features @ weights) - fits.max())
            mine = share * right
            slope = slope + (mine / mine.sum() - share / share.sum()) @ features
        weights = weights + 0.5 / (1 + step / 300) * slope / len(sets)
    by_name = dict(zip(names, weights / scale, strict=True))
    return np.array([by_name[name] for name in ranking.WEIGHTS])


def left_out(cases: Sequence[Case]) -> tuple[int, int, int]:
    """For how many tables the first reading is right, and one of three, and of how many tables."""
    names = [*ranking.features(*_nothing())]
    first = three = of = 0
    for repository in dict.fromkeys(case.repository for case in cases if any(case.right)):
        by_name = dict(
            zip(ranking.WEIGHTS, fitted([case for case in cases if case.repository != repository]), strict=True)
        )
        weights = np.array([by_name[name] for name in names])
        for case in cases:
            if case.repository == repository and any(case.right):
                order = np.argsort(-(np.array(case.features) @ weights), kind="stable")
                first += case.right[order[0]]
                three += any(case.right[place] for place in order[:3])
                of += 1
    return first, three, of


def _nothing() -> tuple[Any, Any]:
    from interagree.reading.readings import Reading

    return Reading(layout="wide"), []


# -- the page ---------------------------------------------------------------------------------------------------------


def table(cases: Sequence[Case]) -> str:
    """The figures by layout, as Markdown."""
    by_group: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        by_group[case.group][case.result] += 1
        by_group["all"][case.result] += 1
    lines = [f"| layout | tables | {' | '.join(CLASSES)} |", f"|---|{'---|' * (len(CLASSES) + 1)}"]
    for group in [*sorted(name for name in by_group if name != "all"), "all"]:
        counts = by_group[group]
        lines.append(f"| {group} | {counts.total()} | {' | '.join(str(counts[name]) for name in CLASSES)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
