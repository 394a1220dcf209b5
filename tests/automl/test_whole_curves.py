"""Whole curves: every fold at every size, also where folds agree."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import curvewise as cw
from curvewise import CurveSearchCV
from curvewise.automl._whole_curves import whole_curves
from curvewise.core import WholeCurve


@pytest.mark.parametrize("n_folds", [2, 3, 10])
@pytest.mark.parametrize("wobble", [0.0, 0.01], ids=["the same", "different"])
def test_every_fold_is_taken_whether_or_not_folds_agree(n_folds, wobble):
    validation = cw.Validation("svc", schedule=512, policy=WholeCurve(), n_folds=n_folds)
    while not validation.done:
        for task in validation.ask():
            validation.tell(cw.Observation(task, 0.1 + wobble * task.fold, n_test=100))

    curve = validation.result.curve
    assert {anchor: curve.n(anchor) for anchor in curve.anchors} == dict.fromkeys(
        WholeCurve().schedule(512).anchors, n_folds
    )


def test_a_constant_score_gets_a_whole_curve():
    X, y = np.arange(400.0).reshape(200, 2), np.arange(200) % 2
    search = CurveSearchCV({"constant": DummyClassifier()}, cv=5, refit=False, random_state=0)
    (result,) = whole_curves(search.fit(X, y), X, y, n_best=1)

    assert len(set(result.curve.losses(160))) == 1
    assert {anchor: result.curve.n(anchor) for anchor in result.curve.anchors} == {80: 5, 160: 5}
