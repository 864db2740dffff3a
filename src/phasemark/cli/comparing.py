"""What the points say of a run beside what the whole run says, and what each costs."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from phasemark.cli import collecting, printing, simulating
from phasemark.workflow.standard_input import StandardInput

if TYPE_CHECKING:
    from phasemark.collect import Recording
    from phasemark.model import Estimate
    from phasemark.simulate.config import TimingConfig


@dataclass(frozen=True)
class Compared:
    """A run whose points and whole were simulated.

    Attributes:
        estimate: of the whole run, from its points.
        full: metric -> its value in the whole run; empty where too much of that is missing.
        cpu_seconds: what was run -> what it took.
        status: 1 if a part of the simulations is missing.
    """

    estimate: Estimate
    full: dict[str, float]
    cpu_seconds: dict[str, float]
    status: int

    def error(self, metric: str) -> float | None:
        """The estimate's relative error; None where it is not defined."""
        full = self.full.get(metric)
        error = self.estimate.value[metric] / full - 1 if full else math.nan
        return error if math.isfinite(error) else None


def compare(
    run: Recording, config: TimingConfig | None, standard_input: StandardInput, *, quiet: bool
) -> Compared:
    """Simulate the points of a run, and all of it unless that was done with the profile; write estimate.csv.

    Args:
        run: profiled, with points picked.
        config: with which it was profiled; None: the whole run is simulated with the default.
        standard_input: as it was before the profile; the program reads it again each time.
        quiet: show no progress.

    Raises:
        PhasemarkError: see simulating.simulate_points.
    """
    from phasemark.estimates import estimate, full_value
    from phasemark.simulate.config import load
    from phasemark.store import estimate_csv, metrics_csv, points_csv

    folder = run.folder
    cpu_seconds = {"profile" if config is None else "profile and whole run": run.cpu_seconds}
    machine = config or load()
    standard_input.rewind()
    done = [simulating.simulate_points(folder, machine, quiet=quiet)]
    cpu_seconds["points"] = done[0].simulation.cpu_seconds
    if config is None:
        standard_input.rewind()
        done.append(simulating.simulate_all(folder, machine, quiet=quiet))
        cpu_seconds["whole run"] = done[1].simulation.cpu_seconds
    for one in done:
        simulating.warn(one)
    found = estimate(points_csv.read(folder.points), metrics_csv.read(folder.point_metrics))
    full = {}
    if config is not None or not done[-1].lacks:
        everything = metrics_csv.read(folder.metrics)
        full = {name: full_value(everything, name) for name in found.value}
    estimate_csv.write(folder.estimate, found, full=full, made_by={"command": "run --check"})
    folder.record("estimate", {"command": "run --check", "notes": list(found.notes)})
    return Compared(found, full, cpu_seconds, int(any(one.lacks for one in done)))


def show(compared: Compared) -> None:
    """The comparison, for people."""
    print("\n".join(["", *lines(compared)]), file=sys.stderr)
    for note in compared.estimate.notes:
        collecting.say(f"note: {note}")
    if not compared.full:
        collecting.say("warning: too much of the whole run is missing to compare with it")


def lines(compared: Compared) -> list[str]:
    """A line a metric, and what each part took."""
    estimate = compared.estimate
    out = [f"{'metric':<26} {'from points':>12} {'95% interval':>26} {'whole run':>12} {'error':>9}"]
    for name, value in estimate.value.items():
        low, high = estimate.interval[name]
        error = compared.error(name)
        out.append(
            f"{name:<26} {value:12.5g} {f'{low:.5g} to {high:.5g}':>26} "
            f"{f'{compared.full[name]:.5g}' if name in compared.full else '':>12} "
            f"{'' if error is None else printing.error(error):>9}".rstrip()
        )
    took = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in compared.cpu_seconds.items())
    return [*out, f"CPU time: {took}"]


def summary(compared: Compared) -> dict[str, Any]:
    """The comparison, for scripts."""
    estimate = compared.estimate
    return {
        "metrics": {
            name: {
                "estimate": printing.finite(value),
                "interval": [printing.finite(end) for end in estimate.interval[name]],
                "full": printing.finite(compared.full.get(name, math.nan)),
                "error": compared.error(name),
            }
            for name, value in estimate.value.items()
        },
        "cpu_seconds": compared.cpu_seconds,
        "notes": list(estimate.notes),
    }
