"""Whether a sampled profile and an exact one of the same program find the same phases.

    python -m tests.collect.sampling.agreement [--figure docs/sampled-phases.svg]

gzip compresses text, noise and zeros, twice over. One run is recorded by the default collector, one by perf.
Time is instructions in one and nanoseconds in the other, which no proportion maps to one another, for phases
differ in cycles per instruction. So the two are aligned first, without a look at phases: by dynamic time
warping, the monotone path between the two rows of intervals on which their shares of functions differ least.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from phasemark import symbols
from phasemark.collect import Request, record
from phasemark.collect.engines.perf import Perf
from phasemark.model import Counts, Intervals, Profile
from phasemark.phases import SimPoint
from phasemark.signatures import project

#: Bytes of text, noise and zeros, in megabytes, of the first and the second half.
PARTS = ((6, 30, 60), (6, 15, 60))


@dataclass(frozen=True)
class Pair:
    """Both profiles, with their intervals aligned.

    Attributes:
        exact, sampled: of the same program.
        path: pairs of intervals, one of each, from the first two to the last two.
    """

    exact: Profile
    sampled: Profile
    path: list[tuple[int, int]]

    def labels(self, k: int | None) -> tuple[NDArray[Any], NDArray[Any]]:
        """Phases of both along the path; None: as many as each finds."""
        found = []
        for profile in (self.exact, self.sampled):
            signatures = project(profile)
            model = SimPoint(seed=1) if k is None else SimPoint(k=k, seed=1)
            found.append(model.fit(signatures).labels_)
        rows = np.array(self.path)
        return found[0][rows[:, 0]], found[1][rows[:, 1]]

    def agreement(self, k: int | None) -> float:
        """The adjusted Rand index over time: 1 where both divide it alike, 0 as by chance."""
        return float(adjusted_rand_score(*self.labels(k)))


def write_input(path: Path, scale: float = 1.0) -> None:
    """What gzip is to compress: the same bytes every time."""
    chance = random.Random(7)
    words = [bytes(chance.choices(b"etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(5000)]
    with path.open("wb") as file:
        for text, noise, zeros in PARTS:
            size = int(text * scale * 1e6)
            file.write(b" ".join(chance.choices(words, k=size // 5))[:size])
            file.write(chance.randbytes(int(noise * scale * 1e6)))
            file.write(bytes(int(zeros * scale * 1e6)))


def recorded(folder: Path, per_interval: Sequence[int], scale: float = 1.0) -> list[Pair]:
    """Run gzip twice, once under each collector, and cut its samples as often as told.

    Args:
        folder: to work in.
        per_interval: samples in an interval; a pair is made for each.
        scale: of the input.
    """
    write_input(folder / "input", scale)
    command = ("gzip", "-6", "-k", "-c", str(folder / "input"))
    script = ("sh", "-c", 'exec "$@" >/dev/null', "sh", *command)
    sampled = record(Request(script, collector="perf", process="gzip"), folder / "sampled", keep_raw=True)
    engine, pairs = Perf(), []
    period = sampled.profile.provenance.details["period"]
    image = next(i for i in engine.images(folder / "sampled" / "raw")[0] if i.program == "gzip")
    fine = record(Request(script, 5_000_000, process="gzip", memory=False), folder / "exact").profile
    for samples in per_interval:
        coarse = engine.profile(image, samples * period)
        pairs.append(aligned(_grouped(fine, len(coarse.interval_table)), coarse))
    return pairs


def aligned(exact: Profile, sampled: Profile) -> Pair:
    """Align two profiles of one program by the functions that their intervals are in."""
    shares = _shares((exact, sampled))
    return Pair(exact, sampled, _warped(np.abs(shares[0][:, None] - shares[1][None]).sum(axis=2)))


def _grouped(profile: Profile, parts: int) -> Profile:
    """The same run in about so many intervals."""
    each = max(1, round(len(profile.interval_table) / parts))
    rows = np.arange(0, len(profile.interval_table), each)
    dense = np.add.reduceat(np.asarray(profile.counts.todense()), rows)
    row, column = np.nonzero(dense)
    indptr = np.searchsorted(row, np.arange(len(rows) + 1))
    counts = Counts(indptr, column, dense[row, column], dense.shape[1])
    lengths = np.add.reduceat(profile.interval_table.length, rows)
    return replace(profile, interval_table=Intervals.of_thread(lengths), vectors=counts)


def _shares(profiles: Sequence[Profile]) -> list[NDArray[np.float64]]:
    """Of each profile, intervals x functions, the share of each; the same functions in both."""
    names: dict[tuple[str, int], int] = {}
    columns = [[names.setdefault(key, len(names)) for key in _functions(p)] for p in profiles]
    out = []
    for profile, column in zip(profiles, columns, strict=True):
        sums = np.zeros((len(profile.interval_table), len(names)))
        np.add.at(sums.T, column, np.asarray(profile.counts.todense()).T)
        out.append(sums / sums.sum(axis=1, keepdims=True))
    return out


def _functions(profile: Profile) -> list[tuple[str, int]]:
    table = profile.block_table
    out = [("", -1)] * len(table)
    for number, module in enumerate(table.modules):
        rows = np.flatnonzero(table.module == number)
        found = symbols.regions(module, table.offset[rows], "function")
        for at, row in enumerate(rows.tolist()):
            known = not isinstance(found, str) and found.known[at]
            out[row] = (module, int(found.offset[at]) if known and not isinstance(found, str) else -1)
    return out


def _warped(distance: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The monotone path of least cost from the first pair to the last (Sakoe and Chiba, 1978)."""
    n, m = distance.shape
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0
    for i in range(n):
        for j in range(m):
            cost[i + 1, j + 1] = distance[i, j] + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    i, j, path = n, m, []
    while i and j:
        path.append((i - 1, j - 1))
        i, j = min(((i - 1, j - 1), (i - 1, j), (i, j - 1)), key=lambda at: cost[at])
    return path[::-1]


def draw(pair: Pair, k: int, path: Path) -> None:
    """Both rows of phases, one above the other, phases of the samples in the colours of the exact ones."""
    from phasemark.plots import style
    from phasemark.views.palette import COLOURS

    exact, sampled = pair.labels(k)
    table = np.zeros((k, k), np.int64)
    np.add.at(table, (sampled, exact), 1)
    same = table.argmax(axis=1)
    figure = style.figure(7.0, 1.8)
    panels = figure.subplots(2, 1, sharex=True)
    titles = ("every instruction counted", "sampled")
    for axes, labels, title in zip(panels, (exact, same[sampled]), titles, strict=True):
        for at, label in enumerate(labels.tolist()):
            axes.axvspan(at, at + 1, color=COLOURS[label % len(COLOURS)], lw=0)
        axes.set_title(title, loc="left", fontsize=9)
        axes.set_yticks([])
        axes.set_xlim(0, len(labels))
    panels[1].set_xlabel("time, aligned (intervals)")
    style.save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--figure", type=Path, help="also draw the phases of 50 samples an interval")
    parser.add_argument("--scale", type=float, default=1.0, help="of the input")
    arguments = parser.parse_args()
    sizes = (10, 20, 50, 100)
    with tempfile.TemporaryDirectory() as folder:
        pairs = recorded(Path(folder), sizes, arguments.scale)
        print("samples  intervals   k=2   k=3   k=4   as many as each finds")
        for samples, pair in zip(sizes, pairs, strict=True):
            found = [labels.max() + 1 for labels in pair.labels(None)]
            indices = " ".join(f"{pair.agreement(k):5.2f}" for k in (2, 3, 4))
            print(
                f"{samples:7} {len(pair.sampled.interval_table):10} {indices}   {pair.agreement(None):.2f} "
                f"({found[0]} exact, {found[1]} sampled)"
            )
        if arguments.figure:
            draw(pairs[2], 3, arguments.figure)


if __name__ == "__main__":
    main()
