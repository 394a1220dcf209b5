"""An experiment as one self-contained, interactive HTML page."""

from curvewise.bench.experiments.page.page import page_of

__all__ = ["page_of"]
