"""Reports of every kind of value, as the command line writes them, in a real browser."""

import json
import random
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
