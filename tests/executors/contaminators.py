"""What a candidate can do to its process that would change what comes after it."""

import builtins
import copyreg
import gc
import os
import pickle
import random
import signal
import sys
import threading
import warnings
import zlib
from pathlib import Path

import numpy as np
import sklearn
import sklearn.base
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.tree import DecisionTreeRegressor

from curvewise.executors._workers.running_fork_server import MARK


class RegressorThat(RegressorMixin, BaseEstimator):
    """Does something while it is fitted, and then predicts nothing."""

    def __init__(self, action=None):
        self.action = action

    def fit(self, X, y):
        if self.action is not None:
            self.action()
        return self

    def predict(self, X):
        return np.zeros(len(X))


class RegressorThatTellsItsState(RegressorMixin, BaseEstimator):
    """Predicts a number that stands for the state of its process."""

    def fit(self, X, y):
        self.state_ = state()
        return self

    def predict(self, X):
        return np.full(len(X), float(self.state_))


# What each worker, or each fork server, has of its own.
OWN_VARIABLES = ("TMPDIR", "TEMP_FOLDER", MARK)


def state():
    """Put into one number what a candidate finds in its process."""
    settings = (
        np.geterr(),
        [str(entry) for entry in warnings.filters],
        sys.getrecursionlimit(),
        Path.cwd(),
        sorted((k, v) for k, v in os.environ.items() if not k.endswith(OWN_VARIABLES)),
        sklearn.get_config(),
        [str(signal.getsignal(number)) for number in (signal.SIGALRM, signal.SIGUSR1)],
        signal.getitimer(signal.ITIMER_REAL)[0] > 0,
        threading.active_count(),
        gc.isenabled(),
        sys.gettrace() is None and sys.getprofile() is None,
        pickle.dumps.__name__,
        sklearn.base.clone.__name__,
        DecisionTreeRegressor.fit.__name__,
        len.__name__,
        len(copyreg.dispatch_table),
        os.umask(os.umask(0o22)),
    )
    return zlib.crc32(repr(settings).encode())


def patch_pickle():
    pickle.dumps = lambda thing, *args, **kwargs: b""
    pickle.loads = lambda data, *args, **kwargs: None


def patch_clone():
    sklearn.base.clone = lambda estimator, safe=True: RegressorThat()
    for name, module in list(sys.modules.items()):
        if name.startswith(("curvewise", "sklearn")) and hasattr(module, "clone"):
            module.clone = sklearn.base.clone


def patch_learner():
    fitted = DecisionTreeRegressor.fit

    def fit(self, X, y, *args, **kwargs):
        return fitted(self, X, np.roll(y, 1), *args, **kwargs)

    DecisionTreeRegressor.fit = fit


def patch_builtins():
    builtins.len = lambda things: 0


def change_settings():
    sklearn.set_config(transform_output="pandas", assume_finite=True)


def turn_warnings_into_errors():
    warnings.simplefilter("error")


def turn_rounding_into_errors():
    np.seterr(all="raise")


def lower_recursion_limit():
    sys.setrecursionlimit(90)


def change_environment():
    os.environ["OMP_NUM_THREADS"] = "64"
    os.environ["TMPDIR"] = "/nowhere"
    os.environ.pop("PATH", None)


def change_folder():
    os.chdir("/")


def change_mask():
    os.umask(0o777)


def set_alarm():
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


def change_handlers():
    signal.signal(signal.SIGUSR1, lambda *_: None)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def spin_threads():
    def spin():
        while True:
            pass

    for _ in range(3):
        threading.Thread(target=spin, daemon=True).start()


def trace_everything():
    sys.settrace(lambda *_: None)


def seed_everything():
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)


def stop_collecting():
    gc.disable()


def change_data_through_the_stack():
    frame = sys._getframe()
    while frame is not None:
        owner = frame.f_locals.get("self")
        if hasattr(owner, "folds") and hasattr(owner, "y"):
            owner.y = np.roll(owner.y, 1)
            owner.X = np.zeros_like(owner.X)
        frame = frame.f_back


CONTAMINATORS = (
    patch_pickle,
    patch_clone,
    patch_learner,
    patch_builtins,
    change_settings,
    turn_warnings_into_errors,
    turn_rounding_into_errors,
    lower_recursion_limit,
    change_environment,
    change_folder,
    change_mask,
    set_alarm,
    change_handlers,
    spin_threads,
    trace_everything,
    seed_everything,
    stop_collecting,
    change_data_through_the_stack,
)
