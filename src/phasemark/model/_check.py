"""Small helpers with which the values check themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from phasemark.errors import DataError


def put(value: object, name: str, field: object) -> None:
    """Set an attribute of a frozen dataclass while it constructs itself."""
    object.__setattr__(value, name, field)


def column(name: str, values: ArrayLike, dtype: DTypeLike, length: int | None = None) -> NDArray[Any]:
    """`values` as a read-only, contiguous vector of `dtype`.

    Raises:
        DataError: not one-dimensional, of another length, or not representable.
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise DataError(f"column {name} has {array.ndim} dimensions instead of 1")
    if length is not None and len(array) != length:
        raise DataError(f"column {name} has {len(array)} rows instead of {length}")
    return frozen(_cast(name, array, np.dtype(dtype)))


def matrix(name: str, values: ArrayLike, rows: int | None = None) -> NDArray[np.float64]:
    """`values` as a read-only, C-ordered matrix of finite doubles.

    Raises:
        DataError: not two-dimensional, another number of rows, or a value that is not finite.
    """
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 2:
        raise DataError(f"{name} has {array.ndim} dimensions instead of 2")
    if rows is not None and len(array) != rows:
        raise DataError(f"{name} has {len(array)} rows instead of {rows}")
    require(np.asarray(np.isfinite(array).all(axis=1)), f"{name} holds a value that is not finite")
    return frozen(array)


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of `array`, contiguous."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def require(good: NDArray[np.bool_], message: str, hint: str = "") -> None:
    """Raise a DataError that names the first row where `good` is false."""
    if not good.all():
        raise DataError(message, row=int(np.argmin(good)), hint=hint)


def require_weights(weights: NDArray[np.float64], what: str) -> None:
    """Weights are finite, none negative, and sum to 1 (unless there are none)."""
    require(np.isfinite(weights) & (weights >= 0), f"a weight of the {what} is negative or not a number")
    if len(weights) and not np.isclose(weights.sum(), 1.0, rtol=0, atol=1e-6):
        raise DataError(f"the weights of the {what} sum to {weights.sum():.9g} instead of 1")


def _cast(name: str, array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if array.dtype == dtype:
        return array
    if dtype.kind in "iu" and array.dtype.kind == "f":
        require(np.isfinite(array) & (array == np.trunc(array)), f"column {name} holds no whole number")
    if dtype.kind == "u" and array.dtype.kind in "if":
        require(array >= 0, f"column {name} holds a negative number")
    return array.astype(dtype)
