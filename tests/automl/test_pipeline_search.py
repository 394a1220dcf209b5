from sklearn.model_selection import KFold

from curvewise.automl._pipeline_search import shuffled_folds, space_for, versions


def test_what_is_left_out_is_not_drawn():
    space = space_for("classification", None, leave_out="SVC")

    assert len(space.components("classifier")) == 13


def test_versions_name_what_is_installed():
    assert {"python", "scikit-learn"} <= versions().keys()


def test_folds_are_shuffled_from_the_seed():
    folds = shuffled_folds("regression", n_folds=10, random_state=7)

    assert isinstance(folds, KFold)
    assert (folds.n_splits, folds.shuffle, folds.random_state) == (10, True, 7)
