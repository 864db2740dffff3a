"""Metrics -> how homogeneous phases are."""

from phasemark.quality.against_k import OfK, against_k
from phasemark.quality.confidence import Cim, cim
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
    "measured",
    "table",
]
