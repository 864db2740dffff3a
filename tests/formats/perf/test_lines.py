"""Lines of perf script in the layouts that it has had."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import samples as twin

from phasemark._core import sample_lines
from phasemark.formats.perf.lines import Lost, Mapping, Name, Task, Where, frame, header, record, sampled

PARTS = (
    *(
        "1/2",
        " 7/7",
        "-1/0",
        "0/0",
        " ",
        "  ",
        "5.5:",
        "1.000000001:",
        "9.1234567890:",
        "3:",
        "100",
        "1" * 16,
    ),
    *("cycles:u:", "a:", ":", "x", "4010ab", "ffffffff81000000", "f" * 17, "1G", "\t", "\r", "(/bin/x)"),
)
EVENTS = st.sampled_from(["cycles:u", "cpu_core/cycles/", "a:b"])
ADDRESSES = st.integers(0, 2**64 - 1)


@settings(deadline=None, max_examples=400)
@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=9).map(" ".join)), st.booleans(), st.integers(0, 3))
def test_the_kernel_reads_what_its_twin_reads(lines: list[str], ended: bool, begin: int) -> None:
    good = " 12/13 5.25: 1000 cycles:u: 4010ab"
    text = "\n".join([good, *lines, good]).encode() + b"\n" * ended
    for at in (0, begin):
        end, pid, tid, time, period, ip, name, names = sample_lines(text, at)
        rows = [*zip(pid, tid, time, period, [names[n] for n in name], ip, strict=True)]
        assert (end, rows) == twin.sample_lines(text, at)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(*[st.integers(0, 10**9 - 1)] * 4, st.integers(0, 10**15 - 1), EVENTS, ADDRESSES)))
def test_whole_numbers_of_every_size_are_read(rows: list[tuple[int, int, int, int, int, str, int]]) -> None:
    text = "".join(f"{p}/{t} {s:5}.{f:09}: {n:10} {e}: {ip:16x}\n" for p, t, s, f, n, e, ip in rows).encode()
    end, pid, tid, time, period, ip, name, names = sample_lines(text)
    assert end == len(text)
    found = zip(pid, tid, time, period, [names[n].decode() for n in name], ip, strict=True)
    assert [*found] == [(p, t, s * 10**9 + f, n, e, ip) for p, t, s, f, n, e, ip in rows]


@pytest.mark.parametrize(
    ("line", "pid", "tid", "comm", "time"),
    [
        ("gzip 20904  5844.252135:    1006498  task-clock:u: ", None, 20904, "gzip", 5844252135000),
        ("            gzip 20878  5842.03:  1000 cycles:  5628 x (y)", None, 20878, "gzip", 5842030000000),
        ("  100/101   0.000000007: 1 cycles: 1", 100, 101, "", 7),
        ("Web Content 12/13 [003] 1.5: cycles:pp: ", 12, 13, "Web Content", 1500000000),
        ("kworker/0:1-ev 7 [000] d..2. 1.5: cycles: ", None, 7, "kworker/0:1-ev", 1500000000),
        ("java 14341 cycles: ", None, 14341, "java", None),
        ("swapper 0 [000] 25 cycles: ", None, 0, "swapper", None),
    ],
)
def test_the_head_of_a_sample(line: str, pid: int | None, tid: int, comm: str, time: int | None) -> None:
    found = header(line.encode())
    assert found is not None
    assert (found.pid, found.tid, found.comm.decode(), found.time) == (pid, tid, comm, time)
    assert sampled(found.rest) is not None


@pytest.mark.parametrize(
    "line",
    ["", "hello", "\t     4330 main+0x3 (/bin/x)", "  ffffffff8103ee0a f ([k])", "1,2,3", "T:1:20 :2:30"],
)
def test_what_is_no_head(line: str) -> None:
    assert header(line.encode()) is None


@pytest.mark.parametrize(
    ("rest", "event", "period", "where"),
    [
        (b"1006498 task-clock:u: ", b"task-clock:u", 1006498, None),
        (b"cycles: 4330 [unknown] ([unknown])", b"cycles", None, Where(0x4330)),
        (b"5 cpu_core/cycles/u: 4330 f(int, char)+0x1f (/bin/x y)", b"cpu_core/cycles/u", 5,
         Where(0x4330, b"f(int, char)", b"/bin/x y")),
        (b"1 cycles:P: 4330 main (/tmp/x (deleted))", b"cycles:P", 1, Where(0x4330, b"main", b"/tmp/x")),
        (b"sched:sched_switch: prev_comm=a", b"sched:sched_switch", None, None),
    ],
)  # fmt: skip
def test_what_was_sampled(rest: bytes, event: bytes, period: int | None, where: Where | None) -> None:
    found = sampled(rest)
    assert found is not None and (found.event, found.period, found.where) == (event, period, where)


def test_a_frame() -> None:
    assert frame(b"\t  11a4 w+0x1b (/tmp/pf/t)") == Where(0x11A4, b"w", b"/tmp/pf/t")
    assert frame(b"\t  11a4 std::f<int>(a (*)(b)) const+0x1b (/x)") == Where(
        0x11A4, b"std::f<int>(a (*)(b)) const", b"/x"
    )
    assert frame(b"  zz") is None and frame(b"11a4") is None


def test_records() -> None:
    assert record(
        b"PERF_RECORD_MMAP2 7/8: [0x55e0(0xf000) @ 0x3000 fe:00 2603 12]: r-xp /usr/bin/a b"
    ) == Mapping(7, 0x55E0, 0xF000, 0x3000, b"/usr/bin/a b", "", True)
    assert record(b"PERF_RECORD_MMAP2 7/8: [0x55e0(0xf000) @ 0 <5dc7>]: r--p /x") == Mapping(
        7, 0x55E0, 0xF000, 0, b"/x", "5dc7", False
    )
    assert record(b"PERF_RECORD_MMAP 7/8: [0x55e0(0xf000) @ 0x1000]: x /x") == Mapping(
        7, 0x55E0, 0xF000, 0x1000, b"/x", "", True
    )
    assert record(b"PERF_RECORD_FORK(9:10):(7:8)") == Task(True, 9, 10, 7, 8)
    assert record(b"PERF_RECORD_EXIT(9:10):(7:8)") == Task(False, 9, 10, 7, 8)
    assert record(b"PERF_RECORD_COMM exec: a: b:7/8") == Name(True, b"a: b", 7, 8)
    assert record(b"PERF_RECORD_COMM: a:7/8") == Name(False, b"a", 7, 8)
    assert record(b"PERF_RECORD_LOST lost 12") == Lost(12)
    assert record(b"PERF_RECORD_SWITCH OUT") is None
    with pytest.raises(ValueError):
        record(b"PERF_RECORD_MMAP2 7/8: [0x")
