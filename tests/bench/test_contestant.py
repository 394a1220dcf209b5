import pytest

from curvewise._bench.contestant import Contestant, parse_contestants
from curvewise.errors import InvalidParameterError


def test_a_contestant_is_shown_as_it_was_written():
    contestant = Contestant.parse(" race-stream:price=0.001 ")

    assert contestant.policy.price == 0.001
    assert contestant.label == "race-stream:price=0.001"


def test_a_stream_is_a_suffix():
    assert Contestant.parse("race-stream").streaming
    assert not Contestant.parse("race").streaming


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Name at least one policy"),
        ("rase-stream", "There is no policy 'rase'; choose from kfold"),
        ("kfold,kfold", "named twice"),
        ("halving-stream", "halving needs to know all candidates"),
        ("anova-stream", "anova needs to know all candidates"),
    ],
)
def test_nonsense_is_refused(text, message):
    with pytest.raises(InvalidParameterError, match=message):
        parse_contestants(text)
