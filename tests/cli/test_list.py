"""`interagree list`, and help that keeps its lines."""

import csv
import io

import pytest


@pytest.mark.parametrize("kind", ["measures", "distances", "weights", "kinds", "readers", "scales"])
def test_a_list_fits_on_a_page(kind, run):
    text = run("list", kind).stdout
    assert max(map(len, text.splitlines())) <= 100


def test_nothing_is_cut_for_programs(run):
    rows = list(csv.DictReader(io.StringIO(run("list", "distances", "--csv").stdout)))
    assert rows[0]["from"] == "interagree"
    assert not any("…" in cell for row in rows for cell in row.values())


@pytest.mark.parametrize("command", ["spans", "timeline"])
def test_examples_in_help_stand_on_lines_of_their_own(command, run):
    text = run(command, "--help").stdout
    assert "\\b" not in text
    assert sum(line.startswith(f"  interagree {command} ") for line in text.splitlines()) >= 2
