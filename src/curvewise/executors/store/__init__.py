"""The run store: one SQLite file that holds everything that happened in one run or in many."""

from curvewise.errors import StoreError
from curvewise.executors.store.live import LiveRun
from curvewise.executors.store.settings import Terms
from curvewise.executors.store.store import RunStore
from curvewise.executors.store.stored import StoredRun
from curvewise.executors.store.summary import RunStatus, RunSummary, StoredResult

__all__ = [
    "LiveRun",
    "RunStatus",
    "RunStore",
    "RunSummary",
    "StoreError",
    "StoredResult",
    "StoredRun",
    "Terms",
]
