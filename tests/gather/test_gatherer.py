"""Marks gathered into studies: what several of them mean together."""

from __future__ import annotations

from typing import Any

import pytest

from interagree.data.files import Source
from interagree.errors import DuplicateAnnotation, FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.gather.shapes import BOX, POLYGON, Shape
from interagree.gather.units import UnitOptions


def gatherer(**options: Any) -> Gatherer:
    return Gatherer("a tool", [Source("a.json", None)], **options)


def rows(gathered: Gatherer) -> dict[str, list[tuple[object, object, object]]]:
    return {name: list(question.rows()) for name, question in gathered.study().items()}


def test_marks_of_one_record_are_one_answer_and_records_of_one_cell_are_two() -> None:
    gathered = gatherer()
    for start, where in ((4, "line 1"), (0, "line 1"), (9, "line 2")):
        gathered.add(Mark("names", "r1", "ann", Span(start, start + 1, "PER"), where))
    assert rows(gathered) == {"names": [("r1", "ann", ((9, 10, "PER"),))]}
    assert "1 repeated answer" in str(gathered.study()["names"].provenance.policy())
    gathered.duplicates = "first"
    assert rows(gathered) == {"names": [("r1", "ann", ((0, 1, "PER"), (4, 5, "PER")))]}
    gathered.duplicates = "error"
    with pytest.raises(DuplicateAnnotation, match="line 2: 'ann' answered 'names' for 'r1' before, in line 1"):
        gathered.study()


def test_who_looked_and_marked_nothing_has_an_empty_answer() -> None:
    gathered = gatherer()
    gathered.looked("r1", "ann", "names", "line 1")
    gathered.add(Mark("names", "r1", "bo", Span(0, 3, "PER"), "line 2"))
    gathered.looked("a.jpg", "ann", "cars", kind="shapes")
    gathered.add(Mark("cars", "a.jpg", "bo", Shape(BOX, (0, 0, 2, 2), ("car",))))
    made = rows(gathered)
    assert [(who, len(value)) for _, who, value in made["names"]] == [("ann", 0), ("bo", 1)]  # type: ignore[arg-type]
    assert [(who, len(value)) for _, who, value in made["cars"]] == [("ann", 0), ("bo", 1)]  # type: ignore[arg-type]


def test_choices_are_labels_unless_somebody_chose_several() -> None:
    for second, value in ((("b",), "a"), (("a", "b"), frozenset({"a"}))):
        gathered = gatherer()
        gathered.add(Mark("topic", 1, "ann", ("a",)), "choices")
        gathered.add(Mark("topic", 1, "bo", second), "choices")
        assert rows(gathered)["topic"][0][2] == value


def test_what_was_left_out_is_said_and_so_is_why_there_is_nothing() -> None:
    gathered = gatherer()
    gathered.left_out("draft", times=2)
    with pytest.raises(FormatError, match=r"a\.json: found no annotation to read \(2 drafts left out\)"):
        gathered.study()


def test_those_who_looked_are_asked_what_others_answered() -> None:
    gathered = gatherer(positions=None)
    for who in ("ann", "bo"):
        gathered.looked("a.jpg", who, where=who)
    gathered.looked("b.jpg", "ann", {"masks"}, "b")
    gathered.add(Mark("", "a.jpg", "bo", Shape(BOX, (0, 0, 2, 2), ("car",)), "bo"))
    gathered.add(Mark("weather", "a.jpg", "ann", "rain", "ann"), "choices")
    gathered.add(Mark("weather", "a.jpg", "ann", "wind", "ann"), "choices")
    assert rows(gathered) == {
        "boxes": [("a.jpg", "ann", ()), ("a.jpg", "bo", ((0, 0, 2, 2, "car"),))],
        "weather": [("a.jpg", "ann", frozenset({"rain", "wind"})), ("a.jpg", "bo", frozenset())],
    }
    assert "1 time somebody looked and marked nothing" in [step.sentence for step in gathered.steps]


def test_polygons_are_drawn_where_others_drew_masks() -> None:
    square = (("counts", (5, 2, 2, 2, 5)), ("size", (4, 4)))
    gathered = gatherer(positions=None)
    gathered.sizes["a.jpg", ""] = (4, 4)
    gathered.add(Mark("", "a.jpg", "ann", Shape(POLYGON, ((1, 1), (3, 1), (3, 3), (1, 3)))))
    gathered.add(Mark("", "a.jpg", "bo", Shape("mask", square)))
    (made,) = gathered.study().values()
    assert {who: value for _, who, value in made.rows()} == {"ann": (square,), "bo": (square,)}


def test_offsets_in_utf16_units_become_characters_by_the_text_that_they_cover() -> None:
    gathered = gatherer()
    gathered.show("r1", "😀 Ann saw Bo.", "line 1")
    ann, bo = Span(3, 6, "PER", covered="Ann"), Span(11, 13, "PER", covered="Bo")
    gathered.add(Mark("names", "r1", "x", [ann, bo], "line 1"), "spans")
    gathered.add(Mark("links", "r1", "x", Link(ann, bo, "saw"), "line 1"))
    assert rows(gathered) == {
        "names": [("r1", "x", ((2, 5, "PER"), (10, 12, "PER")))],
        "links": [("r1", "x", (((2, 5, "PER"), (10, 12, "PER"), "saw"),))],
    }


def listed(looked: Any) -> Gatherer:
    """Two images that a file lists for ann, of whom one is marked, and one that it lists for nobody."""
    gathered = gatherer(positions=None)
    for image in ("a.jpg", "b.jpg"):
        gathered.looked(image, "ann", where=image)
    gathered.looked("c.jpg", None, where="c.jpg")
    gathered.looked("a.jpg", "bo", where="a.jpg")
    for who in ("ann", "bo"):
        gathered.add(Mark("", "a.jpg", who, Shape(BOX, (0, 0, 2, 2), ("car",)), "a.jpg"))
    gathered.take_looked(looked)
    return gathered


@pytest.mark.parametrize(
    ("looked", "cells", "said"),
    [
        ("listed", {"a.jpg ann", "a.jpg bo", "b.jpg ann"}, "looked at by those whom the file lists for them"),
        ("marked", {"a.jpg ann", "a.jpg bo"}, r"who marked nothing in an image did not look at it"),
        ("all", {f"{i}.jpg {who}" for i in "abc" for who in ("ann", "bo")}, "all images were looked at by 'ann', 'bo'"),
        (["bo"], {"a.jpg ann", "a.jpg bo", "b.jpg ann", "b.jpg bo", "c.jpg bo"}, "were looked at by 'bo'"),
    ],
)
def test_who_looked_at_images_is_as_files_list_or_as_the_caller_says(looked: Any, cells: set[str], said: str) -> None:
    gathered = listed(looked)
    assert {f"{item} {who}" for item, who, _ in rows(gathered)["boxes"]} == cells
    assert any(said in step.sentence for step in gathered.steps)


def test_who_looked_at_everything_has_an_answer_to_every_question_about_texts() -> None:
    gathered = gatherer(units=UnitOptions(looked="all"))
    ends = Span(0, 3, "PER"), Span(4, 7, "PER")
    gathered.add(Mark("names", "r1", "ann", [*ends], "line 1"), "spans")
    gathered.add(Mark("links", "r1", "ann", Link(*ends, "saw"), "line 1"))
    gathered.add(Mark("names", "r2", "bo", [ends[0]], "line 2"), "spans")
    gathered.add(Mark("links", "r2", "bo", [], "line 2"), "relations")
    for name, answers in rows(gathered).items():
        assert {(item, who) for item, who, _ in answers} == {(i, who) for i in ("r1", "r2") for who in ("ann", "bo")}, (
            name
        )


def test_what_an_option_drops_or_keeps_is_counted_either_way() -> None:
    gathered = gatherer()
    gathered.add(Mark("topic", 1, "ann", "a"), "choices")
    assert not gathered.drops("box", "marked iscrowd", crowd="keep")
    assert [gathered.drops("region", "of a model", model="drop") for _ in range(2)] == [True, True]
    policy = str(gathered.study().policy())
    assert "1 box marked iscrowd kept (crowd='drop' leaves them out)" in policy
    assert "2 regions of a model left out" in policy
