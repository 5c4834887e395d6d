"""Every command that an output prints is run as it is printed, and so are those that it prints."""

from __future__ import annotations

import random
import shlex
from pathlib import Path

import pytest
from made_files import Made, made
from printed_steps import Step, printed, run, walk

SEEDS = 12


def lines(study: Made) -> list[str]:
    """What a person types first."""
    files = shlex.join(study.files)
    words = (command.partition(" ") for command in study.commands)
    return [
        f"interagree explain {rest} {files}" if name == "explain" else f"interagree {name} {files} {rest}".strip()
        for name, _, rest in words
    ]


def broken(step: Step) -> bool:
    """Whether a step ended in an error of ours, or was printed and is refused without saying how to go on."""
    asks = printed(step.error) or "which annotators are models?" in step.error
    return step.code >= 70 or (step.parent is not None and step.code == 2 and not asks)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_command_that_is_printed_runs(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    study = made(tmp_path, seed)
    commands = lines(study)
    for line in commands[seed % 3 :: 3]:  # all of them are tried by some study
        failed = [step for step in walk(line, most=6) if broken(step)]
        assert not failed, f"{study.about}: {failed[0].line}, printed by {failed[0].parent}: {failed[0].error}"


def test_a_broken_promise_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text("item,annotator,label\n1,a,x\n1,b,y\n", encoding="utf-8")
    assert broken(run("interagree measure labels.csv --question none", parent="interagree doctor labels.csv"))
    assert printed("  1. Run\n     interagree measure labels.csv --ordered\n") == [
        "interagree measure labels.csv --ordered"
    ]


def two_coders(folder: Path) -> None:
    rows = [
        ("d1", "yes", "low"),
        ("d2", "no", "high"),
        ("d3", "yes", "low"),
        ("d4", "no", "medium"),
        ("d5", "no", "low"),
    ]
    for number, change in enumerate(("", "d2")):
        changed = {change: ("yes", "low")}
        text = "".join(",".join((item, *changed.get(item, (tone, grade)))) + "\n" for item, tone, grade in rows)
        (folder / f"coder_{number}.csv").write_text(f"item,tone,grade\n{text}", encoding="utf-8")
    text = "".join(f"{item},{tone},{grade}\n" for item, tone, grade in rows[::2])
    (folder / "right.csv").write_text(f"item,tone,grade\n{text}", encoding="utf-8")


@pytest.mark.parametrize("command", ["doctor", "measure", "report", "annotators", "disagreements", "consensus"])
def test_a_file_for_each_coder_is_one_study_to_every_command(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_coders(tmp_path)
    monkeypatch.chdir(tmp_path)
    step = run(f"interagree {command} coder_0.csv coder_1.csv -q tone")
    assert step.code == 0, step.error
    assert "coder_0" in step.output
    asked = run("interagree annotators coder_0.csv coder_1.csv")
    assert [run(line).code for line in printed(asked.error)] == [0, 0]


def test_gold_with_a_column_for_each_question_is_read_by_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_coders(tmp_path)
    monkeypatch.chdir(tmp_path)
    step = run("interagree annotators coder_0.csv coder_1.csv -q tone --gold right.csv --csv")
    assert step.code == 0, step.error
    header, *rows = [row.split(",") for row in step.output.splitlines()]
    assert [row[header.index("gold n")] for row in rows] == ["3", "3"]


def test_values_that_are_stated_keep_what_was_taken_as_no_annotation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = [("low", "low"), ("high", "."), ("medium", "low"), ("low", "low"), ("high", "high")]
    rows = "".join(f"{n},{who},{cell}\n" for n, pair in enumerate(cells) for who, cell in zip("ab", pair, strict=True))
    (tmp_path / "labels.csv").write_text(f"item,annotator,label\n{rows}", encoding="utf-8")
    for options in ("", "--values low,medium,high --ordered"):
        step = run(f"interagree measure labels.csv {options}")
        assert step.code == 0, step.error
        assert "1 cell '.' taken as no annotation" in " ".join(step.output.split())


def test_what_is_said_of_one_question_is_said_of_that_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_coders(tmp_path)
    monkeypatch.chdir(tmp_path)
    files = "coder_0.csv coder_1.csv"
    assert run(f"interagree measure {files} -q grade --values low,medium,high --ordered").code == 0
    rows = "".join(f"{n},{who},{n % 5},{'word' if n % 2 else 'other'}\n" for n in range(12) for who in "ab")
    (tmp_path / "two.csv").write_text(f"item,annotator,score,kind\n{rows}", encoding="utf-8")
    assert run("interagree measure two.csv -q score --ordered").code == 0
    assert run("interagree measure two.csv -q kind --ordered").code == 2


def test_a_batch_that_is_named_is_compared_by_the_command_that_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(2)
    lines = ["item,annotator,label,batch"]
    for item in range(150):
        batch, truth = f"b{item % 5}", rng.choice("xyz")
        for who in ("ann", "bo", "cy"):
            right = batch != "b2" and rng.random() < 0.9
            lines.append(f"{item},{who},{truth if right else rng.choice('xyz')},{batch}")
    (tmp_path / "labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    report = run("interagree report labels.csv")
    assert "Agreement is lower where batch is b2" in " ".join(report.output.split())
    (line,) = [line for line in printed(report.output) if line.startswith("interagree compare")]
    compared = run(line)
    assert compared.code == 0, compared.error
    assert "b2" in compared.output
