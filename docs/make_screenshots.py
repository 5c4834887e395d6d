"""The screenshots in docs/pictures, taken of pages that are made from docs/files: `python docs/make_screenshots.py`.

Needs Debian's Chromium and the group ``browser`` of pyproject.toml.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import interagree as ia

DOCS = Path(__file__).parent
FILES, PICTURES = DOCS / "files", DOCS / "pictures"


def main() -> int:
    """Take all screenshots."""
    program = shutil.which("chromium")
    if program is None:
        sys.stderr.write("Screenshots are taken with chromium, which is not installed.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        posts = ia.report(ia.read(FILES / "posts.csv"), title="Moderation of posts, pilot").write(
            f"{folder}/posts.html"
        )
        spans = ia.report(ia.read(FILES / "label_studio.json"), title="Entities, pilot").write(f"{folder}/spans.html")
        taken(opened(browser, posts, dark=False), "report-page.png")
        page = opened(browser, spans, dark=True)
        for fold in page.locator("main > details, section > details").all():
            fold.evaluate("fold => { fold.open = true; }")
        page.locator(".browser").first.evaluate(
            "browser => browser.closest('section').scrollIntoView({block: 'start'})"
        )
        for box in page.locator(".tick input").all()[:2]:
            box.check()
        page.locator(".browser").first.evaluate(
            "browser => browser.closest('section').scrollIntoView({block: 'start'})"
        )
        taken(page, "report-items.png")
        for file, keys, name in (
            ("label_studio.json", ["a"], "serve-decide.png"),
            ("boxes.jsonl", ["b", "e", "Shift+ArrowDown"], "serve-boxes.png"),
        ):
            with served(FILES / file, f"{folder}/{name}.interagree") as address:
                page = browser.new_page(viewport={"width": 1180, "height": 780}, reduced_motion="reduce")
                page.goto(address)
                page.wait_for_selector("main:not([aria-busy]) .question")
                page.get_by_role("link", name="Decide", exact=True).click()
                page.wait_for_selector("main:not([aria-busy]) .choice")
                for key in keys:
                    page.keyboard.press(key)
                taken(page, name)
        browser.close()
    return 0


@contextmanager
def served(file: Path, project: str) -> Iterator[str]:
    """The page to decide on, at an address that opens once."""
    command = [sys.executable, "-m", "interagree", "serve", file, "--project", project, "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        yield (server.stdout.readline() if server.stdout else "").strip()
        server.terminate()


def opened(browser: Browser, path: Path, *, dark: bool) -> Page:
    """A page in a window as wide as those of small laptops."""
    scheme = "dark" if dark else "light"
    page = browser.new_page(viewport={"width": 1180, "height": 860}, color_scheme=scheme, reduced_motion="reduce")
    page.goto(path.as_uri())
    return page


def taken(page: Page, name: str) -> None:
    """A picture of what the window shows, in few colours, which is all that a page has."""
    whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    whole.quantize(128, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
