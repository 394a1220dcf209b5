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
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._bench.doubled_rows.forecasts import Forecast
from curvewise._packages import require
from curvewise.advice._advise import SURE
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    import pandas as pd

TOLERANCES = {"within_01": 0.01, "within_025": 0.025, "within_07": 0.07}
MIN_GAINS = (0.005, 0.01, 0.025, 0.05, 0.1)
COVERAGE = 0.9
VERY_SURE = 0.9
ROUNDING = 1e-12
CERTAINTY = (
    "coverage_90", "coverage_by_rows", "coverage_by_size", "width_90", "sure_share",
    "sure_accuracy", "sure", "cannot_tell",
)  # fmt: skip


def chosen(forecasts: Sequence[Forecast], at: str) -> list[Forecast]:
    """Keep some of the cases, whatever the methods were calibrated on."""
    largest = {each.dataset: each.rows for each in sorted(forecasts, key=lambda each: each.rows)}
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
    frame = require("pandas", "Summarising forecasts", extra="replay").DataFrame(
        [
            {
                "method": each.method,
                "level": each.level,
                "dataset": each.dataset,
                "rows": each.rows,
                "size": each.size,
                "outlook": each.outlook,
                "predicted": each.outlook.gain,
                "true": each.gain,
            }
            for each in forecasts
        ]
    )
    kinds = frame.groupby(["method", "level"], sort=False)
    return [{"method": m, "level": level, **_figures(own)} for (m, level), own in kinds]


def _figures(own: pd.DataFrame) -> dict[str, Any]:
    errors = (own.predicted - own.true).abs()
    constant = own.predicted.nunique() == 1 or own.true.nunique() == 1
    return {
        "n": len(own),
        "n_datasets": int(own.dataset.nunique()),
        "mae": float(errors.mean()),
        # As if every data set counted the same, however many cases it has.
        "mae_over_datasets": float(errors.groupby(own.dataset).mean().mean()),
        **{name: float((errors <= most + ROUNDING).mean()) for name, most in TOLERANCES.items()},
        "correlation": None if constant else float(own.predicted.corr(own.true)),
        "accuracy": {
            str(gain): float(((own.predicted >= gain) == (own.true >= gain)).mean())
            for gain in MIN_GAINS
        },
        "always_no": {str(gain): float((own.true < gain).mean()) for gain in MIN_GAINS},
        "always_yes": {str(gain): float((own.true >= gain).mean()) for gain in MIN_GAINS},
        **_certainty(own),
    }


def _certainty(own: pd.DataFrame) -> dict[str, Any]:
    """Whether intervals and probabilities hold; None for methods that have none."""
    own = own[[each.known and each.spread > 0 for each in own.outlook]]
    if own.empty:
        return dict.fromkeys(CERTAINTY)
    ends = np.array([each.interval(COVERAGE) for each in own.outlook])
    covered = own.true.between(ends[:, 0], ends[:, 1])
    chances = {
        str(gain): own.outlook.map(lambda each, gain=gain: each.probability(gain))
        for gain in MIN_GAINS
    }
    sure = {gain: (chance - 0.5).abs() > VERY_SURE - 0.5 for gain, chance in chances.items()}
    right = {gain: (chance > 0.5) == (own.true >= float(gain)) for gain, chance in chances.items()}
    all_sure = np.concatenate(list(sure.values()))
    all_right = np.concatenate(list(right.values()))
    return {
        "coverage_90": float(covered.mean()),
        "coverage_by_rows": _by_third(covered, own.rows),
        "coverage_by_size": _by_third(covered, own["size"]),
        "width_90": float(np.mean(ends[:, 1] - ends[:, 0])),
        "sure_share": float(all_sure.mean()),
        "sure_accuracy": _share(all_right[all_sure]),
        "sure": {
            gain: {"share": float(sure[gain].mean()), "accuracy": _share(right[gain][sure[gain]])}
            for gain in chances
        },
        "cannot_tell": {
            gain: float(((chance > 1 - SURE) & (chance < SURE)).mean())
            for gain, chance in chances.items()
        },
    }


def _share(right: Any) -> float | None:
    return float(right.mean()) if len(right) else None


def _by_third(covered: pd.Series, sizes: pd.Series) -> list[float | None]:
    """The coverage in each third of the sizes, the smallest first; equal sizes stay together."""
    third = np.searchsorted(sizes.quantile([1 / 3, 2 / 3]), sizes)
    return [_share(covered[third == i]) for i in range(3)]
