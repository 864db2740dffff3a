"""What collecting costs: CPU time of real programs, natively and under Valgrind's tools.

    python benchmarks/collector_cost.py [--collector FOLDER] [--repeats 3] [--interval 1000000]

Every round runs each program once a way, so that a busy machine slows all ways alike; the table
shows medians of CPU seconds (user + system) and the geometric means of the ratios. The inputs are
made from a seed. `phasemark` is `profile --no-memory`, `memory` is without that option, `events` with
`--events`, `none` is Valgrind without a tool, `exp-bbv` the tool of its distribution, run on the
compressors only, for it is slow; both need Valgrind installed and are left out otherwise. A round
takes some minutes; `--scale 0.1` is enough for a first impression.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

MORE = ("memory", "events")
COMPRESSORS = ("gzip", "bzip2")

PYTHON_PROGRAM = """
words = {}
for i in range(ROUNDS):
    key = str(i * 7919 % 10007)
    words[key] = words.get(key, 0) + len(key)
print(sum(sorted(words.values())[:100]), hash(tuple(sorted(words))) % 2 < 2)
"""


def make_text(path: Path, size: int, seed: int) -> None:
    """Lines of words, some of them rare, with stretches of noise in between."""
    chance = random.Random(seed)
    letters = b"etaoinshrdlucmfwypvbgkjqxz"
    words = [bytes(chance.choices(letters, k=chance.randint(2, 11))) for _ in range(20_000)]
    with path.open("wb") as file:
        while file.tell() < size:
            lines = (b" ".join(chance.choices(words, k=12)) for _ in range(200))
            file.write(b"\n".join(lines) + b"\n")
            file.write(chance.randbytes(2_000) + b"\n")


def programs(folder: Path, scale: float) -> dict[str, list[str]]:
    inputs = {"gzip": 40e6, "bzip2": 22e6, "sort": 160e6}
    for seed, (name, size) in enumerate(inputs.items()):
        make_text(folder / name, int(size * scale), seed)
    script = folder / "program.py"
    script.write_text(PYTHON_PROGRAM.replace("ROUNDS", str(int(2.5e6 * scale))))
    return {
        "gzip": ["gzip", "-9c", str(folder / "gzip")],
        "bzip2": ["bzip2", "-c", str(folder / "bzip2")],
        "sort": ["sort", "--parallel=1", str(folder / "sort")],
        "python3": [os.path.realpath(sys.executable), "-I", "-S", str(script)],
    }


def ways(collector: Path, out: Path, interval: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"native": []}
    if valgrind := shutil.which("valgrind"):
        quiet = [valgrind, "-q", "--vgdb=no", "--command-line-only=yes"]
        found["none"] = [*quiet, "--tool=none"]
        found["exp-bbv"] = [
            *quiet,
            "--tool=exp-bbv",
            f"--interval-size={interval}",
            f"--bb-out-file={out}/bb",
            f"--pc-out-file={out}/pc",
        ]
    found["phasemark"] = [
        str(collector / "phasemark-launcher"),
        *["--tool=phasemark", "-q", "--vgdb=no", "--command-line-only=yes", "--trace-children=yes"],
        f"--out-dir={out}",
        f"--interval={interval}",
        "--",
    ]
    found["memory"] = [*found["phasemark"][:-1], "--memory=64", "--"]
    found["events"] = [*found["phasemark"][:-1], "--events=100000", "--"]
    return found


def cpu_seconds(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONHASHSEED": "0", "LC_ALL": "C"}
    nowhere = subprocess.DEVNULL
    subprocess.run(command, check=True, env=environment, stdout=nowhere, stderr=nowhere)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


Medians = dict[str, dict[str, float]]


def is_measured(program: str, way: str) -> bool:
    return way != "exp-bbv" or program in COMPRESSORS


def measure(
    commands: dict[str, list[str]], prefixes: dict[str, list[str]], out: Path, repeats: int
) -> Medians:
    times: dict[str, dict[str, list[float]]] = {program: {} for program in commands}
    for _ in range(repeats):
        for program, command in commands.items():
            for way, prefix in prefixes.items():
                if is_measured(program, way):
                    shutil.rmtree(out, ignore_errors=True)
                    out.mkdir()
                    seconds = cpu_seconds([*prefix, *command])
                    times[program].setdefault(way, []).append(seconds)
    return {p: {w: statistics.median(t) for w, t in by.items()} for p, by in times.items()}


def cells(values: Sequence[float | None]) -> str:
    return "".join(f"{value:11.2f}" if value is not None else f"{'-':>11}" for value in values)


def ratios(row: dict[str, float], bases: list[str]) -> list[float | None]:
    """Of phasemark to each of some ways; of what it does more it is the other way round: what that costs."""
    by = {way: row["phasemark"] / seconds for way, seconds in row.items()}
    return [None if base not in by else 1 / by[base] if base in MORE else by[base] for base in bases]


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(statistics.fmean(math.log(value) for value in values))


def show(medians: Medians, names: list[str]) -> None:
    bases = [name for name in names if name != "phasemark"]
    headings = [*names, *(f"{base} /" if base in MORE else f"/ {base}" for base in bases)]
    print(f"{'CPU seconds':12}" + "".join(f"{heading:>11}" for heading in headings))
    for program, row in medians.items():
        print(f"{program:12}" + cells([row.get(name) for name in names] + ratios(row, bases)))
    columns = zip(*(ratios(row, bases) for row in medians.values()), strict=True)
    means = [geometric_mean([r for r in column if r is not None]) for column in columns]
    print(f"{'geom. mean':12}" + " " * 11 * len(names) + cells(means))


def installed_collector() -> Path | None:
    package = importlib.util.find_spec("phasemark")
    for place in (package and package.submodule_search_locations) or []:
        if (Path(place) / "_collector" / "phasemark-launcher").exists():
            return Path(place) / "_collector"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--collector", type=Path, default=installed_collector())
    parser.add_argument("--interval", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0, help="of the programs' inputs")
    parser.add_argument("--only", nargs="*", help="these programs")
    parser.add_argument(
        "--skip", nargs="*", default=[], choices=("native", "none", "exp-bbv", *MORE), help="these ways"
    )
    arguments = parser.parse_args()
    if arguments.collector is None:
        parser.error("no collector is installed: name its folder with --collector")

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        commands = programs(folder, arguments.scale)
        prefixes = ways(arguments.collector.resolve(), folder / "out", arguments.interval)
        chosen = {p: c for p, c in commands.items() if p in (arguments.only or commands)}
        tried = {w: p for w, p in prefixes.items() if w not in arguments.skip}
        show(measure(chosen, tried, folder / "out", arguments.repeats), list(tried))


if __name__ == "__main__":
    main()
