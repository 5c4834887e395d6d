"""The description of the addresses is that of all of them, and whatever they are asked is answered, never by a 5xx."""

import json
from itertools import product
from pathlib import Path

import pytest

from interagree.serve.description import VIEWS, description
from interagree.serve.users import Users, add

FILES = Path(__file__).parents[2] / "docs" / "files"
ODD = [
    "", " ", "0", "-1", "1", "9" * 40, "1e309", "NaN", "null", "true", "[]", "{}", '"', "'", '"p020"', '{"agree": 2}',
    '{"annotator": "ann"}', '{"agree": true}', "[" * 5_000, "value", "..", "../../etc/passwd", "%00", "\x00", "\u202e",
    "\U0001f600", "\ufffe", "x" * 5_000, "<script>", "'; DROP TABLE event; --", "waiting", "jsonl", "annotator", "html",
    '{"0": "item", "1": "annotator", "2": "answer"}', '{"0": "item", "0": 5}', '{"99": "item"}', '{"-1": "answer"}',
]  # fmt: skip
WRONG = [
    None,
    True,
    False,
    0,
    -1,
    2**63,
    1e308,
    "",
    "x",
    "\x00",
    "\ud800",
    [],
    [[]],
    {},
    {"size": 3},
    {"agree": 2},
    [0],
    "9",
]


def operations():
    return [(method, path, what) for path, entry in description()["paths"].items() for method, what in entry.items()]


def test_every_address_is_described_and_every_page_has_its_twin(opened):
    client = opened(FILES / "posts.csv")
    pages = client.guard.application
    there = {(method.lower(), route.path) for route in pages.routes for method in route.methods - {"HEAD"}}
    described = {(method, path) for method, path, _ in operations()}
    of_the_guard = {("post", "/enter.json"), ("post", "/leave.json")}
    assert described == {one for one in there if not one[1].startswith("/static/")} | of_the_guard
    for path, (twin, _) in VIEWS.items():
        assert {("get", path), ("get", twin)} <= described
    assert client.get("/openapi.json").json == json.loads(json.dumps(description()))


def test_what_is_answered_has_the_keys_that_are_described(opened):
    client = opened(FILES / "posts.csv")
    usual = {"question": "value", "rule": '{"agree": 2}', "to": "jsonl", "what": "guideline"}
    for method, path, what in operations():
        if method == "get" and path not in ("/events", "/live.json", "/image"):
            needed = [one["name"] for one in what.get("parameters", []) if one["required"]]
            asked = {name: usual[name] for name in [*needed, *(["question"] if path in ("/file", "/gold") else [])]}
            answer = client.get(path, **asked)
            assert answer.status == 200, (path, answer.body)
            ((media, content),) = what["responses"]["200"]["content"].items()
            assert answer.headers["content-type"].partition(";")[0] == media
            for key in content.get("schema", {}).get("required", ()):
                assert key in answer.json, (path, key)


STATES = {
    "empty": lambda opened, _: opened(),
    "ready": lambda opened, _: opened(FILES / "posts.csv"),
    "spans": lambda opened, _: opened(FILES / "notices.jsonl"),
    "failed": lambda opened, path: opened(written(path, "\n\n")),
    "doubtful": lambda opened, path: opened(written(path, TABLE)),
    "counts": lambda opened, path: opened(written(path, COUNTS)),
}
TABLE = "a,b,c\n" + "".join(f"{k % 3},{k % 4 % 3},{k % 5 % 3}\n" for k in range(30))
COUNTS = "item,yes,no\n" + "".join(f"i{k},{k % 4},{3 - k % 4}\n" for k in range(12))


def fine(answer, client):
    """Whether this is an answer; as long as no file is read, one may be asked to come again."""
    return answer.status < 500 or (answer.status == 503 and client.workspace.state != "ready")


def written(path, text):
    path.write_text(text)
    return path


@pytest.mark.parametrize("state", STATES)
def test_no_question_is_too_odd(state, opened, tmp_path):
    """Each parameter takes each odd text, alone and beside a right question."""
    client = STATES[state](opened, tmp_path / "table.csv")
    question = next(iter(client.workspace.asked), "value")
    asked = 0
    for method, path, what in operations():
        names = [one["name"] for one in what.get("parameters", [])]
        if method != "get" or path == "/events":
            continue
        for name, odd, beside in product(names, ODD, ({}, {"question": question})):
            answer = client.get(path, **beside | {name: odd})
            assert fine(answer, client), (path, name, odd, answer.body)
            asked += 1
            if answer.status >= 400:
                assert answer.json["error"], (path, name, odd)
    assert asked > 1_000


@pytest.mark.parametrize("state", STATES)
def test_nothing_that_is_sent_is_too_odd(state, opened, tmp_path):
    """Each entry of each body is each odd thing in turn, or is not there."""
    client = STATES[state](opened, tmp_path / "table.csv")
    client.workspace.project.let_go = lambda _: None  # so that leaving does not end the walk
    question = next(iter(client.workspace.asked), "value")
    shown = client.get("/decide.json", question=question).json if client.workspace.asked else {}
    right = {
        "op": "operation 1", "question": question, "item": shown.get("item") or '"x"', "base": 0, "kind": "decide",
        "fingerprint": shown.get("fingerprint", ""), "stored": "1", "value": 0, "who": "x", "reason": "", "comment": "",
        "blind": False, "seconds": 1, "project": client.project.id, "choice": 0, "parts": {}, "name": "x",
        "password": "x",
    }  # fmt: skip
    met = set()
    for method, path, what in operations():
        schema = what.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if method != "post" or schema is None or path == "/sample.json":
            continue
        names = [*schema.get("properties", ())]
        bodies = [*WRONG, *ODD]
        for kind in schema.get("properties", {}).get("kind", {}).get("enum", [None]):
            whole = {name: right[name] for name in names} | ({} if kind is None else {"kind": kind})
            bodies += [{one: entry for one, entry in whole.items() if one != name} for name in names]
            bodies += [whole | {name: wrong} for name in names for wrong in WRONG]
        for number, body in enumerate(bodies):
            named = isinstance(body, dict) and body.get("op") == "operation 1"
            answer = client.post(path, body | {"op": f"operation {number}"} if named else body)
            assert fine(answer, client), (path, body, answer.body)
            if answer.status >= 400:
                assert answer.json["error"], (path, body)
            met.add(answer.status)
        if client.workspace._thread is not None:
            client.workspace._thread.join()
    if state == "ready":  # what is right was among it
        assert met >= {200, 201, 409, 422}


def test_the_walk_finds_what_fails(opened, monkeypatch):
    """The control of the two above."""
    client = opened(FILES / "posts.csv")

    def failing(*_):
        raise ValueError("this was not foreseen")

    monkeypatch.setattr("interagree.serve.views.checked_rule", failing)
    with pytest.raises(ValueError, match="not foreseen"):  # the server answers 500, and hands it on
        client.get("/rule.json", question="value", rule="{}")


def test_no_name_and_no_password_is_too_odd(opened, tmp_path):
    add(tmp_path / "users.json", "ann", "a long password", "look")
    client = opened(users=Users(tmp_path / "users.json"))
    for wrong in [*WRONG, *({"name": name, "password": "x"} for name in WRONG), {"name": "ann", "password": "\ud800"}]:
        assert client.post("/enter.json", wrong).status in (403, 422, 429), wrong
