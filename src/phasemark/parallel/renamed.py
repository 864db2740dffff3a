"""Modules that have another name in each of two profiles, and are the same program all the same.

Two builds of a program seldom have one path: `old/prog` and `new/prog`, or `prog.before` and `prog.after`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Blocks, Profile
from phasemark.symbols import original

#: Modules are the same if functions of one name take so much of the instructions of each.
ALIKE = 0.25


def basename(module: str) -> str:
    """The file name of a module's path."""
    return module.rpartition("/")[2]


def moved(profiles: Sequence[Profile]) -> list[dict[str, str]]:
    """Of each profile: the modules that an earlier one has under another path, the same build; to that path.

    Args:
        profiles: with build-ids, as far as they are known.
    """
    paths: dict[str, str] = {}
    found = []
    for profile in profiles:
        builds = builds_of(profile)
        used = [module for module in profile.block_table.modules if builds.get(module)]
        found.append({m: paths[builds[m]] for m in used if paths.get(builds[m], m) != m})
        for module in used:
            paths.setdefault(builds[module], module)
    return found


def renamed(
    tables: Sequence[Blocks],
    weights: Sequence[NDArray[np.int64]],
    key: Callable[[str], str] = basename,
) -> list[dict[str, str]]:
    """Of each table: its modules that the first one lacks; to the one that has their code in the first.

    Args:
        tables: blocks with names of functions.
        weights: instructions of each block.
        key: what of a module's path is its name.
    """
    first = _functions(tables[0], weights[0], key)
    found: list[dict[str, str]] = [{}]
    for table, weight in zip(tables[1:], weights[1:], strict=True):
        own, names = _functions(table, weight, key), dict[str, str]()
        free = {module for module in first if module not in own}
        for module in sorted(set(own) - set(first), key=lambda name: (-sum(own[name].values()), name)):
            best = max(sorted(free), key=lambda other: _alike(own[module], first[other]), default=None)
            if best is not None and _alike(own[module], first[best]) >= ALIKE:
                names[module] = best
                free.remove(best)
        found.append(names)
    return found


def builds_of(profile: Profile) -> dict[str, str]:
    """Module -> its build-id, where that is known."""
    builds = profile.provenance.details.get("build_ids")
    return {str(k): str(v) for k, v in builds.items()} if isinstance(builds, dict) else {}


def _functions(
    table: Blocks, weight: NDArray[np.int64], key: Callable[[str], str]
) -> dict[str, dict[str, int]]:
    """Module -> function -> instructions; of functions with names."""
    out: dict[str, dict[str, int]] = {}
    names = [key(module) for module in table.modules]
    functions = table.function or ("",) * len(table)
    for module, function, executed in zip(table.module.tolist(), functions, weight.tolist(), strict=True):
        of = out.setdefault(names[module], {})
        if function:
            of[original(function)] = of.get(original(function), 0) + executed
    return out


def _alike(one: dict[str, int], other: dict[str, int]) -> float:
    """Share of the instructions in functions that both have; of that module which has less of them."""
    both = one.keys() & other.keys()
    return min(sum(of[function] for function in both) / max(sum(of.values()), 1) for of in (one, other))
