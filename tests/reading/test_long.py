"""Long tables: cells tell answers from all else, whatever the columns are called."""

from __future__ import annotations

import csv
import random
import statistics
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree.errors import DoubtfulReading, InteragreeError

Cells = list[Any]
PEOPLE = ("p07", "p11", "p23")
ITEMS = [f"K{item:03}" for item in range(40)]
ROWS = [(item, who) for item in ITEMS for who in PEOPLE]
ROWS_AT = range(len(ROWS))


def given(labels: Sequence[Any], seed: int, care: float = 0.7) -> Cells:
    """What everybody says of every item, a cell for each of `ROWS`."""
    source = random.Random(seed)
    right = {item: source.choice(labels) for item in ITEMS}
    return [right[item] if source.random() < care else source.choice(labels) for item, _ in ROWS]


def by_item(choose: Any, cells: Cells) -> Cells:
    """A cell for each row that is the same for an item: what is made of the answers to it."""
    found = {
        item: choose([cell for (other, _), cell in zip(ROWS, cells, strict=True) if other == item]) for item in ITEMS
    }
    return [found[item] for item, _ in ROWS]


def table(folder: Path, columns: dict[str, Cells], **options: Any) -> ia.Study:
    """A long table with columns for item and annotator before others, as a file that is read."""
    whole = {"article_id": [item for item, _ in ROWS], "coder": [who for _, who in ROWS], **columns}
    return ia.read(written(folder, whole), **options)


def written(folder: Path, columns: dict[str, Cells]) -> Path:
    path = folder / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
    return path


def aside(study: ia.Study) -> str:
    question = next(iter(study.values()))
    return "; ".join(step.sentence for step in question.provenance.steps if step.what == "set aside")


# -- questions --------------------------------------------------------------------------------------------------------


def test_every_variable_of_a_codebook_is_a_question_whatever_it_is_called(tmp_path):
    called = ["conflict", "reference", "total_harm", "share_intent", "frequency", "match_quality", "source", "tone"]
    study = table(tmp_path, {name: given([0, 1, 2, 3], seed) for seed, name in enumerate(called)})
    assert list(study) == called


def test_answers_are_found_under_names_of_no_language(tmp_path):
    columns = {"wopel": given(["ka", "ri", "mu"], 1), "zisto": given([1, 2, 3, 4, 5], 2)}
    assert list(table(tmp_path, columns)) == ["wopel", "zisto"]


def test_texts_times_and_identifiers_are_not_answers_and_the_reason_is_said(tmp_path):
    source = random.Random(1)
    columns = {
        "wopel": given([1, 2, 3], 1),
        "grimu": [" ".join(source.choices(["ab", "cd", "ef", "gh", "ij"], k=9)) for _ in ROWS],
        "tovka": [f"{source.randint(8, 20):02}:{source.randint(0, 59):02}" for _ in ROWS],
        "hroel": [1700000000 + 977 * row for row in range(len(ROWS))],
        "lanfe": [round(source.gammavariate(2, 15), 2) for _ in ROWS],
        "yudre": [f"{source.getrandbits(64):x}" for _ in ROWS],
        "baimu": ["https://example.org/" + item for item, _ in ROWS],
    }
    study = table(tmp_path, columns)
    assert list(study) == ["wopel"]
    assert all(f"'{name}'" in aside(study) for name in columns if name != "wopel")


def test_what_is_left_beside_item_and_annotator_is_the_answer_though_all_agree(tmp_path):
    columns = {
        "case_id": [f"c{at}" for at in range(20) for _ in "abc"],
        "rater_id": [who for _ in range(20) for who in "123"],
        "type": ["xyz"[at % 3] for at in range(20) for _ in "abc"],
    }
    study = ia.read(written(tmp_path, columns))
    assert list(study) == ["type"]
    assert ia.alpha(study["type"]).value == 1


def test_a_criterion_in_the_rows_is_a_question_though_it_is_called_an_identifier(tmp_path):
    asked = {"Head": [0, 1], "Bias": [1, 2, 3, 4], "Type": ["news", "opinion"]}
    cells = {name: given(labels, seed) for seed, (name, labels) in enumerate(asked.items())}
    rows = [(item, who, name, cells[name][row]) for row, (item, who) in enumerate(ROWS) for name in asked]
    names = ("art_id", "ann", "criteriaID", "annotation")
    path = written(tmp_path, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    assert set(ia.read(path)) == set(asked)


def test_a_column_that_may_name_the_question_does_not_join_the_item_silently(tmp_path):
    rows = [(item, who, name) for item, who in ROWS for name in ("juistheid", "toon")]
    columns = {
        "zin_id": [item for item, _, _ in rows],
        "beoordelaar": [who for _, who, _ in rows],
        "vraag": [name for _, _, name in rows],
        "score": given([1, 2, 3, 4], 1) + given([1, 2, 3, 4], 2),
    }
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(written(tmp_path, columns))
    offered = {"item": "zin_id", "annotator": "beoordelaar", "value": "score", "question": "vraag"}
    assert offered in [dict(one.options) for one in caught.value.readings]


def test_questions_in_the_rows_of_a_table_too_long_to_be_looked_at_whole_are_questions(tmp_path):
    source = random.Random(5)
    rows = [
        (f"s{item}", f"Rater {who}", f"var{asked}", source.choice([1, 2, 3]))
        for item, who, asked in product(range(500), "ABCDE", range(3))
    ]
    columns = dict(zip(["Satz", "Kodierer", "Kriterium", "Antwort"], zip(*rows, strict=True), strict=True))
    assert len(ia.read(written(tmp_path, columns))) == 3


def test_two_columns_that_with_all_annotators_make_a_complete_crossing_are_the_item(tmp_path):
    source = random.Random(6)
    pairs = [(f"a sentence, number {min(n, 18)}", ["joy", "fear"][n % 2]) for n in range(20)]
    rows = [(*pair, who, source.choice([1, 2, 3]), source.choice([1, 2, 3])) for pair in pairs for who in range(3)]
    columns = dict(zip(["Text", "Emotion", "Annotator", "Fluent", "Coherent"], zip(*rows, strict=True), strict=True))
    study = ia.read(written(tmp_path, columns))
    assert {name: len(question.items) for name, question in study.items()} == {"Fluent": 20, "Coherent": 20}


def test_a_number_known_of_the_items_of_a_small_table_is_no_silent_answer(tmp_path):
    rows = [(f"S{n}", f"Annotator {who}", 3 + 2 * (who == n), 1999 + n) for n in range(3) for who in range(2)]
    columns = dict(zip(["Case", "observer", "sentiment", "score"], zip(*rows, strict=True), strict=True))
    with pytest.raises(DoubtfulReading, match="'score' may be known of the items"):
        ia.read(written(tmp_path, columns))


def test_lists_between_semicolons_are_answers_and_no_texts(tmp_path):
    source = random.Random(8)
    tags = [";".join(sorted(source.sample(["risk", "policy", "funds", "crowd", "trade"], 1 + n % 3))) for n in ROWS_AT]
    study = table(tmp_path, {"tags": tags, "M1": given([1, 2, 3], 3)})
    assert list(study) == ["tags", "M1"]


def test_who_answered_is_offered_by_what_is_known_of_the_people(tmp_path):
    ages = {who: 20 + 7 * n for n, who in enumerate(PEOPLE)}
    facts = {"age": [ages[who] for _, who in ROWS], "gender": ["m" if ages[who] > 30 else "f" for _, who in ROWS]}
    whole = {"sentence_id": [item for item, _ in ROWS], "survey_record_id": [who for _, who in ROWS]}
    path = written(tmp_path, {**whole, "label": given(["left", "right"], 5), **facts})
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(path)
    wanted = {"item": "sentence_id", "annotator": "survey_record_id", "value": "label"}
    assert wanted in [dict(reading.options) for reading in caught.value.readings]


def test_ids_of_comments_name_items_and_files_are_no_questions(tmp_path):
    files = [f"{1 + at // 30}.txt" for at in ROWS_AT]
    whole = {"question": files, "comment_id": [item for item, _ in ROWS], "coder": [who for _, who in ROWS]}
    study = ia.read(written(tmp_path, {**whole, "Frage 1": given("ABC", 3), "Frage 2": given("ABC", 4)}))
    assert {name: len(question.items) for name, question in study.items()} == {"Frage 1": 40, "Frage 2": 40}


def test_a_row_for_each_two_people_is_no_annotation_of_one_by_the_other(tmp_path):
    rows = [("kwame", "maja", 0.42, 634), ("kwame", "philip", 0.71, 634), ("maja", "philip", 0.35, 100)]
    columns = dict(zip(["a", "b", "Kappa", "n"], zip(*rows, strict=True), strict=True))
    with pytest.raises(InteragreeError):
        ia.read(written(tmp_path, columns))


def test_a_second_part_of_the_item_is_not_passed_over_because_there_are_few_rows(tmp_path):
    rows = [
        ("D1", "s1", "a", 3),
        ("D1", "s2", "b", 2),
        ("D2", "s1", "a", 1),
        ("D2", "s2", "b", 2),
        ("D1", "s2", "c", 3),
    ]
    rows += [("D2", "s1", "c", 1), ("D3", "s1", "a", 2), ("D3", "s2", "b", 2), ("D3", "s1", "c", 1)]
    columns = dict(zip(["text", "phrase", "annotator", "accuracy"], zip(*rows, strict=True), strict=True))
    with pytest.raises(DoubtfulReading, match="'phrase' may be a part of the item"):
        ia.read(written(tmp_path, columns))


def test_a_duration_is_not_the_answer_where_all_agree_in_the_questions(tmp_path):
    rows = [(n, who, 2.5 * n + 7.31 * ord(who), n % 3, n % 2) for n in range(5) for who in "ab"]
    named = ["phrase_id", "annotator", "duration", "coherence", "relevance"]
    with pytest.raises(DoubtfulReading, match="follow from the item"):
        ia.read(written(tmp_path, dict(zip(named, zip(*rows, strict=True), strict=True))))


def test_labels_of_an_expert_are_not_annotators_of_items_that_nobody_saw_twice(tmp_path):
    columns = {"trial": ["A1", "A2", "A3", "A4", "A5"], "nl": ["cloud", "silla", "mot", "winter", "maison"]}
    with pytest.raises(DoubtfulReading, match="annotated twice"):
        ia.read(written(tmp_path, {**columns, "Expert": ["neg", "neu", "neu", "pos", "neg"]}))


def test_lists_of_one_label_or_none_are_labels(tmp_path):
    study = table(tmp_path, {"annotation": given(["[]", "['4']"], 3)})
    assert set(study.single().values) == {"[]", "['4']"}


def test_remarks_on_a_few_rows_are_not_a_question(tmp_path):
    remarks = ["?" if row % 20 == 0 else "" for row in range(len(ROWS))]
    for care in (0.7, 1.0):
        assert list(table(tmp_path, {"fluencia": given(["sim", "nao"], 1, care=care), "uwagi": remarks})) == [
            "fluencia"
        ]


# -- what is the same within items ------------------------------------------------------------------------------------


def test_what_is_the_same_for_all_annotators_of_an_item_is_set_aside(tmp_path):
    columns = {
        "kazi": by_item(lambda cells: random.Random(str(cells)).choice("xyz"), given([1, 2], 5)),
        "wopel": given([1, 2], 1),
    }
    study = table(tmp_path, columns)
    assert list(study) == ["wopel"]
    assert "'kazi' (the same for all annotators of an item)" in aside(study)


def test_a_question_that_all_answer_alike_is_taken_where_the_others_are_numbered_like_it(tmp_path):
    columns = {f"v{number}": given([1, 2, 3], number, care=1.0 if number == 2 else 0.7) for number in (1, 2, 3)}
    assert list(table(tmp_path, columns)) == ["v1", "v2", "v3"]


def test_a_question_that_hardly_anybody_says_yes_to_is_no_fact_about_items(tmp_path):
    rare = [int(item == ITEMS[3]) for item, _ in ROWS]
    columns = {"wopel": given([0, 1], 1), "rare": rare, "zisto": given([0, 1], 2)}
    assert list(table(tmp_path, columns)) == ["wopel", "rare", "zisto"]


def test_perfect_agreement_is_not_metadata(tmp_path):
    assert list(table(tmp_path, {"wopel": given(["ka", "ri"], 1, care=1.0)})) == ["wopel"]


@pytest.mark.parametrize("name", ["결론", "ground_truth", "zisto"])
def test_a_reference_is_found_by_its_cells(name, tmp_path):
    answers = given(["ka", "ri", "mu"], 1)
    study = table(tmp_path, {name: by_item(statistics.mode, answers), "wopel": answers})
    assert list(study) == ["wopel"]
    assert "a reference" in aside(study)


# -- what follows from other columns ----------------------------------------------------------------------------------


def test_sums_means_and_comparisons_are_found_by_their_cells(tmp_path):
    first, second, third = (given([1, 2, 3, 4, 5], seed) for seed in range(3))
    rows = list(zip(first, second, third, strict=True))
    gold = by_item(statistics.mode, first)
    columns = {
        "wopel": first,
        "zisto": second,
        "lanfe": third,
        "nuquo": [sum(row) for row in rows],
        "grimu": [round(statistics.fmean(row), 2) for row in rows],
        "hroel": by_item(lambda cells: round(statistics.fmean(cells), 1), first),
        "tovka": gold,
        "yudre": [int(one == other) for one, other in zip(first, gold, strict=True)],
    }
    study = table(tmp_path, columns)
    assert list(study) == ["wopel", "zisto", "lanfe"]
    said = aside(study)
    assert "the sum of 'wopel', 'zisto', 'lanfe' in every row" in said
    assert "the mean of 'wopel', 'zisto', 'lanfe' in every row" in said
    assert "the mean of 'wopel' for each item" in said
    assert "says whether 'wopel' equals 'tovka'" in said


# -- annotators -------------------------------------------------------------------------------------------------------


def test_cells_that_name_people_say_who_answered(tmp_path):
    called = dict(zip(PEOPLE, ("Olga", "Mehmet", "Priya"), strict=True))
    columns = {"nehro": [called[who] for _, who in ROWS], "post": [item for item, _ in ROWS], "wopel": given([1, 2], 1)}
    (question,) = ia.read(written(tmp_path, columns)).values()
    assert set(question.annotators) == set(called.values())


def test_a_column_of_codes_that_nothing_calls_annotators_is_offered(tmp_path):
    columns = {"nehro": [who for _, who in ROWS], "post": [item for item, _ in ROWS], "wopel": given([1, 2], 1)}
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(written(tmp_path, columns))
    assert {"item": "post", "annotator": "nehro", "value": "wopel"} in [
        dict(one.options) for one in caught.value.readings
    ]


def test_marked_passages_are_not_parts_of_items(tmp_path):
    text = "the weather was colder than we had expected in spring"
    source = random.Random(1)
    rows = []
    for item, who in [*ROWS, *ROWS]:
        start, size = source.randint(0, 20), source.randint(3, 20)
        rows.append((item, who, source.choice("xy"), text[start : start + size], start, start + size))
    names = ("doc_id", "worker", "label", "passage", "grimu", "tovka")
    path = written(tmp_path, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    with pytest.raises(InteragreeError):
        ia.read(path)


# -- what the caller says ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"duplicates": "first"}, {"missing": ["x"]}, {"trim": False}])
def test_options_that_repair_do_not_change_what_is_recognised(options, tmp_path):
    rows = [*ROWS, ROWS[3]]
    answers = given(["ka", "ri"], 1)
    columns = {
        "coder": [who for _, who in rows],
        "text": [f"a sentence about {item}" for item, _ in rows],
        "target": [f"T{int(item[1:]) % 9}" for item, _ in rows],
        "wopel": [*answers, answers[3]],
    }
    path = written(tmp_path, columns)
    with pytest.raises(InteragreeError, match="'p07' annotated item"):
        ia.read(path, **{**options, "duplicates": "error"})
    study = ia.read(path, **{**options, "duplicates": "first"})
    assert set(study["wopel"].items) == {f"a sentence about {item}" for item in ITEMS}


def test_naming_item_and_annotator_leaves_the_rest_to_be_the_questions(tmp_path):
    columns = {
        "nehro": [item for item, _ in ROWS],
        "kazi": [who for _, who in ROWS],
        "topic": given("xyz", 1),
        "id": given([1, 2], 2),
    }
    study = ia.read(written(tmp_path, columns), item="nehro", annotator="kazi")
    assert "topic" in study


# -- at random --------------------------------------------------------------------------------------------------------

SYLLABLES = [
    "ka",
    "ri",
    "tov",
    "mu",
    "sha",
    "ne",
    "wo",
    "zi",
    "lan",
    "dre",
    "ba",
    "yu",
    "fe",
    "quo",
    "жо",
    "ки",
    "ту",
    "бор",
    "αλ",
    "βε",
    "γο",
    "결",
    "론",
    "평",
    "자",
]
SCALES: list[list[Any]] = [[0, 1], ["yes", "no"], ["xa", "xo", "xu"], [1, 2, 3, 4, 5], [0, 1, 2, 3], [-2, -1, 0, 1, 2]]


def made(source: random.Random) -> tuple[dict[str, Cells], list[str]]:
    """A long table with questions, facts, times and what follows from others, under names of no language."""
    names = iter(dict.fromkeys("".join(source.choices(SYLLABLES, k=3)) for _ in range(60)))
    one = source.choice(SCALES)
    asked = {
        next(names): given(one, source.random(), source.choice([0.6, 0.8, 0.9])) for _ in range(source.randint(1, 5))
    }
    first = next(iter(asked.values()))
    of_item = {item: source.choice(["news", "sports", "arts"]) for item in ITEMS}
    of_person = {who: source.choice([23, 35, 51]) for who in PEOPLE}
    beside: list[Cells] = [
        [of_item[item] for item, _ in ROWS],
        [of_person[who] for _, who in ROWS],
        by_item(statistics.mode, first),
        [round(source.gammavariate(2, 20), 1) for _ in ROWS],
        [f"2024-03-{1 + row % 28:02}" for row in range(len(ROWS))],
        [" ".join(source.choices(SYLLABLES, k=6)) if source.random() < 0.3 else "" for _ in ROWS],
        list(range(len(ROWS))),
    ]
    others = {next(names): cells for cells in source.sample(beside, source.randint(0, 5))}
    parts = {
        next(names) if source.random() < 0.5 else "doc_id": [item for item, _ in ROWS],
        "rater": [who for _, who in ROWS],
    }
    order = [parts, asked, others]
    source.shuffle(order)
    return {name: cells for some in order for name, cells in some.items()}, list(asked)


def test_tables_under_names_of_no_language_are_read_rightly_or_asked_about(tmp_path):
    right = 0
    for seed in range(80):
        columns, asked = made(random.Random(f"long/{seed}"))
        try:
            study = ia.read(written(tmp_path, columns))
        except InteragreeError:
            continue
        said = aside(study)
        assert set(study) <= set(asked), (seed, list(study), asked)
        assert all(name in study or f"'{name}'" in said for name in asked), (seed, list(study), asked)
        right += set(study) == set(asked)
    assert right >= 60
