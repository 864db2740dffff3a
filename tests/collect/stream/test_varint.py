"""The kernel that decodes varints does what its slow twin does."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.collect.encoding import varints
from tests.reference.varint import decode

import phasemark._core as core


def fast(payloads: list[bytes], most: int = 0) -> tuple[list[list[int]], list[int]]:
    ends = np.cumsum([len(p) for p in payloads])
    begins = ends - [len(p) for p in payloads]
    data = np.frombuffer(b"".join(payloads), np.uint8)
    values, first, stop, bad = core.decode_varints(data, begins, ends, most)
    if bad >= 0:
        raise ValueError(bad)
    groups = [values[a:b].tolist() for a, b in pairwise(first)]
    return groups, (stop - begins).tolist()


@given(st.lists(st.lists(st.integers(0, 2**64 - 1), max_size=8), min_size=1, max_size=5), st.integers(0, 4))
@settings(deadline=None)
def test_numbers_come_back(numbers: list[list[int]], most: int) -> None:
    payloads = [varints(*group) for group in numbers]
    slow = [decode(p, most) for p in payloads]
    assert fast(payloads, most) == ([s[0] for s in slow], [s[1] for s in slow])


@given(st.binary(max_size=24))
@example(b"\x80" * 10 + b"\x01")
@example(b"\xff" * 9 + b"\x01")
@example(b"\xff" * 9 + b"\x02")
@example(b"\x80")
@settings(deadline=None, max_examples=300)
def test_any_bytes_are_read_or_refused_alike(payload: bytes) -> None:
    try:
        expected = decode(payload)
    except ValueError:
        with pytest.raises(ValueError):
            fast([payload])
    else:
        assert fast([payload]) == ([expected[0]], [expected[1]])


def test_the_position_of_a_bad_number_is_told() -> None:
    data = np.frombuffer(b"\x01\x02\x80", np.uint8)
    *_, bad = core.decode_varints(data, np.array([0]), np.array([3]))
    assert bad == 2


def test_a_payload_outside_the_bytes_is_refused() -> None:
    data = np.zeros(3, np.uint8)
    with pytest.raises(ValueError, match="outside"):
        core.decode_varints(data, np.array([0]), np.array([4]))
