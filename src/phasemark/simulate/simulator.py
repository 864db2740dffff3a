"""What every simulator can do; tests/simulate/test_simulator_protocol.py holds each to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from phasemark.collect import Headway
from phasemark.collect.process_tree import Image
from phasemark.model import Metrics, _show
from phasemark.simulate.plan import Plan

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Program:
    """What to run.

    Attributes:
        command: the program and its arguments.
        cwd: the folder to start it in; None: ours.
        process: of a program that starts others, the process to simulate: a number, a pid or a name; None:
            the one with the most instructions.
        stdin: the open file that is its standard input, by number; 0: ours; None: there is nothing to read.
        smc_check: see collect.Request; simulators to which it means nothing leave it aside.
        families: who created which threads, as the profile's provenance has it; None: thread 0 did.
    """

    command: tuple[str, ...]
    cwd: Path | None = None
    process: str | None = None
    stdin: int | None = None
    smc_check: str | None = None
    families: Any = None


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """What a simulator made of a plan.

    Attributes:
        metrics: a row for every window that was simulated to its end, or nearly.
        missing: rows of the plan that were not, ascending, int64.
        analysed: the process image simulated, of `images`.
        status: the program's exit status as a shell tells it.
        cpu_seconds: of the program under the simulator, with its children.
        warnings: what the user should know, one sentence each.
        interrupted: whether a signal ended the program, or was sent to it to end it.
    """

    metrics: Metrics
    missing: NDArray[np.int64]
    images: tuple[Image, ...]
    analysed: Image
    status: int
    cpu_seconds: float
    warnings: tuple[str, ...] = ()
    interrupted: bool = False

    def frame(self) -> pd.DataFrame:
        """The metrics as a table."""
        return self.metrics.frame()

    def __repr__(self) -> str:
        return _show.line(
            self,
            program=self.analysed.program,
            intervals=len(self.metrics),
            missing=len(self.missing),
            status=self.status,
        )

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


class Simulator(Protocol):
    """Runs a program and counts, in the windows of a plan, what a machine would do."""

    @property
    def source(self) -> str:
        """What is measured with, as metrics tell it; names the configuration."""

    def simulate(
        self, program: Program, plan: Plan, progress: Callable[[Headway], None] | None = None
    ) -> Simulation:
        """Run the program once and measure every window of the plan.

        Windows that the run does not reach are missing in the result. A program that is killed leaves what
        was measured until then.

        Raises:
            MissingTool: the simulator is not on this machine.
            WorkError: the program cannot be run, nothing was recorded of it, or no process is the one asked
                for.
        """
