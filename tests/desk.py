"""What the tests of the page to decide on do again and again."""


def desk(page):
    page.wait_for_selector("main:not([aria-busy]) .desk .choice")
    return page.locator("#item").inner_text()


def keep(page):
    """Save with Enter, and wait for the next item."""
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector("main:not([aria-busy]) :is(.desk, .message)")


def gold(page, tmp_path, button="JSON lines"):
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button, exact=True).first.click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path
