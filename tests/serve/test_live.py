"""A source that is watched, and what pages hear of: every event once and in order, also after a line broke."""

import os
import signal
import sqlite3

import pytest
from serving import Listener, until

import interagree as ia

ROWS = [
    (f"i{k}", who, "xy"[(k % 3 == 0) == (who == "bob")], f"the text number {k}")
    for k in range(9)
    for who in ("ann", "bob")
]


def row(*cells):
    return ",".join(cells) + "\n"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label,text\n" + "".join(row(*cells) for cells in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def watching(serve, source):
    return serve("--watch", source, "--every", "0.1", "--port", "0")


def append(source, text):
    with source.open("a", encoding="utf-8") as file:
        file.write(text)


def labels(server):
    standing = server.get("/live.json")["standing"]
    return 0 if standing is None else standing["n"]["annotations"]


def decide(server, item, **more):
    shown = server.get(f"/decide.json?question=label&item=%22{item}%22")
    event = {name: shown[name] for name in ("base", "question", "item", "fingerprint")}
    return server.post(event | {"op": f"operation {item} {shown['base']}", "kind": "decide"} | more)


def test_the_interval_is_that_of_the_monitor_and_the_items_are_those_of_the_source(watching, source):
    until(lambda: labels(watching) == 18)
    listener = Listener(watching)
    append(
        source, row("new", "ann", "x", "a text that came") + row("new", "bob", "z", "a text that came") + "late,ann,"
    )
    until(lambda: labels(watching) == 20)
    until(lambda: any(event == "study" for event, _ in listener.heard))
    item = until(lambda: [one for one in watching.get("/queue.json?question=label")["rows"] if one["id"] == "new"])
    shown = watching.get(f"/decide.json?question=label&item=%22{item[0]['id']}%22")
    assert shown["drawn"]["text"] == "a text that came"
    monitor = ia.Monitor()
    for cells in [*ROWS, ("new", "ann", "x", ""), ("new", "bob", "z", "")]:
        monitor.add(*cells[:3])
    live = watching.get("/live.json")
    assert live["standing"]["first_two"]["low"] == pytest.approx(monitor.first_two().low)
    assert live["standing"]["first_two"]["high"] == pytest.approx(monitor.first_two().high)
    assert "at all times" in live["first_two"]
    # What has no end of its line yet is not counted, and then is.
    append(source, "x,a text that came late\n")
    until(lambda: labels(watching) == 21)
    listener.end()


def test_an_item_whose_answers_changed_comes_back_with_its_decision(watching, source):
    until(lambda: labels(watching) == 18)
    assert decide(watching, "i0", stored='"x"', comment="as in § 2")[0] == 201
    assert decide(watching, "i3", stored='"y"')[0] == 201
    append(source, row("i0", "cyd", "y", "the text number 0"))
    rows = until(
        lambda: [one for one in watching.get("/queue.json?question=label&show=changed")["rows"] if one["id"] == "i0"]
    )
    assert len(rows) == 1
    item = watching.get("/decide.json?question=label&item=%22i0%22")
    assert (item["status"], item["standing"]["words"], item["standing"]["comment"]) == ("changed", "x", "as in § 2")
    assert watching.get("/decide.json?question=label&item=%22i3%22")["status"] == "decided"
    # A correction, too: the file is another one, and is counted anew.
    source.write_text(source.read_text(encoding="utf-8").replace("i3,ann,", "i3,dee,"), encoding="utf-8")
    until(lambda: watching.get("/decide.json?question=label&item=%22i3%22")["status"] == "changed")
    assert labels(watching) == 19


def test_whoever_comes_back_is_told_what_they_missed(watching):
    until(lambda: labels(watching) == 18)
    listener = Listener(watching)
    assert decide(watching, "i0", stored='"x"')[0] == 201
    until(lambda: listener.seqs() == [1])
    listener.end()
    for item in ("i3", "i6"):
        assert decide(watching, item, stored='"x"')[0] == 201
    again = Listener(watching, listener.id)
    until(lambda: len(again.seqs()) >= 2)
    assert decide(watching, "i0", kind="cannot", stored=None)[0] == 201
    until(lambda: len(again.seqs()) >= 3)
    assert again.seqs() == [2, 3, 4]
    assert {*again.heard[1][1]} == {"seq", "question", "item", "kind"}
    fresh = Listener(watching, "nonsense")
    assert fresh.seqs() == []  # from now on
    for one in (again, fresh):
        one.end()


def test_fifty_who_listen_miss_no_event(serve, source, tmp_path):
    server = serve(source, "--project", tmp_path / "w.interagree", "--port", "0")
    listeners = [Listener(server) for _ in range(50)]
    expected = []
    for turn in range(12):
        status, answer = decide(server, f"i{3 * (turn % 3)}", kind="cannot", stored=None)
        assert status == 201
        expected.append(answer["event"]["seq"])
        if turn == 5:  # some lose their line in the middle, and come back
            for place in range(0, 50, 7):
                listeners[place].end()
                back = Listener(server, listeners[place].id)
                back.heard = [*listeners[place].heard, *back.heard]
                listeners[place] = back
    until(lambda: all(len(one.seqs()) >= 12 for one in listeners))
    assert all(one.seqs() == expected for one in listeners)
    code, _, err = server.end(signal.SIGTERM)  # while they listen
    assert code == 0, err
    assert "Traceback" not in err
    for one in listeners:
        one.end()


def test_nobody_listens_without_the_secret(watching):
    for headers in ({}, {"cookie": watching.headers["cookie"]}):
        line = watching.connect()
        line.request("GET", "/events", headers=headers)
        assert line.getresponse().status == 403
        line.close()


def test_a_table_is_watched(serve, tmp_path):
    with sqlite3.connect(tmp_path / "labels.db") as rows:
        rows.execute("CREATE TABLE labels (item, annotator, label)")
        rows.executemany("INSERT INTO labels VALUES (?, ?, ?)", [cells[:3] for cells in ROWS])
        rows.commit()
        server = serve("--watch", f"sqlite:///{tmp_path / 'labels.db'}?table=labels", "--every", "0.1", "--port", "0",
                       "--project", tmp_path / "w.interagree")  # fmt: skip
        until(lambda: labels(server) == 18)
        rows.executemany("INSERT INTO labels VALUES (?, ?, ?)", [("new", "ann", "x"), ("new", "bob", "z")])
        rows.commit()
        until(lambda: "new" in [one["id"] for one in server.get("/queue.json?question=label")["rows"]])
        assert labels(server) == 20
    rows.close()


def test_what_comes_through_a_pipe_is_decided_on_as_it_came(serve, tmp_path):
    """It can be read once only, so that items have no more than was counted."""
    os.mkfifo(tmp_path / "pipe")
    server = serve("--watch", tmp_path / "pipe", "--every", "0.1", "--port", "0", enter=False)
    with (tmp_path / "pipe").open("w") as pipe:
        pipe.write("item,annotator,label\n" + "".join(row(*cells[:3]) for cells in ROWS))
        pipe.flush()
        server.let_in()
        until(lambda: labels(server) == 18)
        (question,) = server.get("/state.json")["questions"]
        pipe.write(row("new", "ann", "x") + row("new", "bob", "z"))
        pipe.flush()
        until(lambda: "new" in [one["id"] for one in server.get(f"/queue.json?question={question}")["rows"]])


def test_a_file_without_rows_yet_is_waited_for(serve, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n")
    server = serve("--watch", path, "--every", "0.1", "--port", "0")
    assert server.get("/live.json")["standing"] is None
    append(path, "".join(row(*cells[:3]) for cells in ROWS))
    until(lambda: labels(server) == 18)
    assert server.get("/overview.json")["state"] == "ready"


def test_what_cannot_be_watched_is_said(serve, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("item,ann,bob\n" + "".join(f"i{k},{'xy'[k % 2]},x\n" for k in range(120)))
    server = serve("--watch", path, "--every", "0.1", "--port", "0")
    live = until(lambda: (live := server.get("/live.json"))["error"] and live)
    assert "a row for each of them" in live["error"]
    assert server.get("/overview.json")["state"] == "ready"  # and can be decided on


def test_without_a_source_there_is_no_live_page(opened):
    client = opened()
    assert client.get("/live.json").status == 404
    assert "--watch" in client.get("/live.json").json["error"]
