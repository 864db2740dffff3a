"""What the points say of a run beside what the whole run says, and what each costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from shlex import quote

from phasemark.collect import Headway, ended_by_fault
from phasemark.errors import Interrupted, counted
from phasemark.model.points import TYPICAL
from phasemark.simulate.config import TimingConfig, load
from phasemark.store.folder import Folder
from phasemark.workflow.alone import alone
from phasemark.workflow.estimation import EstimateResult, estimate_run
from phasemark.workflow.result import Result
from phasemark.workflow.simulation import SimulationResult, simulate_all, simulate_points
from phasemark.workflow.standard_input import StandardInput

#: Intervals miss often where so many times as many do as their confidence lets expect.
_OFTEN = 3


@dataclass(frozen=True, repr=False)
class FullCheckResult(Result):
    """A run whose points and whole were simulated.

    Attributes:
        estimates: of the whole run from its points, beside the whole run's values; those are absent where
            the whole run differs too much from the profile.
        simulations: of the points, and of the whole run unless it was simulated with the profile.
        cpu_seconds: what was run -> what it took.
    """

    estimates: EstimateResult
    simulations: tuple[SimulationResult, ...]
    cpu_seconds: dict[str, float]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know, one sentence each, beside what the simulations warn of."""
        warned = {warning for simulation in self.simulations for warning in simulation.warnings}
        return (*(note for note in self.estimates.notes if note not in warned), *self._missed())

    def _missed(self) -> list[str]:
        """What to do where intervals miss the whole run far more often than their confidence says."""
        estimate, points = self.estimates.estimate, self.estimates.points
        known = [hit for hit in map(self.estimates.covered, estimate.value) if hit is not None]
        missed = known.count(False)
        if (
            points.method not in TYPICAL
            or missed < 2
            or missed <= _OFTEN * (1 - estimate.confidence) * len(known)
        ):
            return []
        return [
            f"{missed} of {len(known):,} intervals miss the whole run: take a random sample, of more points "
            "a phase (`phasemark points DIR --per-phase 4`), then simulate and estimate"
        ]

    @property
    def status(self) -> int:
        """1 if a part of the simulations is missing, or there is no whole run to compare with."""
        return int(not self.estimates.full or any(simulation.lacks for simulation in self.simulations))


@alone("run --check", takes_long=True)
def check_in_full(
    folder: Folder,
    cpu_seconds: float,
    config: TimingConfig | None = None,
    *,
    stdin: StandardInput | None = None,
    progress: Callable[[Headway], None] | None = None,
    beginning: Callable[[str], None] | None = None,
) -> FullCheckResult:
    """Simulate the points of a run, and all of it unless that was done with the profile; write estimate.csv.

    Args:
        folder: of a recorded run, with points picked.
        cpu_seconds: that profiling took.
        config: with which it was profiled; None: the whole run is simulated with the default.
        stdin: as it was before the profile; the program reads it again each time. None: it has no input.
        progress: called about twice a second while the program runs.
        beginning: called with what is simulated before each run: `the points`, `the whole run`.

    Raises:
        PhasemarkError: see simulation.simulate_points.
    """
    seconds = {"profile" if config is None else "profile and whole run": cpu_seconds}
    machine = config or load()
    source = stdin or StandardInput.none()
    begin = beginning or (lambda what: None)
    begin("the points")
    simulations = [
        simulate_points(folder, machine, stdin=source.rewound(), progress=progress),
    ]
    _require_whole(simulations[0])
    seconds["points"] = simulations[0].simulation.cpu_seconds
    if config is None:
        begin("the whole run")
        simulations.append(simulate_all(folder, machine, stdin=source.rewound(), progress=progress))
        _require_whole(simulations[1])
        seconds["whole run"] = simulations[1].simulation.cpu_seconds
    estimates = estimate_run(folder, command="run --check")
    return FullCheckResult(estimates, tuple(simulations), seconds)


def _require_whole(result: SimulationResult) -> None:
    """Nobody who interrupts a simulation wants the next one.

    Raises:
        Interrupted: it was.
    """
    simulation = result.simulation
    if simulation.interrupted and not ended_by_fault(simulation.status):
        full = " --full" if result.points is None else ""
        raise Interrupted(
            f"the simulation was interrupted: {len(simulation.metrics):,} of "
            f"{counted(len(result.plan), 'interval')} are in {result.path}",
            hint=f"`phasemark simulate {quote(str(result.path.parent))}{full}` does it anew",
            status=simulation.status,
        )
