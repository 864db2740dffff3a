"""Blocks: keyed by module and offset, sizes from 0, names of all or of none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Blocks

GOOD: dict[str, Any] = {
    "modules": ["/bin/a", "/lib/b", ""],
    "module": [0, 0, 1, 2],
    "offset": [0x10, 0x20, 0x10, 7],
    "instructions": [3, 4, 0, 0],
    "size": [9, 12, 0, 0],
    "id": [5, 6, 7, 8],
    "function": ["main", "", "<b>", "x"],
    "file": ["a.c", "", "", ""],
    "line": [3, 0, 0, 1],
}


def of(**changed: Any) -> Blocks:
    return Blocks(**{**GOOD, **changed})


def test_columns_have_their_types() -> None:
    blocks = of()
    assert len(blocks) == 4
    types = {
        "module": np.int32,
        "offset": np.uint64,
        "instructions": np.int64,
        "size": np.int64,
        "id": np.uint64,
        "line": np.int64,
    }
    for name, dtype in types.items():
        values = getattr(blocks, name)
        assert values.dtype == dtype and values.tolist() == GOOD[name] and not values.flags.writeable
    for name in ("modules", "function", "file"):
        assert getattr(blocks, name) == tuple(GOOD[name])


def test_what_is_not_given_is_not_there() -> None:
    blocks = Blocks(("a",), [0, 0], [3, 9], [1, 1], [0, 0])
    assert blocks.id.tolist() == [0, 1]
    assert (blocks.function, blocks.file, blocks.line) == (None, None, None)
    assert list(blocks.frame().columns) == ["module", "offset", "instructions", "size", "id"]
    none = Blocks((), [], [], [], [])
    assert len(none) == 0 and none.id.dtype == np.uint64 and len(none.frame()) == 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"module": [0, 0, 1, 3]}, "row 3: a block names a module that is not there"),
        ({"module": [0, -1, 1, 2]}, "row 1: a block names a module that is not there"),
        ({"instructions": [3, -1, 0, 0]}, "row 1: a block has a negative size"),
        ({"size": [0, 0, -1, 0]}, "row 2: a block has a negative size"),
        ({"offset": [0, 0, -1, 0]}, "row 2: column offset holds a negative number"),
        ({"id": [0, 0, 0, -1]}, "row 3: column id holds a negative number"),
        ({"size": [0, 9.5, 0, 0]}, "row 1: column size holds no whole number"),
        ({"module": [0, 0, 1]}, "column module has 3 rows instead of 4"),
        ({"instructions": [1] * 5}, "column instructions has 5 rows instead of 4"),
        ({"size": [1] * 3}, "column size has 3 rows instead of 4"),
        ({"id": [1] * 3}, "column id has 3 rows instead of 4"),
        ({"line": [1] * 5}, "column line has 5 rows instead of 4"),
        ({"line": [0, -1, 0, 0]}, "row 1: a block is on a negative line"),
        ({"function": ["f"] * 3}, "3 function names for 4 blocks"),
        ({"file": ["f"] * 5}, "5 file names for 4 blocks"),
        ({"offset": [0x10, 0x10, 0x10, 7]}, "row 1: two blocks are at /bin/a+0x10"),
        ({"module": [0, 0, 0, 2]}, "row 2: two blocks are at /bin/a+0x10"),
        ({"module": [2, 0, 1, 2], "offset": [7, 1, 2, 7]}, "row 3: two blocks are at block 8"),
    ],
)
def test_what_are_no_blocks_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        of(**changed)
    assert str(caught.value) == message


def test_a_block_has_the_name_that_a_person_gives_it() -> None:
    names = [of().name(row) for row in range(4)]
    assert names == ["/bin/a+0x10", "/bin/a+0x20", "/lib/b+0x10", "block 8"]


def test_a_frame_has_a_row_a_block() -> None:
    frame = of().frame()
    assert frame["module"].tolist() == ["/bin/a", "/bin/a", "/lib/b", ""]
    for name in ("offset", "instructions", "size", "id", "function", "file", "line"):
        assert frame[name].tolist() == GOOD[name]
    assert list(frame.columns) == ["module", *list(GOOD)[2:]]


def test_blocks_show_themselves_in_a_line_and_in_a_notebook_as_a_table() -> None:
    assert repr(of()) == "<Blocks: blocks=4, modules=3>"
    text = of()._repr_html_()
    assert "blocks=4" in text and "<th>offset</th>" in text and "&lt;b&gt;" in text
