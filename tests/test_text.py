from hypothesis import given
from hypothesis import strategies as st

from curvewise._text import DOTS, cut, cut_middle, describe_error, one_line, plain_repr

LENGTHS = st.integers(9, 80)


@given(st.text(), LENGTHS)
def test_a_text_is_cut_only_if_it_is_too_long_and_then_fits(text, longest):
    for shortened in (cut(text, longest), cut_middle(text, longest)):
        if len(text) <= longest:
            assert shortened == text
        else:
            assert len(shortened) == longest
            assert DOTS in shortened


@given(st.text(min_size=100))
def test_the_middle_is_left_out_and_both_ends_stay(text):
    shortened = cut_middle(text, 40)

    assert text.startswith(shortened[:15])
    assert text.endswith(shortened[-15:])


@given(st.text())
def test_one_line_has_nothing_that_a_terminal_obeys(text):
    line = one_line(text)

    assert line.isprintable()
    assert one_line(line) == line


def test_texts_are_shown_in_few_words():
    assert one_line("SVC(\n  C=1)") == "SVC( C=1)"
    assert one_line("red \x1b[31m") == "red [31m"
    assert cut("RandomForestClassifier", 10) == "RandomF..."
    assert cut_middle("C=0.1, gamma=0.001, kernel=rbf", 19) == "C=0.1, g...rnel=rbf"


def test_addresses_differ_from_process_to_process_and_are_not_shown():
    def function(): ...

    name = "test_addresses_differ_from_process_to_process_and_are_not_shown.<locals>.function"

    assert plain_repr(function) == f"<function {name}>"


def test_an_error_is_said_in_the_first_line_and_then_where_it_came_from():
    error = ValueError("no rows")

    assert describe_error(error) == "ValueError: no rows\nValueError: no rows"
