"""Codebooks as people keep them: a sheet of a workbook, a file beside the data, a frame or a dict.

A codebook has a row for each question (its name, what is asked, the level, "1 = low, 2 = high", a code for no answer),
or a row for each value of each question (name, code, label).  Its columns are found by what is in them: names of
questions are those that columns of the data are called by, levels are words such as *ordinal*, and lists of values are
codes with what they stand for.  Headings decide only where cells do not.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.codebook import Codebook, Variable, folded, joined, named_in, spelled
from interagree.data.levels import as_level, level_word
from interagree.data.study import Study
from interagree.data.values import is_missing, number
from interagree.errors import DataError, InteragreeError, listing
from interagree.reading import names
from interagree.reading.choices import IntoCodebook
from interagree.reading.evidence import sample
from interagree.reading.tables import NamedColumns

QUESTIONS = names.lexicon(
    "variable variables var name names question questions item field column feature code key variabele merkmal frage "
    "spalte variabile domanda pregunta campo colonne"
)
VALUES = names.lexicon(
    "value values valid categories category codes coding options option range labels label choices answers werte "
    "auspragungen kodierung kategorien valeurs modalites valores opciones valori waarden responses scale"
)
MISSING = names.lexicon("missing missings fehlend fehlende manquant manquante manquantes perdido perdidos na mancante")
TITLES = names.lexicon("title label description question text wording frage titel bezeichnung libelle descripcion")
TEXTS = (".csv", ".tsv", ".txt")
CALLED = re.compile(r"code ?book|(?:kodier|kode|code) ?buch|dictionar|dictionnaire|diccionario|variable[sn]")
WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
BEGINNING = 40  # rows of a codebook in which some questions are named
MOST_ROWS = 5_000  # of a codebook
FEWEST = 2  # questions that a codebook must share with the data
PAIR = re.compile(r"\s*([^\s=:,;|]+(?: [^\s=:,;|]+)?)\s*(?:=|:|\s[-–—]\s|→)\s*(?=\S)")
NUMBERED = re.compile(r"\s*\(?\s*(-?\d+)\s*[.)]?\s+(?=[^\W\d_])")  # "1. low", "(1) low", "1 low"
FORMULA = re.compile(r"^'(?=[=+\-@])")  # what keeps a spreadsheet from taking a cell for a formula
BREAKS = ("\n", "|", ";", "<", ",", "/")
LONG = 60  # letters of a value beyond which it is a sentence


class _Column(NamedTuple):
    name: str
    cells: list[str]

    @property
    def filled(self) -> list[str]:
        return [cell for cell in self.cells if cell]

    def named(self, words: frozenset[str]) -> bool:
        return names.has(self.name, words)

    def share(self, likely: Iterable[bool]) -> float:
        """How many of its entries are of some form."""
        return sum(likely) / max(len(self.filled), 1)


def is_codebook(table: NamedColumns, other_columns: Iterable[Hashable]) -> bool:
    """Whether a table tells about questions, and holds no answers.

    It does where one of its columns lists names of columns of the other tables, and another one holds levels, lists of
    values, or what stands for each code.

    Args:
        table: A sheet or a file.
        other_columns: The names of the columns of the tables beside it.
    """
    if not table.names or len(table.fetch(table.names[:1])[table.names[0]]) > MOST_ROWS:
        return False
    others = {str(name) for name in other_columns}
    if all(len(named_in({*column.cells}, others)) < FEWEST for column in _columns(table, BEGINNING)):
        return False
    columns = _columns(table)
    place = _questions(columns, others)
    if place is None or len({*columns[place].filled}) < FEWEST:
        return False
    listed = list(dict.fromkeys(columns[place].filled))
    known = named_in(listed, others)
    if len(known) < max(FEWEST, len(listed) / 2):
        return False
    if len(columns[place].filled) > len(listed) and not _by_value(columns, place):
        return False  # a column of a long table may hold the questions too, and its other cells are answers
    told = sum(bool(said.level or said.labels or said.values) for said in _read(columns, place).values())
    return told * 2 >= len(listed)


def codebook_of(table: NamedColumns, other_columns: Iterable[Hashable] = (), *, file: str = "") -> Codebook:
    """The codebook that a table is.

    Args:
        table: A sheet or a file.
        other_columns: The names of the columns of the data, by which the column of the questions is found.
        file: The file or the sheet that it is.
    """
    columns = _columns(table)
    place = _questions(columns, {str(name) for name in other_columns})
    if place is None:
        raise DataError(
            f"no column of the codebook holds names of questions; it has {listing(table.names)}. Give each question a "
            "row with its name in a column called 'question'"
        )
    return Codebook(_read(columns, place), file=file)


def codebook(given: IntoCodebook, other_columns: Iterable[Hashable] = ()) -> Codebook:
    """What somebody gave as a codebook: one, the path of one, a frame, or a dict from questions to what is known.

    Args:
        given: What was given; in a dict the level as a word, a list of values, or a dict with ``title``, ``level``,
            ``values`` (a list, or a dict of what each stands for) and ``missing``.
        other_columns: The names of the columns of the data, by which the column of the questions is found.
    """
    if isinstance(given, Codebook):
        return given
    if isinstance(given, Mapping):
        return Codebook({str(name): _variable(name, entry) for name, entry in given.items()})
    if isinstance(given, str | os.PathLike):
        path = Path(given)
        if path.suffix.lower() == ".json":
            from interagree.data.files import Source, parse_json

            return codebook(parse_json(Source.of(path).decoded(None)[0]), other_columns)
        return codebook_of(_file(path), other_columns, file=path.name)
    from interagree.reading.choices import Choices
    from interagree.reading.tables import table_of

    return codebook_of(table_of(given, Choices()), other_columns)


def with_codebook(
    study: Study, given: IntoCodebook | None = None, levels: str | Mapping[str, str] | None = None
) -> Study:
    """A study with what a codebook says of its questions, and with levels that somebody stated, which go first."""
    if given is not None:
        study = codebook(given, study).applied(study, strict=True)
    if levels:
        stated = dict.fromkeys(study, levels) if isinstance(levels, str) else levels
        study = Codebook.of_levels(stated).checked(study).applied(study, strict=True)
    return study


def further_questions(study: Study, book: Codebook) -> dict[str, object]:
    """How a table is read with the columns, too, that a codebook tells about and that were set aside; else nothing."""
    if not {"item", "annotator", "value"} <= study.reading.keys() or "columns" in study.reading or not study:
        return {}
    aside = [str(name) for name in next(iter(study.values())).attributes]
    told = [name for name in aside if (variable := book.of(name)) is not None and variable.asks]
    return {**study.reading, "value": [*study, *told]} if told else {}


def apart(tables: Mapping[str, NamedColumns]) -> tuple[dict[str, NamedColumns], Codebook | None]:
    """The tables that hold answers, and the codebook that lies beside them, if there is one."""
    columns = {name: [*table.names] for name, table in tables.items()}
    often = Counter(column for names in columns.values() for column in {*names})
    books = [
        name
        for name, table in tables.items()
        if not {"item", "annotator", "value"} <= {*columns[name]}  # whose annotators may be the columns of another
        and is_codebook(table, (column for column, times in often.items() if times > (column in columns[name])))
    ]
    answers = {name: table for name, table in tables.items() if name not in books}
    if not books or not answers:
        return dict(tables), None
    every = [column for name in answers for column in columns[name]]
    return answers, joined([codebook_of(tables[name], every, file=name) for name in books])


def beside(path: str | Path, study: Study) -> Codebook | None:
    """The codebook that lies beside a file and tells about its questions; None where there is none, or not one alone.

    Files are looked into where their name says that they are one; whether they are is told by what is in them.
    """
    file = Path(path)
    if not file.is_file():
        return None
    near = [
        other
        for other in sorted(file.parent.iterdir())
        if other != file and other.suffix.lower() in (*TEXTS, *WORKBOOKS) and CALLED.search(folded(other.stem))
    ]
    own = [other for other in near if folded(file.stem) in folded(other.stem)]
    books = []
    for other in own or near:
        try:
            table = _file(other)
        except InteragreeError:
            continue
        if is_codebook(table, study):
            books.append(codebook_of(table, study, file=other.name))
    return books[0] if len(books) == 1 else None


def _variable(name: object, entry: object) -> Variable:
    if isinstance(entry, Variable):
        return entry
    if isinstance(entry, str):
        return Variable(level=as_level(entry))
    if not isinstance(entry, Mapping):
        if isinstance(entry, Iterable):
            return Variable(values=tuple(map(spelled, entry)))
        raise DataError(f"the codebook says {entry!r} of {name!r}; expected a level, a list of values or a dict")
    known = ("title", "level", "values", "labels", "missing")
    odd = [key for key in entry if key not in known]
    if odd:
        raise DataError(f"the codebook says {listing(odd)} of {name!r}; it takes {listing(known, quote=False)}")
    values, labels = entry.get("values") or (), dict(entry.get("labels") or {})
    if isinstance(values, Mapping):
        labels, values = {**values, **labels}, tuple(values)
    elif isinstance(values, str):
        values, labels = _listed(values)
    missing = entry.get("missing", ())
    missing = [missing] if isinstance(missing, str | int | float) else missing
    return Variable(
        str(entry.get("title") or ""),
        as_level(entry["level"]) if entry.get("level") else None,
        tuple(map(spelled, values)),
        {spelled(value): str(label) for value, label in labels.items()},
        tuple(map(spelled, missing or ())),
    )


def _file(path: Path) -> NamedColumns:
    """The table of a file; of a workbook the sheet that looks most like a codebook."""
    from interagree.data.files import Source
    from interagree.reading.delimited import first_rows, table_in
    from interagree.reading.grid import table_from_grid

    source = Source.of(path)
    if source.suffix in WORKBOOKS:
        from interagree.reading.sheets import tables

        made = tables(source)
        return made if isinstance(made, NamedColumns) else max(made.values(), key=_told)
    text, _ = source.decoded(None)
    return table_from_grid(first_rows(table_in(text, suffix=source.suffix)), name=source.name)


def _told(table: NamedColumns) -> int:
    columns = _columns(table)
    place = _questions(columns, set())
    return 0 if place is None else sum(bool(v.level or v.values or v.labels) for v in _read(columns, place).values())


# -- the columns of a codebook -------------------------------------------------------------------------------------


def _columns(table: NamedColumns, most: int | None = None) -> list[_Column]:
    fetched = table.fetch(table.names)
    rows = None if most is None else range(min([most, *map(len, fetched.values())]))
    return [_Column(str(name), [_text(cell) for cell in sample(fetched[name], rows)]) for name in table.names]


def _text(cell: object) -> str:
    if is_missing(cell):
        return ""
    return spelled(cell) if not isinstance(cell, str) else FORMULA.sub("", cell.strip())


def _questions(columns: Sequence[_Column], others: set[str]) -> int | None:
    """The column that holds the names of the questions: most are columns of the data, else its heading says so."""
    met: list[int] = [len(named_in({*column.filled}, others)) for column in columns]
    most = max([*met, 0])
    if most:
        return met.index(most)
    able = [place for place, column in enumerate(columns) if column.filled and not all(map(_is_code, column.filled))]
    named = [place for place in able if columns[place].named(QUESTIONS)]
    return next(iter([*named, *able]), None)


def _is_code(cell: str) -> bool:
    return number(cell) is not None


def _read(columns: Sequence[_Column], place: int) -> dict[str, Variable]:
    if _by_value(columns, place):
        return _from_values(columns, place)
    rest = [column for at, column in enumerate(columns) if at != place and column.filled]
    level = _best(rest, lambda column: column.share(level_word(cell) is not None for cell in column.filled), 0.6)
    rest = [column for column in rest if column is not level]
    missing = next((column for column in rest if column.named(MISSING)), None)
    rest = [column for column in rest if column is not missing]
    values = _best(rest, _lists_values, 0.5)
    rest = [column for column in rest if column is not values]
    wordy = [column for column in rest if not all(map(_is_code, column.filled)) and not column.named(names.COMMENT)]
    title = next((column for column in wordy if column.named(TITLES)), wordy[0] if wordy else None)
    made: dict[str, Variable] = {}
    for row, name in enumerate(columns[place].cells):
        if not name or name in made:
            continue
        listed, labels = _listed(values.cells[row]) if values is not None else ((), {})
        made[name] = Variable(
            "" if title is None else title.cells[row],
            None if level is None else level_word(level.cells[row]),
            listed,
            labels,
            () if missing is None else _listed(missing.cells[row])[0],
        )
    return made


def _best(columns: Sequence[_Column], score: Any, least: float) -> _Column | None:
    best = max(columns, key=score, default=None)
    return best if best is not None and score(best) >= least else None


def _lists_values(column: _Column) -> float:
    """How far a column looks like lists of values: codes with what they stand for, or several words with a break."""
    lists = [_listed(cell) for cell in column.filled]
    pairs = column.share(len(labels) > 1 for _, labels in lists)
    plain = column.share(len(values) > 1 and all(len(value) <= LONG for value in values) for values, _ in lists)
    return pairs + 0.5 * column.named(VALUES) + (0.4 if column.named(VALUES) else 0.25) * plain if pairs or plain else 0


def _listed(cell: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """The values that a cell lists, in its order, and what they stand for: "1 = low, 2 = high", "yes; no"."""
    cell = cell.strip()
    if not cell:
        return (), {}
    parts = [part.strip() for part in cell.split("|")]
    commas = [part.partition(",") for part in parts]  # "1, Yes | 0, No", as REDCap writes
    if len(parts) > 1 and all(code.strip() and " " not in code.strip() and label for code, _, label in commas):
        labels = {spelled(code): label.strip() for code, _, label in commas}
        return tuple(labels), labels
    starts = _starts(cell, PAIR) or _starts(cell, NUMBERED)
    if len(starts) > 1 or (starts and starts[0].start() == 0 and not re.search(r"[,;|\n]", cell)):
        labels = {}
        for match, following in zip(starts, [*starts[1:], None], strict=True):
            end = len(cell) if following is None else following.start()
            labels[spelled(match[1])] = cell[match.end() : end].strip().rstrip(",;|").strip()
        return tuple(labels), labels
    span = re.fullmatch(r"(-?\d+)\s*(?:-|–|—|\.\.|to|bis|à)\s*(-?\d+)", cell)
    if span and 0 < int(span[2]) - int(span[1]) <= 100:
        return tuple(str(code) for code in range(int(span[1]), int(span[2]) + 1)), {}
    sign = next((sign for sign in BREAKS if sign in cell), None)
    parts = [part.strip() for part in cell.split(sign)] if sign else [cell]
    return tuple(dict.fromkeys(spelled(part) for part in parts if part)), {}


def _starts(cell: str, form: re.Pattern[str]) -> list[re.Match[str]]:
    """Where a code with its meaning begins: at the start, and behind every break after which one stands."""
    places = [0, *(match.end() for match in re.finditer(r"[,;|\n]|\s(?=\()", cell))]
    found = [match for place in places if (match := form.match(cell, place)) is not None]
    return found if found and found[0].start() == 0 else []


# -- a row for each value ------------------------------------------------------------------------------------------


def _by_value(columns: Sequence[_Column], place: int) -> bool:
    """Whether a question has a row for each of its values: its name again, or nothing in its place."""
    cells = columns[place].cells
    repeated = any(times > 1 for times in Counter(filter(None, cells)).values())
    below = bool(cells and cells[0]) and not all(cells)
    return (repeated or below) and _codes_and_labels(columns, place) is not None


def _owners(cells: Sequence[str]) -> list[str]:
    owner, owners = "", []
    for cell in cells:
        owner = cell or owner
        owners.append(owner)
    return owners


def _codes_and_labels(columns: Sequence[_Column], place: int) -> tuple[_Column, _Column | None] | None:
    """The column of codes, each once for a question and on every row, and the one of what they stand for."""
    owners = _owners(columns[place].cells)
    rows = len(owners)
    each = [column for at, column in enumerate(columns) if at != place and len(column.filled) >= 0.8 * rows]
    once = [
        column
        for column in each
        if len({*zip(owners, column.cells, strict=True)}) == rows and all(len(cell) <= LONG for cell in column.cells)
    ]
    if not once:
        return None
    numeric = [column for column in once if all(map(_is_code, column.filled))]
    codes = next(iter([*numeric, *(c for c in once if c.named(VALUES)), *once]))
    return codes, next((column for column in once if column is not codes), None)


def _from_values(columns: Sequence[_Column], place: int) -> dict[str, Variable]:
    found = _codes_and_labels(columns, place)
    if found is None:
        return {}
    codes, labels = found
    rest = [column for at, column in enumerate(columns) if at != place and column is not codes and column is not labels]
    level = _best(rest, lambda column: column.share(level_word(cell) is not None for cell in column.filled), 0.6)
    wordy = [column for column in rest if column is not level and not all(map(_is_code, column.filled))]
    made: dict[str, Variable] = {}
    for row, name in enumerate(_owners(columns[place].cells)):
        if not name:
            continue
        code = spelled(codes.cells[row])
        label = labels.cells[row] if labels is not None else ""
        said = Variable(wordy[0].cells[row] if wordy else "", None if level is None else level_word(level.cells[row]))
        before = made.get(name, Variable())
        both = before.over(said)
        made[name] = Variable(
            both.title,
            both.level,
            (*before.values, *([code] if code else [])),
            {**before.labels, **({code: label} if code and label else {})},
        )
    return made
