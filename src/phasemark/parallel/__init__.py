"""Many threads, processes and runs -> one profile; timelines, scaling, what differs."""

from phasemark.parallel.agreeing import is_of_functions
from phasemark.parallel.comparing import Comparison, compare
from phasemark.parallel.elapsed import Elapsed, elapsed
from phasemark.parallel.joining import BY, common_ground, join, threads_of
from phasemark.parallel.merging import Merged, merge
from phasemark.parallel.origins import IN_COMMON, runs_of
from phasemark.parallel.scaling import Scaling, scaling
from phasemark.parallel.spent import cycles_of_all
from phasemark.parallel.timeline import timeline

__all__ = [
    "BY",
    "IN_COMMON",
    "Comparison",
    "Elapsed",
    "Merged",
    "Scaling",
    "common_ground",
    "compare",
    "cycles_of_all",
    "elapsed",
    "is_of_functions",
    "join",
    "merge",
    "runs_of",
    "scaling",
    "threads_of",
    "timeline",
]


def __dir__() -> list[str]:
    return sorted(__all__)
