"""What is written for a release fits together: versions, dates, what is needed, and what workflows may do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
(VERSION,) = re.findall(
    r'^__version__ = "(.+)"', (ROOT / "src/interagree/__init__.py").read_text("utf-8"), re.MULTILINE
)
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORGE = {"duckdb": "python-duckdb", "matplotlib": "matplotlib-base"}  # packages that conda-forge calls otherwise


def parsed(name: str | Path) -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def needed(requirements: list[str]) -> set[str]:
    """Requirements as a recipe spells them; those of some Pythons alone are left out."""
    spelled = (
        re.sub(r"\[.*?\]", "", one) for one in requirements if ";" not in one and not one.startswith("interagree")
    )
    pairs = (re.fullmatch(r"([\w.-]+)(.*)", one) for one in spelled)
    return {f"{FORGE.get(pair[1], pair[1])} {pair[2]}" for pair in pairs if pair is not None}


def test_versions_and_dates_are_one() -> None:
    citation, recipe = parsed("CITATION.cff"), parsed("release/recipe.yaml")
    assert citation["version"] == VERSION
    assert recipe["context"]["version"] == VERSION
    title = re.search(rf"^## {re.escape(VERSION)} \((.+)\)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert title is not None
    released = str(citation.get("date-released", "unreleased"))
    assert title[1] == released
    assert released == "unreleased" or re.fullmatch(r"\d{4}-\d\d-\d\d", released)


def test_the_recipe_needs_what_the_package_needs() -> None:
    recipe = parsed("release/recipe.yaml")["requirements"]
    assert {*recipe["run"]} - {"python >=${{ python_min }}"} == needed(PROJECT["dependencies"])
    extras = [one for name in PROJECT["optional-dependencies"] for one in PROJECT["optional-dependencies"][name]]
    assert {*recipe["run_constraints"]} == needed(extras)
    assert PROJECT["license"] == parsed("release/recipe.yaml")["about"]["license"] == parsed("CITATION.cff")["license"]


def test_the_container_takes_extras_that_there_are() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    (extras,) = re.findall(r"\.whl\)\[([\w,]+)\]", text)
    assert {*extras.split(",")} <= {*PROJECT["optional-dependencies"]}
    last = [line.split()[0] for line in text.splitlines() if re.match(r"[A-Z]+ ", line)]
    assert last.index("USER") < last.index("ENTRYPOINT")  # nothing runs as root


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_do_only_what_they_do(path: Path) -> None:
    workflow = parsed(path)
    assert workflow["permissions"] in ({}, {"contents": "read"})
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 60, name
        writes = {what for what, how in job.get("permissions", {}).items() if how == "write"}
        assert not writes or name == "publish"
        for step in job["steps"]:
            assert "${{ github" not in step.get("run", ""), step  # what others may name is never part of a script
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_publishing_needs_no_password_and_builds_nothing() -> None:
    workflow = parsed(".github/workflows/release.yml")
    publish = workflow["jobs"]["publish"]
    assert publish["permissions"]["id-token"] == "write"
    assert publish["environment"]
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert not any("checkout" in step.get("uses", "") for step in publish["steps"])
    assert publish["needs"] == "build"
