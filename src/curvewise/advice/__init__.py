"""Would more data help? Advice from the curves of a search.

The question of Mohr & van Rijn 2023, Sec. V-B; `advise` answers it.
"""

from curvewise.advice._advise import advise
from curvewise.advice._answer import Advice, Place
from curvewise.advice._envelope import Basis, Step
from curvewise.advice._outlook import Outlook
from curvewise.advice._prediction import Prediction
from curvewise.advice._remedies import Need, Remedy

__all__ = [
    "Advice",
    "Basis",
    "Need",
    "Outlook",
    "Place",
    "Prediction",
    "Remedy",
    "Step",
    "advise",
]
