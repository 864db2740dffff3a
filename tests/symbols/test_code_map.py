"""Maps of generated code: the last of several functions at a place counts, and no line can do harm."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phasemark.symbols.code_map import CodeMap, read


def _slowly(functions: list[tuple[int, int, bytes]], address: int) -> str:
    found = [name for start, size, name in functions if start <= address < start + size]
    return found[-1].decode() if found else ""


_functions = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 20), st.sampled_from([b"f", b"g h", b"i"])), max_size=12
)


@given(functions=_functions, addresses=st.lists(st.integers(0, 64), max_size=30))
def test_the_last_function_at_an_address_counts(functions, addresses) -> None:
    names = CodeMap(functions).names(np.array(addresses, np.uint64))
    assert names == [_slowly(functions, address) for address in addresses]


def test_lines_that_are_none_of_a_map_are_passed_over(tmp_path) -> None:
    (tmp_path / "map").write_bytes(
        b"# a comment\n10 8 plain\n0x20 0x8 LazyCompile:*a b.js:1:2\nzz 1 odd\n30 8\n40 8 \x01 \xff odd\r\n"
        b"fffffffffffffff0 ffffffffffffffff last\n50 8 cut"
    )
    found = read(tmp_path / "map")
    at = np.array([0x10, 0x18, 0x27, 0x30, 0x40, 2**64 - 9, 0x50], np.uint64)
    assert found.names(at) == ["plain", "", "LazyCompile:*a b.js:1:2", "", "? \ufffd odd", "last", "cut"]
    assert len(read(tmp_path / "none")) == 0
    assert len(read(tmp_path)) == 0


def test_functions_may_reach_beyond_the_last_address() -> None:
    functions = [(0, 2**64 - 1, b"all"), (2**64 - 9, 2**64 - 1, b"end")]
    assert CodeMap(functions).names(np.array([5, 2**64 - 5, 2**64 - 10], np.uint64)) == ["all", "end", "all"]
