"""The compiled tokenizer equals the slow one, however the stream is cut."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.vectors.vector_strategies import content, cuts
from tests.reference.vectors import Malformed, tokenize

from phasemark.errors import DataError
from phasemark.formats.vectors.scanning import Vectors, scan_bytes


def as_dicts(vectors: Vectors) -> list[dict[int, int]]:
    blocks, columns, counts = vectors.blocks.tolist(), vectors.indices.tolist(), vectors.counts.tolist()
    bounds = vectors.indptr.tolist()
    return [
        {blocks[columns[i]]: counts[i] for i in range(first, last)}
        for first, last in itertools.pairwise(bounds)
    ]


@settings(deadline=None, max_examples=250)
@given(content=content, cut=cuts)
def test_the_kernel_equals_the_slow_tokenizer(content: bytes, cut: int) -> None:
    stream = [content[i : i + cut] for i in range(0, len(content), cut)]
    try:
        rows, notes, places = tokenize(content)
    except Malformed as malformed:
        with pytest.raises(DataError) as caught:
            scan_bytes(stream, "f")
        assert caught.value.line == malformed.line
        return
    vectors = scan_bytes(stream, "f")
    assert as_dicts(vectors) == rows
    assert [(note.line, note.text) for note in vectors.notes] == [
        (number, text.decode("utf-8", "replace")) for number, text in notes
    ]
    assert vectors.places == places


@settings(deadline=None)
@given(content=st.binary(max_size=200))
def test_random_bytes_give_rows_or_a_data_error(content: bytes) -> None:
    try:
        scan_bytes([b"T:1:2\n" + content], "f")
    except DataError as error:
        assert error.hint


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b"T:1:2 :a:3", r"f:2: an entry has no number before its second colon \(column 8: 'a:3'\)"),
        (b"T:1:-2", r"f:2: an entry has no whole count \(column 5: '-2'\)"),
        (b"T:1:2 3:4", r"f:2: an entry does not start with a colon \(column 7: '3:4'\)"),
        (b"T:1:2x", r"f:2: an entry has no whole count \(column 6: 'x'\)"),
        (b"T:1:2.5", r"f:2: an entry has no whole count"),
        (b"T:1 2", r"f:2: an entry has no number before its second colon"),
        (b"T:1:2:3", r"f:2: an entry has neither two fields nor four"),
        (b"T:1:2 :1:2:3:4", r"f:2: an entry has neither two fields nor four"),
        (b"T:18446744073709551616:1", r"f:2: a block's id is 2\^64 or more"),
        (b"T:1:9223372036854775808", r"f:2: a count is 2\^63 or more"),
        (b"T:1:9223372036854775807 :2:1", r"f:2: the counts of the interval sum to 2\^63"),
        (b"abc\0def", r"f:2: holds binary data \(column 4: '\\\\x00def'\)"),
    ],
)  # fmt: skip
def test_a_malformed_line_is_named_with_its_column(bad: bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        scan_bytes([b"T:1:2 :2:2\n" + bad + b"\nT:1:2\n"], "f")


def test_a_stream_without_line_ends_does_not_fill_memory() -> None:
    fed = 0

    def endless() -> Iterator[bytes]:
        nonlocal fed
        while True:
            fed += 1
            yield b" :1:1" * (1 << 20)

    with pytest.raises(DataError, match="longer than 64 MiB"):
        scan_bytes(endless(), "f")
    assert fed < 15


def test_the_largest_numbers_pass() -> None:
    vectors = scan_bytes([b"T:18446744073709551615:9223372036854775807\nT:0:1"], "f")
    assert as_dicts(vectors) == [{2**64 - 1: 2**63 - 1}, {0: 1}]
