"""Canonical vectors do not depend on how an engine cut the blocks it recorded."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collect import encoding as raw
from tests.collect.programs import Engine, Program, Recorder, engines, programs
from tests.reference import canonical as slow
from tests.reference import raw_stream

from phasemark.collect.stream.conversion import profile_of
from phasemark.errors import DataError
from phasemark.model import Profile


def recorded(program: Program, engine: Engine, interval: int, folder: Path) -> Path:
    return Recorder(program, engine).write(folder / f"{len(list(folder.iterdir()))}.raw", interval)


def rows(profile: Profile, run: int = 0) -> list[dict[tuple[str, int], int]]:
    """The vectors of a run, as {(module, offset): instructions}."""
    blocks, vectors = profile.block_table, profile.vectors
    places = [(blocks.modules[m], int(o)) for m, o in zip(blocks.module, blocks.offset, strict=True)]
    return [
        {places[vectors.indices[i]]: int(vectors.data[i]) for i in range(*vectors.indptr[row : row + 2])}
        for row in np.flatnonzero(profile.interval_table.run == run)
    ]


@given(programs(), engines(), st.integers(1, 40))
@settings(deadline=None, max_examples=60)
def test_vectors_are_those_of_the_slow_twin(program: Program, engine: Engine, interval: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = recorded(program, engine, interval, Path(folder))
        stream = raw_stream.read(path)
        profile = profile_of(path)
        cuts = slow.starts([stream])
        expected = [
            dict(slow.vector(stream, i, cuts))
            for t in range(len(program.threads))
            for i in stream.intervals(t)
        ]
        assert rows(profile) == expected


@given(programs(), engines(), engines(), st.integers(1, 40))
@settings(deadline=None, max_examples=60)
def test_two_engines_give_equal_rows(program: Program, one: Engine, other: Engine, interval: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [recorded(program, engine, interval, Path(folder)) for engine in (one, other)]
        both = profile_of(*paths)
        assert rows(both, 0) == rows(both, 1)


@given(programs(), engines(), st.integers(1, 40))
@settings(deadline=None, max_examples=60)
def test_canonical_blocks_do_not_overlap(program: Program, engine: Engine, interval: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        blocks = profile_of(recorded(program, engine, interval, Path(folder))).block_table
        for module in range(len(blocks.modules)):
            ours = blocks.module == module
            start, size = blocks.offset[ours].astype(int), blocks.size[ours]
            later = np.searchsorted(start, start, side="right")
            inner = later < len(start)
            assert (start[inner] + size[inner] <= start[later[inner]]).all()


def write(tmp_path: Path, name: str, *records: bytes) -> Path:
    return raw.write(tmp_path / name, *records)


def test_a_hand_counted_program(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "a.raw",
        raw.header(),
        raw.module(0, "/bin/prog", 0x1000),
        raw.thread(0),
        raw.block(0, (0, 0, [1, 2, 3])),
        raw.block(1, (0, 3, [3])),
        raw.block(2, (0, 0x20, [4, 5]), (0, 0, [1, 2])),
        raw.interval(0, 0, 10, {0: 2}, [(2, 0, 4, 1)]),
        raw.interval(0, 10, 5, {1: 1, 2: 1}),
        raw.end(15),
    )
    profile = profile_of(path)
    assert profile.block_table.modules == ("/bin/prog",)
    assert profile.block_table.offset.tolist() == [0x1000, 0x1003, 0x1020]
    assert profile.block_table.instructions.tolist() == [2, 1, 2]
    assert profile.block_table.size.tolist() == [3, 3, 9]
    assert profile.counts.toarray().tolist() == [[6, 2, 2], [2, 1, 2]]
    assert profile.intervals["kind"].tolist() == ["fixed", "tail"]


def test_self_modifying_code_keeps_its_counts_and_the_first_size(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "a.raw",
        raw.header(),
        raw.module(0, "", kind=1),
        raw.thread(0),
        raw.block(0, (0, 8, [2, 2, 2])),
        raw.block(1, (0, 8, [1])),
        raw.interval(0, 0, 10, {0: 3, 1: 1}),
    )
    profile = profile_of(path)
    assert profile.block_table.modules == ("[anonymous 0]",)
    assert (profile.block_table.instructions.tolist(), profile.block_table.size.tolist()) == ([3], [6])
    assert profile.counts.toarray().tolist() == [[10]]
    assert "no file holds" in profile.provenance.warnings[0]


def test_anonymous_code_is_numbered_by_appearance_not_by_address(tmp_path: Path) -> None:
    def at(name: str, first: int, second: int) -> Path:
        return write(
            tmp_path,
            name,
            raw.header(),
            raw.module(0, "", kind=1, start=first),
            raw.module(1, "", kind=1, start=second),
            raw.thread(0),
            raw.block(0, (1, 4, [1])),
            raw.block(1, (0, 4, [1])),
            raw.interval(0, 0, 10, {0: 3, 1: 7}),
        )

    one, other = profile_of(at("a.raw", 0x1000, 0x9000)), profile_of(at("b.raw", 0x9000, 0x1000))
    assert rows(one) == rows(other) == [{("[anonymous 0]", 4): 7, ("[anonymous 1]", 4): 3}]


def test_segments_of_one_file_are_one_module(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "a.raw",
        raw.header(),
        raw.module(3, "/lib/x", 0x1000),
        raw.module(5, "/lib/x", 0x3000),
        raw.thread(0),
        raw.block(9, (5, 1, [1, 1])),
        raw.block(4, (3, 0x2000, [1, 1, 1])),
        raw.interval(0, 0, 10, {4: 2, 9: 2}),
    )
    assert rows(profile_of(path)) == [{("/lib/x", 0x3000): 2, ("/lib/x", 0x3001): 8}]


def test_blocks_farther_apart_than_memory_reaches_are_refused(tmp_path: Path) -> None:
    def stream(modules: int) -> Path:
        far = 2**56 - 2
        return raw.write(
            tmp_path / f"{modules}.raw",
            raw.header(),
            *(raw.module(n, f"/lib/{n}") for n in range(modules)),
            raw.thread(0),
            *(raw.block(n, (n, far, [1])) for n in range(modules)),
            raw.interval(0, 0, modules, dict.fromkeys(range(modules), 1)),
        )

    assert len(profile_of(stream(64)).block_table) == 64
    with pytest.raises(DataError, match=r"65\.raw: modules span more memory than there is"):
        profile_of(stream(65))
