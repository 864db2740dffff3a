"""Small helpers with which the values check themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from phasemark.errors import DataError, counted


def put(value: object, name: str, field: object) -> None:
    """Set an attribute of a frozen dataclass while it constructs itself."""
    object.__setattr__(value, name, field)


def column(name: str, values: ArrayLike, dtype: DTypeLike, length: int | None = None) -> NDArray[Any]:
    """`values` as a read-only, contiguous vector of `dtype`.

    Raises:
        DataError: not one-dimensional, of another length, or a number that `dtype` cannot hold.
    """
    array = _array(f"column {name}", values)
    if array.ndim != 1:
        raise DataError(f"column {name} has {array.ndim} dimensions instead of 1")
    if length is not None and len(array) != length:
        raise DataError(f"column {name} has {counted(len(array), 'row')} instead of {length}")
    return frozen(_cast(f"column {name}", array, np.dtype(dtype)))


def matrix(name: str, values: ArrayLike, rows: int | None = None) -> NDArray[np.float64]:
    """`values` as a read-only, C-ordered matrix of finite doubles.

    Raises:
        DataError: not two-dimensional, another number of rows, or a value that is not finite.
    """
    array = _array(name, values).astype(np.float64, order="C", copy=False)
    if array.ndim != 2:
        raise DataError(f"{name} has {array.ndim} dimensions instead of 2")
    if rows is not None and len(array) != rows:
        raise DataError(f"{name} has {counted(len(array), 'row')} instead of {rows}")
    require(np.asarray(np.isfinite(array).all(axis=1)), f"{name} holds a value that is not finite")
    return frozen(array)


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of `array`, contiguous."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


class Value:
    """What every value with arrays is: read-only, also after it was pickled or copied."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        for field in state.values():
            for array in field.values() if isinstance(field, dict) else (field,):
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False
        self.__dict__.update(state)


def require(good: NDArray[np.bool_], message: str, hint: str = "") -> None:
    """Raise a DataError that names the first row where `good` is false."""
    if not good.all():
        raise DataError(message, row=int(np.argmin(good)), hint=hint)


def require_weights(weights: NDArray[np.float64], what: str) -> None:
    """Weights are finite, none negative, and sum to 1 (unless there are none)."""
    require(np.isfinite(weights) & (weights >= 0), f"a weight of the {what} is negative or not a number")
    if len(weights) and not np.isclose(weights.sum(), 1.0, rtol=0, atol=1e-6):
        raise DataError(f"the weights of the {what} sum to {weights.sum():.9g} instead of 1")


def _array(name: str, values: ArrayLike) -> NDArray[Any]:
    """`values` as an array of numbers; of Python's numbers, too, where pandas kept them as objects."""
    try:
        array = np.asarray(values)
        array = np.asarray(array.tolist()) if array.dtype.kind == "O" else array
    except ValueError as error:
        raise DataError(f"{name} is no array ({error})") from error
    if array.dtype.kind not in "biuf":
        raise DataError(f"{name} holds something else than numbers")
    return array


def _cast(name: str, array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if array.dtype == dtype:
        return array
    if dtype.kind in "iu" and len(array):
        if array.dtype.kind == "f":
            require(np.isfinite(array) & (array == np.trunc(array)), f"{name} holds no whole number")
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        # As Python's numbers, which compare exactly; and one by one only where something is wrong.
        if not least <= array.min().item() or not array.max().item() <= most:
            if least == 0:
                require(array >= 0, f"{name} holds a negative number")
            good = [least <= number <= most for number in array.tolist()]
            require(np.array(good), f"{name} holds a number beyond {dtype}")
    return array.astype(dtype)
