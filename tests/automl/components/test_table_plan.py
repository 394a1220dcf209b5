import numpy as np

from curvewise.automl._components.table_plan import learn_levels, summarise


def test_two_levels_make_one_column():
    assert learn_levels({"no": 7, "yes": 2}, 50) == {
        "places": {"no": -1, "yes": 0},
        "missing": -1,
        "unseen": -1,
        "names": ["yes"],
    }


def test_rare_levels_share_the_last_column():
    levels = learn_levels({"a": 7, "b": 1, "c": 2, "d": 1}, 3)

    assert levels["places"] == {"a": 0, "c": 1}
    assert (levels["unseen"], levels["names"]) == (2, ["a", "c", "others"])


def test_a_summary_says_what_is_missing_what_varies_and_what_is_in_the_middle():
    summary = summarise(np.array([[1.0, 7.0], [3.0, 7.0], [np.nan, 7.0]]))

    assert summary.n_missing.tolist() == [1, 0]
    assert summary.varies.tolist() == [True, False]
    assert summary.medians.tolist() == [2.0, 7.0]
