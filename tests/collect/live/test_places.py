"""Which code addresses are, while processes map files, begin and end."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from phasemark.collect.live import places
from phasemark.collect.live.places import ANONYMOUS, UNKNOWN, Code, Places, names
from phasemark.errors import UsageError
from phasemark.formats.perf.lines import Mapping, Name, Task
from phasemark.formats.perf.piped import Batch


def maps(pid: int, start: int, size: int, name: str, offset: int = 0) -> Mapping:
    return Mapping(pid, start, size, offset, name.encode(), "", True)


def batch(*samples: tuple[int, int], time: int = 1) -> Batch:
    pids, ips = (np.array(column) for column in zip(*samples, strict=True))
    n = len(samples)
    return Batch(pids, ips.astype(np.uint64), np.full(n, time), np.ones(n, np.int64))


def where(known: Places, *samples: tuple[int, int], time: int = 1) -> list[tuple[str, int, str] | None]:
    codes, which = known.codes(batch(*samples, time=time))
    found = [codes[row] if row >= 0 else None for row in which.tolist()]
    return [one and (one.module, one.offset, one.name) for one in found]


def of(*records: Mapping | Task | Name, kind: str = "address") -> Places:
    known = Places(kind)
    for record in records:
        known.take(record)
    return known


def test_an_address_is_an_offset_in_the_file_that_is_mapped_there_now() -> None:
    known = of(maps(5, 0x1000, 0x1000, "/a", 0x400), maps(5, 0x2000, 0x1000, "/b"))
    assert where(known, (5, 0x1010), (5, 0x2FFF), (5, 0x1010)) == [
        ("/a", 0x410, ""),
        ("/b", 0xFFF, ""),
        ("/a", 0x410, ""),
    ]
    known.take(maps(5, 0x1800, 0x1000, "/c"))  # over the end of one and the beginning of another
    assert where(known, (5, 0x17FF), (5, 0x1800), (5, 0x2800)) == [
        ("/a", 0xBFF, ""),
        ("/c", 0, ""),
        ("/b", 0x800, ""),
    ]


def test_code_of_no_extent_counts_by_pages_and_the_kernel_not_at_all() -> None:
    known = of(maps(5, 0x10000, 0x4000, "//anon"), maps(5, 0x20000, 0x4000, "/gone"), kind="function")
    assert where(known, (5, 0x11234), (5, 0x21234), (5, 0x31234), (5, 1 << 63), (9, 0x11234)) == [
        (ANONYMOUS, 0x11000, ""),
        ("/gone", 0x1000, ""),
        (UNKNOWN, 0x31000, ""),
        None,
        (UNKNOWN, 0x11000, ""),
    ]


def test_a_child_has_its_parents_memory_and_a_thread_its_processs() -> None:
    known = of(maps(5, 0x1000, 64, "/a"), Task(True, 6, 6, 5, 5), Task(True, 5, 7, 5, 5))
    known.take(maps(6, 0x2000, 64, "/b"))
    assert where(known, (6, 0x1000), (6, 0x2000)) == [("/a", 0, ""), ("/b", 0, "")]
    assert where(known, (5, 0x2000)) == [(UNKNOWN, 0x2000, "")]
    assert 7 not in known.processes


def test_what_ended_or_became_another_program_is_forgotten() -> None:
    known = of(maps(5, 0x1000, 64, "/a"), Task(True, 6, 6, 5, 5), Task(False, 5, 8, 5, 5))
    assert where(known, (5, 0x1000)) == [("/a", 0, "")], "a thread ended, and not the process"
    known.take(Name(True, b"other", 5, 5))
    known.take(Task(False, 6, 6, 5, 5))
    assert where(known, (5, 0x1000)) == [(UNKNOWN, 0x1000, "")] and 6 not in known.processes
    assert where(of(maps(5, 0x1000, 64, "/a"), Name(False, b"thread", 5, 5)), (5, 0x1000)) == [("/a", 0, "")]


def test_functions_are_those_of_the_file_and_have_its_names() -> None:
    program = os.path.realpath(shutil.which("gzip") or "/bin/sh")
    with Path(program).open("rb") as file:
        size = file.seek(0, 2)
    known = of(maps(5, 0x10000000, size, program), kind="function")
    ips = [0x10000000 + at for at in range(size // 4, size // 2, 512)]
    found = where(known, *((5, ip) for ip in ips))
    assert all(
        one and one[0] == program and one[1] <= ip - 0x10000000 for one, ip in zip(found, ips, strict=True)
    )
    assert 1 < len(set(found)) < len(ips)
    assert all(names([Code.at(one[0], one[1]) for one in found if one]))


def test_files_of_a_container_are_read_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes of one container have the same code, in files that are not ours."""
    program = os.path.realpath(shutil.which("gzip") or "/bin/sh")
    inside = "/" + Path(program).name
    roots = {5: str(Path(program).parent), 6: f"{Path(program).parent}/."}
    monkeypatch.setattr(places, "_root", lambda pid: roots.get(pid, ""))
    maps_of = [maps(pid, 0x10000000, 1 << 16, inside) for pid in (5, 6, 7)]
    known = of(*maps_of, kind="function")
    codes, which = known.codes(batch((5, 0x10006000), (6, 0x10006000), (7, 0x10006123)))
    mine, others, outside = (codes[row] for row in which.tolist())
    assert mine == others and mine.key == others.key and mine.module == inside
    assert outside.offset == 0x6000, "by pages: there is no such file here"
    direct = of(maps(5, 0x10000000, 1 << 16, program), kind="function")
    monkeypatch.setattr(places, "_root", lambda pid: "/nowhere")
    assert where(direct, (5, 0x10006000)) == [(program, mine.offset, "")]
    assert names([mine, others]) == 2 * names([Code.at(program, mine.offset)])


def test_whose_root_is_ours() -> None:
    assert places._root(os.getpid()) == "" and places._root(1 << 22) == ""


def test_who_sees_other_files_than_we_do(monkeypatch: pytest.MonkeyPatch) -> None:
    stat = os.stat
    for part in ("/proc/77/root/", "/proc/77/ns/mnt"):
        other = {part: stat("/"), part.replace("77", "self"): stat("/proc")}
        monkeypatch.setattr(os, "stat", lambda path, other=other: other.get(path) or stat("/"))
        assert places._root(77) == "/proc/77/root"


def test_generated_code_is_named_by_its_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "FOLDER", tmp_path)
    path = tmp_path / "perf-5.map"
    path.write_text("11000 100 hot\n")
    known = of(maps(5, 0x10000, 0x4000, "//anon"), kind="function")
    assert where(known, (5, 0x11010), (5, 0x11020), (5, 0x12000)) == [
        (ANONYMOUS, 0, "hot"),
        (ANONYMOUS, 0, "hot"),
        (ANONYMOUS, 0x12000, ""),
    ]
    path.write_text("11000 100 hot\n13000 100 hotter\n")
    assert where(known, (5, 0x13000)) == [(ANONYMOUS, 0x13000, "")], "the map is not read for each sample"
    assert where(known, (5, 0x13004), time=10**11) == [(ANONYMOUS, 0, "hotter")]
    assert names([Code.at(ANONYMOUS, 0, "hot")]) == ["hot"]


def test_keys_are_equal_in_all_processes_and_differ_by_place() -> None:
    codes = [Code.at("/a", 1), Code.at("/a", 2), Code.at("/b", 1), Code.at("/a", 0, "f"), Code.at("/a", 0)]
    assert len({code.key for code in codes}) == 5
    assert Code.at("/a", 1) == codes[0] and Code.at("/a", 1).key == codes[0].key


def test_there_is_no_such_kind() -> None:
    with pytest.raises(UsageError, match="'page' is no signature"):
        Places("page")


def test_what_is_known_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for bound in ("_MAPPINGS", "_ADDRESSES", "_PROCESSES", "_FILES"):
        monkeypatch.setattr(places, bound, 8)
    known = Places("address")
    for n in range(50):
        known.take(maps(n, 0x1000 * n, 64, f"/{n}"))
        known.take(maps(100, 0x1000 * n, 64, f"/{n}"))
        where(known, (100, 0x1000 * n), (100, 0x1000 * n + 1), (100, 0x1000 * n + 2))
    assert len(known.processes) == 8 and 100 in known.processes and 49 in known.processes
    process = known.processes[100]
    for n in range(20):
        where(known, (100, 0x1000 * 49 + n))
        assert len(process.known) <= 8
    assert len(process.mappings) <= 8 and len(process.known) <= 8 and len(known._since) <= 8
    assert where(known, (100, 0x1000 * 49), (100, 0)) == [("/49", 0, ""), ("/0", 0, "")]


def test_a_process_whose_first_thread_has_ended_is_known_until_the_last_has() -> None:
    known = of(maps(5, 0x1000, 64, "/a"), Task(True, 5, 7, 5, 5), Task(False, 5, 5, 1, 1))
    assert list(known.processes) == [5] and known.processes[5].mappings
    known.take(Task(False, 5, 7, 5, 5))
    assert not known.processes
