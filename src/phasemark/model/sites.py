"""Sites: where in the code a program loops, calls and returns, one row a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd

#: What happens at a site; a row holds the index. A `loop` is a direct branch backwards, `indirect` a branch
#: backwards whose target is computed.
SITE_KINDS = ("loop", "indirect", "call", "return")

_NAMES = ("function", "file")


@dataclass(frozen=True, eq=False, repr=False)
class Sites(Value):
    """Branch instructions at which events happen, keyed by (module, offset, kind).

    Attributes:
        modules: names of the modules, as in Blocks.
        module: index into `modules`, int32, one a site.
        offset: where the branch instruction is, uint64, as in Blocks.
        kind: index into SITE_KINDS, int8.
        target_module: index into `modules` of where the branch leads, int32; -1 where that is not one place.
        target: offset there, uint64; 0 where it is not one place.
        function: names of the functions that the sites are in, empty where not known; None until looked up.
        file, line: source file and line, empty and 0 where not known; None until looked up.
        callee: names of the functions that the branches lead to, empty where not known; None until looked up.

    Raises:
        DataError: two sites with one key, an unknown kind, a module that is not there, a negative line, or
            columns of other lengths.
    """

    modules: tuple[str, ...]
    module: NDArray[np.int32]
    offset: NDArray[np.uint64]
    kind: NDArray[np.int8]
    target_module: NDArray[np.int32]
    target: NDArray[np.uint64]
    function: tuple[str, ...] | None = None
    file: tuple[str, ...] | None = None
    line: NDArray[np.int64] | None = None
    callee: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        n = len(self.offset)
        put(self, "modules", tuple(self.modules))
        columns = {"module": np.int32, "kind": np.int8, "target_module": np.int32, "target": np.uint64}
        put(self, "offset", column("offset", self.offset, np.uint64))
        for name, dtype in columns.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        if self.line is not None:
            put(self, "line", column("line", self.line, np.int64, n))
        for name in (*_NAMES, "callee"):
            if (names := getattr(self, name)) is not None:
                put(self, name, tuple(names))
        self._check(n)

    def _check(self, n: int) -> None:
        modules = len(self.modules)
        require((self.module >= 0) & (self.module < modules), "a site names a module that is not there")
        require(
            (self.target_module >= -1) & (self.target_module < modules),
            "a site leads to a module that is not there",
        )
        require((self.kind >= 0) & (self.kind < len(SITE_KINDS)), "a site is of an unknown kind")
        if self.line is not None:
            require(self.line >= 0, "a site is on a negative line")
        for name in (*_NAMES, "callee"):
            if (names := getattr(self, name)) is not None and len(names) != n:
                raise DataError(f"{len(names)} {name} names for {n} sites")
        order = np.lexsort((self.kind, self.offset, self.module))
        keys = (self.module[order], self.offset[order], self.kind[order])
        same = np.logical_and.reduce([key[1:] == key[:-1] for key in keys])
        if same.any():
            row = int(order[1:][same][0])
            raise DataError(f"two sites are the {self.name(row)}", row=row)

    def __len__(self) -> int:
        return len(self.offset)

    def name(self, row: int) -> str:
        """What a person calls the site: `loop module+0xoffset`."""
        module = self.modules[int(self.module[row])]
        return f"{SITE_KINDS[int(self.kind[row])]} {module}+{int(self.offset[row]):#x}"

    def frame(self) -> pd.DataFrame:
        """A table with columns kind, module, offset, target_module, target (and names where known)."""
        import pandas as pd

        modules = list(self.modules)
        data: dict[str, Any] = {
            "kind": pd.Categorical.from_codes(self.kind, categories=list(SITE_KINDS)),
            "module": pd.Categorical.from_codes(self.module, categories=modules),
            "offset": self.offset,
            "target_module": pd.Categorical.from_codes(self.target_module, categories=modules),
            "target": self.target,
        }
        for name in (*_NAMES, "line", "callee"):
            if (value := getattr(self, name)) is not None:
                data[name] = list(value) if isinstance(value, tuple) else value
        return pd.DataFrame(data)

    def __repr__(self) -> str:
        return _show.line(self, sites=len(self), modules=len(self.modules))

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
