"""What `simulate`, `profile --timing` and `run --check` share: from a run's folder to its metrics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli import collecting
from phasemark.cli.printing import Column, plural, table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from phasemark.collect import Recording
    from phasemark.errors import DataError
    from phasemark.model import Metrics, Points, Profile
    from phasemark.simulate import Plan, Program, Simulation
    from phasemark.simulate.config import TimingConfig
    from phasemark.store.folder import Folder

Configuration = Annotated[
    str,
    typer.Option("--config", metavar="CONFIG", help="Of the timing model: modern, paper, or a TOML file."),
]
Timing = Annotated[
    str | None,
    typer.Option(
        metavar="CONFIG",
        help="Run the timing model in the same run, and write metrics.csv: modern, paper, or a TOML file.",
    ),
]

#: A whole run of which no more is missing was simulated: the ends of threads move a little.
_NEGLIGIBLE = 0.01

#: What the table of a simulation shows, where it was measured: metric and heading.
_SHOWN = {
    "cpi": "CPI",
    "l1i_mpki": "L1I MPKI",
    "l1d_mpki": "L1D MPKI",
    "l2_mpki": "L2 MPKI",
    "l3_mpki": "L3 MPKI",
    "branch_mpki": "branch MPKI",
}


@dataclass(frozen=True)
class Simulated:
    """A plan that was simulated, and its file."""

    path: Path
    config: TimingConfig
    plan: Plan
    profiled: int  # instructions
    simulation: Simulation
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    points: Points | None = None

    @property
    def lacks(self) -> bool:
        """Whether points are missing, or much of the whole run."""
        missing = self.simulation.missing
        instructions = int((self.plan.end - self.plan.start)[missing].sum())
        return instructions > (_NEGLIGIBLE * self.profiled if self.points is None else 0)

    @property
    def status(self) -> int:
        """The program's exit status; 1 if it went well, but something is missing."""
        return self.simulation.status or int(self.lacks)


def simulate_points(
    folder: Folder,
    config: TimingConfig,
    *,
    points: Path | None = None,
    warmup: int | None = None,
    command: Sequence[str] = (),
    quiet: bool = False,
) -> Simulated:
    """Simulate the points of a run; write point-metrics.csv.

    Args:
        folder: a run's folder with profile.h5 and points.csv.
        config: of the timing model.
        points: another table of points of this run.
        warmup: see simulate.of_points.
        command: another program than the one that was profiled, or the same with other names of files.
        quiet: show no progress.

    Raises:
        DataError: there are no points, a file is damaged, or nothing says what to run.
        UsageError: a negative warm-up.
        WorkError: the program cannot be run, nothing was reached, or a file cannot be written.
    """
    from phasemark.simulate import LEAST_WARMUP, WARMUP, of_points
    from phasemark.store import points_csv

    source = points or folder.points
    if not source.exists():
        raise _missing(source, "run `phasemark points` first, or simulate everything: --full")
    picked = points_csv.read(source)
    plan = of_points(picked, warmup)
    warmed = f"{LEAST_WARMUP} to {WARMUP}" if warmup is None else warmup
    made_by: dict[str, object] = {"command": "simulate", "warmup": warmed}
    return _simulate(
        folder, "simulation", config, plan, made_by=made_by, command=command, quiet=quiet, points=picked
    )


def simulate_all(
    folder: Folder, config: TimingConfig, *, command: Sequence[str] = (), quiet: bool = False
) -> Simulated:
    """Simulate every interval of a run; write metrics.csv. See simulate_points."""
    from phasemark.simulate import of_intervals
    from phasemark.workflow.reading import read_intervals

    plan = of_intervals(read_intervals(folder.path))
    made_by: dict[str, object] = {"command": "simulate --full"}
    return _simulate(folder, "metrics", config, plan, made_by=made_by, command=command, quiet=quiet)


def machine(timing: str | None) -> TimingConfig | None:
    """What --timing asks for, checked before a program runs for hours."""
    from phasemark.simulate.config import load

    return None if timing is None else load(timing)


def keep_metrics(run: Recording, config: TimingConfig | None) -> None:
    """Write metrics.csv of a run that was profiled with the timing model on; without, nothing.

    Raises:
        WorkError: nothing was counted, or the file cannot be written.
    """
    from phasemark.errors import WorkError
    from phasemark.simulate import TimingModel

    if config is None or run.metrics is None:
        return
    if not len(run.metrics):
        raise WorkError(
            f"nothing was counted of {run.analysed.program} (exit status {run.status})",
            hint="profile it without --timing, and simulate it afterwards",
        )
    made_by: dict[str, object] = {"command": "profile --timing"}
    metrics = TimingModel(config).complete(run.metrics)
    _write(
        run.folder,
        "metrics",
        metrics,
        config,
        made_by,
        program=list(run.analysed.command),
        instructions=run.analysed.instructions,
        status=run.status,
        cpu_seconds=round(run.cpu_seconds, 3),
    )


def program_of(folder: Folder, profile: Profile, command: Sequence[str] = ()) -> Program:
    """The program that was profiled, to be run again; or another command, in the present folder.

    Raises:
        DataError: nothing says which program it was.
    """
    from phasemark.errors import DataError
    from phasemark.simulate import Program

    entry = folder.steps().get("profile", {}) if folder["run.json"].exists() else {}
    process = None if entry.get("process") is None else str(entry["process"])
    if process is not None and process.isdecimal():
        # A pid is another one in another run; the order in which processes begin is not.
        process = str(entry.get("analysed", process))
    if command:
        return Program(tuple(command), None, process, 0)
    recorded = entry.get("command")
    if not isinstance(recorded, list) or not recorded:
        raise DataError(
            f"nothing says which program ran: its vectors were recorded by {profile.provenance.tool}",
            path=folder["run.json"],
            hint="name it: phasemark simulate DIR -- PROGRAM ARGUMENTS",
        )
    cwd = entry.get("cwd")
    return Program(tuple(map(str, recorded)), None if cwd is None else Path(str(cwd)), process, 0)


def _simulate(
    folder: Folder,
    step: str,
    config: TimingConfig,
    plan: Plan,
    *,
    made_by: dict[str, object],
    command: Sequence[str],
    quiet: bool,
    points: Points | None = None,
) -> Simulated:
    from phasemark.errors import WorkError
    from phasemark.simulate import TimingModel, differences
    from phasemark.workflow.reading import read

    profile = read(folder.path)
    program = program_of(folder, profile, command)
    with folder.held():
        with collecting.progress(quiet, "simulating", profile.instructions) as tell:
            simulation = TimingModel(config).simulate(program, plan, tell)
        if not len(simulation.metrics):
            raise WorkError(
                f"no interval was simulated: {simulation.analysed.program} ended after "
                f"{simulation.analysed.instructions:,} instructions (exit status {simulation.status})",
                hint="give the program the input it had when it was profiled; of standard input that "
                "is a pipe, nothing is left for another run: redirect it from a file",
            )
        notes, warnings = differences(profile, simulation.analysed)
        warnings += [*simulation.warnings, *_unlike(folder, step, config)]
        _write(
            folder,
            step,
            simulation.metrics,
            config,
            made_by,
            program=list(program.command),
            windows=len(plan),
            missing=_names(plan, simulation.missing),
            measured=plan.measured,
            simulated=plan.simulated,
            instructions=simulation.analysed.instructions,
            status=simulation.status,
            cpu_seconds=round(simulation.cpu_seconds, 3),
            notes=notes,
            warnings=warnings,
        )
    return Simulated(
        path=folder.point_metrics if step == "simulation" else folder.metrics,
        config=config,
        plan=plan,
        profiled=profile.instructions,
        simulation=simulation,
        notes=tuple(notes),
        warnings=tuple(warnings),
        points=points,
    )


def _missing(path: Path, hint: str) -> DataError:
    from phasemark.errors import DataError

    return DataError("there is no such file", path=path, hint=hint)


def _unlike(folder: Folder, step: str, config: TimingConfig) -> list[str]:
    """What to warn of where points and the whole run were simulated on different machines."""
    other = "metrics" if step == "simulation" else "simulation"
    entry = folder.steps().get(other, {}).get("configuration", {})
    if entry.get("digest", config.digest) == config.digest:
        return []
    what = {"metrics": "the whole run was", "simulation": "the points were"}[other]
    return [
        f"{what} simulated with another configuration ({entry.get('name')} {entry['digest']}, here "
        f"{config.name} {config.digest}); the two cannot be compared"
    ]


def _write(
    folder: Folder,
    step: str,
    metrics: Metrics,
    config: TimingConfig,
    made_by: dict[str, object],
    **entry: Any,
) -> None:
    """Write metrics and their entry in run.json; what was made from earlier ones goes."""
    from phasemark.store import metrics_csv

    path = folder.point_metrics if step == "simulation" else folder.metrics
    machine = {"name": config.name, "digest": config.digest}
    folder.discard_from(step)
    said = {**made_by, "configuration": f"{config.name} {config.digest}"}
    metrics_csv.write(path, metrics, made_by=said)
    folder.record(step, {**made_by, "configuration": machine, "intervals": len(metrics), **entry})


def show(simulated: Simulated) -> None:
    """The summary of a simulation, for people."""
    simulation, plan = simulated.simulation, simulated.plan
    measured = int(simulation.metrics.counters["instructions"].sum())
    collecting.say(
        f"simulated {plural(len(simulation.metrics), 'interval')} of {measured:,} instructions on "
        f"{simulation.metrics.source}, with {plan.simulated - plan.measured:,} to warm up "
        f"({plan.simulated / max(simulated.profiled, 1):.1%} of the run in all), in "
        f"{simulation.cpu_seconds:.1f} s of CPU time"
    )
    if simulated.points is not None:
        print("\n".join(_rows(simulated.points, simulation.metrics)), file=sys.stderr)
    for note in simulated.notes:
        collecting.say(f"note: {note}")
    warn(simulated)
    collecting.say(f"wrote {simulated.path}")


def warn(simulated: Simulated) -> None:
    """What the user should know, even with --quiet."""
    for sentence in simulated.warnings:
        collecting.say(f"warning: {sentence}")
    if simulated.simulation.status:
        collecting.say(f"the program's exit status is {simulated.simulation.status}")
    if count := len(simulated.simulation.missing):
        names = _names(simulated.plan, simulated.simulation.missing[:5])
        shown = [f"{n['index']} of thread {n['thread']}" if n["thread"] else str(n["index"]) for n in names]
        collecting.say(
            f"{count} of {plural(len(simulated.plan), 'interval')} missing, since the run did not come to "
            f"their end: {', '.join(shown)}{' ...' if count > 5 else ''}"
        )


def summary(simulated: Simulated) -> dict[str, Any]:
    """The summary of a simulation, for scripts."""
    simulation, plan = simulated.simulation, simulated.plan
    return {
        "file": str(simulated.path),
        "program": simulation.analysed.program,
        "configuration": {"name": simulated.config.name, "digest": simulated.config.digest},
        "intervals": len(simulation.metrics),
        "measured": plan.measured,
        "simulated": plan.simulated,
        "instructions": simulation.analysed.instructions,
        "totals": {name: float(values.sum()) for name, values in simulation.metrics.counters.items()},
        "missing": _names(plan, simulation.missing),
        "status": simulation.status,
        "cpu_seconds": simulation.cpu_seconds,
        "notes": list(simulated.notes),
        "warnings": list(simulated.warnings),
    }


def _names(plan: Plan, rows: NDArray[np.int64]) -> list[dict[str, int]]:
    """Windows as their thread and the number of the interval in it."""
    named = zip(plan.thread[rows].tolist(), plan.index[rows].tolist(), strict=True)
    return [{"thread": thread, "index": index} for thread, index in named]


def _rows(points: Points, metrics: Metrics) -> list[str]:
    """A table with a row per point."""
    at = metrics.rows(points.run, points.thread, points.interval).tolist()
    ratios = {name: metrics.values(name) for name in _SHOWN if name in metrics.ratios()}
    keys = ("phase", "thread", "interval", "weight")
    rows = [
        dict(zip((*keys, "row"), values, strict=True))
        for values in zip(*(getattr(points, key).tolist() for key in keys), at, strict=True)
    ]
    columns: list[Column] = [
        ("phase", ">", lambda p: str(p["phase"])),
        ("weight", ">", lambda p: f"{p['weight']:.4f}"),
        ("interval", ">", lambda p: f"{p['interval']:,}"),
    ]
    if any(points.thread):
        columns.append(("thread", ">", lambda p: str(p["thread"])))
    columns += [(_SHOWN[name], ">", _cell(values)) for name, values in ratios.items()]
    return table(columns, sorted(rows, key=lambda p: p["phase"]))


def _cell(values: NDArray[np.float64]) -> Callable[[dict[str, Any]], str]:
    return lambda point: "missing" if point["row"] < 0 else f"{values[point['row']]:.3f}"
