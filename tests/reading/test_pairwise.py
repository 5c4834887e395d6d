"""Tables that compare two systems: judges are the annotators, and a pair is one item in either order."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree.data import Annotations
from interagree.errors import ColumnNotFound

SYSTEMS = ("alpaca", "vicuna", "claude", "llama")
JUDGES = ("expert 1", "expert 2", "author 3")
Word = Callable[[str, str, str], str]


def by_place(best: str, first: str, _: str) -> str:
    return "tie" if best == "tie" else "model_a" if best == first else "model_b"


def by_letter(best: str, first: str, _: str) -> str:
    return "tie (bothbad)" if best == "tie" else "A" if best == first else "B"


def by_name(best: str, _: str, __: str) -> str:
    return best


def verdicts(word: Word, *, systems: Sequence[str] = SYSTEMS, swap: bool = False) -> list[list[Any]]:
    """Rows of a question, two systems, a judge and the verdict; with ``swap`` each judge sees either order."""
    source = random.Random(5)
    rows = []
    for question in range(30):
        first, second = source.sample(systems, 2)
        better = source.choice((first, second))
        for judge in JUDGES:
            a, b = (second, first) if swap and source.random() < 0.5 else (first, second)
            best = better if source.random() < 0.7 else source.choice((first, second, "tie"))
            rows.append([f"q{question}", a, b, judge, word(best, a, b)])
    return rows


def read(folder: Path, header: str, rows: Sequence[Sequence[Any]], **options: Any) -> Annotations:
    path = folder / "votes.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header.split(","), *rows])
    return ia.read(path, **options).single()


HEADER = "prompt_id,model_a,model_b,judge,winner"


@pytest.mark.parametrize("word", [by_place, by_letter, by_name])
def test_judges_are_the_annotators_and_the_systems_are_not(word: Word, tmp_path: Path) -> None:
    study = read(tmp_path, HEADER, verdicts(word))
    assert study.annotators == JUDGES
    assert len(study.items) == 30
    assert len(study.values) == 3  # one, the other, or a tie, however many systems there are
    assert ia.alpha(study).value == pytest.approx(ia.alpha(read(tmp_path, HEADER, verdicts(by_place))).value)


@pytest.mark.parametrize("header", ["frage,antwort_a,antwort_b,bewerter,urteil", "qid,left,right,who,preferred"])
def test_cells_tell_a_comparison_whatever_its_columns_are_called(header: str, tmp_path: Path) -> None:
    study = read(tmp_path, header, verdicts(by_letter))
    assert study.annotators == JUDGES
    assert len(study.items) == 30


@pytest.mark.parametrize("word", [by_letter, by_name])
def test_a_pair_in_either_order_is_one_item(word: Word, tmp_path: Path) -> None:
    straight, swapped = verdicts(word), verdicts(word, swap=True)
    study = read(tmp_path, HEADER, swapped)
    assert len(study.items) == 30
    assert {*study.attributes["order"]} == {"AB", "BA"}
    turned = ["turned" in step.sentence for step in study.provenance.steps]
    assert sum(turned) == 1
    assert not any("turned" in step.sentence for step in read(tmp_path, HEADER, straight).provenance.steps)
    # The same verdicts with every pair in its first order.
    orders: dict[str, tuple[str, str]] = {}
    by_hand = [
        [q, *(order := orders.setdefault(q, (a, b))), judge, by_place(best, order[0], order[1])]
        for (q, a, b, judge, _), best in zip(swapped, winners(swapped, word), strict=True)
    ]
    assert ia.alpha(study).value == pytest.approx(ia.alpha(read(tmp_path, HEADER, by_hand)).value)


def winners(rows: Sequence[Sequence[Any]], word: Word) -> list[str]:
    """The system that each row prefers."""
    return [next((name for name in (a, b) if word(name, a, b) == verdict), "tie") for _, a, b, _, verdict in rows]


def test_a_judge_who_saw_both_orders_keeps_both(tmp_path: Path) -> None:
    rows = verdicts(by_place)
    other = [
        [q, b, a, judge, {"model_a": "model_b", "model_b": "model_a"}.get(best, best)] for q, a, b, judge, best in rows
    ]
    study = read(tmp_path, HEADER, [*rows, *other])
    assert len(study.items) == 60
    assert any("both orders" in step.sentence for step in study.provenance.steps)
    kept = read(tmp_path, HEADER, [*rows, *other], duplicates="keep")
    assert len(kept.items) == 30
    assert len(kept) == 180


def test_the_reading_that_is_advised_reads_the_same(tmp_path: Path) -> None:
    rows = verdicts(by_letter, swap=True)
    stated = {"item": ["prompt_id", "model_a", "model_b"], "annotator": "judge", "value": "winner"}
    one, other = read(tmp_path, HEADER, rows), read(tmp_path, HEADER, rows, **stated)
    assert ia.alpha(one).value == ia.alpha(other).value
    assert one.items == other.items


def test_turns_are_part_of_the_item_and_criteria_are_questions(tmp_path: Path) -> None:
    rows = [[*row[:3], turn, *row[3:]] for turn in (1, 2) for row in verdicts(by_place)]
    study = read(tmp_path, "question_id,model_a,model_b,turn,judge,winner", rows)
    assert len(study.items) == 60
    rows = [[*row[:3], criterion, *row[3:]] for criterion in ("style", "facts") for row in verdicts(by_place)]
    path = tmp_path / "criteria.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["question_id", "model_a", "model_b", "criterion", "judge", "winner"], *rows])
    assert [*ia.read(path)] == ["style", "facts"]


def test_chosen_and_rejected_answers(tmp_path: Path) -> None:
    rows = verdicts(by_name)
    records = [
        {"prompt": q, "chosen": said(best), "rejected": said(b if best == a else a), "annotator": judge}
        for q, a, b, judge, best in rows
        if best != "tie"
    ]
    path = tmp_path / "preferences.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    study = ia.read(path).single()
    assert {*study.values} == {"A", "B"}
    assert len(study.items) == 30
    by_letters = [
        [q, *sorted((a, b)), j, by_letter(best, *sorted((a, b)))] for q, a, b, j, best in rows if best != "tie"
    ]
    assert ia.alpha(study).value == pytest.approx(ia.alpha(read(tmp_path, HEADER, by_letters)).value)


def said(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": "?"}, {"role": "assistant", "content": text}]


def test_conversations_beside_the_verdict_are_texts(tmp_path: Path) -> None:
    records = [
        {"question_id": q, "model_a": a, "model_b": b, "winner": best, "judge": judge, "conversation_a": said(a),
         "conversation_b": said(b), "turn": 1}
        for q, a, b, judge, best in verdicts(by_place)
    ]  # fmt: skip
    records += [{**record, "judge": ["gpt-4", "pair-v2"]} for record in records if record["judge"] == JUDGES[0]]
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    study = ia.read(path).single()
    assert study.annotators == (*JUDGES, "gpt-4 pair-v2")
    assert len(study.items) == 30


def test_nobody_who_judged_is_said(tmp_path: Path) -> None:
    rows = [[q, a, b, best] for q, a, b, judge, best in verdicts(by_place) if judge == JUDGES[0]]
    with pytest.raises(ColumnNotFound, match=r"compares 'model_a' with 'model_b'.*no column says who judged"):
        read(tmp_path, "id,model_a,model_b,winner", rows)


def test_columns_of_verdicts_beside_each_other_are_judges(tmp_path: Path) -> None:
    rows = verdicts(by_place)
    wide = [[*rows[at][:3], *(row[4] for row in rows[at : at + 3])] for at in range(0, len(rows), 3)]
    study = read(tmp_path, "id,model_a,model_b,ann,bo,cy", wide)
    assert study.annotators == ("ann", "bo", "cy")


def test_answers_of_two_coders_are_not_compared_systems(tmp_path: Path) -> None:
    source = random.Random(1)
    rows = [[f"d{n}", *(source.choice("xyz") for _ in range(2))] for n in range(40)]
    study = read(tmp_path, "doc,coder_a,coder_b,final", [[*row, source.choice(row[1:])] for row in rows])
    assert study.annotators == ("coder_a", "coder_b")


def _side_by_side(*, answered: int = 3) -> tuple[list[str], list[list[Any]]]:
    source = random.Random(3)
    rows = []
    for question in range(40):
        first, second = source.sample(SYSTEMS, 2)
        best = source.choice(["model_1", "model_2"])
        said = [best if source.random() < 0.7 else source.choice(["model_1", "model_2"]) for _ in range(answered)]
        rows.append([question, first, second, *said])
    return ["question_id", "model_1", "model_2", *(f"winner{number + 1}" for number in range(answered))], rows


def test_what_most_judges_say_is_no_further_judge(tmp_path):
    head, rows = _side_by_side()
    path = tmp_path / "winners.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["konsens", *head], *([max(row[3:], key=row[3:].count), *row] for row in rows)])
    (found,) = ia.read(path).values()
    assert found.annotators == ("winner1", "winner2", "winner3")


def test_what_is_known_of_the_judges_is_not_compared(tmp_path):
    source = random.Random(4)
    known = {"raterA": ("MA", "PhD"), "raterB": ("BA", "MA")}
    rows = [
        [item, who, *known[who], source.choice(["flat", "round", "steep"]), source.choice(known[who])]
        for item in range(30)
        for who in known
    ]
    path = tmp_path / "people.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["item", "rater", "degree", "aim", "shape", "country"], *rows])
    assert "shape" in ia.read(path)
