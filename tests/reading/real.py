"""Studies and columns of real tables, to make other tables of."""

from __future__ import annotations

import collections
import csv
import gzip
import io
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reading.layouts import renamed
from reading.maker import Maker
from reading.sheets import Column, Sheet, Truth


class Shared:
    """Studies and columns of real tables, to make other tables of."""

    def __init__(self, folder: Path) -> None:
        self.studies: list[Truth] = []
        self.columns: list[Column] = []
        tables = folder / "data" / "tables"
        for table in json.loads((tables / "truth.json").read_text("utf-8")):
            if table["ambiguous"] or table["must_refuse"]:
                continue
            found = json.loads((tables / "expected" / f"{table['name']}.json").read_text("utf-8"))
            for rows in found["questions"].values():
                self._add([row for row in rows if row[1] is not None and row[2] is not None])
            self._borrow(tables / "files" / table["name"], table)
        for path in sorted((folder / "data" / "labels").glob("*.csv.gz")):
            if ".gold." not in path.name:
                with gzip.open(path, "rt", encoding="utf-8") as lines:
                    self._add([row[:3] for row in itertools.islice(csv.reader(lines), 1, 4000)])

    def _add(self, rows: Sequence[Sequence[Any]]) -> None:
        """A study, if it is one that other layouts can hold."""
        values = {(str(i), str(a)): v for i, a, v in rows}
        people = list(dict.fromkeys(a for _, a in values))
        items = list(dict.fromkeys(i for i, _ in values))
        simple = all(isinstance(v, int | float | str) and "\n" not in str(v) for v in values.values())
        overlapping = len(values) > 1.3 * len(items)
        if len(values) == len(rows) and overlapping and simple and len(set(values.values())) > 1:
            self.studies.append(Truth(items, people, {"value": values}))

    def _borrow(self, path: Path, table: Mapping[str, Any]) -> None:
        """The columns of a table that are not annotations."""
        if path.suffix != ".csv" or not isinstance(table["read"].get("header", 0), int):
            return
        text = path.read_text(encoding=table["read"].get("enc", "utf-8-sig"), errors="replace")
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=table["read"].get("delim", ",")))
        lines = lines[table["read"].get("header", 0) :]
        for part, names in table["other"].items():
            for name in names:
                if name in lines[0] and part not in ("annotator", "model"):
                    place = lines[0].index(name)
                    cells = [line[place] or None if place < len(line) else None for line in lines[1:]]
                    self.columns.append(Column(name, cells, part))

    def truth(self, maker: Maker, layout: str) -> Truth | None:
        """A real study, cut to a size that the layout can hold, mostly under its own names."""
        several = layout in ("wide, several questions", "long, several questions", "long, question in the rows")
        if several or layout in ("not annotations", "ambiguous") or maker.chance(0.1):
            return None
        study = maker.random.choice(self.studies)
        values = study.questions["value"]
        people = study.people
        most = 2 if layout == "contingency" else 12
        if len(people) > most:
            count = collections.Counter(who for _, who in values)
            people = [who for who, _ in count.most_common(most)]
        kept = set(people)
        items = [i for i in study.items if any((i, a) in values for a in kept)]
        items = items[: maker.random.choice([20, 40, 80, 150])]
        inside = set(items)
        values = {(i, a): v for (i, a), v in values.items() if i in inside and a in kept}
        people = [who for who in people if any(a == who for _, a in values)]
        if len(people) < 2 or len(set(values.values())) < 2 or len(values) < 1.3 * len(items):
            return None
        truth = Truth(items, people, {maker.word("value", "names"): values})
        return truth if maker.chance(0.6) else renamed(truth, maker.people(len(people)), maker)

    def after(self, maker: Maker, sheets: dict[str, Sheet]) -> None:
        """Borrow columns that other tables have beside their annotations."""
        if len(sheets) > 1 or any(s.above or s.below or not s.header for s in sheets.values()):
            return
        (sheet,) = sheets.values()
        if sum(column.part in ("annotator", "value") for column in sheet.columns) < 2:
            return  # of people, of counts or of nothing, not of items
        item = next((c for c in sheet.columns if c.part == "item"), None)
        for column in maker.random.sample(self.columns, maker.random.choice([0, 1, 2, 3])):
            if column.name.lower() in {c.name.lower() for c in sheet.columns}:
                continue
            n = len(sheet.columns[0].cells)
            long = any(c.part == "value" for c in sheet.columns)
            if long and item is not None:  # the same in all rows of an item
                place = {cell: number for number, cell in enumerate(dict.fromkeys(item.cells))}
                cells = [column.cells[place[cell] % len(column.cells)] for cell in item.cells]
            elif len(column.cells) < n:
                continue
            else:
                cells = column.cells[:n]
            maker.made_of.append(f"borrowed {column.part}: {column.name}")
            sheet.columns.insert(maker.random.randint(0, len(sheet.columns)), replace(column, cells=list(cells)))
