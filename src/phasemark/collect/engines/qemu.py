"""QEMU's user emulation with our plugin: programs of other machines, and threads truly in parallel.

QEMU is not part of phasemark. It has to be one that loads plugins, which statically linked ones do not.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import phasemark
from phasemark.collect import environment as environments
from phasemark.collect.boundaries import Boundaries, found_again
from phasemark.collect.cuts import Cuts
from phasemark.collect.engines import preflight, raw_images
from phasemark.collect.engines.protocol import LONGEST_TOKEN, Invocation, Job
from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.process_tree import Image
from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.events import packed_events
from phasemark.collect.stream.merging import SHORTEST_AUTO
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import MissingTool, UsageError
from phasemark.model import Profile
from phasemark.progress import Progress
from phasemark.store.events_h5 import PackedTrace

#: Names QEMU, or a folder with one for each machine.
VARIABLE = "PHASEMARK_QEMU"

#: Machines as ELF numbers them, and as QEMU names them.
GUESTS: Mapping[int, str] = {
    preflight.X86_64: "x86_64",
    preflight.AARCH64: "aarch64",
    preflight.RISCV: "riscv64",
}

#: What is offered to programs for x86-64: as near as QEMU comes to what Valgrind offers, so that programs
#: which look at it take the same paths under both. What is off QEMU lacks, and would warn of.
CPU = "Haswell-noTSX,x2apic=off,tsc-deadline=off,pcid=off,invpcid=off"

#: From this version on QEMU loads plugins of the second generation alone.
_SECOND_GENERATION = (9, 0)

_HINT = "apt install qemu-user (Debian 12 or Ubuntu), or name a QEMU that was built with plugins: "


@dataclass(frozen=True)
class _Emulator:
    """A QEMU that loads plugins."""

    path: str
    version: str

    @property
    def generation(self) -> int:
        """Of its interface for plugins."""
        numbers = tuple(int(number) for number in self.version.split(".")[:2])
        return 2 if numbers >= _SECOND_GENERATION else 1


class Qemu:
    """Runs the program under QEMU with our plugin; one raw stream an image. Cuts and records events."""

    name = "qemu"

    def prepare(self, job: Job, raw: Path) -> Invocation:
        """See Collector."""
        if job.smc_check is not None:
            raise UsageError("qemu always looks whether code was rewritten", hint="leave out --smc-check")
        roots = _roots()
        program = preflight.check(job.command[0], cwd=job.cwd, machines=tuple(GUESTS), roots=roots)
        preflight.check_limits()
        emulator = _emulator(GUESTS[program.machine])
        given = environments.given()
        environment = dict(os.environ) if given is None else given
        automatic = job.interval == "auto" and job.cuts is None
        cpu, options = _cpu(program.machine, environment)
        linker = sorted(name for name in environment if _is_for_the_program(name, environment[name]))
        # What the dynamic linker reads is meant for the program's.
        for name in linker:
            options += ["-E", f"{name}={environment.pop(name)}"]
        told = {
            "out": raw,
            "interval": SHORTEST_AUTO if job.interval == "auto" else job.interval,
            "doubling": int(automatic),
            "version": emulator.version,
            "events": LONGEST_TOKEN if job.events else 0,
            "cpu": cpu,
            "words": len(options) + 3,
        }
        if job.live is not None:
            told |= {"live": job.live.counters, "seed": job.live.seed}
        files = {} if job.cuts is None else {"cuts": job.cuts}
        told |= {name: raw / name for name in files}
        plugin = plugin_file(emulator.generation)
        words = [str(plugin), *(f"{name}={value}" for name, value in told.items())]
        options += ["-plugin", ",".join(word.replace(",", ",,") for word in words)]
        named = job.command[0] if len(program.words) == 1 else program.words[0]
        path, *others = program.words
        safe = f"./{path}" if path.startswith("-") else path
        command = [emulator.path, *options, "-0", named, safe, *others, *job.command[1:]]
        return Invocation(command, job.cwd, environment, files)

    def images(self, raw: Path) -> tuple[list[Image], list[str]]:
        """See Collector."""
        return raw_images.found(raw)

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

    def events(self, image: Image, profile: Profile) -> tuple[PackedTrace, list[str]]:
        """See EventCollector."""
        return packed_events(RawStream(image.files[0]), profile)

    def boundaries(self, image: Image, cuts: Cuts) -> Boundaries:
        """See CuttingCollector."""
        return found_again(RawStream(image.files[0]), cuts)


def plugin_file(generation: int) -> Path:
    """The plugin for a generation of QEMU's interface.

    Raises:
        MissingTool: it was not built; says what to do.
    """
    name = f"phasemark-qemu-api{generation}.so"
    for place in phasemark.__path__:
        path = Path(place).absolute() / "_collector" / name
        if path.exists():
            return path
    raise MissingTool(
        f"this phasemark was built without its plugin for QEMU ({name}), which is built on x86-64 Linux "
        "where LZ4's header and static library and a C compiler are",
        hint="apt install valgrind liblz4-dev gcc libc6-dev qemu-user, then install phasemark again "
        "(pip install --force-reinstall --no-binary phasemark phasemark, or script/setup in its source)",
    )


def _emulator(guest: str) -> _Emulator:
    """The QEMU for programs of a machine.

    Raises:
        MissingTool: there is none, or none that loads plugins; says why and what to do.
    """
    name = f"qemu-{guest}"
    hint = f"{_HINT}{VARIABLE}=/path/to/{name}"
    asked = os.environ.get(VARIABLE)
    if asked and Path(asked).is_dir():
        asked = str(Path(asked) / name)
    path = shutil.which(asked or name)
    if path is None:
        where = f"{asked} ({VARIABLE})" if asked else f"{name} in PATH"
        raise MissingTool(f"QEMU's user emulation is needed, and there is no {where}", hint=hint)
    target, plugins, version = _abilities(str(Path(path).absolute()))
    if target and target != name:
        raise MissingTool(f"{path} ({VARIABLE}) is {target}, and the program needs {name}", hint=hint)
    if not plugins:
        raise MissingTool(
            f"{path} ({version or 'no QEMU'}) loads no plugins: statically linked builds cannot, such as "
            "those of Debian from QEMU 10 on",
            hint=hint,
        )
    return _Emulator(str(Path(path).absolute()), version)


@lru_cache
def _abilities(path: str) -> tuple[str, bool, str]:
    """The name that it calls itself, whether it has an option for plugins, and its version."""
    said = [_said(path, option) for option in ("-version", "-help")]
    version = re.match(r"(qemu-\w+) version (\d+\.\d+[.\d]*)", said[0])
    if version is None:
        return "", False, ""
    return version[1], bool(re.search(r"^-plugin\b", said[1], re.MULTILINE)), version[2]


def _said(path: str, option: str) -> str:
    try:
        done = subprocess.run([path, option], capture_output=True, text=True, errors="replace", check=False)
    except OSError:
        return ""
    return done.stdout


def _roots() -> tuple[Path, ...]:
    """Where QEMU looks for the loaders and libraries of programs, before it looks where they are named."""
    prefix = os.environ.get("QEMU_LD_PREFIX")
    return (Path(prefix),) if prefix else ()


def _cpu(machine: int, environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """What the program is offered of a processor, for the profile, and the options that say so."""
    guest = GUESTS[machine]
    if asked := environment.get("QEMU_CPU"):
        return f"{guest} {asked}", []
    if machine == preflight.X86_64:
        return f"{guest} {CPU.split(',', maxsplit=1)[0]}", ["-cpu", CPU]
    return f"{guest}, as QEMU offers by itself", []


def _is_for_the_program(name: str, value: str) -> bool:
    # QEMU would part the value at commas.
    return name.startswith("LD_") and "," not in value
