from hypothesis import given
from hypothesis import strategies as st

from curvewise._text import (
    DOTS,
    LONGEST_MESSAGE,
    cut,
    cut_middle,
    describe_error,
    one_line,
    plain_repr,
    said_by,
    valid_text,
    visible,
)

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


def test_what_a_terminal_would_obey_is_shown():
    text = "a\x1b[2Jb\u202ec\x9bd\re\x00\ud800\n\tf\u00a0\u200dg é 你"

    assert visible(text) == "a\\x1b[2Jb\\u202ec\\x9bd\\re\\x00\\ud800\n\tf\u00a0\u200dg é 你"


@given(st.text(alphabet=st.characters()))
def test_what_is_visible_can_be_written_and_stays_so(text):
    shown = visible(text)

    assert visible(shown) == shown
    assert "\x1b" not in shown
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert valid_text(text).encode("utf-8") is not None


def test_a_long_message_keeps_its_first_line_and_its_end():
    try:
        raise ValueError(10**6 * "x")
    except ValueError as error:
        message = describe_error(error)

    assert len(message) <= LONGEST_MESSAGE
    assert message.startswith("ValueError: xxx")


def test_an_object_that_cannot_speak_is_described():
    class Mute:
        def __repr__(self):
            raise SystemExit

    mute = Mute()

    assert "Mute that raises SystemExit" in said_by(lambda: repr(mute), mute)
