"""The schedule: on how many training rows a candidate is evaluated.

Rules (Mohr & van Rijn 2023, Sec. IV and Appendix A):

1. Anchors are positive whole numbers in ascending order; the last one is the target.
2. The geometric schedule has the powers of a base from ``base ** min_exp`` on, then the target.
3. Deviates: 10. The last power is dropped when it exceeds ``target / base``. With the printed
   schedule the promise "at most twice the cost of k-fold" is broken for 99% of the target sizes;
   with this rule it holds for every size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curvewise.core._checks import real_number, whole_number
from curvewise.errors import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Schedule:
    """Training-set sizes in ascending order; the last is the target.

    Parameters
    ----------
    anchors
        The sizes, in rows.

    Examples
    --------
    >>> Schedule((64, 128, 300)).target
    300
    >>> Schedule((128, 64))
    Traceback (most recent call last):
    ...
    curvewise.errors.InvalidParameterError: The anchors of a schedule must increase, got 64 after
    128.
    """

    anchors: tuple[int, ...]

    def __post_init__(self) -> None:
        anchors = tuple(whole_number("an anchor", anchor) for anchor in self.anchors)
        if not anchors:
            raise InvalidParameterError("A schedule needs at least one anchor, got none.")
        if anchors[0] < 1:
            raise InvalidParameterError(f"Anchors must be at least 1 row, got {anchors[0]}.")
        for earlier, later in pairwise(anchors):
            if later <= earlier:
                raise InvalidParameterError(
                    f"The anchors of a schedule must increase, got {later} after {earlier}."
                )
        object.__setattr__(self, "anchors", anchors)

    @property
    def target(self) -> int:
        """The largest anchor: the training size whose loss decides."""
        return self.anchors[-1]

    @property
    def inner(self) -> tuple[int, ...]:
        """The anchors before the target."""
        return self.anchors[:-1]

    def after(self, anchor: int) -> int:
        """Give the next larger anchor.

        Parameters
        ----------
        anchor
            One of the anchors but the last.

        Examples
        --------
        >>> Schedule((64, 128, 300)).after(64)
        128
        """
        return self.anchors[self.anchors.index(anchor) + 1]

    @classmethod
    def geometric(
        cls, target: int, *, min_exp: int = 6, base: float = 2, drop_last: bool = True
    ) -> Schedule:
        """Powers of a base, then the target (the paper's schedule).

        Parameters
        ----------
        target
            The last anchor.
        min_exp
            The first anchor is ``base ** min_exp``.
        base
            The ratio of neighbouring anchors, above 1.
        drop_last
            Whether a last power above ``target / base`` is dropped; False for the paper's schedule
            as printed.

        Examples
        --------
        >>> Schedule.geometric(9000).anchors
        (64, 128, 256, 512, 1024, 2048, 4096, 9000)
        >>> Schedule.geometric(50).anchors
        (50,)
        """
        target = whole_number("target", target, at_least=1)
        real_number("base", base, above=1)
        exponent = whole_number("min_exp", min_exp, at_least=0)
        inner: list[int] = []
        last = target / base if drop_last else target - 1
        # Compared as logarithms first, since a power may be too large to be computed.
        while (
            exponent * math.log(base) <= math.log(target)
            and (power := math.ceil(base**exponent)) <= last
        ):
            if not inner or power > inner[-1]:
                inner.append(power)
            exponent += 1
        return cls((*inner, target))

    @classmethod
    def fractions(cls, target: int, divisors: Iterable[float], *, smallest: int = 32) -> Schedule:
        """Fractions of the target, then the target.

        Parameters
        ----------
        target
            The last anchor.
        divisors
            The target is divided by each of these.
        smallest
            No anchor is smaller than this many rows.

        Examples
        --------
        >>> Schedule.fractions(6400, (64, 16, 4)).anchors
        (100, 400, 1600, 6400)
        """
        target = whole_number("target", target, at_least=1)
        divisors = [real_number("a divisor", divisor, above=0) for divisor in divisors]
        wanted = {max(smallest, round(target / divisor)) for divisor in divisors}
        return cls((*sorted(anchor for anchor in wanted if anchor < target), target))

    def among(self, available: Sequence[int]) -> Schedule:
        """Replace each inner anchor by the nearest available one, on a logarithmic scale.

        Parameters
        ----------
        available
            The anchors at which evaluations can be had, for example those of a recorded curve.

        Examples
        --------
        >>> Schedule((100, 400, 6400)).among([64, 128, 512, 6400]).anchors
        (128, 512, 6400)
        """
        if self.target not in available:
            raise InvalidParameterError(f"The target anchor {self.target} is not available.")
        below = [anchor for anchor in available if anchor < self.target]
        if not below:
            return Schedule((self.target,))
        nearest = {
            min(below, key=lambda size, anchor=anchor: (abs(math.log(size / anchor)), size))  # type: ignore[misc]
            for anchor in self.inner
        }
        return Schedule((*sorted(nearest), self.target))
