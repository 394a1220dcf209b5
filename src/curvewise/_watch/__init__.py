"""A run while it is being written: its report, served on this machine only."""

from curvewise._watch.watch_page import Watch, watch

__all__ = ["Watch", "watch"]
