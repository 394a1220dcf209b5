from hypothesis import given
from hypothesis import strategies as st

from curvewise.executors._workers.shelf import MOST_BYTES, MOST_THINGS, Shelf

uses = st.lists(st.tuples(st.integers(0, 30), st.integers(0, MOST_BYTES)), min_size=1, max_size=60)


@given(uses)
def test_it_never_holds_too_much_and_always_the_latest(puts):
    shelf, sizes = Shelf(), {}
    for key, n_bytes in puts:
        shelf.put(key, str(key), n_bytes=n_bytes)
        sizes[key] = n_bytes

        assert shelf.get(key) == str(key)
        assert len(shelf.names()) <= MOST_THINGS
        assert len(shelf.names()) == 1 or sum(sizes[kept] for kept in shelf.names()) <= MOST_BYTES


def test_what_was_not_used_for_longest_goes_first():
    shelf = Shelf()
    for key in range(MOST_THINGS):
        shelf.put(key, key, n_bytes=1)
    shelf.get(0)
    shelf.put("new", "new", n_bytes=1)

    assert shelf.get(0) == 0
    assert shelf.get(1) is None
