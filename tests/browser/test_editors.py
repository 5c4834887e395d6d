"""The editors of answers with parts, in a real browser: by keyboard alone, by mouse, after a kill, read back equal."""

import json
import signal

import pytest
from desk import desk, gold, keep
from edited_files import ANSWERS, kind_of, png, written

import interagree as ia

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def started(serve, browse, tmp_path):
    """Opens the page on a small study; gives the page, its server, and what starts it again."""

    def started(name, **options):
        project = tmp_path / f"{name}.interagree"
        words = (written(name, tmp_path), "--kind", kind_of(name), "--project", project)
        server = serve(*words, "--port", "0", enter=False)
        page = browse(server, **options)
        page.wait_for_selector(".question")
        page.goto(f"http://{server.host}/decide")
        desk(page)

        def killed():
            server.end(signal.SIGKILL)
            browse.expected.append("net::ERR_")
            serve("--project", project, "--port", server.host.rpartition(":")[2], enter=False)
            page.reload()
            page.wait_for_selector("main:not([aria-busy]) h1")

        page.killed = killed
        return page

    return started


def read_back(page, tmp_path, name, item="i0"):
    """The answer to an item in the gold, and as the library reads what it should be."""
    back = ia.read(gold(page, tmp_path), item="item", annotator="annotator", value="value", kind=kind_of(name)).single()
    return {key: value for key, _, value in back.rows()}[item]


def as_read(name, value, tmp_path):
    path = tmp_path / "wanted.jsonl"
    path.write_text(json.dumps({"item": "x", "annotator": "gold", "value": value}) + "\n", encoding="utf-8")
    return ia.read(path, item="item", annotator="annotator", value="value", kind=kind_of(name)).single().values[0]


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def with_first(name, change):
    """The first answer, its first part changed."""
    parts = json.loads(json.dumps(ANSWERS[name][0]))
    change(parts)
    return parts


# What is pressed after an answer was taken and the editor entered, and what becomes of the answer.
KEYS = {
    "boxes": (
        ["ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowDown", "Shift+ArrowLeft", "2", "Tab", "ArrowLeft"],
        with_first("boxes", lambda boxes: boxes.__setitem__(0, [11, 19, 61, 80, "dog"])),
    ),
    "fractions": (["ArrowRight", "Shift+ArrowDown"], [[0.101, 0.2, 0.551, 0.601]]),
    "polygons": (
        ["ArrowDown", "Tab", "ArrowRight", "+", "Tab", "Delete"],
        with_first("polygons", lambda all_: all_[0].update(points=[[11, 11], [41, 13], [80, 61], [20, 51]])),
    ),
    "outlines": (["Tab", "Tab", "ArrowUp"], [[[10, 10], [70, 13], [80, 60], [20, 50]]]),
    "units": (
        ["ArrowRight", "Shift+ArrowRight", "Tab", "ArrowLeft", "2", "Tab", "Tab", "Delete"],
        [[1.5, 4.27, "reason"]],
    ),
    "lengths": (["ArrowRight", "Tab", "ArrowLeft", "Delete", "Tab", "Enter"], [3, 4, 4]),
    "types": (["ArrowRight", "1"], {"boundaries": {"mood": [3, 4], "topic": [5]}, "length": 11}),
    "rankings": (
        ["Shift+ArrowDown", "ArrowDown", "Shift+Home", "End", "Delete", *["Tab"] * 5, "Enter"],
        ["pear", "fig", "apple", "plum"],
    ),
}


def taken(page, who="ann"):
    """Take the answer of an annotator, and go into the editor with the keyboard."""
    press(page, page.locator(".choice", has_text=who).first.locator("kbd").inner_text(), "e")


@pytest.mark.parametrize("name", KEYS)
def test_by_keyboard_alone(name, started, tmp_path):
    page = started(name)
    keys, wanted = KEYS[name]
    taken(page)
    press(page, *keys)
    keep(page)
    page.killed()
    assert read_back(page, tmp_path, name) == as_read(name, wanted, tmp_path)


# ---------------------------------------------------------------------------------------------------------- the mouse


def drag(page, begin, end, *, steps=4):
    page.mouse.move(*begin)
    page.mouse.down()
    page.mouse.move(*end, steps=steps)
    page.mouse.up()


def in_picture(page, x, y):
    """Where a point of the image is on the screen."""
    page.locator(".v-edited").scroll_into_view_if_needed()
    return page.evaluate(
        """([x, y]) => { const picture = document.querySelector(".v-edited");
        const to = new DOMPoint(x, y).matrixTransform(picture.getScreenCTM()); return [to.x, to.y]; }""",
        [x, y],
    )


def on_line(page, place):
    """Where a position is on the line of units."""
    page.locator(".e-line").scroll_into_view_if_needed()
    box = page.locator(".e-line").bounding_box()
    low, high = page.locator(".e-line [role=slider]").first.evaluate(
        "node => [Number(node.getAttribute('aria-valuemin')), Number(node.getAttribute('aria-valuemax'))]"
    )
    return box["x"] + 1 + (place - low) / (high - low) * (box["width"] - 2), box["y"] + box["height"] / 2


def take(page, who="ann"):
    page.locator(".choice", has_text=who).first.click()


def save(page):
    before = page.url
    page.get_by_role("button", name="Save Enter").click()
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector("main:not([aria-busy]) :is(.desk, .message)")


def test_boxes_by_mouse(started, tmp_path):
    """Moved, sized by a handle that has a name, given another label, a number; one taken away, one drawn."""
    page = started("boxes")
    take(page)
    drag(page, in_picture(page, 30, 50), in_picture(page, 35, 48))
    handle = page.get_by_role("slider", name="Bottom right corner of box 1")
    assert handle.get_attribute("aria-valuetext") == "65, 78"
    drag(page, in_picture(page, 65, 78), in_picture(page, 70, 90))
    page.get_by_label("Label of box 1").select_option(label="dog")
    page.get_by_role("spinbutton", name="Left").fill("16")
    page.get_by_role("spinbutton", name="Top").click()
    page.get_by_role("button", name="Remove box 2").click()
    page.get_by_label("Label of what is new").select_option(label="cat")
    drag(page, in_picture(page, 90, 70), in_picture(page, 120, 85))
    save(page)
    page.killed()
    wanted = [[16, 18, 70, 90, "dog"], [90, 70, 120, 85, "cat"]]
    assert read_back(page, tmp_path, "boxes") == as_read("boxes", wanted, tmp_path)


def test_polygons_by_mouse(started, tmp_path):
    page = started("polygons")
    take(page)
    page.get_by_role("slider", name="car, polygon 1 of 2").focus()
    drag(page, in_picture(page, 70, 14), in_picture(page, 76, 20))
    drag(page, in_picture(page, 30, 40), in_picture(page, 30, 42))
    page.get_by_role("button", name="Remove polygon 2").click()
    page.get_by_label("Label of what is new").select_option(label="bus")
    drag(page, in_picture(page, 100, 50), in_picture(page, 120, 60))
    save(page)
    page.killed()
    wanted = [
        {"label": "car", "points": [[10, 12], [76, 22], [80, 62], [20, 52]]},
        {"label": "bus", "points": [[100, 50], [120, 50], [120, 60], [100, 60]]},
    ]
    assert read_back(page, tmp_path, "polygons") == as_read("polygons", wanted, tmp_path)


def test_units_by_mouse(started, tmp_path):
    page = started("units")
    take(page)
    page.get_by_role("slider", name="claim, unit 1 of 2").focus()
    drag(page, on_line(page, 4.25), on_line(page, 5.5))
    page.get_by_label("Begin", exact=True).fill("2")
    page.get_by_label("End", exact=True).fill("5.5")
    page.get_by_role("button", name="Remove unit 2").click()
    page.get_by_role("button", name="Add a unit").click()
    page.get_by_label("Label of unit 2").select_option(label="reason")
    page.get_by_label("Begin", exact=True).fill("6")
    page.get_by_label("End", exact=True).fill("9")
    save(page)
    page.killed()
    wanted = [[2, 5.5, "claim"], [6, 9, "reason"]]
    assert read_back(page, tmp_path, "units") == as_read("units", wanted, tmp_path)


def test_a_unit_is_drawn_with_the_mouse(started):
    page = started("units")
    take(page, "cy")
    drag(page, on_line(page, 2), on_line(page, 4))
    (_, drawn) = page.locator(".span-list q").all_inner_texts()
    begin, end = map(float, drawn.partition(". ")[2].split("–"))
    assert abs(begin - 2) < 0.1
    assert abs(end - 4) < 0.1


def test_boundaries_by_mouse(started, tmp_path):
    page = started("types")
    take(page, "cy")
    page.get_by_label("Label of what is new").select_option(label="topic")
    page.mouse.click(*on_line(page, 9))
    cut = page.get_by_role("slider", name="topic, boundary 3 of 3").bounding_box()
    begin = cut["x"] + cut["width"] / 2, cut["y"] + cut["height"] / 2
    drag(page, begin, (begin[0] - page.locator(".e-line").bounding_box()["width"] / 11, begin[1]))
    page.get_by_role("button", name="Remove boundary 1").click()
    save(page)
    page.killed()
    wanted = {"boundaries": {"mood": [3], "topic": [8]}, "length": 11}
    assert read_back(page, tmp_path, "types") == as_read("types", wanted, tmp_path)


def test_rankings_by_mouse(started, tmp_path):
    page = started("rankings")
    take(page)
    rows = page.locator(".ranks li")
    first, third = rows.nth(0).bounding_box(), rows.nth(2).bounding_box()
    drag(page, (first["x"] + 60, first["y"] + 8), (third["x"] + 60, third["y"] + 8))
    page.get_by_role("button", name="↓ Down").click()  # the entry that was dragged
    rows.nth(1).click()
    page.get_by_role("button", name="Take out").click()
    page.get_by_role("button", name="Rank pear last").click()
    save(page)
    page.killed()
    assert read_back(page, tmp_path, "rankings") == ("fig", "plum", "apple", "pear")


# ------------------------------------------------------------------------------------------- parts, and what all gave


def test_one_box_is_taken_from_an_answer(started, tmp_path):
    page = started("boxes")
    given = page.get_by_role("group", name="Boxes that somebody drew").get_by_role("checkbox")
    assert [box.is_checked() for box in given.all()] == [False, False, True]  # you begin with what all drew
    given.nth(1).check()
    save(page)
    page.goto(page.url.partition("?")[0] + "?question=value&item=%22i0%22")  # what was decided is edited on from there
    desk(page)
    assert [box.is_checked() for box in given.all()] == [False, True, True]
    wanted = [ANSWERS["boxes"][2][0], ANSWERS["boxes"][1][0]]
    assert read_back(page, tmp_path, "boxes") == as_read("boxes", wanted, tmp_path)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("types", {"boundaries": {"topic": [2]}, "length": 11}), ("units", None), ("boxes", None), ("polygons", None)],
)
def test_what_all_agree_on_is_taken_by_a_key(name, wanted, started, tmp_path):
    """Of the others it is what one of the annotators gave, and stands among the answers."""
    page = started(name)
    offered = page.locator(".choice", has_text="only what all agree on")
    assert offered.count() == (wanted is not None)
    if wanted is not None:
        page.keyboard.press("o")
        assert offered.get_attribute("aria-pressed") == "true"
        keep(page)
        assert read_back(page, tmp_path, name) == as_read(name, wanted, tmp_path)


def test_what_the_server_refuses_is_said_and_stays(started, browse):
    browse.expected.append("422 (Unprocessable Entity)")
    page = started("lengths")
    taken(page)
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "Enter")  # onto the other boundary
    problem = page.locator(".problem")
    problem.get_by_text("0 units long").wait_for()
    press(page, "ArrowRight")
    assert page.locator(".span-list q").all_inner_texts() == ["1. after unit 6", "2. after unit 5"]


def test_a_box_stays_in_the_image_and_keeps_its_corners_apart(serve, browse, tmp_path):
    path = tmp_path / "sized.jsonl"
    rows = [
        {"item": "i", "annotator": who, "value": [[2, 2, 10 + add, 10]], "width": 20, "height": 12}
        for add, who in enumerate(("ann", "bo"))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    server = serve(path, "--kind", "boxes", "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide")
    desk(page)
    taken(page)
    press(page, *["ArrowLeft"] * 4, *["ArrowUp"] * 4, *["Shift+ArrowDown"] * 9, *["Shift+ArrowLeft"] * 9)
    assert page.locator(".span-list q").all_inner_texts() == ["1. from 0, 0 to 1, 12"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boxes_are_drawn_on_the_image_and_stay_in_it(scheme, serve, browse, tmp_path, need):
    axe = need("axe_playwright_python.sync_playwright").Axe()
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "one.png").write_bytes(png(80, 60))
    path = tmp_path / "photos.jsonl"
    rows = [
        {"item": "one", "annotator": who, "image": "one.png", "value": [[10, 10, 40 + add, 40, "cat"]]}
        for add, who in enumerate(("ann", "bo"))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    project = tmp_path / "work.interagree"
    server = serve(path, "--image-folder", photos, "--project", project, "--port", "0", enter=False)
    page = browse(server, color_scheme=scheme)
    page.wait_for_selector(".worst svg image[width='80']")
    page.goto(f"http://{server.host}/decide")
    desk(page)
    page.wait_for_selector(".v-edited[viewBox='0 0 80 60']")
    take(page)
    drag(page, in_picture(page, 20, 20), in_picture(page, 75, 55))  # farther than there is room
    drag(page, in_picture(page, 2, 2), in_picture(page, 12, 8))
    assert [entry["id"] for entry in axe.run(page).response["violations"]] == []
    save(page)
    (row,) = [json.loads(line) for line in gold(page, tmp_path).read_text(encoding="utf-8").splitlines()]
    assert row["value"] == [[50, 30, 80, 60, "cat"], [2, 2, 12, 8, "cat"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["boxes", "polygons", "units", "types", "rankings"])
def test_everybody_can_edit(scheme, name, started, need):
    axe = need("axe_playwright_python.sync_playwright").Axe()
    page = started(name, color_scheme=scheme, reduced_motion="reduce")
    taken(page)
    press(page, "Shift+ArrowDown", "Shift+ArrowRight", "Tab")
    for wide in (1280, 390):
        page.set_viewport_size({"width": wide, "height": 800})
        found = axe.run(page).response["violations"]
        assert [(entry["id"], [node["target"] for node in entry["nodes"]]) for entry in found] == [], wide
        assert page.evaluate("document.documentElement.scrollWidth") <= wide


# -------------------------------------------------------------------------------------------------- marks in a text


TEXT = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd \U0001f600 Ann lives in Rome"


@pytest.fixture
def marking(serve, browse, tmp_path):
    """The editor of spans, by keyboard, in a text that begins from right to left."""

    def marking(text):
        path = tmp_path / "texts.jsonl"
        ann = text.index("Ann")
        rows = [
            {"item": "d", "annotator": "ann", "value": [[ann, ann + 3, "PER"]], "text": text},
            {"item": "d", "annotator": "bo", "value": [[ann, ann + 3, "LOC"]], "text": text},
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        server = serve(path, "--kind", "spans", "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
        page = browse(server)
        page.wait_for_selector(".question")
        page.goto(f"http://{server.host}/decide")
        desk(page)
        page.keyboard.press("e")
        return page

    return marking


def marks(page, tmp_path, text):
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="All settled").wait_for()
    (row,) = [json.loads(line) for line in gold(page, tmp_path).read_text(encoding="utf-8").splitlines()]
    return [(text[begin:end], label) for begin, end, label in row["value"]]


def test_a_word_cursor_marks_and_brackets_move_the_ends(marking, tmp_path):
    page = marking("Ann lives in Rome today.")
    select = page.get_by_label("Label to mark with")
    options = select.locator("option").all_inner_texts()
    number = str(options.index("LOC") + 1)
    press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", number, "Space")  # "in Rome"
    press(page, *["}"] * 3, "]", "[", "[", "]")  # the beginning three on, the end on, twice back, on
    assert page.locator(".span-list q").all_inner_texts() == ["Rome"]
    press(page, "{", "}")
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft", str(options.index("PER") + 1), "Space")
    press(page, "ArrowRight", "Space", "Delete")  # marked, and taken away again
    assert marks(page, tmp_path, "Ann lives in Rome today.") == [("Ann", "PER"), ("Rome", "LOC")]


def test_from_right_to_left_what_is_marked_is_what_is_stored(marking, tmp_path):
    """The left arrow goes on in such a text, and an emoji is one letter."""
    page = marking(TEXT)
    press(page, "ArrowLeft", "1", "Space")
    assert marks(page, tmp_path, TEXT)[0][0] == TEXT.split()[1]


def test_letter_keys_that_are_off_choose_nothing_and_the_editor_keeps_its_own(marking):
    page = marking("Ann lives in Rome today.")
    page.get_by_label("Letter keys").uncheck()
    page.locator("main").focus()
    press(page, "a", "b", "o", "n", "x", "s", "u")
    assert page.locator(".choice[aria-pressed=true]").count() == 0
    assert page.get_by_role("button", name="Save Enter").is_disabled()
    page.locator(".span-text").focus()
    press(page, "1", "Space")
    assert page.locator(".span-list q").all_inner_texts() == ["Ann"]


def test_boxes_and_entries_are_dragged_with_a_finger(started):
    def drag_by_touch(page, begin, end):
        session = page.context.new_cdp_session(page)
        for kind, (x, y) in (("touchStart", begin), ("touchMove", begin), ("touchMove", end), ("touchMove", end)):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    phone = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
    page = started("boxes", **phone)
    page.locator(".choice", has_text="ann").first.tap()
    page.get_by_role("slider", name="cat, box 1 of 2").focus()
    drag_by_touch(page, in_picture(page, 60, 80), in_picture(page, 70, 75))
    assert page.locator(".span-list q").first.inner_text() == "1. from 10, 20 to 70, 75"
    page = started("rankings", **phone)
    page.locator(".choice", has_text="ann").first.tap()
    first, third = (page.locator(".ranks .grip").nth(place) for place in (0, 2))
    third.scroll_into_view_if_needed()
    begin, end = ((box["x"] + 5, box["y"] + 8) for box in (first.bounding_box(), third.bounding_box()))
    drag_by_touch(page, begin, end)
    assert page.locator(".ranks bdi").all_inner_texts() == ["fig", "pear", "apple", "plum"]


def test_of_many_answers_none_takes_a_key_that_does_something_else(serve, browse, tmp_path):
    path = tmp_path / "many.csv"
    rows = [f"i,{who},{label}\n" for who, label in zip(range(20), "ABCDEFGHIJKLMNOPQRST", strict=True)]
    path.write_text("item,annotator,label\n" + "".join(rows) + "j,0,A\nj,1,B\n", encoding="utf-8")
    server = serve(path, "--project", tmp_path / "w.interagree", "--port", "0", enter=False)
    page = browse(server)
    page.wait_for_selector(".question")
    page.goto(f"http://{server.host}/decide?question=label&item=%22i%22")
    desk(page)
    keys = page.locator(".choices[aria-label=Answers] kbd").all_inner_texts()
    page.get_by_text("Keys", exact=True).click()
    done = page.locator(".settings dt").all_inner_texts()
    assert len(keys) == len(set(keys)) == 19
    assert not {*keys} & {*done}
    page.locator("main").focus()
    page.keyboard.press("e")
    assert page.locator(".choice[aria-pressed=true]").count() == 0
    assert page.evaluate("document.activeElement.closest('.editing') !== null")
