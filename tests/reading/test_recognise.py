"""Which column plays which part: what is taken without a question, what is set aside, and what is asked."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree.data import Annotations
from interagree.errors import ColumnNotFound, DataError, DoubtfulReading
from interagree.reading.choices import Choices
from interagree.reading.evidence import Profile
from interagree.reading.recognise import recognise
from interagree.reading.roles import is_code, person_level
from interagree.reading.tables import NamedColumns
from interagree.reading.transposed import naming

LABELS = ["pos", "neg", "neu"]


def answers(
    people: int, items: int = 30, labels: list[Any] = LABELS, care: float = 0.8, seed: int = 1
) -> list[list[Any]]:
    """The answers of people who mostly agree, a list for each of them."""
    source = random.Random(seed)
    right = [source.choice(labels) for _ in range(items)]
    return [[one if source.random() < care else source.choice(labels) for one in right] for _ in range(people)]


def majority(columns: list[list[Any]]) -> list[Any]:
    return [max(row, key=row.count) for row in zip(*columns, strict=True)]


def texts(items: int = 30) -> list[str]:
    return [f"a sentence that nobody wrote before, number {row}" for row in range(items)]


def read(columns: dict[str, Any], folder: Path, name: str = "study.csv") -> Any:
    """A table read from a file, as people do."""
    import csv

    path = folder / name
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return ia.read(path)


def only(study: Any) -> Annotations:
    ((_, annotations),) = study.items()
    return annotations


def aside(annotations: Annotations) -> str:
    return "; ".join(step.sentence for step in annotations.provenance.steps if step.what == "set aside")


def asked(columns: dict[str, Any], folder: Path) -> DoubtfulReading:
    with pytest.raises(DoubtfulReading) as caught:
        read(columns, folder)
    return caught.value


# -- wide ---------------------------------------------------------------------------------------------------


def test_columns_named_like_people_are_read_and_the_rest_is_set_aside_and_named(tmp_path):
    anna, ben, carla = answers(3)
    study = read({"id": range(30), "Text": texts(), "Anna": anna, "Ben": ben, "Carla": carla}, tmp_path)
    assert only(study).annotators == ("Anna", "Ben", "Carla")
    assert "'Text'" in aside(only(study))


@pytest.mark.parametrize(
    "name", ["Endurteil", "acordado", "consensuel", "most_common", "eindoordeel", "final", "Mehrheit"]
)
def test_what_was_agreed_on_is_not_an_annotator_in_any_language(name, tmp_path):
    anna, ben, carla = answers(3)
    columns = {"Anna": anna, "Ben": ben, "Carla": carla, name: majority([anna, ben, carla])}
    study = read({"id": range(30), **columns}, tmp_path)
    assert only(study).annotators == ("Anna", "Ben", "Carla")
    assert repr(name) in aside(only(study))


@pytest.mark.parametrize("word", ["ranker", "labeler", "labeller", "grader", "assessor", "reviewer", "tagger", "voter"])
def test_words_for_those_who_annotate_name_them_in_columns_and_in_rows(word, tmp_path):
    one, two = answers(2)
    study = read({"id": range(30), f"{word}1": one, f"{word}2": two, "hue": answers(1, seed=9)[0]}, tmp_path)
    assert only(study).annotators == (f"{word}1", f"{word}2")
    long = {"image": [*range(30)] * 2, word: ["x"] * 30 + ["y"] * 30, "label": one + two}
    assert only(read(long, tmp_path)).annotators == ("x", "y")


def labels_of_two(names, care=0.6, several=0.0, items=200):
    """Columns of 0 and 1 for each of four labels and two people, most of whose answers are the first label."""
    source = random.Random(4)
    columns = {"Index": [*range(items)], **{name: [] for name in names}}
    for _ in range(items):
        right = source.choice([0, 0, 0, 0, 0, 1, 2, 3])
        for person in range(2):
            said = right if source.random() < care else source.choice([0, 0, 1, 2, 3])
            for label in range(4):
                columns[names[4 * person + label]].append(int(label == said or source.random() < several))
    return columns


@pytest.mark.parametrize("several", [0.0, 0.2])
def test_numbered_labels_of_lettered_people_are_never_people(several, tmp_path):
    columns = labels_of_two([f"{who}{label}" for who in "CD" for label in range(1, 5)], 0.95, several)
    error = asked(columns, tmp_path)
    assert "may be questions put to fewer people" in str(error)
    (grid,) = [dict(one.options) for one in error.readings if "columns" in one.options]
    study = ia.read(tmp_path / "study.csv", **grid)
    assert list(study) == ["1", "2", "3", "4"]
    assert {question.annotators for question in study.values()} == {("C", "D")}


def test_of_columns_that_hold_one_yes_together_it_is_asked_whether_they_are_one_person(tmp_path):
    columns = labels_of_two(["ka", "ri", "to", "el", "mu", "sh", "ne", "wo"], 0.95)
    assert "each 4 of 'ka', 'ri', 'to', 'el', … (8 in all) hold one yes in nearly every row" in str(
        asked(columns, tmp_path)
    )


def test_labels_of_numbered_people_are_their_questions(tmp_path):
    study = read(labels_of_two([f"coder{who}_{label}" for who in (1, 2) for label in "ABCD"]), tmp_path)
    assert list(study) == ["A", "B", "C", "D"]
    assert {question.annotators for question in study.values()} == {("coder1", "coder2")}


def test_numbered_people_of_two_kinds_may_be_a_person_each(tmp_path):
    names = ["rater1", "rater2", "expert1", "expert2"]
    error = asked({"id": range(30), **dict(zip(names, answers(4), strict=True))}, tmp_path)
    assert "'expert1', 'rater2', 'expert2' may be a person each" in str(error)
    assert names in [one.options["annotator"] for one in error.readings]


def test_where_the_values_are_stated_it_is_said_which_columns_were_found(tmp_path):
    one, two = answers(2)
    columns = {"image_id": [*range(30)] * 2, "rater": ["x"] * 30 + ["y"] * 30, "label": one + two, "sure": two + one}
    read(columns, tmp_path)
    study = ia.read(tmp_path / "study.csv", value="label")
    assert "item from 'image_id', annotator from 'rater', value from 'label'" in study.policy()


def test_an_unknown_word_beside_names_is_asked_about(tmp_path):
    anna, ben, other = answers(3)
    error = asked({"id": range(30), "Anna": anna, "Ben": ben, "Blorp": other}, tmp_path)
    assert "'Blorp' is not named like the other annotators" in str(error)
    assert [one.options["annotator"] for one in error.readings] == [["Anna", "Ben", "Blorp"], ["Anna", "Ben"]]


def test_an_unknown_word_between_names_that_agrees_with_them_is_a_name(tmp_path):
    anna, ben, other, carla = answers(4)
    study = read({"id": range(30), "Anna": anna, "Blorp": other, "Ben": ben, "Carla": carla}, tmp_path)
    assert only(study).annotators == ("Anna", "Blorp", "Ben", "Carla")


def test_several_words_between_names_are_asked_about(tmp_path):
    anna, ben, carla = answers(3, labels=[0, 1])
    flags = answers(1, labels=[0, 1], seed=9)[0]
    error = asked({"id": range(30), "Anna": anna, "manVsWoman": flags, "Ben": ben, "Carla": carla}, tmp_path)
    assert "'manVsWoman'" in str(error)


def test_a_column_beside_numbered_annotators_is_set_aside(tmp_path):
    one, two, three = answers(3)
    study = read({"id": range(30), "rater1": one, "rater2": two, "Prixjury": three}, tmp_path)
    assert only(study).annotators == ("rater1", "rater2")
    assert "'Prixjury'" in aside(only(study))


def test_a_column_named_after_two_annotators_is_set_aside(tmp_path):
    anna, ben = answers(2, labels=[0, 1])
    same = [int(a == b) for a, b in zip(anna, ben, strict=True)]
    study = read({"id": range(30), "anna": anna, "ben": ben, "anna_ben": same}, tmp_path)
    assert only(study).annotators == ("anna", "ben")
    assert "'anna_ben' (named after two annotators)" in aside(only(study))


def test_initials_that_are_also_a_first_name_stay_with_the_others(tmp_path):
    bo, xk, tn, model = answers(4)
    study = read({"id": range(30), "BO": bo, "XK": xk, "TN": tn, "classifier": model}, tmp_path)
    assert {"BO", "XK", "TN"} <= set(only(study).annotators)


def test_a_person_and_a_model_beside_an_unknown_word_are_asked_about(tmp_path):
    person, model, other = answers(3)
    error = asked({"id": range(30), "human": person, "gpt4": model, "blorp": other}, tmp_path)
    assert "'blorp'" in str(error)


def test_a_person_who_uses_one_label_stays_an_annotator(tmp_path):
    anna, ben = answers(2)
    study = read({"id": range(30), "Anna": anna, "Ben": ben, "Carla": ["neu"] * 30}, tmp_path)
    assert only(study).annotators == ("Anna", "Ben", "Carla")


def test_people_with_accents_in_their_first_names_are_people_whom_nobody_sums_up(tmp_path):
    igor, vadim = answers(2)
    columns = {"annotation_Igor Garcia": igor, "annotation_Vadim Yilmaz": vadim, "annotation_Chloé Rossi": igor}
    study = read({"case": [f"d{n}" for n in range(30)], **columns}, tmp_path)
    assert set(only(study).annotators) == {"Igor Garcia", "Vadim Yilmaz", "Chloé Rossi"}


def test_numbers_that_differ_in_every_row_stay_with_the_people_of_the_other_question(tmp_path):
    source = random.Random(4)
    marks = [[source.choice([n * 8, n * 8 + 1]) for n in source.sample(range(12), 12)] for _ in range(3)]
    moods = answers(3, items=12, labels=["Y", "N"])
    columns = {
        f"{asked}/Reviewer_{who}": cells[at] for at, who in enumerate("ABC") for asked, cells in (("marks", marks),)
    }
    columns |= {f"mood/Reviewer_{who}": moods[at] for at, who in enumerate("ABC")}
    study = read({"case": [f"c{n}" for n in range(12)], **columns}, tmp_path)
    assert {name: len(question.annotators) for name, question in study.items()} == {"marks": 3, "mood": 3}


def test_long_numbers_over_the_columns_may_be_items_as_the_rows_may_be_people(tmp_path):
    columns = {f"10{n}6179259712{n}": column for n, column in enumerate(answers(5, items=8))}
    doubt = asked({"": ["CN", "IT", "PL", "FR", "IN", "BR", "NG", "KE"], **columns}, tmp_path)
    assert {"layout": "transposed"} in [dict(reading.options) for reading in doubt.readings]


def test_an_unknown_name_behind_first_names_is_not_silently_taken_for_what_they_agreed_on(tmp_path):
    anna, ben, carla = answers(3)
    columns = {"id": range(30), "Anna": anna, "Ben": ben, "Carla": carla, "Haruto": majority([anna, ben, carla])}
    assert "'Haruto'" in str(asked(columns, tmp_path))


def test_a_name_that_is_also_a_property_is_asked_about_where_its_cells_are_answers(tmp_path):
    people = dict(zip(["ziwo", "fecha", "nuwo", "bapel"], answers(4, labels=["sí", "no"]), strict=True))
    assert "'fecha'" in str(asked({"id": range(30), **people}, tmp_path))


def test_one_label_of_somebody_whose_name_is_in_no_list_is_not_left_out(tmp_path):
    doubt = asked({"id": range(5), "kwame": [1] * 5, "giulio": [2, 1, 1, 2, 1], "sofía": [1, 1, 2, 1, 1]}, tmp_path)
    assert "'kwame'" in str(doubt)


def test_the_wording_of_a_code_is_no_further_annotator(tmp_path):
    said = {"1": "bad", "2": "fair", "3": "good"}
    one, other = answers(2, labels=list(said))
    columns = {"human_code": one, "human_code2": other}
    columns |= {f"{name}_words": [said[cell] for cell in cells] for name, cells in columns.items()}
    study = only(read({"id": range(30), **columns}, tmp_path))
    assert study.annotators == ("human_code", "human_code2")
    assert "in other words" in aside(study)


def test_notes_beside_addresses_are_comments(tmp_path):
    who = ["anna@example.org", "ben@example.org"]
    columns = dict(zip(who, answers(2), strict=True))
    columns |= {f"{name}notes": ["hard", "unclear", "both", ""] * 7 + ["hard", ""] for name in who}
    assert set(only(read({"n": range(30), **columns}, tmp_path)).annotators) == set(who)


def test_digits_of_text_columns_are_answers_where_a_person_is_named(tmp_path):
    one, other = answers(2, labels=[0, 1], care=0.9)
    columns = {"paper": [f"p{n}" for n in range(30)], "Coder1Text": one, "Coder2Text": other}
    assert set(only(read(columns, tmp_path)).annotators) == {"Coder1", "Coder2"}


def test_people_numbered_over_few_rows_are_not_rows_of_people(tmp_path):
    columns = {"unit_id": ["img_7.png", "img_8.png", "img_9.png"]}
    columns |= {f"Judge {n}": cells for n, cells in enumerate([[-1, 0, 1], *[[0, 0, 1]] * 3, *[[-1, 0, 0]] * 4])}
    assert len(only(read(columns, tmp_path)).annotators) == 8


def test_images_are_not_cut_at_the_ends_of_their_names(tmp_path):
    columns = {f"PAT_00{n}.png": cells for n, cells in enumerate(answers(8, items=3, labels=[1, 2, 3]))}
    assert asked(columns, tmp_path).readings[0].options["layout"] == "transposed"


def test_what_says_what_the_others_agree_on_and_nothing_else_is_no_annotator_whatever_it_is_called(tmp_path):
    one, other = answers(2, items=40, labels=["ham", "spam"], care=0.75)
    agreed = [a if a == b else "" for a, b in zip(one, other, strict=True)]
    study = only(read({"index": range(40), "Wofe": one, "Yuquo": other, "mv": agreed}, tmp_path))
    assert set(study.annotators) == {"Wofe", "Yuquo"}


def test_questions_named_after_people_are_not_two_systems_that_a_third_compares(tmp_path):
    one, other = ["yes", "no"] * 6, ["no", "yes"] * 6
    columns = {"hate - Anna Ito": one, "hate - Ben Ito": other, "tone - Anna Ito": one, "tone - Ben Ito": other}
    assert list(read({"id": range(12), **columns}, tmp_path)) == ["hate", "tone"]


def test_rows_that_are_numbered_as_the_columns_are_and_add_up_to_the_same_are_counts_of_items(tmp_path):
    columns = {"qid": range(1, 6), **{str(n): [(n + row) % 5 * 2 for row in range(5)] for n in range(1, 6)}}
    assert only(read(columns, tmp_path)).anonymous


def test_the_file_of_old_programs_is_read_in_the_encoding_in_which_its_words_are_whole(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"d{n};{'négatif' if n % 3 else 'positif'};{'négatif' if n % 4 else 'positif'}" for n in range(12)]
    for encoding in ("cp1252", "mac_roman"):
        path.write_bytes("\r".join(["id;Jürgen;Zoé", *rows]).encode(encoding))
        assert set(only(ia.read(path, annotator=["Jürgen", "Zoé"])).values) == {"négatif", "positif"}


def test_people_and_questions_that_are_both_numbered_are_not_taken_for_people_alone(tmp_path):
    source = random.Random(9)
    columns = {f"Rater{who}Q{asked}": [source.randrange(9) for _ in range(9)] for who in (1, 2) for asked in (1, 2)}
    asked({"title": texts(9), **columns}, tmp_path)


def test_numbers_that_add_up_otherwise_than_all_rows_below_name_values(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{n:04x}b;{n % 4};{(n + 1) % 2};{5 - n % 4 - (n + 1) % 2}" for n in range(16)]
    path.write_text("\n".join(["élément;0;1;2", *rows]) + "\n", encoding="utf-8")
    assert only(ia.read(path)).anonymous


def test_nobody_who_hardly_ever_says_1_is_the_sum_of_the_others(tmp_path):
    source = random.Random(11)
    rows = [[source.choice([0, 0, ""]) for _ in range(8)] for _ in range(60)]
    rows[29][0] = 1
    people = {f"annotator_{who}": cells for who, cells in zip("ABCDEFGH", zip(*rows, strict=True), strict=True)}
    assert len(only(read({"id": range(60), **people}, tmp_path)).annotators) == 8


def test_who_is_called_as_one_of_those_taken_is_not_left_out(tmp_path):
    names = ["prediction", "code_kwame", "code_haruto", "code_thibaut"]
    doubt = asked({"uid": range(30), **dict(zip(names, answers(4), strict=True))}, tmp_path)
    assert "'code_kwame'" in str(doubt)


def test_columns_that_make_up_for_each_other_may_be_counts(tmp_path):
    yes = [1, 1, 9, 11, 9, 10, 10, 1]
    columns = {"prompt": [f"scan{n}.dcm" for n in range(8)], "N": yes, "Y": [10, 8, 1, 0, 1, 0, 1, 9]}
    doubt = asked(columns, tmp_path)
    assert "may count" in str(doubt)
    assert "counts" in {reading.options.get("layout") for reading in doubt.readings}


def test_an_unknown_word_beside_a_first_draft_is_asked_about(tmp_path):
    original, other = answers(2)
    assert "two states" in str(asked({"id": range(30), "original": original, "likeness": other}, tmp_path))


def test_an_answer_on_top_beside_a_gap_is_no_title(tmp_path):
    rows = [("cycle", ""), ("network", "cycle"), ("cycle", "cycle"), ("cycle", "network"), ("network", "network")]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    assert len(only(ia.read(path, header=False, layout="wide"))) == 9


def test_one_person_beside_a_model_does_not_hide_others_who_are_called_alike(tmp_path):
    names = ["classifier", "CV_rating", "BO_rating", "RR_rating"]
    few = dict(zip(names, answers(4, items=8, labels=["no", "yes"]), strict=True))
    assert "'CV_rating'" in str(asked({"id": range(8), **few}, tmp_path))


def test_people_beside_models_are_not_what_the_models_agree_on(tmp_path):
    one, other = answers(2, care=0.95)
    columns = {"n": range(30), "rating1": one, "rating2": one, "gpt4": one, "llama": other}
    assert "'rating1'" in str(asked(columns, tmp_path))


def test_addresses_are_not_cut_into_annotators_and_questions(tmp_path):
    anna, ben = answers(2)
    study = read({"id": range(30), "anna@example.org": anna, "ben@example.org": ben}, tmp_path)
    assert only(study).annotators == ("anna@example.org", "ben@example.org")


def test_questions_by_people_with_addresses_are_a_grid(tmp_path):
    columns = {
        f"{question}_{who}@example.org": cells
        for question, seed in (("style", 1), ("tone", 2))
        for who, cells in zip(("anna", "ben"), answers(2, seed=seed), strict=True)
    }
    study = read({"id": range(30), **columns}, tmp_path)
    people = ("anna@example.org", "ben@example.org")
    assert {name: one.annotators for name, one in study.items()} == {"style": people, "tone": people}


def test_a_column_that_says_what_most_others_say_is_asked_about_where_names_tell_nothing(tmp_path):
    people = answers(4, items=60, care=0.6)
    columns = dict(zip(["shari", "orsha", "yutov", "fequo"], people, strict=True))
    error = asked({"id": range(60), **columns, "wupwup": majority(people)}, tmp_path)
    assert "may be derived from them" in str(error)


def test_a_column_of_zeros_and_ones_for_each_label_is_asked_about(tmp_path):
    source = random.Random(3)
    rows = [source.choice([(1, 0, 0), (0, 1, 0), (0, 0, 1)]) for _ in range(10)]
    columns = dict(zip(["Yes", "No", "other"], map(list, zip(*rows, strict=True)), strict=True))
    with pytest.raises(DataError, match="one label each"):
        read({"text": texts(10), **columns}, tmp_path)


def test_a_matrix_of_pairs_is_asked_about_though_its_names_are_people(tmp_path):
    people = ["anna@example.org", "ben@example.org", "carla@example.org"]
    matrix = [[1.0, 0.61, 0.55], [0.61, 1.0, 0.7], [0.55, 0.7, 1.0]]
    path = tmp_path / "kappas.jsonl"
    lines = [{"index": who, **dict(zip(people, row, strict=True))} for who, row in zip(people, matrix, strict=True)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(DataError):
        ia.read(path)


def test_the_smallest_and_the_largest_answer_are_not_two_people(tmp_path):
    low, high = answers(2, labels=[1, 2, 3, 4, 5])
    error = asked({"id": range(30), "min": low, "max": high}, tmp_path)
    assert "the smallest and the largest answer" in str(error)


# -- long ---------------------------------------------------------------------------------------------------


def long_table(values: list[list[Any]], who: str = "annotator", value: str = "label") -> dict[str, list[Any]]:
    rows = [(item, f"p{person}", cell) for person, cells in enumerate(values) for item, cell in enumerate(cells)]
    items, people, cells = map(list, zip(*rows, strict=True))
    return {"item_id": [f"K{item:03}" for item in items], who: people, value: cells}


@pytest.mark.parametrize("who", ["by", "completed_by", "Kodierer", "WorkerId", "beoordelaar"])
def test_a_column_that_says_who_answered_is_the_annotator_by_many_names(who, tmp_path):
    study = read(long_table(answers(3), who=who), tmp_path)
    assert only(study).annotators == ("p0", "p1", "p2")


def test_addresses_that_repeat_are_the_annotators(tmp_path):
    table = long_table(answers(3), who="contact")
    table["contact"] = [f"{who}@example.org" for who in table["contact"]]
    assert len(only(read(table, tmp_path)).annotators) == 3


def test_a_reaction_time_beside_answers_is_set_aside(tmp_path):
    table = long_table(answers(3), value="Qualität")
    table["rt"] = [400 + 7 * row for row in range(90)]
    study = read(table, tmp_path)
    assert list(study) == ["Qualität"]
    assert "'rt'" in aside(only(study))


def test_a_category_of_the_item_is_not_the_answer(tmp_path):
    table = long_table(answers(3), value="Antwort")
    table["Category"] = [["news", "sports"][int(item[1:]) % 2] for item in table["item_id"]]
    study = read(table, tmp_path)
    assert list(study) == ["Antwort"]
    assert "'Category'" in aside(only(study))


def test_every_column_of_few_entries_that_varies_within_items_is_a_question(tmp_path):
    table = long_table(answers(3), value="var1")
    table["var2"] = long_table(answers(3, seed=2))["label"]
    table["imperative"] = long_table(answers(3, labels=[0, 1], seed=3))["label"]
    assert list(read(table, tmp_path)) == ["var1", "var2", "imperative"]


def test_a_column_named_like_the_answer_is_not_passed_over_in_silence(tmp_path):
    table = long_table([["yes"] * 30] * 3)
    table["grade_math"] = long_table(answers(3, labels=[1, 2, 3, 4]))["label"]
    error = asked(table, tmp_path)
    assert "'label'" in str(error)


def test_numbers_of_a_person_column_beside_a_model_are_answers(tmp_path):
    person, model = answers(2, items=40, labels=list(range(0, 101, 5)))
    unit = [f"text {row // 2}" for row in range(40)]
    try:
        study = read({"unit_text": unit, "Expert": person, "GPT": model}, tmp_path)
    except DataError:
        return
    assert set(only(study).annotators) == {"Expert", "GPT"}


def test_an_item_of_two_columns_goes_before_the_number_of_the_row(tmp_path):
    table = long_table(answers(3))
    items = table.pop("item_id")
    table = {
        "AssignmentId": [f"X{row * 37 % 91}" for row in range(90)],
        "doc": [f"D{int(item[1:]) // 5}" for item in items],
        "sentence": [f"s{int(item[1:]) % 5}" for item in items],
        **table,
    }
    assert len(only(read(table, tmp_path)).items) == 30


# -- transposed, counts ------------------------------------------------------------------------------------


def across(people: list[str], items: list[str], first: str = "rater") -> dict[str, list[Any]]:
    given = answers(len(people), items=len(items))
    return {first: people, **{item: [cells[at] for cells in given] for at, item in enumerate(items)}}


def test_rows_of_people_are_read_as_annotators_where_columns_are_called_by_codes(tmp_path):
    study = only(read(across(["anna", "ben", "carla"], [f"doc-{n}" for n in range(1, 13)]), tmp_path))
    assert study.annotators == ("anna", "ben", "carla")
    assert len(study.items) == 12
    assert any("a row for each of 3 annotators" in step.sentence for step in study.provenance.steps)


def test_facts_about_the_people_of_a_transposed_table_are_set_aside(tmp_path):
    table = across(["anna", "ben", "carla"], [f"doc-{n}" for n in range(1, 13)])
    study = only(read({"rater": table.pop("rater"), "age": [31, 28, 55], **table}, tmp_path))
    assert len(study.items) == 12
    assert "'age'" in aside(study)


def test_rows_of_people_who_answered_questions_are_asked_about_and_the_advice_runs(tmp_path):
    table = across(["anna", "ben", "carla"], [f"q{n}" for n in range(1, 13)], first="participant")
    error = asked(table, tmp_path)
    advice = next(one for one in error.readings if one.options.get("layout") == "transposed")
    assert advice.options == {"layout": "transposed", "annotator": "participant"}
    study = only(ia.read(tmp_path / "study.csv", **advice.options))
    assert study.annotators == ("anna", "ben", "carla")


def test_a_table_that_is_said_to_be_transposed_takes_names_from_the_column_that_holds_them(tmp_path):
    table = across(["anna", "ben", "carla"], [f"q{n}" for n in range(1, 13)], first="participant")
    asked(table, tmp_path)
    study = only(ia.read(tmp_path / "study.csv", layout="transposed"))
    assert study.annotators == ("anna", "ben", "carla")
    assert len(study.items) == 12


def test_dates_are_not_people_though_a_month_is_called_like_one():
    days = Profile("when", [f"{day} mai 2019" for day in range(1, 6)], 0)
    assert naming([days], None) is None


COUNTS = {"1": [3, 0, 1, 5, 0, 2, 0, 4], "2": [0, 4, 2, 0, 5, 1, 0, 0], "3": [2, 0, 1, 0, 0, 1, 4, 0]}


@pytest.mark.parametrize("total", ["n", "Total", "annotators"])
def test_counts_are_known_by_a_column_that_is_their_sum(total, tmp_path):
    sums = [sum(row) for row in zip(*COUNTS.values(), strict=True)]
    study = only(read({"segment": [f"s{n}" for n in range(8)], **COUNTS, total: sums}, tmp_path))
    assert study.anonymous
    assert len(list(study.rows())) == sum(sums)


def test_counts_that_add_up_to_different_numbers_are_asked_about_and_offered(tmp_path):
    error = asked({"unit": [f"s{n}" for n in range(8)], **COUNTS}, tmp_path)
    assert any(one.options.get("layout") == "counts" for one in error.readings)


@pytest.mark.parametrize("odd", ["nihai", "最終"])
def test_a_column_named_otherwise_than_numbered_people_is_asked_about_where_all_agree(odd, tmp_path):
    (one,) = answers(1)
    error = asked({"unit": [f"s{n}" for n in range(30)], "hakem1": one, "hakem2": one, odd: one}, tmp_path)
    assert f"{odd!r} is not named like the other annotators" in str(error)


def test_one_unknown_name_between_known_ones_is_not_set_aside_for_agreeing(tmp_path):
    anna, ben, clara, emma = answers(4)
    people = {"Anna": anna, "Ben": ben, "Farid": majority([anna, ben, clara, emma]), "Clara": clara, "Emma": emma}
    try:
        study = only(read({"unit": [f"s{n}" for n in range(30)], **people}, tmp_path))
    except DoubtfulReading:
        return
    assert "Farid" in study.annotators


@pytest.mark.parametrize("decimals", [2, 12])
def test_means_of_three_are_asked_about(decimals, tmp_path):
    source = random.Random(1)
    columns = {name: [round(source.randint(3, 15) / 3, decimals) for _ in range(30)] for name in ("ironia", "odio")}
    asked({"unit": [f"s{n}" for n in range(30)], **columns}, tmp_path)


def test_several_questions_of_yes_and_no_to_coders_numbered_from_nought_are_read(tmp_path):
    asking = ("fluency", "relevance", "toxicity")
    said = {question: answers(3, labels=[0, 1], seed=seed) for seed, question in enumerate(asking)}
    columns = {f"{question}_Coder {n}": said[question][n] for n in range(3) for question in asking}
    study = read({"unit": [f"s{n}" for n in range(30)], **columns}, tmp_path)
    assert {*study} == {*asking}


def test_a_person_among_people_who_nearly_always_agree_is_not_set_aside_as_their_mean(tmp_path):
    first, second, third, fourth = answers(4, items=60, labels=[1, 2, 3], care=0.99)
    columns = {
        "unit": [f"s{n}" for n in range(60)],
        **{f"coder{n}": c for n, c in enumerate((first, second, third), 1)},
    }
    assert only(read({**columns, "coder4": fourth}, tmp_path)).annotators == ("coder1", "coder2", "coder3", "coder4")


def test_a_word_beside_initials_is_asked_about(tmp_path):
    one, other, gold = answers(3)
    error = asked({"unit": [f"s{n}" for n in range(30)], "MK": one, "AB": other, "oro": gold}, tmp_path)
    assert "'oro' is not named like" in str(error)


# -- files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("foot", ["Agreement", "N", "kappa", "Cohen's kappa", "Übereinstimmung", "Total"])
def test_totals_and_coefficients_below_a_table_are_left_out_and_said(foot, tmp_path):
    anna, ben = answers(2)
    study = only(read({"id": [*range(30), foot], "Anna": [*anna, 0.72], "Ben": [*ben, ""]}, tmp_path))
    assert len(study.items) == 30
    assert any(foot in step.sentence for step in study.provenance.steps)


@pytest.mark.parametrize("care", [0.8, 1.0])
def test_what_is_the_same_in_the_files_of_all_people_is_known_of_the_item(care, tmp_path):
    people = answers(3, labels=[1, 2, 3], care=care)
    category = answers(1, labels=["news", "blog"], seed=2)[0]
    for who, said in zip(("ann", "bob", "cleo"), people, strict=True):
        columns = {"unit": [f"s{n}" for n in range(30)], "category": category, "answer": said}
        (tmp_path / f"{who}.csv").write_text(
            "\n".join(",".join(map(str, row)) for row in [tuple(columns), *zip(*columns.values(), strict=True)])
        )
    if care == 1:
        with pytest.raises(DoubtfulReading) as error:
            ia.read(tmp_path)
        assert error.value.readings[0].options["value"] == "answer"
    else:
        assert [*ia.read(tmp_path)] == ["answer"]


def test_a_table_as_pandas_writes_it_to_json_is_read_by_its_columns(tmp_path):
    table = long_table(answers(3))
    path = tmp_path / "study.json"
    path.write_text(
        json.dumps({name: {str(row): cell for row, cell in enumerate(cells)} for name, cells in table.items()}),
        encoding="utf-8",
    )
    study = only(ia.read(path))
    assert study.annotators == ("p0", "p1", "p2")
    assert len(study.items) == 30


@pytest.mark.parametrize("header", [["document", "1", "2"], ["case", "0", "1"], ["post_id", "178", "83"]])
def test_numbers_above_words_are_names_of_annotators(header, tmp_path):
    one, two = answers(2)
    ids = [str(10**17 + 7919 * row) for row in range(30)]
    study = only(read(dict(zip(header, [ids, one, two], strict=True)), tmp_path))
    assert tuple(map(str, study.annotators)) == tuple(header[1:])
    assert len(study.items) == 30


def test_numbers_above_words_are_names_though_a_total_stands_below(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{n},{'no' if n % 3 else 'yes'},{'no' if n % 4 else 'yes'}" for n in range(9)]
    path.write_text("\n".join(["video,276,6", *rows, "Mean,8,8"]) + "\n", encoding="utf-8")
    assert set(only(ia.read(path, annotator=["276", "6"])).annotators) == {"276", "6"}


def test_numbers_beyond_the_scale_below_them_do_not_pass_for_data(tmp_path):
    rows = [f"d{n:x}c9,{1 + n % 3},{1 + n % 2},{1 + n // 5 % 3}" for n in range(12)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["nr,61,171,214", *rows]) + "\n", encoding="utf-8")
    assert set(only(ia.read(path, annotator=["61", "171", "214"])).annotators) == {"61", "171", "214"}


def test_people_at_the_end_of_rows_without_a_header_are_kept_though_the_first_rows_leave_them_empty(tmp_path):
    rows = [["1", "0" if n % 2 else "", "" if n < 600 else "1"] for n in range(700)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    assert len(only(ia.read(path, header=False, layout="wide")).annotators) == 3


def test_a_person_who_recurs_below_is_no_word_for_people_above_numbers(tmp_path):
    rows = [(f"coder{who}", item, (item * who) % 2) for who in range(3) for item in range(9)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n", encoding="utf-8")
    assert len(only(ia.read(path))) == len(rows)


def test_rows_that_are_numbered_alike_are_data_though_few_of_their_cells_are_filled(tmp_path):
    rows = [[f"doc-{row}", "1", *([""] * 5 if row < 10 else "10110")] for row in range(30)]
    path = tmp_path / "bare.csv"
    path.write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    try:
        study = only(ia.read(path))
    except DataError:
        return
    assert not any("set aside as title" in step.sentence for step in study.provenance.steps)


def test_objects_of_people_with_texts_beside_them_do_not_stop_the_reader(tmp_path):
    people = ("anna@example.org", "ben@example.org")
    columns = answers(2, labels=[-1, 0, 1])
    records = [
        {"No.": row, "text": text, "labels": {who: cells[row] for who, cells in zip(people, columns, strict=True)}}
        for row, text in enumerate(texts())
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    assert only(ia.read(path)).annotators == people


# -- words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("rater 1", 3),
        ("raterb", 3),
        ("Anna", 2),
        ("Anna Okafor", 2),
        ("anna@example.org", 2),
        ("JS", 1),
        ("A3XB7Q0P2", 1),
        ("Blorp", 0),
        ("sentiment", -1),
        ("doc_007.txt", -1),
    ],
)
def test_a_name_speaks_of_a_person_more_or_less(name, level):
    assert person_level(name) == level


def test_codes_are_letters_and_digits_that_change_often():
    assert is_code("R_2vYT6suV4FhYAHk")
    assert not is_code("annotator2024")


def test_what_is_stated_is_not_looked_at():
    table = NamedColumns.of({"a": [1, 2], "b": ["x", "y"], "c": ["u", "v"]})
    reading = recognise(table, Choices.of({"item": "a", "annotator": "b", "value": "c"}))
    assert (reading.item, reading.annotator, reading.values) == (("a",), "b", ("c",))


def test_a_table_without_answers_says_what_to_pass(tmp_path):
    with pytest.raises(ColumnNotFound, match=r"annotator=\["):
        read({"id": range(30), "text": texts()}, tmp_path)


# -- what is no answer of another person ----------------------------------------------------------------------------


def test_columns_called_after_what_was_shown_are_asked_about(tmp_path):
    video, both, subtitles = answers(3)
    with pytest.raises(DoubtfulReading, match="may be what the items were judged by"):
        read({"id": range(30), "video": video, "vs": both, "subs": subtitles, "text": texts()}, tmp_path)


def test_a_word_beside_people_called_by_numbers_is_asked_about(tmp_path):
    people = answers(5, care=0.7)
    columns = {"id": range(30), **dict(zip(("12", "7", "31", "4", "55"), people, strict=True))}
    with pytest.raises(DoubtfulReading, match="'mv'"):
        read({**columns, "mv": majority(people)}, tmp_path)


def test_a_person_called_by_a_number_who_answered_once_is_not_passed_over(tmp_path):
    people = [
        [cell if (row + place) % 4 == 0 else "" for row, cell in enumerate(cells)]
        for place, cells in enumerate(answers(4))
    ]
    rare = ["mixed", *[""] * 29]
    with pytest.raises(DoubtfulReading):
        read(dict(zip("12345", [*people[:2], rare, *people[2:]], strict=True)), tmp_path)


def test_an_unknown_name_that_sums_up_people_is_asked_about(tmp_path):
    people = answers(5, care=0.6)
    called = dict(zip(("Lukas", "Pablo", "Anna", "Sofia", "Yuki"), people, strict=True))
    columns = {"Lukas": called["Lukas"], "Pablo": called["Pablo"], "výsledek": majority(people), **called}
    with pytest.raises(DoubtfulReading, match="výsledek"):
        read(columns, tmp_path)


def test_a_column_beside_answers_that_are_numbered_alike_is_asked_about(tmp_path):
    rows = [(item, who) for item in range(30) for who in ("ann", "ben", "cem")]
    columns = {"post_id": [item for item, _ in rows], "user_id": [who for _, who in rows]}
    for number, seed in enumerate((3, 4, 5, 6), 1):
        columns[f"category_{number}"] = [
            cell for row in zip(*answers(3, labels=[0, 1], seed=seed), strict=True) for cell in row
        ]
    done = [cell for row in zip(*answers(3, labels=[0, 1], seed=9), strict=True) for cell in row]
    assert len(read(columns, tmp_path)) == 4
    with pytest.raises(DoubtfulReading, match="'successful' is not called as the answers are"):
        read({**columns, "successful": done}, tmp_path)


def test_a_row_of_one_cell_is_no_title_where_the_cell_is_an_answer_below(tmp_path):
    path = tmp_path / "study.csv"
    path.write_text(";;flat\nround;round;round\nflat;flat;\nsteep;round;round\nround;bent;bent\n", encoding="utf-8")
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(path)
    assert "set aside" not in str(caught.value)


def test_sheets_that_name_the_same_files_are_not_people(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("Audit")):
        sheet.append(["Video ID", "Video File", "Prompt"])
        for row in range(20):
            sheet.append([f"LVP_{row}", f"{row:04}.mp4", f"A hand takes the cup from the table {row % 15} times"])
    for row in range(12):
        book.active.append([f"RWM_{row}", None, f"A hand opens the door {row} times and lets it go"])
    path = tmp_path / "study.xlsx"
    book.save(path)
    with pytest.raises(DataError, match="cannot be combined into one study"):
        ia.read(path)


# -- what is no answer of a long table --------------------------------------------------------------------------


def long_of(columns: int = 2) -> dict[str, list[Any]]:
    """A row for each of thirty items and three annotators, with columns of answers on one scale."""
    rows = [(item, who) for item in range(30) for who in ("ann", "ben", "cem")]
    made: dict[str, list[Any]] = {"case": [item for item, _ in rows], "annotator_id": [who for _, who in rows]}
    for number in range(columns):
        columns_of = answers(3, labels=[1, 2, 3, 4, 5], seed=number)
        made[f"var{number + 1}"] = [cell for row in zip(*columns_of, strict=True) for cell in row]
    return made


def test_seconds_that_differ_in_every_row_are_no_answers(tmp_path):
    times = [round(1.25 + 0.37 * row, 2) for row in range(90)]
    assert "var1" in read({"lead": times, **long_of(1)}, tmp_path)
    assert "lead" not in read({"lead": times, **long_of(1)}, tmp_path)


def test_a_gold_standard_that_is_not_the_same_for_all_annotators_is_no_question(tmp_path):
    table = long_of()
    gold = [cell if row % 7 else 3 for row, cell in enumerate(table["var1"])]
    assert set(read({"gold_label": gold, **table}, tmp_path)) == {"var1", "var2"}


def test_two_questions_in_other_words_are_not_compared_by_a_batch_called_a_and_b(tmp_path):
    rows = [(item, who) for item in range(30) for who in ("P0", "P1")]
    yes = [cell for row in zip(*answers(2, labels=["ja", "nein"]), strict=True) for cell in row]
    kind = [cell for row in zip(*answers(2, labels=["flat", "round"], seed=2), strict=True) for cell in row]
    columns = {
        "batch": ["AB"[item // 15] for item, _ in rows],
        "participant_id": [who for _, who in rows],
        "case": [f"item_{item}" for item, _ in rows],
        "Frage 1": yes,
        "Frage 2": kind,
    }
    assert set(read(columns, tmp_path)) == {"Frage 1", "Frage 2"}


def test_documents_under_a_column_called_question_are_asked_about(tmp_path):
    rows = [(f"D0{at // 7}", f"s{at % 7}", who) for at in range(35) for who in ("shael", "felan")]
    tone = [cell for row in zip(*answers(2, items=35, labels=[1, 2, 3, 4]), strict=True) for cell in row]
    columns = dict(zip(("question", "response", "evaluator"), zip(*rows, strict=True), strict=True))
    with pytest.raises(DoubtfulReading, match="'question' may name the question instead of a part of the item"):
        read({**columns, "valence": tone}, tmp_path)


def test_addresses_with_a_question_behind_a_dot_are_those_of_people(tmp_path):
    parts = {question: answers(2, labels=[1, 5, 7], seed=seed) for seed, question in enumerate(("tag", "hair"))}
    columns = {
        f"{who}@example.org.{question}": parts[question][at]
        for at, who in enumerate(("giulio", "ran"))
        for question in parts
    }
    study = read({"unit_id": range(30), **columns}, tmp_path)
    assert {name: question.annotators for name, question in study.items()} == {
        "tag": ("giulio@example.org", "ran@example.org"),
        "hair": ("giulio@example.org", "ran@example.org"),
    }


def test_questions_named_the_other_way_round_are_not_left_out_in_silence(tmp_path):
    columns: dict[str, Any] = {"key": [f"p{row}" for row in range(30)]}
    for seed, question in enumerate(("scope", "states", "narrow")):
        columns |= {f"{question}_c{at + 1}": cells for at, cells in enumerate(answers(2, labels=[0, 1], seed=seed))}
    columns |= {f"c{at + 1}_grade": cells for at, cells in enumerate(answers(2, labels=["E1", "E2", "E3"], seed=7))}
    with pytest.raises(DoubtfulReading, match="'c1_grade', 'c2_grade' are named after 'c1', 'c2' the other way round"):
        read(columns, tmp_path)


def test_two_columns_that_never_say_the_same_are_asked_about(tmp_path):
    source = random.Random(3)
    pairs = [source.sample(["eagles", "mcmc", "gaussian", "default"], 2) for _ in range(40)]
    columns = {f"model_{at + 1}": [f"splats/{pair[at]}-room" for pair in pairs] for at in range(2)}
    with pytest.raises(DoubtfulReading, match="no two of 'model_1', 'model_2' ever say the same"):
        read({"id": [f"p{row}" for row in range(40)], **columns}, tmp_path)


def test_sheets_that_nobody_named_are_not_people_without_a_question(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "Sheet1"
    for sheet, cells in zip((book.active, book.create_sheet("Sheet3")), answers(2), strict=True):
        sheet.append(["clip", "emotion"])
        for row, cell in enumerate(cells):
            sheet.append([f"S{row}", cell])
    path = tmp_path / "study.xlsx"
    book.save(path)
    with pytest.raises(DoubtfulReading, match="nothing says whether 'Sheet1', 'Sheet3' are annotators") as caught:
        ia.read(path)
    assert only(ia.read(path, **caught.value.readings[0].options)).annotators == ("Sheet1", "Sheet3")


def test_counts_with_their_sum_and_the_number_of_the_most_frequent_are_counts(tmp_path):
    source = random.Random(4)
    rows = [[*sorted([source.choice([0, 0, 1]), source.choice([0, 2, 3])]), source.choice([0, 3])] for _ in range(30)]
    columns = {name: [row[at] for row in rows] for at, name in enumerate(("hate", "rude", "neither"))}
    class_of = [row.index(max(row)) for row in rows]
    table = {"count": [sum(row) for row in rows], **columns, "class": class_of, "text": texts()}
    counted = only(read(table, tmp_path))
    assert counted.anonymous
    assert set(counted.values) == {"hate", "rude", "neither"}
