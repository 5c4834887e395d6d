"""Exports of survey tools have people in their rows, and cells of any table may spell lists of words."""

import csv
import json
import random

import pytest

import interagree as ia
from interagree.errors import DoubtfulReading

LABELS = ("Toxic", "Not toxic", "Unsure")
ITEMS, PEOPLE = 20, 9
OF_QUALTRICS = (
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished", "RecordedDate"),
    *("ResponseId", "RecipientEmail", "LocationLatitude", "DistributionChannel", "UserLanguage", "Q1", "Q2"),
)
OF_LIMESURVEY = ("id", "submitdate", "lastpage", "startlanguage", "seed", "startdate", "ipaddr")


def answers(rng, truth):
    return [answer if rng.random() < 0.8 else rng.choice(LABELS) for answer in truth]


def day(person, minute):
    return f"2024-03-{person + 1:02d} 10:{minute + person:02d}:00"


def qualtrics(rng, truth):
    """Three rows of header; dates, addresses and questions about the person beside the answers."""
    names = [*OF_QUALTRICS, *(f"Q{n + 3}" for n in range(ITEMS))]
    rows = [names, [f"What of {name}?" for name in names], [json.dumps({"ImportId": name}) for name in names]]
    for n in range(PEOPLE):
        about = [day(n, 0), day(n, 10), "IP Address", f"10.0.0.{n}", 100, 600 + n * 13, "True", day(n, 11)]
        about += [f"R_{rng.getrandbits(48):x}", "", 40.1 + n, "anonymous", "EN", 20 + 3 * n, rng.choice(["m", "f"])]
        rows.append([*about, *answers(rng, truth)])
    return rows, [*names[-ITEMS:]], "ResponseId"


def limesurvey(rng, truth):
    names = [f"G01Q{n + 1:02d}" for n in range(ITEMS)]
    about = [[n + 1, day(n, 10), 3, "en", rng.getrandbits(30), day(n, 0), f"10.0.0.{n}"] for n in range(PEOPLE)]
    return [[*OF_LIMESURVEY, *names], *([*one, *answers(rng, truth)] for one in about)], names, "id"


def google_forms(rng, truth):
    names = [f'How do you rate tweet {n + 1}: "text {n}"?' for n in range(ITEMS)]
    made = [[f"2024/03/0{n + 1} 10:0{n}:33", f"p{n}@x.org", *answers(rng, truth)] for n in range(PEOPLE)]
    return [["Timestamp", "Email Address", *names], *made], names, "Email Address"


@pytest.mark.parametrize("tool", [qualtrics, limesurvey, google_forms])
def test_the_first_offer_turns_a_survey_with_people_in_its_rows(tmp_path, tool):
    rng = random.Random(7)
    truth = [rng.choice(LABELS) for _ in range(ITEMS)]
    rows, items, who = tool(rng, truth)
    path = tmp_path / "survey.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    with pytest.raises(DoubtfulReading) as error:
        ia.read(path)
    options = error.value.readings[0].options
    assert options["layout"] == "transposed"
    assert options["annotator"] == who
    study = ia.read(path, **options).single()
    assert [*study.items] == items
    assert len(study.annotators) == PEOPLE
    assert {*study.values} == {*LABELS}


@pytest.mark.parametrize(
    "spelled",
    [str, json.dumps, lambda words: "{" + ", ".join(map(repr, words)) + "}", lambda words: f"[{', '.join(words)}]"],
    ids=["python", "json", "set", "bare"],
)
def test_cells_that_spell_lists_of_words_are_sets(tmp_path, spelled):
    said = [("ann", ["joy", "fear"]), ("bo", ["fear", "joy"]), ("cy", ["joy"])]
    rows = [(n, who, spelled(words)) for n in range(6) for who, words in said]
    path = tmp_path / "lists.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("item", "annotator", "labels"), *rows])
    study = ia.read(path).single()
    assert study.kind == "sets"
    assert {who: value for _, who, value in study.rows()[:3]} == {
        "ann": {"joy", "fear"},
        "bo": {"joy", "fear"},
        "cy": {"joy"},
    }


def test_lists_of_one_word_are_words_and_lists_of_one_length_stay_texts(tmp_path):
    path = tmp_path / "lists.csv"
    path.write_text("item,annotator,label\n" + "".join(f"{n},{who},['yes']\n" for n in range(4) for who in ("a", "b")))
    assert [*ia.read(path).single().values] == ["yes"]
    path.write_text(
        "item;annotator;label\n" + "".join(f"{n};{who};['a', 'b']\n" for n in range(4) for who in ("x", "y"))
    )
    assert [*ia.read(path).single().values] == ["['a', 'b']"]
