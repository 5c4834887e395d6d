"""Files of SPSS (.sav, .zsav, .por), Stata (.dta) and SAS (.sas7bdat, .xpt).

Value labels are the values where every number that occurs has one, so that 1 and 2 become *low* and *high*; the result
says so, and ``labels=False`` keeps the numbers.  Where only some numbers have a label, as the ends of a scale do, the
numbers stay and the labels are shown beside them.  A variable that SPSS knows as ordinal has its labels in the order of
their numbers, those included that nobody gave.  What SPSS calls the measure of a variable is its level: nominal,
ordinal, or, where it says *scale*, interval.

What the file declares as missing (99 for "no answer", Stata's ``.a``) counts as missing, and its number is said.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from interagree.data.apart import apart
from interagree.data.codebook import Codebook, Variable, named_in, spelled
from interagree.data.codes import Coded
from interagree.data.columns import IntoColumn
from interagree.data.files import Source
from interagree.data.provenance import counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import extra, listing
from interagree.reading import native
from interagree.reading.columnar import opened
from interagree.reading.questions import study
from interagree.reading.tables import NamedColumns

READING = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
MEASURED = {"nominal": "nominal", "ordinal": "ordinal", "scale": "interval"}  # levels by what SPSS calls them
MAGIC = {b"<stata_dta>": ".dta", b"HEADER RECORD": ".xpt", b"$FL": ".sav"}  # first bytes, where no ending tells
DECLARING = (".sav", ".zsav", ".dta", ".sas7bdat")  # formats in which pyreadstat tells declared missing values


@reader("SPSS, Stata and SAS", suffixes=tuple(READING), tabular=True)
def statistics(path: str | Path | Source, *, labels: bool = True, **options: Any) -> Study:
    """A table with its value labels; without ``labels`` the numbers behind them."""
    source = Source.of(path)
    table, variables = _table(source, labels=labels)
    made = study(source, table, from_text=True, **options)
    known = {name: variable for name in made if (variable := _of_question(name, variables)) is not None}
    return Codebook(known, source="file").applied(made, strict=False) if known else made


def _of_question(question: str, variables: Mapping[str, Variable]) -> Variable | None:
    """What the file says of a question: of its variable, or of those of all annotators where they say the same."""
    mine = [variables[question]] if question in variables else []
    mine = mine or [variable for name, variable in variables.items() if named_in([question], [name])]
    return mine[0] if mine and all(other == mine[0] for other in mine) else None


def _table(source: Source, *, labels: bool) -> tuple[NamedColumns, dict[str, Variable]]:
    if find_spec("pyreadstat") is None:
        raise extra("pyreadstat", "statistics", purpose="a file of SPSS, Stata or SAS")
    content = source.read()
    suffix = source.suffix if source.suffix in READING else _told(content)
    more = {"user_missing": True} if suffix in DECLARING else {}
    what = "a file of SPSS, Stata or SAS"
    about = opened(
        source,
        what,
        lambda: apart(
            native.statistics,
            content,
            READING[suffix],
            more,
            file=source.name,
            what=what,
            advice="save it anew, or as CSV",
        ),
    )
    made: dict[Hashable, IntoColumn] = {}
    lost: dict[str, int] = {}
    named, partly = [], []
    variables: dict[str, Variable] = {}
    for name, cells in about.columns.items():
        present, gone = _present(cells, about.missing_ranges.get(name), about.missing_values.get(name))
        if gone:
            lost[name] = gone
        known = {_whole(code): label for code, label in about.value_labels.get(name, {}).items()}
        kept = [_whole(cell) for cell in present]
        if labels and known and all(cell is None or cell in known for cell in kept):
            missing = _missing(about.missing_ranges.get(name), about.missing_values.get(name))
            scale = {code: label for code, label in known.items() if not missing(code)}
            ordered = about.measures.get(name) == "ordinal"
            made[name] = _ordered(kept, scale) if ordered else [known.get(cell) for cell in kept]
            named.append(name)
        else:
            made[name] = kept
            if labels and known:
                partly.append(name)
        worded = name in named
        measure = MEASURED.get(about.measures.get(name, ""))
        variables[name] = Variable(
            about.labels.get(name) or "",
            None if worded and measure == "interval" else measure,
            labels={} if worded else {spelled(code): str(label) for code, label in known.items()},
        )
    some, total = listing(partly, most=6), sum(lost.values())
    lost_cells = f"{counted(total, 'cell')} declared as missing taken as empty, in {listing(lost, most=6)}"
    steps = (
        *noted("taken", f"value labels as the values of {listing(named, most=6)}", len(named)),
        *noted("noticed", f"only some numbers of {some} have a label, so the numbers stay", len(partly)),
        *noted("dropped", lost_cells, total),
    )
    return NamedColumns.of(made, steps=steps), variables


def _told(content: bytes) -> str:
    return next((suffix for magic, suffix in MAGIC.items() if content.startswith(magic)), ".sav")


def _missing(ranges: Sequence[Mapping[str, Any]] | None, single: Sequence[object] | None) -> Callable[[object], bool]:
    """Whether a cell is one that the file declares as missing: by ranges in SPSS, by letters in Stata and SAS."""
    letters = set(single or ())

    def missing(cell: object) -> bool:
        return cell in letters or any(
            type(cell) is not str and limits["lo"] <= cell <= limits["hi"]
            if type(limits["lo"]) is not str
            else cell == limits["lo"]
            for limits in ranges or ()
        )

    return missing


def _present(
    cells: Sequence[object], ranges: Sequence[Mapping[str, Any]] | None, single: Sequence[object] | None
) -> tuple[list[object], int]:
    if not ranges and not single:
        return list(cells), 0
    missing = _missing(ranges, single)
    kept = [None if cell is None or missing(cell) else cell for cell in cells]
    return kept, sum(cell is not None for cell in cells) - sum(cell is not None for cell in kept)


def _whole(cell: object) -> object:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _ordered(cells: Sequence[object], scale: Mapping[Any, str]) -> Coded:
    """Codes with their labels, in the order of the codes."""
    names = list(dict.fromkeys(scale[code] for code in sorted(scale)))
    place = {code: names.index(label) for code, label in scale.items()}
    codes = np.array([-1 if cell is None else place[cell] for cell in cells], dtype=np.int32)
    return Coded(codes, names, bool((codes < 0).any()), ordered=True)
