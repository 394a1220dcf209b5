"""The policies: one rule set per file, and their names."""

from __future__ import annotations

from curvewise.core.policies.halving import Halving, Hyperband
from curvewise.core.policies.kfold import KFoldCV, MonteCarloCV
from curvewise.core.policies.lccv import LCCV
from curvewise.core.policies.race import Race
from curvewise.core.policies.wilcoxon import WilcoxonRace
from curvewise.core.policy import Policy

POLICIES: dict[str, type[Policy]] = {
    KFoldCV.name: KFoldCV,
    MonteCarloCV.name: MonteCarloCV,
    LCCV.name: LCCV,
    Race.name: Race,
    WilcoxonRace.name: WilcoxonRace,
    Halving.name: Halving,
    Hyperband.name: Hyperband,
}

__all__ = [
    "LCCV",
    "POLICIES",
    "Halving",
    "Hyperband",
    "KFoldCV",
    "MonteCarloCV",
    "Race",
    "WilcoxonRace",
]
