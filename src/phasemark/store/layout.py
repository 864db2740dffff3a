"""Which file of a run is called what."""

from __future__ import annotations

from pathlib import Path

from phasemark.store.names import usable


class Layout:
    """Names of the files of one run.

    Raises:
        WorkError: the path is none; nothing need be there.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = usable(path)

    def __getitem__(self, name: str) -> Path:
        return self.path / name

    def name_before(self, path: Path) -> str | None:
        """What a file of this folder was called before it was set aside; None: it is no such file."""
        name = path.name.rstrip("~")
        return name if name != path.name and path.parent.resolve() == self.path.resolve() else None

    @property
    def profile(self) -> Path:
        """profile.h5"""
        return self["profile.h5"]

    @property
    def events(self) -> Path:
        """events.h5: loops, calls and returns of every thread, as they happened."""
        return self["events.h5"]

    @property
    def hierarchy(self) -> Path:
        """hierarchy.h5: intervals within intervals, of which the profile's are a selection."""
        return self["hierarchy.h5"]

    @property
    def fixed(self) -> Path:
        """fixed.h5: the profile with intervals of fixed length, where profile.h5 has others."""
        return self["fixed.h5"]

    @property
    def fixed_metrics(self) -> Path:
        """fixed-metrics.csv: counters of the intervals of fixed length."""
        return self["fixed-metrics.csv"]

    @property
    def phases(self) -> Path:
        """phases.csv"""
        return self["phases.csv"]

    @property
    def model(self) -> Path:
        """model.h5"""
        return self["model.h5"]

    @property
    def track(self) -> Path:
        """track.csv: online phases."""
        return self["track.csv"]

    @property
    def tracked(self) -> Path:
        """track.h5: online phases, as model.h5 has the run's."""
        return self["track.h5"]

    @property
    def stability(self) -> Path:
        """stability.csv"""
        return self["stability.csv"]

    @property
    def points(self) -> Path:
        """points.csv"""
        return self["points.csv"]

    @property
    def metrics(self) -> Path:
        """metrics.csv: counters of every interval."""
        return self["metrics.csv"]

    @property
    def point_metrics(self) -> Path:
        """point-metrics.csv: counters of the intervals that were simulated."""
        return self["point-metrics.csv"]

    @property
    def warmup_metrics(self) -> Path:
        """warmup-metrics.csv: counters of the points that were simulated again with a longer warm-up."""
        return self["warmup-metrics.csv"]

    @property
    def estimate(self) -> Path:
        """estimate.csv"""
        return self["estimate.csv"]

    @property
    def quality(self) -> Path:
        """quality.csv"""
        return self["quality.csv"]

    @property
    def quality_k(self) -> Path:
        """quality-k.csv: quality against the number of phases."""
        return self["quality-k.csv"]

    @property
    def models(self) -> Path:
        """models.csv: models of phases side by side."""
        return self["models.csv"]

    @property
    def models_points(self) -> Path:
        """models-points.csv: what points of their phases estimate."""
        return self["models-points.csv"]

    @property
    def report(self) -> Path:
        """report.html"""
        return self["report.html"]

    @property
    def raw(self) -> Path:
        """raw: the folder of what the collector writes while the program runs."""
        return self["raw"]

    @property
    def run_json(self) -> Path:
        """run.json"""
        return self["run.json"]
