"""The learning curve of the best in one line."""

from types import SimpleNamespace

from curvewise import Observation
from curvewise._cli.curve_line import curve_facts, curve_line
from curvewise.core import LearningCurve, Scale, Task


def searched(*anchors):
    cells = (Observation(Task("svc", rows, 0), 8 / rows) for rows in anchors)
    best = SimpleNamespace(curve=LearningCurve(cells), scale=Scale())
    return SimpleNamespace(results_=[best], best_index_=0, curve_seconds_=0.25)


def test_scores_stand_by_their_training_rows():
    facts = curve_facts(searched(400, 800, 1600))

    assert [point["rows"] for point in facts["points"]] == [400, 800, 1600]
    assert curve_line(facts) == (
        "Learning curve: 0.9800 on 400 training rows, 0.9900 on 800, 0.9950 on 1,600; its fits "
        "took 0.2 s"
    )


def test_one_size_is_no_curve():
    assert curve_facts(searched(1600)) is None
