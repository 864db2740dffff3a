"""Intervals from events, as "Variable-length intervals" has them, in plain Python.

Events are (symbol, repeats, position), stretches [start, end).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.reference.sequitur import expand, sequitur

Event = tuple[int, int, int]

#: Start, end, kind.
Stretch = tuple[int, int, str]


def prune(
    trace: Sequence[Event], instructions: int, every: int, silence: int, most: int = 1 << 24
) -> list[Event]:
    """Events of sites that recur at most once per `every`; where nothing is kept for `silence`, one is.

    Where those are more than `most`, every is what it takes.
    """
    count: Counter[int] = Counter()
    for symbol, repeats, _ in trace:
        count[symbol] += repeats
    while every and sum(n for n in count.values() if n * every <= instructions) > most:
        every += 1
    kept: list[Event] = []
    row = 0
    while row < len(trace):
        event, last = trace[row], kept[-1][2] if kept else 0
        row += 1
        if not every or count[event[0]] * every <= instructions:
            kept.append(event)
        elif silence and event[2] - last >= silence:
            window = [event]
            for other in trace[row:]:
                if other[2] >= last + 2 * silence or count[other[0]] * every <= instructions:
                    break
                window.append(other)
            rarest = min(window, key=lambda one: count[one[0]])
            kept.append(rarest)
            row += window.index(rarest)
    return kept


def leaves(trace: Sequence[Event], instructions: int, coverage: float, shortest: int) -> list[Stretch]:
    """Section 8.1.3: the longest symbols of S, and what is left between them; the tail goes with the last."""
    symbols = start_symbols(trace)
    taken, covered = set(), 0
    for row in sorted(range(len(symbols)), key=lambda row: -length(symbols[row])):
        if covered >= coverage * instructions or length(symbols[row]) < shortest:
            break
        taken.add(row)
        covered += length(symbols[row])
    out: list[Stretch] = []
    for row, (start, end) in enumerate(symbols):
        if row in taken:
            out.append((start, end, "variable"))
        elif out and out[-1][2] == "transition":
            out[-1] = (out[-1][0], end, "transition")
        else:
            out.append((start, end, "transition"))
    end = out[-1][1] if out else 0
    if not out and instructions:
        out.append((0, instructions, "transition"))
    elif out and out[-1][2] == "transition":
        out[-1] = (out[-1][0], instructions, "transition")
    elif end < instructions:
        out.append((end, instructions, "tail"))
    return out


def start_symbols(trace: Sequence[Event]) -> list[tuple[int, int]]:
    """Where the symbols of S lie, in instructions."""
    rules, out, row = sequitur([event[0] for event in trace]), [], 0
    for symbol in rules[0]:
        size = len(expand(rules, -symbol)) if symbol < 0 else 1
        out.append((trace[row - 1][2] if row else 0, trace[row + size - 1][2]))
        row += size
    return out


def length(stretch: tuple[int, ...]) -> int:
    return stretch[1] - stretch[0]


def count(trace: Sequence[Event], intervals: Sequence[tuple[int, int]], sites: int) -> list[list[int]]:
    """Events in each of [start, end); the j-th of r repeats at (j / r) of the way from the event before."""
    out = [[0] * sites for _ in intervals]
    before = 0
    for symbol, repeats, position in trace:
        for j in range(1, repeats + 1):
            at = before - -j * (position - before) // repeats  # rounded up
            for row, (start, end) in zip(out, intervals, strict=True):
                row[symbol] += start < at <= end
        before = position
    return out


@dataclass
class Node:
    """A node of the tree; `steps` are the levels, from the leaves (0) up, at which it is by itself."""

    start: int
    end: int
    kind: str = "variable"
    steps: list[int] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)


def build(
    threads: list[list[Node]], label: Callable[[list[Node], int], list[int]], few: int = 10
) -> tuple[list[list[Node]], int, list[list[int]]]:
    """Section 8.2, from leaves with counts: the topmost nodes, how many levels, labels from the top down.

    Args:
        threads: the leaves of each.
        label: a phase for each node, of at most so many.
    """
    step, labels = 0, []
    while True:
        for nodes in threads:
            for node in nodes:
                node.steps.append(step)
        active = [nodes for nodes in threads if len(nodes) >= few]
        longest = max(map(len, active), default=0)
        most = max(1, int(longest**0.5) - 1) if active else 10**9
        labels.append(label([node for nodes in threads for node in nodes], most))
        following, rest = [], labels[-1]
        for nodes in threads:
            own, rest = rest[: len(nodes)], rest[len(nodes) :]
            following.append(united(nodes, own) if len(nodes) >= few else nodes)
        if all(len(new) == len(old) for new, old in zip(following, threads, strict=True)):
            return threads, step + 1, labels[::-1]
        threads, step = following, step + 1


def united(nodes: list[Node], labels: list[int]) -> list[Node]:
    rules, rest = sequitur(labels), iter(nodes)

    def node(symbol: int) -> Node:
        if symbol >= 0:
            return next(rest)
        children = [node(one) for one in rules[-symbol]]
        counts = [sum(column) for column in zip(*(child.counts for child in children), strict=True)]
        return Node(children[0].start, children[-1].end, "variable", [], children, counts)

    return [node(symbol) for symbol in rules[0]]
