"""The paper's suites without options are its experiment (Mohr & van Rijn 2023, Sec. V-A)."""

import pytest

from curvewise._bench.contestant import Contestant
from curvewise._bench.experiments.paper_figures import paper_table
from curvewise._bench.experiments.plan_file import read_suite, reductions
from curvewise._bench.experiments.work.group import draw
from curvewise.core._policies import LCCV, KFoldCV

SUITES = {"paper-80": ("5cv", "80lccv", 5, 0.8), "paper-90": ("10cv", "90lccv", 10, 0.9)}


@pytest.fixture(params=SUITES)
def suite(request):
    return read_suite(request.param), *SUITES[request.param]


def test_data_seeds_candidates_and_limits_are_the_papers(suite):
    plan, *_, share = suite
    settings = plan.settings

    assert len(plan.datasets) == 67
    assert set(plan.datasets) == {f"openml-{number}" for number in paper_table().index}
    assert (settings.seeds, settings.candidates, settings.quality_repeats) == (10, 200, 100)
    assert (settings.timeout, settings.cell_timeout, settings.memory) == (300, 86_400, "20GB")
    assert settings.train_share == share
    assert (settings.leave_out, settings.sequences) == ((), ())


def test_methods_are_as_the_paper_configures_them(suite):
    plan, kfold, lccv, folds, _ = suite
    reference, method = plan.method(kfold), plan.method(lccv)

    assert (reference.splits, reference.folds, reference.foresee) == ("kfold", folds, False)
    assert Contestant.parse(reference.policy).policy == KFoldCV(partial_results=True)
    assert (method.splits, method.folds, method.foresee) == ("shuffle", folds, False)
    assert method.against == kfold
    policy = Contestant.parse(method.policy).policy
    assert policy == LCCV(partial_results=True, test_part="rest")
    assert (policy.min_exp, policy.base, policy.min_repeats) == (6, 2, 3)
    assert (policy.max_width, policy.max_width_target) == (0.1, 0.001)
    assert policy.timeout_result == "last_anchor"


def test_pipelines_are_drawn_as_the_published_ones_and_never_again(suite):
    settings = suite[0].settings
    pipelines = draw(settings, 0)
    kernels = {
        learner.kernel for learner in (one[-1] for one in pipelines) if hasattr(learner, "kernel")
    }

    assert len(pipelines) == 200
    assert kernels == {"sigmoid"}
    assert (settings.kernels, settings.only_possible) == ("published", False)


def test_slow_is_what_takes_80lccv_six_hours(suite):
    settings = suite[0].settings
    slow = paper_table()["80lccv_seconds"] >= settings.slow_seconds

    assert (settings.slow_by, settings.slow_seconds) == ("80lccv", 6 * 3600)
    assert slow.sum() == 19


def test_reduced_says_what_it_changes(suite):
    plan = suite[0]

    assert reductions(plan) == []
    assert reductions(read_suite(plan.name, scale="reduced")) == [
        "seeds 3, not 10",
        "candidates 60, not 200",
        "timeout 10 s, not 300 s",
        "quality repeats 20, not 100",
        "memory 4GB, not 20GB",
    ]


def test_the_sensitivity_analysis_has_what_the_paper_varies():
    plan = read_suite("sensitivity")
    default = LCCV(partial_results=True)
    varied = [Contestant.parse(one.policy).policy for one in plan.methods if "lccv" in one.policy]

    assert (plan.settings.seeds, plan.settings.candidates, plan.settings.timeout) == (10, 200, 300)
    for knob in ("max_width", "min_repeats", "max_repeats", "timeout_result", "partial_results"):
        values = {getattr(policy, knob) for policy in varied}
        assert len(values) > 1
        assert getattr(default, knob) in values
