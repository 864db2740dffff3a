"""AnalysedProcess: which of a program's processes a profile is of."""

from __future__ import annotations

from dataclasses import dataclass

from phasemark.errors import DataError
from phasemark.model import shares


@dataclass(frozen=True, repr=False)
class AnalysedProcess:
    """The process image that a profile is of, among those of the program that ran; or that it is of all.

    Attributes:
        number: 1, 2, 3 ... in the order in which they began; 0: all of them.
        processes: how many images there were; where the profile is of all of them, how many processes.
        program: name of its program, without folder.
        share: of the instructions of all of them.

    Raises:
        DataError: a number of none of them, or no share.
    """

    number: int
    processes: int
    program: str
    share: float

    def __post_init__(self) -> None:
        if not 0 <= self.number <= self.processes:
            raise DataError(f"there is no process {self.number:,} among {self.processes:,}")
        if not 0 <= self.share <= 1:
            raise DataError(f"a process has {self.share:g} of the instructions", hint="a share is 0 to 1")

    def words(self) -> str:
        """`3 of 5, cc1: 84.00% of all instructions`; or `all 5`."""
        if not self.number:
            return f"all {self.processes:,}"
        return (
            f"{self.number:,} of {self.processes:,}, {self.program}: "
            f"{shares.written(self.share)} of all instructions"
        )

    def __repr__(self) -> str:
        return f"<AnalysedProcess: {self.words()}>"

    def __str__(self) -> str:
        return f"process {self.words()}" if self.number else f"all {self.processes:,} processes"
