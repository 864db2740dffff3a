"""Random linear projection of normalised basic block vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.errors import DataError, UsageError, shown
from phasemark.model import Blocks, Counts, Profile, Recipe, Signatures, Sites
from phasemark.model.options import require_given, require_whole
from phasemark.signatures.hashing import mix64
from phasemark.threads import thread_count

DEFAULT_DIMS = 15
DEFAULT_SEED = 1

#: What of an interval can be projected: the instructions of its blocks, or its loops, calls and returns.
KINDS = ("blocks", "loops")

#: Beyond, a projection saves nothing.
MOST_DIMS = 2**16

#: Without projection the matrix is dense: no more than so many numbers (8 GiB).
_DENSE_LIMIT = 2**30


def project(
    profile: Profile, dims: int | None = DEFAULT_DIMS, seed: int = DEFAULT_SEED, kind: str = "blocks"
) -> Signatures:
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
        kind: `blocks`, or `loops`: how often each loop, call and return happened (Profile.events).

    Returns:
        n x d signatures; an interval without instructions becomes a row of zeros with weight 0, the
        other weights are shares of the instructions.

    Raises:
        DataError: the profile has no instruction, or no counts of loops.
        UsageError: no such kind, dims is below 1, or None where the matrix would be huge.
    """
    check(dims)
    check_kind(kind)
    require_given(seed=seed)
    require_whole(seed=seed)
    lengths = profile.interval_table.length.astype(np.float64)
    if not lengths.sum():
        raise DataError("no interval has an instruction", hint="profile or import a run that does something")
    counts, keys, key = _counted(profile, kind)
    matrix = _dense(counts) if dims is None else _projected(counts, keys, dims, seed)
    recipe = Recipe(
        normalisation="l1",
        projection="none" if dims is None else "uniform",
        dims=matrix.shape[1],
        seed=seed,
        key=key,
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


def check_kind(kind: str, more: Sequence[str] = ()) -> None:
    """See that there is such a kind of signature, or that it is one of `more`.

    Raises:
        UsageError: there is none.
    """
    if kind not in (known := (*KINDS, *more)):
        raise UsageError(f"no signature is called {shown(str(kind))}", hint=f"one of: {', '.join(known)}")


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


def site_keys(sites: Sites) -> NDArray[np.uint64]:
    """What names each site to the projection: uint64, one a site, a hash of (module, offset, kind)."""
    salts = np.array([_module_salt(name) for name in sites.modules], np.uint64)
    return mix64(mix64(sites.offset ^ salts[sites.module]) ^ (sites.kind.astype(np.uint64) + np.uint64(1)))


def counts(profile: Profile, kind: str = "blocks") -> Counts:
    """What of a profile's intervals is counted, with keys that name the columns in any run of the program.

    Args:
        profile: the run.
        kind: `blocks`: instructions of each; `loops`: how often each loop, call and return happened.

    Raises:
        UsageError: there is no such kind.
        DataError: the profile has no counts of loops.
    """
    check_kind(kind)
    counted, keys, _ = _counted(profile, kind)
    return counted.named(keys)


def _counted(profile: Profile, kind: str) -> tuple[Counts, NDArray[np.uint64], str]:
    """What was counted, what names each column, and how a recipe calls that."""
    if kind == "blocks":
        named = any(profile.block_table.modules)
        return profile.vectors, block_keys(profile.block_table), "module+offset" if named else "id"
    if profile.sites is None or profile.events is None:
        raise DataError(
            "the profile has no counts of loops, calls and returns",
            hint="run `phasemark profile --events` and `phasemark intervals` first, or take blocks",
        )
    return profile.events, site_keys(profile.sites), "site"


def _projected(counts: Counts, keys: NDArray[np.uint64], dims: int, seed: int) -> NDArray[np.float64]:
    threads, seed = thread_count(), seed % 2**64
    parts = [
        core.project(part.indptr, part.indices, part.data, keys, seed, dims, threads)
        for part in counts.rows()
    ]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty((0, dims)), *parts])


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
