"""
Groups and time series
======================

Folds come from any splitter of scikit-learn. Smaller training sets respect them: groups stay whole,
and a time series is cut so that the latest rows remain.
"""

# %%
# Groups
# ------
#
# Forty patients with thirty measurements each. The values of every patient lie around a level of
# their own, so that rows of one patient resemble each other.

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, TimeSeriesSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer

import curvewise as cw

rng = np.random.default_rng(0)
patients = np.repeat(np.arange(40), 30)
levels = rng.normal(size=(40, 6))[patients]
X = levels + rng.normal(size=(1200, 6))
y = (X[:, 0] + X[:, 1] + rng.normal(size=1200) > 0).astype(int)
candidates = {
    "logistic": LogisticRegression(),
    "neighbours": KNeighborsClassifier(),
    "one neighbour": KNeighborsClassifier(1),
}

search = cw.CurveSearchCV(candidates, cv=GroupKFold(5), random_state=0)
search.fit(X, y, groups=patients)
for result in search.results_:
    print(result.explain())

# %%
# Smaller training sets (anchors) consist of whole patients. So the curve shows how many patients
# one would need, rather than how many rows.

logistic = cw.validate(
    LogisticRegression(),
    X,
    y,
    cv=GroupKFold(5),
    groups=patients,
    policy=cw.LCCV(prune=False, skip=False),
    random_state=0,
)
_ = cw.CurveDisplay.from_result(logistic, score_name="accuracy")

# %%
# Time series
# -----------
#
# Six years of days with a season and a weekend. Each fold trains on at most two years, and is
# tested on what follows.

days = np.arange(6 * 365)
X = np.column_stack([days % 7, days % 365])
y = np.sin(2 * np.pi * days / 365) + (days % 7 > 4) + rng.normal(0, 0.3, len(days))
candidates = {
    "linear": Ridge(),
    "splines": make_pipeline(SplineTransformer(n_knots=8), Ridge()),
    "trees": HistGradientBoostingRegressor(max_iter=50, random_state=0),
}
comparison = cw.compare(
    candidates,
    X,
    y,
    cv=TimeSeriesSplit(4, max_train_size=730),
    scoring="neg_mean_absolute_error",
    random_state=0,
)
comparison

# %%
# An anchor of 128 rows is the last 128 days before the test part. With less than a year of data the
# season cannot be learnt, and the curves show it.

_ = comparison.plot(score_name="negative mean absolute error")
