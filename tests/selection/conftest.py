"""Settings for the tests of the selection layer."""

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits


def pytest_configure(config: pytest.Config) -> None:
    """Know the marks of scikit-learn's own tests."""
    config.addinivalue_line("markers", "thread_unsafe: scikit-learn's mark for its own test runs")


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """Tiny models are slowed down by threads, above all where tests run side by side."""
    with threadpool_limits(1):
        yield
