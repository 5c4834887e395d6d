"""Kendall's W of tables with gaps."""

import interagree as ia


def test_the_steps_of_a_table_with_gaps_have_the_means_of_what_is_there() -> None:
    rows = [(1, "a", 1), (1, "b", 2), (2, "a", 3), (2, "c", 5), (3, "b", 4), (3, "c", 6), (4, "a", 7), (5, "b", 9)]
    study = ia.Annotations.of(rows, kind="numbers")
    steps = ia.explain("kendall_w", study)
    (table,) = [section.table for section in steps.document().sections if "Lay the numbers" in section.title]
    assert table["mean"] == [1.5, 4.0, 5.0]
    assert ia.kendall_w(study).notes[:2] == (
        "3 items were not annotated by every annotator; ranks are among the items of each",
        "2 items with one annotation left out",
    )
