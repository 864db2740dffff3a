"""Projection: exact, and blind to everything but seed, block and counts."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import projection as twin

from phasemark.errors import DataError, UsageError
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance, Sites
from phasemark.signatures import project
from phasemark.signatures.projection import block_keys, site_keys

BLOCKS = 6
tables = st.lists(
    st.lists(st.integers(0, 2**40), min_size=BLOCKS, max_size=BLOCKS), min_size=1, max_size=5
).filter(lambda rows: any(map(any, rows)))


def profile_of(rows: list[list[int]], blocks: Blocks) -> Profile:
    table = np.array(rows, np.int64)
    indptr = np.concatenate(([0], np.cumsum((table > 0).sum(axis=1))))
    counts = Counts(indptr, np.nonzero(table)[1], table[table > 0], table.shape[1])
    return Profile(blocks, Intervals.of_thread(table.sum(axis=1)), counts, Provenance("test"))


def blocks_at(modules: tuple[str, ...], module: list[int], offset: list[int]) -> Blocks:
    return Blocks(modules, module, offset, [0] * len(offset), [0] * len(offset))


def by_id(ids: list[int]) -> Blocks:
    return Blocks(("",), [0] * len(ids), ids, [0] * len(ids), [0] * len(ids), ids)


@settings(deadline=None)
@given(rows=tables, seed=st.integers(-5, 2**64), dims=st.integers(1, 17))
def test_equals_the_twin_to_the_last_bit(rows, seed, dims) -> None:
    ids = [3, 5, 8, 100, 2**40, 2**63]
    matrix = project(profile_of(rows, by_id(ids)), dims, seed).matrix
    expected = [twin.project(dict(zip(ids, row, strict=True)), seed, dims) for row in rows]
    assert matrix.tolist() == expected


@settings(deadline=None)
@given(rows=tables, order=st.permutations(range(BLOCKS)))
def test_does_not_depend_on_the_order_of_blocks_and_modules(rows, order) -> None:
    module, offset = [0, 0, 1, 1, 0, 1], [16, 32, 16, 48, 64, 80]
    one = project(profile_of(rows, blocks_at(("/bin/a", "/lib/b"), module, offset)))
    permuted = blocks_at(("/lib/b", "/bin/a"), [1 - module[i] for i in order], [offset[i] for i in order])
    other = project(profile_of([[row[i] for i in order] for row in rows], permuted))
    assert one.matrix.tobytes() == other.matrix.tobytes()
    assert one.weights.tobytes() == other.weights.tobytes()


@settings(deadline=None)
@given(rows=tables)
def test_does_not_depend_on_blocks_that_are_not_executed(rows) -> None:
    few = project(profile_of(rows, by_id([1, 2, 3, 4, 5, 6])))
    many = project(profile_of([[0, *row, 0] for row in rows], by_id([99, 1, 2, 3, 4, 5, 6, 7])))
    assert few.matrix.tobytes() == many.matrix.tobytes()


@pytest.mark.parametrize("total", [2**33 - 1, 2**33, 2**52])
def test_is_exact_for_any_length_of_interval(total) -> None:
    rows = [[total // 3, 1, 7, 0, 0, total - total // 3 - 8]]
    ids = [1, 2, 3, 4, 5, 6]
    matrix = project(profile_of(rows, by_id(ids))).matrix
    assert matrix.tolist() == [twin.project(dict(zip(ids, rows[0], strict=True)), 1, 15)]


def test_does_not_depend_on_the_number_of_threads(monkeypatch) -> None:
    rows = np.random.default_rng(0).integers(0, 1000, (2000, BLOCKS)).tolist()
    profile = profile_of(rows, by_id([1, 2, 3, 4, 5, 6]))
    monkeypatch.setenv("PHASEMARK_THREADS", "1")
    one = project(profile).matrix.tobytes()
    monkeypatch.setenv("PHASEMARK_THREADS", "3")
    assert project(profile).matrix.tobytes() == one


def test_entries_are_uniform_and_centred() -> None:
    ids = list(range(1, 4001))
    one_each = project(profile_of(np.eye(4000, dtype=int).tolist(), by_id(ids)), 15).matrix
    assert abs(one_each.mean()) < 0.01
    assert abs(one_each.var() - 1 / 3) < 0.01
    assert 0.999 < one_each.max() < 1 and -1 < one_each.min() < -0.999
    assert np.abs(np.corrcoef(one_each.T) - np.eye(15)).max() < 0.06


def test_seeds_differ() -> None:
    profile = profile_of([[1, 2, 3, 4, 5, 6]], by_id([1, 2, 3, 4, 5, 6]))
    assert project(profile, seed=1).matrix.tolist() != project(profile, seed=2).matrix.tolist()


def test_an_empty_interval_is_zeros_and_weighs_nothing() -> None:
    made = project(profile_of([[3, 0, 0, 0, 0, 0], [0] * 6, [0, 0, 0, 0, 0, 1]], by_id([1, 2, 3, 4, 5, 6])))
    assert made.matrix[1].tolist() == [0.0] * 15
    assert made.weights.tolist() == [0.75, 0.0, 0.25]


def test_without_projection_rows_sum_to_one() -> None:
    made = project(profile_of([[3, 0, 0, 1, 0, 0], [0] * 6], by_id([1, 2, 3, 4, 5, 6])), dims=None)
    assert made.matrix.tolist() == [[0.75, 0, 0, 0.25, 0, 0], [0] * 6]
    assert made.recipe.projection == "none"


def test_blocks_of_other_tools_are_named_by_their_id() -> None:
    assert block_keys(by_id([7, 9])).tolist() == [7, 9]
    mixed = blocks_at(("", "/bin/a"), [0, 1], [7, 7])
    keys = block_keys(mixed).tolist()
    assert keys[0] == mixed.id[0] and keys[1] not in (7, keys[0])


def test_nonsense_is_refused() -> None:
    with pytest.raises(UsageError, match="0 dimensions"):
        project(profile_of([[1] * 6], by_id([1, 2, 3, 4, 5, 6])), dims=0)
    with pytest.raises(UsageError, match="65537 dimensions"):
        project(profile_of([[1] * 6], by_id([1, 2, 3, 4, 5, 6])), dims=2**16 + 1)
    with pytest.raises(DataError, match="no interval has an instruction"):
        project(profile_of([[0] * 6], by_id([1, 2, 3, 4, 5, 6])))


def with_events(rows: list[list[int]], sites: Sites) -> Profile:
    """A profile whose blocks are all alike, and whose events tell the intervals apart."""
    profile = profile_of([[7]] * len(rows), by_id([1]))
    events = profile_of(rows, by_id(list(range(len(rows[0]))))).vectors
    return dataclasses.replace(profile, sites=sites, events=events)


def test_loops_are_projected_as_blocks_are_but_by_site() -> None:
    rows = [[3, 0, 1], [3, 0, 1], [0, 2, 0], [0, 0, 0]]
    sites = Sites(("/bin/a", "/lib/b"), [0, 0, 1], [16, 16, 16], [0, 2, 0], [-1] * 3, [0] * 3)
    found = project(with_events(rows, sites), kind="loops")
    assert found.recipe.key == "site" and found.weights.tolist() == [0.25] * 4
    keys = [int(key) for key in site_keys(sites)]
    assert len(set(keys)) == 3
    expected = [twin.project(dict(zip(keys, row, strict=True)), 1, 15) for row in rows]
    assert found.matrix.tolist() == expected
    order = [2, 0, 1]
    other = Sites(("/lib/b", "/bin/a"), [0, 1, 1], [16, 16, 16], [0, 0, 2], [-1] * 3, [0] * 3)
    permuted = project(with_events([[row[i] for i in order] for row in rows], other), kind="loops")
    assert permuted.matrix.tobytes() == found.matrix.tobytes()


def test_without_counts_of_loops_there_are_none_to_project() -> None:
    profile = profile_of([[7]], by_id([1]))
    with pytest.raises(DataError, match="no counts of loops, calls and returns"):
        project(profile, kind="loops")
    with pytest.raises(UsageError, match="no signature is called 'lines'"):
        project(profile, kind="lines")
