"""What every collector can do; tests/collect/engines/test_protocol.py holds each to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from numpy.typing import ArrayLike

from phasemark.collect.boundaries import Boundaries
from phasemark.collect.cuts import Cuts
from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.process_tree import Image
from phasemark.collect.stream.contents import Ints
from phasemark.model import Metrics, Profile
from phasemark.progress import Progress
from phasemark.store.events_h5 import PackedTrace

#: Code that is looked at each time it is executed, in case it was rewritten: none, what is on a stack, all,
#: all that is in no file.
SMC_CHECKS = ("none", "stack", "all", "all-non-file")

#: One line of memory of so many is looked at: docs/adr/0067-memory-beside-code.md.
LINES = 64

#: Repeats of one event are put together to as many instructions: so a long loop can still be divided.
LONGEST_TOKEN = 10_000


@dataclass(frozen=True)
class Fold:
    """What intervals are folded into, instead of being recorded.

    Attributes:
        counters: how many, 1 to 16,384.
        seed: of the hash that code is shared out by, 0 to 2^64 - 1.
    """

    counters: int
    seed: int


@dataclass(frozen=True)
class Job:
    """What a collector is to run and record.

    Attributes:
        command: the program and its arguments; a relative name is one from `cwd`.
        interval: instructions per interval.
        cwd: the folder that the program starts in; None: ours.
        timing: configuration of the timing model, flat text; None: it is off. Only a TimingCollector has one.
        windows: lines `thread warm start end`: only there the model is on, and no vectors are recorded;
            None: it is on all the time.
        cuts: lines `thread position`: intervals end there, whatever `interval` says. Only a CuttingCollector
            has them.
        events: loops, calls and returns are recorded, too. Only an EventCollector does.
        memory: of one line of memory in so many it is recorded how long ago it was used, a power of two; 0:
            of none. Only MEMORY_COLLECTORS do.
        smc_check: one of SMC_CHECKS; None: as the program's own files and mappings suggest.
        signature: what samples are a count of, one of sampling.signature.SIGNATURES; None: its default. Only
            a SamplingCollector has one.
        live: intervals are folded, and sent through the pipe `live` in the folder `raw` as they end; None:
            they are recorded. Only collectors of LIVE_COLLECTORS do.
    """

    command: Sequence[str]
    interval: IntervalLength
    cwd: Path | None = None
    timing: str | None = None
    windows: str | None = None
    cuts: str | None = None
    events: bool = False
    memory: int = 0
    smc_check: str | None = None
    signature: str | None = None
    live: Fold | None = None


class Beside(Protocol):
    """What runs beside a program rather than under it, from before its first instruction to its end."""

    def start(self, pid: int) -> None:
        """Begin; the program is stopped until this returns.

        Raises:
            CollectorError: it cannot; the program is not run.
        """

    def stop(self) -> None:
        """The program has ended."""


@dataclass(frozen=True)
class Invocation:
    """How to start the program under the collector.

    Attributes:
        command: the collector with its options, and the program.
        cwd: the folder that the program starts in; None: ours.
        environment: of the program; None: ours.
        files: name -> text: what the collector reads from the folder `raw`.
        beside: what is to run beside it; the command then stops itself once, before it does anything else.
    """

    command: Sequence[str]
    cwd: Path | None = None
    environment: Mapping[str, str] | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    beside: Beside | None = None


class Collector(Protocol):
    """A tool that runs a program and leaves files from which profiles are made."""

    name: str

    def prepare(self, job: Job, raw: Path) -> Invocation:
        """How to run a program so that the files go to the folder `raw`.

        Args:
            job: what to run.
            raw: absolute; there and empty by the time the program runs.

        Raises:
            MissingTool: the tool is not on this machine; says how to get it.
            CollectorError: the program cannot be run under it; says why.
            WorkError: there is no folder `cwd`.
            UsageError: it cannot cut such intervals.
        """

    def images(self, raw: Path) -> tuple[list[Image], list[str]]:
        """The process images recorded so far, and warnings, one sentence each."""

    def profile(
        self,
        image: Image,
        interval: IntervalLength,
        *,
        complete: bool = True,
        progress: Progress | None = None,
    ) -> Profile:
        """The profile of one image.

        Args:
            image: what was recorded.
            interval: that was asked for.
            complete: whether it ran to its end.
            progress: called with the bytes that were read, and of how many, where that may take long.

        Raises:
            DataError: a file of it is malformed.
        """


class TimingCollector(Collector, Protocol):
    """A collector that can count, in the same run, what a machine would do."""

    def metrics(
        self, image: Image, thread: ArrayLike, index: ArrayLike, start: ArrayLike, end: ArrayLike
    ) -> tuple[Metrics, Ints]:
        """What was counted in n intervals of one image, and which were not; see stream.counting.metrics.

        Raises:
            DataError: a file of it is malformed.
        """


class CuttingCollector(Collector, Protocol):
    """A collector that can end intervals at given positions; profiles of such runs have markers."""

    def boundaries(self, image: Image, cuts: Cuts) -> Boundaries:
        """Whether the boundaries were found again in one image.

        Raises:
            DataError: a file of it is malformed.
        """


class EventCollector(Collector, Protocol):
    """A collector that can record loops, calls and returns."""

    def events(self, image: Image, profile: Profile) -> tuple[PackedTrace, list[str]]:
        """The events of one image, up to where its profile ends, and what is missing of them.

        Raises:
            DataError: a file of it is malformed.
        """


class SamplingCollector(Collector, Protocol):
    """A collector that looks now and then where the program is.

    Lengths are in the unit of what it samples by, which the provenance says, and what runs for less than the
    time between two samples may leave nothing.
    """

    def metrics_beside(self, image: Image, interval: IntervalLength) -> Metrics | None:
        """What was sampled beside the measure of length, in the intervals of the profile; None: nothing."""
