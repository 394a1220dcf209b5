"""The page of an experiment in a real browser: it works from disk, hostile text stays text."""

import shutil

import pytest

from curvewise.bench.experiments.page import page_of
from curvewise.bench.experiments.results import read_all
from tests.bench.experiments.samples import NASTY, fill, plan_of

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the path"),
]


def test_the_page_opens_from_disk_and_can_be_used(tmp_path):
    search = fill(tmp_path / "search.db", plan_of(3), failed=1)
    curves = fill(tmp_path / "curves.db", plan_of(2, kind="curves", name="curves"))
    path = tmp_path / "page.html"
    path.write_text(page_of([*read_all(search), *read_all(curves)]), encoding="utf-8")
    troubles = []

    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.goto(path.as_uri())
        page.locator(".js-plotly-plot").first.wait_for()
        n_charts = page.locator(".js-plotly-plot").count()
        page.locator("th button").first.click()
        page.locator("select").first.select_option(index=1)
        cells = page.locator("td").all_text_contents()
        sorted_by = page.locator("th[aria-sort]").count()
        browser.close()

    assert troubles == []
    assert n_charts == 4 + 1 + 1
    assert sorted_by == 1
    assert any(NASTY in text for text in cells)
