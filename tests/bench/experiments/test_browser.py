"""The page of an experiment in a real browser: it works from disk, hostile text stays text."""

import shutil

import pytest

from curvewise._bench.experiments.html_page.experiment_page import page_of
from curvewise._bench.experiments.results import read_all
from tests.bench.experiments.samples import NASTY, fill, plan_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the path"),
]

PHONE = {"width": 375, "height": 812}
DESKTOP = {"width": 1280, "height": 900}
# Far more than it takes on a machine that is busy with other tests.
MILLISECONDS = 120_000


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The page of two experiments, on disk."""
    folder = tmp_path_factory.mktemp("page")
    search = fill(folder / "search.db", plan_of(3), failed=1)
    curves = fill(folder / "curves.db", plan_of(2, kind="curves", name="curves"))
    path = folder / "page.html"
    path.write_text(page_of([*read_all(search), *read_all(curves)]), encoding="utf-8")
    return path


def test_the_page_opens_from_disk_and_can_be_used(path, browser):
    troubles = []
    with browser.new_page() as page:
        page.set_default_timeout(MILLISECONDS)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.goto(path.as_uri())
        page.locator(".js-plotly-plot").first.wait_for()
        n_charts = page.locator(".js-plotly-plot").count()
        page.locator("th button").first.click()
        page.locator("select").first.select_option(index=1)
        sorted_by = page.locator("th[aria-sort]").count()
        cells = page.locator("td").all_text_contents()
        said = page.locator("dd").all_text_contents()
        captions = page.locator("figcaption").all_text_contents()
        titles = page.locator(".xtitle, .ytitle").all_text_contents()
        page.set_viewport_size({"width": 360, "height": 700})
        page.reload()
        page.locator(".js-plotly-plot").first.wait_for()
        width = page.evaluate("document.documentElement.scrollWidth")

    assert troubles == []
    assert n_charts == 4 + 2 + 1 + 1
    assert sorted_by == 1
    assert any(NASTY in text for text in cells)
    assert "2 cores of a chip, 8 GB" in said
    assert any("17 of 18 done; 1 failed" in text for text in said)
    assert any("11 of 12 cells" in text for text in captions)
    assert {"run time of the search (s)", "error rate of the choice", "training rows"} <= {*titles}
    assert width <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_serious_fault(path, browser, viewport, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    with browser.new_context(viewport=viewport, color_scheme=scheme) as context:
        context.set_default_timeout(MILLISECONDS)
        page = context.new_page()
        page.goto(path.as_uri())
        page.locator(".js-plotly-plot").first.wait_for()
        width = page.evaluate("document.documentElement.scrollWidth")
        faults = axe.Axe().run(page).response["violations"]

    assert width <= viewport["width"]
    serious = [each for each in faults if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []
