"""A real server: what it acknowledged is there once after it was killed, and it ends cleanly."""

import http.client
import json
import random
import signal
import threading
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from interagree.cli import main
from interagree.serve.project import Project

FILES = Path(__file__).parents[2] / "docs" / "files"
FILE = FILES / "posts.csv"


def writing(server, number, items, acknowledged, stopped):
    """Decide one item after the other until the server is gone."""
    rng = random.Random(number)
    line = server.connect()
    turn = 0
    try:
        while not stopped.is_set():
            turn += 1
            item = rng.choice(items)
            event = {
                "op": f"writer {number} turn {turn}", "base": 2**40, "question": "value", "item": item["item"],
                "kind": "decide", "stored": '"fine"', "fingerprint": item["fingerprint"], "who": f"w{number}",
            }  # fmt: skip
            line.request("POST", "/decide.json", body=json.dumps(event), headers=server.headers)
            answer = line.getresponse()
            answer.read()
            assert answer.status == 201
            acknowledged.append(event["op"])
    except (OSError, http.client.HTTPException):
        pass  # it was killed
    finally:
        line.close()


def test_what_was_acknowledged_is_there_once_after_a_kill(serve, tmp_path):
    project = tmp_path / "work.interagree"
    acknowledged, sent_before = [], 0
    for kill in range(3):
        server = serve(FILE, "--project", project, "--port", "0")
        rows = server.get("/queue.json?question=value&limit=20")["rows"]
        names = ("item", "fingerprint")
        items = [server.get(f"/decide.json?question=value&item={quote(row['item'])}") for row in rows[:8]]
        items = [{name: item[name] for name in names} for item in items]
        stopped = threading.Event()
        new = []
        writers = [
            threading.Thread(target=writing, args=(server, 100 * kill + number, items, new, stopped))
            for number in range(8)
        ]
        for writer in writers:
            writer.start()
        while len(new) < 40 + 13 * kill:
            time.sleep(0.01)
        code, _, _ = server.end(signal.SIGKILL)
        stopped.set()
        for writer in writers:
            writer.join()
        assert code == -signal.SIGKILL
        acknowledged += new
        with Project(project) as log:
            ops = [event.op for event in log.events()]
        assert len(ops) == len(set(ops))
        assert set(acknowledged) <= set(ops)
        assert len(ops) > sent_before
        sent_before = len(ops)


def test_a_page_goes_on_after_a_restart(serve, tmp_path):
    """Whoever was let in stays so: a decision that had no answer is sent again and counts once."""
    project = tmp_path / "work.interagree"
    first = serve(FILE, "--project", project, "--port", "0")
    item = first.get("/decide.json?question=value")
    event = {name: item[name] for name in ("base", "question", "item", "fingerprint")}
    event |= {"op": "an operation", "kind": "decide", "stored": item["choices"][0]["stored"]}
    assert first.post(event)[0] == 201
    before = first.post(event)[1]
    code, _, _ = first.end(signal.SIGKILL)
    assert code == -signal.SIGKILL
    again = serve("--project", project, "--port", first.host.rpartition(":")[2])  # which knows its files
    again.headers = first.headers
    assert again.post(event) == (200, before)
    assert again.get("/overview.json")["cards"][0]["counts"]["decided"] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly(serve, tmp_path, number):
    server = serve(FILE, "--project", tmp_path / "work.interagree", "--port", "0")
    code, _, err = server.end(number)
    assert code == 0, err
    assert "holds every decision" in err
    assert [path.name for path in tmp_path.iterdir()] == ["work.interagree"]
    # What it says holds no token, no text and no label.
    assert server.address.partition("token=")[2] not in err
    assert "Traceback" not in err


def test_a_second_server_on_the_same_project_is_refused(serve, tmp_path):
    project = tmp_path / "work.interagree"
    serve(FILE, "--project", project, "--port", "0")
    result = CliRunner().invoke(main, ["serve", str(FILE), "--project", str(project), "--no-browser"])
    assert result.exit_code == 2
    assert "in use by another server" in result.output


def test_it_listens_on_this_machine_alone(serve, tmp_path):
    server = serve(FILE, "--project", tmp_path / "work.interagree", "--port", "0")
    assert server.host.startswith("127.0.0.1:")
    other = http.client.HTTPConnection(server.host, timeout=5)
    other.request("GET", "/overview.json", headers=server.headers | {"host": "evil.example"})
    assert other.getresponse().status == 421
    other.close()


def test_a_project_is_made_anew_from_its_log(serve, tmp_path):
    with Project(tmp_path / "old.interagree") as old:
        lines = [*old.lines()]
    (tmp_path / "log.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = [FILE, "--project", tmp_path / "new.interagree", "--from-log", tmp_path / "log.jsonl", "--port", "0"]
    assert serve(*words).get("/overview.json")["state"] == "ready"
    result = CliRunner().invoke(main, ["serve", *map(str, words)])
    assert result.exit_code == 2
    assert "exists already" in result.output


def test_what_cannot_be_started_is_said(tmp_path):
    for words, why in [
        (["none.csv"], "none.csv"),
        ([str(FILE), "--project", str(tmp_path)], "directory"),
        ([str(FILE), "--port", "70000"], "70000"),
    ]:
        result = CliRunner().invoke(main, ["serve", *words, "--no-browser"])
        assert result.exit_code == 2
        assert why in result.output
