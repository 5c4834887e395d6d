"""A real Potato server on this machine, what it stores and exports; `make tools` installs Potato and runs this."""

from __future__ import annotations

import http.cookiejar
import json
import os
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interagree as ia

VENV = os.environ.get("INTERAGREE_TOOLS_VENV")
pytestmark = pytest.mark.skipif(VENV is None, reason="needs a Potato server; run by `make tools`")

PEOPLE = ("ann", "bo", "robot")  # the last is a machine
CONFIG = """
annotation_task_name: films
task_dir: .
output_annotation_dir: annotation_output
data_files: [items.jsonl]
item_properties: {id_key: id, text_key: text}
user_config: {allow_all_users: true, users: []}
require_password: false
authentication: {method: in_memory}
site_dir: default
machine_annotators: {enabled: true, annotators: [{id: robot, kind: llm, model: some-model, version: "1"}]}
annotation_schemes:
  - {annotation_type: radio, name: mood, description: d, labels: [good, bad]}
  - {annotation_type: radio, name: rude, description: d, labels: ["true", "false"]}
  - {annotation_type: multiselect, name: aspects, description: d, labels: [plot, music, cast]}
  - {annotation_type: likert, name: liking, description: d, size: 5, min_label: low, max_label: high}
  - {annotation_type: slider, name: certainty, description: d, min_value: 0, max_value: 10, starting_value: 5}
  - {annotation_type: select, name: genre, description: d, labels: [drama, comedy]}
  - {annotation_type: multirate, name: rates, description: d, options: [sound, light], labels: ["1", "2", "3"]}
  - {annotation_type: ranking, name: order, description: d, labels: [a, b, c]}
  - {annotation_type: span, name: names, description: d, labels: [PER, LOC]}
"""


def answers(n: int, k: int) -> tuple[dict[str, str], list[tuple[int, int, str]], dict[str, Any]]:
    """What person k says of film n, as a browser sends it, and what a study is to hold."""
    mood, rude, liking = "good" if (n + k) % 2 else "bad", "false" if n else "true", str(1 + (n + k) % 5)
    aspects = ["plot", "music", "cast"][: (n + k) % 3]
    order = "a,b,c" if k else "b,a,c"
    sent = {f"mood:::{mood}": mood, f"rude:::{rude}": rude, f"liking:::{liking}": liking, "genre:::select-one": "drama"}
    sent |= {f"aspects:::{name}": name for name in aspects} | {"certainty:::slider": str(5 + n)}
    sent |= {"rates:::sound": str(1 + n % 3), "rates:::light": "2", "order:::rank_order": order}
    spans = [(0, 3, "PER"), *([(14, 18, "LOC")] if k else [])]
    held = {"mood": mood, "rude": rude, "liking": liking, "genre": "drama", "certainty": str(5 + n)}
    held |= {"aspects": frozenset(aspects), "rates.sound": str(1 + n % 3), "rates.light": "2"}
    return sent, spans, held | {"order": tuple(order.split(",")), "names": tuple(spans)}


class Browser:
    """Somebody's session with the server."""

    def __init__(self, root: str) -> None:
        self.root = root
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(jar)

    def form(self, path: str, **fields: str) -> None:
        self.opener.open(self.root + path, urllib.parse.urlencode(fields).encode(), timeout=60).close()

    def post(self, path: str, body: Any) -> None:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.root + path, json.dumps(body).encode(), headers)
        self.opener.open(request, timeout=60).close()  # an error where the server refuses it


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("potato")
    (folder / "config.yaml").write_text(CONFIG)
    items = [{"id": f"film {n}", "text": f"Ann met Bo in Rome, {n} times."} for n in range(3)]
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "server.log"
    command = [f"{VENV}/potato/bin/python", "-m", "potato", "start", "config.yaml", "-p", str(port)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=folder, env=environment)
    try:
        root, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 300
        while True:
            assert process.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < deadline, log.read_text()[-3000:]
            try:
                urllib.request.urlopen(root, timeout=10).close()
                break
            except OSError:
                time.sleep(0.2)
        yield root, folder
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def project(server: tuple[str, Path]) -> Path:
    """The folder of a project in which everybody annotated every film."""
    root, folder = server
    for k, who in enumerate(PEOPLE):
        browser = Browser(root)
        browser.form("/register", action="signup", email=who, **{"pass": ""})
        browser.form("/auth", action="login", email=who, **{"pass": ""})
        browser.opener.open(f"{root}/annotate", timeout=60).close()
        for n in range(3):
            sent, spans, _ = answers(n, k)
            marks = [
                {"schema": "names", "name": label, "title": label, "start": start, "end": end, "value": label}
                for start, end, label in spans
            ]
            browser.post(
                "/updateinstance", {"instance_id": f"film {n}", "annotations": sent, "span_annotations": marks}
            )
    return folder


@pytest.mark.parametrize("written", ["states", "csv", "tsv", "jsonl"])
def test_what_everybody_answered_is_read(project: Path, written: str) -> None:
    path = project / "annotation_output"
    if written != "states":
        path = project / written
        command = [f"{VENV}/potato/bin/python", "-m", "potato.export", "--config", "config.yaml", "--format", written]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([*command, "--output", written], cwd=project, env=environment, check=True, capture_output=True)
    people, everybody = ia.read(path), ia.read(path, predictions=True)
    assert "3 records of a machine left out" in people.policy()
    expected: dict[str, dict[tuple[str, str], Any]] = {}
    for k, who in enumerate(PEOPLE):
        for n in range(3):
            for name, value in answers(n, k)[2].items():
                expected.setdefault(name, {})[f"film {n}", who] = value
    assert set(people) == set(expected)
    for name, cells in expected.items():
        made = {(item, who): value for item, who, value in everybody[name].rows()}
        assert made == cells, name
        assert set(people[name].annotators) == set(PEOPLE[:2]), name
