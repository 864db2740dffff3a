"""The built-in simulator: the collector's timing model, switched on in the windows of a plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from phasemark.collect import Headway, count
from phasemark.model import Metrics
from phasemark.simulate.config import TimingConfig
from phasemark.simulate.plan import Plan
from phasemark.simulate.simulator import Program, Simulation


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
        counted = count(
            program.command,
            plan,
            self.config.flat(),
            process=program.process,
            families=program.families,
            smc_check=program.smc_check,
            cwd=program.cwd,
            stdin=program.stdin,
            progress=progress,
        )
        return Simulation(
            self.complete(counted.metrics),
            counted.missing,
            counted.images,
            counted.analysed,
            counted.status,
            counted.cpu_seconds,
            counted.warnings,
            interrupted=counted.interrupted,
        )

    def complete(self, counted: Metrics) -> Metrics:
        """What the collector counted, with what follows from the configuration: energy, and no L3 if none."""
        counters = dict(counted.counters)
        if counters:
            counters["energy"] = self.config.energy(counters)
        if self.config.l3 is None:
            counters = {name: values for name, values in counters.items() if not name.startswith("l3_")}
        return dataclasses.replace(counted, counters=counters, units={"energy": "pJ"}, source=self.source)
