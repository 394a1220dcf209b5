"""Settings that all tests share."""

import signal

import pytest
from hypothesis import settings

# Time is not what these tests are about, and the machines they run on are shared.
settings.register_profile("curvewise", deadline=None)
settings.load_profile("curvewise")


@pytest.fixture(autouse=True)
def _no_models_of_ones_own(monkeypatch):
    """Remember no saved model, so that all need trust; tests of that memory set a folder."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")


@pytest.fixture(autouse=True)
def _the_same_interrupts():
    """Give Ctrl-C its meaning back: packages that are imported on the way may change it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
