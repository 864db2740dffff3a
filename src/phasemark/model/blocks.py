"""Blocks: the static code of a run, one row a basic block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Blocks(Value):
    """Static basic blocks, keyed by (module, offset), never by a raw address.

    Attributes:
        modules: names of the modules: a path, `[anonymous 0]`, `[vdso]`; for vectors of other tools,
            which know no modules, the empty name.
        module: index into `modules`, int32, one a block.
        offset: where the block starts, uint64: offset in the module's file (in the mapping, for code
            that no file holds); for vectors of other tools the block's id.
        instructions: size in instructions, int64; 0 where it is not known.
        size: size in bytes, int64; 0 where it is not known.
        id: the number the source file gave the block, uint64; the row where it gave none.
        function: names of functions, empty where not known; absent (None) until looked up.
        file, line: source file and line, empty and 0 where not known; absent until looked up.

    Raises:
        DataError: two blocks with one key, a negative size or line, a module index out of range, or columns
            of other lengths.
    """

    modules: tuple[str, ...]
    module: NDArray[np.int32]
    offset: NDArray[np.uint64]
    instructions: NDArray[np.int64]
    size: NDArray[np.int64]
    id: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    function: tuple[str, ...] | None = None
    file: tuple[str, ...] | None = None
    line: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        n = len(self.offset)
        put(self, "modules", tuple(self.modules))
        put(self, "offset", column("offset", self.offset, np.uint64))
        put(self, "module", column("module", self.module, np.int32, n))
        put(self, "instructions", column("instructions", self.instructions, np.int64, n))
        put(self, "size", column("size", self.size, np.int64, n))
        ids = self.id if len(self.id) or not n else np.arange(n)
        put(self, "id", column("id", ids, np.uint64, n))
        if self.line is not None:
            put(self, "line", column("line", self.line, np.int64, n))
        for name in ("function", "file"):
            if (names := getattr(self, name)) is not None:
                put(self, name, tuple(names))
        self._check(n)

    def _check(self, n: int) -> None:
        require(
            (self.module >= 0) & (self.module < len(self.modules)), "a block names a module that is not there"
        )
        require((self.instructions >= 0) & (self.size >= 0), "a block has a negative size")
        if self.line is not None:
            require(self.line >= 0, "a block is on a negative line")
        for name in ("function", "file"):
            names = getattr(self, name)
            if names is not None and len(names) != n:
                raise DataError(f"{len(names)} {name} names for {n} blocks")
        order = np.lexsort((self.offset, self.module))
        same = (np.diff(self.module[order]) == 0) & (self.offset[order][1:] == self.offset[order][:-1])
        if same.any():
            row = int(order[1:][same][0])
            raise DataError(f"two blocks are at {self.name(row)}", row=row)

    def __len__(self) -> int:
        return len(self.offset)

    def name(self, row: int) -> str:
        """How a person refers to the block: `module+0xoffset`, or `block 7`."""
        module = self.modules[int(self.module[row])]
        if not module:
            return f"block {int(self.id[row])}"
        return f"{module}+{int(self.offset[row]):#x}"

    def frame(self) -> pd.DataFrame:
        """A table with columns module, offset, instructions, size, id (and function, file, line)."""
        import pandas as pd

        data: dict[str, Any] = {
            "module": pd.Categorical.from_codes(self.module, categories=list(self.modules)),
            "offset": self.offset,
            "instructions": self.instructions,
            "size": self.size,
            "id": self.id,
        }
        for name in ("function", "file", "line"):
            value = getattr(self, name)
            if value is not None:
                data[name] = list(value) if isinstance(value, tuple) else value
        return pd.DataFrame(data)

    def __repr__(self) -> str:
        return _show.line(self, blocks=len(self), modules=len(self.modules))

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
