"""A real server: what it acknowledged is there once after it was killed, and it ends cleanly."""

import asyncio
import http.client
import json
import random
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
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


def killed(serve, project, seed, enough, *, program=()):
    """What several writers were told is saved until the server was killed in the middle of it."""
    server = serve(FILE, "--project", project, "--port", "0", program=program)
    rows = server.get("/queue.json?question=value&limit=8")["rows"]
    items = [server.get(f"/decide.json?question=value&item={quote(row['item'])}") for row in rows]
    items = [{name: item[name] for name in ("item", "fingerprint")} for item in items]
    stopped = threading.Event()
    acknowledged = []
    writers = [
        threading.Thread(target=writing, args=(server, 100 * seed + number, items, acknowledged, stopped))
        for number in range(8)
    ]
    for writer in writers:
        writer.start()
    while len(acknowledged) < enough:
        time.sleep(0.005)
    code, _, _ = server.end(signal.SIGKILL)
    stopped.set()
    for writer in writers:
        writer.join()
    assert code == -signal.SIGKILL
    with Project(project) as log:
        return acknowledged, [event.op for event in log.events()]


def test_what_was_acknowledged_is_there_once_after_a_kill(serve, tmp_path):
    project = tmp_path / "work.interagree"
    acknowledged, before = [], 0
    for kill in range(3):
        new, ops = killed(serve, project, kill, 40 + 13 * kill)
        acknowledged += new
        assert len(ops) == len(set(ops))
        assert set(acknowledged) <= set(ops)
        assert len(ops) > before
        before = len(ops)


# A server that answers first and commits a little later.
HASTY = """
import sys, threading
from interagree.serve.project import Project
commit, lock = Project._commit, threading.Lock()
def later(self, statement, *rows):
    def wait():
        with lock:
            commit(self, statement, *rows)
    if "INTO event" not in statement:
        return commit(self, statement, *rows)
    threading.Timer(0.3, wait).start()
Project._commit = later
from interagree.cli import main
main(sys.argv[1:])
"""


def test_a_kill_finds_a_server_that_answers_before_it_commits(serve, tmp_path):
    """The control of the test above: it can fail."""
    acknowledged, ops = killed(serve, tmp_path / "w.interagree", 1, 60, program=[sys.executable, "-c", HASTY])
    assert set(acknowledged) - set(ops)


def test_an_answer_comes_after_the_disk_has_it(serve, tmp_path, need):
    """A kill cannot tell what a power cut would; the calls to the system can."""
    trace = tmp_path / "trace"
    tracing = [
        need("strace"),
        "-f",
        "-qq",
        "-s",
        "60",
        "-e",
        "trace=fdatasync,fsync,sendto,sendmsg,write,writev",
        "-o",
        trace,
    ]
    server = serve(
        FILE,
        "--project",
        tmp_path / "w.interagree",
        "--port",
        "0",
        program=[*tracing, sys.executable, "-m", "interagree"],
    )
    item = server.get("/decide.json?question=value")
    event = {name: item[name] for name in ("question", "item", "fingerprint")} | {"kind": "cannot"}
    for number in range(5):
        assert server.post(event | {"op": f"operation {number}", "base": 2**40})[0] == 201
    subprocess.run(["pkill", "-TERM", "-P", str(server.process.pid)], check=True)
    server.process.communicate(timeout=20)
    synced, answers = False, 0
    for line in trace.read_text().splitlines():
        if "sync(" in line or "sync resumed" in line:
            synced = True
        elif "201 Created" in line:
            assert synced, line
            synced, answers = False, answers + 1
    assert answers == 5


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


def test_a_project_that_is_moved_with_its_file_goes_on(serve, tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    (before / "posts.csv").write_bytes(FILE.read_bytes())
    server = serve(before / "posts.csv", "--port", "0")
    assert server.get("/state.json")["state"] == "ready"
    server.end(signal.SIGTERM)
    before.rename(after)
    assert serve("--project", after / "posts.interagree", "--port", "0").get("/state.json")["state"] == "ready"


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


def test_small_answers_are_sent_at_once(need):
    """Where the system waits for more to send, each of them takes 40 ms longer."""
    need("uvicorn")
    from interagree.serve.running import _listening

    async def held_back():
        accepted = asyncio.get_running_loop().create_future()

        def connected(_, writer):
            accepted.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with closing(_listening(0)) as listener:
            async with await asyncio.start_server(connected, sock=listener):
                _, writer = await asyncio.open_connection(*listener.getsockname())
                try:
                    return not await accepted
                finally:
                    writer.close()

    with ThreadPoolExecutor(1) as thread:  # since a browser that other tests opened may have left a loop in this one
        assert not thread.submit(lambda: asyncio.run(held_back())).result()


def test_the_demo_ends_by_naming_the_page(serve, tmp_path, monkeypatch):
    """And the command that it names opens the study."""
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(main, ["demo", "-o", "demo-report"]).stderr.splitlines()[-1]
    sentence, _, command = said.partition(": ")
    assert sentence == "Decide the disagreements on a page"
    server = serve(*shlex.split(command)[2:], "--port", "0")
    overview = server.get("/overview.json")
    assert (overview["name"], [card["kind"] for card in overview["cards"]]) == ("reviews.csv", ["ordered"])


def test_in_a_container_it_answers_to_its_own_names_alone(serve, tmp_path):
    """On whichever address of the machine somebody asks."""
    words = [FILE, "--project", tmp_path / "w.interagree", "--port", "0", "--bind", "0.0.0.0"]
    server = serve(*words)
    assert server.host.startswith("127.0.0.1:")
    port = int(server.host.rpartition(":")[2])
    for name, status in ((server.host, 200), (f"127.0.0.2:{port}", 421), ("evil.example", 421)):
        other = http.client.HTTPConnection("127.0.0.2", port, timeout=20)
        other.request("GET", "/overview.json", headers=server.headers | {"host": name})
        assert other.getresponse().status == status
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


def test_without_the_extra_the_command_says_what_to_install():
    code = "import sys; sys.modules['uvicorn'] = None; from interagree.cli import main; main(['serve'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs uvicorn, which is not installed" in done.stderr
    assert "interagree[serve]" in done.stderr


def test_what_cannot_be_started_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words, why in [
        (["none.csv"], "none.csv"),
        (["postgresql://me:secret@host/x"], "PGPASSWORD"),
        ([str(FILE), "--project", str(tmp_path)], "directory"),
        ([str(FILE), "--port", "70000"], "70000"),
    ]:
        result = CliRunner().invoke(main, ["serve", *words, "--no-browser"])
        assert result.exit_code == 2
        assert why in result.output
