"""Algorithm 1 of Mohr & van Rijn 2023, written down as it is printed: an oracle for `LCCV`.

It shares no code with the package. Where the printed text is wrong or says nothing it follows the
docs' page on deviations, whose rows the comments name; and nothing else.
"""

import math

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import norm

QUANTILE = float(norm.ppf(0.975))
DECAYS = np.geomspace(0.01, 5.0, 400)


def algorithm_one(sample, anchors, r, *, n, minimum=3, width=0.1, width_last=0.001):
    """Validate a learner; give how it ended, its mean at the last anchor, and all samples.

    ``sample(anchor, i)`` draws the i-th sample there; ``r`` is the loss to beat, None for nothing.
    """
    last = len(anchors) - 1
    drawn = [[] for _ in anchors]
    order = []
    widths = [width] * last + [width_last]  # Row 6.
    t = 0
    while t <= last and wide(drawn[last], minimum, widths[last]) and len(drawn[last]) < n:
        repair_convexity = False
        entered = True  # Row 4: stepping back means at least one more sample.
        while (
            (entered or wide(drawn[t], minimum, widths[t]))
            and len(drawn[t]) < n
            and not repair_convexity
        ):
            order.append((anchors[t], len(drawn[t])))
            drawn[t].append(sample(anchors[t], len(drawn[t])))
            entered = False
            # Rows 3 and 5: only anchors with the minimum of samples have an interval.
            seen = [i for i in range(t + 1) if len(drawn[i]) >= minimum]
            if len(drawn[t]) >= minimum and len(seen) > 2:
                a, b, c = seen[-3:]
                earlier, later = slope(anchors, drawn, a, b), slope(anchors, drawn, b, c)
                repair_convexity = later < earlier and len(drawn[b]) < n
        seen = [i for i in range(t + 1) if len(drawn[i]) >= minimum]
        if repair_convexity:
            t = seen[-2]
        elif r is not None and bound(anchors, drawn, seen) > r:
            return "pruned", math.nan, order
        elif r is None or (len(seen) >= 3 and ipl_estimate(anchors, drawn) <= r):  # Row 7.
            t = last
        else:
            t += 1
    return "completed", sum(drawn[last]) / len(drawn[last]), order


def interval(losses):
    """Row 11: 95%, the normal quantile, the standard deviation with ddof=0."""
    n, mean = len(losses), sum(losses) / len(losses)
    half = QUANTILE * math.sqrt(sum((loss - mean) ** 2 for loss in losses)) / n
    return mean - half, mean + half


def wide(losses, minimum, width):
    if len(losses) < minimum:
        return True
    low, high = interval(losses)
    return high - low > width


def slope(anchors, drawn, a, b):
    """The optimistic slope: from the upper end at a to the lower end at b."""
    return (interval(drawn[a])[1] - interval(drawn[b])[0]) / (anchors[a] - anchors[b])


def bound(anchors, drawn, seen):
    """Row 1: the printed bound has the wrong sign. The loss is an error rate, at least 0."""
    low = interval(drawn[seen[-1]])[0]
    if anchors[seen[-1]] == anchors[-1]:
        return low
    if len(seen) < 2:
        return -math.inf
    ahead = anchors[-1] - anchors[seen[-1]]
    return max(0.0, low + ahead * min(0.0, slope(anchors, drawn, *seen[-2:])))


def ipl_estimate(anchors, drawn):
    """Row 9: the law a + b * s**-c with a, b >= 0, by least squares, read at the last anchor."""
    s = np.array([anchor for anchor, losses in zip(anchors, drawn, strict=True) if losses])
    y = np.array([sum(losses) / len(losses) for losses in drawn if losses])

    def law(c):
        """The best a and b for decays, and the squared errors."""
        x = (s / s[0]) ** -np.atleast_1d(c)[:, None]
        centred = x - x.mean(axis=1)[:, None]
        b = centred @ y / (centred**2).sum(axis=1)
        a = y.mean() - b * x.mean(axis=1)
        through_0 = x @ y / (x**2).sum(axis=1)
        a, b = np.where(a < 0, 0.0, a), np.where(a < 0, through_0, b)
        a, b = np.where(b < 0, y.mean(), a), np.where(b < 0, 0.0, b)
        return a, b, ((a[:, None] + b[:, None] * x - y) ** 2).sum(axis=1)

    errors = law(DECAYS)[2]
    i = int(np.argmin(errors))
    nearby = DECAYS[max(0, i - 1)], DECAYS[min(len(DECAYS) - 1, i + 1)]
    found = minimize_scalar(lambda c: law(c)[2][0], bounds=nearby, options={"xatol": 1e-7})
    best = found.x if found.fun < errors[i] else DECAYS[i]
    (a,), (b,), _ = law(best)
    return a + b * (anchors[-1] / s[0]) ** -best
