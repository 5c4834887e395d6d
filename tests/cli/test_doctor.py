"""`interagree doctor`: what it notices."""

import json
import shlex
import tomllib
from pathlib import Path

import pytest


def table(name, rows, header="item,annotator,label"):
    Path(name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return name


def pairs(*values):
    return [f"{i},{who},{value}" for i, row in enumerate(values) for who, value in zip("xyz", row, strict=False)]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (pairs(["yes", "Yes "], ["no", "no"]), "differ only in case or spaces"),
        (pairs(["a ", "a "], ["b", "b"]), "Spaces around the value removed in 2 cells."),
        (pairs(["NA", "a"], ["b", "b"], ["a", "a"]), "1 cell 'NA' taken as no annotation"),
        (pairs(["NA", "a"], ["a", "a"]), "pass --missing NA"),
        (pairs(["a", "a"], ["a", "a"]), "all annotations are 'a'"),
        (pairs(*[["a", "a"]] * 9, *[["b", "b"]] * 2, ["a", "typo"]), "given only once: 'typo'"),
        (pairs(*[["a", "a"]] * 18, ["a", "b"]), "so chance agrees often"),
        (pairs(*[[str(i % 5), str(min(i % 5 + i // 15, 4))] for i in range(30)]), "look like a scale"),
        (pairs(["low", "high"], ["medium", "medium"], ["low", "low"]), "--values low,medium,high --ordered"),
        (pairs(["1.5", "2"], ["3", "3"]), "were taken as a scale with equal steps"),
        (pairs(["a", "a|b"], ["b", "b"]), "pass --split '|'"),
        (pairs(*[["a" if i % 2 else "b", "a"] for i in range(20)]), "gave one value throughout"),
        (pairs(["a", "a"], ["b"], ["a", "b"]), "1 item with a single annotation"),
        ([*pairs(["a", "a"], ["b", "a"]), "9,lonely,a"], "shared no item with anybody: 'lonely'"),
        ([f"{i},w{k},{'ab'[(i + k) % 2]}" for i in range(3) for k in range(9)], "the wrong way round"),
        ([*pairs(*[["a", "b"]] * 9), *(f"0,w{k},a" for k in range(20))], "test questions, perhaps"),
        (pairs(["a", "b"], ["a", "a"]), "intervals will be wide"),
        (pairs(*[[f"text {i}", f"words {i}"] for i in range(15)]), "not labels; look at the column"),
        (pairs(*[["a", "b", "2024"], ["b", "a", "2025"]] * 6), "no other annotator uses a value of 'z'"),
    ],
)
def test_oddities_are_noticed(rows, says, run):
    text = " ".join(run("doctor", table("odd.csv", rows)).stdout.split())
    assert says in text


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (
            pairs(*[["a", "b"]] * 3, ["a"]),
            "87.5% of all pairs of item and annotator are filled. Both annotated 3 items.",
        ),
        (pairs(*[["a", "b"]] * 3000, ["a"]), "99.9% of all pairs of item and annotator are filled."),  # and never all
        (pairs(["a", "b"], ["b", "a"]), "Every annotator annotated every item."),
        ([f"{i},w{k},{'ab'[i % 2]}" for i in range(3) for k in range(30)], "30 annotators with 3 annotations each."),
    ],
)
def test_who_annotated_what_is_told_plainly(rows, says, run):
    text = " ".join(run("doctor", table("sizes.csv", rows)).stdout.split())
    assert says in text
    assert "1 of 1" not in text


def test_a_clean_file_is_clean(run):
    rows = pairs(*[["a", "a", "b"], ["b", "b", "b"], ["c", "c", "a"]] * 8)
    assert "Nothing odd was found." in run("doctor", table("clean.csv", rows)).stdout


def test_duplicates_are_told_and_got_round(run):
    rows = [*pairs(*[["a", "b"]] * 12), "0,x,b"]
    text = run("doctor", table("twice.csv", rows)).stdout
    assert "annotated item '0' 2 times" in text
    assert "interagree measure twice.csv --duplicates keep" in text


def test_gold_labels_are_recognised(run):
    text = run("doctor", table("gold.csv", ["1,a", "2,b"], header="item,label"), code=3).stdout
    assert "these look like gold labels" in text


def test_answers_that_nobody_else_gave_the_item_cannot_be_compared(run):
    rows = [f"h{i},w{i % 3},{'ab'[i % 2]}" for i in range(12)]
    text = run("doctor", table("export.csv", rows, header="HITId,WorkerId,Answer"), code=3).stdout
    assert "12 items with 1 annotation each" in text


def test_what_cannot_be_read_is_exit_code_two(run):
    assert "line 3" in run("doctor", table("bad.csv", ["1,x,a", "2,x,b,c"]), code=2).stderr


def test_the_next_command_works(run):
    rows = [*pairs(*[["a|b", "b"], ["a", "a"]] * 6), "0,x,b"]
    text = run("doctor", table("some file.csv", rows)).stdout
    commands = [line for line in text.splitlines() if line.startswith("interagree ")]
    assert len(commands) >= 3
    for line in commands:
        run(*shlex.split(line)[1:])


def test_a_configuration_can_be_written(run):
    table("low.csv", pairs(["low", "high"], ["medium", "medium"], ["low", "low"]))
    run("doctor", "low.csv", "--write-config")
    found = tomllib.loads(Path("interagree.toml").read_text(encoding="utf-8"))
    assert found == {"item": "item", "annotator": "annotator", "value": "label"}
    assert "already" in run("doctor", "low.csv", "--write-config", code=2).stderr


def test_what_is_only_suspected_is_written_as_a_comment_with_its_reason(run):
    table("low.csv", pairs(["low", "high"], ["medium", "medium"], ["low", "low"]))
    before = run("measure", "low.csv").stdout
    run("doctor", "low.csv", "--write-config")
    text = Path("interagree.toml").read_text(encoding="utf-8")
    assert (
        "# the values look like an ordered scale (alpha is 0.11 on a scale and 0.55 on labels); if that is so, remove "
        "the # below:\n"
        '# values = ["low", "medium", "high"]\n# ordered = true\n' in text
    )
    assert run("measure", "low.csv").stdout.startswith(before.partition("Policy")[0])
    Path("interagree.toml").write_text(text.replace("# values", "values").replace("# ordered", "ordered"))
    assert "ordinal" in run("measure", "low.csv").stdout


def test_values_in_no_known_order_are_not_declared(run):
    table("fruit.csv", pairs(["pear", "fig"], ["fig", "fig"], ["kiwi", "kiwi"]))
    run("doctor", "fruit.csv", "--write-config")
    text = Path("interagree.toml").read_text(encoding="utf-8")
    assert "values" not in tomllib.loads(text)
    assert '# values = ["fig", "kiwi", "pear"]' in text


def test_json_lists_the_oddities(run):
    found = json.loads(run("doctor", "one_value.csv", "--json").stdout)
    assert any("all annotations are 'a'" in line for line in found["questions"]["label"]["oddities"])
    assert found["next"]


@pytest.mark.parametrize(
    ("text", "said", "not_said"),
    [
        ("item,annotator,label\n", "(nothing: there are no annotations", "counts"),
        ("item;x;y\n1;1,5;1,5\n2;2,5;1\n3;5;2\n4;1;1,5\n", "taken as decimal points", "--split"),
        ("item,x,y\n1,1,1.0\n2,01,1\n3,2,2\n", "Spellings of one number taken as one: '1', '01', '1.0'", "--split"),
        ("note,item,x,y\nfoo,1,a,a\nbar,2,b,a\nbaz,3,b,b\n", "'note'", "--item note"),
        ("text,x,y\nfoo,a,a\nbar,b,a\nbaz,b,b\n", "A wide table: one row for each item ('text')", "--attribute text"),
    ],
)
def test_files_that_are_odd_as_a_whole(text, said, not_said, run, folder):
    (folder / "odd.csv").write_text(text, encoding="utf-8")
    told = run("doctor", "odd.csv", code=3 if text.count("\n") == 1 else 0).stdout
    assert said in " ".join(told.split())
    assert not_said not in told


def lines(name, values, **further):
    """A file of JSON lines: for each item the values of x, y and z."""
    rows = [
        {"item": item, "annotator": who, "value": value, **further}
        for item, given in enumerate(values)
        for who, value in zip("xyz", given, strict=False)
    ]
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


PER, LOC = [0, 5, "PER"], [9, 12, "LOC"]


def test_spans_are_told_by_their_labels_and_worked_out_by_f1(run):
    text = run("doctor", lines("spans.jsonl", [[[PER, LOC], [PER]]] * 12, text="Anna is in Bremen, again.")).stdout
    assert "36 spans in 24 annotations; 2 labels: 'PER' (24), 'LOC' (12)." in text
    assert "Positions count characters; the text of 12 of 12 documents is known." in text
    assert "24 of 36 spans (67%) begin or end with whitespace" in " ".join(text.split())
    assert "interagree explain span_f1 spans.jsonl" in text
    assert "((0" not in text
    for line in text.splitlines():
        if line.startswith("interagree "):
            run(*shlex.split(line)[1:])


def test_json_counts_the_labels(run):
    lines("spans.jsonl", [[[PER, LOC], [PER]]] * 12)
    found = json.loads(run("doctor", "spans.jsonl", "--json").stdout)["questions"]["value"]
    assert (found["spans"], found["labels"]) == (36, {"PER": 24, "LOC": 12})


CLUSTERS = [[["Ann", "she"], ["Bo", "he"]], [["Ann"], ["she"], ["Bo", "he"]]]
PARSES = [[[2, "nsubj"], [0, "root"]], [[0, "root"], [1, "obj"]]]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([CLUSTERS] * 12, "clusters"),
        ([PARSES] * 12, "dependencies"),
        ([[[2, 3, 6 + k], [5, 6 + k]] for k in range(12)], "segments"),
        ([[[[0, 5], [7, 9]], [[0, 4]]]] * 12, "spans"),
    ],
)
def test_a_kind_that_must_be_stated_is_hinted_at(values, kind, run):
    text = run("doctor", lines("kind.jsonl", values)).stdout
    assert f"pass --kind {kind}" in " ".join(text.split())
    command = f"interagree measure kind.jsonl --kind {kind}"
    assert command in text
    run(*shlex.split(command)[1:])


def test_lists_of_labels_are_recognised_as_sets(run):
    values = [[["joy", "fear"], ["joy"]], [["fear"], ["fear", "joy"]]] * 6
    assert "Lists of labels taken as sets" in run("doctor", lines("kind.jsonl", values)).stdout


def test_cells_that_spell_clusters_are_hinted_at_too(run):
    rows = [f'{k},"' + json.dumps(a).replace('"', '""') + '","' + json.dumps(b).replace('"', '""') + '"'
            for k, (a, b) in enumerate([CLUSTERS] * 9)]  # fmt: skip
    assert "--kind clusters" in run("doctor", table("cells.csv", rows, header="item,ann,bo")).stdout


@pytest.mark.parametrize(
    "values",
    [
        [[[40, 60], [70, 30]]] * 12,  # shares that sum to 100
        [[[1, 2, 3], [4, 5, 9]]] * 12,
        [[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]] * 12,
        [[[], []]] * 12,
    ],
)
def test_no_kind_is_made_up(values, run):
    assert "--kind" not in run("doctor", lines("plain.jsonl", values)).stdout


@pytest.mark.parametrize("people", [2, 3, 5])
def test_a_column_of_text_beside_json_is_no_annotator(people, run):
    cells = ['"[[0, 5, ""PER""]]"', '"[[0, 4, ""PER""], [9, 12, ""LOC""]]"']
    rows = [f"{k},Anna is in Bremen ({k})," + ",".join(cells[(k + i) % 2] for i in range(people)) for k in range(4)]
    header = "item,text," + ",".join("abcde"[:people])
    text = run("doctor", table("cells.csv", rows, header=header)).stdout
    assert "Columns set aside: 'text'" in " ".join(text.split())
    assert "interagree spans cells.csv\n" in text
    run("spans", "cells.csv")


def test_tables_stay_within_a_hundred_columns(run):
    labels = [f"a label of some words, the number {k}" for k in range(6)]
    text = run(
        "doctor", lines("sets.jsonl", [[labels[:5], labels[k % 3 :]] for k in range(12)]), "--kind", "sets"
    ).stdout
    assert max(map(len, text.splitlines())) <= 100
    assert "frozenset" not in text
    text = run("doctor", lines("long.jsonl", [["x" * 300, "a\nb"]] * 12)).stdout
    assert max(map(len, text.splitlines())) <= 100
    assert "a\\nb" in text


def test_further_columns_are_said_once_for_all_questions_that_have_them(run, tmp_path):
    trees = tmp_path / "trees"
    trees.mkdir()
    for who in ("ann", "bo"):
        words = "1\tGo\tgo\tA\tB\t_\t0\troot\t_\t_\n2\ton\ton\tC\tB\t_\t1\tx\t_\t_\n\n"
        (trees / f"{who}.conllu").write_text(words, encoding="utf-8")
    said = run("doctor", trees).stdout
    assert "Questions: 'dependencies', 'deprel'" in said
    assert said.count("Further columns: 'where', 'text'.") == 1
    assert said.count("Further columns") == 1


def test_a_scale_of_one_question_of_several_is_said_of_it_alone(run):
    agree, often = ("disagree", "neutral", "agree"), ("never", "rarely", "often")
    rows = [f"{i},{who},{agree[(i + k) % 3]},{often[(i * k) % 3]}" for i in range(12) for k, who in enumerate("xy")]
    name = table("two.csv", rows, header="item,annotator,trust,fear")
    questions = ("--value", "trust", "--value", "fear")
    for command in ("doctor", "report"):
        text = run(command, name, *questions).stdout
        commands = [line.strip() for line in text.splitlines() if "--values" in line and "interagree " in line]
        assert len(commands) == 2
        for line in commands:
            assert "ordinal" in run(*shlex.split(line)[1:]).stdout
    both = run("doctor", name, *questions, "-q", "fear").stdout
    (line,) = [line for line in both.splitlines() if "--values" in line and line.startswith("interagree ")]
    assert "-q fear --values never,rarely,often --ordered" in line
    wrong = run("measure", name, *questions, "-q", "fear", "--values", "never,rarely", code=2).stderr
    assert "'often' was given and not declared" in wrong


def test_none_on_a_scale_is_not_suspected_to_be_missing(run):
    table("pain.csv", pairs(["none", "mild"], ["mild", "severe"], ["none", "none"]))
    text = run("doctor", "pain.csv").stdout
    assert "--values none,mild,severe --ordered" in text
    assert "is counted as a value" not in text
    table("other.csv", pairs(["none", "left"], ["left", "right"], ["none", "none"]))
    assert "'none' (3 annotations) is counted as a value" in run("doctor", "other.csv").stdout
