"""A short form of the attacks: all of ``python -m tests.attacks``, with fewer cases."""

import importlib
import re
from pathlib import Path

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


def test_each_promise_about_strangers_is_carried_by_attacks():
    page = (Path(__file__).parents[2] / "SECURITY.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]*) \| [^|]* \| ([^|]*) \| [^|]* \|$", page, flags=re.MULTILINE)
    head, *promises = rows
    kinds = {what: set(re.findall(r"`(\w+)`", attacks)) for what, attacks in promises}

    assert head == ("what", "attacks")
    assert len(promises) == 8
    assert all(kinds.values())
    assert set().union(*kinds.values()) == set(KINDS)
