"""
Would more data help?
=====================

``advise`` predicts from learning curves what twice the rows would gain, and how sure that is.
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
# Would twice the rows gain at least .005 of accuracy? The answer is yes, no, or cannot tell.

advice = cw.advise(comparison, factor=2, min_gain=0.005)
print(advice.answer)
print(advice.explain())

# %%
# The measured curves, and what is expected beyond them, with a 90% interval.

_ = cw.CurveDisplay.from_advice(advice, score_name="accuracy")
