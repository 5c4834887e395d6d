"""Layouts that are enumerated: pairs of answer and annotator, turned grids, tallies, results; and what is offered."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.errors import DoubtfulReading
from interagree.reading.patterns import cut

LABELS = ("pos", "neg", "neu")
PEOPLE = ("Anna", "Ben", "Clara", "David")


def rows_of(people: int, items: int, labels: Sequence[Any] = LABELS, seed: int = 1) -> list[list[Any]]:
    """Answers of people who mostly agree, a row for each item."""
    source = random.Random(seed)
    truths = [source.choice(labels) for _ in range(items)]
    return [[truth if source.random() < 0.7 else source.choice(labels) for _ in range(people)] for truth in truths]


def written(folder: Path, header: Sequence[str], rows: Sequence[Sequence[Any]], name: str = "study.csv") -> Path:
    """A table in a file."""
    path = folder / name
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n", encoding="utf-8")
    return path


def test_columns_that_name_who_gave_the_answers_beside_them_are_the_annotators(tmp_path):
    source = random.Random(2)
    rows = [[f"doc_{at}", *row, *source.sample(PEOPLE, 2)] for at, row in enumerate(rows_of(2, 40))]
    for header in (["id", "label_1", "label_2", "annotator_1", "annotator_2"], ["id", "vo1", "vo2", "xu1", "xu2"]):
        study = ia.read(written(tmp_path, header, rows)).single()
        assert set(study.annotators) == set(PEOPLE)
        assert set(study.values) == set(LABELS)
    stated = ia.read(tmp_path / "study.csv", item="id", annotator=["xu1", "xu2"], value=["vo1", "vo2"]).single()
    assert sorted(stated.rows()) == sorted(study.rows())


def test_a_form_with_a_row_for_each_person_and_columns_for_items_and_questions_is_turned(tmp_path):
    header = ["Timestamp", *(f"image_{item:02}_{question}" for item in range(1, 9) for question in ("calm", "safe"))]
    rows = [
        [f"2026/05/2{at} 8:04:53 pm CET", *row] for at, row in enumerate(zip(*rows_of(4, 16, (1, 2, 3)), strict=True))
    ]
    path = written(tmp_path, header, rows)
    study = ia.read(path)
    assert {name: (len(one.items), len(one.annotators)) for name, one in study.items()} == {
        "calm": (8, 4),
        "safe": (8, 4),
    }
    stated = ia.read(path, layout="transposed", columns="{item}_{question}")
    assert sorted(stated["calm"].rows()) == sorted(study["calm"].rows())


def test_a_name_is_cut_where_its_parts_recur():
    names = [f"image_{item:02}_{question}" for item in range(3) for question in ("calm", "safe")]
    assert cut("{item}_{question}", names)["image_01_calm"] == ("image_01", "calm")


def test_counts_beside_the_answers_that_they_count_do_not_hide_the_people(tmp_path):
    header = ["id", "label_1", "label_2", "label_3", "label_4", "count_yes", "count_no"]
    rows: list[list[Any]] = []
    for at, row in enumerate(rows_of(4, 30, ("yes", "no"))):
        given = [label if place != at % 4 else "" for place, label in enumerate(row)]
        rows.append([f"t{at}", *given, given.count("yes"), given.count("no")])
    with pytest.raises(DoubtfulReading) as caught:  # labels may be questions
        ia.read(written(tmp_path, header, rows))
    assert caught.value.readings[0].options["annotator"] == header[1:5]


@pytest.mark.parametrize("called", ["nihai", "정답", "xyzzy"])
def test_a_column_beside_numbered_people_that_says_what_most_say_is_a_result(called, tmp_path):
    rows = [[f"t{at}", *row, max(sorted(set(row)), key=row.count)] for at, row in enumerate(rows_of(3, 30))]
    study = ia.read(written(tmp_path, ["text", "hakem1", "hakem2", "hakem3", called], rows)).single()
    assert study.annotators == ("hakem1", "hakem2", "hakem3")
    assert repr(called) in study.provenance.policy()


def test_means_of_a_grid_are_neither_people_nor_questions(tmp_path):
    header = ["id", *(f"{question} {who}" for question in ("tone", "style") for who in ("P1", "P2", "平均"))]
    pairs = zip(rows_of(2, 30, (1, 2, 3, 4)), rows_of(2, 30, (1, 2, 3, 4), seed=2), strict=True)
    rows = [[at, *tone, sum(tone) / 2, *style, sum(style) / 2] for at, (tone, style) in enumerate(pairs)]
    study = ia.read(written(tmp_path, header, rows))
    assert {name: len(one.annotators) for name, one in study.items()} == {"tone": 2, "style": 2}


def test_items_of_a_questionnaire_are_asked_about(tmp_path):
    path = written(tmp_path, [f"asrm_{item}" for item in range(1, 6)], rows_of(5, 78, (1, 2, 3, 4)))
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(path)
    assert "None of these?" in str(caught.value)
    assert "layout='transposed', annotator='…'" in str(caught.value)
    assert "--layout transposed, --annotator …" in caught.value.for_command_line()
    for offer in caught.value.readings:
        assert ia.read(path, **offer.options)


def test_files_of_one_person_each_on_the_command_line_are_one_study(tmp_path):
    rows = rows_of(3, 30)
    for place, who in enumerate(("anna", "ben", "clara")):
        own = [[f"t{at}", row[place]] for at, row in enumerate(rows)]
        written(tmp_path, ["id", "tone"], own, name=f"coder_{who}.csv")
    done = CliRunner().invoke(main, ["measure", *map(str, sorted(tmp_path.glob("coder_*.csv")))])
    assert done.exit_code == 0, done.output
    assert "one file for each of 3 annotators" in " ".join(done.output.split())


def offers_of(path: Path) -> list[dict[str, Any]]:
    """What the error for a table offers."""
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(path)
    return [dict(offer.options) for offer in caught.value.readings]


def test_all_questions_of_a_grid_are_offered_before_one_of_them(tmp_path):
    header = [f"{question}{place}" for question in ("kind", "aim", "power") for place in ("", 1, 2)]
    parts = [rows_of(3, 40, labels, seed) for seed, labels in enumerate((LABELS, ("war", "birth", "death"), (0, 1)))]
    path = written(tmp_path, header, [[*a, *b, *c] for a, b, c in zip(*parts, strict=True)])
    offers = [offer for offer in offers_of(path) if offer.get("columns") == "{question}{annotator}"]
    assert sorted(offers[0]["value"]) == ["aim", "kind", "power"]
    assert set(ia.read(path, **offers[0])) == {"kind", "aim", "power"}


def test_the_answers_without_those_in_doubt_are_offered_first(tmp_path):
    header = ["post_id", "user_id", *(f"category_{number}" for number in range(1, 5)), "successful"]
    parts = [rows_of(3, 30, (0, 1), seed) for seed in range(5)]
    rows = [[item, who, *(part[item][at] for part in parts)] for item in range(30) for at, who in enumerate(PEOPLE[:3])]
    first, *more = offers_of(written(tmp_path, header, rows))
    assert first["value"] == header[2:6]
    assert header[2:] in [offer.get("value") for offer in more]


def test_columns_are_offered_as_people_where_rows_are(tmp_path):
    sides = [f"{what}_{side}" for what in ("ad_text", "appeal_type") for side in "ab"]
    header = ["product_id", *sides, *(f"preferred_{number}" for number in range(60))]
    rows: list[list[Any]] = []
    for at in range(14):
        one, other = f"cheap and good {at // 3}", f"near to you {at // 2}"
        picked = [f"{'ab'[a == 'neg']}. {one if a == 'pos' else other}" for a in rows_of(60, 14)[at]]
        rows.append([at, one, other, ("price", "choice")[at % 2], ("place", "speed", "fame")[at % 3], *picked])
    offers = offers_of(written(tmp_path, header, rows))
    assert any(offer.get("layout") == "transposed" for offer in offers)
    assert header[5:] in [offer.get("annotator") for offer in offers]
