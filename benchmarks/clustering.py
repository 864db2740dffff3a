"""Whole processes against SimPoint 3.2: from the vector file to the points and weights, in pairs.

    python benchmarks/clustering.py --opponent PATH/simpoint --pairs 5 VECTORS...

Prints a table of CPU seconds (user + system, start-up included), their ratio pair by pair, peak memory,
and whether one and two threads wrote the same bytes. Runs take turns, so that a machine whose speed
drifts does not favour either.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """CPU seconds and peak resident MiB of one process."""

    cpu: float
    peak: float


def run(command: list[str], **environment: str) -> Cost:
    """Run a command, its output thrown away; the operating system's accounting of it."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    child = os.posix_spawnp(command[0], command, {**os.environ, **environment}, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def ours(vectors: Path, out: Path, threads: int) -> Cost:
    """phasemark, every k from 1 to 30."""
    files = [
        "-saveSimpoints",
        str(out / f"points{threads}"),
        "-saveSimpointWeights",
        str(out / f"weights{threads}"),
    ]
    command = ["phasemark", "simpoint", "-loadFVFile", str(vectors), "-k", "1:30", *files]
    return run(command, PHASEMARK_THREADS=str(threads))


def theirs(opponent: Path, vectors: Path, out: Path, search: list[str]) -> Cost:
    """The opponent, every k or its own search."""
    files = ["-saveSimpoints", str(out / "points"), "-saveSimpointWeights", str(out / "weights")]
    return run([str(opponent), "-loadFVFile", str(vectors), *search, *files])


def compare(opponent: Path, vectors: Path, pairs: int, search: list[str]) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        found = [(ours(vectors, out, 1), theirs(opponent, vectors, out, search)) for _ in range(pairs)]
        ours(vectors, out, 2)
        same = all(
            (out / f"{name}1").read_bytes() == (out / f"{name}2").read_bytes()
            for name in ("points", "weights")
        )
    ratio = statistics.median(b.cpu / a.cpu for a, b in found)
    one, other = (statistics.median(pair[i].cpu for pair in found) for i in (0, 1))
    peaks = " | ".join(f"{max(pair[i].peak for pair in found):.0f}" for i in (0, 1))
    return (
        f"| {vectors.name} | {' '.join(search)} | {one:.2f} | {other:.2f} | {ratio:.1f} | {peaks} | {same} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vectors", type=Path, nargs="+")
    parser.add_argument("--opponent", type=Path, required=True, help="the binary of SimPoint 3.2")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--only", choices=("every", "default"), help="one of its two searches")
    options = parser.parse_args()
    searches = {"every": ["-k", "1:30"], "default": ["-maxK", "30"]}
    print(
        "| vectors | its search | ours, s | its, s | ratio | ours, MiB | its, MiB | 1 and 2 threads alike |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for vectors in options.vectors:
        for name, search in searches.items():
            if options.only in (None, name):
                print(compare(options.opponent, vectors, options.pairs, search), flush=True)


if __name__ == "__main__":
    main()
