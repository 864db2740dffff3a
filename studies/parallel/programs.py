"""The parallel programs of the study, and how each is told its number of threads."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

KERNELS = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Count:
    """A number that grows with the scale of the study."""

    at_one: int

    def at(self, scale: float) -> str:
        """As the program is told it."""
        return str(max(1, round(self.at_one * scale)))


@dataclass(frozen=True)
class Side:
    """Of a cube: a power of 2, which is as it is, or half of that in a small study."""

    at_one: int

    def at(self, scale: float) -> str:
        """As the program is told it."""
        return str(self.at_one if scale >= 0.5 else self.at_one // 2)


@dataclass(frozen=True)
class Program:
    """One program, run with several numbers of threads.

    Attributes:
        name: in tables and of its folder.
        kind: what its threads are: OpenMP, pthreads, or a Debian package's own.
        arguments: of the command line; `{input}` is the folder of the inputs.
        package: Debian's; empty of a kernel of ours, which is compiled.
        source: of a kernel.
    """

    name: str
    kind: str
    arguments: tuple[str | Count | Side, ...]
    package: str = ""
    source: str = ""

    def command(self, built: Path, inputs: Path, scale: float, threads: int) -> list[str]:
        """The command line for so many threads.

        Raises:
            FileNotFoundError: the program is missing; says which package has it.
        """
        program = str(built / self.name) if self.source else self.name
        if not self.source and shutil.which(program) is None:
            raise FileNotFoundError(f"{program} is missing: apt install {self.package}")
        settings = [f"OMP_NUM_THREADS={threads}", "OMP_WAIT_POLICY=passive"]
        return ["env", *settings, program, *(_word(part, inputs, scale, threads) for part in self.arguments)]

    def build(self, built: Path) -> None:
        """Compile it, if it is ours, unless that was done.

        Raises:
            CalledProcessError: the compiler fails.
        """
        target = built / self.name
        if not self.source or target.exists():
            return
        built.mkdir(parents=True, exist_ok=True)
        flag = "-fopenmp" if self.kind == "OpenMP" else "-pthread"
        partial = target.with_suffix(".partial")
        subprocess.run(["gcc", "-O2", "-g", flag, "-o", partial, KERNELS / self.source, "-lm"], check=True)
        partial.rename(target)


def _word(part: str | Count | Side, inputs: Path, scale: float, threads: int) -> str:
    return part.format(input=inputs, threads=threads) if isinstance(part, str) else part.at(scale)


PROGRAMS = (
    Program("ft", "OpenMP", (Side(64), Count(3)), source="ft.c"),
    Program("mg", "OpenMP", (Side(64), Count(6)), source="mg.c"),
    Program("cg", "OpenMP", (Count(14_000), "40", "40"), source="cg.c"),
    Program("is", "pthreads", (Count(1_000_000), "8"), source="is.c"),
    Program("ep", "pthreads", (Count(2_000_000),), source="ep.c"),
    Program("bt", "pthreads", (Side(64), Count(12)), source="bt.c"),
    Program("pigz", "pthreads", ("-6", "-c", "-p{threads}", "{input}/archive"), "pigz"),
    Program("pbzip2", "pthreads", ("-1", "-b1", "-c", "-p{threads}", "{input}/sample"), "pbzip2"),
    Program(
        "xz", "pthreads", ("-1", "-c", "-T{threads}", "--block-size=250000", "{input}/sample"), "xz-utils"
    ),
    Program("zstd", "pthreads", ("-9", "-q", "-c", "-B524288", "-T{threads}", "{input}/archive"), "zstd"),
    Program("sort", "pthreads", ("--parallel={threads}", "{input}/lines"), "coreutils"),
)
