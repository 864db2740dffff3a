"""What is asked for: which program to run, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasemark.collect.engines.protocol import LINES, SMC_CHECKS, Job
from phasemark.collect.engines.registry import (
    COLLECTORS,
    EVENT_COLLECTORS,
    MEMORY_COLLECTORS,
    SAMPLING_COLLECTORS,
    TIMING_COLLECTORS,
    TREE_COLLECTORS,
)
from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.process_tree import ALL
from phasemark.errors import UsageError, WorkError, shown


@dataclass(frozen=True)
class Request:
    """What to run and how; also what run.json keeps to make the profile again from the raw streams.

    Attributes:
        command: the program and its arguments.
        interval: instructions per interval.
        collector: a name of COLLECTORS.
        process: of a program that starts others, the process to analyse; `all`: all of them together;
            `one`: the one with the most instructions; None: that one, or all where it has too few of them.
        timing: a configuration of the timing model, flat text, which then counts during the same run.
        events: record loops, calls and returns, too.
        memory: record how long ago memory was used; None: where the collector does.
        smc_check: code that is looked at each time it is executed, one of SMC_CHECKS; None: as the files and
            mappings of the program suggest.
        signature: what samples are a count of; None: blocks. Only of a collector that samples.
        cwd: the folder to start the program in; None: ours.
        stdin: the open file that is its standard input, by number; 0: ours; None: there is nothing to read.

    Raises:
        UsageError: no program, no such collector or check, or a collector that does not do what is asked for.
    """

    command: tuple[str, ...]
    interval: IntervalLength = "auto"
    collector: str = "valgrind"
    process: str | None = None
    timing: str | None = None
    events: bool = False
    memory: bool | None = None
    smc_check: str | None = None
    signature: str | None = None
    cwd: Path | None = None
    stdin: int | None = None

    def __post_init__(self) -> None:
        if not self.command:
            raise UsageError("there is no program to profile", hint="name it after --")
        if self.collector not in COLLECTORS:
            raise UsageError(
                f"{shown(self.collector)} is no collector", hint=f"choose one of {', '.join(COLLECTORS)}"
            )
        if self.timing is not None and self.collector not in TIMING_COLLECTORS:
            raise UsageError(
                f"{self.collector} has no timing model", hint=f"leave out --collector {self.collector}"
            )
        if self.events and self.collector not in EVENT_COLLECTORS:
            raise UsageError(
                f"{self.collector} records no events", hint=f"leave out --collector {self.collector}"
            )
        if self.memory and self.collector not in MEMORY_COLLECTORS:
            raise UsageError(
                f"{self.collector} does not record how memory is used",
                hint=f"leave out --collector {self.collector}",
            )
        if self.process == ALL and self.collector not in TREE_COLLECTORS:
            raise UsageError(
                f"{self.collector} does not put processes together",
                hint=f"choose one with --process, or one of the collectors {', '.join(TREE_COLLECTORS)}",
            )
        if self.process == ALL and self.events:
            raise UsageError(
                "loops, calls and returns are recorded of one process", hint="choose it with --process"
            )
        if self.signature is not None and self.collector not in SAMPLING_COLLECTORS:
            raise UsageError(
                f"{self.collector} counts every block, and has no choice of signatures",
                hint=f"leave out --signature, or add --collector {next(iter(SAMPLING_COLLECTORS))}",
            )
        if self.smc_check is not None and self.smc_check not in SMC_CHECKS:
            raise UsageError(
                f"{shown(self.smc_check)} says not which code may be rewritten",
                hint=f"choose one of {', '.join(SMC_CHECKS)}, or leave out --smc-check",
            )

    @property
    def joins(self) -> bool:
        """Whether several processes can be put together."""
        return self.collector in TREE_COLLECTORS and not self.events

    @property
    def records_memory(self) -> bool:
        """Whether it is recorded how long ago memory was used."""
        return self.collector in MEMORY_COLLECTORS if self.memory is None else self.memory

    @property
    def job(self) -> Job:
        """What the collector is to run."""
        return Job(
            self.command,
            self.interval,
            self.cwd,
            self.timing,
            events=self.events,
            memory=LINES if self.records_memory else 0,
            smc_check=self.smc_check,
            signature=self.signature,
        )

    def entry(self, **more: Any) -> dict[str, Any]:
        """The step's entry in run.json; `cwd` is the folder that the program was started in."""
        names = ("interval", "collector", "process", "events", "smc_check")
        kept = {name: getattr(self, name) for name in names}
        kept["memory"] = self.records_memory
        return {"command": list(self.command), **kept, "cwd": str(absolute(self.cwd or "")), **more}


def absolute(path: str | Path) -> Path:
    """A path from the working folder.

    Raises:
        WorkError: the working folder is gone.
    """
    try:
        return Path(path).absolute()
    except FileNotFoundError as error:
        raise WorkError("the working folder is not there any more", hint="cd to another one") from error
