"""A run of a program with loops within loops: its events, its profile, and what running it again gives."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from phasemark.collect import Boundaries, Cuts, Recut, Request
from phasemark.collect.process_tree import Image
from phasemark.model import Blocks, Counts, Events, Intervals, Markers, Profile, Provenance, Sites
from phasemark.store import profile_h5
from phasemark.store.folder import Folder

#: Outer loop, its two inner ones: where each of their branches is.
SITES = Sites(("/bin/nested",), [0, 0, 0], [0x10, 0x20, 0x30], [0, 0, 0], [0, 0, 0], [0, 0x18, 0x28])

#: Instructions of the inner loops' bodies, and how often each goes round within the outer one.
BODIES, ROUNDS, OUTER = (2_000, 3_000), (10, 20), 40

#: Of the outer loop's turn, and of the whole thread with what is after the last loop.
TURN = sum(body * rounds for body, rounds in zip(BODIES, ROUNDS, strict=True)) + 1_000
LENGTH = OUTER * TURN + 500

FIXED = 50_000

PROVENANCE = Provenance(
    "test", command=("nested",), interval=FIXED, details={"build_ids": {"/bin/nested": "1"}}
)


def events() -> Events:
    """One thread's trace."""
    symbol = np.tile(np.repeat([1, 2, 0], [*ROUNDS, 1]), OUTER)
    since = np.array([1_000, *BODIES])[symbol]
    return Events(SITES, symbol, np.ones(len(symbol), np.int64), np.cumsum(since), LENGTH)


def profile(intervals: Intervals, **more: object) -> Profile:
    """Instructions of the three loops (blocks) in each interval, exactly; the rest is the outer one's."""
    trace = events()
    starts = np.concatenate(([0], trace.position))
    block = np.append(trace.symbol, 0)
    ends = np.append(trace.position, LENGTH)
    rows = []
    for start, end in zip(intervals.start, intervals.start + intervals.length, strict=True):
        within = np.maximum(np.minimum(ends, end) - np.maximum(starts, start), 0)
        rows.append(np.bincount(block, within, 3).astype(np.int64))
    table = np.array(rows)
    indptr = np.concatenate(([0], np.cumsum((table > 0).sum(axis=1))))
    counts = Counts(indptr, np.nonzero(table)[1], table[table > 0], 3)
    blocks = Blocks(("/bin/nested",), [0, 0, 0], [0x8, 0x18, 0x28], [2, 2, 3], [8, 8, 12])
    return Profile(blocks, intervals, counts, dataclasses.replace(PROVENANCE, **more))  # type: ignore[arg-type]


def fixed() -> Intervals:
    """Intervals of fixed length, and a tail."""
    lengths = [FIXED] * (LENGTH // FIXED) + [LENGTH % FIXED]
    return Intervals.of_thread(np.array(lengths), nominal=FIXED)


def recorded(path: Path) -> Folder:
    """The run's folder, as `phasemark profile` leaves it; events.h5 stands for `events`."""
    folder = Folder(path).create()
    with folder.change("profile") as new:
        profile_h5.write(new.profile, profile(fixed()))
        entry = {"command": ["nested"], "cwd": "/", "state": "done", "status": 0, "collector": "valgrind"}
        new.events.write_text("events")
        new.record("profile", entry)
    return folder


def recut(
    request: Request,
    cuts: Cuts,
    *,
    status: int = 0,
    longer: int = 0,
    interrupted: bool = False,
    progress: object = None,
    until: object = None,
) -> Recut:
    """What running the program again gives, cut at the boundaries; the last interval may be longer."""
    table = cuts.intervals
    lengths = table.length.copy()
    lengths[-1] += longer
    none = [0] * len(table)
    made = dataclasses.replace(profile(table), markers=Markers([-1] * len(table), none, none))
    if longer:
        data = made.vectors.data.copy()
        data[made.vectors.indptr[-2]] += longer
        vectors = dataclasses.replace(made.vectors, data=data)
        made = dataclasses.replace(
            made, interval_table=dataclasses.replace(table, length=lengths), vectors=vectors
        )
    image = Image(1, 100, 1, "start", request.command, made.instructions, 1, True, ())
    asked = len(cuts.boundaries)
    return Recut(made, Boundaries(asked, asked), None, (image,), image, status, 1.0, interrupted, ())
