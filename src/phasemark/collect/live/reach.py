"""How far perf reaches: a whole process, or of one with too many threads what can be had.

perf opens two files for each thread on each processor, and there is a limit to these. Beyond it, who may
sample the whole machine does that, two files for each processor, and passes over what is not the process's.
Who may not watches the threads that are on processors most.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import counted

#: Seconds in which it shows which threads are busy.
_LOOK = 1.0

#: Files that perf opens for a thread on each processor; those that it needs besides, at most.
_FILES, _BESIDES = 2, 256

#: Threads that a command line has room for.
_NAMED = 16_000


@dataclass(frozen=True)
class Reach:
    """What perf is attached to.

    Attributes:
        options: of `perf record`.
        machine: the whole machine is sampled, other programs, too.
        note: what the user should know of it; empty: nothing.
    """

    options: Sequence[str]
    machine: bool = False
    note: str = ""


def whole(pid: int) -> Reach:
    """All of a process."""
    return Reach(["-p", str(pid)])


def others(pid: int) -> Iterator[Reach]:
    """What may be had of a process of too many threads, the best first."""
    threads = len(_run_times(pid))
    many = f"process {pid} has {counted(threads, 'thread')}, more than perf may open files for"
    yield Reach(["-a"], True, f"{many}: the whole machine is sampled, and other programs are passed over")
    before = _run_times(pid)
    time.sleep(_LOOK)
    recent = {thread: ran - before.get(thread, 0) for thread, ran in _run_times(pid).items()}
    ranked = sorted(recent, key=lambda thread: (recent[thread], before.get(thread, 0)), reverse=True)
    most = min(len(ranked) - 1, _NAMED, _fitting())
    while most > 0:
        there = _run_times(pid)  # perf takes no thread that has ended
        chosen = [thread for thread in ranked if thread in there][:most]
        yield Reach(
            ["-t", ",".join(map(str, chosen)), "--inherit"],
            note=f"{many}: the {len(chosen):,} busiest are watched, and those that they start"
            + _share(sum(recent[thread] for thread in chosen), sum(recent.values())),
        )
        most //= 2


def _fitting() -> int:
    """Threads that there are files for."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return max(limit - _BESIDES, 0) // (_FILES * (os.cpu_count() or 1)) if limit > 0 else _NAMED


def _run_times(pid: int) -> dict[int, int]:
    """Threads, and for how many nanoseconds each was on a processor; 0 where the system does not say."""
    found = {}
    for folder in _listed(Path(f"/proc/{pid}/task")):
        try:
            ran = int((folder / "schedstat").read_text().split()[0])
        except FileNotFoundError:
            if not folder.exists():  # it has just ended
                continue
            ran = 0
        except (OSError, ValueError, IndexError):
            ran = 0
        found[int(folder.name)] = ran
    return found


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.3g}% of the process's CPU time in a second)" if whole else ""
