"""Text that wants to be markup, in every place of a report; read as text, and in a browser."""

import json
import re
import shutil
from functools import partial

import curvewise as cw
from curvewise._report import write_report
from tests.attacks.attack import CLOCK_SECONDS, Attack
from tests.report.outline import Outline, without_plotly
from tests.report.samples import HOSTILE, NOTES, PROFILE, search_on, stored

PLACES = ("candidate", "parameters", "message", "note", "table")


def fill(run, text, place):
    """Search with a hostile text in one place."""

    def evaluated(task):
        if task.candidate == "fails":
            said = text if place == "message" else "no"
            return cw.Failure(task, cw.Reason.ERROR, f"{said}\n{said}", 0.1, said)
        return cw.Observation(task, 0.1 + 1 / task.anchor, seconds=1.0, n_test=500)

    def described(name):
        said = text if place == "parameters" else str(name)
        return {"algorithm": said, "text": said, "estimator": said, said: said}

    names = ["one", "fails", text if place == "candidate" else "two"]
    search_on(run, names, evaluated=evaluated, described=described)
    if place == "note":
        run.note("data", NOTES["data"] | {"name": text, "target": text, "notes": [text]})
        run.note(text, {text: [text]})
    if place == "table":
        run.note("data", PROFILE | {"name": text, "source": text, "notes": [text]})
        run.note("columns left out", [{"column": text, "reason": text}])


def write(folder, text, place):
    """Write a report with a hostile text in one place, and in its title."""
    path = folder / "pages.db"
    for left in folder.glob("pages.db*"):
        left.unlink()
    with stored(path) as run:
        fill(run, text, place)
        return write_report(run, folder / "page.html", title=text)


def _read(folder, text, place):
    page = write(folder, text, place).read_text("utf-8")
    outline = Outline(without_plotly(page))
    block = re.search(r'<script type="application/json" id="facts">(.*?)</script>', page)
    if set("<>&\u2028\u2029") & set(block[1]) or not json.loads(block[1]):
        raise AssertionError("the facts are markup")
    if outline.open or outline.handlers or {"img", "iframe", "object", "b"} & set(outline.tags):
        raise AssertionError("the page has elements of the text")
    if outline.tags.count("script") > 3:
        raise AssertionError("the page has a script of the text")
    if not all(address.startswith(("#", "data:")) for address in outline.addresses):
        raise AssertionError("the page loads something")


def _visit(folder, text, place):
    from playwright.sync_api import sync_playwright

    own = write(folder, text, place).resolve().as_uri()
    troubles = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.set_default_timeout(1000 * CLOCK_SECONDS)
        page.on("request", lambda asked: troubles.append(asked.url))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(own)
        page.locator("html[data-ready]").wait_for(state="attached")
        for toggle in page.locator(".toggle").all():
            toggle.click()
        title = page.title()
        n_elements = page.locator("main img, main b, main a, main script").count()
        browser.close()
    if [each for each in troubles if each.partition("#")[0] != own]:
        raise AssertionError(f"the page asked for something: {troubles}")
    if title == "owned" or n_elements:
        raise AssertionError("the text was executed")


def _has_browser():
    try:
        import playwright  # noqa: F401
    except ImportError:
        return False
    return shutil.which("chromium") is not None


def attacks(folder, n_cases):
    """Give each text in each place; in a browser where there is one, and many cases are wanted."""
    for text in HOSTILE:
        for place in PLACES:
            yield Attack(f"page: {text[:40]} as a {place}", partial(_read, folder, text, place))
    if n_cases > 1_000 and _has_browser():
        for text in HOSTILE:
            for place in PLACES:
                name = f"page in a browser: {text[:40]} as a {place}"
                yield Attack(name, partial(_visit, folder, text, place))
