"""Settings that all tests share."""

import os
import shutil
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits

# Time is not what these tests are about, and the machines they run on are shared.
settings.register_profile("curvewise", deadline=None)
settings.load_profile("curvewise")

# Without compiled files each of the many processes that are started compiles the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Of those that are started, too, each has one thread; tests of who sees to threads ask for more.
os.environ["OMP_NUM_THREADS"] = "1"


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    """Tiny models are slowed down by threads, above all where tests run side by side."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def browser():
    """A browser for all tests of a module, as starting one takes seconds; each opens own pages."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def _no_models_of_ones_own(monkeypatch):
    """Remember no saved model, so that all need trust; tests of that memory set a folder."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")


@pytest.fixture(autouse=True)
def _the_same_interrupts():
    """Give Ctrl-C its meaning back: packages that are imported on the way may change it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
