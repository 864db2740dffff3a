"""Colours that can be told apart."""

from __future__ import annotations

import numpy as np

from phasemark.views.palette import COLOURS, colours


def test_colours_are_36_and_repeat() -> None:
    assert len(set(COLOURS)) == 36
    assert colours(38)[36:] == list(COLOURS[:2])


def test_any_two_of_the_first_30_colours_differ_for_colour_blind_eyes() -> None:
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in COLOURS[:30]]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    for seen in (np.eye(3), PROTANOPIA, DEUTERANOPIA):
        lab = np.cbrt(np.clip(linear @ np.array(seen).T, 0, 1) @ LMS.T) @ OKLAB.T
        apart = np.linalg.norm(lab[:, None] - lab[None, :], axis=2)[np.triu_indices(30, 1)]
        assert apart.min() > 0.035


# Machado, Oliveira, Fernandes 2009, severity 1; and OKLab (Ottosson 2020).
PROTANOPIA = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
]
DEUTERANOPIA = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
]
LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
