"""What the timing model costs: CPU time beside cachegrind, switched on and switched off.

    python benchmarks/timing_model_cost.py [--collector FOLDER] [--repeats 3] [--scale 0.1] [--only gzip sort]

Promised: with the model on no slower than `cachegrind --cache-sim=yes --branch-sim=yes`. `off` is a run whose
one window is never reached, which is what lies between two simulated points; `vectors` is an ordinary
profile. Rounds are interleaved; the table shows medians of CPU seconds, and ratios.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from collector_cost import (
    Medians,
    cells,
    geometric_mean,
    installed_collector,
    measure,
    programs,
    ways,
)

from phasemark.simulate import config

FAR = 10**15  # instructions: no program gets there
#: Ratio -> the promise, where there is one.
RATIOS = {("on", "cachegrind"): "at most 1", ("on", "off"): "", ("off", "vectors"): ""}


def timed_ways(collector: Path, folder: Path, machine: str) -> dict[str, list[str]]:
    """Command lines up to the program's name."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise SystemExit("Valgrind is needed, for cachegrind")
    (folder / "timing").write_text(config.load(machine).flat())
    (folder / "windows").write_text(f"0 {FAR} {FAR} {FAR + 1}\n")
    *vectors, end = ways(collector, folder / "out", 1_000_000)["phasemark"]
    on = [*vectors, f"--timing={folder / 'timing'}"]
    simulations = ["--cache-sim=yes", "--branch-sim=yes", "--cachegrind-out-file=/dev/null"]
    return {
        "cachegrind": [valgrind, "-q", "--vgdb=no", "--tool=cachegrind", *simulations],
        "vectors": [*vectors, end],
        "off": [*on, f"--windows={folder / 'windows'}", end],
        "on": [*on, end],
    }


def show(medians: Medians, names: list[str]) -> None:
    """The table."""
    ratios = {p: [row[a] / row[b] for a, b in RATIOS] for p, row in medians.items()}
    print(f"{'CPU seconds':12}" + "".join(f"{name:>11}" for name in names), end="")
    print("".join(f"{f'{a}/{b}':>15}" for a, b in RATIOS))
    for program, row in medians.items():
        print(f"{program:12}" + cells([row[name] for name in names]), end="")
        print("".join(f"{ratio:15.2f}" for ratio in ratios[program]))
    means = [geometric_mean(column) for column in zip(*ratios.values(), strict=True)]
    blank = " " * 11 * len(names)
    print(f"{'geom. mean':12}{blank}" + "".join(f"{mean:15.2f}" for mean in means))
    print(f"{'promised':12}{blank}" + "".join(f"{promise:>15}" for promise in RATIOS.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--collector", type=Path, default=installed_collector())
    parser.add_argument("--config", default=config.DEFAULT, help="of the timing model")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scale", type=float, default=0.1, help="of the programs' inputs")
    parser.add_argument("--only", nargs="*", help="these programs")
    arguments = parser.parse_args()
    if arguments.collector is None:
        parser.error("no collector is installed: name its folder with --collector")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        commands = programs(folder, arguments.scale)
        chosen = {p: c for p, c in commands.items() if p in (arguments.only or commands)}
        tried = timed_ways(arguments.collector.resolve(), folder, arguments.config)
        show(measure(chosen, tried, folder / "out", arguments.repeats), list(tried))


if __name__ == "__main__":
    main()
