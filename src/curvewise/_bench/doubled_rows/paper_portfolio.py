"""The portfolio of 17 classifiers in which the paper asks whether more data helps (Sec. V-B).

They are the classifiers of its search space with the default settings of scikit-learn. Its gradient
boosting is the histogram-based one, and the passive-aggressive classifier is the SGD classifier
with that learning rate, as scikit-learn has them now.
"""

from __future__ import annotations

from typing import Any

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

KERNELS = ("linear", "poly", "rbf", "sigmoid")


def paper_portfolio(random_state: int = 0) -> dict[str, Any]:
    """Make the classifiers by name, unfitted."""
    seeded = {"random_state": random_state}
    return {
        "BernoulliNB": BernoulliNB(),
        "GaussianNB": GaussianNB(),
        "MultinomialNB": MultinomialNB(),
        "DecisionTree": DecisionTreeClassifier(**seeded),
        "ExtraTrees": ExtraTreesClassifier(**seeded),
        "RandomForest": RandomForestClassifier(**seeded),
        "GradientBoosting": HistGradientBoostingClassifier(**seeded),
        "KNeighbors": KNeighborsClassifier(),
        **{f"SVC({kernel})": SVC(kernel=kernel, **seeded) for kernel in KERNELS},
        "MLP": MLPClassifier(**seeded),
        "PassiveAggressive": SGDClassifier(
            loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, **seeded
        ),
        "SGD": SGDClassifier(**seeded),
        "LDA": LinearDiscriminantAnalysis(),
        "QDA": QuadraticDiscriminantAnalysis(),
    }
