"""The report in a real browser: it opens from disk, can be used, and shows hostile text as text."""

import shutil
import time
from types import SimpleNamespace

import pytest

from curvewise import KFoldCV, Observation, Scale
from curvewise._report import write_report
from tests.advice.curves import curve
from tests.report.samples import HOSTILE, hostile_run, profiled_run, search_on, stored
from tests.report.test_honest_facts import FOUND as HONEST
from tests.report.test_prediction_facts import NOTES as PREDICTIONS

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the path"),
]

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
N_MANY = 2_000
# What an hour of other people's work on two cores may add to three seconds.
PATIENCE = 30.0


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """One report of each kind."""
    folder = tmp_path_factory.mktemp("reports")

    def make(name, fill, **terms):
        with stored(folder / f"{name}.db", **terms) as run:
            fill(run)
            return write_report(run, folder / f"{name}.html")

    return SimpleNamespace(
        race=make("race", lambda run: search_on(run, range(60))),
        hostile=make("hostile", hostile_run),
        profiled=make("profiled", profiled_run),
        empty=make("empty", lambda run: None),
        running=make("running", lambda run: search_on(run, range(60), stop_after=70)),
        one_anchor=make("one", lambda run: search_on(run, range(20)), target=1000),
        negative=make(
            "negative",
            lambda run: search_on(run, range(20), policy=KFoldCV()),
            policy=KFoldCV(),
            scale=Scale.unbounded(),
        ),
        # Each of these raises at every anchor.
        failed=make("failed", lambda run: search_on(run, [7, 26, 45])),
        advised=make("advised", whole_curves, target=2048),
    )


def whole_curves(run):
    """Whole curves, of candidates whose names want to be HTML."""
    for i, name in enumerate(HOSTILE):
        for observation in curve(name, floor=0.1 + i / 50, height=6.0):
            run.record(observation)


def n_points(page, chart="curves-chart"):
    """How many points a chart has drawn."""
    return page.evaluate(
        "id => document.getElementById(id).data.filter((t) => t.mode === 'lines')"
        ".reduce((n, t) => n + t.y.filter((y) => y !== null).length, 0)",
        chart,
    )


def place_of_point(page, *, trace=-3, point=-1):
    """Where on the screen a point of a trace is; by default the end of the winner's curve."""
    page.locator("#curves-chart").scroll_into_view_if_needed()
    return page.evaluate(
        """([which, point]) => {
            const chart = document.getElementById("curves-chart");
            const trace = chart.data.at(which);
            const { xaxis, yaxis } = chart._fullLayout;
            const { left, top } = chart.getBoundingClientRect();
            const row = trace.x.at(point);
            const x = xaxis.type === "log" ? Math.log10(row) : row;
            const y = yaxis.l2p(trace.y.at(point));
            return [left + xaxis._offset + xaxis.l2p(x), top + yaxis._offset + y];
        }""",
        [trace, point],
    )


def place_between_anchors(page, *, trace=-3):
    """Where the winner's line is between two anchors, as far from other curves as can be."""
    page.locator("#curves-chart").scroll_into_view_if_needed()
    return page.evaluate(
        """(which) => {
            const chart = document.getElementById("curves-chart");
            const { xaxis, yaxis } = chart._fullLayout;
            const { left, top } = chart.getBoundingClientRect();
            const lines = chart.data.filter((each) => each.mode === "lines");
            const own = chart.data.at(which);
            const places = (line) => line.x.map((row, i) => row === null ? [-1e9, -1e9] : [
                left + xaxis._offset + xaxis.l2p(Math.log10(row)),
                top + yaxis._offset + yaxis.l2p(line.y[i]),
            ]);
            const others = lines.filter((each) => each !== own).flatMap(places);
            const space = ([x, y]) => Math.min(...others.map(([a, b]) => Math.hypot(x - a, y - b)));
            const between = places(own).filter((_, i) => own.x[i] !== own.customdata[i][1]);
            return between.reduce((best, each) => space(each) > space(best) ? each : best);
        }""",
        trace,
    )


@pytest.mark.parametrize(
    ("kind", "scheme"),
    [
        ("race", "light"),
        ("hostile", "dark"),
        ("empty", "dark"),
        ("running", "light"),
        ("one_anchor", "dark"),
        ("negative", "light"),
        ("failed", "light"),
        ("profiled", "light"),
    ],
)
def test_every_kind_of_run_opens_without_a_request_or_an_error(visit, reports, kind, scheme):
    phone = visit(getattr(reports, kind), viewport=PHONE, scheme=scheme, touch=True)

    assert phone.locator("#answer-body").inner_text().strip()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("kind", "scheme", "viewport"),
    [
        ("race", "light", DESKTOP),
        ("race", "dark", PHONE),
        ("hostile", "dark", DESKTOP),
        ("failed", "light", DESKTOP),
        ("empty", "light", PHONE),
        ("profiled", "dark", PHONE),
    ],
)
def test_axe_finds_no_serious_fault(visit, reports, kind, scheme, viewport):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    page = visit(getattr(reports, kind), scheme=scheme, viewport=viewport)
    for toggle in page.locator(".toggle").all()[:3]:
        toggle.click()
    for summary in page.locator("summary").all():
        summary.click()
    faults = axe.Axe().run(page).response["violations"]

    serious = [each for each in faults if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []


def test_filters_hide_and_show_curves(visit, reports):
    page = visit(reports.race)
    everything = n_points(page)
    completed = page.locator("#curves-filters button", has_text="completed")
    completed.click()
    only_completed = n_points(page)
    page.locator("#curves-filters button", has_text="RandomForest").click()
    none = page.locator("#curves-caption").inner_text()
    completed.click()

    assert 0 < only_completed < n_points(page) < everything
    assert completed.get_attribute("aria-pressed") == "false"
    assert none.startswith("0 curves")


@pytest.mark.parametrize("place", [place_of_point, place_between_anchors])
def test_hovering_over_a_curve_says_why_it_ended(visit, reports, place):
    page = visit(reports.race)
    page.mouse.move(*place(page))
    tooltip = page.locator("#tooltip")
    tooltip.wait_for(state="visible")

    assert page.locator(".winner bdi").inner_text() in tooltip.inner_text()
    assert "completed: " in tooltip.inner_text()
    page.keyboard.press("Escape")
    assert tooltip.is_hidden()


def test_clicking_a_curve_shows_its_decisions(visit, reports):
    page = visit(reports.race)
    page.mouse.move(*place_of_point(page))
    page.mouse.click(*place_of_point(page))
    card = page.locator("#curves-chosen .card")
    card.wait_for()

    assert "completed: " in card.inner_text()


def test_the_table_is_searched_sorted_and_opened_with_the_keyboard(visit, reports):
    page = visit(reports.race)
    rows = page.locator("#rows > tr")
    page.locator("#search").fill("GaussianNB pruned")
    found = rows.count()
    time_head = page.locator("thead th", has_text="Time")
    time_head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    down = time_head.get_attribute("aria-sort")
    page.keyboard.press("Space")
    up = time_head.get_attribute("aria-sort")
    page.locator(".toggle").first.press("Enter")

    assert 0 < found < 10
    assert (down, up) == ("descending", "ascending")
    assert rows.count() == found + 1
    assert "pruned at" in page.locator("tr.details").inner_text()


def test_hostile_text_is_shown_as_text(visit, reports):
    page = visit(reports.hostile)
    for toggle in page.locator(".toggle").all():
        toggle.click()
    shown = page.locator("body").evaluate("(body) => body.textContent")
    names = page.locator(".toggle bdi").evaluate_all("(all) => all.map((each) => each.textContent)")

    assert page.title() == "adult <b>income</b>"
    assert page.locator("main img, main b, main a, main script").count() == 0
    for name in HOSTILE[:-1]:
        assert name in names
        assert name in shown
    assert names.count(120 * "x" + "…") == 1


def test_the_profile_of_the_data_is_a_table_of_classes_and_a_folded_list_of_columns(visit, reports):
    page = visit(reports.profiled)
    data = page.locator("#data-body")
    classes = data.get_by_role("region", name="Classes").locator("tbody tr")
    columns = data.locator("details")

    assert [row.split("\t") for row in classes.all_inner_texts()] == [
        [HOSTILE[0], "500", "50.0%"],
        [HOSTILE[1], "375", "37.5%"],
        ["red", "125", "12.5%"],
    ]
    assert "300 (298 numbers, 2 categories)" in data.inner_text()
    assert "2.4 MB" in data.inner_text()
    left_out = data.get_by_role("region", name="Columns left out").locator("tr")
    assert left_out.all_inner_texts() == [f"{HOSTILE[0]}\tan identifier"]
    assert "Columns left out" not in page.locator("#settings-body").inner_text()
    assert columns.locator("summary").inner_text() == "The first 200 of 300 columns"
    assert not columns.get_by_role("region").is_visible()
    columns.locator("summary").click()
    assert columns.get_by_role("region").is_visible()
    assert page.locator("main img, main b, main a, main script").count() == 0


def test_a_long_name_is_cut_and_shown_in_full_on_demand(visit, reports):
    page = visit(reports.hostile)
    page.locator("#search").fill(50 * "x")
    page.locator(".toggle").click()
    button = page.locator("tr.details").get_by_text("show all 10,000 characters").first
    button.click()

    assert HOSTILE[-1] in page.locator("tr.details bdi").first.inner_text()


@pytest.mark.parametrize(("scheme", "viewport"), [("light", DESKTOP), ("dark", PHONE)])
def test_advice_is_sentences_and_a_chart_out_to_the_asked_rows(visit, reports, scheme, viewport):
    page = visit(reports.advised, scheme=scheme, viewport=viewport)
    page.locator("#advice-link").click()
    section = page.locator("#advice")
    section.locator("#advice-chart .main-svg").first.wait_for()
    sentences = section.locator("#advice-body p").all_inner_texts()
    ends = page.evaluate(
        "document.getElementById('advice-chart').data.map((trace) => Math.max(...trace.x))"
    )

    assert sentences[0].startswith("Yes: twice the rows (50,000 instead of 25,000) should")
    assert any(sentence.startswith(f"{HOSTILE[0]} is the best now") for sentence in sentences)
    assert section.locator("img, b, a, script").count() == 0
    assert ends == [4096, 4096, 2048]
    assert "expected" in section.locator("#advice-chart").get_attribute("aria-label")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_threshold_and_reliability_stand_below_the_answer(visit, tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(6))
        run.note("threshold", {**PREDICTIONS["threshold"], "metric": HOSTILE[0]})
        run.note("calibration", PREDICTIONS["calibration"])
        path = write_report(run, tmp_path / "report.html")
    page = visit(path, viewport=PHONE)
    threshold, reliability = page.locator("#answer-body .predictions").all_inner_texts()

    assert threshold.startswith("Threshold for <img src=x onerror=")
    assert reliability.startswith("Calibrating the probabilities (")
    assert page.title() != "owned"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


def test_the_score_on_new_rows_stands_beside_that_on_the_folds(visit, tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(6))
        run.note("honest score", HONEST.facts())
        path = write_report(run, tmp_path / "report.html")
    page = visit(path, viewport=PHONE)
    said = page.locator("#answer-honest").inner_text()

    assert "0.8800" in said
    assert "90% interval 0.8600 to 0.9000; 0.0150 less for being the best of 24" in said
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(
    ("task", "constant"),
    [("classification", "the commonest class"), ("regression", "the mean")],
)
def test_the_answer_has_the_clock_the_budget_and_the_baselines(visit, tmp_path, task, constant):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(6))
        run.note("data", {"name": "wine", "task": task})
        run.note("clock", {"seconds": 90.0})
        run.note("given", {"budget": 120.0, "jobs": 2})
        run.note("score of a constant prediction", 0.625)
        run.note("default model", {"reason": "because there was no time"})
        path = write_report(run, tmp_path / "report.html")
    page = visit(path, viewport=PHONE)
    figures = page.locator("#answer-body .figures").inner_text()
    baselines = page.locator("#answer-baselines").inner_text()

    assert "The search took\n90 s" in figures
    assert "by the clock, of a budget of 2 min 0 s" in figures
    assert "added up, 2 fits at a time" in figures
    assert f"Always predicting {constant} scores 0.6250." in baselines
    assert "HistGradientBoosting with its defaults: not evaluated, because" in baselines
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(
    ("n_leaders", "said"),
    [(1, "The lead never changed;"), (2, "The lead changed once;"), (3, "changed 2 times;")],
)
def test_how_often_the_lead_changed_is_said_in_words(visit, tmp_path, n_leaders, said):
    def better_and_better(task):
        return Observation(task, 0.5 - task.candidate / 10 + task.fold / 100, seconds=1)

    policy = KFoldCV()
    with stored(tmp_path / "run.db", policy=policy) as run:
        search_on(run, range(n_leaders), policy=policy, evaluated=better_and_better)
        path = write_report(run, tmp_path / "report.html")

    assert said in visit(path).locator("#leader-lead").inner_text()


def test_a_run_without_observations_has_no_advice(visit, reports):
    page = visit(reports.empty)

    assert not page.locator("#advice").is_visible()
    assert not page.locator("#advice-link").is_visible()


def test_an_injected_handler_would_not_run(browser, reports):
    page = browser.new_page()
    page.goto(reports.race.resolve().as_uri())
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p onclick=\"owned=1\">x</p>')")
    page.locator("body > p").click()

    assert page.evaluate("typeof owned") == "undefined"
    page.close()


def wait_until(page, expression, seconds=30):
    """Wait for a page; Playwright's own way of asking again needs eval, which the page forbids."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        time.sleep(0.05)


def test_charts_follow_the_colour_scheme_and_print_in_light_colours(visit, reports):
    page = visit(reports.race)
    colour = "document.getElementById('curves-chart').layout.font.color"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    wait_until(page, f"{colour} !== '{light}'")
    dark = page.evaluate(colour)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wait_until(page, f"{colour} === '{light}'")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    wait_until(page, f"{colour} === '{dark}'")

    assert dark != light


def test_two_thousand_candidates_are_small_and_quick(visit, tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(N_MANY))
        path = write_report(run, tmp_path / "report.html")
    begun = time.perf_counter()
    page = visit(path)
    page.locator("#search").fill("SVC")
    seconds = time.perf_counter() - begun

    assert path.stat().st_size < 15_000_000
    assert seconds < PATIENCE
    assert page.locator("#rows > tr").count() == 50
    assert n_points(page) > N_MANY


def test_what_came_after_the_search_is_shown_as_text(visit, tmp_path):
    ensemble = {
        "weights": {HOSTILE[0]: 0.75, HOSTILE[2]: 0.25},
        "score": 0.91,
        "single_score": 0.9,
        "prediction_cost": 2.5,
    }
    notes = {
        "ensemble": ensemble,
        "honest score": HONEST.facts(),
        "taken": {"candidate": HOSTILE[2], "reason": HOSTILE[1]},
        "learning curves": {"seconds": 0.5, "n_fits": 12},
    }
    with stored(tmp_path / "run.db") as run:
        hostile_run(run)
        run.notes = lambda: notes
        write_report(run, tmp_path / "report.html")
    page = visit(tmp_path / "report.html", viewport=PHONE)

    assert HOSTILE[1] in page.locator("#answer-taken").inner_text()
    said = page.locator("#answer-ensemble").inner_text()
    assert "2 candidates predict together: 0.9100" in said
    assert "+0.01 against the best alone" in said
    honest = page.locator("#answer-honest").inner_text()
    assert "of the ensemble, which scores 0.9100 on the folds" in honest
    assert "2.5 times as long" in said
    assert "75%" in page.locator("#answer").inner_text()
    assert "12 fits in 500 ms" in page.locator("#curves-lead").inner_text()
    assert page.title() != "owned"
