import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    get_scorer,
    get_scorer_names,
    make_scorer,
    mean_squared_error,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from curvewise._evaluation.scales import ERROR, EXPLAINED, RATE, own_scale, scale_of

# Not errors, but without a best value either: nothing can be assumed about them.
UNLIMITED = {"positive_likelihood_ratio", "mutual_info_score"}


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("accuracy", RATE),
        ("f1_macro", RATE),
        ("jaccard_samples", RATE),
        ("roc_auc_ovo_weighted", RATE),
        ("average_precision", RATE),
        ("top_k_accuracy", RATE),
        ("matthews_corrcoef", RATE),
        ("adjusted_mutual_info_score", RATE),
        ("r2", EXPLAINED),
        ("explained_variance", EXPLAINED),
        ("d2_absolute_error_score", EXPLAINED),
        ("neg_log_loss", ERROR),
        ("neg_root_mean_squared_error", ERROR),
        ("positive_likelihood_ratio", ERROR),
    ],
)
def test_known_metrics_have_their_scale(name, scale):
    assert scale_of(name) == scale
    assert scale_of(get_scorer(name)) == scale


def test_no_scorer_of_scikit_learn_is_forgotten():
    unknown = {name for name in get_scorer_names() if scale_of(name) == ERROR}

    assert {name for name in unknown if not name.startswith("neg_")} == UNLIMITED


def perfect(name):
    """The score of predictions that are right."""
    classes = np.array([0, 1, 1, 0])
    if "samples" in name:
        classes = np.array([[0, 1], [1, 1], [1, 0]])
    if "top_k" in name:
        classes = np.array([0, 1, 2, 0])

    class Right:
        classes_ = np.unique(classes)

        def __sklearn_tags__(self):
            return LogisticRegression().__sklearn_tags__()

        def predict(self, X):
            return classes

        def predict_proba(self, X):
            return np.eye(len(self.classes_))[classes]

    return get_scorer(name)(Right(), np.zeros((len(classes), 1)), classes)


@pytest.mark.parametrize("name", [n for n in get_scorer_names() if scale_of(n) == RATE])
def test_right_answers_have_no_loss(name):
    assert scale_of(name).loss(perfect(name)) == pytest.approx(0.0)


def test_a_scorer_that_is_made_like_a_known_one_is_recognised():
    assert scale_of(make_scorer(accuracy_score)) == RATE
    assert scale_of(make_scorer(mean_squared_error, greater_is_better=False)) == ERROR


def test_nothing_is_assumed_about_a_metric_that_nobody_knows():
    assert scale_of(make_scorer(f1_score, beta=7)) == ERROR
    assert scale_of(lambda estimator, X, y: 1.0) == ERROR
    assert scale_of("my_metric") == ERROR


def test_an_estimators_own_score_follows_from_its_kind():
    assert own_scale(make_pipeline(StandardScaler(), LogisticRegression())) == RATE
    assert own_scale(Ridge()) == EXPLAINED
    assert own_scale(KMeans()) == ERROR
    assert own_scale(None) == ERROR
