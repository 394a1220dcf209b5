"""The numbers behind advice, as `benchmarks/calibrate_advice.py` wrote them.

`curvewise.advice._outlook` says what they mean. Found on 422 cases of 108
data sets.
"""

from __future__ import annotations

import math

from curvewise.advice._outlook import Calibration, Experience

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
    noise=1.38,
    share=0.31,
    level=0.0068,
    table=(
        -8.66, -3.2, -2.19, -1.66, -1.15, -0.69, -0.33, -0.01, 0.15, 0.45, 0.88, 1.5, 2.04, 2.45,
        3.29,
    ),
)  # fmt: skip

CANDIDATE_UNBOUNDED = Calibration(
    carry=0.55,
    room=0,
    noise=1.52,
    share=0.55,
    level=0.005,
    table=(
        -5.29, -2.99, -2.22, -1.55, -0.87, -0.46, -0.16, 0.08, 0.37, 0.68, 1.02, 1.6, 2.15, 2.92,
        4.87,
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
