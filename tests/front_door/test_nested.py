"""Annotations inside records: found where it is plain, asked for where it is not."""

import csv
import itertools
import json
import random
import re
import shlex
import time

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree import read
from interagree.cli import main
from interagree.errors import DataError, DoubtfulReading, FormatError, InteragreeError, KindError
from interagree.reading.nested import from_json

ITEMS, PEOPLE = [f"i{n}" for n in range(12)], ["ann", "bo", "cy"]
ROWS = [
    (item, who, "yn"[(n * n + k * n) % 3 % 2])
    for n, item in enumerate(ITEMS)
    for k, who in enumerate(PEOPLE)
    if (n + k) % 7
]


def by_item(rows):
    return {item: list(group) for item, group in itertools.groupby(rows, key=lambda row: row[0])}


def objects(rows):
    return [
        {"id": item, "text": f"about {item}", "responses": [{"worker_id": a, "response": v} for _, a, v in some]}
        for item, some in by_item(rows).items()
    ]


def deep(rows):
    return [
        {"title": f"t{n}", "sentences": [{"id": item, "responses": objects(some)[0]["responses"]}]}
        for n, (item, some) in enumerate(by_item(rows).items())
    ]


def side_by_side(rows):
    return [
        {"id": item, "annotators": [a for _, a, _ in some], "labels": [v for *_, v in some]}
        for item, some in by_item(rows).items()
    ]


def commas(rows):
    return {
        item: {
            "text": f"about {item}, at length, and more, of it, and on",
            "annotators": ",".join(a for _, a, _ in some),
            "annotations": ",".join(v for *_, v in some),
            "soft_label": {"0": 0.25, "1": 0.75},
        }
        for item, some in by_item(rows).items()
    }


def keys(rows):
    return [
        {"id": item, "annotations": {f"annotator {a}": v for _, a, v in some}} for item, some in by_item(rows).items()
    ]


def keyed_objects(rows):
    codes = {who: str(n) for n, who in enumerate(PEOPLE)}
    return {
        item: {"tokens": [], "annotations": {codes[a]: {"stance": v, "note": f"by {a}"} for _, a, v in some}}
        for item, some in by_item(rows).items()
    }


def lists(rows):
    return [
        {"id": item, "label": "y", "votes": [[v, f"https://x.org/{item}", f"worker-{a}"] for _, a, v in some]}
        for item, some in by_item(rows).items()
    ]


def lists_by_item(rows):
    return {item: [{"annotator": a, "label": v} for _, a, v in some] for item, some in by_item(rows).items()}


def wrapped(rows):
    return {"version": 2, "meta": {"by": "us"}, "data": objects(rows)}


SHAPES = [objects, deep, side_by_side, commas, keys, keyed_objects, lists, lists_by_item, wrapped]


def form(rows):
    """Who gave what together, without the names: one row of values for each item, one for each annotator."""
    items, people = {}, {}
    for item, who, value in rows:
        items.setdefault(item, []).append(value)
        people.setdefault(who, []).append(value)
    return tuple(sorted(sorted(map(str, some)) for some in side.values()) for side in (items, people))


@pytest.fixture
def file(tmp_path):
    def write(data, name="a.json"):
        path = tmp_path / name
        text = "\n".join(map(json.dumps, data)) if name.endswith("l") else json.dumps(data)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("shape", SHAPES)
def test_annotations_are_found_in_every_usual_shape_in_files_and_in_python(file, shape):
    study = read(file(shape(ROWS)))
    assert form(study.single().rows()) == form(ROWS)
    assert "annotations found at" in study.policy()
    in_python = ia.Annotations.of(shape(ROWS))
    assert set(in_python.rows()) == set(study.single().rows())
    assert "annotations found at" in str(in_python.provenance.policy())


@pytest.mark.parametrize("spelled", [json.dumps, str])
@pytest.mark.parametrize("shape", [objects, keys])
def test_records_in_cells_are_read_as_the_records_are(tmp_path, shape, spelled):
    records = [
        {k: spelled(cell) if isinstance(cell, list | dict) else cell for k, cell in r.items()} for r in shape(ROWS)
    ]
    with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, [*records[0]])
        writer.writeheader()
        writer.writerows(records)
    study = read(tmp_path / "a.csv")
    assert set(study.single().rows()) == set(ia.Annotations.of(shape(ROWS)).rows())
    assert "hold records" in study.policy()


def test_people_and_answers_in_lists_in_cells_are_read_side_by_side(tmp_path):
    grouped = {item: [(a, v) for _, a, v in some] for item, some in by_item(ROWS).items()}
    with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8") as out:
        rows = [[i, f"about {i}", str([v for _, v in some]), str([a for a, _ in some])] for i, some in grouped.items()]
        csv.writer(out).writerows([["id", "text", "labels", "anon_annotators"], *rows])
    assert form(read(tmp_path / "a.csv").single().rows()) == form(ROWS)


def test_votes_in_cells_as_numpy_writes_them_are_offered_by_place(tmp_path):
    path = tmp_path / "a.csv"
    votes = [f"x{n},[{n % 2}. 0. 0.],{n % 2}" for n in range(12)]
    path.write_text("\n".join(["text,tox_codes,label", *votes]), encoding="utf-8")
    with pytest.raises(DoubtfulReading, match="nothing says whose they are") as caught:
        read(path)
    made = read(path, **caught.value.readings[0].options)
    assert len(made.single().annotators) == 3
    assert set(made.single().values) == {0, 1}


def test_lists_of_who_gave_each_label_are_turned_round(file):
    records = [
        {"id": n, "Annotators_not_toxic": [n % 5, n % 5 + 5], "Annotators_toxic": [n % 3 + 20], "Annotators_hate": [20]}
        for n in range(15)
    ]
    study = read(file(records))
    answers = study.single()
    assert set(answers.values) == {"toxic", "not toxic"}
    assert (len(answers), len(answers.items)) == (45, 15)
    assert "'Annotators_hate' name some of them again" in study.policy()


def test_doubt_about_records_in_python_is_settled_by_a_call_that_runs():
    with pytest.raises(DoubtfulReading, match="this list holds nested records") as caught:
        ia.alpha(TWO)
    calls = re.findall(r"interagree\.(Annotations\.of\(data[^)]*\))", str(caught.value))
    assert len(calls) == 2
    for call in calls:
        assert len(eval(call, {"Annotations": ia.Annotations, "data": TWO})) > 0
    assert ia.alpha(TWO, at="responses[]").n.annotations == len(ROWS)
    with pytest.raises(KindError, match="at='responses' says where"):
        ia.alpha(ROWS, at="responses")


def test_what_lies_very_deep_is_found_in_no_time_not_to_be_annotations():
    inside = {"a": 1}
    for _ in range(400):
        inside = {"a": inside}
    begun = time.process_time()
    with pytest.raises(DataError):
        ia.Annotations.of([{"id": n, "inside": inside} for n in range(200)])
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("shape", SHAPES)
@given(seed=st.integers(0, 10_000), extra=st.sampled_from(["none", "meta", "tags", "score"]))
def test_annotations_inside_records_are_read_right_or_refused(shape, seed, extra):
    draw = random.Random(seed)
    rows = [(i, a, draw.choice("xyz")) for i in ITEMS for a in PEOPLE if draw.random() < 0.8]
    data = shape(rows)
    records = data.values() if isinstance(data, dict) else data
    for n, record in enumerate(one for one in records if isinstance(one, dict)):
        if extra == "meta":
            record["meta"] = {"source": "web", "length": n}
        elif extra == "tags":
            record["tags"] = ["a", "b"][: n % 3]
        elif extra == "score":
            record["score"] = n / 7
    try:
        found = from_json(data, name="a.json")
        study = ia.Annotations.of(found.table, **found.parts)
    except InteragreeError:
        return
    assert form(study.rows()) == form(rows)


def test_long_files_are_told_by_some_of_their_records_and_read_whole(file):
    rows = [(f"i{n}", who, "yn"[(n + k) % 2]) for n in range(5000) for k, who in enumerate(PEOPLE)]
    assert set(read(file(objects(rows))).single().rows()) == set(rows)
    assert set(read(file(commas(rows))).single().rows()) == set(rows)


def test_ids_of_the_records_name_the_items_and_their_fields_are_kept(file):
    found = read(file(objects(ROWS))).single()
    assert set(found.items) == set(ITEMS)
    assert "text" in found.attributes
    assert set(read(file(keyed_objects(ROWS))).single().items) == set(ITEMS)


def test_items_without_an_id_are_called_by_their_place(file):
    data = deep(ROWS)
    for record in data:
        del record["sentences"][0]["id"]
    assert set(read(file(data, "a.jsonl")).single().items) == {f"{n + 1}.1" for n in range(len(ITEMS))}


def test_lists_side_by_side_for_several_questions_are_several_questions(file):
    data = [
        {
            "id": item,
            "tone.responses": [v for *_, v in some],
            "tone.responses.users": [a for _, a, _ in some],
            "topic.responses": ["t" for _ in some],
            "topic.responses.users": [a for _, a, _ in some],
        }
        for item, some in by_item(ROWS).items()
    ]
    study = read(file(data), format="json")  # which are names of Argilla, too
    assert list(study) == ["tone.responses", "topic.responses"]
    assert form(study["tone.responses"].rows()) == form(ROWS)


def test_lists_of_different_length_count_places_from_the_end(file):
    data = lists(ROWS)
    data[0]["votes"][0].insert(1, "a remark")
    study = read(file(data))
    assert "annotator from 'votes[-1]', value from 'votes[0]'" in study.policy()
    assert form(study.single().rows()) == form(ROWS)


TWO = [
    {**record, "reviews": [{"reviewer": f"r{n % 3}", "verdict": "ok"}, {"reviewer": f"r{n % 3 + 1}", "verdict": "no"}]}
    for n, record in enumerate(objects(ROWS))
]
MIXED = [{**record, "user": "poster", "label": "y"} for record in objects(ROWS)]
ASPECTS = [
    {"id": n, "ratings": {aspect: n % 3 for aspect in ("tone", "style", "topic") if (n + len(aspect)) % 4}}
    for n in range(12)
]


@pytest.mark.parametrize(("data", "paths"), [(TWO, 2), (MIXED, 1), (ASPECTS, 1)])
def test_where_there_is_doubt_the_error_shows_calls_that_run(file, data, paths):
    path = file(data)
    with pytest.raises(DoubtfulReading, match="holds nested records") as caught:
        read(path)
    calls = re.findall(r"interagree\.(read\('[^']*'[^)]*\))", str(caught.value))
    assert sum(" at=" in call for call in calls) == paths
    for call in calls:
        study = eval(call, {"read": ia.read})
        assert len(study.single()) > 0
    commands = re.findall(r"interagree (measure .*)", caught.value.for_command_line())
    assert len(commands) == len(calls)
    for command in commands:
        assert CliRunner().invoke(main, shlex.split(command)).exit_code in (0, 3)  # 3: read, and undefined


def test_a_path_names_the_place(file):
    path = file(TWO)
    assert form(read(path, at="responses[]").single().rows()) == form(ROWS)
    assert set(read(path, at="reviews[]").single().values) == {"ok", "no"}
    with pytest.raises(FormatError, match=r"there is no 'review\[\]'.*Did you mean at='reviews\[\]'"):
        read(path, at="review[]")


def test_what_the_caller_says_of_the_records_goes_before_what_lies_inside_them(file):
    study = read(file(MIXED), item="id", annotator="user", value="label")
    assert set(study.single().rows()) == {(item, "poster", "y") for item in ITEMS}


def test_parts_of_a_long_table_are_put_together(file):
    long = [{"item": i, "annotator": a, "label": v} for i, a, v in ROWS]
    study = read(file({"train": long[:10], "test": long[10:]}))
    assert set(study.single().rows()) == set(ROWS)
    per_person = {f"annotator {who}": [{"item": i, "label": v} for i, a, v in ROWS if a == who] for who in PEOPLE}
    assert form(read(file(per_person)).single().rows()) == form(ROWS)
    with pytest.raises(FormatError, match="do not say who annotated"):
        read(file({"train": [{"item": 1, "label": "y"}], "test": [{"item": 2, "label": "n"}]}))


def votes(field):
    return [{"id": item, field: [v for *_, v in some], "text": f"{item}!"} for item, some in by_item(ROWS).items()]


def test_lists_of_votes_are_counted_and_their_annotators_unknown(file):
    study = read(file(votes("annotator_labels")))
    assert study.single().anonymous
    assert form(study.single().rows())[0] == form(ROWS)[0]
    assert "nothing says whose they are" in study.policy()
    by_place = read(file(votes("votes")), at="votes[]", annotator="position", value="votes").single()
    assert set(by_place.annotators) == {1, 2, 3}
    assert form(by_place.rows())[0] == form(ROWS)[0]


UNNAMED = [
    {"id": n, **{who: [{"tone": (n + k) % 3, "style": n % 2} for k in range(3)] for who in ("experts", "crowd")}}
    for n in range(9)
]


@pytest.mark.parametrize("data", [votes("labels"), UNNAMED])
def test_lists_that_may_be_votes_are_refused_with_calls_that_run(file, data):
    with pytest.raises(DoubtfulReading, match="nothing says whose they are") as caught:
        read(file(data))
    calls = re.findall(r"interagree\.(read\('[^']*'[^)]*\))", str(caught.value))
    assert calls
    for call in calls:
        assert len(eval(call, {"read": ia.read}).single()) > 0


def test_annotators_above_items_are_told_by_their_names(file):
    tree = {f"rater {who}": {i: {"label": v} for i, a, v in ROWS if a == who} for who in PEOPLE}
    assert set(read(file(tree)).single().rows()) == {(i, f"rater {a}", v) for i, a, v in ROWS}
    first_names = {who: {i: {"label": v} for i, a, v in ROWS if a == who} for who in PEOPLE}
    assert set(read(file(first_names)).single().rows()) == set(ROWS)
    path = file({f"q{who[0]}": cells for who, cells in first_names.items()})
    with pytest.raises(DoubtfulReading, match="either 'qa', 'qb', 'qc' or") as caught:
        read(path)
    first = re.search(r"The annotators are 'qa', 'qb', 'qc'\s*interagree\.(read\([^)]*\))", str(caught.value))
    assert form(eval(first[1], {"read": ia.read}).single().rows()) == form(ROWS)


@pytest.mark.parametrize("person", ["annotator {}", "{}"])
def test_fields_of_records_that_are_called_like_people_hold_their_answers(file, person):
    data = [
        {"id": i, "text": f"on {i}"} | {person.format(a): {"label": v, "comment": f"{i} by {a}"} for _, a, v in some}
        for i, some in by_item(ROWS).items()
    ]
    assert set(read(file(data)).single().rows()) == {(i, person.format(a), v) for i, a, v in ROWS}


@pytest.mark.parametrize("person", ["{}", "{}-7"])
def test_lists_of_records_about_the_same_items_are_by_the_keys_above_them(file, person):
    data = {person.format(who): [{"item": i, "label": v} for i, a, v in ROWS if a == who] for who in PEOPLE}
    assert set(read(file(data)).single().rows()) == {(i, person.format(a), v) for i, a, v in ROWS}
    parts = {f"part {who}": [{"item": f"{who} {i}", "label": v} for i, a, v in ROWS if a == who] for who in PEOPLE}
    with pytest.raises(FormatError, match="do not say who annotated"):
        read(file(parts))


def test_scores_of_several_criteria_are_several_questions(file):
    data = [
        {"prompt_id": i, "judge": a, "scores": {"fluency": (len(i) + len(a)) % 4, "depth": ord(v)}} for i, a, v in ROWS
    ]
    study = read(file(data, "a.jsonl"))
    assert list(study) == ["scores.fluency", "scores.depth"]
    assert set(study["scores.depth"].rows()) == {(i, a, ord(v)) for i, a, v in ROWS}


def test_by_says_who(file):
    data = [{"id": i, "votes": [{"label": v, "by": a} for _, a, v in some]} for i, some in by_item(ROWS).items()]
    assert set(read(file(data)).single().rows()) == set(ROWS)


def test_results_of_systems_are_not_by_the_names_of_measures(file):
    data = {m: {"precision": n / 7, "recall": n / 9, "f1": n / 8} for n, m in enumerate(("bert", "svm", "lr", "crf"))}
    with pytest.raises(DoubtfulReading, match="look like the fields of a record"):
        read(file(data))


def test_people_below_several_fields_answer_several_questions(file):
    data = {
        item: {q: {f"rater {a}": v if q == "tone" else "x" for _, a, v in some} for q in ("tone", "style")}
        for item, some in by_item(ROWS).items()
    }
    study = read(file(data))
    assert list(study) == ["tone", "style"]
    assert form(study["tone"].rows()) == form(ROWS)


def test_numbers_under_numbers_may_be_counts(file):
    data = [{"id": n, "ratings": {str(k): (n * k) % 7 for k in range(1, 6)}} for n in range(9)]
    with pytest.raises(DoubtfulReading, match="may be annotators or questions"):
        read(file(data))


def test_shares_of_labels_are_not_annotators(file):
    data = [{"id": n, "soft_label": {"0": n / 10, "1": 1 - n / 10}, "ann": "y", "bo": "n"} for n in range(10)]
    assert from_json(data, name="a").parts == {}


def test_records_by_id_are_a_table_like_any_other(file):
    data = {f"r{n}": {"item": i, "worker": a, "label": v} for n, (i, a, v) in enumerate(ROWS)}
    assert set(read(file(data)).single().rows()) == set(ROWS)


def test_an_object_that_is_a_value_stays_whole(file):
    rows = [{"item": n, "annotator": who, "value": {"x": n, "y": 2}} for n in range(2) for who in PEOPLE]
    assert read(file(rows)).single().values == ((("x", 0), ("y", 2)), (("x", 1), ("y", 2)))


@pytest.mark.parametrize("name", ["qags_xsum.jsonl", "covert.jsonl", "graphelsums.json"])
def test_nested_records_of_published_datasets(shared, name):
    expected = json.loads((shared / "data/tables/expected" / f"{name}.json").read_text(encoding="utf-8"))
    study = read(shared / "data/tables/files" / name)
    wanted = [sorted(len(set(rows[0]) and {row[0] for row in rows}) for rows in expected["questions"].values())]
    assert [sorted(len(question.items) for question in study.values())] == wanted
    sizes = sorted(len(rows) for rows in expected["questions"].values())
    assert sorted(len(question) for question in study.values()) == sizes


# -- fields of one person -----------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["created_by", "annotator", "completed_by"])
@pytest.mark.parametrize(
    "person",
    [
        lambda n: {"id": n % 3, "first_name": "", "email": f"{'abc'[n % 3]}@example.org"},
        lambda n: {"role": "member", "joined": 2020 + n % 3},
        lambda n: {"first name": "A", "last name": "B" * (n % 3 + 1), "id": None},
    ],
    ids=["id and address", "different types", "names"],
)
def test_the_fields_of_a_person_are_no_annotators(field, person, tmp_path):
    path = tmp_path / "export.json"
    records = [{"project": {"id": n, "raw": {field: person(n), "title": f"project {n}"}}} for n in range(30)]
    path.write_text(json.dumps(records))
    with pytest.raises(InteragreeError) as caught:
        read(path)
    offered = [str(one.options) for one in getattr(caught.value, "readings", ())]
    assert not any(f"{field}.{{" in options for options in offered)


def test_a_person_in_fields_beside_an_answer_is_the_annotator(tmp_path):
    path = tmp_path / "export.json"
    records = [
        {"item": item, "annotator": {"id": who, "email": f"{who}@example.org"}, "label": value}
        for item, who, value in ROWS
    ]
    path.write_text(json.dumps(records))
    assert {(i, w, v) for i, w, v in read(path, annotator="annotator.id").single().rows()} == {*ROWS}


def test_answers_by_people_whose_names_are_unknown_words_are_read(tmp_path):
    path = tmp_path / "export.json"
    records = [{"item": n, "annotators": {"blorp": "yn"[n % 2], "quux": "yn"[n % 3 == 0]}} for n in range(30)]
    path.write_text(json.dumps(records))
    assert read(path).single().annotators == ("blorp", "quux")
