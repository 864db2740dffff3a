"""What a dialect is: how its files are told apart, and what they say besides vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.formats.vectors.scanning import Outline

if TYPE_CHECKING:
    from phasemark.model import Profile

__all__ = ["BlockFacts", "Dialect", "Facts"]


@dataclass(frozen=True)
class BlockFacts:
    """What a file says of a block besides its id.

    Attributes:
        function: name of the function, or the address where no name is known.
        instructions, size: size in instructions and in bytes, 0 where not known.
        place: where its code is, in the file's words; empty where it does not say.
    """

    function: str = ""
    instructions: int = 0
    size: int = 0
    place: str = ""


@dataclass(frozen=True)
class Facts:
    """What a file says besides its vectors.

    Attributes:
        thread: number of the thread, as the tool counts them; None where not said.
        interval: instructions per interval that were asked for; None where not said.
        instructions: of the thread in all, those in no vector included; None where not said.
        starts: instruction of the thread at which each interval starts; None where not said.
        command: the program that ran, where said.
        blocks: id -> what is known of it.
        warnings: one sentence each.
    """

    thread: int | None = None
    interval: int | None = None
    instructions: int | None = None
    starts: Sequence[int] | None = None
    command: str = ""
    blocks: Mapping[int, BlockFacts] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dialect:
    """One tool's way of writing vectors.

    Attributes:
        name: what a user calls it, on the command line too.
        tool: what recorded it, for the provenance.
        block_definition: what its blocks are; profiles that differ in it are not mixed.
        drops_tail: whether the tool leaves out the last partial interval.
        sniff: whether a file is of this dialect, by its content.
        read: what the file says besides its vectors.
        write: write a profile; returns the files written. None: phasemark does not write it.
        numbered: how blocks come by their ids, after "its blocks".
    """

    name: str
    tool: str
    block_definition: str
    drops_tail: bool
    sniff: Callable[[Outline], bool]
    read: Callable[[Outline], Facts]
    write: Callable[[Profile, Path], tuple[Path, ...]] | None = None
    numbered: str = "may be numbered anew in each run"
