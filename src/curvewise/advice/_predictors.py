"""Ways to look ahead, by name: ours, the paper's, and the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, get_args

from curvewise.advice._calibration import Calibration
from curvewise.advice._evidence import Entry
from curvewise.advice._numbers import (
    CANDIDATE,
    CANDIDATE_UNBOUNDED,
    PORTFOLIO,
    PORTFOLIO_UNBOUNDED,
)
from curvewise.advice._outlook import Outlook
from curvewise.advice._paper_rule import LastTrend, PaperTrend, laws_of
from curvewise.advice._standing import Standing, stand
from curvewise.advice._trend import Trend
from curvewise.core._scale import Scale

Method = Literal["curve", "ipl", "last"]
METHODS: tuple[Method, ...] = get_args(Method)
# From so many candidates on that were seen on the last step, their best behaves like that of a
# portfolio.
PORTFOLIO_FROM = 3


class Ahead(Protocol):
    """Whatever can look ahead."""

    @property
    def by_experience(self) -> bool | None:
        """Whether others take the place of these curves; None if nothing does."""
        ...

    def look(self, factor: float) -> Outlook:
        """Say what so many times the rows may bring."""
        ...


def look_ahead(entries: Sequence[Entry], scale: Scale, method: Method) -> tuple[Standing, Ahead]:
    """See where a portfolio stands, and find a way to look ahead from there.

    Examples
    --------
    >>> from curvewise.core._curve import LearningCurve
    >>> from curvewise.core._outcome import Observation, Task
    >>> cells = [(256, 0.30), (512, 0.20), (1024, 0.15)]
    >>> curve = LearningCurve(Observation(Task("svc", rows, 0), loss) for rows, loss in cells)
    >>> for method in METHODS:
    ...     _, ahead = look_ahead([Entry("svc", curve)], Scale.unbounded(), method)
    ...     print(method, round(ahead.look(2).gain, 3))
    curve nan
    ipl 0.025
    last 0.0
    """
    standing = stand(entries, scale)
    if method == "ipl":
        return standing, PaperTrend(standing.loss, standing.rows, laws_of(entries))
    if method == "last":
        return standing, LastTrend()
    return standing, Trend(standing, scale, numbers_for(standing, len(entries), scale))


def numbers_for(standing: Standing, n_candidates: int, scale: Scale) -> Calibration:
    """Choose the calibration: few candidates go on less steadily than the best of many."""
    step = standing.step
    many = (n_candidates if step is None else step.n_candidates) >= PORTFOLIO_FROM
    if scale.unit is not None:
        return PORTFOLIO if many else CANDIDATE
    return PORTFOLIO_UNBOUNDED if many else CANDIDATE_UNBOUNDED
