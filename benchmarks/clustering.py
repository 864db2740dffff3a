"""Whole processes against SimPoint 3.2: from the vector file to the points and weights, in pairs.

    python benchmarks/clustering.py --opponent PATH/simpoint --pairs 5 VECTORS...

VECTORS are made by vectors.py. Prints a table: CPU seconds (user + system, start-up included) of ours, of
ours again on vectors it knows (where they are large enough to be kept), and of the opponent's; their ratio
pair by pair; peak memory; and, where the opponent evaluates every k as ours does, our squared error over its
at equal k (geometric mean over k = 2..30, on the vectors that it projected). Runs take turns, so that a
machine whose speed drifts does not favour either. One and two threads must write the same bytes, or it stops.

    python benchmarks/clustering.py --opponent PATH/simpoint --threads VECTORS...

Prints wall time with one thread and with two, alone and beside four busy processes.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: That of this Python's environment.
PHASEMARK = str(Path(sys.executable).with_name("phasemark"))

#: How the opponent searches: its flags. Ours evaluates every k in either case.
SEARCHES = {"every k": ["-k", "1:30"], "its own": ["-maxK", "30"]}


@dataclass(frozen=True)
class Cost:
    """CPU and wall seconds, and peak resident MiB, of one process."""

    cpu: float
    wall: float
    peak: float


def run(command: list[str], **environment: str) -> Cost:
    """Run a command, its output thrown away; the operating system's accounting of it."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    start = time.monotonic()
    child = os.posix_spawnp(command[0], command, {**os.environ, **environment}, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024)


def ours(vectors: Path, out: Path, threads: int, *more: str) -> Cost:
    """phasemark, every k from 1 to 30."""
    command = [
        PHASEMARK,
        "simpoint",
        "-loadFVFile",
        str(vectors),
        "-k",
        "1:30",
        *more,
        *saved(out, threads),
    ]
    return run(command, PHASEMARK_THREADS=str(threads), PHASEMARK_CACHE=str(out / "cache"))


def theirs(opponent: Path, vectors: Path, out: Path, search: list[str]) -> Cost:
    """The opponent, every k or its own search."""
    return run([str(opponent), "-loadFVFile", str(vectors), *search, *saved(out, 0)])


def saved(out: Path, number: int) -> list[str]:
    """The flags for points and weights."""
    return [
        "-saveSimpoints",
        str(out / f"points{number}"),
        "-saveSimpointWeights",
        str(out / f"weights{number}"),
    ]


def compare(opponent: Path, vectors: Path, pairs: int, search: str, error: str) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        found = [
            (ours(vectors, out, 1, "-noCache"), theirs(opponent, vectors, out, SEARCHES[search]))
            for _ in range(pairs)
        ]
        require_same_bytes(vectors, out)
        again = statistics.median(ours(vectors, out, 1).cpu for _ in range(pairs))
        known = f"{again:.2f}" if any((out / "cache").glob("*")) else "-"
    ratio = statistics.median(b.cpu / a.cpu for a, b in found)
    one, other = (statistics.median(pair[i].cpu for pair in found) for i in (0, 1))
    peaks = " | ".join(f"{max(pair[i].peak for pair in found):.0f}" for i in (0, 1))
    return (
        f"| {vectors.name} | {search} | {one:.2f} | {known} | {other:.2f} | {ratio:.1f} | {peaks} | {error} |"
    )


def require_same_bytes(vectors: Path, out: Path) -> None:
    """Stop unless two threads write what one wrote; fills the cache."""
    ours(vectors, out, 2)
    for name in ("points", "weights"):
        if (out / f"{name}1").read_bytes() != (out / f"{name}2").read_bytes():
            sys.exit(f"{vectors}: one and two threads write different {name}")


def error_ratio(opponent: Path, vectors: Path) -> float:
    """Our squared error over the opponent's at equal k, geometric mean over k = 2..30, on its own vectors."""
    with tempfile.TemporaryDirectory() as folder:
        projected = f"{folder}/projected"
        command = [opponent, "-loadFVFile", vectors, "-k", "1:30", "-saveVectorsTxtFmt", projected]
        best = opponents_errors(said_by([str(part) for part in command]))
        command = [
            PHASEMARK,
            "simpoint",
            "-loadVectorsTxtFmt",
            projected,
            "-fixedLength",
            "on",
            "-k",
            "1:30",
        ]
        lines = re.findall(r"k = (\d+): .*distortion (\S+)", said_by([str(part) for part in command]))
    return math.exp(statistics.mean(math.log(float(d) / best[int(k)]) for k, d in lines if int(k) > 1))


def opponents_errors(text: str) -> dict[int, float]:
    """k -> squared error of the run that the opponent took for it."""
    errors = {}
    for part in text.split("Run number")[1:]:
        found = [float(number) for number in re.findall(r"Distortion: (\S+)", part)]
        chosen = re.search(r"best initialization seed trial was #(\d+)", part)
        k = re.search(r"k = (\d+)", part)
        assert chosen and k
        errors[int(k[1])] = found[int(chosen[1]) - 1]
    return errors


def said_by(command: list[str]) -> str:
    """What a command writes to standard output."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the machine busy meanwhile."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def compare_threads(vectors: Path, pairs: int) -> Iterator[str]:
    """Two lines of the table of wall times: alone, and on a busy machine."""
    for loops in (0, 4):
        with tempfile.TemporaryDirectory() as folder, busy(loops):
            out = Path(folder)
            one = statistics.median(ours(vectors, out, 1, "-noCache").wall for _ in range(pairs))
            two = statistics.median(ours(vectors, out, 2, "-noCache").wall for _ in range(pairs))
        yield f"| {vectors.name} | {loops} | {one:.2f} | {two:.2f} | {one / two:.2f} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vectors", type=Path, nargs="+")
    parser.add_argument("--opponent", type=Path, required=True, help="the binary of SimPoint 3.2")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--only", choices=tuple(SEARCHES), help="one of its two searches")
    parser.add_argument("--no-errors", action="store_true", help="leave out the squared errors")
    parser.add_argument("--threads", action="store_true", help="one thread against two instead")
    options = parser.parse_args()
    for path in (options.opponent, *options.vectors):
        if not path.is_file():
            parser.error(f"{path}: there is no such file")
    if options.threads:
        print("| vectors | busy processes | 1 thread, s | 2 threads, s | ratio |\n|---|---|---|---|---|")
        for vectors in options.vectors:
            for line in compare_threads(vectors, options.pairs):
                print(line, flush=True)
        return
    print("| vectors | its search | ours, s | again, s | its, s | ratio | ours, MiB | its, MiB | error |")
    print("|---|---|---|---|---|---|---|---|---|")
    for vectors in options.vectors:
        for name in SEARCHES:
            if options.only in (None, name):
                wanted = name == "every k" and not options.no_errors
                error = f"{error_ratio(options.opponent, vectors):.3f}" if wanted else ""
                print(compare(options.opponent, vectors, options.pairs, name, error), flush=True)


if __name__ == "__main__":
    main()
