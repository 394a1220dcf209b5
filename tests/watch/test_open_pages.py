"""Which open pages are waited for when a run has ended."""

import pytest

from curvewise._watch.open_pages import DRAWING_SECONDS, LONGEST_WAIT, OpenPages


class Clock:
    """A clock that is set."""

    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pages(clock):
    return OpenPages(clock)


def left(pages, clock, grace=5.0):
    return pages.seconds_left(grace, clock.now)


def test_nobody_is_waited_for_where_nobody_looks(pages, clock):
    assert left(pages, clock) <= 0


def test_a_page_that_is_still_being_drawn_is_waited_for(pages, clock):
    pages.served()
    clock.now += 40

    assert left(pages, clock) == pytest.approx(min(DRAWING_SECONDS - 40, LONGEST_WAIT))


def test_a_page_that_was_never_drawn_is_given_up(pages, clock):
    pages.served()
    clock.now += DRAWING_SECONDS

    assert left(pages, clock) <= 0


def test_a_page_that_asks_is_waited_for_until_it_has_seen_the_end(pages, clock):
    pages.served()
    pages.asked("one")
    before = left(pages, clock)
    pages.has_seen_end("one")

    assert before == 5.0
    assert left(pages, clock) <= 0


def test_a_page_that_has_seen_the_end_does_not_speak_for_another(pages, clock):
    pages.asked("one")
    pages.asked("other")
    pages.has_seen_end("one")

    assert left(pages, clock) == 5.0


def test_a_page_that_asks_seldom_is_waited_for_longer(pages, clock):
    pages.asked("one")
    clock.now += 6
    pages.asked("one")
    clock.now += 4

    assert left(pages, clock) == pytest.approx(3 * 6 - 4)


def test_a_page_that_was_closed_is_not_waited_for(pages, clock):
    pages.asked("one")
    clock.now += 2
    pages.asked("one")
    clock.now += 7

    assert left(pages, clock) <= 0


def test_a_wait_has_its_end(pages, clock):
    begun = clock.now
    pages.asked("one")
    clock.now += 60
    pages.asked("one")

    assert pages.seconds_left(5.0, clock.now) == LONGEST_WAIT
    assert pages.seconds_left(5.0, begun) <= 0


def test_a_grace_may_be_longer(pages, clock):
    pages.asked("one")

    assert left(pages, clock, grace=600.0) == 600.0


def test_names_are_forgotten_beyond_a_number_of_them(pages, clock):
    for place in range(1000):
        pages.asked(str(place))
    for place in range(900, 1000):
        pages.has_seen_end(str(place))

    assert left(pages, clock) <= 0
