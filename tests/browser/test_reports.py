"""Reports of every kind of value, as the command line writes them, in a real browser."""

import json
import random
import struct
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main

pytestmark = pytest.mark.xdist_group("browser")

FILES = Path(__file__).parents[2] / "docs" / "files"
KINDS = {
    "labels": ["posts.csv"],
    "ordered": ["severity.csv", "--values", "none,mild,moderate,severe", "--ordered"],
    "numbers": ["lengths.csv"],
    "sets": ["topics.csv", "--split", ";"],
    "spans": ["notices.jsonl"],
    "boxes": ["boxes.jsonl"],
    "keypoints": ["birds.jsonl"],
    "text": ["captions.jsonl"],
    "vectors": ["emotions.jsonl"],
    "rankings": ["fruit.jsonl"],
    "trees": ["parses.csv"],
    "units": ["units.csv"],
    "two questions": ["label_studio.json"],
}


def write(words, path):
    result = CliRunner().invoke(main, ["report", str(FILES / words[0]), *words[1:], "-o", str(path)])
    assert result.exit_code == 0, result.output
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_reports_of_every_kind_can_be_read_and_looked_through(kind, visit, tmp_path, need):
    path = write(KINDS[kind], tmp_path / "report.html")
    assert path.stat().st_size < 3_000_000
    page = visit(path, color_scheme="dark" if len(kind) % 2 else "light")
    while (folded := page.locator("details.group:not([open]) > summary")).count():
        folded.first.click()
    cards = page.locator(".card")
    assert cards.count() > 0
    assert page.locator("main h2").count() > 3
    assert cards.first.locator(".view").inner_text().strip()
    # What is on the first card has a name for everybody, and can be told from its ground.
    found = (
        need("axe_playwright_python.sync_playwright")
        .Axe()
        .run(page, context=["section:has(.browser) .card:first-child"])
    )
    assert [entry["id"] for entry in found.response["violations"] if entry["impact"] in ("serious", "critical")] == []
    page.set_viewport_size({"width": 320, "height": 700})
    page.wait_for_function("() => document.documentElement.scrollWidth <= 320")
    box = page.locator(".tick input").first
    name = box.get_attribute("aria-label").removeprefix("Tick ")
    box.check()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the ticked items: JSON").first.click()
    (row,) = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert row["item"] == name
    assert len(row["answers"]) >= 2


def test_texts_stay_out_of_a_page_where_they_are_not_wanted(visit, tmp_path):
    with_texts = write(["notices.jsonl"], tmp_path / "with.html").read_text(encoding="utf-8")
    without = write(["notices.jsonl", "--no-text"], tmp_path / "without.html").read_text(encoding="utf-8")
    first = json.loads((FILES / "notices.jsonl").read_text(encoding="utf-8").splitlines()[0])
    words = first["text"].split()[:4]
    assert " ".join(words) in with_texts
    assert " ".join(words) not in without
    page = visit(tmp_path / "without.html")
    assert page.locator(".card").count() > 0


def test_a_report_of_many_items_is_bounded_and_says_so(visit, tmp_path):
    rng = random.Random(5)
    words = ["some", "words", "that", "make", "a", "text", "of", "usual", "length"]
    rows = [
        {
            "item": f"post {item}",
            "annotator": who,
            "label": rng.choice("abc"),
            "text": " ".join(rng.choices(words, k=60)),
        }
        for item in range(12_000)
        for who in ("ann", "bo", "cy")
    ]
    texts = {row["item"]: row["text"] for row in rows}
    path = tmp_path / "posts.jsonl"
    path.write_text("".join(json.dumps({**row, "text": texts[row["item"]]}) + "\n" for row in rows), encoding="utf-8")
    report = ia.report(ia.read(path, attributes=["text"]))
    (tmp_path / "report.html").write_text(report.to_html(), encoding="utf-8")
    assert (tmp_path / "report.html").stat().st_size < 3_000_000
    page = visit(tmp_path / "report.html")
    shown = page.evaluate("interagree.browsers[0].data.shown")
    total = page.evaluate("interagree.browsers[0].data.total")
    assert 500 < shown < total
    assert f"{shown:,} worth most of {total:,} items" in page.locator("main").inner_text()
    few = tmp_path / "few.html"
    few.write_text(report.to_html(most=30), encoding="utf-8")
    assert visit(few).evaluate("interagree.browsers[0].data.items.length") == 30


# A square of one red pixel.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077 53de0000000c4944415408d763f8cfc000000301 0100"
    "18dd8db00000000049454e44ae426082".replace(" ", "")
)


def test_images_are_shown_where_they_are_wanted_and_only_from_where_they_are(visit, tmp_path):
    (tmp_path / "scan.png").write_bytes(PIXEL)
    rows = [
        {"item": f"scan {item}", "annotator": who, "label": label, "image": "scan.png"}
        for item in range(3)
        for who, label in (("ann", "cat"), ("bo", "dog"))
    ]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    words = ["report", str(tmp_path / "labels.jsonl"), "--value", "label", "--attribute", "image"]
    for options, count in ((["--images"], 3), ([], 0)):
        result = CliRunner().invoke(main, [*words, *options, "-o", str(tmp_path / "report.html")])
        assert result.exit_code == 0, result.output
        page = visit(tmp_path / "report.html")
        assert page.locator(".card").count() == 3
        assert page.locator(".card img").count() == count
        assert ("scan.png" in (tmp_path / "report.html").read_text(encoding="utf-8")) == bool(count)
        if count:
            page.locator(".card img").first.scroll_into_view_if_needed()
            page.wait_for_function("() => document.querySelector('.card img').naturalWidth === 1")


def test_paths_of_images_may_have_any_letters(visit, tmp_path):
    names = [
        "with space.png",
        "100%.png",
        "a#b.png",
        "what?.png",
        "ünï 日本.png",
        "a&b;c.png",
        "a%20b.png",
        "quo'te.png",
    ]
    (tmp_path / "pics").mkdir()
    for name in names:
        (tmp_path / "pics" / name).write_bytes(PIXEL)
    rows = [
        {"item": name, "annotator": who, "label": label, "image": f"pics/{name}"}
        for name in names
        for who, label in (("ann", "cat"), ("bo", "dog"))
    ]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    words = ["report", str(tmp_path / "labels.jsonl"), "--value", "label", "--attribute", "image"]
    for option in (["--images"], ["--image-folder", str(tmp_path / "pics")]):
        result = CliRunner().invoke(main, [*words, *option, "-o", str(tmp_path / "report.html")])
        assert result.exit_code == 0, result.output
        page = visit(tmp_path / "report.html")
        assert page.locator(".card img").count() == len(names)
        for image in page.locator(".card img").all():
            image.scroll_into_view_if_needed()
            page.wait_for_function("image => image.naturalWidth === 1", arg=image.element_handle())


def test_charts_leave_room_for_long_names(visit, tmp_path):
    rows = [f"{who},{item},{value}" for who in NAMES for item, value in enumerate(NAMES[who])]
    (tmp_path / "long.csv").write_text("annotator,item,label\n" + "\n".join(rows), encoding="utf-8")
    result = CliRunner().invoke(main, ["report", str(tmp_path / "long.csv"), "-o", str(tmp_path / "report.html")])
    assert result.exit_code == 0, result.output
    page = visit(tmp_path / "report.html")
    cut = page.locator("svg.ia-chart").evaluate_all(
        """charts => charts.flatMap((chart) => {
          const {left, right} = chart.getBoundingClientRect();
          return [...chart.querySelectorAll('text')].filter((text) => {
            const place = text.getBoundingClientRect();
            return place.left < left - 1 || place.right > right + 1;
          }).map((text) => text.textContent);
        })"""
    )
    assert cut == []


NAMES = {
    "annotator19165@example.org": "abcabcabcaab",
    "Maximilian Wommelsdorf-Mammen": "abcabcabcabb",
    "WORKER-0123456789-GROUP-A": "abcabaabcabc",
    "12345": "abccbcabcabc",
}


def picture(wide, high, box):
    """A grey PNG with a red rectangle from x0, y0 to x1, y1."""
    x0, y0, x1, y1 = box
    rows = [
        b"\0" + b"".join(b"\xff\0\0" if x0 <= x < x1 and y0 <= y < y1 else b"\xcc\xcc\xcc" for x in range(wide))
        for y in range(high)
    ]

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def rectangle(x0, y0, x1, y1):
    place = {"x": x0, "y": y0, "width": x1 - x0, "height": y1 - y0, "rotation": 0, "rectanglelabels": ["sign"]}
    sizes = {"original_width": 400, "original_height": 200}
    return {"from_name": "what", "to_name": "image", "type": "rectanglelabels", "value": place, **sizes}


def test_boxes_of_label_studio_lie_on_what_was_drawn_around(visit, tmp_path):
    photos = tmp_path / "photos" / "north gate"
    photos.mkdir(parents=True)
    for number in range(3):
        (photos / f"sign {number}.png").write_bytes(picture(400, 200, (100, 50, 200, 150)))
    drawn = {1: [rectangle(25, 25, 50, 75)], 2: [rectangle(30, 25, 50, 75), rectangle(75, 10, 90, 30)], 3: []}
    tasks = [
        {
            "id": number,
            "data": {"image": f"/data/upload/1/0a1b2c3d-sign%20{number}.png"},
            "annotations": [{"id": 10 * number + who, "completed_by": who, "result": drawn[who]} for who in drawn],
        }
        for number in range(3)
    ]
    (tmp_path / "export.json").write_text(json.dumps(tasks), encoding="utf-8")
    target = tmp_path / "report.html"
    words = ["report", str(tmp_path / "export.json"), "--image-folder", str(tmp_path / "photos"), "-o", str(target)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    page = visit(target)
    image = page.locator(".card image").first
    image.scroll_into_view_if_needed()
    assert image.get_attribute("href") == "photos/north%20gate/sign%200.png"
    page.wait_for_function(
        """async () => {
          const probe = new Image();
          probe.src = document.querySelector('.card image').getAttribute('href');
          await probe.decode();
          return probe.naturalWidth === 400;
        }"""
    )
    inside = page.locator(".card").first.evaluate(
        """card => {
          const whole = card.querySelector('image').getBoundingClientRect();
          return [...card.querySelectorAll('.v-stroke rect')].map((box) => {
            const place = box.getBoundingClientRect();
            const x = (side) => 100 * (side - whole.left) / whole.width;
            const y = (side) => 100 * (side - whole.top) / whole.height;
            return [x(place.left), y(place.top), x(place.right), y(place.bottom)].map(Math.round);
          });
        }"""
    )
    assert sorted(inside) == [[25, 25, 50, 75], [30, 25, 50, 75], [75, 10, 90, 30]]
    # Without the folder, the page asks nobody for the paths of the server, and says what to do.
    result = CliRunner().invoke(main, ["report", str(tmp_path / "export.json"), "--images", "-o", str(target)])
    assert result.exit_code == 0, result.output
    page = visit(target)
    assert page.locator(".card image").count() == 0
    assert "3 images left out" in page.locator("main").inner_text()


def test_suggested_spans_become_predictions_of_label_studio_with_what_they_cover(visit, tmp_path):
    text = "\U0001f600 Ana met Bo in Lisbon"  # Label Studio counts as JavaScript does: the face is two
    rows = [
        {"document": f"d{k}", "annotator": who, "label": [[2, 5, "PER"], *more], "text": text}
        for k in range(3)
        for who, more in (("ann", [[10, 12, "PER"]]), ("bo", [[10, 12, "PER"]]), ("cy", []))
    ]
    (tmp_path / "spans.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = CliRunner().invoke(main, ["report", str(tmp_path / "spans.jsonl"), "-o", str(tmp_path / "report.html")])
    assert result.exit_code == 0, result.output
    page = visit(tmp_path / "report.html")
    page.locator(".tick input").first.check()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the ticked items: Label Studio").click()
    (task,) = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert task["data"]["text"] == text
    values = [entry["value"] for entry in task["predictions"][0]["result"]]
    assert values == [
        {"start": 3, "end": 6, "text": "Ana", "labels": ["PER"]},
        {"start": 11, "end": 13, "text": "Bo", "labels": ["PER"]},
    ]
