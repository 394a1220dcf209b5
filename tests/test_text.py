from hypothesis import given
from hypothesis import strategies as st

from curvewise._text import DOTS, cut, cut_middle, one_line

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
