"""What signatures are called."""

from __future__ import annotations

import dataclasses

import pytest

from phasemark.model import Recipe
from phasemark.signatures import kind_of

CODE = Recipe("l1", "uniform", 15, 1, "module+offset")


@pytest.mark.parametrize(
    ("beside", "kind"),
    [
        ("", "blocks"),
        ("l1d_misses", "code+events"),
        ("l1d_misses branch_mispredictions", "code+events"),
        ("data_reuse_4K code_reuse_4K branch_surprises", "code+behaviour"),
        ("data_reuse_4K", "code+more"),
        ("branch_surprises", "code+more"),
        ("l1d_misses given", "code+more"),
        ("given", "code+more"),
    ],
)
def test_signatures_are_called_by_what_stands_beside_code(beside: str, kind: str) -> None:
    assert kind_of(dataclasses.replace(CODE, events=beside)) == kind


def test_counts_of_loops_are_loops() -> None:
    assert kind_of(dataclasses.replace(CODE, key="site")) == "loops"
