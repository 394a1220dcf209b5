"""
Would more data help?
=====================

``advise`` reads learning curves: it says what twice the rows would bring, and how sure that is.
"""

# %%
# Three learners on a table of 3,000 rows. ``compare`` measures each on a part of the rows, on twice
# as many, and so on up to all of them, five folds each.

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import curvewise as cw

X, y = make_classification(3_000, 20, n_informative=8, n_classes=3, random_state=0)
learners = {
    "neighbours": KNeighborsClassifier(),
    "tree": DecisionTreeClassifier(random_state=0),
    "logistic": LogisticRegression(),
}
comparison = cw.compare(learners, X, y, cv=5, random_state=0)
print(comparison)

# %%
# Twice the rows would have to bring at least .005 of accuracy. The answer is yes, no, or that it
# cannot be told.

advice = cw.advise(comparison, factor=2, min_gain=0.005)
print(advice.answer)
print(advice.explain())

# %%
# The curves as far as they were measured, and what is expected beyond, with the range that holds
# with a probability of 90%.

_ = cw.CurveDisplay.from_advice(advice, score_name="accuracy")
