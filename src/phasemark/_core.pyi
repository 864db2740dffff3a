"""Compiled kernels: contiguous arrays and a seed in, arrays out. See native/core/README.md."""

from collections.abc import Callable
from typing import Any, TypedDict

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

class MultinomialFit(TypedDict):
    restart: int
    iterations: int
    converged: bool
    log_likelihoods: _Doubles
    start: _Doubles
    moves: _Doubles
    leaving: _Doubles
    theta: _Doubles
    restarts: _Doubles

def fit_multinomial(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: _Doubles,
    lengths: NDArray[np.int64],
    background: _Doubles,
    states: int,
    ordered: bool,
    seed: int,
    restarts: int,
    smoothing: float,
    tolerance: float,
    max_iter: int,
    threads: int,
    progress: Callable[[int], object] | None = None,
) -> MultinomialFit: ...
def fit_multinomial_from(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: _Doubles,
    lengths: NDArray[np.int64],
    background: _Doubles,
    start: _Doubles,
    moves: _Doubles,
    leaving: _Doubles,
    theta: _Doubles,
    ordered: bool,
    smoothing: float,
    prior: float,
    tolerance: float,
    max_iter: int,
) -> MultinomialFit: ...
def infer_multinomial(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: _Doubles,
    lengths: NDArray[np.int64],
    start: _Doubles,
    moves: _Doubles,
    leaving: _Doubles,
    theta: _Doubles,
    ordered: bool,
) -> tuple[float, _Doubles, NDArray[np.int32], _Doubles]: ...
def foretell_states(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: _Doubles,
    lengths: NDArray[np.int64],
    start: _Doubles,
    moves: _Doubles,
    leaving: _Doubles,
    theta: _Doubles,
) -> tuple[_Doubles, _Doubles]: ...

class VectorParser:
    def __init__(self) -> None: ...
    def feed(self, chunk: bytes) -> bool: ...
    def finish(self) -> bool: ...
    @property
    def line(self) -> int: ...
    def error(self) -> tuple[int, int, int, bytes]: ...
    def layout(self) -> dict[str, int]: ...
    def notes(self) -> list[tuple[int, bytes]]: ...
    def places(self) -> dict[int, str]: ...
    def rows(
        self,
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.uint64],
        NDArray[np.int64],
    ]: ...

class VectorProjector:
    def __init__(self, seed: int, dims: int) -> None: ...
    def feed(self, chunk: bytes) -> bool: ...
    def finish(self) -> bool: ...
    @property
    def line(self) -> int: ...
    def error(self) -> tuple[int, int, int, bytes]: ...
    def layout(self) -> dict[str, int]: ...
    def notes(self) -> list[tuple[int, bytes]]: ...
    def rows(
        self,
    ) -> tuple[memoryview, memoryview, memoryview, memoryview, memoryview]: ...

class FileProjector:
    def __init__(self, seed: int, dims: int) -> None: ...
    def read(self, file: int, size: int, threads: int, part: int = 0) -> bool: ...
    def error(self) -> tuple[int, int, int, bytes]: ...
    def layout(self) -> dict[str, int]: ...
    def notes(self) -> list[tuple[int, bytes]]: ...
    def rows(
        self,
    ) -> tuple[memoryview, memoryview, memoryview, memoryview, memoryview]: ...

def decode_varints(
    bytes: NDArray[np.uint8], begin: NDArray[np.int64], end: NDArray[np.int64], most: int = 0
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], int]: ...
def sample_lines(
    text: bytes, begin: int = 0
) -> tuple[
    int,
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.uint64],
    NDArray[np.int32],
    list[bytes],
]: ...
def gathered(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    data: NDArray[np.int64],
    group: NDArray[np.int64],
    groups: int,
    place: NDArray[np.int32],
    places: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...
def find_records(
    bytes: NDArray[np.uint8], at: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], int]: ...

class RecordedBlocks:
    def __init__(
        self,
        row_of_id: NDArray[np.int64],
        first: NDArray[np.int64],
        column: NDArray[np.int64],
        instructions: NDArray[np.int64],
        columns: int,
    ) -> None: ...

def interval_rows(
    bytes: NDArray[np.uint8],
    begin: NDArray[np.int64],
    end: NDArray[np.int64],
    length: NDArray[np.int64],
    group: NDArray[np.int64],
    blocks: RecordedBlocks,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], int]: ...
def decode_events(
    packed: NDArray[np.uint8], size: int, count: int, start: int, end: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]] | None: ...
def sequitur(
    symbols: NDArray[np.int32] | NDArray[np.int64], seed: int, limit: int = ...
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def expanded_lengths(symbols: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.int64] | None: ...
def expanded_uses(symbols: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.int64] | None: ...
def expanded(
    symbols: NDArray[np.int64], offsets: NDArray[np.int64], lengths: NDArray[np.int64], rule: int
) -> NDArray[np.int64]: ...
def covered(
    symbols: NDArray[np.int64],
    offsets: NDArray[np.int64],
    lengths: NDArray[np.int64],
    marked: NDArray[np.uint8],
    bounds: NDArray[np.int64],
) -> NDArray[np.int64]: ...
def marked_starts(
    symbols: NDArray[np.int64],
    offsets: NDArray[np.int64],
    lengths: NDArray[np.int64],
    marked: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def demangled(mangled: str, most: int) -> str: ...
def interval_ends(lengths: Any, block: int) -> tuple[int, int, int, int, int, bool, int]: ...

class Classifier:
    def __init__(self, rows: memoryview, lengths: memoryview) -> None: ...
    @property
    def n(self) -> int: ...
    def distinct(self, limit: int) -> int: ...
    def fit(
        self, ks: list[int], seed: int, restarts: int, max_iter: int, threads: int
    ) -> list[tuple[int, float, float]]: ...
    def choose(self, k: int, threads: int) -> int: ...
    def labels(self) -> list[int]: ...
    def distances(self) -> list[float]: ...
    def points(self) -> list[tuple[int, int, float]]: ...

class TrackerSizes:
    def __init__(
        self,
        counters: int,
        bits: int,
        compressed: int,
        headroom: int,
        signatures: int,
        policy: int,
        min_count: int,
        threshold: float,
        deviation: float,
        seed: int,
    ) -> None: ...

class Accumulator:
    def __init__(self, sizes: TrackerSizes) -> None: ...
    def add(self, keys: NDArray[np.uint64], instructions: NDArray[np.int64]) -> int: ...
    def tallies(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]: ...
    def is_saturated(self) -> bool: ...
    def clear(self) -> None: ...

class Tracker:
    def __init__(self, sizes: TrackerSizes) -> None: ...
    def observe(self, accumulator: Accumulator, metric: float, learns: bool) -> tuple[int, float, bool]: ...
    def counted(self, counts: NDArray[np.int64], metric: float) -> tuple[int, float, bool] | None: ...
    def rows(
        self,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        data: NDArray[np.int64],
        keys: NDArray[np.uint64],
        learns: NDArray[np.uint8],
        metrics: _Doubles,
        with_vectors: bool,
    ) -> tuple[int, NDArray[np.int64], _Doubles, NDArray[np.uint8], _Doubles]: ...
    def stored(self) -> int: ...
    def entries(self) -> list[tuple[Any, ...]]: ...
    def facts(self) -> tuple[int, ...]: ...
    def restore(self, entries: list[tuple[Any, ...]], facts: tuple[int, ...]) -> None: ...
