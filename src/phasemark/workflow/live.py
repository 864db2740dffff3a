"""A program that runs -> its phases while it does, and who is told of them."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from phasemark import online
from phasemark._version import __version__
from phasemark.collect.live.counted import Counted
from phasemark.collect.live.cutting import Stretch
from phasemark.collect.live.feed import PERF, Ending, Take, Wanted
from phasemark.collect.live.feeds import feed
from phasemark.collect.live.places import Code
from phasemark.errors import PhasemarkError, UsageError
from phasemark.online.course import Change, Course, Expected
from phasemark.store.atomic import write_text
from phasemark.store.lines import Lines
from phasemark.store.names import usable
from phasemark.workflow import live_metrics
from phasemark.workflow.endpoint import Endpoint
from phasemark.workflow.hook import Hook
from phasemark.workflow.live_state import MOST_NAMES, Live

#: Of the tracker of samples, unless told otherwise: of 200 of the same code, signatures are 0.2 to 0.4 apart.
TRACKER = {
    "threshold": 0.5,
    "min_count": 3,
    "counters": 64,
    "bits": None,
    "compressed_bits": None,
    "policy": "average",
}

PREDICTOR = "rle-markov"

#: Seconds between two writings of the metrics.
_METRICS = 1.0

#: Functions of a phase that are named while it runs.
_HOTTEST = 5


@dataclass(frozen=True)
class LiveOptions:
    """How a program is tracked.

    Attributes:
        tracker: parameters of online.Tracker; of samples, over those of TRACKER.
        predictor: one of online.PREDICTORS.
        log: a file that each change is added to, a line of JSON each; None: none.
        on_change: a command that /bin/sh runs at each change, one at a time; None: none.
        metrics: a file of OpenMetrics, written anew each second; None: none.
        listen: where the same is given by HTTP, `PORT` or `HOST:PORT`; None: nowhere.
    """

    tracker: dict[str, Any] = field(default_factory=dict)
    predictor: str = PREDICTOR
    log: Path | None = None
    on_change: str | None = None
    metrics: Path | None = None
    listen: str | None = None

    def __post_init__(self) -> None:
        for name in ("log", "metrics"):
            if (path := getattr(self, name)) is not None:
                object.__setattr__(self, name, usable(path))


@dataclass(frozen=True)
class Tracked:
    """How it ended.

    Attributes:
        live: as it was last.
        status: the command's exit status, see Ending.
        failure: why it was not tracked to its end, or not at all; empty: it was.
        notes: what the user should know, one sentence each.
    """

    live: Live
    status: int
    failure: str
    notes: tuple[str, ...]


class Viewer:
    """Who looks on; a view overrides what it wants to know."""

    def began(self, live: Live) -> None:
        """It is about to begin."""

    def changed(self, live: Live, change: Change[Code]) -> None:
        """A phase has begun."""

    def tick(self, live: Live) -> None:
        """A fifth of a second has passed."""

    def tell(self, live: Live, note: str) -> None:
        """Something went wrong beside it."""

    def ended(self) -> None:
        """It has ended, well or not."""


def track(wanted: Wanted, options: LiveOptions | None = None, viewer: Viewer | None = None) -> Tracked:
    """Track a command to its end, or a process to its end or ours.

    Args:
        wanted: what is tracked, and its intervals.
        options: None: the defaults.
        viewer: None: nobody looks on.

    Raises:
        UsageError: an option makes no sense; nothing was started.
        CollectorError: the program cannot be followed; says what to change.
        MissingTool: perf, or the collector, is not on this machine.
        WorkError: a file cannot be written from the beginning on, or an address not be listened at.
    """
    options, viewer = options or LiveOptions(), viewer or Viewer()
    defaults = TRACKER if wanted.collector == PERF else {}
    tracker = online.Tracker(**{**defaults, **options.tracker})
    tracker.check()
    predictor = online.predictor(options.predictor)
    if options.on_change is not None and not options.on_change.strip():
        raise UsageError("--on-change is empty", hint="give a command: --on-change 'logger phase $PHASE'")
    source = feed(wanted, tracker.counters, tracker.seed)
    what = shlex.join(wanted.command) if wanted.command else f"process {wanted.pid}"
    live = Live(what, source, Course(predictor), tracker, time.monotonic())
    tellers = _Tellers(live, options, viewer)
    try:
        viewer.began(live)
        ending = source.follow(_taking(live, viewer, tellers), tellers.tick)
    finally:
        viewer.ended()
        tellers.end()
    return Tracked(live, ending.status, ending.failure, tuple(_notes(live, ending, tellers)))


def _observing(tracker: online.Tracker) -> Callable[[Stretch | Counted], online.Observation]:
    accumulator = tracker.accumulator()

    def observe(interval: Stretch | Counted) -> online.Observation:
        if isinstance(interval, Counted):
            return tracker.update_counters(interval.counters)
        keys = np.fromiter((code.key for code in interval.codes), np.uint64, len(interval.codes))
        accumulator.add(keys, np.fromiter(interval.codes.values(), np.int64, len(interval.codes)))
        return tracker.observe(accumulator)

    return observe


def _taking(live: Live, viewer: Viewer, tellers: _Tellers) -> Take:
    observe = _observing(live.tracker)

    def take(interval: Stretch | Counted) -> None:
        seen = observe(interval)
        if (change := live.course.take(seen.phase, interval)) is not None:
            for phase in (change.before, change.phase):
                if phase in live.course.phases:  # its files may be gone with its process
                    live.named(live.course.phases[phase].hottest(_HOTTEST))
            tellers.changed(change)
            viewer.changed(live, change)

    return take


class _Tellers:
    """Those who are told: the log, the command, the metrics. None of them can stop the tracking."""

    def __init__(self, live: Live, options: LiveOptions, viewer: Viewer) -> None:
        self._live, self._viewer, self._metrics = live, viewer, options.metrics
        self._written = -_METRICS
        self._said: set[str] = set()
        self.log = None if options.log is None else Lines(options.log)
        self.hook = None if options.on_change is None else Hook(options.on_change, self._tell)
        self.endpoint: Endpoint | None = None
        try:
            if options.metrics is not None:
                write_text(options.metrics, live_metrics.text(live))
            if options.listen is not None:
                self.endpoint = Endpoint(options.listen)
                live.url = self.endpoint.url
        except BaseException:
            self._close()
            raise
        self._add({"event": "begin", "phasemark": __version__, "program": live.what, **_facts(live, options)})

    def changed(self, change: Change[Code]) -> None:
        """A phase has begun."""
        if self.log is None and self.hook is None:
            return
        hottest = self._live.named(change.hottest)
        if self.log is not None:
            self._add({"event": "change", **_changed(self._live, change, hottest)})
        if self.hook is not None:
            self.hook.call(_variables(self._live, change, hottest))

    def tick(self) -> None:
        """A fifth of a second has passed."""
        if note := self._live.source.note:
            self._tell_once(note)
        if self.hook is not None:
            self.hook.look()
        if self._live.seconds - self._written >= _METRICS:
            self._measure()
        self._viewer.tick(self._live)

    def end(self) -> None:
        """It has ended."""
        self._live.over = True
        try:
            if self.hook is not None:
                self.hook.end()
            self._measure()
            course = self._live.course
            self._add({
                "event": "end", "elapsed": round(self._live.seconds, 3), "intervals": course.intervals,
                "changes": course.changes, **self._live.source.seen,
            })  # fmt: skip
        finally:
            self._close()

    def _measure(self) -> None:
        if self._metrics is None and self.endpoint is None:
            return
        self._written = self._live.seconds
        text = live_metrics.text(self._live)
        if self.endpoint is not None:
            self.endpoint.put(text)
        if self._metrics is not None:
            try:
                write_text(self._metrics, text)
            except PhasemarkError as error:
                self._tell_once(error.message)

    def _add(self, facts: dict[str, Any]) -> None:
        if self.log is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if not self.log.add(json.dumps({"time": now, **facts})):
            self._tell_once(f"{self.log.path}: cannot be written: {self.log.why}")

    def _tell_once(self, note: str) -> None:
        if note not in self._said and len(self._said) < MOST_NAMES:
            self._said.add(note)
            self._tell(note)

    def _tell(self, note: str) -> None:
        self._live.notes.append(note)
        del self._live.notes[:-20]
        self._viewer.tell(self._live, note)

    def _close(self) -> None:
        if self.log is not None:
            self.log.close()
        if self.endpoint is not None:
            self.endpoint.close()


def _facts(live: Live, options: LiveOptions) -> dict[str, Any]:
    """How it is tracked."""
    source = live.source
    return {
        "collector": source.collector,
        **({"event_sampled": source.event} if source.collector == PERF else {}),
        "unit": source.unit,
        "interval": source.interval,
        "tracker": live.tracker.get_params(),
        "predictor": options.predictor,
    }


def _changed(live: Live, change: Change[Code], hottest: list[tuple[str, float]]) -> dict[str, Any]:
    return {
        "elapsed": round(live.seconds, 3),
        "number": change.number,
        "phase": change.phase,
        "before": change.before,
        "lasted": round(change.lasted, 3),
        "new": change.new,
        "expected": _expected(change.expected),
        "hottest": [[name, round(share, 4)] for name, share in hottest],
    }


def _expected(expected: Expected | None) -> dict[str, Any] | None:
    if expected is None:
        return None
    return {
        "phase": expected.phase,
        "share": round(expected.times / expected.of, 4),
        "after": round(expected.seconds, 3),
    }


def _variables(live: Live, change: Change[Code], hottest: list[tuple[str, float]]) -> dict[str, str]:
    """The environment of the command that a change runs."""
    expected = change.expected
    return {
        "PHASE": str(change.phase),
        "PHASE_BEFORE": "" if change.before is None else str(change.before),
        "PHASE_LASTED": f"{change.lasted:.3f}",
        "PHASE_NEW": str(int(change.new)),
        "PHASE_EXPECTED": "" if expected is None else str(expected.phase),
        "PHASE_EXPECTED_AFTER": "" if expected is None else f"{expected.seconds:.3f}",
        "PHASE_HOTTEST": hottest[0][0] if hottest else "",
        "PHASE_CHANGES": str(change.number),
        "PHASE_PID": str(live.source.pid),
    }


def _notes(live: Live, ending: Ending, tellers: _Tellers) -> list[str]:
    course, source, tracker = live.course, live.source, live.tracker
    notes = [note for note in (ending.failure, source.note) if note]
    if not ending.failure and not course.intervals:
        notes.append(
            f"it ran for less than an interval ({source.interval:,} {source.unit}): no phase was found"
        )
    notes += ending.notes
    if tracker.saturated:
        notes.append(
            f"in {tracker.saturated:,} of {course.intervals:,} intervals a counter of {tracker.bits} bits "
            "was full: more bits, or shorter intervals, tell them apart better"
        )
    if course.phases.keys() == {0}:
        notes.append(
            f"no signature was seen {tracker.min_count} times: all intervals are in transition; take shorter "
            "intervals, a larger threshold or a smaller min_count"
        )
    if course.forgotten:
        notes.append(f"{course.forgotten:,} phases were not met for long, and are forgotten")
    if (log := tellers.log) is not None and log.lost:
        notes.append(f"{log.lost:,} lines are missing in {log.path}: {log.why}")
    if (hook := tellers.hook) is not None and (hook.failures or hook.passed_over):
        notes.append(
            f"--on-change ran {hook.runs:,} times and failed {hook.failures:,} times; "
            f"{hook.passed_over:,} changes came and went while it ran"
        )
    return notes
