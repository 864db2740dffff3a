"""Vectors projected while they are read equal those read first and projected then, to the last bit."""

from __future__ import annotations

import functools
import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.vectors.vector_strategies import content, cuts
from tests.reference import projection as twin
from tests.reference.vectors import Malformed, tokenize

from phasemark import signatures
from phasemark._core import FileProjector
from phasemark.errors import DataError
from phasemark.formats.vectors import profiles, runs
from phasemark.formats.vectors.scanning import (
    ProjectedVectors,
    Vectors,
    project_bytes,
    scan_bytes,
    scan_projected,
)

DATA = Path(__file__).parents[2] / "data"
SEED, DIMS = 3, 5


def projected(stream: list[bytes]) -> ProjectedVectors:
    return project_bytes(stream, "f", DIMS, SEED)


def pieces(text: bytes, cut: int) -> list[bytes]:
    return [text[i : i + cut] for i in range(0, len(text), cut)]


@settings(deadline=None, max_examples=250)
@given(text=content, cut=cuts)
def test_each_row_equals_the_twin(text: bytes, cut: int) -> None:
    try:
        rows, _, _ = tokenize(text)
    except Malformed as malformed:
        with pytest.raises(DataError) as caught:
            projected(pieces(text, cut))
        assert caught.value.line == malformed.line
        return
    found = projected(pieces(text, cut))
    assert found.matrix.tolist() == [twin.project(row, SEED, DIMS) for row in rows]
    assert found.lengths.tolist() == [sum(row.values()) for row in rows]
    assert found.sizes.tolist() == [len(row) for row in rows]
    named = sorted({block for row in rows for block in row})
    assert found.blocks.tolist() == named
    assert found.first.tolist() == [next(i for i, row in enumerate(rows) if b in row) for b in named]


def outline(vectors: Vectors | ProjectedVectors) -> tuple[object, ...]:
    arrays = (vectors.lengths, vectors.sizes, vectors.blocks, vectors.first)
    return (*(a.tolist() for a in arrays), vectors.notes, vectors.layout)


@settings(deadline=None, max_examples=250)
@given(text=content, cut=cuts)
def test_both_readers_say_the_same_of_a_file(text: bytes, cut: int) -> None:
    try:
        expected = scan_bytes(pieces(text, cut), "f")
    except DataError as error:
        with pytest.raises(DataError) as caught:
            projected(pieces(text, cut))
        assert str(caught.value) == str(error)
        return
    assert outline(projected(pieces(text, cut))) == outline(expected)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts") / "f.bb"


@settings(deadline=None, max_examples=250)
@given(text=content, part=st.integers(1, 60), threads=st.integers(1, 3))
def test_parts_and_threads_change_nothing(file: Path, text: bytes, part: int, threads: int) -> None:
    file.write_bytes(text)
    found = FileProjector(SEED, DIMS)
    with file.open("rb") as opened:
        good = found.read(opened.fileno(), len(text), threads, part)
    try:
        expected = projected([text])
    except DataError as error:
        fault, line, column, _ = found.error()
        assert not good and fault
        assert f"f:{line}: " in str(error) and f"(column {column}: " in str(error)
        return
    matrix, lengths, sizes, blocks, first = found.rows()
    assert good and matrix.tobytes() == expected.matrix.tobytes()
    notes = [(number, line.decode("utf-8", "replace")) for number, line in found.notes()]
    assert notes == [(note.line, note.text) for note in expected.notes]
    assert (lengths.tolist(), sizes.tolist()) == (expected.lengths.tolist(), expected.sizes.tolist())
    assert (blocks.tolist(), first.tolist()) == (expected.blocks.tolist(), expected.first.tolist())
    assert found.layout() == vars(expected.layout)


@functools.cache
def two_parts() -> bytes:
    """Long enough to be read in two parts."""
    text = program(list(range(1, 2000)), 300)
    return text * (6_000_000 // len(text))


def program(ids: list[int], intervals: int, separator: str = " ") -> bytes:
    random = np.random.default_rng(0)
    rows = []
    for _ in range(intervals):
        named = np.sort(random.choice(len(ids), min(len(ids), 40), replace=False))
        counts = random.integers(1, 10 ** random.integers(1, 9), len(named))
        rows.append("T" + separator.join(f":{ids[i]}:{n}" for i, n in zip(named, counts, strict=True)))
    return ("\n".join(rows) + "\n").encode()


@pytest.mark.parametrize("ids", [range(1, 3001), [2**63 - 7919 * i for i in range(3000, 0, -1)]])
@pytest.mark.parametrize("separator", [" ", "   "])
def test_small_and_large_ids_equal_the_profile_path(tmp_path: Path, ids, separator) -> None:
    path = tmp_path / "v.bb"
    path.write_bytes(program(list(ids), 500, separator))
    expected = signatures.project(profiles.read([path]), 15, 9)
    found = runs.read_projected(path, 15, 9)
    assert found.matrix.tobytes() == expected.matrix.tobytes()


def shuffled(text: bytes) -> bytes:
    lines = [line[1:].split() for line in text.splitlines()]
    return b"\n".join(b"T" + b" ".join(line[::-1] + line[:3]) for line in lines)


@pytest.mark.parametrize("seed", [1, -1, 2**64 + 5])
def test_unsorted_and_repeated_ids_equal_the_profile_path(tmp_path: Path, seed) -> None:
    path = tmp_path / "v.bb"
    path.write_bytes(shuffled(program(list(range(1, 400)), 100)))
    expected = profiles.read([path])
    found = runs.read_projected(path, 15, seed)
    assert found.matrix.tobytes() == signatures.project(expected, 15, seed).matrix.tobytes()
    assert any("repeat an id" in warning for warning in found.warnings)
    assert found.warnings == expected.provenance.warnings


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in ("edge-cases", "exp-bbv", "gem5-bootcamp")
        for path in sorted((DATA / folder).iterdir())
        if path.name.endswith((".bb", ".bb.gz")) or ".bb." in path.name or path.name.startswith("bb.out")
    ],
    ids=lambda path: path.name,
)
def test_files_of_real_tools_equal_the_profile_path(path: Path) -> None:
    try:
        expected = profiles.read([path])
    except DataError as error:
        with pytest.raises(DataError) as caught:
            runs.read_projected(path, 15, 1)
        assert str(caught.value) == str(error)
        return
    found = runs.read_projected(path, 15, 1)
    assert found.matrix.tobytes() == signatures.project(expected, 15, 1).matrix.tobytes()
    assert (found.warnings, found.interval) == (expected.provenance.warnings, expected.provenance.interval)
    assert found.lengths.tolist() == expected.interval_table.length.tolist()
    assert found.largest == int(expected.block_table.id.max())


def test_gzip_is_streamed_and_a_cut_stream_is_told(tmp_path: Path) -> None:
    text = program(list(range(1, 500)), 2000)
    plain, packed, cut = (tmp_path / name for name in ("v.bb", "v.gz", "cut.gz"))
    plain.write_bytes(text)
    packed.write_bytes(gzip.compress(text))
    cut.write_bytes(gzip.compress(text)[:-2000])
    expected = scan_projected(plain, 15, 1)
    found = scan_projected(packed, 15, 1)
    assert found.matrix.tobytes() == expected.matrix.tobytes() and outline(found) == outline(expected)
    with pytest.raises(DataError, match=r"cut.gz:\d+: the gzip stream is cut short"):
        scan_projected(cut, 15, 1)


@pytest.mark.parametrize("line", ["T:1:2 :a:3", "T:1:-2", "T:1:2:3:4", "T:1:9223372036854775808"])
def test_a_malformed_line_far_down_is_named(tmp_path: Path, line) -> None:
    path = tmp_path / "v.bb"
    path.write_bytes(two_parts() + line.encode() + b"\n" + program([1], 3))
    with pytest.raises(DataError) as caught:
        profiles.read([path])
    with pytest.raises(DataError) as again:
        runs.read_projected(path, 15, 1)
    assert again.value.line == two_parts().count(b"\n") + 1 and str(again.value) == str(caught.value)


def test_files_of_8_mib_are_worth_keeping() -> None:
    assert runs.WORTH_KEEPING == 8 * 2**20
