"""No name and no text reaches any output where they must not: of every command, in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.data.privacy import is_masked, masked
from interagree.errors import DataError

PEOPLE = ("annabel lee", "boris", "céline")
SECRETS = ("Grimble", "fever", "Xanadu", "hospital", *PEOPLE, "lee@")
ROWS = [
    {
        "item": f"t{n}",
        "annotator": who,
        "label": "yes" if (n * 7 + k * k) % 3 else "no",
        "text": f"Mr Grimble {n} has a fever in Xanadu, says the hospital",
        "mail": f"{who.split()[-1]}@example.org",
        "comment": "Grimble again",
    }
    for n in range(12)
    for k, who in enumerate(PEOPLE)
]
SPANS = [
    {
        "item": f"t{n}",
        "annotator": who,
        "value": [[3, 10 + (n + k) % 2, "PER"], [19, 24, "SIGN"]][: 1 + (n * k) % 2],
        "text": f"Mr Grimble {n} has a fever in Xanadu, says the hospital",
    }
    for n in range(6)
    for k, who in enumerate(PEOPLE)
]
PLAIN = ("--item", "item", "--annotator", "annotator", "--value")
COMMANDS = [
    ("measure",), ("report",), ("doctor",), ("annotators",), ("disagreements",), ("consensus",), ("explain", "alpha"),
    ("measure", "--json"), ("report", "--json"), ("disagreements", "--json"), ("disagreements", "--csv"),
    ("consensus", "--csv"), ("annotators", "--json"),
]  # fmt: skip


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def spans(tmp_path: Path) -> Path:
    path = tmp_path / "spans.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in SPANS), encoding="utf-8")
    return path


def told(*words: object) -> str:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code in (0, 2, 3), result.output
    return result.output


def secrets(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret.lower() in text.lower()]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_shows_names_or_texts_of_labels(labels: Path, words: tuple[str, ...]) -> None:
    output = told(*words, labels, *PLAIN, "label", "--no-text", "--pseudonyms")
    assert "Error" not in output
    assert secrets(output) == []


@pytest.mark.parametrize("words", ["spans", "spans --document t1", "spans --csv", "report", "doctor"])
def test_no_command_shows_names_or_texts_of_spans(spans: Path, words: str) -> None:
    output = told(*words.split(), spans, *PLAIN, "value", "--no-text", "--pseudonyms")
    assert "Error" not in output
    assert secrets(output) == []


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.json", "out.xlsx", "out.md", "out.html"])
def test_no_file_holds_names_or_texts(labels: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    command = "report" if name.endswith((".md", ".html")) else "disagreements"
    told(command, labels, *PLAIN, "label", "--no-text", "--pseudonyms", "-o", path)
    content = path.read_bytes()
    if name.endswith(".xlsx"):
        import zipfile

        with zipfile.ZipFile(path) as workbook:
            content = b"".join(workbook.read(part) for part in workbook.namelist())
    assert secrets(content.decode("utf-8", "ignore")) == []


def test_errors_show_neither(labels: Path) -> None:
    twice = labels.with_name("twice.jsonl")  # somebody gave an item two values
    twice.write_text(
        labels.read_text(encoding="utf-8") + json.dumps({**ROWS[0], "label": "other"}) + "\n", encoding="utf-8"
    )
    assert secrets(told("measure", twice, *PLAIN, "label"))
    assert secrets(told("measure", twice, *PLAIN, "label", "--no-text", "--pseudonyms")) == []


def test_numbers_stay_the_same(labels: Path, spans: Path) -> None:
    columns = {"item": "item", "annotator": "annotator"}
    for path, value in ((labels, "label"), (spans, "value")):
        seen = ia.read(path, value=value, **columns)
        hidden = ia.read(path, value=value, **columns, pseudonyms=True, no_text=True)
        assert float(ia.alpha(seen)) == float(ia.alpha(hidden))
    assert str(ia.spans.span_panel(seen)) == str(ia.spans.span_panel(hidden))
    assert float(ia.spans.token_agreement(seen)) == float(ia.spans.token_agreement(hidden))


def test_people_have_one_pseudonym_in_all_questions(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    rows = [f"{n},{who},{n % 2},{(n + k) % 3}\n" for n in range(6) for k, who in enumerate(PEOPLE)]
    path.write_text("item,annotator,mood,topic\n" + "".join(rows), encoding="utf-8")
    study = ia.read(path, value=["mood", "topic"], pseudonyms=True)
    assert {tuple(question.annotators) for question in study.values()} == {("A1", "A2", "A3")}


def test_columns_that_name_people_go_and_are_counted(labels: Path) -> None:
    question = ia.read(labels, item="item", annotator="annotator", value="label", pseudonyms=True).single()
    assert "mail" not in question.attributes
    assert "1 column that would name annotators left out ('mail')" in question.provenance.policy()


def test_masks_keep_offsets_spaces_and_punctuation() -> None:
    text = "Zoë's 2 café-trips,\t東京!"
    veil = masked(text)
    assert veil == "Xxx'x 0 xxxx-xxxxx,\t文文!"
    assert len(veil) == len(text)
    assert is_masked(veil)
    assert not is_masked(text)


def test_answers_that_are_texts_are_left_out_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    rows = [
        {"item": n, "annotator": who, "summary": f"{who} thinks that Grimble {n} is ill today", "mood": n % 2}
        for n in range(8)
        for who in PEOPLE
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    columns = {"item": "item", "annotator": "annotator"}
    with pytest.raises(DataError, match="nothing would be left of them without text"):
        ia.read(path, value="summary", kind="text", **columns, no_text=True)


def test_items_called_by_their_text_stay_the_same_in_several_files(tmp_path: Path) -> None:
    texts = [f"Grimble number {n} has a fever today" for n in range(24)]

    def written(name: str, people: tuple[str, ...], *, backwards: bool = False) -> Path:
        rows = [
            f"{text},{who},{'yes' if n % 2 or (n * 5 + k) % 7 == 0 else 'no'}\n"
            for n, text in enumerate(texts)
            for k, who in enumerate(people)
        ]
        path = tmp_path / name
        path.write_text("item,annotator,label\n" + "".join(rows[::-1] if backwards else rows), encoding="utf-8")
        return path

    people, again = written("people.csv", PEOPLE), written("again.csv", PEOPLE[:2], backwards=True)
    model, gold = written("gpt.csv", ("gpt",), backwards=True), written("gold.csv", ("right",), backwards=True)
    for words in (
        ("compare", people, again, "--json"),
        ("annotators", people, "--gold", gold, "--csv"),
        ("consensus", people, "--gold", gold, "--method", "dawid_skene", "--csv"),
    ):
        shown, hidden = told(*words), told(*words, "--no-text")
        assert "Error" not in shown
        assert "Grimble" not in hidden
        for n, text in reversed([*enumerate(texts, start=1)]):
            shown = shown.replace(text, f"item {n}")
        assert hidden.replace("texts masked; ", "") == shown
    judged = [told("judge", people, model, "--model", "gpt", *more) for more in ((), ("--no-text",))]
    verdicts = [output.partition("person (")[0] for output in judged]  # resampling depends on the order of names
    assert "takes the place of" in verdicts[0]
    assert verdicts[0] == verdicts[1]


def test_errors_about_right_answers_show_no_text(tmp_path: Path) -> None:
    for name, head, which in (("a.csv", "item,annotator,label", "first"), ("gold.csv", "item,label", "other")):
        who = ",ann" if "annotator" in head else ""
        rows = [f"the {which} Grimble has fever {n}{who},{n % 2}\n" for n in range(6)]
        more = [row.replace(",ann,", ",bo,") for row in rows] if who else []
        (tmp_path / name).write_text(f"{head}\n" + "".join(rows + more), encoding="utf-8")
    output = told("annotators", tmp_path / "a.csv", "--gold", tmp_path / "gold.csv", "--no-text")
    assert "0 of 6 items of gold.csv are in the study" in output
    assert "Grimble" not in output
