import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from curvewise.automl._components.found_rounds import DEFAULT_ROUNDS, FoundRounds
from curvewise.errors import InvalidParameterError

X, y = make_classification(600, n_features=8, n_informative=4, flip_y=0.1, random_state=0)


def boosters(task):
    kinds = {"classes": HistGradientBoostingClassifier, "numbers": HistGradientBoostingRegressor}
    yield kinds[task](random_state=0)
    lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
    kinds = {"classes": lightgbm.LGBMClassifier, "numbers": lightgbm.LGBMRegressor}
    yield kinds[task](random_state=0, n_jobs=1, verbose=-1)


def test_the_rounds_found_are_about_the_best_on_new_rows():
    X_new, X_fit, y_new, y_fit = train_test_split(X, y, test_size=0.5, random_state=0)
    for booster in boosters("classes"):
        found = FoundRounds(booster).fit(X_fit, y_fit)
        losses = {}
        for rounds in (3, found.found_params_["rounds"], 300):
            fitted = FoundRounds(booster, rounds=rounds).fit(X_fit, y_fit)
            losses[rounds] = log_loss(y_new, fitted.predict_proba(X_new))

        assert min(losses, key=losses.get) == found.found_params_["rounds"]


def test_what_was_found_is_fitted_on_all_rows():
    for booster in boosters("numbers"):
        numbers = make_regression(300, noise=30, random_state=0)
        found = FoundRounds(booster).fit(*numbers)
        final = clone(found).set_params(**found.found_params_).fit(*numbers)

        assert final.rounds_ == found.found_params_["rounds"] > found.rounds_
        assert final.found_params_ == {}


def test_several_boosters_predict_together_with_rounds_that_are_found_once():
    for booster in boosters("classes"):
        booster.set_params(learning_rate=0.2)
        one = FoundRounds(booster).fit(X, y)
        four = FoundRounds(booster, n_seeds=4).fit(X, y)
        final = clone(four).set_params(**four.found_params_).fit(X, y)

        assert four.found_params_ == one.found_params_
        assert len(four.estimator_.estimators_) == len(final.estimator_.estimators_) == 4
        mean = np.mean([each.predict_proba(X) for each in four.estimator_.estimators_], axis=0)
        assert np.allclose(four.predict_proba(X), mean)
        assert is_classifier(four)
    for booster in boosters("numbers"):
        four = FoundRounds(booster, n_seeds=4).fit(X, y.astype(float))

        assert is_regressor(four)
        assert not hasattr(four, "predict_proba")


def test_several_boosters_need_a_seed_that_can_be_counted_up():
    booster = HistGradientBoostingClassifier(random_state=np.random.RandomState(0))

    with pytest.raises(InvalidParameterError, match="a whole number as its random_state"):
        FoundRounds(booster, n_seeds=2).fit(X, y)


def test_it_can_what_its_booster_can():
    for booster in boosters("classes"):
        found = FoundRounds(booster).fit(X, np.where(y, "yes", "no"))

        assert is_classifier(found)
        assert found.classes_.tolist() == ["no", "yes"]
        assert set(found.predict(X)) == {"no", "yes"}
    for booster in boosters("numbers"):
        assert is_regressor(FoundRounds(booster))
        assert not hasattr(FoundRounds(booster), "predict_proba")


def test_a_class_of_few_rows_is_fitted_all_the_same():
    rare = y.copy()
    rare[:2] = 2
    for booster in boosters("classes"):
        assert FoundRounds(booster).fit(X, rare).classes_.tolist() == [0, 1, 2]


def test_with_few_rows_none_is_held_out():
    for booster in boosters("classes"):
        found = FoundRounds(booster).fit(X[:30], y[:30])

        assert found.rounds_ == DEFAULT_ROUNDS
        assert found.found_params_ == {}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rounds": 0}, "rounds must be at least 1, got 0"),
        ({"max_rounds": 0}, "max_rounds must be at least 1, got 0"),
        ({"n_seeds": 0}, "n_seeds must be at least 1, got 0"),
        ({"patience": 0.5}, "patience must be a whole number"),
        ({"held_out": 0}, "held_out must be above 0, got 0"),
        ({"held_out": 1}, "held_out must be below 1, got 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        FoundRounds(HistGradientBoostingClassifier(), **settings).fit(X, y)


def test_a_learner_without_rounds_is_refused():
    with pytest.raises(
        InvalidParameterError, match=r"estimator must be one of .*, got RandomForest"
    ):
        FoundRounds(RandomForestClassifier()).fit(X, y)


def test_there_may_be_more_rounds_than_have_the_lowest_loss():
    lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
    booster = lightgbm.LGBMClassifier(random_state=0, n_jobs=1, verbose=-1)
    lowest, more = (FoundRounds(booster, beyond=times).fit(X, y) for times in (1, 3))
    given = FoundRounds(booster, rounds=more.rounds_).fit(X, y)

    assert more.rounds_ == 3 * lowest.rounds_
    assert more.estimator_.best_iteration_ == more.rounds_
    assert given.estimator_.booster_.num_trees() == more.rounds_


def test_there_are_no_more_rounds_than_may_be():
    for booster in boosters("classes"):
        found = FoundRounds(booster, max_rounds=4, beyond=3).fit(X, y)

        assert 1 <= found.rounds_ <= 4
