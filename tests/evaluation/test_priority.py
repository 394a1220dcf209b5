import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curvewise._evaluation.priority import at_random, in_proportion, latest_first, whole_groups

seeds = st.integers(0, 2**31 - 1)
labels = st.lists(st.integers(0, 5), min_size=1, max_size=80).map(np.array)


def order_of(priority):
    """The positions in the order in which they enter."""
    return priority.positions.tolist()


@given(labels, seeds)
def test_every_order_has_every_position_once(values, seed):
    rng = np.random.default_rng(seed)
    orders = [
        at_random(len(values), rng),
        in_proportion(values, rng),
        whole_groups(values, rng),
        whole_groups(values, rng, classes=values % 2),
        latest_first(np.arange(len(values))),
    ]

    for order in orders:
        assert sorted(order_of(order)) == list(range(len(values)))


@given(labels, seeds)
def test_each_class_is_there_as_soon_as_rows_suffice(classes, seed):
    present = len(set(classes.tolist()))
    priority = in_proportion(classes, np.random.default_rng(seed))

    for n in range(1, len(classes) + 1):
        assert len(set(classes[priority.first(n)].tolist())) == min(n, present)


@given(labels, seeds)
def test_every_beginning_has_the_classes_in_proportion(classes, seed):
    priority = in_proportion(classes, np.random.default_rng(seed))
    sizes = np.bincount(classes)
    n_classes = np.count_nonzero(sizes)

    for n in range(1, len(classes) + 1):
        counts = np.bincount(classes[priority.first(n)], minlength=len(sizes))
        # First members may displace others: by no more than one row per class.
        assert np.all(counts >= np.floor(sizes * (n - n_classes) / len(classes) - 0.5))
        assert np.all(counts <= np.maximum(1, sizes * (n + n_classes / 2) / len(classes) + 0.5))


@given(labels, seeds, st.booleans())
def test_groups_enter_whole_and_no_more_than_fit(groups, seed, stratified):
    classes = groups % 2 if stratified else None
    priority = whole_groups(groups, np.random.default_rng(seed), classes=classes)
    sizes = np.bincount(groups)

    for n in range(1, len(groups) + 1):
        entered = groups[priority.first(n)]
        members = set(entered.tolist())
        assert len(entered) == sizes[list(members)].sum()
        assert len(entered) <= n or len(members) == 1


def test_groups_of_different_classes_alternate():
    groups = np.repeat(np.arange(20), 5)
    classes = (groups >= 10).astype(int)

    priority = whole_groups(groups, np.random.default_rng(0), classes=classes)

    assert np.bincount(classes[priority.first(20)]).tolist() == [10, 10]


def test_a_group_counts_for_its_most_frequent_class():
    groups = np.repeat([0, 1, 2, 3], 3)
    classes = np.array([0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0])

    for seed in range(20):
        priority = whole_groups(groups, np.random.default_rng(seed), classes=classes)
        assert np.bincount(classes[priority.first(6)]).tolist() == [3, 3]


@given(st.lists(st.integers(0, 1000), min_size=1, unique=True).map(np.array), st.data())
def test_the_latest_rows_come_first(rows, data):
    n = data.draw(st.integers(1, len(rows)))

    assert sorted(rows[latest_first(rows).first(n)]) == sorted(rows)[-n:]


def test_chance_is_fair_to_rows_of_a_class():
    classes = np.repeat([0, 1], [30, 10])
    n_in = np.zeros(40)

    for seed in range(400):
        n_in[in_proportion(classes, np.random.default_rng(seed)).first(20)] += 1

    assert n_in.min() > 140
    assert n_in.max() < 260
