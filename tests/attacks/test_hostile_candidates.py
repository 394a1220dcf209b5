"""A few attacks of each kind; ``python -m tests.attacks`` makes all of them."""

import sys

import pytest

from tests.attacks.hostile_candidates import Target, attacks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")

SHORT = (
    "stop_parent",
    "begin_message_and_sleep",
    "hog_shared_mapping",
    "patch_pickle",
    "send_code",
    "say_broken",
    "answer_for_others",
)


@pytest.fixture(scope="module")
def target():
    target = Target("processes")
    yield target
    assert target.close() == (0, 0)


@pytest.mark.parametrize("name", SHORT)
def test_an_attack_is_contained_and_leaves_nothing(name, target):
    (attack,) = (attack for attack in attacks() if attack.name == name)
    finding = target.attack(attack)

    assert finding.contained, finding
    assert (finding.n_processes, finding.n_files) == (0, 0)
