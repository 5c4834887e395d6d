"""Full reports of Appen: what workers answered, and what only stands beside it."""

from __future__ import annotations

from pathlib import Path

import interagree as ia


def test_places_of_words_are_not_answers_beside_the_words(tmp_path: Path) -> None:
    words = {"0-4": "big dog", "4": "dog", "0": "big"}
    rows = ["_unit_id,_id,_worker_id,_trust,factor,saveselectionids,sentence"]
    for unit in range(4):
        for worker in range(3):
            place = list(words)[(unit + worker * worker) % 3]
            rows.append(f"{unit},{unit}{worker},{worker},1,{words[place]},{place},big dog {unit}")
    path = tmp_path / "full.csv"
    path.write_text("\n".join(rows) + "\n")
    assert list(ia.read(path)) == ["factor"]
    assert list(ia.read(path, value="saveselectionids")) == ["saveselectionids"]
