"""A hidden semi-Markov model, slow: each age of a state as a state of its own, of an ordinary HMM.

Yu, "Hidden semi-Markov models" (2010). `leaving` is states x longest: the probability to leave a state after
1, 2, ... longest rows in it, the last one from there on; `moves` where one goes then, never to itself.
"""

from __future__ import annotations

import itertools

import numpy as np
from tests.reference import multinomial as hmm


def expanded(start, moves, leaving):
    """The HMM whose state s * longest + a is state s after a + 1 rows in it."""
    n, longest = leaving.shape
    begin, steps = np.zeros(n * longest), np.zeros((n * longest, n * longest))
    for s in range(n):
        begin[s * longest] = start[s]
        for age in range(longest):
            here = s * longest + age
            steps[here, s * longest + min(age + 1, longest - 1)] += 1 - leaving[s, age]
            for r in range(n):
                if r != s:
                    steps[here, r * longest] += leaving[s, age] * moves[s, r]
    return begin, steps


def expect(start, moves, leaving, likelihoods, lengths):
    """Log likelihood, posteriors, and expected starts, moves, leaves and stays."""
    n, longest = leaving.shape
    begin, steps = expanded(start, moves, leaving)
    found = hmm.expect(begin, steps, np.repeat(likelihoods, longest, axis=1), lengths)
    posteriors = found[1].reshape(-1, n, longest).sum(axis=2)
    starts = found[2].reshape(n, longest).sum(axis=1)
    counts = found[3].reshape(n, longest, n, longest)
    moved, leaves, stays = np.zeros((n, n)), np.zeros((n, longest)), np.zeros((n, longest))
    for s, age, r in itertools.product(range(n), range(longest), range(n)):
        if r == s:
            stays[s, age] = counts[s, age, s].sum()
        else:
            moved[s, r] += counts[s, age, r].sum()
            leaves[s, age] += counts[s, age, r].sum()
    return found[0], posteriors, starts, moved, leaves, stays


def step(moved, leaves, stays, *, smoothing, prior):
    """The M step of moves and of leaving, the latter drawn towards a geometric duration."""
    n, longest = leaves.shape
    moves, leaving = np.zeros((n, n)), np.zeros((n, longest))
    for s in range(n):
        for r in set(range(n)) - {s}:
            own = moved[s, r] / moved[s].sum() if moved[s].sum() > 0 else 1 / (n - 1)
            moves[s, r] = (1 - smoothing) * own + smoothing / (n - 1)
        visits = leaves[s].sum() + stays[s].sum()
        geometric = leaves[s].sum() / visits if visits > 0 else 1 - 1 / n
        geometric = (1 - smoothing) * geometric + smoothing * (1 - 1 / n)
        for age in range(longest):
            seen = leaves[s, age] + stays[s, age]
            leaving[s, age] = (leaves[s, age] + prior * geometric) / (seen + prior)
    return moves, leaving


def likelihood(start, moves, leaving, rows, path):
    """Of one sequence's states, one by one, together with what is seen."""
    longest, value, lasted = leaving.shape[1], hmm.log(start[path[0]]) + rows[0, path[0]], 1
    for t in range(1, len(path)):
        old, new = path[t - 1], path[t]
        leave = leaving[old, min(lasted, longest) - 1]
        value += hmm.log(1 - leave) if new == old else hmm.log(leave) + hmm.log(moves[old, new])
        value += rows[t, new]
        lasted = lasted + 1 if new == old else 1
    return value


def most_likely(start, moves, leaving, rows):
    """The best of all paths of one sequence."""
    paths = itertools.product(range(len(start)), repeat=len(rows))
    return max(paths, key=lambda path: likelihood(start, moves, leaving, rows, path))


def until_change(start, moves, leaving, likelihoods):
    """After each row of one sequence: the next row's states, and the median time to a change, row by row."""
    n, longest = leaving.shape
    begin, steps = expanded(start, moves, leaving)
    wide = np.repeat(likelihoods, longest, axis=1)
    following, medians = [], []
    for t in range(len(likelihoods)):
        known = hmm.expect(begin, steps, wide[: t + 1], [t + 1])[1][-1]
        following.append((known @ steps).reshape(n, longest).sum(axis=1))
        ages, rows = known.reshape(n, longest), 0
        while rows < 200 and (rows == 0 or ages.sum() > 0.5):
            stay = ages * (1 - leaving)
            ages = np.zeros_like(ages)
            ages[:, 1:] = stay[:, :-1]
            ages[:, -1] += stay[:, -1]
            rows += 1
        medians.append(rows)
    return np.array(following), np.array(medians)
