"""A run's folder and the files in it: our own formats, read and written.

`Layout` names the files; `Folder` is those of one run, and owns run.json. Each file has a module with `read`
and `write` (`profile_h5`, `points_csv`, `metrics_csv`, `estimate_csv`, `quality_csv`, `models_csv`;
`phases_store` for phases.csv and model.h5), which are here as `read_points`, `write_points` and so on.
`tables` is what the CSV files have in common, `hdf5` what the others have; `atomic` writes whole or not at
all; `cache` keeps what can be computed again. Other tools' formats are in `phasemark.formats`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.store import tables
    from phasemark.store.estimate_csv import read as read_estimate
    from phasemark.store.estimate_csv import write as write_estimate
    from phasemark.store.folder import Folder
    from phasemark.store.layout import Layout
    from phasemark.store.metrics_csv import read as read_metrics
    from phasemark.store.metrics_csv import write as write_metrics
    from phasemark.store.models_csv import read as read_models
    from phasemark.store.models_csv import read_points as read_models_points
    from phasemark.store.models_csv import write as write_models
    from phasemark.store.models_csv import write_points as write_models_points
    from phasemark.store.phases_store import read_model, write_model
    from phasemark.store.phases_store import write_csv as write_phases
    from phasemark.store.points_csv import read as read_points
    from phasemark.store.points_csv import write as write_points
    from phasemark.store.profile_h5 import read as read_profile
    from phasemark.store.profile_h5 import read_intervals
    from phasemark.store.profile_h5 import write as write_profile
    from phasemark.store.quality_csv import read_against_k as read_quality_against_k

#: Name -> the module here that has it, and its name there. Loaded when first named: the light path of
#: `phasemark simpoint` uses `atomic` and `cache` alone, and needs neither NumPy nor h5py.
_NAMES = {
    "tables": "tables:",
    "Folder": "folder:Folder",
    "Layout": "layout:Layout",
    "read_estimate": "estimate_csv:read",
    "read_intervals": "profile_h5:read_intervals",
    "read_metrics": "metrics_csv:read",
    "read_model": "phases_store:read_model",
    "read_models": "models_csv:read",
    "read_models_points": "models_csv:read_points",
    "read_points": "points_csv:read",
    "read_profile": "profile_h5:read",
    "read_quality_against_k": "quality_csv:read_against_k",
    "write_estimate": "estimate_csv:write",
    "write_metrics": "metrics_csv:write",
    "write_model": "phases_store:write_model",
    "write_models": "models_csv:write",
    "write_models_points": "models_csv:write_points",
    "write_phases": "phases_store:write_csv",
    "write_points": "points_csv:write",
    "write_profile": "profile_h5:write",
}

__all__ = [
    "Folder",
    "Layout",
    "read_estimate",
    "read_intervals",
    "read_metrics",
    "read_model",
    "read_models",
    "read_models_points",
    "read_points",
    "read_profile",
    "read_quality_against_k",
    "tables",
    "write_estimate",
    "write_metrics",
    "write_model",
    "write_models",
    "write_models_points",
    "write_phases",
    "write_points",
    "write_profile",
]


__getattr__ = _lazy.names(__name__, _NAMES)


def __dir__() -> list[str]:
    return sorted(__all__)
