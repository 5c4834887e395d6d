"""Results of Mechanical Turk, Appen and Toloka in, studies out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import need

from interagree.errors import DataError, DoubtfulReading, FormatError, UnknownName
from interagree.readers import appen, mturk, read, toloka


@pytest.fixture
def table(file: Any) -> Any:
    def made(rows: list[dict[str, Any]], name: str = "a.csv", *, index: bool = False) -> Path:
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter="\t" if name.endswith(".tsv") else ",")
        writer.writerow([*([""] if index else []), *rows[0]])
        for number, row in enumerate(rows):
            writer.writerow([*([number] if index else []), *row.values()])
        path: Path = file(name, out.getvalue())
        return path

    return made


def rows(annotations: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in annotations.rows()}


# -- Mechanical Turk ------------------------------------------------------------------------------------------


def assignment(hit: int, worker: str, status: str = "Approved", **answers: str) -> dict[str, str]:
    about = {"HITId": f"h{hit}", "HITTypeId": "t", "AssignmentId": f"{hit}{worker}", "WorkerId": worker}
    named = {f"Answer.{name.replace('__', '.')}": answer for name, answer in answers.items()}
    return {**about, "AssignmentStatus": status, "Input.text": f"text {hit}", **named}


def test_answers_spread_over_columns_are_one_question(table: Any) -> None:
    def one(hit: int, worker: str, good: str, bad: str) -> dict[str, str]:
        return assignment(hit, worker, mood__good=good, mood__bad=bad, why="because I say so " + worker)

    path = table([one(1, "w1", "true", "false"), one(1, "w2", "false", "true"), one(2, "w1", "False", "False")])
    study = read(path)
    assert list(study) == ["mood", "why"]
    assert rows(study["mood"]) == {("h1", "w1"): "good", ("h1", "w2"): "bad"}
    assert study["why"].of_kind == "text"
    assert "1 answer to 'mood' without a choice left out" in study["mood"].provenance.policy()
    assert set(study["mood"].attributes["text"]) == {"text 1"}
    several = read(table([one(1, "w1", "true", "true"), one(1, "w2", "false", "false")]), questions="Answer.mood")
    assert rows(several.single()) == {("h1", "w1"): frozenset({"good", "bad"}), ("h1", "w2"): frozenset()}


def test_check_boxes_of_one_name_are_sets(table: Any) -> None:
    study = read(table([assignment(1, "w1", seen="cat|dog"), assignment(1, "w2", seen="dog|cat")]))
    assert set(rows(study.single()).values()) == {frozenset({"cat", "dog"})}


def test_rejected_assignments_are_left_out_and_counted(table: Any) -> None:
    made = [
        assignment(n, w, "Rejected" if w == "w3" else "Submitted", a="x") for n in (1, 2) for w in ("w1", "w2", "w3")
    ]
    path = table(made, index=True)  # as pandas writes it
    assert "2 rejected assignments left out (rejected='keep' keeps them)" in read(path).policy()
    assert len(read(path).single()) == 4
    assert len(read(path, rejected="keep").single()) == 6
    marked = [
        {**assignment(1, w, "Submitted", a="x"), "Approve": "", "Reject": "no" if w == "w2" else ""}
        for w in ("w1", "w2")
    ]
    assert len(read(table(marked)).single()) == 1


def test_several_items_in_a_hit_are_told_by_numbers_that_questions_share(table: Any) -> None:
    answers = {f"{name}_{n}": "xy"[n % 2] for name in ("tone", "style") for n in (1, 2, 10)}
    study = read(table([assignment(1, "w1", **answers), assignment(1, "w2", **answers)]))
    assert list(study) == ["tone", "style"]
    assert sorted(study["tone"].items) == ["h1 #1", "h1 #10", "h1 #2"]
    assert "several items in a HIT" in study.policy()
    assert len(read(table([assignment(1, "w1", **answers)]), items="hit")) == 6


def test_numbers_of_one_question_are_in_doubt_unless_inputs_have_them(table: Any) -> None:
    made = [assignment(1, who, label_1="x", label_2="y") for who in ("w1", "w2")]
    path = table(made)
    with pytest.raises(DoubtfulReading, match="each number may be an item") as caught:
        read(path)
    assert "items='numbered'" in str(caught.value)
    assert "-O items=hit" in caught.value.for_command_line()
    assert len(read(path, items="numbered").single().items) == 2
    assert list(read(path, items="hit")) == ["label_1", "label_2"]
    shown = [{**row, "Input.url_1": "a", "Input.url_2": "b"} for row in made]
    study = read(table(shown))
    assert len(study.single().items) == 2
    assert set(study.single().attributes["text"]) == {"a", "b"}


def test_answers_as_json_are_taken_apart(table: Any) -> None:
    def one(worker: str, answer: dict[str, Any]) -> dict[str, str]:
        return assignment(1, worker, taskAnswers=json.dumps([answer]))

    first = {"mood": {"good": True, "bad": False}, "topic": {"label": "sport"}, "tags": ["b", "a"]}
    second = {"mood": {"good": False, "bad": True}, "topic": {"label": "law"}, "tags": ["a"]}
    study = read(table([one("w1", first), one("w2", second)]))
    assert rows(study["mood"])["h1", "w1"] == "good"
    assert rows(study["topic"])["h1", "w2"] == "law"
    assert rows(study["tags"])["h1", "w1"] == frozenset("ab")
    with pytest.raises(FormatError, match=r"a.csv, line 2: expected JSON in 'Answer.taskAnswers'"):
        read(table([assignment(1, "w1", taskAnswers="{[")]))


def test_hits_that_were_published_again_are_joined_on_request(table: Any) -> None:
    made = [assignment(hit, who, a="x") for hit, who in ((1, "w1"), (2, "w2"), (3, "w1"))]
    made[1]["Input.text"] = "text 1"
    path = table(made)
    assert "1 HIT show what another one shows; item='Input.text' joins them" in read(path).policy()
    assert sorted(read(path, item="Input.text").single().items) == ["text 1", "text 3"]
    with pytest.raises(UnknownName, match=r"no column 'Input.txt'"):
        read(path, item="Input.txt")


def test_rows_of_a_download_lack_the_columns_for_the_review(file: Any) -> None:
    path = file(
        "a.csv", "HITId,AssignmentId,WorkerId,Answer.a.label,Approve,Reject\n1,a,w1,x\n1,b,w2,y,x\n1,c,w3,z,,no\n"
    )
    assert rows(read(path)["a.label"]) == {("1", "w1"): "x", ("1", "w2"): "y"}
    assert "1 rejected assignment left out" in read(path).policy()


def test_a_real_download(shared: Path) -> None:
    expected = json.loads((shared / "data/tables/expected/tweet_emotions.csv.json").read_text(encoding="utf-8"))
    found = read(shared / "data/tables/files/tweet_emotions.csv")["emotion.label"]
    assert [list(row) for row in found.rows()] == expected["questions"]["Answer.emotion.label"]


def test_what_is_wrong_with_a_batch_is_said(table: Any, file: Any) -> None:
    with pytest.raises(FormatError, match="nobody has answered yet"):
        read(table([assignment(1, "w1")]))
    with pytest.raises(FormatError, match=r"line 2: expected something in 'WorkerId'"):
        read(table([assignment(1, "", a="x")]))
    with pytest.raises(FormatError, match=r"line 3: expected 3 cells .* found 2"):
        read(file("a.csv", "HITId,WorkerId,Answer.a\n1,w1,x\n1,w2\n"))


def test_a_real_batch_of_ten_items_in_a_hit(shared: Path) -> None:
    study = read(shared / "data/formats/mturk/real_batch_10items_per_hit.csv")
    assert len(study) == 29
    usefulness = study["usefulness"]
    assert (len(usefulness.items), len(usefulness.annotators), len(usefulness)) == (20, 5, 50)
    assert usefulness.values == ("option_1", "option_2", "option_3", "option_4")
    assert rows(study["coherence"])["389A2A3055W9PZ2DP6X1OMSMZIL0CY #1", "W01"] == "option_4"
    assert rows(study["coherence"])["389A2A3055W9PZ2DP6X1OMSMZIL0CY #10", "W02"] == "option_1"
    assert study["explanation"].of_kind == "text"
    assert (len(study["voice_frequency"].items), len(study["voice_frequency"])) == (2, 5)


@pytest.mark.parametrize(("number", "sizes"), [(1, (9, 18, 27)), (2, (7, 17, 63)), (3, (5, 18, 30))])
def test_real_batches(shared: Path, number: int, sizes: tuple[int, int, int]) -> None:
    found = read(shared / f"data/formats/mturk/platform_amt{number}.csv")["output"]
    assert (len(found.items), len(found.annotators), len(found)) == sizes
    assert found.values == ("A", "B", "C", "D", "E")


# -- Appen ----------------------------------------------------------------------------------------------------


def judgement(unit: int, worker: int, **cells: str) -> dict[str, Any]:
    about = {"_unit_id": unit, "_golden": "false", "_missed": "", "_tainted": "false", "_trust": 0.9}
    return {**about, "_worker_id": worker, "sentence": f"text {unit}", **cells}


def test_answers_are_told_from_what_was_shown(table: Any) -> None:
    made = [judgement(n, w, mood="good" if (n + w) % 2 else "bad", sure="yes") for n in range(4) for w in (1, 2)]
    study = read(table(made))
    assert list(study) == ["mood"]
    assert rows(study["mood"])["0", "1"] == "good"
    assert set(study["mood"].attributes["text"]) == {f"text {n}" for n in range(4)}
    assert list(read(table([{**row, "sure_gold": ""} for row in made]))) == ["mood", "sure"]  # a question by its gold
    assert list(read(table(made), questions=["sure"])) == ["sure"]


def test_what_names_the_unit_once_more_is_no_answer_though_it_has_a_gold_column(table: Any) -> None:
    made = [judgement(n, w, mood="good" if (n + w) % 2 else "bad", frame=f"unit/{n}") for n in range(4) for w in (1, 2)]
    assert list(read(table([{**row, "frame_gold": "", "mood_gold": ""} for row in made]))) == ["mood"]


def test_excluded_workers_and_test_questions_are_left_out_and_counted(table: Any) -> None:
    made = [judgement(n, w, mood="good" if (n + w) % 2 else "bad") for n in range(4) for w in (1, 2, 3)]
    for row in made:
        row["_tainted"] = "true" if row["_worker_id"] == 3 else "false"
        row["_golden"] = "true" if row["_unit_id"] == 0 else "false"
    path = table(made)
    study = read(path)
    assert len(study.single()) == 6
    assert "3 judgements of excluded workers left out (tainted='keep' keeps them)" in study.policy()
    assert "3 answers to test questions left out (gold='keep' keeps them)" in study.policy()
    assert len(read(path, tainted="keep", gold="keep").single()) == 12


def test_check_boxes_and_options_in_the_order_that_each_worker_saw(table: Any) -> None:
    made = [judgement(n, w, topics="a\nb" if w == 1 else "b\na" if n else "c") for n in range(4) for w in (1, 2)]
    found = read(table(made)).single()
    assert set(found.values) == {frozenset("ab"), frozenset("c")}
    offered = [
        judgement(n, w, offered="a b c" if w == 1 else "c b", chosen="b c" if n else "c" if w == 1 else "none")
        for n in range(8)
        for w in (1, 2)
    ]
    study = read(table(offered))
    assert list(study) == ["chosen"]
    assert set(study.single().values) == {frozenset("bc"), frozenset("c"), frozenset({"none"})}
    plain = [judgement(n, w, mood="not sure" if (n + w) % 2 else "sure") for n in range(4) for w in (1, 2)]
    assert read(table(plain)).single().values == ("not sure", "sure")
    assert frozenset({"not", "sure"}) in read(table(plain), split=" ").single().values


def test_the_aggregated_report_is_refused_by_name(table: Any) -> None:
    report = {"_unit_id": 1, "_golden": "false", "_trusted_judgments": 3, "mood": "good", "mood:confidence": 0.7}
    path = table([report])
    assert appen.recognised(path)
    with pytest.raises(FormatError, match="expected the full report of Appen"):
        read(table([{"item": 1, "label": 2}], "b.csv"), format="appen")
    with pytest.raises(FormatError, match=r"aggregated report of Appen.*download the full report"):
        read(path)


@pytest.mark.parametrize(
    ("name", "question", "kind"),
    [
        ("relex-binary-choice", "top_member_employee", "labels"),
        ("relex-multiple-choice", "relations", "sets"),
        ("relex-sparse-multiple-choice", "output_relations", "sets"),
    ],
)
def test_real_reports(shared: Path, name: str, question: str, kind: str) -> None:
    study = read(shared / f"data/formats/appen_crowdflower/{name}.csv")
    assert list(study) == [question]
    found = study[question]
    assert (len(found.items), len(found.annotators), len(found), found.of_kind) == (10, 67, 150, kind)


@pytest.mark.parametrize(("number", "sizes"), [(1, (9, 18, 27)), (2, (7, 17, 63))])
def test_real_reports_of_tests(shared: Path, number: int, sizes: tuple[int, int, int]) -> None:
    found = read(shared / f"data/formats/appen_crowdflower/platform_cf{number}.csv").single()
    assert (len(found.items), len(found.annotators), len(found)) == sizes


# -- Toloka ---------------------------------------------------------------------------------------------------


def result(task: int, worker: str, answer: str, **more: str) -> dict[str, str]:
    usual = {"INPUT:image": f"p{task}.jpg", "INPUT:text": "look", "OUTPUT:label": answer, "GOLDEN:label": ""}
    about = {"ASSIGNMENT:task_id": f"t{task}", "ASSIGNMENT:worker_id": worker, "ASSIGNMENT:status": "APPROVED"}
    return {**usual, **about, **{name.replace("__", ":"): entry for name, entry in more.items()}}


def test_results_of_toloka(table: Any) -> None:
    made = [result(n, w, "yes" if (n + len(w)) % 2 else "no") for n in range(3) for w in ("w", "vv")]
    made += [result(0, "x", "yes", ASSIGNMENT__status="REJECTED"), result(1, "x", "yes", ASSIGNMENT__status="SKIPPED")]
    made += [result(9, "w", "yes", GOLDEN__label="no"), result(8, "", "")]
    path = table(made, "a.tsv")
    study = read(path)
    assert list(study) == ["label"]
    assert rows(study.single())["t0", "w"] == "yes"
    assert len(study.single()) == 6
    for sentence in (
        "1 row without an answer left out",
        "1 rejected answer left out",
        "1 skipped answer left out",
        "1 answer to a task with a known answer",
    ):
        assert sentence in study.policy()
    assert len(read(path, rejected="keep", gold="keep").single()) == 9
    assert "p0.jpg" in read(path, item="INPUT:image").single().items
    assert set(study.single().attributes["text"]) == {f"p{n}.jpg\nlook" for n in range(3)}


def test_old_results_of_toloka_without_numbers_of_tasks(table: Any) -> None:
    made = [result(n, w, '["b","a"]' if w == "w1" else '["a","b"]') for n in range(3) for w in ("w1", "w2")]
    for row in made:
        del row["ASSIGNMENT:task_id"]
    found = read(table(made, "a.tsv")).single()
    assert len(found.items) == 3
    assert set(found.values) == {frozenset("ab")}
    for row in made:
        del row["INPUT:image"], row["INPUT:text"]
    with pytest.raises(FormatError, match="nothing tells which task was answered"):
        read(table(made, "a.tsv"))


def test_the_frame_of_results_of_toloka_in_every_form(tmp_path: Path) -> None:
    """As ``get_assignments_df`` gives it, whose truth values pandas spells in its own way."""
    results = [
        {
            "INPUT:text": f"text {n}",
            "OUTPUT:ok": (n + at) % 2 == 0,
            "OUTPUT:tags": '["x", "y"]' if n else '["x"]',
            "GOLDEN:ok": True if n == 3 else None,
            "ASSIGNMENT:task_id": f"task-{n}",
            "ASSIGNMENT:worker_id": who,
            "ASSIGNMENT:status": "REJECTED" if who == "cy" else "APPROVED",
        }
        for n in range(4)
        for at, who in enumerate(("ann", "bo", "cy"))
    ]
    frame = need("pandas").DataFrame(results)
    expected = {
        (f"task-{n}", who): str((n + at) % 2 == 0).lower() for n in range(3) for at, who in enumerate(("ann", "bo"))
    }
    frame.to_csv(tmp_path / "a.tsv", sep="\t", index=False)
    frame.to_csv(tmp_path / "b.csv")
    frame.to_json(tmp_path / "c.json", orient="records")
    frame.to_json(tmp_path / "d.json")
    frame.to_json(tmp_path / "e.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "f.parquet")
    for path in sorted(tmp_path.iterdir()):
        assert toloka.recognised(path), path
        study = read(path)
        assert rows(study["ok"]) == expected, path
        assert rows(study["tags"])["task-1", "bo"] == frozenset("xy"), path
        assert "2 answers to a task with a known answer left out" in study.policy(), path
        assert "4 rejected answers left out" in study.policy(), path
    said = {"item": "ASSIGNMENT:task_id", "annotator": "ASSIGNMENT:worker_id", "value": "OUTPUT:ok"}
    assert len(read(tmp_path / "f.parquet", layout="long", **said).single()) == len(results)  # as any other table


def test_assignments_of_toloka_from_its_programming_interface(file: Any) -> None:
    def one(worker: str, status: str) -> dict[str, Any]:
        tasks = [{"id": f"t{n}", "input_values": {"url": f"p{n}"}} for n in range(2)]
        tasks.append({"id": "g", "input_values": {"url": "p"}, "known_solutions": [{"output_values": {"ok": True}}]})
        solutions = [{"output_values": {"ok": n != 1, "tags": ["x"]}} for n in range(3)]
        return {"id": worker, "user_id": worker, "status": status, "tasks": tasks, "solutions": solutions}

    path = file("a.json", json.dumps([one("w1", "APPROVED"), one("w2", "ACCEPTED"), one("w3", "REJECTED")]))
    assert toloka.recognised(path)
    found = file("search.json", json.dumps({"items": json.loads(path.read_text("utf-8")), "has_more": False}))
    assert toloka.recognised(found)
    assert {name: rows(question) for name, question in read(found).items()} == {
        name: rows(question) for name, question in read(path).items()
    }
    study = read(path)
    assert rows(study["ok"]) == {(f"t{n}", who): "false" if n else "true" for n in range(2) for who in ("w1", "w2")}
    assert set(study["tags"].values) == {frozenset("x")}


# -- all of them ----------------------------------------------------------------------------------------------


def test_what_the_caller_says_of_columns_makes_it_a_table(table: Any) -> None:
    path = table([assignment(n, w, a="x", b="y") for n in range(4) for w in ("w1", "w2")])
    study = read(path, item="HITId", annotator="WorkerId", value=["Answer.a", "Answer.b"])
    assert list(study) == ["Answer.a", "Answer.b"]
    assert mturk.recognised(path)
    assert not appen.recognised(path)


def test_other_tables_are_none_of_theirs(table: Any) -> None:
    path = table([{"item": n, "WorkerId": w, "Answer.x": "a"} for n in range(3) for w in "ab"])
    assert not any(tool.recognised(path) for tool in (mturk, appen, toloka))


def test_several_files_are_read_as_one(table: Any) -> None:
    first = table([assignment(1, w, a="x") for w in ("w1", "w2")], "a.csv")
    second = table([assignment(2, w, a="y") for w in ("w1", "w2")], "b.csv")
    assert len(read([first, second]).single().items) == 2
    with pytest.raises(DataError, match=r"before"):
        read([first, first], duplicates="error")


def test_times_buttons_and_remarks_of_mturk_are_set_aside_and_can_be_asked_for(tmp_path):
    rows = [
        {
            "HITId": f"h{hit}",
            "WorkerId": f"w{worker}",
            "Answer.tone": "good" if (hit + worker) % 3 else "bad",
            "Answer.endTime": 1474606028262 + 7919 * (hit * 5 + worker),
            "Answer.submit": "Submit",
            "Answer.comment": "no" if worker == 0 and hit < 3 else "",
        }
        for hit in range(10)
        for worker in range(3)
    ]
    path = tmp_path / "batch.csv"
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    study = read(path)
    assert list(study) == ["tone"]
    said = "; ".join(step.sentence for step in study["tone"].provenance.steps)
    assert all(name in said for name in ("'endTime'", "'submit'", "'comment'"))
    assert list(read(path, questions="comment")) == ["comment"]


def test_fields_of_mturk_that_were_shown_empty_and_left_so_by_most_are_set_aside(table):
    rows = [
        assignment(hit, worker, label="cat" if hit % 2 else "dog", marked="3 4" if worker == hit % 3 else "unchanged")
        | {"Input.marked": "{}", "Input.label": "cat"}
        for hit in range(6)
        for worker in range(3)
    ]
    study = read(table(rows))
    assert list(study) == ["label"]
    assert list(read(table(rows), questions="marked")) == ["marked"]


def test_consent_records_of_the_page_and_rare_remarks_of_mturk_are_set_aside(table):
    rows = [
        assignment(
            hit,
            worker,
            best="A" if (hit + worker) % 3 else "B",
            agree__0="False",
            agree__1="True" if hit else "False",
            clicks=json.dumps({"agent": "a browser", "moves": [hit * 7, worker, "x" * 90]}),
            feedback=f"nice, {worker}" if hit == worker else "",
        )
        for hit in range(30)
        for worker in range(4)
    ]
    study = read(table(rows))
    assert list(study) == ["best"]
    said = study["best"].provenance.policy()
    assert all(name in said for name in ("'agree'", "'clicks'", "'feedback'"))
    assert set(read(table(rows), questions="agree").single().values) == {"1"}
