import pytest
from sklearn.feature_selection import chi2

from curvewise.automl._components.column_scores import information_about_classes
from curvewise.automl._space.translations import (
    as_percent,
    boosting,
    functions,
    layers,
    passive_aggressive,
    selection,
    shrinkage,
    small_trees,
)


@pytest.mark.parametrize(
    ("translate", "drawn", "arguments"),
    [
        (
            layers,
            {"hidden_layer_depth": 2, "num_nodes_per_layer": 32, "early_stopping": "valid"},
            {"early_stopping": True, "hidden_layer_sizes": (32, 32)},
        ),
        (
            boosting,
            {"early_stop": "train", "n_iter_no_change": 5},
            {"n_iter_no_change": 5, "early_stopping": True, "validation_fraction": None},
        ),
        (boosting, {"early_stop": "off"}, {"early_stopping": False}),
        (
            shrinkage,
            {"shrinkage": "manual", "shrinkage_factor": 0.3},
            {"shrinkage": 0.3, "solver": "lsqr"},
        ),
        (shrinkage, {"shrinkage": None}, {"shrinkage": None, "solver": "svd"}),
        (as_percent, {"q_min": 0.25, "q_max": 0.75}, {"quantile_range": (25.0, 75.0)}),
        (functions, {"score_func": "chi2", "percentile": 5}, {"score_func": chi2, "percentile": 5}),
        (
            selection,
            {"alpha": 0.1, "score_func": "chi2", "mode": "fdr"},
            {"score_func": chi2, "mode": "fdr", "param": 0.1},
        ),
        (
            selection,
            {"alpha": 0.1, "score_func": "information about classes"},
            {"score_func": information_about_classes, "mode": "percentile", "param": 10.0},
        ),
    ],
)
def test_what_was_drawn_becomes_arguments(translate, drawn, arguments):
    assert translate(drawn) == arguments


def test_a_passive_aggressive_learner_keeps_its_loss():
    assert "hinge" in passive_aggressive({"C": 0.5, "loss": "hinge"}).values()


def test_boosted_trees_get_their_depth():
    arguments = small_trees({"max_depth": 3, "learning_rate": 0.1})

    assert arguments.keys() == {"learning_rate", "estimator"}
    assert arguments["estimator"].max_depth == 3
