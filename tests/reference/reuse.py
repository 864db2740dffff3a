"""Stack distances, by a list of lines that is searched from the front."""

from __future__ import annotations

from collections.abc import Sequence

LINE = 64


def is_chosen(address: int, lines: int) -> bool:
    """Whether the line of an address is one of those that are looked at: by sums of the low half's bits."""
    line = address % 2**32 // LINE
    return (line ^ line >> 6 ^ line >> 12 ^ line >> 18) % lines == 0


def bands(addresses: Sequence[int], lines: int, log: int) -> list[int]:
    """Accesses by how many others of the chosen lines were accessed since theirs was.

    Args:
        addresses: in order; 0: no access.
        lines: one of so many is looked at.
        log: 2^log lines are remembered.

    Returns:
        With none; with 2^(i-1) to 2^i - 1, for i from 1 to log; and to lines that are not remembered.
    """
    counts = [0] * (log + 2)
    recent: list[int] = []
    for address in addresses:
        if not address or not is_chosen(address, lines):
            continue
        line = address // LINE
        if line in recent:
            distance = recent.index(line)
            counts[distance.bit_length()] += 1
            recent.remove(line)
        else:
            counts[-1] += 1
        recent.insert(0, line)
        del recent[2**log :]
    return counts
