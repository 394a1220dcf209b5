"""The figures of an experiment, as PNG and SVG."""
