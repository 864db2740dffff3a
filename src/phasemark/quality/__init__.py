"""Metrics -> how homogeneous phases are, and estimates of the whole run with error bars."""

from phasemark.quality.allocation import neyman, neyman_whole
from phasemark.quality.confidence import Cim, cim
from phasemark.quality.error import interval_error, relative_error
from phasemark.quality.estimate import estimate, full_value
from phasemark.quality.homogeneity import Cov, cov, deviation_reduction

__all__ = [
    "Cim",
    "Cov",
    "cim",
    "cov",
    "deviation_reduction",
    "estimate",
    "full_value",
    "interval_error",
    "neyman",
    "neyman_whole",
    "relative_error",
]
