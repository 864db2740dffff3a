"""What every collector can do; tests/collect/test_collector_protocol.py holds each to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.process_tree import Image
from phasemark.model import Profile


@dataclass(frozen=True)
class Invocation:
    """How to start the program under the collector.

    Attributes:
        command: the collector with its options, and the program.
        cwd: the folder that the program starts in; None: ours.
        environment: of the program; None: ours.
        files: name -> text: what the collector reads from the folder `raw`.
    """

    command: Sequence[str]
    cwd: Path | None = None
    environment: Mapping[str, str] | None = None
    files: Mapping[str, str] = field(default_factory=dict)


class Collector(Protocol):
    """A tool that runs a program and leaves files from which profiles are made."""

    name: str

    def prepare(
        self, command: Sequence[str], raw: Path, interval: IntervalLength, cwd: Path | None = None
    ) -> Invocation:
        """How to run `command` so that the files go to the folder `raw`.

        Args:
            command: the program and its arguments; a relative name is one from `cwd`.
            raw: absolute; there and empty by the time the program runs.
            interval: instructions per interval.
            cwd: the folder that the program starts in; None: ours.

        Raises:
            MissingTool: the tool is not on this machine; says how to get it.
            CollectorError: the program cannot be run under it; says why.
            WorkError: there is no folder `cwd`.
            UsageError: it cannot cut such intervals.
        """

    def images(self, raw: Path) -> tuple[list[Image], list[str]]:
        """The process images recorded so far, and warnings, one sentence each."""

    def profile(self, image: Image, interval: IntervalLength, *, complete: bool = True) -> Profile:
        """The profile of one image.

        Raises:
            DataError: a file of it is malformed.
        """
