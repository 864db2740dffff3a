"""Places: functions and source lines, and which of them each block belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Blocks


@dataclass(frozen=True)
class Places:
    """Names of places in the code, and the place of every block.

    Attributes:
        names: (name, what it belongs to): a function and its module, or `path:line` and its function.
        of_block: index into `names`, int64, one a block; -1 where the place is not known.
    """

    names: list[tuple[str, str]]
    of_block: NDArray[np.int64]


def functions(blocks: Blocks) -> Places:
    """The functions; a block without a known function is its own place."""
    names = blocks.function or ("",) * len(blocks)
    modules = [_base(module) for module in blocks.modules]
    return _places(
        [
            _function(name, modules[module]) if name else (_base(blocks.name(row)), "")
            for row, (name, module) in enumerate(zip(names, blocks.module.tolist(), strict=True))
        ]
    )


def lines(blocks: Blocks) -> Places:
    """The source lines, `file:line`, as far as they are known."""
    if blocks.file is None or blocks.line is None:
        return Places([], np.full(len(blocks), -1, np.int64))
    names = blocks.function or ("",) * len(blocks)
    return _places(
        [
            (f"{file}:{line}", name) if file else None
            for file, line, name in zip(blocks.file, blocks.line.tolist(), names, strict=True)
        ]
    )


def finest(blocks: Blocks) -> Places:
    """The source lines; a block whose line is not known is its own place, which belongs to its function."""
    by_line, names = lines(blocks), blocks.function or ("",) * len(blocks)
    return _places(
        [
            by_line.names[place] if place >= 0 else _block(_base(blocks.name(row)), name)
            for row, (place, name) in enumerate(zip(by_line.of_block.tolist(), names, strict=True))
        ]
    )


def _block(name: str, function: str) -> tuple[str, str]:
    return (name, "" if function == name else function)


def _places(of_block: Sequence[tuple[str, str] | None]) -> Places:
    index: dict[tuple[str, str], int] = {}
    at = [-1 if name is None else index.setdefault(name, len(index)) for name in of_block]
    return Places(list(index), np.array(at, np.int64))


def _function(name: str, module: str) -> tuple[str, str]:
    """A function without a symbol is called after its module, which then need not be said again."""
    return (name, "" if name.startswith((f"{module}+", f"{module}:")) else module)


def _base(path: str) -> str:
    return path if path.startswith("[") else path.rsplit("/", 1)[-1]
