"""Pages in a real browser: what is read, sorted, searched, ticked, taken away, printed, and heard."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from browser.documents import COMMAND, HOSTILE, hostile, items, report

from interagree.results.document import Document, Section, write_document

pytestmark = pytest.mark.xdist_group("browser")

IN_SIGHT = """name => {
  const {top, bottom} = document.querySelector(`[data-item="${name}"]`).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""
FIRST = '=p000,\u202e"x"'


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_document(report(), path)
    return path


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    write_document(hostile(), path)
    return path


def column(page, section, place):
    return page.locator(f"#{section} tbody tr").evaluate_all(f"rows => rows.map(row => row.cells[{place}].textContent)")


def cards(page):
    return page.locator(".card").evaluate_all("cards => cards.map(card => card.dataset.item)")


def focused(page):
    return page.evaluate("document.activeElement.dataset.item ?? document.activeElement.id")


def download(page, words):
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Download the ticked items: {words}").click()
    file = waiting.value
    return file.suggested_filename, Path(file.path()).read_text(encoding="utf-8")


# -- what is read ---------------------------------------------------------------------------------------------------


def test_the_verdict_comes_first_and_is_large(visit, page_file):
    page = visit(page_file)
    assert page.title() == "A pilot study"
    first = page.locator("main section").first
    assert first.get_by_role("heading").text_content() == "In short"
    sizes = [
        float(page.locator(where).first.evaluate("p => parseFloat(getComputedStyle(p).fontSize)"))
        for where in (".verdict p", "#pairs p")
    ]
    assert sizes[0] > 1.2 * sizes[1]


def test_advice_is_a_numbered_list_with_commands_to_copy(visit, page_file):
    page = visit(page_file, permissions=["clipboard-read", "clipboard-write"])
    steps = page.locator("#what-to-do-next ol.steps > li")
    assert steps.evaluate_all("steps => steps.map(step => step.value)") == [1, 2]
    assert steps.nth(1).inner_text() == "Define fine against rude."
    assert steps.first.inner_text().startswith("Look at the 20 items worth most")
    assert "→" not in steps.first.inner_text()
    assert page.locator("code.command").text_content() == COMMAND
    button = page.get_by_role("button", name="Copy command")
    button.click()
    page.get_by_text("Command copied").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == COMMAND
    assert button.text_content() == "Copied"


def test_contents_lead_to_the_sections_and_mark_what_is_read(visit, page_file):
    page = visit(page_file)
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="Pairs").click()
    page.wait_for_function("() => document.querySelector('#pairs').getBoundingClientRect().top < innerHeight / 2")
    assert page.evaluate("location.hash") == "#pairs"
    page.wait_for_function("() => document.querySelectorAll('nav a[aria-current]').length === 1")


def test_a_table_of_shades_has_numbers_and_a_chart_has_words(visit, page_file):
    page = visit(page_file)
    cell = page.locator("#pairs tbody td").filter(has_text="0.80").first
    assert cell.evaluate("cell => getComputedStyle(cell).backgroundColor") != "rgba(0, 0, 0, 0)"
    assert page.get_by_role("img", name="Alpha of labels.").count() == 1


def test_rows_that_should_be_seen_are_marked(visit, page_file):
    page = visit(page_file)
    assert page.locator("tr.flagged").evaluate_all("rows => rows.map(row => row.cells[0].textContent)") == ["a"]


# -- tables ---------------------------------------------------------------------------------------------------------


def test_a_click_on_a_head_sorts_and_undefined_numbers_stay_last(visit, page_file):
    page = visit(page_file)
    head = page.locator("#coefficients").get_by_role("columnheader", name="value")
    button = head.get_by_role("button")
    orders = []
    for _ in range(3):
        button.click()
        orders.append((head.get_attribute("aria-sort"), column(page, "coefficients", 0)))
    assert orders == [("ascending", ["c", "b", "a"]), ("descending", ["b", "c", "a"]), (None, ["b", "a", "c"])]
    page.locator("#coefficients").get_by_role("button", name="measure").press("Enter")
    assert column(page, "coefficients", 0) == ["a", "b", "c"]
    assert head.get_attribute("aria-sort") is None


def test_a_long_table_can_be_searched(visit, page_file):
    page = visit(page_file)
    box = page.locator("#all-rows").get_by_role("searchbox")
    box.fill("ROW 12")
    assert page.locator("#all-rows tbody tr:visible").count() == 1
    page.locator("#all-rows").get_by_text("1 of 30 rows").wait_for()
    box.fill("")
    assert page.locator("#all-rows tbody tr:visible").count() == 30
    assert page.locator("#coefficients").get_by_role("searchbox").count() == 0


# -- items to look through ------------------------------------------------------------------------------------------


def test_items_are_shown_page_by_page(visit, page_file):
    page = visit(page_file)
    assert cards(page) == [FIRST, *(f"p{place:03d}" for place in range(1, 20))]
    page.get_by_role("button", name="Items after").click()
    page.get_by_role("button", name="Items after").click()
    assert cards(page) == [f"p{place:03d}" for place in range(40, 45)]
    assert page.get_by_role("button", name="Items after").is_disabled()


def test_items_are_searched_and_filtered(visit, page_file):
    page = visit(page_file)
    data = items()
    page.get_by_label("Search").fill("post 31:")
    assert cards(page) == ["p031"]
    page.get_by_role("button", name="Show all").click()

    def wanted(test):
        return [item["id"] for item in data["items"] if test(item)][:20]

    page.get_by_role("combobox", name="Type").select_option(label="split")
    assert cards(page) == wanted(lambda item: item["type"] == 1)
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("combobox", name="Label").select_option(label="spam")
    assert cards(page) == wanted(lambda item: any(value == 2 for _, value in item["answers"]))
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("combobox", name="Annotator").select_option(label="ann")
    page.get_by_role("combobox", name="differing from").select_option(label="bo")
    assert cards(page) == wanted(lambda item: item["answers"][0][1] != item["answers"][1][1])
    page.get_by_label("Search").fill("nothing like that")
    page.get_by_text("No items match").wait_for()


def test_items_are_put_in_order(visit, page_file):
    page = visit(page_file)
    page.get_by_role("combobox", name="Order").select_option(label="Most disagreement")
    data = items()["items"]
    by_disagreement = sorted(data, key=lambda item: -(item["disagreement"] if item["disagreement"] is not None else -1))
    assert cards(page) == [item["id"] for item in by_disagreement][:20]
    page.get_by_role("combobox", name="Order").select_option(label="Item")
    assert cards(page)[1] == "p001"


def test_ticked_items_are_taken_away_as_csv(visit, page_file):
    page = visit(page_file)
    assert page.get_by_role("button", name="Download the ticked items: CSV").is_disabled()
    page.get_by_role("checkbox", name="Tick p004").check()
    page.get_by_role("checkbox", name="Tick =p000").check()
    page.get_by_text("2 items ticked").wait_for()
    name, text = download(page, "CSV")
    assert name == "queue-tone.csv"
    first, second = csv.DictReader(io.StringIO(text, newline=""))
    assert first["item"] == f"'{FIRST}"  # not a formula
    assert (first["rank"], first["type"], first["suggested"]) == ("1", "tie", "")
    assert first["answers"] == "ann: fine; bo: rude; cy: rude"
    assert first["text"] == items()["items"][0]["text"]
    assert (second["rank"], second["item"], second["worth"]) == ("2", "p004", str(items()["items"][4]["worth"]))


def test_ticked_items_are_taken_away_as_json_and_for_label_studio(visit, page_file):
    page = visit(page_file)
    page.get_by_role("checkbox", name="Tick p001").check()
    page.get_by_role("checkbox", name="Tick p002").check()
    rows = json.loads(download(page, "JSON")[1])
    assert [row["item"] for row in rows] == ["p001", "p002"]
    assert rows[0]["suggested"] == "rude"
    assert rows[0]["answers"] == [
        {"annotator": who, "value": what}
        for who, what in zip(["ann", "bo", "cy"], ["rude", "rude", "spam"], strict=True)
    ]
    name, text = download(page, "Label Studio")
    assert name == "queue-tone-label-studio.json"
    first, second = json.loads(text)
    assert first["data"] == {"item": "p001", "text": items()["items"][1]["text"]}
    (result,) = first["predictions"][0]["result"]
    assert result == {"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": ["rude"]}}
    assert "predictions" not in second
    assert second["data"]["text"] == "p002"  # which has no text


def test_what_was_ticked_is_remembered(visit, page_file):
    page = visit(page_file)
    page.get_by_role("checkbox", name="Tick p003").check()
    page.reload()
    page.get_by_text("1 item ticked").wait_for()
    assert page.get_by_role("checkbox", name="Tick p003").is_checked()
    page.get_by_role("button", name="Untick all").click()
    assert page.get_by_role("button", name="Untick all").is_disabled()


def test_without_storage_only_the_memory_is_missing(visit, page_file):
    page = visit(page_file)
    page.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no'); }})"
    )
    page.reload()
    page.get_by_role("checkbox", name="Tick p003").check()
    assert download(page, "JSON")[0] == "queue-tone.json"


def test_a_link_opens_an_item_wherever_it_is(visit, page_file):
    page = visit(page_file, "#question=tone&item=p033", permissions=["clipboard-read", "clipboard-write"])
    card = page.locator('[data-item="p033"]')
    card.wait_for()
    assert focused(page) == "p033"
    page.wait_for_function(IN_SIGHT, arg="p033")
    card.get_by_role("button", name="Copy link to p033").click()
    page.get_by_text("Link to p033 copied").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == f"{page_file.as_uri()}#question=tone&item=p033"
    page.get_by_label("Search").fill("p001")
    page.evaluate("location.hash = '#item=p044'")
    page.locator('[data-item="p044"]').wait_for()
    assert page.get_by_label("Search").input_value() == ""
    page.evaluate("location.hash = '#question=tone&item=gone'")
    page.get_by_role("alert").get_by_text("Item gone is not among those on this page").wait_for()


ODD = [
    "50% off",
    "a#b",
    "a&item=b",
    "ünï 日本",
    "a=b",
    "a+b",
    "x y",
    " lead",
    "%41",
    "?x",
    '"q"',
    "<b>",
    "عربي",
    "it's",
    "",
]


def test_links_to_items_with_odd_names(visit, tmp_path):
    data = items(len(ODD))
    for item, name in zip(data["items"], ODD, strict=True):
        item["id"] = name
    write_document(Document("Odd", [Section("Items", browser=data)]), tmp_path / "page.html")
    page = visit(tmp_path / "page.html", permissions=["clipboard-read", "clipboard-write"])
    for place, name in enumerate(ODD):
        page.locator(".card").nth(place).get_by_role("button", name="Copy link").click()
        page.evaluate("address => { location.href = address; }", page.evaluate("navigator.clipboard.readText()"))
        page.wait_for_function("name => document.activeElement.dataset.item === name", arg=name)
        page.evaluate("name => { location.hash = '#item=' + encodeURIComponent(name); }", name)
        page.wait_for_function("name => document.activeElement.dataset.item === name", arg=name)
    page.evaluate("location.hash = '#item=a+b'")  # as a person would write it
    page.wait_for_function("document.activeElement.dataset.item === 'a+b'")
    page.go_back()
    page.wait_for_function("document.activeElement.dataset.item === ''")
    assert page.get_by_role("alert").count() == 0


def test_ticks_survive_filters_and_those_found_are_ticked_together(visit, page_file):
    page = visit(page_file)
    page.get_by_role("checkbox", name="Tick p001").check()
    page.get_by_label("Search").fill("p03")
    page.get_by_role("button", name="Tick the 10 items found").click()
    page.get_by_text("11 items ticked").wait_for()
    assert page.get_by_role("button", name="Tick the 10 items found").is_disabled()
    page.get_by_label("Search").fill("nothing like that")
    page.get_by_text("11 items ticked").wait_for()
    page.get_by_role("button", name="Show all").click()
    assert page.get_by_role("checkbox", name="Tick p001").is_checked()
    page.get_by_role("button", name="Tick all 45 items").click()
    assert len(json.loads(download(page, "JSON")[1])) == 45


def test_everything_can_be_done_with_the_keyboard(visit, page_file):
    page = visit(page_file)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    page.locator(".browser").scroll_into_view_if_needed()
    for key, item in (("j", FIRST), ("j", "p001"), ("ArrowDown", "p002"), ("k", "p001"), ("ArrowUp", FIRST)):
        page.keyboard.press(key)
        assert focused(page) == item, key
    page.keyboard.press("x")
    assert page.get_by_role("checkbox", name="Tick =p000").is_checked()
    for _ in range(20):
        page.keyboard.press("j")
    assert focused(page) == "p020"
    page.keyboard.press("k")
    assert focused(page) == "p019"
    page.keyboard.press("/")
    page.keyboard.type("p03")
    assert cards(page) == [f"p03{place}" for place in range(10)]
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.wait_for()
    dialog.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.keyboard.press("j")
    assert focused(page) != "p030"


# -- looks ----------------------------------------------------------------------------------------------------------


def ground(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_theme_follows_the_system_and_the_button(visit, page_file):
    page = visit(page_file, color_scheme="dark")
    dark = ground(page)
    page.locator("#theme").click()
    light = ground(page)
    assert light != dark
    page.reload()
    assert ground(page) == light
    page.locator("#theme").click()
    assert ground(page) == dark
    assert ground(visit(page_file, color_scheme="light")) == light


def test_on_paper_everything_is_open_and_nothing_can_be_pressed(visit, page_file):
    page = visit(page_file, color_scheme="dark")
    page.emulate_media(media="print")
    page.wait_for_function("() => document.querySelectorAll('.card').length === 45")
    assert page.locator("button:visible, select:visible, nav:visible, input:visible").count() == 0 or all(
        page.locator("button:visible, select:visible, input:visible").evaluate_all(
            "found => found.map(one => one.classList.contains('sort'))"
        )
    )
    assert page.locator("pre.copied").is_visible()
    assert ground(page) == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")
    page.wait_for_function("() => document.querySelectorAll('.card').length === 20")
    assert not page.locator("pre.copied").is_visible()


def test_without_javascript_everything_is_shown_but_the_items(visit, page_file):
    page = visit(page_file, java_script_enabled=False)
    assert "needs JavaScript" in page.locator("noscript p").inner_text()
    assert page.locator("noscript p").is_visible()
    for name in ("In short", "What to do next", "Coefficients", "All rows", "Pairs"):
        assert page.get_by_role("heading", name=name).is_visible()
    assert page.get_by_role("button").count() == 0
    assert page.get_by_role("navigation", name="Contents").get_by_role("link", name="Pairs").is_visible()


@pytest.mark.parametrize("width", [320, 768])
def test_a_narrow_screen_is_not_scrolled_sideways(visit, page_file, hostile_file, width):
    for file in (page_file, hostile_file):
        page = visit(file, viewport={"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    contents = visit(page_file, viewport={"width": width, "height": 700}).locator("#contents")
    assert contents.get_attribute("open") is None
    contents.locator("summary").click()
    assert contents.get_by_role("link", name="Pairs").is_visible()


def test_text_from_right_to_left_runs_so(visit, tmp_path):
    document = Document("דוח", [Section("פרק", browser=items())])
    write_document(document, tmp_path / "page.html")
    page = visit(tmp_path / "page.html")
    page.locator(".card").first.wait_for()
    assert page.locator("h1").evaluate("head => getComputedStyle(head).direction") == "rtl"
    assert page.locator("h2").first.evaluate("head => getComputedStyle(head).direction") == "rtl"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_nothing_serious(visit, page_file, hostile_file, need, scheme, width):
    axe = need("axe_playwright_python.sync_playwright").Axe()
    for file in (page_file, hostile_file):
        page = visit(file, color_scheme=scheme, viewport={"width": width, "height": 800})
        page.locator(".card .tick input").first.check()
        violations = [
            (entry["id"], [node["html"][:120] for node in entry["nodes"]][:3])
            for entry in axe.run(page).response["violations"]
            if entry["impact"] in ("serious", "critical")
        ]
        assert violations == []


# -- hostile names --------------------------------------------------------------------------------------------------


def test_hostile_names_are_shown_and_not_obeyed(visit, hostile_file):
    page = visit(hostile_file)
    page.locator(".card").first.wait_for()
    assert page.locator("h1").text_content() == HOSTILE[0]
    assert page.locator("img, iframe, script[src], a[href^='javascript']").count() == 0
    assert page.evaluate("document.scripts.length") == 2
    first = page.locator(".card").nth(2)
    assert HOSTILE[2] in first.text_content()
    # Letters that turn others around are spelled out.
    assert "\\u202eback" in page.locator(".card").nth(5).text_content()
    assert "\u202e" not in page.locator("main").inner_text()
    for box in page.locator(".card .tick input").all()[:10]:
        box.check()
    assert json.loads(download(page, "JSON")[1])[5]["item"] == f"{HOSTILE[5]} 5"
    rows = list(csv.reader(io.StringIO(download(page, "CSV")[1], newline="")))
    assert not [cell for row in rows for cell in row if re.match(r"[=@\t\r\n]|[+-](?![\d.]|$)", cell)]
    page.get_by_role("button", name="Show all").scroll_into_view_if_needed()
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def test_a_script_that_gets_in_is_not_run(visit, page_file, tmp_path):
    # Were an escape forgotten, the policy would still keep the script from running.
    text = page_file.read_text(encoding="utf-8")
    path = tmp_path / "page.html"
    path.write_text(text.replace("<footer", "<script>document.title = 'taken'</script><footer"), encoding="utf-8")
    page = visit(path)
    assert page.title() == "A pilot study"
    (complaint,) = visit.complaints
    assert "Content Security Policy" in complaint
    visit.complaints.clear()
