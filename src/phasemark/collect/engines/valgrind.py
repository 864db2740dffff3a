"""The default collector: our own Valgrind tool, which is built and installed with the package."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from numpy.typing import ArrayLike

import phasemark
from phasemark.collect.boundaries import Boundaries, found_again
from phasemark.collect.cuts import Cuts
from phasemark.collect.engines import preflight, raw_images
from phasemark.collect.engines.protocol import LONGEST_TOKEN, Invocation, Job
from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.process_tree import Image
from phasemark.collect.stream import counting
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.events import packed_events
from phasemark.collect.stream.merging import SHORTEST_AUTO
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import MissingTool
from phasemark.model import Metrics, Profile
from phasemark.progress import Progress
from phasemark.store.events_h5 import PackedTrace

LAUNCHER, TOOL = "phasemark-launcher", "phasemark-amd64-linux"

_OPTIONS = (
    "-q",
    "--command-line-only=yes",  # nothing from ~/.valgrindrc or VALGRIND_OPTS
    "--vgdb=no",
    "--sigill-diagnostics=yes",  # which instruction it does not know
    "--trace-children=yes",
    "--max-threads=5000",  # Valgrind stops the program at one more than these; 500 unless told
)


def tool_folder() -> Path:
    """The folder of the tool and its launcher.

    Raises:
        MissingTool: it was not built; says why and what to do.
    """
    for place in phasemark.__path__:
        folder = Path(place).absolute() / "_collector"
        if all((folder / name).exists() for name in (LAUNCHER, TOOL)):
            return folder
    if platform.system() != "Linux" or platform.machine() not in ("x86_64", "AMD64"):
        raise MissingTool(
            f"the collector runs on x86-64 Linux; this is {platform.system()} on {platform.machine()}",
            hint="profile there and copy the folder here, or read vectors of another tool: phasemark import",
        )
    raise MissingTool(
        "this phasemark was built without its collector, for which the packages valgrind and liblz4-dev "
        "(headers and static libraries) and a C compiler must be there at build time",
        hint="apt install valgrind liblz4-dev gcc libc6-dev, then install phasemark again "
        "(pip install --force-reinstall --no-binary phasemark phasemark, or script/setup in its source)",
    )


class Valgrind:
    """Runs the program under our Valgrind tool; one raw stream a process image. Cuts and records events."""

    name = "valgrind"

    def prepare(self, job: Job, raw: Path) -> Invocation:
        """See Collector."""
        folder = tool_folder()
        program = preflight.check(job.command[0], cwd=job.cwd)
        preflight.check_limits()
        automatic = job.interval == "auto" and job.cuts is None
        options = [
            *_OPTIONS,
            f"--out-dir={raw}",
            f"--interval={SHORTEST_AUTO if automatic else _length(job)}",
            f"--auto={'yes' if automatic else 'no'}",
        ]
        if job.events:
            options.append(f"--events={LONGEST_TOKEN}")
        if job.live is not None:
            options.append(f"--live={job.live.counters},{job.live.seed}")
        if job.memory:
            options.append(f"--memory={job.memory}")
        options += preflight.smc_options(job.smc_check, program)
        if job.smc_check is not None:
            options.append("--watch-rewriting=no")
        texts = {name: getattr(job, name) for name in ("timing", "windows", "cuts")}
        files = {name: text for name, text in texts.items() if text is not None}
        options += [f"--{name}={raw / name}" for name in files]
        command = [str(folder / LAUNCHER), *options, "--", *program.started(job.command)]
        return Invocation(command, job.cwd, files=files)

    def images(self, raw: Path) -> tuple[list[Image], list[str]]:
        """See Collector."""
        return raw_images.found(raw, _said_by_valgrind(raw))

    def profile(
        self,
        image: Image,
        interval: IntervalLength,
        *,
        complete: bool = True,
        progress: Progress | None = None,
    ) -> Profile:
        """See Collector."""
        return profile_of(*image.files, complete=complete and image.ended, progress=progress)

    def metrics(
        self, image: Image, thread: ArrayLike, index: ArrayLike, start: ArrayLike, end: ArrayLike
    ) -> tuple[Metrics, Ints]:
        """See TimingCollector."""
        return counting.metrics(RawStream(image.files[0]), thread, index, start, end)

    def events(self, image: Image, profile: Profile) -> tuple[PackedTrace, list[str]]:
        """See EventCollector."""
        return packed_events(RawStream(image.files[0]), profile)

    def boundaries(self, image: Image, cuts: Cuts) -> Boundaries:
        """See CuttingCollector."""
        return found_again(RawStream(image.files[0]), cuts)


def _length(job: Job) -> int:
    """That of the intervals; where they are cut at positions it says nothing."""
    return SHORTEST_AUTO if job.interval == "auto" else job.interval


def _said_by_valgrind(raw: Path) -> list[str]:
    """What Valgrind itself had to say that a user should know."""
    warnings = []
    for path in sorted(raw.glob("*.log")):
        text = path.read_text(encoding="utf-8", errors="replace")
        calls = sorted({int(n) for n in re.findall(r"unhandled amd64-linux syscall: (\d+)", text)})
        warnings += [
            f"the engine does not know system call {call}: the program was told that there is none (ENOSYS)"
            for call in calls
        ]
        if match := re.search(r"unhandled instruction bytes:([^\n]*)", text):
            warnings.append(_unknown_instruction(match[1].strip()))
        elif match := re.search(r"(?:valgrind|Valgrind): (?:fatal|FATAL|the 'impossible')[^\n]*", text):
            warnings.append(f"Valgrind stopped: {match[0]}")
    return warnings


def _unknown_instruction(code: str) -> str:
    """In words; the first byte of AVX-512's instructions is a prefix that nothing else has."""
    kind = "an AVX-512 instruction" if re.match(r"(0x)?62\b", code, re.IGNORECASE) else "an instruction"
    return (
        f"the collector does not know {kind} of the program ({code}), which was given SIGILL there: build it "
        "without AVX-512, with -march=x86-64-v3 for example"
    )
