"""
One candidate against a score to beat
=====================================

``validate`` evaluates one estimator on growing training sets, and stops when it cannot reach a
given score any more.
"""

# %%
# Nearest neighbours come first. Without a score to beat they get plain cross-validation.

from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import curvewise as cw

X, y = make_classification(10_000, 20, n_informative=8, n_classes=3, random_state=0)
neighbours = cw.validate(KNeighborsClassifier(), X, y, cv=5, random_state=0)
print(neighbours.explain())

# %%
# Can naive Bayes do better? ``LCCV`` is the policy of the paper: it goes from one training-set size
# (anchor) to the next, and asks at each whether the curve could still reach the score to beat if it
# flattens as learning curves usually do (a convex curve).

bayes = cw.validate(
    GaussianNB(), X, y, cv=5, best_score=neighbours.score, policy=cw.LCCV(), random_state=0
)
print("\n".join(bayes.history()))

# %%
# The picture shows what was known when the decision was made: the single folds, the means with
# their intervals, and the optimistic line through the last two anchors. Even that line ends below
# the score to beat.

_ = cw.CurveDisplay.from_result(bayes, score_name="accuracy")

# %%
# The fits up to there, all together, had far fewer training rows than five folds of plain
# cross-validation.

print(f"{bayes.training_rows:,} training rows instead of {5 * 8000:,}")

# %%
# The default policy, ``Race``, compares candidates fold by fold. For that it needs the whole
# earlier result, not only its score. Here one fold on an eighth of the rows is enough.

raced = cw.validate(GaussianNB(), X, y, cv=5, best_score=neighbours, random_state=0)
print(raced.explain())
