"""A tracked program, as OpenMetrics."""

from __future__ import annotations

from phasemark._version import __version__
from phasemark.formats import openmetrics
from phasemark.formats.openmetrics import Family
from phasemark.workflow.live_state import Live

_NANO = 1e9

#: What a feed has seen -> the family, its kind, and what it is.
_SEEN = {
    "samples": ("phasemark_samples", "counter", "Samples taken."),
    "lost": ("phasemark_samples_lost", "counter", "Samples that perf lost."),
    "processes": ("phasemark_processes", "counter", "Processes that were followed."),
    "threads": ("phasemark_threads", "counter", "Threads that were followed."),
}


def text(live: Live) -> str:
    """What there is to say of it now."""
    course, source = live.course, live.source
    clock = source.unit == "nanoseconds"
    unit, scale = ("cpu_seconds", 1 / _NANO) if clock else (source.unit, 1.0)
    spent = f"phasemark_phase_{unit}"
    ranked = course.ranked()
    families = [
        Family(
            "phasemark", "info", "What is tracked, and by what.",
            [({"version": __version__, "program": live.what, "pid": str(source.pid)}, 1)],
        ),
        Family("phasemark_tracking", "gauge", "1 while it is tracked, 0 afterwards.", [({}, not live.over)]),
        Family("phasemark_phase", "gauge", "The current phase; 0 is transition.", _now(course.phase)),
        Family(
            "phasemark_phase_lasted_seconds", "gauge", "How long the current phase has lasted.",
            [({}, course.lasted)], "seconds",
        ),
        Family(
            "phasemark_phase_expected", "gauge", "The phase that most often followed the current one.",
            _now(course.expected.phase if course.expected else None),
        ),
        Family("phasemark_phase_changes", "counter", "Changes of phase.", [({}, course.changes)]),
        Family("phasemark_intervals", "counter", "Intervals.", [({}, course.intervals)]),
        Family("phasemark_intervals_foretold", "counter", "Intervals foretold.", [({}, course.foretold)]),
        Family(
            "phasemark_intervals_foretold_rightly", "counter", "Intervals foretold rightly.",
            [({}, course.right)],
        ),
        Family(
            "phasemark_phase_intervals", "counter", "Intervals of each phase.",
            [({"phase": str(one.number)}, one.intervals) for one in ranked],
        ),
        Family(
            spent, "counter", f"What ran in each phase, in {'seconds on a processor' if clock else unit}.",
            [({"phase": str(one.number)}, one.length * scale) for one in ranked],
            "seconds" if clock else "",
        ),
        *(Family(*_SEEN[name], [({}, number)]) for name, number in source.seen.items()),
    ]  # fmt: skip
    return openmetrics.text(families)


def _now(phase: int | None) -> list[openmetrics.Value]:
    return [] if phase is None else [({}, phase)]
