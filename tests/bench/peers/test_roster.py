from sklearn.base import clone, is_classifier
from sklearn.tree import DecisionTreeClassifier

from curvewise._bench.peers.roster import Roster


def test_fits_of_clones_are_counted_as_well():
    roster = Roster([DecisionTreeClassifier(), DecisionTreeClassifier(max_depth=1)])

    model = clone(roster[1]).fit([[0.0], [1.0]], [0, 1])

    assert is_classifier(model)
    assert (model.score([[1.0]], [1]), roster.n_fits, roster.n_rows) == (1.0, 1, 2)
