"""SimPoint's files held against one another: simpoints and weights in pairs, pairs of threads in a set.

Which belong together, folder and name tell: `a.simpoints` and `a.weights`, `simpoints.t0` and `weights.t0`,
which with `simpoints.t1` and `weights.t1` are a set. Two files of other names are a pair if no more are left.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import DataError, counted
from phasemark.formats import recogniser
from phasemark.formats.points import simpoint_choice, simpoint_files
from phasemark.formats.points.chosen import TOLERANCE

__all__ = ["comparisons"]

#: What is to be done with a path: it says what was found.
Look = Callable[[Path], str]


@dataclass(frozen=True)
class _Pair:
    simpoints: Path
    weights: Path

    @property
    def coverage(self) -> float:
        """The share that the files' name says they stand for."""
        return simpoint_choice.Place.of(self.weights).coverage or 1.0

    @property
    def set_name(self) -> tuple[Path, str]:
        return _set_name(self.weights)

    def require_together(self) -> int:
        """The number of points.

        Raises:
            DataError: a cluster that only one of the files has.
        """
        intervals = simpoint_files.read_simpoints(self.simpoints)
        shares = simpoint_files.read_weights(self.weights)
        simpoint_files.require_same_clusters(self.simpoints, intervals, self.weights, shares)
        return len(intervals)

    def total(self) -> float:
        """What the weights sum to."""
        return math.fsum(simpoint_files.read_weights(self.weights).values())


def comparisons(kinds: Mapping[Path, str]) -> Iterator[tuple[Path, Look]]:
    """What is to be looked at of files that are good each by itself.

    Args:
        kinds: file -> `simpoints` or `weights`.
    """
    sets: dict[tuple[Path, str], list[_Pair]] = defaultdict(list)
    for pair in _pairs(kinds):
        sets[pair.set_name].append(pair)
    for pairs in sets.values():
        for pair in pairs:
            yield pair.weights, _look_at_pair(pair, weigh=len(pairs) == 1)
        if len(pairs) > 1:
            yield pairs[-1].weights, _look_at_set(pairs)


def _look_at_pair(pair: _Pair, weigh: bool) -> Look:
    def look(path: Path) -> str:
        points = pair.require_together()
        held = f"pair with {pair.simpoints.name}: {counted(points, 'point')}"
        return held + (_weighed([pair]) if weigh else "")

    return look


def _look_at_set(pairs: list[_Pair]) -> Look:
    def look(path: Path) -> str:
        points = sum(len(simpoint_files.read_weights(pair.weights)) for pair in pairs)
        return f"set of {len(pairs)} pairs: {counted(points, 'point')}{_weighed(pairs)}"

    return look


def _weighed(pairs: list[_Pair]) -> str:
    """What is to be said of the weights of a set.

    Raises:
        DataError: they do not sum to 1, all together or those of each pair.
    """
    totals, coverage = [pair.total() for pair in pairs], pairs[0].coverage
    total = math.fsum(totals)
    wanted = (1.0, coverage, 100.0, 100 * coverage)
    if any(abs(total - value) <= TOLERANCE * max(value, 1) for value in wanted):
        return ""
    if all(abs(each - 1) <= TOLERANCE for each in totals):
        return ""
    if others := _others(pairs):
        return f"; not weighed without {', '.join(others)}"
    first, last = pairs[0].weights, pairs[-1].weights
    of = f"of {first.name} to {last.name} together " if len(pairs) > 1 else ""
    raise DataError(
        f"the weights {of}sum to {total:.6g} instead of 1",
        path=last,
        hint="take the weights as they were written, all of one clustering",
    )


def _others(pairs: list[_Pair]) -> list[str]:
    """The files of weights of a set that are there beside those of the pairs, at most three."""
    known = {pair.weights.name for pair in pairs}
    folder = pairs[0].weights.parent
    beside = (path for path in sorted(folder.iterdir()) if _kind_by_name(path) == "weights")
    return [
        path.name
        for path in beside
        if path.name not in known and path.is_file() and _set_name(path) == pairs[0].set_name
    ][:3]


def _pairs(kinds: Mapping[Path, str]) -> list[_Pair]:
    """By name; then the only two that are left in a folder, or at all."""
    left = dict(kinds)
    pairs = []
    for group in (_pair_name, lambda path: path.absolute().parent, lambda path: None):
        together: dict[object, dict[str, list[Path]]] = defaultdict(lambda: defaultdict(list))
        for path, kind in left.items():
            together[group(path)][kind].append(path)
        for of in together.values():
            if len(of["simpoints"]) == len(of["weights"]) == 1:
                pair = _Pair(of["simpoints"][0], of["weights"][0])
                if _place(pair.simpoints) == _place(pair.weights):
                    pairs.append(pair)
                    del left[pair.simpoints], left[pair.weights]
    order = {path: number for number, path in enumerate(kinds)}
    return sorted(pairs, key=lambda pair: order[pair.weights])


def _place(path: Path) -> simpoint_choice.Place:
    return simpoint_choice.Place.of(path)


def _kind_by_name(path: Path) -> str | None:
    kind = recogniser.named_of_simpoint(path)
    return None if kind is None else kind.holds


def _pair_name(path: Path) -> tuple[Path, str]:
    """What the files of a pair share."""
    return path.absolute().parent, recogniser.without_kind(path.name)


def _set_name(path: Path) -> tuple[Path, str]:
    """What the files of a set share: all but run and thread."""
    name = recogniser.without_kind(path.name)
    coverage = _place(path).coverage
    return path.absolute().parent, f"{simpoint_choice.without_suffix(name)} {coverage}"
