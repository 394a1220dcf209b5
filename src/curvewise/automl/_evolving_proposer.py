"""`EvolvingProposer`: what did well is tried again, a little changed.

A short search has no time to learn a model of the space. What it can do is to stay near what is
good: a candidate among the best so far is taken, the better the likelier, and about half of its
parameters move a step. One draw in four comes from the whole space, so that nothing is ruled out.
A long list is not waited for: after its first few, its others come in turn with changes of the
best.

It hears of a candidate as soon as that was seen on one fold at the target, not only when it has
ended: in a race the best ones end last.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from curvewise._evaluation.given_types import Seed
from curvewise._selection.proposer import Proposal
from curvewise.automl._proposers import Configuration, RandomProposer
from curvewise.automl._space.component import LARGEST_SEED, Component
from curvewise.automl._space.configuration import kept_values, recalled_values
from curvewise.automl._space.parameters import Categorical, Integer, Real
from curvewise.automl._space.search_space import SearchSpace
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
    ) -> None:
        super().__init__(space, first=first, n_draws=n_draws, random_state=random_state)
        self._known: dict[int, tuple[float, Proposal]] = {}
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

    def _draw(self) -> Proposal:
        if len(self._known) < FEWEST_KNOWN or self._rng.randint(FRESH) == 0:
            return super()._draw()
        best = sorted(self._known.values(), key=lambda one: -one[0])[:N_PARENTS]
        chances = 0.5 ** np.arange(len(best))
        _, parent = best[self._rng.choice(len(best), p=chances / chances.sum())]
        filled = self._changed(parent.configuration)
        if not self.space.can_work(filled):
            return super()._draw()
        return self._make({"seed": int(self._rng.randint(LARGEST_SEED)), **filled})

    def _changed(self, configuration: Configuration) -> dict[str, dict[str, Any]]:
        """Change what fills the slots, each with its own component."""
        filled = {}
        for slot in self.space.slots:
            kept = dict(configuration.get(slot.name) or {})
            name = kept.pop("component", None)
            component = next((one for one in slot.components if one.name == name), None)
            if component is not None:
                values = changed(component, recalled_values(component, kept), self._rng)
                filled[slot.name] = {"component": name, **kept_values(component, values)}
        return filled


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
