from dataclasses import replace

import numpy as np
import pytest

from curvewise._bench.experiments.cells import State
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.plan_file import read_suite
from curvewise._bench.experiments.work.cell_process import WORK, settle, work_on
from curvewise._bench.experiments.work.group import own_stream, split, summarise
from curvewise.errors import NoResultError

# Draws that all work on this data.
WORKING = {"only_possible": True, "kernels": "all"}


def done(ledger, plan):
    """Work on all cells, in this process and without limits."""
    ledger.register(plan)
    while (cell := ledger.claim(plan.name)) is not None:
        ledger.finish(cell, work_on(ledger, cell))
    return {(cell.method, cell.seed): cell.result for cell in ledger.cells(plan.name)}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    plan = read_suite(
        "paper-80",
        scale="smoke",
        only=["iris"],
        overrides={"timeout": 0, "candidates": 8, **WORKING},
    )
    with Ledger(tmp_path_factory.mktemp("cells") / "results.db") as ledger:
        return done(ledger, plan)


def test_a_race_asks_only_for_fits_that_kfold_has_made(results):
    kfold, race = results["5cv", 0], results["race", 0]

    assert kfold["fits"] == kfold["fits_made"] == 8 * 5
    assert race["fits_made"] == 0
    assert race["fits"] < kfold["fits"]
    assert race["seconds"] - race["deciding_seconds"] < kfold["seconds"]


def test_methods_that_choose_the_same_have_the_same_quality(results):
    same = [r for r in results.values() if r["choice"] == results["5cv", 0]["choice"]]

    assert len({r["error"] for r in same}) == 1
    assert all(r["quality_n_splits"] == 3 for r in results.values())


def test_lccv_has_random_splits_of_its_own(results):
    assert results["80lccv", 0]["fits_made"] > 0


def test_a_cell_that_is_done_again_makes_no_fit(tmp_path):
    plan = read_suite(
        "paper-80",
        scale="smoke",
        only=["iris"],
        overrides={"timeout": 0, "candidates": 3, **WORKING},
    )
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan)
        cell = ledger.claim(plan.name)
        first = work_on(ledger, cell)
        again = work_on(ledger, cell)

    assert (first["fits_made"], again["fits_made"]) == (15, 0)
    assert first["error"] == again["error"]
    assert again["seconds"] - again["deciding_seconds"] == pytest.approx(
        first["seconds"] - first["deciding_seconds"]
    )


def test_curves_are_whole_and_of_all_learners(tmp_path):
    plan = read_suite(
        "convexity", scale="smoke", datasets=["sklearn:iris"], overrides={"timeout": 0}
    )
    plan = replace(plan, methods=(replace(plan.methods[0], folds=3),))
    with Ledger(tmp_path / "results.db") as ledger:
        result = done(ledger, plan)["curves", 0]

    assert len(result["curves"]) >= 15
    assert {anchor for points in result["curves"].values() for anchor, _ in points} == {
        64,
        128,
        135,
    }


def test_splits_keep_class_proportions_where_that_is_possible():
    many, single = np.repeat(["a", "b"], 20), np.array(["a"] * 20 + ["b"])

    assert type(split("shuffle", 3, many, train_share=0.8, random_state=0)).__name__ == (
        "StratifiedShuffleSplit"
    )
    assert (
        type(split("shuffle", 3, single, train_share=0.8, random_state=0)).__name__
        == "ShuffleSplit"
    )


@pytest.mark.parametrize("seed", range(3))
def test_quality_is_measured_on_splits_that_no_method_has_seen(seed):
    y = np.repeat(["a", "b"], 50)

    def tests_of(seed):
        splitter = split("shuffle", 20, y, train_share=0.9, random_state=seed)
        return {tuple(sorted(test)) for _, test in splitter.split(y, y)}

    assert not tests_of(seed) & tests_of(own_stream(seed))


def test_every_cell_says_what_its_stopped_candidates_took(results):
    assert all(result["stopped_seconds"] == 0.0 for result in results.values())


def test_a_choice_that_fails_on_every_split_has_no_quality():
    with pytest.raises(NoResultError, match="failed on all 5 splits"):
        summarise([], 5)
    assert summarise([0.25, 0.75], 5)["quality_n_failed"] == 3


def test_a_result_that_cannot_be_written_is_a_failure_with_its_reason(tmp_path, monkeypatch):
    plan = read_suite("paper-80", scale="smoke", only=["iris"])
    monkeypatch.setitem(WORK, "search", lambda *_: {"error": float("nan")})
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan)
        settle(ledger, ledger.claim(plan.name))

        (failed,) = [cell for cell in ledger.cells(plan.name) if cell.state is State.FAILED]
        assert failed.headline.startswith("ValueError: Out of range float values")
        assert "Traceback" in failed.failure
