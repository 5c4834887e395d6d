"""How items of every kind are drawn in a real browser: all of them, in words too, and inert whatever they say."""

import json
import re
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from browser.documents import HOSTILE

from interagree.data import Annotations
from interagree.kinds._views import VIEWS
from interagree.plugins import KINDS
from interagree.reports.browser import LIMIT, sections
from interagree.reports.parts import measured
from interagree.results.document import Document
from interagree.results.page import page

PEOPLE = ("ann", "bo", "cy", "di", "ed")
ARABIC = "فاز محمد صلاح بالجائزة في القاهرة يوم الاثنين."
MIXED = "👳🏻\u200d♀️ met 王小明 in Zürich 🥳 on Monday."
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg"
    "=="
)


def study_of(items, kind=None, **attributes):
    rows = [(item, who, value) for item, values in items.items() for who, value in zip(PEOPLE, values, strict=False)]
    columns = {name: [by_item[item] for item, _, _ in rows] for name, by_item in attributes.items()}
    made = Annotations.from_columns(*zip(*rows, strict=True), attributes=columns)
    return made if kind is None else replace(made, of_kind=kind)


def of_kind(name):
    """A study of the examples of a kind."""
    examples = KINDS[name].examples[: len(PEOPLE)]
    study = study_of({"one": examples, "two": [examples[0], examples[1], examples[0]]}, name)
    return replace(study, ordered=True, of_kind=None) if name == "ordered" else study


def marked(text, *words):
    return tuple((text.index(word), text.index(word) + len(word), label) for word, label in words)


def spans():
    long = "Lorem ipsum dolor sit amet. " * 100
    at = long.index("dolor", 1200)
    items = {
        "arabic": [
            marked(ARABIC, ("محمد صلاح", "PER"), ("القاهرة", "LOC")),
            marked(ARABIC, ("محمد", "PER"), ("القاهرة", "ORG")),
            marked(ARABIC, ("محمد صلاح", "PER"), ("الاثنين", "DATE")),
        ],
        "mixed": [
            marked(MIXED, ("王小明", "PER"), ("Zürich", "LOC"), ("Monday", "DATE")),
            marked(MIXED, ("王小明 in", "PER"), ("Zürich", "ORG"), ("Monday", "DATE")),
            marked(MIXED, ("王小明", "PER"), ("Zürich", "LOC"), ("Monday", "DATE"), ("🥳", "EMO")),
        ],
        "long": [((at, at + 5, "A"),), ((at - 6, at + 5, "A"),), ((at, at + 5, "B"),)],
    }
    return study_of(items, "spans", text={"arabic": ARABIC, "mixed": MIXED, "long": long})


@pytest.fixture
def drawn(visit, tmp_path):
    """Opens the page of some studies, and gives the card of an item."""

    def opened(*studies, images=False, limit=LIMIT, **options):
        parts = [replace(measured(study, lenient=True), name=f"q{k}") for k, study in enumerate(studies)]
        document = Document("Items", sections(parts, images=images, limit=limit))
        file = tmp_path / "page.html"
        file.write_text(page(document), encoding="utf-8")
        made = visit(file, **options)
        made.locator(".card").first.wait_for()
        return made

    return opened


def card(made, item):
    return made.locator(f".card[data-item={json.dumps(item)}] .view")


# What stands in an element, piece by piece.
WORDS = """element => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) words.push(walker.currentNode.data.trim());
  return words;
}"""


def seen(card):
    """What of a card can be read, by those who do not see it, too."""
    return " ".join(card.text_content().split())


# -- every view -----------------------------------------------------------------------------------------------------


def test_every_view_is_defined():
    script = (files("interagree.results.page") / "views.js").read_text(encoding="utf-8")
    views = script.partition("interagree.views = {")[2].partition("\n};")[0]
    assert {*re.findall(r"^  (\w+)\(element, item, data\) \{", views, re.MULTILINE)} == {*VIEWS}


def test_nothing_makes_markup_or_style_of_text():
    for name in ("views.js", "page.js"):
        script = (files("interagree.results.page") / name).read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|cssText", script
        )
        assert not re.search(r"""setAttribute\(\s*["']style|["']?style["']?\s*:""", script)


def test_items_of_every_kind_are_drawn(drawn):
    made = drawn(*map(of_kind, sorted(KINDS)))
    assert made.locator(".card").count() == 2 * len(KINDS)
    for name, pair in zip(sorted(KINDS), [*pairwise(made.locator(".card .view").all())][::2], strict=True):
        for view in pair:
            words = view.evaluate(WORDS)
            answers = 3 if len({*words} & {*PEOPLE[3:]}) == 0 else len(KINDS[name].examples[: len(PEOPLE)])
            told = {word.partition(":")[0].removesuffix(" (suggested)") for word in words}
            told |= {name for word in told for name in word.split(", ")}
            assert told >= {*PEOPLE[:answers]}, name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_view(drawn, need, scheme):
    axe = need("axe_playwright_python.sync_playwright").Axe()
    made = drawn(spans(), *map(of_kind, sorted(KINDS)), color_scheme=scheme)
    for details in made.locator(".card details").all():
        details.evaluate("element => { element.open = true; }")
    violations = [
        (entry["id"], [node["html"][:160] for node in entry["nodes"]][:3])
        for entry in axe.run(made).response["violations"]
        if entry["impact"] in ("serious", "critical")
    ]
    assert violations == []


def test_hostile_names_labels_and_texts_are_inert_in_every_view(drawn):
    a, b, c = HOSTILE[1], HOSTILE[2], HOSTILE[0]
    text = f"{a} {b} {c} and words"
    values = {
        "labels": [a, b, c],
        "sets": [frozenset({a, b}), frozenset({c}), frozenset()],
        "spans": [((0, 9, a),), ((2, 9, b),), ()],
        "relations": [(((0, 4), (6, 9), a),), (((0, 4), (6, 9), b),), ()],
        "clusters": [((a, b), (c,)), ((a,), (b, c)), ((a, b, c),)],
        "boxes": [((0, 0, 4, 4, a),), ((1, 0, 5, 4, b),), ()],
        "trees": [(a, (b, c)), (a, (c, b)), (a, b)],
        "dependencies": [((2, a), (0, b)), ((0, a), (1, b)), ((2, b), (0, b))],
        "rankings": [(a, b, c), (b, a, c), (c, b, a)],
        "text": [a + " one", b + " two", c + " three"],
        "objects": [(a, None), (b, None), (c, None)],
    }
    studies = []
    for kind, given in values.items():
        study = study_of({a: given}, kind, text={a: text})
        studies.append(replace(study, annotators=(HOSTILE[5], b, c)))
    made = drawn(*studies)
    assert made.locator(".card").count() == len(values)
    assert made.locator("main img, main iframe, main script:not([type='application/json'])").count() == 0
    assert made.evaluate("window.name") == ""
    assert "\u202e" not in made.locator("main").inner_text()
    for view in made.locator(".card .view").all():
        assert "\\u202eback to front" in view.text_content()
        assert "onerror=alert(3)" in view.text_content()


# -- texts ----------------------------------------------------------------------------------------------------------


def test_marks_are_drawn_where_they_are(drawn):
    made = drawn(spans())
    rows = card(made, "mixed").locator(".v-grid tbody tr").all()
    said = [" ".join(row.text_content().split()) for row in rows]
    assert len(said) == 5
    for words, kind in (("王小明PER", "other ends"), ("王小明 inPER", "other ends"), ("ZürichORG", "other label")):
        assert any(words in row.replace(" ", "").replace("inPER", " inPER") or words in row for row in said), said
        assert any(kind in row for row in said)
    pieces = [piece.text_content() for piece in card(made, "mixed").locator(".v-piece").all()]
    assert pieces == ["王小明", " in", "Zürich", "🥳", "Monday"]
    arabic = card(made, "arabic").locator(".v-marked")
    assert arabic.evaluate("element => getComputedStyle(element).direction") == "rtl"
    assert arabic.locator(".v-piece").all_text_contents() == ["محمد", " صلاح", "القاهرة", "الاثنين"]
    assert card(made, "mixed").get_by_text("1 mark made by all").count() == 1


def test_each_annotator_has_a_lane_of_their_own(drawn):
    made = drawn(spans())
    piece = card(made, "mixed").locator(".v-piece", has_text="🥳")
    heights = piece.evaluate("element => getComputedStyle(element).backgroundPositionY")
    assert piece.get_attribute("title") == "ann: nothing\nbo: nothing\ncy: EMO"
    assert heights == "calc(100% - 1px)"  # the last of three
    both = (
        card(made, "mixed")
        .locator(".v-piece", has_text="王小明")
        .evaluate("element => getComputedStyle(element).backgroundPositionY")
    )
    assert both == "calc(100% - 11px), calc(100% - 6px), calc(100% - 1px)"


def test_marks_of_many_annotators_are_shades(drawn):
    text = "one two three"
    rows = [("x", f"annotator {k}", ((0, 3, "A"), *([(4, 7, "A")] if k < 5 else []))) for k in range(20)]
    study = Annotations.from_columns(*zip(*rows, strict=True), attributes={"text": [text] * len(rows)})
    view = card(drawn(replace(study, of_kind="spans")), "x")
    pieces = view.locator(".v-piece")
    shades = [piece.evaluate("element => element.style.backgroundColor") for piece in pieces.all()]
    assert [re.search(r"(\d+)%", shade)[1] for shade in shades] == ["50", "20"]
    assert "The darker, the more of 20 annotators marked it." in seen(view)
    assert view.locator(".v-marked").bounding_box()["height"] < 60


def test_long_texts_are_folded_around_what_differs(drawn):
    made = drawn(spans())
    long = card(made, "long").locator(".v-marked")
    assert len(long.text_content()) < 700
    folds = long.locator("button.v-fold")
    assert folds.count() == 2
    folds.first.focus()
    made.keyboard.press("Enter")
    assert folds.count() == 1
    folds.first.click()
    assert long.text_content().count("Lorem ipsum dolor sit amet.") >= 99
    assert long.locator(".v-piece").all_text_contents() == ["ipsum ", "dolor"]


def test_a_text_that_was_cut_says_so(drawn):
    text = "word " * 5000
    items = {name: [((5, 9, "A"),), ((5, 14, "A"),)] for name in "xy"}
    study = study_of(items, "spans", text=dict.fromkeys(items, text))
    made = drawn(study, limit=4000)
    assert "has no room for" in seen(card(made, "x"))
    made.locator(".card .tick input").first.check()
    with made.expect_download() as waiting:
        made.get_by_role("button", name="JSON").click()
    (taken,) = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert taken["cut"]
    assert taken["positions"] == "UTF-16 units of text"
    (mark,) = taken["answers"][1]["value"]
    assert taken["text"][mark["start"] : mark["end"]] == "word word"
    assert card(made, "x").locator(".v-piece").all_text_contents() == ["word", " word"]
    assert "texts are cut to 1,024 characters on either side" in " ".join(made.locator("main").inner_text().split())


def test_words_that_differ_are_marked(drawn):
    made = drawn(study_of({"x": ["the cat sat", "the dog sat", "the cat sat"]}, "text"))
    view = card(made, "x")
    assert view.locator("dd").first.text_content() == "the cat sat"
    assert [view.locator(f"dd {tag}").text_content().strip() for tag in ("del", "ins")] == ["cat", "dog"]


# -- pictures -------------------------------------------------------------------------------------------------------


def test_annotators_can_be_hidden_with_the_keyboard(drawn):
    made = drawn(of_kind("boxes"))
    view = card(made, "one")
    layer = view.locator("svg.v-picture g").nth(1)
    assert layer.is_visible()
    view.get_by_label("bo").focus()
    made.keyboard.press("Space")
    assert not layer.is_visible()
    made.keyboard.press("Space")
    assert layer.is_visible()


def test_an_image_is_loaded_only_where_that_is_allowed(drawn):
    boxes = [((0, 0, 4, 4),), ((1, 0, 5, 4),)]
    study = study_of({"x": boxes, "y": boxes}, "boxes", image=dict.fromkeys("xy", PIXEL))
    assert drawn(study).locator("image").count() == 0
    made = drawn(study, images=True)
    made.locator('.card[data-item="x"] svg.v-picture[viewBox="0 0 1 1"]').wait_for()
    assert card(made, "x").locator("image").get_attribute("href") == PIXEL
    labels = study_of({"x": ["a", "b"], "y": ["a", "a"]}, image=dict.fromkeys("xy", PIXEL))
    picture = card(drawn(labels, images=True), "x").locator("img")
    assert picture.get_attribute("alt") == "Image of x"


@pytest.mark.parametrize(("side", "width"), [(4, 1280), (4000, 1280), (4000, 390)])
def test_labels_of_objects_are_as_large_as_other_words(drawn, side, width):
    made = drawn(
        study_of({"x": [((0, 0, side, side, "cat"),), ((0, side / 2, side / 2, side, "dog"),)]}, "boxes"),
        viewport={"width": width, "height": 800},
    )
    labels = card(made, "x").locator("svg.v-picture text")
    assert labels.all_text_contents() == ["cat", "dog"]
    assert all(8 < label.bounding_box()["height"] < 30 for label in labels.all())


def test_labels_that_would_lie_on_each_other_are_one_and_stay_in_the_picture(drawn):
    long = "a label with many words"
    first = [((0, 0, 50, 50, label), (380, 100, 400, 120, long)) for label in ("cat", "dog", "cat")]
    study = study_of({"x": first}, "boxes", width={"x": 400}, height={"x": 200})
    view = card(drawn(study), "x")
    labels = view.locator("svg.v-picture text")
    assert labels.all_text_contents() == ["cat ×2, dog", long]
    picture = view.locator("svg.v-picture").bounding_box()
    for label in labels.all():
        box = label.bounding_box()
        halo = 6
        assert box["x"] >= picture["x"] - halo
        assert box["y"] >= picture["y"] - halo
        assert box["x"] + box["width"] <= picture["x"] + picture["width"] + halo
    view.get_by_label("bo").uncheck()
    assert labels.all_text_contents() == ["cat", long]


def cards(made):
    return made.locator(".card").evaluate_all("cards => cards.map(card => card.dataset.item)")


def test_items_are_chosen_by_how_objects_differ(drawn):
    box = (0, 0, 10, 10, "cat")
    items = {
        "alone": [(box, (50, 50, 60, 60, "cat")), (box,)],
        "elsewhere": [(box,), ((0, 0, 10, 6, "cat"),)],
        "named": [(box,), ((*box[:4], "dog"),)],
        "named elsewhere": [(box,), ((0, 0, 10, 6, "dog"),)],
    }
    made = drawn(study_of(items, "boxes"))
    choice = made.get_by_role("combobox", name="Difference")
    for words, item in (
        ("not drawn by all", "alone"),
        ("other place", "elsewhere"),
        ("other label", "named"),
        ("other place and label", "named elsewhere"),
    ):
        choice.select_option(label=words)
        assert cards(made) == [item]
    made.get_by_role("combobox", name="Label").select_option(label="cat")
    assert cards(made) == ["named elsewhere"]
    made.get_by_role("button", name="Show all").click()
    assert sorted(cards(made)) == sorted(items)


def test_items_are_chosen_by_how_marks_differ(drawn):
    made = drawn(spans())
    choice = made.get_by_role("combobox", name="Difference")
    choice.select_option(label="not marked by all")
    assert sorted(cards(made)) == ["arabic", "mixed"]
    choice.select_option(label="other ends")
    assert sorted(cards(made)) == ["arabic", "long", "mixed"]
    choice.select_option(label="other ends and label")
    made.get_by_text("No items match").wait_for()
    assert drawn(of_kind("labels")).get_by_role("combobox", name="Difference").count() == 0


def test_keypoints_of_all_annotators_are_in_their_full_colour(drawn):
    figure = ((10, 10, 2), (20, 10, 2), (20, 20, 2))
    values = [tuple(tuple((x + k, y, seen) for x, y, seen in figure) for _ in range(1)) for k in range(5)]
    view = card(drawn(study_of({"x": values}, "keypoints")), "x")
    fills = view.locator(".v-picture .v-sign > *").evaluate_all(
        "signs => signs.map(sign => getComputedStyle(sign).fill)"
    )
    assert len(fills) == 15
    assert len(set(fills)) == 5
    assert all(re.fullmatch(r"rgb\(\d+, \d+, \d+\)", fill) for fill in fills)  # nothing shines through


def test_a_long_name_has_the_width_of_its_card(drawn):
    names = {"389A2A3055W9PZ2DP6X1OMSMZIL0CY #10": ["a", "b"], "short": ["a", "b"]}
    made = drawn(study_of(names))
    heads = [head.bounding_box()["height"] for head in made.locator(".card h3").all()]
    assert all(height < 60 for height in heads)
    headers = made.locator(".card header").evaluate_all(
        "heads => heads.map(head => head.getBoundingClientRect().height)"
    )
    assert min(headers) < 40


def test_pictures_are_told_in_words(drawn):
    made = drawn(of_kind("boxes"), of_kind("rankings"), of_kind("trees"), of_kind("vectors"))
    told = [seen(words) for words in made.locator(".card ul.unseen").all() if words.evaluate("e => e.tagName") == "UL"]
    assert any("ann: box from 0, 0 to 4, 4" in words for words in told)
    assert any("bo: 2 > 1 > 3" in words for words in told)
    assert any("(S (NP x) (VP y))" in words for words in told)
    assert any("0.5, 1, 0" in words for words in told)
    for picture in made.locator(".card svg").all():
        hidden = picture.evaluate("element => element.closest('[aria-hidden=true]') !== null")
        assert hidden


def test_units_lie_in_the_lane_of_their_annotator_at_their_place(drawn):
    value = [((0.0, 2.0, "speech"), (5.0, 10.0, "noise")), ((0.0, 5.0, "speech"),), ()]
    made = drawn(study_of({"x": value}, "spans"))
    tracks = card(made, "x").locator(".v-track:not(.v-ticks)")
    assert [track.locator(".v-unit").count() for track in tracks.all()] == [2, 1, 0]
    wide = tracks.first.bounding_box()
    noise = tracks.first.locator(".v-unit", has_text="noise").bounding_box()
    assert noise["x"] - wide["x"] == pytest.approx(wide["width"] / 2, abs=2)
    assert noise["width"] == pytest.approx(wide["width"] / 2, abs=2)
    card(made, "x").get_by_text("Who marked what").click()
    assert "bo: speech 0–5" in seen(card(made, "x").locator(".v-words"))


def test_nodes_that_not_all_trees_have_are_marked(drawn):
    made = drawn(study_of({"x": ["(S (NP a) (VP b))", "(S (NP a) (VP b))", "(S (XP a) (VP b))"]}, "trees"))
    trees = card(made, "x").locator(".v-tree")
    marked = [tree.locator(".v-node.v-differs > .v-node-label").all_text_contents() for tree in trees.all()]
    assert marked == [["NP"], ["XP"]]


OVERLAPPING = """svg => {
  const places = [...svg.querySelectorAll('g.v-arcs text')].map((text) => text.getBoundingClientRect());
  return places.filter((one, k) => places.some((other, l) => l > k
    && Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4)).length;
}"""


def test_names_of_arcs_do_not_lie_on_each_other(drawn):
    one = ((2, "subject"), (0, "root"), (2, "modifier"), (3, "complement"), (2, "adverbial"))
    other = ((3, "modifier"), (1, "complement"), (0, "root"), (2, "subject"), (4, "object"))
    made = drawn(study_of({"x": [one, other]}, "dependencies", text={"x": "I am on it now"}))
    assert card(made, "x").locator("svg.v-fixed").evaluate(OVERLAPPING) == 0


def test_the_label_of_a_wide_node_is_in_sight(drawn):
    words = " ".join(f"(WORD word-number-{k})" for k in range(40))
    made = drawn(study_of({"x": [f"(TOP {words})", f"(OTHER {words})"]}, "trees"))
    region = card(made, "x").locator(".v-scroll").first
    label = region.get_by_text("TOP").or_(region.get_by_text("OTHER")).bounding_box()
    place = region.bounding_box()
    assert place["x"] <= label["x"] <= place["x"] + place["width"] - label["width"]


def test_arcs_that_differ_are_listed(drawn):
    values = [((2, "subj"), (0, "root")), ((2, "obj"), (0, "root"))]
    made = drawn(study_of({"x": values}, "dependencies", text={"x": "She sleeps"}))
    rows = card(made, "x").locator(".v-grid tbody tr")
    assert [seen(row) for row in rows.all()] == ["Shesleeps · subjsleeps · obj"]


def test_the_median_of_numbers_is_told(drawn):
    made = drawn(study_of({"x": [1.5, 4.0, 2.0], "y": [1.0, 1.0, 9.25]}, "numbers"))
    assert "Median 2 (line)" in seen(card(made, "x"))
    assert card(made, "x").locator("svg.v-svg .v-sign").count() == 3


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([1234567.25, 1234568.5, 1234567.25], ["1234567.25", "1234568.5"]),
        ([4.0e15, 4.5e15, 5.0e15], ["4e15", "4.5e15", "5e15"]),
        ([1.25e-12, 2.5e-12, 3e-12], ["1.25e-12", "2.5e-12", "3e-12"]),
    ],
)
def test_numbers_of_any_scale_are_told_as_they_were_given(drawn, given, told):
    made = drawn(study_of({"x": given, "y": [given[0], given[0], given[1]]}, "numbers"))
    said = card(made, "x").locator(".v-inline b").all_text_contents()
    assert list(dict.fromkeys(said)) == told
    assert made.locator(".card").count() == 2
    for tick in card(made, "x").locator("svg.v-svg text").all():
        assert len(tick.text_content()) < 10
        assert tick.bounding_box()["height"] > 10


def test_the_axis_of_small_numbers_is_not_cut(drawn):
    made = drawn(study_of({"x": [(-0.00025, 0.0001), (0.0002, 0.00025), (0.0, 0.0001)]}, "vectors"))
    picture = card(made, "x").locator("svg.v-svg")
    left = picture.first.bounding_box()["x"]
    assert all(text.bounding_box()["x"] >= left for text in picture.first.locator("text").all())


def test_the_number_of_a_mark_stands_before_it_in_text_from_right_to_left(drawn):
    text = "زارت ليلى المدينة في ٣ مايو مع Anna Smith ثم عادت"
    values = [marked(text, ("٣ مايو", "DATE"), ("Anna Smith", "PER")), ()]
    made = drawn(study_of({"x": values, "y": [(), ()]}, "spans", text={"x": text, "y": text}))
    view = card(made, "x").locator(".v-marked")
    numbers = [number.bounding_box() for number in view.locator("sup").all()]
    pieces = [piece.bounding_box() for piece in view.locator(".v-piece").all()]
    assert [piece.text_content() for piece in view.locator(".v-piece").all()] == ["٣ مايو", "Anna Smith"]
    for number, piece in zip(numbers, pieces, strict=True):
        assert number["x"] >= piece["x"] + piece["width"] - 1


def test_of_many_annotators_the_first_are_named_and_a_button_names_the_others(drawn):
    rows = [("x", f"annotator {k}", "good" if k % 10 else "bad") for k in range(300)]
    made = drawn(Annotations.from_columns(*zip(*rows, strict=True)))
    names = card(made, "x").locator("tr").first.locator(".v-who")
    assert names.count() == 12
    more = card(made, "x").get_by_role("button", name="and 258 more")
    more.focus()
    made.keyboard.press("Enter")
    assert names.count() == 270
    assert made.evaluate("document.activeElement.textContent") == names.nth(12).text_content()


def test_a_long_label_is_cut_and_leaves_room_for_names(drawn):
    long = "supercalifragilistic" * 20
    view = card(drawn(study_of({"x": [long, "short", "short"], "y": ["short"] * 3})), "x")
    chip = view.locator(".v-chip", has_text="supercali")
    assert len(chip.text_content()) == 90
    assert chip.get_attribute("title") == long
    assert view.get_by_text("ann", exact=True).bounding_box()["height"] < 30


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_wider_than_the_window(drawn, width):
    made = drawn(spans(), *map(of_kind, sorted(KINDS)), viewport={"width": width, "height": 800})
    assert made.evaluate("document.documentElement.scrollWidth") <= width


def test_many_annotators_find_room(drawn):
    rows = [("x", f"annotator {k}", frozenset("ab" if k % 2 else "bc")) for k in range(40)]
    made = drawn(Annotations.from_columns(*zip(*rows, strict=True)), viewport={"width": 700, "height": 800})
    region = card(made, "x").locator(".v-scroll")
    assert region.get_attribute("tabindex") == "0"
    assert region.get_attribute("aria-label") == "Who said what"
    assert made.evaluate("document.documentElement.scrollWidth") <= 700


LONG = "the same words at the beginning " * 4
ALIKE = {
    "labels": (".v-labels .v-chip", ["one", "two"], [f"{LONG}{end}" for end in ("a", "b", "a")]),
    "sets": (".v-grid .v-chip", ["one"], [frozenset({f"{LONG}{end}"}) for end in ("a", "b", "c")]),
    "rankings": (
        ".v-svg text.v-moved, .v-svg text.v-tick",
        ["one"],
        [tuple(f"document_0000{end}" for end in order) for order in ("123", "213", "321")],
    ),
    "spans": (".v-grid q", ["one"], [((0, len(LONG) + add, "X"),) for add in range(3)]),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_what_differs_at_the_end_is_not_cut_away(kind, drawn):
    """Two rows that read alike would hide what annotators differ in."""
    where, items, values = ALIKE[kind]
    items = dict.fromkeys(items, values)
    text = {"text": dict.fromkeys(items, f"{LONG}abc def")} if kind == "spans" else {}
    page = drawn(study_of(items, kind if kind != "labels" else None, **text))
    card = page.locator(".card").first
    names = card.locator(where).evaluate_all("nodes => nodes.map((node) => node.lastChild.textContent)")
    shown = [re.sub(r"^\d+\. ", "", name) for name in names]
    assert len(set(shown)) == len({"labels": "ab"}.get(kind, "abc")), shown
    assert max(map(len, shown)) <= 90
