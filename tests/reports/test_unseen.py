"""A document without a row was looked at, or not: the report says what the other assumption would give."""

from __future__ import annotations

from pathlib import Path

import interagree as ia

HEAD = "document,annotator,start,end,category\n"
BOTH = "".join(f"d{n},{who},{n},{n + 5 + (who == 'bo') * (n > 2)},x\n" for n in range(4) for who in ("ann", "bo"))


def table(tmp_path: Path, rows: str) -> Path:
    path = tmp_path / "units.csv"
    path.write_text(HEAD + rows)
    return path


def test_the_other_number_is_told_and_is_what_that_reading_gives(tmp_path: Path) -> None:
    path = table(tmp_path, BOTH + "d9,ann,3,8,x\n")
    report = " ".join(str(ia.report(ia.read(path, format="units"), full=True)).split())
    everything = ia.report(ia.read(path, format="units", looked="all")).parts[0].lead
    assert everything is not None
    assert f"marked nothing, Chance-corrected span F1 would be {everything.value:.3f}, not" in report


def test_nothing_is_said_where_nothing_is_missing(tmp_path: Path) -> None:
    assert "if they looked and marked nothing" not in str(
        ia.report(ia.read(table(tmp_path, BOTH), format="units"), full=True)
    )


def test_nothing_is_said_where_somebody_decided(tmp_path: Path) -> None:
    path = table(tmp_path, BOTH + "d9,ann,3,8,x\n")
    assert "if they looked and marked nothing" not in str(
        ia.report(ia.read(path, format="units", looked="all"), full=True)
    )
