"""How long ago memory was used, beside code vectors."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from phasemark import signatures
from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance, Reuse
from phasemark.signatures import memory, memory_rates
from phasemark.signatures.memory import has_memory_rates

BANDS = 15


def profile(*rows: dict[int, int], lines: int = 64, code: int = 0) -> Profile:
    """Intervals of 1,000 instructions of one block; of each, accesses to data by band, and to new code."""
    n = len(rows)
    counts = np.zeros((n, BANDS), np.int64)
    for row, bands in enumerate(rows):
        for band, count in bands.items():
            counts[row, band] = count
    return Profile(
        Blocks(("/bin/a",), [0], [0], [1], [4], [1]),
        Intervals.of_thread(np.full(n, 1000)),
        Counts(np.arange(n + 1), np.zeros(n), np.full(n, 1000), 1),
        Provenance("test"),
        reuse=Reuse(counts, code * (np.arange(BANDS) == BANDS - 1) + 0 * counts, lines),
    )


def test_roots_of_what_comes_after_much_other_memory() -> None:
    # Of one line in 64, band 0 is nearer than 4K, band 1 from there, the last one 32M and new.
    found = memory_rates(profile({0: 9, 1: 2, 3: 1, 14: 1}, {}, code=3))
    names = found.recipe.events.split()
    assert names[0] == "data_reuse_4K" and names[12] == "data_reuse_16M"
    assert names[13] == "code_reuse_4K" and names[-1] == "code_reuse_256K"
    assert len(names) == 13 + 4 == found.recipe.dims
    expected = [4, 2, 2, *[1] * 10, *[3] * 4]
    assert np.allclose(found.matrix[0] ** 2 * 1000 / 64, expected)
    assert not found.matrix[1, :13].any()
    assert found.weights.tolist() == [0.5, 0.5]


def test_the_share_of_lines_changes_columns_and_no_rates() -> None:
    # Of one line in 128 distances are told from 8K on; of each line from 64 bytes, of which 4K is the first.
    names = memory_rates(profile({1: 1}, lines=128)).recipe.events.split()
    assert names[0] == "data_reuse_8K" and names[-1] == "code_reuse_128K"
    every = memory_rates(profile({7: 64}, lines=1))
    assert every.recipe.events.split()[0] == "data_reuse_4K"
    assert every.matrix[0, 0] == memory_rates(profile({1: 1})).matrix[0, 0]


def test_equal_code_over_other_data_is_told_apart() -> None:
    run = profile(*[{14: 5}, {0: 5}] * 4)
    code = signatures.project(run)
    assert np.ptp(code.matrix, axis=0).max() == 0
    beside = signatures.combine(code, memory_rates(run)).matrix
    assert len(np.unique(beside, axis=0)) == 2


def test_an_interval_without_instructions_has_no_weight() -> None:
    run = profile({14: 5}, {})
    table = Intervals.of_thread(np.array([1000, 0]))
    empty = dataclasses.replace(run, interval_table=table, vectors=Counts([0, 1, 1], [0], [1000], 1))
    found = memory_rates(empty)
    assert found.weights.tolist() == [1, 0] and not found.matrix[1].any()


def test_where_there_is_none() -> None:
    run = profile({14: 5})
    with pytest.raises(DataError, match=r"was not recorded.*\n.*--no-memory"):
        memory_rates(dataclasses.replace(run, reuse=None))
    # The nearest band begins at 64M; the farthest at 64 bytes.
    for few in (profile({14: 5}, lines=2**20).reuse, Reuse([[1, 2]], [[3, 4]], 1)):
        assert few is not None and not has_memory_rates(few)
        with pytest.raises(DataError, match=r"no band begins where rates are taken, from 4K on"):
            memory_rates(dataclasses.replace(run, reuse=few))
    nothing = dataclasses.replace(
        run, interval_table=Intervals.of_thread(np.array([0])), vectors=Counts([0, 0], [], [], 1)
    )
    with pytest.raises(DataError, match="no interval has an instruction"):
        memory_rates(nothing)


def test_bytes_are_written_short() -> None:
    """Few bands of every line remember less than a K."""
    assert [memory.written(size) for size in (64, 1 << 10, 32 << 10, 16 << 20)] == ["64", "1K", "32K", "16M"]
