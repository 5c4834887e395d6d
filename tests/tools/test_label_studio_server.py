"""A real Label Studio server on this machine: what we read from it, and what we write to it.

`make tools` installs the server into an environment of its own and runs this; a first start takes a minute or two.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.errors import DataError

VENV = os.environ.get("INTERAGREE_TOOLS_VENV")
pytestmark = pytest.mark.skipif(VENV is None, reason="needs a Label Studio server; run by `make tools`")

TOKEN = "0123456789abcdef0123456789abcdef01234567"
CONFIG = """<View>
  <Text name="text" value="$text"/>
  <Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>
  <Choices name="tone" toName="text"><Choice value="good"/><Choice value="bad"/></Choices>
</View>"""
PEOPLE = ("ann", "bo", "cy")
TASKS, JUDGED = 105, 8  # tasks of the project, more than a page, and those that everybody annotated


class Studio(NamedTuple):
    """A running server, and a project on it."""

    root: str
    project: int

    @property
    def address(self) -> str:
        return f"{self.root.replace('http://', 'label-studio://')}/{self.project}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Token {TOKEN}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data=content, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            told = answer.read()
        return json.loads(told) if told else None

    def predictions(self) -> dict[int, list[dict[str, Any]]]:
        tasks = self.ask("GET", f"/api/tasks/?project={self.project}&page_size=200&fields=all")["tasks"]
        return {task["id"]: task["predictions"] for task in tasks if task["predictions"]}


def _started(process: subprocess.Popen[bytes], root: str, log: Path) -> None:
    """Wait until the server answers; an error with its last words where it ends before that."""
    deadline = time.monotonic() + 900
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"label-studio ended with {process.returncode}:\n{log.read_text()[-3000:]}")
        try:
            with urllib.request.urlopen(f"{root}/api/version", timeout=10):
                return
        except OSError:
            time.sleep(0.5)
    raise RuntimeError(f"label-studio did not answer:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("label-studio")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "server.log"
    quiet = {"LATEST_VERSION_CHECK": "0", "COLLECT_ANALYTICS": "0", "SENTRY_DSN": "", "FRONTEND_SENTRY_DSN": ""}
    environment = {**os.environ, **quiet, "LABEL_STUDIO_BASE_DATA_DIR": str(folder)}
    environment.pop("PYTHONPATH", None)
    account = ["--username", "admin@example.org", "--password", "secret-pass", "--user-token", TOKEN]
    command = [
        f"{VENV}/label-studio/bin/label-studio",
        "start",
        "--no-browser",
        "--port",
        str(port),
        "--enable-legacy-api-token",
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--internal-host", "127.0.0.1", *account],
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=environment,
            cwd=folder,
        )
    try:
        root = f"http://127.0.0.1:{port}"
        _started(process, root, log)
        yield root
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def studio(server: str) -> Studio:
    """A project with tasks that three people annotated."""
    made = Studio(server, 0)
    project = made.ask("POST", "/api/projects/", {"title": "Agreement", "label_config": CONFIG})["id"]
    made = Studio(server, project)
    texts = [{"text": f"Ana met Bo in Rome, {number} times. 😀 Fine."} for number in range(TASKS)]
    made.ask("POST", f"/api/projects/{project}/import", texts)
    tasks = made.ask("GET", f"/api/tasks/?project={project}&page_size=200")["tasks"]
    ids = []
    for name in PEOPLE:
        person = {"email": f"{name}@example.org", "username": name, "password": "pass-word-1"}
        ids.append(made.ask("POST", "/api/users/", person)["id"])
    for at, task in enumerate(tasks[:JUDGED]):
        for place, who in enumerate(ids):
            tone = "bad" if at % 2 == 0 and place == 2 else "good"
            span = {"start": 0, "end": 3 if place else 6, "text": "Ana" if place else "Ana me", "labels": ["PER"]}
            named = {"from_name": "label", "to_name": "text", "type": "labels"}
            marks = [{**named, "value": span, "id": "a"}] if place < 2 else []
            chosen = {"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": [tone]}}
            body = {"result": [*marks, chosen], "completed_by": who, "lead_time": 2.5}
            made.ask("POST", f"/api/tasks/{task['id']}/annotations/", body)
    skipped = {"result": [], "completed_by": ids[0], "was_cancelled": True}
    made.ask("POST", f"/api/tasks/{tasks[JUDGED]['id']}/annotations/", skipped)
    return made


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", TOKEN)


def answers(study: Any) -> dict[str, Any]:
    return {name: {(item, who): value for item, who, value in study[name].rows()} for name in study}


def test_a_project_reads_as_its_own_export_does(studio: Studio, tmp_path: Path) -> None:
    study = ia.read(studio.address)
    assert set(study) == {"label", "tone"}
    assert {name: (len(one), len(one.items), len(one.annotators)) for name, one in study.items()} == {
        "label": (3 * JUDGED, JUDGED, 3),
        "tone": (3 * JUDGED, JUDGED, 3),
    }
    assert "1 skipped annotation (was_cancelled) left out" in study.policy()
    assert "do not cover" not in study.policy()
    export = studio.ask("GET", f"/api/projects/{studio.project}/export?exportType=JSON")
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export))
    assert answers(ia.read(path)) == answers(study)
    for short in ("JSON_MIN", "CSV"):
        request = urllib.request.Request(
            f"{studio.root}/api/projects/{studio.project}/export?exportType={short}",
            headers={"Authorization": f"Token {TOKEN}"},
        )
        table = tmp_path / ("short.json" if short == "JSON_MIN" else "short.csv")
        with urllib.request.urlopen(request, timeout=120) as answer:
            table.write_bytes(answer.read())
        made = ia.read(table, questions=["label", "tone"])
        values = {name: sorted(map(str, one.values())) for name, one in answers(made).items()}
        assert values == {name: sorted(map(str, one.values())) for name, one in answers(study).items()}, short


def test_a_personal_access_token_does_too(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"api_tokens_enabled": True, "legacy_api_tokens_enabled": True}
    studio.ask("POST", "/api/jwt/settings", both)
    personal = studio.ask("POST", "/api/token/")["token"]
    before = answers(ia.read(studio.address))
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", personal)
    assert answers(ia.read(studio.address)) == before


def test_what_the_server_refuses_is_said(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match=r"there is no project 999 on 127\.0\.0\.1"):
        ia.read(Studio(studio.root, 999).address)
    for wrong in ("f" * 40, "eyJh.eyJh.aaaa"):
        monkeypatch.setenv("LABEL_STUDIO_API_KEY", wrong)
        with pytest.raises(DataError, match="the server refuses the token in LABEL_STUDIO_API_KEY") as error:
            ia.read(studio.address)
        assert wrong not in str(error.value)


def test_a_queue_is_pushed_and_replaced_and_nothing_else_changes(studio: Studio) -> None:
    before = answers(ia.read(studio.address))
    runner = CliRunner()
    shown = runner.invoke(main, ["disagreements", studio.address, "-q", "tone"])
    assert shown.exit_code == 0, shown.output
    assert studio.predictions() == {}

    pushed = runner.invoke(main, ["disagreements", studio.address, "-q", "tone", "--push"])
    assert pushed.exit_code == 0, pushed.output
    made = studio.predictions()
    assert len(made) == JUDGED / 2
    for [prediction] in made.values():
        assert prediction["model_version"] == "interagree: tone"
        assert prediction["score"] > 0
        assert [result["value"] for result in prediction["result"]] == [{"choices": ["good"]}]
    views = studio.ask("GET", f"/api/dm/views/?project={studio.project}")
    [view] = [view for view in views if view["data"]["title"] == "interagree: tone"]
    inside = studio.ask("GET", f"/api/tasks/?view={view['id']}&page_size=200&fields=all")["tasks"]
    assert {task["id"] for task in inside} == set(made)

    again = runner.invoke(main, ["disagreements", studio.address, "-q", "tone", "--push"])
    assert again.exit_code == 0, again.output
    assert {task: [one["id"] for one in those] for task, those in studio.predictions().items()} == {
        task: [one["id"] for one in those] for task, those in made.items()
    }
    spans = runner.invoke(main, ["disagreements", studio.address, "-q", "label", "--push"])
    assert spans.exit_code == 0, spans.output
    of_spans = [one for those in studio.predictions().values() for one in those if "label" in one["model_version"]]
    assert len(of_spans) == JUDGED
    assert all(result["type"] == "labels" for one in of_spans for result in one["result"])
    assert answers(ia.read(studio.address)) == before
    models = ia.read(studio.address, predictions=True)
    assert "interagree: tone" in models["tone"].annotators


def test_an_answer_given_meanwhile_is_read(studio: Studio) -> None:
    before = len(ia.read(studio.address)["tone"])
    task = studio.ask("GET", f"/api/tasks/?project={studio.project}&page_size=200")["tasks"][-1]["id"]
    chosen = {"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": ["bad"]}}
    studio.ask("POST", f"/api/tasks/{task}/annotations/", {"result": [chosen]})
    assert len(ia.read(studio.address)["tone"]) == before + 1
