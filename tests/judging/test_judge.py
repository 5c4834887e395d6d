"""Models beside people: the matrix, the verdict, and agreement with oneself."""

import json
import math
import random

import pytest

from interagree.data import Annotations
from interagree.errors import DataError, KindError, UnknownName, for_command_line
from interagree.judging import alt_test, judge, noise_ceiling, self_consistency
from interagree.measures.alpha import alpha
from interagree.measures.percent import percent
from interagree.people import xrr

PEOPLE = ("ann", "bo", "cy", "di")


def study(seed=0, items=60, models=("good", "bad")):
    """People who are right three times in four, a model that always is, and one that guesses."""
    rng = random.Random(seed)
    rows = []
    for i in range(items):
        truth = rng.choice("abc")
        rows += [(i, who, truth if rng.random() < 0.75 else rng.choice("abc")) for who in PEOPLE]
        rows += [(i, name, truth if name == "good" else rng.choice("abc")) for name in models]
    return rows


def row_of(table, name):
    (found,) = [row for row in table.rows() if row["agreement of"] == name]
    return found


def test_a_good_model_may_stand_in_and_one_that_guesses_may_not():
    found = judge(study(), models=["good", "bad"])
    assert found.passed == ("good",)
    assert found.verdict[0].startswith("good can stand in for a person: it takes the place of 4 of 4 people")
    assert "above the noise ceiling" in found.verdict[0]
    assert found.verdict[1].startswith("bad cannot be shown to stand in for a person")
    assert "below the noise ceiling" in str(found)


def test_labels_that_a_model_has_in_another_case_are_told_beside_the_verdict():
    rows = [(i, who, "Yes" if i % 3 else "No") for i in range(30) for who in PEOPLE]
    rows += [(i, "gpt", ("Yes" if i % 3 else "no") if i % 2 else "No") for i in range(30)]
    found = judge(rows, models="gpt")
    assert "answers of gpt are spelled otherwise" in found.spelling
    assert "'no' where people have 'No'" in found.spelling
    assert for_command_line(found.spelling, found.spelling.hints).endswith("take them as one by --fold-case")
    assert "spelled otherwise" in found.document().sections[0].lines[1]
    assert not judge(rows, models="gpt", fold_case=True).spelling
    with pytest.raises(DataError, match="differ only in case as one by fold_case=True"):
        judge([(i, who, value.upper() if who == "gpt" else value) for i, who, value in rows], models="gpt")


def test_of_many_people_those_with_the_most_items_are_shown():
    rows = [(i, f"p{who}", "ab"[(i * who) % 7 > 3]) for who in range(12) for i in range(60 - who)]
    rows += [(i, "gpt", "ab"[i % 2]) for i in range(60)]
    found = judge(rows, models="gpt")
    (section,) = [part for part in found.document().sections if part.title == "gpt in the place of each person"]
    assert section.table["person"] == [f"p{who}" for who in range(10)]
    assert len(section.exact) == len(found.to_dict()["alternative_annotator_test"][0]["people"]) == 12
    names = [f"p{who}" for who in range(12)]
    with pytest.raises(DataError) as error:
        judge([*rows, *((i, "llama", "a") for i in range(60))], models="gpt")
    assert "name all models" in str(error.value)
    assert not any(name in str(error.value) for name in names)


def test_the_groups_are_measured_by_the_measures():
    rows = study()
    whole = Annotations.of(rows)
    found = judge(rows, models=["good", "bad"])
    for name, members in (("human-human", PEOPLE), ("model-model", ("good", "bad"))):
        part, row = whole.only(annotators=members), row_of(found.groups, name)
        own = alpha(part)
        assert row["agreement"] == pytest.approx(percent(part).value)
        interval = percent(part).interval()
        assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), abs=0.005)
        assert (row["value"], row["from"], row["to"]) == pytest.approx(
            (own.value, own.interval().low, own.interval().high)
        )
    row = row_of(found.groups, "human-good")
    crossed = xrr(whole, groups={**dict.fromkeys(PEOPLE, "people"), "good": "good"})
    assert (row["coefficient"], row["value"]) == ("κx", pytest.approx(crossed.value))
    assert row["from"] == pytest.approx(crossed.low, abs=0.02)
    assert row_of(found.groups, "human-model")["items"] == 60


def test_every_pair_is_measured_and_laid_out_as_a_matrix():
    rows = study(items=20)
    found = judge(rows, models=["good", "bad"])
    assert len(found.pairs) == 15
    part = Annotations.of(rows).only(annotators=["ann", "good"])
    (row,) = [row for row in found.pairs.rows() if {row["first"], row["second"]} == {"ann", "good"}]
    assert row["of"] == "human-model"
    assert row["agreement"] == pytest.approx(percent(part).value)
    assert row["α"] == pytest.approx(alpha(part).value)
    matrix = found.matrix()
    assert matrix.to_dict("good")["ann"] == matrix.to_dict("ann")["good"] == row["α"]
    assert matrix.to_dict("good")["good"] is None
    assert found.matrix("agreement").to_dict("bo")["cy"] == pytest.approx(
        percent(Annotations.of(rows).only(annotators=["bo", "cy"])).value
    )


def test_the_parts_are_those_that_can_be_had_one_by_one():
    rows = study(items=40)
    found = judge(rows, models=["good", "bad"], humans=PEOPLE, epsilon=0.1)
    assert found.tests["good"].to_dict() == alt_test(rows, model="good", humans=PEOPLE, epsilon=0.1).to_dict()
    assert found.ceiling.to_dict() == noise_ceiling(rows, models=["good", "bad"]).to_dict()


def test_rows_in_another_order_change_nothing_at_all():
    rows = study(2, items=30)
    mixed = random.Random(1).sample(rows, len(rows))
    first = judge(rows, models=["good", "bad"], humans=PEOPLE)
    second = judge(mixed, models=["good", "bad"], humans=PEOPLE)
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())


def test_an_ordered_scale_keeps_its_order():
    rng = random.Random(0)
    rows = [(i, who, rng.choice(["low", "mid", "high"])) for i in range(40) for who in (*PEOPLE, "m")]
    found = judge(Annotations.of(rows, values=["low", "mid", "high"], ordered=True), models="m")
    assert found.distance == "ordinal"
    own = alpha(
        Annotations.of(rows, values=["low", "mid", "high"], ordered=True).only(annotators=PEOPLE), distance="ordinal"
    )
    assert row_of(found.groups, "human-human")["value"] == pytest.approx(own.value)


def test_one_person_and_no_shared_items_are_sentences():
    alone = judge([(1, "ann", "a"), (1, "m", "a"), (2, "ann", "b"), (2, "m", "b")], models="m")
    assert "there is one person, 'ann'" in alone.undefined
    assert str(alone).startswith("whether m can stand in for a person cannot be decided")
    assert not alone.passed
    assert "there is one person" in str(alone.ceiling)
    assert [row["agreement of"] for row in alone.groups] == ["human-m"]
    apart = judge([(1, "ann", "a"), (1, "bo", "b"), (2, "m", "a")], models="m")
    assert "judged no item in common" in apart.undefined
    assert math.isnan(row_of(apart.groups, "human-m")["value"])
    assert any("judged no item in common" in note for note in apart.notes)
    assert any(math.isnan(row["α"]) for row in apart.pairs)
    json.dumps(apart.to_dict(), allow_nan=False)


def test_where_everybody_says_the_same_chance_leaves_nothing_to_correct():
    found = judge([(i, who, "x") for i in range(40) for who in "abcm"], models="m")
    assert found.passed == ("m",)
    row = row_of(found.groups, "human-human")
    assert (row["agreement"], row["low"], row["high"]) == pytest.approx((1, 0.025 ** (1 / 40), 1))
    assert math.isnan(row["value"])
    assert any(note.startswith("human-human: α is undefined: ") for note in found.notes)
    assert any(note.startswith("κx of people and m is undefined: ") for note in found.notes)


def test_what_values_were_taken_as_is_said():
    rng = random.Random(0)
    rows = [(i, who, rng.random()) for i in range(35) for who in "abcm"]
    assert any("distance='nominal'" in note for note in judge(rows, models="m").notes)
    assert not any("taken as" in note for note in judge(rows, models="m", distance="interval").notes)


def test_wrong_use_says_what_to_do():
    rows = study(items=5)
    with pytest.raises(
        UnknownName, match=r"no annotator 'goood' to take as a model; there are 'ann'.*Did you mean 'good'"
    ):
        judge(rows, models="goood")
    with pytest.raises(DataError, match="no model was named; there are 'ann'"):
        judge(rows, models=[])
    with pytest.raises(DataError, match="there is nobody to stand in for"):
        judge(rows, models=[*PEOPLE, "good", "bad"])
    with pytest.raises(KindError, match="named as a model and as a person"):
        judge(rows, models="good", humans=["good", "ann"])
    with pytest.raises(KindError, match="level= takes a number between 0 and 1"):
        judge(rows, models="good", level=2)


def repeated():
    """A model run three times and a person asked twice, on some items."""
    rng = random.Random(4)
    rows = [(i, "m", rng.choice("ab") if k else "a") for i in range(20) for k in range(3)]
    rows += [(i, "ann", "ab"[i % 2]) for i in range(10) for _ in range(2)]
    return [*rows, *((i, "bo", "a") for i in range(20))]


def test_everybody_is_held_against_herself_where_she_judged_twice():
    rows = repeated()
    table = self_consistency(rows)
    found = {row["annotator"]: row for row in table}
    assert [*found] == ["m", "ann"]
    own = Annotations.of(rows, duplicates="keep").only(annotators=["m"]).repeats()
    assert found["m"]["agreement"] == pytest.approx(percent(own).value)
    assert found["m"]["α"] == pytest.approx(alpha(own).value)
    assert (found["m"]["items"], found["m"]["judgements"]) == (20, 60)
    assert (found["ann"]["agreement"], found["ann"]["α"], found["ann"]["items"]) == (1, 1, 10)
    assert len(self_consistency(rows, annotators="ann")) == 1


def test_a_judgement_says_how_everybody_agrees_with_herself():
    found = judge(Annotations.of(repeated(), duplicates="keep"), models="m")
    assert [row["annotator"] for row in found.consistency] == ["ann", "m"]
    assert not len(judge(study(items=5), models="good").consistency)


def test_nobody_who_judged_twice_is_a_sentence():
    with pytest.raises(DataError, match="nobody judged an item twice"):
        self_consistency(study(items=3))
    with pytest.raises(UnknownName, match="there is no annotator 'x'"):
        self_consistency(repeated(), annotators="x")
