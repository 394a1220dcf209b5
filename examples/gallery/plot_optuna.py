"""
An Optuna study
===============

Optuna proposes settings; ``CurveObjective`` cross-validates them and ends a trial that cannot win.
"""

# %%
# A function takes a trial and returns an unfitted estimator; the objective does the rest. To be
# quick, only every other digit is used.

from collections import Counter

import matplotlib.pyplot as plt
import optuna
from sklearn.datasets import load_digits
from sklearn.svm import SVC

import curvewise as cw

X, y = load_digits(return_X_y=True)
X, y = X[::2], y[::2]


def define(trial):
    return SVC(
        C=trial.suggest_float("C", 1e-2, 1e2, log=True),
        gamma=trial.suggest_float("gamma", 1e-5, 1e-2, log=True),
    )


optuna.logging.set_verbosity(optuna.logging.WARNING)
objective = cw.CurveObjective(define, X, y, cv=5, random_state=0)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=0))
study.optimize(objective, n_trials=30)
print(study.best_params, round(study.best_value, 4))

# %%
# All trials are compared on the same folds. Most end after one or two of them.

print(Counter(trial.user_attrs["curvewise_status"] for trial in study.trials))
n_fits = sum(len(cw.CurveObjective.curve(trial)) for trial in study.trials)
print(f"{n_fits} fits instead of {5 * len(study.trials)}")

# %%
# Each trial says why it ended.

for trial in study.trials[:5]:
    print(trial.user_attrs["curvewise_explanation"])

# %%
# Where the sampler looked. Large dots are complete trials, small ones were pruned.

colours = {"completed": "#0072b2", "pruned": "#9a9a9a"}
_, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for status, colour in colours.items():
    trials = [trial for trial in study.trials if trial.user_attrs["curvewise_status"] == status]
    ax.scatter(
        [trial.params["C"] for trial in trials],
        [trial.params["gamma"] for trial in trials],
        s=60 if status == "completed" else 18,
        color=colour,
        label=f"{status} ({len(trials)})",
    )
best = study.best_params
ax.scatter(best["C"], best["gamma"], s=160, facecolors="none", edgecolors="#d55e00", label="best")
ax.set(xscale="log", yscale="log", xlabel="C", ylabel="gamma")
_ = ax.legend()
