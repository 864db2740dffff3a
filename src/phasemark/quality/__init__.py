"""Metrics -> how homogeneous phases are, and estimates of the whole run with error bars."""

from phasemark.quality.against_k import OfK, against_k
from phasemark.quality.allocation import neyman, neyman_whole
from phasemark.quality.confidence import Cim, cim
from phasemark.quality.error import interval_error, relative_error
from phasemark.quality.estimate import estimate, full_value
from phasemark.quality.homogeneity import Cov, cov, deviation_reduction
from phasemark.quality.measured import Measured, measured
from phasemark.quality.table import Row, table

__all__ = [
    "Cim",
    "Cov",
    "Measured",
    "OfK",
    "Row",
    "against_k",
    "cim",
    "cov",
    "deviation_reduction",
    "estimate",
    "full_value",
    "interval_error",
    "measured",
    "neyman",
    "neyman_whole",
    "relative_error",
    "table",
]
