import pytest

from curvewise.automl._tables.column_names import clean_names, listed, suggestion


@pytest.mark.parametrize(
    ("names", "text"),
    [("abc", "'a', 'b' and 'c'"), ("abcdefghi", "'a', 'b', 'c', 'd', 'e' and 4 more")],
)
def test_long_lists_are_cut_short(names, text):
    assert listed(names) == text


@pytest.mark.parametrize(
    ("name", "text"), [("lable", "the nearest is 'label'"), ("zzz", "there are 'age' and 'label'")]
)
def test_the_nearest_name_is_suggested_or_all_are(name, text):
    assert suggestion(name, ["age", "label"]) == text


def test_names_are_stripped_numbered_and_never_empty():
    assert clean_names([" age ", "", 7, "age"]) == (["age", "column_1", "7", "age_2"], ["age"])
