"""What a learning-curve model is, and what fitting one gives.

A model is a family of functions of the anchor, fitted to a few (anchor, mean loss) points and
read at larger anchors. LCCV asks the inverse power law whether a candidate is worth the jump to the
target (Mohr & van Rijn 2023, Sec. IV-C), and advice asks whether more data would help (Sec. V-B).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from curvewise.errors import InvalidParameterError


class CurveModel(Protocol):
    """A family of learning curves that can be fitted to points.

    Examples
    --------
    >>> from curvewise.core._extrapolation import MODELS
    >>> [(model.name, model.n_parameters) for model in MODELS.values()]
    [('ipl', 3), ('pow4', 4), ('mmf', 4), ('exponential', 3)]
    """

    @property
    def name(self) -> str:
        """The name under which `MODELS` has it."""
        ...

    @property
    def n_parameters(self) -> int:
        """The number of parameters, which is also the number of distinct anchors a fit needs."""
        ...

    def fit(
        self,
        anchors: Sequence[float],
        losses: Sequence[float],
        *,
        weights: Sequence[float] | None = None,
        lowest: float = 0.0,
    ) -> "FittedCurve | None":
        """Fit the model to points by weighted least squares.

        Parameters
        ----------
        anchors
            Positive training-set sizes, in any order.
        losses
            The mean loss at each anchor; or single losses, each with its anchor. Points whose
            anchor or loss is not finite are ignored.
        weights
            How much each point counts, such as its number of folds over their variance. Only the
            ratios matter, and a point of weight 0 is ignored. By default all count the same.
        lowest
            The lowest loss that the metric allows: the asymptote is no lower. If one of the losses
            is, the metric has no such bound, and neither has the asymptote.

        Returns
        -------
        FittedCurve or None
            The best curve that does not rise: points that do not fall give the best constant.
            None if there are fewer distinct anchors than parameters.

        Raises
        ------
        InvalidParameterError
            If an anchor is not positive, a weight is negative or not finite, or the lengths differ.

        Examples
        --------
        >>> from curvewise.core._extrapolation import InversePowerLaw
        >>> model = InversePowerLaw()
        >>> round(model.fit([64, 128, 256], [0.40, 0.30, 0.25]).predict(512), 3)
        0.225
        >>> round(model.fit([64, 128, 256], [0.2, 0.3, 0.4]).predict(512), 3)
        0.3
        >>> model.fit([64, 128, 256], [0.9, 0.6, 0.1]).parameters[0]
        0.0
        >>> model.fit([64, 128], [0.4, 0.3]) is None
        True
        """
        ...

    def evaluate(self, parameters: Sequence[float], anchor: float) -> float:
        """The loss at an anchor under given parameters.

        Parameters
        ----------
        parameters
            As many as `n_parameters`, in the order of the model's formula.
        anchor
            A positive training-set size.
        """
        ...


@dataclass(frozen=True, slots=True)
class FittedCurve:
    """A learning-curve model with its parameters.

    Parameters
    ----------
    model
        The family that the curve belongs to.
    parameters
        The parameters, in the order of the model's formula.
    residual
        The weighted root mean square of the differences between points and curve, in units of the
        loss.

    Examples
    --------
    >>> from curvewise.core._extrapolation import InversePowerLaw
    >>> curve = FittedCurve(InversePowerLaw(), parameters=(0.1, 2.0, 0.5), residual=0.0)
    >>> round(curve.predict(100), 9)
    0.3
    """

    model: CurveModel
    parameters: tuple[float, ...]
    residual: float

    def predict(self, anchor: float) -> float:
        """The loss of the curve at an anchor; at infinity, its asymptote.

        Parameters
        ----------
        anchor
            A positive training-set size, usually beyond the anchors of the fit.

        Returns
        -------
        float
            Never more than the curve has at a smaller anchor, and never less than its asymptote.

        Examples
        --------
        >>> from curvewise.core._extrapolation import InversePowerLaw
        >>> curve = InversePowerLaw().fit([64, 256, 1024], [0.6, 0.35, 0.225])
        >>> round(curve.predict(4096), 4), round(curve.predict(float("inf")), 4)
        (0.1625, 0.1)
        """
        if not anchor > 0:
            raise InvalidParameterError(
                f"anchor must be a positive number of rows, got {anchor!r}."
            )
        return self.model.evaluate(self.parameters, anchor)
