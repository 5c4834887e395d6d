"""`--only` and `--without`: which annotators count, in every command that reads files."""

from pathlib import Path

import pytest

import interagree as ia
from interagree.errors import DataError, KindError, UnknownName

ROWS = ["item,annotator,label"] + [
    f"{i},{who},{label}"
    for i, labels in enumerate(["aaab", "bbba", "abab", "aabb", "bbaa", "ccac"])
    for who, label in zip(("expert_1", "expert_2", "crowd, all", "7"), labels, strict=True)
]


@pytest.fixture(autouse=True)
def labels(folder):
    """Two experts, one annotator with a comma in the name and one who is a number."""
    text = "\n".join(ROWS).replace("crowd, all", '"crowd, all"')
    Path("labels.csv").write_text(f"{text}\n", encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("--only", "expert_1,expert_2"),
        ("--only", "expert_1", "--only", "expert_2"),
        ("--only", "expert_*"),
        ("--without", "crowd, all", "--without", "7"),
        ("--only", "*", "--without", "[!e]*"),
    ],
)
def test_annotators_are_chosen_by_name_list_or_pattern(run, words):
    done = run("measure", "labels.csv", "-m", "alpha", *words)
    study = ia.read("labels.csv").single()
    expected = ia.alpha(study.only(annotators=["expert_1", "expert_2"]))
    assert f"{expected.value:.3f}" in done.stdout
    said = " ".join(done.stdout.split())
    assert "2 annotators left out on request: crowd, all, 7 (12 annotations)" in said


@pytest.mark.parametrize(
    "command",
    [
        ("measure",),
        ("report",),
        ("annotators",),
        ("disagreements",),
        ("consensus",),
        ("doctor",),
        ("check", "--at-least", "-1"),
    ],
)
def test_every_command_obeys(run, command):
    name, *words = command
    done = run(name, "labels.csv", *words, "--without", "7")
    assert "1 annotator left out on request: 7 (6 annotations)" in " ".join(done.stdout.split())


def test_doctor_keeps_the_choice_in_what_to_run_next(run):
    done = run("doctor", "labels.csv", "--without", "7")
    assert "interagree measure labels.csv --without 7" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "expert_3"), "there is no annotator 'expert_3'; there are 'expert_1'"),
        (("--without", "expert_3"), "Did you mean 'expert_"),
        (("--only", "x*"), "no annotator fits the pattern 'x*'; there are"),
        (("--without", "*"), "no annotator is left of 'expert_1'"),
    ],
)
def test_a_name_that_fits_nobody_is_an_error_with_a_suggestion(run, words, said):
    assert said in " ".join(run("measure", "labels.csv", *words, code=2).stderr.split())


def test_python_takes_the_same_words():
    study = ia.read("labels.csv", only="expert_*").single()
    assert [*study.annotators] == ["expert_1", "expert_2"]
    assert [*ia.read("labels.csv", without=["7", "crowd, all"]).single().annotators] == ["expert_1", "expert_2"]
    with pytest.raises(UnknownName, match="there is no annotator 'eve'"):
        ia.read("labels.csv", only="eve")
    with pytest.raises(DataError, match="no annotator is left"):
        ia.read("labels.csv", without="*")


def test_items_that_nobody_is_left_for_go_and_counts_cannot_be_chosen_from():
    Path("sparse.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n2,b,y\n", encoding="utf-8")
    assert [*ia.read("sparse.csv", without="b").single().items] == ["1"]
    Path("counts.csv").write_text("item,x,y\n1,2,1\n2,0,3\n", encoding="utf-8")
    with pytest.raises(KindError, match="made from counts"):
        ia.read("counts.csv", layout="counts", only="a")


def test_a_pattern_chooses_the_columns_of_a_wide_table(run):
    Path("wide.csv").write_text("item,text,h_1,h_2,gpt\n1,hello,a,a,b\n2,there,b,b,b\n3,you,a,b,a\n", encoding="utf-8")
    study = ia.read("wide.csv", annotator=["h_*"]).single()
    assert [*study.annotators] == ["h_1", "h_2"]
    assert [*ia.Annotations.of({"item": [1, 2], "h_1": ["a", "b"], "h_2": ["a", "a"]}, annotator="h_*").annotators] == [
        "h_1",
        "h_2",
    ]
    done = run("measure", "wide.csv", "--annotator", "q_*", code=2)
    assert "there is no column that fits the pattern 'q_*'; the table has 'item', 'text'" in " ".join(
        done.stderr.split()
    )


def test_the_configuration_may_choose(run):
    Path("interagree.toml").write_text('without = ["7"]\n', encoding="utf-8")
    assert "1 annotator left out on request: 7" in " ".join(run("measure", "labels.csv").stdout.split())


def test_labels_of_one_question_of_several_are_merged_there(tmp_path):
    path = tmp_path / "two.csv"
    rows = [f"{i},{who},{'abc'[(i + k) % 3]},{'xyz'[i % 3]}" for i in range(9) for k, who in enumerate(("ann", "bo"))]
    path.write_text("\n".join(["item,annotator,tone,topic", *rows]), encoding="utf-8")
    study = ia.read(path, value=["topic", "tone"], merge_labels=["a,b"])
    assert study["tone"].values == ("a", "c")
    assert study["topic"].values == ("x", "y", "z")
    with pytest.raises(UnknownName, match="there is no label"):
        ia.read(path, value=["topic", "tone"], merge_labels=["a,q"])
