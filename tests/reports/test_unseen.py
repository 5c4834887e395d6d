"""A document without a row was looked at, or not: the report says what the other assumption would give."""

from __future__ import annotations

from pathlib import Path

import interagree as ia

HEAD = "document,annotator,start,end,category\n"
BOTH = "".join(f"d{n},{who},{n},{n + 5 + (who == 'bo')},x\n" for n in range(4) for who in ("ann", "bo"))


def table(tmp_path: Path, rows: str) -> Path:
    path = tmp_path / "units.csv"
    path.write_text(HEAD + rows)
    return path


def test_the_other_number_is_told_and_is_what_that_reading_gives(tmp_path: Path) -> None:
    path = table(tmp_path, BOTH + "d9,ann,3,8,x\n")
    report = str(ia.report(ia.read(path)))
    lead = next(line for line in report.splitlines() if "if it was, and nothing marked," in line.replace("\n", " "))
    everything = ia.report(ia.read(path, looked="all")).parts[0].lead
    assert everything is not None
    assert f"= {everything.value:.3f} and not" in " ".join(report.split())
    assert lead


def test_nothing_is_said_where_nothing_is_missing(tmp_path: Path) -> None:
    assert "if it was, and nothing marked" not in str(ia.report(ia.read(table(tmp_path, BOTH))))


def test_nothing_is_said_where_somebody_decided(tmp_path: Path) -> None:
    path = table(tmp_path, BOTH + "d9,ann,3,8,x\n")
    assert "if it was, and nothing marked" not in str(ia.report(ia.read(path, looked="all")))
