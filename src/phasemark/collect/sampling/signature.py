"""What a sample is a count of: the address itself, its basic block, its loop or its function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, shown
from phasemark.model import Blocks, Samples, shares
from phasemark.symbols import Regions, regions

#: Signature -> what is said of it.
SIGNATURES = {
    "block": "static basic blocks",
    "address": "addresses of instructions",
    "function": "functions",
    "loop": "innermost loops, and functions around them",
}

#: A share of the samples below which nothing is said of those that could not be mapped.
_LITTLE = 0.001


@dataclass(frozen=True, eq=False)
class Signature:
    """The columns that samples are counted in.

    Attributes:
        blocks: one row a column.
        column: of each place of the samples, int32.
        notes: one sentence each.
    """

    blocks: Blocks
    column: NDArray[np.int32]
    notes: tuple[str, ...] = ()


def of(samples: Samples, kind: str | None = None, *, written: float | None = None) -> Signature:
    """Map the places of samples to the columns of their vectors.

    A place whose module cannot be read (gone, rebuilt, no file, unknown) stays an address of its own, or,
    where the source named its function, a part of that function; a note says how many samples that are.

    Args:
        samples: what was sampled; of places without one nothing is made.
        kind: one of SIGNATURES; None: blocks, where modules can be read.
        written: when the samples were, seconds since 1970; see profile.profile_of.

    Raises:
        UsageError: there is no such signature.
        DataError: `kind` was asked for, and no module can be read.
    """
    if kind is not None and kind not in SIGNATURES:
        raise UsageError(f"{shown(kind)} is no signature", hint=f"choose one of {', '.join(SIGNATURES)}")
    mapping = _Mapping(samples)
    wanted = kind or "block"
    notes: list[str] = []
    if wanted == "address":
        mapping.instructions[:] = 1
    else:
        why: dict[str, str] = {}
        for module, rows in mapping.by_module():
            build = samples.build_ids.get(module)
            found = regions(module, samples.offset[rows], wanted, build=build, written=written)
            if isinstance(found, str):
                why[module] = found
            else:
                mapping.put(found, rows)
        if wanted == "function":
            mapping.put_named()
        notes = list(_unmapped(mapping, why, asked=kind))
    return Signature(*mapping.columns(), tuple(notes))


class _Mapping:
    """Places on their way to columns; each is at first a column of its own.

    Attributes:
        weight: of each place, float64.
        used: the places with a sample.
        first, size, instructions: of the region of each, as in Blocks.
        mapped: whether it is in one.
    """

    def __init__(self, samples: Samples) -> None:
        places = len(samples.offset)
        self.samples = samples
        self.weight = np.bincount(samples.place, samples.period, minlength=places).astype(np.float64)
        self.used = np.flatnonzero(self.weight > 0)
        self.first = samples.offset.copy()
        self.size, self.instructions = np.zeros(places, np.int64), np.zeros(places, np.int64)
        self.mapped = np.zeros(places, np.bool_)

    def by_module(self) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """Each module, and its places that are known by their offset."""
        located = self.used[self.samples.located[self.used]]
        for number in np.unique(self.samples.module[located]).tolist():
            yield self.samples.modules[number], located[self.samples.module[located] == number]

    def put(self, found: Regions, rows: NDArray[np.int64]) -> None:
        """Put places into the regions that were found for them."""
        known = rows[found.known]
        self.first[known] = found.offset[found.known]
        self.size[known] = found.size[found.known]
        self.instructions[known] = found.instructions[found.known]
        self.mapped[known] = True

    def put_named(self) -> None:
        """Put the others into functions as the source named them, each at its lowest address sampled."""
        samples = self.samples
        lowest: dict[tuple[int, str], int] = {}
        rows = [row for row in self.used.tolist() if not self.mapped[row] and samples.function[row]]
        keys = [(int(samples.module[row]), samples.function[row]) for row in rows]
        for row, key in zip(rows, keys, strict=True):
            lowest[key] = min(lowest.get(key, 1 << 64), int(samples.offset[row]))
        for row, key in zip(rows, keys, strict=True):
            self.first[row], self.mapped[row] = lowest[key], True

    def columns(self) -> tuple[Blocks, NDArray[np.int32]]:
        """One row a block, by module and offset; modules by name, so that runs give equal tables."""
        samples, used = self.samples, self.used
        names = sorted({samples.modules[number] for number in samples.module[used].tolist()})
        order = {name: number for number, name in enumerate(names)}
        module = np.array([order.get(name, -1) for name in samples.modules], np.int32)[samples.module]
        keys = np.zeros(len(used), [("module", np.int32), ("offset", np.uint64)])
        keys["module"], keys["offset"] = module[used], self.first[used]
        unique, at, inverse = np.unique(keys, return_index=True, return_inverse=True)
        rows = used[at]
        functions = [samples.function[row] for row in rows.tolist()]
        column = np.zeros(len(samples.offset), np.int32)
        column[used] = inverse
        blocks = Blocks(
            tuple(names), unique["module"], unique["offset"], self.instructions[rows], self.size[rows],
            function=tuple(functions) if any(functions) else None,
        )  # fmt: skip
        return blocks, column


def _unmapped(mapping: _Mapping, why: Mapping[str, str], asked: str | None) -> Iterator[str]:
    """What to say of places in no region.

    Raises:
        DataError: that is all of them, and regions were asked for.
    """
    lacking = float(mapping.weight[~mapping.mapped].sum() / mapping.weight.sum())
    if asked is not None and lacking == 1.0:
        reasons = "; ".join(f"{module} {reason}" for module, reason in [*why.items()][:5])
        raise DataError(
            f"no sample can be mapped to a {asked} ({reasons or 'no module is known'})",
            hint="choose --signature address, or function where the text has symbols",
        )
    if lacking >= _LITTLE:
        reasons = "".join(f"; {module} {reason}" for module, reason in [*why.items()][:5])
        yield (
            f"{shares.written(lacking)} of the time was in code that could not be mapped, whose addresses "
            f"stand for themselves{reasons}"
        )
