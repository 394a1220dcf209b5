"""What an experiment ran on."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import psutil

from curvewise.automl._pipeline_search import versions
from curvewise.executors._execution import n_cores

CPU_FILE = Path("/proc/cpuinfo")


def this_machine() -> dict[str, Any]:
    """Describe this machine and its software, without names of persons or hosts.

    Examples
    --------
    >>> sorted(this_machine())
    ['cores', 'memory_gb', 'processor', 'versions']
    """
    return {
        "processor": _processor(),
        "cores": n_cores(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9),
        "versions": versions(),
    }


def _processor() -> str:
    try:
        lines = CPU_FILE.read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
