from dataclasses import replace

import numpy as np
import pytest

from curvewise._bench.experiments.data_sets import load
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.plan_file import read_suite
from curvewise._bench.experiments.work.cell_process import work_on
from curvewise._bench.peers import adapters
from curvewise._bench.peers.peer_cell import as_numbers
from curvewise.errors import MissingExtraError


def test_a_cell_measures_its_tool_and_the_quality_of_its_choice(tmp_path):
    plan = read_suite("peers", scale="smoke", overrides={"memory": "4GB"})
    kept = tuple(method for method in plan.methods if method.name in ("GridSearchCV-5", "Race-5"))
    plan = replace(plan, methods=kept)
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan)
        first, second = ledger.claim("peers"), ledger.claim("peers")
        grid, race = work_on(ledger, first), work_on(ledger, second)

    assert grid["fits"] == 4 * 5 + 1
    assert race["fits"] <= grid["fits"]
    for result in (grid, race):
        assert result["seconds"] == result["cpu_seconds"] > 0
        assert result["quality_n_splits"] == 2
        assert result["grown_mb"] is None or result["peak_mb"] >= result["grown_mb"]


def test_all_tools_get_the_same_numbers_in_an_order_that_the_seed_says():
    table = load("sklearn:iris")

    (X, y), (again, _), (other, _) = (as_numbers(table, seed) for seed in (0, 0, 1))

    assert (again == X).all()
    assert (other != X).any()
    assert np.bincount(y).tolist() == [50, 50, 50]


def test_a_missing_package_is_said_before_the_work(monkeypatch):
    monkeypatch.setitem(adapters.PACKAGES, "lccv-0.2.2", ("no_such_package", "bench"))

    with pytest.raises(MissingExtraError, match=r"pip install 'curvewise\[bench\]'"):
        adapters.check_packages(["grid", "lccv-0.2.2"])
