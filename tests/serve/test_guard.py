"""Nobody is let in but who opened the printed address, and nothing is written but by our own page."""

import json
from pathlib import Path

import pytest

FILES = Path(__file__).parents[2] / "docs" / "files"
ITEM = '"p020"'


@pytest.fixture
def client(opened):
    return opened(FILES / "posts.csv")


def test_the_printed_address_opens_once(opened):
    client = opened(FILES / "posts.csv", enter=False)
    token = client.guard.token
    assert client.get("/overview.json").status == 403
    assert client.enter("wrong").status == 403
    first = client.enter()
    assert first.status == 303
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in first.headers["set-cookie"].split(";")}
    assert client.get("/overview.json").status == 200
    again = client.enter(token)
    assert again.status == 403
    assert "start interagree serve again" in again.body.decode()


def test_the_cookie_alone_gives_nothing(client):
    """Another program on this machine may be sent our cookie; the secret of the page it is not sent."""
    for secret in (None, "", "guess"):
        headers = {"x-interagree": secret}
        for path in ("/overview.json", "/decide.json", "/gold", "/log.jsonl", "/export.json"):
            assert client.ask(path, headers=headers, question="value").status == 403
        assert client.post("/decide.json", {}, headers).status == 403
    assert client.ask("/overview.json", headers={"cookie": None}).status == 403


def test_pages_hold_no_data(client):
    for path in ("/", "/decide", "/export"):
        page = client.ask(path, headers={"cookie": None, "x-interagree": None})
        assert page.status == 200
        assert b"p020" not in page.body
        assert b"fine" not in page.body


@pytest.mark.parametrize(
    "host", ["evil.example:8417", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8417.evil.example", "localhost.:8417", None]
)
def test_other_names_are_not_answered(client, host):
    assert client.ask("/overview.json", headers={"host": host}).status == 421
    # Under rebinding the origin is that name, too.
    assert client.post("/decide.json", {}, {"host": host, "origin": f"http://{host}"}).status == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": None}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "https://127.0.0.1:8417"}, 403),
        ({"origin": "http://localhost:8417"}, 403),  # ours, but not of the page that asks
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
        ({"content-type": None}, 415),
        ({"x-interagree": None}, 403),
        ({"cookie": "interagree=wrong"}, 403),
        ({"cookie": 'interagree="'}, 403),
    ],
)
def test_what_writes_comes_from_our_own_page(client, headers, status):
    before = client.project.last
    item = client.get("/decide.json", question="value", item=ITEM).json
    event = {"op": "operation 1", "base": 0, "question": "value", "item": ITEM, "kind": "skip"}
    event["fingerprint"] = item["fingerprint"]
    assert client.post("/decide.json", event, headers).status == status
    assert client.project.last == before
    assert client.post("/decide.json", event).status == 201


@pytest.mark.parametrize(
    "path",
    ["/static/../guard.py", "/static/..%2fguard.py", "/static\\x", "/static/page.py", "/etc/passwd", "//x", "/static/"],
)
def test_nothing_outside_the_pages_is_given(client, path):
    assert client.get(path).status in (400, 404)


def test_other_methods_are_refused(client):
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        assert client.ask("/decide.json", method=method).status == 405


def test_every_answer_says_what_a_browser_may_do(client):
    for answer in (
        client.get("/"),
        client.get("/overview.json"),
        client.get("/none"),
        client.enter("x"),
        client.get("/static/main.js"),
    ):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "require-trusted-types-for 'script'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_scripts_and_styles_are_small(client):
    from interagree.serve.app import FROM_REPORTS, MODULES, _packed

    assert sum(len(_packed(name)[0]) for name in (*FROM_REPORTS, *MODULES)) < 80_000
    answer = client.ask("/static/main.js", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert client.ask("/static/main.js", headers={"if-none-match": answer.headers["etag"]}).status == 304


def test_no_script_makes_markup_of_text():
    folder = Path(__file__).parents[2] / "src" / "interagree" / "serve" / "static"
    for path in folder.glob("*.js"):
        code = path.read_text(encoding="utf-8")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            ".srcdoc",
        ):
            assert word not in code, (path.name, word)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"item": '"none"'}, 404),
        ({"question": "none"}, 404),
        ({"kind": "delete"}, 422),
        ({"fingerprint": "old"}, 409),
        ({"base": "0"}, 422),
        ({"base": 10**30}, 422),
        ({"base": True}, 422),
        ({"seconds": float("nan")}, 422),
        ({"op": "x"}, 422),
        ({"stored": '"purple"'}, 422),
        ({"value": 99, "stored": None}, 422),
        ({"value": [0], "stored": None}, 422),
        ({"value": None, "stored": None}, 422),
        ({"comment": "\ud800"}, 422),
        ({"surprise": 1}, 422),
    ],
)
def test_what_is_not_a_decision_is_refused_in_a_sentence(client, change, status):
    item = client.get("/decide.json", question="value", item=ITEM).json
    event = {"op": "operation 1", "base": 0, "question": "value", "item": ITEM, "kind": "decide", "stored": '"fine"'}
    event |= {"fingerprint": item["fingerprint"]} | change
    answer = client.post("/decide.json", event)
    assert answer.status == status
    assert len(answer.json["error"]) > 20
    assert client.project.last == 0


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"[" * 100_000, b'{"a": 1e999}', b"\xff"])
def test_nonsense_is_refused_in_a_sentence(client, body):
    answer = client.post("/decide.json", body)
    assert answer.status == 422
    assert answer.json["error"]


def test_errors_are_pages_and_json(client):
    page = client.get("/nowhere")
    assert page.status == 404
    assert "text/html" in page.headers["content-type"]
    for query in (
        {"question": "<script>"},
        {"question": "value", "show": "<b>"},
        {"question": "value", "offset": "-1"},
    ):
        answer = client.get("/queue.json", **query)
        assert answer.status in (404, 422)
        assert json.loads(answer.body)["error"]


def test_a_file_that_is_too_large_or_nameless_is_refused(opened):
    client = opened(largest=1000)
    octets = {"content-type": "application/octet-stream"}
    assert client.post("/upload.json", b"x" * 1001, octets, name="a.csv").status == 422
    assert client.post("/upload.json", b"", octets, name="a.csv").status == 422
    for name in ("", "..", ".hidden", "x" * 300, "a\nb.csv"):
        assert client.post("/upload.json", b"x", octets, name=name).status == 422
    assert client.post("/upload.json", b"x", name="a.csv").status == 415
    assert client.get("/state.json").json["state"] == "empty"
