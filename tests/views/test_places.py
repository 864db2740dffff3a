"""How places in the code are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import counted

from phasemark.model import Blocks
from phasemark.views import places


def test_blocks_without_a_function_go_by_their_own_name() -> None:
    blocks = Blocks(
        ("/usr/bin/gzip", ""), [0, 0, 0, 1], [16, 32, 48, 9], [1] * 4, [1] * 4, [1, 2, 3, 17],
        function=("deflate", "deflate", "", ""),
    )  # fmt: skip
    functions = places.functions(blocks)
    assert functions.names == [("deflate", "gzip"), ("gzip+0x30", ""), ("block 17", "")]
    assert functions.of_block.tolist() == [0, 0, 1, 2]
    assert places.lines(blocks).of_block.tolist() == [-1] * 4


def test_lines_are_those_that_are_known() -> None:
    blocks = counted.run().profile.block_table
    lines = places.lines(replace(blocks, file=("a.c", "", "a.c"), line=np.array([7, 0, 7])))
    assert lines.names == [("a.c:7", "copy"), ("a.c:7", "main")]
    assert lines.of_block.tolist() == [0, -1, 1]


def test_a_module_that_is_no_file_keeps_its_name() -> None:
    blocks = Blocks(("[vdso]", "[a/b]"), [0, 1], [16, 32], [1, 1], [4, 4])
    assert places.functions(blocks).names == [("[vdso]+0x10", ""), ("[a/b]+0x20", "")]


@pytest.mark.parametrize("name", ["gzip+0x30", "gzip:0x30"])
def test_a_module_is_not_said_twice(name) -> None:
    blocks = Blocks(("/usr/bin/gzip",), [0], [48], [1], [1], function=(name,))
    assert places.functions(blocks).names == [(name, "")]
