"""The search space: slots of a pipeline, the components that can fill them, and the sampler.

A pipeline is drawn as in the paper (Mohr & van Rijn 2023, Appendix B): a fair coin for each
optional slot, then, for each slot that is to be filled, one of its components by weight, then that
one's hyperparameters. Draws are independent of each other; the same seed gives the same sequence.

Some pipelines cannot work whatever the data: a multinomial naive Bayes after a standardisation has
negative input. They are drawn too, as in the paper, unless only possible ones are asked for; then
the whole pipeline is drawn again.

A learner may say which view of the raw table it wants (`TablePreparation`); its pipeline begins
with that view then.

Tables with many categories come as sparse matrices. Before the first component that cannot take
one, a step makes the input dense, or refuses to if that would not fit into memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state

from curvewise.automl._components.dense import Dense
from curvewise.automl._space.component import LARGEST_SEED, N_TRIES, VIEW, Component, applies
from curvewise.automl._space.configuration import kept_values, recalled_values
from curvewise.automl._space.description import describe
from curvewise.automl._table_preparation import TablePreparation
from curvewise.errors import InvalidParameterError

WEIGHTS = ("sum", "product")
DENSE = "dense"
TABLE = "table"


class DrawnStep(NamedTuple):
    """A slot as it was filled: by which component, with which values by parameter."""

    slot: str
    component: Component
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DrawnPipeline:
    """The steps that were drawn, in their order."""

    steps: tuple[DrawnStep, ...]

    @property
    def can_work(self) -> bool:
        """Whether nothing that takes no negative numbers gets some, whatever the data."""
        negative = False
        for _, component, values in self.steps:
            if negative and applies(component.needs_nonnegative, values):
                return False
            if component.gives_negative is not None:
                negative = applies(component.gives_negative, values)
        return True

    def configuration(self, *, seed: int) -> dict[str, Any]:
        """Say what fills the slots, and a seed, in values that JSON can express."""
        filled = {
            slot: {"component": component.name, **kept_values(component, values)}
            for slot, component, values in self.steps
        }
        return {"seed": seed, **filled}

    def build(self, rng: np.random.RandomState) -> Pipeline:
        """Make an unfitted pipeline; each step gets a seed of its own."""
        steps: list[tuple[str, Any]] = []
        learner = self.steps[-1]
        view = {**learner.component.fixed, **learner.values}.get(VIEW)
        if view is not None:
            steps.append((TABLE, TablePreparation(view=view)))
        for slot, component, values in self.steps:
            if applies(component.dense, values) and all(name != DENSE for name, _ in steps):
                steps.append((DENSE, Dense()))
            seed = int(rng.randint(LARGEST_SEED))
            steps.append((slot, component.build(values, random_state=seed)))
        return Pipeline(steps)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a pipeline, and what can stand there.

    Parameters
    ----------
    name
        The name of the pipeline's step.
    components
        What can stand there, each under another name.
    optional
        Whether it may stay empty, which it then does in half of the draws. By default it is always
        filled.

    Raises
    ------
    InvalidParameterError
        If that is no name for a step, or there are no components, or two of one name.

    Examples
    --------
    >>> slot = Slot("data", [Component(target="sklearn.preprocessing.Normalizer")])
    >>> slot.optional
    False
    """

    name: str
    components: Sequence[Component]
    optional: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(self.components))
        if not self.name or "__" in self.name or self.name == DENSE:
            raise InvalidParameterError(
                f"A slot's name must not be empty, {DENSE!r} or contain '__', got {self.name!r}."
            )
        if not self.components:
            raise InvalidParameterError(f"The slot {self.name!r} has no components.")
        name, count = Counter(one.name for one in self.components).most_common(1)[0]
        if count > 1:
            raise InvalidParameterError(f"The slot {self.name!r} has two components called {name}.")


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """Pipelines to draw from; called with a random state, it gives one.

    Parameters
    ----------
    slots
        In the order of the pipeline's steps; the last one, the learner, must not be optional.
    weights
        A component's weight is the ``"sum"`` of its parameters' weights, at least 3, or their
        ``"product"``.
    only_possible
        Whether pipelines that cannot work, whatever the data, are drawn again. By default they are
        drawn, as in the paper.

    Raises
    ------
    InvalidParameterError
        If there is no such kind of weights, no learner, or a name that two slots share.

    Examples
    --------
    >>> from curvewise.automl import paper_space
    >>> space = paper_space("classification")
    >>> pipeline = space.sample(3)
    >>> [name for name, _ in pipeline.steps][-1]
    'classifier'
    >>> len(space.components("classifier")), len(space.without("SVC").components("classifier"))
    (14, 13)
    """

    slots: Sequence[Slot]
    weights: Literal["sum", "product"] = "sum"
    only_possible: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "slots", tuple(self.slots))
        if self.weights not in WEIGHTS:
            raise InvalidParameterError(
                f"weights must be 'sum' or 'product', got {self.weights!r}."
            )
        if not self.slots or self.slots[-1].optional:
            raise InvalidParameterError(
                "A space needs a last slot that is not optional: the learner."
            )
        names = [slot.name for slot in self.slots]
        if len(set(names)) < len(names):
            raise InvalidParameterError(f"Slots need different names, got {names}.")

    def sample(self, rng: int | np.random.RandomState) -> Pipeline:
        """Draw an unfitted pipeline.

        Parameters
        ----------
        rng
            A `numpy.random.RandomState`, which goes on from draw to draw, or a seed.

        Raises
        ------
        InvalidParameterError
            If hardly any pipeline is possible, and only possible ones are asked for.
        """
        generator: np.random.RandomState = check_random_state(rng)
        return self.draw(generator).build(generator)

    # Samplers of `CurveSearchCV` are called.
    __call__ = sample

    def name_of(self, estimator: BaseEstimator) -> str:
        """Name a candidate by its steps, such as ``"StandardScaler > SVC(rbf)"``.

        Parameters
        ----------
        estimator
            What was drawn.
        """
        return describe(estimator)["text"]

    def draw(self, rng: np.random.RandomState) -> DrawnPipeline:
        """Draw which components fill the slots, with their hyperparameters.

        Parameters
        ----------
        rng
            The source of randomness, which goes on from draw to draw.

        Raises
        ------
        InvalidParameterError
            If hardly any pipeline is possible, and only possible ones are asked for.
        """
        for _ in range(N_TRIES):
            filled = [slot for slot in self.slots if not slot.optional or rng.randint(2)]
            steps = []
            for slot in filled:
                component = slot.components[
                    rng.choice(len(slot.components), p=list(self.probabilities(slot.name).values()))
                ]
                steps.append(DrawnStep(slot.name, component, component.draw(rng)))
            drawn = DrawnPipeline(tuple(steps))
            if drawn.can_work or not self.only_possible:
                return drawn
        raise InvalidParameterError("The space has hardly any pipeline that can work.")

    def build(self, configuration: Mapping[str, Any]) -> Pipeline:
        """Make the unfitted pipeline that a configuration describes.

        Parameters
        ----------
        configuration
            For each slot that is filled the ``component`` and its values by parameter, and a
            ``seed``, as a proposer gives them.

        Raises
        ------
        InvalidParameterError
            If there is no such slot or component.

        Examples
        --------
        >>> from curvewise.automl import paper_space
        >>> space = paper_space("classification")
        >>> naive = space.build({"seed": 1, "classifier": {"component": "GaussianNB"}})
        >>> type(naive[-1]).__name__
        'GaussianNB'
        """
        filled = {name: dict(values) for name, values in configuration.items() if name != "seed"}
        rng = np.random.RandomState(configuration.get("seed", 0))
        return self._drawn(filled).build(rng)

    def can_work(self, filled: Mapping[str, Mapping[str, Any]]) -> bool:
        """Whether nothing that takes no negative numbers gets some, whatever the data.

        Parameters
        ----------
        filled
            What fills each slot, as in a configuration.
        """
        drawn = self._drawn(filled)
        forbidden = any(
            all(values.get(name) in among for name, among in clause.items())
            for _, component, values in drawn.steps
            for clause in component.forbidden
        )
        return drawn.can_work and not forbidden

    def _drawn(self, filled: Mapping[str, Mapping[str, Any]]) -> DrawnPipeline:
        steps = []
        for slot in self.slots:
            if slot.name not in filled:
                continue
            values = dict(filled[slot.name])
            name = values.pop("component")
            found = [one for one in slot.components if one.name == name]
            if not found:
                raise InvalidParameterError(f"The slot {slot.name!r} has no component {name!r}.")
            steps.append(DrawnStep(slot.name, found[0], recalled_values(found[0], values)))
        unknown = filled.keys() - {slot.name for slot in self.slots}
        if unknown:
            raise InvalidParameterError(f"There is no slot {min(unknown)!r}.")
        return DrawnPipeline(tuple(steps))

    @property
    def has_views(self) -> bool:
        """Whether pipelines begin with a view of the raw table."""
        return any({VIEW} & {*one.fixed, *one.parameters} for one in self.slots[-1].components)

    def probabilities(self, slot: str) -> dict[str, float]:
        """Say how likely each component is by its name, given that its slot is filled.

        Parameters
        ----------
        slot
            The slot's name.
        """
        weights = {one.name: one.weight(self.weights) for one in self._slot(slot).components}
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()}

    def components(self, slot: str | None = None) -> list[Component]:
        """List the components, in the order of the slots.

        Parameters
        ----------
        slot
            The slot to look at; all of them by default.
        """
        slots = self.slots if slot is None else [self._slot(slot)]
        return [component for one in slots for component in one.components]

    def without(self, *names: str) -> SearchSpace:
        """Give a new space that lacks some algorithms; this one stays as it is.

        Parameters
        ----------
        *names
            Names of components; ``"SVC"`` stands for all its kernels. An optional slot that has
            nothing left disappears.

        Raises
        ------
        InvalidParameterError
            If there is no such component, or nothing would be left for a slot.
        """
        known = {name for one in self.components() for name in _names(one)}
        for name in names:
            if name not in known:
                close = get_close_matches(name, sorted(known))
                meant = f". Did you mean {', '.join(close)}?"
                hint = meant if close else f"; there are {', '.join(sorted(known))}."
                raise InvalidParameterError(f"There is no component {name!r}{hint}")
        slots = []
        for slot in self.slots:
            left = [one for one in slot.components if not _names(one) & set(names)]
            if not left and not slot.optional:
                raise InvalidParameterError(f"Nothing would be left for the slot {slot.name!r}.")
            if left:
                slots.append(replace(slot, components=left))
        return replace(self, slots=slots)

    def plus(self, slot: str, *components: Component) -> SearchSpace:
        """Give a new space that has more algorithms; this one stays as it is.

        Parameters
        ----------
        slot
            The slot that they can fill.
        *components
            What to add.

        Raises
        ------
        InvalidParameterError
            If there is no such slot, or it has a component of that name.
        """
        wider = self._slot(slot)
        wider = replace(wider, components=[*wider.components, *components])
        return replace(self, slots=[wider if one.name == slot else one for one in self.slots])

    def _slot(self, name: str) -> Slot:
        for slot in self.slots:
            if slot.name == name:
                return slot
        known = [slot.name for slot in self.slots]
        raise InvalidParameterError(f"There is no slot {name!r}; there are {', '.join(known)}.")


def _names(component: Component) -> set[str]:
    return {component.name, component.name.partition("(")[0]}
