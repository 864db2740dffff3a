"""What an import says of a run besides its vectors: threads, lengths, what is missing."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path

import numpy as np
import pytest
from tests.formats.samples import DATA, SAMPLES

import phasemark
from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics import gem5_stats
from phasemark.formats.vectors import lengths, profiles

GEM5 = DATA / "gem5-bootcamp"
BBV = DATA / "exp-bbv"


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def test_gem5s_missing_tail_is_reported() -> None:
    total = gem5_stats.instructions(GEM5 / "full-run-stats.txt.gz")
    profile = profiles.read([GEM5 / "simpoint.bb.gz"], instructions=total)
    assert total == 9_115_640
    assert profile.instructions == 9_000_006
    assert profile.provenance.details["missing_instructions"] == 115_634
    assert "115,634 of 9,115,640 instructions (1.27%) are in no vector" in profile.provenance.warnings[0]
    assert profile.provenance.tool == "gem5"
    assert profile.provenance.interval == 1_000_000
    assert set(profile.intervals["kind"]) == {"fixed"}


def test_a_tail_of_unknown_length_is_said() -> None:
    said = profiles.read([GEM5 / "simpoint.bb.gz"]).provenance.warnings
    assert "up to 1,000,000 instructions at the end are in no vector" in said[0]


def test_fewer_instructions_than_the_vectors_hold_are_refused() -> None:
    with pytest.raises(UsageError, match="9,000,006"):
        profiles.read([GEM5 / "simpoint.bb.gz"], instructions=9_000_000)


@pytest.mark.parametrize(
    ("name", "intervals"),
    [("base", 8), ("nonl", 8), ("emptyT", 9), ("blank", 8), ("comment", 8), ("crlf", 8), ("id0", 9),
     ("gap", 9), ("one", 1), ("same", 10)],
)  # fmt: skip
def test_bent_files_lose_no_interval(name: str, intervals: int) -> None:
    profile = phasemark.read(DATA / "edge-cases" / f"{name}.bb")
    assert len(profile.intervals) == intervals


def test_exp_bbvs_threads_make_one_profile() -> None:
    files = [BBV / name for name in ("bb.out.77.3", "pc.out.77", "bb.out.77", "bb.out.77.2")]
    profile = profiles.read(files)
    assert profile.intervals.groupby("thread")["index"].count().tolist() == [5, 2, 5]
    assert profile.provenance.interval == 10_000
    assert profile.provenance.details["instructions"] == 53_881 + 28_025 + 56_025
    assert "exp-bbv drops the last partial interval" in profile.provenance.warnings[0]
    assert profile.instructions + profile.provenance.details["missing_instructions"] == 137_931
    assert profile.blocks.set_index("id")["function"][9] == "0x40100a"


def test_a_function_is_named_where_the_pc_file_names_it(tmp_path) -> None:
    pc = write(tmp_path, "pc.out", b"F:9:40100a:square\nF:14:401036:operator new(unsigned long)\n")
    profile = profiles.read([BBV / "bb.out.77", pc])
    names = profile.blocks.set_index("id")["function"]
    assert (names[9], names[14], names[7]) == ("square", "operator new(unsigned long)", "")


def test_a_malformed_pc_file_names_the_line(tmp_path) -> None:
    pc = write(tmp_path, "pc.out", b"F:9:40100a:square\nF:x:401036:add\n")
    with pytest.raises(DataError, match=r"pc\.out:2:.*function"):
        profiles.read([BBV / "bb.out.77", pc])


def test_pinpoints_trailer_tells_sizes_and_the_command(tmp_path) -> None:
    profile = profiles.read([write(tmp_path, "x.T.0.bb", SAMPLES["pinpoints"].content)])
    assert profile.provenance.command == ("/bin/x", "-v", "file")
    assert profile.provenance.details["missing_instructions"] == 1234
    assert profile.blocks["instructions"].unique().tolist() == [3]
    assert profile.blocks["size"].unique().tolist() == [12]
    assert profile.blocks["function"][0] == "0x401020"


def test_nemus_addresses_name_the_blocks(tmp_path) -> None:
    profile = profiles.read([write(tmp_path, "f", SAMPLES["nemu"].content)])
    assert profile.blocks["function"][0] == "0x80000040:0x80000060"


def test_qpoints_that_leaves_out_blocks_says_so(tmp_path) -> None:
    line = b"T" + b"".join(b" :%d:10" % i for i in range(1, 101)) + b"\nT :1:1000\n"
    said = profiles.read([write(tmp_path, "f", line)]).provenance.warnings
    assert any("1 of 2 intervals name 100 blocks" in sentence for sentence in said)


def test_processors_of_qemu_are_threads(tmp_path) -> None:
    files = [write(tmp_path, f"app.{i}.bb", SAMPLES["qemu"].content) for i in (10, 2)]
    profile = profiles.read(files)
    assert profile.provenance.details["files"] == ["app.2.bb", "app.10.bb"]
    assert profile.intervals["thread"].unique().tolist() == [0, 1]


def test_runs_are_runs_only_when_asked_for(tmp_path) -> None:
    files = [write(tmp_path, name, SAMPLES["gem5"].content) for name in ("first.bb", "second.bb")]
    with pytest.raises(UsageError, match="--as-runs"):
        profiles.read(files)
    profile = profiles.read(files, as_runs=True, same_ids=True)
    assert profile.intervals["run"].unique().tolist() == [0, 1]
    assert any("matched by their ids" in sentence for sentence in profile.provenance.warnings)


def test_unlike_blocks_are_refused(tmp_path) -> None:
    files = [write(tmp_path, f"{n}.bb", SAMPLES[n].content) for n in ("gem5", "qemu")]
    with pytest.raises(DataError, match=r"qemu\.bb: its blocks are those of qemu-bbv"):
        profiles.read(files, as_runs=True)


def test_one_thread_twice_is_refused(tmp_path) -> None:
    content = (BBV / "bb.out.77").read_bytes()
    files = [write(tmp_path, f"bb.out.{pid}", content) for pid in (1, 2)]
    with pytest.raises(UsageError, match="two files are of one thread"):
        profiles.read(files)


def test_a_run_without_an_interval_says_how_long_it_was(tmp_path) -> None:
    trailer = (
        b"\n\n# Thread 1\n#   Total intervals: 0 (Interval Size 100000000)\n#   Total instructions: 2500000\n"
    )
    with pytest.raises(DataError, match="2,500,000 instructions ran") as caught:
        profiles.read([write(tmp_path, "f", trailer)])
    assert "2,500" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing\n", gzip.compress(b"", mtime=0), b"T\nT\n"])
def test_a_file_without_an_instruction_is_refused(tmp_path, content: bytes) -> None:
    with pytest.raises(DataError):
        profiles.read([write(tmp_path, "f", content)])


def test_intervals_that_sum_to_too_much_are_refused(tmp_path) -> None:
    with pytest.raises(DataError, match="sum to 2\\^63"):
        profiles.read([write(tmp_path, "f", b"T:1:%d\nT:1:1\n" % (2**63 - 1))])


def test_only_regular_files_are_opened(tmp_path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", Path("/dev/zero"), tmp_path):
        with pytest.raises(DataError, match=r"is no regular file|is a folder"):
            profiles.read([path])
    with pytest.raises(DataError, match="there is no such file"):
        profiles.read([tmp_path / "absent"])


def test_nothing_to_read_is_wrong_usage() -> None:
    with pytest.raises(UsageError):
        profiles.read([])
    with pytest.raises(UsageError, match="one of: drpoints, exp-bbv"):
        profiles.read([BBV / "bb.out.77"], dialect="pin")
    with pytest.raises(UsageError, match="holds no vectors"):
        profiles.read([BBV / "pc.out.77"])


@pytest.mark.parametrize(
    ("rows", "interval", "kinds"),
    [
        ([1_000_003, 999_999, 1_000_004, 7], 1_000_000, ["fixed"] * 3 + ["tail"]),
        ([100, 100, 100], 100, ["fixed"] * 3),
        ([10_000, 0, 10_002, 9_998], 10_000, ["fixed"] * 4),
        ([500, 90_000, 7_000, 1], None, ["variable"] * 4),
        ([777], 777, ["fixed"]),
        ([12_350, 12_340, 12_346, 12_344, 99], 12_345, ["fixed"] * 4 + ["tail"]),
    ],
)
def test_the_interval_length_is_told_from_row_sums(rows, interval, kinds) -> None:
    assert lengths.nominal(np.array(rows)) == interval
    found = lengths.kinds(np.array(rows), interval)
    assert [("fixed", "variable", "transition", "tail")[k] for k in found] == kinds


def test_dumps_without_a_reset_between_are_not_added(tmp_path) -> None:
    begin = "---------- Begin Simulation Statistics ----------\n"

    def dump(insts: int, ticks: int, final: int) -> str:
        end = begin.replace("Begin", "End")
        return f"{begin}simTicks {ticks} # t\nfinalTick {final} # t\nsimInsts {insts} # i\n{end}"

    kept = write(tmp_path, "kept", (dump(100, 10, 10) + dump(300, 30, 30)).encode())
    reset = write(tmp_path, "reset", (dump(100, 10, 10) + dump(300, 20, 30)).encode())
    assert gem5_stats.instructions(kept) == 300
    assert gem5_stats.instructions(reset) == 400
    with pytest.raises(DataError, match="no simInsts"):
        gem5_stats.instructions(write(tmp_path, "none", b"simTicks 3\n"))


def test_a_gzip_stream_that_is_cut_names_the_line_that_was_reached(tmp_path: Path) -> None:
    text = b"".join(b"T:%d:%d\n" % (i % 97 + 1, i) for i in range(1, 60_000))
    cut = gzip.compress(text)[:-20_000]
    reached = zlib.decompressobj(wbits=31).decompress(cut)
    whole = len(reached) // 2**18 * 2**18  # what is read at a time
    assert whole > 2**18
    with pytest.raises(DataError, match="the gzip stream is cut short") as caught:
        profiles.read([write(tmp_path, "v.gz", cut)])
    assert caught.value.line == text[:whole].count(b"\n") + 1


def sentences(tmp_path: Path, text: bytes, **options: object) -> list[str]:
    return list(profiles.read([write(tmp_path, "v", text)], **options).provenance.warnings)  # type: ignore[arg-type]


def test_what_a_user_should_know_is_said_and_nothing_else(tmp_path: Path) -> None:
    assert sentences(tmp_path, b"T:1:5\nT:1:5\n") == []
    zero = sentences(tmp_path, b"T:0:5\nT:1:5\n", dialect="simpoint")
    assert zero == ["block ids start at 0, where SimPoint's own start at 1"]
    assert sentences(tmp_path, b"T:1:5 :1:5\n") == ["entries that repeat an id of their line, summed: 1"]
    assert sentences(tmp_path, b"T:1:5\nT\n") == ["empty intervals, kept with length 0: 1 of 2"]
    assert sentences(tmp_path, b"T:1:5\n", instructions=5) == []
    whole = profiles.read([tmp_path / "v"], instructions=5).provenance.details
    assert (whole["instructions"], whole["missing_instructions"]) == (5, 0)
    assert sentences(tmp_path, b"T:1:5\n", instructions=8) == [
        "3 of 8 instructions (37.50%) are in no vector"
    ]
    drops = ": qemu-bbv drops the last partial interval"
    tells = "; `phasemark import --instructions N` tells exactly"
    assert sentences(tmp_path, b"T:1:5\nT:1:5\n", dialect="qemu") == [
        f"up to 5 instructions at the end are in no vector{drops}{tells}"
    ]
    assert sentences(tmp_path, b"T:1:5\nT:1:500\nT:1:5\n", dialect="qemu") == [
        f"up to an interval of instructions at the end are in no vector{drops}{tells}"
    ]
    assert sentences(tmp_path, b"T:1:5\n", dialect="qemu", instructions=6) == [
        f"1 of 6 instructions (16.67%) are in no vector{drops}"
    ]
    trailer = b"# Thread 1\n#   Total intervals: 1 (Interval Size 5)\n#   Total instructions: 4\n"
    assert sentences(tmp_path, b"T:1:5   \n" + trailer) == [
        "the vectors hold 5 instructions, more than the 4 that the file says ran"
    ]
    assert sentences(tmp_path, b"T:1:5   :2:1   \n") == [
        f"up to 6 instructions at the end are in no vector: exp-bbv drops the last partial interval{tells}",
        "the trailer is missing: exp-bbv did not come to its end",
    ]


def test_of_several_files_each_sentence_names_its_file(tmp_path: Path) -> None:
    files = [write(tmp_path, "a.0", b"T:1:5\nT\n"), write(tmp_path, "a.1", b"T:1:5\n")]
    assert profiles.read(files).provenance.warnings == ("a.0: empty intervals, kept with length 0: 1 of 2",)
    assert profiles.read(files, as_runs=True, same_ids=True).provenance.warnings == (
        "blocks of the runs are matched by their ids",
        "a.0: empty intervals, kept with length 0: 1 of 2",
    )


@pytest.mark.parametrize(("blocks", "said"), [(99, False), (100, True)])
def test_qpoints_writes_a_hundred_blocks_at_most(tmp_path: Path, blocks: int, said: bool) -> None:
    text = b"T" + b"".join(b" :%d:5" % (i + 1) for i in range(blocks)) + b"\n"
    assert any("the 100 hottest" in sentence for sentence in sentences(tmp_path, text)) == said


def test_what_pinpoints_says_of_a_thread(tmp_path: Path) -> None:
    text = (
        b"G: /bin/x LowAddress: 0x400000 LoadOffset: 0x0\nP: 3\nC: sum:dummy Command: x -a b\n"
        b"# Slice ending at 10\nT:1:10 \n# Slice ending at 25\nT:1:5 :2:10 \n"
        b"Dynamic instruction count 40\nSliceSize: 10\n"
        b"Block id: 1 0x401000:0x401007 static instructions: 3 block count: 10 block size: 9\n"
        b"Block id: 2 work:entry source.c:7 static-instructions: 4 block-count: 10\nEnd of bb\n"
    )
    profile = profiles.read([write(tmp_path, "v", text)])
    table, provenance = profile.block_table, profile.provenance
    assert table.function == ("0x401000", "work source.c:7")
    assert (table.instructions.tolist(), table.size.tolist()) == ([3, 4], [9, 0])
    assert (provenance.command, provenance.interval) == (("x", "-a", "b"), 10)
    assert provenance.details["instructions"] == 40 and provenance.details["missing_instructions"] == 15
