"""Parameters: what a hyperparameter can be, how it is drawn, and what it weighs.

The weight of a parameter is the number of its values, and at most 10 for a number
(Mohr & van Rijn 2023, Appendix B). A constant leaves nothing to choose and weighs nothing.

Numbers are drawn uniformly, or uniformly on a logarithmic scale. Bounds belong to the range.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from curvewise.core._checks import real_number, whole_number
from curvewise.errors import InvalidParameterError

# Mohr & van Rijn 2023, Appendix B: a numeric parameter weighs min{10, s}.
MOST_WEIGHT = 10
# Whole numbers that are exact as floating point numbers too.
LARGEST = 2**53


class Parameter(Protocol):
    """What a hyperparameter can be: `Categorical`, `Integer`, `Real`, `Constant`, or one's own.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class PowerOfTwo:
    ...     highest: int
    ...
    ...     @property
    ...     def n_weight(self):
    ...         return self.highest + 1
    ...
    ...     def draw(self, rng):
    ...         return 2 ** int(rng.randint(self.highest + 1))
    >>> PowerOfTwo(10).draw(np.random.RandomState(0))
    32
    """

    @property
    def n_weight(self) -> int:
        """How much it adds to the weight of its component: about the number of its values."""

    def draw(self, rng: np.random.RandomState) -> object:
        """Draw a value, as the constructor of an estimator takes it.

        Parameters
        ----------
        rng
            The source of randomness, which goes on from draw to draw.
        """


@dataclass(frozen=True, slots=True)
class Categorical:
    """One of several values, all equally likely.

    Parameters
    ----------
    values
        What can be drawn: at least one value of any kind.

    Raises
    ------
    InvalidParameterError
        If there is no value, or no list of them.

    Examples
    --------
    >>> criterion = Categorical(["gini", "entropy"])
    >>> criterion.n_weight, criterion.draw(np.random.RandomState(0))
    (2, 'gini')
    """

    values: Sequence[object]

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Sequence):
            raise InvalidParameterError(f"values must be a list, got {self.values!r}.")
        if not self.values:
            raise InvalidParameterError("values must have at least one value, got none.")
        object.__setattr__(self, "values", tuple(self.values))

    @property
    def n_weight(self) -> int:
        """The number of values."""
        return len(self.values)

    def draw(self, rng: np.random.RandomState) -> object:
        """Draw a value."""
        return self.values[rng.randint(len(self.values))]


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number between two others.

    Parameters
    ----------
    low, high
        The smallest and the largest; both can be drawn.
    log
        Whether small numbers are as likely as large ones of the same ratio. Then ``low`` is at
        least 1. By default all numbers are equally likely.

    Raises
    ------
    InvalidParameterError
        If these are no bounds of whole numbers.

    Examples
    --------
    >>> Integer(1, 20).n_weight, Integer(2, 5).n_weight
    (10, 4)
    >>> Integer(16, 264, log=True).draw(np.random.RandomState(0))
    74
    """

    low: int
    high: int
    log: bool = False

    def __post_init__(self) -> None:
        whole_number("low", self.low, at_least=1 if self.log else None)
        whole_number("high", self.high, at_least=self.low)
        if max(-self.low, self.high) > LARGEST:
            raise InvalidParameterError("The bounds of a whole number must be within 2**53.")

    @property
    def n_weight(self) -> int:
        """The number of values, at most 10."""
        return min(MOST_WEIGHT, self.high - self.low + 1)

    def draw(self, rng: np.random.RandomState) -> int:
        """Draw a number."""
        if not self.log:
            return int(rng.randint(self.low, self.high + 1))
        # Half a step more on both sides: the bounds get their share when rounded.
        exponent = rng.uniform(math.log(self.low - 0.5), math.log(self.high + 0.5))
        return min(max(round(math.exp(exponent)), self.low), self.high)


@dataclass(frozen=True, slots=True)
class Real:
    """A number between two others.

    Parameters
    ----------
    low, high
        The smallest and the largest.
    log
        Whether small numbers are as likely as large ones of the same ratio. Then ``low`` is above
        0. By default all numbers are equally likely.

    Raises
    ------
    InvalidParameterError
        If these are no bounds of finite numbers.

    Examples
    --------
    >>> tolerance = Real(1e-5, 0.1, log=True)
    >>> tolerance.n_weight, round(tolerance.draw(np.random.RandomState(0)), 5)
    (10, 0.00157)
    """

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        real_number("low", self.low, above=0 if self.log else None)
        real_number("high", self.high, at_least=self.low)

    @property
    def n_weight(self) -> int:
        """As much as a number can weigh: 10."""
        return MOST_WEIGHT

    def draw(self, rng: np.random.RandomState) -> float:
        """Draw a number."""
        if not self.log:
            return float(rng.uniform(self.low, self.high))
        value = math.exp(rng.uniform(math.log(self.low), math.log(self.high)))
        return min(max(value, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is always the same.

    Parameters
    ----------
    value
        The value, of any kind.

    Examples
    --------
    >>> Constant("rbf").n_weight, Constant("rbf").draw(np.random.RandomState(0))
    (0, 'rbf')
    """

    value: object

    @property
    def n_weight(self) -> int:
        """Nothing: there is no choice."""
        return 0

    def draw(self, rng: np.random.RandomState) -> object:
        """Give the value."""
        return self.value
