"""perf script's text -> Samples: processes, threads, mappings, and what goes wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.formats.perf import text
from phasemark.model import Samples


def sample(
    tid: int, ms: int, ip: int, *, pid: int = 10, event: str = "task-clock:u", period: int = 1000
) -> str:
    return f"  {pid}/{tid} {ms // 1000:5}.{ms % 1000:03}000000: {period:10} {event}: {ip:16x}\n"


def said(record: str, ms: int = 0) -> str:
    return f"   10/10 {ms // 1000:5}.{ms % 1000:03}000000: PERF_RECORD_{record}\n"


def mapped(pid: int, start: int, size: int, offset: int, name: str) -> str:
    return said(f"MMAP2 {pid}/{pid}: [{start:#x}({size:#x}) @ {offset:#x} fe:00 1 2]: r-xp {name}")


def read(content: str | bytes, path: Path) -> Samples:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return text.read(path)


def places(samples: Samples) -> list[tuple[str, int, bool]]:
    return [
        (samples.modules[samples.module[p]], int(samples.offset[p]), bool(samples.located[p]))
        for p in samples.place.tolist()
    ]


def test_addresses_become_offsets_of_files(tmp_path: Path) -> None:
    found = read(mapped(10, 0x5000, 0x1000, 0x300, "/bin/a") + sample(10, 1, 0x5010), tmp_path / "x")
    assert places(found) == [("/bin/a", 0x310, True)] and found.notes == ()
    assert (found.time.tolist(), found.period.tolist(), found.events) == ([10**6], [1000], ("task-clock:u",))


def test_a_later_mapping_lies_over_an_earlier_one(tmp_path: Path) -> None:
    lines = mapped(10, 0x5000, 0x3000, 0, "/a") + sample(10, 1, 0x6010)
    lines += mapped(10, 0x6000, 0x1000, 0x100, "/b")
    lines += "".join(sample(10, 2 + n, ip) for n, ip in enumerate((0x5FFF, 0x6010, 0x7000)))
    found = read(lines, tmp_path / "x")
    assert places(found) == [
        ("/a", 0x1010, True), ("/a", 0xFFF, True), ("/b", 0x110, True), ("/a", 0x2000, True),
    ]  # fmt: skip


def test_a_fork_has_its_parents_mappings_and_exec_clears_them(tmp_path: Path) -> None:
    lines = mapped(10, 0x5000, 0x1000, 0, "/a") + said("FORK(11:11):(10:10)")
    lines += sample(11, 1, 0x5001, pid=11) + said("COMM exec: b:11/11") + sample(11, 2, 0x5001, pid=11)
    lines += mapped(11, 0x5000, 0x1000, 0, "/b") + sample(11, 3, 0x5001, pid=11) + sample(10, 4, 0x5001)
    found = read(lines, tmp_path / "x")
    by_thread = [(thread, *place) for thread, place in zip(found.thread.tolist(), places(found), strict=True)]
    assert by_thread == [
        (0, "/a", 1, True), (1, "[unknown]", 0x5001, False), (1, "/b", 1, True), (2, "/a", 1, True),
    ]  # fmt: skip
    assert [(p.pid, p.parent, p.origin, p.name) for p in found.processes] == [
        (10, 0, "start", "?"), (11, 10, "fork", "?"), (11, 10, "exec", "b"),
    ]  # fmt: skip
    assert "1 sample in no module that is known: kept under [unknown]" in found.notes


def test_a_thread_id_that_is_used_again_is_another_thread(tmp_path: Path) -> None:
    lines = sample(10, 1, 1)
    for n in range(3):
        lines += said("FORK(10:12):(10:10)") + sample(12, 2 + n, 2) + said("EXIT(10:12):(10:10)")
    found = read(lines, tmp_path / "x")
    assert found.tid.tolist() == [10, 12, 12, 12] and found.thread.tolist() == [0, 1, 2, 3]
    assert set(found.process.tolist()) == {0}


def test_threads_are_numbered_by_birth_and_those_without_a_sample_are_said(tmp_path: Path) -> None:
    lines = "".join(said(f"FORK(10:{tid}):(10:10)") for tid in (11, 12, 13))
    found = read(lines + sample(13, 1, 1) + sample(11, 2, 1), tmp_path / "x")
    assert found.tid.tolist() == [11, 13] and "1 thread had no sample" in found.notes


def test_call_stacks_count_at_their_leaf(tmp_path: Path) -> None:
    lines = "a 10 1.000000: PERF_RECORD_MMAP2 10/10: [0x5000(0x1000) @ 0x1000 fe:00 1 2]: r-xp /bin/a\n"
    lines += "a 10 1.1: 5 cycles: \n\t  1004 f+0x4 (/bin/a)\n\t  5fff g (/bin/a)\n\n"
    lines += "a 10 1.2: 5 cycles: \n\t  5008 f+0x8 (/bin/a)\n\n"
    lines += "a 10 1.3: 5 cycles: \n\tffffffff81000000 k ([kernel.kallsyms])\n\t 5004 f (/bin/a)\n\n"
    lines += "a 10 1.4: 5 cycles: \n\t  7fff00 h+0x1 (/lib/b.so)\n\n"
    found = read(lines, tmp_path / "x")
    # perf writes some addresses as offsets in the file, and some as they were.
    assert places(found) == [
        ("/bin/a", 0x1004, True), ("/bin/a", 0x1008, True), ("/lib/b.so", 0x7FFF00, False),
    ]  # fmt: skip
    assert [found.function[p] for p in found.place.tolist()] == ["f", "f", "h"]
    assert found.notes[0] == "1 of 4 samples in the kernel: counted in no vector"
    assert "1 sample without a mapping" in found.notes[1]


def test_groups_are_samples_of_each_event(tmp_path: Path) -> None:
    lines = sample(10, 1, 1, event="instructions:u") + sample(10, 1, 1, event="cycles:u", period=900)
    found = read(lines + sample(10, 2, 1, event="cycles:u", period=0), tmp_path / "x")
    assert found.events[:2] == ("instructions:u", "cycles:u")
    assert found.period.tolist() == [1000, 900]


def test_losses_are_said_with_how_many(tmp_path: Path) -> None:
    found = read(said("LOST lost 5") + said("LOST lost 7") + sample(10, 1, 1), tmp_path / "x")
    assert "perf lost 12 events (2 times): what ran then has too few samples" in found.notes


@pytest.mark.parametrize("behind", [1, 30, 60])
def test_of_a_text_that_is_cut_the_whole_part_is_kept(tmp_path: Path, behind: int) -> None:
    lines = "".join(sample(10, n, n) for n in range(1, 4))
    found = read(lines[:-behind], tmp_path / "x")
    assert len(found) == 2 and not found.complete
    assert found.notes[-1].startswith("the text is cut") or any("the text is cut" in n for n in found.notes)


def test_a_stack_that_is_cut_counts_if_its_leaf_is_whole(tmp_path: Path) -> None:
    lines = "a 10 1.1: 5 cycles: \n\t  1004 f (/bin/a)\n\t  10"
    assert len(read(lines, tmp_path / "x")) == 1
    with pytest.raises(DataError, match="holds no sample"):
        read("a 10 1.1: 5 cycles: \n\t  10", tmp_path / "y")


def test_without_times_and_periods(tmp_path: Path) -> None:
    lines = "a 10 cycles: \n\t  1004 f (/bin/a)\n\nb 11 cycles: \n\t  1004 f (/bin/a)\n\n"
    found = read(lines, tmp_path / "x")
    assert not found.timed and not found.weighted and found.period.tolist() == [1, 1]
    assert len([n for n in found.notes if "no common clock" in n or "each counts once" in n]) == 2


def test_samples_out_of_order_are_sorted_and_said(tmp_path: Path) -> None:
    found = read(sample(10, 3, 1) + sample(10, 1, 2) + sample(11, 2, 3), tmp_path / "x")
    assert found.time.tolist() == [10**6, 3 * 10**6, 2 * 10**6]
    assert "1 sample after later ones of their thread: sorted" in found.notes


def test_layouts_give_the_same(tmp_path: Path) -> None:
    """Line by line, many at a time, cut anywhere, zipped."""
    lines = mapped(10, 0x1000, 0x100000, 0, "/a")
    lines += "".join(sample(10 + n % 3, n, 0x1000 + n * 7 % 999) for n in range(1, 300))
    plain = read(lines, tmp_path / "x")
    others = [
        text.read_pieces([lines.encode()[i : i + 7] for i in range(0, len(lines), 7)], "x"),
        read(gzip.compress(lines.encode()), tmp_path / "z"),
        read(lines.replace("\n", "\r\n"), tmp_path / "r"),
        read("".join(f"a {line.lstrip()}" for line in lines.splitlines(True)), tmp_path / "c"),
    ]
    for other in others:
        assert places(other) == places(plain)
        for name in ("thread", "time", "period", "tid"):
            assert np.array_equal(getattr(other, name), getattr(plain, name))


def test_two_thousand_threads_some_with_one_sample(tmp_path: Path) -> None:
    lines = "".join(said(f"FORK(10:{tid}):(10:10)") + sample(tid, tid, tid) for tid in range(100, 2100))
    found = read(lines, tmp_path / "x")
    assert len(found.tid) == len(found) == 2000 and np.array_equal(found.thread, np.arange(2000))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no sample"),
        (b"# only a comment\n", "holds no sample"),
        (sample(10, 1, 1).encode() + b"so what\n", "x:2: is no line that perf script prints: 'so what'"),
        (b"\0\1\2\n", "x:1: is no line"),
        (sample(10, 1, 1).encode() + sample(10**25, 1, 1).encode(), "x:2: is no line"),
        (sample(10, 1, 1).encode() + sample(10, 1, 1 << 70).encode(), "x:2: is no line"),
        (sample(10, 1, 1, period=10**30).encode(), "x:1: is no line"),
        (sample(10, 10**20, 1).encode(), "x:1: is no line"),
        (said("FORK(10:99999999999999999999):(10:10)").encode(), "x:1: is no line"),
        (mapped(10, 1, 1 << 64, 0, "/a").encode(), "x:1: is no line"),
        (said("MMAP2 1/1: [0x").encode(), "x:1: is no line"),
        (b"a 1 1.5: 7 cycles:\na 1 1.6: 7 cycles:\n", "its samples have no addresses"),
        (b"a 1 1.5: 7 cycles: ffffffff81000000\n", "holds 1 sample, all in the kernel"),
        (b"x" * (1 << 25), "a line is longer than 16 MiB"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_the_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(content, tmp_path / "x")
    assert message in str(caught.value) and caught.value.hint


def test_a_stack_of_a_program_named_like_a_number_is_no_frame(tmp_path: Path) -> None:
    lines = "dd 10 1.1: 5 cycles: \n\t  1004 f (/bin/a)\n\ndd 10 1.2: 5 cycles: \n\t 1005 f (/bin/a)\n\n"
    assert len(read(lines, tmp_path / "x")) == 2
