"""Samples -> Profile, and the Metrics of the other events that were sampled with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark._version import __version__
from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.sampling import signature as signatures
from phasemark.collect.sampling.cutting import Cut, cut
from phasemark.collect.sampling.events import Measure, counter, measure
from phasemark.errors import DataError, UsageError, counted
from phasemark.model import Counts, Metrics, Profile, Provenance, Samples, Threads

#: Of the automatic length: so many samples in an interval, and about so many intervals in the longest thread.
LEAST_SAMPLES, MANY_INTERVALS = 50, 1000

#: Of all periods.
_MOST = 2.0**62

#: What `began` counts.
CLOCK = "nanoseconds of the clock of perf"


@dataclass(frozen=True, eq=False)
class Sampled:
    """What was made of samples.

    Attributes:
        profile: of all threads.
        metrics: of the events that were counted beside instructions, per interval; None where there are none.
    """

    profile: Profile
    metrics: Metrics | None


def profile_of(
    samples: Samples,
    interval: IntervalLength | None = None,
    *,
    signature: str | None = None,
    event: str | None = None,
    command: Sequence[str] = (),
    tool: str = "perf",
    details: dict[str, Any] | None = None,
    notes: Sequence[str] = (),
    complete: bool = True,
    written: float | None = None,
) -> Sampled:
    """Make a profile of samples.

    Vectors count each sample with its period, so a row sums to the length of its interval; both are in the
    unit of the event: instructions where these were sampled, else cycles, or nanoseconds of the time that a
    thread was on a processor, or samples.

    Args:
        samples: of a run, or of some of its processes.
        interval: length of an interval, in that unit; None or `auto`: about 1000 intervals in the longest
            thread, of 50 samples or more.
        signature: one of signature.SIGNATURES; None: basic blocks, where modules can be read.
        event: the event that measures progress; None: the best there is.
        command, tool, details, notes: for the provenance; details and notes join what samples say.
        complete: whether the run came to its end.
        written: when the samples were, seconds since 1970: a module without a known build-id that changed
            after that is not read; None: not known.

    Raises:
        DataError: no event measures progress, or no sample can be mapped as asked.
        UsageError: no such event or signature, or intervals shorter than samples.
    """
    chosen = measure(samples.events, event, weighted=samples.weighted)
    mine = samples.of_event(chosen.number)
    if float(mine.period.astype(np.float64).sum()) > _MOST:
        raise DataError(
            "the periods of the samples sum to 2^62 or more", hint="a number in the text is damaged"
        )
    length = _length(mine, interval, chosen)
    mapping = signatures.of(mine, signature, written=written)
    parts = cut(mine, length, is_clock=chosen.is_clock)
    provenance = Provenance(
        tool=tool,
        tool_version=samples.source[1],
        phasemark=__version__,
        command=tuple(command),
        unit="samples" if chosen.unit == "samples" else f"sampled {chosen.unit}",
        block_definition=f"sampled: {signatures.SIGNATURES[signature or 'block']}",
        interval=length,
        complete=complete and samples.complete,
        warnings=tuple(
            dict.fromkeys(
                [*_unit_notes(chosen), *samples.notes, *mapping.notes, *_others(samples, chosen),
                 *_stalls(parts), *notes]
            )
        ),
        details={
            "length_unit": chosen.unit,
            "event": chosen.event,
            "samples": len(mine),
            "period": int(np.median(mine.period)),
            "signature": signature or "block",
            "interval_asked": interval or "auto",
            "threads": len(samples.tid),
            "processes": [[p.pid, p.name] for p in samples.processes],
            "build_ids": {
                name: build for name, build in samples.build_ids.items() if name in mapping.blocks.modules
            },
            **({"clock": CLOCK} if samples.timed else {}),
            **(details or {}),
        },
    )  # fmt: skip
    counts = _counts(mine, mapping, parts)
    threads = _threads(samples, parts)
    profile = Profile(mapping.blocks, parts.intervals, counts, provenance, threads=threads)
    return Sampled(profile, _metrics(samples, mine, chosen, parts))


def _threads(samples: Samples, parts: Cut) -> Threads | None:
    """Which process each thread is of; None where all are of one."""
    thread = np.unique(parts.intervals.thread)
    process = samples.process[thread]
    numbers, which = np.unique(process, return_inverse=True)
    if len(numbers) < 2:
        return None
    chosen = [samples.processes[number] for number in process.tolist()]
    return Threads(
        np.zeros(len(thread), np.int32),
        thread,
        (which + 1).astype(np.int32),
        tuple(one.name for one in chosen),
        np.array([one.pid for one in chosen], np.int64),
    )


def _length(samples: Samples, interval: IntervalLength | None, chosen: Measure) -> int:
    period = int(np.median(samples.period))
    if interval is None or interval == "auto":
        longest = int(np.bincount(samples.thread, samples.period).max())
        return _round(max(longest // MANY_INTERVALS, LEAST_SAMPLES * period, 1))
    if interval < period:
        raise UsageError(
            f"intervals of {interval:,} {chosen.unit} are shorter than what a sample stands for ({period:,})",
            hint=f"choose --interval {_round(LEAST_SAMPLES * period)} or more, or sample more often",
        )
    return interval


def _round(least: int) -> int:
    """The least of 1, 2 and 5 times powers of ten that is not below."""
    power = int(10 ** (len(str(least)) - 1))
    return int(next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least))


def _counts(samples: Samples, mapping: signatures.Signature, parts: Cut) -> Counts:
    columns = len(mapping.blocks)
    key = parts.row * columns + mapping.column[samples.place[parts.sample]]
    keys, inverse = np.unique(key, return_inverse=True)
    data = np.zeros(len(keys), np.int64)
    np.add.at(data, inverse, parts.amount)
    rows = np.bincount(keys // columns, minlength=len(parts.intervals))
    return Counts(np.concatenate(([0], np.cumsum(rows))), keys % columns, data, columns)


def _metrics(samples: Samples, mine: Samples, chosen: Measure, parts: Cut) -> Metrics | None:
    """Instructions and what was counted beside them; None where instructions were not, or nothing else."""
    table = parts.intervals
    own = chosen.unit if chosen.unit in ("instructions", "cycles") else ""
    counters = {own: table.length.astype(np.float64)} if own else {}
    for number, event in enumerate(samples.events):
        if number != chosen.number and samples.weighted and counter(event) not in counters:
            values = _spread(samples.of_event(number), mine, parts)
            if np.isfinite(values).any():
                counters[counter(event)] = values
    if len(counters) < 2 or "instructions" not in counters:
        return None
    return Metrics(
        table.run, table.thread, table.index, table.start, table.length, counters,
        source=f"perf, sampled by {chosen.event}",
    )  # fmt: skip


def _spread(other: Samples, mine: Samples, parts: Cut) -> NDArray[np.float64]:
    """What another event counted in each interval; NaN in threads where it was not sampled.

    Its sample counts with the sample of the measure that ends the stretch in which it lies: of a group the
    one at the same time, else the next one of the thread.
    """
    counted_with = np.zeros(len(mine), np.float64)
    known = np.zeros(len(parts.intervals), np.bool_)
    for thread in np.unique(other.thread).tolist():
        first, last = np.searchsorted(mine.thread, (thread, thread + 1))
        rows = slice(*np.searchsorted(other.thread, (thread, thread + 1)))
        if first == last:
            continue
        at = first + np.searchsorted(mine.time[first:last], other.time[rows])
        np.add.at(counted_with, np.minimum(at, last - 1), other.period[rows])
        known |= parts.intervals.thread == thread
    share = parts.amount / mine.period[parts.sample]
    sums = np.bincount(parts.row, counted_with[parts.sample] * share, minlength=len(known))
    return np.where(known, sums, np.nan)


def _unit_notes(chosen: Measure) -> list[str]:
    if chosen.unit == "instructions":
        return ["samples: where code ran is known at every so many instructions, and estimated between"]
    return [
        f"lengths are in {chosen.unit} (of {chosen.event}), not in instructions, wherever they are named so"
    ]


def _others(samples: Samples, chosen: Measure) -> list[str]:
    many = int(np.count_nonzero(samples.event != chosen.number))
    others = sorted({samples.events[n] for n in np.unique(samples.event).tolist()} - {chosen.event})
    if not many:
        return []
    return [f"{counted(many, 'sample')} of {', '.join(others)[:200]} count in no vector"]


def _stalls(parts: Cut) -> list[str]:
    if parts.stalls == 0:
        return []
    return [
        f"{counted(parts.stalls, 'interval')} ended where its thread waited while others went on by more "
        "than an interval"
    ]
