"""phasemark: the phases of a program run, and the few simulation points that stand for it.

    run = phasemark.profile(["gzip", "-k", "file"], out="out/")     # or phasemark.open("out/")
    run.find_phases(max_k=30)
    run.pick_points(per_phase=4)
    run.simulate()
    print(run.estimate().summary())

Or step by step with values, and no folder:

    profile = phasemark.read("out/")           # or a vector file of another tool
    signatures = phasemark.signatures.project(profile)
    model = phasemark.phases.SimPoint(max_k=30).fit(signatures)

Importing phasemark loads nothing else; rooms are loaded when they are first named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy
from phasemark._version import __version__

if TYPE_CHECKING:
    from phasemark.workflow import Run, open, profile, read, save, track_live

_ROOMS = (
    "checking",
    "collect",
    "errors",
    "estimates",
    "formats",
    "intervals",
    "model",
    "online",
    "parallel",
    "phases",
    "plots",
    "points",
    "progress",
    "quality",
    "report",
    "signatures",
    "simpoint",
    "simulate",
    "store",
    "symbols",
    "views",
    "workflow",
)

#: Name -> the module that has it.
_NAMES = dict.fromkeys(("Run", "open", "profile", "read", "save", "track_live"), "workflow")

__all__ = ["__version__", "Run", "open", "profile", "read", "save", "track_live", *_ROOMS]  # noqa: PLE0604


__getattr__ = _lazy.names(__name__, {**_NAMES, **{room: f"{room}:" for room in _ROOMS}})


def __dir__() -> list[str]:
    return sorted(__all__)
