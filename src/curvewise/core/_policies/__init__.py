"""The policies: one set of rules per file, and the names by which texts mean them.

A new one is imported here and entered into `POLICIES` if `curvewise replay --policy` and the other
texts may name it (its parameters are then read from its dataclass fields); ``curvewise.core`` and
``curvewise`` list it for users. `WholeCurve` has no name there: it draws curves and
chooses nothing.
"""

from __future__ import annotations

from curvewise.core._policies.adaptive import AdaptiveLCCV
from curvewise.core._policies.anova import AnovaRace
from curvewise.core._policies.bootstrap import BootstrapDropping
from curvewise.core._policies.brackets import Halving, Hyperband
from curvewise.core._policies.early_stop import EarlyStoppedCV
from curvewise.core._policies.kfold import KFoldCV, MonteCarloCV
from curvewise.core._policies.lccv import LCCV
from curvewise.core._policies.race import Race
from curvewise.core._policies.whole_curve import WholeCurve
from curvewise.core._policies.wilcoxon import WilcoxonRace
from curvewise.core._policy import Policy

POLICIES: dict[str, type[Policy]] = {
    KFoldCV.name: KFoldCV,
    MonteCarloCV.name: MonteCarloCV,
    LCCV.name: LCCV,
    AdaptiveLCCV.name: AdaptiveLCCV,
    Race.name: Race,
    WilcoxonRace.name: WilcoxonRace,
    Halving.name: Halving,
    Hyperband.name: Hyperband,
    EarlyStoppedCV.name: EarlyStoppedCV,
    AnovaRace.name: AnovaRace,
    BootstrapDropping.name: BootstrapDropping,
}

__all__ = [
    "LCCV",
    "POLICIES",
    "AdaptiveLCCV",
    "AnovaRace",
    "BootstrapDropping",
    "EarlyStoppedCV",
    "Halving",
    "Hyperband",
    "KFoldCV",
    "MonteCarloCV",
    "Race",
    "WholeCurve",
    "WilcoxonRace",
]
