"""The tables of an experiment: Markdown, LaTeX and CSV from the same records."""

from curvewise._bench.experiments.tables.table_list import tables_of, write_tables

__all__ = ["tables_of", "write_tables"]
