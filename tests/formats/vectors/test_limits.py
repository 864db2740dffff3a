"""Files made to fill memory or to take for ever: they are refused, or take no longer than others."""

from __future__ import annotations

import gzip
import resource
import subprocess
from pathlib import Path

import pytest
from tests.formats.vectors.test_scanner import CORE

from phasemark._core import FileProjector
from phasemark.errors import DataError
from phasemark.formats.vectors import profiles, runs, scanning
from phasemark.formats.vectors.scanning import project_bytes, scan_bytes

ROWS, EMPTY, NOTES, NOTE_BYTES = 2**24, 2**22, 2**22, 2**28
MANY_ROWS, MANY_EMPTY, MANY_NOTES = 11, 12, 13

#: What is odd, times the golden ratio's inverse: ids that a table of a known factor puts into one place.
FACTOR = 0x9E3779B97F4A7C15
SAME_PLACE = pow(FACTOR, -1, 2**64)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("limits") / "driver"
    names = ("vector_scanner.cpp", "vector_row.cpp", "block_table.cpp")
    sources = [Path(__file__).with_name("limits_driver.cpp"), *(CORE / "vectors" / name for name in names)]
    subprocess.run(["g++", "-std=c++20", "-O2", "-I", CORE, "-o", built, *sources], check=True)
    return built


def run(driver: Path, *arguments: object) -> str:
    done = subprocess.run([driver, *map(str, arguments)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("line", "most", "fault"),
    [
        ("T:1:1", ROWS, MANY_ROWS),
        ("T", EMPTY, MANY_EMPTY),
        ("#", NOTES, MANY_NOTES),
        ("#" + "x" * 1023, NOTE_BYTES // 1024, MANY_NOTES),
    ],
)
def test_of_lines_there_may_be_so_many_and_no_more(driver: Path, line: str, most: int, fault: int) -> None:
    assert run(driver, "rows", line, most) == "0 0"
    assert run(driver, "rows", line, most + 1) == f"{most + 1} {fault}"


def test_blank_lines_are_not_kept_and_not_counted(driver: Path) -> None:
    assert run(driver, "rows", " ", 2**26) == "0 0"


def test_the_error_says_the_limit() -> None:
    empty = [b"T\n" * 2**18] * 17
    for read in (lambda: scan_bytes(empty, "f"), lambda: project_bytes(empty, "f", 1, 1)):
        with pytest.raises(DataError, match=r"^f:4194305: there are more than 4,194,304 intervals without"):
            read()
    with pytest.raises(DataError, match=r"more than 4,194,304 lines that are no vectors, or 256 MiB"):
        scan_bytes([b"#\n" * 2**18] * 17, "f")
    assert f"{ROWS:,} intervals" in scanning._FAULTS[MANY_ROWS][0]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("extra", [0, 1])
def test_parts_count_together(tmp_path: Path, threads: int, extra: int) -> None:
    path = tmp_path / "v.bb"
    path.write_bytes(b"T:1:5\n" + b"T\n" * (EMPTY + extra))
    projector = FileProjector(1, 1)
    with path.open("rb") as file:
        good = projector.read(file.fileno(), path.stat().st_size, threads, 1 << 20)
    fault, line, _, _ = projector.error()
    assert (good, fault, line) == ((True, 0, 0) if not extra else (False, MANY_EMPTY, EMPTY + 2))


def test_little_of_gzip_is_not_unzipped_to_very_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "v.bb.gz"
    path.write_bytes(gzip.compress(b"T:1:5 :2:6 \n" * 100_000))
    assert len(profiles.read([path]).interval_table) == 100_000
    monkeypatch.setattr(scanning, "_UNZIPPED", 2**16)
    for read in (lambda: profiles.read([path]), lambda: runs.read_projected(path, 3, 1)):
        with pytest.raises(
            DataError, match=r"v\.bb\.gz: holds more than .* that is unzipped of vectors"
        ) as caught:
            read()
        assert "gunzip" in caught.value.hint
    monkeypatch.setattr(scanning, "_UNZIPPED_TIMES", 1032)  # deflate cannot pack more
    assert len(profiles.read([path]).interval_table) == 100_000
    plain = tmp_path / "v.bb"
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    assert len(profiles.read([plain]).interval_table) == 100_000


def test_addresses_of_a_block_are_kept_once() -> None:
    vectors = scan_bytes([b"T:0x1:0x2:7:5 :0x3:0x4:8:5\n" + b"T:0x9:0x9:7:5\n" * 1000], "f")
    assert vectors.places == {7: "0x1:0x2", 8: "0x3:0x4"}


# --- ids that fall into one place ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mask", "factor"),
    [
        (0, 1),
        (0, 2**63 + 1),
        (2**64 - 1, FACTOR),
        (12345, 2**64 - 1),
        (0, 2**32 + 1),
        (7, 0x123456789ABCDEF1),
    ],
)
def test_no_result_depends_on_how_ids_are_hashed(driver: Path, mask: int, factor: int) -> None:
    ids = [i * SAME_PLACE % 2**64 for i in range(1, 300)] + [2**64 - 1, 0, 5, 2**20 - 1, 2**20, 2**20 + 16]
    first = {block: at for at, block in reversed(list(enumerate(ids, 2)))}
    order = sorted(first)
    rank = {block: at for at, block in enumerate(order)}
    expected = [f"{block}:{first[block]}" for block in order] + [
        str(rank[block]) for block in dict.fromkeys(ids)
    ]
    assert run(driver, "blocks", mask, factor, *ids).split() == expected


@pytest.mark.parametrize("factor", [FACTOR, 1, 2**32 + 1, 0xBF58476D1CE4E5B9])
def test_ids_chosen_to_collide_take_no_longer_than_others(factor: int) -> None:
    """Half a million of them took an hour; the time is the processor's, and far from what they take."""
    inverse = pow(factor, -1, 2**64)
    ids = [i * inverse % 2**64 for i in range(2**20, 2**20 + 500_000)]
    line = b"T" + b" ".join(b":%d:1" % block for block in ids) + b"\n"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    vectors, projected = scan_bytes([line], "f"), project_bytes([line], "f", 1, 1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 60
    assert vectors.blocks.tolist() == projected.blocks.tolist() == sorted(ids)


def test_a_long_line_without_blanks_is_searched_once(tmp_path: Path) -> None:
    path = tmp_path / "v.bb"
    path.write_bytes(b"# Slice ending at 10\nT:1:10\nBlock id: 1 " + b"x" * 1_000_000 + b"\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    assert profiles.read([path]).instructions == 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 60
