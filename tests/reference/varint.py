"""Unsigned LEB128, slowly and plainly: the oracle for the kernel decode_varints."""

from __future__ import annotations


def decode(payload: bytes, most: int = 0) -> tuple[list[int], int]:
    """The numbers in `payload` (at most `most`, 0: all), and how many bytes they take.

    Raises:
        ValueError: a number is cut off or does not fit 64 bits.
    """
    numbers: list[int] = []
    at = 0
    while at < len(payload) and (not most or len(numbers) < most):
        value = shift = 0
        while True:
            if at == len(payload) or shift > 63:
                raise ValueError("cut off or too long")
            byte = payload[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if not byte & 0x80:
                break
        if value >= 2**64:
            raise ValueError("too large")
        numbers.append(value)
    return numbers, at
