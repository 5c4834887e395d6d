"""Every number of every measure on all data at hand, written down, so that a change of the code can be held to it.

    python tests/numbers/record.py write FILE        writes all numbers into FILE
    python tests/numbers/record.py compare FILE      computes them again and lists what differs by more than 1e-12

For each study and each way to call a measure: the value, both disagreements, the standard error, the default,
jackknife and bootstrap intervals, the p-value, the details, and the numbers in the four drill-down tables.  Where a
call raises an error, the kind of the error is written down.  Only public names are used, so that the script outlives
what it checks.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SHARED = Path(os.environ.get("INTERAGREE_SHARED", ROOT.parent / "shared"))
TOLERANCE = 1e-12
SMALL = 150  # annotations up to which costly measures and drill-down are asked for
LARGE = 3_000  # annotations above which a study is left alone
COSTLY = frozenset(("gamma", "gamma_cat", "corrected_span_f1", "corrected_boundary_similarity", "ks", "sigma", "auc"))

sys.path.insert(0, str(ROOT / "tests"))
from random_studies import FURTHER  # noqa: E402 -- the tests are not a package, so their folder is named first

OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *FURTHER,
    *(("spa", {"weigh": name}) for name in ("flat", "edges", "annotations")),
]


def studies() -> Iterator[tuple[str, Any]]:
    """All studies there are: files of the docs, papers, and the shared data where they are at hand."""
    import interagree as ia

    files = [*sorted((ROOT / "docs" / "files").iterdir()), ROOT / "src/interagree/examples/reviews.csv"]
    for folder in ("tables", "labels", "counts", "complex", "formats", "santa"):
        if (SHARED / "data" / folder).is_dir():
            files += sorted((SHARED / "data" / folder).iterdir())
    for path in files:
        if path.suffix in (".toml", ".md", ".py") or (path.is_file() and path.stat().st_size > 4_000_000):
            continue
        try:
            read = ia.read(path)
        except Exception as error:  # noqa: BLE001 -- what a file gives is written down, an error too
            yield path.name, type(error).__name__
            continue
        questions = dict(read) if isinstance(read, ia.Study) else {"": read}
        for question, study in list(questions.items())[:4]:
            yield f"{path.name}:{question}", study
    for path in sorted((ROOT / "tests" / "published").glob("*.toml")):
        paper = tomllib.loads(path.read_text(encoding="utf-8"))
        if "items" in paper:
            letters = {**{str(one): one for one in paper.get("values", [])}, **paper.get("letters", {})}
            grid = [[letters.get(letter, letter) for letter in word] for word in paper["items"].split()]
        elif "matrix" in paper:
            grid = paper["matrix"]
        else:
            continue
        rows = [
            (item, f"a{who}", value) for item, row in enumerate(grid) for who, value in enumerate(row) if value != "*"
        ]
        yield path.stem, ia.Annotations.of(rows)


def numbers_of(result: Any) -> dict[str, Any]:
    """What a coefficient says, as numbers."""
    said: dict[str, Any] = {
        "value": result.value,
        "observed": result.disagreement.observed,
        "expected": result.disagreement.expected,
        "n": list(result.n),
        "undefined": result.undefined is not None,
    }
    if result.undefined:
        return said
    said["error"] = result.standard_error()
    said["interval"] = _interval(result.interval())
    said["p"] = result.p_value()
    if result.n.annotations > SMALL and result.measure.name in COSTLY:
        return said
    for method in ("jackknife", "bootstrap"):
        said[method] = _or_error(lambda method=method: _interval(result.interval(method=method, resamples=40)))
    said["annotators"] = _or_error(lambda: result.standard_error(random="annotators"))
    said["details"] = _or_error(lambda: dict(_flat(result.details)))
    if result.n.annotations <= SMALL:
        for table in ("by_item", "by_annotator", "by_value", "by_pair"):
            said[table] = _or_error(lambda table=table: _table(getattr(result, table)()))
    return said


def _interval(interval: Any) -> Any:
    return None if interval is None else [interval.low, interval.high, interval.error, interval.df]


def _or_error(make: Any) -> Any:
    try:
        return make()
    except Exception as error:  # noqa: BLE001 -- written down
        return type(error).__name__


def _flat(entry: Any, name: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(entry, Mapping):
        for key, one in entry.items():
            yield from _flat(one, f"{name}.{key}")
    elif isinstance(entry, bool | int | float) or (hasattr(entry, "__float__") and not hasattr(entry, "__len__")):
        yield name, float(entry)


def _table(table: Any) -> list[list[float]]:
    rows = table.rows() if callable(getattr(table, "rows", None)) else table.rows
    found = []
    for row in rows:
        cells = row.values() if isinstance(row, Mapping) else row
        found.append([float(one) for one in cells if isinstance(one, int | float)])
    return found


def recorded(name_and_study: tuple[str, Any]) -> dict[str, Any]:
    """All numbers of one study."""
    from interagree.plugins import MEASURES

    start = time.perf_counter()
    name, study = name_and_study
    if isinstance(study, str):
        return {name: study}
    simple = str(study.kind) in ("labels", "ordered", "numbers", "sets", "tuples", "objects")
    if len(study) > (LARGE if simple else SMALL):
        return {name: "large"}
    found: dict[str, Any] = {f"{name}|sizes": [len(study), len(study.items), len(study.annotators)]}
    found[f"{name}|kind"] = str(study.kind)
    for measure, options in [*((measure, {}) for measure in MEASURES), *OPTIONS]:
        if measure in COSTLY and len(study) > SMALL:
            continue
        spelled = ",".join(f"{key}={value}" for key, value in options.items())
        found[f"{name}|{measure}({spelled})"] = _or_error(
            lambda measure=measure, options=options: numbers_of(MEASURES[measure](study, **options))
        )
    print(f"{time.perf_counter() - start:6.1f} s  {name}", file=sys.stderr, flush=True)
    return found


def record() -> dict[str, Any]:
    """All numbers there are."""
    found: dict[str, Any] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for part in pool.map(recorded, studies()):
            found |= part
    return json.loads(json.dumps(found, sort_keys=True))


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Where two records differ by more than the tolerance, relative to the size of the number."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key in old and key in new:
                yield from differences(old[key], new[key], f"{where} {key}")
            else:
                yield f"{where} {key}: only in the {'old' if key in old else 'new'} record"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif isinstance(old, int | float) and isinstance(new, int | float):
        same = old == new or (math.isnan(old) and math.isnan(new))
        if not same and not abs(old - new) <= TOLERANCE * max(1.0, abs(old)):
            yield f"{where}: {old!r} was, {new!r} is"
    elif old != new:
        yield f"{where}: {old!r} was, {new!r} is"


def main(task: str, file: str) -> int:
    if task == "write":
        Path(file).write_text(json.dumps(record()), encoding="utf-8")
        return 0
    old = json.loads(Path(file).read_text(encoding="utf-8"))
    lines = list(differences(old, record()))
    print(f"{len(old):,} entries, {len(lines):,} differences")
    print("\n".join(lines[:60]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
