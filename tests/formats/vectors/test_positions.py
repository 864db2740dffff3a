"""Where intervals start: as the file says, at i x N, or one after the other; and what is said of the gaps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.formats.samples import DATA, SAMPLES

from phasemark.errors import DataError
from phasemark.formats.vectors import lengths, profiles, runs
from phasemark.model import Profile

FAULTS = DATA / "reader-faults"


def read(folder: Path, text: str, **options: int) -> Profile:
    path = folder / "v.bb"
    path.write_text(text)
    return profiles.read([path], **options)  # type: ignore[arg-type]


def places(profile: Profile) -> list[tuple[int, int]]:
    """Start and end of each interval."""
    table = profile.interval_table
    return list(zip(table.start.tolist(), (table.start + table.length).tolist(), strict=True))


def said(profile: Profile) -> str:
    return "\n".join(profile.provenance.warnings)


def slices(*marks: str, before: str = "C: sum:dummy Command:x \n", after: str = "End of bb\n") -> str:
    """A file of PinPoints: `1004` is a slice's comment, `T:...` a vector."""
    lines = (mark if mark.startswith("T") else f"# Slice ending at {mark}" for mark in marks)
    return before + "".join(f"{line}\n" for line in lines) + after


def test_a_first_slice_without_a_vector_does_not_move_the_others() -> None:
    profile = profiles.read([FAULTS / "pin-first-slice-dropped" / "nofirst.bb"])
    assert places(profile) == [(1004, 2004), (2004, 3004)]
    assert "1,004 of 3,004 instructions (33.42%) are in no vector" in said(profile)
    assert "1,004 instructions lie before the first interval or between intervals" in said(profile)


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (["10", "T:1:10", "20", "T:1:10"], [(0, 10), (10, 20)]),
        (["10", "T:1:10", "20", "T:1:7"], [(0, 10), (10, 17)]),  # less was counted than ran
        (["10", "T:1:4", "20", "T:1:7"], [(6, 10), (10, 17)]),  # slices before were not written
        (["10", "20", "T:1:10"], [(10, 20)]),  # the first has no vector
        (["10", "20", "T:1:3", "30", "T:1:10"], [(10, 13), (20, 30)]),
        (["10", "T:1:10", "20", "T:1:10", "30"], [(0, 10), (10, 20)]),  # the last was cut off
        (["10", "20", "30", "T:1:10"], [(0, 10)]),  # two have none: it is not known which
        (["10", "T:1:10", "15", "T:1:10"], [(0, 10), (10, 20)]),  # more than ran
        (["10", "T:1:10", "5", "T:1:5"], [(0, 10), (10, 15)]),
        (["global 10", "T:1:9", "global 20", "T:1:10"], [(1, 10), (10, 20)]),
        (["10 global 30", "T:1:9", "20 global 90", "T:1:10"], [(1, 10), (10, 20)]),
        (["kernel f count 3", "T:1:9", "kernel f count 4", "T:1:10"], [(0, 9), (9, 19)]),
        (["10", "T", "20", "T:1:10"], [(10, 10), (10, 20)]),
    ],
)
def test_slices_are_where_the_file_says(tmp_path, marks: list[str], expected: list[tuple[int, int]]) -> None:
    profile = read(tmp_path, slices(*marks))
    assert places(profile) == expected
    gap = expected[-1][1] - sum(end - start for start, end in expected)
    assert (f"{gap:,} instructions lie before the first interval" in said(profile)) == (gap > 0)
    unplaced = marks in (
        ["10", "20", "30", "T:1:10"],
        ["10", "T:1:10", "15", "T:1:10"],
        ["10", "T:1:10", "5", "T:1:5"],
    )
    assert ("where its slices end does not fit their vectors" in said(profile)) == unplaced


def test_lines_between_slices_are_no_vectors(tmp_path) -> None:
    text = slices("10", "M: 0x401020 12", "20", "T:1:10").replace("# Slice ending at M", "M")
    assert places(read(tmp_path, text)) == [(10, 20)]
    assert places(read(tmp_path, slices("10", "\n\nT:1:10", "20"))) == [(0, 10)]


@pytest.mark.parametrize(
    "line",
    [
        "G: /bin/x LowAddress: 0x400000 LoadOffset: 0", "I: 0", "P: 0", "B: 1 main:.text demo.c",
        "M: SYS_init 1",
        "S: 0x401020 25 /opt/app 0x400000 + 0x1020 # main.c:12", "GM: 0x401020 1 no_image 0",
        "GS: 0x401020 25 /opt/app 0x400000 + 0x1020 # Unknown:0", "#Start SSC marker 0x1 count 0",
        "Dynamic unfiltered instruction count 20", "SliceSize: 10", "# Filter knobs: ",
    ],
)  # fmt: skip
def test_what_pin_and_looppoint_write_around_vectors_is_known(tmp_path, line: str) -> None:
    for text in (f"{line}\n{slices('10', 'T:1:10')}", slices("10", "T:1:10", after=f"{line}\n")):
        profile = read(tmp_path, text)
        assert profile.instructions == 10 and profile.provenance.details["dialect"] == "pinpoints"
        (tmp_path / "v.bb").write_text(text)
        assert runs.read_projected(tmp_path / "v.bb", 3, 1).lengths.tolist() == [10]


def test_pins_header_is_read() -> None:
    profile = profiles.read([FAULTS / "pin-check-header" / "pin.bb"])
    assert places(profile) == [(0, 1004), (1004, 2004)]
    assert profile.provenance.command == ("/bin/true",)
    assert profile.provenance.interval == 1000
    assert profile.blocks["function"].tolist() == ["0x401000", ""]


def test_looppoints_file_of_all_threads() -> None:
    profile = profiles.read([FAULTS / "looppoint-trailer" / "demo.global.bb"])
    assert places(profile) == [(0, 1004), (1004, 2004), (2004, 3000)]
    assert profile.provenance.interval == 1000
    assert profile.provenance.details["missing_instructions"] == 0
    assert said(profile) == (
        "1,400 of 4,400 instructions (31.82%) were filtered out: they are in no vector, and positions do not "
        "count them"
    )


def test_looppoints_files_of_each_thread() -> None:
    profile = profiles.read([FAULTS / "looppoint-trailer" / f"demo.T.{i}.bb" for i in (0, 1)])
    assert places(profile) == [(0, 500), (500, 1000), (0, 504), (504, 1004)]
    assert set(profile.intervals["kind"]) == {"fixed"}  # all together reach the slice's size
    assert "demo.T.0.bb: 400 of 1,400 instructions (28.57%) were filtered out" in said(profile)
    assert "demo.T.1.bb: 496 of 1,500 instructions (33.07%) were filtered out" in said(profile)


def test_a_run_cut_short_says_what_was_filtered_so_far(tmp_path) -> None:
    text = slices("10 global 20", "T:1:10").replace("T:", "# Unfiltered count 25 global 70\nT:")
    assert "15 of 25 instructions (60.00%) were filtered out" in said(read(tmp_path, text))


# --- a tool that leaves out the block in progress ------------------------------------------------------


def just_below(n: int, surpluses: list[int], last: int | None = None) -> list[int]:
    return [n - short for short in surpluses] + ([] if last is None else [last])


def vectors(rows: list[int]) -> str:
    return "".join(f"T:1:{length} \n" if length else "T\n" for length in rows)


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        (just_below(100_000, [5, 3, 9]), 100_000),
        (just_below(100_000, [5, 3, 9], last=17_000), 100_000),
        (just_below(100_000, [0, 3, 0]), 100_000),
        (just_below(100_000, [100, 1_000, 100]), 100_000),
        (just_below(100_000, [950, 400, 10, 3]), 100_000),  # 99,000 is less round
        (just_below(100_000, [101, 1_000, 101]), 99_000),  # what all are longer than
        (just_below(100_000, [5, 1_001, 5]), 99_663),  # farther below than a block is long: the mean
        (just_below(100_000, [6, 6, 6]), 99_994),  # alike: nothing was left out
        (just_below(100_000, [5, -1, 9]), 99_996),  # one is longer
        (just_below(12_300_000, [5, 3, 9]), 12_299_994),  # nobody asks for that
        (just_below(10_000, [5, 900, 9]), 10_000),
        (just_below(2_000, [5, 3, 199]), 2_000),
        (just_below(2_000, [5, 3, 201]), 1_930),
    ],
)
def test_lengths_always_just_below_a_round_number_mean_it(tmp_path, rows: list[int], asked: int) -> None:
    profile = read(tmp_path, vectors([*rows, rows[-1]] if rows[-1] != 17_000 else rows))
    assert profile.provenance.interval == asked
    steps = np.diff(profile.interval_table.start)
    assert (set(steps.tolist()) == {asked}) == (
        (asked % 1000 == 0 and asked != 99_000) or len(set(rows)) == 1
    )


def test_intervals_then_start_at_their_number_times_the_length(tmp_path) -> None:
    profile = profiles.read([FAULTS / "just-below-round" / "vectors.bb"])
    assert profile.provenance.interval == 100_000
    assert profile.interval_table.start.tolist() == [100_000 * i for i in range(60)]
    assert set(profile.intervals["kind"]) == {"fixed"}
    assert profile.instructions == 5_999_660
    assert "interval i starts at i x 100,000, and 331 instructions lie between intervals" in said(profile)
    held = runs.read_projected(FAULTS / "just-below-round" / "vectors.bb", 3, 1)
    assert held.interval == 100_000 and list(held.warnings) == list(profile.provenance.warnings)
    tail = read(tmp_path, vectors(just_below(100_000, [5, 3, 9], last=17_000)))
    assert places(tail)[-1] == (300_000, 317_000)
    assert tail.intervals["kind"].tolist() == ["fixed"] * 3 + ["tail"]
    assert "17 instructions lie between" in said(tail)


@pytest.mark.parametrize(
    ("rows", "interval", "leaves_out"),
    [
        ([999, 999], 1_000, True),
        ([1_000, 999, 1_000], 1_000, True),
        ([1_000, 1_000], 1_000, False),
        ([1_001, 999, 999], 1_000, False),  # the surplus is carried over
        ([999, 999, 1_001], 1_000, False),
        ([900, 999, 5], 1_000, True),
        ([899, 999, 5], 1_000, False),
        ([999, 0, 999, 999], 1_000, False),
        ([999], 1_000, True),
        ([], 1_000, False),
    ],
)
def test_whether_the_block_in_progress_is_left_out(rows: list[int], interval: int, leaves_out: bool) -> None:
    assert lengths.leaves_out_a_block(np.array(rows, np.int64), interval) == leaves_out


def test_the_length_that_was_asked_for_places_them_too(tmp_path) -> None:
    profile = read(tmp_path, vectors([99_994, 99_994, 99_994]), interval=100_000)
    assert places(profile) == [(0, 99_994), (100_000, 199_994), (200_000, 299_994)]
    assert profile.interval_table.gaps().tolist() == [0, 6, 6]


# --- threads without an interval -----------------------------------------------------------------------


def test_a_thread_without_an_interval_does_not_fail_the_others() -> None:
    files = [FAULTS / "exp-bbv-short-thread" / f"bb.out.77{more}" for more in ("", ".2", ".3")]
    profile = profiles.read(files)
    assert profile.intervals["thread"].tolist() == [0] * 8 + [1] * 5
    assert profile.provenance.details["missing_instructions"] == 760
    assert "760 of 13,760 instructions (5.52%) are in no vector" in said(profile)
    assert "bb.out.77.3: holds no interval: 450 instructions ran, less than one interval" in said(profile)
    with pytest.raises(DataError, match="450 instructions ran") as caught:
        profiles.read([files[2]])
    assert caught.value.hint == (
        "so few have no phases worth finding: name the files of the run's other threads too"
    )


@pytest.mark.parametrize(
    ("ran", "hint"), [(20_000, "of 1,000: that gives about 20"), (5_000_000, "of 5,000: ")]
)
def test_a_thread_shorter_than_an_interval_is_to_be_recorded_with_sensible_ones(tmp_path, ran, hint) -> None:
    path = tmp_path / "bb.out.1"
    path.write_text(
        f"\n\n# Thread 1\n#   Total intervals: 0 (Interval Size 9)\n#   Total instructions: {ran}\n"
    )
    with pytest.raises(DataError) as caught:
        profiles.read([path])
    assert f"record with intervals {hint}" in caught.value.hint


@pytest.mark.parametrize("name", sorted(SAMPLES))
@pytest.mark.parametrize("idle", [b"", b"\n\n", b"T\nT\n", b"# nothing\n"])
def test_an_idle_member_of_a_set_of_any_dialect_is_said_and_keeps_its_number(tmp_path, name, idle) -> None:
    files = [tmp_path / f"app.{i}.bb" for i in range(3)]
    for file, content in zip(files, (SAMPLES[name].content, idle, SAMPLES[name].content), strict=True):
        file.write_bytes(
            content.replace(b"P: 0", b"P: %d" % (file is files[2])).replace(b"# Thread 1\n", b"")
        )
    for as_runs in (False, True):
        profile = profiles.read(files, as_runs=as_runs, same_ids=True)
        number = profile.interval_table.run if as_runs else profile.interval_table.thread
        rows = [int((number == i).sum()) for i in range(3)]
        assert rows == [len(SAMPLES[name].rows), idle.count(b"T"), len(SAMPLES[name].rows)]
        assert profile.instructions == 2 * profiles.read([files[0]]).instructions
        what = "empty intervals" if idle.count(b"T") else "holds no interval"
        assert f"app.1.bb: {what}" in said(profile)
        assert profile.provenance.details["dialect"] == name
    files[0].write_bytes(idle)
    files[2].write_bytes(idle)
    with pytest.raises(DataError):
        profiles.read(files)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("pinpoints", "P: {}"),
        ("pinpoints", "SliceSize: {}"),
        ("pinpoints", "Dynamic instruction count {}"),
        ("pinpoints", "Dynamic unfiltered instruction count {}"),
        ("pinpoints", "# Unfiltered count {}"),
        ("pinpoints", "# Slice ending at {}"),
        ("pinpoints", "Block id: 1 0x1:0x2 static instructions: {} block count: 1 block size: 9"),
        ("pinpoints", "Block id: 1 0x1:0x2 static instructions: 3 block count: 1 block size: {}"),
        ("exp-bbv", "# Thread {}"),
        ("exp-bbv", "#   Total instructions: {}"),
        ("exp-bbv", "#   Total intervals: 1 (Interval Size {})"),
    ],
)
@pytest.mark.parametrize(
    ("digits", "good"),
    [
        (str(2**63 - 1), True),
        (str(2**63), False),
        (str(2**64), False),
        ("9" * 5000, False),
        ("0" * 5000, True),
    ],
    ids=["2^63-1", "2^63", "2^64", "long", "zeros"],
)
def test_a_number_of_2_to_63_or_more_is_refused_with_its_line(tmp_path, name, line, digits, good) -> None:
    path = tmp_path / "v"
    path.write_text("T:1:10   :2:3   \n" if name == "exp-bbv" else "T:1:10 \nI: 0\n")
    with path.open("a") as file:
        file.write(line.format(digits) + "\n")
    if good:
        assert profiles.read([path]).provenance.details["dialect"] == name
    else:
        with pytest.raises(DataError, match=r"says a number of 2\^63 or more: [0-9]{19,24}\n") as caught:
            profiles.read([path])
        assert caught.value.line == (2 if name == "exp-bbv" else 3) and caught.value.path == path
