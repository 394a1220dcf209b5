import warnings

import pytest
from sklearn import config_context, get_config
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from curvewise._bench.peers.adapters import PEERS, Roster
from curvewise._bench.peers.peer_cell import run_peer
from curvewise.errors import NoResultError


class Broken(DecisionTreeClassifier):
    """Fails on any data."""

    def fit(self, X, y):
        raise ValueError("It broke.")


def candidates():
    trees = [DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 3, None)]
    return [DummyClassifier(), *trees]


def choose(name, roster, folds=5):
    if name.startswith("lccv-"):
        pytest.importorskip("lccv", reason="lccv is missing: pip install 'curvewise[bench]'")
    X, y = load_iris(return_X_y=True)
    order = [i % 3 * 50 + i // 3 for i in range(150)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run_peer(name, roster, X[order], y[order], cv=folds, random_state=0)


@pytest.mark.parametrize("name", PEERS)
def test_every_tool_finds_a_good_candidate_and_its_fits_are_counted(name):
    roster = Roster(candidates())

    choice, spent = choose(name, roster)

    assert choice in (2, 3)
    assert spent["fits"] == roster.n_fits > 4
    assert spent["rows"] > spent["fits"]
    assert spent["cpu_seconds"] > 0
    assert spent["wall_seconds"] > 0
    assert spent["peak_mb"] is None or spent["peak_mb"] > 10


def test_exhaustive_search_fits_everything_once_and_the_best_again():
    roster = Roster(candidates())

    _, spent = choose("grid", roster)

    assert (spent["fits"], spent["rows"]) == (4 * 5 + 1, 4 * 5 * 120 + 150)


def test_a_race_takes_no_more_than_exhaustive_search():
    assert choose("race", Roster(candidates()))[1]["fits"] <= 4 * 5 + 1


@pytest.mark.parametrize("name", PEERS)
def test_a_candidate_that_fails_ends_no_search(name):
    choice, _ = choose(name, Roster([*candidates(), Broken()]))

    assert choice in (2, 3)


@pytest.mark.parametrize("name", PEERS)
def test_no_tool_changes_the_settings_of_scikit_learn(name):
    with config_context(enable_metadata_routing=False):
        before = get_config()
        choose(name, Roster(candidates()))

        assert get_config() == before


def test_an_error_of_the_authors_package_is_a_candidate_that_fails(monkeypatch):
    lccv = pytest.importorskip("lccv", reason="lccv is missing: pip install 'curvewise[bench]'")
    validate = lccv.lccv

    def stumbling(learner, *arguments, **options):
        if learner.number == 3:
            raise IndexError("list index out of range")
        return validate(learner, *arguments, **options)

    monkeypatch.setattr(lccv, "lccv", stumbling)

    assert choose("lccv-0.2.2", Roster(candidates()))[0] == 2


def test_no_score_at_all_is_said():
    with pytest.raises(NoResultError, match="no candidate"):
        choose("lccv-0.2.2", Roster([Broken(), Broken()]))


@pytest.mark.parametrize("name", PEERS)
def test_no_tool_writes_about_candidates_that_fail(name, capfd, caplog):
    choose(name, Roster([*candidates(), Broken()]))

    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test_fits_of_clones_are_counted_as_well():
    roster = Roster([DecisionTreeClassifier(), DecisionTreeClassifier(max_depth=1)])

    model = clone(roster[1]).fit([[0.0], [1.0]], [0, 1])

    assert is_classifier(model)
    assert (model.score([[1.0]], [1]), roster.n_fits, roster.n_rows) == (1.0, 1, 2)
