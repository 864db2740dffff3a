"""All process images of a run as one profile, whose threads are those of all of them."""

from __future__ import annotations

import dataclasses

import numpy as np

from phasemark.collect.engines.protocol import Collector, TimingCollector
from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.process_tree import Image, processes
from phasemark.model import Metrics, Profile, Threads
from phasemark.progress import Progress


def profile(
    collector: Collector,
    image: Image,
    interval: IntervalLength,
    *,
    complete: bool = True,
    progress: Progress | None = None,
) -> Profile:
    """The profile of an image, or of all that it is the parts of.

    Of several, threads are numbered anew: those of the first process, then those of the second. Processes
    have no clock in common, so it is not kept when their intervals began.

    Raises:
        DataError: a file of it is malformed.
    """
    found = collector.profile(image, interval, complete=complete, progress=progress)
    return found if not image.parts else _of_one_run(found, image.parts)


def metrics(collector: TimingCollector, image: Image, of: Profile) -> Metrics:
    """What the timing model counted in each interval of a profile that `profile` gave.

    Raises:
        DataError: a file of it is malformed.
    """
    table = of.interval_table
    end = table.start + table.length
    if not image.parts:
        return collector.metrics(image, table.thread, table.index, table.start, end)[0]
    assert of.threads is not None
    found, first = [], 0
    for part in image.parts:
        threads = int((of.threads.process == part.number).sum())
        rows = (table.thread >= first) & (table.thread < first + threads)
        local = table.thread[rows] - first
        own, _ = collector.metrics(part, local, table.index[rows], table.start[rows], end[rows])
        found.append(dataclasses.replace(own, thread=own.thread + first))
        first += threads
    return _below_one_another(found)


def _of_one_run(found: Profile, parts: tuple[Image, ...]) -> Profile:
    """Runs, one a process, become threads."""
    table = found.interval_table
    first = table.first_of_thread()
    thread = (np.cumsum(first) - 1).astype(np.int32)
    of = table.run[first]  # each thread's process, by its place among the parts
    threads = Threads(
        np.zeros(len(of), np.int32),
        np.arange(len(of), dtype=np.int32),
        np.array([part.number for part in parts], np.int32)[of],
        tuple(parts[i].program for i in of.tolist()),
        np.array([part.pid for part in parts])[of],
    )
    details = {k: v for k, v in found.provenance.details.items() if k != "clock"}
    details |= {"threads": len(of), "processes": processes(parts)}
    return dataclasses.replace(
        found,
        interval_table=dataclasses.replace(
            table, run=np.zeros(len(table), np.int32), thread=thread, began=None, ended=None
        ),
        provenance=dataclasses.replace(found.provenance, command=parts[0].command, details=details),
        threads=threads,
    )


def _below_one_another(found: list[Metrics]) -> Metrics:
    names = list(found[0].counters)
    joined = {
        name: np.concatenate([getattr(part, name) for part in found])
        for name in ("run", "thread", "index", "start", "length")
    }
    counters = {name: np.concatenate([part.counters[name] for part in found]) for name in names}
    return Metrics(**joined, counters=counters, units=found[0].units, source=found[0].source)
