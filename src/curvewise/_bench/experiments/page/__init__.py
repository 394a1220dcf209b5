"""An experiment as one self-contained, interactive HTML page."""

from curvewise._bench.experiments.page.experiment_page import page_of

__all__ = ["page_of"]
