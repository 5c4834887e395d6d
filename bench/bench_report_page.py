"""How large is the page of a report, what does it cost to write, and how soon can it be read?

Studies that are drawn here, and whatever files are named: the bytes of the page, the items that it has room for, CPU
seconds for writing it once the report is made, and milliseconds from opening it in Chromium, from a disk, to when all
of it is there (the least of three).

    python bench/bench_report_page.py
    python bench/bench_report_page.py export.json boxes.jsonl
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from harness import machine
from playwright.sync_api import Browser, sync_playwright

import interagree as ia

WORDS = ("the", "a", "of", "river", "minister", "said", "harbour", "in", "Lisbon", "report", "signed", "yesterday")
LABELS = ("PER", "ORG", "LOC", "DATE")
PEOPLE = ("ann", "bo", "cy")


def labels(count: int, words: int) -> ia.Annotations:
    """Labels of texts, of which a third differ."""
    rng = random.Random(1)
    rows = []
    for item in range(count):
        text, label = " ".join(rng.choices(WORDS, k=words)), rng.choice(LABELS)
        rows += [(f"post {item}", who, rng.choice(LABELS) if rng.random() < 0.2 else label, text) for who in PEOPLE]
    names = ("item", "annotator", "value", "text")
    return ia.Annotations.of([dict(zip(names, row, strict=True)) for row in rows], attributes=["text"])


def spans(count: int, words: int) -> ia.Annotations:
    """Documents in which everybody marks much the same."""
    rng = random.Random(2)
    rows = []
    for item in range(count):
        chosen = rng.choices(WORDS, k=words)
        text, starts = " ".join(chosen), [0]
        for word in chosen:
            starts.append(starts[-1] + len(word) + 1)
        places = [(at, rng.randint(1, 3), rng.choice(LABELS)) for at in range(5, words - 5, 12)]
        for who in PEOPLE:
            marked = [
                (starts[at + (rng.random() < 0.1)], starts[at + wide] - 1, label)
                for at, wide, label in places
                if wide > 1 and rng.random() < 0.9
            ]
            rows.append({"item": f"letter {item}", "annotator": who, "value": marked, "text": text})
    return ia.Annotations.of(rows, kind="spans", attributes=["text"])


def opened(browser: Browser, path: Path) -> float:
    """Milliseconds until a page is there, the least of three."""
    needed = []
    for _ in range(3):
        page = browser.new_page()
        page.goto(path.as_uri(), wait_until="load")
        needed.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        page.close()
    return float(min(needed))


def main() -> None:
    """Print a table."""
    made = {
        "labels of 300 texts": lambda: labels(300, 40),
        "labels of 20,000 texts": lambda: labels(20_000, 40),
        "130 documents of 600 words": lambda: spans(130, 600),
        "1,000 documents of 600 words": lambda: spans(1_000, 600),
    }
    made |= {Path(name).name: lambda name=name: ia.read(name) for name in sys.argv[1:]}
    machine()
    print(
        "\n|  | page kB | items on it | of | CPU s to write | ms to open |\n| --- | ---: | ---: | ---: | ---: | ---: |"
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, study in made.items():
            report = ia.report(study())
            report.to_text()  # what all formats need is computed before the clock starts
            path = Path(folder, "report.html")
            began = time.process_time()
            report.write(path)
            seconds = time.process_time() - began
            shown = [section.browser for section in report.document(page=True).sections if section.browser is not None]
            counts = [sum(int(str(data[what])) for data in shown) for what in ("shown", "total")]
            sizes = f"{path.stat().st_size / 1000:,.0f} | {counts[0]:,} | {counts[1]:,}"
            print(f"| {name} | {sizes} | {seconds:.2f} | {opened(browser, path):.0f} |")
        browser.close()


if __name__ == "__main__":
    main()
