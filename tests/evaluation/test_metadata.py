import gc
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from curvewise._evaluation.metadata import Metadata, for_fit
from curvewise._evaluation.scorers import resolve_scoring

WEIGHTS = np.array([1.0, 2.0, 3.0])
ROWS = np.array([2, 0])


def metadata(params, *, scoring="r2", splitter=None):
    return Metadata(params, 3, scoring=resolve_scoring(scoring), splitter=splitter)


@pytest.fixture
def routing():
    with config_context(enable_metadata_routing=True):
        yield


def test_values_with_an_entry_per_row_are_cut():
    params = {"weight": WEIGHTS, "names": ["a", "b", "c"], "depth": 3, "pair": [1, 2]}
    cut = metadata(params).take({name: name for name in params}, ROWS)

    assert cut["weight"].tolist() == [3.0, 1.0]
    assert cut["names"] == ["c", "a"]
    assert cut["depth"] == 3
    assert cut["pair"] == [1, 2]


def test_sparse_metadata_is_cut_in_any_format():
    cut = metadata({"side": sparse.coo_array(np.eye(3))}).take({"side": "side"}, ROWS)

    assert cut["side"].toarray().tolist() == [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]


def test_without_routing_everything_goes_to_fit():
    route = metadata({"sample_weight": WEIGHTS, "depth": 3, "nothing": None}).route(Ridge())

    assert route.fit == {"sample_weight": "sample_weight", "depth": "depth"}
    assert route.score == {}


def test_without_routing_a_pipeline_hands_weights_to_its_last_step():
    inner = Pipeline([("scale", StandardScaler()), ("tree", DecisionTreeClassifier())])
    outer = Pipeline([("first", StandardScaler()), ("model", inner)])
    params = {"sample_weight": [1, 2, 3], "other": 1}

    assert for_fit(outer, params) == {"model__tree__sample_weight": [1, 2, 3], "other": 1}
    assert for_fit(inner[-1], params) == params
    with config_context(enable_metadata_routing=True):
        assert for_fit(outer, params) == params
    assert outer.fit([[0], [1], [2]], [0, 1, 1], **for_fit(outer, {"sample_weight": [1, 2, 3]}))


@pytest.mark.usefixtures("routing")
def test_with_routing_each_gets_what_it_asked_for():
    scorer = get_scorer("r2").set_score_request(sample_weight="importance")
    candidate = Ridge().set_fit_request(sample_weight="cost")
    params = {"cost": WEIGHTS, "importance": WEIGHTS, "groups": [0, 0, 1]}
    route = metadata(params, scoring=scorer, splitter=GroupKFold(2)).route(candidate)

    assert route.fit == {"sample_weight": "cost"}
    assert route.score == {"sample_weight": "importance"}


@pytest.mark.usefixtures("routing")
def test_an_own_score_asks_for_its_own_metadata():
    candidate = Ridge().set_fit_request(sample_weight=False).set_score_request(sample_weight=True)
    route = metadata({"sample_weight": WEIGHTS}, scoring=None).route(candidate)

    assert route.fit == {}
    assert route.score == {"sample_weight": "sample_weight"}


@pytest.mark.usefixtures("routing")
def test_what_nobody_asked_for_is_an_error():
    with pytest.raises(TypeError, match=r"unexpected argument.*colour"):
        metadata({"colour": WEIGHTS}).route(Ridge())


class Unhashable(Ridge):
    __hash__ = None

    def __eq__(self, other):
        return False


@pytest.mark.usefixtures("routing")
def test_a_candidate_that_is_no_key_is_routed_as_well():
    scorer = get_scorer("r2").set_score_request(sample_weight=False)
    candidate = Unhashable().set_fit_request(sample_weight=True)

    assert metadata({"sample_weight": WEIGHTS}, scoring=scorer).route(candidate).fit


class Asked(BaseEstimator):
    """Counts how often it is asked what it wants."""

    def __init__(self):
        self.n_asked = 0

    def fit(self, X, y, colour=None):
        return self

    def get_metadata_routing(self):
        self.n_asked += 1
        return super().get_metadata_routing()


@pytest.mark.usefixtures("routing")
def test_a_candidate_is_asked_once_and_then_forgotten():
    candidate = Asked().set_fit_request(colour=True)
    described = metadata({"colour": WEIGHTS})
    first = described.route(candidate)
    n_asked = candidate.n_asked

    assert described.route(candidate) == first
    assert candidate.n_asked == n_asked
    del candidate
    gc.collect()
    assert not described._routes


@pytest.mark.usefixtures("routing")
def test_metadata_can_be_pickled():
    described = metadata({"colour": WEIGHTS})
    candidate = Asked().set_fit_request(colour=True)
    described.route(candidate)

    assert pickle.loads(pickle.dumps(described)).route(candidate).fit == {"colour": "colour"}
