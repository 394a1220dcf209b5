"""The run store: one SQLite file that holds everything that happened in one run or in many."""

from curvewise.errors import StoreError
from curvewise.executors._store.live_run import LiveRun
from curvewise.executors._store.run_store import RunStore
from curvewise.executors._store.settings import Terms
from curvewise.executors._store.stored_run import RunStatus, RunSummary, StoredResult, StoredRun

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
