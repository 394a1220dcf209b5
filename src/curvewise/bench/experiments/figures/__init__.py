"""The figures of an experiment, as PNG and SVG."""

from curvewise.bench.experiments.figures.drawing import write_figures

__all__ = ["write_figures"]
