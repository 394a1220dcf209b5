from curvewise.automl._components.table_plan import learn_levels


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
