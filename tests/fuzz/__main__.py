"""`python -m tests.fuzz --minutes 10`: other bends each time, until the time is over."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.files import samples
from tests.fuzz.trial import Trial, failures, show

#: Trials of a process; one that dies takes the rest of its batch with it.
_BATCH = 500


def main() -> int:
    """Try, print what went wrong, each kind once; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None, help="where to begin; else a new place each time")
    parser.add_argument("--again", nargs=2, metavar=("SAMPLE", "NUMBER"), help="do one trial again, here")
    parser.add_argument("--reader", default="check", help="by which reader")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        known = samples(Path(scratch))
    if asked.again:
        what, number = asked.again
        show(Trial(what, int(number)), known[what], asked.reader)
        return 0
    first = asked.seed if asked.seed is not None else time.time_ns() // 1000
    return _until(time.monotonic() + 60 * asked.minutes, first, known)


def _until(end: float, number: int, known: dict) -> int:  # type: ignore[type-arg]
    seen: set[str] = set()
    done = 0
    names = sorted(known)
    while time.monotonic() < end:
        trials = [Trial(names[i % len(names)], number + i // len(names)) for i in range(_BATCH)]
        number += _BATCH // len(names) + 1
        done += len(trials)
        for line in failures(trials, known):
            kind = line.rpartition("': ")[2].partition(": ")[0]
            if kind not in seen:
                seen.add(kind)
                print(line, flush=True)
    print(f"{done:,} bent files, {len(seen)} kinds of faults")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
