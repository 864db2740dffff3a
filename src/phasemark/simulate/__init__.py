"""Points or a whole run -> Metrics: the built-in timing model, or any other Simulator."""

from phasemark.simulate.agreement import differences
from phasemark.simulate.plan import LEAST_WARMUP, WARMUP, Plan, of_checks, of_intervals, of_points
from phasemark.simulate.simulator import Program, Simulation, Simulator
from phasemark.simulate.timing_model import TimingModel

__all__ = [
    "LEAST_WARMUP",
    "WARMUP",
    "Plan",
    "Program",
    "Simulation",
    "Simulator",
    "TimingModel",
    "differences",
    "of_checks",
    "of_intervals",
    "of_points",
]


def __dir__() -> list[str]:
    return sorted(__all__)
