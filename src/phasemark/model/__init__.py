"""The values in the middle: frozen, array-backed, checked on construction.

Every other room meets the others here and nowhere else. See docs/data-model.md.
"""

from phasemark.model.bias import Bias
from phasemark.model.blocks import Blocks
from phasemark.model.counts import Counts
from phasemark.model.estimate import Estimate
from phasemark.model.events import Events
from phasemark.model.hierarchy import Hierarchy
from phasemark.model.intervals import KINDS, Intervals
from phasemark.model.markers import Markers
from phasemark.model.metrics import Metrics
from phasemark.model.phases import Phases
from phasemark.model.points import Points
from phasemark.model.process import AnalysedProcess
from phasemark.model.profile import Profile
from phasemark.model.provenance import Provenance
from phasemark.model.ratios import RATIOS, Ratio
from phasemark.model.reuse import Reuse
from phasemark.model.samples import SampledProcess, Samples
from phasemark.model.signatures import Recipe, Signatures
from phasemark.model.sites import SITE_KINDS, Sites
from phasemark.model.states import StateMachine
from phasemark.model.threads import Threads
from phasemark.model.timeline import OF_CORES, Timeline
from phasemark.model.trace import EventColumns, Trace

__all__ = [
    "KINDS",
    "OF_CORES",
    "RATIOS",
    "SITE_KINDS",
    "AnalysedProcess",
    "Bias",
    "Blocks",
    "Counts",
    "Estimate",
    "EventColumns",
    "Events",
    "Hierarchy",
    "Intervals",
    "Markers",
    "Metrics",
    "Phases",
    "Points",
    "Profile",
    "Provenance",
    "Ratio",
    "Recipe",
    "Reuse",
    "SampledProcess",
    "Samples",
    "Signatures",
    "Sites",
    "StateMachine",
    "Threads",
    "Timeline",
    "Trace",
]


def __dir__() -> list[str]:
    return sorted(__all__)
