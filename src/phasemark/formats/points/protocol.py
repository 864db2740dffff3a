"""What a format of points is: the files of a choice, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from phasemark.formats.points.chosen import Chosen
from phasemark.formats.recogniser import Kind

__all__ = ["PointsFormat", "Reader"]


class Reader(Protocol):
    """Reads the files of one choice."""

    def __call__(self, files: Mapping[Path, Kind], workload: str | None, /) -> Chosen:
        """What they state.

        Args:
            files: each with its kind, one of the format's.
            workload: which of a file that holds several; None: the only one.

        Raises:
            DataError: malformed; names file and line or row.
            UsageError: files that do not belong together, or a workload that is not there.
        """
        ...


@dataclass(frozen=True)
class PointsFormat:
    """One tool's way of writing points.

    Attributes:
        name: what it is called.
        kinds: of its files.
        read: the files of one choice.
        several: whether a choice may be in several files.
        workloads: whether a file may hold those of several workloads.
    """

    name: str
    kinds: tuple[Kind, ...]
    read: Reader
    several: bool = False
    workloads: bool = False
