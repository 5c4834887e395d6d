"""Rayyan: the articles of a review with the decisions of reviewers, as CSV or RIS.

Decisions stand in the notes of an article (the column ``notes``, or N1 in RIS):

    RAYYAN-INCLUSION: {"Ann"=>"Included", "Bo"=>"Excluded"} | RAYYAN-LABELS: trial | RAYYAN-EXCLUSION-REASONS: …

The question ``decision`` has the labels Included, Maybe and Excluded.  Who is not named there has not decided.  Labels
and reasons are not said of whom they are, and not read.  An article is called by its key, or by its title.

While a review is blind, Rayyan exports the decisions of the one who exports alone: turn blinding off first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from interagree.data.files import Source, lines_of
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._peek import beginning
from interagree.readers._rows import columns_of, table_rows

SUFFIXES = (".csv", ".ris")
SIGN = b"RAYYAN-INCLUSION:"
DECIDED = re.compile(r"RAYYAN-INCLUSION:\s*\{(.*?)\}(?=\s*(?:\||$))")
ONE = re.compile(r'"((?:[^"\\]|\\.)*)"\s*=>\s*"([^"]*)"')
FIELD = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)")
LOOKED_AT = 1 << 22  # bytes in which the first decision is looked for
DECISION = "decision"


def recognised(path: Path) -> bool:
    """Whether a file can only be articles of Rayyan with decisions."""
    table = path.suffix.lower() == ".csv"
    return (not table or {"key", "notes"} <= columns_of(path)) and SIGN in beginning(path, LOOKED_AT)


@reader("Rayyan", suffixes=SUFFIXES, sniff=recognised, together=True)
def rayyan(path: Paths, *, duplicates: str = "last") -> Study:
    """The decisions of all reviewers.

    Args:
        path: A file, a folder of files, or a list of them.
        duplicates: Of an article that is in several files take the "last" decision of a reviewer, the "first", or stop
            with an "error".
    """
    gathered = Gatherer.of_files("Rayyan", path, SUFFIXES, duplicates=duplicates)
    people = set()
    for source in gathered.sources:
        for item, title, notes, where in _of_ris(source) if source.suffix == ".ris" else _of_rows(source, gathered):
            decided = DECIDED.search(notes)
            given = ONE.findall(decided[1]) if decided else []
            gathered.left_out("article", "without a decision left out", not given)
            if decided and decided[1].strip() and not given:
                raise FormatError(f'{where}: expected decisions as {{"name"=>"Included"}}, found {decided[0][:60]!r}')
            for who, decision in given:
                people.add(who)
                gathered.add(Mark(DECISION, item, who, (decision,), where), "choices")
            if given and title:
                gathered.show(item, title, where)
    if len(people) == 1:
        sentence = "decisions of one reviewer alone, as Rayyan exports them while a review is blind: turn blinding off"
        gathered.note("noticed", sentence)
    return gathered.study()


def _of_rows(source: Source, gathered: Gatherer) -> Iterator[tuple[str, str, str, str]]:
    for row in table_rows(source, gathered.steps):
        yield row.text("key", "title") or row.where, row.text("title"), row.text("notes"), row.where


def _of_ris(source: Source) -> Iterator[tuple[str, str, str, str]]:
    fields: dict[str, list[str]] = {}
    start = 1
    for line, content in enumerate(lines_of(source.text()), start=1):
        field = FIELD.match(content)
        if field is None:
            continue
        name, text = field.groups()
        if name == "TY":
            fields, start = {}, line
        elif name == "ER":
            title = next((fields[key][0] for key in ("TI", "T1") if key in fields), "")
            where = f"{source.name}, line {start}"
            yield next(iter(fields.get("ID", ())), title or where), title, " | ".join(fields.get("N1", ())), where
        fields.setdefault(name, []).append(text.strip())
