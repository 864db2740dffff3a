"""Summary: a run in eight numbers."""

from __future__ import annotations

from dataclasses import dataclass

from phasemark.model import Phases, Points, Profile, shares


@dataclass(frozen=True)
class Summary:
    """A run in numbers.

    Attributes:
        instructions, intervals, blocks: of the profile.
        interval: the length asked for, instructions; None where there was none.
        k, points: how many phases and simulation points.
        coverage: share of the instructions that the points stand for.
        simulated: instructions of the points.
    """

    instructions: int
    intervals: int
    interval: int | None
    blocks: int
    k: int
    points: int
    coverage: float
    simulated: int

    def words(self) -> list[tuple[str, str]]:
        """(what, value) to print."""
        part = self.simulated / (self.instructions or 1)
        length = f", of {self.interval:,} instructions" if self.interval else ""
        return [
            ("instructions", f"{self.instructions:,}"),
            ("intervals", f"{self.intervals:,}{length}"),
            ("phases", f"{self.k}, over {self.blocks:,} blocks"),
            ("points", f"{self.points}, which stand for {shares.written(self.coverage)} of the run"),
            ("to simulate", f"{self.simulated:,} instructions, {shares.written(part)}"),
        ]

    def __str__(self) -> str:
        return f"{self.intervals:,} intervals, {self.k} phases, {self.points} points"


def summary(profile: Profile, phases: Phases, points: Points) -> Summary:
    """The numbers of a run."""
    return Summary(
        profile.instructions,
        len(profile.interval_table),
        profile.provenance.interval,
        len(profile.block_table),
        phases.k,
        len(points),
        points.coverage,
        points.instructions,
    )
