"""Traces made by hand, and any others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from phasemark.model import Events, Sites
from phasemark.model.trace import EventColumns


def sites(count: int) -> Sites:
    """Call sites at offsets 0, 1, 2 ..."""
    return Sites(("/bin/a",), [0] * count, np.arange(count), [2] * count, [-1] * count, [0] * count)  # type: ignore[arg-type]


def events(
    symbols: Sequence[int],
    since: int | Sequence[int] = 1,
    tail: int = 0,
    *,
    repeats: Sequence[int] | None = None,
    thread: int = 0,
    count: int = 0,
) -> Events:
    """Events `since` instructions after one another, and `tail` instructions behind the last."""
    steps = np.full(len(symbols), since) if isinstance(since, int) else np.array(since, np.int64)
    position = np.cumsum(steps, dtype=np.int64)
    end = int(position[-1]) if len(position) else 0
    return Events(
        sites(count or max(symbols, default=-1) + 1),
        np.array(symbols, np.int32),
        np.ones(len(symbols), np.int64) if repeats is None else np.array(repeats, np.int64),
        position,
        end + tail,
        thread=thread,
    )


def rows(of: Events) -> list[tuple[int, int, int]]:
    """Symbol, repeats and position of each event."""
    return list(zip(of.symbol.tolist(), of.repeats.tolist(), of.position.tolist(), strict=True))


@dataclass
class Chunked:
    """The same events, some at a time."""

    whole: Events
    size: int

    @property
    def sites(self) -> Sites:
        return self.whole.sites

    @property
    def run(self) -> int:
        return self.whole.run

    @property
    def thread(self) -> int:
        return self.whole.thread

    @property
    def instructions(self) -> int:
        return self.whole.instructions

    def chunks(self) -> Iterator[EventColumns]:
        for first in range(0, len(self.whole), self.size):
            part = slice(first, first + self.size)
            yield self.whole.symbol[part], self.whole.repeats[part], self.whole.position[part]


@st.composite
def traces(draw: st.DrawFn, most: int = 60, thread: int = 0) -> Events:
    """Any trace of few sites, with repetition; often one that holds others twice."""
    symbols = draw(st.lists(st.integers(0, 4), max_size=most // 2))
    if draw(st.booleans()):
        symbols = symbols * 2
    since = draw(st.lists(st.integers(1, 12), min_size=len(symbols), max_size=len(symbols)))
    repeats = draw(st.lists(st.integers(1, 5), min_size=len(symbols), max_size=len(symbols)))
    return events(symbols, since, draw(st.integers(0, 9)), repeats=repeats, thread=thread, count=5)
