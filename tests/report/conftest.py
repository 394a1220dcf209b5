"""Pages in a browser that must ask for nothing and complain about nothing."""

import pytest

DESKTOP = {"width": 1280, "height": 900}
# Far more than it takes on a machine that is busy with other tests.
MILLISECONDS = 120_000


@pytest.fixture
def visit(browser):
    """Open a page from disk; it must ask for nothing and complain about nothing."""
    contexts, troubles = [], []

    def open_page(path, *, viewport=DESKTOP, scheme="light", touch=False):
        context = browser.new_context(viewport=viewport, color_scheme=scheme, has_touch=touch)
        contexts.append(context)
        context.set_default_timeout(MILLISECONDS)
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
