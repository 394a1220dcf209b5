from curvewise._bench.experiments.experiment_plan import Settings
from curvewise._bench.experiments.work.group import draw


def test_a_longer_sequence_of_candidates_begins_with_the_shorter_one():
    few, many = draw(Settings(candidates=2), 0), draw(Settings(candidates=4), 0)

    assert [repr(one) for one in few] == [repr(one) for one in many[:2]]
