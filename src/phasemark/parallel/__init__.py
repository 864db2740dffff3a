"""Many threads, processes and runs side by side: timelines, elapsed time, scaling."""

from phasemark.parallel.elapsed import Elapsed, elapsed
from phasemark.parallel.scaling import Scaling, scaling
from phasemark.parallel.timeline import timeline

__all__ = ["Elapsed", "Scaling", "elapsed", "scaling", "timeline"]


def __dir__() -> list[str]:
    return sorted(__all__)
