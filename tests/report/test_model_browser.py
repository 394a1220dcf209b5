"""Pictures of the model in a real browser, on a phone and on a wide screen."""

import shutil
from types import SimpleNamespace

import pytest

from curvewise._report import write_report
from tests.report.model_notes import of_a_regression, of_several_classes, of_two_classes
from tests.report.samples import search_on, stored

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the path"),
]

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 375, "height": 800}
KINDS = {"two": of_two_classes, "several": of_several_classes, "numbers": of_a_regression}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")

    def make(name, notes):
        with stored(folder / f"{name}.db") as run:
            search_on(run, range(4))
            for key, value in notes.items():
                run.note(key, value)
            return write_report(run, folder / f"{name}.html")

    return SimpleNamespace(**{name: make(name, notes()) for name, notes in KINDS.items()})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_is_too_wide_and_axe_finds_no_serious_fault(visit, reports, kind, viewport):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    scheme = "dark" if viewport is PHONE else "light"
    page = visit(getattr(reports, kind), viewport=viewport, scheme=scheme)
    for summary in page.locator("#model summary").all():
        summary.click()
    faults = axe.Axe().run(page, context="#model").response["violations"]

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    serious = [each for each in faults if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []
    assert page.title() != "owned"
    assert page.locator("#model").locator("img, a, script, b").count() == 0


@pytest.mark.parametrize("kind", KINDS)
def test_every_chart_is_drawn_and_has_words_and_a_table_beside_it(visit, reports, kind):
    page = visit(getattr(reports, kind))
    charts = page.locator("#model .chart").all()

    assert len(charts) == 3
    for chart in charts:
        assert chart.locator("svg.main-svg").count() > 0
        assert len(chart.get_attribute("aria-label")) > 20
    for part in page.locator("#model .part").all():
        assert part.locator("table").count() >= 1


def test_the_class_that_is_chosen_is_drawn_and_said(visit, reports):
    page = visit(reports.several)
    part = page.locator("#model-rankings")
    drawn = "document.getElementById('model-roc-chart').data.at(-1).y[40]"
    before, said = page.evaluate(drawn), part.locator("p").first.inner_text()
    others = part.locator("button[aria-pressed=false]")
    others.first.click()

    assert page.evaluate(drawn) != before
    assert part.locator("p").first.inner_text() != said
    assert "area under the ROC curve 0." in part.locator("p").first.inner_text()
    assert part.locator("button[aria-pressed=true]").count() == 1


def test_the_confusion_matrix_is_a_table_in_rows_and_in_percent(visit, reports):
    page = visit(reports.several)
    cell = page.locator(".confusion tbody tr").first.locator("td").first
    rows = cell.inner_text()
    page.locator("#model-confusion button", has_text="percent").click()
    percent = cell.inner_text()
    cell.hover()

    assert rows.isdigit()
    assert 0 < int(percent) <= 100
    assert f"{rows} rows" in page.locator("#tooltip").inner_text()


def test_a_point_says_what_was_true_and_predicted(visit, reports):
    page = visit(reports.numbers)
    chart = page.locator("#model-predicted-chart")
    chart.scroll_into_view_if_needed()
    place = page.evaluate(
        """() => {
            const chart = document.getElementById("model-predicted-chart");
            const { xaxis, yaxis } = chart._fullLayout;
            const { left, top } = chart.getBoundingClientRect();
            const [x, y] = [chart.data[0].x[0], chart.data[0].y[0]];
            return [left + xaxis._offset + xaxis.l2p(x), top + yaxis._offset + yaxis.l2p(y)];
        }"""
    )
    page.mouse.move(*place)
    tooltip = page.locator("#tooltip")
    tooltip.wait_for(state="visible")

    assert "predicted" in tooltip.inner_text()
    assert "residual" in tooltip.inner_text()


def test_hostile_levels_columns_and_ids_are_text(visit, reports):
    page = visit(reports.two, viewport=PHONE)

    assert "<img src=x" in page.locator("#model-by").inner_text()
    assert "<img src=x" in page.locator("#model-importance").inner_text()
    assert "</script>" in page.locator("#model-hardest").inner_text()


def test_a_run_without_pictures_says_why(visit, tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(3))
        path = write_report(run, tmp_path / "report.html")
    page = visit(path)

    assert "The store has no pictures of a model" in page.locator("#model-why").inner_text()
    assert page.locator("#model .part").count() == 0
