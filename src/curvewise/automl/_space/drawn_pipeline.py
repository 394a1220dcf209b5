"""A pipeline that was drawn and not built yet: what fills its slots, and whether that can work.

Tables with many categories come as sparse matrices. Before the first component that cannot take
one, a step makes the input dense, or refuses to if that would not fit into memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline

from curvewise.automl._components.dense import Dense
from curvewise.automl._space.component import LARGEST_SEED, Component, applies

DENSE = "dense"


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

    def build(self, rng: np.random.RandomState) -> Pipeline:
        """Make an unfitted pipeline; each step gets a seed of its own."""
        steps: list[tuple[str, Any]] = []
        for slot, component, values in self.steps:
            if applies(component.dense, values) and all(name != DENSE for name, _ in steps):
                steps.append((DENSE, Dense()))
            seed = int(rng.randint(LARGEST_SEED))
            steps.append((slot, component.build(values, random_state=seed)))
        return Pipeline(steps)
