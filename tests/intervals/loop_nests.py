"""Traces of loop nests that a person can count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phasemark.model import Events, Sites

OUTER, INNER, CALL, RETURN, BLOCK = range(5)
SITES = Sites(
    modules=("/bin/zip",),
    module=[0] * 5,
    offset=[100, 60, 40, 200, 300],
    kind=[0, 0, 2, 3, 0],
    target_module=[0, 0, 0, -1, 0],
    target=[10, 50, 190, 0, 280],
    function=("deflate", "longest_match", "deflate", "longest_match", "zip_file"),
    file=("/src/deflate.c", "/src/deflate.c", "/src/deflate.c", "/src/deflate.c", "/src/zip.c"),
    line=[760, 410, 733, 450, 90],
    callee=("", "", "longest_match", "", ""),
)


def events(tokens: Sequence[tuple[int, int, int]], tail: int = 7, **which: int) -> Events:
    """A trace: site, repeats and instructions of each event, and the instructions after the last."""
    symbol, repeats, since = np.array(tokens, np.int64).reshape(-1, 3).T
    position = np.cumsum(since)
    return Events(SITES, symbol, repeats, position, int(since.sum()) + tail, **which)


def iteration(inner: int) -> list[tuple[int, int, int]]:
    """One of `deflate`'s loop: it calls longest_match, which loops; 30 + 10 inner instructions."""
    return [(CALL, 1, 10), (INNER, inner, 10 * inner), (RETURN, 1, 5), (OUTER, 1, 15)]


def zip_like(blocks: int = 6, iterations: int = 48) -> Events:
    """Blocks of 48 iterations each, of different lengths; after each the branch back for the next block."""
    tokens: list[tuple[int, int, int]] = []
    for block in range(blocks):
        for at in range(iterations):
            tokens += iteration(5 + (at + block) % 3)
        tokens.append((BLOCK, 1, 200 + block))
    return events(tokens)


#: Four functions with a loop each, and `main`, whose loop calls them in turn.
SIBLINGS = Sites(
    modules=("/bin/rounds",),
    module=[0] * 5,
    offset=[100, 20, 40, 60, 80],
    kind=[0] * 5,
    target_module=[0] * 5,
    target=[90, 10, 30, 50, 70],
    function=("main", "init", "matmul", "sort_keys", "stencil"),
    file=("/src/nest.c",) * 5,
    line=[35, 6, 9, 22, 29],
    callee=("",) * 5,
)


def rounds(count: int) -> Events:
    """`main`'s loop: `init`, `matmul`, `sort_keys` and `stencil` in turn; no calls are there to tell."""
    one = [(1, 1600, 6000), *[(2, 1, 500)] * 39, (3, 3, 90), *[(4, 1, 900)] * 19, (0, 1, 40)]
    symbol, repeats, since = np.array(one * count, np.int64).T
    return Events(SIBLINGS, symbol, repeats, np.cumsum(since), int(since.sum()) + 7)
