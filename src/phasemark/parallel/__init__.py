"""Many threads, processes and runs -> one profile; timelines, elapsed time, scaling."""

from phasemark.parallel.elapsed import Elapsed, elapsed
from phasemark.parallel.joining import join, threads_of
from phasemark.parallel.merging import Merged, merge
from phasemark.parallel.scaling import Scaling, scaling
from phasemark.parallel.timeline import timeline

__all__ = ["Elapsed", "Merged", "Scaling", "elapsed", "join", "merge", "scaling", "threads_of", "timeline"]


def __dir__() -> list[str]:
    return sorted(__all__)
