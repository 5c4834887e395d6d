"""The page on which disagreements are decided, in a real browser: by mouse, by keyboard alone, after a kill."""

import asyncio
import csv
import json
import signal
import ssl
import subprocess
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from desk import desk, gold, keep

import interagree as ia
from interagree.serve.users import add

pytestmark = pytest.mark.xdist_group("browser")

FILES = Path(__file__).parents[2] / "docs" / "files"
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e'
SERIOUS = ("serious", "critical", "moderate", "minor")


def test_from_a_dropped_file_to_gold_by_mouse(serve, browse, tmp_path):
    server = serve("--project", tmp_path / "work.interagree", "--port", "0", enter=False)
    page = browse(server)
    page.set_input_files("#file", FILES / "posts.csv")
    page.get_by_role("link", name="Decide 90 disagreements").click()
    first = desk(page)
    page.locator(".choice").nth(1).click()
    words = page.locator(".choice .words").nth(1).inner_text()
    page.get_by_label("Reason", exact=True).select_option("Slip")
    page.get_by_label("Comment").fill("seen twice")
    page.get_by_role("button", name="Save Enter").click()
    page.wait_for_function("name => document.getElementById('item').textContent !== name", arg=first)
    assert "89 waiting" in page.locator(".count").inner_text()
    page.reload()
    assert desk(page) != first
    rows = [json.loads(line) for line in gold(page, tmp_path).read_text(encoding="utf-8").splitlines()]
    (row,) = [row for row in rows if row["item"] == first]
    assert (row["value"], row["origin"], row["reason"], row["comment"]) == (words, "decided", "Slip", "seen twice")


KINDS = {
    "labels": (["posts.csv"], {}),
    "ordered": (["severity.csv", "--values", "none,mild,moderate,severe", "--ordered"], {}),
    "sets": (["topics.csv", "--split", ";"], {"kind": "sets"}),
    "numbers": (["lengths.csv"], {}),
    "text": (["captions.jsonl"], {"kind": "text"}),
    "spans": (["notices.jsonl"], {"kind": "spans"}),
    "keypoints": (["birds.jsonl"], {"kind": "keypoints"}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_by_keyboard_alone_and_after_a_kill(kind, serve, browse, tmp_path):
    """Take an answer, edit one where there is an editor, kill the server, go on, take gold home, read it back."""
    words, options = KINDS[kind]
    project = tmp_path / "work.interagree"
    server = serve(FILES / words[0], *words[1:], "--project", project, "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide")
    taken = desk(page)
    page.keyboard.press("b")
    keep(page)
    server.end(signal.SIGKILL)
    port = server.host.rpartition(":")[2]
    again = serve("--project", project, "--port", port, enter=False)
    browse.expected.append("net::ERR_")
    page.reload()
    edited = desk(page)
    assert edited != taken
    if kind == "keypoints":
        assert "chosen whole here" in page.locator(".side-pane").inner_text()
        page.keyboard.press("a")
    else:
        page.keyboard.press("e")
        edit(page, kind)
    keep(page)
    assert desk(page) != edited
    page.keyboard.press("u")  # and back again
    page.wait_for_function("name => document.getElementById('item').textContent === name", arg=edited)
    desk(page)
    assert not page.locator(".standing").count()
    page.keyboard.press("a")
    if kind != "keypoints":
        page.keyboard.press("e")
        edit(page, kind)
    keep(page)
    path = gold(page, tmp_path)
    assert again.process.poll() is None
    rows = {row["item"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    assert {rows[taken]["origin"], rows[edited]["origin"]} == {"decided"}
    further = options if kind != "ordered" else {"values": ["none", "mild", "moderate", "severe"], "ordered": True}
    back = ia.read(path, item="item", annotator="annotator", value="value", **further).single()
    values = {item: value for item, _, value in back.rows()}
    check = {
        "labels": lambda value: value in ("fine", "rude", "spam"),
        "ordered": lambda value: value in ("none", "mild", "moderate", "severe"),
        "sets": lambda value: isinstance(value, frozenset),
        "numbers": lambda value: value == 7.25,
        "text": lambda value: value == "a text of my own",
        "spans": lambda value: (0, rows[edited]["text"].index(" "), value[0][2]) in value,
        "keypoints": lambda value: len(value[0]) >= 4,
    }[kind]
    assert check(values[edited]), values[edited]


def edit(page, kind):
    if kind in ("labels", "ordered"):
        page.keyboard.press("ArrowRight")
    elif kind == "sets":
        page.keyboard.press("Space")
    elif kind == "numbers":
        page.keyboard.press("Control+A")
        page.keyboard.type("7.25")
    elif kind == "text":
        page.keyboard.press("Control+A")
        page.keyboard.type("a text of my own")
        page.keyboard.press("Escape")
    elif kind == "spans":
        page.keyboard.press("1")
        page.keyboard.press("Space")


def test_spans_are_marked_with_the_mouse(serve, browse, tmp_path):
    page = browse(serve(FILES / "notices.jsonl", "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".question")
    page.get_by_role("link", name="Decide", exact=True).click()
    name = desk(page)
    page.locator("details.editing > summary").click()
    page.get_by_label("Label to mark with").select_option(index=1)
    piece = page.locator(".span-text [data-at='0']")
    piece.dblclick()
    page.wait_for_selector(".span-list q")
    marked = page.locator(".span-list q").first.inner_text()
    page.get_by_role("button", name=f"End later: {marked}").click()
    longer = page.locator(".span-list q").first.inner_text()
    assert longer.startswith(marked)
    page.get_by_role("button", name="Save Enter").click()
    page.wait_for_function("name => document.getElementById('item').textContent !== name", arg=name)
    rows = [json.loads(line) for line in gold(page, tmp_path).read_text(encoding="utf-8").splitlines()]
    (row,) = [row for row in rows if row["item"] == name]
    assert row["value"][0][:2] == [0, len(marked) + 1]


def test_single_marks_are_taken_from_answers(serve, browse, tmp_path):
    page = browse(serve(FILES / "notices.jsonl", "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".question")
    page.goto(page.url.rstrip("/") + "/decide?question=value&item=%22n6%22")
    name = desk(page)
    page.keyboard.press("e")
    boxes = page.locator(".given input")
    assert [box.is_checked() for box in boxes.all()] == [False, False, True]  # the last one all made
    boxes.nth(1).check()
    page.get_by_role("button", name="Save Enter").click()
    page.wait_for_function("name => document.getElementById('item').textContent !== name", arg=name)
    rows = [json.loads(line) for line in gold(page, tmp_path).read_text(encoding="utf-8").splitlines()]
    (row,) = [row for row in rows if row["item"] == name]
    assert sorted(row["value"]) == [[0, 18, "LOC"], [52, 58, "DATE"]]


def test_many_are_settled_at_once_and_taken_back_as_one(serve, browse, tmp_path):
    page = browse(serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".question")
    page.goto(page.url.rstrip("/") + "/decide")
    desk(page)
    page.get_by_text("Settle many at once").click()
    page.get_by_label("Take the answer where").select_option(label="at least 3 gave the same")
    said = page.get_by_text("that wait: ")
    said.wait_for()
    settled = int(said.inner_text().split()[1])
    assert 0 < settled < 90
    page.get_by_role("button", name="Settle these").click()
    page.wait_for_function(
        "left => document.querySelector('.count')?.textContent.startsWith(left)", arg=str(90 - settled)
    )
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("() => document.querySelector('.count')?.textContent.startsWith('90')")


def test_letter_keys_can_be_switched_off(serve, browse, tmp_path):
    page = browse(serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".question")
    page.goto(page.url.rstrip("/") + "/decide")
    desk(page)
    page.get_by_label("Letter keys").uncheck()
    page.locator("main").focus()
    page.keyboard.press("a")
    assert page.locator(".choice[aria-pressed=true]").count() == 0
    page.get_by_label("Letter keys").check()
    page.locator("main").focus()
    page.keyboard.press("a")
    assert page.locator(".choice[aria-pressed=true]").count() == 1


def test_names_can_be_hidden(serve, browse, tmp_path):
    page = browse(serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".question")
    page.goto(page.url.rstrip("/") + "/decide")
    name = desk(page)
    page.get_by_label("Hide names").check()
    page.wait_for_function("() => document.querySelector('.desk').textContent.includes('Annotator 1')")
    shown = page.locator(".desk").inner_text()
    assert "suggested" not in shown
    assert "ann " not in shown
    page.keyboard.press("a")
    keep(page)
    with gold(page, tmp_path, "CSV").open(encoding="utf-8-sig", newline="") as file:
        (row,) = [row for row in csv.DictReader(file) if row["item"] == name]
    assert row["blind"].lower() == "true"


def test_a_conflict_is_shown_and_settled(serve, browse, tmp_path):
    server = serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide")
    name = desk(page)
    other = page.context.new_page()
    other.goto(f"http://{server.host}/decide")
    assert desk(other) == name
    other.get_by_label("Decided by").fill("zoë")
    other.locator("main").focus()
    page.keyboard.press("a")
    other.keyboard.press("b")
    keep(other)
    page.get_by_text("Meanwhile zoë decided").wait_for()  # what was chosen here stays
    assert "89 waiting" in page.locator(".count").inner_text()
    assert page.locator(".choice[aria-pressed=true]").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector(".problem table")
    assert "zoë" in page.locator(".problem").inner_text()
    page.get_by_role("button", name="Decide as I did").click()
    page.wait_for_function("name => document.getElementById('item').textContent !== name", arg=name)
    page.get_by_role("link", name="Decisions").click()
    page.get_by_role("heading", name="Decisions").wait_for()
    assert page.locator("tbody tr").count() == 2
    browse.expected.append("409 (Conflict)")


ATTACK = """<!doctype html><title>elsewhere</title><form method=post enctype=text/plain action="http://TARGET/decide.json">
<input name='{"op":"operation x","a":"' value='"}'></form><iframe src="http://TARGET/decide"></iframe>"""


TRIED = """async target => {
    const json = { "Content-Type": "application/json", "X-Interagree": "x" };
    const tried = [];
    for (const options of [
        {}, { mode: "no-cors" }, { method: "POST", body: "{}" }, { method: "POST", mode: "no-cors", body: "{}" },
        { method: "POST", body: "{}", headers: json },
    ]) {
        try {
            const address = "http://" + target + "/decide.json?question=value";
            const answer = await fetch(address, { credentials: "include", ...options });
            tried.push([answer.type, await answer.text()]);
        } catch (error) { tried.push(["refused", ""]); }
    }
    return tried;
}"""


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_another_page_on_this_machine_reads_and_writes_nothing(name, serve, browse, chromium, tmp_path):
    """A page on another port is sent our cookie, and that is all it gets."""
    server = serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    sent = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self):
            sent.append(self.headers.get("cookie", ""))
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(ATTACK.replace("TARGET", server.host).encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        other = page.context.new_page()
        other.goto(f"http://{name}:{elsewhere.server_port}/")
        browse.hosts.append(f"{name}:{elsewhere.server_port}")
        stolen = other.evaluate(TRIED, server.host)
        assert not [text for _, text in stolen if text]
        other.evaluate("document.forms[0].submit()")
        other.wait_for_load_state()
        assert "only our own pages may" in other.locator("body").inner_text()
        other.goto(f"http://{name}:{elsewhere.server_port}/")
        assert "p020" not in "".join(frame.content() for frame in other.frames)
        elsewhere.shutdown()
    if name == "127.0.0.1":  # cookies do not know ports
        assert any("interagree=" in cookie for cookie in sent)
    page.get_by_role("link", name="Decisions").click()
    page.get_by_text("Nothing is decided yet").wait_for()
    browse.expected += ["CORS", "net::ERR", "403", "frame", "Cross-Origin", "ERR_BLOCKED", "415"]


def test_what_is_decided_while_the_server_is_gone_is_kept_and_sent_again(serve, browse, tmp_path):
    project = tmp_path / "w.interagree"
    server = serve(FILES / "posts.csv", "--project", project, "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide")
    name = desk(page)
    server.end(signal.SIGKILL)
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_selector("#banner p")
    assert "1 decision kept in this browser" in page.locator("#banner").inner_text()
    serve("--project", project, "--port", server.host.rpartition(":")[2], enter=False)
    page.wait_for_function("name => document.getElementById('item').textContent !== name", arg=name, timeout=30_000)
    assert not page.locator("#banner p").count()
    page.get_by_role("link", name="Decisions").click()
    page.get_by_role("heading", name="Decisions").wait_for()
    assert page.locator("tbody tr").count() == 1
    browse.expected += ["net::ERR_", "503"]  # while it reads the file again


KEPT = "Object.keys(localStorage).filter(key => key.startsWith('interagree:outbox:'))"


def at_item(page, name):
    """An item by its address, without loading the page again."""
    follow = """address => {
        const link = document.body.appendChild(document.createElement("a"));
        link.href = address;
        link.click();
        link.remove();
    }"""
    page.evaluate(follow, f"/decide?question=value&item=%22{name}%22")
    page.wait_for_selector(f"main:not([aria-busy]) #item:text-is('{name}')")


def stands(page, server, name):
    """Who decided on an item, as its page says."""
    other = page.context.new_page()
    other.goto(f"http://{server.host}/decide?question=value&item=%22{name}%22")
    desk(other)
    shown = other.locator(".standing .quiet")
    text = shown.inner_text() if shown.count() else ""
    other.close()
    return text.removeprefix("by ").partition(",")[0]


def test_what_waits_belongs_to_its_project_and_not_to_the_port(serve, browse, tmp_path):
    """Two windows keep what was decided, another project is served on the port, then the first one again."""
    project = tmp_path / "w.interagree"
    server = serve(FILES / "posts.csv", "--project", project, "--port", "0", enter=False)
    port = server.host.rpartition(":")[2]
    page = browse(server)
    page.wait_for_selector(".question")
    pages, items = [page, page.context.new_page()], ["p020", "p021"]
    for one, item in zip(pages, items, strict=True):
        one.goto(f"http://{server.host}/decide?question=value&item=%22{item}%22")
        assert desk(one) == item
    server.end(signal.SIGKILL)
    for one in pages:
        one.bring_to_front()
        one.keyboard.press("a")
        one.keyboard.press("Enter")
        one.wait_for_selector("#banner p")
    assert len(page.evaluate(KEPT)) == 2
    other = serve(FILES / "posts.csv", "--project", tmp_path / "o.interagree", "--port", port, enter=False)
    third = page.context.new_page()
    third.goto(other.address)
    third.wait_for_selector(".question")
    page.get_by_text("in another project").wait_for()
    third.get_by_role("link", name="Decisions").click()
    third.get_by_text("Nothing is decided yet").wait_for()
    assert len(third.evaluate(KEPT)) == 2
    other.end(signal.SIGKILL)
    for one in pages:
        one.close()
    again = serve("--project", project, "--port", port, enter=False)
    third.goto(again.address)
    third.wait_for_selector(".question")
    third.wait_for_function(f"() => !{KEPT}.length")
    third.goto(f"http://{server.host}/decisions")
    third.get_by_role("heading", name="Decisions").wait_for()
    assert sorted(third.locator("tbody tr td:nth-child(3)").all_inner_texts()) == items
    browse.expected += ["net::ERR_", "421", "403"]


def test_undo_does_not_take_back_unasked_what_somebody_else_decided(serve, browse, tmp_path):
    server = serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide")
    names = []
    for _ in range(2):
        names.append(desk(page))
        page.keyboard.press("a")
        keep(page)
    other = page.context.new_page()
    other.goto(f"http://{server.host}/decide?question=value&item=%22{names[1]}%22")
    desk(other)
    other.get_by_label("Decided by").fill("zoë")
    other.locator("main").focus()
    other.keyboard.press("b")
    keep(other)
    other.close()
    page.bring_to_front()
    page.get_by_label("Comment").wait_for()
    page.wait_for_timeout(1_500)  # so that this page knows that there is a later event
    page.keyboard.press("u")
    page.wait_for_selector(".problem table")
    assert "zoë" in page.locator(".problem").inner_text()
    page.get_by_role("button", name="Keep theirs").click()
    page.wait_for_selector("main:not([aria-busy]) .desk:not(:has(.problem table))")
    assert stands(page, server, names[1]) == "zoë"
    page.keyboard.press("u")  # which is what was decided before
    page.wait_for_function("name => document.getElementById('item')?.textContent === name", arg=names[0])
    assert [stands(page, server, name) for name in names] == ["", "zoë"]
    browse.expected.append("409 (Conflict)")


def test_decisions_on_one_item_are_taken_back_one_after_the_other(serve, browse, tmp_path):
    server = serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide")
    name = desk(page)
    taken = []
    for key in "ab":
        at_item(page, name)
        taken.append(page.locator(".choice .words").nth("ab".index(key)).inner_text())
        page.keyboard.press(key)
        keep(page)
    page.keyboard.press("u")
    page.locator(".standing", has_text=taken[0]).wait_for()
    page.keyboard.press("u")
    page.wait_for_selector("main:not([aria-busy]) .desk:not(:has(.standing))")
    assert page.locator("#item").inner_text() == name
    assert not page.locator(".problem table").count()


def test_a_reading_in_doubt_is_chosen_with_one_click(serve, browse, tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("a,b,c\n" + "".join(f"{k % 3},{k % 4 % 3},{k % 5 % 3}\n" for k in range(30)))
    page = browse(serve(path, "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".reading")
    assert "Nothing is computed until you say so" in page.locator("main").inner_text()
    assert page.locator(".reading table").count()
    page.get_by_role("button", name="Read it this way").first.click()
    page.wait_for_selector(".question .value")


@pytest.fixture
def doubtful(tmp_path):
    """A table that is asked about: who answered stands in columns whose names say nothing."""
    path = tmp_path / "codes.csv"
    rows = [f"text {k},{k % 3},{k % 4 % 3},{k % 5 % 3}\n" for k in range(30)]
    path.write_text("text,a,b,c\n" + "".join(rows), encoding="utf-8")
    return path


def test_columns_are_given_their_part_by_keyboard_and_the_answers_are_read_back(doubtful, serve, browse, tmp_path):
    project = tmp_path / "work.interagree"
    server = serve(doubtful, "--project", project, "--port", "0", enter=False)
    page = browse(server)
    form = page.locator(".parts")
    form.locator("summary").focus()
    if form.get_attribute("open") is None:
        page.keyboard.press("Enter")
    for name, part in (("text", "item"), ("a", "answers of one annotator"), ("b", "no part"), ("c", "answers of one")):
        page.get_by_label(f"What {name} is", exact=True).focus()
        page.keyboard.press("Home")
        if part != "no part":
            page.keyboard.type(part)
    page.get_by_text("Read this way: 30 items, 2 annotators").wait_for()
    assert page.locator(".preview tbody tr").first.inner_text().split("\t") == ["text 0", "a", "0"]
    assert "--item text --annotator a --annotator c" in page.locator(".preview pre").first.inner_text()
    form.get_by_role("button", name="Read it this way").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".question .value")
    page.goto(f"http://{server.host}/decide")
    name = desk(page)
    page.keyboard.press("a")
    words = page.locator(".choice[aria-pressed=true] .words").inner_text()
    keep(page)
    server.end(signal.SIGKILL)
    browse.expected += ["net::ERR_", "503"]
    serve("--project", project, "--port", server.host.rpartition(":")[2], enter=False)
    page.reload()
    page.wait_for_selector("main:not([aria-busy]) h1")
    rows = [json.loads(line) for line in gold(page, tmp_path).read_text(encoding="utf-8").splitlines()]
    assert {row["item"]: row["value"] for row in rows}[name] == words


def test_a_part_is_dragged_onto_a_column_and_what_is_missing_is_said(doubtful, serve, browse, tmp_path):
    page = browse(serve(doubtful, "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    form = page.locator(".parts")
    if form.get_attribute("open") is None:
        form.locator("summary").click()
    for name in ("text", "a", "b", "c"):
        page.get_by_label(f"What {name} is", exact=True).select_option("")
    page.get_by_text("No column says the answer; choose one").wait_for()
    assert form.get_by_role("button", name="Read it this way").is_disabled()
    for part, column in (("item", 0), ("who answered", 1), ("answer", 2)):
        page.locator(".chips li").get_by_text(part, exact=True).drag_to(page.locator(".parts th").nth(column))
    assert page.get_by_label("What a is", exact=True).input_value() == "annotator"
    page.get_by_text("Read this way: 30 items, 3 annotators").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_say_how_a_table_is_meant(scheme, doubtful, serve, browse, tmp_path, need):
    axe = need("axe_playwright_python.sync_playwright").Axe()
    server = serve(doubtful, "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server, color_scheme=scheme, reduced_motion="reduce")
    if page.locator(".parts").get_attribute("open") is None:
        page.locator(".parts > summary").click()
    page.locator(".preview h3").first.wait_for()
    for wide in (1280, 390):
        page.set_viewport_size({"width": wide, "height": 800})
        found = axe.run(page).response["violations"]
        assert [(entry["id"], [node["target"] for node in entry["nodes"]]) for entry in found] == [], wide
        assert page.evaluate("document.documentElement.scrollWidth") <= wide


@pytest.fixture
def hostile(tmp_path):
    """A file in which every name, text and comment is markup."""
    rows = [
        {"item": f"{HOSTILE}{item}", "annotator": f"{HOSTILE}{who}", "label": f"{HOSTILE}{(item + who) % 2}",
         "text": f"A text with {HOSTILE} {item}", "comment": HOSTILE}
        for item in range(6) for who in range(3)
    ]  # fmt: skip
    path = tmp_path / "hostile.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("bypass", [False, True])
def test_names_and_comments_that_are_markup_do_nothing(bypass, hostile, serve, browse, tmp_path):
    """With the policy and with it switched off."""
    server = serve(
        hostile,
        "--item",
        "item",
        "--annotator",
        "annotator",
        "--value",
        "label",
        "--project",
        tmp_path / "w.interagree",
        "--port",
        "0",
        enter=False,
    )
    page = browse(server, bypass_csp=bypass)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide")
    desk(page)
    page.get_by_label("Decided by").fill(HOSTILE)
    page.get_by_label("Comment").fill(HOSTILE)
    page.get_by_text("Edit the reasons").click()
    page.get_by_label("One in each line").fill(HOSTILE)
    page.get_by_role("button", name="Save the list").click()
    page.get_by_text("saved").wait_for()
    page.get_by_label("Reason", exact=True).select_option(index=1)
    page.locator("main").focus()
    page.keyboard.press("a")
    keep(page)
    for name in ("Overview", "Decide", "Decisions", "Annotators", "After", "Reading", "Export"):
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_selector(f"a[aria-current=page]:text-is('{name}')")
        page.wait_for_timeout(200)
        assert page.locator("main img, main script").count() == 0
        assert page.title() not in ("1", "2")
        if name == "Decisions":  # it is there, as text
            assert page.locator("main").inner_text().count("onerror") >= 3


@pytest.fixture
def proxy(tmp_path, need):
    """A proxy with TLS before a server: it passes on what it is sent, as nginx or Caddy do."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([need("openssl"), *words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    backend = []

    async def pipe(source, target):
        with suppress(OSError):
            while piece := await source.read(1 << 16):
                target.write(piece)
                await target.drain()
        target.close()

    async def passed(reader, writer):
        there, to = await asyncio.open_connection("127.0.0.1", backend[0])
        try:
            await asyncio.gather(pipe(reader, to), pipe(there, writer), return_exceptions=True)
        finally:
            for end in (to, writer):
                end.transport.abort()

    async def ended():
        server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await server.wait_closed()
        await asyncio.sleep(0.1)  # until what was broken off is closed

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(passed, "127.0.0.1", 0, ssl=context), loop).result()
    yield f"localhost:{server.sockets[0].getsockname()[1]}", backend.append
    asyncio.run_coroutine_threadsafe(ended(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_a_team_comes_in_by_name_through_a_proxy(serve, chromium, proxy, tmp_path):
    users = tmp_path / "users.json"
    for name, role in (("lea", "lead"), ("dan", "decide"), ("lou", "look")):
        add(users, name, f"the password of {name}", role)
    words = [FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0"]
    host, passes_on_to = proxy
    server = serve(*words, "--users", users, "--host", host, enter=False)
    assert server.address == f"https://{host}/"
    said = server.process.stderr.readline() + server.process.stderr.readline()
    port = int(said.rpartition("passes on to http://127.0.0.1:")[2].partition(";")[0])
    passes_on_to(port)
    pages = {}
    for name in ("lea", "dan", "lou"):
        context = chromium.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 800})
        page = pages[name] = context.new_page()
        page.goto(server.address)
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("name or the password is wrong").wait_for()
        page.get_by_label("Password").fill(f"the password of {name}")
        page.keyboard.press("Enter")
        page.wait_for_selector(".question")
        page.goto(f"{server.address}decide?question=value&item=%22p020%22")
        desk(page)
    lea, dan, lou = pages.values()
    lea.get_by_text("also here: dan, lou").wait_for()
    assert [page.get_by_text("Settle many at once").count() for page in pages.values()] == [1, 0, 0]
    lou.keyboard.press("a")
    assert lou.get_by_role("button", name="Save Enter").is_disabled()
    lou.keyboard.press("Enter")
    dan.keyboard.press("a")
    keep(dan)
    lea.get_by_text("Meanwhile dan decided").wait_for()
    lea.get_by_text("also here: lou").wait_for()
    dan.get_by_role("button", name="Sign out").click()
    dan.get_by_role("heading", name="Sign in").wait_for()
    dan.reload()
    dan.get_by_role("heading", name="Sign in").wait_for()
    for page in pages.values():
        page.context.close()


def test_what_comes_from_a_watched_source_appears(serve, browse, tmp_path):
    """In the queue, beside the item that is shown, and on the page of the source."""
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n" + "".join(f"i{k},{w},{w}\n" for k in range(6) for w in "xy"))
    server = serve("--watch", path, "--every", "0.1", "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    other = page.context.new_page()
    other.goto(f"http://{server.host}/live")
    other.get_by_text("0 of 6 items").wait_for()
    page.bring_to_front()
    page.goto(f"http://{server.host}/decide?question=label&item=%22i0%22")
    desk(page)
    page.keyboard.press("a")
    with path.open("a") as file:
        file.write("i0,z,x\nnew,x,x\nnew,y,y\n")
    page.get_by_text("Meanwhile the answers to this item changed").wait_for()
    page.locator(".items").get_by_text("new").wait_for()
    assert page.locator(".choice[aria-pressed=true]").count() == 1  # what is chosen here stays
    other.bring_to_front()
    other.get_by_text("0 of 7 items").wait_for()
    page.bring_to_front()
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_selector("main:not([aria-busy]) .desk:not(:has(.problem p))")
    page.keyboard.press("a")
    keep(page)


def test_what_follows_from_decisions_and_an_audit(serve, browse, tmp_path):
    """A decision against somebody is told them, and a sample of the items on which all agree is looked at."""
    page = browse(serve(FILES / "posts.csv", "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".question")
    page.get_by_role("link", name="Decide", exact=True).click()
    name = desk(page)
    page.locator(".choice").nth(1).click()
    page.get_by_label("Reason", exact=True).select_option("Slip")
    page.get_by_role("button", name="Save Enter").click()
    page.wait_for_function("name => document.getElementById('item')?.textContent !== name", arg=name)
    page.get_by_role("link", name="After").click()
    page.get_by_label("Items in the sample").fill("4")
    page.get_by_role("button", name="Draw a sample").click()
    page.get_by_role("link", name="Look at the sample").click()
    for key in "aaan":
        before = desk(page)
        assert page.locator(".badge").first.inner_text() == "all agree"
        assert not page.get_by_text("Settle many at once").count()
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.wait_for_function("name => document.getElementById('item')?.textContent !== name", arg=before)
    page.get_by_role("link", name="What that says").click()
    page.get_by_text("1 is wrong: 25.0%").wait_for()
    told = page.get_by_role("region", name="Annotators against the gold: value").locator("tbody tr")
    row = told.filter(has=page.locator("td:nth-child(2):text-is('1')")).first
    row.get_by_role("link").click()
    page.get_by_role("heading", name="decided otherwise").wait_for()
    assert page.locator("tbody tr td").first.inner_text() == name
    with page.expect_download() as waiting:
        page.get_by_role("button", name="A page", exact=True).click()
    path = tmp_path / "page.html"
    waiting.value.save_as(path)
    assert "Slip" in path.read_text(encoding="utf-8")


VIEWS = ["/", "/decide", "/decisions", "/annotators", "/after", "/reading", "/export"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("file", ["posts.csv", "notices.jsonl", "label_studio.json"])
def test_everybody_can_use_it(scheme, file, serve, browse, tmp_path, need):
    axe = need("axe_playwright_python.sync_playwright").Axe()
    server = serve(FILES / file, "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server, color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_selector(".question")
    for view in VIEWS:
        page.goto(f"http://{server.host}{view}")
        page.wait_for_selector("main h1")
        if view == "/decide":
            desk(page)
            for summary in page.locator("details > summary").all():
                summary.click()
            page.keyboard.press("a")
        for wide in (1280, 390):
            page.set_viewport_size({"width": wide, "height": 800})
            found = axe.run(page).response["violations"]
            assert [(entry["id"], [node["target"] for node in entry["nodes"]]) for entry in found] == [], (view, wide)
            assert page.evaluate("document.documentElement.scrollWidth") <= wide
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"http://{server.host}/")
    page.wait_for_selector(".worst .view")
    assert page.evaluate("document.documentElement.scrollHeight") <= 800  # one screen


@pytest.mark.parametrize("questions", [3, 8])
def test_many_questions_are_on_one_screen(questions, serve, browse, tmp_path, need):
    axe = need("axe_playwright_python.sync_playwright").Axe()
    path = tmp_path / "codes.csv"
    names = [f"code {number}" for number in range(questions)]
    rows = [
        f"i{item},{who},"
        + ",".join("abc"[(item * number + who * (item % 3)) % 3] for number in range(1, questions + 1))
        for item in range(30)
        for who in range(3)
    ]
    path.write_text("\n".join(["item,annotator," + ",".join(names), *rows]) + "\n", encoding="utf-8")
    words = ["--item", "item", "--annotator", "annotator", *(word for name in names for word in ("--value", name))]
    page = browse(serve(path, *words, "--project", tmp_path / "w.interagree", "--port", "0", enter=False))
    page.wait_for_selector(".question", timeout=60_000)  # eight questions are measured
    assert page.locator(".question").count() == questions
    assert page.evaluate("document.documentElement.scrollHeight") <= 800
    for wide in (1280, 390):
        page.set_viewport_size({"width": wide, "height": 800})
        assert [entry["id"] for entry in axe.run(page).response["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
