"""A sample of each dialect, as its tool would write it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"
INTERVAL = 10_000


@dataclass(frozen=True)
class Sample:
    """A file of one dialect.

    Attributes:
        content: the file.
        rows: what it holds, id -> count for each interval.
    """

    content: bytes
    rows: list[dict[int, int]]


def blocks_run(seed: int, instructions: int) -> Iterator[tuple[int, int]]:
    """A program: address and size of block after block, of two loops that alternate."""
    draw = random.Random(seed)
    sizes = [draw.randint(2, 40) for _ in range(24)]
    done = 0
    while done < instructions:
        loop = range(12) if (done // (3 * INTERVAL)) % 2 == 0 else range(9, 24)
        for block in loop:
            yield block, sizes[block]
            done += sizes[block]


def intervals(*, carry: bool, first_id: int = 1, instructions: int = 95_000) -> list[dict[int, int]]:
    """Vectors as a tool cuts them: at the first block that reaches the length, the tail left out.

    Args:
        carry: whether the surplus counts towards the next interval.
        first_id: of the blocks, numbered as they are first executed.
    """
    ids: dict[int, int] = {}
    rows: list[dict[int, int]] = []
    row: dict[int, int] = {}
    count = 0
    for block, size in blocks_run(7, instructions):
        ident = ids.setdefault(block, first_id + len(ids))
        row[ident] = row.get(ident, 0) + size
        count += size
        if count >= INTERVAL:
            rows.append(row)
            row, count = {}, count - INTERVAL if carry else 0
    return rows


def text(rows: list[dict[int, int]], *, after_t: str = "", separator: str = " ", order: int = 0) -> str:
    """One line a row; order is a seed to shuffle the entries by, 0: ascending."""
    lines = []
    for row in rows:
        entries = sorted(row.items())
        if order:
            random.Random(order).shuffle(entries)
        lines.append(f"T{after_t}" + "".join(f":{i}:{n}{separator}" for i, n in entries) + "\n")
    return "".join(lines)


def simpoint() -> Sample:
    rows = [{3: 500, 7: 20}, {3: 480, 9: 5}, {1: 900}, {1: 870, 12: 40}]
    return Sample("".join(line.rstrip() + "\n" for line in text(rows).splitlines()).encode(), rows)


def gem5() -> Sample:
    rows = intervals(carry=True)
    return Sample(text(rows).encode(), rows)


def drpoints() -> Sample:
    rows = intervals(carry=False)
    return Sample(text(rows).encode(), rows)


def qemu() -> Sample:
    rows = intervals(carry=True, first_id=0)
    return Sample(text(rows, order=5).encode(), rows)


def qpoints() -> Sample:
    rows = intervals(carry=False)
    lines = ["T" + "".join(f" :{i}:{n}" for i, n in sorted(r.items(), key=lambda e: -e[1])) for r in rows]
    return Sample("".join(line + "\n" for line in lines).encode(), rows)


def nemu() -> Sample:
    rows = intervals(carry=True)
    lines = (
        "T"
        + "".join(
            f":{0x80000000 + 64 * i:#x}:{0x80000020 + 64 * i:#x}:{i}:{n} " for i, n in sorted(row.items())
        )
        for row in rows
    )
    return Sample("".join(line + "\n" for line in lines).encode(), rows)


def exp_bbv() -> Sample:
    rows = [
        {7: 2, 8: 9, 9: 9970, 1: 7, 2: 2, 3: 7, 4: 2, 17: 2},
        {9: 10000},
        {9: 10000},
        {9: 2022, 10: 1, 12: 2, 13: 7, 14: 7966, 18: 2},
        {14: 10000},
    ]
    return Sample((DATA / "exp-bbv" / "bb.out.77").read_bytes(), rows)


def pinpoints() -> Sample:
    rows: list[dict[int, int]] = [{}, *intervals(carry=False)]
    out = [
        "G: /bin/x LowAddress: 0x400000 LoadOffset: 0x0\n",
        "I: 0\nP: 0\nC: sum:dummy Command: /bin/x -v file\nB: 1 0x401000:0x401010\n",
    ]
    end = 0
    for row, line in zip(rows, text(rows).splitlines(keepends=True), strict=True):
        end += sum(row.values())
        out.append(f"# Slice ending at {end}\n{line}M: 0x401000 {end // 7}\n")
    out.append(f"Dynamic instruction count {end + 1234}\nSliceSize: {INTERVAL}\n")
    for ident in sorted({i for row in rows for i in row}):
        at = 0x401000 + 32 * ident
        out.append(
            f"Block id: {ident} {at:#x}:{at + 9:#x} static instructions: 3 block count: 10 block size: 12\n"
        )
    return Sample(("".join(out) + "End of bb\n").encode(), rows)


SAMPLES = {
    "drpoints": drpoints(),
    "exp-bbv": exp_bbv(),
    "gem5": gem5(),
    "nemu": nemu(),
    "pinpoints": pinpoints(),
    "qemu": qemu(),
    "qpoints": qpoints(),
    "simpoint": simpoint(),
}
