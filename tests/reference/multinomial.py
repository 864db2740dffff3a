"""Models of multinomial states as the textbook has them, dense and slow: Rabiner (1989), in logarithms.

"Discovering the Runtime Structure of Software with Probabilistic Generative Models", section 1.1.
"""

from __future__ import annotations

import itertools

import numpy as np


def log(p):
    with np.errstate(divide="ignore"):
        return np.log(p)


def log_sum(values, axis=None):
    most = np.max(values, axis=axis, keepdims=True)
    most = np.where(np.isfinite(most), most, 0)
    with np.errstate(divide="ignore"):
        out = np.log(np.sum(np.exp(values - most), axis=axis, keepdims=True)) + most
    return out.squeeze(axis) if axis is not None else float(out.squeeze())


def emissions(counts, theta):
    """rows x states; the multinomial coefficient is left out."""
    out = np.zeros((len(counts), len(theta)))
    for t, row in enumerate(counts):
        for s, p in enumerate(theta):
            out[t, s] = sum(o * log(q) for o, q in zip(row, p, strict=True) if o)
    return out


def expect(start, moves, likelihoods, lengths):
    """Log likelihood, posteriors, expected starts and moves; of a mixture where moves is None."""
    total, posteriors, starts, counts = 0.0, [], np.zeros(len(start)), np.zeros((len(start), len(start)))
    at = 0
    for length in lengths:
        rows = likelihoods[at : at + length]
        at += length
        one = _mixture(start, rows) if moves is None else _chain(start, moves, rows)
        total += one[0]
        posteriors.append(one[1])
        starts += one[2]
        counts += one[3]
    return total, np.concatenate(posteriors), starts, counts


def _mixture(start, rows):
    joint = log(start) + rows
    each = log_sum(joint, axis=1)
    posteriors = np.exp(joint - each[:, None])
    return float(each.sum()), posteriors, posteriors.sum(axis=0), np.zeros((len(start), len(start)))


def _chain(start, moves, rows):
    n = len(rows)
    alpha, beta = np.zeros_like(rows), np.zeros_like(rows)
    alpha[0] = log(start) + rows[0]
    for t in range(1, n):
        alpha[t] = log_sum(alpha[t - 1][:, None] + log(moves), axis=0) + rows[t]
    for t in range(n - 2, -1, -1):
        beta[t] = log_sum(log(moves) + rows[t + 1] + beta[t + 1], axis=1)
    total = log_sum(alpha[-1])
    posteriors = np.exp(alpha + beta - total)
    counts = np.zeros_like(moves)
    for t in range(n - 1):
        counts += np.exp(alpha[t][:, None] + log(moves) + rows[t + 1] + beta[t + 1] - total)
    return total, posteriors, posteriors[0], counts


def most_likely(start, moves, rows):
    """The best of all paths of one sequence, one by one; ties to the first in order of states."""
    best, path = -np.inf, None
    for states in itertools.product(range(len(start)), repeat=len(rows)):
        value = log(start[states[0]]) + rows[0, states[0]]
        for t in range(1, len(states)):
            step = 0.0 if moves is None else log(moves[states[t - 1], states[t]])
            value += (log(start[states[t]]) if moves is None else step) + rows[t, states[t]]
        if value > best:
            best, path = value, states
    return path


def step(counts, posteriors, starts, moves, *, background, smoothing):
    """The M step: start, moves and theta; moves is None for a mixture."""
    posteriors = np.where(posteriors > 1e-30, posteriors, 0)  # no state rests on so little
    theta = np.array([_drawn(p @ counts, background, smoothing) for p in posteriors.T])
    equal = np.full(len(starts), 1 / len(starts))
    start = _drawn(starts, equal, smoothing)
    return start, None if moves is None else np.array([_drawn(row, equal, smoothing) for row in moves]), theta


def _drawn(sums, towards, smoothing):
    own = sums / sums.sum() if sums.sum() > 0 else towards
    return (1 - smoothing) * own + smoothing * towards
