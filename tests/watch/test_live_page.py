"""The page about a run that is being written, in a real browser."""

import shutil

import pytest

import curvewise as cw
from curvewise import Race, Search
from tests.report.model_notes import of_two_classes
from tests.report.samples import describe, evaluate, stored

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the path"),
]

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


class Writing:
    """A search that goes on when it is told to."""

    def __init__(self, run, candidates):
        self.run = run
        self.search = Search(
            candidates,
            schedule=run.terms.schedule,
            policy=Race(),
            n_folds=run.terms.n_folds,
            observer=run.decided,
        )
        for candidate in candidates:
            run.record_candidate(candidate, parameters=describe(candidate))
        run.note("given", {"metric": "accuracy", "budget": 3600.0, "jobs": 1})

    def go_on(self, n=None):
        """Evaluate so many tasks, or all that are left."""
        while not self.search.done and n != 0:
            for task in self.search.ask(1):
                outcome = evaluate(task)
                self.run.record(outcome)
                self.search.tell(outcome)
                n = None if n is None else n - 1
        if self.search.done:
            self.run.finish()


@pytest.fixture
def opened(tmp_path):
    """Open the page of a run that is being written, at a width."""
    with (
        stored(tmp_path / "run.db") as run,
        cw.watch(tmp_path / "run.db") as served,
        playwright.sync_playwright() as driver,
    ):
        writing = Writing(run, range(30))
        writing.go_on(45)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        troubles = []

        def open_page(viewport):
            page = browser.new_context(viewport=viewport).new_page()
            page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else 0)
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.goto(served.address)
            page.locator("html[data-ready]").wait_for(state="attached")
            return page

        yield writing, open_page
        browser.close()
        assert troubles == []


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_curves_grow_candidates_fall_and_the_reader_keeps_the_place(opened, viewport):
    writing, open_page = opened
    page = open_page(viewport)
    page.locator("#search").fill("forest")
    page.locator(".toggle").first.click()
    first_line = page.locator("#live").inner_text()
    place = page.locator("#candidates").bounding_box()["y"]
    before = page.evaluate("document.getElementById('curves-chart').data.length")
    writing.go_on()
    page.locator("#live", has_text="The run has ended").wait_for(timeout=60_000)

    assert "Running for" in first_line
    assert "left" in first_line
    assert page.locator("#search").input_value() == "forest"
    assert page.locator("#search").evaluate("each => each.closest('section').id") == "candidates"
    assert page.locator("tr.details").count() == 1
    assert abs(page.locator("#candidates").bounding_box()["y"] - place) < viewport["height"] / 2
    assert page.evaluate("document.getElementById('curves-chart').data.length") >= 1 <= before
    assert page.locator("#subtitle").inner_text().startswith("Finished")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_pictures_of_the_model_come_when_the_search_is_over(opened):
    writing, open_page = opened
    writing.run.note("under way", "yes")
    page = open_page(DESKTOP)
    before = page.locator("#model-why").inner_text()
    writing.go_on()
    notes = of_two_classes()
    importance = notes.pop("importance")
    for key, value in notes.items():
        writing.run.note(key, value)
    page.locator("#model-confusion").wait_for(timeout=60_000)
    still = page.locator("#live").inner_text()
    writing.run.note("importance", importance)
    page.locator("#model-importance").wait_for(timeout=60_000)
    writing.run.note("under way", None)
    page.locator("#live", has_text="The run has ended").wait_for(timeout=60_000)

    assert "when the search is over" in before
    assert "Running for" in still
    assert page.locator("#model-confusion").count() == 1
    assert page.evaluate("document.getElementById('model-reliability-chart').data.length") >= 1


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_serious_fault_while_it_runs(opened, viewport):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    _, open_page = opened
    faults = axe.Axe().run(open_page(viewport)).response["violations"]

    serious = [each for each in faults if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []
