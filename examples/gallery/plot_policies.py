"""
The policies side by side
=========================

A policy is the set of rules that decides which candidate is fitted next and which one is dropped.
This example runs the same search with five policies and compares how many fits each takes, on how
many rows, and which candidate it chooses.
"""

# %%
# Twenty candidates: trees of different depth and size of their leaves. The folds hold 4,160
# training rows, enough for the race to look at small training sets first.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

import curvewise as cw

X, y = make_classification(5200, 8, n_informative=6, n_classes=3, random_state=0)
space = {"max_depth": [1, 2, 4, 8, 12], "min_samples_leaf": [1, 5, 20, 100]}
policies = {
    "k-fold": cw.KFoldCV(),
    "LCCV": cw.LCCV(),
    "race": cw.Race(),
    "race, careful": cw.Race(price=0.001),
    "successive halving": cw.Halving(),
}

# %%
# ``deterministic=True`` counts rows instead of seconds, so that this page looks the same whenever
# it is built.

rows = []
for name, policy in policies.items():
    search = cw.CurveSearchCV(
        DecisionTreeClassifier(random_state=0),
        space,
        cv=5,
        policy=policy,
        deterministic=True,
        refit=False,
        random_state=0,
    ).fit(X, y)
    rows.append(
        {
            "policy": name,
            "fits": sum(len(curve) for curve in search.curves_),
            "rows trained": sum(result.training_rows for result in search.results_),
            "choice": search.results_[search.best_index_].candidate,
            "score": search.best_score_,
        }
    )
table = pd.DataFrame(rows).set_index("policy")
table

# %%
# Plain k-fold is the reference: it evaluates everything. A race with a lower price agrees with it
# more often and costs more. One data set proves nothing; the page of measurements has more than a
# hundred.

share = table["rows trained"] / table.loc["k-fold", "rows trained"]
_, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
bars = ax.barh(table.index[::-1], share[::-1], color="#0072b2")
ax.bar_label(bars, [f"{value:.2f}" for value in share[::-1]], padding=4)
ax.set_xlabel("training rows, as a ratio to k-fold")
ax.set_xlim(0, 1.15 * share.max())
ax.spines[["top", "right"]].set_visible(False)
