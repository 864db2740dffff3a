"""What gem5's caches and TLBs counted: references and misses of each kind.

gem5 leaves out what is 0 (`nozero`). A counter that is absent is therefore 0 where another of the same naming
is known in the structure, or where the structure counts something else that one with known counters counts
too. Where none of a structure's counters is known they are missing: another naming is no 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from phasemark.formats.metrics.gem5_names import CACHES, TLBS, Structure, structure
from phasemark.formats.metrics.gem5_structures import Column, Counted, few

__all__ = ["of_caches"]

#: Caches of page-table walks and of devices, and what only remembers who holds a line.
_APART = ("walker_cache", "iocache", "directory", "probeFilter", "ProbeFilterMemory")

#: The naming of reads and writes apart, which has no hits: see gem5_names.
_PARTS = 2


def of_caches(
    counted: Mapping[Structure, Counted], paths: Mapping[str, set[str]], dumps: int
) -> tuple[dict[str, Column], list[str]]:
    """Our counters of caches and TLBs, and what a user should know of them.

    Args:
        counted: by structure.
        paths: of all structures that the file has a line of -> their own statistics.
        dumps: how many.
    """
    there = _there(paths)
    alike = _Alike(counted, paths)
    out: dict[str, Column] = {}
    notes: list[str] = []
    for kind in (*CACHES, *TLBS):
        known = {of.path: _complete(one) for of, one in counted.items() if of.kind == kind}
        if not known and not there[kind]:
            continue
        names = f"{kind}_references", f"{kind}_misses"
        if not known:
            none = alike.to_all(there[kind])
            out |= dict.fromkeys(names, np.full(dumps, 0.0 if none else np.nan))
            if not none:
                whose = few(there[kind])
                notes.append(f"none of the counters of {whose} is known: {kind} counts are missing")
            continue
        out |= {name: np.sum([pair[i] for pair in known.values()], axis=0) for i, name in enumerate(names)}
        if np.isnan(out[names[1]]).any():
            whose = few(list(known))
            notes.append(f"{whose} counts accesses, but neither hits nor misses: {names[1]} are missing")
    return out, notes + _unnamed(counted)


def _there(paths: Iterable[str]) -> dict[str, list[str]]:
    """Kind -> the structures that count anything themselves."""
    out: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if (found := structure(path)) is not None and found.path == path:
            out[found.kind].append(path)
    return out


def _complete(one: Counted) -> tuple[Column, Column]:
    """Accesses and misses of a structure that counts one of them, or hits: accesses = hits + misses."""
    rank = min(rank for ranks in one.columns.values() for rank in ranks)
    accesses, misses, hits = (one.columns.get(name, {}).get(rank) for name in ("accesses", "misses", "hits"))
    if accesses is None:
        accesses = np.sum([column for column in (misses, hits) if column is not None], axis=0)
    if misses is None and hits is not None:
        misses = np.maximum(accesses - hits, 0.0)
    elif misses is None:
        # They cannot both be 0, but where hits are not counted.
        misses = np.where((accesses > 0) & (rank != _PARTS), np.nan, 0.0)
    return accesses, misses


class _Alike:
    """Whether caches count something that a cache whose counters are known counts too."""

    def __init__(self, counted: Iterable[Structure], paths: Mapping[str, set[str]]) -> None:
        self._paths = paths
        known = [of.path for of in counted if of.kind in (*CACHES, "cache")]
        self._known = set().union(*map(self._statistics, known))

    def to_all(self, caches: Iterable[str]) -> bool:
        return all(self._statistics(path) & self._known for path in caches)

    def _statistics(self, path: str) -> set[str]:
        return self._paths.get(path, set()) | {f"tags.{name}" for name in self._paths.get(f"{path}.tags", ())}


def _unnamed(counted: Iterable[Structure]) -> list[str]:
    """Caches whose names do not say what they are, where one of ours might be among them."""
    kinds = {of.kind for of in counted}
    caches = sorted(
        of.path for of in counted if of.kind == "cache" and not of.path.rstrip("0123456789").endswith(_APART)
    )
    if not caches or kinds >= {"l1i", "l1d", "l2"}:
        return []
    return [f"{few(caches)}: no name says which cache it is, so its counters keep gem5's names"]
