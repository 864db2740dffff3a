"""Metrics -> how homogeneous phases are."""

from phasemark.quality.against_k import AgainstK, OfK, against_k
from phasemark.quality.confidence import Cim, cim
from phasemark.quality.homogeneity import Cov, cov, deviation_reduction
from phasemark.quality.measured import Measured, measured
from phasemark.quality.table import Row, Table, table

__all__ = [
    "AgainstK",
    "Cim",
    "Cov",
    "Measured",
    "OfK",
    "Row",
    "Table",
    "against_k",
    "cim",
    "cov",
    "deviation_reduction",
    "measured",
    "table",
]


def __dir__() -> list[str]:
    return sorted(__all__)
