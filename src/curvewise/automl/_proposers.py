"""Proposers over a search space: a list first, then random draws or a sampler that learns.

A *configuration* says which component fills each slot, with which values, and a seed. It is made of
what JSON can express, so a run store keeps it, and the same pipeline is built of it again.
"""

from __future__ import annotations

import math
import warnings
from collections import deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sklearn.utils import check_random_state

from curvewise._evaluation.given_types import Seed
from curvewise._packages import require
from curvewise._selection.proposer import Proposal, Proposer
from curvewise.automl._space.component import LARGEST_SEED, Component
from curvewise.automl._space.configuration import check_kept, kept_values, recalled_values
from curvewise.automl._space.parameters import Categorical, Constant, Integer, Real
from curvewise.automl._space.search_space import SearchSpace
from curvewise.core._result import ValidationResult
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from optuna import Study, Trial
    from optuna.samplers import BaseSampler

Configuration = Mapping[str, Any]
# Draws before the sampler learns, if the list is shorter.
N_STARTUP = 10
# So often a forbidden combination is drawn again.
N_TRIES = 100


class RandomProposer(Proposer):
    """Propose the configurations of a list, then independent draws from a space.

    Parameters
    ----------
    space
        What is drawn from.
    first
        Configurations that come first, in their order. None by default.
    n_draws
        How many are drawn after the list; None for as many as are asked for.
    random_state
        The seed of what is drawn.

    Examples
    --------
    >>> from curvewise.automl import paper_space
    >>> space = paper_space("classification").without("SVC")
    >>> first = [{"seed": 0, "classifier": {"component": "GaussianNB"}}]
    >>> proposer = RandomProposer(space, first=first, random_state=1)
    >>> [proposer.ask().name for _ in range(2)]
    ['GaussianNB', 'RobustScaler > FeatureAgglomeration > PassiveAggressiveClassifier']
    """

    learns = False

    def __init__(
        self,
        space: SearchSpace,
        *,
        first: Iterable[Configuration] = (),
        n_draws: int | None = None,
        random_state: Seed = None,
    ) -> None:
        self.space = space
        self._n_left = math.inf if n_draws is None else n_draws
        self._listed = tuple(first)
        self._first = deque(self._listed)
        self._rng = check_random_state(random_state)

    def ask(self) -> Proposal | None:
        """Propose the next of the list, then a draw."""
        if self._first:
            return self._make(self._first.popleft())
        if self._n_left < 1:
            return None
        self._n_left -= 1
        return self._draw()

    def again(self, configuration: Configuration) -> Proposal:
        """Propose what an earlier run had proposed, and go on after it.

        With the same seed, and told of the same in the same order, it comes by itself.

        Parameters
        ----------
        configuration
            What fills the slots, and a seed.
        """
        asked = self.ask()
        if asked is not None:
            if asked.configuration == configuration:
                return asked
            self._withdraw(asked)
        check_kept(self.space.slots, configuration, listed=self._listed)
        return self._make(configuration)

    def _make(self, configuration: Configuration) -> Proposal:
        pipeline = self.space.build(configuration)
        return Proposal(pipeline, self.space.name_of(pipeline), configuration)

    def _draw(self) -> Proposal:
        drawn = self.space.draw(self._rng)
        return self._make(drawn.configuration(seed=int(self._rng.randint(LARGEST_SEED))))

    def _withdraw(self, proposal: Proposal) -> None:
        """Forget a proposal that nobody will try."""


class OptunaProposer(RandomProposer):
    """Propose the configurations of a list, then what one of Optuna's samplers suggests.

    The sampler hears of the list as well, and of candidates that were pruned, with what they are
    worth as far as that is known.

    Parameters
    ----------
    space
        What is drawn from.
    first
        Configurations that come first, in their order. None by default.
    n_draws
        How many are drawn after the list; None for as many as are asked for.
    sampler
        A sampler of Optuna; by default tree-structured Parzen estimators that look at the
        parameters of a component together.
    random_state
        The seed of what is drawn.

    Examples
    --------
    >>> from curvewise.automl import paper_space
    >>> proposer = OptunaProposer(paper_space("classification"), random_state=0)
    >>> proposer.ask().name == proposer.ask().name
    False
    """

    learns = True

    def __init__(
        self,
        space: SearchSpace,
        *,
        first: Iterable[Configuration] = (),
        n_draws: int | None = None,
        sampler: BaseSampler | None = None,
        random_state: Seed = None,
    ) -> None:
        super().__init__(space, first=first, n_draws=n_draws, random_state=random_state)
        seed = int(self._rng.randint(LARGEST_SEED))
        self._study = _study(_sampler(seed) if sampler is None else sampler)
        self._running: dict[int, int] = {}
        self._worst = math.inf
        self._failed: list[Proposal] = []

    def tell(self, proposal: Proposal, score: float, result: ValidationResult) -> None:
        """Let the sampler hear of it; one that failed counts as the worst so far.

        Parameters
        ----------
        proposal
            What was proposed.
        score
            What it is worth, NaN if nothing is known of it.
        result
            What came of it.
        """
        if math.isfinite(score):
            self._worst = min(self._worst, score)
            self._let_know(proposal, score)
        else:
            self._failed.append(proposal)
        if math.isfinite(self._worst):
            for failed in self._failed:
                self._let_know(failed, self._worst)
            self._failed.clear()

    def _let_know(self, proposal: Proposal, score: float) -> None:
        number = self._running.pop(id(proposal), None)
        if number is not None:
            self._study.tell(number, score)
            return
        optuna = require("optuna", "OptunaProposer", extra="optuna")
        known = _Known(proposal.configuration)
        _fill(self.space, known)
        self._study.add_trial(
            optuna.trial.create_trial(
                params=known.params, distributions=known.distributions, value=score
            )
        )

    def _draw(self) -> Proposal:
        for _ in range(N_TRIES):
            trial = self._study.ask()
            filled = _fill(self.space, _Suggested(trial))
            if self.space.can_work(filled):
                proposal = self._make({"seed": int(self._rng.randint(LARGEST_SEED)), **filled})
                self._running[id(proposal)] = trial.number
                return proposal
            self._forget(trial.number)
        raise InvalidParameterError("The sampler finds hardly any pipeline that can work.")

    def _withdraw(self, proposal: Proposal) -> None:
        number = self._running.pop(id(proposal), None)
        if number is not None:
            self._forget(number)

    def _forget(self, number: int) -> None:
        """Let the sampler know that a trial will not be carried out."""
        from optuna.trial import TrialState

        self._study.tell(number, state=TrialState.FAIL)


def _sampler(seed: int) -> BaseSampler:
    """Make the sampler that is taken by default."""
    optuna = require("optuna", "OptunaProposer", extra="optuna")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return optuna.samplers.TPESampler(
            multivariate=True,
            group=True,
            constant_liar=True,
            n_startup_trials=N_STARTUP,
            seed=seed,
        )


def _study(sampler: BaseSampler) -> Study:
    """Make a study, without a word about it on the standard error."""
    optuna = require("optuna", "OptunaProposer", extra="optuna")
    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        return optuna.create_study(direction="maximize", sampler=sampler)
    finally:
        optuna.logging.set_verbosity(verbosity)


class _Suggested:
    """Asks a trial of Optuna for values."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def component(self, slot: str, among: Categorical) -> Any:
        """Let the sampler choose what fills a slot."""
        return self._chosen(slot, among)

    def value(self, slot: str, component: Component, argument: str) -> Any:
        """Let the sampler suggest a value of a parameter."""
        parameter = component.parameters[argument]
        name = _name(slot, component, argument)
        if isinstance(parameter, Real):
            return self._trial.suggest_float(name, parameter.low, parameter.high, log=parameter.log)
        if isinstance(parameter, Integer):
            return self._trial.suggest_int(name, parameter.low, parameter.high, log=parameter.log)
        if isinstance(parameter, Categorical):
            return self._chosen(name, parameter)
        raise InvalidParameterError(
            f"Optuna cannot draw {argument} of {component.name}, a {type(parameter).__name__}: it "
            "knows Categorical, Integer, Real and Constant. RandomProposer takes any."
        )

    def _chosen(self, name: str, parameter: Categorical) -> Any:
        # By place: Optuna's choices are numbers and text only.
        places = list(range(len(parameter.values)))
        return parameter.values[self._trial.suggest_categorical(name, places)]


class _Known:
    """Reads values from a configuration, and notes them as Optuna's parameters.

    What a configuration does not say, or says beyond the bounds of the space, is not noted.
    """

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self.params: dict[str, Any] = {}
        self.distributions: dict[str, Any] = {}

    def component(self, slot: str, among: Categorical) -> Any:
        """Give what fills a slot in the configuration."""
        name = self._configuration.get(slot, {}).get("component")
        self._note(slot, among, name)
        return name

    def value(self, slot: str, component: Component, argument: str) -> Any:
        """Give the value that a parameter has in the configuration."""
        filled = recalled_values(component, self._configuration[slot])
        if argument in filled:
            parameter = component.parameters[argument]
            self._note(_name(slot, component, argument), parameter, filled[argument])
        return filled.get(argument)

    def _note(self, name: str, parameter: Any, value: Any) -> None:
        from optuna import distributions as kinds

        kind: kinds.BaseDistribution
        if isinstance(parameter, Real | Integer):
            if not parameter.low <= value <= parameter.high:
                return
            kind = (
                kinds.IntDistribution(parameter.low, parameter.high, log=parameter.log)
                if isinstance(parameter, Integer)
                else kinds.FloatDistribution(parameter.low, parameter.high, log=parameter.log)
            )
        else:
            if value not in parameter.values:
                return
            kind = kinds.CategoricalDistribution(list(range(len(parameter.values))))
            value = parameter.values.index(value)
        self.distributions[name] = kind
        self.params[name] = value


def _name(slot: str, component: Component, argument: str) -> str:
    """Name a parameter to Optuna."""
    return f"{slot} {component.name} {argument}"


def _fill(space: SearchSpace, source: _Suggested | _Known) -> dict[str, dict[str, Any]]:
    """Fill the slots of a space with values of a source, as a configuration says it."""
    filled = {}
    for slot in space.slots:
        names = [one.name for one in slot.components]
        among = Categorical([None, *names] if slot.optional else names)
        chosen = source.component(slot.name, among)
        if chosen is None:
            continue
        component = next(one for one in slot.components if one.name == chosen)
        values = _values(component, slot.name, source)
        filled[slot.name] = {"component": chosen, **kept_values(component, values)}
    return filled


def _values(component: Component, slot: str, source: _Suggested | _Known) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for argument, parameter in component.parameters.items():
        condition = component.conditions.get(argument)
        if isinstance(parameter, Constant):
            values[argument] = parameter.value
        elif condition is None or condition.holds(values):
            values[argument] = source.value(slot, component, argument)
    return values
