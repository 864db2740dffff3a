"""Packing: arrays in JSON, as base64 of little-endian numbers."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import ArrayLike


def pack(values: ArrayLike, dtype: str) -> dict[str, str]:
    """An array as base64 of little-endian numbers; `dtype` as NumPy writes it (`f8`, `u2`)."""
    raw = np.ascontiguousarray(values, np.dtype(dtype).newbyteorder("<")).tobytes()
    return {"type": dtype, "data": base64.b64encode(raw).decode("ascii")}
