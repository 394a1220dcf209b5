"""`EvolvingProposer`: what did well is tried again, a little changed.

A short search has no time to learn a model of the space. What it can do is to stay near what is
good: a candidate among the best so far is taken, the better the likelier, and about half of its
parameters move a step. One draw in four comes from the whole space, so that nothing is ruled out.
A long list is not waited for: after its first few, its others come in turn with changes of the
best. Nothing is tried twice as long as there is anything else: of few parameters a change often
leaves all as they were.

Where there is time, the best so far is now and then tried as the mean of four, each with a seed of
its own. That takes four times as long and is mostly a little better, and what is changed later is
single again: so the search looks around with quick candidates, and ends with a steadier one. Of
boosters that draw neither rows nor columns all four would be the same.

It hears of a candidate as soon as that was seen on one fold at the target, not only when it has
ended: in a race the best ones end last.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from curvewise._evaluation.given_types import Seed
from curvewise._selection.proposer import Proposal
from curvewise.automl._proposers import Configuration, RandomProposer
from curvewise.automl._space.component import LARGEST_SEED, N_SEEDS, Component
from curvewise.automl._space.configuration import kept_values, recalled_values
from curvewise.automl._space.parameters import Categorical, Integer, Real
from curvewise.automl._space.search_space import SearchSpace, Slot
from curvewise.core._result import ValidationResult

# So many of the list come first, and so many must be known before one of them is changed.
FIRST = 8
FEWEST_KNOWN = 5
# One in so many is drawn from the whole space.
FRESH = 4
# Among so many of the best one is taken; each is half as likely as the one before it.
N_PARENTS = 5
# The share of parameters that are changed, and how far a number moves, as a share of its range.
CHANGED = 0.5
STEP = 0.15
# How often a draw or a change is made again that gave what was already tried.
N_TRIES = 20
# One draw in so many is the best so far as a mean of so many.
MEANS = 8
N_AVERAGED = 4
# The shares of rows or columns that boosters draw.
SHARES = ("colsample_bylevel", "colsample_bytree", "max_features", "subsample")


class EvolvingProposer(RandomProposer):
    """Propose the configurations of a list, then changes of the best so far.

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
    means
        Whether the best so far are also tried as the mean of four, each with a seed of its own,
        where their component may be averaged. It pays where many candidates can be tried.

    Examples
    --------
    >>> from curvewise.automl import default_space
    >>> first = [{"seed": 0, "regressor": {"component": "Ridge", "view": "scaled", "alpha": 1.0}}]
    >>> proposer = EvolvingProposer(default_space("regression"), first=first, random_state=0)
    >>> proposer.ask().name
    'Ridge'
    """

    learns = True

    def __init__(
        self,
        space: SearchSpace,
        *,
        first: Iterable[Configuration] = (),
        n_draws: int | None = None,
        random_state: Seed = None,
        means: bool = False,
    ) -> None:
        super().__init__(space, first=first, n_draws=n_draws, random_state=random_state)
        self.means = means
        self._n_drawn = 0
        self._known: dict[int, tuple[float, Proposal]] = {}
        self._tried: set[str] = set()
        self._n_asked = 0

    def ask(self) -> Proposal | None:
        """Propose the first of the list, then in turn its others and changes of the best."""
        self._n_asked += 1
        own_turn = self._n_asked > FIRST and self._n_asked % 2 == 0 and self._n_left >= 1
        if self._first and own_turn and len(self._known) >= FEWEST_KNOWN:
            self._n_left -= 1
            return self._draw()
        return super().ask()

    def tell(self, proposal: Proposal, score: float, result: ValidationResult) -> None:
        """Note what a candidate was worth.

        Parameters
        ----------
        proposal
            What was proposed.
        score
            What it is worth, NaN if nothing is known of it.
        result
            What came of it.
        """
        self.tell_early(proposal, score)

    def tell_early(self, proposal: Proposal, score: float) -> None:
        """Note what a candidate is worth so far.

        Parameters
        ----------
        proposal
            What was proposed.
        score
            What it is worth, as far as that is known.
        """
        if math.isfinite(score):
            self._known[id(proposal)] = (score, proposal)

    def _make(self, configuration: Configuration) -> Proposal:
        self._tried.add(_without_seed(configuration))
        return super()._make(configuration)

    def _draw(self) -> Proposal:
        self._n_drawn += 1
        best = sorted(self._known.values(), key=lambda one: -one[0])
        if self.means and self._n_drawn % MEANS == 0:
            for _, proposal in best[:N_PARENTS]:
                filled = self._averaged(proposal.configuration)
                if filled is not None:
                    return self._make_new(filled)
        if len(best) < FEWEST_KNOWN or self._rng.randint(FRESH) == 0:
            return self._draw_fresh()
        best = best[:N_PARENTS]
        chances = 0.5 ** np.arange(len(best))
        for _ in range(N_TRIES):
            _, parent = best[self._rng.choice(len(best), p=chances / chances.sum())]
            filled = self._changed(parent.configuration)
            if self.space.can_work(filled) and _without_seed(filled) not in self._tried:
                return self._make_new(filled)
        return self._draw_fresh()

    def _draw_fresh(self) -> Proposal:
        """Draw from the whole space, something new if there is anything."""
        for _ in range(N_TRIES):
            drawn = self.space.draw(self._rng)
            configuration = drawn.configuration(seed=int(self._rng.randint(LARGEST_SEED)))
            if _without_seed(configuration) not in self._tried:
                break
        return self._make(configuration)

    def _withdraw(self, proposal: Proposal) -> None:
        if proposal.configuration is not None:
            self._tried.discard(_without_seed(proposal.configuration))

    def _make_new(self, filled: Configuration) -> Proposal:
        return self._make({"seed": int(self._rng.randint(LARGEST_SEED)), **filled})

    def _averaged(self, configuration: Configuration) -> dict[str, Any] | None:
        """Let several of the learner predict together, unless it cannot be or was tried."""
        slot = self.space.slots[-1]
        kept = dict(configuration.get(slot.name) or {})
        component = self._component(slot, kept)
        if component is None or not component.averaged:
            return None
        values = {**component.fixed, **kept}
        if values.get(N_SEEDS, 1) > 1 or not _varies(component, values):
            return None
        filled = {name: value for name, value in configuration.items() if name != "seed"}
        filled[slot.name] = {**kept, N_SEEDS: N_AVERAGED}
        return None if _without_seed(filled) in self._tried else filled

    def _changed(self, configuration: Configuration) -> dict[str, dict[str, Any]]:
        """Change what fills the slots, each with its own component."""
        filled = {}
        for slot in self.space.slots:
            kept = dict(configuration.get(slot.name) or {})
            component = self._component(slot, kept)
            if component is not None:
                values = changed(component, recalled_values(component, kept), self._rng)
                filled[slot.name] = {"component": component.name, **kept_values(component, values)}
        return filled

    def _component(self, slot: Slot, kept: Mapping[str, Any]) -> Component | None:
        """Give the component that fills a slot, if it is one of the space."""
        name = kept.get("component")
        return next((one for one in slot.components if one.name == name), None)


def _varies(component: Component, values: Mapping[str, Any]) -> bool:
    """Whether other seeds give other models; boosters have to draw something for that."""
    draws = any(values.get(name, 1.0) < 1 for name in SHARES)
    return not component.rounds or draws or bool(values.get("extra_trees"))


def _without_seed(configuration: Configuration) -> str:
    """Write down what fills the slots, so that it can be recognised."""
    filled = {name: value for name, value in configuration.items() if name != "seed"}
    return json.dumps(filled, sort_keys=True, default=repr)


def changed(
    component: Component, values: Mapping[str, Any], rng: np.random.RandomState
) -> dict[str, Any]:
    """Change some values of a component; what applies only now is drawn."""
    new: dict[str, Any] = {}
    for name, parameter in component.parameters.items():
        condition = component.conditions.get(name)
        if condition is not None and not condition.holds(new):
            continue
        if name not in values:
            new[name] = parameter.draw(rng)
        elif rng.uniform() < CHANGED:
            new[name] = nearby(parameter, values[name], rng)
        else:
            new[name] = values[name]
    return new


def nearby(parameter: Any, value: Any, rng: np.random.RandomState) -> Any:
    """Give a value near another one; of choices, any."""
    if not isinstance(parameter, Real | Integer):
        return parameter.draw(rng) if isinstance(parameter, Categorical) else value
    bounds = np.array([parameter.low, parameter.high], dtype=float)
    low, high = np.log(bounds) if parameter.log else bounds
    at = math.log(value) if parameter.log else float(value)
    moved = min(max(at + rng.normal(0, STEP) * (high - low), low), high)
    number = math.exp(moved) if parameter.log else moved
    number = min(max(number, parameter.low), parameter.high)
    return round(number) if isinstance(parameter, Integer) else float(number)
