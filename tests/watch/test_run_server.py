"""The server of a page about a run: on this machine, for who knows the token, to read only."""

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

import curvewise as cw
from curvewise import Task
from curvewise._watch.run_server import MOST_CONNECTIONS
from curvewise.errors import StoreError
from tests.executors.contract import eventually
from tests.report.samples import evaluate, search_on, stored
from tests.watch.asking import ask, place_of

pytest.importorskip("plotly", reason="plotly is not installed")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("watched") / "run.db"
    with stored(path) as run:
        search_on(run, range(30), stop_after=40)
    return path


@pytest.fixture(scope="module")
def page(store):
    with cw.watch(store) as page:
        yield page


def test_the_page_and_its_facts_are_served(page):
    _, path = place_of(page)
    status, headers, body = ask(page, path)
    facts = json.loads(ask(page, f"{path}facts")[2])

    assert status == 200
    assert headers["Content-Type"].startswith("text/html")
    assert headers["Cache-Control"] == "no-store"
    assert b"connect-src 'self'" in body
    assert facts["live"]["running"] is True
    assert len(facts["candidates"]) == 30


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/facts",
        "/wrong/facts",
        "{token}../",
        "{token}../../etc/passwd",
        "{token}%2e%2e/facts",
        "{token}run.db",
        "{token}facts/",
        "/../{token}facts",
    ],
)
def test_nothing_else_is_there(page, path):
    _, own = place_of(page)

    assert ask(page, path.format(token=own))[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", ""])
def test_a_request_that_names_another_host_is_refused(page, host):
    _, path = place_of(page)

    assert ask(page, path, Host=host)[0] == 403
    assert ask(page, f"{path}facts", Host=host)[0] == 403


def test_this_machine_may_be_called_by_its_name(page):
    port, path = place_of(page)

    assert ask(page, f"{path}facts", Host=f"localhost:{port}")[0] == 200


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"]
)
def test_only_reading_is_answered(page, method):
    _, path = place_of(page)
    status, headers, _ = ask(page, path, method=method)

    assert status == 405
    assert headers["Allow"] == "GET, HEAD"
    assert "Access-Control-Allow-Origin" not in headers


def test_a_head_has_no_body(page):
    _, path = place_of(page)
    status, headers, body = ask(page, path, method="HEAD")

    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 1000


def test_tokens_differ(store, page):
    with cw.watch(store) as other:
        assert place_of(other)[1] != place_of(page)[1]
        assert ask(other, place_of(page)[1])[0] == 404


@pytest.fixture
def always_read(monkeypatch):
    """Read the store for each request, however quickly they follow each other."""
    monkeypatch.setattr("curvewise._watch.run_server.FRESH_SECONDS", 0.0)


@pytest.mark.usefixtures("always_read")
def test_facts_of_a_run_that_is_over_are_not_sent_again(tmp_path):
    with stored(tmp_path / "run.db", target=1000) as run:
        search_on(run, range(5))
    with cw.watch(tmp_path / "run.db") as page:
        path = f"{place_of(page)[1]}facts"
        _, headers, body = ask(page, path)
        again = ask(page, path, If_None_Match=headers["ETag"])

        assert len(body) > 1000
        assert again[::2] == (304, b"")
        assert again[1]["ETag"] == headers["ETag"]
        assert ask(page, path, If_None_Match='"others"')[::2] == (200, body)
        assert page.over


@pytest.mark.usefixtures("always_read")
def test_new_facts_are_sent_to_who_knows_the_old_ones(tmp_path):
    with stored(tmp_path / "run.db") as run, cw.watch(tmp_path / "run.db") as page:
        search_on(run, range(30), stop_after=20)
        path = f"{place_of(page)[1]}facts"
        _, headers, before = ask(page, path)
        run.record(evaluate(Task(0, run.terms.schedule.target, 4)))
        status, newer, after = ask(page, path, If_None_Match=headers["ETag"])

    assert status == 200
    assert newer["ETag"] != headers["ETag"]
    numbers = [json.loads(facts)["run"]["n_observations"] for facts in (before, after)]
    assert numbers[1] == numbers[0] + 1


def test_a_run_that_has_not_begun_is_waited_for(tmp_path):
    with cw.watch(tmp_path / "none.db") as page:
        status, _, body = ask(page, place_of(page)[1])

        assert status == 200
        assert b"Waiting for the run" in body
        assert not page.over


def test_a_file_that_is_no_store_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no store" * 100, encoding="utf-8")

    with pytest.raises(StoreError):
        cw.watch(path)


def test_in_a_notebook_it_is_a_frame(page):
    html = page._repr_html_()

    assert f'src="{page.address}"' in html
    assert "<iframe" in html


def test_a_reader_who_goes_in_the_middle_of_an_answer_is_not_told_of(page, capfd):
    try:
        raise ConnectionResetError
    except ConnectionResetError:
        page._server._server.handle_error(None, ("127.0.0.1", 1))

    assert capfd.readouterr().err == ""


def test_a_page_that_was_just_opened_may_see_the_end(store):
    page = cw.watch(store)
    ask(page, f"{place_of(page)[1]}facts")
    begun = time.monotonic()
    page.close(grace=2)

    assert time.monotonic() - begun >= 1.5


@pytest.mark.usefixtures("always_read")
def test_every_page_is_waited_for_until_it_was_sent_the_end(tmp_path):
    store = tmp_path / "run.db"
    with stored(store, target=1000) as run, ThreadPoolExecutor() as threads:
        page = cw.watch(store)
        _, path = place_of(page)
        ask(page, path)
        ask(page, f"{path}facts?first")
        ask(page, f"{path}facts?second")
        search_on(run, range(5))
        closing = threads.submit(page.close, grace=60)
        ends = [ask(page, f"{path}facts?{name}")[2] for name in ("first", "second")]
        closing.result(timeout=30)

    assert [json.loads(facts)["live"]["running"] for facts in ends] == [False, False]


def test_a_page_that_was_closed_is_gone(store):
    page = cw.watch(store)
    page.close()

    with pytest.raises(ConnectionRefusedError):
        ask(page, place_of(page)[1])


def n_open_files():
    """How many descriptors this process has, where the system says so."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def test_connections_that_say_nothing_do_not_use_up_what_the_search_needs(tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(3), stop_after=2)
    with cw.watch(tmp_path / "run.db") as page, ExitStack() as silent:
        port, path = place_of(page)
        before = n_open_files()
        n_threads = threading.active_count()
        for _ in range(MOST_CONNECTIONS + 50):
            silent.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        eventually(lambda: threading.active_count() >= n_threads + MOST_CONNECTIONS)
        time.sleep(0.2)
        opened = n_open_files() - before
        n_answering = threading.active_count() - n_threads
        silent.close()
        eventually(lambda: ask(page, f"{path}facts")[0] == 200)

    assert n_answering <= MOST_CONNECTIONS
    # Ours are open at both ends.
    assert opened <= 2 * MOST_CONNECTIONS + 50 + 5
