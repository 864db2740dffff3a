"""How much a metric is to be expected to vary within a phase of which little or nothing was measured.

A proxy: intervals far from their phase's centre execute other code than it, and other code has another CPI.
It was calibrated on real programs (docs/estimate.md): the deviation within a phase is to that of the whole
run as the distances are, times a factor that differs from program to program.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Intervals that execute the same code still differ.
LEAST_SPREAD = 0.01

#: The proxy counts as so many measurements: its factor differs twofold between programs.
DEGREES_OF_FREEDOM = 3.0

#: Relative deviation of CPI over the whole run, where nothing was measured.
OF_WHOLE_RUN = 0.3


class Trust(NamedTuple):
    """How much the proxy is trusted against the points of all strata together.

    Attributes:
        measurements: it counts as so many.
        least: it is not made less than this part of itself, however little the points deviate.
    """

    measurements: float
    least: float


#: Of an error bar, and to plan by: what is planned is measured and looked at again.
OF_ERROR_BARS, OF_PLANS = Trust(20.0, 0.6), Trust(3.0, 0.25)


def variances(spread: NDArray[np.float64], of_whole_run: float, factor: float) -> NDArray[np.float64]:
    """The variance within each phase, from its spread and the variance over the whole run.

    `factor` is the deviation within a phase, per spread and deviation over the whole run, or the distance of
    its mean to the nearest intervals (phasemark.estimates.calibration).

    A phase of unknown spread (NaN) is taken to vary as the whole run does.
    """
    share = np.where(np.isnan(spread), 1.0, np.minimum(factor * np.maximum(spread, LEAST_SPREAD), 1.0))
    return np.asarray(of_whole_run * share**2, np.float64)


def calibrated(
    expected: NDArray[np.float64],
    measured: NDArray[np.float64],
    degrees: NDArray[np.float64],
    weights: NDArray[np.float64],
    trust: Trust = OF_ERROR_BARS,
) -> NDArray[np.float64]:
    """The proxy's variances with the factor that the samples of all strata tell of this program.

    So a stratum whose two points happen to be alike is taken to vary as others of its spread do.

    Args:
        expected: the proxy's variance of each stratum.
        measured: that of its sample.
        degrees: of freedom of that; 0 where there is none.
        weights: how much a variance of each stratum matters.
        trust: in the proxy.
    """
    known = degrees > 0
    of_proxy = float(weights[known] @ expected[known])
    if not of_proxy > 0:
        return expected
    found = float(weights[known] @ measured[known]) / of_proxy
    total = float(degrees[weights > 0].sum())
    factor = (trust.measurements + total * found) / (trust.measurements + total)
    return np.asarray(expected * max(factor, trust.least), np.float64)


def joined(
    measured: NDArray[np.float64], degrees: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Variances of samples, raised towards what is expected of their strata where that is larger.

    Few measurements of a phase often miss its rare intervals, so that their variance is too small far more
    often than too large.

    Args:
        measured: variance of each sample.
        degrees: its degrees of freedom; 0 where there is no variance.
        expected: the proxy's variance, which counts as DEGREES_OF_FREEDOM measurements.
    """
    mean = drawn(measured, degrees, expected)
    return np.asarray(np.where(degrees > 0, np.maximum(measured, mean), expected), np.float64)


def drawn(
    measured: NDArray[np.float64], degrees: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Variances of samples drawn towards what is expected, from both sides: what the next points are to show.

    Args:
        measured, degrees, expected: as for `joined`.
    """
    return np.asarray(
        (degrees * measured + DEGREES_OF_FREEDOM * expected) / (degrees + DEGREES_OF_FREEDOM), np.float64
    )
