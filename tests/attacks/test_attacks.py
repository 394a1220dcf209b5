"""A short form of the attacks: all of ``python -m tests.attacks``, with fewer cases."""

import importlib

import pytest

from tests.attacks import KINDS
from tests.attacks.attack import judge

N_CASES = 300


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_attacks_are_contained(kind, tmp_path):
    module = importlib.import_module(f"tests.attacks.{kind}")
    verdicts = [judge(attack) for attack in module.attacks(tmp_path, N_CASES)]

    assert verdicts
    assert [verdict for verdict in verdicts if not verdict.contained] == []
