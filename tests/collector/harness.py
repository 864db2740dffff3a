"""What the collector's tests share: building small programs, running them, reading streams."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tests.reference.raw_stream import Stream, read
from tests.waiting import LONG

from phasemark.collect.engines.qemu import CPU

PROGRAMS = Path(__file__).parent / "programs"


def collector_folder() -> Path | None:
    """Where the tool is: the environment's word, or the installed package's."""
    if named := os.environ.get("PHASEMARK_COLLECTOR_DIR"):
        return Path(named)
    package = importlib.util.find_spec("phasemark")
    for place in (package and package.submodule_search_locations) or []:
        folder = Path(place) / "_collector"
        if (folder / "phasemark-launcher").exists():
            return folder
    return None


@dataclass
class Run:
    """One run under the collector: how it ended, the streams of all its processes, and what was noted."""

    returncode: int
    stdout: str
    stderr: str
    streams: list[Stream]
    notes: str = ""

    @property
    def root(self) -> Stream:
        (root,) = [s for s in self.streams if s.header["origin"] == "start"]
        return root

    @property
    def followed(self) -> list[Stream]:
        return [s for s in self.streams if s.header["origin"] != "start"]


def command(folder: Path, *options: object, interval: int = 1000) -> list[str]:
    """The collector's command line, up to the program."""
    tool = collector_folder()
    assert tool is not None
    fixed = "--tool=phasemark -q --vgdb=no --command-line-only=yes --trace-children=yes"
    return [
        str(tool / "phasemark-launcher"),
        *fixed.split(),
        f"--out-dir={folder}",
        f"--interval={interval}",
        *map(str, options),
        "--",
    ]


@cache
def abilities(emulator: str) -> tuple[bool, str]:
    """Whether a QEMU loads plugins, and what it says of its version."""
    said = [
        subprocess.run([emulator, option], capture_output=True, text=True, check=False).stdout
        for option in ("-help", "-version")
    ]
    return "-plugin" in said[0], said[1]


def qemu_command(
    folder: Path, program: str, *options: object, interval: int = 1000, guest: str = "x86_64"
) -> list[str]:
    """QEMU's command line with the plugin, up to the program and with it; skips where there is none.

    Of Valgrind's options those that the plugin has, too, are passed on.
    """
    tool = collector_folder()
    emulator = shutil.which(f"qemu-{guest}")
    if tool is None or emulator is None:
        pytest.skip(f"needs qemu-{guest}")
    loads, version = abilities(emulator)
    if not loads:
        pytest.skip(f"{emulator} loads no plugins")
    old = re.search(r"version [2-8]\.", version)
    plugin = tool / f"phasemark-qemu-api{1 if old else 2}.so"
    cpu = ["-cpu", CPU] if guest == "x86_64" else []
    told = f"{plugin},out={folder},interval={interval},words={len(cpu) + 3}"
    told += "".join(
        "," + str(o).removeprefix("--")
        for o in options
        if str(o).startswith(("--events=", "--cuts=", "--live=", "--seed="))
    )
    return [emulator, *cpu, "-plugin", told, "-0", program, program]


def read_all(folder: Path) -> list[Stream]:
    """The streams of a folder as they began; one that was made and not written to yet is none.

    Their names begin with numbers of processes: a child's may have more digits, or be small once more.
    """
    found = [read(path) for path in sorted(folder.glob("*.raw")) if path.stat().st_size]
    return sorted(found, key=lambda stream: int(stream.header.get("time_ns", 0)))


def notes_of(folder: Path) -> str:
    """What the collector noted, without the kinds of lines and the numbers of processes."""
    path = folder / "notes"
    lines = path.read_text().splitlines() if path.exists() else []
    return "".join(line.split(" ", 2)[2] + "\n" for line in lines)


def collect(
    folder: Path,
    *program: object,
    interval: int = 1000,
    options: tuple[object, ...] = (),
    engine: str = "valgrind",
    guest: str = "x86_64",
) -> Run:
    """Runs a program under an engine; the options are Valgrind's."""
    folder.mkdir(exist_ok=True)
    words = [*map(str, program)]
    if engine == "qemu":
        words[:1] = qemu_command(folder, words[0], *options, interval=interval, guest=guest)
    else:
        words[:0] = command(folder, *options, interval=interval)
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr, read_all(folder), notes_of(folder))


def build(source: str, target: Path, *flags: str) -> Path:
    """Assembles a free-standing program, or compiles a hosted one."""
    bare = ["-nostdlib", "-static", "-no-pie"] if source.endswith(".S") else []
    subprocess.run(["gcc", "-O1", "-g", *bare, "-o", target, PROGRAMS / source, *flags], check=True)
    return target


def labels(program: Path) -> dict[str, int]:
    listing = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    return {line.split()[2]: int(line.split()[0], 16) for line in listing.splitlines()}
