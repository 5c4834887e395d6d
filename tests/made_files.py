"""Files as people keep them, made at random: layouts, kinds of answers, odd names, missing codes and flaws."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Rows = list[dict[str, Any]]  # item, annotator and one entry for each question

NAMES = (
    ("ana", "ben", "cleo", "dan", "eva", "finn"),
    ("Ana Pérez", "O'Brien", "Li, Wei", "müller", "e v a", "fünf"),
    ("R1", "R2", "R3", "R4", "R5", "R6"),
    ("A1", "-b", "c&d", "$e", "f;g", "h#1"),
)
ANSWERS: dict[str, tuple[Any, ...]] = {
    "labels": ("news", "sport", "arts"),
    "two": ("yes", "no"),
    "spoken": ("sehr gut", "it's bad", "n/a – other", "A, B or C"),
    "ordered": ("low", "medium", "high"),
    "scale": (1, 2, 3, 4, 5),
    "share": tuple(round(0.37 * n + 0.013 * n * n, 3) for n in range(60)),
}
FLAWS = ("none", "guesser", "reversed", "shifted", "swapped", "spelled", "one batch")
TEXT = "The quick brown fox of Acme met Ann Lee in Paris on Monday and left for Rome with Bo Chen"
WORDS = TEXT.split()


class Made(NamedTuple):
    """Files, the commands that a person would try first, and what they are."""

    files: list[str]
    commands: list[str]
    about: str


def _rows(rng: random.Random, kinds: list[str], flaw: str, items: int) -> tuple[Rows, dict[str, dict[str, Any]]]:
    """Answers of a few people, and what is right."""
    people = list(rng.choice(NAMES))[: rng.randint(2, 6)]
    truth = {f"d{n}": {f"q{k}": rng.choice(ANSWERS[kind]) for k, kind in enumerate(kinds)} for n in range(items)}
    odd = people[-1]
    keys = [*truth]
    rows = []
    for place, item in enumerate(keys):
        for who in people:
            if len(people) > 2 and rng.random() < 0.15:
                continue
            row: dict[str, Any] = {"item": item, "annotator": who, "batch": f"b{place * 4 // items}"}
            for k, kind in enumerate(kinds):
                right = truth[item][f"q{k}"]
                answer = right if rng.random() < 0.75 else rng.choice(ANSWERS[kind])
                if who == odd:
                    answer = _flawed(rng, flaw, kind, answer, truth, keys, place, f"q{k}")
                if flaw == "one batch" and row["batch"] == "b2":
                    answer = rng.choice(ANSWERS[kind])
                row[f"q{k}"] = answer
            rows.append(row)
    return rows, truth


def _flawed(
    rng: random.Random, flaw: str, kind: str, answer: Any, truth: Any, keys: list[str], place: int, question: str
) -> Any:
    values = ANSWERS[kind]
    if flaw == "guesser":
        return rng.choice(values)
    if flaw == "reversed":
        return values[len(values) - 1 - values.index(answer)]
    if flaw == "shifted":
        return truth[keys[place - 1]][question]
    if flaw == "swapped" and answer in values[:2]:
        return values[1 - values.index(answer)]
    if flaw == "spelled" and isinstance(answer, str):
        return answer.upper()
    return answer


def _write(path: Path, table: list[list[Any]], delimiter: str = ",") -> str:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, delimiter=delimiter).writerows(table)
    return path.name


def _long(folder: Path, rows: Rows, questions: list[str], rng: random.Random) -> list[str]:
    further = ["batch"] if rng.random() < 0.5 else []
    names = ["item", "annotator", *questions, *further]
    return [_write(folder / "labels.csv", [names, *([row[name] for name in names] for row in rows)], rng.choice(",;"))]


def _codes(folder: Path, rows: Rows, questions: list[str], rng: random.Random) -> list[str]:
    missing = rng.choice(["NA", "-9", "."])
    table = [["item", "annotator", *questions]]
    table += [
        [row["item"], row["annotator"], *(missing if rng.random() < 0.1 else row[q] for q in questions)] for row in rows
    ]
    return [_write(folder / "answers of all.csv", table)]


def _wide(folder: Path, rows: Rows, questions: list[str], rng: random.Random) -> list[str]:
    people = list(dict.fromkeys(row["annotator"] for row in rows))
    items = list(dict.fromkeys(row["item"] for row in rows))
    cells = {(row["item"], row["annotator"]): row for row in rows}
    heads = [f"{who}_{q}" if len(questions) > 1 else str(who) for q in questions for who in people]
    table: list[list[Any]] = [["id", *heads]]
    table += [[item, *(cells.get((item, who), {}).get(q, "") for q in questions for who in people)] for item in items]
    return [_write(folder / "wide.csv", table)]


def _each(folder: Path, rows: Rows, questions: list[str], rng: random.Random) -> list[str]:
    made = []
    for number, who in enumerate(dict.fromkeys(row["annotator"] for row in rows)):
        table = [
            ["item", *questions],
            *([row["item"], *(row[q] for q in questions)] for row in rows if row["annotator"] == who),
        ]
        made.append(_write(folder / f"coder_{number}.csv", table))
    return made


def _lines(folder: Path, rows: Rows, questions: list[str], rng: random.Random) -> list[str]:
    text = "".join(json.dumps({k: row[k] for k in ("item", "annotator", *questions)}) + "\n" for row in rows)
    (folder / "labels.jsonl").write_text(text, encoding="utf-8")
    return ["labels.jsonl"]


LAYOUTS: dict[str, Callable[[Path, Rows, list[str], random.Random], list[str]]] = {
    "long": _long,
    "codes": _codes,
    "wide": _wide,
    "each": _each,
    "lines": _lines,
}


def _spans(folder: Path, rng: random.Random) -> Made:
    """Names marked in documents, by hands of different care."""
    starts = [sum(len(word) + 1 for word in WORDS[:n]) for n in range(len(WORDS))]
    names = [(4, 4, "ORG"), (5, 5, "ORG"), (7, 8, "PER"), (10, 10, "LOC"), (15, 15, "LOC"), (17, 18, "PER")]
    lines = []
    for n in range(rng.randint(4, 25)):
        for who in ("ana", "ben", "cleo"):
            spans = []
            for first, last, label in names:
                if rng.random() < 0.15:
                    continue
                taken = "PER" if who == "cleo" and label == "ORG" and rng.random() < 0.5 else label
                end = starts[last] + len(WORDS[last]) + (1 if who == "ben" and rng.random() < 0.3 else 0)
                spans.append([starts[first], min(end, len(TEXT)), taken])
            lines.append(json.dumps({"item": f"doc {n}", "annotator": who, "value": spans, "text": TEXT}))
    (folder / "spans.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    commands = ["doctor", "report", "report --full", "spans", "timeline", "annotators", "disagreements", "consensus"]
    return Made(["spans.jsonl"], commands, "spans")


COMMANDS = (
    *("doctor", "measure", "report", "report --full", "annotators", "disagreements", "consensus", "plan"),
    *("explain alpha", "check --at-least 0.5 -m alpha", "consensus -o gold.csv", "distances", "judge"),
)


def made(folder: Path, seed: int) -> Made:
    """One study, in files of a folder."""
    rng = random.Random(seed)
    if seed % 6 == 5:
        return _spans(folder, rng)
    kinds = rng.choices([*ANSWERS], k=rng.choice([1, 1, 1, 2, 3]))
    flaw, layout = rng.choice(FLAWS), rng.choice([*LAYOUTS])
    rows, truth = _rows(rng, kinds, flaw, rng.choice([3, 20, 60, 120]))
    questions = [f"q{k}" for k in range(len(kinds))]
    if len(questions) == 1:
        rows = [{**row, "label": row["q0"]} for row in rows]
        questions = ["label"]
    files = LAYOUTS[layout](folder, rows, questions, rng)
    gold = [["item", *questions], *([item, *(list(truth[item].values()))] for item in [*truth][::2])]
    _write(folder / "right.csv", gold)
    further = ("annotators --gold right.csv", "consensus --gold right.csv")
    return Made(files, [*COMMANDS, *further], f"{layout}, {'+'.join(kinds)}, {flaw}")
