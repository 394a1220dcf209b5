"""The documentation site in a real browser, once `make docs` has built it.

It is looked at on a phone and on a desktop: no page is wider than its window, what is wider scrolls
by itself, and axe finds no serious fault, in the light and in the dark.
"""

import shutil
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
SITE = Path(__file__).parents[1] / "docs" / "_build" / "html"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the path"),
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="make docs has not run"),
]

PHONE = {"width": 375, "height": 812}
DESKTOP = {"width": 1280, "height": 900}
# Source code of modules is shown as it is, and searching needs a server.
NOT_PAGES = ("_modules", "_static", "search.html")
LOOKED_AT = [
    "index.html",
    "tutorial/index.html",
    "how-to/select.html",
    "explanation/results.html",
    "explanation/which-tool.html",
    "reference/install.html",
    "reference/glossary.html",
    "gallery/index.html",
]
# What ends beyond the window and cannot be scrolled to, and how many tables can be.
BEYOND = """() => {
  const beyond = [];
  const scrolls = (each) => {
    for (let box = each; box; box = box.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)) return box;
    }
    return null;
  };
  const tables = [...document.querySelectorAll("article table, article pre, article img")];
  let n_scrolling = 0;
  for (const each of tables) {
    const box = scrolls(each);
    if (each.getBoundingClientRect().right > innerWidth + 1 && !box) beyond.push(each.outerHTML);
    if (each.tagName === "TABLE" && box && box.scrollWidth > box.clientWidth + 1) n_scrolling += 1;
  }
  const shown = beyond.map((each) => each.slice(0, 120));
  return [document.documentElement.scrollWidth, shown, n_scrolling];
}"""


def pages():
    """Every page of the site, by its path."""
    found = sorted(page.relative_to(SITE) for page in SITE.rglob("*.html"))
    return [page for page in found if not str(page).startswith(NOT_PAGES)]


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_no_page_is_wider_than_its_window_and_wide_tables_scroll(browser, viewport):
    page = browser.new_page(viewport=viewport)
    wide, scrolling = [], set()
    for path in pages():
        page.goto((SITE / path).as_uri())
        width, beyond, n_scrolling = page.evaluate(BEYOND)
        wide += [(str(path), width, beyond)] if width > viewport["width"] or beyond else []
        scrolling |= {str(path)} if n_scrolling else set()

    assert wide == []
    # There are tables that need it, or this would show nothing.
    assert (
        viewport is DESKTOP or {"explanation/results.html", "reference/glossary.html"} <= scrolling
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_serious_fault(browser, viewport, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    page = browser.new_context(viewport=viewport, color_scheme=scheme).new_page()
    faults = []
    for path in LOOKED_AT:
        page.goto((SITE / path).as_uri())
        for each in axe.Axe().run(page).response["violations"]:
            if each["impact"] in ("serious", "critical"):
                faults += [(path, each["id"], node["html"]) for node in each["nodes"]]

    assert [each for each in faults if not of_tools(*each)] == []


def of_tools(path, fault, html):
    """Say whether a fault is one of what makes the site: thumbnails' names, the list of pages."""
    if fault == "link-name":
        return path.startswith("gallery/")
    return fault == "summary-name" and "toctree-toggle" in html
