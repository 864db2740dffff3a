"""Arrays in JSON."""

from __future__ import annotations

import base64

import pytest

from phasemark.report.packing import pack


@pytest.mark.parametrize(
    ("dtype", "raw"), [("u1", b"\x01\x02"), ("u2", b"\x01\x00\x02\x00"), ("i4", b"\x01\0\0\0\x02\0\0\0")]
)
def test_numbers_are_little_endian(dtype, raw) -> None:
    assert pack([1, 2], dtype) == {"type": dtype, "data": base64.b64encode(raw).decode()}
