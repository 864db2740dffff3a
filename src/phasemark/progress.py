"""How long work tells how far it has come, and what it waits for."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "tell_waiting", "waiting"]

#: Called with how much is done and of how much; the total may be an estimate that still grows.
Progress = Callable[[int, int], object]


def tell_waiting(told: Callable[[str], object]) -> None:
    """Have a function called with a sentence whenever work waits for another process; nobody is told else."""
    _told[:] = [told]


def waiting(sentence: str) -> None:
    """Work waits for what the sentence says."""
    for told in _told:
        told(sentence)


_told: list[Callable[[str], object]] = []


def __dir__() -> list[str]:
    return sorted(__all__)
