"""Exports of Label Studio with dialogues, HTML, rankings and reviews."""

from __future__ import annotations

import json
from typing import Any

TALK = [{"author": "A", "text": "Hello 😀 you."}, {"author": "B", "text": "Dear Bo."}]
PAGE = "<p>Ann met &amp; saw</p><script>Ann</script><p>Bo and Bo.</p>"


def result(name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"{name}1", "from_name": name, "to_name": name, "type": kind, "value": value}


def export() -> list[dict[str, Any]]:
    path = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 3}
    tasks = []
    for number in range(3):
        annotations = []
        for who in range(2):
            talk = {"start": "0", "end": "1", "startOffset": 9, "endOffset": 4 + who, "paragraphlabels": ["x"]}
            page = {**path, "text": "met & saw" if who else "Ann", "hypertextlabels": ["y"]}
            known = {**path, "text": "Ann", "hypertextlabels": ["y"], "globalOffsets": {"start": 0, "end": 3}}
            results = [
                result("talk", "paragraphlabels", talk),
                result("page", "hypertextlabels", page),
                result("page", "hypertextlabels", known),
                result("rank", "ranker", {"ranker": {"rank": ["a", "b"] if who else ["b", "a"]}}),
                result("lists", "ranker", {"ranker": {"good": ["a"], "bad": ["b", "c"], "_": []}}),
                result("better", "pairwise", {"selected": "left"}),
                result("day", "datetime", {"datetime": "2024-03-01"}),
            ]
            review = {
                "accepted": True,
                "fixed_annotation_history": 3,
                "previous_annotation_history_result": results[:2],
            }
            annotations.append({"id": who, "completed_by": who, "result": results, "reviews": [review] * who})
        data = {"talk": TALK, "page": PAGE, "number": number}
        tasks.append({"id": number, "data": data, "completions" if number else "annotations": annotations})
    return tasks


SAMPLES = {"label_studio": {"further.json": lambda: json.dumps(export()).encode()}}
