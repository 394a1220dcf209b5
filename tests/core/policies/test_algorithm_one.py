"""`LCCV` with the options for what is printed decides as a plain transcription of Algorithm 1."""

import random

import pytest

from curvewise import LCCV, Search, Validation
from tests.core.policies.algorithm_one import algorithm_one
from tests.play import noise, observe

N_BATCHES, N_VALIDATIONS, N_SEARCHES = 20, 100, 5


class Learner:
    """A random curve: falling, flat or with bumps, and with little or much noise."""

    def __init__(self, rng, target):
        self.seed = rng.random()
        self.floor, self.height = rng.uniform(0, 0.5), rng.uniform(0, 4)
        self.exponent = rng.uniform(0.1, 1.2)
        self.bump = rng.choice([0.0, 0.0, 0.05, 0.15])
        self.wobble = rng.choice([0.002, 0.01, 0.05, 0.15])
        self.target = target

    def truth(self, anchor):
        return self.floor + self.height * anchor**-self.exponent

    def __call__(self, anchor, fold):
        bump = self.bump * noise(self.seed, anchor)
        loss = self.truth(anchor) + bump + self.wobble * noise(self.seed, anchor, fold + 1)
        return min(1.0, max(0.0, loss))


def settings(rng):
    target, n_folds = rng.randint(70, 20_000), rng.randint(3, 10)
    widths = rng.choice([0.1, 0.02]), rng.choice([0.001, 0.03])
    return target, n_folds, *widths


def carry_out(search, learners):
    """Carry a search out on one worker; give the evaluations in their order."""
    order = []
    while not search.done:
        for task in search.ask():
            order.append(task)
            search.tell(observe(task, learners[task.candidate](task.anchor, task.fold)))
    return order


@pytest.mark.parametrize("batch", range(N_BATCHES))
def test_validations_are_those_of_algorithm_one(batch):
    for i in range(N_VALIDATIONS):
        rng = random.Random(1000 * batch + i)
        target, n_folds, width, width_last = settings(rng)
        learner = Learner(rng, target)
        to_beat = min(1.0, max(0.0, learner.truth(target) + rng.gauss(0, 0.08)))
        best_loss = None if rng.random() < 0.1 else to_beat
        policy = LCCV.as_printed(max_width=width, max_width_target=width_last)
        validation = Validation(
            schedule=target, policy=policy, n_folds=n_folds, best_loss=best_loss
        )
        order = carry_out(validation, {"candidate": learner})

        ended, loss, printed = algorithm_one(
            learner,
            policy.schedule(target).anchors,
            best_loss,
            n=n_folds,
            width=width,
            width_last=width_last,
        )
        assert [(task.anchor, task.fold) for task in order] == printed
        assert validation.result.status.value == ended
        assert validation.result.loss == pytest.approx(loss, nan_ok=True)


@pytest.mark.parametrize("batch", range(N_BATCHES))
def test_searches_are_those_of_algorithm_one(batch):
    for i in range(N_SEARCHES):
        rng = random.Random(-1 - 1000 * batch - i)
        target, n_folds, width, width_last = settings(rng)
        learners = {name: Learner(rng, target) for name in range(8)}
        policy = LCCV.as_printed(max_width=width, max_width_target=width_last)
        search = Search(list(learners), schedule=target, policy=policy, n_folds=n_folds)
        order = carry_out(search, learners)

        r, best, printed = None, None, []
        for name, learner in learners.items():
            ended, loss, samples = algorithm_one(
                learner,
                policy.schedule(target).anchors,
                r,
                n=n_folds,
                width=width,
                width_last=width_last,
            )
            printed += [(name, *sample) for sample in samples]
            assert search.results[name].status.value == ended
            if ended == "completed" and (r is None or loss < r):
                r, best = loss, name
        assert order == printed
        assert search.best.candidate == best
