"""Whether a file holds samples of perf, by how it begins; loads little, for it is asked of every file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from phasemark.errors import PhasemarkError
from phasemark.formats.perf import lines as parts
from phasemark.formats.source import chunks

#: How a perf.data begins, on a machine of either byte order.
MAGICS = (b"PERFILE2", b"2ELIFREP", b"PERFFILE")

#: Bytes and lines that are looked at.
_BYTES, _LINES = 65536, 20


def is_data(content: bytes) -> bool:
    """Whether a file that begins so is a perf.data."""
    return content.startswith(MAGICS)


def is_text(content: bytes) -> bool:
    """Whether a file that begins so is what `perf script` prints."""
    lines = [line for line in content[:_BYTES].split(b"\n") if line.strip() and not line.startswith(b"#")]
    for number, line in enumerate(lines[:_LINES]):
        head = parts.header(line.removesuffix(b"\r"))
        if head is None:
            continue
        if head.rest.startswith(b"PERF_RECORD_"):
            return True
        sampled = parts.sampled(head.rest)
        if sampled is None:
            continue
        if sampled.where is not None:
            return head.time is not None
        following = lines[number + 1] if number + 1 < len(lines) else b""
        if parts.frame(following.removesuffix(b"\r")) is not None:
            return True
    return False


def is_of_perf(path: str | Path) -> bool:
    """Whether a file is either, plain or gzip; False where it cannot be read: who reads it says why."""
    try:
        with closing(chunks(path)) as pieces:
            content = next(pieces, b"")
    except PhasemarkError:
        return False
    return is_data(content) or is_text(content)
