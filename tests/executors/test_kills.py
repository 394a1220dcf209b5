"""A real search that is killed and goes on; `benchmarks/kills.py` does it more often and longer."""

import subprocess
import sys
from pathlib import Path

import pytest

KILLS = Path(__file__).parents[2] / "benchmarks" / "kills.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ["--kills", "2", "--longest", "1"],
        ["--kills", "3", "--jobs", "2", "--victim", "worker", "--longest", "0.5"],
        ["--kills", "3", "--jobs", "2", "--victim", "server", "--longest", "0.5"],
    ],
    ids=["search", "worker", "server"],
)
def test_what_is_killed_goes_on_and_comes_out_the_same(options):
    answer = subprocess.run(
        [sys.executable, KILLS, "--candidates", "14", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )

    assert answer.returncode == 0, answer.stderr
    assert "\n0 kills" not in answer.stdout
    assert "scores, decisions, results and choice equal" in answer.stdout
