"""A candidate that is never pruned gets scikit-learn's own scores, to the last bit."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.datasets import make_multilabel_classification as make_multilabel
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge, SGDClassifier
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core._outcome import Observation, Task

IRIS, SPECIES = load_iris(return_X_y=True)
DIABETES, PROGRESS = load_diabetes(return_X_y=True)
WIDE, SIDE = make_classification(200, 8, random_state=0)
MANY, LABELS = make_multilabel(120, 6, random_state=0)
TEXTS = ["red fish", "blue fish", "red wine", "white wine"] * 15
RNG = np.random.default_rng(0)
WEIGHTS = RNG.uniform(0.1, 2.0, 150)
GROUPS = RNG.integers(0, 20, 150)

tree = DecisionTreeClassifier(max_depth=3, random_state=0)


@dataclass
class Case:
    estimator: Any
    X: Any
    y: Any
    cv: Any = 5
    scoring: Any = None
    groups: Any = None
    params: dict = field(default_factory=dict)


CASES = {
    "classifier": Case(tree, IRIS, SPECIES, scoring="accuracy"),
    "own score": Case(GaussianNB(), IRIS, SPECIES),
    "probabilities": Case(GaussianNB(), IRIS, SPECIES, scoring="neg_log_loss"),
    "binary": Case(SVC(), WIDE, SIDE, scoring="roc_auc"),
    "forest": Case(RandomForestClassifier(5, random_state=0), IRIS, SPECIES, scoring="f1_macro"),
    "a generator of random numbers": Case(
        SGDClassifier(random_state=np.random.RandomState(3)), IRIS, SPECIES
    ),
    "regressor": Case(Ridge(), DIABETES, PROGRESS, scoring="r2"),
    "regressor, own score": Case(DecisionTreeRegressor(random_state=0), DIABETES, PROGRESS),
    "boosting": Case(
        GradientBoostingRegressor(n_estimators=5, random_state=0),
        DIABETES,
        PROGRESS,
        scoring="neg_root_mean_squared_error",
        cv=3,
    ),
    "pipeline": Case(make_pipeline(StandardScaler(), PCA(2), GaussianNB()), IRIS, SPECIES),
    "fortran order": Case(
        make_pipeline(StandardScaler(), PCA(2), GaussianNB()),
        np.asfortranarray(IRIS),
        SPECIES,
    ),
    "shuffled": Case(tree, IRIS, SPECIES, cv=StratifiedKFold(3, shuffle=True, random_state=1)),
    "repeated": Case(tree, IRIS, SPECIES, cv=RepeatedStratifiedKFold(n_splits=3, random_state=1)),
    "random splits": Case(
        SGDClassifier(random_state=0), IRIS, SPECIES, cv=ShuffleSplit(4, random_state=1)
    ),
    "time series": Case(Ridge(), DIABETES, PROGRESS, cv=TimeSeriesSplit(4)),
    "predefined": Case(Ridge(), DIABETES, PROGRESS, cv=PredefinedSplit(np.arange(442) % 3 - 1)),
    "pairs": Case(tree, IRIS, SPECIES, cv=list(KFold(3, shuffle=True).split(IRIS))),
    "groups": Case(tree, IRIS, SPECIES, cv=GroupKFold(4), groups=GROUPS),
    "sample weights": Case(
        tree, IRIS, SPECIES, scoring="accuracy", params={"sample_weight": WEIGHTS}
    ),
    "sample weights of a step": Case(
        make_pipeline(StandardScaler(), GaussianNB()),
        IRIS,
        SPECIES,
        params={"gaussiannb__sample_weight": WEIGHTS.tolist()},
    ),
    "other parameters of fit": Case(
        tree, IRIS, SPECIES, params={"check_input": True, "sample_weight": None}
    ),
    "csr": Case(MultinomialNB(), sparse.csr_array(IRIS), SPECIES),
    "csr matrix": Case(SVC(), sparse.csr_matrix(IRIS), SPECIES),
    "csc": Case(MultinomialNB(), sparse.csc_array(IRIS), SPECIES),
    "coo": Case(SVC(), sparse.coo_array(IRIS), SPECIES),
    "pandas": Case(
        make_pipeline(
            make_column_transformer((StandardScaler(), ["a", "c"]), ("passthrough", ["b"])), SVC()
        ),
        pd.DataFrame(IRIS, columns=list("abcd")).set_index(np.arange(150)[::-1]),
        pd.Series(load_iris().target_names[SPECIES], dtype="category"),
        scoring="balanced_accuracy",
    ),
    "polars": Case(
        make_pipeline(StandardScaler(), SVC()),
        pl.DataFrame(IRIS, schema=list("abcd")),
        pl.Series(SPECIES),
    ),
    "lists": Case(tree, IRIS.tolist(), SPECIES.tolist()),
    "texts": Case(
        make_pipeline(CountVectorizer(), MultinomialNB()), TEXTS, [0, 0, 1, 1] * 15, cv=3
    ),
    "kernel": Case(SVC(kernel="precomputed"), IRIS @ IRIS.T, SPECIES),
    "a square matrix that is none": Case(SVC(), IRIS[::38], np.array([0, 1, 0, 1]), cv=2),
    "multilabel": Case(KNeighborsClassifier(), MANY, LABELS, scoring="f1_macro"),
    "several outputs": Case(
        KNeighborsRegressor(), DIABETES, np.column_stack([PROGRESS, PROGRESS**2])
    ),
    "no y": Case(KMeans(3, n_init=1, random_state=0), IRIS, None),
    "several metrics": Case(GaussianNB(), WIDE, SIDE, scoring=["accuracy", "roc_auc", "recall"]),
    "metrics by name": Case(
        tree, IRIS, SPECIES, scoring={"hits": make_scorer(accuracy_score), "f1": "f1_macro"}
    ),
    "several metrics from one callable": Case(
        tree, IRIS, SPECIES, scoring=lambda model, X, y: {"a": model.score(X, y), "b": 1}
    ),
}


def outcomes(case, *, train_scores=False, **options):
    folds = Folds(
        case.X,
        case.y,
        cv=case.cv,
        groups=case.groups,
        classifier=is_classifier(case.estimator),
        random_state=0,
    )
    evaluate = Evaluator(
        case.X,
        case.y,
        folds=folds,
        scoring=resolve_scoring(case.scoring, estimator=case.estimator),
        params=case.params,
        train_scores=train_scores,
        **options,
    )
    return [evaluate(Task(0, folds.target, fold), case.estimator) for fold in range(len(folds))]


def assert_same_scores(found, expected, prefix="test"):
    assert all(isinstance(outcome, Observation) for outcome in found), found
    attribute = {"test": "scores", "train": "train_scores"}[prefix]
    for name in getattr(found[0], attribute):
        # scikit-learn calls a metric that comes alone "score".
        key = f"{prefix}_{name}" if f"{prefix}_{name}" in expected else f"{prefix}_score"
        scores = [getattr(outcome, attribute)[name] for outcome in found]
        assert scores == expected[key].tolist()


@pytest.mark.parametrize("name", CASES)
def test_at_the_target_scores_are_those_of_cross_validate(name):
    case = CASES[name]

    expected = cross_validate(
        case.estimator,
        case.X,
        case.y,
        cv=case.cv,
        groups=case.groups,
        scoring=case.scoring,
        params=case.params,
        return_train_score=True,
        error_score="raise",
    )
    found = outcomes(case, train_scores=True)
    assert_same_scores(found, expected)
    assert_same_scores(found, expected, "train")


@pytest.mark.parametrize("estimator", [tree, GaussianNB(), KNeighborsClassifier(), SVC()])
def test_shared_preprocessing_is_the_first_step_of_a_pipeline(estimator):
    X = IRIS.copy()
    X[RNG.random(X.shape) < 0.2] = np.nan
    preprocess = make_pipeline(SimpleImputer(), PCA(3))

    expected = cross_validate(
        make_pipeline(preprocess, estimator), X, SPECIES, return_train_score=True
    )
    found = outcomes(Case(estimator, X, SPECIES), preprocess=preprocess, train_scores=True)
    assert_same_scores(found, expected)
    assert_same_scores(found, expected, "train")


def weighted(metric="accuracy"):
    return get_scorer(metric).set_score_request(sample_weight=True)


ROUTED = {
    "fit": lambda: Case(
        GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=False),
        IRIS,
        SPECIES,
        params={"sample_weight": WEIGHTS},
    ),
    "own score": lambda: Case(
        GaussianNB().set_fit_request(sample_weight=False).set_score_request(sample_weight=True),
        IRIS,
        SPECIES,
        params={"sample_weight": WEIGHTS},
    ),
    "under another name": lambda: Case(
        clone(tree).set_fit_request(sample_weight="cost").set_score_request(sample_weight="cost"),
        IRIS,
        SPECIES,
        params={"cost": WEIGHTS},
    ),
    "scorer": lambda: Case(
        GaussianNB().set_fit_request(sample_weight=False),
        IRIS,
        SPECIES,
        scoring=weighted(),
        params={"sample_weight": WEIGHTS},
    ),
    "several scorers": lambda: Case(
        GaussianNB().set_fit_request(sample_weight=True),
        IRIS,
        SPECIES,
        scoring={"a": weighted(), "b": weighted("f1_macro")},
        params={"sample_weight": WEIGHTS},
    ),
    "pipeline": lambda: Case(
        make_pipeline(
            StandardScaler().set_fit_request(sample_weight=True),
            GaussianNB().set_fit_request(sample_weight=False),
        ),
        IRIS,
        SPECIES,
        scoring=weighted(),
        params={"sample_weight": WEIGHTS},
    ),
    "groups": lambda: Case(
        GaussianNB().set_fit_request(sample_weight=False),
        IRIS,
        SPECIES,
        cv=GroupKFold(4),
        scoring=weighted(),
        params={"groups": GROUPS, "sample_weight": WEIGHTS},
    ),
    "nothing": lambda: Case(GaussianNB(), IRIS, SPECIES),
}


@pytest.mark.parametrize("name", ROUTED)
def test_metadata_is_routed_as_in_cross_validate(name):
    with config_context(enable_metadata_routing=True):
        case = ROUTED[name]()
        expected = cross_validate(
            case.estimator,
            case.X,
            case.y,
            cv=case.cv,
            scoring=case.scoring,
            params=case.params,
            return_train_score=True,
        )
        case.groups = case.params.get("groups")
        found = outcomes(case, train_scores=True)

    assert_same_scores(found, expected)
    assert_same_scores(found, expected, "train")
