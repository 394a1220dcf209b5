"""An experiment that begins or goes on: with the same settings, data, versions and machines."""

from dataclasses import replace
from pathlib import Path

import pytest

from curvewise._bench.experiments.ledger import Ledger
from curvewise.core._outcome import Observation, Task
from curvewise.errors import InvalidParameterError
from tests.bench.experiments.samples import plan_of
from tests.bench.experiments.test_ledger import machine, tables


def test_more_seeds_and_data_sets_are_added_and_other_settings_refused(tmp_path):
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan_of(1, seeds=1))
        first = ledger.claim("toy")
        ledger.finish(first, {"error": 0.1})
        ledger.register(plan_of(2, seeds=3))

        assert len(ledger.cells("toy")) == 2 * 3 * 3
        assert ledger.counts("toy")["done"] == 1
        with pytest.raises(InvalidParameterError, match=r"timeout is 300\.0 there and 9\.0 here"):
            ledger.register(plan_of(1, seeds=1, timeout=9.0))
        other = replace(plan_of(1), methods=(replace(plan_of(1).methods[0], folds=7),))
        with pytest.raises(InvalidParameterError, match="the method 5cv has other settings there"):
            ledger.register(other)


def test_other_data_of_the_same_name_are_refused_once_a_cell_is_done(tmp_path):
    first, other = tables(tmp_path, "old", "new")
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(other)
        ledger.register(first)
        cell = ledger.claim("toy")
        with pytest.raises(
            InvalidParameterError, match="toy was begun with other data under the name"
        ):
            ledger.register(other)
        ledger.finish(cell, {"error": 0.1})

        with pytest.raises(InvalidParameterError, match="name another file") as caught:
            ledger.register(other)
        named = replace(first, datasets={"churn": "openml:40701"})
        with pytest.raises(InvalidParameterError, match="openml:40701"):
            ledger.register(named)
        assert other.datasets["churn"] in str(caught.value)
        assert "\n" not in str(caught.value)
        assert ledger.plan("toy").datasets == first.datasets


def test_a_file_that_was_moved_is_the_same_data(tmp_path):
    first, moved = tables(tmp_path, "same", "same")
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(first)
        ledger.finish(ledger.claim("toy"), {"error": 0.1})
        Path(first.datasets["churn"]).unlink()
        ledger.register(moved)

        assert ledger.plan("toy").datasets == moved.datasets
        assert ledger.counts("toy")["done"] == 1


def test_all_machines_are_kept_in_their_order(tmp_path):
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan_of(1), machine=machine(2))
        ledger.finish(ledger.claim("toy"), {"error": 0.1})
        for cores in (8, 2, 4, 8):
            ledger.register(plan_of(1), machine=machine(cores))
        ledger.register(plan_of(1))

        facts = ledger.background("toy")
        assert facts.keys() == {"begun", "cores", "versions", "later"}
        assert (facts["cores"], facts["versions"]) == (2, machine()["versions"])
        assert facts["later"] == [machine(8), machine(4)]


@pytest.mark.parametrize("name", ["toy", "second"])
def test_other_versions_are_refused_once_a_cell_is_done(tmp_path, name):
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan_of(1), machine=machine())
        ledger.finish(ledger.claim("toy"), {"error": 0.1})
        ledger.register(plan_of(1), machine=machine(python="3.12"))

        with pytest.raises(InvalidParameterError) as caught:
            ledger.register(plan_of(1, name=name), machine=machine(**{"scikit-learn": "1.8.0"}))
        sentence = str(caught.value)
        assert "made with scikit-learn 1.7.0" in sentence
        assert "here is scikit-learn 1.8.0" in sentence
        assert "\n" not in sentence
        assert ledger.names() == ["toy"]


def test_other_versions_begin_anew_while_no_cell_is_done(tmp_path):
    task = Task(0, 64, 1)
    newer = machine(curvewise="0.2.0")
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan_of(1), machine=machine())
        ledger.fits("here").record(Observation(task, 0.25))
        cell = ledger.claim("toy")
        with pytest.raises(InvalidParameterError, match=r"curvewise 0\.1\.0"):
            ledger.register(plan_of(1), machine=newer)
        ledger.fail(cell, "It broke.")
        ledger.register(plan_of(1), machine=newer)

        assert ledger.background("toy")["versions"]["curvewise"] == "0.2.0"
        assert ledger.background("toy")["later"] == []
        assert ledger.fits("here").known(task) is None
