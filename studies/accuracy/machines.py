"""Runs of one program on several machines: the same intervals, but for chance, and other metrics."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.estimates import full_value
from phasemark.model import Metrics, Profile

#: Presets of the timing model. Phases, figures and criteria are looked at on the first.
MACHINES = ("modern", "paper", "little")

#: Machine -> whose events stand beside the code when it is judged: never its own.
OTHER = {"modern": "paper", "paper": "modern", "little": "paper"}

METRICS = ("cpi", "l1d_mpki", "l2_mpki", "llc_mpki", "branch_mpki", "epi")

#: What a user reads of them.
TITLES = {
    "cpi": "CPI",
    "l1d_mpki": "L1D MPKI",
    "l2_mpki": "L2 MPKI",
    "llc_mpki": "LLC MPKI",
    "branch_mpki": "branch MPKI",
    "epi": "energy",
}


#: Runs that differ by less than this share of an interval, over all, are cut at the same places.
_ALIKE = 0.2


@dataclass(frozen=True)
class Runs:
    """A program's runs, one on each machine.

    Most are the same run but for the metrics. Interpreters that seed their hash tables anew each time execute
    somewhat more or less each time, and by and by the same number of an interval means another place.

    Attributes:
        profiles: machine -> of the run on it.
        metrics: machine -> of every interval of that.
    """

    profiles: Mapping[str, Profile]
    metrics: Mapping[str, Metrics]

    @classmethod
    def of(cls, profiles: Mapping[str, Profile], metrics: Mapping[str, Metrics]) -> Runs:
        """Of runs that are the same, the metrics are of the first one's intervals: those of small threads
        and the last ones may differ a little."""
        runs = cls(profiles, metrics)
        cut = {machine: profiles[group[0]].interval_table for group in runs.groups() for machine in group}
        of = {m: dataclasses.replace(metrics[m], start=cut[m].start, length=cut[m].length) for m in MACHINES}
        return cls(profiles, of)

    @property
    def profile(self) -> Profile:
        """That of the first machine."""
        return self.profiles[MACHINES[0]]

    def names(self, machine: str) -> dict[str, str]:
        """Metric -> phasemark's name of it there: the last level is the third, or the second of two."""
        last = "l3_mpki" if "l3_misses" in self.metrics[machine].counters else "l2_mpki"
        return {metric: last if metric == "llc_mpki" else metric for metric in METRICS}

    def truth(self, machine: str) -> dict[str, float]:
        """The metrics of the whole run."""
        return {
            metric: full_value(self.metrics[machine], name) for metric, name in self.names(machine).items()
        }

    def elsewhere(self, machine: str) -> NDArray[np.float64]:
        """CPI on another machine, interval by interval; where that run is shorter, as in its last one."""
        values = self.metrics[OTHER[machine]].values("cpi")
        return values[np.minimum(np.arange(len(self.metrics[machine])), len(values) - 1)]

    def groups(self) -> list[tuple[str, ...]]:
        """Machines that saw the same run; points of one of them are points of all."""
        found: list[tuple[str, ...]] = []
        for machine in MACHINES:
            alike = (group for group in found if _same(self.profiles[group[0]], self.profiles[machine]))
            group = next(alike, ())
            if group:
                found.remove(group)
            found.append((*group, machine))
        return sorted(found, key=lambda group: MACHINES.index(group[0]))


def _same(one: Profile, other: Profile) -> bool:
    lengths = one.interval_table.length
    off = abs(one.instructions - other.instructions)
    return len(lengths) == len(other.interval_table) and off < _ALIKE * int(lengths.max())
