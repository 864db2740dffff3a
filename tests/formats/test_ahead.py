"""Items made ahead are the same items, in order, and no thread outlives who asked for them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from phasemark.formats.ahead import ahead


@pytest.mark.parametrize("length", [0, 1, 3, 100])
@pytest.mark.parametrize("depth", [1, 4])
def test_the_same_items_in_order(length: int, depth: int) -> None:
    before = set(threading.enumerate())
    assert list(ahead(range(length), depth)) == list(range(length))
    assert not set(threading.enumerate()) - before


def test_an_error_comes_after_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise KeyError("three")

    got = []
    with pytest.raises(KeyError, match="three"):
        for item in ahead(items()):
            got.append(item)
    assert got == [1, 2]


def test_who_stops_asking_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    made = []

    def items() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            yield number

    stream = ahead(items(), 3)
    assert next(stream) == 0
    stream.close()
    assert not set(threading.enumerate()) - before
    assert len(made) <= 6
