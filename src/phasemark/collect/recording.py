"""A program that was run and recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from phasemark.collect.ending import ended_by_fault
from phasemark.collect.process_tree import Image, processes
from phasemark.model import AnalysedProcess, Metrics, Profile, _show
from phasemark.store.folder import Folder

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """A program that was run and recorded.

    Attributes:
        folder: where its files are.
        profile: of the image analysed.
        images: all process images, in the order in which they began.
        analysed: the one that the profile is of.
        status: the program's exit status as a shell tells it (128 + the number of a signal).
        warnings: what the user should know, one sentence each; the profile's are among them.
        failure: why the profile is not what was asked for; empty if it is.
        metrics: what the timing model counted in each interval; None where it was off.
        cpu_seconds: of the program under its collector, with its children.
        discarded: what became of files of an earlier run, one phrase each.
        interrupted: whether a signal ended the program, or was sent to it to end it and its status is not 0.
        is_beside: whether a finished earlier run kept its place, and this one is in OUT/recording.
        told_to_end: whether a signal was sent to the program to end it, whatever it made of that: a server
            then ends with status 0, and is complete.
    """

    folder: Folder
    profile: Profile
    images: tuple[Image, ...]
    analysed: Image
    status: int
    warnings: tuple[str, ...]
    failure: str = ""
    metrics: Metrics | None = None
    cpu_seconds: float = 0.0
    discarded: tuple[str, ...] = ()
    interrupted: bool = False
    is_beside: bool = False
    told_to_end: bool = False

    @property
    def was_stopped(self) -> bool:
        """Whether somebody ended the program, or told it to end; False where a fault of its own did."""
        return (self.interrupted or self.told_to_end) and not ended_by_fault(self.status)

    def __repr__(self) -> str:
        return _show.line(
            self,
            program=self.analysed.program,
            instructions=self.profile.instructions,
            status=self.status,
            folder=self.folder.path,
        )

    @property
    def process(self) -> AnalysedProcess | None:
        """The image analysed, among several; None of a single one."""
        if len(self.images) < 2:
            return None
        whole = sum(image.instructions for image in self.images)
        own = self.analysed
        many = len(self.images) if own.number else processes(self.images)
        return AnalysedProcess(own.number, many, own.program, own.instructions / max(whole, 1))

    def frame(self) -> pd.DataFrame:
        """The process images as a table, one row an image, in the order in which they began."""
        import pandas as pd

        return pd.DataFrame([image.summary() for image in self.images])

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
