"""A browser, and pages in it that must ask for nothing and complain about nothing."""

import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Open a page from disk; it must ask for nothing and complain about nothing."""
    contexts, troubles = [], []

    def open_page(path, *, viewport=DESKTOP, scheme="light", touch=False):
        context = browser.new_context(viewport=viewport, color_scheme=scheme, has_touch=touch)
        contexts.append(context)
        page = context.new_page()
        own = path.resolve().as_uri()
        page.on(
            "request", lambda r: troubles.append(r.url) if r.url.partition("#")[0] != own else 0
        )
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else 0)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(own)
        page.locator("html[data-ready]").wait_for(state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []
