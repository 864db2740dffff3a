"""Points and their metrics -> the whole run's metrics, with error bars; how many points those need."""

from phasemark.estimates.choice import Choice, PointOptions, choose
from phasemark.estimates.error import interval_error, relative_error
from phasemark.estimates.estimate import estimate, full_value, reconstruct
from phasemark.estimates.states import ESTIMATORS
from phasemark.estimates.threads import ThreadEstimate, estimate_threads

__all__ = [
    "ESTIMATORS",
    "Choice",
    "PointOptions",
    "ThreadEstimate",
    "choose",
    "estimate",
    "estimate_threads",
    "full_value",
    "interval_error",
    "reconstruct",
    "relative_error",
]


def __dir__() -> list[str]:
    return sorted(__all__)
