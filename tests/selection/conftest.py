"""Settings for the tests of the selection layer."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Know the marks of scikit-learn's own tests."""
    config.addinivalue_line("markers", "thread_unsafe: scikit-learn's mark for its own test runs")


@pytest.fixture
def quiet_optuna():
    """Let Optuna say nothing of its trials."""
    optuna = pytest.importorskip("optuna")
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    yield
    optuna.logging.set_verbosity(before)
