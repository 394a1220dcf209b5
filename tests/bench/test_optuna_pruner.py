import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise import Search, Status
from curvewise._bench.contestant import Contestant
from curvewise.errors import InvalidParameterError
from tests.play import play

optuna = pytest.importorskip("optuna")


def n_folds_in_optuna(losses):
    """Let Optuna run the same trials in a study of its own, and count the folds of each."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def objective(trial):
        own = losses[trial.number]
        for fold, loss in enumerate(own):
            trial.report(loss, fold)
            if trial.should_prune() and fold + 1 < len(own):
                raise optuna.TrialPruned
        return sum(own) / len(own)

    study = optuna.create_study(pruner=optuna.pruners.WilcoxonPruner())
    study.optimize(objective, n_trials=len(losses))
    return [len(trial.intermediate_values) for trial in study.trials]


@pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.lists(st.integers(0, 1000), min_size=6, max_size=6, unique=True),
        min_size=1,
        max_size=4,
    )
)
def test_the_same_folds_are_evaluated_as_in_a_study_of_optuna(counts):
    losses = [[count / 1000 for count in own] for own in counts]
    learners = {name: (lambda anchor, fold, own=own: own[fold]) for name, own in enumerate(losses)}
    policy = Contestant.parse("optuna-wilcoxon").policy
    search = Search(list(learners), schedule=900, policy=policy, n_folds=6)
    play(search, learners)

    ours = [search.results[name].curve.n(900) for name in learners]
    assert ours == n_folds_in_optuna(losses)


def test_its_knobs_are_those_of_optuna():
    policy = Contestant.parse("optuna-wilcoxon:p_threshold=0.2:n_startup_steps=0").policy

    assert (policy.p_threshold, policy.n_startup_steps) == (0.2, 0)
    with pytest.raises(InvalidParameterError, match="p_threshold"):
        Contestant.parse("optuna-wilcoxon:p_threshold=1")


def test_a_candidate_that_is_worse_on_every_fold_is_dropped():
    learners = {
        "good": lambda anchor, fold: 0.1 + fold / 100,
        "bad": lambda anchor, fold: 0.2 + fold / 50,
    }
    policy = Contestant.parse("optuna-wilcoxon").policy
    search = Search(list(learners), schedule=900, policy=policy, n_folds=10)
    play(search, learners)

    assert search.results["bad"].status is Status.PRUNED
    assert search.results["bad"].curve.n(900) == 4
