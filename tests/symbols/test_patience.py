"""How long one waits for a server that sends little, by a clock that the server moves."""

from __future__ import annotations

import io
from typing import Any

import pytest

from phasemark.symbols import patience


class Sending(io.RawIOBase):
    """Sends so many bytes, each time after some seconds of which it is told how many are left."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[float, int]]) -> None:
        self._steps, self._now, self._limit = steps, 0.0, 0.0
        monkeypatch.setattr(patience.time, "monotonic", lambda: self._now)

    def gettimeout(self) -> float:
        return 10.0

    def settimeout(self, seconds: float) -> None:
        self._limit = seconds

    def readinto(self, buffer: Any) -> int:
        if not self._steps:
            return 0
        seconds, count = self._steps.pop(0)
        if seconds >= self._limit:
            raise TimeoutError
        self._now += seconds
        return count


def read(monkeypatch: pytest.MonkeyPatch, steps: list[tuple[float, int]]) -> int:
    sending: Any = Sending(monkeypatch, steps)
    reading, got = patience._Reading(sending, sending), 0
    while count := reading.readinto(bytearray(1 << 20)):
        got += count
    return got


def test_who_is_fast_enough_each_time_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[tuple[float, int]] = [(4, patience.SLOW // 2)] * 20
    assert read(monkeypatch, [*steps, (9.9, 5)]) == 10 * patience.SLOW + 5


@pytest.mark.parametrize(
    ("steps", "got"),
    [
        ([(11, 5)], "0"),  # nothing at all
        ([(1, 1)] * 1000, "9"),  # a drop each second
        ([(1, patience.SLOW)] + [(1, 1)] * 1000, "9"),  # much at first, then drops
        ([(1, patience.SLOW), (19, 1)], "0"),  # much at first, then nothing
        ([(5, patience.SLOW - 1), (6, patience.SLOW)], "102,399"),  # nearly enough
    ],
)
def test_who_is_not_is_left(
    steps: list[tuple[float, int]], got: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TimeoutError, match=f"^only {got} bytes came in 10 s$"):
        read(monkeypatch, steps)
