"""Full reports of Appen: what workers answered, and what only stands beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import interagree as ia
from interagree.errors import DoubtfulReading


def test_words_beside_their_places_are_one_answer_and_asked_about(tmp_path: Path) -> None:
    words = {"0-4": "big dog", "4": "dog", "0": "big"}
    rows = ["_unit_id,_id,_worker_id,_trust,factor,saveselectionids,sentence"]
    for unit in range(4):
        for worker in range(3):
            place = list(words)[(unit + worker * worker) % 3]
            rows.append(f"{unit},{unit}{worker},{worker},1,{words[place]},{place},big dog {unit}")
    path = tmp_path / "full.csv"
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(DoubtfulReading, match="tell where the words of 'factor' stand") as caught:
        ia.read(path)
    calls = re.findall(r"interagree\.(read\(.*\))", str(caught.value))
    assert [list(eval(call, {"read": ia.read})) for call in calls] == [["factor"], ["saveselectionids"]]
