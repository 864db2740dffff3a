"""The built-in simulator: the collector's timing model, switched on in the windows of a plan."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from phasemark.collect import Headway, process_tree
from phasemark.collect.engines.valgrind import Valgrind
from phasemark.collect.process_tree import Image
from phasemark.collect.running import execute
from phasemark.collect.stream import counting
from phasemark.collect.stream.reader import RawStream
from phasemark.collect.watching import Watch
from phasemark.errors import CollectorError
from phasemark.model import Metrics
from phasemark.simulate.config import TimingConfig
from phasemark.simulate.plan import Plan
from phasemark.simulate.simulator import Program, Simulation

#: The collector wants one, and cuts none where there are windows.
_INTERVAL = 1_000_000


@dataclass(frozen=True)
class TimingModel:
    """Simulates on the timing model; see docs/timing-model.md and Simulator."""

    config: TimingConfig

    @property
    def source(self) -> str:
        """See Simulator."""
        return f"timing model {self.config.name}"

    def simulate(
        self, program: Program, plan: Plan, progress: Callable[[Headway], None] | None = None
    ) -> Simulation:
        """See Simulator."""
        windows = "".join(f"{' '.join(map(str, line))}\n" for line in plan.lines())
        collector = Valgrind(self.config.flat(), windows)
        with tempfile.TemporaryDirectory(prefix="phasemark-") as temporary:
            raw = Path(temporary)
            invocation = collector.prepare(program.command, raw, _INTERVAL, program.cwd)
            watch = Watch(raw)
            ended = execute(
                invocation, raw, lambda: progress(watch.update()) if progress else None, stdin=program.stdin
            )
            images, warnings = collector.images(raw)
            image = _chosen(images, program, ended.status, warnings)
            counted, missing = counting.metrics(
                RawStream(image.files[0]), plan.thread, plan.index, plan.start, plan.end
            )
        return Simulation(
            self.complete(counted),
            missing,
            tuple(images),
            image,
            ended.status,
            ended.cpu_seconds,
            tuple(warnings),
        )

    def complete(self, counted: Metrics) -> Metrics:
        """What the collector counted, with what follows from the configuration: energy, and no L3 if none."""
        counters = dict(counted.counters)
        if counters:
            counters["energy"] = self.config.energy(counters)
        if self.config.l3 is None:
            counters = {name: values for name, values in counters.items() if not name.startswith("l3_")}
        return dataclasses.replace(counted, counters=counters, units={"energy": "pJ"}, source=self.source)


def _chosen(images: list[Image], program: Program, status: int, warnings: list[str]) -> Image:
    recorded = [image for image in images if image.instructions]
    if not recorded:
        raise CollectorError(
            f"nothing was recorded of {program.command[0]} (exit status {status})"
            + "".join(f"; {warning}" for warning in warnings)
        )
    image = process_tree.chosen(recorded, program.process)
    if image is None:
        raise CollectorError(
            f"nothing was recorded of a process {program.process!r}",
            hint="profile the run again with --process; its processes were: "
            + ", ".join(image.program for image in recorded),
        )
    return image
