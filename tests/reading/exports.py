"""Tables as platforms export them, and annotations nested in records."""

from __future__ import annotations

import collections
from typing import Any

from reading.layouts import Made, expected_of, labels_of, layout, long_rows
from reading.maker import METADATA, Maker
from reading.sheets import Column, Expected, Sheet, Truth

# Each column with what stands in it: {q} is the question; a word in capitals is a constant.
PLATFORMS = {
    "MTurk": [
        *(("HITId", "item"), ("HITTypeId", "3YC8VB1W14186NVOE69W1PKLZPRXUZ"), ("Title", "Label short texts")),
        *(("Reward", "$0.10"), ("AssignmentId", "unique"), ("WorkerId", "annotator"), ("AssignmentStatus", "Approved")),
        *(("AcceptTime", "time"), ("SubmitTime", "time"), ("WorkTimeInSeconds", "duration")),
        *(("Input.id", "input"), ("Input.text", "text"), ("Answer.{q}", "value")),
    ],
    "CrowdFlower": [
        *(("_unit_id", "item"), ("_created_at", "time"), ("_golden", "false"), ("_id", "unique")),
        *(("_missed", None), ("_started_at", "time"), ("_tainted", "false"), ("_channel", "source")),
        *(("_trust", "share"), ("_worker_id", "annotator"), ("_country", "country"), ("{q}", "value")),
        *(("{q}_gold", None), ("text", "text")),
    ],
    "Label Studio": [
        *(("annotation_id", "unique"), ("annotator", "annotator"), ("created_at", "time"), ("id", "item")),
        *(("lead_time", "duration"), ("{q}", "value"), ("text", "text"), ("updated_at", "time")),
    ],
    "Toloka": [
        *(("INPUT:image", "input"), ("OUTPUT:{q}", "value"), ("GOLDEN:{q}", None), ("HINT:text", None)),
        *(("ASSIGNMENT:link", None), ("ASSIGNMENT:task_id", "item"), ("ASSIGNMENT:assignment_id", "unique")),
        *(("ASSIGNMENT:worker_id", "annotator"), ("ASSIGNMENT:status", "APPROVED"), ("ASSIGNMENT:started", "time")),
    ],
    "doccano": [*(("id", "item"), ("text", "text"), ("label", "value"), ("user", "annotator"), ("Comments", None))],
}


@layout("platform export", 1.5)
def export(maker: Maker, truth: Truth | None = None) -> Made:
    """A long table with the columns that a platform writes."""
    truth = truth or maker.truth()
    (question,) = truth.questions
    platform = maker.random.choice(list(PLATFORMS))
    maker.made_of.append(platform)
    rows = long_rows(maker, truth)
    place = {item: number for number, item in enumerate(truth.items)}
    n = len(truth.items)
    of_items = {
        "item": [f"{maker.random.getrandbits(48):012X}" for _ in range(n)],
        "input": maker.item_cells(n),
        "text": [f"{maker.sentence()} ({i})" for i in range(n)],
    }

    def cells(what: str | None) -> list[Any]:
        if what in of_items:
            return [of_items[what][place[item]] for item, _ in rows]
        if what in ("time", "duration", "source"):
            return METADATA[what](maker, len(rows))
        made: dict[str | None, Any] = {
            "annotator": lambda row: row[1],
            "value": truth.questions[question].get,
            "unique": lambda _: maker.random.getrandbits(40),
            "share": lambda _: round(0.5 + maker.random.random() / 2, 4),
            "country": lambda _: maker.random.choice(["USA", "IND", "GBR"]),
        }
        return [made[what](row) if what in made else what for row in rows]

    columns = [
        Column(name.format(q=question), cells(what), what if what in ("annotator", "value", "item") else "other")
        for name, what in PLATFORMS[platform]
    ]
    return {"Sheet1": Sheet(columns)}, expected_of(truth)


@layout("nested records", 1)
def nested(maker: Maker, truth: Truth | None = None) -> Made:
    """A record for each item, and the annotations inside it."""
    truth = truth or maker.truth(people=maker.random.choice([2, 3, 4, 5]))
    (question,) = truth.questions
    style = maker.random.choice(["list of objects", "object", "two lists", "text with commas", "labels only"])
    if style == "text with commas" and any("," in str(label) for label in labels_of(truth)):
        style = "two lists"
    maker.made_of.append(f"nested: {style}")
    key = maker.random.choice(["annotations", "annotations", "labels", "judgments", "responses", "votes"])
    who_key, value_key = maker.word("annotator", "names"), maker.word("value", "names")
    ids, texts = maker.item_cells(len(truth.items)), maker.texts(len(truth.items))
    id_name, text_name = maker.name("item", "names"), maker.name("text", "names")
    found, values = [], truth.questions[question]
    for place, item in enumerate(truth.items):
        given = [(who, values[item, who]) for who in truth.people if (item, who) in values]
        record: dict[str, Any] = {id_name: ids[place], text_name: texts[place]}
        if style == "list of objects":
            record[key] = [{who_key: who, value_key: value} for who, value in given]
        elif style == "object":
            record[key] = dict(given)
        elif style == "two lists":
            record["annotators"] = [who for who, _ in given]
            record["labels" if key == "annotations" else key] = [value for _, value in given]
        elif style == "text with commas":
            record |= {"annotators": ",".join(w for w, _ in given), "annotations": ",".join(str(v) for _, v in given)}
            votes = collections.Counter(value for _, value in given).most_common(1)
            record["hard_label"] = votes[0][0] if votes else None
        else:
            record[key] = [value for _, value in given]
        found.append(record)
    sheet = Sheet([Column("records", [None] * len(found), "other")], records=found)
    if style != "labels only":
        return {"Sheet1": sheet}, expected_of(truth)
    rows = [(item, None, value) for item in truth.items for value in truth.given(question, item)]
    return {"Sheet1": sheet}, Expected({question: rows}, anonymous=True)
