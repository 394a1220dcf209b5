"""
One candidate against a score to beat
=====================================

``validate`` follows one estimator along its learning curve, and stops when it cannot beat what is
there already.
"""

# %%
# Nearest neighbours come first. With nothing to beat they get plain cross-validation.

from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import curvewise as cw

X, y = make_classification(10_000, 20, n_informative=8, n_classes=3, random_state=0)
neighbours = cw.validate(KNeighborsClassifier(), X, y, cv=5, random_state=0)
print(neighbours.explain())

# %%
# Can naive Bayes do better? ``LCCV`` is the policy of the paper: it goes from anchor to anchor, and
# asks at each whether a convex curve could still reach the score to beat.

bayes = cw.validate(
    GaussianNB(), X, y, cv=5, best_score=neighbours.score, policy=cw.LCCV(), random_state=0
)
print("\n".join(bayes.history()))

# %%
# The picture shows what was known when the decision fell: the single folds, the means with their
# intervals, and the optimistic line through the last two anchors. Even that line ends below the
# score to beat.

_ = cw.CurveDisplay.from_result(bayes, score_name="accuracy")

# %%
# The fits up to there, all together, had far fewer training rows than five folds of plain
# cross-validation.

print(f"{bayes.training_rows:,} training rows instead of {5 * 8000:,}")

# %%
# The default policy, ``Race``, compares fold by fold. For that it needs the earlier result instead
# of its score alone. Here one fold at an eighth of the rows is enough.

raced = cw.validate(GaussianNB(), X, y, cv=5, best_score=neighbours, random_state=0)
print(raced.explain())
