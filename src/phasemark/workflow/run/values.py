"""A run's folder, and the values in it: read when they are asked for, and kept, in any combination."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from phasemark.errors import UsageError
from phasemark.store import cache
from phasemark.store.folder import Folder

if TYPE_CHECKING:
    from phasemark.collect import Recording
    from phasemark.model import Intervals, Metrics, Phases, Points, Profile, Signatures
    from phasemark.model.given import MetricsLike, PhasesLike, PointsLike
    from phasemark.store.events_h5 import StoredTrace

_Value = TypeVar("_Value")


class Values:
    """See Run."""

    def __init__(
        self, path: str | Path, *, discarded: Sequence[str] = (), recording: Recording | None = None
    ) -> None:
        self.folder = Folder(path)
        self.discarded = tuple(discarded)
        self.recording = recording
        self._values: dict[str, tuple[Any, Any]] = {}

    @property
    def path(self) -> Path:
        """The folder."""
        return self.folder.path

    def __repr__(self) -> str:
        names = ("profile", "phases", "points", "metrics", "point_metrics", "estimate", "quality", "report")
        there = [name.replace("_", " ") for name in names if getattr(self.folder, name).exists()]
        return f"<Run {str(self.path)!r}: {', '.join(there) or 'empty'}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_values": {}}

    # ------------------------------------------------------------ values

    @property
    def profile(self) -> Profile:
        """Which code each interval executed.

        Raises:
            DataError: there is none, or it is damaged.
        """
        from phasemark.workflow.reading import read

        return self._kept("profile", self.folder.profile, lambda: read(self.path))

    @property
    def intervals(self) -> Intervals:
        """The intervals of the profile, in a fraction of the time."""
        from phasemark.workflow.reading import read_intervals

        return self._kept("intervals", self.folder.profile, lambda: read_intervals(self.path))

    @property
    def events(self) -> tuple[StoredTrace, ...]:
        """The loops, calls and returns of each thread, to be read a stretch at a time.

        Raises:
            DataError: they were not recorded, or are damaged.
        """
        from phasemark.workflow.reading import read_events

        return self._kept("events", self.folder.events, lambda: read_events(self.path))

    @property
    def signatures(self) -> Signatures:
        """What the phases were found in.

        Raises:
            DataError: phases were not found yet, or model.h5 is damaged.
        """
        from phasemark.workflow.phases import read_phases

        return self._kept("model", self.folder.model, lambda: read_phases(self.folder))[0]

    @property
    def phases(self) -> Phases:
        """The phases; raises as `signatures`."""
        from phasemark.workflow.phases import read_phases

        return self._kept("model", self.folder.model, lambda: read_phases(self.folder))[1]

    @property
    def points(self) -> Points:
        """The simulation points.

        Raises:
            DataError: none were picked yet, or points.csv is damaged.
        """
        from phasemark.workflow.points import read_points

        return self._kept("points", self.folder.points, lambda: read_points(self.folder))

    @property
    def metrics(self) -> Metrics:
        """What was measured of every interval, or of the run in one.

        Raises:
            DataError: nothing was, or metrics.csv is damaged.
        """
        from phasemark.workflow.measured import metrics_of

        return self._kept("metrics", self.folder.metrics, lambda: metrics_of(self.folder))

    @property
    def point_metrics(self) -> Metrics:
        """What was measured of the points; raises as `metrics`."""
        path, hint = self.folder.point_metrics, "run `phasemark simulate DIR`, or import metrics, first"
        return self._kept("point_metrics", path, lambda: _metrics(path, hint))

    def _kept(self, name: str, path: Path, read_value: Callable[[], _Value]) -> _Value:
        """A value as it was read last, if its file is still the same."""
        stamp = cache.identity(path, settled=False)
        known = self._values.get(name)
        if known is not None and stamp is not None and known[0] == stamp:
            return known[1]  # type: ignore[no-any-return]
        value = self.folder.steady(read_value)
        self._values[name] = (stamp, value)
        return value

    # ------------------------------------------------------------ steps

    def save(
        self,
        *,
        profile: Profile | None = None,
        signatures: Signatures | None = None,
        phases: PhasesLike | None = None,
        points: PointsLike | None = None,
        metrics: MetricsLike | None = None,
        point_metrics: MetricsLike | None = None,
    ) -> tuple[str, ...]:
        """Write values made in Python to the folder, so that every later step finds them there.

        Args:
            profile: makes the folder a run's.
            signatures, phases: go together; phases also as a fitted model.
            points: of the phases that are there then; also as their frame.
            metrics, point_metrics: of all intervals; of the points; also as frames.

        Returns:
            What became of files that were made from others, one phrase each.

        Raises:
            UsageError: phases without signatures or the other way round; or the folder holds the recorded run
                of a program, and another profile would take its place.
            DataError: values that do not fit the run.
            WorkError: a file cannot be written.
        """
        from phasemark.model import given
        from phasemark.workflow import saving

        if (signatures is None) != (phases is None):
            raise UsageError("phases and the signatures they were found in go together", hint="give both")
        discarded: tuple[str, ...] = ()
        with self.folder.create().held("save"):
            if profile is not None:
                discarded += saving.save_profile(self.folder, profile)
            if signatures is not None and phases is not None:
                discarded += saving.save_phases(self.folder, self.intervals, signatures, given.phases(phases))
            if points is not None:
                discarded += saving.save_points(self.folder, self.intervals, given.points(points))
            for value, of_points in ((metrics, False), (point_metrics, True)):
                if value is not None:
                    table = given.metrics(value)
                    discarded += saving.save_metrics(self.folder, self.intervals, table, of_points=of_points)
        return discarded


def _metrics(path: Path, hint: str) -> Metrics:
    from phasemark.store import metrics_csv
    from phasemark.store.missing import no_file

    if not path.exists():
        raise no_file(path, hint)
    return metrics_csv.read(path)
