"""The sites of a raw stream, one row a place and kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.stream.blocks import LARGEST_OFFSET
from phasemark.collect.stream.canonical import modules_of
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.model import SITE_KINDS, Sites

#: Of a record of a site.
_NUMBERS = 6

_LARGEST_NUMBER = 2**27  # sites are numbered without gaps; a table over them must fit memory


def sites_of(stream: RawStream, *, damaged: bool = False) -> tuple[Sites, NDArray[np.int32]]:
    """The sites, and the row of each number by which the stream calls one; -1 of numbers that it does not.

    Args:
        stream: of one process image.
        damaged: take those ahead of the first record that is.

    Raises:
        DataError: the records of sites are damaged.
    """
    frames = stream.frames
    begin, end = frames.where("J")
    if damaged:
        sound = frames.sound(begin, end, _NUMBERS)
        begin, end = begin[:sound], end[:sound]
    columns, _ = frames.columns(begin, end, _NUMBERS)
    names, ours = modules_of(stream)
    known = np.array(sorted(ours), np.int64)
    number, module, offset, kind, target_module, target = columns
    bad = (
        (number >= _LARGEST_NUMBER, "a site's number is too large to be true"),
        (kind >= len(SITE_KINDS), "a site is of an unknown kind"),
        (np.maximum(offset, target) >= LARGEST_OFFSET, "a site lies at an impossible offset"),
        (~np.isin(module, known), "a site lies in a module that was not recorded"),
        ((target_module > 0) & ~np.isin(target_module - 1, known), "a site leads to a module unknown"),
    )
    for wrong, message in bad:
        if wrong.any() and not damaged:
            frames.fail(int(begin[np.argmax(wrong)]), message)
    sound = min(int(np.argmax(np.append(wrong, True))) for wrong, _ in bad)
    number, module, offset, kind, target_module, target = columns[:, :sound]
    module, offset = _placed(stream, module, offset, ours)
    leads = target_module > 0
    target_module, target = _placed(stream, np.maximum(target_module - 1, 0), target, ours)
    target_module, target = np.where(leads, target_module, -1), np.where(leads, target, 0)
    return _distinct(names, (number, module, offset, kind, target_module, target))


def _placed(stream: RawStream, module: Ints, offset: Ints, ours: dict[int, int]) -> tuple[Ints, Ints]:
    """Canonical modules, and offsets in their files."""
    bases = np.zeros(max(ours, default=-1) + 1, np.int64)
    canonical = np.zeros(len(bases), np.int64)
    for serial, number in ours.items():
        bases[serial], canonical[serial] = stream.modules[serial].offset, number
    return canonical[module], offset + bases[module]


def _distinct(names: tuple[str, ...], columns: Sequence[Ints]) -> tuple[Sites, NDArray[np.int32]]:
    """One row a place and kind, by module and offset: code that was mapped twice has several numbers.

    Args:
        names: of the modules.
        columns: number, module, offset, kind, target module and target.
    """
    number, module, offset, kind, target_module, target = columns
    order = np.lexsort((kind, offset, module))
    keys = [key[order] for key in (module, offset, kind)]
    new = np.ones(len(order), np.bool_)
    new[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    row = np.cumsum(new) - 1
    symbols = np.full(int(number.max(initial=-1)) + 1, -1, np.int32)
    symbols[number[order]] = row
    first = order[new]
    leads = np.stack([target_module, target])
    differs = np.zeros(len(first), np.bool_)
    np.logical_or.at(differs, row, (leads[:, order] != leads[:, first][:, row]).any(axis=0))
    sites = Sites(
        names,
        module[first].astype(np.int32),
        offset[first].astype(np.uint64),
        kind[first].astype(np.int8),
        np.where(differs, -1, target_module[first]).astype(np.int32),
        np.where(differs, 0, target[first]).astype(np.uint64),
    )
    return sites, symbols
