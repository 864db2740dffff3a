"""Compiled kernels: contiguous arrays and a seed in, arrays out. See native/core/*.hpp."""

from collections.abc import Callable
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

_Doubles = NDArray[np.float64]

class KMeansFit(TypedDict):
    k: int
    restart: int
    iterations: int
    error: float
    score: float
    centers: _Doubles
    initial_centers: _Doubles

def project(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    data: NDArray[np.int64],
    keys: NDArray[np.uint64],
    seed: int,
    dims: int,
    threads: int,
) -> _Doubles: ...
def projection_rows(keys: NDArray[np.uint64], seed: int, dims: int) -> NDArray[np.float32]: ...
def kmeans(
    x: _Doubles,
    weights: _Doubles,
    ks: list[int],
    seed: int,
    restarts: int,
    max_iter: int,
    init: str,
    n: float,
    variance_floor: float,
    threads: int,
    progress: Callable[[int], object] | None = None,
) -> list[KMeansFit]: ...
def kmeans_from(
    x: _Doubles, weights: _Doubles, centers: _Doubles, max_iter: int, n: float, variance_floor: float
) -> KMeansFit: ...
def assign(x: _Doubles, centers: _Doubles, threads: int) -> tuple[NDArray[np.int32], _Doubles]: ...
def bic(error: float, cluster_weights: _Doubles, dims: int, n: float, variance_floor: float) -> float: ...

class VectorParser:
    def __init__(self) -> None: ...
    def feed(self, chunk: bytes) -> bool: ...
    def finish(self) -> bool: ...
    @property
    def line(self) -> int: ...
    def error(self) -> tuple[int, int, int, bytes]: ...
    def layout(self) -> dict[str, int]: ...
    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64]]: ...
    def notes(self) -> list[tuple[int, bytes]]: ...
    def places(self) -> dict[int, str]: ...

def decode_varints(
    bytes: NDArray[np.uint8], begin: NDArray[np.int64], end: NDArray[np.int64], most: int = 0
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], int]: ...
