import pytest

from curvewise.core import LCCV
from curvewise.core._policies.policy_text import parse_policy
from curvewise.errors import InvalidParameterError


def test_knobs_are_read_from_text():
    policy = parse_policy("lccv:max_width=0.05:interval=t:prune=False")

    assert policy == LCCV(max_width=0.05, interval="t", prune=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rase", "There is no policy 'rase'; choose from kfold"),
        ("lccv:width=1", "'width=1' is no setting of lccv"),
        ("kfold:folds=3", "its knobs are partial_results"),
        ("lccv:max_width", "write knob=value"),
        ("lccv:min_repeats=9:max_repeats=2", "max_repeats must be at least min_repeats=9"),
        ("lccv:max_width=wide", "max_width must be a finite number, got 'wide'"),
        ("lccv:min_repeats=2.5", "min_repeats must be a whole number"),
        ("halving:eta=2.5", "eta must be a whole number"),
        ("wilcoxon:min_folds=x", "min_folds must be a whole number"),
        ("race:price=1e999", "price must be a finite number"),
        ("race:price=1:price=2", "sets a knob twice"),
    ],
)
def test_nonsense_is_refused(text, message):
    with pytest.raises(InvalidParameterError, match=message):
        parse_policy(text)
