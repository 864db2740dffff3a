"""A value shows itself in one line, and in a notebook as a table of bounded length."""

from __future__ import annotations

import numpy as np
import pandas as pd

from phasemark.model import _show


class Thing:
    def __repr__(self) -> str:
        return _show.line(self, k=3, name="<a>")


def test_a_line_says_what_it_is_told() -> None:
    facts = {"k": 12345, "share": 0.123456, "mean": np.float64(2.5), "tool": "gem5", "cut": False, "no": None}
    assert _show.line(Thing(), **facts) == ("<Thing: k=12,345, share=0.1235, mean=2.5, tool=gem5, cut=False>")


def test_a_table_has_the_line_above_it_and_its_first_and_last_rows_alone() -> None:
    text = _show.table(Thing(), pd.DataFrame({"a": np.arange(1000), "b": ["<b>"] * 1000}))
    assert text.startswith("<p>&lt;Thing: k=3, name=&lt;a&gt;&gt;</p>\n<table")
    assert "<td>9</td>" in text and "<td>990</td>" in text
    assert "<td>10</td>" not in text and "<td>989</td>" not in text
    assert "<b>" not in text and 'border="1"' not in text
