"""``curvewise watch``, and the page that ``select --watch`` opens."""

import urllib.request

import pytest

from curvewise import Search
from curvewise._cli.watch_command import WatchedSearch
from tests.cli.runner import invoke
from tests.report.samples import search_on, stored

pytest.importorskip("plotly", reason="plotly is not installed")


def test_a_run_that_has_ended_is_named_with_what_reports_it(tmp_path):
    path = tmp_path / "run.db"
    with stored(path, target=1000) as run:
        search_on(run, range(5))
    answer = invoke("watch", path)

    assert answer.exit_code == 0
    assert answer.stdout == f"Run 1 has ended: curvewise report {path} writes its report.\n"


def test_a_missing_store_is_one_sentence(tmp_path):
    answer = invoke("watch", tmp_path / "none.db")

    assert answer.exit_code != 0
    assert "none.db" in str(answer.exception) + answer.output


def test_the_page_opens_when_the_search_begins_and_ends_with_it(tmp_path):
    said = []
    with stored(tmp_path / "run.db", target=1000) as run:
        watched = WatchedSearch(tmp_path / "run.db", None, said.append)
        watched.started(Search(range(5), schedule=1000))
        address = said[0].removeprefix("Watch it at ")
        with urllib.request.urlopen(address) as answer:
            page = answer.read()
        search_on(run, range(5))
        with urllib.request.urlopen(f"{address}facts") as answer:
            answer.read()
        watched.close()

    assert b"curvewise report" in page
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(address)
