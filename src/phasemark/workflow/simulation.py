"""Points, or a whole run -> metrics, in a run's folder: the program runs again on a simulator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.collect import Headway, Recording
from phasemark.errors import DataError, UsageError, WorkError, counted
from phasemark.model import Metrics, Points, Profile
from phasemark.points.warmup import FACTOR
from phasemark.reading import nothing_there
from phasemark.simulate import (
    LEAST_WARMUP,
    WARMUP,
    Plan,
    Program,
    Simulation,
    TimingModel,
    differences,
    of_checks,
    of_intervals,
    of_points,
)
from phasemark.simulate.config import TimingConfig
from phasemark.store import metrics_csv, points_csv
from phasemark.store.folder import Folder
from phasemark.store.layout import Layout
from phasemark.store.missing import no_file
from phasemark.store.names import usable
from phasemark.workflow.alone import alone
from phasemark.workflow.reading import NEGLIGIBLE, read, read_intervals
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class SimulationResult(Result):
    """A plan that was simulated, and its file.

    Attributes:
        path: of the metrics.
        config: of the timing model.
        plan: what was to be simulated.
        profiled: instructions of the profile.
        simulation: what came of it.
        notes, warnings: what the user should know, one sentence each.
        points: of the plan; None where the whole run was simulated.
        discarded: what became of files that were made from earlier metrics, one phrase each.
    """

    path: Path
    config: TimingConfig
    plan: Plan
    profiled: int
    simulation: Simulation
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    points: Points | None = None
    discarded: tuple[str, ...] = ()

    @property
    def metrics(self) -> Metrics:
        """What was measured."""
        return self.simulation.metrics

    @property
    def done(self) -> Plan:
        """What of the plan was simulated."""
        return self.plan.without(self.simulation.missing)

    @property
    def missing(self) -> str:
        """Which windows the run did not come to, in a sentence; empty where it came to all."""
        rows = self.simulation.missing
        if not len(rows):
            return ""
        names = names_of(self.plan, rows[:5])
        shown = [
            f"{n['index']:,} of thread {n['thread']}" if n["thread"] else f"{n['index']:,}" for n in names
        ]
        return (
            f"{len(rows):,} of {counted(len(self.plan), 'interval')} missing, since the run did not "
            f"come to their end: {', '.join(shown)}{' ...' if len(rows) > 5 else ''}"
        )

    def frame(self) -> pd.DataFrame:
        """One row a window that was measured, with its counters."""
        return self.metrics.frame()

    @property
    def lacks(self) -> bool:
        """Whether points are missing, or much of the whole run."""
        missing = self.simulation.missing
        instructions = int((self.plan.end - self.plan.start)[missing].sum())
        return instructions > (NEGLIGIBLE * self.profiled if self.points is None else 0)

    @property
    def status(self) -> int:
        """The program's exit status; 1 if it went well, but something is missing."""
        return self.simulation.status or int(self.lacks)


@alone("simulate", takes_long=True)
def simulate_points(
    folder: Folder,
    config: TimingConfig,
    *,
    points: Path | None = None,
    warmup: int | None = None,
    command: Sequence[str] = (),
    stdin: int | None = None,
    progress: Callable[[Headway], None] | None = None,
) -> SimulationResult:
    """Simulate the points of a run; write point-metrics.csv.

    Args:
        folder: a run's folder with profile.h5 and points.csv.
        config: of the timing model.
        points: another table of points of this run.
        warmup: see simulate.of_points.
        command: another program than the one that was profiled, or the same with other names of files.
        stdin: file descriptor that the program reads; None: it has no input.
        progress: called about twice a second while the program runs.

    Raises:
        DataError: there are no points, a file is damaged, or nothing says what to run.
        UsageError: a negative warm-up.
        WorkError: the program cannot be run, nothing was reached, or a file cannot be written.
    """
    source = usable(points or folder.points)
    if not source.exists():
        if points is not None:
            raise nothing_there(source, "check the name after --points")
        raise no_file(source, "run `phasemark points DIR` first, or simulate everything: --full")
    picked = points_csv.read(source)
    plan = of_points(picked, warmup)
    warmed = f"{LEAST_WARMUP} to {WARMUP}" if warmup is None else warmup
    task = _Task(folder, "simulation", config, plan, {"command": "simulate", "warmup": warmed}, picked)
    return task.done(command, stdin, progress)


@alone("simulate --warmup-check", takes_long=True)
def simulate_checks(
    folder: Folder,
    config: TimingConfig,
    *,
    command: Sequence[str] = (),
    stdin: int | None = None,
    progress: Callable[[Headway], None] | None = None,
) -> SimulationResult:
    """Simulate points whose warm-up is checked again, with a longer one; write warmup-metrics.csv.

    Args:
        folder: a run's folder with profile.h5, points.csv and point-metrics.csv.
        config, command, stdin, progress: as for `simulate_points`; the configuration is that of the points.

    Raises:
        DataError: the points were not simulated before, none of them is to be checked, or a file is damaged.
        UsageError: another configuration than that of the points.
        WorkError: the program cannot be run, nothing was reached, or a file cannot be written.
    """
    if not folder.points.exists():
        raise no_file(folder.points, "run `phasemark points DIR --warmup-check 6` first")
    if not folder.point_metrics.exists():
        raise no_file(folder.point_metrics, "run `phasemark simulate DIR` first, without --warmup-check")
    before, known = folder.entry_of("simulation"), folder.configuration_of("simulation")
    if known.get("digest", config.digest) != config.digest:
        raise UsageError(
            f"the points were simulated on {known.get('name')} {known['digest']}, and {config.name} "
            f"{config.digest} is another machine",
            hint=f"--config {known.get('name')}",
        )
    warmed = before.get("warmup")
    plan, again = of_checks(points_csv.read(folder.points), warmed if isinstance(warmed, int) else None)
    made_by: dict[str, object] = {"command": "simulate --warmup-check", "times": FACTOR}
    return _Task(folder, "warmup", config, plan, made_by, again).done(command, stdin, progress)


@alone("simulate --full", takes_long=True)
def simulate_all(
    folder: Folder,
    config: TimingConfig,
    *,
    command: Sequence[str] = (),
    stdin: int | None = None,
    progress: Callable[[Headway], None] | None = None,
) -> SimulationResult:
    """Simulate every interval of a run; write metrics.csv. See simulate_points."""
    plan = of_intervals(read_intervals(folder.path))
    task = _Task(folder, "metrics", config, plan, {"command": "simulate --full"})
    return task.done(command, stdin, progress)


def keep_metrics(recording: Recording, config: TimingConfig) -> tuple[str, ...]:
    """Write metrics.csv of a run that was profiled with the timing model on.

    Returns:
        What became of files that were made from earlier metrics, one phrase each.

    Raises:
        WorkError: nothing was counted, or the file cannot be written.
    """
    if recording.metrics is None or not len(recording.metrics):
        raise WorkError(
            f"nothing was counted of {recording.analysed.program} (exit status {recording.status})",
            hint="profile it without --timing, and simulate it afterwards",
        )
    return _write(
        recording.folder,
        "metrics",
        TimingModel(config).complete(recording.metrics),
        config,
        {"command": "profile --timing"},
        program=list(recording.analysed.command),
        instructions=recording.analysed.instructions,
        status=recording.status,
        cpu_seconds=round(recording.cpu_seconds, 3),
    )


def program_of(
    folder: Folder, profile: Profile, command: Sequence[str] = (), stdin: int | None = None
) -> Program:
    """The program that was profiled, to be run again; or another command, in the present folder.

    Raises:
        DataError: nothing says which program it was.
        UsageError: the profile's positions are not in instructions.
        WorkError: the folder it was started in is gone.
    """
    profile.provenance.require_instructions("to run it again")
    families = profile.provenance.details.get("families")
    if command:
        return Program(tuple(command), None, folder.process, stdin, folder.smc_check, families)
    if not folder.command:
        raise DataError(
            f"nothing says which program ran: its vectors were recorded by {profile.provenance.tool}",
            path=folder.run_json,
            hint="name it: phasemark simulate DIR -- PROGRAM ARGUMENTS",
        )
    cwd = folder.cwd
    if cwd is not None and not cwd.is_dir():
        raise WorkError(
            f"{cwd}: the program was started in this folder, which is not there any more",
            hint="name the program after --, then it is started in the present folder",
        )
    return Program(folder.command, cwd, folder.process, stdin, folder.smc_check, families)


def names_of(plan: Plan, rows: NDArray[np.int64]) -> list[dict[str, int]]:
    """Windows as their thread and the number of the interval in it."""
    named = zip(plan.thread[rows].tolist(), plan.index[rows].tolist(), strict=True)
    return [{"thread": thread, "index": index} for thread, index in named]


@dataclass(frozen=True)
class _Task:
    """What is to be simulated, and the step that it is."""

    folder: Folder
    step: str
    config: TimingConfig
    plan: Plan
    made_by: dict[str, object]
    points: Points | None = None

    def done(
        self, command: Sequence[str], stdin: int | None, progress: Callable[[Headway], None] | None
    ) -> SimulationResult:
        profile = read(self.folder.path)
        program = program_of(self.folder, profile, command, stdin)
        simulation = TimingModel(self.config).simulate(program, self.plan, progress)
        _require_some(simulation)
        notes, warnings = differences(profile, simulation.analysed)
        warnings += [*simulation.warnings, *_unlike(self.folder, self.step, self.config)]
        discarded = self._written(program, simulation, notes, warnings)
        return SimulationResult(
            path=_path(self.folder, self.step),
            config=self.config,
            plan=self.plan,
            profiled=profile.instructions,
            simulation=simulation,
            notes=tuple(notes),
            warnings=tuple(warnings),
            points=self.points,
            discarded=discarded,
        )

    def _written(
        self, program: Program, simulation: Simulation, notes: list[str], warnings: list[str]
    ) -> tuple[str, ...]:
        done = self.plan.without(simulation.missing)
        return _write(
            self.folder,
            self.step,
            simulation.metrics,
            self.config,
            self.made_by,
            program=list(program.command),
            windows=len(self.plan),
            missing=names_of(self.plan, simulation.missing),
            measured=done.measured,
            simulated=done.simulated,
            instructions=simulation.analysed.instructions,
            status=simulation.status,
            cpu_seconds=round(simulation.cpu_seconds, 3),
            notes=notes,
            warnings=warnings,
        )


def _require_some(simulation: Simulation) -> None:
    if simulation.interrupted and not len(simulation.metrics):
        raise WorkError("the simulation was interrupted before it came to any interval")
    if not len(simulation.metrics):
        raise WorkError(
            f"no interval was simulated: {simulation.analysed.program} ended after "
            f"{simulation.analysed.instructions:,} instructions (exit status {simulation.status})",
            hint="give the program the input it had when it was profiled: files that it made then may be in "
            "its way, and of standard input that is a pipe, nothing is left for another run",
        )


def _unlike(folder: Folder, step: str, config: TimingConfig) -> list[str]:
    """What to warn of where points and the whole run were simulated on different machines."""
    if step == "warmup":
        return []
    other = "metrics" if step == "simulation" else "simulation"
    entry = folder.configuration_of(other)
    if entry.get("digest", config.digest) == config.digest:
        return []
    what = {"metrics": "the whole run was", "simulation": "the points were"}[other]
    return [
        f"{what} simulated with another configuration ({entry.get('name')} {entry['digest']}, here "
        f"{config.name} {config.digest}); the two cannot be compared"
    ]


def _path(folder: Layout, step: str) -> Path:
    return {"simulation": folder.point_metrics, "warmup": folder.warmup_metrics}.get(step, folder.metrics)


def _write(
    folder: Folder,
    step: str,
    metrics: Metrics,
    config: TimingConfig,
    made_by: dict[str, object],
    **entry: Any,
) -> tuple[str, ...]:
    """Write metrics and their entry in run.json; what was made from earlier ones goes."""
    made = {**made_by, "configuration": f"{config.name} {config.digest}"}
    machine = {"name": config.name, "digest": config.digest}
    with folder.change("simulate") as new:
        new.discard_from(step)
        metrics_csv.write(_path(new, step), metrics, made_by=made)
        new.record(step, {**made_by, "configuration": machine, "intervals": len(metrics), **entry})
    return tuple(new.discarded)
