"""What every dialect must do, the same for all."""

from __future__ import annotations

import gzip
import itertools
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.samples import SAMPLES

from phasemark.errors import DataError
from phasemark.formats.vectors import profiles, registry
from phasemark.formats.vectors.scanning import scan_bytes
from phasemark.model import Profile
from phasemark.store import profile_h5

NAMES = sorted(SAMPLES)
WRITTEN = [d.name for d in registry.DIALECTS if d.write]
dialects = pytest.mark.parametrize("name", NAMES)


def rows_of(profile: Profile) -> list[dict[int, int]]:
    vectors, ids = profile.vectors, profile.block_table.id.tolist()
    columns, counts = vectors.indices.tolist(), vectors.data.tolist()
    return [
        {ids[columns[i]]: counts[i] for i in range(first, last)}
        for first, last in itertools.pairwise(vectors.indptr.tolist())
    ]


def read(folder: Path, content: bytes, dialect: str | None = None) -> Profile:
    path = folder / "vectors"
    path.write_bytes(content)
    return profiles.read([path], dialect=dialect)


def same_rows(profile: Profile, name: str) -> bool:
    return rows_of(profile) == SAMPLES[name].rows and profile.provenance.details["dialect"] == name


def vector_lines(content: bytes) -> list[int]:
    """Numbers, from 0, of the lines with an entry."""
    return [i for i, line in enumerate(content.split(b"\n")) if re.match(rb"T ?:", line)]


def test_every_dialect_has_a_sample() -> None:
    assert sorted(d.name for d in registry.DIALECTS) == NAMES


#: Dialect -> the tool that a profile names, what its blocks are, and whether it drops the last interval.
RECORDED = {
    "nemu": ("nemu", "instructions up to a control instruction, by first and last address (gem5)", True),
    "pinpoints": ("pinpoints", "basic block of Pin, by first and last address", False),
    "exp-bbv": ("exp-bbv", "superblock of Valgrind, by entry address", True),
    "qpoints": ("qpoints", "translation block of QEMU", True),
    "qemu": ("qemu-bbv", "translation block of QEMU", True),
    "gem5": ("gem5", "instructions up to a control instruction, by first and last address (gem5)", True),
    "drpoints": ("drpoints", "dynamic basic block of DynamoRIO, tails duplicated", True),
    "simpoint": ("simpoint", "", False),
}


def test_profiles_of_one_definition_alone_are_mixed_so_it_does_not_change() -> None:
    assert {d.name: (d.tool, d.block_definition, d.drops_tail) for d in registry.DIALECTS} == RECORDED
    assert [d.name for d in registry.DIALECTS] == list(RECORDED)  # the order in which they are tried


@dialects
def test_it_recognises_its_own_sample_and_no_other(name: str) -> None:
    assert registry.recognise(scan_bytes([SAMPLES[name].content], "f")).name == name


@dialects
def test_every_interval_is_read(tmp_path, name: str) -> None:
    profile = read(tmp_path, SAMPLES[name].content)
    assert same_rows(profile, name)
    assert profile.interval_table.length.tolist() == [sum(row.values()) for row in SAMPLES[name].rows]
    profile_h5.write(tmp_path / "profile.h5", profile)
    assert rows_of(profile_h5.read(tmp_path / "profile.h5")) == SAMPLES[name].rows


@dialects
def test_gzip_is_read_alike_whatever_the_name(tmp_path, name: str) -> None:
    assert same_rows(read(tmp_path, gzip.compress(SAMPLES[name].content)), name)


@dialects
def test_gzip_of_several_members_is_read_whole(tmp_path, name: str) -> None:
    content = SAMPLES[name].content
    half = len(content) // 2
    assert same_rows(read(tmp_path, gzip.compress(content[:half]) + gzip.compress(content[half:])), name)


@dialects
def test_a_missing_line_end_loses_nothing(tmp_path, name: str) -> None:
    lines = SAMPLES[name].content.split(b"\n")
    cut = b"\n".join(lines[: vector_lines(SAMPLES[name].content)[-1] + 1])
    assert rows_of(read(tmp_path, cut)) == SAMPLES[name].rows


@dialects
def test_carriage_returns_change_nothing(tmp_path, name: str) -> None:
    assert same_rows(read(tmp_path, SAMPLES[name].content.replace(b"\n", b"\r\n")), name)


@dialects
def test_blank_lines_and_comments_change_nothing(tmp_path, name: str) -> None:
    spaced = SAMPLES[name].content.replace(b"\n", b"\n\n  \n# a comment\n")
    assert same_rows(read(tmp_path, b"# first\n" + spaced), name)


@dialects
def test_an_empty_vector_is_an_interval_of_length_0(tmp_path, name: str) -> None:
    lines = SAMPLES[name].content.split(b"\n")
    at = vector_lines(SAMPLES[name].content)[1]
    profile = read(tmp_path, b"\n".join([*lines[:at], b"T", *lines[at:]]))
    before = len([line for line in lines[:at] if line.startswith(b"T")])
    assert rows_of(profile) == [*SAMPLES[name].rows[:before], {}, *SAMPLES[name].rows[before:]]
    assert profile.interval_table.length[before] == 0
    assert any("empty" in warning for warning in profile.provenance.warnings)
    assert profile.provenance.details["dialect"] == name


@dialects
@pytest.mark.parametrize(
    "bad",
    [b"T:1", b"T:a:1", b"T:1:-4", b"T1:1", b"T 1:1", b"T:1:2:3", b"T:1:2 x", b"T:1:1e6", b"hello", b"T:1:2\0",
     b"T:18446744073709551616:1", b"T:1:9223372036854775808"],
)  # fmt: skip
def test_a_malformed_line_is_an_error_with_its_number(tmp_path, name: str, bad: bytes) -> None:
    lines = SAMPLES[name].content.split(b"\n")
    at = vector_lines(SAMPLES[name].content)[1]
    content = b"\n".join([*lines[:at], bad, *lines[at:]])
    for packed in (content, gzip.compress(content)):
        with pytest.raises(DataError) as caught:
            read(tmp_path, packed)
        assert caught.value.line == at + 1
        assert caught.value.path == tmp_path / "vectors"
        assert caught.value.hint


@dialects
def test_a_gzip_cut_short_is_an_error_with_the_line_reached(tmp_path, name: str) -> None:
    whole = gzip.compress(SAMPLES[name].content)
    for cut in (len(whole) - 4, len(whole) // 2, 20):
        with pytest.raises(DataError, match="cut short") as caught:
            read(tmp_path, whole[:cut])
        assert caught.value.line is not None


@dialects
def test_huge_ids_and_counts_pass(tmp_path, name: str) -> None:
    entry = b":0x1:0x2:%d:%d" if name == "nemu" else b":%d:%d"
    blank = b" " if name == "qpoints" else b""
    more = b"T" + blank + entry % (2**64 - 1, 2**62) + b"\n"
    profile = read(tmp_path, more + SAMPLES[name].content, dialect=name)
    assert rows_of(profile) == [{2**64 - 1: 2**62}, *SAMPLES[name].rows]


@dialects
def test_repeated_ids_are_summed_and_said(tmp_path, name: str) -> None:
    lines = SAMPLES[name].content.split(b"\n")
    at = vector_lines(SAMPLES[name].content)[0]
    more = b":0x1:0x2:5:3" if name == "nemu" else b":5:3"
    lines[at] = lines[at].rstrip() + b" " + more + b" " + more
    profile = read(tmp_path, b"\n".join(lines), dialect=name)
    first = next(i for i, row in enumerate(SAMPLES[name].rows) if row)
    assert rows_of(profile)[first][5] == SAMPLES[name].rows[first].get(5, 0) + 6
    assert any("summed" in warning for warning in profile.provenance.warnings)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("file", ["v.bb", "v.bb.gz"])
@pytest.mark.parametrize("source", NAMES)
def test_what_is_written_is_read_again(tmp_path, name: str, file: str, source: str) -> None:
    profile = read(tmp_path, SAMPLES[source].content)
    write = registry.named(name).write
    assert write is not None
    written = [path for path in write(profile, tmp_path / file) if "pc" not in path.name]
    again = profiles.read(written, dialect=None if source == name else name)
    numbers = dict(zip(profile.block_table.id.tolist(), again.block_table.id.tolist(), strict=True))
    assert rows_of(again) == [{numbers[i]: n for i, n in row.items()} for row in rows_of(profile)]
    assert again.provenance.details["dialect"] == name
    assert (tmp_path / file).read_bytes().startswith(b"\x1f\x8b" if file.endswith("gz") else b"T")
    first = (tmp_path / file).read_bytes()
    write(profile, tmp_path / file)
    assert (tmp_path / file).read_bytes() == first


def must_be_a_profile_or_a_data_error(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            profile = read(Path(folder), content)
        except DataError as error:
            assert error.hint
        else:
            assert profile.instructions > 0


@settings(deadline=None, max_examples=100)
@given(
    name=st.sampled_from(NAMES),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.binary(max_size=3), st.integers(0, 9)), min_size=1, max_size=4
    ),
    packed=st.booleans(),
)
def test_bent_files_are_profiles_or_data_errors(name: str, edits, packed: bool) -> None:
    content = SAMPLES[name].content
    if packed:
        content = gzip.compress(content, mtime=0)
    for where, put, drop in edits:
        at = int(where * len(content))
        content = content[:at] + put + content[at + drop :]
    must_be_a_profile_or_a_data_error(content)


@settings(deadline=None, max_examples=100)
@given(content=st.binary(max_size=300))
def test_random_bytes_are_a_profile_or_a_data_error(content: bytes) -> None:
    must_be_a_profile_or_a_data_error(content)
