"""skore's reports and checks of a search."""

import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV

X, y = load_iris(return_X_y=True, as_frame=True)
TREE = DecisionTreeClassifier(random_state=0)


def test_a_search_counts_as_one_of_scikit_learns():
    assert isinstance(CurveSearchCV(SVC(), {"C": [1]}), GridSearchCV.__base__)
    assert not isinstance(CurveSearchCV(SVC(), {"C": [1]}), GridSearchCV)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("splitter", [0.3, 3])
def test_its_checks_of_searches_apply_as_to_scikit_learns_own(splitter):
    skore = pytest.importorskip(
        "skore", reason="skore is not installed: pip install 'curvewise[skore]'"
    )
    space = {"min_samples_leaf": [2, 5, 40]}

    def findings(search):
        report = skore.evaluate(search, X, y, splitter=splitter)
        found = report.checks.summarize().frame()
        return {code for code in found["code"] if code in ("SKD014", "SKD015", "SKD016")}

    ours = findings(CurveSearchCV(TREE, space, cv=3, random_state=0))

    assert ours == findings(GridSearchCV(TREE, space, cv=3))
    assert "SKD015" in ours
