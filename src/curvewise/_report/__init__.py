"""The report: a stored run as one self-contained, interactive HTML page."""

from curvewise._report.report_page import write_report

__all__ = ["write_report"]
