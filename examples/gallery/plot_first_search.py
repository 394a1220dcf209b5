"""
A first search
==============

``CurveSearchCV`` in the place of ``GridSearchCV``: the same grid, the same folds, the same choice,
and fewer fits.
"""

# %%
# Handwritten digits (every other one, to be quick), a support vector machine, and a grid of 20
# settings. scikit-learn's search makes 100 fits, five for every setting.

from time import perf_counter

from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import curvewise as cw

X, y = load_digits(return_X_y=True)
X, y = X[::2], y[::2]
space = {"C": [0.01, 0.1, 1, 10, 100], "gamma": [1e-4, 5e-4, 1e-3, 5e-3]}

begun = perf_counter()
grid = GridSearchCV(SVC(), space, cv=5).fit(X, y)
print(f"{grid.best_params_}: {grid.best_score_:.4f}, {perf_counter() - begun:.1f} s")

# %%
# Here only the name of the class changes. The winner has all five folds, so that its score is
# scikit-learn's. The others were dropped when finishing them was not worth their cost.

begun = perf_counter()
search = cw.CurveSearchCV(SVC(), space, cv=5, random_state=0).fit(X, y)
n_fits = sum(len(curve) for curve in search.curves_)
print(f"{search.best_params_}: {search.best_score_:.4f}, {perf_counter() - begun:.1f} s")
print(f"{n_fits} fits instead of {5 * len(search.results_)}")

# %%
# The table has scikit-learn's columns, and some more. A pruned candidate has no mean score: a mean
# of fewer folds could not be compared with the others. ``bound`` is the score that it had so far.

import pandas as pd

columns = ["param_C", "param_gamma", "mean_test_score", "status", "n_folds", "bound"]
table = pd.DataFrame(search.cv_results_).sort_values("rank_test_score")[columns]
table.head(10)

# %%
# Each candidate can say why it ended.

print(search.results_[0].explain())
print(search.results_[search.best_index_].explain())

# %%
# On the left every candidate, by its number in the grid, with its folds and the 95% interval of
# their mean. On the right the score of the leader, the best candidate so far, by the number of
# fits. It changes as the leader gets more folds, and when another candidate takes over.

_ = cw.CurveDisplay.from_search(search, over="fits", score_name="accuracy")
