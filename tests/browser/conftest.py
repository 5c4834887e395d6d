"""A real browser for the pages that reports are written to: no network, and nothing may be complained about."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

LOCAL = ("file:", "blob:", "data:")


@pytest.fixture(scope="package")
def chromium(need: Callable[[str], Any]) -> Iterator[Any]:
    """Debian's Chromium.  It is closed with the last test here, since its event loop would be in the way of others."""
    program = need("chromium")
    playwright = need("playwright.sync_api")
    with playwright.sync_playwright() as started:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = started.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page from the disk; what it asks for elsewhere, and what the browser complains of, is a failure."""
    contexts: list[Any] = []
    asked: list[str] = []
    complaints: list[str] = []

    def blocked(route: Any) -> None:
        if route.request.url.startswith(LOCAL):
            route.continue_()
        else:
            route.abort()

    def opened(path: Path, at: str = "", **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(10_000)
        contexts.append(context)
        context.route("**/*", blocked)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(path.as_uri() + at)
        return page

    opened.complaints = complaints  # type: ignore[attr-defined] -- for a test that expects one
    yield opened
    for context in contexts:
        context.close()
    assert not [address for address in asked if not address.startswith(LOCAL)]
    assert not complaints


@pytest.fixture
def browse(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a server's page; whatever the browser complains of, or asks for elsewhere, is a failure."""
    contexts: list[Any] = []
    complaints: list[str] = []
    asked: list[str] = []

    def browse(server: Any, at: str = "", **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(server.address)
        page.wait_for_selector("main h1")
        if at:
            page.goto(f"http://{server.host}{at}")
        browse.hosts.append(server.host)
        return page

    browse.hosts, browse.expected = [], []  # type: ignore[attr-defined] -- for tests that expect complaints
    yield browse
    for context in contexts:
        context.close()
    ours = tuple(f"{scheme}http://{host}/" for host in browse.hosts for scheme in ("", "blob:"))
    assert not [address for address in asked if not address.startswith(ours)]
    assert not [one for one in complaints if not any(word in one for word in browse.expected)]
