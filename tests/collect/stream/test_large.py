"""A run that is too large to hold: made, written and read some rows at a time, with the same result."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.collect import encoding as raw

from phasemark.collect.stream import merging
from phasemark.collect.stream.conversion import profile_of
from phasemark.errors import DataError
from phasemark.model import Counts, Intervals, streamed
from phasemark.model.streamed import StreamedCounts
from phasemark.store import columns, packing, profile_h5


def stream(path: Path, intervals: int, blocks: int) -> Path:
    """Two threads by turns, each executing every block once in each interval, and block 0 often."""
    head = [raw.header(interval=2 * blocks), raw.module(0, "/bin/a"), raw.thread(0), raw.thread(1, 0)]
    head += [raw.block(b, (0, 8 * b, [4])) for b in range(blocks)]
    step = raw.varints(0, blocks + 1) + raw.varints(1, 1) * (blocks - 1) + raw.varint(0)
    body = raw.varint(blocks) + step
    records = [
        raw.record("I", raw.varints(thread, at * 2 * blocks, 2 * blocks) + body)
        for at in range(intervals)
        for thread in (0, 1)
    ]
    return raw.write(path, *head, *records, raw.end(4 * intervals * blocks))


@pytest.fixture
def is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is too large to hold, and batches are tiny."""
    monkeypatch.setattr(streamed, "MOST_HELD", 1)
    monkeypatch.setattr(merging, "_BATCH", 100)
    monkeypatch.setattr(columns, "_BATCH", 70)
    monkeypatch.setattr(packing, "CHUNK", 64)


def same(one: Counts, other: Counts) -> bool:
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in ("indptr", "indices", "data"))


def test_rows_are_those_that_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stream(tmp_path / "1.raw", 20, 30)
    held = profile_of(path).vectors
    assert type(held) is Counts
    monkeypatch.setattr(streamed, "MOST_HELD", 1)
    monkeypatch.setattr(merging, "_BATCH", 100)
    made = profile_of(path).vectors
    assert isinstance(made, StreamedCounts) and len(list(made.rows())) > 5
    assert same(made, held) and made.largest() == held.largest() == 31
    assert np.array_equal(made.row_sums(), held.row_sums())
    assert np.array_equal(made.column_sums(), held.column_sums())
    assert same(made.select(np.array([7, 2])), held.select(np.array([7, 2])))
    assert type(pickle.loads(pickle.dumps(made))) is Counts


@pytest.mark.usefixtures("is_small")
@pytest.mark.parametrize("threads", ["1", "3"])
def test_what_is_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    monkeypatch.setenv("PHASEMARK_THREADS", threads)
    made = profile_of(stream(tmp_path / "1.raw", 20, 30))
    profile_h5.write(tmp_path / "profile.h5", made)
    read = profile_h5.read(tmp_path / "profile.h5")
    (tmp_path / "profile.h5").unlink()  # it stays readable for who has it
    assert isinstance(read.vectors, StreamedCounts) and len(list(read.vectors.rows())) > 5
    assert same(read.vectors, made.vectors) and read.vectors.largest() == 31
    profile_h5.write(tmp_path / "again.h5", read)
    profile_h5.write(tmp_path / "held.h5", pickle.loads(pickle.dumps(read)))
    assert (tmp_path / "again.h5").read_bytes() == (tmp_path / "held.h5").read_bytes()


def test_chunks_are_as_the_library_packs_them(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    chance = np.random.default_rng(1)
    indptr, width = np.array([0, 30_000, 50_001]), 100_000
    indices = np.concatenate([np.sort(chance.permutation(width)[:n]) for n in np.diff(indptr)])
    counts = Counts(indptr, indices, chance.integers(1, 2**33, len(indices)), width)
    names = {"indices": counts.indices.astype(np.uint32), "data": counts.data.astype(np.uint64)}
    for name in ("ours", "library"):
        with h5py.File(tmp_path / name, "w") as file:
            if name == "ours":
                packing.put_entries(file, counts)
                continue
            for column, data in names.items():
                file.create_dataset(column, data=data, chunks=(packing.CHUNK,), **packing.FILTERS)
    with h5py.File(tmp_path / "ours") as ours, h5py.File(tmp_path / "library") as library:
        for column, data in names.items():
            assert np.array_equal(ours[column][:], data)
            for at in range(0, len(data), packing.CHUNK):
                one, other = (f[column].id.read_direct_chunk((at,)) for f in (ours, library))
                assert one == other


@pytest.mark.usefixtures("is_small")
def test_how_far_it_is_is_told(tmp_path: Path) -> None:
    path = stream(tmp_path / "1.raw", 20, 30)
    for work in (
        lambda told: profile_of(path, progress=told),
        lambda told: profile_h5.write(tmp_path / "profile.h5", profile_of(path), told),
    ):
        said: list[tuple[int, int]] = []
        work(lambda done, total, said=said: said.append((done, total)))
        done, totals = zip(*said, strict=True)
        assert list(done) == sorted(set(done)) and len(done) > 5
        assert set(totals) == {done[-1]}


@pytest.mark.usefixtures("is_small")
def test_a_row_that_does_not_sum_to_its_interval_is_named(tmp_path: Path) -> None:
    made = profile_of(stream(tmp_path / "1.raw", 20, 30))
    table = made.interval_table
    length = table.length + (np.arange(len(table)) == 33) - (np.arange(len(table)) == 34)
    start = table.start + (np.arange(len(table)) == 34)
    wrong = Intervals(table.run, table.thread, table.index, start, length, table.kind)
    object.__setattr__(made, "interval_table", wrong)
    profile_h5.write(tmp_path / "profile.h5", made)
    read = profile_h5.read(tmp_path / "profile.h5")
    with pytest.raises(DataError, match=r"profile\.h5.*row 33.*do not sum"):
        read.vectors.row_sums()


@pytest.mark.usefixtures("is_small")
def test_a_file_that_is_written_to_meanwhile_is_not_read_on(tmp_path: Path) -> None:
    profile_h5.write(tmp_path / "profile.h5", profile_of(stream(tmp_path / "1.raw", 20, 30)))
    read = profile_h5.read(tmp_path / "profile.h5")
    with (tmp_path / "profile.h5").open("ab") as file:
        file.write(b"more")
    with pytest.raises(DataError, match=r"profile\.h5.*written to while it was read"):
        read.vectors.row_sums()


_CONVERT = """
import resource, sys
from phasemark.collect.stream.conversion import profile_of
from phasemark.store import profile_h5
profile_h5.write(sys.argv[2], profile_of(sys.argv[1]))
for part in profile_h5.read(sys.argv[2]).vectors.rows():
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def test_memory_does_not_grow_with_the_run(tmp_path: Path) -> None:
    peaks = []
    for intervals in (25, 400):  # 0.5 and 8 million counts: 6 and 96 MB where they are held
        path = stream(tmp_path / f"{intervals}.raw", intervals, 10_000)
        command = [sys.executable, "-c", _CONVERT, path, tmp_path / "profile.h5"]
        peaks.append(int(subprocess.check_output(command)))
    assert peaks[1] - peaks[0] < 60


def outcome(path: Path, most_held: int, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    """What becomes of a stream: what was recorded of it, row by row, or what is said."""
    monkeypatch.setattr(streamed, "MOST_HELD", most_held)
    try:
        made = profile_of(path)
        parts = list(made.vectors.rows())
        assert isinstance(made.vectors, StreamedCounts) == (made.vectors.indptr[-1] > most_held)
    except DataError as error:
        return (str(error),)
    entries = [entry for part in parts for entry in zip(part.indices, part.data, strict=True)]
    return made.instructions, made.provenance.complete, made.vectors.indptr.tolist(), entries


def test_damage_is_found_as_in_what_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that is cut at each byte of its intervals, and one of which each such byte is another."""
    monkeypatch.setattr(merging, "_BATCH", 7)
    whole = stream(tmp_path / "whole.raw", 3, 5).read_bytes()
    begin = whole.index(
        raw.record("I", raw.varints(0, 0, 10, 5, 0, 6) + raw.varints(1, 1) * 4 + raw.varint(0))
    )
    damaged = [whole[:size] for size in range(begin, len(whole))]
    damaged += [whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :] for at in range(begin, len(whole))]
    path, said = tmp_path / "damaged.raw", set()
    for content in damaged:
        path.write_bytes(content)
        held, apart = (outcome(path, most, monkeypatch) for most in (1 << 40, 1))
        assert held == apart
        assert len(held) > 1 or "damaged.raw" in str(held[0])
        said.add(len(held))
    assert said == {1, 4}


@pytest.mark.usefixtures("is_small")
def test_a_damaged_file_of_streamed_counts_is_named(tmp_path: Path) -> None:
    profile_h5.write(tmp_path / "profile.h5", profile_of(stream(tmp_path / "1.raw", 20, 30)))
    whole = (tmp_path / "profile.h5").read_bytes()
    for at in range(100, len(whole), len(whole) // 60):
        (tmp_path / "profile.h5").write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        with pytest.raises(DataError, match=r"profile\.h5"):
            profile_h5.read(tmp_path / "profile.h5").vectors.row_sums()
