"""What is shown while a search runs."""

import io
from itertools import count

import pytest
from rich.console import Console

from curvewise import Failure, Observation, Race, Reason, Search
from curvewise._cli.live_display import SearchDisplay, savings
from curvewise.executors import ReplayExecutor, run


def losing(task):
    """One candidate fails."""
    if task.candidate == 5:
        return Failure(task, Reason.ERROR, "no")
    return Observation(task, 0.1 + task.candidate / 50, seconds=2.0, n_test=300)


def follow(listener, n=12):
    """Let somebody listen to a search in which one candidate fails."""
    search = Search(range(n), schedule=900, policy=Race(), n_folds=5)
    run(search, ReplayExecutor(losing), listeners=[listener])
    return search


def test_a_panel_shows_the_leader_the_counts_and_what_was_saved():
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    display = SearchDisplay(console, n_candidates=12, seconds=600)
    search = follow(display)
    with console.capture() as capture:
        console.print(display.panel())
    text = capture.get()

    assert "0.9000" in text
    assert "12 of 12" in text
    assert "1 failed" in text
    assert "where k-fold would have spent" in text
    assert savings(search.portfolio)[0] < savings(search.portfolio)[1]


def test_lines_tell_of_leaders_and_every_now_and_then_how_far_it_is():
    seconds = count(0.0)
    out = io.StringIO()
    console = Console(file=out, width=200)
    follow(SearchDisplay(console, n_candidates=12, clock=lambda: next(seconds)))
    lines = out.getvalue().splitlines()

    assert lines[0].startswith("[")
    assert "new leader: 0.9000 0" in lines[0]
    assert any("of 12 candidates" in line for line in lines)


def test_a_single_candidate_is_counted_as_one():
    out, seconds = io.StringIO(), count(0.0, 100.0)
    follow(SearchDisplay(Console(file=out, width=200), clock=lambda: next(seconds)), n=1)
    follow(
        SearchDisplay(Console(file=out, width=200), n_candidates=1, clock=lambda: next(seconds)),
        n=1,
    )

    assert "1 candidate; " in out.getvalue()
    assert "1 of 1 candidate; " in out.getvalue()


def test_names_cannot_write_control_characters_to_the_terminal():
    out = io.StringIO()
    lines = SearchDisplay(Console(file=out, width=200))
    search = Search(["evil \x1b[31m\n name"], schedule=900, n_folds=2, observer=lines.decided)
    lines.started(search)
    for task in search.ask():
        search.tell(Observation(task, 0.1, n_test=100))

    assert "\x1b" not in out.getvalue()
    assert len(out.getvalue().splitlines()) == 1


@pytest.mark.parametrize("n_done", [1, 3, 6])
def test_it_is_said_what_comes_after_an_interrupt(n_done):
    done = count(1)

    def losing_until_then(task):
        if next(done) > n_done:
            raise KeyboardInterrupt
        return losing(task)

    out = io.StringIO()
    search = Search(range(4), schedule=900, n_folds=5)
    display = SearchDisplay(Console(file=out, width=200))
    run(search, ReplayExecutor(losing_until_then), listeners=[display])

    assert "Interrupted: fitting the best pipeline so far on all rows. Ctrl-C" in out.getvalue()
