"""How well phases describe a run, slowly: each phase a state of a hidden Markov model over all blocks."""

import math

from tests.reference.multinomial import log_sum

SMOOTHING = 1e-6


def chain(labels, rows, lengths):
    """start, moves and theta, as lists, of phases 0 to k-1 of rows of counts."""
    k, blocks = max(labels) + 1, len(rows[0])
    total = sum(map(sum, rows))
    theta = []
    for phase in range(k):
        own = [row for row, label in zip(rows, labels, strict=True) if label == phase and sum(row)]
        own = own or rows
        whole = sum(map(sum, own))
        theta.append(
            [
                (1 - SMOOTHING) * sum(row[d] for row in own) / whole
                + SMOOTHING * (sum(row[d] for row in rows) / total + 1 / blocks) / 2
                for d in range(blocks)
            ]
        )
    start = [1 / k] * k
    moves = [[1 / k] * k for _ in range(k)]
    begin = 0
    for length in lengths:
        start[labels[begin]] += 1
        for t in range(begin + 1, begin + length):
            moves[labels[t - 1]][labels[t]] += 1
        begin += length
    return [p / sum(start) for p in start], [[p / sum(row) for p in row] for row in moves], theta


def log_likelihood(start, moves, theta, rows, lengths):
    """Of rows of counts, by the forward recursion in logarithms."""
    total, begin = 0.0, 0
    for length in lengths:
        alpha = None
        for row in rows[begin : begin + length]:
            seen = [sum(o * math.log(p) for o, p in zip(row, state, strict=True)) for state in theta]
            before = (
                [math.log(p) for p in start]
                if alpha is None
                else [
                    float(log_sum([a + math.log(moves[i][j]) for i, a in enumerate(alpha)]))
                    for j in range(len(start))
                ]
            )
            alpha = [b + s for b, s in zip(before, seen, strict=True)]
        total += float(log_sum(alpha))
        begin += length
    return total
