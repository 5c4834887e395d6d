"""People and models from columns, rows and several tables."""

import random
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import interagree as ia
from interagree.data import Annotations
from interagree.errors import ColumnNotFound, DataError, KindError, UnknownName
from interagree.judging import judge, noise_ceiling
from interagree.judging.gathering import by_file, chosen_columns
from interagree.judging.sides import looks_like_model

RNG = random.Random(0)
ROWS = [
    {
        "item": f"q{i}",
        "prompt": f"what is {i}?",
        "response": f"it is {i * 7}",
        **{who: RNG.choice("ab") if RNG.random() < 0.3 else "ab"[i % 2] for who in ("human_1", "human_2", "human_3")},
        **{who: RNG.choice("ab") if RNG.random() < 0.4 else "ab"[i % 2] for who in ("gpt-4", "claude")},
    }
    for i in range(40)
]
PEOPLE, MODELS = ["human_1", "human_2", "human_3"], ["gpt-4", "claude"]


def long_rows(names):
    return [(row["item"], who, row[who]) for row in ROWS for who in names]


@pytest.fixture(scope="module")
def truth():
    """The judgement of the same data in long form, which is plain."""
    return judge(long_rows([*PEOPLE, *MODELS]), models=MODELS)


@pytest.mark.parametrize("humans", ["human_*", PEOPLE, ["human_[12]", "human_3"]])
@pytest.mark.parametrize("models", [MODELS, ["gpt*", "claude"]])
def test_columns_are_named_or_matched_and_all_others_are_set_aside(truth, humans, models):
    found = judge(pd.DataFrame(ROWS), models=models, humans=humans)
    assert found.humans == tuple(PEOPLE)
    assert found.models == tuple(MODELS)
    assert found.models_table.rows() == truth.models_table.rows()


def test_a_prompt_is_never_a_person():
    found = judge(pd.DataFrame(ROWS), models="gpt*", humans="human_*")
    assert not {"prompt", "response", "claude"} & {*found.humans, *found.models}
    said = found._judged.study.provenance.policy()
    assert "set aside" in said
    assert "'prompt'" in said


def test_rows_are_chosen_by_the_same_words(truth):
    found = judge(long_rows([*PEOPLE, *MODELS]), models=["gpt*", "cl*"], humans="human_*")
    assert found.models_table.rows() == truth.models_table.rows()


def test_a_model_may_bring_its_own_answers(truth):
    people = Annotations.of(long_rows(PEOPLE))
    own = {name: {row["item"]: row[name] for row in ROWS} for name in MODELS}
    for models in (own, {name: Annotations.of(long_rows([name])) for name in MODELS}):
        assert judge(people, models=models).models_table.rows() == truth.models_table.rows()


def test_lists_are_joined_in_step():
    people = {name: [row[name] for row in ROWS] for name in PEOPLE}
    found = judge(people, models={"gpt-4": [row["gpt-4"] for row in ROWS]})
    assert found.models_table["items"] == [40]
    with pytest.raises(DataError, match="do not say which item each row is"):
        judge(people, models={"gpt-4": [row["gpt-4"] for row in ROWS][:30]})
    with pytest.raises(DataError, match="do not say which item each row is"):
        judge(people, models={"gpt-4": {row["item"]: row["gpt-4"] for row in ROWS}})


def test_items_that_only_some_have_are_counted():
    own = {row["item"]: row["gpt-4"] for row in ROWS[:30]} | {"q99": "a"}
    found = judge(Annotations.of(long_rows(PEOPLE)), models={"gpt-4": own})
    said = found._judged.study.provenance.policy()
    assert "2 sources joined by item, 30 items in all of them" in said
    assert "10 items not in the data of gpt-4" in said
    assert "1 item not in the people's data" in said
    assert found.models_table["items"] == [30]


def test_numbers_and_text_name_the_same_items():
    people = [(i, who, "ab"[i % 2]) for i in range(4) for who in ("ann", "bo")]
    found = judge(people, models={"gpt": {"0": "a", "1": "a", "2": "a", "3": "b"}})
    assert found.models_table["items"] == [4]


def test_no_common_item_and_no_common_label_are_errors():
    people = Annotations.of(long_rows(PEOPLE))
    with pytest.raises(DataError, match=r"0 of 1 item of the data of gpt are in the people's data: .* has 'q0'"):
        judge(people, models={"gpt": {"x": "a"}})
    with pytest.raises(DataError, match="gpt gave 'A', 'B', and people gave 'a', 'b': no value in common"):
        judge(people, models={"gpt": {row["item"]: row["gpt-4"].upper() for row in ROWS}})


def test_who_is_a_model_is_asked_and_not_guessed():
    rows = long_rows([*PEOPLE, *MODELS])
    with pytest.raises(DataError, match=r"which annotators are models\?.*pass models=\['gpt-4', 'claude'\]"):
        judge(rows)
    with pytest.raises(DataError, match=r"'claude' was not named as a model.*models=\['gpt-4', 'claude'\]"):
        judge(rows, models="gpt-4")
    assert judge(rows, models="gpt-4", humans="human_*").humans == tuple(PEOPLE)
    with pytest.raises(UnknownName, match="no annotator fits the pattern 'llama"):
        judge(rows, models="llama*")


@pytest.mark.parametrize(
    "name", ["gpt", "GPT-4o", "gpt4", "llama_3", "claude", "LLM", "model_1", "pred", "AI", "chatgpt"]
)
def test_names_of_models_are_known(name):
    assert looks_like_model(name)


@pytest.mark.parametrize("name", ["ann", "judge_1", "Claudette", "Modeler", "Aiko", "Albert", "w17"])
def test_names_of_people_are_not_taken_for_models(name):
    assert not looks_like_model(name)


def test_distances_are_shares_of_chance_unless_they_are_asked_for_raw():
    rng = random.Random(1)
    rows = [
        (i, who, round(truth + rng.gauss(0, 10), 1))
        for i in range(60)
        for truth in [rng.uniform(0, 100)]
        for who in ("ann", "bo", "cy", "gpt")
    ]
    found, raw = judge(rows, models="gpt"), judge(rows, models="gpt", raw=True)
    people = [value for _, who, value in rows if who != "gpt"]
    pairs = [(a - b) ** 2 for i, a in enumerate(people) for b in people[:i]]
    assert found.unit == pytest.approx(sum(pairs) / len(pairs))
    for one, other in zip(found.groups.rows(), raw.groups.rows(), strict=True):
        for name in ("distance", "low", "high"):
            assert one[name] * found.unit == pytest.approx(other[name])
        assert one["value"] == pytest.approx(other["value"])
    assert [one.winning_rate for one in found.tests.values()] == [one.winning_rate for one in raw.tests.values()]
    assert found.ceiling.value.value * found.unit == pytest.approx(raw.ceiling.value.value)
    assert found.ceiling.split_half == pytest.approx(raw.ceiling.split_half)
    # Of complete data the mean distance of people, as a share of chance, is what alpha lacks to one.
    alone = ia.alpha([row for row in rows if row[1] != "gpt"], distance="interval")
    assert found.groups["distance"][0] == pytest.approx(1 - alone.value)
    assert "1 is chance" in str(found.ceiling)
    assert "1 as far apart as chance" in " ".join(found.legend())
    assert "undivided" in " ".join(raw.legend())


@pytest.mark.parametrize("distance", ["ordinal", "linear"])
def test_distances_on_a_scale_are_shares_of_chance_too(distance):
    rng = random.Random(2)
    rows = [(i, who, rng.randrange(1, 6)) for i in range(30) for who in ("a", "b", "c", "gpt")]
    study = Annotations.of(rows, values=[1, 2, 3, 4, 5], ordered=True)
    found = noise_ceiling(study, models="gpt", distance=distance, resamples=10)
    assert 0.5 < found.value.value < 2


def test_one_table_holds_all_models(truth):
    table = truth.models_table
    assert table["model"] == ["gpt-4", "claude"]
    for row in table:
        group = next(one for one in truth.groups.rows() if one["agreement of"] == f"human-{row['model']}")
        assert row["κx with people"] == group["value"]
        test = truth.tests[row["model"]]
        assert row["winning rate"] == test.winning_rate
        assert row["stands in"] == ("yes" if test.passed else "no")
    assert truth.to_dict()["models_table"][0]["model"] == "gpt-4"


def test_options_of_reading_are_taken():
    sheet = pd.DataFrame(ROWS).rename(columns={"item": "nr of the task"})
    found = judge(sheet, models="gpt*", humans="human_*", item="nr of the task")
    assert found._judged.study.items[0] == "q0"
    rows = pd.DataFrame(long_rows([*PEOPLE, *MODELS]), columns=["a", "b", "c"])
    assert judge(rows, models=MODELS, item="a", annotator="b", value="c").humans == tuple(PEOPLE)


def test_a_pattern_of_people_does_not_reach_the_models():
    rows = [(i, f"{who}_rating", "ab"[i % 2]) for i in range(6) for who in ("ann", "bo", "gpt")]
    assert judge(rows, models="gpt_rating", humans="*_rating").humans == ("ann_rating", "bo_rating")
    with pytest.raises(KindError, match="named as a model and as a person"):
        judge(rows, models="gpt_rating", humans=["ann_rating", "gpt_rating"])


def test_an_error_of_the_stated_columns_is_not_passed_over():
    twice = pd.DataFrame([*ROWS, ROWS[0]])
    with pytest.raises(DataError, match="q0"):
        judge(twice, models="gpt*", humans="human_*")


def test_people_who_agree_no_better_than_chance_are_a_warning():
    rng = random.Random(4)
    rows = [(i, who, rng.choice("ab")) for i in range(20) for who in ("ann", "bo", "cy", "gpt")]
    assert any("people may agree no better than chance" in note for note in judge(rows, models="gpt").notes)


def test_the_column_that_holds_the_items_of_the_others_is_advised():
    people = Annotations.of(long_rows(PEOPLE))
    columns = {"nr": np.arange(40), "ref": np.array([row["item"] for row in ROWS])}
    model = replace(Annotations.of({"gpt": [row["gpt-4"] for row in ROWS]}, layout="wide"), attributes=columns)
    with pytest.raises(DataError, match=r"'gpt' does not say which item each row is.*as in item='ref'"):
        by_file([("people", people), ("gpt", model)], "gpt", None)


def with_columns_aside():
    """People as annotators, and columns that were set aside on the way."""
    people = Annotations.of(long_rows(PEOPLE[:2]))
    return replace(people, attributes={name: np.array(["x"] * len(people)) for name in ("prompt", "GPT_hs", "llm")})


def test_columns_that_were_set_aside_may_be_the_models():
    with pytest.raises(
        DataError, match=r"'GPT_hs', 'llm' are columns.*look like models.*pass models=\['GPT_hs', 'llm'\]"
    ):
        judge(with_columns_aside())


def test_a_column_that_cannot_be_taken_beside_the_people_asks_for_them():
    def make(**options):
        if options:
            raise ColumnNotFound("there is no such column")
        return with_columns_aside()

    with pytest.raises(
        DataError, match=r"'GPT_hs' is a column beside.*name the columns of the people as well, as in humans="
    ):
        chosen_columns(make, "GPT_hs", None)
    assert chosen_columns(make, "nobody", None).annotators == ("human_1", "human_2")


def test_labels_that_a_model_spells_in_its_own_way_are_an_error_and_no_verdict():
    spelled = {"a": "0 (neutral)", "b": "1 (mild)"}
    rows = [
        (item, who, spelled[value] if who in PEOPLE else value) for item, who, value in long_rows([*PEOPLE, "gpt-4"])
    ]
    with pytest.raises(DataError, match=r"gpt-4 gave 'a', 'b', and people gave '0 \(neutral\)', '1 \(mild\)'"):
        judge(rows, models="gpt-4")


def test_numbers_need_no_value_in_common():
    rows = [(i, who, 10.0 * i + k / 8) for i in range(5) for k, who in enumerate(("ann", "bo", "gpt"))]
    assert judge(rows, models="gpt").models_table["items"] == [5]
