"""Reports on studies of every kind that hold hardly anything, in every format, with names that are not plain words."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import interagree as ia
from interagree.plugins import KINDS

FORMATS = ("html", "xlsx", "docx", "md", "tex", "json", "txt")
NAMES = ("ann", "<i>", "=x", "عمر", "bo")
SHAPES = {  # items, annotators, the share of annotations that are there, and how many values are given
    "one annotation": (1, 1, 1.0, 9),
    "one value": (6, 3, 1.0, 1),
    "little overlap": (8, 5, 0.3, 9),
    "a few": (20, 3, 0.9, 9),
}


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", sorted(name for name in KINDS if KINDS[name].can_be_stated or name == "ordered"))
def test_every_format_has_room_for_hardly_anything(kind: str, shape: str, tmp_path: Path) -> None:
    rng = random.Random(f"{kind} {shape}")
    items, people, share, values = SHAPES[shape]
    given = KINDS[kind].examples[:values]
    rows = [
        (f"i{item}", who, rng.choice(given)) for item in range(items) for who in NAMES[:people] if rng.random() < share
    ]
    study = ia.Annotations.of(rows, kind="labels" if kind == "ordered" else kind)
    report = ia.report(replace(study, ordered=True, of_kind=None) if kind == "ordered" else study)
    for name in FORMATS:
        path = tmp_path / f"report.{name}"
        report.write(path)
        assert path.stat().st_size > 100, name


def test_counts_without_names_have_a_report_in_every_format(tmp_path: Path) -> None:
    counts = ia.Annotations.of({"yes": [3, 2, 0, 1], "no": [0, 1, 3, 2]}, layout="counts")
    report = ia.report(counts)
    for name in FORMATS:
        report.write(tmp_path / f"report.{name}")
        assert (tmp_path / f"report.{name}").stat().st_size > 100, name
