"""events.h5: a trace comes back as it was, a stretch at a time; what is none, or damaged, is refused."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from tests.collect import encoding as raw

from phasemark import checking
from phasemark.errors import DataError, WorkError
from phasemark.formats import recogniser
from phasemark.model import Provenance, Sites
from phasemark.store import events_h5, hdf5, resealing
from phasemark.store.events_h5 import Chunks, PackedTrace, Threads

SITES = Sites(
    ("/bin/a",), [0, 0], [4, 8], [0, 2], [0, -1], [1, 0], ("f", "g"), ("f.c", ""), [3, 0], ("f", "")
)

#: Of thread 0 two chunks; of thread 3 none; of thread 5 one. Chunks call site 0 by 2 and site 1 by 0.
HAPPENED = [(0, 0, [(2, 1, 10), (0, 3, 30)]), (0, 30, [(2, 9, 90)]), (2, 0, [(0, 1, 7), (2, 1, 9)])]
DATA = [raw.literals(raw.tokens(start, rows)) for _, start, rows in HAPPENED]


def packed(data: list[bytes] = DATA) -> PackedTrace:
    columns = [
        (thread, start, rows[-1][2], len(rows), len(raw.tokens(start, rows)), len(block))
        for (thread, start, rows), block in zip(HAPPENED, data, strict=True)
    ]
    return PackedTrace(
        SITES,
        np.array([1, -1, 0], np.int32),
        Threads(np.zeros(3, np.int64), np.array([0, 3, 5]), np.array([95, 4, 8])),
        Chunks(*np.array(columns).T),
        data.__getitem__,
        Provenance("phasemark-valgrind", command=("a",), interval=10),
        Path("a.raw"),
    )


def rows(trace: events_h5.StoredTrace) -> list[tuple[int, int, int]]:
    return [row for columns in trace.chunks() for row in zip(*(c.tolist() for c in columns), strict=True)]


def test_everything_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "events.h5"
    assert events_h5.write(path, packed()) == hdf5.seal(path)
    content = path.read_bytes()
    first, none, last = events_h5.read(path)
    assert rows(first) == [(0, 1, 10), (1, 3, 30), (0, 9, 90)]
    assert len(list(first.chunks())) == 2 and len(first) == 3
    assert rows(none) == [] and rows(last) == [(1, 1, 7)]  # an event after the thread's end is none
    assert [t.thread for t in (first, none, last)] == [0, 3, 5]
    assert [t.instructions for t in (first, none, last)] == [95, 4, 8]
    for field in dataclasses.fields(Sites):
        assert np.array_equal(getattr(first.sites, field.name), getattr(SITES, field.name)), field.name
    again = events_h5.read_packed(path)
    assert again.provenance == packed().provenance
    path.unlink()
    assert rows(again.traces[0]) == rows(packed().traces[0])
    events_h5.write(path, again)
    assert path.read_bytes() == content


def test_it_is_recognised_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "any-name"
    events_h5.write(path, packed())
    assert recogniser.recognise(path) is recogniser.EVENTS
    assert checking.check_file(path).found == "events: 4 of 3 threads at 2 sites"


def test_a_trace_without_events_comes_back(tmp_path: Path) -> None:
    chunks = Chunks(*np.zeros((6, 0), np.int64))
    none = dataclasses.replace(packed(), chunks=chunks, symbols=np.zeros(0, np.int32))
    events_h5.write(tmp_path / "events.h5", none)
    assert [rows(trace) for trace in events_h5.read(tmp_path / "events.h5")] == [[], [], []]


def test_a_damaged_chunk_is_told_by_who_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "events.h5"
    events_h5.write(path, packed([DATA[0], b"\xff" * len(DATA[1]), DATA[2]]))
    first, _, last = events_h5.read(path)
    assert rows(last) == [(1, 1, 7)]
    with pytest.raises(
        DataError, match=r"events\.h5: the events of thread 0 from instruction 30 on are damaged"
    ):
        rows(first)


@pytest.mark.parametrize("at", [0.01, 0.5, 0.9])
def test_a_changed_byte_is_noticed(at: float, tmp_path: Path) -> None:
    path = tmp_path / "events.h5"
    events_h5.write(path, packed())
    content = bytearray(path.read_bytes())
    content[int(at * len(content))] ^= 1
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"events\.h5"):
        events_h5.read(path)


def wrong(name: str, value: object) -> PackedTrace:
    trace = packed()
    if name in ("symbols",):
        return dataclasses.replace(trace, symbols=np.array(value, np.int32))
    if name in ("run", "number"):
        changed = {name.replace("number", "thread"): np.array(value)}
        return dataclasses.replace(trace, threads=dataclasses.replace(trace.threads, **changed))
    return dataclasses.replace(trace, chunks=dataclasses.replace(trace.chunks, **{name: np.array(value)}))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("symbols", [2, -1, 0], "a symbol is no site"),
        ("thread", [0, 0, 3], "a thread that is not there"),
        ("thread", [2, 0, 0], "order of their threads"),
        ("start", [0, 29, 0], "begin where the one before"),
        ("start", [1, 30, 0], "begin where the one before"),
        ("events", [2, -1, 2], "a chunk has no events"),
        ("size", [-1, 3, 3], "a chunk has no events"),
        ("run", [0, 0, 2**63 - 1], "a run has a number that is none"),
        ("number", [0, 3, 2**31], "a thread has a number that is none"),
        ("number", [-1, 3, 5], "a thread has a number that is none"),
    ],
)
def test_what_breaks_an_invariant_is_refused(name: str, value: object, message: str, tmp_path: Path) -> None:
    events_h5.write(tmp_path / "events.h5", wrong(name, value))
    with pytest.raises(DataError, match=message):
        events_h5.read(tmp_path / "events.h5")


def test_one_without_its_digest_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "events.h5"
    events_h5.write(path, packed())
    good = path.read_bytes()
    path.write_bytes(good[: -len(b"\nphasemark blake2b ") - 32])
    with pytest.raises(DataError, match="--repair"):
        events_h5.read(path)
    assert resealing.reseal(path) == tmp_path / "events.h5~"
    assert path.read_bytes() == good

    events_h5.write(path, packed([DATA[0], b"\xff" * len(DATA[1]), DATA[2]]))
    path.write_bytes(path.read_bytes()[: -len(b"\nphasemark blake2b ") - 32])
    with pytest.raises(DataError, match="damaged"):
        resealing.reseal(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.h5"
    hdf5.write(path, lambda file: file.attrs.update({"format": "phasemark-profile"}))
    with pytest.raises(DataError, match="no trace of events"):
        events_h5.read(path)

    def newer(file: h5py.File) -> None:
        file.attrs["format"], file.attrs["format_version"] = events_h5.FORMAT, 99

    hdf5.write(path, newer)
    with pytest.raises(DataError, match="format 99"):
        events_h5.read(path)


# Stands for a full disk: files may not grow beyond 20 kB. In a process of its own, as the limit stays.
FULL = """
import dataclasses, resource, sys
from phasemark.errors import WorkError
from phasemark.store import events_h5
sys.path.insert(0, sys.argv[2])
from tests.store.test_events_h5 import DATA, packed
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    events_h5.write(sys.argv[1], packed([DATA[0], bytes(100_000), DATA[2]]))
except WorkError as error:
    print(error)
"""


def test_a_full_disk_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "events.h5"
    path.write_bytes(b"earlier")
    here = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), here], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "events.h5: cannot be written: File too large" in done.stdout
    assert path.read_bytes() == b"earlier"
    assert [p.name for p in tmp_path.iterdir()] == ["events.h5"]
    with pytest.raises(WorkError):
        events_h5.write(tmp_path / "missing" / "events.h5", packed())
