"""Events -> intervals of variable length, in a run's folder: the program runs once more, cut at them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark.collect import Boundaries, Cuts, Headway, Recut, interval_length
from phasemark.errors import DataError, UsageError, counted
from phasemark.intervals import count_events, hierarchy, prune
from phasemark.intervals.pruning import DEFAULT_MOST, DEFAULT_SILENCE
from phasemark.model import Events, Hierarchy, Intervals, Profile
from phasemark.model.options import require_given, require_whole
from phasemark.model.trace import Trace
from phasemark.progress import Progress
from phasemark.simulate.config import TimingConfig
from phasemark.store import changing, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow.alone import alone
from phasemark.workflow.grammar import GrammarOptions, GrammarResult, grammars
from phasemark.workflow.reading import NEGLIGIBLE, read, read_events
from phasemark.workflow.repeating import Repeated, are_alike, request_of, require_same_code
from phasemark.workflow.result import Result
from phasemark.workflow.standard_input import StandardInput
from phasemark.workflow.variable import fitted, keep_fixed, keep_variable

if TYPE_CHECKING:
    import pandas as pd

#: The largest length of an interval, of the smallest, where only one is given.
_RATIO = 5


#: What a user should know where the first run was not like those that follow.
_AGAIN = (
    "in the first attempt {}: the program did not do quite what it had done when it was profiled; its events "
    "were recorded once more (events.h5), and intervals made from those"
)

#: What a user should know where the events do not say where to cut.
_COARSE = (
    "{:.3g}% of the run lies in stretches without an event that are longer than the maximum, {:,} "
    "instructions, up to {:,}: give a larger maximum (--max); if an older phasemark recorded the run, "
    "`phasemark profile --events` now records more of long loops"
)

#: And where the rules of the grammar are of rarer events than asked for.
_THINNED = (
    "so many places recur seldom that those that do so more than once in {:,} instructions were left out"
)

#: Symbols that recur more often than once in so many instructions are left out.
DEFAULT_EVERY = 10_000

#: Instructions of the shortest interval by default: in a long loop, events are recorded no more often.
_SHORTEST = 10_000

#: Events of a thread that are kept, however few instructions it has beside others.
_FEW_EVENTS = 10_000


@dataclass(frozen=True)
class IntervalOptions:
    """How long intervals are to be, and how they are found.

    Attributes:
        minimum, maximum: instructions. Without either, the minimum is the length that about 1000 intervals
            of the longest thread would have, and at least 10,000; without one of them, the maximum is 5 times
            the minimum.
        every: symbols that recur more often than once in so many instructions are left out of the grammar; 0:
            none is.
        coverage: share of the instructions that repetitions make up before the rest is transitions.
        shortest: instructions of the shortest leaf; the minimum, where that is less.
        seed: of the phases that each level of the hierarchy is found from.
    """

    minimum: int | None = None
    maximum: int | None = None
    every: int = DEFAULT_EVERY
    coverage: float = 0.9
    shortest: int = 10_000
    seed: int = 1

    def check(self) -> None:
        """See that the options make sense.

        Raises:
            UsageError: one does not.
        """
        require_whole(minimum=self.minimum, maximum=self.maximum, every=self.every, shortest=self.shortest)
        require_given(every=self.every, coverage=self.coverage, shortest=self.shortest, seed=self.seed)
        for name in ("minimum", "maximum"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise UsageError(f"the {name} is {value:,} instructions", hint="it must be 1 or more")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise UsageError(
                f"the minimum, {self.minimum:,}, is above the maximum, {self.maximum:,}",
                hint="give a minimum that is not above the maximum",
            )

    def bounds(self, longest: int) -> tuple[int, int]:
        """Minimum and maximum for a run whose longest thread has so many instructions.

        Raises:
            UsageError: the minimum is more than that.
        """
        minimum, maximum = self.minimum, self.maximum
        if minimum is None:
            most = max(interval_length.suggested(longest), _SHORTEST)
            minimum = min(most, longest) if maximum is None else max(maximum // _RATIO, 1)
        maximum = _RATIO * minimum if maximum is None else maximum
        if minimum > longest:
            raise UsageError(
                f"the minimum, {minimum:,} instructions, is more than the longest thread has, {longest:,}",
                hint="give a smaller one: about 1000 intervals would have "
                f"{interval_length.written(interval_length.suggested(longest))}",
            )
        return minimum, maximum

    def for_traces(self, traces: Sequence[Trace]) -> IntervalOptions:
        """With bounds, and leaves that these can be selected from.

        Raises:
            UsageError: as `bounds`.
        """
        minimum, maximum = self.bounds(max(trace.instructions for trace in traces))
        shortest = min(self.shortest, minimum)
        return dataclasses.replace(self, minimum=minimum, maximum=maximum, shortest=shortest)

    def pruned(self, traces: Sequence[Trace]) -> list[Events]:
        """The events that intervals may begin at: where there are any, one at least in each `maximum`."""
        silence = DEFAULT_SILENCE if self.maximum is None else min(DEFAULT_SILENCE, max(self.maximum // 2, 1))
        return [
            prune(trace, self.every, silence, most)
            for trace, most in zip(traces, _shared_out(DEFAULT_MOST, traces), strict=True)
        ]


def _shared_out(most: int, traces: Sequence[Trace]) -> list[int]:
    """What each thread may keep, by its instructions; but some of each."""
    total = max(sum(trace.instructions for trace in traces), 1)
    return [max(most * trace.instructions // total, _FEW_EVENTS) for trace in traces]


@dataclass(frozen=True)
class Level:
    """A level of the hierarchy.

    Attributes:
        intervals: how many.
        median, mean: of their lengths, instructions.
        phases: that they were found to be in; None: that was not looked at.
    """

    intervals: int
    median: float
    mean: float
    phases: int | None

    @classmethod
    def of(cls, intervals: Intervals, phases: int | None = None) -> Level:
        """Of some intervals."""
        length = intervals.length
        return cls(len(length), float(np.median(length)), float(length.mean()), phases)


def levels_of(tree: Hierarchy) -> tuple[Level, ...]:
    """The levels of a hierarchy, the coarsest first."""
    known: list[int | None] = [phases.k for phases in tree.phases] or [None] * tree.depth
    return tuple(Level.of(cut, k) for cut, k in zip(tree.levels, known, strict=True))


@dataclass(frozen=True, repr=False)
class IntervalsResult(Result):
    """The intervals of variable length that a run was cut into.

    Attributes:
        hierarchy: of which they are a selection.
        intervals: as the program, run once more, was cut.
        minimum, maximum: instructions asked for.
        boundaries: whether they were found again.
        cpu_seconds: of the program under its collector.
        notes, warnings: what the user should know, one sentence each.
        discarded: what became of files that were made from other intervals, one phrase each.
    """

    hierarchy: Hierarchy
    intervals: Intervals
    minimum: int
    maximum: int
    boundaries: Boundaries
    cpu_seconds: float = 0.0
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()

    @property
    def levels(self) -> tuple[Level, ...]:
        """Of the hierarchy, the coarsest first."""
        return levels_of(self.hierarchy)

    @property
    def selected(self) -> Level:
        """Of the intervals."""
        return Level.of(self.intervals)

    @property
    def shorter(self) -> tuple[int, float]:
        """How many intervals are shorter than the minimum, and their share of the instructions."""
        return self._outside(self.intervals.length < self.minimum)

    @property
    def longer(self) -> tuple[int, float]:
        """How many are longer than the maximum, and their share of the instructions."""
        return self._outside(self.intervals.length > self.maximum)

    def _outside(self, rows: Any) -> tuple[int, float]:
        length = self.intervals.length
        return int(rows.sum()), float(length[rows].sum() / max(int(length.sum()), 1))

    def frame(self) -> pd.DataFrame:
        """One row an interval."""
        return self.intervals.frame()


@alone("intervals", takes_long=True)
def find_intervals(
    folder: Folder,
    options: IntervalOptions | None = None,
    *,
    timing: TimingConfig | None = None,
    command: Sequence[str] = (),
    stdin: int | None = None,
    progress: Progress | None = None,
    watching: Callable[[Headway], None] | None = None,
) -> IntervalsResult:
    """Find intervals of variable length in a run's events, and record the program once more, cut into them.

    Writes hierarchy.h5 and profile.h5; the profile with intervals of fixed length is kept as fixed.h5, and
    what was measured of those as fixed-metrics.csv. Where boundaries are not found again, the events are
    recorded once more, and the program cut again: a program that made a file often does a little else when
    the file is there.

    Args:
        folder: of a run that was recorded with its events.
        options: None: the defaults.
        timing: configuration of the timing model, which then counts in each interval: metrics.csv.
        command: another program than the one that was profiled, or the same with other names of files.
        stdin: file descriptor that the program reads; None: it has no input.
        progress: told how far the hierarchy is.
        watching: called about twice a second while the program runs.

    Raises:
        DataError: there are no events, a file is damaged, or the program is not known.
        UsageError: an option makes no sense, or the minimum is longer than the program.
        WorkError: the program cannot be run, ended otherwise than before, or a file cannot be written.
    """
    options = options or IntervalOptions()
    options.check()
    _require_finished(folder)
    before, traces = _recorded(folder)
    options = options.for_traces(traces)
    assert options.minimum is not None and options.maximum is not None
    minimum, maximum = options.minimum, options.maximum
    request = request_of(folder, before, command, timing, stdin)
    with changing.staging(folder.path) as place:
        program = Repeated(folder, before, request, StandardInput.of(stdin), watching)
        found = _cut(program, traces, before, options, progress)
        notes: tuple[str, ...] = ()
        if found.is_of_another_run and program.until is None:
            require_same_code(folder, before, found.made.profile)
            notes = (_AGAIN.format(found.made.boundaries),)
            before, traces = program.traced(place / "again")
            found = _cut(program, traces, before, options, progress)
        tree, more = fitted(found.tree, found.made.profile.interval_table)
        profile, unknown = _counted(found, traces, minimum, maximum)
        warnings = tuple(dict.fromkeys([*found.made.warnings, *more, *unknown, *found.coarse]))
        entry = {
            **dataclasses.asdict(options),
            "intervals": len(profile.interval_table),
            "levels": tree.depth,
            "boundaries": dataclasses.asdict(found.made.boundaries),
            "status": found.made.status,
            "cpu_seconds": round(program.cpu_seconds, 3),
            "notes": [*notes, *found.thinned],
            "warnings": list(warnings),
        }
        counted_too = None if timing is None or found.made.metrics is None else (found.made.metrics, timing)
        events = Folder(place / "again").events if notes else None
        discarded = keep_variable(folder, profile, tree, entry, metrics=counted_too, events=events)
    return IntervalsResult(
        tree,
        profile.interval_table,
        minimum,
        maximum,
        found.made.boundaries,
        program.cpu_seconds,
        (*notes, *found.thinned),
        warnings,
        discarded,
    )


def find_hierarchy(
    folder: Folder, options: IntervalOptions | None = None, progress: Progress | None = None
) -> Hierarchy:
    """The hierarchy that `find_intervals` selects from; nothing is run, and nothing written.

    Raises:
        DataError, UsageError: as `find_intervals`.
    """
    options = options or IntervalOptions()
    options.check()
    _, traces = folder.steady(lambda: _recorded(folder))
    options = options.for_traces(traces)
    return _hierarchy(options.pruned(traces), traces, options, progress)


def find_grammars(
    folder: Folder, every: int = DEFAULT_EVERY, options: GrammarOptions | None = None
) -> GrammarResult:
    """What repeats in a run's events; nothing is run, and nothing written.

    Args:
        folder: of a run that was recorded with its events.
        every: see IntervalOptions.
        options: what is told; None: the defaults.

    Raises:
        DataError, UsageError: as `find_intervals`.
    """
    IntervalOptions(every=every).check()
    _, traces = folder.steady(lambda: _recorded(folder))
    return grammars([prune(trace, every) for trace in traces], options)


@alone("intervals --fixed")
def restore_fixed(folder: Folder) -> tuple[str, ...]:
    """Go back to the intervals of fixed length that a run was recorded with.

    Returns:
        What became of files that were made from intervals of variable length, one phrase each.

    Raises:
        DataError: its intervals are those it was recorded with, or a file is damaged.
        WorkError: a file cannot be written.
    """
    return keep_fixed(folder)


@dataclass(frozen=True)
class _Found:
    """A hierarchy, and the program cut into intervals selected from it."""

    tree: Hierarchy
    cuts: Cuts
    made: Recut
    coarse: tuple[str, ...]
    thinned: tuple[str, ...]

    @property
    def is_of_another_run(self) -> bool:
        """Whether the program did not do what it had done when its events were recorded."""
        return self.made.boundaries.lost > NEGLIGIBLE * self.made.boundaries.asked


def _cut(
    program: Repeated,
    traces: Sequence[Trace],
    before: Profile,
    options: IntervalOptions,
    progress: Progress | None,
) -> _Found:
    pruned = options.pruned(traces)
    tree = _hierarchy(pruned, traces, options, progress)
    assert options.minimum is not None and options.maximum is not None
    chosen = tree.select(options.minimum, options.maximum)
    details = before.provenance.details
    cuts = Cuts.after(chosen, pruned, details.get("build_ids", {}), details.get("families"))
    said = _coarse(pruned, options.maximum), _thinned(pruned, options.every)
    del pruned  # while the program runs
    return _Found(tree, cuts, program.recut(cuts), *said)


def _coarse(pruned: Sequence[Events], maximum: int) -> tuple[str, ...]:
    """What is to be said where intervals are longer than asked for because there is no event within them."""
    gaps = np.concatenate([np.diff(one.position, prepend=0, append=one.instructions) for one in pruned])
    long = gaps[gaps > maximum]
    share = long.sum() / max(int(gaps.sum()), 1)
    return (_COARSE.format(100 * share, maximum, int(long.max())),) if share > NEGLIGIBLE else ()


def _thinned(pruned: Sequence[Events], every: int) -> tuple[str, ...]:
    """What is to be said where a program has so many rare places that more were left out than asked for."""
    raised = max(one.every for one in pruned)
    return (_THINNED.format(raised),) if raised > every else ()


def _hierarchy(
    pruned: Sequence[Events], traces: Sequence[Trace], options: IntervalOptions, progress: Progress | None
) -> Hierarchy:
    return hierarchy(
        pruned,
        traces=traces,
        coverage=options.coverage,
        shortest=options.shortest,
        seed=options.seed,
        progress=progress,
    )


def _require_finished(folder: Folder) -> None:
    """See that the run was recorded to its end, for the program to do the same once more.

    Raises:
        DataError: it was not.
    """
    if folder.is_unfinished():
        raise DataError(
            "the recording was cut short: the program, run once more, would do more than what was recorded",
            path=folder.path,
            hint="record it again: `phasemark profile --events`; --levels and --grammar show what is there",
        )


def _recorded(folder: Folder) -> tuple[Profile, tuple[Trace, ...]]:
    """The profile of fixed length and the events, of one run; of one that is unfinished, those so far."""
    if not folder.is_unfinished() and not folder.events.exists():
        if folder.entry_of("profile").get("command") == "parallel":
            raise DataError(
                "the runs were joined without their loops, calls and returns",
                path=folder.path,
                hint="make the intervals of each run, then join them: phasemark intervals RUN",
            )
        raise DataError(
            "is not there: the run was recorded without its loops, calls and returns",
            path=folder.events,
            hint="record it again with `phasemark profile --events`",
        )
    traces = read_events(folder.path)
    variable = bool(folder.entry_of("intervals")) and folder.fixed.exists()
    before = profile_h5.read(folder.fixed) if variable else read(folder.path)
    table = before.interval_table
    threads = set(table.thread[table.length > 0].tolist())
    traced = sum(trace.instructions for trace in traces)
    # Events that were recorded again are of a run that did nearly the same.
    if threads != {trace.thread for trace in traces if trace.instructions} or not are_alike(
        traced, before.instructions
    ):
        raise DataError(
            "its threads are not those of the profile, or not as long",
            path=folder.events,
            hint="record the run again with `phasemark profile --events`",
        )
    return before, traces


def _counted(
    found: _Found, traces: Sequence[Trace], minimum: int, maximum: int
) -> tuple[Profile, tuple[str, ...]]:
    """The profile with how often each loop, call and return happened, and with which of them intervals begin;
    and what is to be said of that.
    """
    profile = found.made.profile
    details = {**profile.provenance.details, "shortest_asked": minimum, "longest_asked": maximum}
    provenance = dataclasses.replace(profile.provenance, interval=None, details=details)
    profile = dataclasses.replace(profile, provenance=provenance)
    known = {trace.thread for trace in traces}
    if unknown := sorted(set(profile.interval_table.thread.tolist()) - known):
        return profile, (
            f"{counted(len(unknown), 'thread')} had no events: loops, calls and returns were not counted",
        )
    counts = count_events(traces, profile.interval_table)
    markers = profile.markers
    if markers is not None:
        site = found.cuts.sites_for(profile.interval_table).astype(np.int32)
        markers = dataclasses.replace(markers, site=site)
    return dataclasses.replace(profile, sites=traces[0].sites, events=counts, markers=markers), ()
