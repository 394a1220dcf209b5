import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from curvewise._bench.doubled_rows.doubled_table import double_table, target_sizes
from curvewise._bench.doubled_rows.paper_portfolio import paper_portfolio
from curvewise.errors import UnfitDataError
from curvewise.executors import RunStore


@pytest.fixture
def table():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:, :8], y


class Broken(LogisticRegression):
    def fit(self, X, y):
        raise ValueError("not today")


@pytest.mark.parametrize(
    ("n_rows", "half", "full"), [(569, 256, 512), (1138, 512, 1024), (568, 128, 256)]
)
def test_training_parts_are_the_largest_powers_of_two(n_rows, half, full):
    assert target_sizes(n_rows) == (half, full)


def test_whole_curves_on_half_and_the_truth_on_all(table, tmp_path):
    portfolio = {
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "broken": Broken(),
    }
    doubling = double_table("cancer", *table, portfolio, store=tmp_path / "runs.db", n_splits=3)

    assert (doubling.rows, doubling.size) == (256, 569)
    assert doubling.learners == ["bayes", "tree"]
    curves = [entry.curve for entry in doubling.entries()]
    assert all(curve.anchors == (64, 128, 256) for curve in curves)
    assert all(curve.n(rows) == 3 for curve in curves for rows in (64, 128, 256))
    assert all(0 < loss < 0.3 for loss in doubling.truth)
    with RunStore.read(tmp_path / "runs.db") as store:
        names = [run.name for run in store.runs()]
    assert names == ["cancer, 256 training rows, whole curves", "cancer, 512 training rows"]


def test_what_was_finished_is_not_repeated(table, tmp_path):
    portfolio = {"bayes": GaussianNB()}
    settings = {"store": tmp_path / "runs.db", "n_splits": 3, "timeout_per_fit": None}
    first = double_table("cancer", *table, portfolio, **settings)
    second = double_table("cancer", *table, portfolio, **settings)

    seconds = [[each.seconds for each in one.entries()[0].curve] for one in (first, second)]
    assert seconds[0] == seconds[1]
    assert first.truth == second.truth


def test_a_table_that_is_too_small_is_refused(tmp_path):
    X = pd.DataFrame({"a": range(500)})

    with pytest.raises(UnfitDataError, match="small has 500 rows"):
        double_table("small", X, X["a"] % 2, {"bayes": GaussianNB()}, store=tmp_path / "runs.db")


@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_every_classifier_of_the_portfolio_can_be_fitted():
    X, y = make_classification(200, n_features=6, n_redundant=0, random_state=0)
    for classifier in paper_portfolio().values():
        assert classifier.fit(X - X.min(axis=0), y).score(X - X.min(axis=0), y) > 0.45
