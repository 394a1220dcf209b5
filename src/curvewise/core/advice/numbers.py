"""The numbers behind advice, as `benchmarks/calibrate_advice.py` wrote them.

`curvewise.core.advice.calibration` says what they mean. Found on 422 cases of 108
data sets.
"""

from __future__ import annotations

import math

from curvewise.core.advice.calibration import Calibration, Experience

PORTFOLIO = Calibration(
    carry=0.55,
    room=0.9,
    noise=1.17,
    share=0.29,
    level=0.0036,
    table=(
        -3.05, -2.37, -1.99, -1.49, -0.9, -0.5, -0.12, 0, 0.32, 0.65, 1.06, 1.74, 2.41, 2.88, 3.56,
    ),
)  # fmt: skip

CANDIDATE = Calibration(
    carry=0.3,
    room=1,
    noise=1.55,
    share=0.56,
    level=0,
    table=(
        -4.2, -2.83, -2.13, -1.47, -0.8, -0.37, -0.06, 0.11, 0.42, 0.73, 1.09, 1.63, 2.13, 2.72,
        3.97,
    ),
)  # fmt: skip

PORTFOLIO_UNBOUNDED = Calibration(
    carry=0.8,
    room=0,
    noise=1.53,
    share=0.33,
    level=0,
    table=(
        -3.23, -2.33, -1.99, -1.62, -1.12, -0.75, -0.42, -0.08, 0.21, 0.54, 0.96, 1.55, 2.07, 2.45,
        3.95,
    ),
)  # fmt: skip

CANDIDATE_UNBOUNDED = Calibration(
    carry=0.55,
    room=0,
    noise=1.61,
    share=0.56,
    level=0,
    table=(
        -4.26, -2.83, -2.16, -1.54, -0.88, -0.49, -0.18, 0.11, 0.4, 0.69, 1.02, 1.58, 2.12, 2.85,
        4.42,
    ),
)  # fmt: skip

EXPERIENCE = (
    Experience(512, (
        -0.318, -0.092, -0.042, -0.014, 0.001, 0.024, 0.055, 0.085, 0.109, 0.17, 0.249, 0.375,
        0.466, 0.55, 0.584,
    )),
    Experience(2048, (
        -0.093, -0.067, -0.04, -0.01, 0.002, 0.016, 0.042, 0.064, 0.091, 0.116, 0.2, 0.361, 0.53,
        0.706, 0.788,
    )),
    Experience(math.inf, (
        -0.047, -0.032, -0.011, -0.005, 0, 0.004, 0.011, 0.024, 0.042, 0.062, 0.105, 0.189, 0.257,
        0.331, 0.427,
    )),
)  # fmt: skip
