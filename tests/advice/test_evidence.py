"""Who leads, where candidates have different numbers of folds."""

import math

import pytest
from hypothesis import given

from curvewise.advice._envelope import stand
from curvewise.advice._evidence import CandidateCurve
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Observation, Task
from curvewise.core._portfolio import Status
from curvewise.core._scale import Scale
from tests.advice.curves import of_losses, portfolios

RATES = Scale()
TEN_FOLDS = [0.38, 0.42] * 5


def entries(**curves):
    return [CandidateCurve(name, each) for name, each in curves.items()]


def at_the_end(losses, status=None, *, name="other", n_test=100):
    """A candidate that was seen at one size."""
    return CandidateCurve(name, of_losses({1024: losses}, name=name, n_test=n_test), status)


def finite(losses):
    return LearningCurve(cell for cell in of_losses(losses) if math.isfinite(cell.loss))


def test_a_candidate_with_fewer_folds_does_not_lead():
    standing = stand(
        entries(lucky=of_losses({1024: [0.1]}), steady=of_losses({1024: [0.1, 0.3]})), RATES
    )

    assert standing.leader == "steady"


@given(portfolios())
def test_on_the_same_folds_the_best_mean_leads(losses):
    rows = max(max(each) for each in losses)
    all_of_them = [CandidateCurve(i, of_losses(each)) for i, each in enumerate(losses)]
    standing = stand(all_of_them, RATES)

    assert standing.loss == min(e.curve.mean(rows) for e in all_of_them if e.curve.n(rows))


@pytest.mark.parametrize("status", [Status.COMPLETED, Status.STOPPED, None], ids=str)
def test_a_candidate_whose_folds_agreed_early_leads_if_it_is_better(status):
    early = at_the_end([0.05, 0.051, 0.05], status, name="early")
    standing = stand([at_the_end(TEN_FOLDS), early], RATES)

    assert (standing.leader, standing.n_folds) == ("early", 3)
    assert standing.loss == early.curve.mean(1024)


@pytest.mark.parametrize("n_folds", [3, 10])
def test_a_fold_that_failed_costs_nobody_the_lead(n_folds):
    standing = stand(
        entries(
            second=of_losses({1024: [0.42] * n_folds}),
            best=finite({1024: [math.nan] + [0.05] * (n_folds - 1)}),
            third=of_losses({1024: [0.43] * n_folds}),
        ),
        RATES,
    )

    assert (standing.leader, standing.n_folds) == ("best", n_folds - 1)


@pytest.mark.parametrize("status", [Status.COMPLETED, None], ids=str)
def test_a_few_folds_that_are_easy_are_no_lead(status):
    steady = at_the_end([0.09] * 3 + [0.12] * 7, name="steady")
    lucky = at_the_end([0.10] * 3, status, name="lucky")

    assert lucky.curve.mean(1024) < steady.curve.mean(1024)
    assert stand([lucky, steady], RATES).leader == "steady"


def test_folds_that_nobody_shares_are_compared_by_their_means():
    cells = [Observation(Task("late", 1024, fold), 0.05) for fold in (10, 11, 12)]
    late = CandidateCurve("late", LearningCurve(cells), Status.COMPLETED)

    assert stand([at_the_end(TEN_FOLDS), late], RATES).leader == "late"


@pytest.mark.parametrize(
    ("losses", "status"),
    [
        ([0.05], Status.COMPLETED),
        ([0.05, 0.05], None),
        ([0.05, 0.05, 0.05], Status.PRUNED),
    ],
    ids=["one fold", "two of ten", "pruned"],
)
def test_a_candidate_that_nobody_saw_enough_of_does_not_lead(losses, status):
    lucky = at_the_end(losses, status, name="lucky")

    assert stand([lucky, at_the_end(TEN_FOLDS)], RATES).leader == "other"
