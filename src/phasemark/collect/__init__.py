"""A command line -> Profile.

`record` runs a program under one of `engines` and writes its profile; `count` runs it with the timing model
on in some windows, `recut` cut into given intervals. `stream` reads what an engine wrote.
"""

from __future__ import annotations

from phasemark.collect.boundaries import Boundaries
from phasemark.collect.cuts import Cuts
from phasemark.collect.ending import Until, ended_by_fault
from phasemark.collect.engines.registry import COLLECTORS
from phasemark.collect.process_tree import listing
from phasemark.collect.recording import Recording
from phasemark.collect.recutting import Recut, recut
from phasemark.collect.request import Request
from phasemark.collect.session import rebuild, record
from phasemark.collect.watching import Headway
from phasemark.collect.windows import Counted, count

__all__ = [
    "COLLECTORS",
    "Boundaries",
    "Counted",
    "Cuts",
    "Headway",
    "Recording",
    "Recut",
    "Request",
    "Until",
    "count",
    "ended_by_fault",
    "listing",
    "rebuild",
    "record",
    "recut",
]


def __dir__() -> list[str]:
    return sorted(__all__)
