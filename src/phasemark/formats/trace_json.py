"""Trace event JSON, as ui.perfetto.dev and chrome://tracing read it: a track a thread, a slice a stretch.

Times in the file are microseconds; a tick of the timeline's clock is written as a nanosecond. A process of
the trace is a run, or a process of it; ids of threads are unique in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, shown
from phasemark.formats.source import lines
from phasemark.model import Timeline
from phasemark.store.atomic import replacing

__all__ = ["BEGINNING", "Trace", "stretches", "write"]

#: How a file begins.
BEGINNING = b'{"displayTimeUnit":"ns","otherData":{'

#: Events that are turned into text at a time.
_BATCH = 10_000


@dataclass(frozen=True, eq=False)
class Trace:
    """What is written.

    Attributes:
        timeline: stretches; idle ones are gaps in the trace.
        instructions: of each row of the timeline, int64.
        cycles: the same, doubles, NaN where they were not measured; None: they are not known.
        phases: what each phase is called, as text; empty: by its number.
        processes: (run, thread) -> (a number that threads of one process share, its name).
        threads: (run, thread) -> the thread's name.
        made_by: what made it: values that JSON holds.
    """

    timeline: Timeline
    instructions: NDArray[np.int64]
    cycles: NDArray[np.float64] | None = None
    phases: Sequence[str] = ()
    processes: Mapping[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    threads: Mapping[tuple[int, int], str] = field(default_factory=dict)
    made_by: Mapping[str, object] = field(default_factory=dict)


def write(path: str | Path, trace: Trace) -> None:
    """Write a trace.

    Raises:
        WorkError: the file cannot be written.
    """
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", errors="replace") as file:
        about = {"clock": f"1 ns in this file is a tick of: {trace.timeline.clock}", **trace.made_by}
        file.write(
            f'{{"displayTimeUnit":"ns","otherData":{json.dumps(about, sort_keys=True)},"traceEvents":[\n'
        )
        texts: list[str] = []
        begun = False
        for event in _events(trace):
            texts.append(json.dumps(event, separators=(",", ":")))
            if len(texts) == _BATCH:
                file.write((",\n" if begun else "") + ",\n".join(texts))
                texts, begun = [], True
        file.write((",\n" if begun and texts else "") + ",\n".join(texts) + "\n]}\n")


def stretches(path: Path) -> tuple[int, int]:
    """How many slices a trace has that `write` wrote, and of how many threads.

    Raises:
        DataError: it is no such file, or not all of it; names the line.
    """
    slices, threads, ended = 0, set(), False
    for number, line in lines(path):
        text = line.strip()
        if number == 1 or not text:
            continue
        if ended := text == b"]}":
            break
        try:
            event = json.loads(text.rstrip(b","))
            if event["ph"] == "X":
                good = event["dur"] >= 0 and bool(event["name"])
                slices += 1
                threads.add((int(event["pid"]), int(event["tid"])))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise DataError(
                f"is no event of a trace ({shown(str(error), 200)})", path=path, line=number
            ) from error
        if event["ph"] == "X" and not good:
            raise DataError("a slice ends before it begins, or has no name", path=path, line=number)
    if not ended:
        raise DataError("the trace stops before its end", path=path, hint="export it again")
    return slices, len(threads)


def _events(trace: Trace) -> Iterator[dict[str, Any]]:
    """The names of processes and threads, then the slices by time."""
    line = trace.timeline
    firsts = np.flatnonzero(line.first_of_thread())
    keys = list(zip(line.run[firsts].tolist(), line.thread[firsts].tolist(), strict=True))
    ids: dict[tuple[int, int], tuple[int, int]] = {}
    named: set[int] = set()
    for number, key in enumerate(keys):
        process, name = trace.processes.get(key, (key[0], f"run {key[0]}"))
        pid, tid = process + 1, number + 1
        if pid not in named:
            named.add(pid)
            yield _name("process_name", pid, tid, name=name)
            yield _name("process_sort_index", pid, tid, sort_index=pid)
        ids[key] = pid, tid
        yield _name("thread_name", pid, tid, name=trace.threads.get(key, f"thread {key[1]}"))
        yield _name("thread_sort_index", pid, tid, sort_index=tid)
    rows = np.flatnonzero(~line.idle & (line.end > line.start))
    for row in rows[np.argsort(line.start[rows], kind="stable")].tolist():
        pid, tid = ids[int(line.run[row]), int(line.thread[row])]
        yield _slice(trace, row, pid, tid)


def _name(what: str, pid: int, tid: int, **args: object) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": pid, "tid": tid, "ts": 0, "args": args}


def _slice(trace: Trace, row: int, pid: int, tid: int) -> dict[str, Any]:
    line = trace.timeline
    phase, instructions = int(line.phase[row]), int(trace.instructions[row])
    args: dict[str, Any] = {"phase": phase, "instructions": instructions, "interval": int(line.interval[row])}
    if trace.cycles is not None and instructions and np.isfinite(trace.cycles[row]):
        args["cycles"] = round(float(trace.cycles[row]), 3)
        args["CPI"] = round(float(trace.cycles[row]) / instructions, 4)
    return {
        "ph": "X",
        "name": trace.phases[phase] if phase < len(trace.phases) else f"phase {phase}",
        "cat": "phase",
        "pid": pid,
        "tid": tid,
        "ts": int(line.start[row]) / 1000,
        "dur": int(line.end[row] - line.start[row]) / 1000,
        "args": args,
    }
