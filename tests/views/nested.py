"""A run with a hierarchy: a made-up archiver that packs and unpacks, block by block, five times over."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from tests.views import synthetic

from phasemark.model import Hierarchy, Intervals, Metrics, Phases, Signatures
from phasemark.model.intervals import concatenate
from phasemark.views import Analysis, fixed
from phasemark.views.threads import threads

#: What the program does: function -> CPI.
WORK = {
    "fill_window": 2.4,
    "deflate": 0.9,
    "longest_match": 0.6,
    "flush_block": 1.6,
    "inflate": 1.1,
    "crc": 0.5,
}


@dataclass
class Node:
    """A stretch of the program: what it does, how long, and what it is made of."""

    work: str
    length: int
    children: tuple[Node, ...] = ()


def of(work: str, *children: Node) -> Node:
    return Node(work, sum(child.length for child in children), children)


def archiver(seed: int = 3, passes: int = 5, blocks: int = 12) -> Node:
    """Passes; each packs some blocks and unpacks them."""
    rng = np.random.default_rng(seed)

    def leaf(work: str, length: float) -> Node:
        return Node(work, max(1, int(length * rng.uniform(0.9, 1.1))))

    def block(level: int) -> Node:
        rounds = [
            of("longest_match", leaf("deflate", 2e5), *(leaf("longest_match", 6e4 * level) for _ in range(6)))
            for _ in range(4)
        ]
        return of("pack", leaf("fill_window", 4e5), of("deflate", *rounds), leaf("flush_block", 3e5))

    def unblock() -> Node:
        return of("unpack", *(leaf("inflate", 3e5) for _ in range(3)), leaf("crc", 2e5))

    made = []
    for level in (1, 3, 5, 7, 9)[:passes]:
        packing = of("pack", *(block(level) for _ in range(blocks)))
        made.append(of("pass", packing, of("unpack", *(unblock() for _ in range(blocks)))))
    return of("run", *made)


#: Level of the nodes of each depth: one after the other; and with nodes between levels, and leaves in parts.
PLAIN = (0, 1, 2, 3, 4, 5)
GRAMMAR = (0, 1, 1, 2, 2, 3)


def hierarchy(*threads: Node, levels: tuple[int, ...] = PLAIN) -> tuple[Hierarchy, list[str]]:
    """The trees of threads as rows, without their roots, and what each node does."""
    nodes: list[tuple[int, int, int, int, int, int, str]] = []  # thread, level, start, -end, at, parent, work
    for thread, root in enumerate(threads):
        below, depth = [(child, -1) for child in root.children], 0
        while below:
            starts = _starts(below, nodes)
            next_ones: list[tuple[Node, int]] = []
            for (node, parent), start in zip(below, starts, strict=True):
                at = len(nodes)
                next_ones += [(child, at) for child in node.children]
                nodes.append((thread, levels[depth], start, -start - node.length, at, parent, node.work))
            below, depth = next_ones, depth + 1
    nodes.sort()
    thread, level, start, end, at, parent, work = (np.array(of) for of in zip(*nodes, strict=True))
    row = np.append(np.argsort(at), -1)
    columns = (0 * thread, thread, level, row[parent], start, -end)
    return _with_phases(
        Hierarchy(*columns, depth=None if levels is PLAIN else levels[-1]), work.tolist()
    ), work.tolist()


def _with_phases(made: Hierarchy, work: list[str]) -> Hierarchy:
    """Of each level what its nodes do, numbered by first appearance."""
    phases = []
    for level in range(made.depth):
        does = [work[row] for row in made.rows(level)]
        number = {one: phase for phase, one in enumerate(dict.fromkeys(does))}
        labels = np.array([number[one] for one in does], np.int32)
        phases.append(Phases(labels, None, np.zeros(len(labels))))
    return replace(made, phases=tuple(phases))


def _starts(
    level: list[tuple[Node, int]], nodes: list[tuple[int, int, int, int, int, int, str]]
) -> list[int]:
    """Where each node begins: its parent's begin, or the end of the sibling before."""
    starts, at, last = [], 0, -2
    for node, parent in level:
        if parent != last:
            at, last = (nodes[parent][2] if parent >= 0 else 0), parent
        starts.append(at)
        at += node.length
    return starts


def run(
    *threads: Node, longest: int = 1_500_000, metrics: bool = True, levels: tuple[int, ...] = PLAIN
) -> Analysis:
    """The program cut into the longest nodes of at most so many instructions; phases are what these do."""
    nodes, work = hierarchy(*(threads or (archiver(),)), levels=levels)
    length = nodes.end - nodes.start
    children = np.bincount(nodes.parent[nodes.parent >= 0], minlength=len(nodes))
    fits = (length <= longest) | (children == 0)
    chosen = np.flatnonzero(fits & ((nodes.parent < 0) | ~fits[nodes.parent]))
    intervals = nodes.cut(chosen)
    rows = chosen[np.lexsort((nodes.start[chosen], nodes.thread[chosen]))]
    names = list(dict.fromkeys(work[row] for row in rows))
    labels = np.array([names.index(work[row]) for row in rows], np.int32)
    made = _analysis(intervals, labels, names)
    if metrics:
        cpi = np.array([WORK.get(work[row], 1.0) for row in rows]) * (1 + 0.05 * np.sin(np.arange(len(rows))))
        made = replace(made, metrics=_metrics(intervals, cpi))
    return replace(made, hierarchy=nodes)


def with_hierarchy(made: Analysis) -> Analysis:
    """Any run, each of its threads a node that is made of the thread's intervals."""
    t = made.profile.interval_table
    first, end = t.first_of_thread(), t.start + t.length
    last = np.append(first[1:], True)
    number = np.cumsum(first) - 1
    nodes = sorted(
        [
            (int(r), int(h), 0, 0, -int(e), -1)
            for r, h, e in zip(t.run[last], t.thread[last], end[last], strict=True)
        ]
        + [
            (int(r), int(h), 1, int(s), -int(e), int(n))
            for r, h, s, e, n in zip(t.run, t.thread, t.start, end, number, strict=True)
        ]
    )
    roots = [row for row, node in enumerate(nodes) if node[2] == 0]
    run, thread, level, start, end, of = (np.array(column) for column in zip(*nodes, strict=True))
    parent = np.where(of < 0, -1, np.array(roots)[of])
    return replace(made, hierarchy=Hierarchy(run, thread, level, parent, start, -end))


def beside_fixed(made: Analysis, length: int) -> Analysis:
    """The run beside itself in intervals of fixed length, all in the code of the interval in their middle."""
    table, counts = made.profile.interval_table, made.profile.vectors
    ends = [int(table.length[rows.rows].sum()) for rows in threads(made.profile)]
    cut = concatenate(
        [
            Intervals.of_thread(np.diff([*range(0, end, length), end]), nominal=length, thread=one.thread)
            for one, end in zip(threads(made.profile), ends, strict=True)
        ]
    )
    at = fixed.labels(cut, table, np.arange(len(table), dtype=np.int32))
    dense = np.zeros((len(table), counts.columns))
    dense[np.repeat(np.arange(len(table)), np.diff(counts.indptr)), counts.indices] = counts.data
    whole = dense[at] / table.length[at][:, None] * cut.length[:, None]
    rounded = whole.astype(np.int64)
    rounded[np.arange(len(cut)), whole.argmax(axis=1)] += cut.length - rounded.sum(axis=1)
    profile = replace(made.profile, interval_table=cut, vectors=synthetic.counts_of(rounded))
    metrics = _metrics(cut, 1.0 + np.arange(len(cut)) % 3)
    return replace(made, fixed=fixed.Fixed(lambda: profile, metrics))


def without(made: Analysis) -> Analysis:
    """The same run, of which no hierarchy is known."""
    return replace(made, hierarchy=None)


def _metrics(t: Intervals, cpi: np.ndarray) -> Metrics:
    counters = {"instructions": t.length, "cycles": cpi * t.length, "l1d_misses": t.length / 90}
    return Metrics(t.run, t.thread, t.index, t.start, t.length, counters, source="a test")


def _analysis(t: Intervals, labels: np.ndarray, names: list[str]) -> Analysis:
    base = synthetic.run(tuple(range(len(names))), length=1000)
    blocks = replace(
        base.profile.block_table,
        function=tuple(names[i % len(names)] for i in range(len(base.profile.block_table))),
    )
    rng = np.random.default_rng(3)
    shares = np.full((len(names), len(blocks)), 0.2 / len(blocks))
    for phase in range(len(names)):
        shares[phase, phase :: len(names)] += 0.8 / len(range(phase, len(blocks), len(names)))
    counts = np.stack(
        [rng.multinomial(n, shares[p] / shares[p].sum()) for n, p in zip(t.length, labels, strict=True)]
    )
    provenance = replace(base.profile.provenance, interval=None)
    profile = replace(
        base.profile,
        block_table=blocks,
        interval_table=t,
        vectors=synthetic.counts_of(counts),
        provenance=provenance,
    )
    weights = t.length / t.length.sum()
    centers = rng.uniform(-1, 1, (len(names), 15))
    matrix = centers[labels] + 0.03 * rng.standard_normal((len(t), 15))
    signatures = Signatures(matrix, weights, base.signatures.recipe)
    far = np.linalg.norm(matrix - centers[labels], axis=1)
    phases = Phases(labels, centers, far, base.phases.scores, base.phases.inertia, base.phases.model)
    return Analysis(profile, signatures, phases, synthetic._points(profile, phases, weights))
