"""Random linear projection of normalised basic block vectors."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.errors import DataError, UsageError
from phasemark.model import Blocks, Counts, Profile, Recipe, Signatures
from phasemark.model.options import require_given, require_whole
from phasemark.signatures.hashing import mix64
from phasemark.threads import thread_count

DEFAULT_DIMS = 15
DEFAULT_SEED = 1

#: Beyond, a projection saves nothing.
MOST_DIMS = 2**16

#: Without projection the matrix is dense: no more than so many numbers (8 GiB).
_DENSE_LIMIT = 2**30


def project(profile: Profile, dims: int | None = DEFAULT_DIMS, seed: int = DEFAULT_SEED) -> Signatures:
    """Normalise the vectors of a profile and project them to few dimensions.

    Each row is divided by its sum (L1) and multiplied by a matrix of entries uniform in (-1, 1)
    ("Discovering and exploiting program phases", and SimPoint). An entry is a pure function of (seed,
    block, dimension), where (module, offset) names a block, or its id where the source knows no modules;
    so a row does not depend on which other blocks there are, nor on the order of blocks or modules.
    Entries are multiples of 2^-20 and counts are whole numbers: every sum is exact, and the result is the
    same to the last bit in any order and with any number of threads.

    Args:
        profile: n intervals.
        dims: number of dimensions d; None leaves the vectors as they are, one dimension a block.
        seed: of the projection; any whole number (taken modulo 2^64).

    Returns:
        n x d signatures; an interval without instructions becomes a row of zeros with weight 0, the
        other weights are shares of the instructions.

    Raises:
        DataError: the profile has no instruction.
        UsageError: dims is below 1, or None where the matrix would be huge.
    """
    check(dims)
    require_given(seed=seed)
    require_whole(seed=seed)
    lengths = profile.interval_table.length.astype(np.float64)
    if not lengths.sum():
        raise DataError("no interval has an instruction", hint="profile or import a run that does something")
    matrix = _dense(profile.vectors) if dims is None else _projected(profile, dims, seed)
    recipe = Recipe(
        normalisation="l1",
        projection="none" if dims is None else "uniform",
        dims=matrix.shape[1],
        seed=seed,
        key="module+offset" if any(profile.block_table.modules) else "id",
    )
    return Signatures(matrix, lengths / lengths.sum(), recipe)


def check(dims: int | None) -> None:
    """See that one can project to `dims` dimensions.

    Raises:
        UsageError: dims is below 1, or more than a projection is good for.
    """
    require_whole(dims=dims)
    if dims is not None and not 1 <= dims <= MOST_DIMS:
        raise UsageError(f"{dims} dimensions", hint=f"project to 1 to {MOST_DIMS:,} dimensions; 15 is usual")


def projection_matrix(
    keys: NDArray[np.uint64], dims: int = DEFAULT_DIMS, seed: int = DEFAULT_SEED
) -> NDArray[np.float64]:
    """The rows of the projection matrix that belong to `keys`: len(keys) x dims doubles in (-1, 1)."""
    return core.projection_rows(keys, seed % 2**64, dims) / np.float64(2**20)


def block_keys(blocks: Blocks) -> NDArray[np.uint64]:
    """What names each block to the projection: uint64, one a block.

    A hash of (module, offset); the id itself where the module has no name.
    """
    salts = np.array([_module_salt(name) for name in blocks.modules], np.uint64)
    named = np.array([bool(name) for name in blocks.modules], np.bool_)
    if not named.any():
        return blocks.id
    hashed = mix64(blocks.offset ^ salts[blocks.module])
    return np.where(named[blocks.module], hashed, blocks.id)


def _projected(profile: Profile, dims: int, seed: int) -> NDArray[np.float64]:
    counts = profile.vectors
    return core.project(
        counts.indptr,
        counts.indices,
        counts.data,
        block_keys(profile.block_table),
        seed % 2**64,
        dims,
        thread_count(),
    )


def _dense(counts: Counts) -> NDArray[np.float64]:
    if len(counts) * counts.columns > _DENSE_LIMIT:
        raise UsageError(
            f"{len(counts):,} intervals x {counts.columns:,} blocks are too many without projection",
            hint="project to 15 dimensions",
        )
    out = np.zeros((len(counts), counts.columns))
    rows = np.repeat(np.arange(len(counts)), np.diff(counts.indptr))
    out[rows, counts.indices] = counts.data / counts.row_sums()[rows]
    return out


def _module_salt(name: str) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
