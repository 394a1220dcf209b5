"""Would more data help? Advice from the curves of a search.

The question of Mohr & van Rijn 2023, Sec. V-B; `advise` answers it.
"""

from curvewise.core.advice.advice import Advice, Place
from curvewise.core.advice.advising import advise
from curvewise.core.advice.basis import Basis
from curvewise.core.advice.need import Need
from curvewise.core.advice.outlook import Outlook
from curvewise.core.advice.prediction import Prediction
from curvewise.core.advice.remedies import Remedy
from curvewise.core.advice.standing import Standing, Step

__all__ = [
    "Advice",
    "Basis",
    "Need",
    "Outlook",
    "Place",
    "Prediction",
    "Remedy",
    "Standing",
    "Step",
    "advise",
]
