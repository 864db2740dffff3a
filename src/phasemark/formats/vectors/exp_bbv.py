"""Valgrind's exp-bbv: `T:1:20   :2:30   `, three blanks, and a trailer of `#` lines.

`bb.out.PID` holds the first thread, `bb.out.PID.2` the second; they share their block ids, which
`pc.out.PID` maps to addresses (the low 32 bits of them) and functions, a line `F:id:address:function`.
What follows the last whole interval is not written, but the trailer counts it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.formats.vectors.dialect import BlockFacts, Dialect, Facts
from phasemark.formats.vectors.scanning import Outline
from phasemark.store.atomic import write_text

if TYPE_CHECKING:
    from phasemark.model import Profile

__all__ = ["DIALECT", "is_pc_file", "read", "read_pc_file", "sniff", "write"]

_THREAD = re.compile(r"# Thread ([0-9]+)")
_INTERVAL = re.compile(r"#\s+Total intervals: [0-9]+ \(Interval Size ([0-9]+)\)")
_TRAILER = re.compile(r"#\s+Total intervals: ")
_INSTRUCTIONS = re.compile(r"#\s+Total instructions: ([0-9]+)")
_FUNCTION = re.compile(r"F:([0-9]{1,20}):([0-9a-fA-F]+):(.*)", re.DOTALL)


def sniff(vectors: Outline) -> bool:
    """Its trailer, or three blanks between entries."""
    layout = vectors.layout
    if layout.fields == 4:
        return False
    return vectors.search(_TRAILER) is not None or (layout.narrowest_gap == layout.widest_gap == 3)


def read(vectors: Outline) -> Facts:
    """Thread, interval length and instructions, from the trailer."""
    thread, interval, instructions = map(vectors.number, (_THREAD, _INTERVAL, _INSTRUCTIONS))
    cut = () if instructions is not None else ("the trailer is missing: exp-bbv did not come to its end",)
    return Facts(thread=thread, interval=interval, instructions=instructions, warnings=cut)


def is_pc_file(vectors: Outline) -> bool:
    """Whether the file maps ids to functions."""
    return not len(vectors) and bool(vectors.notes) and _FUNCTION.match(vectors.notes[0].text) is not None


def read_pc_file(vectors: Outline) -> dict[int, BlockFacts]:
    """Id -> function, or the address where there is no name.

    Raises:
        DataError: a malformed line.
    """
    table = {}
    for note in vectors.notes:
        match = _FUNCTION.fullmatch(note.text)
        if match is None:
            raise DataError(
                "does not map a block to a function",
                path=vectors.path,
                line=note.line,
                hint="a line reads `F:id:address:function`",
            )
        table[int(match[1])] = BlockFacts(match[3].strip() or f"0x{match[2]}", place=f"0x{match[2]}")
    return table


def write(profile: Profile, path: Path) -> tuple[Path, ...]:
    """Write `bb.out` and, where functions are known, `pc.out` beside it; one file a thread.

    Raises:
        WorkError: a file cannot be written.
    """
    from phasemark.formats.vectors.text import write_threads

    written = write_threads(profile, path, separator="   ", trailer=_trailer)
    names = profile.block_table.function
    if names is None:
        return written
    ids = profile.block_table.id.tolist()
    offsets = profile.block_table.offset.tolist()
    pc_file = path.with_name(path.name.replace("bb", "pc", 1) if "bb" in path.name else f"{path.name}.pc")
    lines = (
        f"F:{i}:{offset & 0xFFFFFFFF:x}:{name}\n" for i, offset, name in zip(ids, offsets, names, strict=True)
    )
    write_text(pc_file, "".join(lines))
    return (*written, pc_file)


def _trailer(thread: int, intervals: int, interval: int, instructions: int) -> str:
    return (
        f"\n\n# Thread {thread + 1}\n"
        f"#   Total intervals: {intervals} (Interval Size {interval})\n"
        f"#   Total instructions: {instructions}\n\n"
    )


DIALECT = Dialect(
    name="exp-bbv",
    tool="exp-bbv",
    block_definition="superblock of Valgrind, by entry address",
    drops_tail=True,
    sniff=sniff,
    read=read,
    write=write,
    numbered="are numbered in the order in which a run comes to them",
)
