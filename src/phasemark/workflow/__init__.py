"""The steps of a run, from its folder to its next file: silent, and the front door for Python.

`Run` is what callers meet; `phasemark.open`, `phasemark.profile` and `phasemark.save` make one. Each step has
a module, with the function that does it, from folder to folder, and the value that it returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.estimates import PointOptions
    from phasemark.workflow.comparing import ComparisonResult, compare
    from phasemark.workflow.estimation import EstimateResult
    from phasemark.workflow.full_check import FullCheckResult
    from phasemark.workflow.imported import VectorResult
    from phasemark.workflow.importing import MetricsResult
    from phasemark.workflow.intervals import IntervalOptions, IntervalsResult
    from phasemark.workflow.joining import JoinResult, parallel
    from phasemark.workflow.live import LiveOptions
    from phasemark.workflow.live_result import LiveChange, LivePhase, LiveResult
    from phasemark.workflow.model_options import ModelOptions
    from phasemark.workflow.models import ModelsResult
    from phasemark.workflow.opening import load_vectors, open, profile, run_of, save
    from phasemark.workflow.phases import PhaseOptions, PhaseResult
    from phasemark.workflow.points import PointResult
    from phasemark.workflow.predicting import PredictionResult
    from phasemark.workflow.quality import QualityOptions, QualityResult
    from phasemark.workflow.reading import read, read_intervals
    from phasemark.workflow.run import Run
    from phasemark.workflow.scaling import ScalingResult
    from phasemark.workflow.seeds import OverSeeds
    from phasemark.workflow.simulation import SimulationResult
    from phasemark.workflow.standard_input import StandardInput
    from phasemark.workflow.tracking import TrackOptions, TrackResult
    from phasemark.workflow.tracking_live import track_live

#: Loaded when first named: a step needs no other one's room.
_MODULES = {
    "ComparisonResult": "comparing",
    "FullCheckResult": "full_check",
    "SimulationResult": "simulation",
    "StandardInput": "standard_input",
    "EstimateResult": "estimation",
    "IntervalOptions": "intervals",
    "IntervalsResult": "intervals",
    "JoinResult": "joining",
    "LiveChange": "live_result",
    "LiveOptions": "live",
    "LivePhase": "live_result",
    "LiveResult": "live_result",
    "MetricsResult": "importing",
    "ModelOptions": "model_options",
    "ModelsResult": "models",
    "OverSeeds": "seeds",
    "PhaseOptions": "phases",
    "PhaseResult": "phases",
    "PointOptions": "points",
    "PointResult": "points",
    "PredictionResult": "predicting",
    "QualityOptions": "quality",
    "QualityResult": "quality",
    "Run": "run",
    "ScalingResult": "scaling",
    "TrackOptions": "tracking",
    "TrackResult": "tracking",
    "VectorResult": "imported",
    "compare": "comparing",
    "load_vectors": "opening",
    "open": "opening",
    "parallel": "joining",
    "profile": "opening",
    "read": "reading",
    "read_intervals": "reading",
    "run_of": "opening",
    "save": "opening",
    "track_live": "tracking_live",
}

__all__ = [
    "ComparisonResult",
    "EstimateResult",
    "FullCheckResult",
    "IntervalOptions",
    "IntervalsResult",
    "JoinResult",
    "LiveChange",
    "LiveOptions",
    "LivePhase",
    "LiveResult",
    "MetricsResult",
    "ModelOptions",
    "ModelsResult",
    "OverSeeds",
    "PhaseOptions",
    "PhaseResult",
    "PointOptions",
    "PointResult",
    "PredictionResult",
    "QualityOptions",
    "QualityResult",
    "Run",
    "ScalingResult",
    "SimulationResult",
    "StandardInput",
    "TrackOptions",
    "TrackResult",
    "VectorResult",
    "compare",
    "load_vectors",
    "open",
    "parallel",
    "profile",
    "read",
    "read_intervals",
    "run_of",
    "save",
    "track_live",
]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
