"""A program that compresses and decompresses in turn: matrix and phases alternate, as in the paper."""

from __future__ import annotations

import sys
from itertools import groupby, pairwise

import numpy as np
import pytest

import phasemark
from phasemark import phases, signatures
from phasemark.errors import MissingTool
from phasemark.views import distances

ROUNDS = 4
PROGRAM = f"""
import zlib
data = b"".join(b"%d times the phase of the moon " % (i * 7919 % 1000) for i in range(9000))
for _ in range({ROUNDS}):
    packed = zlib.compress(data, 6)
    for _ in range(12):
        zlib.decompress(packed)
"""


def test_compressing_and_decompressing_alternate(tmp_path) -> None:
    try:
        command = [sys.executable, "-I", "-S", "-c", PROGRAM]
        profile = phasemark.profile(command, tmp_path, interval="1M").profile
    except MissingTool as missing:
        pytest.skip(str(missing))
    n = len(profile.interval_table)
    alike = distances.manhattan(profile.vectors, np.arange(n + 1)) < 1
    stretches = [_stretches(row) for row in alike]
    inflating = int(np.argmax([len(found) == ROUNDS for found in stretches]))
    found = stretches[inflating]
    assert len(found) == ROUNDS, "no interval comes back in every round"

    made = signatures.project(profile)
    labels = phases.SimPoint(max_k=10, seed=3).fit(made).labels_
    inside = np.concatenate([np.arange(a + 1, b - 1) for a, b in found])
    between = np.concatenate([np.arange(a[1] + 1, b[0] - 1) for a, b in pairwise(found)])
    assert not set(labels[inside]) & set(labels[between])


def _stretches(alike: np.ndarray) -> list[tuple[int, int]]:
    """[first, last) of the stretches of at least 8 neighbouring intervals that are alike."""
    found, at = [], 0
    for is_alike, members in groupby(alike.tolist()):
        length = len(list(members))
        if is_alike and length >= 8:
            found.append((at, at + length))
        at += length
    return found
