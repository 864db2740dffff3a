"""Summary: a run in eight numbers."""

from __future__ import annotations

from dataclasses import dataclass

from phasemark.errors import counted
from phasemark.model import AnalysedProcess, Phases, Points, Profile, shares


@dataclass(frozen=True)
class Summary:
    """A run in numbers.

    Attributes:
        instructions, intervals, blocks: of the profile.
        interval: the length asked for, instructions; None where there was none.
        k, points: how many phases and simulation points.
        coverage: share of the instructions that the points stand for.
        simulated: instructions of the points.
        process: that this is of, among several, in words; empty of a single one.
    """

    instructions: int
    intervals: int
    interval: int | None
    blocks: int
    k: int
    points: int
    coverage: float
    simulated: int
    process: str = ""

    def words(self) -> list[tuple[str, str]]:
        """(what, value) to print."""
        part = self.simulated / (self.instructions or 1)
        length = f", of {counted(self.interval, 'instruction')}" if self.interval else ""
        stand = "stands" if self.points == 1 else "stand"
        return [
            *([("process", self.process)] if self.process else []),
            ("instructions", f"{self.instructions:,}"),
            ("intervals", f"{self.intervals:,}{length}"),
            ("phases", f"{self.k}, over {counted(self.blocks, 'block')}"),
            ("points", f"{self.points}, which {stand} for {shares.written(self.coverage)} of the run"),
            ("to simulate", f"{counted(self.simulated, 'instruction')}, {shares.written(part)}"),
        ]

    def __str__(self) -> str:
        counts = ((self.intervals, "interval"), (self.k, "phase"), (self.points, "point"))
        return ", ".join(counted(count, noun) for count, noun in counts)


def summary(
    profile: Profile, phases: Phases, points: Points, process: AnalysedProcess | None = None
) -> Summary:
    """The numbers of a run, or of the one `process` of it that was analysed."""
    return Summary(
        profile.instructions,
        len(profile.interval_table),
        profile.provenance.interval,
        len(profile.block_table),
        phases.k,
        len(points),
        points.coverage,
        points.instructions,
        "" if process is None else process.words(),
    )
