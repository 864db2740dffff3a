"""Valgrind's stock exp-bbv as a collector, for comparison.

It keeps a program's threads apart but not its forks, drops each thread's last partial interval, and
its blocks are Valgrind's superblocks: another definition, so its profiles do not mix with ours.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from phasemark._version import __version__
from phasemark.collect.engines import preflight
from phasemark.collect.engines.protocol import Invocation, Job
from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.process_tree import Image
from phasemark.errors import MissingTool
from phasemark.model import Profile
from phasemark.progress import Progress

#: exp-bbv cannot lengthen its intervals as a run grows.
AUTO_INTERVAL = 1_000_000

_TRAILER_BYTES = 1000
_COMMAND = re.compile(r"^==\d+== Command: (.*)$", re.MULTILINE)
_PARENT = re.compile(r"^==\d+== Parent PID: (\d+)$", re.MULTILINE)


class ExpBbv:
    """Runs the program under `valgrind --tool=exp-bbv`; files bb.out.PID[.THREAD], pc.out.PID, PID.log."""

    name = "exp-bbv"

    def prepare(self, job: Job, raw: Path) -> Invocation:
        """See Collector."""
        valgrind = shutil.which("valgrind")
        if valgrind is None:
            raise MissingTool(
                "exp-bbv is part of Valgrind, which is not in PATH", hint="apt install valgrind"
            )
        program = preflight.check(job.command[0], cwd=job.cwd)
        place = str(raw).replace("%", "%%")
        options = [
            "--tool=exp-bbv",
            "--command-line-only=yes",
            "--vgdb=no",
            "--trace-children=yes",
            f"--log-file={place}/%p.log",
            f"--bb-out-file={place}/bb.out.%p",
            f"--pc-out-file={place}/pc.out.%p",
            f"--interval-size={_length(job.interval)}",
        ]
        options += preflight.smc_options(job.smc_check, program)
        command = [str(Path(valgrind).absolute()), *options, "--", *program.started(job.command)]
        return Invocation(command, job.cwd)

    def images(self, raw: Path) -> tuple[list[Image], list[str]]:
        """See Collector."""
        names = [re.fullmatch(r"bb\.out\.(\d+)", path.name) for path in raw.iterdir()]
        pids = [int(name[1]) for name in names if name]
        begun = sorted(pids, key=lambda pid: ((raw / f"pc.out.{pid}").stat().st_ctime_ns, pid))
        return [_image(raw, pid, number) for number, pid in enumerate(begun, 1)], []

    def profile(
        self,
        image: Image,
        interval: IntervalLength,
        *,
        complete: bool = True,
        progress: Progress | None = None,
    ) -> Profile:
        """See Collector."""
        from phasemark.formats.vectors import profiles  # which other runs need not wait for

        profile = profiles.read(image.files, dialect="exp-bbv", interval=_length(interval))
        provenance = replace(
            profile.provenance,
            tool_version=_version(),
            phasemark=__version__,
            command=image.command,
            complete=complete and image.ended,
        )
        return replace(profile, provenance=provenance)


def _length(interval: IntervalLength) -> int:
    return AUTO_INTERVAL if interval == "auto" else interval


def _image(raw: Path, pid: int, number: int) -> Image:
    threads = sorted(raw.glob(f"bb.out.{pid}.*"), key=lambda path: int(path.suffix[1:]))
    vectors = [raw / f"bb.out.{pid}", *threads]
    instructions = [_instructions(path) for path in vectors]
    log = (raw / f"{pid}.log").read_text(encoding="utf-8", errors="surrogateescape")
    command, parent = _COMMAND.search(log), _PARENT.search(log)
    return Image(
        number,
        pid,
        int(parent[1]) if parent else 0,
        "start" if number == 1 else "exec",
        tuple(command[1].split(" ")) if command else (),
        sum(n or 0 for n in instructions),
        sum(bool(n) for n in instructions),
        None not in instructions,
        (*vectors, raw / f"pc.out.{pid}"),
    )


def _instructions(path: Path) -> int | None:
    """What the trailer says of the thread's instructions; None as long as there is none."""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - _TRAILER_BYTES))
        total = re.search(rb"# +Total instructions: (\d+)", file.read())
    return int(total[1]) if total else None


def _version() -> str:
    output = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=False).stdout
    return output.strip().removeprefix("valgrind-")
