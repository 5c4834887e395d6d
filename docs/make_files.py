"""The example studies in docs/files, drawn anew and always the same: `python docs/make_files.py`.

All of them are invented.  What the pages show is computed from these files, so a change here changes the pages; run
`python docs/paste.py` afterwards.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

FILES = Path(__file__).parent / "files"


def write(name: str, head: list[str], rows: list[list[Any]]) -> None:
    """A CSV file with a head."""
    with (FILES / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def write_lines(name: str, rows: list[dict[str, Any]]) -> None:
    """A JSONL file: one object in each line."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (FILES / name).write_text(text, encoding="utf-8")


def near(rng: Random, truth: int, sure: float, size: int) -> int:
    """The true place on a scale, or now and then a neighbour of it."""
    if rng.random() < sure:
        return truth
    return min(max(truth + rng.choice((-1, 1)), 0), size - 1)


def labels(seed: int, annotators: dict[str, float], items: int, *, missing: float = 0.0) -> list[list[Any]]:
    """Sentiment of sentences, five to a document; each annotator is right as often as is said of her."""
    rng = Random(seed)  # noqa: S311 -- an example needs no secrecy
    scale = ["negative", "neutral", "positive"]
    rows = []
    for number in range(items):
        truth = rng.choices(range(3), weights=(3, 4, 3))[0]
        for name, sure in annotators.items():
            given = near(rng, truth, sure, 3)
            if rng.random() >= missing:
                rows.append([f"s{number + 1:02}", name, scale[given], f"d{number // 5 + 1}"])
    return rows


def judged(
    seed: int, mark: str, items: int, truth: Callable[[Random], Any], given: Callable[[Random, Any, float], Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Three annotators who go wrong more or less, and the truth they started from."""
    rng = Random(seed)  # noqa: S311 -- an example needs no secrecy
    rows, gold = [], []
    for number in range(items):
        name, right = f"{mark}{number + 1:02}", truth(rng)
        gold.append({"item": name, "value": right})
        rows += [
            {"item": name, "annotator": who, "value": given(rng, right, error)}
            for who, error in (("ann", 0.06), ("bo", 0.1), ("cy", 0.22))
        ]
    return rows, gold


# ------------------------------------------------------------------------------------------- complex values


def some_boxes(rng: Random) -> list[list[Any]]:
    """Cats and dogs in a picture of 320 by 240; now and then none."""
    found: list[list[Any]] = []
    for _ in range(rng.choices(range(4), weights=(1, 4, 3, 2))[0]):
        wide, high = rng.randint(40, 120), rng.randint(40, 110)
        x, y = rng.randint(0, 320 - wide), rng.randint(0, 240 - high)
        found.append([x, y, x + wide, y + high, rng.choice(("cat", "dog"))])
    return found


def boxes_again(rng: Random, truth: list[list[Any]], error: float) -> list[list[Any]]:
    """The same boxes with sides moved, some left out, some with the other label."""
    found = []
    for left, top, right, bottom, label in truth:
        if rng.random() < error:
            continue
        x0, x1 = (side + round(rng.gauss(0, error * (right - left) / 2)) for side in (left, right))
        y0, y1 = (side + round(rng.gauss(0, error * (bottom - top) / 2)) for side in (top, bottom))
        other = "dog" if label == "cat" else "cat"
        said = other if rng.random() < error / 2 else label
        found.append([min(x0, x1 - 4), min(y0, y1 - 4), max(x1, x0 + 4), max(y1, y0 + 4), said])
    return found


def some_spans(rng: Random) -> list[list[Any]]:
    """People, places and things in a sentence, by the numbers of its tokens."""
    found, here = [], 0
    for _ in range(rng.choices(range(5), weights=(1, 2, 4, 3, 2))[0]):
        start = here + rng.randint(1, 5)
        here = start + rng.choices((1, 2, 3), weights=(3, 3, 1))[0]
        found.append([start, here, rng.choice(("person", "place", "thing"))])
    return found


def spans_again(rng: Random, truth: list[list[Any]], error: float) -> list[list[Any]]:
    """The same spans with ends moved, some left out, some with another label."""
    found: list[list[Any]] = []
    for begin, end, label in truth:
        if rng.random() < error:
            continue
        start = begin - (rng.random() < error)
        stop = max(end + (rng.random() < error) - (rng.random() < error), start + 1)
        said = rng.choice(("person", "place", "thing")) if rng.random() < error else label
        found.append([start, stop, said])
    return found


JOINTS = ((0, 0), (-8, 14), (8, 14), (-22, 20), (22, 20))  # beak, feet and tips of the wings


def some_birds(rng: Random) -> list[list[list[int]]]:
    """One or two birds, each five points [x, y, visible]."""
    found = []
    for _ in range(rng.randint(1, 2)):
        x, y, size = rng.randint(40, 280), rng.randint(40, 200), rng.uniform(0.7, 2.0)
        found.append([[round(x + dx * size), round(y + dy * size), 2] for dx, dy in JOINTS])
    return found


def birds_again(rng: Random, truth: list[list[list[int]]], error: float) -> list[list[list[int]]]:
    """The same birds with points moved, and some not marked."""
    found = []
    for bird in truth:
        moved = [[x + round(rng.gauss(0, 20 * error)), y + round(rng.gauss(0, 20 * error)), 2] for x, y, _ in bird]
        found.append([[0, 0, 0] if rng.random() < error / 2 else point for point in moved])
    return found


def some_scores(rng: Random) -> list[int]:
    """How much joy, anger, fear and sadness a headline shows, from 0 to 100."""
    mood = rng.randrange(4)
    return [min(max(round(rng.gauss(65 if place == mood else 15, 18)), 0), 100) for place in range(4)]


def scores_again(rng: Random, truth: list[int], error: float) -> list[int]:
    """The same scores, a little off."""
    return [min(max(round(rng.gauss(one, 120 * error)), 0), 100) for one in truth]


FRUIT = ("apple", "cherry", "fig", "grape", "lemon", "pear")


def some_order(rng: Random) -> list[str]:
    """Six kinds of fruit, the best first."""
    return rng.sample(FRUIT, len(FRUIT))


def order_again(rng: Random, truth: list[str], error: float) -> list[str]:
    """The same order with places moved."""
    return sorted(truth, key=lambda one: truth.index(one) + rng.gauss(0, 9 * error))


WORDS = (
    ("a", "the", "one"),
    ("small", "old", "grey", "young"),
    ("dog", "cat", "boat", "child", "bird"),
    ("sleeps", "waits", "turns", "lies", "stands"),
    ("under", "beside", "near", "behind"),
    ("a", "the", "our"),
    ("tall", "green", "broken", "quiet"),
    ("tree", "house", "bridge", "wall", "fence"),
)


def some_caption(rng: Random) -> str:
    """What a picture shows."""
    return " ".join(rng.choice(words) for words in WORDS)


def caption_again(rng: Random, truth: str, error: float) -> str:
    """The same caption with some words left out or changed."""
    found = []
    for word, words in zip(truth.split(), WORDS, strict=True):
        chance = rng.random()
        if chance < error:
            found.append(rng.choice(words))
        elif chance >= 1.5 * error:
            found.append(word)
    return " ".join(found)


def some_sentence(rng: Random) -> list[Any]:
    """How many adjectives each noun has, which word each place takes, and where each phrase belongs."""
    nouns = [[rng.choice(("the", "a")), *rng.choices(WORDS[1], k=rng.randint(0, 2)), rng.choice(WORDS[2])]]
    nouns += [
        [rng.choice(("the", "a")), *rng.choices(WORDS[6], k=rng.randint(0, 2)), rng.choice(WORDS[7])]
        for _ in range(rng.randint(1, 3))
    ]
    places = [rng.choice(WORDS[4]) for _ in nouns[2:]]
    return [nouns, rng.choice(("sees", "paints", "likes")), places, [rng.random() < 0.5 for _ in places]]


def parse(rng: Random, truth: list[Any], error: float) -> str:
    """A sentence as a tree: phrases hang on the verb or on the noun before them, and a label is now and then wrong."""
    nouns, verb, places, on_noun = truth

    def noun_phrase(words: list[str]) -> str:
        tags = ["DT", *("NN" if rng.random() < error else "JJ" for _ in words[1:-1]), "NN"]
        return "(NP " + " ".join(f"({tag} {word})" for tag, word in zip(tags, words, strict=True)) + ")"

    first, last, *others = map(noun_phrase, nouns)
    on_verb = []
    for place, phrase, inside in zip(places, others, on_noun, strict=True):
        added = f"(PP (IN {place}) {phrase})"
        if inside != (rng.random() < error):
            last = f"(NP {last} {added})"
        else:
            on_verb.append(added)
    return f"(S {first} (VP {' '.join([f'(VBZ {verb})', last, *on_verb])}))"


def complex_files() -> None:
    """Boxes, spans, keypoints, vectors, rankings, texts and trees."""
    boxes, gold = judged(11, "p", 40, some_boxes, boxes_again)
    write_lines("boxes.jsonl", boxes)
    write_lines("boxes_gold.jsonl", gold)
    spans, gold = judged(12, "s", 40, some_spans, spans_again)
    write_lines("spans.jsonl", spans)
    write_lines("spans_gold.jsonl", gold)
    write_lines("birds.jsonl", judged(13, "b", 20, some_birds, birds_again)[0])
    write_lines("emotions.jsonl", judged(14, "h", 30, some_scores, scores_again)[0])
    write_lines("fruit.jsonl", judged(15, "q", 25, some_order, order_again)[0])
    write_lines("captions.jsonl", judged(16, "c", 30, some_caption, caption_again)[0])
    trees, _ = judged(17, "t", 24, some_sentence, parse)
    write("parses.csv", ["item", "annotator", "value"], [list(row.values()) for row in trees])


# ------------------------------------------------------------------------------------- people and models

POSTS = ("fine", "rude", "spam")


def post(rng: Random, truth: str, sure: float, who: str, late: float) -> str:
    """What an annotator says of a post; gus hardly looks, fay takes rude posts for spam, and dee tires."""
    if who == "gus":
        return "fine" if rng.random() < 0.85 else rng.choice(POSTS)
    if who == "fay" and truth == "rude":
        return "spam" if rng.random() < 0.75 else "rude"
    if rng.random() < (sure if who != "dee" or late < 0.5 else 0.45):
        return truth
    return rng.choice([label for label in POSTS if label != truth])


def posts() -> tuple[list[list[Any]], list[list[Any]]]:
    """Posts by eight annotators, five to a post, with the time of day, and what the posts are."""
    rng = Random(21)  # noqa: S311 -- an example needs no secrecy
    people = {"ann": 0.92, "bo": 0.9, "cy": 0.87, "dee": 0.92, "eli": 0.82, "fay": 0.92, "gus": 0, "hal": 0.85}
    clock = dict.fromkeys(people, 9 * 3600)
    rows: list[list[Any]] = []
    gold = []
    items = 120
    for number in range(items):
        name, truth = f"p{number + 1:03}", rng.choices(POSTS, weights=(5, 3, 2))[0]
        gold.append([name, truth])
        for who in sorted(rng.sample(sorted(people), 5)):
            clock[who] += rng.randint(3, 6) if who == "gus" else rng.randint(12, 40)
            minutes, seconds = divmod(clock[who], 60)
            time = f"2026-03-02 {minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
            rows.append([name, who, post(rng, truth, people[who], who, number / items), time])
    return rows, gold


def judged_by_models() -> list[list[Any]]:
    """Answers to questions that three people and two models called right, partly right or wrong."""
    rng = Random(22)  # noqa: S311 -- as above
    scale = ["wrong", "partly", "right"]
    rows = []
    for number in range(60):
        truth = rng.choices(range(3), weights=(3, 3, 4))[0]
        for who, sure in (("ann", 0.85), ("bo", 0.8), ("cy", 0.75), ("large", 0.85), ("small", 0.5)):
            rows.append([f"a{number + 1:02}", who, scale[near(rng, truth, sure, 3)]])
    return rows


def preferred() -> list[list[Any]]:
    """Which of two answers is better: two people in one order, a model in both, and it leans to the first."""
    rng = Random(23)  # noqa: S311 -- as above
    rows = []
    for number in range(50):
        name, better, clear = f"q{number + 1:02}", rng.choice("AB"), rng.random()
        for who, orders in (("ann", rng.choice(("AB", "BA"))), ("bo", rng.choice(("AB", "BA"))), ("model", "both")):
            for order in ("AB", "BA") if orders == "both" else (orders,):
                pull = 0.35 if who == "model" else 0.05
                if rng.random() < pull:
                    value = order[0]
                elif clear < 0.15 and rng.random() < 0.6:
                    value = "tie"
                else:
                    value = better if rng.random() < 0.85 else "AB".replace(better, "")
                rows.append([name, who, value, order])
    return rows


def two_schools() -> list[list[Any]]:
    """Whether a remark is polite: annotators from two schools, who draw the line in different places."""
    rng = Random(24)  # noqa: S311 -- as above
    people = dict.fromkeys(("ann", "bo", "cy", "dee"), "east") | dict.fromkeys(("eli", "fay", "gus", "hal"), "west")
    rows = []
    for number in range(40):
        tone = rng.random()
        for who, school in people.items():
            line = 0.4 if school == "east" else 0.62
            said = "polite" if tone + rng.gauss(0, 0.1) > line else "blunt"
            rows.append([f"r{number + 1:02}", who, said, school])
    return rows


def people_files() -> None:
    """Posts with their truth, judgements by people and models, preferences, and two schools."""
    rows, gold = posts()
    write("posts.csv", ["item", "annotator", "value", "time"], rows)
    write("posts_gold.csv", ["item", "value"], gold)
    write("answers.csv", ["item", "annotator", "value"], judged_by_models())
    write("prefer.csv", ["item", "annotator", "value", "order"], preferred())
    write("remarks.csv", ["item", "annotator", "value", "school"], two_schools())


# ------------------------------------------------------------------------------------------ units in texts


def units() -> list[list[Any]]:
    """Claims, reasons and examples in three texts, by words; cy looked at the shortest and marked nothing."""
    rng = Random(31)  # noqa: S311 -- an example needs no secrecy
    kinds = ("claim", "example", "reason")
    rows: list[list[Any]] = []
    for text, count, words in (("letter", 6, 110), ("review", 5, 104), ("note", 2, 60)):
        truth, here = [], 0
        for _ in range(count):
            start = here + rng.randint(2, 12)
            here = start + rng.randint(6, 20)
            truth.append((start, here, rng.choice(kinds)))
        for who, error in (("ann", 0.05), ("bo", 0.1), ("cy", 0.2)):
            if (text, who) == ("note", "cy"):
                rows.append([text, who, "", "", "", words])
                continue
            for start, end, kind in truth:
                if rng.random() < error:
                    continue
                begin = max(start + round(rng.gauss(0, 12 * error)), 0)
                stop = max(end + round(rng.gauss(0, 12 * error)), begin + 2)
                said = rng.choice(kinds) if rng.random() < error else kind
                rows.append([text, who, begin, stop, said, words])
    return rows


NOTICES = {
    "n1": "Mrs. Adler leaves the harbour board in May, the Tidewater Post reports.",
    "n2": "Ferry services between Port Vale and Grey Island stop on Friday, 9 June.",
    "n3": "The council of New Harbour met Dr. Osei and Ms. Lund on Tuesday.",
    "n4": "Rain is expected all week.",
    "n5": "Tidewater Post hires Jo Marsh, formerly of Vale Radio, from 1 July.",
    "n6": "Grey Island Museum opens again; entry is free until August.",
}
MARKED = {
    "n1": {
        "ann": ["Mrs. Adler:PER", "harbour board:ORG", "May:DATE", "Tidewater Post:ORG"],
        "bo": ["Adler:PER", "harbour board:ORG", "May:DATE", "the Tidewater Post:ORG"],
        "cy": ["Mrs. Adler :PER", "May,:DATE", "Tidewater Post :ORG"],
    },
    "n2": {
        "ann": ["Port Vale:LOC", "Grey Island:LOC", "Friday, 9 June:DATE"],
        "bo": ["Port Vale:LOC", "Grey Island:LOC", "Friday:DATE", "9 June:DATE"],
        "cy": ["Port Vale :LOC", "Grey Island :LOC", "Friday, 9 June.:DATE"],
    },
    "n3": {
        "ann": ["council of New Harbour:ORG", "New Harbour:LOC", "Dr. Osei:PER", "Ms. Lund:PER", "Tuesday:DATE"],
        "bo": ["council of New Harbour:ORG", "Osei:PER", "Lund:PER", "Tuesday:DATE"],
        "cy": ["New Harbour :LOC", "Dr. Osei and Ms. Lund:PER", "Tuesday.:DATE"],
    },
    "n4": {"ann": [], "bo": [], "cy": ["all week:DATE"]},
    "n5": {
        "ann": ["Tidewater Post:ORG", "Jo Marsh:PER", "Vale Radio:ORG", "1 July:DATE"],
        "bo": ["Tidewater Post:ORG", "Jo Marsh:PER", "Vale Radio:ORG", "1 July:DATE"],
        "cy": ["Tidewater Post :ORG", "Jo Marsh,:PER", "Vale:LOC", "1 July.:DATE"],
    },
    "n6": {"ann": ["Grey Island Museum:ORG", "August:DATE"], "bo": ["Grey Island Museum:LOC", "August:DATE"]},
}  # cy did not look at the last one


def notices() -> list[dict[str, Any]]:
    """Names and dates in six short notices; cy marks the space or the full stop behind a word, too."""
    rows = []
    for item, by_annotator in MARKED.items():
        text = NOTICES[item]
        for who, marks in by_annotator.items():
            spans = []
            for mark in marks:
                words, _, label = mark.rpartition(":")
                start = text.index(words)
                spans.append([start, start + len(words), label])
            rows.append({"item": item, "annotator": who, "value": spans, "text": text})
    return rows


# ------------------------------------------------------------------------------------ exports of other tools


def exported() -> list[dict[str, Any]]:
    """The notices as a project of Label Studio: a skipped task, a repeated one, a draft and a model's prediction."""
    people = {"ann": 11, "bo": 12, "cy": 13}
    tasks: list[dict[str, Any]] = []
    for number, (item, text) in enumerate(NOTICES.items(), start=101):
        said = [
            {
                "id": 10 * number + at,
                "completed_by": {"id": people[row["annotator"]], "email": f"{row['annotator']}@example.org"},
                "result": [*map(region, row["value"], [text] * 9), urgent(item, row["annotator"])],
                "was_cancelled": (item, row["annotator"]) == ("n4", "cy"),
                "ground_truth": False,
                "created_at": f"2026-03-0{at + 1}T10:{number - 100:02}:00Z",
                "lead_time": 10.0 + number - 100 + at,
            }
            for at, row in enumerate(row for row in notices() if row["item"] == item)
        ]
        if item == "n2":
            again = {**said[0], "id": 10 * number + 9, "created_at": "2026-03-08T09:00:00Z"}
            said.append({**again, "result": [*again["result"][:2], again["result"][-1]]})
        model = {"model_version": "tagger-2", "result": said[0]["result"], "score": 0.8}
        drafts = [{"result": []}] if item == "n3" else []
        tasks.append(
            {"id": number, "annotations": said, "drafts": drafts, "predictions": [model], "data": {"text": text}}
        )
    return tasks


def region(span: list[Any], text: str) -> dict[str, Any]:
    """A span as Label Studio writes it."""
    start, end, label = span
    value = {"start": start, "end": end, "text": text[start:end], "labels": [label]}
    return {"id": f"r{start}-{end}", "from_name": "entity", "to_name": "text", "type": "labels", "value": value}


def urgent(item: str, who: str) -> dict[str, Any]:
    """Whether a notice is urgent, as Label Studio writes a choice."""
    value = {"choices": ["yes" if item == "n2" or (item, who) in {("n4", "bo"), ("n6", "cy")} else "no"]}
    return {"id": "u", "from_name": "urgent", "to_name": "text", "type": "choices", "value": value}


def answered() -> list[dict[str, Any]]:
    """The topic of each notice as a dataset of Prodigy, by three sessions; one input ignored, one answered twice."""
    topics = {
        "ann": ["people", "travel", "people", "weather", "people", "culture"],
        "bo": ["people", "travel", "people", "weather", "people", "culture"],
        "cy": ["people", "travel", "travel", "weather", "culture", "culture"],
    }
    options = [{"id": one, "text": one} for one in ("culture", "people", "travel", "weather")]
    rows = []
    for who, chosen in topics.items():
        for number, (text, topic) in enumerate(zip(NOTICES.values(), chosen, strict=True)):
            row = {"text": text, "_input_hash": 9100 + number, "_task_hash": -number, "options": options}
            row |= {"accept": [topic], "answer": "ignore" if (who, number) == ("bo", 3) else "accept"}
            row |= {"_view_id": "choice", "_session_id": f"topics-{who}", "_annotator_id": f"topics-{who}"}
            rows.append({**row, "_timestamp": 1772445600 + 60 * number})
    return [*rows, {**rows[0], "accept": ["culture"], "_timestamp": 1772445000}]


def tool_files() -> None:
    """What Label Studio and Prodigy write."""
    text = json.dumps(exported(), indent=1)
    (FILES / "label_studio.json").write_text(text + "\n", encoding="utf-8")
    write_lines("prodigy.jsonl", answered())


def main() -> None:
    """Write all files."""
    FILES.mkdir(exist_ok=True)
    write_lines("notices.jsonl", notices())
    head = ["item", "annotator", "value", "document"]
    write("sentiment.csv", head, labels(1, {"ann": 0.9, "bo": 0.85, "cy": 0.7}, 60, missing=0.08))
    write("round1.csv", head, labels(2, {"ann": 0.8, "bo": 0.7, "cy": 0.65}, 60))
    write("round2.csv", head, labels(2, {"ann": 0.93, "bo": 0.9, "cy": 0.85}, 60))

    rng = Random(3)  # noqa: S311 -- as above
    scale = ["none", "mild", "moderate", "severe"]
    rows: list[list[Any]] = []
    for number in range(40):
        truth = rng.choices(range(4), weights=(5, 3, 2, 1))[0]
        given = [scale[near(rng, truth, sure, 4)] for sure in (0.85, 0.8, 0.75, 0.6)]
        rows.append([f"p{number + 1:02}", *("" if rng.random() < 0.1 else one for one in given)])
    write("severity.csv", ["item", "ann", "bo", "cy", "dee"], rows)

    rng = Random(4)  # noqa: S311 -- as above
    rows = []
    for number in range(25):
        truth = rng.gauss(50, 12)
        bias = (0, 1.5, -3)
        rows.append([f"x{number + 1:02}", *(f"{truth + b + rng.gauss(0, 4):.1f}" for b in bias)])
    write("lengths.csv", ["item", "ann", "bo", "cy"], rows)

    rng = Random(5)  # noqa: S311 -- as above
    rows = []
    for number in range(30):
        truth = {topic for topic in ("art", "law", "sea") if rng.random() < 0.45}
        for name in ("ann", "bo", "cy"):
            given = {topic for topic in ("art", "law", "sea") if (topic in truth) != (rng.random() < 0.12)}
            rows.append([f"t{number + 1:02}", name, "|".join(sorted(given)) or "|"])  # nothing: the empty set
    write("topics.csv", ["item", "annotator", "value"], rows)

    rng = Random(6)  # noqa: S311 -- as above
    rows = []
    for number in range(80):
        truth = rng.randrange(5)
        rows += [
            [f"r{number + 1:02}", name, near(rng, truth, sure, 5) + 1]
            for name, sure in (("ann", 0.7), ("bo", 0.6), ("cy", 0.65))
        ]
    write("ratings.csv", ["item", "annotator", "value"], rows)
    complex_files()
    people_files()
    write("units.csv", ["document", "annotator", "start", "end", "category", "words"], units())
    tool_files()


if __name__ == "__main__":
    main()
