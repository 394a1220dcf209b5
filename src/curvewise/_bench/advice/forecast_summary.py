"""What the forecasts were worth: the figures of the paper's Sec. V-B, and whether intervals hold.

- ``mae``, ``within_*``: the mean absolute error of the predicted gain, and the share of cases in
  which it is at most that much.
- ``accuracy``: by wished gain, how often the method rightly says whether it is reached;
  ``always_no`` and ``always_yes`` are what one has without any method.
- ``coverage_90``: how often the 90% interval has the true gain in it, and by third of the rows and
  of the data sets' sizes.
- ``sure_share``, ``sure_accuracy``: over all wished gains, how often a probability is above .9 or
  below .1, and how often that is right; by wished gain in ``sure``.
- ``cannot_tell``: by wished gain, the share of cases without a yes or a no, as answers are given
  by default.

Methods without probabilities have None there. Cases in which no fold ever differed from another
have no spread if the scale is unknown; they do not count there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvewise._bench.advice.forecasts import Forecast
from curvewise.advice._advise import SURE
from curvewise.errors import InvalidParameterError

TOLERANCES = {"within_01": 0.01, "within_025": 0.025, "within_07": 0.07}
MIN_GAINS = (0.005, 0.01, 0.025, 0.05, 0.1)
COVERAGE = 0.9
VERY_SURE = 0.9
ROUNDING = 1e-12


def counted(forecasts: Sequence[Forecast], at: str) -> list[Forecast]:
    """Keep some of the cases, whatever the methods were calibrated on.

    Examples
    --------
    >>> counted([], "all")
    []
    """
    largest: dict[str, int] = {}
    for each in forecasts:
        largest[each.dataset] = max(each.rows, largest.get(each.dataset, 0))
    kept = [each for each in forecasts if _counts(each.rows, at, largest[each.dataset])]
    if forecasts and not kept:
        sizes = ", ".join(map(str, sorted({each.rows for each in forecasts})))
        raise InvalidParameterError(
            f"There is no case at {at!r}; choose all, largest, H or H+ for H and above, with an H "
            f"out of {sizes}."
        )
    return kept


def _counts(rows: int, at: str, largest: int) -> bool:
    """Whether a case at so many rows is one of those that are asked for."""
    if at in ("all", "largest"):
        return at == "all" or rows == largest
    if at.endswith("+") and at[:-1].isdecimal():
        return rows >= int(at[:-1])
    return str(rows) == at


def summarise(forecasts: Sequence[Forecast]) -> list[dict[str, Any]]:
    """Summarise forecasts per method and level, in the order in which they first appear."""
    kinds = dict.fromkeys((each.method, each.level) for each in forecasts)
    return [
        _figures([each for each in forecasts if (each.method, each.level) == kind])
        for kind in kinds
    ]


def _figures(forecasts: Sequence[Forecast]) -> dict[str, Any]:
    predicted = np.array([each.outlook.gain for each in forecasts])
    true = np.array([each.gain for each in forecasts])
    errors = np.abs(predicted - true)
    return {
        "method": forecasts[0].method,
        "level": forecasts[0].level,
        "n": len(forecasts),
        "n_datasets": len({each.dataset for each in forecasts}),
        "mae": float(errors.mean()),
        "mae_over_datasets": _over_datasets(forecasts, errors),
        **{name: float(np.mean(errors <= most + ROUNDING)) for name, most in TOLERANCES.items()},
        "correlation": _correlation(predicted, true),
        "accuracy": {
            str(gain): float(np.mean((predicted >= gain) == (true >= gain))) for gain in MIN_GAINS
        },
        "always_no": {str(gain): float(np.mean(true < gain)) for gain in MIN_GAINS},
        "always_yes": {str(gain): float(np.mean(true >= gain)) for gain in MIN_GAINS},
        **_certainty(forecasts, true),
    }


def _certainty(forecasts: Sequence[Forecast], true: Any) -> dict[str, Any]:
    """Whether intervals and probabilities hold; None for methods that have none."""
    names = ("coverage_90", "coverage_by_rows", "coverage_by_size", "sure_share", "sure_accuracy")
    certain = [each.outlook.known and each.outlook.spread > 0 for each in forecasts]
    if not any(certain):
        return dict.fromkeys((*names, "width_90", "sure", "cannot_tell"))
    forecasts = [each for each, known in zip(forecasts, certain, strict=True) if known]
    true = true[certain]
    ends = np.array([each.outlook.interval(COVERAGE) for each in forecasts])
    covered = (ends[:, 0] <= true) & (true <= ends[:, 1])
    chances = {
        gain: np.array([each.outlook.probability(gain) for each in forecasts]) for gain in MIN_GAINS
    }
    sure = {gain: np.abs(chance - 0.5) > VERY_SURE - 0.5 for gain, chance in chances.items()}
    right = {gain: (chance > 0.5) == (true >= gain) for gain, chance in chances.items()}
    all_sure = np.concatenate(list(sure.values()))
    all_right = np.concatenate(list(right.values()))
    return {
        "coverage_90": float(covered.mean()),
        "coverage_by_rows": _by_third(covered, [each.rows for each in forecasts]),
        "coverage_by_size": _by_third(covered, [each.size for each in forecasts]),
        "width_90": float(np.mean(ends[:, 1] - ends[:, 0])),
        "sure_share": float(all_sure.mean()),
        "sure_accuracy": _share(all_right[all_sure]),
        "sure": {
            str(gain): {
                "share": float(sure[gain].mean()),
                "accuracy": _share(right[gain][sure[gain]]),
            }
            for gain in MIN_GAINS
        },
        "cannot_tell": {
            str(gain): float(np.mean((chance > 1 - SURE) & (chance < SURE)))
            for gain, chance in chances.items()
        },
    }


def _share(right: Any) -> float | None:
    return float(right.mean()) if len(right) else None


def _by_third(covered: Any, sizes: Sequence[int]) -> list[float | None]:
    """The coverage in each third of the sizes, the smallest first; equal sizes stay together."""
    third = np.searchsorted(np.quantile(sizes, [1 / 3, 2 / 3]), sizes)
    return [_share(covered[third == i]) for i in range(3)]


def _over_datasets(forecasts: Sequence[Forecast], errors: Any) -> float:
    """The mean error if every data set counts the same, however many cases it has."""
    names = np.array([each.dataset for each in forecasts])
    return float(np.mean([errors[names == name].mean() for name in np.unique(names)]))


def _correlation(predicted: Any, true: Any) -> float | None:
    """Pearson's; None where one of both is constant."""
    if np.ptp(predicted) == 0 or np.ptp(true) == 0:
        return None
    return float(np.corrcoef(predicted, true)[0, 1])
