"""The ledger: one SQLite file of experiments, their cells, and the fits that cells share."""

from curvewise._bench.experiments.ledger.cells import Cell, State
from curvewise._bench.experiments.ledger.ledger import Ledger

__all__ = ["Cell", "Ledger", "State"]
