import socket

from curvewise._bench.experiments.cells import Cell, State, is_gone, is_held, new_owner, token_of

ELSEWHERE = "elsewhere 1 0.0 cafe"


def test_the_headline_of_a_failure_is_its_first_line():
    cell = Cell(1, "toy", "5cv", "iris", 0, State.FAILED, failure="Boom.\nTraceback")

    assert cell.headline == "Boom."


def test_every_owner_has_a_name_of_its_own_and_lives():
    owner = new_owner()

    assert owner != new_owner()
    assert not is_gone(owner)


def test_a_process_that_has_ended_is_gone_if_it_was_here():
    assert is_gone(f"{socket.gethostname()} 999999999 0.0 cafe")
    assert not is_gone(ELSEWHERE)


def test_the_token_of_an_owner_names_no_host():
    assert token_of(ELSEWHERE) == "cafe"


def test_a_claim_counts_until_its_lease_is_over_but_always_for_oneself():
    assert is_held(ELSEWHERE, 60.0, now=30, me="me")
    assert not is_held(ELSEWHERE, 60.0, now=90, me="me")
    assert is_held("me", 60.0, now=90, me="me")
