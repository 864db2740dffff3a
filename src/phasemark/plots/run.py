"""Run: an analysed run, which figures and reports show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Phases, Points, Profile, Signatures
from phasemark.store import phases_store, points_csv, profile_h5
from phasemark.store.folder import Folder


@dataclass(frozen=True, eq=False)
class Run:
    """The values of one run's folder, which belong together.

    Attributes:
        profile: intervals x blocks.
        signatures, phases: one row an interval of the profile.
        points: the simulation points.

    Raises:
        DataError: the phases or the points are of another profile.
    """

    profile: Profile
    signatures: Signatures
    phases: Phases
    points: Points

    def __post_init__(self) -> None:
        n = len(self.profile.interval_table)
        for what, value in (("signatures", self.signatures), ("phases", self.phases)):
            if len(value) != n:
                raise DataError(
                    f"the {what} are of {len(value)} intervals, but the profile has {n}",
                    mend="run `phasemark phases` again",
                )
        last = int(self.points.phase.max(initial=-1))
        if last >= self.phases.k:
            raise DataError(
                f"a point stands for phase {last}, but there are {self.phases.k} phases",
                mend="run `phasemark points` again",
            )

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each phase's share of the instructions: k doubles that sum to 1."""
        return self.phases.shares(self.signatures.weights)

    @property
    def name(self) -> str:
        """What a title calls it: the program's name, else the recording tool's."""
        command = self.profile.provenance.command
        return Path(command[0]).name if command else f"a profile by {self.profile.provenance.tool}"


def read(folder: str | Path) -> Run:
    """Read an analysed run.

    Args:
        folder: holds profile.h5, model.h5 and points.csv.

    Raises:
        DataError: one is missing (the mend names the command that makes it) or breaks an invariant.
    """
    files = Folder(folder)
    if not files.path.is_dir():
        raise DataError("there is no such folder", path=folder, mend="name the folder of a run")
    _need(files.profile, "phasemark profile` or `phasemark import")
    _need(files.model, f"phasemark phases {folder}")
    _need(files.points, f"phasemark points {folder}")
    profile = profile_h5.read(files.profile)
    signatures, phases = phases_store.read_model(files.model)
    try:
        return Run(profile, signatures, phases, points_csv.read(files.points))
    except DataError as error:
        raise error if error.path else error.at(folder) from error


def _need(path: Path, command: str) -> None:
    if not path.exists():
        raise DataError("there is no such file", path=path, mend=f"run `{command}` first")
