"""Items to look through on a page: what is said of them for each kind of value, and how many there is room for."""

import json
from dataclasses import replace

import numpy as np
import pytest

import interagree as ia
from interagree.data import Annotations
from interagree.errors import DataError
from interagree.gather.offsets import points_to_utf16, utf16_to_points
from interagree.kinds._views import VIEWS, Drawing, outlines, rounded
from interagree.plugins import KINDS
from interagree.reports.browser import LIMIT, DisputedItems, fitted, sections
from interagree.reports.browser.cutting import GAP, KeptText
from interagree.reports.browser.fitting import FEW, NARROWEST, size_of
from interagree.reports.browser.images import Images, image_column
from interagree.reports.parts import measured

PEOPLE = ("ann", "bo", "cy", "di", "ed")


def study_of(items, kind=None, **attributes):
    """A study from the values of each item, one for each annotator; attributes by item."""
    rows = [(item, who, value) for item, values in items.items() for who, value in zip(PEOPLE, values, strict=False)]
    columns = {name: [by_item[item] for item, _, _ in rows] for name, by_item in attributes.items()}
    made = Annotations.from_columns(*zip(*rows, strict=True), attributes=columns)
    return made if kind is None else replace(made, of_kind=kind)


def browsed(study, **options):
    """The data of the only question."""
    (section,) = sections([measured(study, lenient=True)], **options)
    return section.browser


def of_kind(name, **options):
    examples = KINDS[name].examples[: len(PEOPLE)]
    study = study_of({"one": examples, "two": [examples[0], examples[1], examples[0]]}, name)
    return browsed(replace(study, ordered=True, of_kind=None) if name == "ordered" else study, **options)


# -- every kind of value ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_says_how_it_is_drawn(name):
    kind = KINDS[name]
    assert kind.view in VIEWS
    assert (kind.drawn is None) == (kind.view == "plain")
    for value in kind.examples if kind.drawn is not None else ():
        assert json.loads(json.dumps(kind.drawn(value, Drawing()), allow_nan=False)) is not None


@pytest.mark.parametrize("name", sorted(KINDS))
def test_items_of_every_kind_are_plain_data(name):
    data = of_kind(name)
    assert data["schema"] == 1
    assert data["kind"] == name
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["total"] == data["shown"] == len(data["items"]) == 2
    assert data["why"] == ""
    for item in data["items"]:
        assert item.keys() - {"size", "differences"} == {"id", "type", "worth", "disagreement", "suggested", "answers"}
        assert data["types"][item["type"]] in ("tie", "one against all", "split", "all differ", "adjacent", "far")
        assert [data["annotators"][who] for who, _ in item["answers"]] == [*PEOPLE[: len(item["answers"])]]


@pytest.mark.parametrize(
    ("name", "view", "value"),
    [
        ("labels", "labels", 0),
        ("ordered", "labels", 0),
        ("sets", "sets", [0]),
        ("numbers", "number", 0),
        ("spans", "timeline", [[0, 4, 0], [6, 9, 1]]),
        ("segments", "timeline", [[0, 3, 0], [3, 7, 0], [7, 12, 0]]),
        ("boxes", "image", [{"shape": "box", "points": [0, 0, 4, 4], "label": -1}]),
        ("rotated", "image", [{"shape": "polygon", "points": [[2, 3, 6, 3, 6, 5, 2, 5]], "label": -1}]),
        ("polygons", "image", [{"shape": "polygon", "points": [[0, 0, 4, 0, 0, 4]], "label": -1}]),
        ("masks", "image", [{"shape": "mask", "points": [[0, 0, 1, 0, 1, 4, 0, 4]], "label": -1}]),
        ("keypoints", "image", [{"shape": "keypoints", "points": [1, 2, 5, 6, 9, 9], "label": -1}]),
        ("trees", "tree", ["S", ["NP", "x"], ["VP", "y"]]),
        ("dependencies", "arcs", [[2, 0], [0, 1], [2, 2]]),
        ("rankings", "ranking", [0, 1, 2]),
        ("relations", "relations", [[0, 4, 6, 9, 0, 1], [6, 9, 10, 12, 1, 1]]),
        ("clusters", "clusters", [[0, 1], [2], [3, 4]]),
        ("series", "vector", [0.5, 1, 0.5]),
        ("vectors", "vector", [0.5, 1, 0]),
        ("text", "text", "the cat sees the dog"),
        ("tuples", "plain", "('x',)"),
        ("objects", "plain", "a"),
    ],
)
def test_what_a_value_looks_like(name, view, value):
    data = of_kind(name)
    first = next(item for item in data["items"] if item["id"] == "one")
    assert data["view"] == view
    assert first["answers"][0] == [0, value]


def test_all_kinds_are_listed_above():
    listed = test_what_a_value_looks_like.pytestmark[0].args[1]
    assert {name for name, *_ in listed} == {*KINDS}


def test_keypoints_that_are_not_labelled_are_left_open():
    page = Drawing()
    assert KINDS["keypoints"].drawn((((1, 3, 2), (5, 5, 2), (0, 0, 0)),), page)[0]["points"] == [1, 3, 5, 5, None, None]


def test_labels_are_numbered_over_the_page_and_none_is_minus_one():
    study = study_of({"x": [((0, 2, "B"),), ((0, 2, "A"), (3, 4))], "y": [((5, 6, "A"),), ()]}, "spans")
    data = browsed(study)
    values = {item["id"]: [value for _, value in item["answers"]] for item in data["items"]}
    name = data["labels"].index
    assert values["x"] == [[[0, 2, name("B")]], [[0, 2, name("A")], [3, 4, -1]]]
    assert values["y"] == [[[5, 6, name("A")]], []]


def test_one_and_the_string_one_are_two_labels():
    page = Drawing()
    assert [page.label(1), page.label("1"), page.label(bool(1)), page.label(1)] == [0, 1, 2, 0]


def test_a_scale_is_listed_in_order_with_values_that_nobody_gave():
    study = Annotations.of({"ann": [1, 5, 2], "bo": [2, 1, 2]}, values=[1, 2, 3, 4, 5], ordered=True)
    assert browsed(study)["labels"] == ["1", "2", "3", "4", "5"]


def test_spans_in_pieces_keep_their_pieces():
    whole = tuple(sorted({"start": 0, "end": 12, "label": "X", "fragments": ((0, 3), (9, 12))}.items()))
    data = browsed(study_of({"x": [(whole,), ()]}, "spans"))
    assert data["items"][0]["answers"][0][1] == [[0, 12, 0, [[0, 3], [9, 12]]]]


def test_segments_of_several_types_are_cut_apart():
    value = (("boundaries", (("x", (3,)), ("y", (5,)))), ("length", 8))
    assert KINDS["segments"].drawn(value, Drawing()) == [[0, 3, 0], [3, 8, 0], [0, 5, 1], [5, 8, 1]]


@pytest.mark.parametrize(
    ("tree", "nested"),
    [
        ("( (S (NP a)))", ["", ["S", ["NP", "a"]]]),
        (("S", ("NP", "("), "b"), ["S", ["NP", "-LRB-"], "b"]),
        ("(" * 3 + "a b) c) d)", ["", ["", ["a", "b"], "c"], "d"]),
    ],
)
def test_trees_are_nested_lists(tree, nested):
    assert KINDS["trees"].drawn(tree, Drawing()) == nested


def test_a_tree_that_is_too_deep_for_a_page_ends_in_brackets():
    drawn = KINDS["trees"].drawn("(a " * 5000 + "w" + ")" * 5000, Drawing())
    assert len(json.dumps(drawn)) > 5000
    for _ in range(99):
        drawn = drawn[1]
    assert drawn[0] == "a"
    assert drawn[1].startswith("( a ( a")
    assert drawn[1].count("(") == drawn[1].count(")") == 4900


def test_the_outline_of_a_mask_has_its_holes_and_is_as_large_as_the_mask():
    import numpy as np

    grid = np.ones((5, 4), dtype=bool)
    grid[2, 1] = False
    outer, inner = sorted(outlines(grid), key=len)[::-1] if len(outlines(grid)[0]) else ([], [])
    corners = {frozenset(loop) for loop in (outer, inner)}
    assert corners == {frozenset({(0, 0), (5, 0), (5, 4), (0, 4)}), frozenset({(2, 1), (3, 1), (3, 2), (2, 2)})}


def test_a_large_mask_is_drawn_on_a_coarse_grid():
    high, wide = 3000, 4000
    left, right = 1000, 3000
    counts = (left * high, (right - left) * high, (wide - right) * high)
    mask = ((("counts", counts), ("size", (high, wide))),)
    page = Drawing()
    (drawn,) = KINDS["masks"].drawn(mask, page)
    assert page.size == (wide, high)
    assert drawn["points"] == [[left, 0, right, 0, right, high, left, high]]


# -- texts and positions ---------------------------------------------------------------------------------------------


def test_positions_count_utf16_units():
    text = "👳🏻 met 王小明 in Zürich 🥳."
    begin, end = text.index("Zürich"), text.index("Zürich") + 6
    data = browsed(study_of({"x": [((begin, end, "LOC"),), ()]}, "spans", text={"x": text}))
    (low, high, _) = data["items"][0]["answers"][0][1][0]
    assert data["view"] == "marks"
    assert text.encode("utf-16-le")[2 * low : 2 * high].decode("utf-16-le") == "Zürich"
    assert (low, high) == (begin + 2, end + 2)


@pytest.mark.parametrize("text", ["", "plain", "a🥳b🥳", "é王"])
def test_offsets_go_there_and_back(text):
    there = points_to_utf16(text)
    if there is not None:
        assert utf16_to_points(text)[there].tolist() == [*range(len(text) + 1)]


def test_positions_of_tokens_are_placed_in_the_text():
    study = study_of(
        {"x": [((1, 3, "A"),), ()]}, "spans",
        text={"x": "🥳 one two"}, tokens={"x": ((0, 1), (2, 5), (6, 9))}, positions={"x": "tokens"},
    )  # fmt: skip
    assert browsed(study)["items"][0]["answers"][0][1] == [[3, 10, 0]]


def test_a_text_that_a_span_does_not_lie_in_is_not_marked():
    study = study_of({"x": [((0, 40, "A"),), ()]}, "spans", text={"x": "short"})
    data = sections([measured(study, measures=["percent"])])[0].browser
    assert data["view"] == "timeline"
    assert "text" not in data["items"][0]
    assert data["items"][0]["answers"][0][1] == [[0, 40, 0]]


def test_without_texts_no_text_reaches_the_page():
    secret = "the secret text of an item"
    spans = study_of({"x": [((4, 10, "A"),), ()]}, "spans", text={"x": secret})
    assert "secret" in json.dumps(browsed(spans))
    hidden = browsed(spans, texts=False)
    assert hidden["view"] == "timeline"
    assert "secret" not in json.dumps(hidden)
    labels = study_of({secret: ["a", "b"], "another text that is long enough": ["a", "a"]}, text={secret: secret} | {
        "another text that is long enough": "x"
    })  # fmt: skip
    assert "secret" not in json.dumps(browsed(labels, texts=False))
    for values in (["(S (NP secret) (VP y))", "(S ( VP secret y))"], [("S", ("NP", "secret")), ("S", "secret", "y")]):
        masked = json.dumps(browsed(study_of({"x": values}, "trees"), texts=False))
        assert "secret" not in masked
        assert '"NP"' in masked
    texts = study_of({"x": ["a secret text", "another text"]}, "text")
    assert sections([measured(texts)], texts=False) == [None]


def test_a_report_without_texts_has_a_page_without_texts():
    study = study_of({"x": ["a", "b"], "y": ["a", "a"]}, text={"x": "the secret text", "y": "another text"})
    for texts, shown in ((True, True), (False, False)):
        document = ia.report(study, texts=texts).document(page=True)
        browsers = [section.browser for section in document.sections if section.browser]
        assert len(browsers) == 1
        assert ("secret" in json.dumps(browsers)) is shown


def test_items_follow_the_sections_of_their_question():
    questions = {name: study_of({"x": ["a", "b"], "y": ["a", "a"]}) for name in ("first", "second")}
    titles = [section.title for section in ia.report(ia.Study(questions)).document(page=True).sections]
    assert titles.index("first: Disagreements, one by one") < titles.index("second: Coefficients")
    assert "second: Disagreements, one by one" in titles


def test_only_pages_have_items_to_look_through():
    report = ia.report({"ann": ["a", "b"], "bo": ["a", "a"]})
    assert not any(section.browser for section in report.document().sections)
    assert any(section.browser for section in report.document(page=True).sections)


def test_pseudonyms_are_kept():
    study = ia.Study({"q": study_of({"x": ["a", "b"], "y": ["a", "a"]}, where={"x": "ann.csv, row 1", "y": "ann.csv"})})
    from interagree.data.privacy import with_pseudonyms

    data = browsed(with_pseudonyms(study)["q"])
    assert data["annotators"] == ["A1", "A2"]
    assert data["items"][0].get("where") is None


def test_the_place_in_a_file_is_given_without_the_folder():
    study = study_of({"x": ["a", "b"], "y": ["a", "a"]}, where=dict.fromkeys("xy", "/home/me/study/a.json, /3/result"))
    assert browsed(study)["items"][0]["where"] == "a.json, /3/result"


def test_half_a_character_can_be_written():
    study = study_of({"x\ud800": ["a\udc00", "b"], "y": ["b", "b"]}, text={"x\ud800": "broken \ud83d text", "y": "b c"})
    assert json.dumps(browsed(study), ensure_ascii=False).encode()


def test_words_of_a_parse_are_given_where_the_sentence_can_be_cut_into_them():
    value, other = ((2, "a"), (0, "b")), ((0, "a"), (1, "b"))
    data = browsed(
        study_of(
            {"x": [value, other], "y": [value, other]}, "dependencies", text={"x": "Two words", "y": "No such number"}
        )
    )
    tokens = {item["id"]: item.get("tokens") for item in data["items"]}
    assert tokens == {"x": ["Two", "words"], "y": None}


# -- images ----------------------------------------------------------------------------------------------------------

BOXES = [((0, 0, 4, 4),), ((1, 0, 5, 4),)]


@pytest.mark.parametrize(
    ("name", "entry", "taken"),
    [
        ("image", "https://example.org/a.jpg", True),
        ("image_url", "https://example.org/image?id=3", True),
        ("file_name", "photos/a.PNG", True),
        ("url", "https://example.org/a.webp?x=1", True),
        ("url", "https://example.org/page", False),
        ("thing", "a.jpg", True),
        ("image", "data:image/png;base64,AAAA", True),
        ("image", "javascript:alert(1)//.png", False),
        ("image", "vbscript:x.png", False),
        ("text", "a picture of a dog.jpg and more", False),
        ("text", "a dog", False),
    ],
)
def test_the_image_is_found_by_its_name_and_its_looks(name, entry, taken):
    study = study_of({"x": BOXES, "y": BOXES}, "boxes", **{name: {"x": entry, "y": entry}})
    assert (image_column(study) == name) is taken
    shown = browsed(study, images=True)["items"][0].get("image")
    assert shown == (entry if taken else None)
    assert browsed(study)["items"][0].get("image") is None


def test_items_that_are_called_after_images_name_them():
    study = study_of({"folder/a.jpg": BOXES, "folder/b.jpg": BOXES}, "boxes")
    assert browsed(study, images=True)["items"][0]["image"] == "folder/a.jpg"


def found_in(folder, *entries, beside=None):
    """What a page names for images of these names, and what it says of those that it does not find."""
    boxes = {f"item {k}": BOXES for k in range(len(entries))}
    study = study_of(boxes, "boxes", image=dict(zip(boxes, entries, strict=True)))
    images = Images(study, folder, beside)
    return [images.of(k, int(np.flatnonzero(study.item == k)[0])) for k in range(len(entries))], images.notes()


def test_images_are_found_in_a_folder_by_their_names(tmp_path):
    for name in ("cat.jpg", "cam 1/road.png", "a/same.png", "b/same.png", "0a1b2c3d-kept.png", "kept.png", "notes.txt"):
        file = tmp_path / "photos" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    found, notes = found_in(
        tmp_path / "photos",
        "/data/upload/1/0a1b2c3d-cat.jpg",
        "/data/local-files/?d=drive/cam%201/road.png",
        "https://example.org/cam%201/road.png?X-Amz-Signature=1",
        r"C:\photos\b\same.png",
        "s3://bucket/same.png",
        "/data/upload/2/0a1b2c3d-kept.png",
        "notes.txt.png",
        "../photos/../../cat.png",
        beside=tmp_path,
    )
    assert found == [
        "photos/cat.jpg",
        "photos/cam%201/road.png",
        "photos/cam%201/road.png",
        "photos/b/same.png",
        None,
        "photos/0a1b2c3d-kept.png",
        None,
        None,
    ]
    where = f"{tmp_path / 'photos'}, or found several times by that name"
    assert notes == [f"3 images not found in {where}, such as s3://bucket/same.png"]
    (whole,), _ = found_in(tmp_path / "photos", "cat.jpg")
    assert whole == (tmp_path / "photos" / "cat.jpg").as_uri()
    with pytest.raises(DataError, match="is not a folder"):
        found_in(tmp_path / "nowhere", "cat.jpg")


@pytest.mark.parametrize("entry", ["/data/upload/1/cat.jpg", "/data/local-files/?d=cat.jpg", "s3://bucket/cat.jpg"])
def test_images_of_a_server_are_not_asked_of_the_disk_and_the_page_says_what_to_do(entry):
    images = (True,)
    (image,), (note,) = found_in(*images, entry)
    assert image is None
    assert note.startswith(f"1 image left out, such as {entry}: ")
    assert "--image-folder FOLDER" in note
    study = study_of({"x": BOXES, "y": BOXES}, "boxes", image={"x": entry, "y": entry})
    (section,) = sections([measured(study)], images=True)
    assert any("--image-folder" in line for line in section.foot)


def test_the_size_of_an_image_is_given_where_it_is_known():
    study = study_of({"x": BOXES, "y": BOXES}, "boxes", width={"x": 640, "y": None}, height={"x": 480, "y": None})
    sizes = {item["id"]: item.get("size") for item in browsed(study)["items"]}
    assert sizes == {"x": [640, 480], "y": None}


# -- ranking and size ------------------------------------------------------------------------------------------------


def test_items_come_in_the_order_of_the_queue():
    import random

    draw = random.Random(3)
    study = study_of({f"i{k}": [draw.choice("aabbc") for _ in range(5)] for k in range(60)})
    data, queue = browsed(study), ia.disagreements(study)
    assert [item["id"] for item in data["items"]] == [*queue.rows["item"]]
    assert [data["types"][item["type"]] for item in data["items"]] == [*queue.rows["type"]]
    labels = [None if item["suggested"] is None else data["labels"][item["suggested"]] for item in data["items"]]
    assert labels == [*queue.rows["suggested"]]
    assert [item["worth"] for item in data["items"]] == pytest.approx([*queue.rows["worth"]], rel=1e-3)


def test_items_are_ranked_by_the_distance_of_the_leading_coefficient():
    study = study_of({"near": [1, 2, 1], "far": [1, 5, 1], "same": [3, 3, 3]})
    (section,) = sections([measured(study, measures=["alpha"], distance="interval")])
    assert section.browser["distance"] == "interval"
    assert [item["id"] for item in section.browser["items"]] == ["far", "near"]
    assert [*ia.disagreements(study, distance="interval").rows["item"]] == ["far", "near"]
    assert browsed(study)["distance"] == "nominal"


def test_disagreement_is_relative_to_chance():
    study = study_of({"x": [1.0, 5.5], "y": [2.0, 2.0], "z": [4.0, 4.5]}, "numbers")
    result = ia.alpha(study, distance="interval")
    far = dict(zip(result.by_item()["item"], result.by_item()["disagreement"], strict=True))
    for item in browsed(study)["items"]:
        assert item["disagreement"] == pytest.approx(far[item["id"]] / result.disagreement.expected, rel=1e-3)


def large(count, text="", kind=None):
    values = [["a", "b"], ["b", "a"]] if kind is None else [[((3, 9, "A"),), ((4, 9, "A"),)]] * 2
    items = {f"i{k}": values[k % 2] for k in range(count)}
    return study_of(items, kind, **({"text": {name: f"{k} {text}" for k, name in enumerate(items)}} if text else {}))


def test_what_does_not_fit_is_left_out_and_said():
    data = browsed(large(3000), limit=100_000)
    assert size_of(data) <= 100_000
    assert FEW < data["shown"] == len(data["items"]) < data["total"] == 3000
    assert data["why"] == f"the {data['shown']:,} worth most of 3,000 items with disagreement"
    # One more would not have fitted, but for the room for the sentence.
    assert size_of(data) > 100_000 - 300 - size_of(data["items"][-1])


def test_most_is_how_many_are_shown_at_most():
    data = browsed(large(30), most=7)
    assert (data["shown"], data["total"]) == (7, 30)
    assert data["why"] == "the 7 worth most of 30 items with disagreement"


def test_only_as_many_items_are_converted_as_there_is_room_for():
    items = DisputedItems.of(measured(large(5000)), texts=True, images=False)
    assert not items.complete_within(20_000)
    assert FEW <= len(items.made) < 300


def test_long_texts_are_cut_around_what_differs_before_the_last_items_go():
    words = " ".join(f"word{k}" for k in range(2000))
    data = browsed(large(60, words, "spans"), limit=200_000)
    assert size_of(data) <= 200_000
    assert data["shown"] == FEW
    assert data["why"].startswith("the 50 worth most of 60 items with disagreement; long texts are cut to ")
    assert data["why"].endswith(" characters on either side of what differs")
    full = {item["id"]: item for item in browsed(large(60, words, "spans"), limit=10**9)["items"]}
    for item in data["items"]:
        assert item["cut"]
        assert item["text"].endswith(GAP.rstrip())
        before = full[item["id"]]
        for (_, value), (_, whole) in zip(item["answers"], before["answers"], strict=True):
            assert [item["text"][b:e] for b, e, _ in value] == [before["text"][b:e] for b, e, _ in whole]


def test_texts_that_are_not_marked_are_cut_after_their_beginning():
    data = browsed(large(60, "word " * 2000), limit=100_000)
    assert size_of(data) <= 100_000
    assert data["shown"] == FEW
    assert " long texts are cut to their first " in data["why"]


def test_where_there_is_no_room_at_all_it_is_said():
    data = browsed(large(30), limit=100)
    assert data["items"] == []
    assert data["why"] == "there is no room for any of the 30 items with disagreement"


def test_what_fits_is_left_as_it_is():
    data = browsed(large(10, "some words", "spans"))
    assert fitted(data, size_of(data)) == data
    assert fitted(data, size_of(data) - 1)["shown"] < 10 or fitted(data, size_of(data) - 1)["why"]


def test_texts_are_cut_between_words_and_never_inside_a_character():
    text = "🥳" * 40 + " middle " + "🥳" * 40
    at = len(text.encode("utf-16-le")) // 4
    for context in range(1, 30):
        kept = KeptText(text, [(at - context, at + context)]).text()
        assert "\ufffd" not in kept
        assert kept.startswith(GAP.lstrip())


def test_marks_in_several_places_move_with_their_text():
    text = " ".join(f"w{k:04d}" for k in range(1000))
    at = [text.index("w0100"), text.index("w0500"), text.index("w0900")]
    both = tuple((place, place + 5, "A") for place in at)
    study = study_of({"x": [both, (both[0], both[2])]}, "spans", text={"x": text})
    full = browsed(study)
    cut = fitted(full, size_of(full) // 3)
    (item,) = cut["items"]
    assert item["text"].count("[…]") == 2
    assert [item["text"][b:e] for b, e, _ in item["answers"][0][1]] == ["w0500"]  # the others are the same for all
    assert "w0500" in item["text"]
    assert len(item["text"]) <= 2 * 4096 + 100
    assert len(item["text"]) > NARROWEST


def test_room_that_one_question_does_not_need_goes_to_the_others():
    large_part = replace(measured(large(2000)), name="large")
    small_part = replace(measured(large(20)), name="small")
    shown = {
        section.browser["question"]: section.browser["shown"]
        for section in sections([large_part, small_part, small_part], limit=100_000)
    }
    alone = browsed(large(2000), limit=100_000)["shown"]
    assert shown["small"] == 20
    assert alone * 0.9 < shown["large"] < alone


def test_nothing_is_shown_where_nobody_differs_or_nobody_is_known():
    agreed = study_of({"x": ["a", "a"], "y": ["b", "b"]})
    assert sections([measured(agreed)]) == [None]
    assert sections([measured(Annotations.from_counts([[2, 1], [3, 0]]))]) == [None]


def test_coordinates_are_short():
    assert [rounded(3), rounded(2.0), rounded(1.23456789), rounded(123456.789), rounded(-0.1)] == [
        3, 2, 1.23457, 123456.8, -0.1,
    ]  # fmt: skip


# -- real data -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "view"),
    [
        ("formats/label_studio/leoka_team3_full.json", "marks"),
        ("complex/boxes.jsonl", "image"),
        ("complex/keypoints.jsonl", "image"),
        ("complex/rankings.jsonl", "ranking"),
        ("formats/textgrid/MaureenMarvinRobin.TextGrid", "timeline"),
        ("labels/s4_relevance.csv.gz", "labels"),
    ],
)
def test_real_data_are_shown(shared, path, view):
    study = ia.read(shared / "data" / path)
    part = measured(next(iter(study.values())), lenient=True, measures=["percent"])
    (section,) = sections([part])
    assert section.browser["view"] == view
    assert section.browser["shown"] == section.browser["total"]
    assert size_of(section.browser) <= LIMIT


def test_no_two_items_of_a_page_are_called_alike():
    rows = [(item, who, label) for item in (2, "2", 0.12341, 0.12342) for who, label in (("ann", "a"), ("bo", "b"))]
    document = ia.report(ia.Annotations.of(rows, kind="labels")).document(page=True)
    shown = next(section.browser for section in document.sections if section.browser)
    assert sorted(item["id"] for item in shown["items"]) == ["'2' (text)", "0.12341", "0.12342", "2"]


def test_items_without_their_names_keep_their_disagreement():
    rows = [
        (f"a sentence of several words, the {place}th of them", who, label)
        for place in range(6)
        for who, label in (("ann", "a"), ("bo", "ab"[place % 2]))
    ]
    study = ia.Annotations.of(rows, kind="labels")
    shown = [
        next(
            section.browser for section in ia.report(study, texts=texts).document(page=True).sections if section.browser
        )
        for texts in (True, False)
    ]
    whole, hidden = ([item["disagreement"] for item in data["items"]] for data in shown)
    assert whole == hidden
    assert None not in hidden


def test_items_of_numbers_are_relative_to_the_same_chance_as_the_table():
    rng = np.random.default_rng(2)
    truth = rng.normal(50, 10, 30)
    study = ia.Annotations.of({who: np.round(truth + rng.normal(0, 4, 30), 2).tolist() for who in ("ann", "bo", "cy")})
    report = ia.report(study, measures=["icc"])
    shown = next(section.browser for section in report.document(page=True).sections if section.browser)
    table = next(section.table for section in report.document().sections if section.title == "Most disputed items")
    worst = {item["id"]: item["disagreement"] for item in shown["items"]}
    for item, far in zip(table["item"], table["disagreement / chance"], strict=True):
        assert worst[str(item)] == pytest.approx(far, rel=1e-3)
