"""perf: the program at native speed, sampled; by hardware counters where the machine has them.

With counters a sample is taken every million instructions of a thread, and, apart from that, every million
cycles; not both in one group (`{...}:S`), in which perf does not follow threads and children. Without, which
is the rule in virtual machines, a sample is taken every millisecond that a thread was on a processor.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import phasemark
from phasemark.collect.engines import perf_attached, preflight
from phasemark.collect.engines.perf_attached import Attached
from phasemark.collect.engines.protocol import Invocation, Job
from phasemark.collect.interval_length import IntervalLength, written
from phasemark.collect.process_tree import Image
from phasemark.collect.sampling.events import measure
from phasemark.collect.sampling.profile import LEAST_SAMPLES, Sampled, profile_of
from phasemark.collect.sampling.signature import SIGNATURES
from phasemark.errors import CollectorError, DataError, MissingTool, UsageError, shown
from phasemark.formats.perf import data
from phasemark.model import Metrics, Profile, Samples
from phasemark.progress import Progress
from phasemark.symbols import build_id

HOLD = "phasemark-hold"

#: What the engine was asked for, in the folder of its files.
ASKED = "sampling.json"

#: The machine's ELF number by its name: what runs here natively.
MACHINES = {
    "x86_64": preflight.X86_64,
    "AMD64": preflight.X86_64,
    "aarch64": preflight.AARCH64,
    "riscv64": preflight.RISCV,
}

_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")

#: The highest level at which all may sample their own programs in user mode.
_OPEN = 2


@dataclass(frozen=True)
class Sampling:
    """How a program is sampled.

    Attributes:
        events: what is sampled; the first measures progress.
        period: of each, in its own unit.
        unit: of the first.
    """

    events: tuple[str, ...]
    period: int
    unit: str


#: By hardware counters, and by the clock of the system.
COUNTERS = Sampling(("instructions:u", "cycles:u"), 1_000_000, "instructions")
CLOCK = Sampling(("task-clock:u",), 1_000_000, "nanoseconds")


class Perf:
    """Runs the program as it is, with `perf record` attached to it; one perf.data of all processes."""

    name = "perf"

    def prepare(self, job: Job, raw: Path) -> Invocation:
        """See Collector."""
        if job.smc_check is not None:
            raise UsageError("perf samples code wherever it lies", hint="leave out --smc-check")
        if job.signature is not None and job.signature not in SIGNATURES:
            raise UsageError(
                f"{shown(job.signature)} is no signature", hint=f"choose one of {', '.join(SIGNATURES)}"
            )
        perf, hold = data.find(), hold_file()
        preflight.check(job.command[0], cwd=job.cwd, machines=(MACHINES.get(platform.machine(), 0),))
        sampling = probed(perf)
        if job.interval != "auto" and job.interval < sampling.period:
            raise UsageError(
                f"intervals of {job.interval:,} are too short for samples every {sampling.period:,} "
                f"{sampling.unit}",
                hint=f"choose --interval {written(LEAST_SAMPLES * sampling.period)} or more, or auto",
            )
        options = [word for event in sampling.events for word in ("-e", event)]
        asked = {"command": list(job.command), "signature": job.signature, "period": sampling.period}
        return Invocation(
            [str(hold), *job.command],
            job.cwd,
            files={ASKED: json.dumps(asked)},
            beside=Attached(perf, [*options, "-c", str(sampling.period)], raw),
        )

    def images(self, raw: Path) -> tuple[list[Image], list[str]]:
        """See Collector."""
        path = raw / perf_attached.DATA
        try:
            samples = _samples(path, *_state(path))
        except (DataError, FileNotFoundError):
            said = perf_attached.said(raw)
            return [], [
                "no sample was taken: none of its threads was on a processor for a millisecond, or never in "
                "its own code" + (f"; perf says: {said}" if said else "")
            ]
        command = _asked(raw).get("command", [])
        return _images(samples, path, tuple(command)), list(samples.notes)

    def profile(
        self,
        image: Image,
        interval: IntervalLength,
        *,
        complete: bool = True,
        progress: Progress | None = None,
    ) -> Profile:
        """See Collector."""
        return self._sampled(image, interval, complete=complete).profile

    def metrics_beside(self, image: Image, interval: IntervalLength) -> Metrics | None:
        """See SamplingCollector."""
        return self._sampled(image, interval).metrics

    def _sampled(self, image: Image, interval: IntervalLength, *, complete: bool = True) -> Sampled:
        path = image.files[0]
        samples = _samples(path, *_state(path))
        samples = samples.of_processes(np.array([_listed(samples)[image.number - 1]]))
        builds = {name: build for name in samples.modules if (build := build_id(name))}
        asked = _asked(path.parent)
        return profile_of(
            replace(samples, build_ids=builds),
            interval,
            signature=asked.get("signature"),
            command=image.command,
            complete=complete and image.ended,
            details={"engine": "perf", "engine_version": samples.source[1], "cpu": platform.processor()},
        )


def hold_file() -> Path:
    """The program that holds another until perf is attached to it.

    Raises:
        MissingTool: it was not built.
    """
    for place in phasemark.__path__:
        path = Path(place).absolute() / "_collector" / HOLD
        if path.exists():
            return path
    raise MissingTool(
        f"this phasemark was built without {HOLD}, which starts programs for perf",
        hint="apt install linux-perf gcc libc6-dev, then install phasemark again "
        "(pip install --force-reinstall --no-binary phasemark phasemark, or script/setup in its source)",
    )


@lru_cache(maxsize=4)
def probed(perf: str) -> Sampling:
    """What can be sampled here.

    Raises:
        CollectorError: nothing; says why, and what to change.
    """
    events = (*COUNTERS.events, *CLOCK.events)
    command = [perf, "stat", "-x", ",", *(word for event in events for word in ("-e", event)), "--", "true"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=data.environment(), stdin=subprocess.DEVNULL
    )
    return chosen(done.stderr)


def chosen(told: str) -> Sampling:
    """How to sample, by what `perf stat -x,` says of the events.

    Raises:
        CollectorError: nothing can be sampled.
    """
    fields = [line.split(",") for line in told.splitlines()]
    counted_here = {row[2] for row in fields if len(row) > 2 and row[0].replace(".", "").isdigit()}
    for sampling in (COUNTERS, CLOCK):
        if counted_here.issuperset(sampling.events):
            return sampling
    level = _paranoid()
    if level is not None and level > _OPEN and os.geteuid() != 0:
        raise CollectorError(
            f"only root may sample programs here (kernel.perf_event_paranoid is {level})",
            hint=f"sudo sysctl kernel.perf_event_paranoid={_OPEN}; or profile with the default collector",
        )
    reason = next((line.strip() for line in told.splitlines() if line.strip()), "it gives no reason")
    raise CollectorError(
        f"perf cannot sample programs here: {reason[:200]}",
        hint="in a container, allow the system call perf_event_open; or profile with the default collector",
    )


def _paranoid() -> int | None:
    try:
        return int(_PARANOID.read_text())
    except (OSError, ValueError):
        return None


def _state(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=2)
def _samples(path: Path, _size: int, _mtime: int) -> Samples:
    # Size and time are in the key, as the file grows while the program runs.
    return data.read(path)


def _asked(raw: Path) -> Mapping[str, Any]:
    try:
        return dict(json.loads((raw / ASKED).read_text(encoding="ascii")))
    except (OSError, ValueError, TypeError):
        return {}


def _images(samples: Samples, path: Path, command: tuple[str, ...]) -> list[Image]:
    main = measure(samples.events, weighted=samples.weighted).number
    period = samples.period * (samples.event == main)
    images: list[Image] = []
    for number in _listed(samples):
        process = samples.processes[number]
        threads = samples.process == number
        mine = threads[samples.thread]
        is_first = process.origin == "start"
        images.append(
            Image(
                len(images) + 1,
                process.pid,
                process.parent,
                process.origin,
                command if is_first else (process.name,),
                int(period[mine].sum()),
                int(threads.sum()),
                process.ended,
                (path,),
            )
        )
    return images


def _listed(samples: Samples) -> list[int]:
    """The processes that are the program's: not the one that was held before it became the program."""
    sampled = set(np.unique(samples.process).tolist())
    return [
        number
        for number, process in enumerate(samples.processes)
        if number in sampled or process.name not in (HOLD, "perf-exec")
    ]
