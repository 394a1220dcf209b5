"""
Comparing a few estimators
==========================

``compare`` measures the whole learning curve of every estimator: which one is the best now, and
which one would be the best with more rows.
"""

# %%
# Four quick learners on the same folds. By default nothing is pruned here.

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import curvewise as cw

X, y = make_classification(6000, 20, n_informative=8, n_classes=3, random_state=0)
comparison = cw.compare(
    {
        "neighbours": KNeighborsClassifier(),
        "tree": DecisionTreeClassifier(random_state=0),
        "logistic": LogisticRegression(max_iter=1000),
        "bayes": GaussianNB(),
    },
    X,
    y,
    cv=5,
    random_state=0,
)
comparison

# %%
# The curves show more than the table. Logistic regression and naive Bayes have learnt what they can
# from a thousand rows; nearest neighbours and the tree still improve.

_ = comparison.plot(score_name="accuracy")

# %%
# An inverse power law through each curve says where it would lead with four times the rows. The
# bands are 95% bands of the jackknife over folds. They tell how well the folds determine the curve,
# not whether the power law is right, so the true uncertainty is larger.

_ = comparison.plot(extrapolate="ipl", until=20_000, score_name="accuracy")

# %%
# The table is there as a data frame, too.

comparison.to_frame()[["rank", "candidate", "score", "low", "high", "training_rows"]]
