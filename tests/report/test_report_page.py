"""The page as text: well-formed, self-contained, escaped, small enough, and written whole."""

import json
import math
import os
import re
import sys

import pytest

from curvewise._report import write_report
from curvewise._report.candidate_facts import algorithm_of
from curvewise._report.report_page import MOST, as_script, shortened
from curvewise.core._intervals import UNKNOWN
from curvewise.core._portfolio import Status
from curvewise.errors import InvalidParameterError, MissingExtraError
from curvewise.executors import StoredResult
from tests.report.outline import Outline, without_plotly
from tests.report.samples import HOSTILE, hostile_run, search_on, stored

pytest.importorskip("plotly")


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with stored(folder / "run.db") as run:
        return write_report(hostile_run(run), folder / "report.html").read_text("utf-8")


def test_elements_are_nested_and_ids_are_unique(hostile_page):
    outline = Outline(without_plotly(hostile_page))

    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert {"main", "header", "nav", "footer", "h1"} <= set(outline.tags)


def test_nothing_is_loaded_and_no_handler_is_in_the_markup(hostile_page):
    outline = Outline(without_plotly(hostile_page))

    assert all(address.startswith(("#", "data:")) for address in outline.addresses)
    assert outline.handlers == []
    assert "img" not in outline.tags
    assert outline.tags.count("script") <= 3


def test_hostile_text_is_only_in_the_facts_and_comes_back_unchanged(hostile_page):
    block = re.search(r'<script type="application/json" id="facts">(.*?)</script>', hostile_page)
    text = block[1]
    facts = json.loads(text)

    assert not set("<>&\u2028\u2029") & set(text)
    assert text.isascii()
    assert {entry["name"] for entry in facts["candidates"]} == set(HOSTILE)
    rest = hostile_page.replace(text, "")
    assert not any(name in rest for name in HOSTILE)


def test_the_title_is_escaped(tmp_path):
    with stored(tmp_path / "run.db") as run:
        page = write_report(run, tmp_path / "report.html", title="</title><script>").read_text()

    assert "<title>&lt;/title&gt;&lt;script&gt;</title>" in page


def test_texts_are_cut_until_the_facts_fit():
    facts = {"candidates": [{"name": 9_000 * "x", "steps": ["step"] * 3_000}] * 100}
    script = as_script(facts, most=MOST // 20)

    assert len(script) < MOST // 20
    found = json.loads(script)
    cut, texts = found["candidates"], found["texts"]
    assert len(cut) == 100
    assert "9,000 characters in the store" in cut[0]["name"]
    assert any("more in the store" in texts[step] for step in cut[0]["steps"] if step != "step")


def test_cutting_names_loses_none_of_them():
    classes = {f"{200 * 'x'}{i}": i for i in range(30)}

    assert list(shortened(classes, 120, 8).values()) == list(range(30))


@pytest.mark.parametrize("recipe", [*HOSTILE, "((((", "", "Pipeline(steps=[])", 9_000 * "("])
def test_an_algorithm_is_what_the_store_says_and_never_read_from_a_recipe(recipe):
    rest = ("", {"estimator": recipe}, Status.PRUNED, math.nan, UNKNOWN, 1, 0, 0.5)

    assert algorithm_of(StoredResult("a", *rest)) == "unknown"


def test_a_report_replaces_an_older_one_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    with stored(tmp_path / "run.db") as run:
        assert write_report(run, str(path)) == path

    assert path.read_text("utf-8").startswith("<!doctype html>")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["report.html", "run.db"]


def refused(run, path):
    with pytest.raises(InvalidParameterError) as error:
        write_report(run, path)
    return str(error.value)


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with stored(tmp_path / "run.db") as run:
        assert "create it first" in refused(run, tmp_path / "missing" / "report.html")
        assert "is a folder" in refused(run, tmp_path)
        assert "no folder" in refused(run, tmp_path / "file" / "report.html")
        assert "run store" in refused(run, tmp_path / "run.db")
        assert "no regular file" in refused(run, os.devnull)
        assert "cannot be written" in refused(run, tmp_path / (300 * "x"))
        assert "cannot be written" in refused(run, tmp_path / "a\0b.html")


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_a_sentence(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with stored(tmp_path / "run.db") as run:
        assert "Permission denied" in refused(run, folder / "report.html")


def test_a_full_disk_leaves_the_old_report_and_nothing_half_written(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "report.html"
    path.write_text("old")
    with stored(tmp_path / "run.db") as run:
        monkeypatch.setattr("pathlib.Path.replace", full)
        assert "No space left on device" in refused(run, path)

    assert path.read_text() == "old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["report.html", "run.db"]


def test_without_plotly_the_message_has_the_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with stored(tmp_path / "run.db") as run, pytest.raises(MissingExtraError, match=r"\[report\]"):
        write_report(run, tmp_path / "report.html")

    assert not (tmp_path / "report.html").exists()


def test_a_run_that_is_being_written_can_be_reported_on_again_and_again(tmp_path):
    for n in (1, 5, 40):
        with stored(tmp_path / "run.db") as run:
            search_on(run, range(12), stop_after=n)
            write_report(run, tmp_path / "report.html")

    assert (tmp_path / "report.html").stat().st_size > 1_000_000
