"""The instructions of a module, decoded from front to back: where blocks begin, and where it jumps back.

A block begins at the target of a direct branch, behind a branch, call or return, and where a function begins.
Bytes that are no instruction are passed over. The result depends on the file alone, so it is kept in the
user's cache, by build-id.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.store import cache
from phasemark.symbols import symbol_table, unwind
from phasemark.symbols.elf import Elf

#: Changes with what is made of a file, so that what an older version kept is not used.
VERSION = 1

#: Bytes of instructions that are decoded of a module; it takes a second for one or two millions.
MOST_CODE = 1 << 26

#: Of Code, in the order in which they are kept.
_COLUMNS = ("block", "end", "instructions", "head", "tail")

_JUMP, _CALL, _END = 1, 2, 3

#: Of a section: it holds instructions.
_EXECUTABLE = 4

_ENDS = {"ret", "retf", "retq", "iretq", "iretd", "hlt", "ud2", "sysret", "sysretq"}


@dataclass(frozen=True, eq=False)
class Code:
    """The static code of a module.

    Attributes:
        block: virtual address of each block, ascending, uint64; the last one ends where the code does.
        end: where each ends, uint64.
        instructions: of each, uint64.
        head, tail: of each loop: its first address, and where the last branch back to it ends, uint64.
    """

    block: NDArray[np.uint64]
    end: NDArray[np.uint64]
    instructions: NDArray[np.uint64]
    head: NDArray[np.uint64]
    tail: NDArray[np.uint64]


def decoded(elf: Elf) -> Code | str:
    """The code of a file, or why it cannot be told, as a predicate."""
    if elf.file["e_machine"] != "EM_X86_64":
        return f"is for another processor ({elf.file['e_machine']})"
    size = sum(end - start for _, start, end in elf.code_sections())
    if size > MOST_CODE:
        return f"has {size >> 20:,} MiB of code, more than is decoded"
    name, key = _key(elf)
    if key and (kept := _kept(name, key)) is not None:
        return kept
    code = _decode(elf)
    if key:
        cache.save(name, key, {}, [getattr(code, column).data for column in _COLUMNS])
    return code


def functions(elf: Elf) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Where functions begin and end, by the file's own symbols and unwind information, in order of begin."""
    pairs = [np.empty((0, 2), np.uint64)]
    for section in (".symtab", ".dynsym"):
        if (table := symbol_table.read(elf, section)) is not None:
            pairs.append(np.column_stack((table.start, table.end)))
    ranges = unwind.read(elf)
    pairs.append(np.column_stack((ranges.start, ranges.end)))
    both = np.concatenate(pairs)
    both = both[both[:, 1] > both[:, 0]]
    order = np.lexsort((both[:, 1], both[:, 0]))
    start, end = both[order, 0], both[order, 1]
    last = np.concatenate((start[1:] != start[:-1], [True]))[: len(start)]
    return start[last], end[last]


def _key(elf: Elf) -> tuple[str, dict[str, Any] | None]:
    import capstone

    made_by = {"static code": VERSION, "capstone": ".".join(map(str, capstone.cs_version()))}
    if elf.build_id:
        return f"static code {elf.build_id}", {**made_by, "build": elf.build_id}
    identity = cache.identity(elf.path)
    return f"static code {elf.path}", None if identity is None else {**made_by, **identity}


def _kept(name: str, key: dict[str, Any]) -> Code | None:
    entry = cache.load(name, key)
    if entry is None or len(entry.parts) != len(_COLUMNS):
        return None
    return Code(*(np.frombuffer(part, np.uint64) for part in entry.parts))


@dataclass
class _Walk:
    """What decoding sections one after the other finds.

    Attributes:
        starts: where instructions begin.
        leaders: where blocks begin or end, some several times.
        last: head of a loop -> where the last branch back to it ends.
    """

    starts: array[int] = field(default_factory=lambda: array("Q"))
    leaders: array[int] = field(default_factory=lambda: array("Q"))
    last: dict[int, int] = field(default_factory=dict)

    def section(self, content: bytes, first: int) -> None:
        """Decode one, which is loaded at the address `first`."""
        import capstone

        engine = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        engine.skipdata = True
        kinds: dict[str, int] = {}
        starts, leaders, end = self.starts, self.leaders, first + len(content)
        leaders.extend((first, end))
        for at, size, mnemonic, operands in engine.disasm_lite(content, first):
            starts.append(at)
            kind = kinds.get(mnemonic)
            if kind is None:
                kind = kinds[mnemonic] = _kind(mnemonic)
            if kind == 0:
                continue
            leaders.append(min(at + size, end))
            if kind != _END and operands.startswith("0x"):
                target = int(operands, 16)
                if first <= target < end:
                    leaders.append(target)
                    if kind == _JUMP and target <= at:
                        self.last[target] = max(self.last.get(target, 0), at + size)


def _decode(elf: Elf) -> Code:
    walk = _Walk()
    spans = []
    for section in elf.file.iter_sections():
        if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & _EXECUTABLE:
            walk.section(bytes(section.data()), section["sh_addr"])
            spans.append((section["sh_addr"], section["sh_addr"] + section["sh_size"]))
    begin, _ = functions(elf)
    block = np.unique(np.concatenate((np.array(walk.leaders, np.uint64), begin)))
    end = np.concatenate((block[1:], block[-1:]))
    inside = np.zeros(len(block), np.bool_)
    for start, stop in spans:
        inside |= (block >= start) & (block < stop)
    block, end = block[inside], end[inside]
    starts = np.array(walk.starts, np.uint64)
    count = np.searchsorted(starts, end) - np.searchsorted(starts, block)
    head = np.array(sorted(walk.last), np.uint64)
    tail = np.array([walk.last[address] for address in head.tolist()], np.uint64)
    return Code(block, end, count.astype(np.uint64), head, tail)


def _kind(mnemonic: str) -> int:
    """What an instruction does to the flow of control; 0: nothing. Prefixes stand before its name."""
    word = mnemonic.rsplit(" ", 1)[-1]
    if word.startswith(("j", "loop")):
        return _JUMP
    if word in ("call", "lcall"):
        return _CALL
    return _END if word in _ENDS else 0
