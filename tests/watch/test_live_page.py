"""The page about a run that is being written, in a real browser."""

import re
import shutil
from itertools import pairwise

import pytest

import curvewise as cw
from curvewise import Observation, Race, Search, Status
from tests.report.model_notes import of_two_classes
from tests.report.samples import describe, evaluate, stored

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the path"),
]

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
BUDGET = 3600.0
FALLEN = (Status.PRUNED, Status.STOPPED, Status.FAILED)


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
        run.note("given", {"metric": "accuracy", "budget": BUDGET, "jobs": 1})

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
def opened(tmp_path, browser):
    """Open the page of a run that is being written, at a width."""
    with stored(tmp_path / "run.db") as run, cw.watch(tmp_path / "run.db") as served:
        writing = Writing(run, range(30))
        writing.go_on(45)
        contexts, troubles = [], []

        def open_page(viewport):
            contexts.append(browser.new_context(viewport=viewport))
            contexts[-1].set_default_timeout(120_000)
            page = contexts[-1].new_page()
            page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else 0)
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.goto(served.address)
            page.locator("html[data-ready]").wait_for(state="attached")
            return page

        yield writing, open_page
        for context in contexts:
            context.close()
        assert troubles == []


# What can be seen: the measured points of curves, statuses in the table, the line at the top.
SEEN = """() => {
  const traces = document.getElementById("curves-chart").data;
  const lines = traces.filter((each) => each.mode === "lines");
  const known = lines.flatMap((each) => (each.customdata || []).filter((one) => one !== null));
  const rows = [...document.querySelectorAll("#rows tr")].map((each) => each.innerText);
  return {
    points: [...new Set(known.map((one) => `${one[0]} at ${one[1]}`))],
    pruned: rows.filter((text) => text.includes("pruned")).length,
    live: document.getElementById("live").textContent,
  };
}"""
LIVE = re.compile(r"Running for (.+) · about (.+) left · (\d+) candidates? out · (\d+) in the race")


def seconds_of(text):
    """Read a duration, such as 59 min 58 s."""
    unit = {"ms": 1e-3, "s": 1, "min": 60}
    words = text.split()
    return sum(float(n) * unit[of] for n, of in zip(words[::2], words[1::2], strict=True))


def once_shown(page, run):
    """Wait until the page shows every curve as it is in the store, and say what is to be seen."""
    points = {
        (each.task.candidate, each.task.anchor)
        for each in run.outcomes()
        if isinstance(each, Observation)
    }
    shown = f"n => ({SEEN})().points.length === n"
    page.wait_for_function(shown, arg=len(points), timeout=120_000)
    seen = page.evaluate(SEEN)
    running, left, out, racing = LIVE.fullmatch(seen["live"]).groups()
    seen |= {"running": seconds_of(running), "left": seconds_of(left)}
    return seen | {"out": int(out), "racing": int(racing)}


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_curves_grow_candidates_fall_and_time_runs_out(opened, viewport):
    writing, open_page = opened
    page = open_page(viewport)
    seen = [once_shown(page, writing.run)]
    for n in (15, 15):
        writing.go_on(n)
        seen.append(once_shown(page, writing.run))
    first, *_, last = seen
    statuses = [result.status for result in writing.run.results()]

    assert not writing.search.done
    for earlier, later in pairwise(seen):
        assert set(later["points"]) > set(earlier["points"])
        assert later["running"] > earlier["running"]
        assert later["left"] < earlier["left"]
    assert last["pruned"] > first["pruned"]
    assert last["out"] == sum(status in FALLEN for status in statuses) > first["out"]
    assert last["racing"] == statuses.count(Status.RUNNING) < first["racing"]
    for each in seen:
        assert each["left"] + each["running"] == pytest.approx(BUDGET, abs=1.1)


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_reader_keeps_the_place_until_the_run_has_ended(opened, viewport):
    writing, open_page = opened
    page = open_page(viewport)
    page.locator("#search").fill("forest")
    page.locator(".toggle").first.click()
    first_line = page.locator("#live").inner_text()
    place = page.locator("#candidates").bounding_box()["y"]
    writing.go_on()
    page.locator("#live", has_text="The run has ended").wait_for(timeout=60_000)

    assert "Running for" in first_line
    assert "left" in first_line
    assert page.locator("#search").input_value() == "forest"
    assert page.locator("#search").evaluate("each => each.closest('section').id") == "candidates"
    assert page.locator("tr.details").count() == 1
    assert abs(page.locator("#candidates").bounding_box()["y"] - place) < viewport["height"] / 2
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
