"""The figures of an experiment, as PNG and SVG."""

from curvewise._bench.experiments.figures.figure_list import write_figures

__all__ = ["write_figures"]
