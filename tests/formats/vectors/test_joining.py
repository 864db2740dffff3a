"""Runs whose ids may mean other blocks are not joined."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import commands
from tests.formats.samples import SAMPLES

from phasemark.errors import DataError, UsageError
from phasemark.formats.vectors import profiles

#: Dialects whose files say where their blocks are.
PLACED = {"nemu", "pinpoints"}


def two(tmp_path: Path, one: bytes, other: bytes) -> list[Path]:
    files = [tmp_path / "a.bb", tmp_path / "b.bb"]
    for file, content in zip(files, (one, other), strict=True):
        file.write_bytes(content)
    return files


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_dialect_refuses_what_it_cannot_know(tmp_path: Path, name: str) -> None:
    content = SAMPLES[name].content
    files = two(tmp_path, content, content)
    if name in PLACED:
        profile = profiles.read(files, as_runs=True)
    else:
        message = (
            r"nothing says whether block [0-9]+ of a\.bb is block [0-9]+ of the other runs: .*'s blocks "
        )
        with pytest.raises(UsageError, match=message + r".*\n  hint: .*--same-ids \(same_ids=True\)"):
            profiles.read(files, as_runs=True)
        profile = profiles.read(files, as_runs=True, same_ids=True)
    assert profile.interval_table.run.max() == 1 and (profile.vectors.row_sums() >= 0).all()
    assert len(profiles.read(files[:1], as_runs=True).interval_table) == len(SAMPLES[name].rows)


def test_a_gem5_run_of_another_input_gives_ids_another_meaning(tmp_path: Path) -> None:
    """The same three blocks, come to in another order: what is block 2 here is block 3 there."""
    files = two(tmp_path, b"T:1:10 :2:90 \nT:3:100 \n", b"T:1:10 :2:100 \nT:3:90 \n")
    with pytest.raises(
        UsageError, match=r"block 1 of a.* numbered in the order in which a run comes to them"
    ):
        profiles.read(files, as_runs=True, dialect="gem5")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            b"T:0x10:0x1f:1:60 :0x30:0x3f:2:40 \n",
            "block 2 is at 0x20:0x2f in one run, and at 0x30:0x3f in an",
        ),
        (b"T:0x10:0x1f:1:60 :0x20:0x2f:9:40 \n", "the code at 0x20:0x2f is block 2 in one run, and block 9"),
    ],
)
def test_places_that_differ_are_refused(tmp_path: Path, other: bytes, said: str) -> None:
    files = two(tmp_path, b"T:0x10:0x1f:1:50 :0x20:0x2f:2:50 \n", other)
    with pytest.raises(DataError, match=f"{said}.*\n  hint: import the runs one by one"):
        profiles.read(files, as_runs=True)
    assert len(profiles.read(files, as_runs=True, same_ids=True).block_table) in (2, 3)


def test_blocks_that_one_run_alone_came_to_are_no_contradiction(tmp_path: Path) -> None:
    files = two(tmp_path, b"T:0x10:0x1f:1:50 :0x20:0x2f:2:50 \n", b"T:0x10:0x1f:1:50 :0x30:0x3f:3:50 \n")
    profile = profiles.read(files, as_runs=True)
    assert profile.block_table.id.tolist() == [1, 2, 3]
    assert profile.counts.toarray().tolist() == [[50, 50, 0], [50, 0, 50]]
    assert "blocks of the runs are matched by their ids" in profile.provenance.warnings


def test_exp_bbv_is_joined_by_the_pc_out_of_each_run(tmp_path: Path) -> None:
    bb = b"T:1:60   :2:40   \n# Thread 1\n#   Total intervals: 1 (Interval Size 100)\n"
    bb += b"#   Total instructions: 100\n"
    files = two(tmp_path, bb, bb)
    pc = [tmp_path / "pc.a", tmp_path / "pc.b"]
    pc[0].write_bytes(b"F:1:400100:main\nF:2:400200:copy\n")
    pc[1].write_bytes(b"F:1:400100:main\nF:2:400200:copy\nF:3:400300:sort\n")
    profile = profiles.read([*files, *pc], as_runs=True)
    assert profile.block_table.function == ("main", "copy")
    with pytest.raises(UsageError, match=r"2 runs and 1 pc\.out: .*\n  hint: name the pc\.out of each run"):
        profiles.read([*files, pc[0]], as_runs=True)
    with pytest.raises(UsageError, match=r"two pc\.out files are named"):
        profiles.read([files[0], *pc])
    # The same function, and another block of it.
    pc[1].write_bytes(b"F:1:400100:main\nF:2:400240:copy\n")
    with pytest.raises(DataError, match="block 2 is at 0x400200 in one run, and at 0x400240 in another"):
        profiles.read([*files, *pc], as_runs=True)
    pc[1].write_bytes(b"F:1:400100:main\n")
    assert profiles.read([*files, *pc], as_runs=True).block_table.function == ("main", "copy")


def test_on_the_command_line(tmp_path: Path) -> None:
    files = two(tmp_path, SAMPLES["gem5"].content, SAMPLES["gem5"].content)
    out = tmp_path / "out"
    for arguments, status, said in (
        (("--as-runs",), 2, "gem5's blocks are numbered in the order in which a run comes to them"),
        (("--same-ids",), 2, "add as_runs (--as-runs)"),
        (("--as-runs", "--same-ids"), 0, ""),
    ):
        done = commands.run("import", *files, "-o", out, *arguments)
        assert (done.returncode, said in done.stderr) == (status, True), done.stderr
        assert out.exists() is (status == 0)
