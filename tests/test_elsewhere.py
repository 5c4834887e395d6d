"""Where people are: the action for workflows and the hook for commits, run as their programs run them."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import need

ROOT = Path(__file__).parents[1]
AGREE = "item,annotator,label\n" + "".join(f"{i},{who},{'xy'[i % 2]}\n" for i in range(40) for who in "ab")
DIFFER = "item,annotator,label\n" + "".join(
    f"{i},{who},{'xy'[i * (1 + (who == 'b')) // 3 % 2]}\n" for i in range(40) for who in "ab"
)


def parsed(name: str):
    return need("yaml").safe_load((ROOT / name).read_text(encoding="utf-8"))


def step(name: str) -> dict:
    (found,) = [step for step in parsed("action.yml")["runs"]["steps"] if step["name"] == name]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with data and with a program that runs interagree from here."""
    (tmp_path / "agree.csv").write_text(AGREE, encoding="utf-8")
    (tmp_path / "round 2.csv").write_text(AGREE, encoding="utf-8")
    (tmp_path / "differ.csv").write_text(DIFFER, encoding="utf-8")
    program = tmp_path / "bin" / "interagree"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m interagree "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return tmp_path


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    given = {
        **os.environ,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(folder),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "GITHUB_PATH": str(folder / "path"),
        **variables,
    }
    # As runners do: stopped by the first command that fails, also in a pipe.
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(shell, cwd=folder, env=given, capture_output=True, text=True, check=False, timeout=120)


def check(folder: Path, files: str, at_least: str = "0.6", **inputs: str) -> tuple[int, str]:
    found = step("Check agreement")
    asked = {"files": files, "at-least": at_least, **inputs}
    stated = parsed("action.yml")["inputs"]
    given = {name: asked.get(name, about.get("default", "")) for name, about in stated.items()}
    variables = {
        name: given[source.removeprefix("${{ inputs.").removesuffix(" }}")] for name, source in found["env"].items()
    }
    done = run(found["run"], folder, **variables)
    return done.returncode, (folder / "summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "inputs", "code", "words"),
    [
        ("agree.csv", {}, 0, "pass: Krippendorff's alpha, nominal = 1.000"),
        ("agree.csv differ.csv", {}, 1, "fail"),
        ("a*.csv", {"measure": "cohen_kappa"}, 0, "pass: Cohen's kappa"),
        ("agree.csv\nround 2.csv", {}, 0, "round 2"),
        ("agree.csv", {"options": "--item\nitem\n\n--value\nlabel"}, 0, "pass"),
        ("differ.csv", {"at-least": "0.0", "inconclusive": "pass"}, 0, "cannot tell"),
        ("missing.csv", {}, 2, "missing.csv"),
        ("$(touch${IFS}owned)", {}, 2, "touch"),
        ("agree.csv", {"measure": '"; touch owned; "'}, 2, "owned"),
    ],
)
def test_the_action_fails_on_the_lower_bound_and_writes_a_summary(files, inputs, code, words, folder):
    exit_code, summary = check(folder, files, **inputs)
    assert exit_code == code, summary
    assert summary.startswith("## Annotator agreement\n")
    assert words in summary
    assert not (folder / "owned").exists()


@pytest.mark.parametrize("programs", ["bin", "Scripts"])
def test_the_action_installs_what_lies_beside_it_and_keeps_its_python_to_itself(folder, programs):
    (folder / "bin" / "python3").write_text('#!/bin/sh\necho "$@" >> "$RUNNER_TEMP/said"\n', encoding="utf-8")
    (folder / "bin" / "python3").chmod(0o755)
    (folder / "interagree" / programs).mkdir(parents=True)
    (folder / "interagree" / programs / "python").symlink_to(folder / "bin" / "python3")
    (folder / "interagree" / programs / "interagree").write_text("", encoding="utf-8")
    python = str(folder / "bin" / "python3")
    done = run(step("Install interagree")["run"], folder, SOURCE="/here", EXTRAS="excel", PYTHON=python)
    assert done.returncode == 0, done.stderr
    assert (folder / "said").read_text().splitlines() == [
        f"-m venv {folder}/interagree",
        "-m pip install --quiet /here[excel]",
    ]
    (place,) = (folder / "path").read_text().splitlines()
    assert [program.name for program in Path(place).iterdir()] == ["interagree"]


def test_the_script_of_the_action_holds_nothing_that_was_asked_for():
    for each in parsed("action.yml")["runs"]["steps"]:
        assert "${{" not in each.get("run", "")


@pytest.mark.parametrize(("file", "code"), [("agree.csv", 0), ("differ.csv", 1)])
def test_the_hook_runs(file, code, folder):
    (hook,) = parsed(".pre-commit-hooks.yaml")
    done = run(shlex.join([*shlex.split(hook["entry"]), *hook["args"], file]), folder)
    assert done.returncode == code, done.stderr
