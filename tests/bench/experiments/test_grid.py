import pytest

from curvewise._bench.experiments.grid import Grid, figure, file_name


def test_a_number_has_its_digits_and_what_is_none_is_empty():
    assert figure(1234.56, 1) == "1,234.6"
    assert figure(0.5, 2, sign=True) == "+0.50"
    assert figure(float("nan"), 1) == figure(None, 1) == ""


@pytest.mark.parametrize(
    ("text", "name"), [("lccv max_width=0.05 / t", "lccv-max_width-0.05-t"), ("..", "unnamed")]
)
def test_every_file_system_takes_the_name_of_a_file(text, name):
    assert file_name(text) == name


def test_what_users_say_is_escaped_in_markdown():
    grid = Grid("toy", "A toy.", ["data_set", "error"], [["iris|2", "0.1±0.0"]], [])

    assert grid.markdown().splitlines()[-1] == "| iris\\|2    | 0.1±0.0 |"
