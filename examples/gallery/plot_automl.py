"""
From a table to the best pipeline, in Python
============================================

``CurveAutoMLClassifier`` takes a raw table, with missing values and categories, and tries pipelines
on it: first a short list that did well on many tables, then variations of the best so far.
"""

# %%
# A typical table: numbers, categories, and missing values.

import numpy as np
import pandas as pd

import curvewise as cw

rng = np.random.default_rng(0)
n = 1_500
table = pd.DataFrame(
    {
        "age": rng.integers(18, 80, n).astype(float),
        "income": rng.lognormal(10, 0.5, n).round(),
        "town": rng.choice(["Aachen", "Bonn", "Trier"], n),
        "visits": rng.poisson(3, n),
    }
)
chance = 1 / (1 + np.exp(-((table["age"] - 45) / 12 + (table["town"] == "Bonn") - 0.5)))
buys = np.where(rng.random(n) < chance, "yes", "no")
table.loc[rng.random(n) < 0.1, "income"] = np.nan
table.head()

# %%
# Twelve pipelines, five folds. Neural networks are left out, to be quick.

model = cw.CurveAutoMLClassifier(n_iter=12, leave_out=["MLPClassifier"], random_state=0)
model.fit(table, buys)
print(model.best_estimator_)
print(f"accuracy in cross-validation: {model.best_score_:.4f}")

# %%
# All pipelines and their results. Those that could not win have fewer folds, and no score.

columns = ["rank", "candidate", "score", "status", "training_rows"]
pd.DataFrame(model.leaderboard_)[columns]

# %%
# On the left every pipeline with its folds; on the right the score of the best so far, by the
# number of fits.

_ = cw.CurveDisplay.from_search(model.search_, over="fits", score_name="accuracy")
