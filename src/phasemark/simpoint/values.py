"""Values of SimPoint's flags, from the words on a command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from phasemark.errors import UsageError

__all__ = ["form", "value"]


def value(name: str, text: str) -> Any:
    """The value of a flag.

    Raises:
        UsageError: it makes no sense; names the flag and what it takes.
    """
    try:
        return _PARSERS.get(name, Path)(text)
    except ValueError:
        raise UsageError(f"-{name} {text} makes no sense", hint=f"write -{name} {form(name)}") from None


def form(name: str) -> str:
    """What a flag takes, in words."""
    return _FORMS.get(name, "FILE")


def _ks(text: str) -> list[int] | None:
    if text == "search":
        return None
    return [k for part in text.split(",") for k in _range(part)]


def _range(text: str) -> list[int]:
    numbers = [int(number) for number in text.split(":")]
    if len(numbers) == 1:
        numbers *= 2
    if len(numbers) > 3 or min(numbers[0], numbers[-1]) < 1 or (len(numbers) == 3 and not numbers[1]):
        raise ValueError
    if max(numbers) > _MOST:
        raise ValueError
    start, stop = numbers[0], numbers[-1]
    step = abs(numbers[1]) if len(numbers) == 3 else 1
    return list(range(start, stop + 1, step)) if start <= stop else list(range(start, stop - 1, -step))


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    def parse_whole(text: str) -> int:
        if int(text) < least or (most is not None and int(text) > most):
            raise ValueError
        return int(text)

    return parse_whole


def _whole_or(word: str, most: int) -> Callable[[str], int | None]:
    return lambda text: None if text == word else _whole(1, most)(text)


def _share(text: str) -> float:
    if not 0 <= float(text) <= 1:
        raise ValueError
    return float(text)


def _one_of(**meanings: str) -> Callable[[str], str]:
    def parse_word(text: str) -> str:
        if text not in meanings:
            raise ValueError
        return meanings[text]

    return parse_word


#: What is larger is a mistake: it would be waited for, for ever.
_MOST, _MOST_DIMS, _MOST_ITERATIONS = 10**6, 2**16, 2**31 - 1

_PARSERS: dict[str, Callable[[str], Any]] = {
    "numFVs": _whole(1),
    "FVDim": _whole(1),
    "k": _ks,
    "maxK": _whole(1),
    "dim": _whole_or("noProject", _MOST_DIMS),
    "iters": _whole_or("off", _MOST_ITERATIONS),
    "numInitSeeds": _whole(1, _MOST),
    "initkm": _one_of(samp="sample", ff="furthest", incremental="incremental", **{"kmeans++": "kmeans++"}),
    "bicThreshold": _share,
    "coveragePct": _share,
    "sampleSize": _whole(-1),
    "fixedLength": _one_of(on="on", off="off"),
    "seedkm": int,
    "seedproj": int,
    "seedsample": int,
    "verbose": _whole(0),
}
_FORMS = {
    "numFVs": "N",
    "FVDim": "N",
    "k": "search, K, FROM:TO, FROM:STEP:TO, or several with commas; each from 1 to 1,000,000",
    "maxK": "K, at least 1",
    "dim": "D, from 1 to 65,536, or noProject",
    "iters": "N, from 1 to 2,147,483,647, or off",
    "numInitSeeds": "N, from 1 to 1,000,000",
    "initkm": "samp, ff, kmeans++ or incremental",
    "bicThreshold": "T, from 0 to 1",
    "coveragePct": "P, from 0 to 1",
    "sampleSize": "N, or -1 for all",
    "fixedLength": "on (equal weights) or off (weights by length)",
    "seedkm": "a whole number",
    "seedproj": "a whole number",
    "seedsample": "a whole number",
    "verbose": "N, from 0",
}
